(** The tower game when shots may be wasted: the border between the numbers of soldiers who can lose and the numbers who
    always win. *)

From Coq Require Import ZArith Lia List.
From Siegebook Require Import Tower TowerFewest WorstAim TowerEven AnyAim.
Import ListNotations.
Open Scope Z_scope.

(** [m] is the smallest number of soldiers who win however they aim. *)
Definition wins_any_aim (h k : Z) (t : nat) (m : Z) : Prop :=
  0 < m /\ forall n, 0 < n -> ((exists r, towers_win any k r n (repeat h t)) <-> n < m).

Lemma pairs_lose : forall h k t n, 0 < h -> 0 < k -> (1 <= t)%nat -> 0 < n -> n <= k * sum_below t ->
  exists r, towers_win any k r n (repeat h t).
Proof.
  intros h k t n Hh Hk Ht Hn Hfew. apply loses_by_orders; try assumption. now apply give_all_up.
Qed.

Lemma above_pairs : forall h k t m, 0 < h -> 0 < k -> (1 <= t)%nat -> wins_any_aim h k t m -> k * sum_below t < m.
Proof.
  intros h k t m Hh Hk Ht [Hm H]. apply Z.nle_gt. intros Hle.
  pose proof (proj1 (H m Hm) (pairs_lose h k t m Hh Hk Ht Hm Hle)). lia.
Qed.

Lemma one_hit_border : forall k t, 0 < k -> (1 <= t)%nat -> wins_any_aim 1 k t (k * sum_below t + 1).
Proof.
  intros k t Hk Ht. pose proof (sum_below_twice t) as E. apply (f_equal (Z.mul k)) in E.
  pose proof (sum_below_mono 0 t ltac:(lia)) as Hs. cbn [sum_below] in Hs. apply (Z.mul_le_mono_nonneg_l _ _ k) in Hs;
    [| lia]. split; [lia |]. intros n Hn. split.
  - intros [r H]. apply Z.nle_gt. intros Hmany. apply (one_hit_worst k n t) in H; try assumption. lia.
  - intros H. apply pairs_lose; try assumption; lia.
Qed.

Lemma climb_at_most : forall T v, climb T v <= Z.of_nat v * Z.of_nat T.
Proof. intros T v. induction v as [| v IH]; cbn [climb]; nia. Qed.

Lemma climbs_at_most : forall T v, 2 * climbs T v <= Z.of_nat T * (Z.of_nat v * (Z.of_nat v - 1)).
Proof.
  intros T v. induction v as [| v IH]; [cbn; lia |]. cbn [climbs]. pose proof (climb_at_most T v).
  rewrite Nat2Z.inj_succ. unfold Z.succ. lia.
Qed.

Lemma few_above_pairs : forall h k t n r, 0 < h -> 0 < k -> (1 <= t)%nat -> 0 <= r ->
  2 * (Z.of_nat t * (h - 1)) < 2 * (r + 1) + k * ((r + 1) * r) ->
  (exists q, towers_win any k q n (repeat h t)) -> n <= k * sum_below t + k * Z.of_nat t * r.
Proof.
  intros h k t n r Hh Hk Ht Hr Hover [q H]. apply Z.le_ngt. intros Hn.
  apply (losing_takes_shots h k n t q (Z.to_nat (r + 1))) in H; [| assumption ..].
  pose proof (climbs_at_most t (Z.to_nat (r + 1))) as Hc. rewrite Z2Nat.id in * by lia.
  apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; [| lia].
  set (x := n - k * sum_below t) in *. assert (Hx : k * Z.of_nat t * r + 1 <= x) by (unfold x; lia).
  apply (Z.mul_le_mono_nonneg_l _ _ (r + 1)) in Hx; [| lia].
  assert (Hone : k * ((r + 1) * r) <= k * ((r + 1) * r) * Z.of_nat t) by nia. lia.
Qed.

