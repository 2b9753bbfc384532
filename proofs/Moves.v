(** Counting the ways to win: the moves in a state, and how many ways can lead to it. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Lines Counting Bookkeeping.
Import ListNotations.
Open Scope Z_scope.

(**
   Claim: Let a wave after the first one begin with N soldiers, d + x defenders and S hits, and with the castle
     standing. Then N + x <= n, and x + S <= s - N.
   Prose: counting.md, Lemma 1
*)
Theorem state_bounds : forall n s d t shots dead now, 0 < n -> 0 < s -> 0 < d ->
  stood n s d (S t) shots dead now ->
  let x := defenders now - d in 0 <= x /\ soldiers now + x <= n /\ x + hits now <= s - soldiers now.
Proof.
  intros n s d t shots dead now Hn Hs Hd H.
  enough (G : 0 <= defenders now - d /\ soldiers now + (defenders now - d) <= n /\ hits now <= s - n)
    by (cbn zeta; lia).
  remember (S t) as u eqn:E. revert t E.
  induction H as [| t' shots' dead' last i next H IH [Hi HD] Hw HC]; intros t E; [discriminate |].
  assert (Hlast : soldiers last <= n /\ (t' = O -> soldiers last = n /\ defenders last = 0 /\ hits last = s)).
  { destruct t' as [| t']; [inversion H; subst; cbn; repeat split; lia |].
    destruct (IH t' eq_refl) as [H1 [H2 H3]]. split; [lia | discriminate]. }
  destruct Hlast as [H1 H2].
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
  destruct t' as [| t'].
  - destruct (H2 eq_refl) as [E1 [E2 E3]]. repeat split; lia.
  - destruct (IH t' eq_refl) as [E1 [E2 E3]]. repeat split; lia.
Qed.

Example state_bounds_holds : hits (State 10 8 33) <= 43 - 10.
Proof.
  apply (state_bounds 10 43 8 0 10 0 (State 10 8 33)); [lia | lia | lia |].
  apply (stood_on 10 43 8 0 0 0 (start 10 43) 0 (State 10 8 33)); [constructor | unfold order; cbn; lia | |
    reflexivity].
  apply (castle_stands 8 (start 10 43) 0); unfold left, standing; cbn; lia.
Qed.

(**
   Claim: Let a wave begin with N soldiers, d + x defenders and S hits. Put B = S + x and B' = B - N + d. The orders
     without waste are those that leave x' defenders with max(0, d + x - N) <= x' <= min(d + x, B'), and x' = 0 if B' <
     0. They lead to a win of the soldiers if B' <= 0, and then there is only one order; to a win of the castle if x' >=
     N; to the fall of the castle if x' = B' >= 1 and x' < N; and otherwise to N - x' soldiers, x' defenders left and B'
     - x' hits.
   Prose: counting.md, Lemma 2 (the moves of a state)
   Settles: castle-step-wave in part
*)
Theorem moves : forall d now x i, 0 < d -> 0 < soldiers now -> 0 <= x -> 0 < hits now -> defenders now = d + x ->
  let y := left now i in let b := hits now + x - soldiers now + d in
  (thrifty now i <-> Z.max 0 (d + x - soldiers now) <= y <= Z.min (d + x) b \/ b < 0 /\ y = 0) /\
  (thrifty now i ->
    (b <= 0 -> y = 0 /\ wave d now i (Won Soldiers)) /\
    (soldiers now <= y -> wave d now i (Won Castle)) /\
    (1 <= y -> y = b -> y < soldiers now -> wave d now i (Next (State (soldiers now - y) y 0))) /\
    (y < b -> y < soldiers now -> wave d now i (Next (State (soldiers now - y) (y + d) (b - y))))).
Proof.
  intros d [N D S] x i Hd HN Hx HS HD y b. cbn [soldiers defenders hits] in *. subst D. split.
  - unfold thrifty, order, y, b, left. cbn [soldiers defenders hits]. lia.
  - intros [[Hi HiD] Hw]. cbn [soldiers defenders hits] in *. assert (Hy : y = d + x - i) by reflexivity.
    split; [| split; [| split]].
    + intros Hb. split; [unfold b in *; lia |]. constructor; unfold left, standing; cbn [soldiers defenders hits];
        unfold b in *; lia.
    + intros Hmany. apply soldiers_gone; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia.
    + intros Hy1 Hfall Hfew. apply (castle_fallen d (State N (d + x) S)); unfold left, standing in *;
        cbn [soldiers defenders hits] in *; unfold b in *; lia.
    + intros Hb Hfew.
      replace (b - y) with (standing (State N (d + x) S) i)
        by (unfold standing, b; cbn [soldiers hits]; unfold b in *; lia).
      apply (castle_stands d (State N (d + x) S)); unfold left, standing in *; cbn [soldiers defenders hits] in *;
        unfold b in *; lia.
Qed.

Example moves_holds : wave 8 (State 10 8 33) 8 (Next (State (10 - 0) (0 + 8) (31 - 0))).
Proof.
  assert (H : thrifty (State 10 8 33) 8) by (unfold thrifty, order; cbn; lia).
  apply (moves 8 (State 10 8 33) 0 8) in H; [| cbn; lia ..]. destruct H as [_ [_ [_ H]]]. apply H; cbn; lia.
Qed.

(** ** How many ways can lead to a state *)

(** The number of ways to choose k out of n, by Pascal's rule. *)
Fixpoint choose (n k : nat) : Z :=
  match n, k with
  | _, O => 1
  | O, _ => 0
  | S m, S j => choose m j + choose m k
  end.

Lemma choose_positive : forall n k, 0 <= choose n k.
Proof.
  induction n as [| n IH]; intros [| k]; cbn [choose]; try lia. pose proof (IH k). pose proof (IH (S k)). lia.
Qed.

Lemma sum_app : forall {A} (a b : list A) f, sum (a ++ b) f = sum a f + sum b f.
Proof. intros A a b f. unfold sum. induction a as [| x a IH]; cbn [app fold_right]; lia. Qed.

Lemma sum_at_most : forall {A} (l : list A) f g, (forall x, In x l -> f x <= g x) -> sum l f <= sum l g.
Proof.
  intros A l f g H. unfold sum. induction l as [| x l IH]; cbn [fold_right]; [lia |].
  pose proof (H x (or_introl eq_refl)). assert (forall y, In y l -> f y <= g y) by (intros y Hy; apply H; now right).
  specialize (IH ltac:(assumption)). lia.
Qed.

Lemma sum_map : forall {A B} (h : A -> B) (l : list A) f, sum (map h l) f = sum l (fun x => f (h x)).
Proof. intros A B h l f. unfold sum. induction l as [| x l IH]; cbn [map fold_right]; [reflexivity |
  now rewrite IH]. Qed.

(** The sum over some different numbers below m is at most the sum over all numbers below m. *)
Lemma sum_of_some : forall (f : nat -> Z) l m, NoDup l -> (forall x, In x l -> (x < m)%nat) -> (forall x, 0 <= f x) ->
  sum l f <= sum (seq 0 m) f.
Proof.
  intros f l m. revert l. induction m as [| m IH]; intros l Hl Hm Hf.
  - destruct l as [| x l]; [cbn; lia |]. specialize (Hm x (or_introl eq_refl)). lia.
  - rewrite seq_S, sum_app, Nat.add_0_l. assert (Em : sum [m] f = f m) by (unfold sum; cbn [fold_right]; lia).
    rewrite Em.
    destruct (in_dec Nat.eq_dec m l) as [Hin | Hout].
    + apply in_split in Hin as [a [b ->]].
      assert (E : sum (a ++ m :: b) f = sum (a ++ b) f + f m)
        by (rewrite !sum_app; change (sum (m :: b) f) with (f m + sum b f); lia).
      rewrite E. apply NoDup_remove in Hl as [Hl Hnot].
      assert (sum (a ++ b) f <= sum (seq 0 m) f); [| lia]. apply IH; [exact Hl | | exact Hf].
      intros x Hx. assert (In x (a ++ m :: b)) by (apply in_app_iff in Hx; apply in_app_iff; cbn; tauto).
      specialize (Hm x ltac:(assumption)). assert (x <> m) by (intros ->; contradiction). lia.
    + pose proof (Hf m). assert (sum l f <= sum (seq 0 m) f); [| lia]. apply IH; [exact Hl | | exact Hf].
      intros x Hx. specialize (Hm x Hx). assert (x <> m) by (intros ->; contradiction). lia.
Qed.

(** Sums along a diagonal of Pascal's triangle. *)
Lemma choose_none : forall j i, (j < i)%nat -> choose j i = 0.
Proof.
  induction j as [| j IH]; intros [| i] Hi; try lia; [reflexivity |]. cbn [choose]. rewrite !IH by lia. reflexivity.
Qed.

Lemma diagonal : forall m k, sum (seq 0 m) (fun x => choose (m - 1 - x + k) k) = choose (m + k) (S k).
Proof.
  intros m k. induction m as [| m IH].
  - rewrite choose_none by lia. reflexivity.
  - cbn [seq]. rewrite <- seq_shift.
    change (sum (0%nat :: map S (seq 0 m)) (fun x => choose (S m - 1 - x + k) k)) with
      (choose (S m - 1 - 0 + k) k + sum (map S (seq 0 m)) (fun x => choose (S m - 1 - x + k) k)).
    rewrite sum_map.
    rewrite (sum_ext (seq 0 m) (fun x => choose (S m - 1 - S x + k) k) (fun x => choose (m - 1 - x + k) k)).
    + rewrite IH. replace (S m - 1 - 0 + k)%nat with (m + k)%nat by lia.
      change (S m + k)%nat with (S (m + k)). reflexivity.
    + intros x Hx. f_equal. lia.
Qed.

Lemma no_duplicates_map : forall (h : Z -> nat) l, NoDup l -> (forall x y, In x l -> In y l -> h x = h y -> x = y) ->
  NoDup (map h l).
Proof.
  intros h l Hl. induction Hl as [| x l Hx Hl IH]; intros Hh; cbn [map]; constructor.
  - rewrite in_map_iff. intros [y [Hy Hin]]. apply Hx. rewrite (Hh x y); [exact Hin | now left | now right | easy].
  - apply IH. intros y z Hy Hz. apply Hh; now right.
Qed.

Lemma ways_at_most : forall d m now last, 0 < d -> playable now ->
  ways d m now last <= choose (Z.to_nat (soldiers now) - 1 + m) m.
Proof.
  intros d m. induction m as [| m IH]; intros now last Hd Hnow.
  - cbn [ways]. replace (choose (Z.to_nat (soldiers now) - 1 + 0) 0) with 1 by (now destruct (Z.to_nat (soldiers now) -
    1 + 0)%nat).
    destruct (same now last); lia.
  - cbn [ways]. set (N := Z.to_nat (soldiers now)). assert (HN : (1 <= N)%nat) by (unfold N; destruct Hnow; lia).
    set (f := fun x => choose (N - 1 - x + m) m).
    set (g := fun i => match step d now i with
                       | Next next => if 0 <? hits next then ways d m next last else 0
                       | Won _ => 0
                       end).
    destruct (orders_agree now Hnow) as [Horders _].
    assert (Hlow : forall i, In i (orders now) -> 0 <= defenders now - i).
    { intros i Hi. apply Horders in Hi as [[_ H] _]. lia. }
    assert (Hbound : forall i, In i (orders now) ->
      g i <= if (Z.to_nat (defenders now - i) <? N)%nat then f (Z.to_nat (defenders now - i)) else 0).
    { intros i Hi. pose proof (Hlow i Hi) as Hleft. apply Horders in Hi as Hthrifty. unfold g.
      destruct (step d now i) as [q | next] eqn:E.
      - destruct (Nat.ltb_spec (Z.to_nat (defenders now - i)) N); [apply choose_positive | lia].
      - assert (Hw : wave d now i (Next next)) by (apply step_agrees; [exact Hnow | apply Hthrifty | exact E]).
        pose proof (playable_next d now i next Hd Hnow (proj1 Hthrifty) Hw) as Hplay.
        assert (Hs : soldiers next = soldiers now - (defenders now - i) /\ defenders now - i < soldiers now)
          by (inversion Hw; subst; unfold left in *; cbn [soldiers]; lia).
        destruct (Nat.ltb_spec (Z.to_nat (defenders now - i)) N) as [Hin | Hout]; [| unfold N in Hout; lia].
        assert (Hstep : ways d m next last <= f (Z.to_nat (defenders now - i))).
        { eapply Z.le_trans; [apply IH; assumption |]. unfold f. apply Z.eq_le_incl. f_equal. unfold N. lia. }
        pose proof (choose_positive (N - 1 - Z.to_nat (defenders now - i) + m) m).
        destruct (0 <? hits next); [exact Hstep | unfold f; lia]. }
    apply Z.le_trans with (sum (orders now) (fun i =>
      if (Z.to_nat (defenders now - i) <? N)%nat then f (Z.to_nat (defenders now - i)) else 0));
      [apply sum_at_most; exact Hbound |].
    assert (Hkeep : forall l, sum l (fun i =>
        if (Z.to_nat (defenders now - i) <? N)%nat then f (Z.to_nat (defenders now - i)) else 0) =
      sum (map (fun i => Z.to_nat (defenders now - i))
        (filter (fun i => (Z.to_nat (defenders now - i) <? N)%nat) l)) f).
    { intros l. unfold sum. induction l as [| i l IHl]; [reflexivity |]. cbn [fold_right filter]. rewrite IHl.
      destruct (Z.to_nat (defenders now - i) <? N)%nat; reflexivity. }
    rewrite Hkeep. replace (N - 1 + S m)%nat with (N + m)%nat by lia.
    change (choose (N + m) (S m)) with (choose (N + m) (S m)). rewrite <- diagonal. fold f.
    apply sum_of_some; [| | intros x; apply choose_positive].
    + apply no_duplicates_map; [apply NoDup_filter, no_duplicates_range |]. intros a b Ha Hb Hab.
      apply filter_In in Ha as [Ha _], Hb as [Hb _]. apply Hlow in Ha, Hb. lia.
    + intros x Hx. apply in_map_iff in Hx as [i [<- Hi]]. apply filter_In in Hi as [_ Hi]. now apply Nat.ltb_lt.
Qed.

(**
   Claim: At the start of wave m + 2, no state can be reached from the state at the start of wave 2 in more ways than
     there are to choose m out of n - 1 + m.
   Prose: counting.md, Theorem 2 (memory bound)
*)
Theorem memory_bound : forall n s d m last, 0 < d -> 0 < n < s ->
  ways d m (State n d (s - n)) last <= choose (Z.to_nat n - 1 + m) m.
Proof. intros n s d m last Hd Hn. apply ways_at_most; [exact Hd | unfold playable; cbn; lia]. Qed.

Example memory_bound_holds : ways 4 2 (State 4 4 5) (State 3 5 4) <= 10.
Proof. exact (memory_bound 4 9 4 2 (State 3 5 4) ltac:(lia) ltac:(lia)). Qed.

(** ** For how many waves the castle can stand *)

(** [went_on d t first now]: t waves have led from [first] to [now], and the castle stands after each of them. None of
    them has ended in the state in which it began, because that would be the tie, which ends the line. *)
Inductive went_on (d : Z) (first : state) : nat -> state -> Prop :=
| went_nowhere : went_on d first 0 first
| went_a_wave t now i next :
    went_on d first t now -> order now i -> wave d now i (Next next) -> next <> now -> 0 < hits next ->
    went_on d first (S t) next.

(** Each wave with more soldiers than fresh defenders costs the castle at least one hit. In the [i] waves after the
    first wave with fewer soldiers, the number of missing soldiers and the number of defenders left grow like the
    Fibonacci numbers. *)
Definition worn (n s d : Z) (t : nat) (now : state) : Prop :=
  0 < soldiers now /\ soldiers now + (defenders now - d) <= n /\ 0 <= defenders now - d /\ 0 < hits now /\
  (d <= soldiers now /\ hits now + (defenders now - d) <= s - n - (Z.of_nat t - 1) \/
   exists i, Z.of_nat t <= s - n + 1 + Z.of_nat i /\ fib (2 * i + 1) <= d - soldiers now /\
     fib (2 * i) <= defenders now - d).

Lemma worn_on : forall n s d t now i next, 0 < d -> order now i -> wave d now i (Next next) -> next <> now ->
  0 < hits next -> worn n s d t now -> worn n s d (S t) next.
Proof.
  intros n s d t [N D C] i next Hd [Hi HD] Hw Hne Hup [HN [Hn [Hx [HC Hcase]]]].
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
  rewrite Z.max_r in * by lia. unfold worn. cbn [soldiers defenders hits]. rewrite Nat2Z.inj_succ.
  split; [lia |]. split; [lia |]. split; [lia |]. split; [lia |]. destruct Hcase as [[Hmany Hhits] | [j [Ht [Hm Hl]]]].
  - destruct (Z.le_gt_cases d (N - (D - i))) as [Hstill | Hfewer].
    + left. split; [exact Hstill |]. destruct (Z.eq_dec N d) as [-> | Hmore]; [exfalso | lia].
      apply Hne. f_equal; lia.
    + right. exists 0%nat. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 0)) with 0. lia.
  - right. exists (S j). rewrite fib_odd_next, fib_even_next, Nat2Z.inj_succ. lia.
Qed.

Lemma fib_even_rises : forall j i, (j <= i)%nat -> fib (2 * j) <= fib (2 * i).
Proof.
  intros j i H. induction H as [| i _ IH]; [lia |]. rewrite fib_even_next. pose proof (fib_even_odd i). lia.
Qed.

(**
   Claim: If n < 2^63, a line of play has at most s - n + 48 states with a standing castle at the start of wave 2 or
     later. (A wave that ends in the state in which it began, which is a tie, ends the line.)
   Prose: counting.md, Lemma 3 (waves)
*)
Theorem castle_stands_so_long : forall n s d t now, 0 < n < s -> n < 2 ^ 63 -> 0 < d ->
  went_on d (start n s) t now -> Z.of_nat t <= s - n + 48.
Proof.
  intros n s d t now Hn Hn2 Hd H. destruct t as [| t]; [lia |].
  assert (Hworn : worn n s d (S t) now).
  { remember (S t) as u eqn:E. revert t E. induction H as [| v last i next H IH Hi Hw Hne Hup]; intros t E;
      [discriminate |].
    destruct v as [| v]; [| apply worn_on with (now := last) (i := i); try assumption; now apply (IH v)].
    inversion H; subst. destruct Hi as [Hi HD]. unfold start in *. cbn [soldiers defenders hits] in *.
    assert (i = 0) as -> by lia. inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *;
      [| lia].
    unfold worn. cbn [soldiers defenders hits]. change (Z.of_nat 1) with 1.
    split; [lia |]. split; [lia |]. split; [lia |]. split; [lia |].
    destruct (Z.le_gt_cases d n) as [L | L]; [left; lia | right].
    exists 0%nat. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 0)) with 0. lia. }
  destruct Hworn as [HN [Hsum [Hx [HC [[Hmany Hhits] | [i [Ht [Hm Hl]]]]]]]]; [lia |].
  destruct (Nat.le_gt_cases i 46) as [Hi | Hi]; [lia | exfalso].
  pose proof (fib_even_rises 47 i Hi) as Hrise.
  assert (H47 : 2 ^ 63 <= fib (2 * 47)) by (vm_compute; discriminate). lia.
Qed.

Example castle_stands_so_long_holds : Z.of_nat 1 <= 43 - 10 + 48.
Proof.
  apply (castle_stands_so_long 10 43 8 1 (State 10 8 33)); [lia | lia | lia |].
  apply (went_a_wave 8 (start 10 43) 0 (start 10 43) 0); [constructor | unfold order; cbn; lia | | discriminate |
    reflexivity].
  apply (castle_stands 8 (start 10 43) 0); unfold left, standing; cbn; lia.
Qed.
