(** The tower game: greedy is the best play, and destroying the fewest towers is the worst play without waste. *)

From Coq Require Import ZArith Lia List.
Import ListNotations.
Open Scope Z_scope.

(** ** The rules *)

(** The number of hits that each standing tower has left. *)
Definition towers := list Z.

Definition hits (a : towers) : Z := fold_right Z.add 0 a.
Definition standing (a : towers) : Z := Z.of_nat (length a).

(** Each soldier fires once: [shots] contains a number for each tower. *)
Definition legal (soldiers : Z) (a : towers) (shots : list Z) : Prop :=
  length shots = length a /\ Forall (fun g => 0 <= g) shots /\ fold_right Z.add 0 shots = soldiers.

(** The towers that are still standing afterwards. *)
Fixpoint fire (a : towers) (shots : list Z) : towers :=
  match a, shots with
  | hits :: a, g :: shots => if hits <=? g then fire a shots else (hits - g) :: fire a shots
  | _, _ => []
  end.

(** No tower gets more shots than it has hits left, unless all towers fall. *)
Definition without_waste (a : towers) (shots : list Z) : Prop :=
  Forall2 (fun hits g => g <= hits) a shots \/ fire a shots = [].

(** A round in which the shots obey a rule. *)
Definition round (rule : Z -> towers -> list Z -> Prop) (soldiers : Z) (a b : towers) : Prop :=
  exists shots, legal soldiers a shots /\ rule soldiers a shots /\ b = fire a shots.

(** [reaches rule k r N a N' b]: in [r] rounds, the play has led from [N] soldiers and the towers [a] to [N'] soldiers
    and the towers [b], and nobody has won yet. *)
Inductive reaches (rule : Z -> towers -> list Z -> Prop) (k : Z) : nat -> Z -> towers -> Z -> towers -> Prop :=
| here N a : reaches rule k 0 N a N a
| further r N a N1 a1 a2 :
    reaches rule k r N a N1 a1 -> round rule N1 a1 a2 -> a2 <> [] -> 0 < N1 - k * standing a2 ->
    reaches rule k (1 + r) N a (N1 - k * standing a2) a2.

Definition soldiers_win rule (k : Z) (r : nat) (N : Z) (a : towers) : Prop :=
  exists N1 a1, reaches rule k r N a N1 a1 /\ round rule N1 a1 [].

Definition towers_win rule (k : Z) (r : nat) (N : Z) (a : towers) : Prop :=
  exists N1 a1 a2, reaches rule k r N a N1 a1 /\ round rule N1 a1 a2 /\ a2 <> [] /\ N1 - k * standing a2 <= 0.

(** ** What a round can do *)

Definition sound (h : Z) (a : towers) : Prop := Forall (fun hits => 1 <= hits <= h) a.

Lemma hits_bounds : forall h a, sound h a -> standing a <= hits a <= h * standing a.
Proof.
  intros h a H. induction H as [| x a Hx _ IH]; unfold standing, hits in *; cbn [length fold_right] in *; lia.
Qed.

Lemma fire_sound : forall h a shots, sound h a -> Forall (fun g => 0 <= g) shots -> sound h (fire a shots).
Proof.
  intros h a. induction a as [| x a IH]; intros [| g shots] Ha Hs; cbn; try constructor.
  inversion Ha; inversion Hs; subst. destruct (Z.leb_spec x g); [now apply IH |]. constructor; [lia | now apply IH].
Qed.

Lemma fire_hits : forall a shots, length shots = length a -> Forall (fun g => 0 <= g) shots ->
  hits a - fold_right Z.add 0 shots <= hits (fire a shots).
Proof.
  induction a as [| x a IH]; intros [| g shots] Hl Hs; cbn in *; try lia.
  inversion Hs; subst. injection Hl as Hl. specialize (IH shots Hl ltac:(assumption)).
  destruct (Z.leb_spec x g); cbn; unfold hits in *; lia.
Qed.

Lemma fire_standing : forall a shots, standing (fire a shots) <= standing a.
Proof.
  induction a as [| x a IH]; intros [| g shots]; unfold standing in *; cbn [fire length]; try lia.
  specialize (IH shots). destruct (x <=? g); cbn [length]; lia.
Qed.

(** ** Shots that are dealt out one by one *)

(** The soldiers fire at the towers, one tower after the other, and at no tower more often than it has hits left. *)
Fixpoint deal (soldiers : Z) (a : towers) : list Z :=
  match a with
  | [] => []
  | hits :: a => Z.min soldiers hits :: deal (soldiers - Z.min soldiers hits) a
  end.

(** Soldiers without a target fire at the first tower. *)
Definition all_fire (soldiers : Z) (shots : list Z) : list Z :=
  match shots with
  | [] => []
  | g :: rest => g + (soldiers - fold_right Z.add 0 shots) :: rest
  end.

Definition fitting (a : towers) (shots : list Z) : Prop := Forall2 (fun hits g => 0 <= g <= hits) a shots.

Lemma deal_fits : forall a soldiers, 0 <= soldiers -> Forall (fun hits => 0 <= hits) a ->
  fitting a (deal soldiers a) /\ fold_right Z.add 0 (deal soldiers a) = Z.min soldiers (hits a).