(**
   Claim: Let r be the greatest integer with r + kr(r - 1)/2 <= t(h - 1). The smallest number m of soldiers who win
     however they aim is greater than kt(t - 1)/2, and at most kt(t - 1)/2 + ktr + 1.
   Prose: tower.md, Theorem 11
*)
Theorem any_aim_between : forall h k t m r, 0 < h -> 0 < k -> (1 <= t)%nat -> wins_any_aim h k t m -> 0 <= r ->
  2 * r + k * (r * (r - 1)) <= 2 * (Z.of_nat t * (h - 1)) < 2 * (r + 1) + k * ((r + 1) * r) ->
  k * Z.of_nat t * (Z.of_nat t - 1) < 2 * m <= k * Z.of_nat t * (Z.of_nat t - 1) + 2 * (k * Z.of_nat t * r) + 2.
Proof.
  intros h k t m r Hh Hk Ht Hm Hr [_ Hover]. pose proof (above_pairs h k t m Hh Hk Ht Hm) as Hlow.
  pose proof (sum_below_twice t) as E. apply (f_equal (Z.mul k)) in E. split; [lia |].
  destruct Hm as [Hpos Hm]. destruct (Z.le_gt_cases m 1) as [H1 | H1].
  - assert (0 <= k * (Z.of_nat t * (Z.of_nat t - 1))) by (apply Z.mul_nonneg_nonneg; nia).
    assert (0 <= k * Z.of_nat t * r) by (apply Z.mul_nonneg_nonneg; nia). lia.
  - assert (H : exists q, towers_win any k q (m - 1) (repeat h t)) by (apply Hm; lia).
    apply (few_above_pairs h k t (m - 1) r) in H; try assumption. lia.
Qed.

Example any_aim_between_holds : 1 * Z.of_nat 3 * (Z.of_nat 3 - 1) < 2 * 4 <= 1 * Z.of_nat 3 * (Z.of_nat 3 - 1) + 2.
Proof. apply (any_aim_between 1 1 3 4 0); [lia .. | exact (one_hit_border 1 3 ltac:(lia) ltac:(lia)) | lia | lia]. Qed.

(**
   Claim: Let m be the smallest number of soldiers who win against t towers however they aim. Then m/t^2 tends to k/2:
     for every q, from some number of towers on, m/t^2 and k/2 differ by at most 1/q.
   Prose: tower.md, Theorem 11
*)
Theorem any_aim_in_the_limit : forall h k q, 0 < h -> 0 < k -> 0 < q ->
  exists from, forall t m, (from <= t)%nat -> wins_any_aim h k t m ->
    q * Z.abs (2 * m - k * (Z.of_nat t * Z.of_nat t)) <= 2 * (Z.of_nat t * Z.of_nat t).
