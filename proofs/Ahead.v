(** The castle's greedy line is ahead of every other line that keeps the castle up. For d >= 2, it needs no fall. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves CastleSide Greedy.
Open Scope Z_scope.

(** ** No fall is needed *)

(** Compare a castle at its last hit with a castle that has fallen. If the first faces at most one soldier more, and
    has, apart from the fresh defenders, at most one defender less, it wins as fast as the second. *)
Lemma last_hit_is_as_fast : forall d w n x m D, 2 <= d -> loses_hunt w n x = true -> 0 < m <= n + 1 ->
  x - 1 + d <= D -> exists v, (v <= w)%nat /\ stands_wins d v (State m D 1) = true.
Proof.
  intros d w. induction w as [| w IH]; intros n x m D Hd H Hm HD; [discriminate |]. cbn [loses_hunt] in H.
  apply andb_true_iff in H as [Hx H]. apply Z.ltb_lt in Hx.
  destruct (can_win_now (State m D 1)) eqn:Hnow; [exists 1%nat; split; [lia | now apply stands_now] |].
  apply not_now in Hnow as Hnot. unfold left_by_fall in Hnot. unfold can_win_now in Hnow.
  cbn [soldiers defenders hits] in *.
  apply andb_false_iff in Hnow as [Hnow | Hnow]; apply Z.leb_gt in Hnow; [lia |].
  destruct (Z.leb_spec n (x - n)) as [Hone | Hmore]; [lia |].
  destruct (IH (n - (x - n)) (x - n) (m - (D - m)) (D - m + d) Hd H) as [v [Hv Hwins]]; [lia | lia |].
  exists (S v). split; [lia |]. eapply stands_next; [| exact Hwins].
  unfold greedy_next, left_by_fall. cbn [soldiers defenders hits].
  destruct (Z.ltb_spec m 1); [lia |].
  destruct (Z.leb_spec 0 (D - m + 1 - 1)), (Z.ltb_spec (D - m + 1 - 1) m); try lia. cbn [andb].
  f_equal. f_equal; lia.
Qed.

Lemma stands_is_as_fast : forall d w now, 2 <= d -> 0 < soldiers now -> 0 < hits now -> greedy_wins d w now = true ->
  exists v, (v <= w)%nat /\ stands_wins d v now = true.
Proof.
  intros d w. induction w as [| w IH]; intros now Hd HN HC H; [discriminate |]. cbn [greedy_wins] in H.
  destruct (can_win_now now) eqn:Hnow; [exists 1%nat; split; [lia | now apply stands_now] |].
  rewrite andb_false_r in H. cbn [orb] in H. apply orb_true_iff in H as [H | H].
  - destruct now as [N D C]. unfold left_by_fall in H. cbn [soldiers defenders hits] in *.
    apply andb_true_iff in H as [H Hhunt]. apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2].
    apply Z.leb_le in H1. apply Z.ltb_lt in H2, H3.
    destruct (last_hit_is_as_fast d w (N - (D - N + C)) (D - N + C) (N - (D - N + C - 1)) (D - N + C - 1 + d) Hd Hhunt)
      as [v [Hv Hwins]]; [lia | lia |].
    exists (S v). split; [lia |]. eapply stands_next; [| exact Hwins].
    unfold greedy_next, left_by_fall. cbn [soldiers defenders hits]. destruct (Z.ltb_spec N C); [lia |].
    destruct (Z.leb_spec 0 (D - N + C - 1)), (Z.ltb_spec (D - N + C - 1) N); try lia. reflexivity.
  - destruct (greedy_next d now) as [next |] eqn:E; [| discriminate].
    destruct (greedy_next_stands d now next HC HN E) as [HC2 HN2].
    destruct (IH next Hd HN2 HC2 H) as [v [Hv Hwins]]. exists (S v). split; [lia |].
    eapply stands_next; [exact E | exact Hwins].
