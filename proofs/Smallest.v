(** The smallest castle that can win. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Golden Soldiers MinWaves CastleSide Greedy Border.
Open Scope Z_scope.

(**
   Claim: If the castle can win in wave w, then with one more hit it can win in wave w or earlier.
   Prose: castle-side.md, Lemma 8 (more hits)
*)
Theorem more_hits : forall n s d w, 0 < n -> 0 < s -> 0 < d -> ends thrifty d Castle w (start n s) ->
  within thrifty d Castle w (start n (s + 1)).
Proof.
  intros n s d w Hn Hs Hd H.
  destruct (greedy_is_faster d w (start n (s + 1)) (start n s) Hd Hs) as [v [Hv Hwins]]; [| exact H |].
  - unfold ahead, start, left_by_fall. cbn [soldiers defenders hits]. lia.
  - exists v. split; [exact Hv |]. apply greedy_is_a_line; [| | exact Hwins]; unfold start; cbn [soldiers hits]; lia.
Qed.

Example more_hits_holds : within thrifty 12 Castle 2 (start 10 (18 + 1)).
Proof. apply more_hits; [lia | lia | lia |]. apply two_waves; lia. Qed.

(** ** What thrift requires *)

(** If a fall would leave this many defenders when thrift begins, the castle wins: y < xφ, expressed in integers. *)
Definition below_golden (y x : Z) : Prop := 0 <= x /\ (y < 0 \/ form y x < 0).

Lemma golden_by_less : forall y x, 0 <= y <= x -> 0 < x -> form y x < 0.
Proof. intros y x H Hx. unfold form. nia. Qed.

Lemma fall_is_kept : forall d n b, 2 <= d <= n -> 0 < b < n -> form n b < 0 -> form (n - d) (b - 1) < 0.
Proof.
  intros d n b Hd Hb H. unfold form in *.
  set (y := n - d) in *. set (x := b - 1) in *.
  assert (Hn : y + 2 <= n) by lia. replace b with (x + 1) in * by lia.
  assert (H2 : (y + 2) * (y + 2) - (y + 2) * (x + 1) - (x + 1) * (x + 1) < 0 \/ y + 2 <= x + 1).
  { destruct (Z.le_gt_cases (y + 2) (x + 1)); [now right | left]. nia. }
  destruct H2 as [H2 | H2]; [| nia].
  destruct (Z.le_gt_cases (4 * x) (3 * y + 1)); nia.
Qed.

Lemma thrift_wins_only : forall d w now, 2 <= d -> 0 < soldiers now -> 0 < hits now <= soldiers now ->
  greedy_wins d w now = true -> 1 <= left_by_fall now /\ below_golden (soldiers now - d) (left_by_fall now - 1).
Proof.
  intros d w. induction w as [| v IH]; intros [N D S] Hd HN HS H; [discriminate |].
  unfold below_golden, left_by_fall in *. cbn [soldiers defenders hits] in *. cbn [greedy_wins] in H.
  apply orb_true_iff in H as [H | H]; [apply orb_true_iff in H as [H | H] |].
  - apply andb_true_iff in H as [_ H]. unfold can_win_now in H. cbn [soldiers defenders hits] in H.
    apply andb_true_iff in H as [H1 H2]. apply Z.leb_le in H1, H2.
    split; [lia |]. split; [lia |]. destruct (Z.lt_ge_cases (N - d) 0) as [Hy | Hy]; [now left | right].
    apply golden_by_less; lia.
  - unfold left_by_fall in H. cbn [soldiers defenders hits] in H.
    apply andb_true_iff in H as [H Hhunt]. apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2].
    apply Z.ltb_lt in H2, H3. split; [lia |]. split; [lia |].
    destruct (Z.lt_ge_cases (N - d) 0) as [Hy | Hy]; [now left | right].
    apply fall_is_kept; [lia | lia |]. apply hunt_is_lost; [lia |]. destruct v as [| m]; [discriminate |]. now exists m.
  - unfold greedy_next, left_by_fall in H. cbn [soldiers defenders hits] in H.
    destruct (Z.ltb_spec N S); [lia |].
    destruct (Z.leb_spec 0 (D - N + S - 1)) as [Hlow |]; [| discriminate].
    destruct (Z.ltb_spec (D - N + S - 1) N) as [Hup |]; [| discriminate]. cbn [andb] in H.
    apply IH in H; cbn [soldiers defenders hits] in *; [| lia | lia | lia].
    destruct H as [_ [Hx H]]. split; [lia |]. split; [lia |].
    destruct (Z.lt_ge_cases (N - d) 0) as [Hy | Hy]; [now left | right].
    destruct H as [H | H].
    + apply golden_by_less; lia.
    + set (x := D - N + S - 1) in *. replace (N - x - d) with (N - d - x) in H by lia.
      replace (x + d - (N - x) + 1 - 1) with (2 * x - (N - d)) in H by lia. now rewrite form_is_invariant in H.
Qed.

