(** The tower game: destroying the fewest towers is the worst play without waste. Also, claims of the post. *)

From Coq Require Import ZArith Lia List.
From Siegebook Require Import Tower.
Import ListNotations.
Open Scope Z_scope.

Definition careful (soldiers : Z) (a : towers) (shots : list Z) : Prop := without_waste a shots.

(** No waste, and as many towers as possible are left standing: each has at least one hit. *)
Definition sparing (soldiers : Z) (a : towers) (shots : list Z) : Prop :=
  without_waste a shots /\ standing (fire a shots) = Z.min (standing a) (hits (fire a shots)).

Definition positive (a : towers) : Prop := Forall (fun hits => 1 <= hits) a.

Lemma positive_bound : forall a, positive a -> standing a <= hits a.
Proof. intros a H. induction H as [| x a Hx _ IH]; unfold standing, hits in *; cbn [length fold_right] in *; lia. Qed.

Lemma fire_positive : forall a shots, positive a -> positive (fire a shots).
Proof.
  intros a. induction a as [| x a IH]; intros [| g shots] Ha; cbn; try constructor. inversion Ha; subst.
  destruct (Z.leb_spec x g); [now apply IH |]. constructor; [lia | now apply IH].
Qed.

Lemma careful_hits : forall soldiers a shots, legal soldiers a shots -> without_waste a shots ->
  hits (fire a shots) = Z.max 0 (hits a - soldiers).
Proof.
  intros soldiers a shots [Hl [Hf Ht]] [Hw | Hw].
  - assert (H : hits (fire a shots) = hits a - fold_right Z.add 0 shots /\ fold_right Z.add 0 shots <= hits a).
    { clear - Hw. induction Hw as [| x g a shots Hx _ IH]; [cbn; lia |]. cbn [fire].
      unfold hits in *. destruct (Z.leb_spec x g); cbn [fold_right]; lia. }
    lia.
  - pose proof (fire_hits a shots Hl Hf). rewrite Hw in *. unfold hits at 1. unfold hits in H at 2. cbn in *. lia.
Qed.

(** ** There is such a play *)

(** The hits of each tower, except for the last one. *)
Definition but_one (a : towers) : towers := map (fun hits => hits - 1) a.
Definition ones (a : towers) : list Z := map (fun _ => 1) a.

Fixpoint add (a b : list Z) : list Z :=
  match a, b with
  | x :: a, y :: b => x + y :: add a b
  | _, _ => []
  end.

(** Every tower is brought down to its last hit before any tower falls. *)
Definition wear (soldiers : Z) (a : towers) : list Z :=
  add (deal soldiers (but_one a)) (deal (Z.max 0 (soldiers - hits (but_one a))) (ones a)).

Lemma hits_but_one : forall a, hits (but_one a) = hits a - standing a.
Proof.
  induction a as [| x a IH]; [reflexivity |].
  unfold hits, standing, but_one in *. cbn [map fold_right length] in *. lia.
Qed.

Lemma hits_ones : forall a, hits (ones a) = standing a.
Proof.
  induction a as [| x a IH]; [reflexivity |]. unfold hits, standing, ones in *. cbn [map fold_right length] in *. lia.
Qed.

Lemma deal_none : forall a, Forall (fun hits => 0 <= hits) a -> deal 0 a = map (fun _ => 0) a.
Proof.
  intros a H. induction H as [| x a Hx _ IH]; [reflexivity |]. cbn [deal map].
  replace (0 - Z.min 0 x) with 0 by lia. replace (Z.min 0 x) with 0 by lia. now rewrite IH.
Qed.

Lemma deal_all : forall a soldiers, Forall (fun hits => 0 <= hits) a -> hits a <= soldiers -> deal soldiers a = a.
Proof.
  intros a soldiers H. revert soldiers. induction H as [| x a Hx Ha IH]; intros soldiers Hs; [reflexivity |].
  assert (0 <= hits a) by (clear - Ha; unfold hits; induction Ha; cbn; lia).
  unfold hits in *. cbn [deal fold_right] in *. rewrite Z.min_r by lia. f_equal. apply IH. lia.