Proof.
  intros h k q Hh Hk Hq. set (B := 2 * k * q). assert (HB : 0 < B) by (unfold B; nia).
  assert (Hbig : 0 <= 2 * (h - 1) * (B * B)) by nia. assert (Hqk : 0 < q * k) by nia.
  exists (Z.to_nat (2 * (h - 1) * (B * B) + B + q * k + 2 * q)). intros t m Ht Hm.
  set (T := Z.of_nat t). assert (HT : 2 * (h - 1) * (B * B) + B + q * k + 2 * q <= T) by (unfold T; lia).
  pose proof (above_pairs h k t m Hh Hk ltac:(lia) Hm) as Hlow. pose proof (sum_below_twice t) as E.
  apply (f_equal (Z.mul k)) in E. fold T in E.
  pose proof (Z.div_mod T B ltac:(lia)) as Hdiv. pose proof (Z.mod_pos_bound T B HB) as Hmod. set (r := T / B) in *.
  assert (Hr : 0 <= r) by (apply Z.div_pos; lia).
  assert (Hsquare : T * (2 * (h - 1) * (B * B)) <= (B * (r + 1)) * (B * r)) by (apply Z.mul_le_mono_nonneg; lia).
  assert (Hroot : 2 * (T * (h - 1)) <= (r + 1) * r).
  { apply (Z.mul_le_mono_pos_l _ _ (B * B)); [apply Z.mul_pos_pos; lia | lia]. }
  assert (Hroots : 1 * ((r + 1) * r) <= k * ((r + 1) * r)) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (Hup : m - 1 <= k * sum_below t + k * T * r).
  { destruct Hm as [Hm0 Hm]. destruct (Z.le_gt_cases m 1) as [H1 | H1].
    - assert (0 <= k * T * r) by (apply Z.mul_nonneg_nonneg; lia).
      pose proof (sum_below_mono 0 t ltac:(lia)) as Hs. cbn [sum_below] in Hs.
      apply (Z.mul_le_mono_nonneg_l _ _ k) in Hs; lia.
    - apply (few_above_pairs h k t (m - 1) r); try assumption; [lia | fold T; lia | apply Hm; lia]. }
  assert (Hqt : q * k * T <= T * T) by (apply Z.mul_le_mono_nonneg_r; clear - HT Hbig HB Hqk Hq; lia).
  assert (Hq2 : 2 * q * 1 <= T * T) by (apply Z.mul_le_mono_nonneg; clear - HT Hbig HB Hqk Hq; lia).
  assert (Hbr : B * r * T <= T * T)
    by (apply Z.mul_le_mono_nonneg_r; clear - HT Hbig HB Hqk Hq Hdiv Hmod; lia). unfold B in Hbr.
  destruct (Z.abs_spec (2 * m - k * (T * T))) as [[_ ->] | [_ ->]].
  - assert (Hd : 2 * m - k * (T * T) <= 2 * (k * T * r) + 2) by lia.
    apply (Z.mul_le_mono_nonneg_l _ _ q) in Hd; lia.
  - assert (Hd : - (2 * m - k * (T * T)) <= k * T) by lia. apply (Z.mul_le_mono_nonneg_l _ _ q) in Hd; lia.
Qed.

Example any_aim_in_the_limit_holds : exists t m, (7 <= t)%nat /\ wins_any_aim 1 1 t m /\
  100 * Z.abs (2 * m - 1 * (Z.of_nat t * Z.of_nat t)) <= 2 * (Z.of_nat t * Z.of_nat t).
Proof.
  destruct (any_aim_in_the_limit 1 1 100) as [from H]; [lia .. |]. exists (from + 7)%nat,
    (1 * sum_below (from + 7) + 1). split; [lia |].
  pose proof (one_hit_border 1 (from + 7) ltac:(lia) ltac:(lia)) as Hm. split; [exact Hm |].
  apply H; [lia | exact Hm].
Qed.

(** From here on, towers matter only through kt(t - 1)/2. *)
Lemma one_tower_less : forall h k t e, 0 < h -> 0 < k -> (1 <= t)%nat -> 2 * (h - 1) <= k * Z.of_nat t -> 0 < e ->
  ((exists r, towers_win any k r (k * sum_below (S t) + e) (repeat h (S t))) <->
   exists r, towers_win any k r (k * sum_below t + e) (repeat h t)).
