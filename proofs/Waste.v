(** What the castle can do if the soldiers may waste shots: fire at it while defenders are left, also at its ruins. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Rules Soldiers.
Open Scope Z_scope.

(** Soldiers who all fire at the castle, standing or not, are lost once a defender is out. *)
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

(** A castle with s <= n hits falls in wave 1, before anybody has come out. *)
Lemma weak_castle : forall d w n s, 0 < n -> s <= n -> ~ ends order d Castle w (start n s).
Proof.
  intros d w n s Hn Hs H. inversion H as [? i Hi Hw | ? i next v Hi Hw He]; subst; unfold order in Hi; cbn in Hi;
    inversion Hw; unfold left, standing in *; cbn in *; lia.
Qed.

(** Else all fire at it in wave 1, and it stands. *)
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
   Claim: If shots may be wasted, the castle can win exactly if s > n.
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
   Claim: If shots may be wasted, the castle cannot win in one wave, and in two exactly if s > n and d >= n.
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