Lemma golden_positive : forall y x, 0 <= x -> form y x < 0 -> 0 < x /\ y < 2 * x.
Proof.
  intros y x Hx H. unfold form in H. split.
  - destruct (Z.eq_dec x 0) as [-> | Hne]; [| lia]. pose proof (Z.square_nonneg y). lia.
  - apply Z.lt_nge. intros Hy. pose proof (Z.mul_nonneg_nonneg (y - 2 * x) (y + x) ltac:(lia) ltac:(lia)). nia.
Qed.

Lemma thrift_wins : forall m d N D C, 0 < d -> 0 < C <= N -> N - d <= Z.of_nat m ->
  below_golden (N - d) (D - N + C - 1) -> exists w, ends thrifty d Castle w (State N D C).
Proof.
  induction m as [| m IH]; intros d N D C Hd HS Hm [Hx H]; set (x := D - N + C - 1) in *;
    (destruct (Z.le_gt_cases N x) as [Hbig | Hsmall]; [exists 1%nat; apply wins_at_once; lia |]);
    destruct (keeps_one_hit d N D C) as [Hlegal Hwave]; try lia; fold x in Hwave;
    assert (Hpos : N - d < 0 \/ 0 < x) by (destruct H as [H | H]; [now left | right; now apply golden_positive in H]).
  - destruct (grinds_down d (Z.to_nat N) (N - x) x) as [w Hw]; [lia | lia | lia | lia |].
    exists (S w). eapply later; [exact Hlegal | exact Hwave | exact Hw].
  - destruct (Z.le_gt_cases (N - x) d) as [Hfew | Hmany].
    + destruct (grinds_down d (Z.to_nat N) (N - x) x) as [w Hw]; [lia | lia | lia | lia |].
      exists (S w). eapply later; [exact Hlegal | exact Hwave | exact Hw].
    + destruct H as [H | H]; [lia |].
      assert (Hhalf : N - d < 2 * x) by now apply golden_positive in H.
      destruct (IH d (N - x) (x + d) 1 Hd) as [w Hw]; [lia | lia | |].
      * replace (x + d - (N - x) + 1 - 1) with (2 * x - (N - d)) by lia.
        split; [lia | right]. replace (N - x - d) with (N - d - x) by lia. now rewrite form_is_invariant.
      * exists (S w). eapply later; [exact Hlegal | exact Hwave | exact Hw].
Qed.

(** For d = 1, the castle falls at once or never. *)

Lemma later_is_worse : forall n b, 0 < n -> 0 < b -> form (n - b + 1) (2 * b - n) < 0 -> form n b < 0.
Proof.
  intros n b Hn Hb H. assert (E : form (n - b + 1) (2 * b - n) = form n b + 3 * n - 4 * b + 1) by (unfold form; ring).
  destruct (Z.le_gt_cases (4 * b) (3 * n + 1)) as [Hfew | Hmany]; [lia |].
  destruct (Z.le_gt_cases n b) as [Hle | Hgt]; [apply golden_by_less; lia |].
  assert (3 * n * (3 * (n - b)) <= 4 * b * b) by (apply Z.mul_le_mono_nonneg; lia). unfold form. nia.
Qed.

Lemma alone_wins_only : forall w now, 0 < soldiers now -> 0 < hits now <= soldiers now ->
  greedy_wins 1 w now = true -> below_golden (soldiers now) (left_by_fall now).
Proof.
  intros w. induction w as [| v IH]; intros [N D C] HN HC H; [discriminate |].
  unfold below_golden, left_by_fall in *. cbn [soldiers defenders hits] in *. cbn [greedy_wins] in H.
  apply orb_true_iff in H as [H | H]; [apply orb_true_iff in H as [H | H] |].
  - apply andb_true_iff in H as [_ H]. unfold can_win_now in H. cbn [soldiers defenders hits] in H.
    apply andb_true_iff in H as [H1 H2]. apply Z.leb_le in H1, H2.
    split; [lia | right]. apply golden_by_less; lia.
  - unfold left_by_fall in H. cbn [soldiers defenders hits] in H.
    apply andb_true_iff in H as [H Hhunt]. apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2].
    apply Z.ltb_lt in H2, H3. split; [lia | right]. apply hunt_is_lost; [lia |].
    destruct v as [| m]; [discriminate |]. now exists m.
  - unfold greedy_next, left_by_fall in H. cbn [soldiers defenders hits] in H.
    destruct (Z.ltb_spec N C); [lia |].
    destruct (Z.leb_spec 0 (D - N + C - 1)) as [Hlow |]; [| discriminate].
    destruct (Z.ltb_spec (D - N + C - 1) N) as [Hup |]; [| discriminate]. cbn [andb] in H.
    apply IH in H; cbn [soldiers defenders hits] in *; [| lia | lia].
    destruct H as [Hx [H | H]]; [lia |]. split; [lia | right].
    set (b := D - N + C) in *. apply later_is_worse; [lia | lia |].
    replace (N - b + 1) with (N - (b - 1)) by lia.
    now replace (2 * b - N) with (b - 1 + 1 - (N - (b - 1)) + 1) by lia.
