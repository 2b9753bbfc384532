(** The general siege: [k] shots per soldier, [m] kills per defender, and reinforcements that change from wave to
    wave. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Fibonacci Rules.
Open Scope Z_scope.

(** ** The rules *)

(** [i] of the shots go to one defender each, and the others go to the castle. *)
Definition aims (k : Z) (now : state) (i : Z) : Prop := 0 <= i <= k * soldiers now /\ i <= defenders now.

(** No wasted shots: the castle gets more shots than it can take only if no defender is left to shoot. *)
Definition aims_thriftily (k : Z) (now : state) (i : Z) : Prop :=
  aims k now i /\ (k * soldiers now - i <= hits now \/ i = defenders now).

(** A wave; a castle that stands sends out [d] defenders. *)
Inductive siege (k m d : Z) (now : state) (i : Z) : outcome -> Prop :=
| none_left :
    left now i = 0 -> hits now <= k * soldiers now - i -> siege k m d now i (Won Soldiers)
| all_killed :
    left now i > 0 \/ hits now > k * soldiers now - i -> m * left now i >= soldiers now ->
    siege k m d now i (Won Castle)
| siege_goes_on :
    m * left now i < soldiers now -> hits now > k * soldiers now - i ->
    siege k m d now i
      (Next (State (soldiers now - m * left now i) (left now i + d) (hits now - (k * soldiers now - i))))
| hunt_goes_on :
    0 < left now i -> m * left now i < soldiers now -> hits now <= k * soldiers now - i ->
    siege k m d now i (Next (State (soldiers now - m * left now i) (left now i) 0)).

(** [besieges legal k m d p t w now]: some line of play by [legal] orders, which begins with [now] in wave number [t],
    ends with a win of [p] after [w] waves. The castle sends out [d t] defenders after wave number [t]. *)
Inductive besieges (legal : Z -> state -> Z -> Prop) (k m : Z) (d : nat -> Z) (p : side) :
  nat -> nat -> state -> Prop :=
| besieges_now t now i :
    legal k now i -> siege k m (d t) now i (Won p) -> besieges legal k m d p t 1 now
| besieges_later t now i next w :
    legal k now i -> siege k m (d t) now i (Next next) -> besieges legal k m d p (S t) w next ->
    besieges legal k m d p t (S w) now.

Lemma besieges_positive : forall legal k m d p t w now, besieges legal k m d p t w now -> (1 <= w)%nat.
Proof. intros legal k m d p t w now H. destruct H; lia. Qed.

Lemma besieges_if_thriftily : forall k m d p t w now,
  besieges aims_thriftily k m d p t w now -> besieges aims k m d p t w now.
Proof.
  intros k m d p t w now H. induction H as [t now i Hi Hw | t now i next w Hi Hw _ IH].
  - eapply besieges_now; eauto. apply Hi.
  - eapply besieges_later; eauto. apply Hi.
Qed.

(** ** The game is the case k = m = 1 *)

(**
   Claim: The castle game is the general siege with one shot per soldier, one kill per defender, and the same
     reinforcements after every wave. So everything that is proved here about all sieges holds for it, with [order] and
     with [thrifty].
   Prose: general.md, 1. The game
*)
Theorem game_is_a_siege : forall d p t w now,
  (besieges aims 1 1 (fun _ => d) p t w now <-> ends order d p w now) /\
  (besieges aims_thriftily 1 1 (fun _ => d) p t w now <-> ends thrifty d p w now).
Proof.
  assert (Hwave : forall d now i o, siege 1 1 d now i o <-> wave d now i o).
  { intros d [S D C] i o. split; intros H.
    - inversion H; subst; unfold left in *; cbn [soldiers defenders hits] in *.
      + apply both_gone; unfold left, standing; cbn; lia.
      + apply soldiers_gone; unfold left, standing; cbn; lia.
      + replace (State (S - 1 * (D - i)) (D - i + d) (C - (1 * S - i))) with
          (State (soldiers (State S D C) - left (State S D C) i) (left (State S D C) i + d) (standing (State S D C) i))
          by (unfold left, standing; cbn [soldiers defenders hits]; f_equal; lia).
        apply castle_stands; unfold left, standing; cbn; lia.
      + replace (S - 1 * (D - i)) with (soldiers (State S D C) - left (State S D C) i)
          by (unfold left; cbn [soldiers defenders]; lia).
        apply (castle_fallen d (State S D C)); unfold left, standing; cbn; lia.
    - inversion H; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *.
      + apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
      + apply all_killed; unfold left; cbn [soldiers defenders hits]; lia.
      + replace (State (S - (D - i)) (D - i + d) (Z.max 0 (C - (S - i)))) with
          (State (soldiers (State S D C) - 1 * left (State S D C) i) (left (State S D C) i + d)
            (hits (State S D C) - (1 * soldiers (State S D C) - i)))
          by (unfold left; cbn [soldiers defenders hits]; f_equal; lia).
        apply siege_goes_on; unfold left; cbn [soldiers defenders hits]; lia.
      + replace (S - (D - i)) with (soldiers (State S D C) - 1 * left (State S D C) i)
          by (unfold left; cbn [soldiers defenders]; lia).
        apply (hunt_goes_on 1 1 d (State S D C)); unfold left; cbn [soldiers defenders hits]; lia. }
  assert (Hline : forall (general : Z -> state -> Z -> Prop) (plain : state -> Z -> Prop) d p,
    (forall now i, general 1 now i <-> plain now i) ->
    forall w t now, besieges general 1 1 (fun _ => d) p t w now <-> ends plain d p w now).
  { intros general plain d p Hlegal w. induction w as [| w IH]; intros t now; split; intros H.
    1, 2: inversion H.
    - inversion H as [? ? i Hi Hw | ? ? i next ? Hi Hw Hend]; subst.
      + apply at_once with (i := i); [now apply Hlegal | now apply Hwave].
      + apply later with (i := i) (next := next); [now apply Hlegal | now apply Hwave | now apply (IH (S t))].
    - inversion H as [? i Hi Hw | ? i next ? Hi Hw Hend]; subst.
      + apply besieges_now with (i := i); [now apply Hlegal | now apply Hwave].
      + apply besieges_later with (i := i) (next := next); [now apply Hlegal | now apply Hwave | now apply IH]. }
  intros d p t w now. split; apply Hline; intros [S D C] i; unfold aims_thriftily, thrifty, aims, order;
    cbn [soldiers defenders hits]; lia.
Qed.

Example game_is_a_siege_holds : besieges aims 1 1 (fun _ => 3) Soldiers 1 3 (start 4 7).
Proof.
  apply game_is_a_siege. apply thrifty_is_order, search_agrees; [lia | unfold playable; cbn; lia | reflexivity].
Qed.

(** ** The hunt, and its border *)

(** The number of soldiers at the start of the wave in which the castle falls, and the number of defenders left after
    its shots. *)
Definition siege_form (k m n x : Z) : Z := k * n * n - k * m * n * x - m * x * x.

(**
   Claim: The form does not change in a wave of the hunt. For N = n - mx, it is kN² + mx(kN - x).
   Prose: general.md, Lemma 1 (what does not change)
*)
Theorem siege_form_is_invariant : forall k m n x,
  siege_form k m (n - m * x) (x - k * (n - m * x)) = siege_form k m n x /\
  let N := n - m * x in siege_form k m n x = k * N * N + m * x * (k * N - x).
Proof. intros. unfold siege_form. split; [| cbv zeta]; ring. Qed.

Example siege_form_is_invariant_holds : siege_form 2 3 19 (-31) = siege_form 2 3 40 7.
Proof. apply (siege_form_is_invariant 2 3 40 7). Qed.

Lemma siege_form_of_the_rest : forall k m N x, siege_form k m (N + m * x) x = k * N * N + m * x * (k * N - x).
Proof. intros. unfold siege_form. ring. Qed.

(** If a hunt is won, the form is positive. *)
Lemma form_if_hunt_won : forall k m d w t N D, 0 < k -> 0 < m -> 0 < N -> 0 <= D ->
  besieges aims k m d Soldiers t w (State N D 0) -> 0 < siege_form k m (N + m * D) D.
Proof.
  intros k m d w. induction w as [| w IH]; intros t N D Hk Hm HN HD H; [inversion H |].
  inversion H as [? ? i [Hi Hid] Hw | ? ? i next ? [Hi Hid] Hw Hend]; subst;
    inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *.
  - rewrite siege_form_of_the_rest. assert (0 < k * N) by nia.
    assert (0 <= m * D * (k * N - D)) by (apply Z.mul_nonneg_nonneg; nia).
    nia.
  - lia.
  - apply IH in Hend; try lia.
    replace (N - m * (D - i) + m * (D - i)) with N in Hend by lia.
    rewrite siege_form_of_the_rest. destruct (Z.le_gt_cases D (k * N)) as [L | L].
    + assert (0 < k * N) by nia. assert (0 <= m * D * (k * N - D)) by (apply Z.mul_nonneg_nonneg; nia). nia.
    + unfold siege_form in Hend. set (x := D - i) in *. assert (D <= x + k * N) by lia.
      assert (E : D * (D - k * N) <= (x + k * N) * x) by (apply Z.mul_le_mono_nonneg; lia).
      assert (m * (D * (D - k * N)) <= m * ((x + k * N) * x)) by (apply Z.mul_le_mono_nonneg_l; lia). nia.
Qed.

Lemma form_leaves_soldiers : forall k m n x, 0 < k -> 0 < m -> 0 < n -> 0 < siege_form k m n x -> m * x < n.
Proof.
  intros k m n x Hk Hm Hn H. destruct (Z.le_gt_cases n (m * x)) as [L | L]; [exfalso | exact L].
  unfold siege_form in H. assert (k * n * n <= k * n * (m * x)) by (apply Z.mul_le_mono_nonneg_l; nia).
  assert (0 <= x * x) by nia. nia.
Qed.

(** If the form is positive, the hunt is won with all shots at defenders. *)
Lemma hunt_won_if_form : forall k m d b t N D, 0 < k -> 0 < m -> 0 < N -> 0 < D <= Z.of_nat b ->
  0 < siege_form k m (N + m * D) D -> exists w, besieges aims_thriftily k m d Soldiers t w (State N D 0).
Proof.
  intros k m d b. induction b as [| b IH]; intros t N D Hk Hm HN HD H; [lia |].
  assert (HkN : 0 < k * N) by nia. destruct (Z.le_gt_cases D (k * N)) as [L | L].
  - exists 1%nat. apply besieges_now with (i := D); [unfold aims_thriftily, aims; cbn; lia |].
    apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
  - rewrite <- (proj1 (siege_form_is_invariant _ _ _ _)) in H. replace (N + m * D - m * D) with N in H by lia.
    pose proof (form_leaves_soldiers _ _ _ _ Hk Hm HN H) as Halive.
    destruct (IH (S t) (N - m * (D - k * N)) (D - k * N)) as [w Hw]; try lia.
    + now replace (N - m * (D - k * N) + m * (D - k * N)) with N by lia.
    + exists (S w). apply besieges_later with (i := k * N) (next := State (N - m * (D - k * N)) (D - k * N) 0);
        [unfold aims_thriftily, aims; cbn; lia | | exact Hw].
      apply (hunt_goes_on k m (d t) (State N D 0)); unfold left; cbn [soldiers defenders hits]; lia.
Qed.

(**
   Claim: Let the castle have fallen, with n soldiers at the start of that wave and x defenders left after its shots.
     The soldiers survive and win exactly when kn² - kmnx - mx² > 0, whether or not they may waste shots. For k = m = 1,
     this is the theorem hunt_is_won.
   Prose: general.md, Theorem 1 (the border)
   Code: GeneralBattle.HuntWon
*)
Theorem siege_hunt_is_won : forall legal k m d t n x, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 < n -> 0 < x ->
  ((m * x < n /\ exists w, besieges legal k m d Soldiers t w (State (n - m * x) x 0)) <-> 0 < siege_form k m n x).
Proof.
  intros legal k m d t n x Hlegal Hk Hm Hn Hx. split.
  - intros [Halive [w H]]. replace n with (n - m * x + m * x) by lia.
    apply (form_if_hunt_won k m d w t); try lia.
    destruct Hlegal as [-> | ->]; [exact H | now apply besieges_if_thriftily].
  - intros H. pose proof (form_leaves_soldiers _ _ _ _ Hk Hm Hn H) as Halive. split; [exact Halive |].
    destruct (hunt_won_if_form k m d (Z.to_nat x) t (n - m * x) x) as [w Hw]; try lia.
    + now replace (n - m * x + m * x) with n by lia.
    + exists w. destruct Hlegal as [-> | ->]; [now apply besieges_if_thriftily | exact Hw].
Qed.

Example siege_hunt_is_won_holds : exists w, besieges aims 2 1 (fun _ => 8) Soldiers 5 w (State 10 20 0).
Proof. apply (siege_hunt_is_won aims 2 1 (fun _ => 8) 5 30 20); [auto | lia | lia | lia | lia | reflexivity]. Qed.

Lemma siege_form_not_zero_up_to : forall k m b n x, 0 < k -> 0 < m -> 0 < n -> 0 < x <= Z.of_nat b ->
  siege_form k m n x <> 0.
Proof.
  intros k m b. induction b as [| b IH]; intros n x Hk Hm Hn Hx H; [lia |].
  assert (Halive : m * x < n).
  { destruct (Z.le_gt_cases n (m * x)) as [L | L]; [exfalso | exact L].
    unfold siege_form in H. assert (k * n * n <= k * n * (m * x)) by (apply Z.mul_le_mono_nonneg_l; nia).
    assert (0 < m * x * x) by nia. nia. }
  set (N := n - m * x) in *. assert (HN : 0 < N) by lia. assert (0 < k * N) by nia.
  destruct (Z.le_gt_cases x (k * N)) as [L | L].
  - replace n with (N + m * x) in H by (unfold N; lia). rewrite siege_form_of_the_rest in H.
    assert (0 <= m * x * (k * N - x)) by (apply Z.mul_nonneg_nonneg; nia). nia.
  - apply (IH N (x - k * N)); try lia. unfold N. now rewrite (proj1 (siege_form_is_invariant _ _ _ _)).
Qed.

(**
   Claim: kn² - kmnx - mx² is never 0 for positive integers, so there is nothing between the two sides of the border.
   Prose: general.md, Theorem 1 (the border) in part
*)
Theorem siege_form_is_not_zero : forall k m n x, 0 < k -> 0 < m -> 0 < n -> 0 < x -> siege_form k m n x <> 0.
Proof. intros k m n x Hk Hm Hn Hx. apply (siege_form_not_zero_up_to k m (Z.to_nat x)); lia. Qed.

Example siege_form_is_not_zero_holds : siege_form 4 1 12 10 <> 0.
Proof. apply siege_form_is_not_zero; lia. Qed.

(**
   Claim: For k = m = 1, the form is the one of the golden ratio. Its discriminant is km(km + 4): 4k times the form is
     (2kn - kmx)² - km(km + 4)x².
   Prose: general.md, Theorem 2 (metallic means) in part
*)
Theorem siege_form_has_discriminant : forall k m n x,
  siege_form 1 1 n x = form n x /\
  4 * k * siege_form k m n x = (2 * k * n - k * m * x) * (2 * k * n - k * m * x) - k * m * (k * m + 4) * (x * x).
Proof. intros. unfold siege_form, form. split; ring. Qed.

Example siege_form_has_discriminant_holds : siege_form 1 1 55 34 = form 55 34.
Proof. apply (siege_form_has_discriminant 1 1). Qed.

(**
   Claim: The form of the p-th metallic mean is a² - pab - b². If soldiers are counted in one unit and defenders in
     another, the form of the siege can be a multiple of it exactly when p² = km.
   Prose: general.md, Theorem 2 (metallic means) in part
*)
Theorem metallic_exactly_if_square : forall k m p, 0 < k -> 0 < m -> 0 < p ->
  ((exists u v c, 0 < u /\ 0 < v /\ forall a b, siege_form k m (u * a) (v * b) = c * (a * a - p * a * b - b * b)) <->
   p * p = k * m).
Proof.
  intros k m p Hk Hm Hp. split.
  - intros [u [v [c [Hu [Hv H]]]]]. pose proof (H 1 0) as H1. pose proof (H 0 1) as H2. pose proof (H 1 1) as H3.
    unfold siege_form in *.
    assert (E1 : c = k * (u * u)) by lia. assert (E2 : c = m * (v * v)) by lia.
    assert (E3 : c * p = k * m * (u * v)) by lia.
    assert (E4 : c * c * (p * p) = c * c * (k * m)).
    { replace (c * c * (p * p)) with ((c * p) * (c * p)) by ring. rewrite E3.
      replace (c * c * (k * m)) with (c * m * (c * k)) by ring. rewrite E1 at 1. rewrite E2. ring. }
    assert (0 < c) by nia. apply Z.mul_cancel_l in E4; [exact E4 | nia].
  - intros E. exists m, p, (k * m * m). repeat split; try lia. intros a b. unfold siege_form.
    replace (m * (p * b) * (p * b)) with (p * p * m * b * b) by ring. rewrite E. ring.
Qed.

Example metallic_exactly_if_square_holds : 2 * 2 = 4 * 1.
Proof.
  apply (metallic_exactly_if_square 4 1 2); [lia | lia | lia |].
  exists 1, 2, 4. repeat split; try lia. intros a b. unfold siege_form. ring.
Qed.

(**
   Claim: For positive n and x, the form is positive exactly when 2mx + kmn, which is positive, is less than n times the
     square root of km(km + 4). So the border is the line x = ny with 2my = √(km(km + 4)) - km; this y is the positive
     solution of k - kmy - my² = 0. For k = m = 1, this is the line of the golden ratio. If p² = km, the border is n/x =
     (m/p)μ with the p-th metallic mean μ: with soldiers in units of m and defenders in units of p, the form is that of
     the mean, up to a factor. Otherwise, no units have this property.
   Prose: general.md, Theorem 2 (metallic means)
*)
Theorem border_is_a_line : forall k m, 0 < k -> 0 < m ->
  (forall n x, 0 < n -> 0 < x ->
    (0 < siege_form k m n x <->
     (2 * m * x + k * m * n) * (2 * m * x + k * m * n) < k * m * (k * m + 4) * (n * n)) /\
    siege_form 1 1 n x = form n x) /\
  forall p, 0 < p ->
    (p * p = k * m -> forall a b, siege_form k m (m * a) (p * b) = k * m * m * (a * a - p * a * b - b * b)) /\
    ((exists u v c, 0 < u /\ 0 < v /\ forall a b, siege_form k m (u * a) (v * b) = c * (a * a - p * a * b - b * b)) ->
     p * p = k * m).
Proof.
  intros k m Hk Hm. split.
  - intros n x Hn Hx. split; [| unfold siege_form, form; ring].
    assert (E : k * m * (k * m + 4) * (n * n) - (2 * m * x + k * m * n) * (2 * m * x + k * m * n) =
      4 * m * siege_form k m n x) by (unfold siege_form; ring).
    split; intros H; [assert (0 < 4 * m * siege_form k m n x) by (apply Z.mul_pos_pos; lia); lia |].
    apply (Z.mul_pos_cancel_l (4 * m)); lia.
  - intros p Hp. split; [| now apply metallic_exactly_if_square]. intros E a b. unfold siege_form.
    replace (m * (p * b) * (p * b)) with (m * (b * b) * (p * p)) by ring. rewrite E. ring.
Qed.

Example border_is_a_line_holds : siege_form 2 2 (2 * 12) (2 * 5) = 2 * 2 * 2 * (12 * 12 - 2 * 12 * 5 - 5 * 5).
Proof. apply (border_is_a_line 2 2); lia. Qed.

(** ** The fewest waves *)

(** Can a hunt that begins with [N] soldiers and [x] defenders be won within [w] waves if all shots are fired at
    defenders? *)
Fixpoint hunted (k m : Z) (w : nat) (N x : Z) : bool :=
  match w with
  | O => false
  | S v => (x <=? k * N) || (m * (x - k * N) <? N) && hunted k m v (N - m * (x - k * N)) (x - k * N)
  end.

(** Can the castle be brought down now so that the battle is won within [v] waves after this one? *)
Definition struck (k m : Z) (v : nat) (now : state) : bool :=
  let left := defenders now + hits now - k * soldiers now in
  (hits now <=? k * soldiers now) &&
  ((left <=? 0) || (m * left <? soldiers now) && hunted k m v (soldiers now - m * left) left).

(** Can the soldiers win within [w] waves, from the start of wave number [t] on, if in all waves before the fall they
    shoot as many defenders as possible? *)
Fixpoint patient_wins (k m : Z) (d : nat -> Z) (w t : nat) (now : state) : bool :=
  match w with
  | O => false
  | S v =>
      let at_defenders := Z.min (k * soldiers now) (defenders now) in
      let left := defenders now - at_defenders in
      struck k m v now ||
      (m * left <? soldiers now) && (0 <? hits now - (k * soldiers now - at_defenders)) &&
      patient_wins k m d v (S t)
        (State (soldiers now - m * left) (left + d t) (hits now - (k * soldiers now - at_defenders)))
  end.

(** The fewest waves, or 0 if there are more than [fuel] or the soldiers cannot win. *)
Fixpoint first_win (k m : Z) (d : nat -> Z) (n s : Z) (fuel w : nat) : nat :=
  match fuel with
  | O => 0
  | S left => if patient_wins k m d w 1 (start n s) then w else first_win k m d n s left (S w)
  end.

Definition siege_waves (fuel : nat) (k m : Z) (d : nat -> Z) (n s : Z) : nat := first_win k m d n s fuel 1.

(** More soldiers against fewer defenders win a hunt no later. *)
Lemma hunted_if_won : forall k m d w t N D M x, 0 < k -> 0 < m -> 0 < N <= M -> 0 < x <= D ->
  besieges aims k m d Soldiers t w (State N D 0) -> hunted k m w M x = true.
Proof.
  intros k m d w. induction w as [| w IH]; intros t N D M x Hk Hm HN HD H; [inversion H |].
  cbn [hunted]. assert (k * N <= k * M) by nia.
  inversion H as [? ? i [Hi Hid] Hw | ? ? i next ? [Hi Hid] Hw Hend]; subst;
    inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *.
  - apply orb_true_iff. left. apply Z.leb_le. lia.
  - lia.
  - apply orb_true_iff. destruct (Z.le_gt_cases x (k * M)) as [L | L]; [left; now apply Z.leb_le | right].
    assert (m * (x - k * M) <= m * (D - i)) by (apply Z.mul_le_mono_nonneg_l; lia).
    apply andb_true_iff. split; [apply Z.ltb_lt; lia |].
    apply IH with (t := S t) (N := N - m * (D - i)) (D := D - i); lia || exact Hend.
Qed.

Lemma hunted_is_play : forall k m d w t N x, 0 < k -> 0 < m -> 0 < N -> 0 < x -> hunted k m w N x = true ->
  exists v, (v <= w)%nat /\ besieges aims_thriftily k m d Soldiers t v (State N x 0).
Proof.
  intros k m d w. induction w as [| w IH]; intros t N x Hk Hm HN Hx H; [discriminate |].
  cbn [hunted] in H. assert (0 < k * N) by nia. destruct (Z.leb_spec x (k * N)) as [L | L].
  - exists 1%nat. split; [lia |]. apply besieges_now with (i := x); [unfold aims_thriftily, aims; cbn; lia |].
    apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
  - cbn [orb] in H. apply andb_true_iff in H as [Halive H]. apply Z.ltb_lt in Halive.
    destruct (IH (S t) (N - m * (x - k * N)) (x - k * N)) as [v [Hv Hplay]]; try lia; [exact H |].
    exists (S v). split; [lia |].
    apply besieges_later with (i := k * N) (next := State (N - m * (x - k * N)) (x - k * N) 0);
      [unfold aims_thriftily, aims; cbn; lia | | exact Hplay].
    apply (hunt_goes_on k m (d t) (State N x 0)); unfold left; cbn [soldiers defenders hits]; lia.
Qed.

(** The patient line is ahead, at the start of a wave, of each line whose castle stands: it has no more defenders, at
    least [m] soldiers more for each defender fewer, and no more hits and defenders together. *)
Definition patient_is_ahead (m : Z) (patient now : state) : Prop :=
  0 <= defenders patient <= defenders now /\
  m * (defenders now - defenders patient) <= soldiers patient - soldiers now /\
  hits patient + defenders patient <= hits now + defenders now.

(** A wave of the patient line: as many shots as possible go to defenders, and the castle still stands afterwards. *)
Definition patient_wave (k m d : Z) (now : state) : state :=
  let left := Z.max 0 (defenders now - k * soldiers now) in
  State (soldiers now - m * left) (left + d) (hits now - (k * soldiers now - (defenders now - left))).

Fixpoint patient_line (k m : Z) (d : nat -> Z) (n s : Z) (t : nat) : state :=
  match t with O => start n s | S v => patient_wave k m (d t) (patient_line k m d n s v) end.

(** In some line of play, the castle stands after [t] waves, and the next wave begins with [now]. *)
Inductive still_stands (k m : Z) (d : nat -> Z) (n s : Z) : nat -> state -> Prop :=
| stands_at_first : still_stands k m d n s 0 (start n s)
| stands_after t now i next :
    still_stands k m d n s t now -> aims k now i -> siege k m (d (S t)) now i (Next next) -> 0 < hits next ->
    still_stands k m d n s (S t) next.

(**
   Claim: Compare the patient line with any line, wasteful or not, at the start of the same wave, before the castle of
     either line falls. The patient line has no more defenders. Each additional defender on the other line has cost that
     line m soldiers. And the patient line has no more hits and defenders together.
   Prose: general.md, Lemma 2 (patience is ahead)
*)
Theorem patience_is_ahead : forall k m d n s t now, 0 < k -> 0 < m -> (forall v, 0 <= d v) -> 0 < n ->
  still_stands k m d n s t now -> 0 < hits (patient_line k m d n s t) ->
  patient_is_ahead m (patient_line k m d n s t) now /\
  forall v, (v < t)%nat -> exists i, aims_thriftily k (patient_line k m d n s v) i /\
    siege k m (d (S v)) (patient_line k m d n s v) i (Next (patient_line k m d n s (S v))).
Proof.
  intros k m d n s t now Hk Hm Hd Hn H.
  enough (G : 0 < hits (patient_line k m d n s t) ->
    0 < soldiers now /\ patient_is_ahead m (patient_line k m d n s t) now /\
    forall v, (v < t)%nat -> exists i, aims_thriftily k (patient_line k m d n s v) i /\
      siege k m (d (S v)) (patient_line k m d n s v) i (Next (patient_line k m d n s (S v))))
    by (intros Hp; apply G, Hp).
  induction H as [| t now i next H IH [Hi Hid] Hw Hup]; intros Hp.
  { split; [exact Hn |]. split; [| lia].
    unfold patient_is_ahead, start. cbn [patient_line soldiers defenders hits start]. lia. }
  cbn [patient_line] in *. set (p := patient_line k m d n s t) in *. unfold patient_wave in Hp. cbn [hits] in Hp.
  destruct IH as [HS [[HD [HM HB]] Hline]]; [lia |].
  assert (Hnext : 0 < soldiers next /\ patient_is_ahead m (patient_wave k m (d (S t)) p) next).
  { inversion Hw; subst; unfold patient_is_ahead, patient_wave, left in *; cbn [soldiers defenders hits] in *; [| lia].
    set (x := defenders now - i) in *. set (y := Z.max 0 (defenders p - k * soldiers p)).
    assert (0 <= m * (defenders now - defenders p)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (Hk2 : k * soldiers now <= k * soldiers p) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (Hy : 0 <= y <= x) by (unfold y, x; lia). pose proof (Hd (S t)).
    assert (m * y <= m * x) by (apply Z.mul_le_mono_nonneg_l; lia).
    replace (m * (x + d (S t) - (y + d (S t)))) with (m * x - m * y) by ring. split; [lia |]. lia. }
  destruct Hnext as [Hlive Hnext]. split; [exact Hlive |]. split; [exact Hnext |]. intros v Hv.
  destruct (Nat.eq_dec v t) as [-> | Hne]; [| apply Hline; lia]. fold p.
  exists (Z.min (k * soldiers p) (defenders p)).
  assert (0 <= k * soldiers p).
  { assert (0 <= m * (defenders now - defenders p)) by (apply Z.mul_nonneg_nonneg; lia). nia. }
  assert (E : left p (Z.min (k * soldiers p) (defenders p)) = Z.max 0 (defenders p - k * soldiers p))
    by (unfold left; lia).
  split; [unfold aims_thriftily, aims; lia |].
  change (patient_line k m d n s (S t)) with (patient_wave k m (d (S t)) p).
  unfold patient_wave in *. unfold patient_is_ahead in Hnext. cbn [soldiers defenders hits] in Hnext.
  rewrite <- E in *. set (i0 := Z.min (k * soldiers p) (defenders p)) in *.
  replace (defenders p - left p i0) with i0 in * by (unfold left; lia).
  assert (0 <= m * (defenders next - (left p i0 + d (S t)))) by (apply Z.mul_nonneg_nonneg; lia).
  apply siege_goes_on; lia.
Qed.

Example patience_is_ahead_holds : patient_is_ahead 1 (State 10 8 31) (State 8 10 29).
Proof.
  apply (patience_is_ahead 1 1 (fun _ => 8) 10 43 2 (State 8 10 29)); [lia .. | | vm_compute; reflexivity].
  apply (stands_after 1 1 (fun _ => 8) 10 43 1 (State 10 8 33) 6); [| unfold aims; cbn; lia | | cbn; lia].
  - apply (stands_after 1 1 (fun _ => 8) 10 43 0 (start 10 43) 0); [constructor | unfold aims; cbn; lia | | cbn; lia].
    apply (siege_goes_on 1 1 8 (start 10 43)); unfold left; cbn; lia.
  - apply (siege_goes_on 1 1 8 (State 10 8 33)); unfold left; cbn; lia.
Qed.

Lemma patient_is_as_fast : forall k m d w t now patient, 0 < k -> 0 < m -> (forall j, 0 <= d j) ->
  0 < soldiers now -> 0 < hits now -> 0 < hits patient -> patient_is_ahead m patient now ->
  besieges aims k m d Soldiers t w now -> patient_wins k m d w t patient = true.
Proof.
  intros k m d w. induction w as [| w IH]; intros t [S0 D C] [M E B] Hk Hm Hd HS HC HB [HD [HM HB']] H; [inversion H |].
  cbn [soldiers defenders hits] in *.
  assert (HSM : S0 <= M) by nia.
  assert (HkSM : k * S0 <= k * M) by nia.
  assert (Hreach : D - E <= k * M - k * S0).
  { assert (k * (m * (D - E)) <= k * (M - S0)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (1 * (D - E) <= k * m * (D - E)) by (apply Z.mul_le_mono_nonneg_r; nia). nia. }
  cbn [patient_wins]. unfold struck. cbn [soldiers defenders hits]. apply orb_true_iff.
  inversion H as [? ? i [Hi Hid] Hw | ? ? i next ? [Hi Hid] Hw Hend]; subst;
    inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *.
  - left. apply andb_true_iff. split; [apply Z.leb_le; lia |]. apply orb_true_iff. left. apply Z.leb_le. lia.
  - destruct (Z.le_gt_cases (B - (k * M - Z.min (k * M) E)) 0) as [L | L].
    + left. apply andb_true_iff. split; [apply Z.leb_le; lia |]. apply orb_true_iff. left. apply Z.leb_le. lia.
    + right. assert (Hleft : E - Z.min (k * M) E <= D - i) by lia.
      assert (m * (E - Z.min (k * M) E) <= m * (D - i)) by (apply Z.mul_le_mono_nonneg_l; lia).
      apply andb_true_iff. split; [apply andb_true_iff; split; apply Z.ltb_lt; lia |].
      pose proof (Hd t).
      apply IH with (now := State (S0 - m * (D - i)) (D - i + d t) (C - (k * S0 - i)));
        cbn [soldiers defenders hits]; try lia; [exact Hd | | exact Hend].
      unfold patient_is_ahead. cbn [soldiers defenders hits].
      replace (m * (D - i + d t - (E - Z.min (k * M) E + d t))) with (m * (D - i) - m * (E - Z.min (k * M) E)) by ring.
      lia.
  - left. apply andb_true_iff. split; [apply Z.leb_le; lia |]. apply orb_true_iff.
    destruct (Z.le_gt_cases (E + B - k * M) 0) as [L | L]; [left; now apply Z.leb_le | right].
    assert (m * (E + B - k * M) <= m * (D - i)) by (apply Z.mul_le_mono_nonneg_l; lia).
    apply andb_true_iff. split; [apply Z.ltb_lt; lia |].
    apply hunted_if_won with (d := d) (t := S t) (N := S0 - m * (D - i)) (D := D - i); lia || exact Hend.
Qed.

Lemma patient_is_play : forall k m d w t now, 0 < k -> 0 < m -> (forall j, 0 <= d j) ->
  0 < soldiers now -> 0 <= defenders now -> 0 < hits now -> patient_wins k m d w t now = true ->
  exists v, (v <= w)%nat /\ besieges aims_thriftily k m d Soldiers t v now.
Proof.
  intros k m d w. induction w as [| w IH]; intros t [N D C] Hk Hm Hd HN HD HC H; [discriminate |].
  cbn [soldiers defenders hits] in *. assert (HkN : 0 < k * N) by nia.
  cbn [patient_wins] in H. unfold struck in H. cbn [soldiers defenders hits] in H.
  apply orb_true_iff in H as [H | H].
  - apply andb_true_iff in H as [Hfalls H]. apply Z.leb_le in Hfalls.
    destruct (Z.leb_spec (D + C - k * N) 0) as [L | L].
    + exists 1%nat. split; [lia |]. apply besieges_now with (i := D); [unfold aims_thriftily, aims; cbn; lia |].
      apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
    + cbn [orb] in H. apply andb_true_iff in H as [Halive H]. apply Z.ltb_lt in Halive.
      apply (hunted_is_play k m d w (S t)) in H as [v [Hv Hplay]]; try lia.
      exists (S v). split; [lia |].
      apply besieges_later with (i := k * N - C) (next := State (N - m * (D + C - k * N)) (D + C - k * N) 0);
        [unfold aims_thriftily, aims; cbn; lia | | exact Hplay].
      replace (D + C - k * N) with (left (State N D C) (k * N - C)) by (unfold left; cbn; lia).
      apply (hunt_goes_on k m (d t) (State N D C)); unfold left; cbn [soldiers defenders hits]; lia.
  - apply andb_true_iff in H as [H Hlater]. apply andb_true_iff in H as [Halive Hstands].
    apply Z.ltb_lt in Halive, Hstands. pose proof (Hd t).
    assert (0 <= m * (D - Z.min (k * N) D)) by (apply Z.mul_nonneg_nonneg; lia).
    apply IH in Hlater as [v [Hv Hplay]]; cbn [soldiers defenders hits] in *; try lia; [| exact Hd].
    exists (S v). split; [lia |].
    apply besieges_later with (i := Z.min (k * N) D)
      (next := State (N - m * (D - Z.min (k * N) D)) (D - Z.min (k * N) D + d t) (C - (k * N - Z.min (k * N) D)));
      [unfold aims_thriftily, aims; cbn; lia | | exact Hplay].
    apply (siege_goes_on k m (d t) (State N D C)); unfold left; cbn [soldiers defenders hits]; lia.
Qed.

Lemma hunted_later : forall k m w v N x, (v <= w)%nat -> hunted k m v N x = true -> hunted k m w N x = true.
Proof.
  intros k m w. induction w as [| w IH]; intros v N x Hv H; destruct v as [| v]; try discriminate; [lia |].
  cbn [hunted] in *. apply orb_true_iff in H as [H | H]; apply orb_true_iff; [now left | right].
  apply andb_true_iff in H as [H1 H2]. apply andb_true_iff. split; [exact H1 |]. apply (IH v); [lia | exact H2].
Qed.

Lemma patient_wins_later : forall k m d w v t now, (v <= w)%nat -> patient_wins k m d v t now = true ->
  patient_wins k m d w t now = true.
Proof.
  intros k m d w. induction w as [| w IH]; intros v t now Hv H; destruct v as [| v]; try discriminate; [lia |].
  cbn [patient_wins] in *. apply orb_true_iff in H as [H | H]; apply orb_true_iff; [left | right].
  - unfold struck in *. apply andb_true_iff in H as [H1 H]. apply andb_true_iff. split; [exact H1 |].
    apply orb_true_iff in H as [H | H]; apply orb_true_iff; [now left | right].
    apply andb_true_iff in H as [H2 H3]. apply andb_true_iff. split; [exact H2 |].
    apply (hunted_later k m w v); [lia | exact H3].
  - apply andb_true_iff in H as [H1 H2]. apply andb_true_iff. split; [exact H1 |]. apply (IH v); [lia | exact H2].
Qed.

Lemma patient_from_any : forall legal k m d w t now, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> (forall j, 0 <= d j) -> 0 < soldiers now -> 0 <= defenders now -> 0 < hits now ->
  ((exists v, (v <= w)%nat /\ besieges legal k m d Soldiers t v now) <-> patient_wins k m d w t now = true).
Proof.
  intros legal k m d w t now Hlegal Hk Hm Hd HN HD HC. split.
  - intros [v [Hv H]]. apply (patient_wins_later k m d w v); [exact Hv |].
    apply patient_is_as_fast with (now := now); try assumption; [unfold patient_is_ahead; lia |].
    destruct Hlegal as [-> | ->]; [exact H | now apply besieges_if_thriftily].
  - intros H. apply patient_is_play in H as [v [Hv H]]; try assumption.
    exists v. split; [exact Hv |]. destruct Hlegal as [-> | ->]; [now apply besieges_if_thriftily | exact H].
Qed.

(**
   Claim: For any shots, kills and reinforcements, the soldiers can win within w waves exactly when they can win by a
     play that shoots as many defenders as possible until some wave, brings the castle down in that wave, and then
     hunts. It does not matter whether shots may be wasted.
   Prose: general.md, Theorem 3 (the fewest waves)
   Code: GeneralBattle.Solve
*)
Theorem patient_play_is_best : forall legal k m d n s w, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> (forall t, 0 <= d t) -> 0 < n -> 0 < s ->
  ((exists v, (v <= w)%nat /\ besieges legal k m d Soldiers 1 v (start n s)) <->
   patient_wins k m d w 1 (start n s) = true).
Proof.
  intros legal k m d n s w Hlegal Hk Hm Hd Hn Hs. apply patient_from_any; cbn; try assumption; lia.
Qed.

Example patient_play_is_best_holds :
  exists v, (v <= 3)%nat /\ besieges aims 2 1 (fun _ => 8) Soldiers 1 v (start 10 43).
Proof. apply patient_play_is_best; [auto | lia | lia | lia | lia | lia | reflexivity]. Qed.

Lemma first_win_is_first : forall k m d n s fuel w,
  (first_win k m d n s fuel w = 0%nat /\
   forall v, (w <= v < w + fuel)%nat -> patient_wins k m d v 1 (start n s) = false) \/
  ((w <= first_win k m d n s fuel w < w + fuel)%nat /\
   patient_wins k m d (first_win k m d n s fuel w) 1 (start n s) = true /\
   forall v, (w <= v < first_win k m d n s fuel w)%nat -> patient_wins k m d v 1 (start n s) = false).
Proof.
  intros k m d n s fuel. induction fuel as [| fuel IH]; intros w.
  - left. split; [reflexivity | lia].
  - cbn [first_win]. destruct (patient_wins k m d w 1 (start n s)) eqn:E.
    + right. repeat split; [lia | lia | exact E | lia].
    + destruct (IH (S w)) as [[H1 H2] | [H1 [H2 H3]]].
      * left. split; [exact H1 |]. intros v Hv. destruct (Nat.eq_dec v w) as [-> | Hne]; [exact E | apply H2; lia].
      * right. repeat split; [lia | lia | exact H2 |]. intros v Hv.
        destruct (Nat.eq_dec v w) as [-> | Hne]; [exact E | apply H3; lia].
Qed.

(**
   Claim: The function returns the fewest waves in which the soldiers can win, or 0 exactly when they need more waves
     than it may consider, or cannot win. It does not matter whether shots may be wasted.
   Prose: general.md, Theorem 3 (the fewest waves)
   Code: GeneralBattle.MinWaves
*)
Theorem siege_waves_are_the_fewest : forall legal fuel k m d n s, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> (forall t, 0 <= d t) -> 0 < n -> 0 < s ->
  (siege_waves fuel k m d n s = 0%nat <->
   forall w, (w <= fuel)%nat -> ~ besieges legal k m d Soldiers 1 w (start n s)) /\
  (siege_waves fuel k m d n s <> 0%nat ->
   besieges legal k m d Soldiers 1 (siege_waves fuel k m d n s) (start n s) /\
   forall w, besieges legal k m d Soldiers 1 w (start n s) -> (siege_waves fuel k m d n s <= w)%nat).
Proof.
  intros legal fuel k m d n s Hlegal Hk Hm Hd Hn Hs. unfold siege_waves.
  pose proof (fun w => patient_play_is_best legal k m d n s w Hlegal Hk Hm Hd Hn Hs) as Hbest.
  destruct (first_win_is_first k m d n s fuel 1) as [[H1 H2] | [H1 [H2 H3]]].
  - rewrite H1. split; [| lia]. split; [| reflexivity]. intros _ w Hw H.
    pose proof (besieges_positive _ _ _ _ _ _ _ _ H).
    assert (E : patient_wins k m d w 1 (start n s) = true) by (apply Hbest; now exists w).
    rewrite H2 in E by lia. discriminate.
  - set (r := first_win k m d n s fuel 1) in *.
    assert (Hleast : forall w, besieges legal k m d Soldiers 1 w (start n s) -> (r <= w)%nat).
    { intros w H. destruct (Nat.le_gt_cases r w) as [L | L]; [exact L | exfalso].
      pose proof (besieges_positive _ _ _ _ _ _ _ _ H).
      assert (E : patient_wins k m d w 1 (start n s) = true) by (apply Hbest; now exists w).
      rewrite H3 in E by lia. discriminate. }
    apply Hbest in H2 as [v [Hv H]]. pose proof (Hleast v H). replace v with r in H by lia. split.
    + split; [lia |]. intros Hno. exfalso. apply (Hno r); [lia | exact H].
    + intros _. split; [exact H | exact Hleast].
Qed.

Example siege_waves_are_the_fewest_holds :
  besieges aims 1 1 (fun t => match t with 2%nat => 0 | 3%nat => 3 | _ => 8 end) Soldiers 1 10 (start 10 43).
Proof.
  apply (siege_waves_are_the_fewest aims 20 1 1 (fun t => match t with 2%nat => 0 | 3%nat => 3 | _ => 8 end) 10 43);
    [auto | lia | lia | | lia | lia | vm_compute; discriminate].
  intros [| [| [| [| t]]]]; lia.
Qed.

(** ** Counting *)

(**
   Claim: Let a wave begin with N soldiers, with x defenders left by the previous wave, d fresh defenders, and a castle
     with B - x hits. Put B' = B - kN + d. An order without waste after which the castle stands and some soldiers
     survive leads to N - my soldiers and B' - y hits, with y defenders left: all states with the same N and B lead to
     states on one line. For 0 <= y < B' and my < N, some order leads to y exactly when y - d <= x <= y + kN - d. So
     both ends of the sum over x move by one when y does.
   Prose: general.md, Theorem 7 (running sums stay)
*)
Theorem running_sums_stay : forall k m d e N B x, 0 < k -> 0 < m -> 0 < N -> 0 <= x < B ->
  let now := State N (x + d) (B - x) in let b := B - k * N + d in let after y := State (N - m * y) (y + e) (b - y) in
  (forall i next, aims_thriftily k now i -> siege k m e now i (Next next) -> 0 < hits next ->
     exists y, 0 <= y < b /\ m * y < N /\ i = x + d - y /\ next = after y) /\
  forall y, 0 <= y < b -> m * y < N ->
    ((exists i, aims_thriftily k now i /\ siege k m e now i (Next (after y))) <-> y - d <= x <= y + k * N - d).
Proof.
  intros k m d e N B x Hk Hm HN Hx now b after. split.
  - intros i next [[Hi Hid] _] Hw Hup. exists (x + d - i). unfold now, after in *.
    inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *; [| lia].
    split; [unfold b; lia |]. split; [lia |]. split; [lia |]. f_equal; unfold b; lia.
  - intros y Hy Hlive. unfold now, after. split.
    + intros [i [[[Hi Hid] _] Hw]]. cbn [soldiers defenders hits] in *. unfold b in *.
      inversion Hw; unfold left in *; cbn [soldiers defenders hits] in *; subst; lia.
    + intros H. exists (x + d - y). split; [unfold aims_thriftily, aims, b in *; cbn [soldiers defenders hits]; lia |].
      replace (State (N - m * y) (y + e) (b - y)) with
        (State (N - m * left (State N (x + d) (B - x)) (x + d - y)) (left (State N (x + d) (B - x)) (x + d - y) + e)
          (B - x - (k * N - (x + d - y))))
        by (unfold left, b; cbn [defenders]; f_equal; lia).
      apply (siege_goes_on k m e (State N (x + d) (B - x))); unfold left, b in *; cbn [soldiers defenders hits]; lia.
Qed.

Example running_sums_stay_holds : exists i, aims_thriftily 1 (State 10 8 33) i /\
  siege 1 1 8 (State 10 8 33) i (Next (State (10 - 1 * 2) (2 + 8) (31 - 2))).
Proof. apply (running_sums_stay 1 1 8 8 10 33 0); lia. Qed.
