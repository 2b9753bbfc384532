(** The tower game when shots may be wasted: when the worst play spares the towers, and when it gives one up. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest WorstAim TowerEven AnyAim.
Import ListNotations.
Open Scope Z_scope.

(** The number of shots in spared rounds of a play that loses from [T] whole towers with the excess x = N - kT(T - 1)/2.
    The play may give up a tower at any time. While at most [T] towers stand, T(h - 1) shots can be spared. *)
Inductive takes (h k : Z) : Z -> nat -> Z -> Prop :=
| takes_none x T : x <= 0 -> takes h k x T 0
| takes_all x T v : 0 < x -> (1 <= T)%nat -> takes h k (x - k * Z.of_nat T) T v ->
    x + k * sum_below T + v <= Z.of_nat T * (h - 1) -> takes h k x T (x + k * sum_below T + v)
| takes_fewer x T v : takes h k x T v -> takes h k x (S T) v.

(** The same for plays that spare in the first round. *)
Definition takes_first (h k x : Z) (T : nat) (w : Z) : Prop :=
  exists v, takes h k (x - k * Z.of_nat T) T v /\ w = x + k * sum_below T + v /\ w <= Z.of_nat T * (h - 1).

(** [v] is the smallest number of shots for which this is possible. *)
Definition fewest_shots (can : Z -> Prop) (v : Z) : Prop := can v /\ forall w, can w -> v <= w.

(** [b] is the smallest number of towers, at least 1, with x <= kb(b + 3)/2. *)
Definition towers_for (k x : Z) (b : nat) : Prop :=
  (1 <= b)%nat /\ 2 * x <= k * (Z.of_nat b * (Z.of_nat b + 3)) /\
  forall T, (1 <= T < b)%nat -> k * (Z.of_nat T * (Z.of_nat T + 3)) < 2 * x.

Lemma sum_below_positive : forall T, 0 <= sum_below T.
Proof. intros T. exact (sum_below_mono 0 T ltac:(lia)). Qed.

Lemma takes_within : forall h k x T v, 1 <= h -> 0 < k -> takes h k x T v -> 0 <= v <= Z.of_nat T * (h - 1).
Proof.
  intros h k x T v Hh Hk H. induction H as [x T Hx | x T v Hx HT _ IH Hall | x T v _ IH].
  - pose proof (Z.mul_nonneg_nonneg (Z.of_nat T) (h - 1) ltac:(lia) ltac:(lia)). lia.
  - pose proof (Z.mul_nonneg_nonneg k (sum_below T) ltac:(lia) (sum_below_positive T)). lia.
  - lia.
Qed.

Lemma takes_more_towers : forall h k x T T2 v, (T <= T2)%nat -> takes h k x T v -> takes h k x T2 v.
Proof. intros h k x T T2 v HT H. induction HT as [| T2 _ IH]; [exact H | now apply takes_fewer]. Qed.

Lemma first_is_taken : forall h k x T w, 0 < x -> (1 <= T)%nat -> takes_first h k x T w -> takes h k x T w.
Proof. intros h k x T w Hx HT [v [H [-> Hw]]]. now apply takes_all. Qed.

Lemma taken_by_a_first : forall h k x T v, 0 < x -> takes h k x T v ->
  exists U, (1 <= U <= T)%nat /\ takes_first h k x U v.
Proof.
  intros h k x T v Hx H. induction H as [x T H0 | x T v _ HT H _ Hall | x T v _ IH]; [lia | |].
  - exists T. split; [lia |]. now exists v.
  - destruct (IH Hx) as [U [HU H]]. exists U. split; [lia | exact H].
Qed.

(** ** This is what the orders of section 11 do *)

Lemma loses_takes : forall h k r T N C, 1 <= h -> 0 < k -> loses h k r T N C -> 0 <= C <= Z.of_nat T * (h - 1) ->
  (1 <= T)%nat -> exists v, v <= C /\ takes h k (N - k * sum_below T) T v.
Proof.
  intros h k r T N C Hh Hk H. induction H as [r T N C HN | r T N C HN H IH | r T N C HT H IH]; intros HC HT1.
  - exists 0. split; [lia |]. apply takes_none. pose proof (sum_below_positive T). nia.
  - destruct (Z.le_gt_cases (N - k * sum_below T) 0) as [Hx | Hx]; [exists 0; split; [lia | now apply takes_none] |].
    pose proof (Z.mul_nonneg_nonneg k (sum_below T) ltac:(lia) (sum_below_positive T)).
    destruct IH as [v [Hv Ht]]; [lia | exact HT1 |]. exists (N - k * sum_below T + k * sum_below T + v).
    split; [lia |]. apply takes_all; [exact Hx | exact HT1 | | lia].
    now replace (N - k * sum_below T - k * Z.of_nat T) with (N - k * Z.of_nat T - k * sum_below T) by lia.
  - pose proof (Z.mul_nonneg_nonneg (Z.of_nat T) (h - 1) ltac:(lia) ltac:(lia)).
    destruct IH as [v [Hv Ht]]; [lia | exact HT |]. exists v. split; [lia |]. apply takes_fewer.
    replace (N - k * sum_below (S T)) with (N - k * Z.of_nat T - k * sum_below T) by (cbn [sum_below]; lia). exact Ht.
Qed.

Lemma takes_loses : forall h k x T v, 1 <= h -> 0 < k -> takes h k x T v -> forall C, v <= C -> (1 <= T)%nat ->
  exists r, loses h k r T (x + k * sum_below T) C.
Proof.
  intros h k x T v Hh Hk H. induction H as [x T Hx | x T v Hx HT H IH Hall | x T v H IH]; intros C HC HT1.
  - apply give_all_up; [exact HT1 | lia].
  - destruct (takes_within _ _ _ _ _ Hh Hk H) as [Hv _].
    destruct (IH (C - (x + k * sum_below T)) ltac:(lia) HT) as [r Hr]. exists (S r). apply spared; [lia |].
    now replace (x + k * sum_below T - k * Z.of_nat T) with (x - k * Z.of_nat T + k * sum_below T) by lia.
  - destruct T as [| T]; [inversion H; subst; [apply give_all_up; cbn; lia | lia] |].
    destruct (takes_within _ _ _ _ _ Hh Hk H) as [_ Hv].
    destruct (IH (Z.min C (Z.of_nat (S T) * (h - 1))) ltac:(lia) ltac:(lia)) as [r Hr]. exists (S r).
    apply given_up; [lia |].
    replace (x + k * sum_below (S (S T)) - k * Z.of_nat (S T)) with (x + k * sum_below (S T))
      by (cbn [sum_below]; lia). exact Hr.
Qed.

(** ** Without budgets, and with few towers *)

Lemma takes_budget : forall h k x T v, 1 <= h -> 0 < k -> takes h k x T v -> forall u, budget k T u x <= v.
Proof.
  intros h k x T v Hh Hk H. induction H as [x T Hx | x T v Hx HT H IH Hall | x T v H IH]; intros u.
  - unfold budget. pose proof (climbs_not_negative T u). nia.
  - destruct (takes_within _ _ _ _ _ Hh Hk H) as [Hv _].
    pose proof (Z.mul_nonneg_nonneg k (sum_below T) ltac:(lia) (sum_below_positive T)).
    destruct u as [| u]; [unfold budget; cbn; lia |]. rewrite spared_round. specialize (IH u).
    pose proof (Z.mul_le_mono_nonneg_l _ _ k ltac:(lia) (room T u)). lia.
  - specialize (IH u). unfold budget in *.
    pose proof (Z.mul_le_mono_nonneg_l _ _ k ltac:(lia) (climbs_fewer T (S T) u ltac:(lia))). lia.
Qed.

Lemma plain_play : forall h k x T C, 1 <= h -> 0 < k -> 0 < x -> (1 <= T)%nat ->
  k * ((Z.of_nat T - 1) * (Z.of_nat T + 2)) < 2 * x -> (forall u, budget k T u x <= C) ->
  C <= Z.of_nat T * (h - 1) -> exists w, w <= C /\ takes_first h k x T w.
Proof.
  intros h k x T C Hh Hk Hx HT Hmany Hbud HC.
  pose proof (Z.mul_nonneg_nonneg k (sum_below T) ltac:(lia) (sum_below_positive T)).
  destruct (rule_spares (Z.to_nat x) h k T (x + k * sum_below T) C Hh Hk HT) as [Hle [r Hr]];
    [lia | lia | | exact HC |].
  - intros u. now replace (x + k * sum_below T - k * sum_below T) with x by lia.
  - destruct (loses_takes h k r T _ _ Hh Hk Hr ltac:(lia) HT) as [v [Hv Ht]].
    replace (x + k * sum_below T - k * Z.of_nat T - k * sum_below T) with (x - k * Z.of_nat T) in Ht by lia.
    exists (x + k * sum_below T + v). split; [lia |]. exists v. split; [exact Ht |]. split; [reflexivity | lia].
Qed.

Lemma one_tower_fewer : forall k U x v, 0 < k -> 2 * x <= k * (Z.of_nat U * (Z.of_nat U + 3)) ->
  (forall u, budget k (S U) u x <= v) -> forall u, budget k U u x <= v.
Proof.
  intros k U x v Hk Hx H u.
  assert (Hsame : forall w, (w <= S U)%nat -> budget k U w x = budget k (S U) w x).
  { intros w Hw. unfold budget. now rewrite climbs_one_fewer. }
  destruct (Nat.le_gt_cases u (S U)) as [Hu | Hu]; [rewrite Hsame by exact Hu; apply H |].
  apply Z.le_trans with (budget k U (S U) x); [| rewrite Hsame by lia; apply H].
  apply budget_falls; [| lia]. intros j Hj.
  pose proof (climb_rises U (U + 1) j ltac:(lia)) as Hrise. rewrite climb_high in Hrise.
  pose proof (climb_low U U ltac:(lia)) as Eu.
  assert (Hc : Z.of_nat U * (Z.of_nat U + 3) <= 2 * climb U j) by lia.
  apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; lia.
Qed.

(** The border: if there are more than [b] towers, there are too many. *)
Lemma too_many : forall k x b U, 0 < k -> towers_for k x b -> (b <= U)%nat ->
  2 * x <= k * (Z.of_nat U * (Z.of_nat U + 3)).
Proof.
  intros k x b U Hk [_ [Hb _]] HU.
  assert (E : Z.of_nat b * (Z.of_nat b + 3) <= Z.of_nat U * (Z.of_nat U + 3)) by (apply Z.mul_le_mono_nonneg; lia).
  apply (Z.mul_le_mono_nonneg_l _ _ k) in E; lia.
Qed.

Lemma not_too_many : forall k x b T, 0 < k -> 0 < x -> towers_for k x b -> (1 <= T <= b)%nat ->
  k * ((Z.of_nat T - 1) * (Z.of_nat T + 2)) < 2 * x.
Proof.
  intros k x b T Hk Hx [_ [_ Hb]] HT.
  destruct (Nat.eq_dec T 1) as [-> | H1]; [replace (Z.of_nat 1 - 1) with 0 by lia; lia |].
  specialize (Hb (T - 1)%nat ltac:(lia)).
  now replace (Z.of_nat (T - 1) * (Z.of_nat (T - 1) + 3)) with ((Z.of_nat T - 1) * (Z.of_nat T + 2)) in Hb by lia.
Qed.

Lemma fewer_towers_take : forall k x b v T, 0 < k -> towers_for k x b -> (b <= T)%nat ->
  (forall u, budget k T u x <= v) -> forall u, budget k b u x <= v.
Proof.
  intros k x b v T Hk Hb HT. induction HT as [| T HT IH]; intros H; [exact H |]. apply IH.
  apply one_tower_fewer; [exact Hk | | exact H]. now apply too_many with b.
Qed.

(** ** More towers *)

(** If a round that spares more than [b] towers has fewer than h - 1 shots, [b] whole towers have room for the plain
    play. *)
Lemma room_for_all : forall h k x b T, 1 <= h -> 0 < k -> 0 < x -> towers_for k x b -> (b < T)%nat ->
  x + k * sum_below T < h - 1 -> forall u, budget k b u x <= Z.of_nat b * (h - 1).
Proof.
  intros h k x b T Hh Hk Hx Hb HT HN u. pose proof (sum_below_mono (S b) T ltac:(lia)) as Hs.
  apply (Z.mul_le_mono_nonneg_l _ _ k) in Hs; [| lia].
  pose proof (sum_below_twice (S b)) as E. apply (f_equal (Z.mul k)) in E.
  rewrite Nat2Z.inj_succ in E. unfold Z.succ in E.
  pose proof (too_many k x b b Hk Hb ltac:(lia)) as Hfew. destruct Hb as [Hb1 _].
  assert (Hclimb : forall j, (S b <= j)%nat -> x <= k * climb b j).
  { intros j Hj. pose proof (climb_rises b (b + 1) j ltac:(lia)) as Hrise. rewrite climb_high in Hrise.
    pose proof (climb_low b b ltac:(lia)) as Eb.
    assert (Hc : Z.of_nat b * (Z.of_nat b + 3) <= 2 * climb b j) by lia.
    apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; lia. }
  assert (Hlow : forall j, (j <= S b)%nat -> budget k b j x <= Z.of_nat b * (h - 1)).
  { intros j Hj. pose proof (climbs_not_negative b j) as Hc. apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; [| lia].
    destruct (Nat.eq_dec b 1) as [-> | Hb2].
    - change (sum_below 2) with 1 in Hs. unfold budget in *.
      destruct (Nat.eq_dec j 2) as [-> | Hj2]; [change (climbs 1 2) with 1; lia |].
      assert (Z.of_nat j * x <= 1 * x) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    - assert (H1 : Z.of_nat j * x <= (Z.of_nat b + 1) * x) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (H2 : Z.of_nat b * (x + k * sum_below T) <= Z.of_nat b * (h - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
      set (B := Z.of_nat b) in *. assert (HB : 2 <= B) by (unfold B; lia).
      assert (H3 : B * (B + 3) <= B * (B * (B + 1))) by (apply Z.mul_le_mono_nonneg_l; nia).
      apply (Z.mul_le_mono_nonneg_l _ _ k) in H3; [| lia].
      apply (Z.mul_le_mono_nonneg_l _ _ B) in Hs; [| lia]. apply (f_equal (Z.mul B)) in E. unfold budget. lia. }
  destruct (Nat.le_gt_cases u (S b)) as [Hu | Hu]; [now apply Hlow |].
  pose proof (budget_falls k b x (S b) Hclimb u ltac:(lia)). specialize (Hlow (S b) ltac:(lia)). lia.
Qed.

(** The spared shots minus the shots that sacrificing each tower takes away. *)
Lemma falls_from : forall h k a b, (a <= b)%nat -> h - 1 < k * Z.of_nat a -> 0 < k ->
  Z.of_nat b * (h - 1) - k * sum_below b <= Z.of_nat a * (h - 1) - k * sum_below a.
Proof.
  intros h k a b H Ha Hk. induction H as [| b H IH]; [lia |]. cbn [sum_below]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  assert (k * Z.of_nat a <= k * Z.of_nat b) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma towers_for_exists : forall k x, 0 < k -> exists b, towers_for k x b.
Proof.
  intros k x Hk.
  assert (H : forall m, (exists b, (1 <= b <= m)%nat /\ towers_for k x b) \/
    forall T, (1 <= T <= m)%nat -> k * (Z.of_nat T * (Z.of_nat T + 3)) < 2 * x).
  { induction m as [| m [[b [Hm Hb]] | IH]]; [right; lia | left; exists b; split; [lia | exact Hb] |].
    destruct (Z.le_gt_cases (2 * x) (k * (Z.of_nat (S m) * (Z.of_nat (S m) + 3)))) as [H | H].
    - left. exists (S m). split; [lia |]. split; [lia |]. split; [exact H |]. intros T HT. apply IH. lia.
    - right. intros T HT. destruct (Nat.eq_dec T (S m)) as [-> | HT2]; [exact H | apply IH; lia]. }
  destruct (H (Z.to_nat x + 1)%nat) as [[b [_ Hb]] | Hall]; [now exists b |]. exfalso.
  specialize (Hall (Z.to_nat x + 1)%nat ltac:(lia)). set (z := Z.of_nat (Z.to_nat x + 1)) in *.
  assert (Hz : x <= z /\ 1 <= z) by (unfold z; lia). clearbody z.
  assert (1 * z <= z * z) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (1 * (z * (z + 3)) <= k * (z * (z + 3))) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma towers_for_less : forall k x y b c, 0 < k -> towers_for k x b -> towers_for k y c -> y <= x -> (c <= b)%nat.
Proof.
  intros k x y b c Hk [Hb1 [Hb _]] [_ [_ Hc]] Hyx. destruct (Nat.le_gt_cases c b) as [| L]; [assumption |].
  specialize (Hc b ltac:(lia)). lia.
Qed.

(** This is part 3 of the proof in words. *)
Lemma fewer_suffice : forall m h k x b T v, 1 <= h -> 0 < k -> 0 < x -> x <= Z.of_nat m -> towers_for k x b ->
  (b < T)%nat -> takes_first h k x T v -> v <= (Z.of_nat T - 1) * (h - 1) ->
  exists U w, (b <= U < T)%nat /\ w <= v /\ takes_first h k x U w.
Proof.
  induction m as [| m IH]; intros h k x b T v Hh Hk Hx Hm Hb HT Hfirst Hv; [lia |].
  pose proof (first_is_taken h k x T v Hx ltac:(lia) Hfirst) as Htakes.
  assert (Hb1 : (1 <= b)%nat) by apply Hb.
  destruct (Z.lt_ge_cases (x + k * sum_below T) (h - 1)) as [Hsmall | Hlarge].
  - assert (Hbud : forall u, budget k b u x <= Z.min v (Z.of_nat b * (h - 1))).
    { intros u. apply Z.min_glb; [| now apply (room_for_all h k x b T)].
      apply (fewer_towers_take k x b v T); [exact Hk | exact Hb | lia |]. now apply (takes_budget h). }
    destruct (plain_play h k x b _ Hh Hk Hx Hb1 (not_too_many k x b b Hk Hx Hb ltac:(lia)) Hbud ltac:(lia))
      as [w [Hw H]]. exists b, w. split; [lia |]. split; [lia | exact H].
  - destruct Hfirst as [v0 [Hrest [Ev _]]]. destruct T as [| U]; [lia |]. assert (HU : (b <= U)%nat) by lia.
    assert (EU : k * sum_below (S U) = k * sum_below U + k * Z.of_nat U) by (cbn [sum_below]; ring).
    assert (Hmul : (Z.of_nat (S U) - 1) * (h - 1) = Z.of_nat U * (h - 1)) by (f_equal; lia). rewrite Hmul in Hv.
    pose proof (sum_below_twice (S U)) as E2. apply (f_equal (Z.mul k)) in E2.
    rewrite Nat2Z.inj_succ in E2, Hrest. unfold Z.succ in E2, Hrest.
    destruct (takes_within _ _ _ _ _ Hh Hk Hrest) as [Hv0 _].
    destruct (Z.le_gt_cases (x - k * (Z.of_nat U + 1)) 0) as [Hlast | Hmore].
    + (* no later round is spared *)
      set (y := x - k * Z.of_nat U). assert (Hy : y <= k) by (unfold y; lia).
      assert (HkU : k * 1 <= k * Z.of_nat U) by (apply Z.mul_le_mono_nonneg_l; lia).
      enough (Hrest2 : exists w, w <= k * Z.of_nat U /\ takes h k y U w).
      { destruct Hrest2 as [w [Hw H]]. exists U, (x + k * sum_below U + w). split; [lia |]. split; [lia |].
        exists w. split; [exact H |]. split; [reflexivity | lia]. }
      destruct (Z.le_gt_cases y 0) as [Hgone | Hleft]; [exists 0; split; [lia | now apply takes_none] |].
      exists y. split; [lia |]. apply (takes_more_towers h k y 1); [lia |].
      assert (Hroom : y <= h - 1).
      { apply Z.le_trans with k; [exact Hy |]. apply Z.nlt_ge. intros L.
        assert (Z.of_nat U * (h - 1) <= Z.of_nat U * (k - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
        assert (k * Z.of_nat U * 1 <= k * Z.of_nat U * Z.of_nat U) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
      replace y with (y + k * sum_below 1 + 0) at 2 by (change (sum_below 1) with 0; lia).
      apply takes_all; [exact Hleft | lia | apply takes_none; lia | change (sum_below 1) with 0; lia].
    + (* another round is spared, with T2 towers *)
      set (w := x - k * (Z.of_nat U + 1)) in *. destruct (towers_for_exists k w Hk) as [c Hc].
      assert (HUfew : 2 * w <= k * ((Z.of_nat U - 1) * (Z.of_nat U + 2))).
      { pose proof (too_many k x b U Hk Hb HU). unfold w. lia. }
      assert (Hk1 : 0 < k * (Z.of_nat U + 1)) by (apply Z.mul_pos_pos; lia).
      assert (HU1 : (1 < U)%nat).
      { destruct (Nat.eq_dec U 1) as [E | E]; [exfalso | lia]. rewrite E in HUfew.
        replace (Z.of_nat 1 - 1) with 0 in HUfew by lia. lia. }
      assert (Hcb : (c < U)%nat).
      { destruct Hc as [_ [_ Hc]]. destruct (Nat.le_gt_cases U c) as [L | L]; [| exact L].
        specialize (Hc (U - 1)%nat ltac:(lia)).
        replace (Z.of_nat (U - 1) * (Z.of_nat (U - 1) + 3)) with ((Z.of_nat U - 1) * (Z.of_nat U + 2)) in Hc by lia.
        lia. }
      assert (Hv2 : v0 <= (Z.of_nat U - 1) * (h - 1)) by lia.
      assert (Hv1 : v0 <= (Z.of_nat (S U) - 1) * (h - 1)) by lia. assert (Hwm : w <= Z.of_nat m) by (unfold w; lia).
      assert (Hc1 : (1 <= c)%nat) by apply Hc.
      assert (Hfew : exists V v2, (1 <= V < U)%nat /\ v2 <= v0 /\ takes_first h k w V v2).
      { destruct (taken_by_a_first h k w (S U) v0 Hmore Hrest) as [V [HV HfV]].
        destruct (Nat.eq_dec V (S U)) as [-> | HV1].
        - destruct (IH h k w c (S U) v0) as [V2 [v2 [HV2 [Hv3 Hf2]]]]; try assumption; try lia.
          destruct (Nat.eq_dec V2 U) as [-> | HV3]; [| exists V2, v2; repeat split; try lia; exact Hf2].
          destruct (IH h k w c U v2) as [V4 [v4 [HV4 [Hv4 Hf4]]]]; try assumption; try lia.
          exists V4, v4. repeat split; try lia. exact Hf4.
        - destruct (Nat.eq_dec V U) as [-> | HV3]; [| exists V, v0; repeat split; try lia; exact HfV].
          destruct (IH h k w c U v0) as [V4 [v4 [HV4 [Hv4 Hf4]]]]; try assumption; try lia.
          exists V4, v4. repeat split; try lia. exact Hf4. }
      destruct Hfew as [V [v2 [HV [Hv3 [v3 [Hlast [Ev2 Hroom]]]]]]].
      assert (HkV : k * (Z.of_nat V + 1) <= k * Z.of_nat U) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (EV : k * sum_below (S V) = k * sum_below V + k * Z.of_nat V) by (cbn [sum_below]; ring).
      enough (Hsecond : takes h k (w + k) (S V) (v2 + k * (Z.of_nat V + 1))).
      { exists U, (x + k * sum_below U + (v2 + k * (Z.of_nat V + 1))). split; [lia |]. split; [lia |].
        exists (v2 + k * (Z.of_nat V + 1)). split; [| split; [reflexivity | lia]].
        replace (x - k * Z.of_nat U) with (w + k) by (unfold w; lia).
        apply (takes_more_towers h k _ (S V)); [lia | exact Hsecond]. }
      replace (v2 + k * (Z.of_nat V + 1)) with (w + k + k * sum_below (S V) + v3) by lia.
      apply takes_all; [lia | lia | |].
      * apply takes_fewer. rewrite Nat2Z.inj_succ.
        replace (w + k - k * Z.succ (Z.of_nat V)) with (w - k * Z.of_nat V) by lia.
        exact Hlast.
      * destruct (Z.le_gt_cases (k * (Z.of_nat V + 1)) (h - 1)) as [Hok | Hover]; [rewrite Nat2Z.inj_succ; lia |].
        pose proof (falls_from h k (S V) U ltac:(lia) ltac:(rewrite Nat2Z.inj_succ; lia) Hk) as Hfall.
        pose proof (Z.mul_nonneg_nonneg k (sum_below (S V)) ltac:(lia) (sum_below_positive (S V))). lia.
Qed.
(** ** The theorem *)

Lemma from_the_border_on : forall h k x b T v, 1 <= h -> 0 < k -> 0 < x -> towers_for k x b -> (b <= T)%nat ->
  takes h k x T v -> exists U w, (b <= U <= T)%nat /\ w <= v /\ takes_first h k x U w.
Proof.
  intros h k x b T v Hh Hk Hx Hb HT H. assert (Hb1 : (1 <= b)%nat) by apply Hb.
  destruct (taken_by_a_first h k x T v Hx H) as [U [HU Hf]].
  destruct (Nat.le_gt_cases b U) as [HbU | HUb]; [exists U, v; repeat split; try lia; exact Hf |].
  pose proof (takes_more_towers h k x U b v ltac:(lia) (first_is_taken h k x U v Hx ltac:(lia) Hf)) as Hat.
  destruct (plain_play h k x b v Hh Hk Hx Hb1 (not_too_many k x b b Hk Hx Hb ltac:(lia))) as [w [Hw Hfw]].
  - now apply (takes_budget h).
  - now apply (takes_within h k x).
  - exists b, w. repeat split; try lia. exact Hfw.
Qed.

Lemma least_is_best : forall h k x b U u, 1 <= h -> 0 < k -> 0 < x -> towers_for k x b -> (b <= U)%nat ->
  takes_first h k x U u -> (forall V, (b <= V < U)%nat -> ~ exists w, takes_first h k x V w) ->
  forall n T v, (T <= n)%nat -> (b <= T)%nat -> takes_first h k x T v -> exists w, w <= v /\ takes_first h k x U w.
Proof.
  intros h k x b U u Hh Hk Hx Hb HU Hu Hleast. induction n as [| n IH]; intros T v Hn HT Hv.
  - destruct Hb as [Hb1 _]. lia.
  - destruct (Nat.lt_trichotomy T U) as [L | [-> | L]]; [| now exists v |].
    + exfalso. apply (Hleast T); [lia | now exists v].
    + destruct (Z.le_gt_cases u v) as [Huv | Hvu]; [now exists u |].
      assert (Hroom : v <= (Z.of_nat T - 1) * (h - 1)).
      { destruct Hu as [u0 [_ [_ Hu]]].
        assert (Z.of_nat U * (h - 1) <= (Z.of_nat T - 1) * (h - 1)) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
      destruct (fewer_suffice (Z.to_nat x) h k x b T v) as [V [w [HV [Hw HfV]]]]; try assumption; try lia.
      destruct (IH V w ltac:(lia) ltac:(lia) HfV) as [w2 [Hw2 Hf2]]. exists w2. split; [lia | exact Hf2].
Qed.

Lemma same_fewest : forall (can could : Z -> Prop), (forall v, can v -> exists w, w <= v /\ could w) ->
  (forall w, could w -> can w) -> forall v, fewest_shots can v <-> fewest_shots could v.
Proof.
  intros can could H1 H2 v. split; intros [Hv Hall].
  - destruct (H1 v Hv) as [w [Hw Hc]]. pose proof (Hall w (H2 w Hc)). replace v with w by lia. split; [exact Hc |].
    intros z Hz. apply H2, Hall in Hz. lia.
  - split; [now apply H2 |]. intros w Hw. destruct (H1 w Hw) as [z [Hz Hc]]. apply Hall in Hc. lia.
Qed.

(**
   Claim: Let x > 0, and let b be the smallest number of towers with x <= kb(b + 3)/2. Let m(x, T) be the smallest
     number of shots in spared rounds of a play that loses from T whole towers, and let f(x, T) be the same for plays
     that spare in the first round. If T <= b, m(x, T) = f(x, T). If T > b, m(x, T) = f(x, T'), where T' is the smallest
     number from b to T for which f(x, T') is finite; if there is none, m(x, T) is not finite.
   Prose: tower.md, Theorem 14
   Code: Battle.Worst
*)
Theorem worst_rule : forall h k x T b, 1 <= h -> 0 < k -> 0 < x -> (1 <= T)%nat -> towers_for k x b ->
  ((T <= b)%nat -> forall v, fewest_shots (takes h k x T) v <-> fewest_shots (takes_first h k x T) v) /\
  ((b < T)%nat ->
   (forall T', (b <= T' <= T)%nat -> (exists w, takes_first h k x T' w) ->
     (forall U, (b <= U < T')%nat -> ~ exists w, takes_first h k x U w) ->
     forall v, fewest_shots (takes h k x T) v <-> fewest_shots (takes_first h k x T') v) /\
   ((exists v, takes h k x T v) -> exists T', (b <= T' <= T)%nat /\ exists w, takes_first h k x T' w)).
Proof.
  intros h k x T b Hh Hk Hx HT Hb. split; [| split].
  - intros HTb. apply same_fewest; [| intros w; now apply first_is_taken]. intros v Hv.
    apply plain_play; try assumption; [now apply (not_too_many k x b) | now apply (takes_budget h) |].
    now apply (takes_within h k x).
  - intros T' HT' [u Hu] Hleast. assert (Hb1 : (1 <= b)%nat) by apply Hb. apply same_fewest.
    + intros v Hv. destruct (from_the_border_on h k x b T v) as [U [w [HU [Hw Hf]]]]; try assumption; try lia.
      destruct (least_is_best h k x b T' u Hh Hk Hx Hb ltac:(lia) Hu Hleast U U w) as [z [Hz Hfz]]; try assumption;
        try lia. exists z. split; [lia | exact Hfz].
    + intros w Hw. apply (takes_more_towers h k x T'); [lia |]. apply first_is_taken; [exact Hx | lia | exact Hw].
  - intros [v Hv]. destruct (from_the_border_on h k x b T v) as [U [w [HU [_ Hf]]]]; try assumption; try lia.
    exists U. split; [exact HU | now exists w].
Qed.

Example worst_rule_holds : exists T', (1 <= T' <= 2)%nat /\ exists w, takes_first 4 1 2 T' w.
Proof.
  apply (worst_rule 4 1 2 2 1); [lia .. | | lia |].
  - split; [lia | split; [cbn; lia | lia]].
  - exists (2 + 1 * sum_below 2 + 0). apply takes_all; [lia | lia | apply takes_none | ]; vm_compute; congruence.
Qed.

(**
   Claim: Some play loses a battle, with or without waste, exactly when m(x, t) is finite for x = n - kt(t - 1)/2. If C
     shots can be spared, some play loses exactly when m(x, T) <= C. In a battle that some play loses, the rule is as
     follows. With N > k(T² - 1) soldiers, some play still loses after a spared round. With fewer soldiers, some play
     loses after a sacrifice or, if none does, after a spared round.
   Prose: tower.md, Theorem 14; tower.md, 13. The rule of the worst play in part
   Code: Battle.Worst
*)
Theorem worst_rule_in_battle : forall h k, 1 <= h -> 0 < k ->
  (forall n t, 0 < n -> (1 <= t)%nat ->
    ((exists r, towers_win any k r n (repeat h t)) <-> exists v, takes h k (n - k * sum_below t) t v)) /\
  (forall N T C, (1 <= T)%nat -> 0 <= C <= Z.of_nat T * (h - 1) ->
    ((exists r, loses h k r T N C) <-> exists v, v <= C /\ takes h k (N - k * sum_below T) T v)) /\
  (forall N T C, 0 < N -> (1 <= T)%nat -> 0 <= C <= Z.of_nat T * (h - 1) -> (exists r, loses h k r T N C) ->
    let spare_loses := N <= C /\ exists r, loses h k r T (N - k * Z.of_nat T) (C - N) in
    let sacrifice_loses := (2 <= T)%nat /\ exists r,
      loses h k r (T - 1) (N - k * Z.of_nat (T - 1)) (Z.min C (Z.of_nat (T - 1) * (h - 1))) in
    (k * (Z.of_nat T * Z.of_nat T - 1) < N -> spare_loses) /\ (spare_loses \/ sacrifice_loses)).
Proof.
  intros h k Hh Hk. split; [| split].
  - intros n t Hn Ht. assert (Hall : 0 <= Z.of_nat t * (h - 1)) by (apply Z.mul_nonneg_nonneg; lia).
    rewrite loses_by_orders by lia. split.
    + intros [r Hr]. destruct (loses_takes h k r t n _ Hh Hk Hr ltac:(lia) Ht) as [v [_ Hv]]. now exists v.
    + intros [v Hv]. destruct (takes_within _ _ _ _ _ Hh Hk Hv) as [_ Hle].
      destruct (takes_loses h k _ t v Hh Hk Hv _ Hle Ht) as [r Hr]. exists r.
      now replace (n - k * sum_below t + k * sum_below t) with n in Hr by lia.
  - intros N T C HT HC. split.
    + intros [r Hr]. now apply (loses_takes h k r).
    + intros [v [Hv Ht]]. destruct (takes_loses h k _ T v Hh Hk Ht C Hv HT) as [r Hr]. exists r.
      now replace (N - k * sum_below T + k * sum_below T) with N in Hr by lia.
  - intros N T C HN HT HC [r Hr]. cbn zeta. split.
    + intros Hmany. destruct (loses_takes h k r T N C Hh Hk Hr HC HT) as [v [Hv Ht]].
      pose proof (sum_below_twice T) as E. apply (f_equal (Z.mul k)) in E.
      apply (rule_spares (Z.to_nat (N - k * sum_below T))); try lia. intros u.
      pose proof (takes_budget _ _ _ _ _ Hh Hk Ht u). lia.
    + inversion Hr as [r0 T0 N0 C0 H0 | r0 T0 N0 C0 H0 H1 | r0 T0 N0 C0 H0 H1]; subst; [lia | left | right].
      * split; [exact H0 | now exists r0].
      * split; [lia |]. replace (S T0 - 1)%nat with T0 by lia. now exists r0.
Qed.

Example worst_rule_in_battle_holds : exists v, takes 1 2 (2 - 2 * sum_below 2) 2 v.
Proof.
  apply (worst_rule_in_battle 1 2 ltac:(lia) ltac:(lia)); [lia | lia |]. exists 0%nat, 2, [1; 1], [1].
  split; [constructor |]. split; [| split; [easy | vm_compute; discriminate]].
  exists [2; 0]. repeat split. repeat constructor; lia.
Qed.