Qed.

(**
   Claim: For d >= 2 the castle's fewest waves are those in which it wins on the greedy line while it stands: a fall
     before the last wave never makes it faster.
   Prose: castle-side.md, Theorem 2
   Settles: castle-step-last-hit
*)
Theorem no_fall_is_needed : forall n s d w, 0 < n -> 0 < s -> 2 <= d ->
  (fewest thrifty d Castle w (start n s) <->
   stands_wins d w (start n s) = true /\ forall v, (v < w)%nat -> stands_wins d v (start n s) = false).
Proof.
  intros n s d w Hn Hs Hd. rewrite greedy_is_fastest by lia.
  assert (Hfast : forall u, greedy_wins d u (start n s) = true ->
    exists v, (v <= u)%nat /\ stands_wins d v (start n s) = true).
  { intros u Hu. now apply stands_is_as_fast. }
  split; intros [Hwins Hnone].
  - destruct (Hfast w Hwins) as [v [Hv Hstands]]. assert (v = w) as ->.
    { destruct (Nat.eq_dec v w) as [E | Hne]; [exact E |].
      apply stands_is_greedy in Hstands. rewrite Hnone in Hstands by lia. discriminate. }
    split; [exact Hstands |]. intros u Hu. destruct (stands_wins d u (start n s)) eqn:E; [| reflexivity].
    apply stands_is_greedy in E. rewrite Hnone in E by lia. discriminate.
  - split; [now apply stands_is_greedy |]. intros u Hu. destruct (greedy_wins d u (start n s)) eqn:E; [| reflexivity].
    destruct (Hfast u E) as [v [Hv Hstands]]. rewrite Hnone in Hstands by lia. discriminate.
Qed.

Example no_fall_is_needed_holds : fewest thrifty 5 Castle 6 (start 8 14).
Proof.
  apply no_fall_is_needed; [lia | lia | lia |]. split; [reflexivity |].
  intros [| [| [| [| [| [| v]]]]]] Hv; [reflexivity .. | lia].
Qed.

(** ** One defender per wave fewer than soldiers, and three hits more *)

(** The start of wave 3 + j of the greedy line. *)
Definition at_last_hit (n : Z) (j : nat) : state :=
  State (n - 1 - fib (2 * j)) (n - 1 + fib (2 * j + 1) - fib (2 * j)) 1.

Lemma last_hit_next : forall n j, fib (2 * S j) < n - 1 ->
  greedy_next (n - 1) (at_last_hit n j) = Some (at_last_hit n (S j)).
Proof.
  intros n j H. rewrite fib_even_next in H. pose proof (fib_even_odd j).
  unfold greedy_next, left_by_fall, at_last_hit. cbn [soldiers defenders hits]. rewrite fib_even_next, fib_odd_next.
  set (e := fib (2 * j)) in *. set (o := fib (2 * j + 1)) in *. destruct (Z.ltb_spec (n - 1 - e) 1); [lia |].
  destruct (Z.leb_spec 0 (n - 1 + o - e - (n - 1 - e) + 1 - 1)); [| lia].
  destruct (Z.ltb_spec (n - 1 + o - e - (n - 1 - e) + 1 - 1) (n - 1 - e)); [| lia]. cbn [andb]. do 2 f_equal; lia.
Qed.

Lemma last_hit_wins : forall n j, fib (2 * j) < n - 1 ->
  can_win_now (at_last_hit n j) = (n - 2 <=? fib (2 * S j)).
Proof.
  intros n j H. rewrite fib_even_next. pose proof (fib_even_odd j).
  unfold can_win_now, at_last_hit. cbn [soldiers defenders hits]. set (e := fib (2 * j)) in *.
  set (o := fib (2 * j + 1)) in *. destruct (Z.leb_spec (n - 1 - e) (n - 1 + o - e)); [| lia]. cbn [andb].
  destruct (Z.leb_spec (n - 1 - e - 1) (n - 1 + o - e - (n - 1 - e))), (Z.leb_spec (n - 2) (e + o)); lia.