Qed.

Lemma alone_wins : forall N D C, 0 < C <= N -> below_golden N (D - N + C) ->
  exists w, ends thrifty 1 Castle w (State N D C).
Proof.
  intros N D C HC [Hb [H | H]]; [lia |].
  destruct (Z.le_gt_cases N (D - N + C)) as [Hbig | Hsmall]; [exists 1%nat; apply wins_at_once; lia |].
  destruct (golden_positive _ _ Hb H) as [Hpos _].
  destruct (proj2 (hunt_is_lost N (D - N + C) ltac:(lia)) H) as [m Hm].
  exists (S (S m)). apply greedy_is_a_line; [cbn [soldiers]; lia | cbn [hits]; lia |].
  cbn [greedy_wins]. unfold left_by_fall. cbn [soldiers defenders hits].
  destruct (Z.leb_spec C N), (Z.ltb_spec 0 (D - N + C)), (Z.ltb_spec (D - N + C) N); try lia.
  cbn [loses_hunt] in Hm |- *. cbn [andb]. rewrite Hm. now rewrite orb_true_r.
Qed.

(** For armies of d soldiers, the number of soldiers whom a castle at its last hit keeps busy forever. It is 0 for d =
    1, because then the castle falls. *)
Definition kept (d : Z) : Z := if d =? 1 then 0 else 1.

(**
   Claim: Let thrift begin with N soldiers, D defenders and C <= N hits. With e = 0 for d = 1 and e = 1 for d >= 2, the
     castle can win exactly when a fall in this wave would leave B = D - N + C >= e defenders with (B - e)φ > N - ed.
   Prose: castle-side.md, Lemma 9 (what thrift needs)
*)
Theorem thrift_needs : forall d N D C, 0 < d -> 0 < C <= N ->
  ((exists w, ends thrifty d Castle w (State N D C)) <-> below_golden (N - kept d * d) (D - N + C - kept d)).
Proof.
  intros d N D C Hd HC. unfold kept. destruct (Z.eqb_spec d 1) as [-> | Hne].
  - replace (N - 0 * 1) with N by lia. replace (D - N + C - 0) with (D - N + C) by lia. split; [| now apply alone_wins].
    intros [w H]. destruct (greedy_is_faster 1 w (State N D C) (State N D C)) as [v [_ Hv]];
      [lia | cbn [hits]; lia | | exact H |].
    + unfold ahead. cbn [soldiers defenders hits]. lia.
    + apply alone_wins_only in Hv; cbn [soldiers defenders hits] in *; [exact Hv | lia | lia].
  - replace (1 * d) with d by lia. split.
    + intros [w H]. destruct (greedy_is_faster d w (State N D C) (State N D C)) as [v [_ Hv]];
        [lia | cbn [hits]; lia | | exact H |].
      * unfold ahead. cbn [soldiers defenders hits]. lia.
      * apply thrift_wins_only in Hv; unfold left_by_fall in Hv; cbn [soldiers defenders hits] in *; [tauto | lia ..].
    + apply (thrift_wins (Z.to_nat (N - d))); lia.
Qed.

Example thrift_needs_holds : exists w, ends thrifty 10 Castle w (State 31 20 25).
Proof. apply thrift_needs; [lia | lia |]. split; [cbn; lia | right; reflexivity]. Qed.

(** ** The border *)

(** The numbers of pairs and triples of u waves: u(u-1)/2 and u(u-1)(u-2)/6. *)
Fixpoint pairs (u : nat) : Z := match u with O => 0 | S v => pairs v + Z.of_nat v end.
Fixpoint triples (u : nat) : Z := match u with O => 0 | S v => triples v + pairs v end.

(** The number of soldiers at the start of wave u + 1 if all of them have shot at the castle until then. *)
Definition soldiers_after (n d : Z) (u : nat) : Z := n - d * pairs u.
Definition hits_after (n s d : Z) (u : nat) : Z := s - Z.of_nat u * n + d * triples u.
Definition all_out (n s d : Z) (u : nat) : state :=
  State (soldiers_after n d u) (Z.of_nat u * d) (hits_after n s d u).

(** Thrift in wave u + 1 is not too early. If it were, the castle could not win by it, even with all its defenders
    left. *)
Definition not_too_early (n d : Z) (u : nat) : Prop :=
  below_golden (soldiers_after n d u - kept d * d) (Z.of_nat u * d - kept d).

(** In wave u + 1, the castle has hits, and it has enough of them for thrift in that wave to win. *)
Definition enough_hits (n s d : Z) (u : nat) : Prop :=
  1 <= hits_after n s d u /\
  below_golden (soldiers_after n d u - kept d * d)
    (Z.of_nat u * d - soldiers_after n d u + hits_after n s d u - kept d).

