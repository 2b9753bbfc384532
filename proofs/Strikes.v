(** The general siege with reinforcements that repeat: the hunt in one step, and when to strike. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Rules General MinWaves.
Open Scope Z_scope.

(** ** The hunt in one step *)

(** The numbers a(j), b(j), e(j) and c(j) in the text. *)
Fixpoint hunt_numbers (k m : Z) (j : nat) : Z * Z * Z * Z :=
  match j with
  | O => (1, 0, m, 1)
  | S i =>
      match hunt_numbers k m i with
      | (a, b, e, c) => (a + k * e, b + k * c, e + m * (a + k * e), c + m * (b + k * c))
      end
  end.

(** Two of them are enough: a(j), and b(j)/k = e(j - 1)/m. *)
Fixpoint two_numbers (k m : Z) (j : nat) : Z * Z :=
  match j with O => (1, 0) | S i => let (a, u) := two_numbers k m i in (a + k * m * (u + a), u + a) end.

Definition alpha (k m : Z) (j : nat) : Z := fst (two_numbers k m j).
Definition upsilon (k m : Z) (j : nat) : Z := snd (two_numbers k m j).

Lemma two_next : forall k m j,
  alpha k m (S j) = alpha k m j + k * m * (upsilon k m j + alpha k m j) /\
  upsilon k m (S j) = upsilon k m j + alpha k m j.
Proof. intros k m j. unfold alpha, upsilon. cbn [two_numbers]. now destruct (two_numbers k m j). Qed.

Lemma two_positive : forall k m j, 0 < k -> 0 < m -> 1 <= alpha k m j /\ 0 <= upsilon k m j /\
  alpha k m j * alpha k m j = 1 + k * m * upsilon k m j * (upsilon k m j + alpha k m j).
Proof.
  intros k m j Hk Hm. induction j as [| j [IH1 [IH2 IH3]]].
  { unfold alpha, upsilon. cbn [two_numbers fst snd]. lia. }
  destruct (two_next k m j) as [-> ->]. set (a := alpha k m j) in *. set (u := upsilon k m j) in *.
  assert (0 < k * m) by nia. split; [nia |]. split; [lia |]. nia.
Qed.

Lemma numbers_are_two : forall k m j,
  hunt_numbers k m j = (alpha k m j, k * upsilon k m j, m * upsilon k m (S j), alpha k m j).
Proof.
  intros k m j. induction j as [| j IH].
  - unfold alpha, upsilon. cbn [hunt_numbers two_numbers fst snd].
    now rewrite Z.mul_0_r, Z.add_0_l, Z.mul_1_r.
  - cbn [hunt_numbers]. rewrite IH. destruct (two_next k m (S j)) as [_ ->]. destruct (two_next k m j) as [-> ->].
    f_equal; [f_equal; [f_equal |] |]; ring.
Qed.

(** [rid k m n x j]: x a(j) <= n b(j). *)
Definition rid (k m n x : Z) (j : nat) : Prop := x * alpha k m j <= n * (k * upsilon k m j).

Definition lost (k m n x : Z) (j : nat) : Prop := n * alpha k m j <= x * (m * upsilon k m (S j)).

Lemma rid_next : forall k m n x j, rid k m n x (S j) <-> rid k m (n - m * x) (x - k * (n - m * x)) j.
Proof. intros k m n x j. unfold rid. destruct (two_next k m j) as [-> ->]. split; intros H; nia. Qed.

Lemma lost_next : forall k m n x j, lost k m n x (S j) <-> lost k m (n - m * x) (x - k * (n - m * x)) j.
Proof.
  intros k m n x j. unfold lost. destruct (two_next k m (S j)) as [_ ->]. destruct (two_next k m j) as [-> ->].
  split; intros H; nia.
Qed.

Lemma rid_0 : forall k m n x, rid k m n x 0 <-> x <= 0.
Proof. intros. unfold rid, alpha, upsilon. cbn [two_numbers fst snd]. lia. Qed.

Lemma rid_of_none : forall k m n x j, 0 < k -> 0 < m -> 0 <= n -> x <= 0 -> rid k m n x j.
Proof.
  intros k m n x j Hk Hm Hn Hx. unfold rid. destruct (two_positive k m j Hk Hm) as [H1 [H2 _]].
  assert (x * alpha k m j <= 0) by nia. assert (0 <= k * upsilon k m j) by nia. nia.
Qed.

Lemma rid_of_less : forall k m n x N y j, 0 < k -> 0 < m -> n <= N -> y <= x -> rid k m n x j -> rid k m N y j.
Proof.
  intros k m n x N y j Hk Hm HN Hy H. unfold rid in *. destruct (two_positive k m j Hk Hm) as [H1 [H2 _]].
  assert (0 <= k * upsilon k m j) by nia.
  assert (y * alpha k m j <= x * alpha k m j) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (n * (k * upsilon k m j) <= N * (k * upsilon k m j)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma rid_leaves_soldiers : forall k m n x j, 0 < k -> 0 < m -> 0 < n -> rid k m n x j -> m * x < n.
Proof.
  intros k m n x j Hk Hm Hn H. unfold rid in H. destruct (two_positive k m j Hk Hm) as [H1 [H2 H3]].
  set (a := alpha k m j) in *. set (u := upsilon k m j) in *.
  assert (0 < k * m) by nia. assert (Hu : k * m * u < a).
  { apply Z.nle_gt. intros Hle. assert (a * a <= k * m * u * a) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (0 <= k * m * u * u) by (apply Z.mul_nonneg_nonneg; nia). nia. }
  assert (m * (x * a) <= m * (n * (k * u))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (n * (k * m * u) < n * a) by (apply Z.mul_lt_mono_pos_l; lia).
  apply Z.mul_lt_mono_pos_r with (p := a); lia.
Qed.

Lemma rid_rises : forall k m n x j, 0 < k -> 0 < m -> 0 <= n -> rid k m n x j -> rid k m n x (S j).
Proof.
  intros k m n x j Hk Hm Hn H. destruct (Z.le_gt_cases x 0) as [Hx | Hx]; [now apply rid_of_none |].
  unfold rid in *. destruct (two_next k m j) as [E1 E2]. destruct (two_positive k m j Hk Hm) as [H1 [H2 H3]].
  destruct (two_positive k m (S j) Hk Hm) as [H4 [H5 _]].
  set (a := alpha k m j) in *. set (u := upsilon k m j) in *.
  set (a' := alpha k m (S j)) in *. set (u' := upsilon k m (S j)) in *.
  assert (E : u * a' <= u' * a) by (rewrite E1, E2; nia).
  assert (x * a * a' <= n * (k * u) * a') by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (0 <= n * k) by nia.
  assert (n * k * (u * a') <= n * k * (u' * a)) by (apply Z.mul_le_mono_nonneg_l; lia).
  apply Z.mul_le_mono_pos_r with (p := a); lia.
Qed.

Lemma rid_rises_to : forall k m n x i j, 0 < k -> 0 < m -> 0 <= n -> (i <= j)%nat -> rid k m n x i -> rid k m n x j.
Proof. intros k m n x i j Hk Hm Hn Hij H. induction Hij as [| j _ IH]; [exact H | now apply rid_rises]. Qed.

Lemma hunted_is_rid : forall k m j N x, 0 < k -> 0 < m -> 0 < N -> 0 < x ->
  (hunted k m j N x = true <-> rid k m (N + m * x) x j).
Proof.
  intros k m j. induction j as [| j IH]; intros N x Hk Hm HN Hx.
  - cbn [hunted]. rewrite rid_0. split; [discriminate | lia].
  - cbn [hunted]. rewrite rid_next. replace (N + m * x - m * x) with N by lia.
    destruct (Z.leb_spec x (k * N)) as [Hle | Hgt]; cbn [orb].
    + split; [intros _ | reflexivity]. apply rid_of_none; lia.
    + destruct (Z.ltb_spec (m * (x - k * N)) N) as [Halive | Hdead]; cbn [andb].
      * rewrite IH by lia. now replace (N - m * (x - k * N) + m * (x - k * N)) with N by lia.
      * split; [discriminate |]. intros H. apply rid_leaves_soldiers in H; lia.
Qed.

(** Has the castle won a hunt within [j] waves if all shots go to defenders? The fall leaves [N] soldiers and [x]
    defenders. *)
Fixpoint hunt_lost (k m : Z) (j : nat) (N x : Z) : bool :=
  match j with
  | O => false
  | S i =>
      (k * N <? x) &&
      ((N <=? m * (x - k * N)) || hunt_lost k m i (N - m * (x - k * N)) (x - k * N))
  end.

Lemma hunt_lost_is_lost : forall k m j N x, 0 < k -> 0 < m -> 0 < N -> 0 < x ->
  (hunt_lost k m j N x = true <-> lost k m (N + m * x) x j).
Proof.
  intros k m j. induction j as [| j IH]; intros N x Hk Hm HN Hx.
  - cbn [hunt_lost]. unfold lost, alpha, upsilon. cbn [two_numbers fst snd]. split; [discriminate | lia].
  - cbn [hunt_lost]. rewrite lost_next. replace (N + m * x - m * x) with N by lia.
    destruct (two_positive k m j Hk Hm) as [H1 [H2 _]]. destruct (two_next k m j) as [_ E].
    destruct (Z.ltb_spec (k * N) x) as [Hgt | Hle]; cbn [andb].
    + destruct (Z.leb_spec N (m * (x - k * N))) as [Hdead | Halive]; cbn [orb].
      * split; [intros _ | reflexivity]. unfold lost. rewrite E.
        set (a := alpha k m j) in *. set (u := upsilon k m j) in *. set (y := x - k * N) in *.
        assert (N * a <= m * y * a) by (apply Z.mul_le_mono_nonneg_r; lia).
        assert (0 <= m * y * u) by (apply Z.mul_nonneg_nonneg; lia). lia.
      * rewrite IH by lia. now replace (N - m * (x - k * N) + m * (x - k * N)) with N by lia.
    + split; [discriminate |]. unfold lost. rewrite E. intros H.
      set (a := alpha k m j) in *. set (u := upsilon k m j) in *.
      assert (0 < N * a) by nia. assert (0 <= m * (u + a)) by nia. nia.
Qed.

(**
   Claim: Let the castle have fallen, with n soldiers at the start of that wave, x defenders left after its shots, and
     some soldiers alive. They can win within j further waves exactly when x a(j) <= n b(j), whether or not shots may be
     wasted. If all shots go to defenders, the castle has won by then exactly when x e(j) >= n c(j).
   Prose: general.md, Lemma 3 (the hunt in one step)
*)
Theorem hunt_in_one_step : forall legal k m d t n x j, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 < x -> m * x < n ->
  match hunt_numbers k m j with
  | (a, b, e, c) =>
      ((exists v, (v <= j)%nat /\ besieges legal k m d Soldiers t v (State (n - m * x) x 0)) <-> x * a <= n * b) /\
      (hunt_lost k m j (n - m * x) x = true <-> n * c <= x * e)
  end.
Proof.
  intros legal k m d t n x j Hlegal Hk Hm Hx Hn. rewrite numbers_are_two.
  change (x * alpha k m j <= n * (k * upsilon k m j)) with (rid k m n x j).
  change (n * alpha k m j <= x * (m * upsilon k m (S j))) with (lost k m n x j).
  replace (rid k m n x j) with (rid k m (n - m * x + m * x) x j) by (f_equal; lia).
  replace (lost k m n x j) with (lost k m (n - m * x + m * x) x j) by (f_equal; lia). split.
  - rewrite <- hunted_is_rid by lia. split.
    + intros [v [Hv H]]. apply (hunted_later k m j v); [exact Hv |].
      apply (hunted_if_won k m d v t (n - m * x) x); try lia.
      destruct Hlegal as [-> | ->]; [exact H | now apply besieges_if_thriftily].
    + intros H. apply (hunted_is_play k m d j t) in H as [v [Hv H]]; try lia. exists v. split; [exact Hv |].
      destruct Hlegal as [-> | ->]; [now apply besieges_if_thriftily | exact H].
  - apply hunt_lost_is_lost; lia.
Qed.

Example hunt_in_one_step_holds : exists v, (v <= 2)%nat /\
  besieges aims 1 1 (fun _ => 8) Soldiers 5 v (State (10 - 1 * 6) 6 0).
Proof. apply (hunt_in_one_step aims 1 1 (fun _ => 8) 5 10 6 2); [auto | lia | lia | lia | lia | vm_compute; easy]. Qed.

(** ** Waiting by division *)

Lemma struck_is_rid : forall k m d w N C, 0 < k -> 0 < m -> 0 < N ->
  (struck k m w (State N d C) = true <-> C + d - k * N <= d /\ rid k m N (C + d - k * N) w).
Proof.
  intros k m d w N C Hk Hm HN. unfold struck. cbn [soldiers defenders hits].
  replace (d + C - k * N) with (C + d - k * N) by lia. set (x := C + d - k * N).
  rewrite andb_true_iff, orb_true_iff, andb_true_iff, !Z.leb_le, Z.ltb_lt. split.
  - intros [H1 [H2 | [H2 H3]]]; (split; [unfold x; lia |]); [now apply rid_of_none; lia |].
    destruct (Z.le_gt_cases x 0) as [Hx | Hx]; [apply rid_of_none; lia |].
    apply hunted_is_rid in H3; [| lia ..]. now replace (N - m * x + m * x) with N in H3 by lia.
  - intros [H1 H2]. split; [unfold x in *; lia |].
    destruct (Z.le_gt_cases x 0) as [Hx | Hx]; [now left | right].
    pose proof (rid_leaves_soldiers k m N x w Hk Hm HN H2). split; [assumption |].
    apply hunted_is_rid; try lia. now replace (N - m * x + m * x) with N by lia.
Qed.

(** Wait [q] more waves, and hunt for [j] waves. *)
Lemma waiting_wins : forall k m d w t N C, 0 < k -> 0 < m -> 0 <= d <= k * N -> 0 < N -> 0 < C ->
  (patient_wins k m (fun _ => d) w t (State N d C) = true <->
   exists q j, (1 + q + j <= w)%nat /\ C - (Z.of_nat q + 1) * (k * N - d) <= d /\
     rid k m N (C - (Z.of_nat q + 1) * (k * N - d)) j).
Proof.
  intros k m d w. induction w as [| w IH]; intros t N C Hk Hm Hd HN HC.
  { split; [discriminate | intros [q [j [H _]]]; lia]. }
  cbn [patient_wins soldiers defenders hits]. rewrite orb_true_iff, struck_is_rid by assumption.
  replace (Z.min (k * N) d) with d by lia. replace (d - d) with 0 by lia.
  replace (N - m * 0) with N by lia. replace (0 + d) with d by lia. set (g := k * N - d) in *.
  replace (C + d - k * N) with (C - g) by (unfold g; lia).
  rewrite !andb_true_iff, !Z.ltb_lt. split.
  - intros [[H1 H2] | [[_ Hup] H]].
    + exists 0%nat, w. replace (C - (Z.of_nat 0 + 1) * g) with (C - g) by lia.
      split; [lia |]. split; [exact H1 | exact H2].
    + apply IH in H as [q [j [Hw [H1 H2]]]]; try assumption. exists (S q), j.
      replace (C - (Z.of_nat (S q) + 1) * g) with (C - g - (Z.of_nat q + 1) * g) by lia.
      split; [lia |]. split; [exact H1 | exact H2].
  - intros [q [j [Hw [H1 H2]]]]. destruct (Z.le_gt_cases (C - g) 0) as [Hdown | Hup].
    { left. split; [lia | now apply rid_of_none; lia]. }
    destruct q as [| q].
    + left. replace (C - (Z.of_nat 0 + 1) * g) with (C - g) in * by lia. split; [exact H1 |].
      apply rid_rises_to with (i := j); try assumption; lia.
    + right. split; [split; [lia | exact Hup] |]. apply IH; try assumption. exists q, j.
      replace (C - (Z.of_nat (S q) + 1) * g) with (C - g - (Z.of_nat q + 1) * g) in * by lia.
      split; [lia |]. split; [exact H1 | exact H2].
Qed.

Lemma rid_by_division : forall k m N x j, 0 < k -> 0 < m ->
  match hunt_numbers k m j with (a, b, _, _) => rid k m N x j <-> x <= N * b / a end.
Proof.
  intros k m N x j Hk Hm. rewrite numbers_are_two. unfold rid. destruct (two_positive k m j Hk Hm) as [H1 [H2 _]].
  set (a := alpha k m j) in *. set (b := k * upsilon k m j) in *. split; intros H.
  - apply Z.div_le_lower_bound; lia.
  - pose proof (Z.mul_div_le (N * b) a). nia.
Qed.

(**
   Claim: Let the castle stand with C hits, let d defenders be in the field, and let d more arrive after every wave,
     with d <= kN. Put g = kN - d. The soldiers can win within w waves exactly when there are q and j with 1 + q + j <=
     w, C - (q + 1)g <= d, and C - (q + 1)g at most Nb(j)/a(j), rounded down: they wait for q waves, bring the castle
     down, and hunt for j waves. If g = 0, a wave in which all shots go to defenders ends in the state in which it
     began.
   Prose: general.md, Theorem 4 (waiting by division)
*)
Theorem waiting_by_division : forall legal k m d t N C w, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 < N -> 0 < C -> 0 <= d <= k * N -> let g := k * N - d in
  ((exists v, (v <= w)%nat /\ besieges legal k m (fun _ => d) Soldiers t v (State N d C)) <->
   exists q j, (1 + q + j <= w)%nat /\
     match hunt_numbers k m j with (a, b, _, _) => C - (Z.of_nat q + 1) * g <= Z.min d (N * b / a) end) /\
  (g = 0 -> siege k m d (State N d C) d (Next (State N d C))).
Proof.
  intros legal k m d t N C w Hlegal Hk Hm HN HC Hd g. split.
  - rewrite patient_from_any by (cbn; auto; lia). rewrite waiting_wins by assumption. fold g.
    split; intros [q [j [Hw H]]]; exists q, j; (split; [exact Hw |]);
      pose proof (rid_by_division k m N (C - (Z.of_nat q + 1) * g) j Hk Hm) as Hr;
      destruct (hunt_numbers k m j) as [[[a b] e] c].
    + destruct H as [H1 H2]. apply Hr in H2. lia.
    + split; [lia |]. apply Hr. lia.
  - intros Hg. replace (Next (State N d C)) with
      (Next (State (soldiers (State N d C) - m * left (State N d C) d) (left (State N d C) d + d)
        (hits (State N d C) - (k * soldiers (State N d C) - d))))
      by (unfold left; cbn [soldiers defenders hits]; do 2 f_equal; lia).
    apply siege_goes_on; unfold left; cbn [soldiers defenders hits]; lia.
Qed.

Example waiting_by_division_holds :
  exists v, (v <= 15)%nat /\ besieges aims 1 1 (fun _ => 8) Soldiers 2 v (State 10 8 33).
Proof.
  apply (waiting_by_division aims 1 1 8 2 10 33 15); [auto | lia ..|]. exists 13%nat, 1%nat.
  split; [lia | vm_compute; discriminate].
Qed.

(** ** When to strike *)

(** The number of defenders left by a fall in wave q + 1. *)
Definition remains (k n s d : Z) (q : nat) : Z := s + Z.of_nat q * d - (Z.of_nat q + 1) * (k * n).

(** [n] soldiers can get rid of [x] defenders within [j] waves: x a(j) <= n b(j). *)
Definition is_rid (k m n x : Z) (j : nat) : Prop :=
  match hunt_numbers k m j with (a, b, _, _) => x * a <= n * b end.

Lemma is_rid_rid : forall k m n x j, is_rid k m n x j <-> rid k m n x j.
Proof. intros. unfold is_rid. rewrite numbers_are_two. reflexivity. Qed.

(** It no longer pays to wait. *)
Definition strikes_now (k m n s d : Z) (q : nat) : Prop :=
  (1 <= q)%nat /\ let x := remains k n s d q in x <= 0 \/ m * x * (x + d) <= n * d.

Lemma first_wave_of_siege : forall legal k m d w n s, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 <= d -> 0 < n -> k * n < s ->
  ((exists v, (v <= S w)%nat /\ besieges legal k m (fun _ => d) Soldiers 1 v (start n s)) <->
   patient_wins k m (fun _ => d) w 2 (State n d (s - k * n)) = true).
Proof.
  intros legal k m d w n s Hlegal Hk Hm Hd Hn Hs. assert (0 < k * n) by nia.
  rewrite patient_from_any by (cbn; auto; lia). unfold start. cbn [patient_wins]. unfold struck.
  cbn [soldiers defenders hits]. replace (Z.min (k * n) 0) with 0 by lia. replace (0 - 0) with 0 by lia.
  replace (n - m * 0) with n by lia. replace (0 + d) with d by lia. replace (k * n - 0) with (k * n) by lia.
  rewrite orb_true_iff, !andb_true_iff, Z.leb_le, !Z.ltb_lt.
  split; [intros [[H' _] | [_ H']]; [lia | exact H'] | intros H'; right; split; [lia | exact H']].
Qed.

(** If a castle is out of reach, it is struck in a later wave, and the hunt takes correspondingly fewer waves. *)
Lemma within_reach : forall k m d n j x, 0 < k -> 0 < m -> 0 <= d -> 0 < n -> rid k m n x j ->
  exists i l, (i + l = j)%nat /\ x - Z.of_nat i * (k * n - d) <= d /\ rid k m n (x - Z.of_nat i * (k * n - d)) l.
Proof.
  intros k m d n j. induction j as [| j IH]; intros x Hk Hm Hd Hn H.
  - exists 0%nat, 0%nat. replace (x - Z.of_nat 0 * (k * n - d)) with x by lia.
    apply rid_0 in H as Hx. split; [reflexivity |]. split; [lia | exact H].
  - destruct (Z.le_gt_cases x d) as [Hx | Hx].
    { exists 0%nat, (S j). replace (x - Z.of_nat 0 * (k * n - d)) with x by lia.
      split; [lia |]. split; [lia | exact H]. }
    pose proof (rid_leaves_soldiers _ _ _ _ _ Hk Hm Hn H). apply rid_next in H.
    assert (0 <= (m - 1) * x) by (apply Z.mul_nonneg_nonneg; lia).
    assert (0 <= (k - 1) * (m * x)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (Hmore : rid k m n (x - (k * n - d)) j).
    { apply rid_of_less with (n := n - m * x) (x := x - k * (n - m * x)); try assumption; lia. }
    destruct (IH _ Hk Hm Hd Hn Hmore) as [i [l [Hil [Hl1 Hl2]]]]. exists (S i), l.
    replace (x - Z.of_nat (S i) * (k * n - d)) with (x - (k * n - d) - Z.of_nat i * (k * n - d)) by lia.
    split; [lia |]. split; [exact Hl1 | exact Hl2].
Qed.

Lemma siege_staircase : forall legal k m d w n s, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 < n -> 0 <= d < k * n -> k * n < s ->
  ((exists v, (v <= w)%nat /\ besieges legal k m (fun _ => d) Soldiers 1 v (start n s)) <->
   exists q j, (1 <= q)%nat /\ (1 + q + j <= w)%nat /\ rid k m n (remains k n s d q) j).
Proof.
  intros legal k m d w n s Hlegal Hk Hm Hn Hd Hs. destruct w as [| w].
  { split; [intros [v [Hv H]]; apply besieges_positive in H; lia | intros [q [j [_ [H _]]]]; lia]. }
  assert (Ex : forall q, s - k * n - (Z.of_nat q + 1) * (k * n - d) = remains k n s d (S q)).
  { intros q. unfold remains. rewrite Nat2Z.inj_succ. unfold Z.succ. ring. }
  rewrite first_wave_of_siege by (assumption || lia). rewrite waiting_wins by lia. split.
  - intros [q [j [Hw [_ H]]]]. exists (S q), j. rewrite Ex in H. split; [lia |]. split; [lia | exact H].
  - intros [q [j [Hq [Hw H]]]]. apply (within_reach k m d) in H as [i [l [Hil [H1 H2]]]]; try assumption; [| lia].
    exists (q - 1 + i)%nat, l. rewrite Ex.
    replace (remains k n s d (S (q - 1 + i))) with (remains k n s d q - Z.of_nat i * (k * n - d))
      by (unfold remains; rewrite Nat2Z.inj_succ, Nat2Z.inj_add, Nat2Z.inj_sub by lia; unfold Z.succ; ring).
    split; [lia |]. split; [exact H1 | exact H2].
Qed.

Lemma siege_waiting_pays : forall k m n d x i, 0 < k -> 0 < m -> 0 < n -> 0 < x -> n * d < m * x * (x + d) ->
  rid k m n x i -> exists j, i = S j /\ rid k m n (x - (k * n - d)) j.
Proof.
  intros k m n d x [| j] Hk Hm Hn Hx Hpays H; [apply rid_0 in H; lia |]. exists j. split; [reflexivity |].
  pose proof (rid_leaves_soldiers _ _ _ _ _ Hk Hm Hn H) as Halive. apply rid_next in H. unfold rid in *.
  destruct (two_positive k m j Hk Hm) as [H1 [H2 _]].
  set (a := alpha k m j) in *. set (b := k * upsilon k m j) in *. set (N := n - m * x) in *.
  set (y := x - k * N) in *. set (z := x - (k * n - d)).
  assert (E : y * n - z * N = m * x * (x + d) - n * d) by (unfold y, z, N; ring).
  apply Z.mul_le_mono_pos_l with (p := N); [unfold N; lia |].
  assert (z * N * a <= y * n * a) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (y * a * n <= N * b * n) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma siege_striking_pays : forall k m n d x j, 0 < k -> 0 < m -> 0 < n -> 0 <= d -> 0 < x ->
  m * x * (x + d) <= n * d -> rid k m n (x - (k * n - d)) j -> rid k m n x (S j).
Proof.
  intros k m n d x j Hk Hm Hn Hd Hx Hpays H. apply rid_next. unfold rid in *.
  destruct (two_positive k m j Hk Hm) as [H1 [H2 _]].
  assert (Halive : m * x < n).
  { apply Z.nle_gt. intros Hle. assert (n * (x + d) <= m * x * (x + d)) by (apply Z.mul_le_mono_nonneg_r; lia). nia. }
  set (a := alpha k m j) in *. set (b := k * upsilon k m j) in *. set (N := n - m * x) in *.
  set (y := x - k * N) in *. set (z := x - (k * n - d)) in *.
  assert (E : y * n - z * N = m * x * (x + d) - n * d) by (unfold y, z, N; ring).
  apply Z.mul_le_mono_pos_l with (p := n); [lia |].
  assert (y * n * a <= z * N * a) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (z * a * N <= n * b * N) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma remains_next : forall k n s d q, remains k n s d (S q) = remains k n s d q - (k * n - d).
Proof. intros. unfold remains. rewrite Nat2Z.inj_succ. unfold Z.succ. ring. Qed.

Lemma remains_less : forall k n s d p q, d < k * n -> (p <= q)%nat -> remains k n s d q <= remains k n s d p.
Proof. intros k n s d p q Hd H. unfold remains. nia. Qed.

Lemma towards_the_strike : forall k m n s d best r i, 0 < k -> 0 < m -> 0 < n -> 0 <= d < k * n ->
  least (strikes_now k m n s d) best -> (1 <= r)%nat -> rid k m n (remains k n s d r) i ->
  exists j, (best + j <= r + i)%nat /\ rid k m n (remains k n s d best) j.
Proof.
  intros k m n s d best r i Hk Hm Hn Hd [[Hbest1 Hbest] Hleast]. revert i. cbv zeta in Hbest.
  destruct (Nat.le_gt_cases r best) as [Hr | Hr].
  - (* sooner *)
    remember (best - r)%nat as l eqn:Hl. revert r Hr Hl.
    induction l as [| l IH]; intros r Hr Hl i Hr1 H.
    + replace r with best in H by lia. exists i. split; [lia | exact H].
    + assert (Hnot : ~ strikes_now k m n s d r) by (intros Hs; apply Hleast in Hs; lia).
      unfold strikes_now in Hnot. cbv zeta in Hnot.
      destruct (siege_waiting_pays k m n d (remains k n s d r) i) as [j [-> Hj]]; try assumption; try lia.
      rewrite <- remains_next in Hj. destruct (IH (S r) ltac:(lia) ltac:(lia) j ltac:(lia) Hj) as [e [He Hb]].
      exists e. split; [lia | exact Hb].
  - (* later *)
    induction r as [| r IH]; intros i Hr1 H; [lia |].
    assert (Hrest : exists j, (r + j <= S r + i)%nat /\ rid k m n (remains k n s d r) j).
    { destruct (Z.le_gt_cases (remains k n s d r) 0) as [H0 | H0].
      - exists 0%nat. split; [lia | now apply rid_0].
      - exists (S i). split; [lia |].
        apply (siege_striking_pays k m n d); try assumption; [lia | | now rewrite <- remains_next].
        pose proof (remains_less k n s d best r ltac:(lia) ltac:(lia)).
        set (x := remains k n s d r) in *. set (y := remains k n s d best) in *.
        destruct Hbest as [Hb | Hb]; [lia |]. apply Z.le_trans with (m * y * (y + d)); [| exact Hb].
        apply Z.mul_le_mono_nonneg; nia. }
    destruct Hrest as [j [Hj Hb]]. destruct (Nat.eq_dec r best) as [-> | Hne].
    + exists j. split; [lia | exact Hb].
    + destruct (IH ltac:(lia) j ltac:(lia) Hb) as [e [He Hbe]]. exists e. split; [lia | exact Hbe].
Qed.

(**
   Claim: Let d defenders arrive after every wave, with d < kn < s. Let q be the smallest number >= 1 for which x = s +
     qd - (q + 1)kn is not positive or mx(x + d) <= nd, and let j be the smallest number with xa(j) <= nb(j). Then the
     fewest waves in which the soldiers can win are 1 + q + j, whether or not shots may be wasted.
   Prose: general.md, Theorem 5 (when to strike)
*)
Theorem when_to_strike : forall legal k m d n s q j, legal = aims \/ legal = aims_thriftily ->
  0 < k -> 0 < m -> 0 < n -> 0 <= d < k * n -> k * n < s ->
  least (strikes_now k m n s d) q -> least (is_rid k m n (remains k n s d q)) j ->
  besieges legal k m (fun _ => d) Soldiers 1 (1 + q + j) (start n s) /\
  forall w, besieges legal k m (fun _ => d) Soldiers 1 w (start n s) -> (1 + q + j <= w)%nat.
Proof.
  intros legal k m d n s q j Hlegal Hk Hm Hn Hd Hs Hq [Hj Hleast]. apply is_rid_rid in Hj.
  assert (Hmin : forall w, besieges legal k m (fun _ => d) Soldiers 1 w (start n s) -> (1 + q + j <= w)%nat).
  { intros w H. assert (Hw : exists v, (v <= w)%nat /\ besieges legal k m (fun _ => d) Soldiers 1 v (start n s))
      by now exists w.
    apply siege_staircase in Hw as [r [i [Hr [Hw Hi]]]]; try assumption.
    destruct (towards_the_strike k m n s d q r i) as [l [Hl Hlr]]; try assumption.
    apply is_rid_rid, Hleast in Hlr. lia. }
  split; [| exact Hmin]. assert (Hin : exists v, (v <= 1 + q + j)%nat /\
    besieges legal k m (fun _ => d) Soldiers 1 v (start n s)).
  { apply siege_staircase; try assumption. exists q, j. split; [apply Hq |]; split; [lia | exact Hj]. }
  destruct Hin as [v [Hv H]]. pose proof (Hmin v H). now replace (1 + q + j)%nat with v by lia.
Qed.

Example when_to_strike_holds : besieges aims 1 1 (fun _ => 8) Soldiers 1 16 (start 10 43).
Proof.
  apply (when_to_strike aims 1 1 8 10 43 14 1); [auto | lia ..| |].
  - unfold strikes_now, remains. split; [lia |]. intros r Hr. nia.
  - split; [vm_compute; discriminate |]. intros [| i] H; [vm_compute in H; now elim H | lia].
Qed.

(** ** The two plans *)

(** As many shots as possible go to defenders, in every wave. *)
Definition plan_defenders (k : Z) (now : state) (i : Z) : Prop := i = Z.min (k * soldiers now) (defenders now).

(** The castle gets as many shots as it can take, and the defenders get the rest. *)
Definition plan_castle (k : Z) (now : state) (i : Z) : Prop :=
  i = Z.max 0 (Z.min (defenders now) (k * soldiers now - hits now)).

Lemma defenders_first_stands : forall k m d t w N D C, 0 < k -> 0 < m -> k * N <= d -> k * N <= D -> 0 < C -> 0 < N ->
  ~ besieges plan_defenders k m (fun _ => d) Soldiers t w (State N D C).
Proof.
  intros k m d t w. revert t. induction w as [| w IH]; intros t N D C Hk Hm Hd HD HC HN H; [inversion H |].
  inversion H as [? ? i Hi Hw | ? ? i next ? Hi Hw Hend]; subst; unfold plan_defenders in Hi; cbn in Hi;
    replace (Z.min (k * N) D) with (k * N) in Hi by lia; subst i;
    inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *; try lia.
  assert (0 <= m * (D - k * N)) by nia.
  assert (k * (N - m * (D - k * N)) <= k * N) by (apply Z.mul_le_mono_nonneg_l; lia).
  apply IH in Hend; try assumption; lia.
Qed.

Lemma defenders_first_wins : forall b k m d t n C, 0 < k -> 0 < m -> 0 <= d < k * n -> 0 < C <= Z.of_nat b ->
  0 < n -> exists w, besieges plan_defenders k m (fun _ => d) Soldiers t w (State n d C).
Proof.
  induction b as [| b IH]; intros k m d t n C Hk Hm Hd HC Hn; [lia |].
  assert (Hi : plan_defenders k (State n d C) d) by (unfold plan_defenders; cbn [soldiers defenders]; lia).
  destruct (Z.le_gt_cases C (k * n - d)) as [Hfalls | Hstands].
  - exists 1%nat. apply besieges_now with (i := d); [exact Hi |].
    apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
  - destruct (IH k m d (S t) n (C - (k * n - d)) Hk Hm Hd ltac:(lia) Hn) as [w Hw]. exists (S w).
    apply besieges_later with (i := d) (next := State n d (C - (k * n - d))); [exact Hi | | exact Hw].
    replace (State n d (C - (k * n - d))) with
      (State (soldiers (State n d C) - m * left (State n d C) d) (left (State n d C) d + d)
        (hits (State n d C) - (k * soldiers (State n d C) - d)))
      by (unfold left; cbn [soldiers defenders hits]; f_equal; lia).
    apply siege_goes_on; unfold left; cbn [soldiers defenders hits]; lia.
Qed.

(** A plan has only one line, and therefore only one wave in which it wins. *)
Lemma plan_is_unique : forall k m d t v w now,
  besieges plan_castle k m d Soldiers t v now -> besieges plan_castle k m d Soldiers t w now -> v = w.
Proof.
  intros k m d t v w now H. revert w. induction H as [t now i Hi Hw | t now i next v Hi Hw H IH]; intros w H2;
    inversion H2 as [? ? j Hj Hv | ? ? j other ? Hj Hv Hend]; subst; unfold plan_castle in Hi, Hj; subst;
    [reflexivity | | |].
  - inversion Hw; inversion Hv; subst; lia.
  - inversion Hw; inversion Hv; subst; lia.
  - f_equal. apply IH. inversion Hw; inversion Hv; subst; try lia; try congruence.
Qed.

Lemma plan_hunts : forall k m d w t N x, 0 < k -> 0 < m -> 0 < N -> 0 < x -> hunted k m w N x = true ->
  exists v, (v <= w)%nat /\ besieges plan_castle k m d Soldiers t v (State N x 0).
Proof.
  intros k m d w. induction w as [| w IH]; intros t N x Hk Hm HN Hx H; [discriminate |].
  cbn [hunted] in H. assert (0 < k * N) by nia. destruct (Z.leb_spec x (k * N)) as [L | L].
  - exists 1%nat. split; [lia |].
    apply besieges_now with (i := x); [unfold plan_castle; cbn [soldiers defenders hits]; lia |].
    apply none_left; unfold left; cbn [soldiers defenders hits]; lia.
  - cbn [orb] in H. apply andb_true_iff in H as [Halive H]. apply Z.ltb_lt in Halive.
    destruct (IH (S t) (N - m * (x - k * N)) (x - k * N)) as [v [Hv Hplay]]; try lia; [exact H |].
    exists (S v). split; [lia |].
    apply besieges_later with (i := k * N) (next := State (N - m * (x - k * N)) (x - k * N) 0);
      [unfold plan_castle; cbn [soldiers defenders hits]; lia | | exact Hplay].
    apply (hunt_goes_on k m (d t) (State N x 0)); unfold left; cbn [soldiers defenders hits]; lia.
Qed.

(** If the fresh defenders take up all shots, no later fall leaves fewer defenders. *)
Lemma at_once_if_at_all : forall k m d w t N D C, 0 < k -> 0 < m -> 0 < N -> 0 < C -> k * N <= d -> k * N <= D ->
  patient_wins k m (fun _ => d) (S w) t (State N D C) = true -> C <= k * N /\ rid k m N (D + C - k * N) w.
Proof.
  intros k m d w. induction w as [| w IH]; intros t N D C Hk Hm HN HC Hd HD H.
  - cbn [patient_wins] in H. rewrite orb_true_iff, andb_false_r in H. destruct H as [H | H]; [| discriminate].
    unfold struck in H. cbn [soldiers defenders hits hunted] in H. rewrite andb_false_r, orb_false_r, andb_true_iff,
      !Z.leb_le in H. split; [lia |]. apply rid_0. lia.
  - remember (S w) as u eqn:Eu. cbn [patient_wins] in H. subst u. apply orb_true_iff in H as [H | H].
    + unfold struck in H. cbn [soldiers defenders hits] in H. apply andb_true_iff in H as [H1 H]. apply Z.leb_le in H1.
      split; [exact H1 |]. apply orb_true_iff in H as [H | H]; [apply Z.leb_le in H; apply rid_of_none; lia |].
      apply andb_true_iff in H as [Halive H]. apply Z.ltb_lt in Halive.
      apply hunted_is_rid in H; [| lia ..].
      now replace (N - m * (D + C - k * N) + m * (D + C - k * N)) with N in H by lia.
    + cbn [soldiers defenders hits] in H. replace (Z.min (k * N) D) with (k * N) in H by lia.
      apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 _]. apply Z.ltb_lt in H1.
      replace (C - (k * N - k * N)) with C in H3 by lia.
      assert (0 <= m * (D - k * N)) by nia.
      assert (k * (N - m * (D - k * N)) <= k * N) by (apply Z.mul_le_mono_nonneg_l; lia).
      apply IH in H3; try assumption; try lia. destruct H3 as [_ H3].
      assert (Hr : rid k m N (D + C - k * N) (S w)).
      { apply rid_rises; try assumption; [lia |].
        apply rid_of_less with (n := N - m * (D - k * N)) (x := D - k * N + d + C - k * (N - m * (D - k * N)));
          try assumption; lia. }
      split; [| exact Hr]. pose proof (rid_leaves_soldiers _ _ _ _ _ Hk Hm HN Hr). nia.
Qed.

(**
   Claim: Let d defenders arrive after every wave. Shooting as many defenders as possible in every wave wins exactly
     when s <= kn or d < kn. If d >= kn and the soldiers can win, shooting at the castle until it falls wins, and does
     so in the fewest waves, whether or not shots may be wasted.
   Prose: general.md, Theorem 6 (the two plans)
*)
Theorem the_two_plans : forall k m d n s, 0 < k -> 0 < m -> 0 <= d -> 0 < n -> 0 < s ->
  ((exists w, besieges plan_defenders k m (fun _ => d) Soldiers 1 w (start n s)) <-> s <= k * n \/ d < k * n) /\
  forall legal, legal = aims \/ legal = aims_thriftily -> k * n <= d ->
    (exists w, besieges legal k m (fun _ => d) Soldiers 1 w (start n s)) ->
    exists w, besieges plan_castle k m (fun _ => d) Soldiers 1 w (start n s) /\
      forall v, besieges legal k m (fun _ => d) Soldiers 1 v (start n s) -> (w <= v)%nat.
Proof.
  intros k m d n s Hk Hm Hd Hn Hs. assert (0 < k * n) by nia.
  assert (Hfirst : k * n < s -> siege k m d (start n s) 0 (Next (State n d (s - k * n)))).
  { intros H'. replace (State n d (s - k * n)) with
      (State (soldiers (start n s) - m * left (start n s) 0) (left (start n s) 0 + d)
        (hits (start n s) - (k * soldiers (start n s) - 0)))
      by (unfold left, start; cbn [soldiers defenders hits]; f_equal; lia).
    apply siege_goes_on; unfold left, start; cbn [soldiers defenders hits]; lia. }
  assert (Hone : s <= k * n -> siege k m d (start n s) 0 (Won Soldiers)).
  { intros H'. apply none_left; unfold left, start; cbn [soldiers defenders hits]; lia. }
  assert (Hd0 : plan_defenders k (start n s) 0) by (unfold plan_defenders, start; cbn [soldiers defenders hits]; lia).
  assert (Hc0 : plan_castle k (start n s) 0) by (unfold plan_castle, start; cbn [soldiers defenders hits]; lia).
  split; [split |].
  - intros [w H']. destruct (Z.le_gt_cases s (k * n)) as [L | L]; [now left | right].
    apply Z.nle_gt. intros Hmany.
    inversion H' as [? ? i Hi Hw | ? ? i next v Hi Hw Hend]; subst; unfold plan_defenders, start in *;
      cbn [soldiers defenders hits] in *; replace (Z.min (k * n) 0) with 0 in * by lia; subst;
      inversion Hw; subst; unfold left in *; cbn [soldiers defenders hits] in *; try lia.
    apply defenders_first_stands in Hend; try assumption; nia.
  - intros H'. destruct (Z.le_gt_cases s (k * n)) as [L | L].
    + exists 1%nat. apply besieges_now with (i := 0); auto.
    + destruct H' as [H' | H']; [lia |].
      destruct (defenders_first_wins (Z.to_nat (s - k * n)) k m d 2 n (s - k * n)) as [w Hw]; try assumption; try lia.
      exists (S w). apply besieges_later with (i := 0) (next := State n d (s - k * n)); auto.
  - intros legal Hlegal Hmany [w0 H0]. destruct (Z.le_gt_cases s (k * n)) as [L | L].
    { exists 1%nat. split; [apply besieges_now with (i := 0); auto |]. intros v Hv. now apply besieges_positive in Hv. }
    assert (Hplan : forall w, besieges legal k m (fun _ => d) Soldiers 1 w (start n s) ->
      exists v, (v <= w)%nat /\ besieges plan_castle k m (fun _ => d) Soldiers 1 v (start n s)).
    { intros w H'. pose proof (besieges_positive _ _ _ _ _ _ _ _ H'). destruct w as [| w]; [lia |].
      assert (Hin : exists v, (v <= S w)%nat /\ besieges legal k m (fun _ => d) Soldiers 1 v (start n s))
        by now exists (S w).
      apply first_wave_of_siege in Hin; try assumption. destruct w as [| w]; [discriminate |].
      apply at_once_if_at_all in Hin as [Hc Hr]; try assumption; [| lia].
      set (C := s - k * n) in *. set (x := d + C - k * n) in *.
      pose proof (rid_leaves_soldiers _ _ _ _ _ Hk Hm Hn Hr). assert (0 < x) by (unfold x, C; lia).
      replace n with (n - m * x + m * x) in Hr by lia. apply hunted_is_rid in Hr; try lia.
      apply (plan_hunts k m (fun _ => d) w 3) in Hr as [v [Hv Hplay]]; try lia.
      exists (S (S v)). split; [lia |].
      apply besieges_later with (i := 0) (next := State n d C); [exact Hc0 | now apply Hfirst |].
      apply besieges_later with (i := k * n - C) (next := State (n - m * x) x 0);
        [unfold plan_castle; cbn [soldiers defenders hits]; lia | | exact Hplay].
      replace x with (left (State n d C) (k * n - C)) by (unfold left; cbn [defenders]; unfold x; lia).
      apply (hunt_goes_on k m d (State n d C)); unfold left; cbn [soldiers defenders hits]; unfold x in *; lia. }
    destruct (Hplan w0 H0) as [w [_ Hw]]. exists w. split; [exact Hw |]. intros v Hv.
    destruct (Hplan v Hv) as [u [Hu Hplay]]. rewrite (plan_is_unique _ _ _ _ _ _ _ Hw Hplay). exact Hu.
Qed.

Example the_two_plans_holds : exists w, besieges plan_defenders 2 1 (fun _ => 8) Soldiers 1 w (start 10 43).
Proof. apply (the_two_plans 2 1 8 10 43); lia. Qed.