Qed.

Lemma last_hits : forall i n j, fib (2 * j) < n - 1 -> (forall m, (m < i)%nat -> fib (2 * S (j + m)) < n - 2) ->
  stands_wins (n - 1) (S i) (at_last_hit n j) = (n - 2 <=? fib (2 * S (j + i))).
Proof.
  induction i as [| i IH]; intros n j Hj Hbelow.
  - cbn [stands_wins]. rewrite last_hit_wins, Nat.add_0_r by exact Hj. cbn [Nat.eqb andb].
    destruct (greedy_next (n - 1) (at_last_hit n j)); now rewrite orb_false_r.
  - pose proof (Hbelow 0%nat ltac:(lia)) as H0. rewrite Nat.add_0_r in H0.
    change (stands_wins (n - 1) (S (S i)) (at_last_hit n j)) with
      (match greedy_next (n - 1) (at_last_hit n j) with
       | Some next => stands_wins (n - 1) (S i) next
       | None => false
       end).
    rewrite last_hit_next by lia. rewrite IH; [now rewrite Nat.add_succ_comm | lia |].
    intros m Hm. rewrite Nat.add_succ_comm. apply Hbelow. lia.
Qed.

(**
   Claim: If d = n - 1 and s = n + 3, the castle's fewest waves are the smallest t >= 3 with F(2t - 4) >= n - 2.
   Prose: castle-side.md, Theorem 6
   Settles: castle-step-castle-small
*)
Theorem three_hits_suffice : forall n t, 2 <= n -> (3 <= t)%nat -> n - 2 <= fib (2 * t - 4) ->
  (forall v, (3 <= v < t)%nat -> fib (2 * v - 4) < n - 2) -> fewest thrifty (n - 1) Castle t (start n (n + 3)).
Proof.
  intros n t Hn Ht Hwins Hbelow. destruct (Z.eq_dec n 2) as [-> | Hn3].
  - assert (t = 3%nat) as ->.
    { destruct (Nat.eq_dec t 3) as [E | E]; [exact E |].
      specialize (Hbelow 3%nat ltac:(lia)). now vm_compute in Hbelow. }
    apply greedy_is_fastest; [lia .. |]. split; [reflexivity |]. intros [| [| [| v]]] Hv; reflexivity || lia.
  - assert (Hfirst : greedy_next (n - 1) (start n (n + 3)) = Some (State n (n - 1) 3)).
    { unfold greedy_next, start. cbn [soldiers defenders hits]. destruct (Z.ltb_spec n (n + 3)); [| lia].
      destruct (Z.ltb_spec 0 n); [| lia]. cbn. do 2 f_equal; lia. }
    assert (Hsecond : greedy_next (n - 1) (State n (n - 1) 3) = Some (at_last_hit n 0)).
    { unfold greedy_next, left_by_fall, at_last_hit. cbn [soldiers defenders hits].
      destruct (Z.ltb_spec n 3); [lia |]. replace (n - 1 - n + 3 - 1) with 1 by lia.
      destruct (Z.ltb_spec 1 n); [| lia]. change (fib (2 * 0)) with 0. change (fib (2 * 0 + 1)) with 1.
      change (0 <=? 1) with true. cbn [andb]. do 2 f_equal; lia. }
    assert (Hnot1 : can_win_now (start n (n + 3)) = false)
      by (unfold can_win_now, start; cbn [soldiers defenders hits]; destruct (Z.leb_spec n 0); [lia | reflexivity]).
    assert (Hnot2 : can_win_now (State n (n - 1) 3) = false)
      by (unfold can_win_now; cbn [soldiers defenders hits]; destruct (Z.leb_spec n (n - 1)); [lia | reflexivity]).
    assert (Hline : forall i, stands_wins (n - 1) (S (S (S i))) (start n (n + 3)) =
      stands_wins (n - 1) (S i) (at_last_hit n 0)).
    { intros i. cbn [stands_wins] in *. cbn [Nat.eqb andb orb]. rewrite Hfirst. cbn [Nat.eqb andb orb].
      now rewrite Hsecond. }
    assert (Hfibs : forall i, (2 * S (0 + i) = 2 * S (S (S i)) - 4)%nat) by (intros i; lia).
    apply no_fall_is_needed; [lia .. |].
    assert (Hvalue : forall i, (S (S (S i)) <= t)%nat -> stands_wins (n - 1) (S (S (S i))) (start n (n + 3)) =
      (n - 2 <=? fib (2 * S (S (S i)) - 4))).
    { intros i Hi. rewrite Hline, last_hits, Hfibs; [reflexivity | cbn; lia |]. intros m Hm. rewrite Hfibs.
      apply Hbelow. lia. }
    split.
    + destruct t as [| [| [| i]]]; try lia. rewrite Hvalue by lia. now apply Z.leb_le.
    + intros [| [| [| i]]] Hv.
      * reflexivity.
      * cbn [stands_wins Nat.eqb andb orb]. rewrite Hnot1, Hfirst. reflexivity.
      * cbn [stands_wins Nat.eqb andb orb]. rewrite Hfirst. cbn [Nat.eqb andb orb]. rewrite Hnot2, Hsecond. reflexivity.
      * rewrite Hvalue by lia. apply Z.leb_gt. apply Hbelow. lia.