Lemma golden_grows : forall y x z, x <= z -> below_golden y x -> below_golden y z.
Proof.
  intros y x z Hz [Hx H]. split; [lia |]. destruct (Z.lt_ge_cases y 0) as [Hy | Hy]; [now left | right].
  destruct H as [H | H]; [lia |]. unfold form in *. nia.
Qed.

Lemma too_early : forall n d v, 0 < d -> (1 <= v)%nat -> ~ not_too_early n d v ->
  Z.of_nat v * d < soldiers_after n d v.
Proof.
  intros n d v Hd Hv H. apply Z.nle_gt. intros Hn. apply H. unfold not_too_early.
  assert (Hvd : d <= Z.of_nat v * d) by nia.
  assert (Hkept : kept d = 0 \/ kept d = 1 /\ 2 <= d) by (unfold kept; destruct (Z.eqb_spec d 1); lia).
  set (x := Z.of_nat v * d) in *. destruct Hkept as [-> | [-> H2]]; (split; [lia |]);
    match goal with |- ?y < 0 \/ _ => destruct (Z.lt_ge_cases y 0) as [Hy | Hy]; [now left | right] end;
    apply golden_by_less; lia.
Qed.

(** A wave in which all soldiers shoot at the castle, and the castle survives. *)
Lemma greedy_all_out : forall n s d v, 0 < d -> Z.of_nat v * d < soldiers_after n d v ->
  soldiers_after n d v < hits_after n s d v -> greedy_next d (all_out n s d v) = Some (all_out n s d (S v)).
Proof.
  intros n s d v Hd HN HC. unfold greedy_next, all_out. cbn [soldiers defenders hits].
  destruct (Z.ltb_spec (soldiers_after n d v) (hits_after n s d v)); [| lia].
  assert (0 <= Z.of_nat v * d) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z.leb_spec 0 (Z.of_nat v * d)), (Z.ltb_spec (Z.of_nat v * d) (soldiers_after n d v)); try lia.
  cbn [andb]. f_equal. unfold soldiers_after, hits_after. cbn [pairs triples].
  rewrite Nat2Z.inj_succ. unfold Z.succ. f_equal; ring.
Qed.

Lemma next_all_out : forall n s d v, 0 < d -> Z.of_nat v * d < soldiers_after n d v ->
  soldiers_after n d v < hits_after n s d v ->
  ((exists w, ends thrifty d Castle w (all_out n s d v)) <-> exists w, ends thrifty d Castle w (all_out n s d (S v))).
Proof.
  intros n s d v Hd HN HC.
  pose proof (greedy_all_out n s d v Hd HN HC) as Hnext.
  assert (Hsoldiers : 0 < soldiers (all_out n s d v)) by (unfold all_out; cbn [soldiers]; nia).
  assert (Hhits : 0 < hits (all_out n s d v)) by (unfold all_out in *; cbn [soldiers hits] in *; lia).
  split; intros [w H].
  - destruct (greedy_is_faster d w (all_out n s d v) (all_out n s d v)) as [u [_ Hu]];
      [lia | unfold all_out; cbn [hits]; nia | | exact H |].
    { unfold ahead, all_out. cbn [soldiers defenders hits]. nia. }
    destruct u as [| u]; [discriminate |]. cbn [greedy_wins] in Hu. rewrite Hnext in Hu.
    unfold can_win_now, all_out in Hu. cbn [soldiers defenders hits] in Hu. fold (all_out n s d (S v)) in Hu.
    destruct (Z.leb_spec (soldiers_after n d v) (Z.of_nat v * d)); [lia |].
    destruct (Z.leb_spec (hits_after n s d v) (soldiers_after n d v)); [lia |].
    rewrite !andb_false_r in Hu. cbn [andb orb] in Hu. exists u.
    destruct (greedy_next_stands d _ _ Hhits Hsoldiers Hnext).
    now apply greedy_is_a_line.
  - destruct (greedy_next_is_a_wave d _ _ Hhits Hsoldiers Hnext)
      as [i [Hlegal Hwave]].
    exists (S w). eapply later; [exact Hlegal | exact Hwave | exact H].
Qed.

Lemma hits_only_fall : forall n s d v u, (v <= u)%nat -> hits_after n s d v <= 0 ->
  (forall j, (v <= j < u)%nat -> 0 <= soldiers_after n d j) -> hits_after n s d u <= 0.
Proof.
  intros n s d v u Hvu Hv. induction Hvu as [| u Hvu IH]; intros H; [exact Hv |].
  specialize (IH ltac:(intros j Hj; apply H; lia)). specialize (H u ltac:(lia)).
  unfold hits_after, soldiers_after in *. cbn [triples]. lia.
Qed.

