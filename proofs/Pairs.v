(** The tower game: how many soldiers can lose if they waste shots. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest WorstAim TowerEven.
Import ListNotations.
Open Scope Z_scope.

(** All fire at the first tower of the list. *)
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
   Claim: Up to kt(t - 1)/2 soldiers lose by some play that wastes shots: if all fire at one tower in every round.
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

(** Against towers of one hit each shot that hits destroys. *)
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
   Claim: Against t towers of one hit soldiers win however they aim, with waste or without,
     exactly if they are more than
     kt(t - 1)/2: no play loses then.
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
