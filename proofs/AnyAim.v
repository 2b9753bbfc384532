(** The tower game when shots may be wasted: the numbers of soldiers with which some play loses. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest WorstAim TowerEven.
Import ListNotations.
Open Scope Z_scope.

(** ** One soldier short of all towers *)

(** All soldiers fire at the first tower in the list. *)
Definition at_first (soldiers : Z) (a : towers) : list Z :=
  match a with [] => [] | _ :: rest => soldiers :: map (fun _ => 0) rest end.

Lemma no_shot : forall a, positive a -> fire a (map (fun _ => 0) a) = a.
Proof.
  intros a H. induction H as [| x a Hx _ IH]; [reflexivity |]. cbn [map fire].
  destruct (Z.leb_spec x 0); [lia |]. rewrite IH. f_equal. lia.
Qed.

Lemma at_first_round : forall soldiers a, 0 <= soldiers -> positive a -> a <> [] ->
  exists b, round any soldiers a b /\ positive b /\ standing a - 1 <= standing b <= standing a.
Proof.
  intros soldiers [| x a] Hs Ha Hne; [easy |]. inversion Ha as [| ? ? Hx Hrest]; subst.
  exists (fire (x :: a) (at_first soldiers (x :: a))).
  assert (Hzero : fold_right Z.add 0 (map (fun _ => 0) a) = 0) by (clear; induction a; cbn [map fold_right]; lia).
  split; [| split].
  - exists (at_first soldiers (x :: a)). repeat split; cbn [at_first length fold_right]; [now rewrite map_length | |
    lia].
    constructor; [exact Hs |]. clear. induction a; constructor; [lia | assumption].
  - now apply fire_positive.
  - cbn [at_first fire]. rewrite no_shot by assumption. unfold standing. destruct (x <=? soldiers); cbn [length]; lia.
Qed.

(**
   Claim: Up to kt(t - 1)/2 soldiers lose by some play that wastes shots, namely if all of them fire at one tower in
     every round.
   Prose: tower.md, Theorem 11 in part
   Settles: tower-pairs
*)
Theorem few_can_lose : forall k n a, 0 < k -> 0 < n -> positive a -> a <> [] ->
  2 * n <= k * standing a * (standing a - 1) -> exists r, towers_win any k r n a.
Proof.
  intros k n a Hk Hn Ha Hne Hfew. remember (Z.to_nat n) as fuel eqn:E. assert (Hfuel : n <= Z.of_nat fuel) by lia. clear
    E.
  revert n a Hn Ha Hne Hfew Hfuel. induction fuel as [| fuel IH]; intros n a Hn Ha Hne Hfew Hfuel; [lia |].
  destruct (at_first_round n a ltac:(lia) Ha Hne) as [b [Hb [Hpos Hstand]]].
  pose proof (some_stand a Hne). assert (Htwo : 2 <= standing a) by nia.
  assert (Hbne : b <> []) by (intros ->; unfold standing at 2 in Hstand; cbn [length] in Hstand; lia).
  destruct (Z.le_gt_cases (n - k * standing b) 0) as [Hdead | Halive].
  - exists O, n, a, b. split; [constructor |]. split; [exact Hb | split; [exact Hbne | exact Hdead]].
  - destruct (IH (n - k * standing b) b) as [r [N1 [a1 [a2 [Hreach Hlast]]]]];
      [lia | exact Hpos | exact Hbne | | nia |].
    + assert (E : standing b = standing a \/ standing b = standing a - 1) by lia. destruct E as [-> | ->]; nia.
    + exists (S r), N1, a1, a2. split; [| exact Hlast]. now apply reaches_front with (a1 := b).
Qed.

Example few_can_lose_holds : exists r, towers_win any 2 r 2 [1; 1].
Proof. apply few_can_lose; [lia | lia | repeat constructor; lia | easy | vm_compute; discriminate]. Qed.

(** Against towers with one hit, each shot that hits destroys a tower. *)
Lemma one_hit_round : forall n a b, 0 < n -> a <> [] -> (forall x, In x a -> x = 1) -> round any n a b ->
  standing b <= standing a - 1 /\ (forall x, In x b -> x = 1).
Proof.
  intros n a b Hn Hne Ha [shots [[Hl [Hf Ht]] [_ ->]]].
  assert (G : forall a shots, length shots = length a -> Forall (fun s => 0 <= s) shots -> (forall x, In x a ->
    x = 1) ->
    (forall x, In x (fire a shots) -> x = 1) /\
    (0 < fold_right Z.add 0 shots -> standing (fire a shots) <= standing a - 1)).
  { clear. induction a as [| x a IH]; intros [| s shots] Hl Hf Ha; cbn [length] in Hl; try lia.
    - split; [cbn; tauto |]. cbn. lia.
    - inversion Hf; subst. assert (x = 1) by (apply Ha; now left). subst x.
      destruct (IH shots ltac:(lia) ltac:(assumption) ltac:(intros y Hy; apply Ha; now right)) as [H1' H2'].
      pose proof (fire_standing a shots). cbn [fire fold_right]. unfold standing in *.
      destruct (Z.leb_spec 1 s); cbn [length].
      + split; [exact H1' |]. intros _. lia.
      + split; [| intros Hpos; specialize (H2' ltac:(lia)); lia].
        intros y [Hy | Hy]; [lia | now apply H1']. }
  destruct (G a shots Hl Hf Ha) as [H1 H2]. split; [apply H2; lia | exact H1].
Qed.

(**
   Claim: Against t towers with one hit, soldiers win however they aim, with or without waste, exactly when there are
     more than kt(t - 1)/2 of them: then no play loses.
   Prose: tower.md, Theorem 12 in part
   Settles: tower-one-hit-worst
*)
Theorem one_hit_worst : forall k n t, 0 < k -> 0 < n -> (1 <= t)%nat ->
  ((forall r, ~ towers_win any k r n (repeat 1 t)) <-> k * Z.of_nat t * (Z.of_nat t - 1) < 2 * n).
Proof.
  intros k n t Hk Hn Ht. assert (Hstand : standing (repeat 1 t) = Z.of_nat t) by (unfold standing;
    now rewrite repeat_length).
  split.
  - intros H. destruct (Z.le_gt_cases (2 * n) (k * Z.of_nat t * (Z.of_nat t - 1))) as [Hfew | Hmany]; [| lia].
    destruct (few_can_lose k n (repeat 1 t)) as [r Hr];
      [exact Hk | exact Hn | apply repeat_positive; lia | now apply repeat_some | now rewrite Hstand |
        now apply H in Hr].
  - intros Hmany r [N1 [a1 [a2 [Hreach [Hround [Hne Hdead]]]]]].
    assert (Hinv : 0 < N1 /\ a1 <> [] /\ (forall x, In x a1 -> x = 1) /\ k * standing a1 * (standing a1 - 1) < 2 * N1).
    { clear Hround Hne Hdead. rewrite <- Hstand in Hmany.
      remember (repeat 1 t) as a eqn:Ea. assert (Hones : forall x, In x a -> x = 1) by (subst; apply repeat_spec).
      assert (Hane : a <> []) by (subst; now apply repeat_some). clear Ea Hstand.
      induction Hreach as [N a | r N a N1 a1 b Hreach IH Hround Hne Halive]; [repeat split; assumption |].
      destruct (IH Hn Hmany Hones Hane) as [H1 [H2 [H3 H4]]].
      destruct (one_hit_round N1 a1 b H1 H2 H3 Hround) as [H5 H6]. pose proof (some_stand b Hne).
      repeat split; [exact Halive | exact Hne | exact H6 |].
      assert (E : standing b * (standing b + 1) <= standing a1 * (standing a1 - 1)) by nia.
      apply (Z.mul_le_mono_nonneg_l _ _ k) in E; [| lia]. lia. }
    destruct Hinv as [H1 [H2 [H3 H4]]]. destruct (one_hit_round N1 a1 a2 H1 H2 H3 Hround) as [H5 _].
    pose proof (some_stand a2 Hne). 
    assert (E : 2 * standing a2 <= standing a1 * (standing a1 - 1)) by nia.
    apply (Z.mul_le_mono_nonneg_l _ _ k) in E; [| lia]. lia.
Qed.

Example one_hit_worst_holds : ~ towers_win any 2 1 3 [1; 1].
Proof. apply (one_hit_worst 2 3 2); lia. Qed.

(** ** The shots of spared rounds *)

(** min(1, T) + ... + min(v, T), and the sum of these numbers for 0 to v - 1. *)
Fixpoint climb (T v : nat) : Z := match v with O => 0 | S u => climb T u + Z.of_nat (Nat.min (S u) T) end.
Fixpoint climbs (T v : nat) : Z := match v with O => 0 | S u => climbs T u + climb T u end.

(** The number of shots in [v] spared rounds, beginning with the excess x = N - kT(T - 1)/2. *)
Definition budget (k : Z) (T v : nat) (x : Z) : Z := Z.of_nat v * x - k * climbs T v.

Lemma budget_next : forall k T v x, budget k T (S v) x = budget k T v x + (x - k * climb T v).
Proof. intros. unfold budget. cbn [climbs]. rewrite Nat2Z.inj_succ. lia. Qed.

Lemma climb_low : forall T u, (u <= T)%nat -> 2 * climb T u = Z.of_nat u * (Z.of_nat u + 1).
Proof.
  intros T u. induction u as [| u IH]; intros Hu; [reflexivity |]. cbn [climb]. rewrite Nat.min_l by lia.
  specialize (IH ltac:(lia)). rewrite Nat2Z.inj_succ. lia.
Qed.

Lemma climb_high : forall T m, climb T (T + m) = climb T T + Z.of_nat m * Z.of_nat T.
Proof.
  intros T. induction m as [| m IH]; [rewrite Nat.add_0_r; lia |].
  rewrite Nat.add_succ_r. cbn [climb]. rewrite Nat.min_r, IH by lia. lia.
Qed.

Lemma climb_fewer : forall S T v, (S <= T)%nat -> climb S v <= climb T v.
Proof. intros S T v HST. induction v as [| v IH]; cbn [climb]; lia. Qed.

Lemma climbs_fewer : forall S T v, (S <= T)%nat -> climbs S v <= climbs T v.
Proof.
  intros S T v HST. induction v as [| v IH]; cbn [climbs]; [lia |]. pose proof (climb_fewer S T v HST). lia.
Qed.

Lemma climb_not_negative : forall T v, 0 <= climb T v.
Proof. intros T v. induction v as [| v IH]; cbn [climb]; lia. Qed.

Lemma climbs_not_negative : forall T v, 0 <= climbs T v.
Proof. intros T v. induction v as [| v IH]; cbn [climbs]; [lia |]. pose proof (climb_not_negative T v). lia. Qed.

Lemma climb_rises : forall T u v, (u <= v)%nat -> climb T u <= climb T v.
Proof. intros T u v H. induction H as [| v _ IH]; cbn [climb]; lia. Qed.

(** A spared round with T towers has N = x + kT(T - 1)/2 shots. *)
Lemma room : forall T u, Z.of_nat u * Z.of_nat T - climb T u <= sum_below T.
Proof.
  intros T u. pose proof (sum_below_twice T) as E. destruct (Nat.le_gt_cases u T) as [H | H].
  - pose proof (climb_low T u H).
    assert (Z.of_nat T = Z.of_nat u \/ Z.of_nat T = Z.of_nat u + 1 \/ Z.of_nat u + 2 <= Z.of_nat T) by lia. nia.
  - replace u with (T + (u - T))%nat by lia. rewrite climb_high. pose proof (climb_low T T ltac:(lia)). nia.
Qed.

Lemma room_full : forall U u, (U <= u)%nat -> Z.of_nat u * Z.of_nat (S U) - climb (S U) u = sum_below (S U).
Proof.
  intros U u H. pose proof (sum_below_twice (S U)) as E. destruct (Nat.eq_dec u U) as [-> | Hu].
  - pose proof (climb_low (S U) U ltac:(lia)). nia.
  - replace u with (S U + (u - S U))%nat by lia. rewrite climb_high. pose proof (climb_low (S U) (S U) ltac:(lia)). nia.
Qed.

Lemma spared_round : forall k T u x, budget k T (S u) x =
  budget k T u (x - k * Z.of_nat T) + x + k * (Z.of_nat u * Z.of_nat T - climb T u).
Proof. intros. unfold budget. cbn [climbs]. rewrite Nat2Z.inj_succ. lia. Qed.

Lemma sum_below_mono : forall a b, (a <= b)%nat -> sum_below a <= sum_below b.
Proof. intros a b H. induction H as [| b _ IH]; cbn [sum_below]; lia. Qed.

(** ** Every play needs at least as many shots *)

Lemma spare_hits : forall a shots, positive a -> Forall (fun g => 0 <= g) shots ->
  hits (fire a shots) - standing (fire a shots) <= hits a - standing a.
Proof.
  intros a. induction a as [| x a IH]; intros [| g shots] Ha Hs; cbn [fire]; try (unfold hits, standing; cbn; lia).
  - pose proof (positive_bound (x :: a) Ha). change (hits [] - standing []) with 0. lia.
  - inversion Ha; inversion Hs; subst. specialize (IH shots ltac:(assumption) ltac:(assumption)).
    unfold hits, standing in *. destruct (Z.leb_spec x g); cbn [fold_right length]; lia.
Qed.

Lemma none_falls : forall a shots, length shots = length a -> length (fire a shots) = length a ->
  hits (fire a shots) = hits a - fold_right Z.add 0 shots.
Proof.
  intros a. induction a as [| x a IH]; intros [| g shots] Hl Hf; cbn in Hl; try discriminate; [reflexivity |].
  cbn [fire] in *. pose proof (fire_standing a shots) as Hle. unfold standing in Hle.
  destruct (Z.leb_spec x g); cbn [length] in Hf; [lia |]. injection Hl as Hl. injection Hf as Hf.
  specialize (IH shots Hl Hf). unfold hits in *. cbn [fold_right]. lia.
Qed.

Lemma round_takes : forall k N a b, 0 < k -> positive a -> round any N a b ->
  (forall v, budget k (length b) v (N - k * standing b - k * sum_below (length b)) <= hits b - standing b) ->
  forall v, budget k (length a) v (N - k * sum_below (length a)) <= hits a - standing a.
Proof.
  intros k N a b Hk Ha [shots [[Hl [Hs Ht]] [_ ->]]] Hb v. set (b := fire a shots) in *.
  pose proof (fire_standing a shots) as Hle. fold b in Hle. unfold standing in Hle.
  destruct (Nat.eq_dec (length b) (length a)) as [E | E].
  - pose proof (none_falls a shots Hl E) as Hhits. fold b in Hhits. unfold standing in *. rewrite E in Hb.
    destruct v as [| u].
    + pose proof (positive_bound a Ha). unfold budget, standing in *. cbn. lia.
    + rewrite spared_round. specialize (Hb u). pose proof (room (length a) u).
      replace (N - k * sum_below (length a) - k * Z.of_nat (length a))
        with (N - k * Z.of_nat (length a) - k * sum_below (length a)) by lia. nia.
  - pose proof (spare_hits a shots Ha Hs) as Hhits. fold b in Hhits. specialize (Hb v).
    pose proof (climbs_fewer (length b) (length a) v ltac:(lia)).
    pose proof (sum_below_mono (S (length b)) (length a) ltac:(lia)) as Hsum. cbn [sum_below] in Hsum.
    unfold budget, standing in *.
    set (x := N - k * sum_below (length a)). set (y := N - k * Z.of_nat (length b) - k * sum_below (length b)) in *.
    assert (Hxy : x <= y) by (unfold x, y; nia). assert (Z.of_nat v * x <= Z.of_nat v * y) by nia.
    assert (k * climbs (length b) v <= k * climbs (length a) v) by nia. lia.
Qed.

Lemma little_left : forall k T v y, 0 < k -> y <= 0 -> budget k T v (y - k * sum_below T) <= 0.
Proof.
  intros k T v y Hk Hy. unfold budget. pose proof (climbs_not_negative T v). pose proof (sum_below_mono 0 T ltac:(lia)).
  cbn [sum_below] in *. nia.
Qed.

Lemma losing_takes : forall k r N a, 0 < k -> positive a -> towers_win any k r N a ->
  forall v, budget k (length a) v (N - k * sum_below (length a)) <= hits a - standing a.
Proof.
  intros k r. induction r as [| r IH]; intros N a Hk Ha [N1 [a1 [a2 [Hreach [Hround [Hne Hlost]]]]]].
  - inversion Hreach; subst. apply (round_takes k N1 a1 a2); [exact Hk | exact Ha | exact Hround |]. intros v.
    destruct Hround as [shots [_ [_ ->]]]. pose proof (positive_bound _ (fire_positive a1 shots Ha)).
    pose proof (little_left k (length (fire a1 shots)) v _ Hk Hlost). lia.
  - apply reaches_first in Hreach as [b [Hb [Hbne [Hpos Hreach]]]].
    apply (round_takes k N a b); [exact Hk | exact Ha | exact Hb |]. apply IH; [exact Hk | |].
    + destruct Hb as [shots [_ [_ ->]]]. now apply fire_positive.
    + exists N1, a1, a2. auto.
Qed.

(** ** A losing play that uses only two orders *)

(** The weakest tower comes first. Either all towers are spared, and the weakest is brought down to its last hit, then
    the next, and so on; or the weakest is given up, and all soldiers fire at it. *)
Definition one_order (soldiers : Z) (a : towers) (shots : list Z) : Prop :=
  soldiers <= hits (but_one a) /\ shots = deal soldiers (but_one a) \/
  hd 0 a <= soldiers /\ shots = soldiers :: map (fun _ => 0) (tl a).

(** [loses h k r T N C]: N soldiers who face T towers, which together can take C shots before each is at its last hit,
    lose in at most [r] rounds by sparing the towers or giving one up. *)
Inductive loses (h k : Z) : nat -> nat -> Z -> Z -> Prop :=
| gone r T N C : N <= 0 -> loses h k r T N C
| spared r T N C : N <= C -> loses h k r T (N - k * Z.of_nat T) (C - N) -> loses h k (S r) T N C
| given_up r T N C : (1 <= T)%nat ->
    loses h k r T (N - k * Z.of_nat T) (Z.min C (Z.of_nat T * (h - 1))) -> loses h k (S r) (S T) N C.

Lemma loses_too : forall h k r T N C, 1 <= h -> 0 < k -> loses h k r T N C -> forall N2 T2 C2,
  N2 <= N -> (T <= T2)%nat -> C <= C2 -> loses h k r T2 N2 C2.
Proof.
  intros h k r T N C Hh Hk H.
  induction H as [r T N C HN | r T N C HN _ IH | r T N C HT _ IH]; intros N2 T2 C2 HN2 HT2 HC.
  - apply gone. lia.
  - assert (k * Z.of_nat T <= k * Z.of_nat T2) by (apply Z.mul_le_mono_nonneg_l; lia).
    apply spared; [lia |]. apply IH; lia.
  - destruct T2 as [| U]; [lia |].
    assert (k * Z.of_nat T <= k * Z.of_nat U) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (Z.of_nat T * (h - 1) <= Z.of_nat U * (h - 1)) by (apply Z.mul_le_mono_nonneg_r; lia).
    apply given_up; [lia |]. apply IH; lia.
Qed.

Lemma round_loses : forall h k r N a b, 1 <= h -> 0 < k -> 0 < N -> sound h a -> round any N a b -> b <> [] ->
  loses h k r (length b) (N - k * standing b) (hits b - standing b) ->
  loses h k (S r) (length a) N (hits a - standing a).
Proof.
  intros h k r N a b Hh Hk HN Ha [shots [[Hl [Hs Ht]] [_ ->]]] Hne H. set (b := fire a shots) in *.
  assert (Hpos : positive a) by (eapply Forall_impl; [| exact Ha]; cbn; lia).
  assert (Hb : sound h b) by (now apply fire_sound).
  pose proof (fire_standing a shots) as Hle. fold b in Hle. unfold standing in *.
  pose proof (spare_hits a shots Hpos Hs) as Hhits. fold b in Hhits. unfold standing in Hhits.
  destruct (Nat.eq_dec (length b) (length a)) as [E | E].
  - pose proof (none_falls a shots Hl E) as Hsum. fold b in Hsum. rewrite E in H.
    pose proof (hits_bounds h b Hb) as Hbound. unfold standing in Hbound.
    apply spared; [lia |].
    replace (hits a - Z.of_nat (length a) - N) with (hits b - Z.of_nat (length a)) by lia. exact H.
  - destruct (length a) as [| U]; [lia |].
    assert (HU : (1 <= length b <= U)%nat) by (destruct b; cbn in *; [easy | lia]).
    pose proof (hits_bounds h b Hb) as Hbound. unfold standing in Hbound.
    assert (Z.of_nat (length b) * (h - 1) <= Z.of_nat U * (h - 1)) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (k * Z.of_nat (length b) <= k * Z.of_nat U) by (apply Z.mul_le_mono_nonneg_l; lia).
    apply given_up; [lia |]. eapply loses_too; [exact Hh | exact Hk | exact H | lia ..].
Qed.

Lemma whatever_loses : forall h k r N a, 1 <= h -> 0 < k -> 0 < N -> sound h a -> towers_win any k r N a ->
  loses h k (S r) (length a) N (hits a - standing a).
Proof.
  intros h k r. induction r as [| r IH]; intros N a Hh Hk HN Ha [N1 [a1 [a2 [Hreach [Hround [Hne Hlost]]]]]].
  - inversion Hreach; subst. apply (round_loses h k 0 N1 a1 a2); try assumption. now apply gone.
  - apply reaches_first in Hreach as [b [Hb [Hbne [Hpos Hreach]]]].
    apply (round_loses h k (S r) N a b); try assumption. apply IH; try assumption.
    + destruct Hb as [shots [[_ [Hs _]] [_ ->]]]. now apply fire_sound.
    + exists N1, a1, a2. auto.
Qed.

(** The towers, with the weakest first. As many as possible are whole. *)
Fixpoint ranks (h : Z) (T : nat) (C : Z) : towers :=
  match T with
  | O => []
  | S U => let rest := Z.min C (Z.of_nat U * (h - 1)) in (1 + C - rest) :: ranks h U rest
  end.

Lemma ranks_length : forall h T C, length (ranks h T C) = T.
Proof. intros h T. induction T as [| T IH]; intros C; [reflexivity |]. cbn [ranks length]. now rewrite IH. Qed.

Lemma ranks_positive : forall h T C, positive (ranks h T C).
Proof.
  intros h T. induction T as [| T IH]; intros C; constructor; [lia | apply IH].
Qed.

Lemma ranks_whole : forall h T, 1 <= h -> ranks h T (Z.of_nat T * (h - 1)) = repeat h T.
Proof.
  intros h T Hh. induction T as [| T IH]; [reflexivity |]. cbn [ranks repeat].
  rewrite Z.min_r by nia. rewrite IH. f_equal. lia.
Qed.

Lemma ranks_but_one : forall h T C, 0 <= C <= Z.of_nat T * (h - 1) -> 1 <= h -> hits (but_one (ranks h T C)) = C.
Proof.
  intros h T. induction T as [| T IH]; intros C HC Hh; [cbn; lia |]. cbn [ranks but_one map]. fold but_one.
  unfold hits in *. cbn [fold_right]. fold (but_one (ranks h T (Z.min C (Z.of_nat T * (h - 1))))). rewrite IH; nia.
Qed.

Lemma spare_round : forall h T N C, 1 <= h -> 0 <= N <= C -> C <= Z.of_nat T * (h - 1) ->
  let shots := deal N (but_one (ranks h T C)) in
  length shots = T /\ Forall (fun g => 0 <= g) shots /\ fold_right Z.add 0 shots = N /\
    fire (ranks h T C) shots = ranks h T (C - N).
Proof.
  intros h T. induction T as [| T IH]; intros N C Hh HN HC.
  - repeat split; [constructor | cbn; lia].
  - cbn [ranks]. rewrite Nat2Z.inj_succ in HC. set (all := Z.of_nat T * (h - 1)) in *.
    assert (Hall : 0 <= all) by (unfold all; nia). assert (HC2 : C <= all + (h - 1)) by (unfold all; lia).
    cbn [but_one map deal]. fold (but_one (ranks h T (Z.min C all))).
    replace (1 + C - Z.min C all - 1) with (C - Z.min C all) by lia. set (first := Z.min N (C - Z.min C all)).
    destruct (IH (N - first) (Z.min C all)) as [Hl [Hs [Ht Hf]]]; [lia | unfold first; lia | fold all; lia |].
    revert Hl Hs Ht Hf. generalize (deal (N - first) (but_one (ranks h T (Z.min C all)))). intros shots Hl Hs Ht Hf.
    repeat split; [cbn; lia | constructor; [unfold first; lia | exact Hs] | cbn; lia |].
    cbn [fire]. rewrite Hf. destruct (Z.leb_spec (1 + C - Z.min C all) first); [unfold first in *; lia |].
    replace (Z.min C all - (N - first)) with (Z.min (C - N) all) by (unfold first; lia). f_equal. unfold first. lia.
Qed.

Lemma towers_front : forall rule k r N a b, round rule N a b -> b <> [] ->
  (0 < N - k * standing b -> exists q, (q < r)%nat /\ towers_win rule k q (N - k * standing b) b) ->
  exists q, (q < S r)%nat /\ towers_win rule k q N a.
Proof.
  intros rule k r N a b Hround Hne H. destruct (Z.le_gt_cases (N - k * standing b) 0) as [Hlost | Halive].
  - exists 0%nat. split; [lia |]. exists N, a, b. split; [constructor | auto].
  - destruct (H ltac:(lia)) as [q [Hq [N1 [a1 [a2 [Hreach Hlast]]]]]]. exists (S q). split; [lia |].
    exists N1, a1, a2. split; [| exact Hlast]. apply reaches_front with (a1 := b); auto; lia.
Qed.

Lemma ranks_some : forall h T C, (1 <= T)%nat -> ranks h T C <> [].
Proof. intros h [| T] C H; [lia | discriminate]. Qed.

Lemma spares : forall h k r T N C, 1 <= h -> (1 <= T)%nat -> 0 <= N <= C -> C <= Z.of_nat T * (h - 1) ->
  (0 < N - k * Z.of_nat T ->
    exists q, (q < r)%nat /\ towers_win one_order k q (N - k * Z.of_nat T) (ranks h T (C - N))) ->
  exists q, (q < S r)%nat /\ towers_win one_order k q N (ranks h T C).
Proof.
  intros h k r T N C Hh HT HN HC H. destruct (spare_round h T N C Hh HN HC) as [Hl [Hs [Ht Hf]]].
  apply (towers_front one_order k r N _ (ranks h T (C - N))).
  - exists (deal N (but_one (ranks h T C))). repeat split.
    + now rewrite ranks_length.
    + exact Hs.
    + exact Ht.
    + left. split; [| reflexivity]. rewrite ranks_but_one; lia.
    + now symmetry.
  - now apply ranks_some.
  - unfold standing. rewrite ranks_length. exact H.
Qed.

Lemma gives_up : forall h k r T N C, (1 <= T)%nat -> C - Z.min C (Z.of_nat T * (h - 1)) < N -> 0 <= N ->
  (0 < N - k * Z.of_nat T -> exists q, (q < r)%nat /\
    towers_win one_order k q (N - k * Z.of_nat T) (ranks h T (Z.min C (Z.of_nat T * (h - 1))))) ->
  exists q, (q < S r)%nat /\ towers_win one_order k q N (ranks h (S T) C).
Proof.
  intros h k r T N C HT HN H0 H. set (rest := Z.min C (Z.of_nat T * (h - 1))) in *.
  apply (towers_front one_order k r N _ (ranks h T rest)).
  - exists (N :: map (fun _ => 0) (ranks h T rest)). repeat split.
    + cbn [ranks length]. fold rest. now rewrite map_length.
    + constructor; [exact H0 |]. apply Forall_forall. intros g Hg. apply in_map_iff in Hg as [_ [<- _]]. lia.
    + cbn [fold_right]. enough (E : fold_right Z.add 0 (map (fun _ => 0) (ranks h T rest)) = 0) by lia.
      generalize (ranks h T rest). intros l. induction l as [| y l IH]; [reflexivity | cbn; lia].
    + right. cbn [ranks hd tl]. fold rest. split; [lia | reflexivity].
    + cbn [ranks]. fold rest. cbn [fire]. destruct (Z.leb_spec (1 + C - rest) N); [| lia].
      symmetry. apply no_shot, ranks_positive.
  - now apply ranks_some.
  - unfold standing. rewrite ranks_length. exact H.
Qed.

(** If there are too few soldiers left to give up a tower, sparing it has the same result. *)
Lemma really_loses : forall h k r T N C, 1 <= h -> 0 < k -> loses h k r T N C -> forall N2 T2 C2,
  0 < N2 <= N -> (1 <= T <= T2)%nat -> 0 <= C <= C2 -> C2 <= Z.of_nat T2 * (h - 1) ->
  exists q, (q < r)%nat /\ towers_win one_order k q N2 (ranks h T2 C2).
Proof.
  intros h k r T N C Hh Hk H.
  induction H as [r T N C HN | r T N C HN _ IH | r T N C HT _ IH]; intros N2 T2 C2 HN2 HT2 HC HC2.
  - lia.
  - apply spares; [exact Hh | lia | lia | exact HC2 |]. intros Halive. apply IH; nia.
  - destruct T2 as [| U2]; [lia |]. set (rest := Z.min C2 (Z.of_nat U2 * (h - 1))).
    assert (Hmono : Z.of_nat T * (h - 1) <= Z.of_nat U2 * (h - 1)) by nia.
    assert (Hpos : 0 <= Z.of_nat T * (h - 1)) by nia.
    destruct (Z.le_gt_cases N2 (C2 - rest)) as [Hfew | Hmany].
    + apply spares; [exact Hh | lia | unfold rest in *; lia | exact HC2 |]. intros Halive.
      apply IH; [| lia | unfold rest in *; lia | lia].
      assert (k * Z.of_nat T <= k * Z.of_nat (S U2)) by nia. lia.
    + apply gives_up; [lia | fold rest; lia | lia |]. fold rest. intros Halive.
      apply IH; [| lia | unfold rest in *; lia | unfold rest; lia].
      assert (k * Z.of_nat T <= k * Z.of_nat U2) by nia. lia.
Qed.

Lemma one_order_is_any : forall k r N a, towers_win one_order k r N a -> towers_win any k r N a.
Proof.
  assert (Hround : forall N a b, round one_order N a b -> round any N a b).
  { intros N a b [shots [Hl [_ E]]]. now exists shots. }
  intros k r N a [N1 [a1 [a2 [Hreach [H Hlast]]]]]. exists N1, a1, a2. split; [| auto].
  clear H Hlast. induction Hreach; [constructor |]. eapply further; eauto.
Qed.

Lemma give_all_up : forall h k T N C, (1 <= T)%nat -> N <= k * sum_below T -> exists r, loses h k r T N C.
Proof.
  intros h k T. induction T as [| T IH]; intros N C HT HN; [lia |]. destruct T as [| U].
  - exists 0%nat. apply gone. cbn in HN. lia.
  - change (sum_below (S (S U))) with (sum_below (S U) + Z.of_nat (S U)) in HN.
    edestruct IH as [r H]; [| | exists (S r); apply given_up; [| exact H]]; lia.
Qed.

(** ** The plain play: spare while there are many soldiers, then give up a tower *)

Lemma budget_rises : forall k T x w, (forall j, (j < w)%nat -> k * climb T j <= x) ->
  forall u, (u <= w)%nat -> 0 <= budget k T u x <= budget k T w x.
Proof.
  intros k T x w H. induction w as [| w IH]; intros u Hu.
  - replace u with 0%nat by lia. unfold budget. cbn. lia.
  - rewrite (budget_next k T w x). specialize (IH ltac:(intros j Hj; apply H; lia)). pose proof (H w ltac:(lia)).
    destruct (Nat.eq_dec u (S w)) as [-> | Hne].
    + rewrite budget_next. specialize (IH w ltac:(lia)). lia.
    + specialize (IH u ltac:(lia)). lia.
Qed.

Lemma budget_falls : forall k T x w, (forall j, (w <= j)%nat -> x <= k * climb T j) ->
  forall u, (w <= u)%nat -> budget k T u x <= budget k T w x.
Proof.
  intros k T x w H u Hu. induction Hu as [| u Hu IH]; [lia |]. rewrite budget_next. specialize (H u Hu). lia.
Qed.

Lemma climb_one_fewer : forall U j, (j <= U)%nat -> climb U j = climb (S U) j.
Proof. intros U j H. pose proof (climb_low U j H). pose proof (climb_low (S U) j ltac:(lia)). lia. Qed.

Lemma climbs_one_fewer : forall U v, (v <= S U)%nat -> climbs U v = climbs (S U) v.
Proof.
  intros U v. induction v as [| v IH]; intros Hv; [reflexivity |]. cbn [climbs].
  rewrite IH, climb_one_fewer by lia. reflexivity.
Qed.

Lemma rule_spares : forall m h k T N C, 1 <= h -> 0 < k -> (1 <= T)%nat -> N - k * sum_below T <= Z.of_nat m ->
  k * (Z.of_nat T - 1) * (Z.of_nat T + 2) < 2 * (N - k * sum_below T) ->
  (forall v, budget k T v (N - k * sum_below T) <= C) -> C <= Z.of_nat T * (h - 1) ->
  N <= C /\ exists r, loses h k r T (N - k * Z.of_nat T) (C - N).
Proof.
  intros m h k. induction m as [| m IH]; intros T N C Hh Hk HT Hm Hmany Hshots HC; [nia |].
  destruct T as [| U]; [lia |]. pose proof (sum_below_twice (S U)) as E.
  rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. assert (Hstep : 1 <= k * (Z.of_nat U + 1)) by nia.
  set (x := N - k * sum_below (S U)) in *. set (y := x - k * (Z.of_nat U + 1)).
  assert (Hx : k * Z.of_nat U * (Z.of_nat U + 3) < 2 * x) by nia.
  assert (Hlow : forall j, (j < U)%nat -> k * climb (S U) j <= y).
  { intros j Hj. pose proof (climb_low (S U) j ltac:(lia)) as Ej.
    assert (2 * climb (S U) j <= (Z.of_nat U - 1) * Z.of_nat U) by nia.
    assert (k * (2 * climb (S U) j) <= k * ((Z.of_nat U - 1) * Z.of_nat U)) by nia. unfold y. nia. }
  assert (Hround : forall u, (U <= u)%nat -> budget k (S U) (S u) x = budget k (S U) u y + N).
  { intros u Hu. rewrite spared_round, room_full by exact Hu. rewrite Nat2Z.inj_succ. unfold Z.succ. fold y.
    unfold x. lia. }
  assert (HN : N <= C).
  { pose proof (budget_rises k (S U) y U Hlow U ltac:(lia)). specialize (Hround U ltac:(lia)).
    specialize (Hshots (S U)). lia. }
  assert (Hy : forall u, budget k (S U) u y <= C - N).
  { intros u. destruct (Nat.le_gt_cases U u) as [Hu | Hu].
    - specialize (Hround u Hu). specialize (Hshots (S u)). lia.
    - pose proof (budget_rises k (S U) y U Hlow u ltac:(lia)). specialize (Hround U ltac:(lia)).
      specialize (Hshots (S U)). lia. }
  split; [exact HN |].
  assert (Ey : y = N - k * (Z.of_nat U + 1) - k * sum_below (S U)) by (unfold y, x; lia).
  destruct (Z.le_gt_cases y 0) as [Hgone | Hleft]; [apply give_all_up; lia |].
  destruct (Z.lt_ge_cases (k * Z.of_nat U * (Z.of_nat U + 3)) (2 * y)) as [Hstay | Hgo].
  - destruct (IH (S U) (N - k * (Z.of_nat U + 1)) (C - N)) as [Hle [r H]]; try assumption; try lia; rewrite <- ?Ey;
      try assumption. exists (S r). now apply spared.
  - destruct U as [| W]; [lia |].
    remember (S W) as U eqn:EW. assert (HU : 1 <= Z.of_nat U) by lia. clear W EW.
    assert (Esum : sum_below (S U) = sum_below U + Z.of_nat U) by reflexivity.
    assert (Ez : N - k * (Z.of_nat U + 1) - k * Z.of_nat U - k * sum_below U = y) by (rewrite Ey, Esum; lia).
    enough (Hnext : exists r, loses h k r U (N - k * (Z.of_nat U + 1) - k * Z.of_nat U)
      (Z.min (C - N) (Z.of_nat U * (h - 1)))).
    { destruct Hnext as [r H]. exists (S r). apply given_up; [lia | exact H]. }
    enough (Hspare : N - k * (Z.of_nat U + 1) - k * Z.of_nat U <= Z.min (C - N) (Z.of_nat U * (h - 1)) /\
      exists r, loses h k r U (N - k * (Z.of_nat U + 1) - k * Z.of_nat U - k * Z.of_nat U)
        (Z.min (C - N) (Z.of_nat U * (h - 1)) - (N - k * (Z.of_nat U + 1) - k * Z.of_nat U))).
    { destruct Hspare as [Hle [r H]]. exists (S r). now apply spared. }
    apply IH; try assumption; try lia; rewrite ?Ez.
    assert (Hsame : forall v, (v <= S U)%nat -> budget k U v y = budget k (S U) v y).
    { intros v Hv. unfold budget. now rewrite climbs_one_fewer. }
    assert (Hless : forall v, exists w, (w <= S U)%nat /\ budget k U v y <= budget k (S U) w y).
    { intros v. destruct (Nat.le_gt_cases v (S U)) as [Hv | Hv].
      - exists v. split; [exact Hv |]. rewrite Hsame by exact Hv. lia.
      - exists (S U). split; [lia |]. rewrite <- Hsame by lia. apply budget_falls; [| lia]. intros j Hj.
        pose proof (climb_rises U (U + 1) j ltac:(lia)) as Hrise. rewrite climb_high in Hrise.
        pose proof (climb_low U U ltac:(lia)) as Eu.
        assert (Hc : Z.of_nat U * (Z.of_nat U + 3) <= 2 * climb U j) by lia.
        apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; lia. }
    intros v. destruct (Hless v) as [w [Hw Hvw]]. apply Z.min_glb; [specialize (Hy w); lia |].
    specialize (Hy w). apply Z.le_ngt. intros Hover.
    assert (Hwy : budget k (S U) w y <= (Z.of_nat U + 1) * y).
    { unfold budget. pose proof (climbs_not_negative (S U) w) as Hc.
      apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; [| lia].
      assert (Hwu : Z.of_nat w <= Z.of_nat U + 1) by lia. apply (Z.mul_le_mono_nonneg_r _ _ y) in Hwu; lia. }
    assert (Htwice : 2 * N = 2 * y + k * ((Z.of_nat U + 1) * (Z.of_nat U + 2))).
    { apply (f_equal (Z.mul k)) in E. lia. }
    assert (Hsmall : 2 * y <= k * (Z.of_nat U * ((Z.of_nat U + 1) * (Z.of_nat U + 2)))).
    { assert (Hc : Z.of_nat U * (Z.of_nat U + 3) <= Z.of_nat U * ((Z.of_nat U + 1) * (Z.of_nat U + 2)))
        by (apply Z.mul_le_mono_nonneg_l; clear - HU; nia).
      apply (Z.mul_le_mono_nonneg_l _ _ k) in Hc; lia. }
    apply (f_equal (Z.mul (Z.of_nat U))) in Htwice.
    assert (HNh : N <= h - 1) by lia. apply (Z.mul_le_mono_nonneg_l _ _ (Z.of_nat U)) in HNh; lia.
Qed.

(** ** What decides *)

(**
   Claim: If some play loses a battle, with or without waste, then a play that uses only two orders loses it, in no
     later round; the same holds with fewer soldiers. The two orders are: spare all towers, and bring the weakest down
     to its last hit, then the next, and so on; or give up the weakest tower, at which all soldiers fire.
   Prose: tower.md, Theorem 10
*)
Theorem two_orders_lose : forall h k t r N n, 0 < h -> 0 < k -> (1 <= t)%nat -> 0 < n <= N ->
  towers_win any k r N (repeat h t) -> exists q, (q <= r)%nat /\ towers_win one_order k q n (repeat h t).
Proof.
  intros h k t r N n Hh Hk Ht Hn H.
  apply (whatever_loses h) in H; [| lia | exact Hk | lia |
    apply Forall_forall; intros y Hy; apply repeat_spec in Hy; lia].
  unfold standing in H. rewrite repeat_hits, repeat_length in H.
  replace (h * Z.of_nat t - Z.of_nat t) with (Z.of_nat t * (h - 1)) in H by lia.
  assert (Hall : 0 <= Z.of_nat t * (h - 1)) by (apply Z.mul_nonneg_nonneg; lia).
  rewrite <- (ranks_whole h t) by lia.
  destruct (really_loses h k (S r) t N _ ltac:(lia) Hk H n t (Z.of_nat t * (h - 1))) as [q [Hq Hlost]]; [lia .. |].
  exists q. split; [lia | exact Hlost].
Qed.

Example two_orders_lose_holds : exists q, (q <= 0)%nat /\ towers_win one_order 2 q 2 (repeat 1 2).
Proof.
  apply (two_orders_lose 1 2 2 0 2 2); [lia .. |]. exists 2, [1; 1], [1]. split; [constructor |]. split; [| easy].
  exists [2; 0]. repeat split. repeat constructor; lia.
Qed.

Lemma loses_by_orders : forall h k t n, 0 < h -> 0 < k -> (1 <= t)%nat -> 0 < n ->
  ((exists r, towers_win any k r n (repeat h t)) <-> exists r, loses h k r t n (Z.of_nat t * (h - 1))).
Proof.
  intros h k t n Hh Hk Ht Hn. assert (Hall : 0 <= Z.of_nat t * (h - 1)) by (apply Z.mul_nonneg_nonneg; lia). split.
  - intros [r H]. exists (S r). apply (whatever_loses h) in H; [| lia | exact Hk | exact Hn |
      apply Forall_forall; intros y Hy; apply repeat_spec in Hy; lia].
    unfold standing in H. rewrite repeat_hits, repeat_length in H.
    now replace (h * Z.of_nat t - Z.of_nat t) with (Z.of_nat t * (h - 1)) in H by lia.
  - intros [r H]. rewrite <- (ranks_whole h t) by lia.
    destruct (really_loses h k r t n _ ltac:(lia) Hk H n t (Z.of_nat t * (h - 1))) as [q [_ Hq]]; [lia .. |].
    exists q. now apply one_order_is_any.
Qed.

(**
   Claim: If some play loses, then vx - kV is at most t(h - 1) for any number v of spared rounds, where x = n - kt(t -
     1)/2 and V is the sum of min(1, t) + ... + min(j, t) over j < v. This holds for any number of towers, with or
     without waste.
   Prose: tower.md, Theorem 14 in part
   Code: Battle.Worst
*)
Theorem losing_takes_shots : forall h k n t r v, 0 < h -> 0 < k -> towers_win any k r n (repeat h t) ->
  Z.of_nat v * (n - k * sum_below t) - k * climbs t v <= Z.of_nat t * (h - 1).
Proof.
  intros h k n t r v Hh Hk H. apply (losing_takes k r n (repeat h t)) with (v := v) in H; [| exact Hk |].
  - unfold budget, standing in H. rewrite repeat_hits, repeat_length in H. lia.
  - apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia.
Qed.

Example losing_takes_shots_holds : ~ exists r, towers_win any 1 r 5 (repeat 4 2).
Proof. intros [r H]. apply (losing_takes_shots 4 1 5 2 r 3) in H; [vm_compute in H; now apply H | lia ..]. Qed.

(**
   Claim: If shots may be wasted, more than k(t^2 - 1) soldiers can lose exactly when vx - kV <= t(h - 1), where x = n -
     kt(t - 1)/2, v is the smallest number with x <= k(min(1, t) + ... + min(v, t)), and V is the sum of min(1, t) + ...
     + min(j, t) over j < v. This holds for any number of towers.
   Prose: tower.md, Theorem 14 in part
   Settles: tower-any-aim
   Code: Battle.MinSoldiersAnyPlay
*)
Theorem any_aim_at_few : forall h k n t u, 0 < h -> 0 < k -> (1 <= t)%nat -> k * (Z.of_nat t * Z.of_nat t - 1) < n ->
  k * climb t u < n - k * sum_below t <= k * climb t (S u) ->
  ((exists r, towers_win any k r n (repeat h t)) <->
   Z.of_nat (S u) * (n - k * sum_below t) - k * climbs t (S u) <= Z.of_nat t * (h - 1)).
Proof.
  intros h k n t u Hh Hk Ht Hmany Hu. split.
  - intros [r H]. now apply (losing_takes_shots h k n t r).
  - intros Hshots. rewrite <- ranks_whole by lia.
    assert (Hall : 0 <= Z.of_nat t * (h - 1)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (Hmore : 0 <= k * (Z.of_nat t * Z.of_nat t - 1)) by (apply Z.mul_nonneg_nonneg; nia).
    enough (H : exists r, loses h k r t n (Z.of_nat t * (h - 1))).
    { destruct H as [r H]. destruct (really_loses h k r t n _ ltac:(lia) Hk H n t (Z.of_nat t * (h - 1)))
        as [q [_ Hq]]; [lia .. |]. exists q. now apply one_order_is_any. }
    enough (H : n <= Z.of_nat t * (h - 1) /\
      exists r, loses h k r t (n - k * Z.of_nat t) (Z.of_nat t * (h - 1) - n)).
    { destruct H as [Hle [r H]]. exists (S r). now apply spared. }
    apply (rule_spares (Z.to_nat (n - k * sum_below t))); try lia.
    + pose proof (sum_below_twice t) as E. apply (f_equal (Z.mul k)) in E. lia.
    + intros v. change (budget k t (S u) (n - k * sum_below t) <= Z.of_nat t * (h - 1)) in Hshots.
      enough (budget k t v (n - k * sum_below t) <= budget k t (S u) (n - k * sum_below t)) by lia.
      assert (Hrise : forall i j, (i <= j)%nat -> k * climb t i <= k * climb t j)
        by (intros i j Hij; apply Z.mul_le_mono_nonneg_l; [lia | now apply climb_rises]).
      destruct (Nat.le_gt_cases v (S u)) as [Hv | Hv].
      * apply budget_rises; [| exact Hv]. intros j Hj. specialize (Hrise j u ltac:(lia)). lia.
      * apply budget_falls; [| lia]. intros j Hj. specialize (Hrise (S u) j Hj). lia.
Qed.

Example any_aim_at_few_holds : (exists r, towers_win any 1 r 4 (repeat 4 2)) /\
  ~ exists r, towers_win any 1 r 5 (repeat 4 2).
Proof.
  split.
  - apply (any_aim_at_few 4 1 4 2 1); [lia .. | cbn; lia | vm_compute; discriminate].
  - rewrite (any_aim_at_few 4 1 5 2 2); [| lia .. | cbn; lia]. vm_compute. intros H. now apply H.
Qed.