(**
   Claim: Let e = 0 for d = 1 and e = 1 for d >= 2. Let u be the first wave after which thrift is not too early: N - ed
     < φ(ud - e), where N is the number of soldiers in wave u + 1. Then the castle can win exactly when its hits in that
     wave, C = s - un + du(u-1)(u-2)/6, are positive and (ud - N + C - e)φ > N - ed. Because C grows with s, this is a
     border.
   Prose: castle-side.md, Theorem 8 (the smallest castle)
   Settles: castle-border
*)
Theorem smallest_castle : forall n s d u, 0 < n -> 0 < s -> 0 < d -> (1 <= u)%nat ->
  not_too_early n d u -> (forall v, (1 <= v < u)%nat -> ~ not_too_early n d v) ->
  ((exists w, ends thrifty d Castle w (start n s)) <-> enough_hits n s d u).
Proof.
  intros n s d u Hn Hs Hd Hu Hearly Hbefore.
  assert (Hmore : forall v, (v < u)%nat -> Z.of_nat v * d < soldiers_after n d v).
  { intros [| v] Hv; [unfold soldiers_after; cbn [pairs]; lia |].
    pose proof (too_early n d (S v) Hd ltac:(lia) (Hbefore (S v) ltac:(lia))). lia. }
  assert (HN : 0 < soldiers_after n d u).
  { destruct u as [| v]; [lia |]. specialize (Hmore v ltac:(lia)). unfold soldiers_after in *. cbn [pairs]. lia. }
  assert (Hwalk : forall k v, (v + k = u)%nat -> 0 < hits_after n s d v ->
    ((exists w, ends thrifty d Castle w (all_out n s d v)) <-> enough_hits n s d u)).
  { unfold enough_hits. induction k as [| k IH]; intros v Hvk HC.
    - replace v with u in * by lia. destruct (Z.le_gt_cases (hits_after n s d u) (soldiers_after n d u)) as [Hle | Hgt].
      + unfold all_out. rewrite thrift_needs by lia. split; [intros H; split; [lia | exact H] | tauto].
      + split.
        * intros _. split; [lia |]. apply (golden_grows _ (Z.of_nat u * d - kept d)); [lia | exact Hearly].
        * set (N := soldiers_after n d u) in *. intros _.
          destruct (proj2 (thrift_needs d N (Z.of_nat u * d) N Hd ltac:(lia))) as [w Hw].
          { replace (Z.of_nat u * d - N + N - kept d) with (Z.of_nat u * d - kept d) by lia.
            exact Hearly. }
          destruct (greedy_is_faster d w (all_out n s d u)
            (State N (Z.of_nat u * d) N)) as [v0 [_ Hv0]];
            [lia | cbn [hits]; lia | | exact Hw |].
          { unfold ahead, all_out, left_by_fall. fold N. cbn [soldiers defenders hits]. lia. }
          exists v0. apply greedy_is_a_line; [| | exact Hv0]; unfold all_out; fold N; cbn [soldiers hits]; lia.
    - specialize (Hmore v ltac:(lia)) as HNv.
      destruct (Z.le_gt_cases (hits_after n s d v) (soldiers_after n d v)) as [Hle | Hgt].
      + assert (Hfallen : hits_after n s d u <= 0).
        { apply (hits_only_fall n s d (S v)); [lia | |].
          - unfold hits_after, soldiers_after in *. cbn [triples]. lia.
          - intros j Hj. specialize (Hmore j ltac:(lia)). nia. }
        split; [| lia]. intros Hwin. exfalso. destruct v as [| v].
        * destruct Hwin as [w Hw]. revert Hw. unfold all_out, soldiers_after, hits_after in *. cbn [pairs triples] in *.
          apply forced; lia.
        * apply (Hbefore (S v)); [lia |]. unfold all_out in Hwin. rewrite thrift_needs in Hwin by lia.
          unfold not_too_early. eapply golden_grows; [| exact Hwin]. lia.
      + rewrite next_all_out by lia. apply IH; [lia |].
        unfold hits_after, soldiers_after in *. cbn [triples]. lia. }
  rewrite <- (Hwalk u 0%nat ltac:(lia)).
  - unfold all_out, start, soldiers_after, hits_after. cbn [pairs triples].
    replace (n - d * 0) with n by lia. replace (Z.of_nat 0 * d) with 0 by lia.
    replace (s - Z.of_nat 0 * n + d * 0) with s by lia. tauto.
  - unfold hits_after. cbn [triples]. lia.
Qed.

Example smallest_castle_holds : exists w, ends thrifty 10 Castle w (start 41 107).
Proof.
  apply (smallest_castle 41 107 10 2); try lia.
  - split; [cbn; lia | right; reflexivity].
  - intros v Hv [_ [H | H]]; replace v with 1%nat in H by lia; cbn in H; lia.
  - split; [cbn; lia |]. split; [cbn; lia | right; reflexivity].
Qed.

(** ** Keeping the last hit *)

Lemma keeps_next : forall d N D C, 0 < C <= N -> 0 <= D - N + C - 1 < N ->
  greedy_next d (State N D C) = Some (State (N - (D - N + C - 1)) (D - N + C - 1 + d) 1).
