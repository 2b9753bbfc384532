(** What the castle can achieve if the soldiers may waste shots, and in how few waves. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Rules Soldiers Greedy Ahead.
Open Scope Z_scope.

(** ** Firing at the castle and its ruins *)

(** Soldiers who all fire at the castle, whether or not it stands, are lost once there is a defender in the field. *)
Lemma all_at_the_castle : forall m d N D C, 0 < d -> 0 < N <= Z.of_nat m -> 0 < D -> 0 <= C ->
  exists w, ends order d Castle w (State N D C).
Proof.
  induction m as [| m IH]; intros d N D C Hd HN HD HC; [lia |].
  destruct (Z.le_gt_cases N D) as [L | L].
  - exists 1%nat. apply at_once with (i := 0); [unfold order; cbn; lia |].
    apply soldiers_gone; unfold left, standing; cbn; lia.
  - destruct (Z.le_gt_cases C N) as [F | F].
    + destruct (IH d (N - D) D 0) as [w Hw]; try lia. exists (S w).
      apply later with (i := 0) (next := State (N - (D - 0)) (D - 0) 0); [unfold order; cbn; lia | |].
      * apply (castle_fallen d (State N D C) 0); unfold left, standing; cbn; lia.
      * now replace (D - 0) with D by lia.
    + destruct (IH d (N - D) (D + d) (C - N)) as [w Hw]; try lia. exists (S w).
      apply later with (i := 0) (next := State (N - (D - 0)) (D - 0 + d) (C - N)); [unfold order; cbn; lia | |].
      * replace (C - N) with (standing (State N D C) 0) by (unfold standing; cbn; lia).
        apply (castle_stands d (State N D C) 0); unfold left, standing; cbn; lia.
      * now replace (D - 0) with D by lia.
Qed.

(** A castle with s <= n hits falls in wave 1, before any defender has come out. *)
Lemma weak_castle : forall d w n s, 0 < n -> s <= n -> ~ ends order d Castle w (start n s).
Proof.
  intros d w n s Hn Hs H. inversion H as [? i Hi Hw | ? i next v Hi Hw He]; subst; unfold order in Hi; cbn in Hi;
    inversion Hw; unfold left, standing in *; cbn in *; lia.
Qed.

(** Otherwise, all soldiers fire at it in wave 1, and it stands. *)
Lemma strong_castle : forall d w n s, 0 < n < s -> ends order d Castle w (State n d (s - n)) ->
  ends order d Castle (S w) (start n s).
Proof.
  intros d w n s Hn H. apply later with (i := 0) (next := State n d (s - n)); [unfold order; cbn; lia | | exact H].
  replace (State n d (s - n)) with
    (State (n - left (start n s) 0) (left (start n s) 0 + d) (standing (start n s) 0))
    by (unfold left, standing; cbn; f_equal; lia).
  apply (castle_stands d (start n s)); unfold left, standing; cbn; lia.
Qed.

(**
   Claim: If shots may be wasted, the castle can win exactly when s > n.
   Settles: castle-any-shots; castle-s-le-n
*)
Theorem waste_loses_to_the_strong : forall n s d, 0 < n -> 0 < d ->
  ((exists w, ends order d Castle w (start n s)) <-> n < s).
Proof.
  intros n s d Hn Hd. split.
  - intros [w H]. destruct (Z.lt_ge_cases n s) as [L | L]; [exact L |]. apply weak_castle in H; [contradiction | lia ..].
  - intros L. destruct (all_at_the_castle (Z.to_nat n) d n d (s - n)) as [w Hw]; try lia.
    exists (S w). apply strong_castle; [lia | exact Hw].
Qed.

Example waste_loses_to_the_strong_holds : exists w, ends order 1 Castle w (start 2 3).
Proof. apply waste_loses_to_the_strong; lia. Qed.

(**
   Claim: If shots may be wasted, the castle cannot win in one wave, and it can win in two waves exactly when s > n and
     d >= n.
   Settles: castle-any-shots; castle-iii-more-than-two
*)
Theorem two_waves_with_waste : forall n s d, 0 < n -> 0 < d ->
  ~ ends order d Castle 1 (start n s) /\ (ends order d Castle 2 (start n s) <-> n < s /\ n <= d).
Proof.
  intros n s d Hn Hd. split; [| split].
  - intros H. inversion H as [? i Hi Hw | ? i next w Hi Hw He]; subst; [| inversion He].
    unfold order in Hi. cbn in Hi. inversion Hw; unfold left in *; cbn in *; lia.
  - intros H. destruct (Z.lt_ge_cases n s) as [L | L]; [| apply weak_castle in H; [contradiction | lia ..]].
    apply first_wave in H as [w [E H]]; [| tauto | lia ..]. injection E as <-.
    inversion H as [? i Hi Hw | ? i next w Hi Hw He]; subst; [| inversion He].
    unfold order in Hi. cbn in Hi. inversion Hw; unfold left in *; cbn in *; lia.
  - intros [L H]. apply strong_castle; [lia |]. apply at_once with (i := 0); [unfold order; cbn; lia |].
    apply soldiers_gone; unfold left, standing; cbn; lia.
Qed.

Example two_waves_with_waste_holds : ends order 10 Castle 2 (start 10 11).
Proof. apply two_waves_with_waste; lia. Qed.

(** ** The fewest waves *)

(** Has the castle won within [w] waves if all soldiers fire at it from now on, and then at its ruins? *)
Fixpoint spent (d : Z) (w : nat) (now : state) : bool :=
  match w with
  | O => false
  | S v =>
      (soldiers now <=? defenders now) ||
      (if hits now <=? soldiers now
       then (0 <? defenders now) && spent d v (State (soldiers now - defenders now) (defenders now) 0)
       else spent d v (State (soldiers now - defenders now) (defenders now + d) (hits now - soldiers now)))
  end.

Lemma spent_is_a_line : forall d w now, 0 < d -> 0 < soldiers now -> 0 <= defenders now -> 0 <= hits now ->
  spent d w now = true -> within order d Castle w now.
Proof.
  intros d w. induction w as [| w IH]; intros [N D C] Hd HN HD HC H; [discriminate |].
  cbn [spent soldiers defenders hits] in *. destruct (Z.leb_spec N D) as [Hwon | Hmore].
  - exists 1%nat. split; [lia |]. apply at_once with (i := 0); [unfold order; cbn; lia |].
    apply soldiers_gone; unfold left, standing; cbn; lia.
  - cbn [orb] in H. destruct (Z.leb_spec C N) as [Hfall | Hstands].
    + apply andb_true_iff in H as [Hpos H]. apply Z.ltb_lt in Hpos.
      destruct (IH (State (N - D) D 0)) as [v [Hv He]]; cbn [soldiers defenders hits]; try lia; try assumption.
      exists (S v). split; [lia |].
      apply later with (i := 0) (next := State (N - (D - 0)) (D - 0) 0); [unfold order; cbn; lia | |].
      * apply (castle_fallen d (State N D C) 0); unfold left, standing; cbn; lia.
      * now replace (D - 0) with D by lia.
    + destruct (IH (State (N - D) (D + d) (C - N))) as [v [Hv He]]; cbn [soldiers defenders hits]; try lia;
        try assumption.
      exists (S v). split; [lia |].
      apply later with (i := 0) (next := State (N - (D - 0)) (D - 0 + d) (C - N)); [unfold order; cbn; lia | |].
      * replace (C - N) with (standing (State N D C) 0) by (unfold standing; cbn; lia).
        apply (castle_stands d (State N D C) 0); unfold left, standing; cbn; lia.
      * now replace (D - 0) with D by lia.
Qed.

Lemma greedy_after_is_a_line : forall d t now after w, 0 < hits now -> 0 < soldiers now ->
  greedy_after d t now = Some after -> within order d Castle w after -> within order d Castle (t + w) now.
Proof.
  intros d t. induction t as [| t IH]; intros now after w HC HN H Hw; cbn [greedy_after] in H.
  - now injection H as <-.
  - destruct (greedy_next d now) as [next |] eqn:E; [| discriminate].
    destruct (greedy_next_is_a_wave d now next HC HN E) as [i [[Hi _] Hwave]].
    destruct (greedy_next_stands d now next HC HN E) as [HC2 HN2].
    destruct (IH next after w HC2 HN2 H Hw) as [v [Hv He]]. exists (S v). split; [lia |]. now apply later with i next.
Qed.

Lemma greedy_after_stands : forall d t now after, 0 < d -> 0 < hits now -> 0 < soldiers now -> 0 <= defenders now ->
  greedy_after d t now = Some after -> 0 < hits after /\ 0 < soldiers after /\ 0 <= defenders after.
Proof.
  intros d t. induction t as [| t IH]; intros now after Hd HC HN HD H; cbn [greedy_after] in H.
  - injection H as <-. tauto.
  - destruct (greedy_next d now) as [next |] eqn:E; [| discriminate].
    destruct (greedy_next_stands d now next HC HN E) as [HC2 HN2]. apply (IH next after Hd HC2 HN2); [| exact H].
    unfold greedy_next in E. destruct (soldiers now <? hits now); cbn in E;
      match type of E with (if ?b then _ else _) = _ => destruct b eqn:Hb; [| discriminate] end;
      apply andb_true_iff in Hb as [Hb _]; apply Z.leb_le in Hb; injection E as <-; cbn [defenders]; lia.
Qed.

(** At most as many soldiers, at least as many defenders, and at least as many defenders left by a fall. *)
Definition leads_other (mine other : state) : Prop :=
  0 < hits mine /\ 0 < soldiers mine <= soldiers other /\ defenders other <= defenders mine /\
  left_by_fall other <= left_by_fall mine.

(** If the castle of the other line has fallen or falls in this wave, the number of its defenders no longer grows. *)
Lemma spent_no_later : forall d w other, ends order d Castle w other -> hits other = 0 ->
  forall mine, 0 < d -> 0 <= hits mine -> 0 < soldiers mine <= soldiers other -> defenders other <= defenders mine ->
  spent d w mine = true.
Proof.
  intros d w other H. induction H as [now i Hi Hw | now i next w Hi Hw He IH]; intros Hdown [N D C] Hd HC HN HD;
    unfold order in Hi; cbn [spent soldiers defenders hits] in *;
    destruct (Z.leb_spec N D) as [Hwon | Hmore]; [reflexivity | | reflexivity |]; cbn [orb].
  - inversion Hw; subst; unfold left, standing in *; lia.
  - inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [lia |].
    destruct (Z.leb_spec C N).
    + destruct (Z.ltb_spec 0 D); [| lia]. cbn [andb]. apply IH; cbn [soldiers defenders hits]; lia.
    + apply IH; cbn [soldiers defenders hits]; lia.
Qed.

Lemma waste_is_no_faster : forall d w other, ends order d Castle w other -> 0 < hits other ->
  forall mine, 0 < d -> leads_other mine other ->
  exists t u after, greedy_after d t mine = Some after /\ spent d u after = true /\ (t + u <= w)%nat.
Proof.
  intros d w other H. induction H as [now i Hi Hw | now i next w Hi Hw He IH]; intros Hup [N D C] Hd Hleads;
    unfold order in Hi; unfold leads_other, left_by_fall in Hleads; cbn [soldiers defenders hits] in *;
    destruct Hleads as [HC [HN [HD HB]]].
  - exists 0%nat, 1%nat, (State N D C). repeat split; [| lia]. cbn [spent soldiers defenders hits].
    inversion Hw; subst; unfold left, standing in *. destruct (Z.leb_spec N D); [reflexivity | lia].
  - destruct (Z.le_gt_cases N D) as [Hwon | Hmore].
    { exists 0%nat, 1%nat, (State N D C). repeat split; [| lia]. cbn [spent soldiers defenders hits].
      destruct (Z.leb_spec N D); [reflexivity | lia]. }
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *.
    + destruct (Z.ltb_spec N C) as [Hout | Hlast].
      * destruct (IH ltac:(lia) (State (N - D) (D + d) (C - N)) Hd) as [t [u [after [Ht [Hu Hsum]]]]].
        { unfold leads_other, left_by_fall. cbn [soldiers defenders hits]. lia. }
        exists (S t), u, after. repeat split; [| exact Hu | lia]. cbn [greedy_after]. unfold greedy_next.
        cbn [soldiers defenders hits].
        destruct (Z.ltb_spec N C), (Z.leb_spec 0 D), (Z.ltb_spec D N); cbn; lia || exact Ht.
      * set (x := D - N + C - 1).
        destruct (IH ltac:(lia) (State (N - x) (x + d) 1) Hd) as [t [u [after [Ht [Hu Hsum]]]]].
        { unfold leads_other, left_by_fall, x. cbn [soldiers defenders hits]. lia. }
        exists (S t), u, after. repeat split; [| exact Hu | lia]. cbn [greedy_after]. unfold greedy_next, left_by_fall.
        cbn [soldiers defenders hits]. fold x.
        destruct (Z.ltb_spec N C), (Z.leb_spec 0 x), (Z.ltb_spec x N); cbn; unfold x in *; lia || exact Ht.
    + exists 0%nat, (S w), (State N D C). repeat split; [| lia]. cbn [spent soldiers defenders hits].
      destruct (Z.leb_spec N D); [reflexivity |]. cbn [orb]. destruct (Z.leb_spec C N).
      * destruct (Z.ltb_spec 0 D); [| lia]. cbn [andb].
        apply (spent_no_later d w _ He); cbn [soldiers defenders hits]; lia.
      * apply (spent_no_later d w _ He); cbn [soldiers defenders hits]; lia.
Qed.

(**
   Claim: If shots may be wasted, the castle can win within w waves exactly when it can win in this way: the soldiers
     follow the greedy line for some waves, and from then on fire at the castle and at its ruins.
   Prose: castle-side.md, Theorem 9 (the fewest waves with any shots)
   Code: Battle.CastleMinWavesAnyShots
*)
Theorem fewest_with_waste : forall n s d w, 0 < n -> 0 < s -> 0 < d ->
  (within order d Castle w (start n s) <->
   exists t u now, greedy_after d t (start n s) = Some now /\ spent d u now = true /\ (t + u <= w)%nat).
Proof.
  intros n s d w Hn Hs Hd. split.
  - intros [v [Hv H]].
    destruct (waste_is_no_faster d v (start n s) H Hs (start n s) Hd) as [t [u [now [Ht [Hu Hsum]]]]].
    { unfold leads_other, left_by_fall, start. cbn [soldiers defenders hits]. lia. }
    exists t, u, now. repeat split; [exact Ht | exact Hu | lia].
  - intros [t [u [now [Ht [Hu Hsum]]]]].
    destruct (greedy_after_stands d t (start n s) now Hd Hs Hn ltac:(cbn; lia) Ht) as [HC [HN HD]].
    destruct (greedy_after_is_a_line d t (start n s) now u Hs Hn Ht) as [v [Hv He]].
    { apply spent_is_a_line; try assumption. lia. }
    exists v. split; [lia | exact He].
Qed.

Example fewest_with_waste_holds : within order 2 Castle 4 (start 7 14) /\ ~ within order 2 Castle 3 (start 7 14).
Proof.
  split.
  - apply fewest_with_waste; [lia .. |]. exists 2%nat, 2%nat, (State 6 3 1).
    split; [reflexivity | split; [reflexivity | lia]].
  - rewrite fewest_with_waste by lia. intros [t [u [now [Ht [Hu Hsum]]]]].
    do 4 (destruct t as [| t]; [vm_compute in Ht; try discriminate; injection Ht as <-;
      do 4 (destruct u as [| u]; [vm_compute in Hu; discriminate || lia |]); lia |]). lia.
Qed.
