(** The tie: a wave that ends in the state in which it started. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Rules.
Open Scope Z_scope.

(** [comes_to d now last]: some line of play, with waste or without, leads from [now] to [last]. *)
Inductive comes_to (d : Z) (now : state) : state -> Prop :=
| no_wave : comes_to d now now
| one_more_wave last i next :
    comes_to d now last -> order last i -> wave d last i (Next next) -> comes_to d now next.

Lemma comes_to_fresh : forall d n s last, 0 < d -> comes_to d (start n s) last ->
  last = start n s \/ 0 < hits last -> last = start n s \/ d <= defenders last.
Proof.
  intros d n s last Hd H. destruct H as [| last i next H [Hi HD] Hw]; [now left |]. intros Hstands. right.
  inversion Hw; subst; unfold left, standing, start in *; cbn [soldiers defenders hits] in *; [lia |].
  destruct Hstands as [E | E]; [injection E; lia | lia].
Qed.

(** Soldiers whom just the fresh defenders occupy have been so from wave 2 on. *)
Lemma occupied_from_the_start : forall d n s last, 0 < d -> 0 < n -> comes_to d (start n s) last ->
  soldiers last = d -> defenders last = d -> 0 < hits last -> d = n /\ n < s.
Proof.
  intros d n s last Hd Hn H. induction H as [| last i next H IH [Hi HD] Hw]; intros HS HDd HC.
  - cbn in HDd. lia.
  - destruct next as [n' D' C']. cbn [soldiers defenders hits] in HS, HDd, HC.
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
    assert (Hi2 : i = defenders last) by lia. assert (HC2 : 0 < hits last) by lia.
    destruct (comes_to_fresh d n s last Hd H ltac:(now right)) as [E | Hfresh].
    + subst last. cbn in *. lia.
    + apply IH; lia.
Qed.

(**
   Claim: A wave can end in the state in which it started exactly if d = n < s.
   Prose: castle-soldiers.md, Theorem 6 in part
   Settles: castle-iii-tie in part; castle-step-tie
*)
Theorem when_there_is_a_tie : forall n s d, 0 < n -> 0 < s -> 0 < d ->
  ((exists now i, comes_to d (start n s) now /\ order now i /\ tie d now i) <-> d = n /\ n < s).
Proof.
  intros n s d Hn Hs Hd. split.
  - intros [[S D C] [i [Hcomes [[Hi HD] Htie]]]]. unfold tie in Htie. cbn [soldiers defenders] in Hi, HD.
    inversion Htie; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
    apply (occupied_from_the_start d n s (State S D C)); try assumption; cbn [soldiers defenders hits]; lia.
  - intros [-> Hns]. exists (State n n (s - n)), n. split; [| split; [unfold order; cbn; lia |]].
    + apply one_more_wave with (last := start n s) (i := 0); [constructor | unfold order; cbn; lia |].
      replace (State n n (s - n)) with
        (State (n - left (start n s) 0) (left (start n s) 0 + n) (standing (start n s) 0))
        by (unfold left, standing; cbn [start soldiers defenders hits]; f_equal; lia).
      apply (castle_stands n (start n s)); unfold left, standing; cbn [start soldiers defenders hits]; lia.
    + unfold tie. replace (State n n (s - n)) with
        (State (n - left (State n n (s - n)) n) (left (State n n (s - n)) n + n) (standing (State n n (s - n)) n)) at 2
        by (unfold left, standing; cbn [soldiers defenders hits]; f_equal; lia).
      apply (castle_stands n (State n n (s - n))); unfold left, standing; cbn [soldiers defenders hits]; lia.
Qed.

Example when_there_is_a_tie_holds : exists now i, comes_to 10 (start 10 43) now /\ order now i /\ tie 10 now i.
Proof. apply when_there_is_a_tie; lia. Qed.