Proof.
  intros d N D C HC Hx. unfold greedy_next, left_by_fall. cbn [soldiers defenders hits].
  destruct (Z.ltb_spec N C); [lia |].
  destruct (Z.leb_spec 0 (D - N + C - 1)), (Z.ltb_spec (D - N + C - 1) N); try lia. reflexivity.
Qed.

Lemma wins_with_many : forall d N D C, 0 < C <= N -> N <= D - N + C -> stands_wins d 1 (State N D C) = true.
Proof.
  intros d N D C HC H. apply stands_now. unfold can_win_now. cbn [soldiers defenders hits].
  apply andb_true_iff. split; apply Z.leb_le; lia.
Qed.

(** If there are at most as many soldiers as fresh defenders, the number of defenders left doubles. *)
Lemma left_double : forall d b N D C, 0 < C <= N -> N <= d -> 1 <= D - N + C - 1 ->
  N <= (D - N + C - 1) * 2 ^ Z.of_nat b + 1 -> exists w, (w <= S b)%nat /\ stands_wins d w (State N D C) = true.
Proof.
  intros d b. induction b as [| b IH]; intros N D C HC Hd Hx Hb; set (x := D - N + C - 1) in *;
    (destruct (Z.le_gt_cases N (x + 1)) as [Hbig | Hsmall];
      [exists 1%nat; split; [lia | apply wins_with_many; unfold x in *; lia] |]).
  - change (2 ^ Z.of_nat 0) with 1 in Hb. lia.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hb by lia. set (p := 2 ^ Z.of_nat b) in *.
    assert (Hp : 0 < p) by (apply Z.pow_pos_nonneg; lia).
    destruct (IH (N - x) (x + d) 1) as [w [Hw Hwins]]; [lia | lia | lia | |].
    + assert (2 * x * p <= (x + d - (N - x) + 1 - 1) * p) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    + exists (S w). split; [lia |]. eapply stands_next; [| exact Hwins]. apply keeps_next; unfold x in *; lia.
Qed.

Lemma last_hit_kept : forall d b c N D C, 0 < d -> 0 < C <= N -> N <= 2 ^ Z.of_nat b -> N - d < 2 ^ Z.of_nat c ->
  below_golden (N - d) (D - N + C - 1) -> exists w, (w <= c + b + 2)%nat /\ stands_wins d w (State N D C) = true.
Proof.
  intros d b c. induction c as [| c IH]; intros N D C Hd HC Hb Hc [Hx Hy]; set (x := D - N + C - 1) in *;
    (destruct (Z.le_gt_cases N (x + 1)) as [Hbig | Hsmall];
      [exists 1%nat; split; [lia | apply wins_with_many; unfold x in *; lia] |]);
    assert (Hnext : greedy_next d (State N D C) = Some (State (N - x) (x + d) 1))
      by (apply keeps_next; unfold x in *; lia);
    assert (Hfew : N <= d -> exists w, (w <= b + 2)%nat /\ stands_wins d w (State N D C) = true).
  1, 3: intros HNd; assert (0 < 2 ^ Z.of_nat b) by (apply Z.pow_pos_nonneg; lia);
    destruct (Z.eq_dec x 0) as [Ex | Hne].
  1, 3: rewrite Ex in *; destruct Hy as [Hy | Hy]; [| apply golden_positive in Hy; lia];
    destruct (left_double d b (N - 0) (0 + d) 1) as [w [Hw Hwins]]; [lia | lia | lia | |
      exists (S w); split; [lia | eapply stands_next; [exact Hnext | exact Hwins]]];
    apply Z.le_trans with (1 * 2 ^ Z.of_nat b + 1); [lia |]; apply Z.add_le_mono_r, Z.mul_le_mono_nonneg_r; lia.
  1, 2: destruct (left_double d b N D C) as [w [Hw Hwins]]; [lia | lia | unfold x in *; lia | |
      exists w; split; [lia | exact Hwins]]; fold x;
    apply Z.le_trans with (1 * 2 ^ Z.of_nat b + 1); [lia |]; apply Z.add_le_mono_r, Z.mul_le_mono_nonneg_r; lia.
  - change (2 ^ Z.of_nat 0) with 1 in Hc. destruct Hfew as [w [Hw Hwins]]; [lia |]. exists w.
    split; [lia | exact Hwins].
  - destruct (Z.le_gt_cases N d) as [HNd | HNd];
      [destruct (Hfew HNd) as [w [Hw Hwins]]; exists w; split; [lia | exact Hwins] |].
    destruct Hy as [Hy | Hy]; [lia |]. destruct (golden_positive _ _ Hx Hy) as [Hpos Hhalf].
    rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hc by lia.
    destruct (IH (N - x) (x + d) 1) as [w [Hw Hwins]]; [lia | lia | lia | lia | |].
    + split; [lia | right]. replace (N - x - d) with (N - d - x) by lia.
      replace (x + d - (N - x) + 1 - 1) with (2 * x - (N - d)) by lia. now rewrite form_is_invariant.
    + exists (S w). split; [lia |]. eapply stands_next; [exact Hnext | exact Hwins].
