(** How fast the castle can win if the soldiers play into its hands but waste no shots. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves.
Open Scope Z_scope.

(** ** Two waves *)

(**
   Claim: The castle cannot win in one wave.
   Prose: castle-side.md, Theorem 3
   Settles: castle-iii-more-than-two in part
*)
Theorem not_in_one_wave : forall n s d, 0 < n -> ~ ends thrifty d Castle 1 (start n s).
Proof.
  intros n s d Hn H. inversion H as [? i [Hi _] Hw | ? i next w [Hi _] Hw Hend]; subst; [| inversion Hend].
  unfold order in Hi. cbn in Hi. inversion Hw; unfold left in *; cbn in *; lia.
Qed.

Example not_in_one_wave_holds : ~ ends thrifty 8 Castle 1 (start 10 43).
Proof. apply not_in_one_wave. lia. Qed.

(**
   Claim: A castle that stands can win in a single wave exactly when D >= N and D - N >= N - S, where there are N
     soldiers, D defenders and S hits.
   Prose: castle-side.md, Lemma 3 (a win while it stands) in part
*)
Theorem wins_at_once : forall d n D C, 0 < n -> 0 < C ->
  (ends thrifty d Castle 1 (State n D C) <-> n <= D /\ n - C <= D - n).
Proof.
  intros d n D C Hn HC. split.
  - intros H. inversion H as [? i [Hi Hwaste] Hw | ? i next w [Hi _] Hw Hend]; subst; [| inversion Hend].
    unfold order in Hi. cbn in Hi, Hwaste. inversion Hw; unfold left in *; cbn in *; lia.
  - intros H. apply at_once with (i := Z.max 0 (n - C)); [unfold thrifty, order; cbn; lia |].
    constructor; unfold left, standing; cbn; lia.
Qed.

Example wins_at_once_holds : ends thrifty 12 Castle 1 (State 10 12 8).
Proof. apply wins_at_once; lia. Qed.

(**
   Claim: The castle can win in two waves exactly when s > n, d >= n and s + d >= 3n. So it never can if d < n.
   Prose: castle-side.md, Theorem 3
   Settles: castle-iii-more-than-two in part; castle-2d; castle-step-castle-two
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

Example two_waves_holds : ends thrifty 12 Castle 2 (start 10 18).
Proof. apply two_waves; lia. Qed.

(** ** When the soldiers cannot win *)

(** The castle loses all hits but one, in a wave in which it could fall. *)
Lemma keeps_one_hit : forall d n D C, 0 < C <= n -> 0 <= D - n + C - 1 < n -> n - (C - 1) <= D ->
  thrifty (State n D C) (n - (C - 1)) /\
  wave d (State n D C) (n - (C - 1)) (Next (State (n - (D - n + C - 1)) (D - n + C - 1 + d) 1)).
Proof.
  intros d n D C HC Hx HD. split; [unfold thrifty, order; cbn; lia |].
  replace (State (n - (D - n + C - 1)) (D - n + C - 1 + d) 1) with
    (State (n - left (State n D C) (n - (C - 1))) (left (State n D C) (n - (C - 1)) + d)
      (standing (State n D C) (n - (C - 1)))) by (unfold left, standing; cbn; f_equal; lia).
  apply (castle_stands d (State n D C)); unfold left, standing; cbn; lia.
Qed.

(**
   Claim: If the soldiers cannot win, the castle's fewest waves are 2 if s + d >= 3n, and 3 otherwise.
   Prose: castle-side.md, Theorem 4
   Settles: castle-two-or-three; castle-step-castle-three
*)
Theorem two_or_three : forall n s d, 0 < n -> 0 < s -> 0 < d -> never thrifty d Soldiers (start n s) ->
  fewest thrifty d Castle (if (3 * n <=? s + d)%Z then 2 else 3) (start n s).
Proof.
  intros n s d Hn Hs Hd Hnever.
  assert (Hlost : ~ (s <= n \/ d < n \/ 0 < form n (s + d - 2 * n))).
  { intros H. apply (who_wins thrifty) in H as [w Hw]; auto. now apply Hnever in Hw. }
  assert (Hmin : forall v, ends thrifty d Castle v (start n s) -> ((if (3 * n <=? s + d)%Z then 2 else 3) <= v)%nat).
  { intros v Hv. pose proof (ends_positive _ _ _ _ _ Hv). destruct (Z.leb_spec (3 * n) (s + d)) as [H3 | H3];
      destruct v as [| [| [| v]]]; try lia; try now apply not_in_one_wave in Hv.
    apply two_waves in Hv; lia. }
  split; [| exact Hmin]. destruct (Z.leb_spec (3 * n) (s + d)) as [H3 | H3]; [apply two_waves; lia |].
  set (x := s + d - 2 * n) in *. unfold form in Hlost.
  assert (Hx : 2 * n + 2 <= 3 * x + d) by (assert (n + 2 <= 3 * x); nia).
  destruct (after_first_wave d Castle 2 n s) as [v [Hv Hends]]; [lia | lia | |].
  - exists 2%nat. split; [lia |].
    destruct (keeps_one_hit d n d (s - n)) as [Hlegal Hwave]; [lia | lia | lia |].
    eapply later; [exact Hlegal | exact Hwave |]. apply wins_at_once; lia.
  - pose proof (Hmin v Hends) as H. replace v with 3%nat in Hends by lia. exact Hends.
Qed.

Example two_or_three_holds : fewest thrifty 12 Castle 3 (start 10 15).
Proof.
  apply (two_or_three 10 15 12); [lia | lia | lia |]. intros w Hw.
  assert (H : exists w, ends thrifty 12 Soldiers w (start 10 15)) by now exists w.
  apply who_wins in H; [unfold form in H; lia | auto | lia | lia | lia].
Qed.

(** ** Small cases *)

(** Whatever the soldiers do, they win in this wave if even all the defenders together cannot occupy enough of them. *)
Lemma forced : forall d n D C v, 0 < n -> 0 < C -> D - n + C <= 0 -> ~ ends thrifty d Castle v (State n D C).
Proof.
  intros d n D C v Hn HC H Hv.
  inversion Hv as [? i [Hi Hwaste] Hw | ? i next w [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste;
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst; lia.
Qed.

(**
   Claim: For s <= n, and for d < n with s + d <= 2n, the castle cannot win.
   Prose: castle-side.md, Theorem 6 in part
   Settles: castle-s-le-n in part; castle-le-2n; castle-step-castle-small
*)
Theorem castle_too_weak : forall n s d, 0 < n -> 0 < s -> 0 < d -> s <= n \/ d < n /\ s + d <= 2 * n ->
  never thrifty d Castle (start n s).
Proof.
  intros n s d Hn Hs Hd H v Hv. destruct (Z.le_gt_cases s n) as [Hsn | Hsn].
  - unfold start in Hv. apply forced in Hv; lia.
  - apply first_wave in Hv as [w [-> Hv]]; [| unfold thrifty; tauto | lia | lia]. apply forced in Hv; lia.
Qed.

Example castle_too_weak_holds : never thrifty 8 Castle (start 10 12).
Proof. apply castle_too_weak; lia. Qed.

(** A castle that has fallen and left one defender cannot win, however many soldiers there are. *)
Lemma one_is_left : forall d n v, 1 <= n -> ~ ends thrifty d Castle v (State n 1 0).
Proof.
  intros d n v Hn Hv.
  inversion Hv as [? i [Hi Hwaste] Hw | ? i next w [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste;
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst; lia.
Qed.

(** The castle cannot win if, after the first wave, its hits and defenders together exceed the number of soldiers by at
    most one. *)
Lemma one_beyond : forall n d k, 2 <= k -> 0 < d <= n - k + 1 -> never thrifty d Castle (start n (n + k)).
Proof.
  intros n d k Hk Hd v Hv. apply first_wave in Hv as [w [-> Hv]]; [| unfold thrifty; tauto | lia | lia].
  replace (n + k - n) with k in Hv by lia.
  destruct (Z.lt_ge_cases d (n - k + 1)) as [Hd1 | Hd1]; [apply forced in Hv; lia |].
  inversion Hv as [? i [Hi Hwaste] Hw | ? i next u [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste;
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst; try lia.
  - replace (d - i) with 0 in Hend by lia. replace (Z.max 0 (k - (n - i))) with 1 in Hend by lia.
    apply forced in Hend; lia.
  - replace (d - i) with 1 in Hend by lia. apply one_is_left in Hend; lia.
Qed.

(**
   Claim: For s = n + 2 and d < n the castle cannot win.
   Prose: castle-side.md, Theorem 6 in part
   Settles: castle-n-plus-2; castle-step-castle-small
*)
Theorem two_hits_more : forall n d, 0 < d < n -> never thrifty d Castle (start n (n + 2)).
Proof. intros n d Hd. apply one_beyond; lia. Qed.

Example two_hits_more_holds : never thrifty 9 Castle (start 10 12).
Proof. apply (two_hits_more 10). lia. Qed.

(**
   Claim: For d = n and s = n + 1, n >= 2, the castle cannot win.
   Prose: castle-side.md, Theorem 5
   Settles: castle-safe; castle-step-castle-never
*)
Theorem the_safe_battles : forall n, 2 <= n -> never thrifty n Castle (start n (n + 1)).
Proof.
  intros n Hn v Hv. apply first_wave in Hv as [w [-> Hv]]; [| unfold thrifty; tauto | lia | lia].
  replace (n + 1 - n) with 1 in Hv by lia. revert Hv. induction w as [| w IH]; intros Hv; [inversion Hv |].
  inversion Hv as [? i [Hi Hwaste] Hw | ? i next u [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste;
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst; try lia.
  - apply IH. replace i with n in Hend by lia.
    match type of Hend with ends _ _ _ _ ?a => replace a with (State n n 1) in Hend by (f_equal; lia) end. exact Hend.
  - replace (n - i) with 1 in Hend by lia. apply one_is_left in Hend; lia.
Qed.

Example the_safe_battles_holds : never thrifty 10 Castle (start 10 11).
Proof. apply (the_safe_battles 10). lia. Qed.

(** A castle that keeps its last hit wears down soldiers whom the fresh defenders alone can occupy. *)
Lemma grinds_down : forall d m n y, 0 < n <= Z.of_nat m -> n <= d -> 0 <= y -> 0 < y \/ n < d ->
  exists w, ends thrifty d Castle w (State n (y + d) 1).
Proof.
  intros d m. induction m as [| m IH]; intros n y Hn Hd Hy Hsome; [lia |].
  destruct (Z.le_gt_cases (n - 1) (y + d - n)) as [H | H].
  - exists 1%nat. apply wins_at_once; lia.
  - destruct (keeps_one_hit d n (y + d) 1) as [Hlegal Hwave]; [lia | lia | lia |].
    destruct (IH (n - (y + d - n + 1 - 1)) (y + d - n + 1 - 1)) as [w Hw]; [lia | lia | lia | lia |].
    exists (S w). eapply later; [exact Hlegal | exact Hwave | exact Hw].
Qed.

(**
   Claim: For s > n and d >= n, the castle can win, unless s = n + 1, d = n and n >= 2.
   Prose: castle-side.md, Theorem 5
   Settles: castle-safe; castle-step-castle-never
*)
Theorem castle_can_win : forall n s d, 0 < n < s -> n <= d ->
  ((exists w, ends thrifty d Castle w (start n s)) <-> ~ (s = n + 1 /\ d = n /\ 2 <= n)).
Proof.
  intros n s d Hn Hd. split.
  - intros [w Hw] [-> [-> H2]]. now apply the_safe_battles in Hw.
  - intros H. destruct (Z.le_gt_cases (3 * n) (s + d)) as [H3 | H3]; [exists 2%nat; apply two_waves; lia |].
    destruct (keeps_one_hit d n d (s - n)) as [Hlegal Hwave]; [lia | lia | lia |].
    destruct (grinds_down d (Z.to_nat n) (n - (d - n + (s - n) - 1)) (d - n + (s - n) - 1)) as [w Hw];
      [lia | lia | lia | lia |].
    destruct (after_first_wave d Castle (S w) n s) as [v [_ Hv]]; [lia | lia | | now exists v].
    exists (S w). split; [lia |]. eapply later; [exact Hlegal | exact Hwave | exact Hw].
Qed.

Example castle_can_win_holds : exists w, ends thrifty 11 Castle w (start 10 11).
Proof. apply castle_can_win; lia. Qed.

(**
   Claim: For s = n + 3 and d < n - 1 the castle cannot win.
   Prose: castle-side.md, Theorem 6 in part
   Settles: castle-n-plus-3-only; castle-step-castle-small
*)
Theorem three_hits_more : forall n d, 0 < d < n - 1 -> never thrifty d Castle (start n (n + 3)).
Proof. intros n d Hd. apply one_beyond; lia. Qed.

Example three_hits_more_holds : never thrifty 8 Castle (start 10 13).
Proof. apply (three_hits_more 10). lia. Qed.