Proof.
  intros h k t e Hh Hk Ht Hmany He. pose proof (sum_below_twice t) as E. apply (f_equal (Z.mul k)) in E.
  assert (Esum : sum_below (S t) = sum_below t + Z.of_nat t) by reflexivity.
  assert (Hpos : 0 <= k * sum_below t) by (pose proof (sum_below_mono 0 t ltac:(lia)); cbn [sum_below] in *; nia).
  assert (Hkt : 0 <= k * Z.of_nat t) by nia.
  assert (Hcut : Z.min (Z.of_nat (S t) * (h - 1)) (Z.of_nat t * (h - 1)) = Z.of_nat t * (h - 1)).
  { apply Z.min_r. apply Z.mul_le_mono_nonneg_r; lia. }
  assert (Hafter : k * sum_below (S t) + e - k * Z.of_nat t = k * sum_below t + e) by (rewrite Esum; lia).
  rewrite !loses_by_orders; try assumption; try lia. split.
  - intros [r H]. inversion H as [? ? ? ? Hgone | ? ? ? ? Hspare _ | r' ? ? ? _ Hnext]; subst.
    + rewrite Esum in Hgone. lia.
    + exfalso. assert (Hs : Z.of_nat (S t) * (2 * (h - 1)) <= Z.of_nat (S t) * (k * Z.of_nat t))
        by (apply Z.mul_le_mono_nonneg_l; lia). rewrite Esum in Hspare. lia.
    + exists r'. now rewrite Hafter, Hcut in Hnext.
  - intros [r H]. exists (S r). apply given_up; [exact Ht |]. now rewrite Hafter, Hcut.
Qed.

(**
   Claim: Let t0 be the smallest number of towers with k t0 > 2(h - 1). For t >= t0, the smallest number m of soldiers
     who win however they aim is the sum of kt(t - 1)/2 and a number that does not depend on t. That number is at least
     1, and it is 1 if h = 1.
   Prose: tower.md, Theorem 12
*)
Theorem any_aim_at_many : forall h k t s m l, 0 < h -> 0 < k -> (1 <= t <= s)%nat -> 2 * (h - 1) < k * Z.of_nat t ->
  wins_any_aim h k t m -> wins_any_aim h k s l ->
  2 * l - k * Z.of_nat s * (Z.of_nat s - 1) = 2 * m - k * Z.of_nat t * (Z.of_nat t - 1) /\
  2 <= 2 * m - k * Z.of_nat t * (Z.of_nat t - 1) /\
  (h = 1 -> 2 * m - k * Z.of_nat t * (Z.of_nat t - 1) = 2).
Proof.
  intros h k t s m l Hh Hk Hts Ht0 Hm Hl.
  assert (Hsame : forall e, 0 < e -> ((exists r, towers_win any k r (k * sum_below s + e) (repeat h s)) <->
    exists r, towers_win any k r (k * sum_below t + e) (repeat h t))).
  { intros e He. destruct Hts as [Ht Hts]. clear Hl Hm. induction Hts as [| s Hts IH]; [reflexivity |].
    rewrite one_tower_less; [exact IH | lia .. | | exact He].
    assert (k * Z.of_nat t <= k * Z.of_nat s) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  pose proof (above_pairs h k t m Hh Hk ltac:(lia) Hm) as Hmt.
  pose proof (above_pairs h k s l Hh Hk ltac:(lia) Hl) as Hls.
  pose proof (sum_below_twice t) as Et. apply (f_equal (Z.mul k)) in Et.
  pose proof (sum_below_twice s) as Es. apply (f_equal (Z.mul k)) in Es.
  assert (Hp : forall u, 0 <= k * sum_below u)
    by (intros u; pose proof (sum_below_mono 0 u ltac:(lia)); cbn [sum_below] in *; nia).
  assert (Htp := Hp t). assert (Hsp := Hp s). destruct Hm as [Hm0 Hm], Hl as [Hl0 Hl].
  assert (Hequal : forall e, 0 < e -> (k * sum_below s + e < l <-> k * sum_below t + e < m)).
  { intros e He. rewrite <- Hl, <- Hm by lia. now apply Hsame. }
  assert (Hlm : l - k * sum_below s = m - k * sum_below t).
  { pose proof (Hequal (m - k * sum_below t) ltac:(lia)). pose proof (Hequal (l - k * sum_below s) ltac:(lia)). lia. }
  repeat split; [lia | lia |]. intros ->.
  destruct (Z.eq_dec (m - k * sum_below t) 1) as [H1 | H1]; [lia | exfalso].
  destruct (proj2 (Hm (k * sum_below t + 1) ltac:(lia)) ltac:(lia)) as [r Hr].
  apply (one_hit_worst k (k * sum_below t + 1) t) in Hr; [exact Hr | assumption | lia | lia | lia].
Qed.

Example any_aim_at_many_holds : 2 * 46 - 1 * 10 * (10 - 1) = 2 * 4 - 1 * 3 * (3 - 1).
Proof.
  destruct (any_aim_at_many 1 1 3 10 4 46) as [H _]; [lia .. | | | exact H].
  - exact (one_hit_border 1 3 ltac:(lia) ltac:(lia)).
  - exact (one_hit_border 1 10 ltac:(lia) ltac:(lia)).
Qed.
