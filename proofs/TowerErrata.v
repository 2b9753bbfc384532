(** The tower game: counterexamples to the post, and what is true instead. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest TowerEven.
Import ListNotations.
Open Scope Z_scope.

(**
   Claim: When 5 soldiers play greedy against two towers with 4 hits and 3 kills, 2 soldiers are left after the first
     round, and the towers win in the second.
   Prose: tower.md, 7. The post's claims
   Settles: tower-two-left; tower-one-stands
*)
Theorem two_are_left : reaches greedy 3 1 5 [4; 4] 2 [3] /\ towers_win greedy 3 1 5 [4; 4].
Proof.
  assert (H : reaches greedy 3 1 5 [4; 4] 2 [3]).
  { apply (further greedy 3 0 5 [4; 4] 5 [4; 4] [3]); [constructor | | easy | reflexivity]. now one_round_of [4; 1]. }
  split; [exact H |]. exists 2, [3], [1]. split; [exact H |]. split; [now one_round_of [2] |].
  split; [easy | vm_compute; congruence].
Qed.

Example two_are_left_holds : towers_win greedy 3 1 5 [4; 4].
Proof. apply two_are_left. Qed.

(**
   Claim: With shots spread evenly, 3 soldiers leave two towers of 3 hits with 2 hits and 1 hit, and the last soldier
     destroys the tower with 1 hit, although both could stay standing. With waste, 4 soldiers who spread their shots
     destroy two towers of 2 hits, but destroy only one if all of them fire at it.
   Prose: tower.md, 4. Even spreading
   Settles: tower-even
*)
Theorem spread_is_not_least :
  reaches even 1 1 3 [3; 3] 1 [2; 1] /\ round even 1 [2; 1] [2] /\ round careful 1 [2; 1] [1; 1] /\
  round even 4 [2; 2] [] /\ round any 4 [2; 2] [2].
Proof.
  split; [| split; [now one_round_of [0; 1] | split; [| split; [now one_round_of [2; 2] | now one_round_of [0; 4]]]]].
  - apply (further even 1 0 3 [3; 3] 3 [3; 3] [2; 1]); [constructor | | easy | reflexivity]. now one_round_of [1; 2].
  - one_round_of [1; 0]. left. repeat constructor; lia.
Qed.

Example spread_is_not_least_holds : round any 4 [2; 2] [2].
Proof. apply spread_is_not_least. Qed.

(**
   Claim: With at least ht soldiers, every play without waste wins at once, however it aims. This includes h = 1 with n
     >= t, and integer ratios n/t of at least h.
   Prose: tower.md, Theorem 3 in part
   Settles: tower-waste
*)
Theorem enough_at_once : forall n a b, positive a -> hits a <= n -> round careful n a b -> b = [].
Proof.
  intros n a b Ha Hn [shots [Hl [Hw ->]]]. pose proof (careful_hits n a shots Hl Hw) as H.
  pose proof (positive_bound _ (fire_positive a shots Ha)). apply standing_zero. lia.
Qed.

Example enough_at_once_holds : fire [1; 1] [1; 2] = [].
Proof.
  apply (enough_at_once 3 [1; 1]); [repeat constructor; lia | vm_compute; discriminate |].
  one_round_of [1; 2]. now right.
Qed.

(**
   Claim: Against towers with one hit, if there are at most as many towers as soldiers, each tower can be shot at, and
     this wins.
   Settles: tower-at-once
*)
Theorem one_shot_each : forall n k t, Z.of_nat t <= n -> (1 <= t)%nat ->
  (exists shots, legal n (repeat 1 t) shots /\ Forall (fun g => 1 <= g) shots) /\
  forall shots, legal n (repeat 1 t) shots -> Forall (fun g => 1 <= g) shots -> soldiers_win any k 0 n (repeat 1 t).
Proof.
  intros n k t Hn Ht. split.
  - destruct t as [| t]; [lia |]. exists (n - Z.of_nat t :: repeat 1 t).
    assert (Hsum : fold_right Z.add 0 (repeat 1 t) = Z.of_nat t)
      by (clear; induction t as [| t IH]; cbn [repeat fold_right]; lia).
    assert (Hones : forall b, 0 <= b <= 1 -> Forall (fun g => b <= g) (repeat 1 t)).
    { intros b Hb. apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia. }
    repeat split; cbn [repeat length fold_right]; rewrite ?repeat_length; try reflexivity; try lia;
      constructor; try lia; apply Hones; lia.
  - intros shots Hl Hs. exists n, (repeat 1 t). split; [constructor |]. exists shots. repeat split; try apply Hl.
    destruct Hl as [Hl _]. rewrite repeat_length in Hl. subst t. clear Hn Ht. induction Hs as [| g shots H1 _ IH];
      [reflexivity |]. cbn [length repeat fire]. destruct (Z.leb_spec 1 g); [exact IH | lia].
Qed.

Example one_shot_each_holds : soldiers_win any 1 0 3 [1; 1].
Proof.
  apply (one_shot_each 3 1 2) with (shots := [2; 1]); [lia | lia | | repeat constructor; lia].
  unfold legal. repeat split; repeat constructor; lia.
Qed.

(**
   Claim: If three soldiers all fire at one of two towers with one hit, they lose against the other tower if it kills
     three.
   Settles: tower-waste in part
*)
Theorem all_at_one_lose : towers_win any 3 0 3 [1; 1].
Proof.
  exists 3, [1; 1], [1]. split; [constructor |]. split; [now one_round_of [3; 0] | split; [easy | vm_compute;
    congruence]].
Qed.

Example all_at_one_lose_holds : towers_win any 3 0 3 [1; 1].
Proof. exact all_at_one_lose. Qed.

(** As many towers as possible fall in the round: no other shots leave fewer towers. *)
Definition most_fall (soldiers : Z) (a : towers) (shots : list Z) : Prop :=
  forall others, legal soldiers a others -> standing (fire a shots) <= standing (fire a others).

Lemma no_more_fall : forall h soldiers a shots, 0 <= h -> sound h a -> h * (standing (fire a shots) - 1) < hits a -
  soldiers ->
  most_fall soldiers a shots.
Proof.
  intros h soldiers a shots Hh Ha H others [Hl [Hf Ht]]. pose proof (fire_hits a others Hl Hf).
  pose proof (hits_bounds h _ (fire_sound h a others Ha Hf)). nia.
Qed.

(**
   Claim: Eleven soldiers against five towers with 4 hits and 2 kills can lose in the third round even if as many towers
     as possible fall in each round. Greedy wins in the fourth.
   Settles: tower-maximal
*)
Theorem most_can_lose : towers_win most_fall 2 2 11 [4; 4; 4; 4; 4] /\ soldiers_win greedy 2 3 11 [4; 4; 4; 4; 4].
Proof.
  split.
  - exists 1, [2; 2], [1; 2]. split.
    + apply (further most_fall 2 1 11 [4; 4; 4; 4; 4] 5 [3; 3; 3] [2; 2]); [| | easy | reflexivity].
      * apply (further most_fall 2 0 11 [4; 4; 4; 4; 4] 11 [4; 4; 4; 4; 4] [3; 3; 3]);
          [constructor | | easy | reflexivity].
        one_round_of [4; 4; 1; 1; 1]. apply (no_more_fall 4); [lia | repeat constructor; lia | reflexivity].
      * one_round_of [3; 1; 1]. apply (no_more_fall 3); [lia | repeat constructor; lia | reflexivity].
    + split; [| split; [easy | vm_compute; congruence]].
      one_round_of [1; 0]. apply (no_more_fall 2); [lia | repeat constructor; lia | reflexivity].
  - exists 1, [1]. split; [| now one_round_of [1]].
    apply (further greedy 2 2 11 [4; 4; 4; 4; 4] 3 [4] [1]); [| now one_round_of [3] | easy | reflexivity].
    apply (further greedy 2 1 11 [4; 4; 4; 4; 4] 5 [1; 4; 4] [4]); [| now one_round_of [1; 4; 0] | easy | reflexivity].
    apply (further greedy 2 0 11 [4; 4; 4; 4; 4] 11 [4; 4; 4; 4; 4] [1; 4; 4]);
      [constructor | now one_round_of [4; 4; 3; 0; 0] | easy | reflexivity].
Qed.

Example most_can_lose_holds : soldiers_win greedy 2 3 11 [4; 4; 4; 4; 4].
Proof. apply most_can_lose. Qed.

(**
   Claim: Three soldiers against three towers of 2 hits destroy one tower and damage one of the two that are left: n/h =
     1.5 towers do not fall.
   Prose: tower.md, 7. The post's claims
   Settles: tower-halves in part
*)
Theorem one_is_damaged : round greedy 3 [2; 2; 2] [1; 2].
Proof. now one_round_of [2; 1; 0]. Qed.

Example one_is_damaged_holds : round greedy 3 [2; 2; 2] [1; 2].
Proof. exact one_is_damaged. Qed.

(** ** The division *)

(**
   Claim: While greedy plays, the number of standing towers is the number of hits left plus h - 1, divided by h and
     rounded down.
   Prose: tower.md, 2. Greedy is the best play
   Settles: tower-division; tower-under-counts in part
*)
Theorem towers_by_division : forall h k t r n N1 b, 0 < h -> 0 < n -> (1 <= t)%nat ->
  reaches greedy k r n (repeat h t) N1 b -> standing b = (hits b + h - 1) / h.
Proof.
  intros h k t r n N1 b Hh Hn Ht H.
  assert (Hb : one_damaged h b /\ b <> [] /\ 0 < N1).
  { remember (repeat h t) as a eqn:Ea. induction H as [N a | r N a N1 a1 b H IH Hround Hne Halive].
    - subst a. split; [| split; [now apply repeat_some | exact Hn]].
      right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn. now rewrite Nat.sub_0_r.
    - destruct (IH Hn Ea) as [H1 [H2 H3]]. destruct (greedy_round h a1 N1 ltac:(lia) H1 H2) as [c [Hc [Hone _]]].
      split; [| split; [exact Hne | exact Halive]]. now rewrite (one_round _ _ _ _ Hround Hc). }
  destruct Hb as [Hb [Hne _]]. destruct (one_damaged_sound h b Hb) as [Hs Hmany]. specialize (Hmany Hne).
  pose proof (hits_bounds h b Hs). apply Z.div_unique with (hits b + h - 1 - h * standing b); lia.
Qed.

Example towers_by_division_holds : standing [3] = (hits [3] + 4 - 1) / 4.
Proof. apply (towers_by_division 4 3 2 1 5 2); [lia | lia | lia | apply two_are_left]. Qed.

(** The same with fractions: N/D soldiers, H/D hits, and (H/D + h - 1)/h towers. Do the soldiers win? *)
Fixpoint by_fractions (fuel : nat) (h k N H D : Z) : bool :=
  match fuel with
  | O => false
  | Datatypes.S fuel =>
      let left := h * N - k * (H - N + (h - 1) * D) in
      (H <=? N) || (0 <? left) && by_fractions fuel h k left (h * (H - N)) (h * D)
  end.

(**
   Claim: Three soldiers win against two towers with 3 hits and one kill, in the third round. If the division is not
     rounded, so that there are fractions of towers, they lose.
   Settles: tower-division in part
*)
Theorem fractions_decide : soldiers_win greedy 1 2 3 [3; 3] /\ forall fuel, by_fractions fuel 3 1 3 6 1 = false.
Proof.
  split.
  - exists 1, [1]. split; [| now one_round_of [1]].
    apply (further greedy 1 1 3 [3; 3] 2 [3] [1]); [| now one_round_of [2] | easy | reflexivity].
    apply (further greedy 1 0 3 [3; 3] 3 [3; 3] [3]); [constructor | now one_round_of [3; 0] | easy | reflexivity].
  - intros [| [| [| fuel]]]; reflexivity.
Qed.

Example fractions_decide_holds : soldiers_win greedy 1 2 3 [3; 3].
Proof. apply fractions_decide. Qed.
