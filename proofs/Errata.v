(** What the posts say about the castle game: counterexamples, by computing functions that are proved correct, and short
    lines of play. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Lines Counting Soldiers MinWaves CastleSide Greedy ByRoot.
Import ListNotations.
Open Scope Z_scope.

(** ** What is computed, and why this is a proof *)

Definition cannot_win (p : side) (n s d : Z) : Prop := never thrifty d p (start n s).
Definition wins_first_in (p : side) (w : nat) (n s d : Z) : Prop := fewest thrifty d p w (start n s).

Definition positive (n s d : Z) : bool := (0 <? n) && (0 <? s) && (0 <? d).

Lemma positive_spec : forall n s d, positive n s d = true -> 0 < n /\ 0 < s /\ 0 < d.
Proof. unfold positive. intros n s d H. rewrite !andb_true_iff, !Z.ltb_lt in H. lia. Qed.

(** Results about the soldiers come from the function that covers all battles. *)
Lemma soldiers_first_in : forall n s d w, positive n s d && (min_waves n s d =? Z.of_nat (S w)) = true ->
  wins_first_in Soldiers (S w) n s d.
Proof.
  intros n s d w H. apply andb_true_iff in H as [Hp H]. apply positive_spec in Hp as [Hn [Hs Hd]]. apply Z.eqb_eq in H.
  destruct (min_waves_is_right thrifty n s d ltac:(auto) Hn Hs Hd) as [[H0 _] | [_ Hf]]; [lia |].
  rewrite H, Nat2Z.id in Hf. exact Hf.
Qed.

Lemma soldiers_cannot : forall n s d, positive n s d && (min_waves n s d =? 0) = true -> cannot_win Soldiers n s d.
Proof.
  intros n s d H. apply andb_true_iff in H as [Hp H]. apply positive_spec in Hp as [Hn [Hs Hd]]. apply Z.eqb_eq in H.
  destruct (min_waves_is_right thrifty n s d ltac:(auto) Hn Hs Hd) as [[_ Hno] | [H0 _]]; [exact Hno | lia].
Qed.

(** Results about the castle in small battles come from a search and, if it cannot win, from walking all lines. *)
Lemma castle_first_in : forall n s d w,
  positive n s d && forallb (fun v => negb (search d Castle v (start n s))) (seq 0 w) && search d Castle w (start n s)
    = true ->
  wins_first_in Castle w n s d.
Proof.
  intros n s d w H. apply andb_true_iff in H as [H Hw]. apply andb_true_iff in H as [Hp H].
  apply positive_spec in Hp as [Hn [Hs Hd]]. pose proof (playable_start n s Hn Hs) as Hstart. split.
  - now apply search_agrees.
  - intros v Hv. apply Nat.le_ngt. intros Hvw. rewrite forallb_forall in H.
    apply search_agrees in Hv; [| assumption ..].
    specialize (H v ltac:(apply in_seq; lia)). rewrite Hv in H. discriminate.
Qed.

(** Results about the castle in larger battles come from its greedy line. *)
Lemma castle_by_greed : forall n s d w,
  positive n s d && forallb (fun v => negb (greedy_wins d v (start n s))) (seq 0 w) && greedy_wins d w (start n s)
    = true ->
  wins_first_in Castle w n s d.
Proof.
  intros n s d w H. apply andb_true_iff in H as [H Hw]. apply andb_true_iff in H as [Hp H].
  apply positive_spec in Hp as [Hn [Hs Hd]]. apply greedy_is_fastest; [assumption .. |]. split; [exact Hw |].
  intros v Hv. rewrite forallb_forall in H. apply negb_true_iff, H, in_seq. lia.
Qed.

Lemma castle_cannot : forall n s d fuel,
  positive n s d && match tally d Castle fuel (start n s) with Some m => m =? 0 | None => false end = true ->
  cannot_win Castle n s d.
Proof.
  intros n s d fuel H. apply andb_true_iff in H as [Hp H0].
  apply positive_spec in Hp as [Hn [Hs Hd]]. pose proof (playable_start n s Hn Hs) as Hstart.
  destruct (tally d Castle fuel (start n s)) as [m |] eqn:E; [| discriminate]. apply Z.eqb_eq in H0 as ->.
  intros w Hw. apply plays_are_the_rules in Hw as [line [Hline _]]; [| assumption ..].
  destruct (tally_is_right d Castle fuel _ 0 Hd Hstart E) as [all [_ [Hall Hlength]]].
  apply Hall in Hline. destruct all; [easy | cbn [length] in Hlength; lia].
Qed.

(** A battle in which a rule determines how many soldiers shoot at defenders. The result is who wins, in which wave, and
    how many soldiers survive. *)
Fixpoint battle (rule : state -> Z) (d : Z) (fuel : nat) (now : state) : option (side * nat * Z) :=
  match fuel with
  | O => None
  | S fuel =>
      let i := rule now in
      if existsb (Z.eqb i) (orders now) then
        match step d now i with
        | Won Soldiers => Some (Soldiers, 1%nat, soldiers now)
        | Won Castle => Some (Castle, 1%nat, 0)
        | Next next => match battle rule d fuel next with Some (p, w, alive) => Some (p, S w, alive) | None => None end
        end
      else None
  end.

(** The posts' two heuristics. *)
Definition castle_first (now : state) : Z :=
  if hits now <=? soldiers now then Z.min (soldiers now - hits now) (defenders now)
  else if defenders now <? soldiers now then defenders now
  else 0.
Definition defenders_first (now : state) : Z := Z.min (soldiers now) (defenders now).

(**
   Claim: A battle by such a rule is a line of play according to the rules.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
   Code: Battle.Play
*)
Theorem battle_is_a_line : forall rule d fuel now p w alive, 0 < d -> playable now ->
  battle rule d fuel now = Some (p, w, alive) -> ends thrifty d p w now.
Proof.
  intros rule d fuel. induction fuel as [| fuel IH]; intros now p w alive Hd Hnow H; [discriminate |].
  cbn [battle] in H. destruct (existsb (Z.eqb (rule now)) (orders now)) eqn:Hi; [| discriminate].
  apply existsb_exists in Hi as [i [Hi Heq]]. apply Z.eqb_eq in Heq. rewrite Heq in H.
  apply (orders_agree now Hnow) in Hi. destruct (step d now i) as [q | next] eqn:E; apply step_agrees in E; auto;
    try apply Hi.
  - assert (p = q /\ w = 1%nat) as [-> ->] by (destruct q; injection H; auto). eapply at_once; eauto.
  - destruct (battle rule d fuel next) as [[[p' w'] alive'] |] eqn:Eb; [| discriminate].
    injection H as <- <- _. eapply later; eauto. eapply IH; eauto. eapply playable_next; [.. | exact E]; auto. apply Hi.
Qed.

Example battle_is_a_line_holds : ends thrifty 8 Soldiers 18 (start 10 43).
Proof.
  apply (battle_is_a_line defenders_first 8 50 (start 10 43) Soldiers 18 10); [lia | now apply playable_start |].
  vm_compute. reflexivity.
Qed.

Ltac by_computation := vm_compute; reflexivity. (* [vm_cast_no_check] computes only once, in the kernel. *)
Ltac each_part := repeat match goal with |- _ /\ _ => split end.

(** ** Castle Defense I *)

(**
   Claim: Castle first does not always win in the fewest waves: in (13, 23, 11) it takes 5 waves instead of 4, and in
     (13, 26, 8) it also takes too many.
   Settles: castle-first-minimum
*)
Theorem castle_first_is_not_fastest :
  battle castle_first 11 50 (start 13 23) = Some (Soldiers, 5%nat, 1) /\ wins_first_in Soldiers 4 13 23 11 /\
  battle castle_first 8 50 (start 13 26) = Some (Soldiers, 5%nat, 1) /\ wins_first_in Soldiers 4 13 26 8.
Proof.
  each_part; try by_computation; apply soldiers_first_in; by_computation.
Qed.

Example castle_first_is_not_fastest_holds : wins_first_in Soldiers 4 13 26 8.
Proof. apply castle_first_is_not_fastest. Qed.

(**
   Claim: If both heuristics take the fewest waves, they may leave equally many soldiers: tests 3, 4 and 8 of the post.
   Settles: castle-more-left; castle-different-left
*)
Theorem equally_many_are_left :
  (battle castle_first 9 50 (start 11 12) = Some (Soldiers, 2%nat, 11) /\
   battle defenders_first 9 50 (start 11 12) = Some (Soldiers, 2%nat, 11) /\ wins_first_in Soldiers 2 11 12 9) /\
  (battle castle_first 5 50 (start 12 32) = Some (Soldiers, 4%nat, 12) /\
   battle defenders_first 5 50 (start 12 32) = Some (Soldiers, 4%nat, 12) /\ wins_first_in Soldiers 4 12 32 5) /\
  (battle castle_first 6 50 (start 8 10) = Some (Soldiers, 2%nat, 8) /\
   battle defenders_first 6 50 (start 8 10) = Some (Soldiers, 2%nat, 8) /\ wins_first_in Soldiers 2 8 10 6).
Proof.
  each_part; try by_computation; apply soldiers_first_in; by_computation.
Qed.

Example equally_many_are_left_holds : battle defenders_first 5 50 (start 12 32) = Some (Soldiers, 4%nat, 12).
Proof. apply equally_many_are_left. Qed.

(**
   Claim: Defenders first is not the slowest way to win: in (10, 43, 8) it takes 18 waves, whereas two lines win in wave
     34, and none wins later.
   Settles: castle-slowest
*)
Theorem slower_wins_exist :
  battle defenders_first 8 50 (start 10 43) = Some (Soldiers, 18%nat, 10) /\
  number_of (fun line => plays 8 Soldiers (start 10 43) line /\ length line = 34%nat) 2 /\
  forall line, plays 8 Soldiers (start 10 43) line -> (length line <= 34)%nat.
Proof.
  each_part; [by_computation | |].
  - replace 2 with (nth 33 (histogram 8 Soldiers 34 (start 10 43)) 0) by by_computation.
    apply histogram_is_right; [lia | now apply playable_start | lia].
  - intros line Hline. eapply over_spec; [| | | exact Hline]; [lia | now apply playable_start | vm_cast_no_check (eq_refl true)].
Qed.

Example slower_wins_exist_holds :
  number_of (fun line => plays 8 Soldiers (start 10 43) line /\ length line = 34%nat) 2.
Proof. apply slower_wins_exist. Qed.

(**
   Claim: In test 13, (10, 50, 10), the soldiers do not win in two waves. They cannot win at all, and the castle wins in
     two waves.
   Settles: castle-test-13
*)
Theorem test_13 : cannot_win Soldiers 10 50 10 /\ wins_first_in Castle 2 10 50 10.
Proof. split; [apply soldiers_cannot | apply castle_first_in]; by_computation. Qed.

Example test_13_holds : cannot_win Soldiers 10 50 10.
Proof. apply test_13. Qed.

(**
   Claim: If the soldiers cannot win, the castle may need three waves: in (3, 4, 4), and in (3819, 5000, 5000), for
     which the post prints a trace.
   Settles: castle-always-two
*)
Theorem not_always_two :
  (cannot_win Soldiers 3 4 4 /\ wins_first_in Castle 3 3 4 4) /\
  (cannot_win Soldiers 3819 5000 5000 /\ wins_first_in Castle 3 3819 5000 5000).
Proof.
  each_part; first [apply soldiers_cannot; by_computation | apply castle_by_greed; by_computation].
Qed.

Example not_always_two_holds : wins_first_in Castle 3 3819 5000 5000.
Proof. apply not_always_two. Qed.

(**
   Claim: If the soldiers cannot win, castle first may take longer than 2 waves: (3, 4, 4) is lost in wave 3.
   Settles: castle-lost-in-two
*)
Theorem lost_later_than_two :
  cannot_win Soldiers 3 4 4 /\ battle castle_first 4 50 (start 3 4) = Some (Castle, 3%nat, 0).
Proof. each_part; [apply soldiers_cannot |]; by_computation. Qed.

Example lost_later_than_two_holds : battle castle_first 4 50 (start 3 4) = Some (Castle, 3%nat, 0).
Proof. apply lost_later_than_two. Qed.

(**
   Claim: If the soldiers cannot win, defenders first may take longer than 3 waves: (5, 8, 6) is lost in wave 4.
   Settles: castle-lost-in-three
*)
Theorem lost_later_than_three :
  cannot_win Soldiers 5 8 6 /\ battle defenders_first 6 50 (start 5 8) = Some (Castle, 4%nat, 0).
Proof. each_part; [apply soldiers_cannot |]; by_computation. Qed.

Example lost_later_than_three_holds : battle defenders_first 6 50 (start 5 8) = Some (Castle, 4%nat, 0).
Proof. apply lost_later_than_three. Qed.

Lemma tie_takes_all : forall d now i, tie d now i -> soldiers now <= i /\ 0 < hits now.
Proof.
  intros d [N D C] i H. unfold tie in H. inversion H; unfold left, standing in *; cbn [soldiers defenders hits] in *;
    lia.
Qed.

(**
   Claim: Castle first never leads to a tie: no wave of it ends in the state in which it began.
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
   Claim: In (10, 43, 8), the soldiers bring the castle down in wave 15 if they shoot at it twice in each wave from wave
     2 to wave 14. They win in wave 16, which is the fewest possible.
   Settles: castle-i-sixteen
*)
Theorem sixteen_waves :
  leads 8 (start 10 43) (0 :: repeat 8 13) (State 10 8 7) /\
  (thrifty (State 10 8 7) 3 /\ step 8 (State 10 8 7) 3 = Next (State 5 5 0)) /\
  (thrifty (State 5 5 0) 5 /\ step 8 (State 5 5 0) 5 = Won Soldiers) /\ wins_first_in Soldiers 16 10 43 8.
Proof.
  split;
    [| each_part; (unfold thrifty, order; cbn; lia) || (apply soldiers_first_in; by_computation) || by_computation].
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
   Claim: If both sides can win, the castle may need more than three waves: 4 in (4, 7, 3), 6 in (8, 14, 5), and 9 in
     (28, 60, 10).
   Settles: castle-always-three
*)
Theorem not_always_three :
  (wins_first_in Soldiers 3 4 7 3 /\ wins_first_in Castle 4 4 7 3) /\
  (wins_first_in Soldiers 3 8 14 5 /\ wins_first_in Castle 6 8 14 5) /\
  (wins_first_in Soldiers 3 28 60 10 /\ wins_first_in Castle 9 28 60 10).
Proof.
  each_part; first [apply soldiers_first_in; by_computation | apply castle_by_greed; by_computation].
Qed.

Example not_always_three_holds : wins_first_in Castle 9 28 60 10.
Proof. apply not_always_three. Qed.

(** A battle, the number of wins for the castle that the post prints for it, and the true number. *)
Definition short_totals : list (Z * Z * Z * Z * Z) :=
  [ (12, 32, 5, 797, 827); (12, 44, 6, 54157, 55218); (10, 50, 9, 4561, 4573); (19, 50, 15, 208689, 211861);
    (9, 33, 8, 1825, 1834); (8, 21, 7, 558, 564); (7, 31, 5, 3228, 3257); (19, 50, 14, 181537, 185299);
    (20, 50, 18, 88037, 88764); (9, 43, 7, 14706, 14789); (10, 43, 8, 18165, 18286) ].

(**
   Claim: Eleven of the printed totals of the castle's wins are too small.
   Settles: castle-totals
*)
Theorem totals_are_short : forall n s d printed true_total, In (n, s, d, printed, true_total) short_totals ->
  number_of (plays d Castle (start n s)) true_total /\ printed < true_total.
Proof.
  assert (H : forallb (fun row => match row with (n, s, d, printed, k) =>
      positive n s d && match tally d Castle 50 (start n s) with Some m => m =? k | None => false end && (printed <? k)
    end) short_totals = true) by (vm_cast_no_check (eq_refl true)).
  intros n s d printed k Hrow. rewrite forallb_forall in H. specialize (H _ Hrow). cbn beta iota in H.
  rewrite !andb_true_iff, Z.ltb_lt in H. destruct H as [[Hp Htally] Hshort].
  apply positive_spec in Hp as [Hn [Hs Hd]]. split; [| exact Hshort].
  destruct (tally d Castle 50 (start n s)) as [m |] eqn:E; [| discriminate]. apply Z.eqb_eq in Htally as <-.
  apply (tally_is_right d Castle 50); [exact Hd | now apply playable_start | exact E].
Qed.

Example totals_are_short_holds : number_of (plays 8 Castle (start 10 43)) 18286 /\ 18165 < 18286.
Proof. apply (totals_are_short 10 43 8). cbn. tauto. Qed.

(**
   Claim: In test 22, (20, 50, 18), the soldiers win on twelve lines in wave 30, and on two lines in wave 32, which is
     the last.
   Settles: castle-test-22
*)
Theorem test_22 :
  number_of (fun line => plays 18 Soldiers (start 20 50) line /\ length line = 30%nat) 12 /\
  number_of (fun line => plays 18 Soldiers (start 20 50) line /\ length line = 32%nat) 2 /\
  forall line, plays 18 Soldiers (start 20 50) line -> (length line <= 32)%nat.
Proof.
  assert (H : (let h := histogram 18 Soldiers 32 (start 20 50) in (nth 29 h 0, nth 31 h 0)) = (12, 2))
    by (vm_cast_no_check (eq_refl (12, 2))).
  cbv zeta in H. apply pair_equal_spec in H as [H12 H2]. each_part.
  - replace 12 with (nth 29 (histogram 18 Soldiers 32 (start 20 50)) 0) by exact H12.
    apply histogram_is_right; [lia | now apply playable_start | lia].
  - replace 2 with (nth 31 (histogram 18 Soldiers 32 (start 20 50)) 0) by exact H2.
    apply histogram_is_right; [lia | now apply playable_start | lia].
  - intros line Hline. eapply over_spec; [| | | exact Hline]; [lia | now apply playable_start | vm_cast_no_check (eq_refl true)].
Qed.

Example test_22_holds : number_of (fun line => plays 18 Soldiers (start 20 50) line /\ length line = 30%nat) 12.
Proof. apply test_22. Qed.

(**
   Claim: The castle has wins in wave 7 of tests 18, (8, 21, 7), and 20, (7, 31, 5), that the lists leave out: 73 and
     137.
   Settles: castle-wave-7
*)
Theorem wave_7 :
  number_of (fun line => plays 7 Castle (start 8 21) line /\ length line = 7%nat) 73 /\
  number_of (fun line => plays 5 Castle (start 7 31) line /\ length line = 7%nat) 137.
Proof.
  split.
  - replace 73 with (nth 6 (histogram 7 Castle 7 (start 8 21)) 0) by by_computation.
    apply histogram_is_right; [lia | now apply playable_start | lia].
  - replace 137 with (nth 6 (histogram 5 Castle 7 (start 7 31)) 0) by by_computation.
    apply histogram_is_right; [lia | now apply playable_start | lia].
Qed.

Example wave_7_holds : number_of (fun line => plays 5 Castle (start 7 31) line /\ length line = 7%nat) 137.
Proof. apply wave_7. Qed.

(**
   Claim: Castle first also fails in test 25, (9, 43, 7), which the soldiers can win in 17 waves.
   Settles: castle-test-25
*)
Theorem test_25 : battle castle_first 7 50 (start 9 43) = Some (Castle, 16%nat, 0) /\ wins_first_in Soldiers 17 9 43 7.
Proof. split; [by_computation |]. apply soldiers_first_in. by_computation. Qed.

Example test_25_holds : wins_first_in Soldiers 17 9 43 7.
Proof. apply test_25. Qed.

(**
   Claim: In test 4, (12, 32, 5), the soldiers need 4 waves, and the castle can also win in wave 4.
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
   Claim: In (10, 11, 15), the fraction is met exactly: x F(2k+1) = n F(2k) for x = 6 and k = 2. Floating point may
     round this up. The fewest waves are 4.
   Settles: castle-rounding in part
*)
Theorem rounding : 11 + 15 - 2 * 10 = 6 /\ 6 * fib (2 * 2 + 1) = 10 * fib (2 * 2) /\ wins_first_in Soldiers 4 10 11 15.
Proof. each_part; try by_computation; apply soldiers_first_in; by_computation. Qed.

Example rounding_holds : 6 * fib (2 * 2 + 1) = 10 * fib (2 * 2).
Proof. apply rounding. Qed.

(** Numbers a + bφ, with φ² = φ + 1. *)
Definition times (x y : Z * Z) : Z * Z :=
  let (a, b) := x in let (c, d) := y in (a * c + b * d, a * d + b * c + b * d).
Fixpoint power (k : nat) : Z * Z := match k with O => (1, 0) | S j => times (0, 1) (power j) end.

(**
   Claim: The coefficient of nx in the decision to wait, φ⁵ + 1/φ, is 2(φ⁴ - 1), not φ times that.
   Prose: castle-soldiers.md, Lemma 10 (the real decision) in part
   Settles: castle-factor-phi
*)
Theorem factor_phi : exists inverse, times (0, 1) inverse = (1, 0) /\
  let (a, b) := power 5 in let (c, d) := inverse in let (e, f) := power 4 in
  (a + c, b + d) = (2 * (e - 1), 2 * f) /\ (a + c, b + d) <> times (0, 1) (2 * (e - 1), 2 * f).
Proof. exists (-1, 1). split; [reflexivity |]. vm_compute. split; [reflexivity | congruence]. Qed.

Example factor_phi_holds : exists inverse, times (0, 1) inverse = (1, 0).
Proof. destruct factor_phi as [inverse [H _]]. now exists inverse. Qed.

(** The printed formula of case 2a in integers: its q is the smallest integer, of either sign, with x <= 0 or x² + dx <=
    nd. *)
Definition printed_q (n s d : Z) : Z := (s - n - wait_limit n d + (n - d) - 1) / (n - d).
Definition printed_waves (n s d : Z) : Z :=
  let x := s - n - printed_q n s d * (n - d) in
  printed_q n s d + (if x <=? 0 then 0 else match cleanup (enough n) n x with Some k => k | None => 0 end).

Lemma steps_back : forall n d m x k, 0 < d < n -> x * x + d * x <= n * d \/ x <= 0 ->
  below n (x - Z.of_nat m * (n - d)) k -> below n x (m + k).
Proof.
  intros n d m. induction m as [| m IH]; intros x k Hd Hx H.
  - now replace (x - Z.of_nat 0 * (n - d)) with x in H by lia.
  - assert (Hb : x <= 0 -> below n x (S m + k)).
    { intros H0. pose proof (proj2 (below_0 n x) H0) as H1. unfold below in *.
      apply fractions_rise_to with (k := 0%nat); [lia | lia | exact H1]. }
    destruct (Z.le_gt_cases x 0) as [H0 | H0]; [now apply Hb |]. destruct Hx as [Hx | Hx]; [| lia].
    change (S m + k)%nat with (S (m + k)). apply (striking_pays n d); [exact Hd | exact H0 | exact Hx |].
    apply IH; [exact Hd | |].
    + destruct (Z.le_gt_cases (x - (n - d)) 0); [now right | left; nia].
    + now replace (x - (n - d) - Z.of_nat m * (n - d)) with (x - Z.of_nat (S m) * (n - d)) by lia.
Qed.

(**
   Claim: In every battle of case 2a, the printed formula gives fewer waves than are needed, and exactly one fewer if
     its q is positive.
   Settles: castle-one-short
*)
Theorem printed_formula_is_short : forall n s d, 0 < d < n -> n < s ->
  printed_waves n s d < min_waves n s d /\
  (1 <= printed_q n s d -> printed_waves n s d = min_waves n s d - 1).
Proof.
  intros n s d Hd Hs. rewrite <- both_roads_meet by lia. unfold waves_by_root, printed_waves.
  destruct (Z.leb_spec s n), (Z.leb_spec n d); try lia. fold (printed_q n s d).
  set (c := printed_q n s d). set (g := n - d). assert (Hn : 0 < n) by lia.
  assert (Hlimit : 0 <= wait_limit n d) by (apply wait_limit_spec; nia).
  assert (Hc : s - n - c * g <= wait_limit n d).
  { pose proof (Z.mul_succ_div_gt (s - n - wait_limit n d + g - 1) g). unfold c, printed_q. fold g. nia. }
  assert (Hgood : forall x, x <= wait_limit n d -> x * x + d * x <= n * d \/ x <= 0).
  { intros x Hx. destruct (Z.le_gt_cases x 0); [now right | left]. apply wait_limit_spec; lia. }
  assert (Hclean : forall x, 0 < x -> x <= wait_limit n d ->
    exists k, cleanup (enough n) n x = Some k /\ 0 < k /\ least (below n x) (Z.to_nat k)).
  { intros x Hx Hxl. pose proof (cleanup_spec (enough n) n x Hx (conj Hn (enough_halves n Hn))) as H'.
    destruct (cleanup (enough n) n x) as [k |]; [exists k; tauto |]. exfalso.
    destruct (Hgood x Hxl) as [Hx2 | Hx2]; [| lia].
    assert (Hform : 0 < form n x) by (apply allowed_is_won with (d := d); lia).
    apply fractions_reach_the_border in Hform as [k Hk]; [| lia | lia]. now apply (H' k). }
  destruct (Z.le_gt_cases 1 c) as [Hc1 | Hc1].
  - rewrite Z.max_r by lia. destruct (Z.leb_spec (s - n - c * g) 0) as [Hx0 | Hx0]; [lia |].
    destruct (Hclean _ Hx0 Hc) as [k [-> Hk]]. lia.
  - rewrite Z.max_l by lia. split; [| lia]. set (x := s - n - c * g) in *.
    replace (s - n - 1 * g) with (x - Z.of_nat (Z.to_nat (1 - c)) * g) by (rewrite Z2Nat.id by lia; unfold x; lia).
    set (m := Z.to_nat (1 - c)).
    assert (Hm : 0 <= Z.of_nat m * g) by (apply Z.mul_nonneg_nonneg; unfold g; lia).
    assert (Hx1 : x - Z.of_nat m * g <= wait_limit n d) by lia.
    destruct (Z.leb_spec x 0) as [Hx0 | Hx0].
    + destruct (Z.leb_spec (x - Z.of_nat m * g) 0); lia.
    + destruct (Hclean _ Hx0 Hc) as [k [-> [Hk [Hbelow Hleast]]]].
      destruct (Z.leb_spec (x - Z.of_nat m * g) 0) as [Hx1' | Hx1'].
      * pose proof (steps_back n d m x 0 Hd (Hgood x Hc) (proj2 (below_0 n _) Hx1')) as Hb. apply Hleast in Hb. lia.
      * destruct (Hclean _ Hx1' Hx1) as [j [-> [Hj [Hbelowj _]]]].
        pose proof (steps_back n d m x (Z.to_nat j) Hd (Hgood x Hc) Hbelowj) as Hb. apply Hleast in Hb. lia.
Qed.

Example printed_formula_is_short_holds : printed_waves 10 43 8 = min_waves 10 43 8 - 1.
Proof. apply printed_formula_is_short; [lia | lia | vm_compute; discriminate]. Qed.

(**
   Claim: For d < n, the castle never wins in two days. It can win with d + s <= 3n, as in (41, 107, 10), and it cannot
     always win with d + s > 3n, as (6, 18, 1) shows.
   Settles: castle-two-days
*)
Theorem two_days :
  (forall n s d, 0 < n -> 0 < s -> 0 < d < n -> ~ ends thrifty d Castle 2 (start n s)) /\
  (10 + 107 <= 3 * 41 /\ wins_first_in Castle 10 41 107 10) /\
  (1 + 18 > 3 * 6 /\ cannot_win Castle 6 18 1).
Proof.
  each_part; try lia.
  - intros n s d Hn Hs Hd H. apply two_waves in H; lia.
  - apply castle_by_greed. by_computation.
  - apply (castle_cannot 6 18 1 40). by_computation.
Qed.

Example two_days_holds : ~ ends thrifty 10 Castle 2 (start 41 107).
Proof. apply two_days; lia. Qed.

(**
   Claim: Battles with s = 2n and d >= n belong to none of the cases in the recap; the soldiers cannot win them.
   Settles: castle-cases
*)
Theorem case_in_no_row : forall n d, 0 < n -> n <= d -> cannot_win Soldiers n (2 * n) d.
Proof.
  intros n d Hn Hd w Hw.
  assert (H : exists w, ends thrifty d Soldiers w (start n (2 * n))) by now exists w.
  apply who_wins in H; [| auto | lia | lia | lia]. unfold form in H. nia.
Qed.

Example case_in_no_row_holds : cannot_win Soldiers 10 20 12.
Proof. apply (case_in_no_row 10); lia. Qed.

(**
   Claim: For d = n, the soldiers may be unable to win, as in (3, 5, 3). They have a tie there.
   Settles: castle-infinite
*)
Theorem no_win_but_a_tie : cannot_win Soldiers 3 5 3 /\
  wave 3 (start 3 5) 0 (Next (State 3 3 2)) /\ tie 3 (State 3 3 2) 3 /\ thrifty (State 3 3 2) 3.
Proof.
  split; [apply soldiers_cannot; by_computation | each_part].
  - apply step_agrees; [now apply playable_start | unfold order; cbn; lia | reflexivity].
  - apply step_agrees; [unfold playable; cbn; lia | unfold order; cbn; lia | reflexivity].
  - unfold thrifty, order. cbn. lia.
Qed.

Example no_win_but_a_tie_holds : tie 3 (State 3 3 2) 3.
Proof. apply no_win_but_a_tie. Qed.

(**
   Claim: For d = n - 1 the castle can win in wave 3 with s <= 2n: (5, 9, 4).
   Settles: castle-wave-3
*)
Theorem wave_3 : wins_first_in Castle 3 5 9 4.
Proof. apply castle_first_in. by_computation. Qed.

Example wave_3_holds : wins_first_in Castle 3 5 9 4.
Proof. exact wave_3. Qed.

(**
   Claim: For s = n + 3 and d = n - 1, the wave in which the castle wins does not grow in step with n, and the castle
     can also win for n = 2: wave 4 in (4, 7, 3) and in (5, 8, 4), wave 3 in (2, 5, 1).
   Settles: castle-n-plus-3
*)
Theorem n_plus_3 : wins_first_in Castle 4 4 7 3 /\ wins_first_in Castle 4 5 8 4 /\ wins_first_in Castle 3 2 5 1.
Proof. each_part; apply castle_first_in; by_computation. Qed.

Example n_plus_3_holds : wins_first_in Castle 4 5 8 4.
Proof. apply n_plus_3. Qed.

(**
   Claim: If a wave leaves x defenders and a standing castle, the next wave begins with N - x soldiers, x + d defenders
     and S - N + D - x hits. If the next wave also leaves the castle standing, the castle has x more hits afterwards
     than if the first wave had left nobody and the second had left as many defenders as now.
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
   Claim: Shooting all defenders takes 18 waves in (10, 43, 8), although 16 are enough.
   Settles: castle-every-day
*)
Theorem all_defenders_is_slower :
  battle defenders_first 8 50 (start 10 43) = Some (Soldiers, 18%nat, 10) /\ wins_first_in Soldiers 16 10 43 8.
Proof. each_part; [| apply soldiers_first_in]; by_computation. Qed.

Example all_defenders_is_slower_holds : wins_first_in Soldiers 16 10 43 8.
Proof. apply all_defenders_is_slower. Qed.

(**
   Claim: If d = n < s, shooting all defenders leads to a tie: all soldiers survive, and the wave repeats itself.
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
   Claim: In (5, 8, 5), a fall of the castle on day 2 and a fall on day 3 leave the same: 2 soldiers and 3 defenders.
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
   Claim: In (5, 10, 5), soldiers who fire only at the castle bring it down on day 2, but are all dead.
   Settles: castle-never-zero
*)
Theorem castle_falls_with_the_last :
  step 5 (start 5 10) 0 = Next (State 5 5 5) /\ standing (State 5 5 5) 0 = 0 /\ step 5 (State 5 5 5) 0 = Won Castle.
Proof. each_part; by_computation. Qed.

Example castle_falls_with_the_last_holds : step 5 (State 5 5 5) 0 = Won Castle.
Proof. apply castle_falls_with_the_last. Qed.

(**
   Claim: If s >= 2n and d >= 2n, the castle wins in wave 2 whatever the soldiers do.
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