Qed.

Example three_hits_suffice_holds : fewest thrifty 9 Castle 5 (start 10 13).
Proof.
  apply (three_hits_suffice 10); [lia | lia | vm_compute; discriminate |]. intros v Hv.
  assert (E : v = 3%nat \/ v = 4%nat) by lia. destruct E as [-> | ->]; reflexivity.
Qed.

(** ** Ahead in every wave *)

(** [kept d t now after]: a line of [t] waves, without waste, leads from [now] to [after], and after each wave the
    castle stands and soldiers are alive. *)
Inductive kept (d : Z) : nat -> state -> state -> Prop :=
| no_wave now : kept d 0 now now
| one_wave t now i next after :
    thrifty now i -> wave d now i (Next next) -> 0 < hits next -> kept d t next after -> kept d (S t) now after.

Lemma stays_ahead : forall d now other i next, 0 < d -> ahead now other -> can_win_now now = false ->
  thrifty other i -> wave d other i (Next next) -> 0 < hits next ->
  exists mine, greedy_next d now = Some mine /\ ahead mine next.
Proof.
  intros d [S1 D1 C1] [S2 D2 C2] i next Hd Hahead Hnow [Hi Hwaste] Hw Hup.
  unfold ahead, left_by_fall in Hahead. cbn [soldiers defenders hits] in *. destruct Hahead as [HS [HC1 [Hb HDC]]].
  assert (Hnot : D1 < S1 \/ D1 - S1 < S1 - C1).
  { unfold can_win_now in Hnow. cbn [soldiers defenders hits] in Hnow.
    apply andb_false_iff in Hnow as [Hnow | Hnow]; apply Z.leb_gt in Hnow; lia. }
  unfold order in Hi. cbn [soldiers defenders hits] in Hi.
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; try lia.
  destruct (Z.lt_ge_cases S1 C1) as [Hout | Hout].
  - exists (State (S1 - D1) (D1 + d) (C1 - S1)). split.
    + unfold greedy_next. cbn [soldiers defenders hits].
      destruct (Z.ltb_spec S1 C1), (Z.leb_spec 0 D1), (Z.ltb_spec D1 S1); cbn; try lia. reflexivity.
    + unfold ahead, left_by_fall. cbn [soldiers defenders hits]. lia.
  - exists (State (S1 - (D1 - S1 + C1 - 1)) (D1 - S1 + C1 - 1 + d) 1). split.
    + unfold greedy_next, left_by_fall. cbn [soldiers defenders hits]. destruct (Z.ltb_spec S1 C1); [lia |].
      destruct (Z.leb_spec 0 (D1 - S1 + C1 - 1)), (Z.ltb_spec (D1 - S1 + C1 - 1) S1); cbn; try lia. reflexivity.
    + unfold ahead, left_by_fall. cbn [soldiers defenders hits]. lia.
