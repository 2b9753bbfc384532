(** For two defenders a wave or more no fall makes the castle's win faster, but that in the last wave. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves CastleSide Greedy.
Open Scope Z_scope.

(** A castle at its last hit that has at most a soldier more before it, and a defender less without the fresh ones, than
    a fallen one, is as fast. *)
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
   Claim: For d >= 2 the castle's fewest waves are those in which it wins on the greedy line while it stands: no fall
     before the last wave makes it faster.
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

(** ** One defender a wave less than soldiers, and three hits more *)

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
   Claim: If d = n - 1 and s = n + 3, the castle's fewest waves are the least t >= 3 with F(2t - 4) >= n - 2.
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
