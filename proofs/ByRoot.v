(** The same fewest waves computed in a different way: by the wave q in which it pays to stop waiting, which requires a
    square root. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves General Strikes.
Open Scope Z_scope.

(** The number of defenders left by a fall in wave q + 1. *)
Definition leftover (n s d : Z) (q : nat) : Z := s + Z.of_nat q * d - (Z.of_nat q + 1) * n.

(** It no longer pays to wait. *)
Definition strikes (n s d : Z) (q : nat) : Prop :=
  (1 <= q)%nat /\ (leftover n s d q <= 0 \/
    leftover n s d q * leftover n s d q + d * leftover n s d q <= n * d).

(** This is the case k = m = 1 of the general siege. *)

Lemma fractions_of_the_game : forall j, alpha 1 1 j = fib (2 * j + 1) /\ upsilon 1 1 j = fib (2 * j).
Proof.
  induction j as [| j [IH1 IH2]]; [split; reflexivity |]. destruct (two_next 1 1 j) as [-> ->].
  rewrite IH1, IH2, fib_odd_next, fib_even_next. lia.
Qed.

Lemma below_is_rid : forall n x j, below n x j <-> rid 1 1 n x j.
Proof. intros n x j. unfold below, rid. destruct (fractions_of_the_game j) as [-> ->]. now rewrite Z.mul_1_l. Qed.

Lemma strikes_in_the_game : forall n s d q, leftover n s d q = remains 1 n s d q /\
  (strikes n s d q <-> strikes_now 1 1 n s d q).
Proof.
  assert (E : forall n s d q, leftover n s d q = remains 1 n s d q) by (intros; unfold leftover, remains; ring).
  intros n s d q. split; [apply E |]. unfold strikes, strikes_now. cbv zeta. rewrite <- E.
  replace (1 * leftover n s d q * (leftover n s d q + d)) with
    (leftover n s d q * leftover n s d q + d * leftover n s d q) by ring. reflexivity.
Qed.

(** ** Wait or strike, decided in integers *)

(**
   Claim: If x > 0 and x² + dx > nd, then a wave of waiting, which leaves x' = x - (n - d), saves at least one wave of
     the hunt: k(x) >= k(x') + 1.
   Prose: castle-soldiers.md, Lemma 11 (the whole-number decision)
   Settles: castle-iii-wait; castle-step-rounding
*)
Theorem waiting_pays : forall n d x k, 0 < d < n -> 0 < x -> x * x + d * x > n * d ->
  below n x k -> exists j, k = S j /\ below n (x - (n - d)) j.
Proof.
  intros n d x k Hd Hx Hpays H. apply below_is_rid, (siege_waiting_pays 1 1 n d) in H as [j [E H]]; try lia.
  exists j. split; [exact E |]. apply below_is_rid. now rewrite Z.mul_1_l in H.
Qed.

Example waiting_pays_holds : exists j, 3%nat = S j /\ below 100 51 j.
Proof. apply (waiting_pays 100 90 61 3); [lia | lia | lia | vm_compute; discriminate]. Qed.

(**
   Claim: If x > 0 and x² + dx <= nd, then a wave of waiting saves at most one wave of the hunt: k(x) <= k(x') + 1 for
     x' = x - (n - d).
   Prose: castle-soldiers.md, Lemma 11 (the whole-number decision)
   Settles: castle-iii-wait; castle-step-rounding
*)
Theorem striking_pays : forall n d x j, 0 < d < n -> 0 < x -> x * x + d * x <= n * d ->
  below n (x - (n - d)) j -> below n x (S j).
Proof.
  intros n d x j Hd Hx Hpays H. apply below_is_rid. apply below_is_rid in H.
  apply (siege_striking_pays 1 1 n d); try lia. now rewrite Z.mul_1_l.
Qed.

Example striking_pays_holds : below 100 60 2.
Proof. apply (striking_pays 100 90 60 1); [lia | lia | lia | vm_compute; discriminate]. Qed.

Lemma leftover_next : forall n s d q, leftover n s d (S q) = leftover n s d q - (n - d).
Proof. intros. unfold leftover. rewrite Nat2Z.inj_succ. lia. Qed.

(** Soldiers who strike later than at the first q at which it pays can strike one wave earlier without loss, and
    soldiers who strike earlier can strike one wave later without loss. *)
Lemma towards_the_best : forall n s d best r k, 0 < d < n -> least (strikes n s d) best ->
  (1 <= r)%nat -> below n (leftover n s d r) k -> exists j, (best + j <= r + k)%nat /\ below n (leftover n s d best) j.
Proof.
  intros n s d best r k Hd [Hbest Hleast] Hr H. apply below_is_rid in H.
  rewrite (proj1 (strikes_in_the_game n s d r)) in H.
  destruct (towards_the_strike 1 1 n s d best r k) as [j [Hj Hb]]; try assumption; try lia.
  - split; [now apply strikes_in_the_game |]. intros i Hi. apply Hleast. now apply strikes_in_the_game.
  - exists j. split; [exact Hj |]. apply below_is_rid. now rewrite (proj1 (strikes_in_the_game n s d best)).
Qed.

(**
   Claim: For s > n and d < n, the fewest waves are 1 + q + k(x). Here q is the smallest q >= 1 such that x = s + qd -
     (q + 1)n is not positive or x² + dx <= nd, and k(x) is the smallest k with xF(2k+1) <= nF(2k).
   Prose: castle-soldiers.md, Theorem 2
   Settles: castle-one-short in part; castle-step-case-2a
*)
Theorem fewest_by_q : forall legal n s d q k, legal = order \/ legal = thrifty -> 0 < d < n -> n < s ->
  least (strikes n s d) q -> least (below n (leftover n s d q)) k ->
  fewest legal d Soldiers (1 + q + k) (start n s).
Proof.
  intros legal n s d q k Hlegal Hd Hs Hq [Hk Hleast]. pose proof (proj1 (proj1 Hq)) as Hq1.
  apply least_is_fewest; try assumption; [lia | lia | lia | lia | |].
  - right. apply reach_is_the_maximum; [lia |]. exists q, k. repeat split; [lia |].
    unfold below, leftover in Hk. apply strike_spec in Hk. lia.
  - intros v Hv [H | H]; [lia |]. destruct (Nat.eq_dec v 1) as [-> | Hv1]; [cbn in H; lia |].
    apply reach_is_the_maximum in H as [r [i [Hr [-> H]]]]; [| lia].
    assert (Hb : below n (leftover n s d r) i).
    { apply strike_spec. unfold leftover. lia. }
    destruct (towards_the_best n s d q r i Hd Hq Hr Hb) as [j [Hj Hbj]]. apply Hleast in Hbj. lia.
Qed.

Example fewest_by_q_holds : fewest thrifty 8 Soldiers 16 (start 10 43).
Proof.
  apply (fewest_by_q thrifty 10 43 8 14 1); [auto | lia | lia | split | split].
  - unfold strikes, leftover. lia.
  - unfold strikes, leftover. nia.
  - vm_compute. discriminate.
  - intros [| j] H; [apply below_0 in H; vm_compute in H; now elim H | lia].
Qed.

(** ** The same as a function, with a root *)

(** The largest x >= 0 with x² + dx <= nd. *)
Definition wait_limit (n d : Z) : Z := (Z.sqrt (d * d + 4 * n * d) - d) / 2.

Lemma wait_limit_spec : forall n d x, 0 < n -> 0 < d -> 0 <= x -> (x * x + d * x <= n * d <-> x <= wait_limit n d).
Proof.
  intros n d x Hn Hd Hx. unfold wait_limit.
  pose proof (Z.sqrt_spec (d * d + 4 * n * d) ltac:(nia)) as Hroot. pose proof (Z.sqrt_nonneg (d * d + 4 * n * d)).
  set (root := Z.sqrt (d * d + 4 * n * d)) in *. unfold Z.succ in Hroot.
  pose proof (Z.mul_div_le (root - d) 2). pose proof (Z.mul_succ_div_gt (root - d) 2). split; intros Hle.
  - assert (2 * x + d <= root) by nia. lia.
  - assert (2 * x + d <= root) by lia. nia.
Qed.

Definition waves_by_root (n s d : Z) : Z :=
  if s <=? n then 1
  else if n <=? d then
    match cleanup (enough n) n (s + d - 2 * n) with Some k => 2 + k | None => 0 end
  else
    let q := Z.max 1 ((s - n - wait_limit n d + (n - d) - 1) / (n - d)) in
    let x := s - n - q * (n - d) in
    if x <=? 0 then 1 + q
    else match cleanup (enough n) n x with Some k => 1 + q + k | None => 0 end.

Lemma allowed_is_won : forall n d x, 0 < d < n -> 0 < x -> x * x + d * x <= n * d -> 0 < form n x.
Proof.
  intros n d x Hd Hx H. unfold form. assert (Hxn : x < n).
  { apply Z.nle_gt. intros L. assert (n * n <= x * x) by (apply Z.mul_le_mono_nonneg; lia).
    assert (d * n <= d * x) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (0 < n * n) by (apply Z.mul_pos_pos; lia). lia. }
  assert (0 < (n - d) * (n - x)) by (apply Z.mul_pos_pos; lia). lia.
Qed.

(**
   Claim: The computation by q and the staircase give the same number of waves in every battle with positive n, s and d.
   Prose: castle-soldiers.md, Theorem 2 in part
   Code: Battle.Solve
*)
Theorem both_roads_meet : forall n s d, 0 < n -> 0 < s -> 0 < d -> waves_by_root n s d = min_waves n s d.
Proof.
  intros n s d Hn Hs Hd. unfold waves_by_root.
  destruct (Z.leb_spec s n) as [Hsn | Hsn]. { unfold min_waves. now rewrite (proj2 (Z.leb_le s n) Hsn). }
  destruct (Z.leb_spec n d) as [Hnd | Hnd].
  { unfold min_waves. destruct (Z.leb_spec s n), (Z.leb_spec n d); lia. }
  apply (answer_is_unique thrifty d Soldiers (start n s)); [| now apply min_waves_is_right; auto].
  set (g := n - d). set (c := (s - n - wait_limit n d + g - 1) / g). set (q := Z.max 1 c).
  assert (Hlimit0 : 0 <= wait_limit n d) by (apply wait_limit_spec; nia).
  assert (Hc : g * (c - 1) < s - n - wait_limit n d <= g * c).
  { pose proof (Z.mul_div_le (s - n - wait_limit n d + g - 1) g).
    pose proof (Z.mul_succ_div_gt (s - n - wait_limit n d + g - 1) g).
    unfold c. lia. }
  assert (Hq : least (strikes n s d) (Z.to_nat q)).
  { split.
    - split; [lia |]. unfold leftover. rewrite Z2Nat.id by lia.
      destruct (Z.le_gt_cases (s + q * d - (q + 1) * n) 0) as [H | H]; [now left | right].
      apply wait_limit_spec; nia.
    - intros j [Hj1 Hj]. apply Nat2Z.inj_le. rewrite Z2Nat.id by lia. unfold q. apply Z.max_lub; [lia |].
      assert (Hx : leftover n s d j <= wait_limit n d).
      { destruct Hj as [Hj | Hj]; [lia |].
        destruct (Z.le_gt_cases (leftover n s d j) 0) as [H | H]; [lia | apply wait_limit_spec; lia]. }
      unfold leftover in Hx. nia. }
  assert (Hx : leftover n s d (Z.to_nat q) = s - n - q * g) by (unfold leftover, g; rewrite Z2Nat.id; lia).
  destruct (Z.leb_spec (s - n - q * g) 0) as [H0 | H0].
  - right. split; [lia |]. replace (Z.to_nat (1 + q)) with (1 + Z.to_nat q + 0)%nat by lia.
    apply fewest_by_q; try assumption; [auto | lia |]. split; [apply below_0; lia | lia].
  - pose proof (cleanup_spec (enough n) n (s - n - q * g) H0 (conj Hn (enough_halves n Hn))) as H.
    destruct (cleanup (enough n) n (s - n - q * g)) as [k |].
    + destruct H as [Hk H]. right. split; [lia |].
      replace (Z.to_nat (1 + q + k)) with (1 + Z.to_nat q + Z.to_nat k)%nat by lia.
      apply fewest_by_q; try assumption; [auto | lia |]. now rewrite Hx.
    + exfalso.
      (* The defenders who are left can be hunted down. The castle after that one falls too, after some more waves of
          waiting. *)
      destruct Hq as [[_ [Hstop | Hstop]] _]; rewrite Hx in Hstop; [lia |].
      set (x := s - n - q * g) in *.
      assert (Hform : 0 < form n x) by (apply allowed_is_won with (d := d); lia).
      apply fractions_reach_the_border in Hform as [k Hk]; [| lia | lia]. now apply (H k).
Qed.

Example both_roads_meet_holds : waves_by_root 10 43 8 = min_waves 10 43 8.
Proof. apply both_roads_meet; lia. Qed.