Qed.

Lemma line_stays_ahead : forall d t now other after, 0 < d -> ahead now other -> kept d t other after ->
  (exists v, (v <= t)%nat /\ stands_wins d v now = true) \/
  exists mine, greedy_after d t now = Some mine /\ ahead mine after /\
    (can_win_now mine = true -> stands_wins d (S t) now = true).
Proof.
  intros d t. induction t as [| t IH]; intros now other after Hd Hahead H; inversion H; subst.
  - right. exists now. split; [reflexivity |]. split; [exact Hahead |]. intros Hwins. cbn. now rewrite Hwins.
  - destruct (can_win_now now) eqn:Hnow.
    + left. exists 1%nat. split; [lia |]. cbn. now rewrite Hnow.
    + destruct (stays_ahead d now other i next) as [mine [Hmine Hnext]]; try assumption.
      destruct (IH mine next after Hd Hnext) as [[v [Hv Hwins]] | [last [Hlast [Hlead Hwins]]]]; [assumption | |].
      * left. exists (S v). split; [lia |]. cbn [stands_wins]. rewrite Hmine, Hwins. now rewrite orb_true_r.
      * right. exists last. cbn [greedy_after]. rewrite Hmine. split; [exact Hlast |]. split; [exact Hlead |].
        intros Hnow2. specialize (Hwins Hnow2). change (stands_wins d (S (S t)) now) with
          ((match greedy_next d now with Some next => stands_wins d (S t) next | None => false end)).
        now rewrite Hmine.
Qed.

Lemma ahead_of_itself : forall n s, 0 < n -> 0 < s -> ahead (start n s) (start n s).
Proof. intros n s Hn Hs. unfold ahead, start. cbn [soldiers defenders hits]. lia. Qed.

Lemma one_wave_kept : kept 8 1 (start 10 43) (State 10 8 33).
Proof.
  apply (one_wave 8 0 _ 0 (State 10 8 33)); [unfold thrifty, order; cbn; lia | | cbn; lia | constructor].
  apply (castle_stands 8 (start 10 43) 0); vm_compute; reflexivity.
Qed.

(**
   Claim: Let a line keep the castle up for t waves, with soldiers alive. Then the castle has won on the greedy line by
     wave t, or it stands there after wave t, and at most as many soldiers are alive as on the other line.
   Prose: castle-side.md, Lemma 2 (greedy is ahead at every wave)
   Settles: castle-step-greed in part
*)
Theorem greedy_is_ahead : forall n s d t after, 0 < n -> 0 < s -> 0 < d -> kept d t (start n s) after ->
  (exists v, (v <= t)%nat /\ stands_wins d v (start n s) = true) \/
  exists mine, greedy_after d t (start n s) = Some mine /\ 0 < hits mine /\ 0 < soldiers mine <= soldiers after.
Proof.
  intros n s d t after Hn Hs Hd H.
  destruct (line_stays_ahead d t _ _ after Hd (ahead_of_itself n s Hn Hs) H) as [Hwon | [mine [Hmine [Hlead _]]]].
  - now left.
  - right. exists mine. unfold ahead in Hlead. split; [exact Hmine | lia].
Qed.

Example greedy_is_ahead_holds : exists mine, greedy_after 8 1 (start 10 43) = Some mine /\ 0 < hits mine /\
  0 < soldiers mine <= 10.
