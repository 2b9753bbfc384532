(** More of what the posts say of the castle game: short lines of play, by computation, and what they show of all. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Rules MinWaves Lines Counting Errata.
Import ListNotations.
Open Scope Z_scope.

(** ** Castle Defense I *)

(**
   Claim: Castle first can take longer than 2 waves where the soldiers cannot win: (3, 4, 4) is lost in wave 3.
   Settles: castle-lost-in-two
*)
Theorem lost_later_than_two :
  cannot_win Soldiers 3 4 4 /\ battle castle_first 4 50 (start 3 4) = Some (Castle, 3%nat, 0).
Proof. each_part; [apply soldiers_cannot |]; by_computation. Qed.

Example lost_later_than_two_holds : battle castle_first 4 50 (start 3 4) = Some (Castle, 3%nat, 0).
Proof. apply lost_later_than_two. Qed.

(**
   Claim: Defenders first can take longer than 3 waves where the soldiers cannot win: (5, 8, 6) is lost in wave 4.
   Settles: castle-lost-in-three
*)
Theorem lost_later_than_three :
  cannot_win Soldiers 5 8 6 /\ battle defenders_first 6 50 (start 5 8) = Some (Castle, 4%nat, 0).
Proof. each_part; [apply soldiers_cannot |]; by_computation. Qed.

Example lost_later_than_three_holds : battle defenders_first 6 50 (start 5 8) = Some (Castle, 4%nat, 0).
Proof. apply lost_later_than_three. Qed.

Lemma tie_takes_all : forall d now i, tie d now i -> soldiers now <= i /\ 0 < hits now.
Proof.
  intros d [N D C] i H. unfold tie in H. inversion H; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia.
Qed.

(**
   Claim: Castle first never ties: no wave of it ends in the state in which it began.
   Settles: castle-i-never-ties
*)
Theorem castle_first_never_ties : forall d now, 0 < soldiers now -> ~ tie d now (castle_first now).
Proof.
  intros d now HN H. apply tie_takes_all in H. unfold castle_first in H.
  destruct (Z.leb_spec (hits now) (soldiers now)); [lia |].
  destruct (Z.ltb_spec (defenders now) (soldiers now)); lia.
Qed.

Example castle_first_never_ties_holds : ~ tie 3 (State 3 3 2) (castle_first (State 3 3 2)).
Proof. apply castle_first_never_ties. reflexivity. Qed.

Ltac one_more hits :=
  split; [unfold thrifty, order; cbn; lia | exists (State 10 8 hits); split; [reflexivity | split; [reflexivity |]]].

(**
   Claim: In (10, 43, 8) the soldiers bring the castle down in wave 15 if they make two hits in each wave from wave 2 to
     wave 14, and win in wave 16, which is the fewest.
   Settles: castle-i-sixteen
*)
Theorem sixteen_waves :
  leads 8 (start 10 43) (0 :: repeat 8 13) (State 10 8 7) /\
  (thrifty (State 10 8 7) 3 /\ step 8 (State 10 8 7) 3 = Next (State 5 5 0)) /\
  (thrifty (State 5 5 0) 5 /\ step 8 (State 5 5 0) 5 = Won Soldiers) /\ wins_first_in Soldiers 16 10 43 8.
Proof.
  split; [| each_part; (unfold thrifty, order; cbn; lia) || (apply soldiers_first_in; by_computation) || by_computation].
  cbn [repeat leads]. one_more 33. one_more 31. one_more 29. one_more 27. one_more 25. one_more 23. one_more 21.
  one_more 19. one_more 17. one_more 15. one_more 13. one_more 11. one_more 9. one_more 7. reflexivity.
Qed.

Example sixteen_waves_holds : wins_first_in Soldiers 16 10 43 8.
Proof. apply sixteen_waves. Qed.

(**
   Claim: In (40, 300, 12) the soldiers need 11 waves.
   Settles: castle-bounds
*)
Theorem eleven_waves : wins_first_in Soldiers 11 40 300 12.
Proof. apply soldiers_first_in. by_computation. Qed.

Example eleven_waves_holds : wins_first_in Soldiers 11 40 300 12.
Proof. exact eleven_waves. Qed.

(** ** Castle Defense II *)

(**
   Claim: In test 4, (12, 32, 5), the soldiers need 4 waves, and the castle can win in wave 4 as well.
   Settles: castle-one-key
*)
Theorem both_win_in_one_wave :
  wins_first_in Soldiers 4 12 32 5 /\
  number_of (fun line => plays 5 Castle (start 12 32) line /\ length line = 4%nat) 71.
Proof.
  each_part; [apply soldiers_first_in; by_computation |].
  replace 71 with (nth 3 (histogram 5 Castle 4 (start 12 32)) 0) by by_computation.
  apply histogram_is_right; [lia | now apply playable_start | lia].
Qed.

Example both_win_in_one_wave_holds : wins_first_in Soldiers 4 12 32 5.
Proof. apply both_win_in_one_wave. Qed.

(** ** Castle Defense III *)

(**
   Claim: A wave that leaves x defenders and a standing castle is followed by one with N - x soldiers, x + d defenders
     and S - N + D - x hits. If the next wave leaves the castle standing too, it has x hits more after that than if the
     first had left nobody, and the second as many as now.
   Settles: castle-iii-bookkeeping
*)
Theorem two_waves_of_books : forall d now i next j after k other l last,
  wave d now i (Next next) -> 0 < hits next -> let x := left now i in
  next = State (soldiers now - x) (x + d) (hits now - soldiers now + defenders now - x) /\
  (wave d next j (Next after) -> 0 < hits after ->
   wave d now k (Next other) -> 0 < hits other -> wave d other l (Next last) -> 0 < hits last ->
   left now k = 0 -> left other l = left next j -> hits last = hits after - x).
Proof.
  assert (G : forall d now i next, wave d now i (Next next) -> 0 < hits next ->
    next = State (soldiers now - left now i) (left now i + d) (hits now - soldiers now + defenders now - left now i)).
  { intros d [N D C] i next H Hup. inversion H; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *;
      [f_equal; lia | lia]. }
  intros d now i next j after k other l last H Hup x. pose proof (G d now i next H Hup) as E. split; [exact E |].
  intros H2 Hup2 H3 Hup3 H4 Hup4 Hnone Hsame. apply G in H2, H3, H4; try assumption. fold x in E.
  rewrite H2, H4, Hsame. cbn [hits]. rewrite Hnone in H3. set (y := left next j). rewrite H3, E.
  cbn [soldiers defenders hits]. lia.
Qed.

Example two_waves_of_books_holds : State 8 10 29 = State (10 - 2) (2 + 8) (33 - 10 + 8 - 2).
Proof.
  apply (two_waves_of_books 8 (State 10 8 33) 6 (State 8 10 29) 0 (start 1 1) 0 (start 1 1) 0 (start 1 1));
    [| reflexivity].
  apply (castle_stands 8 (State 10 8 33) 6); unfold left, standing; cbn; lia.
Qed.

(**
   Claim: The castle has no win in (10, 11, 9), although it has more hits than there are soldiers.
   Settles: castle-always-bad
*)
Theorem no_way_to_lose : 10 < 11 /\ cannot_win Castle 10 11 9.
Proof. split; [lia |]. apply castle_cannot with (fuel := 50%nat). by_computation. Qed.

Example no_way_to_lose_holds : cannot_win Castle 10 11 9.
Proof. apply no_way_to_lose. Qed.

(**
   Claim: Shooting all defenders takes 18 waves in (10, 43, 8), where 16 are enough.
   Settles: castle-every-day
*)
Theorem all_defenders_is_slower :
  battle defenders_first 8 50 (start 10 43) = Some (Soldiers, 18%nat, 10) /\ wins_first_in Soldiers 16 10 43 8.
Proof. each_part; [| apply soldiers_first_in]; by_computation. Qed.

Example all_defenders_is_slower_holds : wins_first_in Soldiers 16 10 43 8.
Proof. apply all_defenders_is_slower. Qed.

(**
   Claim: If d = n < s, shooting all defenders ends in a tie: it keeps all soldiers, and the wave repeats itself.
   Settles: castle-defenders-alone
*)
Theorem defenders_alone_tie : forall n s, 0 < n < s -> let now := State n n (s - n) in
  wave n (start n s) (defenders_first (start n s)) (Next now) /\ tie n now (defenders_first now).
Proof.
  intros n s H now. unfold tie, defenders_first, now, start. cbn [soldiers defenders].
  rewrite Z.min_r, Z.min_id by lia. split.
  - replace (Next (State n n (s - n))) with (Next (State (n - left (State n 0 s) 0) (left (State n 0 s) 0 + n)
      (standing (State n 0 s) 0))) by (unfold left, standing; cbn [soldiers defenders hits]; do 2 f_equal; lia).
    apply castle_stands; unfold left, standing; cbn [soldiers defenders hits]; lia.
  - set (at_n := State n n (s - n)). replace (Next at_n) with (Next (State (n - left at_n n) (left at_n n + n)
      (standing at_n n))) by (unfold left, standing, at_n; cbn [soldiers defenders hits]; do 2 f_equal; lia).
    apply castle_stands; unfold left, standing, at_n; cbn [soldiers defenders hits]; lia.
Qed.

Example defenders_alone_tie_holds : tie 3 (State 3 3 2) 3.
Proof. apply (defenders_alone_tie 3 5). lia. Qed.

(**
   Claim: In (5, 8, 5) a fall of the castle on day 2 and one on day 3 leave the same: 2 soldiers and 3 defenders.
   Settles: castle-strict
*)
Theorem later_fall_leaves_the_same :
  (step 5 (start 5 8) 0 = Next (State 5 5 3) /\ step 5 (State 5 5 3) 2 = Next (State 2 3 0)) /\
  (step 5 (start 5 8) 0 = Next (State 5 5 3) /\ step 5 (State 5 5 3) 5 = Next (State 5 5 3) /\
   step 5 (State 5 5 3) 2 = Next (State 2 3 0)).
Proof. each_part; by_computation. Qed.

Example later_fall_leaves_the_same_holds : step 5 (State 5 5 3) 2 = Next (State 2 3 0).
Proof. apply later_fall_leaves_the_same. Qed.

(**
   Claim: In (5, 10, 5) soldiers who fire only at the castle bring it down on day 2, and are all dead.
   Settles: castle-never-zero
*)
Theorem castle_falls_with_the_last :
  step 5 (start 5 10) 0 = Next (State 5 5 5) /\ standing (State 5 5 5) 0 = 0 /\ step 5 (State 5 5 5) 0 = Won Castle.
Proof. each_part; by_computation. Qed.

Example castle_falls_with_the_last_holds : step 5 (State 5 5 5) 0 = Won Castle.
Proof. apply castle_falls_with_the_last. Qed.

(**
   Claim: If s >= 2n and d >= 2n, the castle wins in wave 2 by every play.
   Settles: castle-delay
*)
Theorem lost_in_two_by_all : forall n s d i next, 0 < n -> 2 * n <= s -> 2 * n <= d ->
  thrifty (start n s) i -> wave d (start n s) i (Next next) -> 0 < hits next /\
  forall j, thrifty next j -> wave d next j (Won Castle).
Proof.
  intros n s d i next Hn Hs Hd [Hi _] Hwave. unfold order, start in Hi. cbn [soldiers defenders] in Hi.
  assert (i = 0) as -> by lia.
  inversion Hwave; subst; unfold left, standing, start in *; cbn [soldiers defenders hits] in *; [| lia].
  split; [lia |]. intros j [[Hj _] _]. cbn [soldiers] in Hj.
  apply soldiers_gone; unfold left, standing; cbn [soldiers defenders hits]; lia.
Qed.

Example lost_in_two_by_all_holds : wave 4 (State 2 4 2) 2 (Won Castle).
Proof.
  apply (lost_in_two_by_all 2 4 4 0 (State 2 4 2)); unfold thrifty, order; cbn [soldiers defenders hits start]; try lia.
  apply (castle_stands 4 (start 2 4) 0); unfold left, standing; cbn; lia.
Qed.
