(** How long soldiers who cannot win can hold out: the castle falls in wave 2, or never. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt.
Open Scope Z_scope.

(** ** Defenders only *)

(** The state at the start of wave j + 2 if n soldiers have shot only at defenders since wave 2, and the castle has C
    hits. *)
Definition held_out (n d C : Z) (j : nat) : state :=
  State (n - (d - n) * (fib (2 * j + 1) - 1)) ((d - n) * fib (2 * j) + d) C.

(**
   Claim: For d > n, if all soldiers shoot at defenders in each wave from wave 2 on, wave t leaves (d - n)F(2t-2)
     defenders, and (d - n)(F(2t-1) - 1) soldiers are dead after it, as long as any soldier is alive. After that, the
     castle has won. It keeps its hits.
   Prose: castle-side.md, Lemma 6 (defenders first)
*)
Theorem defenders_first_loses : forall n d C j, 0 < n < d -> 0 < C ->
  0 < soldiers (held_out n d C j) ->
  wave d (held_out n d C j) (soldiers (held_out n d C j))
    (if n <=? (d - n) * (fib (2 * S j + 1) - 1) then Won Castle else Next (held_out n d C (S j))).
Proof.
  intros n d C j Hn HC HN. unfold held_out in *. cbn [soldiers defenders hits] in *.
  pose proof (fib_even_next j) as He. pose proof (fib_odd_next j) as Ho. pose proof (fib_even_odd j) as [Hpos Hpos1].
  set (a := fib (2 * j)) in *. set (b := fib (2 * j + 1)) in *. rewrite Ho, He. set (e := d - n) in *.
  set (N := n - e * (b - 1)) in *.
  assert (Hleft : left (State N (e * a + d) C) N = e * (a + b))
    by (unfold left, N, e; cbn [soldiers defenders hits]; ring).
  assert (Hstands : standing (State N (e * a + d) C) N = C) by (unfold standing; cbn [soldiers defenders hits]; lia).
  assert (HNext : N - e * (a + b) = n - e * (a + 2 * b - 1)) by (unfold N; ring).
  destruct (Z.leb_spec n (e * (a + 2 * b - 1))) as [Hlost | Hlives].
  - apply soldiers_gone; rewrite Hleft; cbn [soldiers]; [rewrite Hstands; lia | lia].
  - replace (State (n - e * (a + 2 * b - 1)) (e * (a + b) + d) C) with
      (State (soldiers (State N (e * a + d) C) - left (State N (e * a + d) C) N)
        (left (State N (e * a + d) C) N + d) (standing (State N (e * a + d) C) N))
      by (rewrite Hleft, Hstands; cbn [soldiers]; now rewrite HNext).
    apply castle_stands; [rewrite Hleft; cbn [soldiers]; lia | rewrite Hstands; lia].
Qed.

Example defenders_first_loses_holds : wave 12 (State 8 14 5) 8 (Next (State 2 18 5)).
Proof. apply (defenders_first_loses 10 12 5 1); [lia | lia | reflexivity]. Qed.

(** ** The castle's answer *)

(** [lasts legal d w now]: in some line of play by [legal] orders, [w] waves are fought from [now] on, nobody has won
    yet, and some soldiers are alive. *)
Inductive lasts (legal : state -> Z -> Prop) (d : Z) : nat -> state -> Prop :=
| alive_now now : 0 < soldiers now -> lasts legal d 0 now
| alive_later w now i next :
    legal now i -> wave d now i (Next next) -> lasts legal d w next -> lasts legal d (S w) now.

(** The number of soldiers after the wave of a fall and [j] waves of the hunt, if N soldiers began that wave and x
    defenders were left. *)
Definition after_hunt (j : nat) (N x : Z) : Z := N * fib (2 * j + 1) - x * fib (2 * S j).

(** The number of soldiers after [j] + 1 waves in which all soldiers shoot at defenders, if there are N soldiers and D
    defenders at first. *)
Definition after_defence (d : Z) (j : nat) (N D : Z) : Z := d + (N - d) * fib (2 * j + 1) - (D - N) * fib (2 * S j).

Lemma after_hunt_next : forall j N x, after_hunt (S j) N x = after_hunt j (N - x) (x - (N - x)).
Proof. intros j N x. unfold after_hunt. rewrite (fib_even_next (S j)), fib_odd_next, fib_even_next. ring. Qed.

Lemma after_defence_next : forall d j N D,
  after_defence d (S j) N D = after_defence d j (N - (D - N)) (D - N + d).
Proof. intros d j N D. unfold after_defence. rewrite (fib_even_next (S j)), fib_odd_next, fib_even_next. ring. Qed.

Lemma after_hunt_alive : forall j N x, 0 <= x -> 0 < N -> 0 < after_hunt j N x -> x < N.
Proof.
  intros j N x Hx HN H. unfold after_hunt in H. rewrite fib_even_next in H. pose proof (fib_even_odd j). nia.
Qed.

Lemma after_defence_alive : forall d j N D, N <= D -> N <= d -> 0 < after_defence d j N D -> 0 < N - (D - N).
Proof.
  intros d j N D HD Hd H. unfold after_defence in H. rewrite fib_even_next in H. pose proof (fib_even_odd j).
  set (a := fib (2 * j)) in *. set (b := fib (2 * j + 1)) in *.
  assert ((N - d) * (b - 1) <= 0) by nia.
  assert ((D - N) * 1 <= (D - N) * (a + b)) by (apply Z.mul_le_mono_nonneg_l; lia).
  lia.
Qed.

(** ** No line lasts longer *)

Lemma hunt_lasts_no_longer : forall d w N x, 0 < N -> 0 < x -> lasts order d w (State (N - x) x 0) ->
  0 < after_hunt w N x.
Proof.
  intros d w. induction w as [| w IH]; intros N x HN Hx H.
  - inversion H; subst. cbn [soldiers] in *. unfold after_hunt. cbn. lia.
  - inversion H as [| w0 now i next [Hi HD] Hw Hl]; subst. cbn [soldiers defenders] in *. rewrite after_hunt_next.
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [lia |].
    apply IH in Hl; [| lia | lia].
    unfold after_hunt in *. pose proof (fib_even_positive w). nia.
Qed.

Lemma lasts_no_longer : forall d j N D C, 0 < C -> 0 < N -> N <= D -> N <= d -> lasts order d (S j) (State N D C) ->
  0 < after_hunt j N (D - N + C) \/ 0 < after_defence d j N D.
Proof.
  intros d j. induction j as [| j IH]; intros N D C HC HN HND HNd H;
    inversion H as [| w now i next [Hi HD] Hw Hl]; subst; cbn [soldiers defenders] in *.
  - right. unfold after_defence. cbn. inversion Hl; subst.
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia.
  - inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *.
    + replace (Z.max 0 (C - (N - i))) with (C - (N - i)) in Hl by lia.
      apply IH in Hl; [| lia ..]. set (y := D - N) in *. assert (Hy : 0 <= y <= D - i) by (unfold y; lia).
      pose proof (fib_even_odd j) as Hf. pose proof (cassini j) as Hc.
      assert (E1 : fib (2 * S j) = fib (2 * j) + fib (2 * j + 1)) by apply fib_even_next.
      unfold after_hunt, after_defence in *. rewrite (fib_even_next (S j)), fib_odd_next, !E1 in *.
      set (a := fib (2 * j)) in *. set (b := fib (2 * j + 1)) in *. set (x := D - i) in *.
      assert (ED : D = y + N) by (unfold y; lia).
      destruct Hl as [Hl | Hl].
      * assert (HA : 0 < (N - y) * b - (2 * y + d - N + C) * (a + b)).
        { replace (x + d - (N - x) + (C - (N - i))) with (x + d - N + y + C) in Hl by (unfold x, y; lia).
          assert (0 <= (x - y) * (a + 2 * b)) by (apply Z.mul_nonneg_nonneg; lia). lia. }
        destruct (Z.le_gt_cases (C * (a + 2 * b)) (d * (a + b))) as [Hnow | Hlater].
        -- left. lia.
        -- right. assert (HCd : d * (b - 1) <= C * (a + b)).
           { set (u := a + b) in *. set (v := a + 2 * b) in *.
             assert (Hq : u * u = b * v - 1) by (unfold u, v; lia).
             assert ((d * u + 1) * u <= C * v * u) by (apply Z.mul_le_mono_nonneg_r; unfold u; lia).
             assert (d * (u * u) = d * (b * v - 1)) by (now rewrite Hq).
             assert (0 <= d * (v - 1)) by (apply Z.mul_nonneg_nonneg; unfold v; lia).
             apply Z.mul_le_mono_pos_r with (p := v); [unfold v; lia |]. unfold u in *. lia. }
           lia.
      * right. assert (0 <= (x - y) * (2 * a + 3 * b)) by (apply Z.mul_nonneg_nonneg; lia). lia.
    + apply hunt_lasts_no_longer in Hl; [| lia ..]. left. unfold after_hunt in *.
      pose proof (fib_even_positive (S j)).
      assert (0 <= (D - i - (D - N + C)) * fib (2 * S (S j))) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

(** ** Both lines last as long *)

Lemma defence_lasts : forall d j N D C, 0 < C -> 0 < N -> N <= D -> N <= d -> 0 < after_defence d j N D ->
  lasts thrifty d (S j) (State N D C).
Proof.
  intros d j. induction j as [| j IH]; intros N D C HC HN HND HNd H;
    pose proof (after_defence_alive d _ N D HND HNd H) as Halive.
  - apply alive_later with (i := N) (next := State (N - (D - N)) (D - N + d) C).
    + unfold thrifty, order. cbn [soldiers defenders hits]. lia.
    + replace C with (standing (State N D C) N) at 2 by (unfold standing; cbn [soldiers defenders hits]; lia).
      apply (castle_stands d (State N D C) N); unfold left, standing; cbn [soldiers defenders hits]; lia.
    + apply alive_now. cbn. lia.
  - apply alive_later with (i := N) (next := State (N - (D - N)) (D - N + d) C).
    + unfold thrifty, order. cbn [soldiers defenders hits]. lia.
    + replace C with (standing (State N D C) N) at 2 by (unfold standing; cbn [soldiers defenders hits]; lia).
      apply (castle_stands d (State N D C) N); unfold left, standing; cbn [soldiers defenders hits]; lia.
    + apply IH; [lia .. |]. now rewrite after_defence_next in H.
Qed.

Lemma hunt_lasts : forall d j N x, 0 < N -> 0 < x -> form N x < 0 -> 0 < after_hunt j N x ->
  lasts thrifty d j (State (N - x) x 0).
Proof.
  intros d j. induction j as [| j IH]; intros N x HN Hx Hf H.
  - apply alive_now. cbn. unfold after_hunt in H. cbn in H. lia.
  - pose proof (after_hunt_alive (S j) N x ltac:(lia) HN H) as Halive. rewrite after_hunt_next in H.
    assert (Hleft : 0 < x - (N - x)) by (unfold form in Hf; nia).
    pose proof (after_hunt_alive j (N - x) (x - (N - x)) ltac:(lia) ltac:(lia) H) as Hnext.
    apply alive_later with (i := N - x) (next := State (N - x - (x - (N - x))) (x - (N - x)) 0).
    + unfold thrifty, order. cbn [soldiers defenders hits]. lia.
    + apply (castle_fallen d (State (N - x) x 0)); unfold left, standing; cbn [soldiers defenders hits]; lia.
    + apply IH; [lia | lia | | exact H]. replace (x - (N - x)) with (2 * x - N) by ring.
      now rewrite form_is_invariant.
Qed.

Lemma strike_lasts : forall d j N D C, 0 < C -> 0 < N -> N <= D -> form N (D - N + C) < 0 ->
  0 < after_hunt j N (D - N + C) -> lasts thrifty d (S j) (State N D C).
Proof.
  intros d j N D C HC HN HND Hf H. pose proof (after_hunt_alive j N (D - N + C) ltac:(lia) HN H) as Halive.
  apply alive_later with (i := N - C) (next := State (N - (D - N + C)) (D - N + C) 0).
  - unfold thrifty, order. cbn [soldiers defenders hits]. lia.
  - replace (D - N + C) with (left (State N D C) (N - C)) by (unfold left; cbn [defenders]; lia).
    apply (castle_fallen d (State N D C)); unfold left, standing; cbn [soldiers defenders hits]; lia.
  - apply hunt_lasts; [lia | lia | exact Hf | exact H].
Qed.

Lemma thriftily_lasts : forall d w now, lasts thrifty d w now -> lasts order d w now.
Proof.
  intros d w now H. induction H as [now H | w now i next [Hi _] Hw _ IH]; [now constructor |].
  now apply alive_later with i next.
Qed.

(**
   Claim: Let d > n, s > n and n² - nx - x² < 0 with x = s + d - 2n, so that the soldiers cannot win. Some soldiers can
     be alive after wave j + 2 exactly when (d - n)(F(2j+3) - 1) < n or xF(2j+2) < nF(2j+1). In the first case, they
     shoot only at defenders; in the second case, they bring the castle down in wave 2. It does not matter whether shots
     may be wasted.
   Prose: castle-side.md, Theorem 7 (at once or never); castle-side.md, Lemma 7 (other prefixes do not help)
   Settles: castle-step-resistance
   Code: Battle.LongestResistance
*)
Theorem at_once_or_never : forall legal n s d j, legal = order \/ legal = thrifty -> 0 < n -> n < s -> n < d ->
  form n (s + d - 2 * n) < 0 ->
  (lasts legal d (S (S j)) (start n s) <->
   (d - n) * (fib (2 * S j + 1) - 1) < n \/ (s + d - 2 * n) * fib (2 * S j) < n * fib (2 * j + 1)).
Proof.
  intros legal n s d j Hlegal Hn Hs Hd Hform.
  assert (Hend : (0 < after_hunt j n (d - n + (s - n)) \/ 0 < after_defence d j n d) <->
    (d - n) * (fib (2 * S j + 1) - 1) < n \/ (s + d - 2 * n) * fib (2 * S j) < n * fib (2 * j + 1)).
  { unfold after_hunt, after_defence. replace (d - n + (s - n)) with (s + d - 2 * n) by ring.
    rewrite fib_odd_next, fib_even_next. split; (intros [H | H]; [right | left]); lia. }
  rewrite <- Hend. clear Hend. split.
  - intros H. assert (Ho : lasts order d (S (S j)) (start n s)) by
      (destruct Hlegal as [-> | ->]; [exact H | now apply thriftily_lasts]). clear H.
    inversion Ho as [| w now i next [Hi HD] Hw Hl]; subst. unfold start in *. cbn [soldiers defenders hits] in *.
    assert (i = 0) by lia. subst i.
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
    replace (n - (0 - 0)) with n in Hl by lia. replace (Z.max 0 (s - (n - 0))) with (s - n) in Hl by lia.
    apply lasts_no_longer in Hl; [exact Hl | lia ..].
  - intros H. assert (Ht : lasts thrifty d (S (S j)) (start n s)).
    { apply alive_later with (i := 0) (next := State n d (s - n)).
      - unfold thrifty, order, start. cbn [soldiers defenders hits]. lia.
      - replace (State n d (s - n)) with
          (State (soldiers (start n s) - left (start n s) 0) (left (start n s) 0 + d) (standing (start n s) 0))
          by (unfold left, standing, start; cbn [soldiers defenders hits]; f_equal; lia).
        apply (castle_stands d (start n s)); unfold left, standing, start; cbn [soldiers defenders hits]; lia.
      - destruct H as [H | H].
        + apply strike_lasts; [lia .. | | exact H]. now replace (d - n + (s - n)) with (s + d - 2 * n) by ring.
        + apply defence_lasts; [lia .. | exact H]. }
    destruct Hlegal as [-> | ->]; [now apply thriftily_lasts | exact Ht].
Qed.

Example at_once_or_never_holds : lasts thrifty 12 3 (start 10 16) /\ ~ lasts thrifty 12 4 (start 10 16).
Proof.
  split.
  - apply (at_once_or_never thrifty 10 16 12 1); [now right | lia .. | reflexivity |]. left. reflexivity.
  - intros H. apply (at_once_or_never thrifty 10 16 12 2) in H; [| now right | lia .. | reflexivity].
    destruct H as [H | H]; vm_compute in H; discriminate.
Qed.

(**
   Claim: In a hunt, shots at the fallen castle do not help. With such shots, the soldiers win no sooner and survive no
     longer: if some of them are alive after w waves of such a line, some are also alive if all soldiers shoot at
     defenders.
   Settles: castle-step-rubble
*)
Theorem rubble_does_not_help : forall d n x, 0 < x < n ->
  (forall w, within order d Soldiers w (hunting n x) -> within thrifty d Soldiers w (hunting n x)) /\
  forall w, lasts order d w (hunting n x) -> 0 < fst (hunt w n x).
Proof.
  intros d n x Hx. split.
  - intros w H. apply (hunt_takes thrifty); [auto | exact Hx |]. apply (hunt_takes order d) in H; auto.
  - intros w H. rewrite hunt_closed_form. cbn [fst]. apply (hunt_lasts_no_longer d w n x); [lia | lia | exact H].
Qed.

Example rubble_does_not_help_holds : 0 < fst (hunt 0 34 21).
Proof. apply (rubble_does_not_help 8 34 21); [lia |]. apply alive_now. reflexivity. Qed.