Qed.

(** There are too few defenders left to keep the castle up. *)
Definition cannot_keep (now : state) : Prop := 0 < hits now <= soldiers now /\ left_by_fall now <= 0.

Lemma cannot_keep_wins : forall d now i, cannot_keep now -> thrifty now i -> wave d now i (Won Soldiers).
Proof.
  intros d [N D C] i [HC Hx] [[Hi HD] Hwaste]. unfold left_by_fall in Hx. cbn [soldiers defenders hits] in *.
  apply both_gone; unfold left, standing; cbn [soldiers defenders hits]; lia.
Qed.

Lemma never_without_defenders : forall d w now, 0 < hits now <= soldiers now ->
  left_by_fall now < soldiers now ->
  (forall next, greedy_next d now = Some next -> forall v, stands_wins d v next = false) ->
  stands_wins d w now = false.
Proof.
  intros d [| w] now HC Hx Hnext; [reflexivity |]. cbn [stands_wins]. apply orb_false_iff. split.
  - apply andb_false_iff. right. unfold can_win_now, left_by_fall in *. apply andb_false_iff.
    destruct (Z.leb_spec (soldiers now) (defenders now)); [right; apply Z.leb_gt; lia | now left].
  - destruct (greedy_next d now) as [next |]; [now apply Hnext | reflexivity].
Qed.

Lemma last_hit_lost : forall d c N D C, 0 < d -> 0 < C <= N -> 0 <= D - N + C - 1 -> 0 < N - d < 2 ^ Z.of_nat c ->
  0 < form (N - d) (D - N + C - 1) -> (forall w, stands_wins d w (State N D C) = false) /\
  exists t after, (t <= c)%nat /\ greedy_after d t (State N D C) = Some after /\ cannot_keep after.
Proof.
  intros d c. induction c as [| c IH]; intros N D C Hd HC Hx Hc Hy;
    [change (2 ^ Z.of_nat 0) with 1 in Hc; lia |].
  set (x := D - N + C - 1) in *. rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hc by lia.
  assert (Hless : x < N - d).
  { apply Z.nle_gt. intros L. unfold form in Hy.
    assert ((N - d) * (N - d) <= (N - d) * x) by (apply Z.mul_le_mono_nonneg_l; lia).
    pose proof (Z.square_nonneg x). lia. }
  assert (Hnext : greedy_next d (State N D C) = Some (State (N - x) (x + d) 1))
    by (apply keeps_next; unfold x in *; lia).
  assert (Hrest : (forall w, stands_wins d w (State (N - x) (x + d) 1) = false) /\
    exists t after, (t <= c)%nat /\ greedy_after d t (State (N - x) (x + d) 1) = Some after /\ cannot_keep after).
  { destruct (Z.lt_ge_cases (2 * x - (N - d)) 0) as [Hnone | Hsome].
    - split.
      + intros w. apply never_without_defenders; unfold left_by_fall; cbn [soldiers defenders hits]; [lia | lia |].
        intros next H. unfold greedy_next, left_by_fall in H. cbn [soldiers defenders hits] in H.
        destruct (Z.ltb_spec (N - x) 1); [lia |].
        destruct (Z.leb_spec 0 (x + d - (N - x) + 1 - 1)); [lia | discriminate].
      + exists 0%nat, (State (N - x) (x + d) 1). split; [lia |]. split; [reflexivity |].
        unfold cannot_keep, left_by_fall. cbn [soldiers defenders hits]. lia.
    - apply (IH (N - x) (x + d) 1); [exact Hd | lia | lia | lia |].
      replace (N - x - d) with (N - d - x) by lia.
      replace (x + d - (N - x) + 1 - 1) with (2 * x - (N - d)) by lia. now rewrite form_is_invariant. }
  destruct Hrest as [Hno [t [after [Ht [Hafter Hkeep]]]]]. split.
  - intros w. apply never_without_defenders; unfold left_by_fall; cbn [soldiers defenders hits];
      [lia | unfold x in *; lia |].
    intros next H. rewrite Hnext in H. injection H as <-. exact Hno.
  - exists (S t), after. cbn [greedy_after]. rewrite Hnext. split; [lia |]. now split.
Qed.

(** The sign of δ = xφ - y for x >= 0, in integers. *)
Lemma delta_signs : forall y x, 0 <= x ->
  (above_zero (Golden (- y) x) -> below_golden y x) /\
  (above_zero (gminus (whole 0) (Golden (- y) x)) -> 0 < y /\ 0 < form y x).
Proof.
  intros y x Hx. unfold above_zero, below_golden, gminus, whole, form. cbn [ones phis]. split.
  - intros [[Hp H] | [Hb H]]; (split; [exact Hx |]); [left | right; lia].
    apply Z.nle_gt. intros Hy. assert (y * (2 * y) <= y * x) by (apply Z.mul_le_mono_nonneg_l; lia).
    pose proof (Z.square_nonneg y). pose proof (Z.square_nonneg x). lia.
  - intros [[Hp H] | [Hb H]]; [split; lia | lia].
