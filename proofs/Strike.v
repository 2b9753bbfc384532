(** The castle game: the complete result about the hunt, the best wave to strike in, and armies that must strike in wave
    2. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves ByRoot Greedy Border Bookkeeping.
Open Scope Z_scope.

Lemma first_that : forall (P : nat -> Prop) k, (forall j, {P j} + {~ P j}) -> P k -> exists j, least P j.
Proof.
  intros P k Hdec. induction k as [k IH] using (well_founded_induction lt_wf). intros Hk.
  assert (G : forall m, (exists j, (j < m)%nat /\ P j) \/ forall j, (j < m)%nat -> ~ P j).
  { induction m as [| m [[j [Hj HP]] | Hnone]]; [right; lia | left; exists j; split; [lia | exact HP] |].
    destruct (Hdec m) as [Hm | Hm]; [left; exists m; split; [lia | exact Hm] | right].
    intros j Hj. destruct (Nat.eq_dec j m) as [-> |]; [exact Hm | apply Hnone; lia]. }
  destruct (G k) as [[j [Hj HP]] | Hnone]; [now apply (IH j) |]. exists k. split; [exact Hk |].
  intros j HP. destruct (Nat.le_gt_cases k j) as [| Hj]; [assumption | now apply Hnone in Hj].
Qed.

Lemma first_below : forall n x, 0 < n -> 0 < x -> 0 < form n x -> exists k, least (below n x) k.
Proof.
  intros n x Hn Hx Hform. apply fractions_reach_the_border in Hform as [k Hk]; [| assumption ..].
  apply (first_that _ k); [| exact Hk]. intros j. unfold below. apply Z_le_dec.
Qed.

(** ** The hunt *)

(**
   Claim: Let 0 < x < n. If n² - nx - x² > 0, which means xφ < n, the soldiers win in wave k of the hunt, where k is the
     smallest number with xF(2k+1) <= nF(2k), and nF(2k-1) - xF(2k) soldiers are left. If n² - nx - x² < 0, the castle
     wins in wave m, where m is the smallest number >= 1 with xF(2m+2) >= nF(2m+1).
   Prose: castle-soldiers.md, Theorem 1 (the hunt)
*)
Theorem the_hunt : forall d n x, 0 < x < n ->
  (0 < form n x -> exists k, least (below n x) (S k) /\ fewest thrifty d Soldiers (S k) (hunting n x) /\
    survivors (S k) n x = n * fib (2 * k + 1) - x * fib (2 * S k)) /\
  (form n x < 0 -> exists m, ends thrifty d Castle (S m) (hunting n x) /\
    n * fib (2 * S m + 1) <= x * fib (2 * S (S m)) /\
    forall j, (1 <= j <= m)%nat -> x * fib (2 * S j) < n * fib (2 * j + 1)).
Proof.
  intros d n x Hx. split.
  - intros Hform. destruct (first_below n x ltac:(lia) ltac:(lia) Hform) as [k [Hk Hleast]].
    destruct k as [| k]; [apply below_0 in Hk; lia |]. exists k. split; [now split |]. split.
    + assert (Hw : within thrifty d Soldiers (S k) (hunting n x)) by (apply hunt_takes; [auto | lia | exact Hk]).
      assert (Hno : forall v, ends thrifty d Soldiers v (hunting n x) -> (S k <= v)%nat).
      { intros v Hv. apply Hleast. apply (hunt_takes thrifty d); [auto | lia |]. now exists v. }
      destruct Hw as [v [Hv Hends]]. pose proof (Hno v Hends). replace (S k) with v by lia. split; [exact Hends |].
      intros u Hu. pose proof (Hno u Hu). lia.
    + cbn [survivors]. now rewrite hunt_closed_form.
  - intros Hform. destruct (proj2 (hunt_is_lost n x Hx) Hform) as [m Hm]. exists m. split.
    + apply loses_hunt_is_a_line; [lia | exact Hm].
    + now apply lost_in_wave in Hm.
Qed.

Example the_hunt_holds : exists k, fewest thrifty 8 Soldiers (S k) (hunting 34 20).
Proof.
  destruct (proj1 (the_hunt 8 34 20 ltac:(lia)) ltac:(reflexivity)) as [k [_ [H _]]]. now exists k.
Qed.

(** ** The best wave to strike in *)

(**
   Claim: For s > n and d < n, there is a smallest q >= 1 for which x = s + qd - (q + 1)n is not positive or x² + dx <=
     nd. For this q, k(x) is finite, and no q >= 1 has a smaller value of q + k(x).
   Prose: castle-soldiers.md, Lemma 12 (the best $q$)
   Settles: castle-step-least-q; castle-step-case-2a
*)
Theorem the_best_q : forall n s d, 0 < d < n -> n < s -> exists best, least (strikes n s d) best /\
  exists k, least (below n (leftover n s d best)) k /\
    forall q j, (1 <= q)%nat -> below n (leftover n s d q) j -> (best + k <= q + j)%nat.
Proof.
  intros n s d Hd Hs.
  assert (Hdec : forall q, {strikes n s d q} + {~ strikes n s d q}).
  { intros q. unfold strikes. destruct (le_dec 1 q); [| right; tauto].
    destruct (Z_le_dec (leftover n s d q) 0); [left; tauto |].
    destruct (Z_le_dec (leftover n s d q * leftover n s d q + d * leftover n s d q) (n * d)); [left; tauto | right;
      tauto]. }
  assert (Hlast : strikes n s d (Z.to_nat s)).
  { split; [lia |]. left. unfold leftover. rewrite Z2Nat.id by lia. nia. }
  destruct (first_that _ _ Hdec Hlast) as [best Hbest]. exists best. split; [exact Hbest |].
  assert (Hk : exists k, least (below n (leftover n s d best)) k).
  { destruct (Z.le_gt_cases (leftover n s d best) 0) as [Hx | Hx].
    - exists O. split; [now apply below_0 | lia].
    - apply first_below; [lia | exact Hx |]. destruct Hbest as [[_ [H | H]] _]; [lia |].
      now apply (strikes_are_won n d). }
  destruct Hk as [k Hk]. exists k. split; [exact Hk |]. intros q j Hq Hj.
  destruct (towards_the_best n s d best q j Hd Hbest Hq Hj) as [i [Hi Hbelow]]. apply (proj2 Hk) in Hbelow. lia.
Qed.

Example the_best_q_holds : exists best, least (strikes 10 43 8) best.
Proof. destruct (the_best_q 10 43 8) as [best [H _]]; [lia | lia | now exists best]. Qed.

(**
   Claim: If the best q leaves x > d, then k(x) = 1, and after one more wave of waiting, the fall leaves nobody.
   Prose: castle-soldiers.md, Lemma 13 (out of reach)
   Settles: castle-step-out-of-reach
*)
Theorem out_of_reach : forall n s d q, 0 < d < n -> strikes n s d q -> d < leftover n s d q ->
  least (below n (leftover n s d q)) 1 /\ leftover n s d (S q) < 0.
Proof.
  intros n s d q Hd [_ Hq] Hx. rewrite leftover_next. set (x := leftover n s d q) in *.
  assert (2 * x < n) by nia. split; [| lia]. split.
  - unfold below. change (fib (2 * 1 + 1)) with 2. change (fib (2 * 1)) with 1. lia.
  - intros [| j] Hj; [apply below_0 in Hj; lia | lia].
Qed.

Example out_of_reach_holds : leftover 6 13 1 2 < 0.
Proof. apply (out_of_reach 6 13 1 1); [lia | split; [lia | right; vm_compute; discriminate] | reflexivity]. Qed.

(** ** Strike in wave 2 or never *)

(** A line on which the soldiers win consists of waves up to the fall of the castle, and a hunt, which takes no waves if
    nobody is left. *)
Lemma win_has_a_fall : forall n s d w now, ends order d Soldiers w now ->
  forall t shots dead, 0 < n -> 0 < s -> stood n s d t shots dead now ->
  exists q aimed fallen last i v, stood n s d q aimed fallen last /\ order last i /\ standing last i = 0 /\
    (wave d last i (Won Soldiers) /\ v = O \/ exists next, wave d last i (Next next) /\ ends order d Soldiers v next) /\
    (t + w = q + 1 + v)%nat.
Proof.
  intros n s d w now H. induction H as [now i Hi Hw | now i next w Hi Hw Hend IH]; intros t shots dead Hn Hs Hstood.
  - exists t, shots, dead, now, i, O. repeat split; try assumption; try apply Hi; [| | lia].
    + inversion Hw. assumption.
    + now left.
  - destruct (Z.le_gt_cases (hits next) 0) as [H0 | H0].
    + exists t, shots, dead, now, i, w. repeat split; try assumption; try apply Hi; [| | lia].
      * inversion Hw; subst; cbn [hits] in *; lia.
      * right. now exists next.
    + destruct (IH (S t) (shots + (soldiers now - i)) (dead + (n - soldiers next)) Hn Hs) as
        [q [aimed [fallen [last [j [v [H1 [H2 [H3 [H4 H5]]]]]]]]]]; [now apply stood_on with (now := now) |].
      exists q, aimed, fallen, last, j, v. repeat split; try assumption; try apply H2. lia.
Qed.

Lemma no_fall_in_wave_1 : forall n s d shots dead last i, 0 < n < s -> stood n s d 0 shots dead last -> order last i ->
  standing last i <> 0.
Proof.
  intros n s d shots dead last i Hn H [Hi HD]. inversion H; subst. unfold standing. cbn in *. lia.
Qed.

Lemma later_leaves_more : forall n s d q, 0 < n <= d -> (1 <= q)%nat ->
  s + d - 2 * n <= s + Z.of_nat q * d - (Z.of_nat q + 1) * n.
Proof. intros n s d q Hn Hq. nia. Qed.

(**
   Claim: Let s > n, d >= n and x = s + d - 2n. The soldiers can win exactly when n² - nx - x² > 0, which means xφ < n.
     In that case, their fewest waves are 2 + k(x), and in every fastest win, the castle falls in wave 2.
   Prose: castle-soldiers.md, Theorem 4
   Settles: castle-iii-2b-waves; castle-step-case-2bcd; castle-iii-strike
*)
Theorem strike_in_wave_two : forall n s d, 0 < n < s -> n <= d ->
  ((exists w, ends order d Soldiers w (start n s)) <-> 0 < form n (s + d - 2 * n)) /\
  (forall k, least (below n (s + d - 2 * n)) k -> fewest order d Soldiers (2 + k) (start n s) /\
    fewest thrifty d Soldiers (2 + k) (start n s) /\
    forall q aimed fallen last i v next, stood n s d q aimed fallen last -> order last i -> standing last i = 0 ->
      wave d last i (Next next) -> ends order d Soldiers v next -> (q + 1 + v = 2 + k)%nat -> q = 1%nat).
Proof.
  intros n s d Hn Hd. split.
  - rewrite (who_wins order n s d) by (auto; lia). split; [intros [H | [H | H]]; [lia | lia | exact H] | auto].
  - intros k [Hk Hleast]. set (x := s + d - 2 * n) in *.
    assert (Hbound : forall q aimed fallen last i v, stood n s d q aimed fallen last -> order last i ->
      standing last i = 0 ->
      wave d last i (Won Soldiers) /\ v = O \/ (exists next, wave d last i (Next next) /\
        ends order d Soldiers v next) ->
      (1 <= q)%nat /\ (k <= v)%nat).
    { intros q aimed fallen last i v Hstood Hi Hfall Hwon.
      assert (Hq : (1 <= q)%nat).
      { destruct q; [exfalso; now apply (no_fall_in_wave_1 n s d aimed fallen last i) | lia]. }
      split; [exact Hq |]. apply Hleast.
      pose proof (no_win_is_faster n s d q aimed fallen last i v ltac:(lia) ltac:(lia) Hstood Hi Hfall Hwon) as H.
      pose proof (later_leaves_more n s d q ltac:(lia) Hq). pose proof (fib_even_odd v). unfold below.
      apply Z.le_trans with (2 := H). apply Z.mul_le_mono_nonneg_r; [lia |]. unfold x. lia. }
    assert (Hno : forall w, ends order d Soldiers w (start n s) -> (2 + k <= w)%nat).
    { intros w Hw. destruct (win_has_a_fall n s d w _ Hw 0 0 0) as [q [a [f [last [i [v [H1 [H2 [H3 [H4 H5]]]]]]]]]];
        [lia | lia | constructor |]. destruct (Hbound q a f last i v H1 H2 H3 H4). lia. }
    assert (Hwin : within thrifty d Soldiers (2 + k) (start n s)).
    { apply staircase; [auto | lia | lia | lia | lia |]. right. apply reach_is_the_maximum; [lia |].
      exists 1%nat, k. split; [lia |]. split; [lia |].
      assert (x <= strike n k) by (now apply strike_spec). unfold x in *. lia. }
    destruct Hwin as [w [Hw Hends]]. pose proof (thrifty_is_order _ _ _ _ Hends) as Horder.
    pose proof (Hno w Horder). replace w with (2 + k)%nat in * by lia. split; [split; [exact Horder | exact Hno] |].
    split; [split; [exact Hends | intros v Hv; apply Hno; now apply thrifty_is_order] |].
    intros q a f last i v next H1 H2 H3 H4 H5 H6.
    destruct (Hbound q a f last i v H1 H2 H3) as [H7 H8]; [right; now exists next | lia].
Qed.

Example strike_in_wave_two_holds : exists w, ends order 12 Soldiers w (start 10 12).
Proof. apply strike_in_wave_two; [lia | lia | reflexivity]. Qed.