Proof.
  destruct (greedy_is_ahead 10 43 8 1 (State 10 8 33)) as [[v [Hv H]] | H]; [lia .. | exact one_wave_kept | | exact H].
  destruct v as [| [| v]]; [discriminate | discriminate | lia].
Qed.

Lemma kept_stands : forall d t now after, 0 < hits now -> kept d t now after -> 0 < hits after.
Proof. intros d t now after Hhits H. induction H; [exact Hhits | auto]. Qed.

(**
   Claim: If the castle can win in some wave of some line while it stands, it can also win on the greedy line while it
     stands, in that wave or earlier.
   Prose: castle-side.md, Lemma 3 (a win while it stands)
*)
Theorem greedy_wins_while_it_stands : forall n s d t after, 0 < n -> 0 < s -> 0 < d -> kept d t (start n s) after ->
  ends thrifty d Castle 1 after -> exists v, (v <= S t)%nat /\ stands_wins d v (start n s) = true.
Proof.
  intros n s d t after Hn Hs Hd H Hwin. assert (Hhits : 0 < hits after) by (eapply kept_stands; [| exact H]; exact Hs).
  destruct (line_stays_ahead d t _ _ after Hd (ahead_of_itself n s Hn Hs) H)
    as [[v [Hv Hwins]] | [mine [_ [Hlead Hwins]]]]; [exists v; split; [lia | exact Hwins] |].
  exists (S t). split; [lia |]. apply Hwins. destruct mine as [S1 D1 C1], after as [S2 D2 C2].
  unfold ahead, left_by_fall, can_win_now in *. cbn [soldiers defenders hits] in *.
  apply wins_at_once in Hwin; [| lia | lia]. apply andb_true_iff. rewrite !Z.leb_le. lia.
Qed.

Example greedy_wins_while_it_stands_holds : exists v, (v <= 2)%nat /\ stands_wins 12 v (start 10 18) = true.
Proof.
  apply (greedy_wins_while_it_stands 10 18 12 1 (State 10 12 8)); [lia .. | | now apply wins_at_once; lia].
  apply (one_wave 12 0 _ 0 (State 10 12 8)); [unfold thrifty, order; cbn; lia | | cbn; lia | constructor].
  apply (castle_stands 12 (start 10 18) 0); vm_compute; reflexivity.
Qed.

(** ** After a fall *)

Lemma wins_later : forall d t now mine v, greedy_after d t now = Some mine -> stands_wins d v mine = true ->
  stands_wins d (t + v) now = true.
Proof.
  intros d t. induction t as [| t IH]; intros now mine v H Hwins; cbn [greedy_after] in H.
  - injection H as ->. exact Hwins.
  - destruct (greedy_next d now) as [next |] eqn:E; [| discriminate].
    apply (stands_next d (t + v) now next E). now apply (IH next mine).
Qed.

Lemma two_waves_kept : kept 1 2 (start 4 11) (State 3 2 3).
Proof.
  apply (one_wave 1 1 _ 0 (State 4 1 7)); [unfold thrifty, order; cbn; lia | | cbn; lia |].
  - apply (castle_stands 1 (start 4 11) 0); vm_compute; reflexivity.
  - apply (one_wave 1 0 _ 0 (State 3 2 3)); [unfold thrifty, order; cbn; lia | | cbn; lia | constructor].
    apply (castle_stands 1 (State 4 1 7) 0); vm_compute; reflexivity.
Qed.

