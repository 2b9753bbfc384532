(** The border of the worst aim without waste: soldiers who bring every tower to its last hit before one falls. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest.
Import ListNotations.
Open Scope Z_scope.

(** Do [s] soldiers who aim so win within [fuel] rounds? The towers that stand can take [h] hits, and are [t]: what is
    left after a round is the most that can be (Theorem 2). *)
Fixpoint wears_down (fuel : nat) (k s h t : Z) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      let left := Z.min t (h - s) in
      (h <=? s) || (0 <? s - k * left) && wears_down fuel k (s - k * left) (h - s) left
  end.

Lemma wears_down_sooner : forall fuel k s h t s2 h2 t2, 0 < k -> s <= s2 -> h2 <= h -> t2 <= t ->
  wears_down fuel k s h t = true -> wears_down fuel k s2 h2 t2 = true.
Proof.
  induction fuel as [| fuel IH]; intros k s h t s2 h2 t2 Hk Hs Hh Ht H; [discriminate |]. cbn [wears_down] in *.
  destruct (Z.leb_spec h2 s2) as [Hwon | Hmore]; [reflexivity |].
  destruct (Z.leb_spec h s); [lia |]. cbn [orb] in *. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
  assert (Hmin : Z.min t2 (h2 - s2) <= Z.min t (h - s)) by lia.
  apply andb_true_iff. split; [apply Z.ltb_lt; nia |].
  eapply IH; [exact Hk | | | | exact H2]; [nia | lia | exact Hmin].
Qed.

(** The form whose sign decides when each of the towers is at its last hit: s² + kst - kt². *)
Definition last_form (k s t : Z) : Z := s * s + k * s * t - k * t * t.

Lemma last_form_stays : forall k s t, last_form k (s - k * (t - s)) (t - s) = last_form k s t.
Proof. intros. unfold last_form. ring. Qed.

Lemma last_hits : forall k s t, 0 < k -> 0 < s -> 0 < t ->
  ((exists fuel, wears_down fuel k s t t = true) <-> 0 < last_form k s t).
Proof.
  intros k s t Hk Hs Ht. split.
  - intros [fuel H]. revert s t Hs Ht H. induction fuel as [| fuel IH]; intros s t Hs Ht H; [discriminate |].
    cbn [wears_down] in H. destruct (Z.leb_spec t s) as [Hwon | Hmore]; [unfold last_form; nia |].
    cbn [orb] in H. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
    rewrite Z.min_r in H1, H2 by lia. apply IH in H2; [| lia | lia]. now rewrite last_form_stays in H2.
  - assert (Hall : forall m s t, 0 < s -> 0 < t <= Z.of_nat m -> 0 < last_form k s t ->
      exists fuel, wears_down fuel k s t t = true).
    { induction m as [| m IH]; intros s0 t0 Hs0 Ht0 H; [lia |].
      destruct (Z.le_gt_cases t0 s0) as [Hwon | Hmore].
      - exists 1%nat. cbn [wears_down]. destruct (Z.leb_spec t0 s0); [reflexivity | lia].
      - assert (E : s0 * (s0 - k * (t0 - s0)) = last_form k s0 t0 + k * ((t0 - s0) * (t0 - s0)))
          by (unfold last_form; ring).
        assert (Hpos : 0 < s0 - k * (t0 - s0)) by nia.
        destruct (IH (s0 - k * (t0 - s0)) (t0 - s0)) as [fuel Hfuel]; [lia | lia | now rewrite last_form_stays |].
        exists (S fuel). cbn [wears_down]. rewrite Z.min_r by lia. rewrite Hfuel.
        destruct (Z.ltb_spec 0 (s0 - k * (t0 - s0))); [now rewrite orb_true_r | lia]. }
    intros H. apply (Hall (Z.to_nat t)); lia.
Qed.

(** The sum of the numbers below u: u(u-1)/2. *)
Fixpoint sum_below (u : nat) : Z := match u with O => 0 | S v => sum_below v + Z.of_nat v end.

(** A bet on round i + 1: if all towers stand until then, it begins with [alive] soldiers and leaves [left_over]
    hits. *)
Definition alive (k s t : Z) (i : nat) : Z := s - k * t * Z.of_nat i.
Definition left_over (k s h t : Z) (i : nat) : Z := h - Z.of_nat (S i) * s + k * t * sum_below (S i).
Definition bet (k s h t : Z) (i : nat) : Prop :=
  0 < alive k s t i /\
  (left_over k s h t i <= 0 \/
   k * left_over k s h t i * (alive k s t i + left_over k s h t i) < alive k s t i * alive k s t i).

Lemma bet_next : forall k s h t i, bet k (s - k * t) (h - s) t i <-> bet k s h t (S i).
Proof.
  intros k s h t i. unfold bet.
  replace (alive k (s - k * t) t i) with (alive k s t (S i))
    by (unfold alive; rewrite Nat2Z.inj_succ; unfold Z.succ; ring).
  replace (left_over k (s - k * t) (h - s) t i) with (left_over k s h t (S i)); [reflexivity |].
  unfold left_over. change (sum_below (S (S i))) with (sum_below (S i) + Z.of_nat (S i)).
  rewrite !Nat2Z.inj_succ. unfold Z.succ. ring.
Qed.

Lemma bet_0 : forall k s h t, bet k s h t 0 <->
  0 < s /\ (h - s <= 0 \/ k * (h - s) * (s + (h - s)) < s * s).
Proof.
  intros. unfold bet. replace (alive k s t 0) with s by (unfold alive; cbn; lia).
  replace (left_over k s h t 0) with (h - s) by (unfold left_over; cbn [sum_below]; lia). reflexivity.
Qed.

Lemma bet_wins : forall i k s h t, 0 < k -> 0 < t -> bet k s h t i -> exists fuel, wears_down fuel k s h t = true.
Proof.
  induction i as [| i IH]; intros k s h t Hk Ht Hbet;
    (destruct (Z.le_gt_cases h s) as [Hwon | Hmore];
      [exists 1%nat; cbn [wears_down]; destruct (Z.leb_spec h s); [reflexivity | lia] |]).
  - apply bet_0 in Hbet as [Hs [H | H]]; [lia |]. set (g := h - s) in *.
    assert (Hpos : 0 < s - k * g) by nia.
    destruct (proj2 (last_hits k (s - k * g) g Hk Hpos ltac:(lia))) as [fuel Hfuel].
    { replace (last_form k (s - k * g) g) with (s * s - k * g * (s + g)) by (unfold last_form; ring). lia. }
    exists (S fuel). cbn [wears_down]. fold g. assert (Hmin : k * Z.min t g <= k * g) by nia.
    destruct (Z.ltb_spec 0 (s - k * Z.min t g)); [| lia].
    rewrite (wears_down_sooner fuel k (s - k * g) g g); [now rewrite orb_true_r | lia ..| exact Hfuel].
  - assert (Hs : 0 < s - k * t).
    { destruct Hbet as [Halive _]. unfold alive in Halive. rewrite Nat2Z.inj_succ in Halive.
      unfold Z.succ in Halive. nia. }
    apply bet_next in Hbet. destruct (IH k (s - k * t) (h - s) t Hk Ht Hbet) as [fuel Hfuel].
    exists (S fuel). cbn [wears_down]. assert (Hmin : k * Z.min t (h - s) <= k * t) by nia.
    destruct (Z.ltb_spec 0 (s - k * Z.min t (h - s))); [| lia].
    rewrite (wears_down_sooner fuel k (s - k * t) (h - s) t); [now rewrite orb_true_r | lia .. | exact Hfuel].
Qed.

Lemma wears_down_by_a_bet : forall k s h t, 0 < k -> 0 < s -> 0 < t <= h ->
  ((exists fuel, wears_down fuel k s h t = true) <-> exists i, bet k s h t i).
Proof.
  intros k s h t Hk Hs Ht. split; [| intros [i Hi]; now apply (bet_wins i k s h t Hk ltac:(lia))].
  intros [fuel H]. revert s h t Hs Ht H. induction fuel as [| fuel IH]; intros s h t Hs Ht H; [discriminate |].
  cbn [wears_down] in H. destruct (Z.leb_spec h s) as [Hwon | Hmore].
  - exists 0%nat. apply bet_0. split; [lia | left; lia].
  - cbn [orb] in H. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
    destruct (Z.le_gt_cases t (h - s)) as [Hall | Hfall].
    + rewrite Z.min_l in H1, H2 by lia. destruct (IH (s - k * t) (h - s) t H1 ltac:(lia) H2) as [i Hi].
      exists (S i). now apply bet_next.
    + rewrite Z.min_r in H1, H2 by lia. exists 0%nat. apply bet_0. split; [lia | right]. set (g := h - s) in *.
      assert (Hlast : 0 < last_form k (s - k * g) g) by (apply last_hits; [lia | lia | lia | now exists fuel]).
      replace (last_form k (s - k * g) g) with (s * s - k * g * (s + g)) in Hlast by (unfold last_form; ring). lia.
Qed.

(** ** It is what happens to the towers *)

Lemma reaches_first : forall rule k r s a s2 a2, reaches rule k (S r) s a s2 a2 ->
  exists a1, round rule s a a1 /\ a1 <> [] /\ 0 < s - k * standing a1 /\
    reaches rule k r (s - k * standing a1) a1 s2 a2.
Proof.
  intros rule k r. induction r as [| r IH]; intros s a s2 a2 H; inversion H as [| r0 s0 a0 s1 a1 a3 H1 H2 H3 H4]; subst.
  - inversion H1; subst. exists a2. repeat split; try assumption. constructor.
  - apply IH in H1 as [b [Hb [Hne [Hpos Hreach]]]]. exists b. repeat split; try assumption.
    now apply further with (S1 := s1) (a1 := a1).
Qed.

Lemma reaches_front : forall rule k r s a a1 s2 a2, round rule s a a1 -> a1 <> [] -> 0 < s - k * standing a1 ->
  reaches rule k r (s - k * standing a1) a1 s2 a2 -> reaches rule k (S r) s a s2 a2.
Proof.
  intros rule k r s a a1 s2 a2 Hr Hne Hpos H. remember (s - k * standing a1) as s1 eqn:E. revert E.
  induction H as [s0 a0 | r s0 a0 s1 b1 b2 H IH Hround Hn Halive]; intros E.
  - subst s0. apply further with (S1 := s) (a1 := a); [constructor | exact Hr | exact Hne | exact Hpos].
  - apply further with (S1 := s1) (a1 := b1); [apply IH; assumption | assumption ..].
Qed.

(** Hits and standing towers after a sparing round. *)
Lemma sparing_leaves : forall s a b, positive a -> round sparing s a b ->
  positive b /\ hits b = Z.max 0 (hits a - s) /\ standing b = Z.min (standing a) (hits b).
Proof.
  intros s a b Ha [shots [Hl [[Hw Hs] ->]]]. split; [now apply fire_positive |].
  split; [now apply careful_hits | exact Hs].
Qed.

Lemma none_stand : forall a, standing a = 0 -> a = [].
Proof. intros a H. apply standing_zero. lia. Qed.

Lemma some_stand : forall a, a <> [] -> 0 < standing a.
Proof. intros [| x a] H; [easy | unfold standing; cbn [length]; lia]. Qed.

Lemma fewest_wears_down : forall k s a, 0 < k -> 0 < s -> positive a -> a <> [] ->
  ((exists r, soldiers_win sparing k r s a) <-> exists fuel, wears_down fuel k s (hits a) (standing a) = true).
Proof.
  intros k s a Hk Hs Ha Hne. split.
  - intros [r H]. revert s a Hs Ha Hne H. induction r as [| r IH]; intros s a Hs Ha Hne [s1 [a1 [Hreach Hlast]]].
    + inversion Hreach; subst. apply sparing_leaves in Hlast as [_ [Hhits _]]; [| exact Ha].
      exists 1%nat. cbn [wears_down]. cbn in Hhits. destruct (Z.leb_spec (hits a1) s1); [reflexivity | lia].
    + apply reaches_first in Hreach as [b [Hb [Hbne [Hpos Hreach]]]].
      destruct (sparing_leaves s a b Ha Hb) as [Hbpos [Hhits Hstand]].
      destruct (IH (s - k * standing b) b Hpos Hbpos Hbne) as [fuel Hfuel]; [now exists s1, a1 |].
      exists (S fuel). cbn [wears_down]. destruct (Z.leb_spec (hits a) s) as [Hwon | Hmore]; [reflexivity |].
      replace (Z.max 0 (hits a - s)) with (hits a - s) in Hhits by lia. rewrite <- Hhits, <- Hstand, Hfuel.
      destruct (Z.ltb_spec 0 (s - k * standing b)); [reflexivity | lia].
  - intros [fuel H]. revert s a Hs Ha Hne H. induction fuel as [| fuel IH]; intros s a Hs Ha Hne H; [discriminate |].
    destruct (fewest_is_possible a s ltac:(lia) Ha Hne) as [b Hb].
    destruct (sparing_leaves s a b Ha Hb) as [Hbpos [Hhits Hstand]]. pose proof (some_stand a Hne).
    cbn [wears_down] in H. destruct (Z.leb_spec (hits a) s) as [Hwon | Hmore].
    + exists 0%nat, s, a. split; [constructor |]. replace [] with b; [exact Hb | apply none_stand; lia].
    + cbn [orb] in H. replace (Z.max 0 (hits a - s)) with (hits a - s) in Hhits by lia.
      rewrite <- Hhits, <- Hstand in H. apply andb_true_iff in H as [Hpos H]. apply Z.ltb_lt in Hpos.
      assert (Hbne : b <> []) by (intros ->; cbn in Hstand, Hhits; lia).
      destruct (IH _ b Hpos Hbpos Hbne H) as [r [s1 [a1 [Hreach Hlast]]]].
      exists (S r), s1, a1. split; [| exact Hlast]. now apply reaches_front with (a1 := b).
Qed.

(**
   Claim: Soldiers who destroy as few towers as they can without waste win against t towers of h hits exactly if a bet
     on a round holds: if all towers stand until then, A > 0 soldiers begin it and G hits are left, and G <= 0, or
     A² > kG(A + G), which is A > cG for the positive root c of c² = k(c + 1).
   Prose: tower.md, Theorem 13 in part
   Settles: tower-fewest-border in part
   Code: Battle.MinSoldiers
*)
Theorem fewest_wins_by_a_bet : forall h k n t, 0 < h -> 0 < k -> 0 < n -> (1 <= t)%nat ->
  ((exists r, soldiers_win sparing k r n (repeat h t)) <-> exists i, bet k n (h * Z.of_nat t) (Z.of_nat t) i).
Proof.
  intros h k n t Hh Hk Hn Ht.
  assert (Hstand : standing (repeat h t) = Z.of_nat t) by (unfold standing; now rewrite repeat_length).
  rewrite fewest_wears_down, repeat_hits, Hstand; [apply wears_down_by_a_bet; nia | lia | lia | |].
  - apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia.
  - destruct t; [lia | easy].
Qed.

Example fewest_wins_by_a_bet_holds : exists r, soldiers_win sparing 1 r 29 (repeat 6 10).
Proof. apply fewest_wins_by_a_bet; try lia. exists 2%nat. split; [reflexivity | right; reflexivity]. Qed.
