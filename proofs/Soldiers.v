(** The staircase: the castles that fall within a number of waves. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Fibonacci Rules Hunt.
Open Scope Z_scope.

(** T(k): the largest number of defenders that n soldiers can leave when the castle falls and get rid of in k more
    waves. *)
Definition strike (n : Z) (k : nat) : Z := n * fib (2 * k) / fib (2 * k + 1).

(** A(w): the number of hits, beyond n, of the strongest castle that can be beaten within w waves. *)
Fixpoint reach (n d : Z) (w : nat) : Z :=
  match w with
  | S ((S k) as v) => (n - d) + Z.max (reach n d v) (strike n k)
  | _ => 0
  end.

Lemma strike_spec : forall n k x, x <= strike n k <-> x * fib (2 * k + 1) <= n * fib (2 * k).
Proof.
  intros n k x. pose proof (fib_even_odd k). unfold strike. split; intros Hx.
  - pose proof (Z.mul_div_le (n * fib (2 * k)) (fib (2 * k + 1))). nia.
  - apply Z.div_le_lower_bound; lia.
Qed.

Lemma strike_0 : forall n, strike n 0 = 0.
Proof. intros n. unfold strike. cbn. rewrite Z.mul_0_r. reflexivity. Qed.

Lemma strike_rises : forall n k, 0 <= n -> strike n k <= strike n (S k).
Proof. intros n k Hn. apply strike_spec, fractions_rise; [exact Hn |]. now apply strike_spec. Qed.

Lemma strike_rises_to : forall n k j, 0 <= n -> (k <= j)%nat -> strike n k <= strike n j.
Proof. intros n k j Hn H. induction H as [| j _ IH]; [lia |]. pose proof (strike_rises n j Hn). lia. Qed.

Lemma strike_below : forall n k, 0 < n -> strike n k < n.
Proof.
  intros n k Hn. pose proof (fib_even_odd k).
  destruct (Z.lt_ge_cases (strike n k) n) as [| H1]; [assumption |].
  apply strike_spec in H1. pose proof (cassini k). nia.
Qed.

(**
   Claim: A(w) is the greatest of the numbers q(n - d) + T(w - 1 - q) for 1 <= q < w: wait until wave q, strike in wave
     q + 1, and hunt in the remaining waves.
   Prose: castle-soldiers.md, Theorem 3
*)
Theorem reach_is_the_maximum : forall n d w a, (2 <= w)%nat ->
  (a <= reach n d w <-> exists q k, (1 <= q)%nat /\ w = (1 + q + k)%nat /\ a <= Z.of_nat q * (n - d) + strike n k).
Proof.
  intros n d w. induction w as [| [| w] IH]; intros a Hw; [lia | lia |].
  change (reach n d (S (S w))) with ((n - d) + Z.max (reach n d (S w)) (strike n w)). split.
  - intros H. destruct (Z.le_gt_cases (a - (n - d)) (strike n w)) as [Hs | Hs].
    + exists 1%nat, w. lia.
    + destruct w as [| w]. { cbn [reach] in H. rewrite strike_0 in *. lia. }
      destruct (proj1 (IH (a - (n - d)) ltac:(lia)) ltac:(lia)) as [q [k [Hq [Hw' H']]]].
      exists (S q), k. lia.
  - intros [q [k [Hq [Hw' H]]]]. destruct (Nat.eq_dec q 1) as [-> | Hq1].
    + replace w with k by lia. lia.
    + enough (a - (n - d) <= reach n d (S w)) by lia.
      apply IH; [lia |]. exists (q - 1)%nat, k. lia.
Qed.

Example reach_is_the_maximum_holds :
  exists q k, (1 <= q)%nat /\ 6%nat = (1 + q + k)%nat /\ 13 <= Z.of_nat q * (10 - 8) + strike 10 k.
Proof. apply reach_is_the_maximum; [lia | vm_compute; discriminate]. Qed.

(** ** No line of play is faster *)

(** If the castle falls in the r-th wave from now on, and the soldiers win k waves later, the fall leaves at least this
    many defenders: soldiers who died earlier, and defenders who were spared, can only increase the number. *)
Lemma no_line_is_faster : forall d w n D C, 0 < C -> ends order d Soldiers w (State n D C) ->
  exists r k, (1 <= r)%nat /\ w = (r + k)%nat /\
    (C + D + (Z.of_nat r - 1) * d - Z.of_nat r * n) * fib (2 * k + 1) <= n * fib (2 * k).
Proof.
  intros d w. induction w as [| w IH]; intros n D C HC H;
    inversion H as [? i [Hi HD] Hw | ? i next w' [Hi HD] Hw Hend]; subst; cbn [soldiers defenders hits] in *;
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *.
  - exists 1%nat, 0%nat. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 0)) with 0. lia.
  - apply IH in Hend as [r [k [Hr [Hrk IHrk]]]]; [| lia].
    exists (S r), k. rewrite Nat2Z.inj_succ. pose proof (fib_even_odd k).
    repeat split; [lia | lia |]. set (x := D - i) in *.
    apply Z.le_trans with ((n - x) * fib (2 * k)); [| apply Z.mul_le_mono_nonneg_r; lia].
    eapply Z.le_trans; [| exact IHrk]. apply Z.mul_le_mono_nonneg_r; nia.
  - destruct w as [| k]; [inversion Hend |]. apply hunt_is_not_faster in Hend.
    exists 1%nat, (S k). rewrite fib_odd_next. rewrite fib_even_next in *. pose proof (fib_even_odd k).
    repeat split; [lia | nia].
Qed.

(** ** Lines that are as fast *)

(** Without waste, and no defender is left by any wave after which the castle stands. *)
Definition leaves_none (now : state) (i : Z) : Prop := thrifty now i /\ (0 < standing now i -> left now i = 0).

Lemma leaves_none_is_thrifty : forall d p w now, ends leaves_none d p w now -> ends thrifty d p w now.
Proof.
  intros d p w now H. induction H as [now i Hi Hw | now i next w Hi Hw _ IH].
  - eapply at_once; eauto. apply Hi.
  - eapply later; eauto. apply Hi.
Qed.

Lemma hunt_leaves_none : forall d p w now, hits now <= 0 -> ends thrifty d p w now -> ends leaves_none d p w now.
Proof.
  intros d p w now HC H. induction H as [now i Hi Hw | now i next w Hi Hw _ IH].
  - eapply at_once; [| exact Hw]. split; [exact Hi |]. destruct Hi as [[Hi _] _]. unfold standing. lia.
  - eapply later; [split; [exact Hi |] | exact Hw |]; destruct Hi as [[Hi _] _]; [unfold standing; lia |].
    apply IH. inversion Hw; subst; cbn [hits]; [unfold standing in *; lia | lia].
Qed.

(** The castle falls in this wave, and gets exactly as many shots as it has hits. The fall leaves x = C + d - n
    defenders. *)
Lemma strike_now : forall d k n C, 0 < C <= n -> 0 < C + d - n < n ->
  (C + d - n) * fib (2 * k + 1) <= n * fib (2 * k) -> within leaves_none d Soldiers (S k) (State n d C).
Proof.
  intros d k n C HC Hx H.
  destruct (proj2 (hunt_takes thrifty d k n (C + d - n) ltac:(auto) Hx) H) as [v [Hv Hends]].
  exists (S v). split; [lia |].
  apply later with (i := n - C) (next := hunting n (C + d - n)).
  - unfold leaves_none, thrifty, order, standing. cbn. lia.
  - unfold hunting. replace (C + d - n) with (left (State n d C) (n - C)) by (unfold left; cbn; lia).
    apply (castle_fallen d (State n d C)); unfold left, standing; cbn; lia.
  - apply hunt_leaves_none; [cbn; lia | exact Hends].
Qed.

(** Soldiers who outnumber the fresh defenders wait, and strike in the r-th wave from now on. If the castle is then out
    of reach, they strike one wave later and hunt for one wave less. *)
Lemma wait_and_strike : forall d w r k n C, 0 < d < n -> 0 < C -> (1 <= r)%nat -> w = (r + k)%nat ->
  (C - Z.of_nat r * (n - d)) * fib (2 * k + 1) <= n * fib (2 * k) -> within leaves_none d Soldiers w (State n d C).
Proof.
  intros d w. induction w as [| w IH]; intros r k n C Hd HC Hr Hw H; [lia |].
  assert (wait : n - d < C -> within leaves_none d Soldiers w (State n d (C - (n - d))) ->
    within leaves_none d Soldiers (S w) (State n d C)).
  { intros Hs [v [Hv Hends]]. exists (S v). split; [lia |].
    apply later with (i := d) (next := State n d (C - (n - d)));
      [unfold leaves_none, thrifty, order, left; cbn; lia | | exact Hends].
    replace (State n d (C - (n - d))) with
      (State (n - left (State n d C) d) (left (State n d C) d + d) (standing (State n d C) d))
      by (unfold left, standing; cbn; f_equal; lia).
    apply (castle_stands d (State n d C)); unfold left, standing; cbn; lia. }
  destruct (Z.le_gt_cases C (n - d)) as [Hs | Hs].
  - exists 1%nat. split; [lia |]. apply at_once with (i := d); [unfold leaves_none, thrifty, order, left; cbn; lia |].
    constructor; unfold left, standing; cbn; lia.
  - destruct (Nat.eq_dec r 1) as [-> | Hr1].
    + destruct k as [| k]. { change (fib (2 * 0 + 1)) with 1 in H. change (fib (2 * 0)) with 0 in H. lia. }
      rewrite fib_odd_next, fib_even_next in H. pose proof (fib_even_odd k).
      destruct (Z.le_gt_cases C n) as [HCn | HCn].
      * replace w with (S k) by lia. apply strike_now; [lia | nia |]. rewrite fib_odd_next, fib_even_next. lia.
      * apply wait; [lia |]. apply (IH 1%nat k); [lia | lia | lia | lia | nia].
    + apply wait; [lia |]. apply (IH (r - 1)%nat k); [lia | lia | lia | lia |].
      replace (Z.of_nat (r - 1)) with (Z.of_nat r - 1) by lia. lia.
Qed.

(** ** All battles *)

Lemma first_wave : forall (legal : state -> Z -> Prop) d p w n s,
  (forall i, legal (start n s) i -> order (start n s) i) ->
  0 < n -> n < s -> ends legal d p w (start n s) ->
  exists v, w = S v /\ ends legal d p v (State n d (s - n)).
Proof.
  intros legal d p w n s Hlegal Hn Hs H. inversion H as [? i Hi Hw | ? i next v Hi Hw Hend]; subst;
    apply Hlegal in Hi; unfold order in Hi; cbn in Hi; replace i with 0 in * by lia;
    inversion Hw; unfold left, standing in *; cbn in *; subst; try lia.
  exists v. split; [reflexivity |].
  match goal with H : ends _ _ _ _ ?a |- ends _ _ _ _ ?b => replace b with a; [exact H | f_equal; lia] end.
Qed.

Lemma after_wave_one : forall (legal : state -> Z -> Prop) d p w n s, legal (start n s) 0 -> 0 < n -> n < s ->
  within legal d p w (State n d (s - n)) -> within legal d p (S w) (start n s).
Proof.
  intros legal d p w n s Hlegal Hn Hs [v [Hv H]]. exists (S v). split; [lia |].
  apply later with (i := 0) (next := State n d (s - n)); [exact Hlegal | | exact H].
  replace (State n d (s - n)) with
    (State (n - left (start n s) 0) (left (start n s) 0 + d) (standing (start n s) 0))
    by (unfold left, standing; cbn; f_equal; lia).
  apply (castle_stands d (start n s)); unfold left, standing; cbn; lia.
Qed.

Lemma after_first_wave : forall d p w n s, 0 < n -> n < s ->
  within thrifty d p w (State n d (s - n)) -> within thrifty d p (S w) (start n s).
Proof. intros d p w n s Hn Hs. apply after_wave_one; [unfold thrifty, order; cbn; lia | exact Hn | exact Hs]. Qed.

Lemma castle_in_reach : forall n s d w, 0 < n -> 0 < s -> 0 < d -> (1 <= w)%nat -> s <= n \/ s - n <= reach n d w ->
  within leaves_none d Soldiers w (start n s).
Proof.
  intros n s d w Hn Hs Hd Hw H. destruct (Z.le_gt_cases s n) as [Hsn | Hsn].
  - exists 1%nat. split; [lia |]. apply at_once with (i := 0); [unfold leaves_none, thrifty, order, left; cbn; lia |].
    constructor; unfold left, standing; cbn; lia.
  - destruct (Nat.eq_dec w 1) as [-> | Hw1]. { cbn in H. lia. }
    destruct H as [H | H]; [lia |].
    apply reach_is_the_maximum in H as [q [k [Hq [-> H]]]]; [| lia].
    apply (after_wave_one leaves_none d Soldiers (q + k));
      [unfold leaves_none, thrifty, order, left; cbn; lia | lia | lia |].
    destruct (Z.lt_ge_cases d n) as [Hdn | Hdn].
    + apply (wait_and_strike d (q + k) q k); [lia | lia | lia | lia |]. apply strike_spec. lia.
    + assert (1 <= Z.of_nat q) by lia. assert (Hx : s - n + d - n <= strike n k) by nia.
      pose proof (strike_below n k Hn).
      destruct (strike_now d k n (s - n)) as [v [Hv Hends]]; [lia | lia | now apply strike_spec |].
      exists v. split; [lia | exact Hends].
Qed.

(**
   Claim: The soldiers can win within w waves exactly when s <= n or s - n <= A(w), whether or not they may waste shots.
   Prose: castle-soldiers.md, Theorem 3
   Settles: castle-step-staircase
   Code: Battle.Staircase
*)
Theorem staircase : forall legal n s d w, legal = order \/ legal = thrifty -> 0 < n -> 0 < s -> 0 < d -> (1 <= w)%nat ->
  (within legal d Soldiers w (start n s) <-> s <= n \/ s - n <= reach n d w).
Proof.
  intros legal n s d w Hlegal Hn Hs Hd Hw. split.
  - intros [v [Hv H]].
    assert (Ho : ends order d Soldiers v (start n s)).
    { destruct Hlegal as [-> | ->]; [exact H | now apply thrifty_is_order]. }
    destruct (Z.le_gt_cases s n) as [Hsn | Hsn]; [now left | right].
    apply first_wave in Ho as [u [-> Ho]]; [| auto | lia | lia].
    apply no_line_is_faster in Ho as [r [k [Hr [Hrk Ho]]]]; [| lia].
    apply reach_is_the_maximum; [lia |]. exists r, (w - 1 - r)%nat. repeat split; [lia | lia |].
    pose proof (strike_rises_to n k (w - 1 - r) ltac:(lia) ltac:(lia)).
    apply strike_spec in Ho. lia.
  - intros H. destruct (castle_in_reach n s d w Hn Hs Hd Hw H) as [v [Hv Ht]]. exists v. split; [exact Hv |].
    apply leaves_none_is_thrifty in Ht. destruct Hlegal as [-> | ->]; [now apply thrifty_is_order | exact Ht].
Qed.

Example staircase_holds : within thrifty 8 Soldiers 16 (start 10 43).
Proof. apply staircase; [auto | lia | lia | lia | lia | right; vm_compute; discriminate]. Qed.

(**
   Claim: The soldiers can win as fast as on any line, with or without waste, if they shoot all defenders in each wave
     after which the castle stands, bring the castle down in a later wave, and then shoot at the defenders who are left.
     So it never helps to leave defenders while the castle stands. (For d >= n, the soldiers can win by a fall in wave 2
     or not at all.)
   Prose: castle-soldiers.md, Theorem 2 in part
   Settles: castle-iii-plan; castle-iii-never-leave
*)
Theorem plan_is_fastest : forall n s d w, 0 < n -> 0 < s -> 0 < d ->
  (within order d Soldiers w (start n s) <-> within leaves_none d Soldiers w (start n s)).
Proof.
  intros n s d w Hn Hs Hd. split.
  - intros H. assert (Hw : (1 <= w)%nat) by (destruct H as [v [Hv H]]; apply ends_positive in H; lia).
    apply castle_in_reach; try assumption. now apply (staircase order) in H; try auto.
  - intros [v [Hv H]]. exists v. split; [exact Hv |]. now apply thrifty_is_order, leaves_none_is_thrifty.
Qed.

Example plan_is_fastest_holds : within leaves_none 8 Soldiers 16 (start 10 43).
Proof.
  apply plan_is_fastest; [lia | lia | lia |]. apply (staircase order); [auto | lia | lia | lia | lia |].
  right. vm_compute. discriminate.
Qed.