Proof.
  induction a as [| x a IH]; intros soldiers Hs Ha; inversion Ha; subst; cbn [deal].
  - split; [constructor | cbn; lia].
  - destruct (IH (soldiers - Z.min soldiers x)) as [Hf Ht]; [lia | assumption |].
    split; [constructor; [lia | exact Hf] |]. unfold hits in *. cbn [fold_right]. rewrite Ht.
    assert (0 <= fold_right Z.add 0 a) by (clear - H2; induction H2; cbn; lia). lia.
Qed.

Lemma fitting_total : forall a shots, fitting a shots -> fold_right Z.add 0 shots <= hits a.
Proof. intros a shots H. unfold hits. induction H; cbn; lia. Qed.

Lemma all_fall : forall a shots, fitting a shots -> fold_right Z.add 0 shots = hits a -> fire a shots = [].
Proof.
  intros a shots H. induction H as [| x g a shots Hx Hrest IH]; intros Ht; [reflexivity |].
  pose proof (fitting_total a shots Hrest). unfold hits in *. cbn in *.
  destruct (Z.leb_spec x g); [apply IH; lia | lia].
Qed.

(** The other soldiers also fire, and the result is the same. *)
Lemma all_fire_is_legal : forall a shots soldiers, 0 <= soldiers -> a <> [] -> fitting a shots ->
  fold_right Z.add 0 shots = Z.min soldiers (hits a) ->
  legal soldiers a (all_fire soldiers shots) /\ without_waste a (all_fire soldiers shots) /\
  fire a (all_fire soldiers shots) = fire a shots.