Qed.

(**
   Claim: Let all soldiers shoot at the castle until it has at most as many hits as there are soldiers, in wave u + 1,
     with N soldiers. Let it be possible to keep it up, with x defenders left. Put δ = xφ - (N - d). If δ > 0, the
     castle wins by keeping its last hit. If δ < 0, it does not: a wave comes in which the soldiers win whatever they
     do. In both cases, the number of waves is at most twice the number of binary digits of N, plus two. If δ = 0, the
     state repeats if all soldiers shoot at defenders; then d = n and s = n + 1, and the wave is the second one.
   Prose: castle-side.md, Lemma 5
*)
Theorem keeping_the_last_hit : forall n s d u, 0 < n < s -> 0 < d -> (1 <= u)%nat ->
  let now := all_out n s d u in let x := left_by_fall now - 1 in let delta := Golden (- (soldiers now - d)) x in
  0 < hits now <= soldiers now -> 0 <= x ->
  ((forall v, (v < u)%nat -> Z.of_nat v * d < soldiers_after n d v < hits_after n s d v) ->
    greedy_after d u (start n s) = Some now) /\
  (above_zero delta -> exists w, (w <= 2 * enough (soldiers now) + 2)%nat /\ stands_wins d w now = true) /\
  (above_zero (gminus (whole 0) delta) -> (forall w, stands_wins d w now = false) /\
    exists t after, (t <= enough (soldiers now))%nat /\ greedy_after d t now = Some after /\
      forall i, thrifty after i -> wave d after i (Won Soldiers)) /\
  (delta = whole 0 -> d = n /\ s = n + 1 /\ u = 1%nat /\ greedy_next d now = Some now).
Proof.
  intros n s d u Hn Hd Hu now x delta HC Hx.
  pose proof (enough_halves (soldiers now) ltac:(lia)) as Henough.
  destruct (delta_signs (soldiers now - d) x Hx) as [Hplus Hminus]. split; [| split; [| split]].
  - intros Hbefore. assert (H : forall j v, (v + j <= u)%nat ->
      greedy_after d j (all_out n s d v) = Some (all_out n s d (v + j))).
    { induction j as [| j IH]; intros v Hv; [now rewrite Nat.add_0_r |]. cbn [greedy_after].
      destruct (Hbefore v ltac:(lia)). rewrite greedy_all_out by lia. rewrite IH by lia. do 2 f_equal. lia. }
    replace (start n s) with (all_out n s d 0); [apply (H u 0%nat); lia |].
    unfold all_out, soldiers_after, hits_after, start. cbn [pairs triples]. f_equal; lia.
  - intros H. apply Hplus in H. replace (2 * enough (soldiers now) + 2)%nat with
      (enough (soldiers now) + enough (soldiers now) + 2)%nat by lia.
    destruct now as [N D C]. unfold x, left_by_fall in *. cbn [soldiers defenders hits] in *.
    apply last_hit_kept; [exact Hd | lia | lia | lia | exact H].
  - intros H. apply Hminus in H as [Hy H]. destruct now as [N D C]. unfold x, left_by_fall in *.
    cbn [soldiers defenders hits] in *.
    destruct (last_hit_lost d (enough N) N D C) as [Hno [t [after [Ht [Hafter Hkeep]]]]];
      [exact Hd | lia | lia | lia | exact H |].
    split; [exact Hno |]. exists t, after. split; [exact Ht |]. split; [exact Hafter |]. intros i.
    now apply cannot_keep_wins.
  - intros E. injection E as Ey Ex. unfold x, left_by_fall, now, all_out in *. cbn [soldiers defenders hits] in *.
    assert (0 <= (Z.of_nat u - 1) * d) by (apply Z.mul_nonneg_nonneg; lia).
    assert (Eu : (Z.of_nat u - 1) * d = 0) by lia. apply Z.mul_eq_0 in Eu.
    assert (E1 : u = 1%nat) by lia. rewrite E1 in *.
    unfold soldiers_after, hits_after in *. cbn [pairs triples] in *. split; [lia |]. split; [lia |]. split; [lia |].
    unfold greedy_next, left_by_fall. cbn [soldiers defenders hits].
    match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b); [lia |] end.
    match goal with |- context [?a <=? ?b] => destruct (Z.leb_spec a b); [| lia] end.
    match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b); [| lia] end. cbn [andb]. do 2 f_equal; lia.
Qed.

Example keeping_the_last_hit_holds : greedy_next 5 (all_out 5 6 5 1) = Some (all_out 5 6 5 1).
Proof.
  apply (keeping_the_last_hit 5 6 5 1); [lia | lia | lia | split; reflexivity || discriminate | discriminate |].
  reflexivity.
Qed.
