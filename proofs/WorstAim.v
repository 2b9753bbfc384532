(** The border for the worst aim without waste: soldiers who bring every tower down to its last hit before any tower
    falls. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest.
Import ListNotations.
Open Scope Z_scope.

(** Do [N] soldiers who aim in this way win within [fuel] rounds? [t] towers are standing, and together they have [h]
    hits left. As many towers as possible are left after a round (Theorem 2). *)
Fixpoint wears_down (fuel : nat) (k N h t : Z) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      let left := Z.min t (h - N) in
      (h <=? N) || (0 <? N - k * left) && wears_down fuel k (N - k * left) (h - N) left
  end.

Lemma wears_down_sooner : forall fuel k N h t N2 h2 t2, 0 < k -> N <= N2 -> h2 <= h -> t2 <= t ->
  wears_down fuel k N h t = true -> wears_down fuel k N2 h2 t2 = true.
Proof.
  induction fuel as [| fuel IH]; intros k N h t N2 h2 t2 Hk Hs Hh Ht H; [discriminate |]. cbn [wears_down] in *.
  destruct (Z.leb_spec h2 N2) as [Hwon | Hmore]; [reflexivity |].
  destruct (Z.leb_spec h N); [lia |]. cbn [orb] in *. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
  assert (Hmin : Z.min t2 (h2 - N2) <= Z.min t (h - N)) by lia.
  apply andb_true_iff. split; [apply Z.ltb_lt; nia |].
  eapply IH; [exact Hk | | | | exact H2]; [nia | lia | exact Hmin].
Qed.

(** The form whose sign decides the battle when each of the towers is at its last hit: N² + kNt - kt². *)
Definition last_form (k N t : Z) : Z := N * N + k * N * t - k * t * t.

Lemma last_form_stays : forall k N t, last_form k (N - k * (t - N)) (t - N) = last_form k N t.
Proof. intros. unfold last_form. ring. Qed.

Lemma last_hits : forall k N t, 0 < k -> 0 < N -> 0 < t ->
  ((exists fuel, wears_down fuel k N t t = true) <-> 0 < last_form k N t).
Proof.
  intros k N t Hk Hs Ht. split.
  - intros [fuel H]. revert N t Hs Ht H. induction fuel as [| fuel IH]; intros N t Hs Ht H; [discriminate |].
    cbn [wears_down] in H. destruct (Z.leb_spec t N) as [Hwon | Hmore]; [unfold last_form; nia |].
    cbn [orb] in H. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
    rewrite Z.min_r in H1, H2 by lia. apply IH in H2; [| lia | lia]. now rewrite last_form_stays in H2.
  - assert (Hall : forall m N t, 0 < N -> 0 < t <= Z.of_nat m -> 0 < last_form k N t ->
      exists fuel, wears_down fuel k N t t = true).
    { induction m as [| m IH]; intros N0 t0 Hs0 Ht0 H; [lia |].
      destruct (Z.le_gt_cases t0 N0) as [Hwon | Hmore].
      - exists 1%nat. cbn [wears_down]. destruct (Z.leb_spec t0 N0); [reflexivity | lia].
      - assert (E : N0 * (N0 - k * (t0 - N0)) = last_form k N0 t0 + k * ((t0 - N0) * (t0 - N0)))
          by (unfold last_form; ring).
        assert (Hpos : 0 < N0 - k * (t0 - N0)) by nia.
        destruct (IH (N0 - k * (t0 - N0)) (t0 - N0)) as [fuel Hfuel]; [lia | lia | now rewrite last_form_stays |].
        exists (S fuel). cbn [wears_down]. rewrite Z.min_r by lia. rewrite Hfuel.
        destruct (Z.ltb_spec 0 (N0 - k * (t0 - N0))); [now rewrite orb_true_r | lia]. }
    intros H. apply (Hall (Z.to_nat t)); lia.
Qed.

(** The sum of the numbers below u: u(u-1)/2. *)
Fixpoint sum_below (u : nat) : Z := match u with O => 0 | S v => sum_below v + Z.of_nat v end.

(** A bet on round i + 1: if all towers stand until then, the round begins with [alive] soldiers and leaves [left_over]
    hits. *)
Definition alive (k N t : Z) (i : nat) : Z := N - k * t * Z.of_nat i.
Definition left_over (k N h t : Z) (i : nat) : Z := h - Z.of_nat (S i) * N + k * t * sum_below (S i).
Definition bet (k N h t : Z) (i : nat) : Prop :=
  0 < alive k N t i /\
  (left_over k N h t i <= 0 \/
   k * left_over k N h t i * (alive k N t i + left_over k N h t i) < alive k N t i * alive k N t i).

Lemma bet_next : forall k N h t i, bet k (N - k * t) (h - N) t i <-> bet k N h t (S i).
Proof.
  intros k N h t i. unfold bet.
  replace (alive k (N - k * t) t i) with (alive k N t (S i))
    by (unfold alive; rewrite Nat2Z.inj_succ; unfold Z.succ; ring).
  replace (left_over k (N - k * t) (h - N) t i) with (left_over k N h t (S i)); [reflexivity |].
  unfold left_over. change (sum_below (S (S i))) with (sum_below (S i) + Z.of_nat (S i)).
  rewrite !Nat2Z.inj_succ. unfold Z.succ. ring.
Qed.

Lemma bet_0 : forall k N h t, bet k N h t 0 <->
  0 < N /\ (h - N <= 0 \/ k * (h - N) * (N + (h - N)) < N * N).
Proof.
  intros. unfold bet. replace (alive k N t 0) with N by (unfold alive; cbn; lia).
  replace (left_over k N h t 0) with (h - N) by (unfold left_over; cbn [sum_below]; lia). reflexivity.
Qed.

Lemma bet_wins : forall i k N h t, 0 < k -> 0 < t -> bet k N h t i -> exists fuel, wears_down fuel k N h t = true.
Proof.
  induction i as [| i IH]; intros k N h t Hk Ht Hbet;
    (destruct (Z.le_gt_cases h N) as [Hwon | Hmore];
      [exists 1%nat; cbn [wears_down]; destruct (Z.leb_spec h N); [reflexivity | lia] |]).
  - apply bet_0 in Hbet as [Hs [H | H]]; [lia |]. set (g := h - N) in *.
    assert (Hpos : 0 < N - k * g) by nia.
    destruct (proj2 (last_hits k (N - k * g) g Hk Hpos ltac:(lia))) as [fuel Hfuel].
    { replace (last_form k (N - k * g) g) with (N * N - k * g * (N + g)) by (unfold last_form; ring). lia. }
    exists (S fuel). cbn [wears_down]. fold g. assert (Hmin : k * Z.min t g <= k * g) by nia.
    destruct (Z.ltb_spec 0 (N - k * Z.min t g)); [| lia].
    rewrite (wears_down_sooner fuel k (N - k * g) g g); [now rewrite orb_true_r | lia ..| exact Hfuel].
  - assert (Hs : 0 < N - k * t).
    { destruct Hbet as [Halive _]. unfold alive in Halive. rewrite Nat2Z.inj_succ in Halive.
      unfold Z.succ in Halive. nia. }
    apply bet_next in Hbet. destruct (IH k (N - k * t) (h - N) t Hk Ht Hbet) as [fuel Hfuel].
    exists (S fuel). cbn [wears_down]. assert (Hmin : k * Z.min t (h - N) <= k * t) by nia.
    destruct (Z.ltb_spec 0 (N - k * Z.min t (h - N))); [| lia].
    rewrite (wears_down_sooner fuel k (N - k * t) (h - N) t); [now rewrite orb_true_r | lia .. | exact Hfuel].
Qed.

Lemma wears_down_by_a_bet : forall k N h t, 0 < k -> 0 < N -> 0 < t <= h ->
  ((exists fuel, wears_down fuel k N h t = true) <-> exists i, bet k N h t i).
Proof.
  intros k N h t Hk Hs Ht. split; [| intros [i Hi]; now apply (bet_wins i k N h t Hk ltac:(lia))].
  intros [fuel H]. revert N h t Hs Ht H. induction fuel as [| fuel IH]; intros N h t Hs Ht H; [discriminate |].
  cbn [wears_down] in H. destruct (Z.leb_spec h N) as [Hwon | Hmore].
  - exists 0%nat. apply bet_0. split; [lia | left; lia].
  - cbn [orb] in H. apply andb_true_iff in H as [H1 H2]. apply Z.ltb_lt in H1.
    destruct (Z.le_gt_cases t (h - N)) as [Hall | Hfall].
    + rewrite Z.min_l in H1, H2 by lia. destruct (IH (N - k * t) (h - N) t H1 ltac:(lia) H2) as [i Hi].
      exists (S i). now apply bet_next.
    + rewrite Z.min_r in H1, H2 by lia. exists 0%nat. apply bet_0. split; [lia | right]. set (g := h - N) in *.
      assert (Hlast : 0 < last_form k (N - k * g) g) by (apply last_hits; [lia | lia | lia | now exists fuel]).
      replace (last_form k (N - k * g) g) with (N * N - k * g * (N + g)) in Hlast by (unfold last_form; ring). lia.
Qed.

(** ** This is what happens to the towers *)

Lemma reaches_first : forall rule k r N a N2 a2, reaches rule k (S r) N a N2 a2 ->
  exists a1, round rule N a a1 /\ a1 <> [] /\ 0 < N - k * standing a1 /\
    reaches rule k r (N - k * standing a1) a1 N2 a2.
Proof.
  intros rule k r. induction r as [| r IH]; intros N a N2 a2 H; inversion H as [| r0 N0 a0 N1 a1 a3 H1 H2 H3 H4]; subst.
  - inversion H1; subst. exists a2. repeat split; try assumption. constructor.
  - apply IH in H1 as [b [Hb [Hne [Hpos Hreach]]]]. exists b. repeat split; try assumption.
    now apply further with (N1 := N1) (a1 := a1).
Qed.

Lemma reaches_front : forall rule k r N a a1 N2 a2, round rule N a a1 -> a1 <> [] -> 0 < N - k * standing a1 ->
  reaches rule k r (N - k * standing a1) a1 N2 a2 -> reaches rule k (S r) N a N2 a2.
Proof.
  intros rule k r N a a1 N2 a2 Hr Hne Hpos H. remember (N - k * standing a1) as N1 eqn:E. revert E.
  induction H as [N0 a0 | r N0 a0 N1 b1 b2 H IH Hround Hn Halive]; intros E.
  - subst N0. apply further with (N1 := N) (a1 := a); [constructor | exact Hr | exact Hne | exact Hpos].
  - apply further with (N1 := N1) (a1 := b1); [apply IH; assumption | assumption ..].
Qed.

(** The hits and the standing towers after a round of the rule [sparing]. *)
Lemma sparing_leaves : forall N a b, positive a -> round sparing N a b ->
  positive b /\ hits b = Z.max 0 (hits a - N) /\ standing b = Z.min (standing a) (hits b).
Proof.
  intros N a b Ha [shots [Hl [[Hw Hs] ->]]]. split; [now apply fire_positive |].
  split; [now apply careful_hits | exact Hs].
Qed.

Lemma none_stand : forall a, standing a = 0 -> a = [].
Proof. intros a H. apply standing_zero. lia. Qed.

Lemma some_stand : forall a, a <> [] -> 0 < standing a.
Proof. intros [| x a] H; [easy | unfold standing; cbn [length]; lia]. Qed.

Lemma fewest_wears_down : forall k N a, 0 < k -> 0 < N -> positive a -> a <> [] ->
  ((exists r, soldiers_win sparing k r N a) <-> exists fuel, wears_down fuel k N (hits a) (standing a) = true).
Proof.
  intros k N a Hk Hs Ha Hne. split.
  - intros [r H]. revert N a Hs Ha Hne H. induction r as [| r IH]; intros N a Hs Ha Hne [N1 [a1 [Hreach Hlast]]].
    + inversion Hreach; subst. apply sparing_leaves in Hlast as [_ [Hhits _]]; [| exact Ha].
      exists 1%nat. cbn [wears_down]. cbn in Hhits. destruct (Z.leb_spec (hits a1) N1); [reflexivity | lia].
    + apply reaches_first in Hreach as [b [Hb [Hbne [Hpos Hreach]]]].
      destruct (sparing_leaves N a b Ha Hb) as [Hbpos [Hhits Hstand]].
      destruct (IH (N - k * standing b) b Hpos Hbpos Hbne) as [fuel Hfuel]; [now exists N1, a1 |].
      exists (S fuel). cbn [wears_down]. destruct (Z.leb_spec (hits a) N) as [Hwon | Hmore]; [reflexivity |].
      replace (Z.max 0 (hits a - N)) with (hits a - N) in Hhits by lia. rewrite <- Hhits, <- Hstand, Hfuel.
      destruct (Z.ltb_spec 0 (N - k * standing b)); [reflexivity | lia].
  - intros [fuel H]. revert N a Hs Ha Hne H. induction fuel as [| fuel IH]; intros N a Hs Ha Hne H; [discriminate |].
    destruct (fewest_is_possible a N ltac:(lia) Ha Hne) as [b Hb].
    destruct (sparing_leaves N a b Ha Hb) as [Hbpos [Hhits Hstand]]. pose proof (some_stand a Hne).
    cbn [wears_down] in H. destruct (Z.leb_spec (hits a) N) as [Hwon | Hmore].
    + exists 0%nat, N, a. split; [constructor |]. replace [] with b; [exact Hb | apply none_stand; lia].
    + cbn [orb] in H. replace (Z.max 0 (hits a - N)) with (hits a - N) in Hhits by lia.
      rewrite <- Hhits, <- Hstand in H. apply andb_true_iff in H as [Hpos H]. apply Z.ltb_lt in Hpos.
      assert (Hbne : b <> []) by (intros ->; cbn in Hstand, Hhits; lia).
      destruct (IH _ b Hpos Hbpos Hbne H) as [r [N1 [a1 [Hreach Hlast]]]].
      exists (S r), N1, a1. split; [| exact Hlast]. now apply reaches_front with (a1 := b).
Qed.

(**
   Claim: Soldiers who destroy as few towers as possible without waste win against t towers with h hits exactly when a
     bet on some round holds. The bet says: if all towers stand until then, A > 0 soldiers begin the round and G hits
     are left after it, and G <= 0 or A² > kG(A + G). The latter means A > cG for the positive root c of c² = k(c + 1).
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

(** ** The best bet *)

(** X >= c·j, where c is the positive root of c² = k(c + 1), and j > 0. *)
Definition at_least (k X j : Z) : Prop := 0 <= X /\ k * j * (X + j) <= X * X.

Lemma last_form_more : forall k a b g, 0 <= a <= b -> 0 < k -> 0 <= g -> 0 < last_form k a g -> 0 < last_form k b g.
Proof.
  intros k a b g Ha Hk Hg H. unfold last_form in *. assert (a * a <= b * b) by nia.
  assert (k * g * a <= k * g * b) by (apply Z.mul_le_mono_nonneg_l; nia). lia.
Qed.

Lemma last_form_fewer : forall k a g f, 0 < k -> 0 < a -> 0 < g <= f -> 0 < last_form k a f -> 0 < last_form k a g.
Proof.
  intros k a g f Hk Ha Hg H. destruct (Z.le_gt_cases g a) as [Hga | Hga]; [unfold last_form; nia |].
  assert (E : last_form k a g = last_form k a f + k * ((f - g) * (f + g - a))) by (unfold last_form; ring).
  assert (0 <= k * ((f - g) * (f + g - a))) by (apply Z.mul_nonneg_nonneg; nia). lia.
Qed.

(** A bet expressed by the form: the soldiers who are left after a round in which all but the last hits of [g] towers
    are shot away. *)
Lemma bet_by_form : forall k a g, 0 < k -> 0 < g ->
  (0 < a /\ k * g * (a + g) < a * a <-> 0 < a - k * g /\ 0 < last_form k (a - k * g) g).
Proof.
  intros k a g Hk Hg. unfold last_form.
  replace ((a - k * g) * (a - k * g) + k * (a - k * g) * g - k * g * g) with (a * a - k * g * (a + g)) by ring.
  split; intros [H1 H2]; (split; [| lia]); nia.
Qed.

Lemma next_by_form : forall k b g, 0 < k -> 0 < b -> 0 < g ->
  (g - b <= 0 \/ k * (g - b) * (b + (g - b)) < b * b <-> 0 < last_form k b g).
Proof.
  intros k b g Hk Hb Hg. unfold last_form. replace (b + (g - b)) with g by ring.
  replace (k * (g - b) * g) with (k * g * g - k * b * g) by ring. split.
  - intros [H | H]; nia.
  - intros H. right. lia.
Qed.

(** If X >= cj, a number of soldiers that is greater than t·X/j is greater than ct. *)
Lemma above_the_line : forall k j X a t, 0 < k -> 0 < j -> 0 < t -> at_least k X j -> t * X < j * a ->
  0 < a - k * t /\ 0 < last_form k (a - k * t) t.
Proof.
  intros k j X a t Hk Hj Ht [HX H] Ha. apply bet_by_form; [exact Hk | exact Ht |].
  assert (Hz : k * (j * t) * (t * X + j * t) <= (t * X) * (t * X)).
  { replace (k * (j * t) * (t * X + j * t)) with (t * t * (k * j * (X + j))) by ring.
    replace ((t * X) * (t * X)) with (t * t * (X * X)) by ring. apply Z.mul_le_mono_nonneg_l; nia. }
  set (z := t * X) in *. set (y := j * a) in *. set (w := j * t) in *. assert (0 < w) by (unfold w; nia).
  assert (0 <= z) by (unfold z; nia). assert (Hkw : k * w < y) by nia.
  assert (Hy : k * w * (y + w) < y * y) by nia.
  split; [unfold y in *; nia |]. assert (j * j * (k * t * (a + t)) < j * j * (a * a)).
  { replace (j * j * (k * t * (a + t))) with (k * w * (y + w)) by (unfold w, y; ring).
    replace (j * j * (a * a)) with (y * y) by (unfold y; ring). exact Hy. }
  nia.
Qed.

Lemma below_the_line : forall k j X a t, 0 < k -> 0 < j -> 0 < t -> ~ at_least k X j -> 0 < a -> j * a < t * X ->
  0 < a - k * t -> last_form k (a - k * t) t <= 0.
Proof.
  intros k j X a t Hk Hj Ht H Hpos Ha Halive. destruct (Z.le_gt_cases (last_form k (a - k * t) t) 0) as [| Hwins];
    [assumption |].
  exfalso. apply H. assert (0 < X) by nia. split; [lia |].
  destruct (proj2 (bet_by_form k a t Hk Ht)) as [_ Hf]; [split; assumption |].
  assert (Hy : k * (j * t) * (j * a + j * t) < (j * a) * (j * a)).
  { replace (k * (j * t) * (j * a + j * t)) with (j * j * (k * t * (a + t))) by ring.
    replace ((j * a) * (j * a)) with (j * j * (a * a)) by ring. apply Z.mul_lt_mono_pos_l; nia. }
  set (z := t * X) in *. set (y := j * a) in *. set (w := j * t) in *. assert (0 < w) by (unfold w; nia).
  assert (0 < y) by (unfold y; nia). assert (k * w < y) by nia.
  assert (0 <= (z - y) * (z + y - k * w)) by (apply Z.mul_nonneg_nonneg; lia).
  assert (Hz : k * w * (z + w) < z * z) by lia.
  assert (t * t * (k * j * (X + j)) < t * t * (X * X)).
  { replace (t * t * (k * j * (X + j))) with (k * w * (z + w)) by (unfold w, z; ring).
    replace (t * t * (X * X)) with (z * z) by (unfold z; ring). exact Hz. }
  apply Z.lt_le_incl, (Z.mul_lt_mono_pos_l (t * t)); [apply Z.mul_pos_pos; lia | assumption].
Qed.

Lemma sum_below_twice : forall u, 2 * sum_below u = Z.of_nat u * (Z.of_nat u - 1).
Proof. induction u as [| u IH]; [reflexivity |]. cbn [sum_below]. rewrite Nat2Z.inj_succ. unfold Z.succ. lia. Qed.

(** The hits that are left, plus the shots of j rounds that each had as many soldiers as the last. *)
Lemma left_and_alive : forall k n h t i,
  left_over k n (h * t) t i + Z.of_nat (S i) * alive k n t i = t * (h - k * sum_below (S i)).
Proof.
  intros k n h t i. pose proof (sum_below_twice (S i)) as E. unfold left_over, alive.
  rewrite Nat2Z.inj_succ in *. unfold Z.succ in *.
  set (j := Z.of_nat i) in *. set (b := sum_below (S i)) in *.
  replace (h * t - (j + 1) * n + k * t * b + (j + 1) * (n - k * t * j)) with
    (h * t + k * t * b - k * t * ((j + 1) * (j + 1 - 1))) by ring. rewrite <- E. ring.
Qed.

Lemma left_next : forall k n h t i, left_over k n h t (S i) = left_over k n h t i - alive k n t (S i).
Proof.
  intros k n h t i. unfold left_over, alive. change (sum_below (S (S i))) with (sum_below (S i) + Z.of_nat (S i)).
  rewrite !Nat2Z.inj_succ. unfold Z.succ. ring.
Qed.

Lemma alive_next : forall k n t i, alive k n t (S i) = alive k n t i - k * t.
Proof. intros k n t i. unfold alive. rewrite Nat2Z.inj_succ. unfold Z.succ. ring. Qed.

(** Is the bet on the round after round u, numbered from 1, better than the bet on round u? *)
Definition later_is_better (h k : Z) (u : nat) : Prop := at_least k (h - 1 - k * sum_below u) (Z.of_nat u).

Lemma bet_on_next : forall h k n t i, 0 < k -> 0 < t -> later_is_better h k (S i) ->
  bet k n (h * t) t i -> bet k n (h * t) t (S i).
Proof.
  intros h k n t i Hk Ht Hlate [Ha H]. unfold bet. rewrite left_next, alive_next.
  pose proof (left_and_alive k n h t i) as E. set (a := alive k n t i) in *. set (g := left_over k n (h * t) t i) in *.
  set (X := h - 1 - k * sum_below (S i)). assert (Hj : 0 < Z.of_nat (S i)) by lia.
  assert (EX : g + Z.of_nat (S i) * a = t * X + t) by (unfold X; lia).
  assert (Hnext : 0 < a - k * t /\ (0 < g -> 0 < last_form k (a - k * t) g)).
  { destruct (Z.le_gt_cases t g) as [Hall | Hfew].
    - destruct H as [H | H]; [lia |]. destruct (proj1 (bet_by_form k a g Hk ltac:(lia)) (conj Ha H)) as [H1 H2].
      split; [nia |]. intros _. apply (last_form_more k (a - k * g)); [nia | exact Hk | lia | exact H2].
    - destruct (above_the_line k (Z.of_nat (S i)) X a t Hk Hj Ht Hlate ltac:(lia)) as [H1 H2].
      split; [exact H1 |]. intros Hg. apply (last_form_fewer k _ g t); [exact Hk | exact H1 | lia | exact H2]. }
  destruct Hnext as [H1 H2]. split; [exact H1 |].
  destruct (Z.le_gt_cases g 0) as [Hg | Hg]; [left; lia |]. apply next_by_form; [exact Hk | exact H1 |
    exact Hg |]. auto.
Qed.

Lemma bet_before : forall h k n t i, 0 < k -> 0 < t -> ~ later_is_better h k (S i) ->
  bet k n (h * t) t (S i) -> bet k n (h * t) t i.
Proof.
  intros h k n t i Hk Ht Hlate H. unfold bet in H. rewrite left_next, alive_next in H.
  pose proof (left_and_alive k n h t i) as E. unfold bet. set (a := alive k n t i) in *.
  set (g := left_over k n (h * t) t i) in *. destruct H as [H1 H2]. assert (Ha : 0 < a) by nia. split; [exact Ha |].
  destruct (Z.le_gt_cases g 0) as [Hg | Hg]; [now left | right].
  apply next_by_form in H2; [| exact Hk | exact H1 | exact Hg].
  set (X := h - 1 - k * sum_below (S i)) in *. assert (Hj : 0 < Z.of_nat (S i)) by lia.
  assert (EX : g + Z.of_nat (S i) * a = t * X + t) by (unfold X; lia).
  apply bet_by_form; [exact Hk | exact Hg |]. destruct (Z.le_gt_cases g t) as [Hfew | Hall].
  - split; [nia |]. apply (last_form_more k (a - k * t)); [nia | exact Hk | lia | exact H2].
  - exfalso. pose proof (below_the_line k (Z.of_nat (S i)) X a t Hk Hj Ht Hlate Ha ltac:(lia) H1).
    pose proof (last_form_fewer k (a - k * t) t g Hk H1 ltac:(lia) H2). lia.
Qed.

Lemma sum_below_rises : forall u, sum_below u <= sum_below (S u).
Proof. intros u. cbn [sum_below]. lia. Qed.

Lemma never_better_again : forall h k u, 0 < k -> (1 <= u)%nat -> later_is_better h k (S u) -> later_is_better h k u.
Proof.
  intros h k u Hk Hu [H1 H2]. pose proof (sum_below_rises u) as Hb. unfold later_is_better, at_least.
  rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. set (X := h - 1 - k * sum_below (S u)) in *.
  set (Y := h - 1 - k * sum_below u). assert (HXY : X <= Y) by (unfold X, Y; nia). set (j := Z.of_nat u) in *.
  assert (0 < j) by (unfold j; lia). split; [lia |].
  assert (k * (j + 1) < X) by nia. assert (k * j * (X + j) <= X * X) by nia. nia.
Qed.

(**
   Claim: Soldiers who destroy as few towers as possible without waste win exactly when the bet on round u holds, where
     u is the first round after which it is no better to bet on the next: the smallest u >= 1 with h - 1 - ku(u - 1)/2 <
     cu. The proof in words shows that this means n > tρ, with the ρ of round u; that formula, which contains a square
     root, occurs in no statement here.
   Prose: tower.md, Theorem 13 in part
   Settles: tower-fewest-border in part
   Code: Battle.MinSoldiers
*)
Theorem best_bet : forall h k n t u, 0 < h -> 0 < k -> 0 < n -> (1 <= t)%nat ->
  ~ later_is_better h k (S u) -> (forall v, (1 <= v <= u)%nat -> later_is_better h k v) ->
  ((exists r, soldiers_win sparing k r n (repeat h t)) <-> bet k n (h * Z.of_nat t) (Z.of_nat t) u).
Proof.
  intros h k n t u Hh Hk Hn Ht Hlast Hbefore. rewrite fewest_wins_by_a_bet by assumption.
  split; [intros [i Hi] | intros H; now exists u]. destruct (Nat.le_gt_cases i u) as [Hiu | Hiu].
  - assert (G : forall m, (i + m <= u)%nat -> bet k n (h * Z.of_nat t) (Z.of_nat t) (i + m)).
    { induction m as [| m IH]; intros Hm; [now rewrite Nat.add_0_r |]. rewrite Nat.add_succ_r.
      apply bet_on_next; [exact Hk | lia | apply Hbefore; lia | apply IH; lia]. }
    replace u with (i + (u - i))%nat by lia. apply G. lia.
  - assert (Hafter : forall m, ~ later_is_better h k (S u + m)).
    { induction m as [| m IH]; [now rewrite Nat.add_0_r |]. rewrite Nat.add_succ_r. intros H. apply IH.
      apply never_better_again; [exact Hk | lia | exact H]. }
    assert (G : forall m, bet k n (h * Z.of_nat t) (Z.of_nat t) (u + m) -> bet k n (h * Z.of_nat t) (Z.of_nat t) u).
    { induction m as [| m IH]; [now rewrite Nat.add_0_r |]. rewrite Nat.add_succ_r. intros H. apply IH.
      apply bet_before; [exact Hk | lia | | exact H]. exact (Hafter m). }
    apply (G (i - u)%nat). now replace (u + (i - u))%nat with i by lia.
Qed.

Example best_bet_holds : ~ exists r, soldiers_win sparing 1 r 28 (repeat 6 10).
Proof.
  rewrite (best_bet 6 1 28 10 2); [| lia .. | |].
  - vm_compute. intros [_ [H | H]]; [now apply H | discriminate].
  - vm_compute. intros [_ H]. now apply H.
  - intros v Hv. assert (E : v = 1%nat \/ v = 2%nat) by lia. destruct E as [-> | ->]; split; vm_compute; congruence.
Qed.

(** X > c·Y, where c is the positive root of c² = k(c + 1). *)
Definition beyond (k X Y : Z) : Prop :=
  0 < X /\ (Y <= 0 \/ k * Y * (X + Y) < X * X) \/ X <= 0 /\ Y < 0 /\ X * X < k * Y * (X + Y).

(**
   Claim: Let u + 1 be the smallest j >= 1 with h - 1 - kj(j - 1)/2 < cj, which means kj² + j√(k² + 4k) > 2(h - 1).
     Soldiers who destroy as few towers as possible without waste win exactly when n - kt(j - 1) > c(t(h + kj(j - 1)/2)
     - nj). This means n > tρ, with the ρ of round j, so the smallest number of soldiers who win is 1 more than the
     integer part of tρ.
   Prose: tower.md, Theorem 13
   Settles: tower-fewest-border
   Code: Battle.MinSoldiers
*)
Theorem fewest_border : forall h k n t u, 0 < h -> 0 < k -> 0 < n -> (1 <= t)%nat ->
  ~ later_is_better h k (S u) -> (forall v, (1 <= v <= u)%nat -> later_is_better h k v) ->
  ((exists r, soldiers_win sparing k r n (repeat h t)) <->
   beyond k (n - k * Z.of_nat t * Z.of_nat u)
     (Z.of_nat t * (h + k * sum_below (S u)) - n * Z.of_nat (S u))).
Proof.
  intros h k n t u Hh Hk Hn Ht Hlast Hbefore. rewrite (best_bet h k n t u) by assumption.
  unfold bet, beyond, alive, left_over.
  replace (Z.of_nat t * (h + k * sum_below (S u)) - n * Z.of_nat (S u)) with
    (h * Z.of_nat t - Z.of_nat (S u) * n + k * Z.of_nat t * sum_below (S u)) by ring.
  split; [tauto |]. intros [H | [HA [HG _]]]; [exact H | exfalso]. destruct u as [| u]; [lia |].
  destruct (Hbefore (S u) ltac:(lia)) as [HX1 HX2]. pose proof (sum_below_twice (S u)) as E.
  change (sum_below (S (S u))) with (sum_below (S u) + Z.of_nat (S u)) in HG.
  rewrite (Nat2Z.inj_succ (S u)) in HG. unfold Z.succ in HG.
  set (j := Z.of_nat (S u)) in *. set (b := sum_below (S u)) in *. set (T := Z.of_nat t) in *.
  assert (Hj : 1 <= j) by (unfold j; lia). assert (HT : 1 <= T) by (unfold T; lia).
  set (X := h - 1 - k * b) in *. assert (HX : k * j <= X).
  { destruct (Z.le_gt_cases (k * j) X) as [| L]; [assumption | exfalso].
    assert (0 < k * j * j) by (apply Z.mul_pos_pos; [apply Z.mul_pos_pos |]; lia).
    assert (X * X <= k * j * X) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  assert (Hpos : 0 < h - k * (b + j)) by (unfold X in HX; lia).
  assert (Hn2 : (j + 1) * n <= (j + 1) * (k * T * j)) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (E2 : (j + 1) * (k * T * j) = 2 * (k * T * (b + j))).
  { replace (2 * (k * T * (b + j))) with (k * T * (2 * b + 2 * j)) by ring. rewrite E. ring. }
  assert (0 < T * (h - k * (b + j))) by (apply Z.mul_pos_pos; lia). nia.
Qed.

Example fewest_border_holds : beyond 1 (29 - 1 * 10 * 2) (10 * (6 + 1 * 3) - 29 * 3) /\
  ~ beyond 1 (28 - 1 * 10 * 2) (10 * (6 + 1 * 3) - 28 * 3).
Proof.
  split.
  - apply (fewest_border 6 1 29 10 2); [lia .. | | |].
    + vm_compute. intros [_ H]. now apply H.
    + intros v Hv. assert (E : v = 1%nat \/ v = 2%nat) by lia. destruct E as [-> | ->]; split; vm_compute; congruence.
    + exact fewest_wins_by_a_bet_holds.
  - intros H. apply best_bet_holds. apply (fewest_border 6 1 28 10 2); [lia .. | | | exact H].
    + vm_compute. intros [_ H0]. now apply H0.
    + intros v Hv. assert (E : v = 1%nat \/ v = 2%nat) by lia. destruct E as [-> | ->]; split; vm_compute; congruence.
Qed.