Proof.
  intros a shots soldiers Hs Hne Hfit Ht. pose proof Hfit as Hall.
  inversion Hfit as [| x g rest shots' Hx Hrest]; subst; [easy |]. cbn [all_fire].
  set (more := soldiers - fold_right Z.add 0 (g :: shots')) in *.
  assert (Hmore : 0 <= more) by lia.
  assert (Hfire : fire (x :: rest) (g + more :: shots') = fire (x :: rest) (g :: shots')).
  { destruct (Z.eq_dec more 0) as [-> | H0]; [now rewrite Z.add_0_r |].
    assert (Hf : fire (x :: rest) (g :: shots') = []) by (apply all_fall; [exact Hall | lia]).
    rewrite Hf. cbn in Hf |- *. destruct (Z.leb_spec x g); [| easy].
    destruct (Z.leb_spec x (g + more)); [exact Hf | lia]. }
  repeat split.
  - cbn. f_equal. clear - Hrest. induction Hrest; cbn; congruence.
  - constructor; [lia |]. clear - Hrest. induction Hrest; constructor; [lia | assumption].
  - unfold more. cbn [fold_right]. lia.
  - destruct (Z.eq_dec more 0) as [H0 | H0].
    + left. rewrite H0, Z.add_0_r. clear - Hall. induction Hall; constructor; [lia | assumption].
    + right. rewrite Hfire. apply all_fall; [exact Hall | lia].
  - exact Hfire.
Qed.

(** ** Greedy *)

(** First the weakest tower, then the next: the towers are in this order. *)
Definition greedy_shots (soldiers : Z) (a : towers) : list Z := all_fire soldiers (deal soldiers a).

Definition greedy (soldiers : Z) (a : towers) (shots : list Z) : Prop := shots = greedy_shots soldiers a.

(** Any play at all, with or without waste. *)
Definition any (soldiers : Z) (a : towers) (shots : list Z) : Prop := True.

(** At most one tower is damaged, and it comes first. *)
Definition one_damaged (h : Z) (a : towers) : Prop := a = [] \/ exists x m, 1 <= x <= h /\ a = x :: repeat h m.

Lemma repeat_hits : forall h m, hits (repeat h m) = h * Z.of_nat m.
Proof. intros h m. unfold hits. induction m as [| m IH]; cbn [repeat fold_right]; lia. Qed.

Lemma one_damaged_sound : forall h a, one_damaged h a -> sound h a /\ (a <> [] -> h * (standing a - 1) < hits a).
Proof.
  intros h a [-> | [x [m [Hx ->]]]]; [split; [constructor | easy] |]. split.
  - constructor; [lia |]. apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia.
  - intros _. unfold standing. cbn [length]. rewrite repeat_length. unfold hits. cbn [fold_right].
    change (fold_right Z.add 0 (repeat h m)) with (hits (repeat h m)). rewrite repeat_hits. lia.
Qed.

Lemma no_shots : forall a, Forall (fun hits => 1 <= hits) a -> fire a (deal 0 a) = a.
Proof.
  intros a H. induction H as [| x a Hx _ IH]; [reflexivity |]. cbn [deal].
  replace (0 - Z.min 0 x) with 0 by lia. replace (Z.min 0 x) with 0 by lia. cbn [fire].
  destruct (Z.leb_spec x 0); [lia |]. rewrite IH. f_equal. lia.
Qed.

Lemma greedy_keeps : forall h a soldiers, 0 <= soldiers -> one_damaged h a ->
  one_damaged h (fire a (deal soldiers a)) /\
  hits (fire a (deal soldiers a)) = Z.max 0 (hits a - soldiers).
Proof.
  intros h a soldiers Hs [-> | [x [m [Hx ->]]]]. { cbn. split; [now left | lia]. }
  revert x Hx soldiers Hs. induction m as [| m IH]; intros x Hx soldiers Hs.
  - cbn. destruct (Z.leb_spec x (Z.min soldiers x)); cbn; (split; [| lia]); [now left |].
    right. exists (x - Z.min soldiers x), 0%nat. split; [lia | reflexivity].
  - change (x :: repeat h (S m)) with (x :: h :: repeat h m). cbn [deal].
    destruct (Z.le_gt_cases x soldiers) as [H | H].
    + rewrite Z.min_r by lia. cbn [fire]. rewrite Z.leb_refl.
      destruct (IH h ltac:(lia) (soldiers - x) ltac:(lia)) as [Hd Ht]. cbn [deal] in Hd, Ht.
      split; [exact Hd |]. cbn [fire] in Ht. rewrite Ht. unfold hits. cbn [fold_right]. lia.
    + rewrite Z.min_l by lia. rewrite Z.sub_diag.
      assert (Hsound : Forall (fun hits => 1 <= hits) (h :: repeat h m)).
      { constructor; [lia |]. apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia. }
      pose proof (no_shots _ Hsound) as Hno. cbn [deal] in Hno. cbn [fire] in Hno |- *.
      destruct (Z.leb_spec x soldiers); [lia |]. rewrite Hno. split.
      * right. exists (x - soldiers), (S m). split; [lia | reflexivity].
      * unfold hits. cbn [fold_right]. pose proof (repeat_hits h m) as Hr. unfold hits in Hr. rewrite Hr. nia.
Qed.

Lemma greedy_round : forall h a N, 0 <= N -> one_damaged h a -> a <> [] -> exists b, round greedy N a b /\
  one_damaged h b /\ hits b = Z.max 0 (hits a - N).
Proof.
  intros h a N HN Ha Hne. destruct (one_damaged_sound h a Ha) as [Hsound _].
  assert (Hpos : Forall (fun hits => 0 <= hits) a).
  { eapply Forall_impl; [| exact Hsound]. cbn. lia. }
  destruct (deal_fits a N HN Hpos) as [Hfit Ht].
  destruct (all_fire_is_legal a _ N HN Hne Hfit Ht) as [Hlegal [_ Hfire]].
  exists (fire a (deal N a)). split; [| now apply greedy_keeps].
  exists (greedy_shots N a). split; [exact Hlegal | split; [reflexivity | now rewrite <- Hfire]].
Qed.

(** ** Greedy against any play *)

(** If at most one tower is damaged, fewer hits cannot mean more towers. *)
Lemma fewer_towers : forall h a b, 1 <= h -> one_damaged h a -> sound h b ->
  hits a <= hits b -> standing a <= standing b.
Proof.
  intros h a b Hh Ha Hb Hle. destruct (one_damaged_sound h a Ha) as [_ H].
  pose proof (hits_bounds h b Hb) as Hbounds. destruct a as [| x a]; [unfold standing; cbn; lia |].
  specialize (H ltac:(easy)). nia.
Qed.

Definition ahead (N1 : Z) (a1 : towers) (N2 : Z) (a2 : towers) : Prop :=
  N2 <= N1 /\ hits a1 <= hits a2 /\ standing a1 <= standing a2.

Lemma standing_zero : forall a, standing a <= 0 -> a = [].
Proof. intros [| x a] H; [reflexivity | unfold standing in H; cbn [length] in H; lia]. Qed.

Lemma reaches_soldiers : forall rule k r N a N1 a1, 0 < N -> a <> [] ->
  reaches rule k r N a N1 a1 -> 0 < N1 /\ a1 <> [].
Proof. intros rule k r N a N1 a1 HN Ha H. destruct H; easy. Qed.

(** After every round that a play has reached, greedy has already won or is ahead. *)
Lemma greedy_is_ahead : forall h k t NG NX a r N1 b,
  1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < NX <= NG -> a = repeat h t ->
  reaches any k r NX a N1 b ->
  sound h b /\ ((exists q, (q < r)%nat /\ soldiers_win greedy k q NG a) \/
    exists N2 c, reaches greedy k r NG a N2 c /\ one_damaged h c /\ ahead N2 c N1 b).
Proof.
  intros h k t NG NX a r N1 b Hh Hk Ht HN -> H.
  remember (repeat h t) as a eqn:Hrepeat. assert (Ha : one_damaged h a).
  { right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn in *. now rewrite Nat.sub_0_r. }
  assert (Hne : a <> []) by (destruct t; [lia | now subst]).
  induction H as [N a | r N a N1 a1 a2 H IH Hround Hne2 Halive].
  - split; [now apply one_damaged_sound |]. right. exists NG, a. repeat split; try lia; [constructor | exact Ha].
  - destruct (IH HN Hrepeat Ha Hne) as [Hsound Hcase]. destruct Hround as [shots [[Hl [Hf Htotal]] [_ ->]]].
    assert (Hsound2 : sound h (fire a1 shots)) by now apply fire_sound.
    split; [exact Hsound2 |].
    destruct Hcase as [[q [Hq Hwin]] | [N2 [c [Hreach [Hc [H1 [H2 H3]]]]]]];
      [left; exists q; split; [lia | exact Hwin] |].
    destruct (reaches_soldiers greedy k r NG a N2 c ltac:(lia) Hne Hreach) as [HN2 Hcne].
    destruct (greedy_round h c N2 ltac:(lia) Hc Hcne) as [c2 [Hround2 [Hc2 Hhits2]]].
    pose proof (fire_hits a1 shots Hl Hf) as Hhits.
    assert (Hnonneg : 0 <= hits (fire a1 shots)).
    { pose proof (hits_bounds h _ Hsound2). unfold standing in *. lia. }
    assert (Hless : hits c2 <= hits (fire a1 shots)) by lia.
    pose proof (fewer_towers h c2 _ Hh Hc2 Hsound2 Hless) as Htowers.
    destruct c2 as [| y c2].
    + left. exists r. split; [lia |]. now exists N2, c.
    + right. exists (N2 - k * standing (y :: c2)), (y :: c2). repeat split; try assumption.
      * constructor 2 with (a1 := c); [exact Hreach | exact Hround2 | easy | nia].
      * nia.
Qed.

(** A battle that the soldiers win in its third round. Examples below start from it. *)
Lemma five_win : soldiers_win any 1 2 5 [3; 3; 3].
Proof.
  exists 2, [1]. split; [| now exists [2]; repeat split; repeat constructor; lia].
  apply (further any 1 1 5 [3; 3; 3] 3 [1; 3] [1]); [| | easy | reflexivity].
  - apply (further any 1 0 5 [3; 3; 3] 5 [3; 3; 3] [1; 3]); [constructor | | easy | reflexivity].
    exists [3; 2; 0]. repeat split. repeat constructor; lia.
  - exists [0; 3]. repeat split. repeat constructor; lia.
Qed.

(**
   Claim: If any play wins in round r, with or without waste, then greedy with at least as many soldiers wins in round r
     or earlier. (Rounds are numbered from 0.)
   Prose: tower.md, Theorem 1 in part
   Settles: tower-best in part
*)
Theorem greedy_is_the_best : forall h k t NG NX r, 1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < NX <= NG ->
  soldiers_win any k r NX (repeat h t) -> exists q, (q <= r)%nat /\ soldiers_win greedy k q NG (repeat h t).
Proof.
  intros h k t NG NX r Hh Hk Ht HN [N1 [b [Hreach [shots [[Hl [Hf Htotal]] [_ Hwin]]]]]].
  destruct (greedy_is_ahead h k t NG NX _ r N1 b Hh Hk Ht HN eq_refl Hreach) as [Hsound Hcase].
  destruct Hcase as [[q [Hq Hwon]] | [N2 [c [Hreach2 [Hc [H1 [H2 H3]]]]]]]; [exists q; split; [lia | exact Hwon] |].
  exists r. split; [lia |]. exists N2, c. split; [exact Hreach2 |].
  assert (Hne : repeat h t <> []) by (destruct t; [lia | easy]).
  destruct (reaches_soldiers greedy k r NG _ N2 c ltac:(lia) Hne Hreach2) as [HN2 Hcne].
  destruct (greedy_round h c N2 ltac:(lia) Hc Hcne) as [c2 [Hround2 [Hc2 Hhits2]]].
  pose proof (fire_hits b shots Hl Hf) as Hhits. rewrite <- Hwin in Hhits. cbn in Hhits.
  replace (@nil Z) with c2; [exact Hround2 |]. apply standing_zero.
  destruct (one_damaged_sound h c2 Hc2) as [Hs2 _]. pose proof (hits_bounds h c2 Hs2). lia.
Qed.

Example greedy_is_the_best_holds : exists q, (q <= 2)%nat /\ soldiers_win greedy 1 q 6 [3; 3; 3].
Proof. apply (greedy_is_the_best 3 1 3 6 5 2); [lia | lia | lia | lia | exact five_win]. Qed.

(** There is only one way to play greedy, and the state that it reaches can be computed round by round. *)

Lemma one_round : forall N a b c, round greedy N a b -> round greedy N a c -> b = c.
Proof. intros N a b c [shots [_ [-> ->]]] [shots' [_ [-> ->]]]. reflexivity. Qed.

Lemma greedy_determined : forall k r N a N1 a1 N2 a2,
  reaches greedy k r N a N1 a1 -> reaches greedy k r N a N2 a2 -> N1 = N2 /\ a1 = a2.
Proof.
  intros k r N a N1 a1 N2 a2 H. revert N2 a2.
  induction H as [N a | r N a N1 a1 b H IH Hround Hne Halive]; intros N2 a2 H2; inversion H2; subst; [easy |].
  match goal with Hr : reaches _ _ _ _ _ _ _ |- _ => destruct (IH _ _ Hr) as [<- <-] end.
  match goal with Hr : round _ _ _ a2 |- _ => now rewrite (one_round _ _ _ _ Hround Hr) end.
Qed.

Lemma on_the_way : forall rule k r N a N1 a1 q, (q < r)%nat -> reaches rule k r N a N1 a1 ->
  exists N2 a2 b, reaches rule k q N a N2 a2 /\ round rule N2 a2 b /\ b <> [] /\ 0 < N2 - k * standing b.
Proof.
  intros rule k r N a N1 a1 q Hq H. induction H as [N a | r N a N1 a1 b H IH Hround Hne Halive]; [lia |].
  destruct (Nat.eq_dec q r) as [-> | Hqr]; [now exists N1, a1, b | apply IH; lia].
Qed.

(**
   Claim: If greedy loses in round r, every play with at most as many soldiers has lost by then: none is undecided after
     round r.
   Prose: tower.md, Theorem 1 in part; tower.md, Corollary
   Settles: tower-prolong
*)
Theorem greedy_lasts_longest : forall h k t NG NX r, 1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < NX <= NG ->
  towers_win greedy k r NG (repeat h t) ->
  (forall q, ~ soldiers_win any k q NX (repeat h t)) /\
  (forall N1 b, ~ reaches any k (1 + r) NX (repeat h t) N1 b).
Proof.
  intros h k t NG NX r Hh Hk Ht HN [N1 [a1 [a2 [Hreach [Hround [Hne Hdead]]]]]].
  assert (Hlost : forall q, ~ soldiers_win greedy k q NG (repeat h t)).
  { intros q [N3 [a3 [Hreach3 Hround3]]]. destruct (Nat.lt_trichotomy q r) as [Hqr | [-> | Hqr]].
    - destruct (on_the_way _ _ _ _ _ _ _ _ Hqr Hreach) as [N4 [a4 [a5 [Hreach4 [Hround4 [Hne4 _]]]]]].
      destruct (greedy_determined _ _ _ _ _ _ _ _ Hreach3 Hreach4) as [<- <-].
      now rewrite (one_round _ _ _ _ Hround3 Hround4) in Hne4.
    - destruct (greedy_determined _ _ _ _ _ _ _ _ Hreach3 Hreach) as [<- <-].
      now rewrite (one_round _ _ _ _ Hround3 Hround) in Hne.
    - destruct (on_the_way _ _ _ _ _ _ _ _ Hqr Hreach3) as [N4 [a4 [a5 [Hreach4 [Hround4 [_ Halive]]]]]].
      destruct (greedy_determined _ _ _ _ _ _ _ _ Hreach Hreach4) as [<- <-].
      rewrite (one_round _ _ _ _ Hround Hround4) in Hdead. lia. }
  split.
  - intros q Hq. destruct (greedy_is_the_best h k t NG NX q Hh Hk Ht HN Hq) as [p [_ Hp]]. now apply (Hlost p).
  - intros N3 b Hb. destruct (greedy_is_ahead h k t NG NX _ _ N3 b Hh Hk Ht HN eq_refl Hb) as [_ Hcase].
    destruct Hcase as [[q [_ Hq]] | [N4 [c [Hc _]]]]; [now apply (Hlost q) |].
    destruct (on_the_way greedy k (1 + r) _ _ _ _ r ltac:(lia) Hc) as [N5 [a5 [a6 [Hreach5 [Hround5 [_ Halive]]]]]].
    destruct (greedy_determined _ _ _ _ _ _ _ _ Hreach Hreach5) as [<- <-].
    rewrite (one_round _ _ _ _ Hround Hround5) in Hdead. lia.
Qed.

Example greedy_lasts_longest_holds : ~ soldiers_win any 1 7 4 [5; 5; 5; 5].
Proof.
  apply (greedy_lasts_longest 5 1 4 5 4 1); [lia | lia | lia | lia |]. exists 2, [5; 5; 5], [3; 5; 5].
  split; [apply (further greedy 1 0 5 [5; 5; 5; 5] 5 [5; 5; 5; 5] [5; 5; 5]); [constructor | | easy | reflexivity] |].
  - exists [5; 0; 0; 0]. repeat split. repeat constructor; lia.
  - split; [exists [2; 0; 0]; repeat split; repeat constructor; lia |]. split; [easy | vm_compute; discriminate].
Qed.

(**
   Claim: Compare greedy with any play that starts with the same towers and at most as many soldiers. After every round
     that both reach, greedy has at least as many soldiers, and at most as many hits and towers are left. If the play
     wins in round r, greedy wins in round r or earlier. If greedy loses in round r, the play has lost by then.
   Prose: tower.md, Theorem 1
*)
Theorem greedy_dominates : forall h k t NG NX, 1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < NX <= NG ->
  (forall r N1 b N2 c, reaches any k r NX (repeat h t) N1 b -> reaches greedy k r NG (repeat h t) N2 c ->
    ahead N2 c N1 b) /\
  (forall r, soldiers_win any k r NX (repeat h t) -> exists q, (q <= r)%nat /\
    soldiers_win greedy k q NG (repeat h t)) /\
  (forall r, towers_win greedy k r NG (repeat h t) ->
    (forall q, ~ soldiers_win any k q NX (repeat h t)) /\
    (forall N1 b, ~ reaches any k (1 + r) NX (repeat h t) N1 b)).
Proof.
  intros h k t NG NX Hh Hk Ht HN. split; [| split].
  - intros r N1 b N2 c HX HG.
    destruct (greedy_is_ahead h k t NG NX _ r N1 b Hh Hk Ht HN eq_refl HX) as [_ [[q [Hq Hwon]] | Hcase]].
    + exfalso. destruct Hwon as [N3 [a3 [HG3 Hround3]]].
      destruct (on_the_way _ _ _ _ _ _ _ q Hq HG) as [N4 [a4 [a5 [HG4 [Hround4 [Hne _]]]]]].
      destruct (greedy_determined _ _ _ _ _ _ _ _ HG3 HG4) as [<- <-].
      now rewrite (one_round _ _ _ _ Hround3 Hround4) in Hne.
    + destruct Hcase as [N3 [c3 [HG3 [_ Hahead]]]]. now destruct (greedy_determined _ _ _ _ _ _ _ _ HG HG3) as [-> ->].
  - intros r. now apply greedy_is_the_best.
  - intros r. now apply greedy_lasts_longest.
Qed.

Example greedy_dominates_holds : exists q, (q <= 2)%nat /\ soldiers_win greedy 1 q 5 [3; 3; 3].
Proof. apply (greedy_dominates 3 1 3 5 5); [lia .. | exact five_win]. Qed.

(**
   Claim: In a single round, no shots destroy more towers than greedy's. If the soldiers can win, greedy wins as fast as
     any play. Every play ends: after r rounds in which nobody won, at least kr soldiers are dead, so there are fewer
     than n/k rounds. No battle is a tie.
   Prose: tower.md, 1. The game; tower.md, 2. Greedy is the best play
   Settles: tower-best; tower-no-tie
*)
Theorem greedy_round_by_round : forall h k t N, 1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < N ->
  (forall r N1 a shots, reaches greedy k r N (repeat h t) N1 a -> legal N1 a shots ->
    standing (fire a (greedy_shots N1 a)) <= standing (fire a shots)) /\
  (forall r, soldiers_win any k r N (repeat h t) -> exists q, (q <= r)%nat /\
    soldiers_win greedy k q N (repeat h t)) /\
  (forall rule r N1 a, reaches rule k r N (repeat h t) N1 a -> 0 < N1 /\ a <> [] /\ N1 + k * Z.of_nat r <= N).
Proof.
  intros h k t N Hh Hk Ht HN. assert (Hne : repeat h t <> []) by (destruct t; [lia | easy]).
  assert (Ha : one_damaged h (repeat h t)).
  { right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn. now rewrite Nat.sub_0_r. }
  assert (Hend : forall rule r N1 a, reaches rule k r N (repeat h t) N1 a ->
    0 < N1 /\ a <> [] /\ N1 + k * Z.of_nat r <= N).
  { intros rule r N1 a H. remember (repeat h t) as b eqn:E.
    induction H as [N a | r N a N1 a1 a2 H IH Hround Hne2 Halive].
    - split; [exact HN |]. split; [exact Hne | cbn; lia].
    - destruct (IH HN E Hne Ha) as [_ [_ Hless]]. split; [exact Halive |]. split; [exact Hne2 |].
      assert (1 <= standing a2) by (destruct a2; [easy | unfold standing; cbn [length]; lia]).
      assert (k * 1 <= k * standing a2) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite Nat2Z.inj_add, Z.mul_add_distr_l. change (Z.of_nat 1) with 1. lia. }
  split; [| split; [intros r Hr; apply (greedy_is_the_best h k t N N r); try assumption; lia | exact Hend]].
  intros r N1 a shots Hreach [Hl [Hf Htotal]].
  assert (Hnow : one_damaged h a).
  { clear Hl Hf Htotal. remember (repeat h t) as b eqn:E. clear E.
    induction Hreach as [N a | r N a N1 a1 a2 H IH [g [_ [Hg Hfire]]] Hne2 Halive]; [exact Ha |].
    destruct (reaches_soldiers greedy k r N a N1 a1 HN Hne H) as [HN1 Hne1].
    destruct (greedy_round h a1 N1 ltac:(lia) (IH HN Hne Ha Hend) Hne1) as [c [[g2 [_ [Hg2 Hfire2]]] [Hc _]]].
    unfold greedy in Hg, Hg2. rewrite Hfire, Hg, <- Hg2, <- Hfire2. exact Hc. }
  destruct (reaches_soldiers greedy k r N _ N1 a HN Hne Hreach) as [HN1 Hne1].
  destruct (greedy_round h a N1 ltac:(lia) Hnow Hne1) as [c [[g [_ [Hg Hfire]]] [Hc Hhits]]].
  unfold greedy in Hg. rewrite <- Hg, <- Hfire. destruct (one_damaged_sound h a Hnow) as [Hsound _].
  pose proof (fire_sound h a shots Hsound Hf) as Hs. apply (fewer_towers h); [exact Hh | exact Hc | exact Hs |].
  pose proof (fire_hits a shots Hl Hf). pose proof (hits_bounds h _ Hs).
  assert (0 <= standing (fire a shots)) by (unfold standing; lia). lia.
Qed.

Example greedy_round_by_round_holds : standing (fire [3; 3; 3] (greedy_shots 5 [3; 3; 3])) <=
  standing (fire [3; 3; 3] [2; 2; 1]).
Proof.
  apply (greedy_round_by_round 3 1 3 5) with (r := 0%nat) (N1 := 5); [lia .. | constructor |].
  repeat split; repeat constructor; lia.
Qed.

(** ** How many soldiers are needed *)

(** A quantity that never increases in a round of greedy. *)
Definition strength (h k N H : Z) : Z := h * (N * N) + k * (N * H) - k * (H * H).

Lemma strength_falls : forall h k N H T, 1 <= h -> 0 < k -> 0 < N - k * T -> 0 <= H - N -> H - N <= h * T ->
  strength h k (N - k * T) (H - N) <= strength h k N H.
Proof.
  intros h k N H T Hh Hk HN HH HT. unfold strength. set (G := H - N) in *. replace H with (N + G) by (unfold G; lia).
  set (R := N - k * T) in *. assert (Hu : h * R <= h * N - k * G) by (unfold R; nia).
  set (u := h * N - k * G) in *. assert (0 < h * R) by nia.
  assert (H1 : (h * R) * (h * R) + k * G * (h * R) <= u * u + k * G * u) by nia.
  assert (H2 : u * u + k * G * u = h * (h * (N * N)) - h * (k * (N * G))) by (unfold u; ring).
  assert (H3 : h * (h * (R * R) + k * (R * G) - k * (G * G)) <=
    h * (h * (N * N) + k * (N * (N + G)) - k * ((N + G) * (N + G)))) by nia.
  nia.
Qed.

(**
   Claim: If the soldiers win by any play, then n(n + kt) > kht². This means n > xt, where 2x + k is the square root of
     k² + 4kh: squaring shows that 2n + kt > (2x + k)t.
   Prose: tower.md, Theorem 6
   Settles: tower-halves in part
*)
Theorem the_price : forall h k n t r, 1 <= h -> 0 < k -> (1 <= t)%nat -> 0 < n ->
  soldiers_win any k r n (repeat h t) -> n * (n + k * Z.of_nat t) > k * h * Z.of_nat t * Z.of_nat t /\
  (2 * n + k * Z.of_nat t) * (2 * n + k * Z.of_nat t) > (k * k + 4 * k * h) * (Z.of_nat t * Z.of_nat t).
Proof.
  intros h k n t r Hh Hk Ht Hn Hwin.
  enough (n * (n + k * Z.of_nat t) > k * h * Z.of_nat t * Z.of_nat t) by (split; [assumption | nia]).
  destruct (greedy_is_the_best h k t n n r Hh Hk Ht ltac:(lia) Hwin) as [q [_ [N1 [b [Hreach Hlast]]]]].
  assert (Ha : one_damaged h (repeat h t)).
  { right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn. now rewrite Nat.sub_0_r. }
  assert (Hne : repeat h t <> []) by (destruct t; [lia | easy]).
  assert (Hinv : one_damaged h b /\ b <> [] /\ 0 < N1 /\
    strength h k N1 (hits b) <= strength h k n (hits (repeat h t))).
  { clear Hlast Hwin. induction Hreach as [N a | p N a N1 a1 b Hreach IH Hround Hne2 Halive].
    { repeat split; easy || lia. }
    destruct (IH Hn Ha Hne) as [H1 [H2 [H3 H4]]].
    destruct (greedy_round h a1 N1 ltac:(lia) H1 H2) as [b2 [Hround2 [Hb2 Hhits]]].
    rewrite <- (one_round _ _ _ _ Hround Hround2) in Hb2, Hhits.
    destruct (one_damaged_sound h b Hb2) as [Hsound _]. pose proof (hits_bounds h b Hsound) as Hbounds.
    assert (0 < standing b) by (destruct b; [easy | unfold standing; cbn [length]; lia]).
    repeat split; [exact Hb2 | exact Hne2 | lia |].
    replace (hits b) with (hits a1 - N1) by lia.
    pose proof (strength_falls h k N1 (hits a1) (standing b) Hh Hk Halive ltac:(lia) ltac:(lia)). lia. }
  destruct Hinv as [H1 [H2 [H3 H4]]].
  destruct (greedy_round h b N1 ltac:(lia) H1 H2) as [b2 [Hround2 [_ Hhits]]].
  rewrite <- (one_round _ _ _ _ Hlast Hround2) in Hhits. change (hits []) with 0 in Hhits.
  destruct (one_damaged_sound h b H1) as [Hsound _]. pose proof (hits_bounds h b Hsound) as Hbounds.
  assert (0 <= hits b) by (unfold standing in *; lia).
  assert (Hpos : 0 < strength h k N1 (hits b)) by (unfold strength; nia).
  rewrite repeat_hits in H4. unfold strength in *. nia.
Qed.

Example the_price_holds : 5 * (5 + 1 * 3) > 1 * 3 * 3 * 3.
Proof. apply (the_price 3 1 5 3 2); [lia | lia | lia | lia | exact five_win]. Qed.

(**
   Claim: Against towers with one hit, the soldiers can win exactly when n(n + kt) > kt².
   Settles: tower-one-hit-price
*)
Theorem price_of_one_hit : forall k n t, 0 < k -> (1 <= t)%nat -> 0 < n ->
  ((exists r, soldiers_win any k r n (repeat 1 t)) <-> n * (n + k * Z.of_nat t) > k * Z.of_nat t * Z.of_nat t).
Proof.
  intros k n t Hk Ht Hn. split.
  - intros [r H]. apply (the_price 1 k n t r) in H; try assumption; lia.
  - assert (G : forall b t N, (t <= b)%nat -> (1 <= t)%nat -> 0 < N -> 0 < strength 1 k N (Z.of_nat t) ->
      exists r, soldiers_win any k r N (repeat 1 t)).
    { induction b as [| b IH]; intros u N Hb Hu HN H; [lia |].
      assert (Hne : repeat 1 u <> []) by (destruct u; [lia | easy]).
      destruct (Z.le_gt_cases (Z.of_nat u) N) as [Hall | Hmore].
      - exists 0%nat, N, (repeat 1 u). split; [constructor |].
        assert (Hfit : fitting (repeat 1 u) (repeat 1 u)) by (clear; induction u; constructor; [lia | exact IHu]).
        assert (Hsum : fold_right Z.add 0 (repeat 1 u) = Z.min N (hits (repeat 1 u)))
          by (pose proof (repeat_hits 1 u) as E; unfold hits in E |- *; rewrite E; lia).
        destruct (all_fire_is_legal (repeat 1 u) (repeat 1 u) N ltac:(lia) Hne Hfit Hsum) as [Hlegal [_ Hfire]].
        exists (all_fire N (repeat 1 u)). split; [exact Hlegal |]. split; [exact I |]. rewrite Hfire. symmetry.
        apply all_fall; [exact Hfit | reflexivity].
      - set (m := (u - Z.to_nat N)%nat). assert (Em : Z.of_nat m = Z.of_nat u - N) by (unfold m; lia).
        set (shots := repeat 1 (Z.to_nat N) ++ repeat 0 m).
        assert (Hu2 : repeat 1 u = repeat 1 (Z.to_nat N) ++ repeat 1 m)
          by (rewrite <- repeat_app; f_equal; unfold m; lia).
        assert (Hlegal : legal N (repeat 1 u) shots).
        { unfold legal, shots. split; [rewrite app_length, !repeat_length; unfold m; lia |]. split.
          - apply Forall_app. split; apply Forall_forall; intros y Hy; apply repeat_spec in Hy; lia.
          - rewrite fold_right_app.
            assert (E0 : fold_right Z.add 0 (repeat 0 m) = 0) by (clear; induction m; cbn; lia). rewrite E0.
            pose proof (repeat_hits 1 (Z.to_nat N)) as E. unfold hits in E. lia. }
        assert (Hfire : fire (repeat 1 u) shots = repeat 1 m).
        { rewrite Hu2. unfold shots. clear. clearbody m. induction (Z.to_nat N) as [| j IH]; [| exact IH].
          cbn [repeat app]. induction m as [| m IH]; [reflexivity |]. cbn [repeat fire].
          destruct (Z.leb_spec 1 0); [lia |]. now rewrite IH. }
        assert (Hlive : 0 < N - k * Z.of_nat m).
        { unfold strength in H. apply (Z.mul_pos_cancel_l N); [exact HN |]. rewrite Em.
          assert (0 <= k * ((Z.of_nat u - N) * (Z.of_nat u - N)))
            by (apply Z.mul_nonneg_nonneg; [lia | apply Z.square_nonneg]). lia. }
        destruct (IH m (N - k * Z.of_nat m)) as [r [N1 [a [Hreach Hlast]]]]; [lia | lia | exact Hlive | |].
        { unfold strength in *. rewrite Em in *. lia. }
        exists (1 + r)%nat, N1, a. split; [| exact Hlast]. clear Hlast IH H.
        assert (Hfirst : reaches any k 1 N (repeat 1 u) (N - k * Z.of_nat m) (repeat 1 m)).
        { replace (Z.of_nat m) with (standing (repeat 1 m)) by (unfold standing; now rewrite repeat_length).
          apply (further any k 0 N (repeat 1 u) N (repeat 1 u)); [constructor | | destruct m; [lia | easy] |
            unfold standing; now rewrite repeat_length].
          exists shots. split; [exact Hlegal |]. split; [exact I | now rewrite Hfire]. }
        remember (repeat 1 m) as c eqn:E. remember (N - k * Z.of_nat m) as M eqn:EM. clear E EM.
        induction Hreach as [M c | r M c N1 a1 a2 H IH Hround Hne2 Halive]; [exact Hfirst |].
        apply further with (a1 := a1); [now apply IH | assumption .. ]. }
    intros H. apply (G t t n); [lia | exact Ht | exact Hn | unfold strength; lia].
Qed.

Example price_of_one_hit_holds : exists r, soldiers_win any 1 r 3 (repeat 1 4).
Proof. apply price_of_one_hit; lia. Qed.
