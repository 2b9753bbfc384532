(** How fast the castle can win, if the soldiers play into its hands but waste no shot. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves.
Open Scope Z_scope.

(** ** Two waves *)

(**
   Claim: The castle cannot win in one wave.
   Prose: castle-side.md, Theorem 3
*)
Theorem not_in_one_wave : forall n s d, 0 < n -> ~ ends thrifty d Castle 1 (start n s).
Proof.
  intros n s d Hn H. inversion H as [? i [Hi _] Hw | ? i next w [Hi _] Hw Hend]; subst; [| inversion Hend].
  unfold order in Hi. cbn in Hi. inversion Hw; unfold left in *; cbn in *; lia.
Qed.

(** A castle that stands wins in a wave exactly so. *)
Lemma wins_at_once : forall d n D C, 0 < n -> 0 < C ->
  (ends thrifty d Castle 1 (State n D C) <-> n <= D /\ n - C <= D - n).
Proof.
  intros d n D C Hn HC. split.
  - intros H. inversion H as [? i [Hi Hwaste] Hw | ? i next w [Hi _] Hw Hend]; subst; [| inversion Hend].
    unfold order in Hi. cbn in Hi, Hwaste. inversion Hw; unfold left in *; cbn in *; lia.
  - intros H. apply at_once with (i := Z.max 0 (n - C)); [unfold thrifty, order; cbn; lia |].
    constructor; unfold left, standing; cbn; lia.
Qed.

(**
   Claim: The castle can win in two waves exactly if s > n, d >= n and s + d >= 3n; so never for d < n.
   Prose: castle-side.md, Theorem 3
*)
Theorem two_waves : forall n s d, 0 < n -> 0 < s -> 0 < d ->
  (ends thrifty d Castle 2 (start n s) <-> n < s /\ n <= d /\ 3 * n <= s + d).
Proof.
  intros n s d Hn Hs Hd. destruct (Z.le_gt_cases s n) as [Hsn | Hsn].
  - split; [| lia]. intros H. inversion H as [| ? i next w [Hi _] Hw Hend]; subst.
    unfold order in Hi. cbn in Hi. inversion Hw; unfold left, standing in *; cbn in *; lia.
  - split.
    + intros H. apply first_wave in H as [w [Hw H]]; [| unfold thrifty; tauto | lia | lia].
      injection Hw as <-. apply wins_at_once in H; lia.
    + intros H. destruct (after_first_wave d Castle 1 n s) as [w [Hw Hends]]; [lia | lia | |].
      * exists 1%nat. split; [lia |]. apply wins_at_once; lia.
      * destruct w as [| [| w]]; [inversion Hends | now apply not_in_one_wave in Hends |].
        now replace (S (S w)) with 2%nat in Hends by lia.
Qed.
