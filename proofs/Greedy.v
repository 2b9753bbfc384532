(** The castle's fastest win: all soldiers shoot at the castle as long as it survives that, and then they keep it at its
    last hit. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves CastleSide.
Open Scope Z_scope.

(** ** The greedy line *)

(** The number of defenders that a fall in this wave leaves. Keeping the castle up leaves at least one defender
    fewer. *)
Definition left_by_fall (now : state) : Z := defenders now - soldiers now + hits now.

(** The castle can win in this wave: as many defenders as there are soldiers can be left without waste. *)
Definition can_win_now (now : state) : bool :=
  (soldiers now <=? defenders now) && (soldiers now - hits now <=? defenders now - soldiers now).

(** The next state of the greedy line, if there is one. *)
Definition greedy_next (d : Z) (now : state) : option state :=
  let x := if soldiers now <? hits now then defenders now else left_by_fall now - 1 in
  if (0 <=? x) && (x <? soldiers now) then
    Some (State (soldiers now - x) (x + d) (if soldiers now <? hits now then hits now - soldiers now else 1))
  else None.

(** The state after [t] waves of the greedy line, if the castle stands and soldiers are alive. *)
Fixpoint greedy_after (d : Z) (t : nat) (now : state) : option state :=
  match t with
  | O => Some now
  | S t => match greedy_next d now with Some next => greedy_after d t next | None => None end
  end.

(** Does the castle win the hunt in exactly [w] waves? *)
Fixpoint loses_hunt (w : nat) (n x : Z) : bool :=
  match w with
  | O => false
  | S w => (n <? x) && if n <=? x - n then (w =? 0)%nat else loses_hunt w (n - (x - n)) (x - n)
  end.

(** The castle wins in wave [w] of the greedy line, either while it stands or by a fall in an earlier wave of that
    line. *)
Fixpoint greedy_wins (d : Z) (w : nat) (now : state) : bool :=
  match w with
  | O => false
  | S v =>
      (v =? 0)%nat && can_win_now now
      || (hits now <=? soldiers now) && (0 <? left_by_fall now) && (left_by_fall now <? soldiers now)
           && loses_hunt v (soldiers now - left_by_fall now) (left_by_fall now)
      || match greedy_next d now with Some next => greedy_wins d v next | None => false end
  end.

(** ** It is a line of play *)

Lemma hunt_wave : forall d n x, 0 < n -> n < x ->
  thrifty (State n x 0) n /\
  wave d (State n x 0) n (if n <=? x - n then Won Castle else Next (State (n - (x - n)) (x - n) 0)).
Proof.
  intros d n x Hn Hx. split; [unfold thrifty, order; cbn [soldiers defenders hits]; lia |].
  destruct (Z.leb_spec n (x - n)).
  - constructor; unfold left, standing; cbn [soldiers defenders hits]; lia.
  - apply (castle_fallen d (State n x 0)); unfold left, standing; cbn [soldiers defenders hits]; lia.
Qed.

Lemma loses_hunt_is_a_line : forall d w n x, 0 < n -> loses_hunt w n x = true -> ends thrifty d Castle w (State n x 0).
Proof.
  intros d w. induction w as [| w IH]; intros n x Hn H; [discriminate |]. cbn [loses_hunt] in H.
  apply andb_true_iff in H as [Hx H]. apply Z.ltb_lt in Hx. destruct (hunt_wave d n x Hn Hx) as [Hlegal Hwave].
  destruct (Z.leb_spec n (x - n)) as [Hw | Hw].
  - apply Nat.eqb_eq in H as ->. eapply at_once; eauto.
  - eapply later; eauto. apply IH; [lia | exact H].
Qed.

Lemma greedy_next_is_a_wave : forall d now next, 0 < hits now -> 0 < soldiers now -> greedy_next d now = Some next ->
  exists i, thrifty now i /\ wave d now i (Next next).
Proof.
  intros d [n D C] next HC Hn H. unfold greedy_next, left_by_fall in H. cbn [soldiers defenders hits] in *.
  destruct (Z.ltb_spec n C) as [HnC | HnC].
  - destruct (Z.leb_spec 0 D), (Z.ltb_spec D n); cbn in H; try discriminate. injection H as <-.
    exists 0. split; [unfold thrifty, order; cbn [soldiers defenders hits]; lia |].
    replace (State (n - D) (D + d) (C - n)) with
      (State (n - left (State n D C) 0) (left (State n D C) 0 + d) (standing (State n D C) 0))
      by (unfold left, standing; cbn [soldiers defenders hits]; f_equal; lia).
    apply (castle_stands d (State n D C)); unfold left, standing; cbn [soldiers defenders hits]; lia.
  - destruct (Z.leb_spec 0 (D - n + C - 1)), (Z.ltb_spec (D - n + C - 1) n); cbn in H; try discriminate.
    injection H as <-. exists (n - (C - 1)). apply keeps_one_hit; lia.
Qed.

Lemma greedy_next_stands : forall d now next, 0 < hits now -> 0 < soldiers now -> greedy_next d now = Some next ->
  0 < hits next /\ 0 < soldiers next.
Proof.
  intros d [n D C] next HC Hn H. unfold greedy_next, left_by_fall in H. cbn [soldiers defenders hits] in *.
  destruct (Z.ltb_spec n C) as [HnC | HnC];
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:Hb; [| discriminate] end;
    apply andb_true_iff in Hb as [H1 H2]; apply Z.leb_le in H1; apply Z.ltb_lt in H2; injection H as <-; cbn; lia.
Qed.

Lemma greedy_is_a_line : forall d w now, 0 < soldiers now -> 0 < hits now -> greedy_wins d w now = true ->
  ends thrifty d Castle w now.
Proof.
  intros d w. induction w as [| w IH]; intros now Hn HC H; [discriminate |].
  cbn [greedy_wins] in H. rewrite !orb_true_iff, !andb_true_iff in H. destruct H as [[[Hw H] | [[[HCn Hx] Hxn] H]] | H].
  - apply Nat.eqb_eq in Hw as ->. destruct now as [n D C]. cbn [soldiers hits] in *.
    unfold can_win_now in H. cbn [soldiers defenders hits] in H.
    rewrite andb_true_iff, !Z.leb_le in H. apply wins_at_once; lia.
  - destruct now as [n D C]. unfold left_by_fall in *. cbn [soldiers defenders hits] in *.
    rewrite Z.leb_le in HCn. rewrite Z.ltb_lt in Hx, Hxn.
    apply (loses_hunt_is_a_line d) in H; [| lia].
    apply later with (i := n - C) (next := State (n - (D - n + C)) (D - n + C) 0);
      [unfold thrifty, order; cbn [soldiers defenders hits]; lia | | exact H].
    replace (D - n + C) with (left (State n D C) (n - C)) by (unfold left; cbn [soldiers defenders hits]; lia).
    apply (castle_fallen d (State n D C)); unfold left, standing; cbn [soldiers defenders hits]; lia.
  - destruct (greedy_next d now) as [next |] eqn:E; [| discriminate].
    destruct (greedy_next_stands d now next HC Hn E) as [HC2 Hn2].
    destruct (greedy_next_is_a_wave d now next HC Hn E) as [i [Hlegal Hwave]].
    eapply later; [exact Hlegal | exact Hwave |]. now apply IH.
Qed.

(** ** No line is faster *)

(** In a hunt that the castle wins, fewer soldiers or more defenders do not make the hunt longer. *)
Lemma hunt_is_no_longer : forall d w n x m y, 0 < m <= n -> 0 < x <= y -> ends thrifty d Castle w (State n x 0) ->
  exists v, (v <= w)%nat /\ loses_hunt v m y = true.
Proof.
  intros d w. induction w as [| w IH]; intros n x m y Hm Hx H; [inversion H |].
  inversion H as [? i [Hi Hwaste] Hw | ? i next u [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste; inversion Hw; subst; unfold left, standing in *;
    cbn [soldiers defenders hits] in *; try lia.
  - exists 1%nat. split; [lia |]. cbn. destruct (Z.ltb_spec m y), (Z.leb_spec m (y - m)); cbn; lia.
  - destruct (Z.le_gt_cases m (y - m)) as [Hone | Hmore].
    + exists 1%nat. split; [lia |]. cbn. destruct (Z.ltb_spec m y), (Z.leb_spec m (y - m)); cbn; lia.
    + replace i with n in Hend by lia.
      destruct (IH (n - (x - n)) (x - n) (m - (y - m)) (y - m) ltac:(lia) ltac:(lia) Hend) as [v [Hv Hloses]].
      exists (S v). split; [lia |]. cbn [loses_hunt].
      destruct (Z.ltb_spec m y), (Z.leb_spec m (y - m)); try lia. exact Hloses.
Qed.

Lemma now_wins : forall d now, can_win_now now = true -> greedy_wins d 1 now = true.
Proof. intros d now H. cbn [greedy_wins]. now rewrite H. Qed.

Lemma next_wins : forall d v now next, greedy_next d now = Some next -> greedy_wins d v next = true ->
  greedy_wins d (S v) now = true.
Proof. intros d v now next H Hv. cbn [greedy_wins]. rewrite H, Hv. now rewrite !orb_true_r. Qed.

(** The castle wins in wave [w] of the greedy line, and stands until then. *)
Fixpoint stands_wins (d : Z) (w : nat) (now : state) : bool :=
  match w with
  | O => false
  | S v =>
      (v =? 0)%nat && can_win_now now
      || match greedy_next d now with Some next => stands_wins d v next | None => false end
  end.

Lemma stands_is_greedy : forall d w now, stands_wins d w now = true -> greedy_wins d w now = true.
Proof.
  intros d w. induction w as [| v IH]; intros now H; [discriminate |]. cbn [stands_wins greedy_wins] in *.
  apply orb_true_iff in H as [H | H]; [now rewrite H |].
  destruct (greedy_next d now) as [next |]; [| discriminate]. rewrite (IH next H). now rewrite !orb_true_r.
Qed.

Lemma stands_now : forall d now, can_win_now now = true -> stands_wins d 1 now = true.
Proof. intros d now H. cbn [stands_wins]. now rewrite H. Qed.

Lemma stands_next : forall d v now next, greedy_next d now = Some next -> stands_wins d v next = true ->
  stands_wins d (S v) now = true.
Proof. intros d v now next H Hv. cbn [stands_wins]. rewrite H, Hv. now rewrite orb_true_r. Qed.

Lemma not_now : forall now, can_win_now now = false ->
  defenders now < soldiers now \/ left_by_fall now < soldiers now.
Proof.
  intros now H. unfold can_win_now, left_by_fall in *. apply andb_false_iff in H as [H | H]; apply Z.leb_gt in H; lia.
Qed.

(** A castle that stands and has at least as many defenders left wins at least as fast as one that has fallen. *)
Lemma standing_is_faster : forall d w n x now, 0 < d -> ends thrifty d Castle w (State n x 0) -> 0 < x ->
  0 < soldiers now <= n -> 0 < hits now -> x + d <= defenders now ->
  exists v, (v <= w)%nat /\ stands_wins d v now = true.
Proof.
  intros d w. induction w as [| w IH]; intros n x now Hd H Hx Hn HC HD; [inversion H |].
  destruct (can_win_now now) eqn:Hnow; [exists 1%nat; split; [lia | now apply stands_now] |].
  destruct now as [S1 D1 C1]. apply not_now in Hnow as Hnot. unfold left_by_fall in Hnot.
  cbn [soldiers defenders hits] in *.
  inversion H as [? i [Hi Hwaste] Hw | ? i next u [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste; inversion Hw; subst; unfold left, standing in *;
    cbn [soldiers defenders hits] in *; try lia.
  replace i with n in Hend by lia.
  destruct (IH (n - (x - n)) (x - n) (State (S1 - (D1 - S1 + C1 - 1)) (D1 - S1 + C1 - 1 + d) 1)) as [v [Hv Hwins]];
    cbn [soldiers defenders hits]; try lia; [exact Hend |].
  exists (S v). split; [lia |]. eapply stands_next; [| exact Hwins].
  unfold greedy_next, left_by_fall. cbn [soldiers defenders hits].
  destruct (Z.ltb_spec S1 C1); [lia |].
  destruct (Z.leb_spec 0 (D1 - S1 + C1 - 1)), (Z.ltb_spec (D1 - S1 + C1 - 1) S1); cbn; try lia. reflexivity.
Qed.

(** The greedy line is ahead of another line: it has at most as many soldiers, a fall would leave at least as many
    defenders, and it has at least as many defenders unless its castle is at the last hit. *)
Definition ahead (now other : state) : Prop :=
  0 < soldiers now <= soldiers other /\ 0 < hits now /\ left_by_fall other <= left_by_fall now /\
  (defenders other <= defenders now \/ hits now = 1).

(**
   Claim: From a state that is ahead of another one, the greedy line wins for the castle in at most as many waves as any
     line from the other state.
   Prose: castle-side.md, Lemma 2 (greedy is ahead at every wave) in part; castle-side.md, Lemma 4 (a win after a fall)
     in part
*)
Theorem greedy_is_faster : forall d w now other, 0 < d -> 0 < hits other -> ahead now other ->
  ends thrifty d Castle w other -> exists v, (v <= w)%nat /\ greedy_wins d v now = true.
Proof.
  intros d w. induction w as [| w IH]; intros now other Hd HC Hahead H; [inversion H |].
  destruct (can_win_now now) eqn:Hnow; [exists 1%nat; split; [lia | now apply now_wins] |].
  apply not_now in Hnow as Hnot. destruct now as [S1 D1 C1], other as [S2 D2 C2].
  unfold ahead, left_by_fall in *. cbn [soldiers defenders hits] in *. destruct Hahead as [HS [HC1 [Hb HDC]]].
  assert (Hnot2 : D1 < S1 \/ D1 - S1 < S1 - C1).
  { unfold can_win_now in Hnow. cbn [soldiers defenders hits] in Hnow.
    apply andb_false_iff in Hnow as [Hnow | Hnow]; apply Z.leb_gt in Hnow; lia. }
  inversion H as [? i [Hi Hwaste] Hw | ? i next u [Hi Hwaste] Hw Hend]; subst; unfold order in Hi;
    cbn [soldiers defenders hits] in Hi, Hwaste; inversion Hw; subst; unfold left, standing in *;
    cbn [soldiers defenders hits] in *; try lia.
  - (* the other castle stands *)
    replace (Z.max 0 (C2 - (S2 - i))) with (C2 - (S2 - i)) in Hend by lia.
    set (next2 := State (S2 - (D2 - i)) (D2 - i + d) (C2 - (S2 - i))) in *.
    destruct (Z.lt_ge_cases S1 C1) as [Hout | Hout].
    + destruct (IH (State (S1 - D1) (D1 + d) (C1 - S1)) next2 Hd ltac:(unfold next2; cbn [hits]; lia)
        ltac:(unfold next2; cbn [soldiers defenders hits]; lia) Hend) as [v [Hv Hwins]].
      exists (S v). split; [lia |]. eapply next_wins; [| exact Hwins]. unfold greedy_next.
      cbn [soldiers defenders hits].
      destruct (Z.ltb_spec S1 C1), (Z.leb_spec 0 D1), (Z.ltb_spec D1 S1); cbn; try lia. reflexivity.
    + destruct (IH (State (S1 - (D1 - S1 + C1 - 1)) (D1 - S1 + C1 - 1 + d) 1) next2 Hd
        ltac:(unfold next2; cbn [hits]; lia) ltac:(unfold next2; cbn [soldiers defenders hits]; lia) Hend)
        as [v [Hv Hwins]].
      exists (S v). split; [lia |]. eapply next_wins; [| exact Hwins].
      unfold greedy_next, left_by_fall. cbn [soldiers defenders hits].
      destruct (Z.ltb_spec S1 C1); [lia |].
      destruct (Z.leb_spec 0 (D1 - S1 + C1 - 1)), (Z.ltb_spec (D1 - S1 + C1 - 1) S1); cbn; try lia. reflexivity.
  - (* it falls *)
    assert (Hx : D2 - i = D2 - S2 + C2) by lia.
    destruct (Z.lt_ge_cases S1 C1) as [Hout | Hout].
    + destruct (standing_is_faster d w (S2 - (D2 - i)) (D2 - i) (State (S1 - D1) (D1 + d) (C1 - S1)) Hd Hend)
        as [v [Hv Hwins]]; cbn [soldiers defenders hits]; try lia.
      exists (S v). split; [lia |]. eapply next_wins; [| exact (stands_is_greedy _ _ _ Hwins)]. unfold greedy_next.
      cbn [soldiers defenders hits].
      destruct (Z.ltb_spec S1 C1), (Z.leb_spec 0 D1), (Z.ltb_spec D1 S1); cbn; try lia. reflexivity.
    + destruct (hunt_is_no_longer d w (S2 - (D2 - i)) (D2 - i) (S1 - (D1 - S1 + C1)) (D1 - S1 + C1))
        as [v [Hv Hloses]]; [lia | lia | exact Hend |].
      exists (S v). split; [lia |]. cbn [greedy_wins]. unfold left_by_fall. cbn [soldiers defenders hits].
      destruct (Z.leb_spec C1 S1), (Z.ltb_spec 0 (D1 - S1 + C1)), (Z.ltb_spec (D1 - S1 + C1) S1); try lia.
      rewrite Hloses. cbn. now rewrite orb_true_r.
Qed.

Example greedy_is_faster_holds : exists v, (v <= 2)%nat /\ greedy_wins 12 v (start 10 20) = true.
Proof.
  apply (greedy_is_faster 12 2 (start 10 20) (start 10 18)); [lia | cbn; lia | |].
  - unfold ahead, start, left_by_fall. cbn [soldiers defenders hits]. lia.
  - apply two_waves; lia.
Qed.

(**
   Claim: The castle's fewest waves are the first waves in which it can win on the greedy line, either while it stands
     or by a fall in a wave of that line: no line without waste is faster.
   Prose: castle-side.md, Theorem 1
   Settles: castle-step-castle-fastest
   Code: Battle.FastestCastleWin
*)
Theorem greedy_is_fastest : forall n s d w, 0 < n -> 0 < s -> 0 < d ->
  (fewest thrifty d Castle w (start n s) <->
   greedy_wins d w (start n s) = true /\ forall v, (v < w)%nat -> greedy_wins d v (start n s) = false).
Proof.
  intros n s d w Hn Hs Hd.
  assert (Hline : forall v, greedy_wins d v (start n s) = true -> ends thrifty d Castle v (start n s)).
  { intros v Hv. apply greedy_is_a_line; cbn [start soldiers hits]; assumption. }
  assert (Hfast : forall v, ends thrifty d Castle v (start n s) ->
    exists u, (u <= v)%nat /\ greedy_wins d u (start n s) = true).
  { intros v Hv. apply (greedy_is_faster d v (start n s) (start n s)); [exact Hd | exact Hs | | exact Hv].
    unfold ahead, start, left_by_fall. cbn [soldiers defenders hits]. lia. }
  split.
  - intros [Hends Hmin]. destruct (Hfast w Hends) as [u [Hu Hwins]]. pose proof (Hmin u (Hline u Hwins)).
    replace u with w in Hwins by lia. split; [exact Hwins |]. intros v Hv.
    destruct (greedy_wins d v (start n s)) eqn:E; [| reflexivity]. apply Hline, Hmin in E. lia.
  - intros [Hwins Hnone]. split; [now apply Hline |]. intros v Hv. apply Nat.le_ngt. intros Hvw.
    destruct (Hfast v Hv) as [u [Hu Hwinsu]]. rewrite Hnone in Hwinsu by lia. discriminate.
Qed.

Example greedy_is_fastest_holds : fewest thrifty 5 Castle 6 (start 8 14).
Proof.
  apply greedy_is_fastest; [lia | lia | lia |]. split; [reflexivity |].
  intros [| [| [| [| [| [| v]]]]]] Hv; [reflexivity .. | lia].
Qed.

(** The castle's fewest waves, or 0 if it cannot win within [fuel] waves. *)
Definition castle_waves (fuel : nat) (n s d : Z) : Z :=
  match find (fun w => greedy_wins d w (start n s)) (seq 1 fuel) with Some w => Z.of_nat w | None => 0 end.

Lemma find_first : forall f fuel a w, find f (seq a fuel) = Some w ->
  (a <= w)%nat /\ f w = true /\ forall v, (a <= v < w)%nat -> f v = false.
Proof.
  intros f fuel. induction fuel as [| fuel IH]; intros a w H; [discriminate |]. cbn in H. destruct (f a) eqn:E.
  - injection H as <-. repeat split; [lia | exact E | lia].
  - apply IH in H as [H1 [H2 H3]]. repeat split; [lia | exact H2 |]. intros v Hv.
    destruct (Nat.eq_dec v a) as [-> | Hva]; [exact E | apply H3; lia].
Qed.

(**
   Claim: The castle's fewest waves are computed by following the greedy line. If the function returns 0, the castle
     cannot win within the waves that were followed.
   Prose: castle-side.md, Theorem 1 in part
   Code: Battle.CastleMinWaves
*)
Theorem castle_waves_is_right : forall fuel n s d, 0 < n -> 0 < s -> 0 < d ->
  (castle_waves fuel n s d = 0 /\ ~ within thrifty d Castle fuel (start n s)) \/
  fewest thrifty d Castle (Z.to_nat (castle_waves fuel n s d)) (start n s).
Proof.
  intros fuel n s d Hn Hs Hd. unfold castle_waves.
  destruct (find (fun w => greedy_wins d w (start n s)) (seq 1 fuel)) as [w |] eqn:E.
  - right. rewrite Nat2Z.id. apply find_first in E as [H1 [H2 H3]]. apply greedy_is_fastest; try assumption.
    split; [exact H2 |]. intros [| v] Hv; [reflexivity |]. apply H3. lia.
  - left. split; [reflexivity |]. intros [v [Hv H]].
    assert (Hleast : exists u, (u <= v)%nat /\ greedy_wins d u (start n s) = true).
    { apply (greedy_is_faster d v (start n s) (start n s)); [exact Hd | exact Hs | | exact H].
      unfold ahead, start, left_by_fall. cbn [soldiers defenders hits]. lia. }
    destruct Hleast as [u [Hu Hwins]].
    assert (Hu0 : (u <> 0)%nat) by (intros ->; discriminate).
    pose proof (find_none _ _ E u ltac:(apply in_seq; lia)) as Hnone. cbn beta in Hnone. congruence.
Qed.

Example castle_waves_is_right_holds : fewest thrifty 10 Castle 9 (start 28 60).
Proof.
  destruct (castle_waves_is_right 12 28 60 10) as [[H _] | H]; [lia | lia | lia | | exact H].
  vm_compute in H. discriminate.
Qed.