(**
   Claim: Let a line bring the castle down in wave t + 1, and let the castle win v waves later. Then it wins no later on
     the greedy line, either while it stands, or by a fall in wave t + 1 of the greedy line, in which it has at most as
     many hits as there are soldiers.
   Prose: castle-side.md, Lemma 4 (a win after a fall)
*)
Theorem greedy_wins_after_a_fall : forall n s d t v now i m x, 0 < n -> 0 < s -> 0 < d ->
  kept d t (start n s) now -> thrifty now i -> wave d now i (Next (State m x 0)) ->
  ends thrifty d Castle v (State m x 0) ->
  (exists u, (u <= t + 1 + v)%nat /\ stands_wins d u (start n s) = true) \/
  exists mine u, greedy_after d t (start n s) = Some mine /\ hits mine <= soldiers mine /\
    0 < left_by_fall mine < soldiers mine /\ (u <= v)%nat /\
    loses_hunt u (soldiers mine - left_by_fall mine) (left_by_fall mine) = true.
Proof.
  intros n s d t v now i m x Hn Hs Hd Hkept [Hi Hwaste] Hw Hend.
  assert (HC2 : 0 < hits now) by (eapply kept_stands; [| exact Hkept]; exact Hs).
  destruct (line_stays_ahead d t _ _ now Hd (ahead_of_itself n s Hn Hs) Hkept)
    as [[u [Hu Hwins]] | [mine [Hmine [Hlead Hnow]]]]; [left; exists u; split; [lia | exact Hwins] |].
  destruct (can_win_now mine) eqn:E; [left; exists (S t); split; [lia | auto] |].
  apply not_now in E as Hnot. destruct mine as [S1 D1 C1], now as [S2 D2 C2].
  unfold ahead, left_by_fall in *. cbn [soldiers defenders hits] in *. unfold order in Hi.
  cbn [soldiers defenders hits] in Hi. destruct Hlead as [HS [HC1 [Hb HDC]]].
  assert (Hnot2 : D1 < S1 \/ D1 - S1 < S1 - C1).
  { unfold can_win_now in E. cbn [soldiers defenders hits] in E.
    apply andb_false_iff in E as [E | E]; apply Z.leb_gt in E; lia. }
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; try lia.
  assert (Hx : D2 - i = D2 - S2 + C2) by lia.
  destruct (Z.lt_ge_cases S1 C1) as [Hout | Hout].
  - left. destruct (standing_is_faster d v (S2 - (D2 - i)) (D2 - i) (State (S1 - D1) (D1 + d) (C1 - S1)) Hd Hend)
      as [u [Hu Hwins]]; cbn [soldiers defenders hits]; try lia.
    exists (t + S u)%nat. split; [lia |]. apply (wins_later d t _ (State S1 D1 C1)); [exact Hmine |].
    eapply stands_next; [| exact Hwins]. unfold greedy_next. cbn [soldiers defenders hits].
    destruct (Z.ltb_spec S1 C1), (Z.leb_spec 0 D1), (Z.ltb_spec D1 S1); cbn; try lia. reflexivity.
  - right. destruct (hunt_is_no_longer d v (S2 - (D2 - i)) (D2 - i) (S1 - (D1 - S1 + C1)) (D1 - S1 + C1))
      as [u [Hu Hloses]]; [lia | lia | exact Hend |].
    exists (State S1 D1 C1), u. cbn [soldiers defenders hits]. repeat split; try assumption; lia.
Qed.

Example greedy_wins_after_a_fall_holds : exists mine u, greedy_after 1 2 (start 4 11) = Some mine /\
  hits mine <= soldiers mine /\ 0 < left_by_fall mine < soldiers mine /\ (u <= 1)%nat /\
  loses_hunt u (soldiers mine - left_by_fall mine) (left_by_fall mine) = true.
Proof.
  destruct (greedy_wins_after_a_fall 4 11 1 2 1 (State 3 2 3) 0 1 2) as [[u [Hu H]] | H]; [lia .. | | | | | | exact H].
  - exact two_waves_kept.
  - unfold thrifty, order. cbn. lia.
  - apply (castle_fallen 1 (State 3 2 3) 0); vm_compute; intuition congruence.
  - apply loses_hunt_is_a_line; [lia | reflexivity].
  - destruct u as [| [| [| [| [| u]]]]]; [discriminate .. | lia].
Qed.