Qed.

Lemma wear_fits : forall a soldiers, 0 <= soldiers -> positive a -> fitting a (wear soldiers a) /\
  fold_right Z.add 0 (wear soldiers a) = Z.min soldiers (hits a) /\
  standing (fire a (wear soldiers a)) = Z.min (standing a) (Z.max 0 (hits a - soldiers)).
Proof.
  intros a soldiers Hs Ha.
  assert (Hbut : Forall (fun hits => 0 <= hits) (but_one a))
    by (clear - Ha; induction Ha; constructor; [lia | assumption]).
  assert (Hones : Forall (fun hits => 0 <= hits) (ones a)) by (clear; induction a; constructor; [lia | assumption]).
  unfold wear. pose proof (hits_but_one a) as Hb. pose proof (positive_bound a Ha) as Hpos.
  assert (Hst : 0 <= standing a) by (unfold standing; lia).
  destruct (Z.le_gt_cases soldiers (hits (but_one a))) as [H | H].
  - replace (Z.max 0 (soldiers - hits (but_one a))) with 0 by lia. rewrite (deal_none (ones a) Hones).
    destruct (deal_fits (but_one a) soldiers Hs Hbut) as [Hfit Ht].
    revert Ht Hfit. generalize (deal soldiers (but_one a)). intros shots Ht Hfit.
    assert (Hsum : fold_right Z.add 0 (add shots (map (fun _ => 0) (ones a))) = fold_right Z.add 0 shots /\
      fitting a (add shots (map (fun _ => 0) (ones a))) /\
      standing (fire a (add shots (map (fun _ => 0) (ones a)))) = standing a).
    { clear - Hfit Ha. revert shots Hfit. induction Ha as [| x a Hx Ha IH]; intros shots Hfit; unfold but_one in Hfit;
        cbn [map] in Hfit; inversion Hfit as [| y g b shots' Hy Hrest]; subst; [now repeat constructor |].
      destruct (IH shots' Hrest) as [H1 [H2 H3]]. cbn [ones map add fold_right fire]. fold (ones a).
      unfold standing in *. repeat split; [lia | constructor; [lia | exact H2] |].
      destruct (Z.leb_spec x (g + 0)); cbn [length]; lia. }
    destruct Hsum as [H1 [H2 H3]]. repeat split; [exact H2 | lia | lia].
  - rewrite (deal_all (but_one a)) by (assumption || lia). rewrite Z.max_r by lia.
    enough (G : forall rest, 0 <= rest -> fitting a (add (but_one a) (deal rest (ones a))) /\
      fold_right Z.add 0 (add (but_one a) (deal rest (ones a))) = hits (but_one a) + Z.min rest (standing a) /\
      standing (fire a (add (but_one a) (deal rest (ones a)))) = Z.max 0 (standing a - rest)).
    { destruct (G (soldiers - hits (but_one a)) ltac:(lia)) as [G1 [G2 G3]]. repeat split; [exact G1 | lia | lia]. }
    clear - Ha. induction Ha as [| x a Hx Ha IH]; intros rest Hrest.
    { repeat split; [constructor | unfold hits, standing; cbn; lia ..]. }
    destruct (IH (rest - Z.min rest 1) ltac:(lia)) as [H1 [H2 H3]].
    cbn [ones but_one map deal add fold_right fire]. fold (ones a) (but_one a).
    unfold standing, hits in *. cbn [fold_right length]. repeat split.
    + constructor; [lia | exact H1].
    + lia.
    + destruct (Z.leb_spec x (x - 1 + Z.min rest 1)); cbn [length]; lia.
Qed.

(**
   Claim: In every round, there are shots without waste after which as many towers stand as there are hits left, or else
     all towers that stood before. So Fewest can always be played.
   Prose: tower.md, 3. Fewest is the worst play without waste
*)
Theorem fewest_is_possible : forall a soldiers, 0 <= soldiers -> positive a -> a <> [] ->
  exists b, round sparing soldiers a b.
Proof.
  intros a soldiers Hs Ha Hne. destruct (wear_fits a soldiers Hs Ha) as [Hfit [Ht Hstanding]].
  destruct (all_fire_is_legal a _ soldiers Hs Hne Hfit Ht) as [Hlegal [Hwaste Hfire]].
  exists (fire a (all_fire soldiers (wear soldiers a))), (all_fire soldiers (wear soldiers a)).
  split; [exact Hlegal |]. split; [| reflexivity]. split; [exact Hwaste |].
  rewrite (careful_hits soldiers a) by assumption. now rewrite Hfire.
Qed.

Example fewest_is_possible_holds : exists b, round sparing 4 [3; 2; 3] b.
Proof. apply fewest_is_possible; [lia | repeat constructor; lia | easy]. Qed.

(** ** It is the worst *)

Lemma one_round_behind : forall NF NX b c b2 c2, NF <= NX -> positive b -> positive c ->
  hits c <= hits b -> standing c <= standing b -> round sparing NF b b2 -> round careful NX c c2 ->
  hits c2 <= hits b2 /\ standing c2 <= standing b2.
Proof.
  intros NF NX b c b2 c2 HN Hb Hc Hhits Hstanding [g [Hls [[Hws Hmin] ->]]] [x [Hlx [Hwx ->]]].
  pose proof (careful_hits NF b g Hls Hws). pose proof (careful_hits NX c x Hlx Hwx).
  pose proof (fire_standing c x). pose proof (positive_bound _ (fire_positive c x Hc)). lia.
Qed.

Lemma fewest_is_behind : forall k a NF NX r N1 b N2 c, 0 < k -> positive a -> NF <= NX ->
  reaches sparing k r NF a N1 b -> reaches careful k r NX a N2 c ->
  positive b /\ positive c /\ N1 <= N2 /\ hits c <= hits b /\ standing c <= standing b.
Proof.
  intros k a NF NX r N1 b N2 c Hk Ha HN HF. revert N2 c.
  induction HF as [N a | r N a N1 a1 b HF IH Hround Hne Halive]; intros N2 c HX; inversion HX; subst.
  - repeat split; try assumption; lia.
  - match goal with H : reaches careful _ _ _ _ ?N3 ?a2, G : round careful ?N3 ?a2 c |- _ =>
      destruct (IH Ha HN _ _ H) as [Hb [Hc [B1 [B2 B3]]]];
      destruct (one_round_behind N1 N3 a1 a2 b c B1 Hb Hc B2 B3 Hround G) as [B4 B5]; destruct G as [shots [_ [_ ->]]]
    end.
    destruct Hround as [shots' [_ [_ ->]]].
    repeat split; try (now apply fire_positive); try assumption; nia.
Qed.

(**
   Claim: If Fewest wins in round r, then a play without waste that has at least as many soldiers against the same
     towers has not lost by then and is not undecided afterwards, so it has won. (Rounds are numbered from 0.)
   Prose: tower.md, Theorem 2 in part
*)
Theorem fewest_is_the_worst : forall k a NF NX r, 0 < k -> positive a -> NF <= NX -> soldiers_win sparing k r NF a ->
  (forall q, (q <= r)%nat -> ~ towers_win careful k q NX a) /\ (forall N c, ~ reaches careful k (1 + r) NX a N c).
Proof.
  intros k a NF NX r Hk Ha HN [N1 [b [HF Hwin]]].
  assert (Hround : forall N2 c c2, reaches careful k r NX a N2 c -> round careful N2 c c2 -> c2 = []).
  { intros N2 c c2 HX Hc2. destruct (fewest_is_behind k a NF NX r N1 b N2 c Hk Ha HN HF HX) as [Hb [Hc [H1 [H2 H3]]]].
    destruct (one_round_behind N1 N2 b c [] c2 H1 Hb Hc H2 H3 Hwin Hc2) as [_ H].
    apply standing_zero. unfold standing in *. cbn in H. lia. }
  split.
  - intros q Hq [N2 [c [c2 [HX [Hc2 [Hne Hdead]]]]]]. destruct (Nat.eq_dec q r) as [-> | Hqr].
    + apply Hne. eapply Hround; eassumption.
    + destruct (on_the_way sparing k r NF a N1 b q ltac:(lia) HF) as [N3 [b3 [b4 [HF3 [Hb4 [_ Halive]]]]]].
      destruct (fewest_is_behind k a NF NX q N3 b3 N2 c Hk Ha HN HF3 HX) as [Hb [Hc [H1 [H2 H3]]]].
      destruct (one_round_behind N3 N2 b3 c b4 c2 H1 Hb Hc H2 H3 Hb4 Hc2) as [_ H]. nia.
  - intros N c HX.
    destruct (on_the_way careful k (1 + r) NX a N c r ltac:(lia) HX) as [N2 [c1 [c2 [HX2 [Hc2 [Hne _]]]]]].
    apply Hne. eapply Hround; eassumption.
Qed.

Example fewest_is_the_worst_holds : ~ towers_win careful 1 1 7 [3; 3; 3].
Proof.
  apply (fewest_is_the_worst 1 [3; 3; 3] 6 7 1); [lia | repeat constructor; lia | lia | | lia].
  exists 3, [1; 1; 1]. split.
  - apply (further sparing 1 0 6 [3; 3; 3] 6 [3; 3; 3] [1; 1; 1]); [constructor | | easy | reflexivity].
    exists [2; 2; 2]. repeat split; [repeat constructor; lia | left; repeat constructor; lia].
  - exists [1; 1; 1]. repeat split; [repeat constructor; lia | now right].
Qed.

(**
   Claim: If a play without waste loses in round r, Fewest with at most as many soldiers has lost by then: it wins in no
     round, and is not undecided after round r.
   Prose: tower.md, Theorem 2 in part
*)
Theorem fewest_loses_first : forall k a NF NX r, 0 < k -> positive a -> NF <= NX -> towers_win careful k r NX a ->
  (forall q, ~ soldiers_win sparing k q NF a) /\ (forall N b, ~ reaches sparing k (1 + r) NF a N b).
Proof.
  intros k a NF NX r Hk Ha HN Hlost. pose proof Hlost as [N2 [c [c2 [HX [Hc2 [Hne Hdead]]]]]]. split.
  - intros q Hwin. destruct (fewest_is_the_worst k a NF NX q Hk Ha HN Hwin) as [H1 H2].
    destruct (Nat.le_gt_cases r q) as [Hrq | Hrq]; [now apply (H1 r Hrq) |].
    destruct (Nat.eq_dec r (1 + q)) as [-> | Hr]; [now apply (H2 N2 c) |].
    destruct (on_the_way careful k r NX a N2 c (1 + q) ltac:(lia) HX) as [N3 [c3 [_ [HX3 _]]]]. now apply (H2 N3 c3).
  - intros N b HF.
    destruct (on_the_way sparing k (1 + r) NF a N b r ltac:(lia) HF) as [N3 [b3 [b4 [HF3 [Hb4 [_ Halive]]]]]].
    destruct (fewest_is_behind k a NF NX r N3 b3 N2 c Hk Ha HN HF3 HX) as [Hb [Hc [H1 [H2 H3]]]].
    destruct (one_round_behind N3 N2 b3 c b4 c2 H1 Hb Hc H2 H3 Hb4 Hc2) as [_ H]. nia.
Qed.

Example fewest_loses_first_holds : ~ soldiers_win sparing 2 3 3 [3; 3; 3].
Proof.
  apply (fewest_loses_first 2 [3; 3; 3] 3 4 0); [lia | repeat constructor; lia | lia |].
  exists 4, [3; 3; 3], [1; 2; 2]. split; [constructor |]. split; [| split; [easy | vm_compute; discriminate]].
  exists [2; 1; 1]. repeat split; [repeat constructor; lia | left; repeat constructor; lia].
Qed.

(**
   Claim: Compare Fewest with a play without waste that starts with the same towers and at least as many soldiers. After
     every round that both reach, Fewest has at most as many soldiers, and at least as many hits and towers are left. If
     Fewest wins in round r, the play has won by then. If the play loses in round r, Fewest has lost by then.
   Prose: tower.md, Theorem 2
*)
Theorem fewest_is_dominated : forall k a NF NX, 0 < k -> positive a -> NF <= NX ->
  (forall r N1 b N2 c, reaches sparing k r NF a N1 b -> reaches careful k r NX a N2 c ->
    N1 <= N2 /\ hits c <= hits b /\ standing c <= standing b) /\
  (forall r, soldiers_win sparing k r NF a ->
    (forall q, (q <= r)%nat -> ~ towers_win careful k q NX a) /\ (forall N c, ~ reaches careful k (1 + r) NX a N c)) /\
  (forall r, towers_win careful k r NX a ->
    (forall q, ~ soldiers_win sparing k q NF a) /\ (forall N b, ~ reaches sparing k (1 + r) NF a N b)).
Proof.
  intros k a NF NX Hk Ha HN. split; [| split].
  - intros r N1 b N2 c HF HX. now apply (fewest_is_behind k a NF NX r N1 b N2 c).
  - intros r. now apply fewest_is_the_worst.
  - intros r. now apply fewest_loses_first.
Qed.

Example fewest_is_dominated_holds : ~ soldiers_win sparing 2 3 3 [3; 3; 3].
Proof.
  apply (fewest_is_dominated 2 [3; 3; 3] 3 4) with (r := 0%nat); [lia | repeat constructor; lia | lia |].
  exists 4, [3; 3; 3], [1; 2; 2]. split; [constructor |]. split; [| split; [easy | vm_compute; discriminate]].
  exists [2; 1; 1]. repeat split; [repeat constructor; lia | left; repeat constructor; lia].
Qed.

(** ** What the post claims *)

(**
   Claim: With h >= 2 and n <= t, the towers win whatever the soldiers do, with or without waste: no play wins.
   Prose: tower.md, Theorem 4
   Settles: tower-equal in part; tower-halves in part
*)
Theorem too_few : forall h k n t r, 2 <= h -> 0 < k -> 0 < n <= Z.of_nat t -> ~ soldiers_win any k r n (repeat h t).
Proof.
  intros h k n t r Hh Hk Hn [N1 [b [HX Hwin]]].
  assert (Hinv : sound h b /\ h * N1 <= hits b /\ 0 < N1).
  { remember (repeat h t) as a eqn:Ha. clear Hwin. induction HX as [N a | r N a N1 a1 b HX IH Hround Hne Halive].
    - subst a. rewrite repeat_hits. repeat split; [| nia | lia].
      apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia.
    - destruct (IH Hn Ha) as [Hs [H1 H2]]. destruct Hround as [shots [[Hl [Hf Ht]] [_ ->]]].
      pose proof (fire_sound h a1 shots Hs Hf) as Hs2. pose proof (hits_bounds h _ Hs2).
      pose proof (fire_hits a1 shots Hl Hf).
      assert (h * standing (fire a1 shots) <= k * (h * standing (fire a1 shots))) by (unfold standing in *; nia).
      assert (h * N1 <= 2 * (h * N1 - N1)) by nia.
      repeat split; [exact Hs2 | lia | lia]. }
  destruct Hinv as [Hs [H1 H2]]. destruct Hwin as [shots [[Hl [Hf Ht]] [_ Hnone]]].
  pose proof (fire_hits b shots Hl Hf) as H. rewrite <- Hnone in H. cbn in H. nia.
Qed.

Example too_few_holds : ~ soldiers_win any 1 6 4 [3; 3; 3; 3; 3].
Proof. apply (too_few 3 1 4 5 6); lia. Qed.

(**
   Claim: With h >= 2 and n <= t, soldiers who spread their shots, no two of them at the same tower, lose in the first
     round, because no tower falls. No other play wins, either.
   Prose: tower.md, Theorem 4
   Settles: tower-equal
*)
Theorem spread_and_lost : forall h k n t shots, 2 <= h -> 0 < k -> 0 < n <= Z.of_nat t ->
  legal n (repeat h t) shots -> Forall (fun g => g <= 1) shots ->
  standing (fire (repeat h t) shots) = Z.of_nat t /\ n - k * standing (fire (repeat h t) shots) <= 0 /\
  forall r, ~ soldiers_win any k r n (repeat h t).
Proof.
  intros h k n t shots Hh Hk Hn [Hl _] Hone.
  assert (Hall : standing (fire (repeat h t) shots) = Z.of_nat t).
  { unfold standing. f_equal. clear Hn. rewrite repeat_length in Hl. revert shots Hl Hone.
    induction t as [| t IH]; intros [| g shots] Hl Hone; try discriminate; [reflexivity |].
    inversion Hone; subst. cbn [repeat fire]. destruct (Z.leb_spec h g); [lia |]. cbn [length].
    f_equal. apply IH; [now injection Hl | assumption]. }
  split; [exact Hall |]. split; [rewrite Hall; nia |]. intros r. now apply too_few.
Qed.

Example spread_and_lost_holds : standing (fire (repeat 3 5) [1; 1; 0; 1; 0]) = Z.of_nat 5.
Proof. apply (spread_and_lost 3 1 3 5); [lia .. | repeat split; repeat constructor; lia | repeat constructor; lia]. Qed.

Ltac one_round_of shots :=
  exists shots; split; [unfold legal; repeat split; repeat constructor; lia | split; [| reflexivity]].

(**
   Claim: With shots spread evenly, 4 = 2 · 2 soldiers win against two towers with 3 > 2 hits and one kill: each tower
     gets two shots, and then one.
   Prose: tower.md, Theorem 5 in part
   Settles: tower-carried
*)
Theorem damage_is_carried_over : soldiers_win careful 1 1 4 [3; 3].
Proof.
  exists 2, [1; 1]. split.
  - apply (further careful 1 0 4 [3; 3] 4 [3; 3] [1; 1]); [constructor | | easy | reflexivity].
    one_round_of [2; 2]. left. repeat constructor; lia.
  - one_round_of [1; 1]. left. repeat constructor; lia.
Qed.

Example damage_is_carried_over_holds : soldiers_win careful 1 1 4 [3; 3].
Proof. exact damage_is_carried_over. Qed.

(**
   Claim: Against two towers with one hit that kill two, two soldiers who fire at the same tower lose, although n/t is
     an integer and h = 1: the post does not exclude waste.
   Prose: tower.md, 3. Fewest is the worst play without waste
   Settles: tower-any-shots
*)
Theorem waste_loses : towers_win any 2 0 2 [1; 1] /\ soldiers_win sparing 2 0 2 [1; 1].
Proof.
  split.
  - exists 2, [1; 1], [1]. split; [constructor |]. split; [| split; [easy | vm_compute; congruence]].
    one_round_of [2; 0]. exact I.
  - exists 2, [1; 1]. split; [constructor |]. one_round_of [1; 1]. split; [left; repeat constructor; lia | reflexivity].
Qed.

Example waste_loses_holds : soldiers_win sparing 2 0 2 [1; 1].
Proof. apply waste_loses. Qed.

(**
   Claim: With h = 1, three soldiers win against four towers with one kill, in the second round, although n < t.
   Settles: tower-three-four
*)
Theorem three_against_four : soldiers_win careful 1 1 3 [1; 1; 1; 1].
Proof.
  exists 2, [1]. split.
  - apply (further careful 1 0 3 [1; 1; 1; 1] 3 [1; 1; 1; 1] [1]); [constructor | | easy | reflexivity].
    one_round_of [1; 1; 1; 0]. left. repeat constructor; lia.
  - one_round_of [2]. right. reflexivity.
Qed.

Example three_against_four_holds : soldiers_win careful 1 1 3 [1; 1; 1; 1].
Proof. exact three_against_four. Qed.
