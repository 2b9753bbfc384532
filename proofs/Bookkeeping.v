(** The castle game: the tie, what happens while the castle stands, and when the castle falls. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers Greedy.
Open Scope Z_scope.

(** ** When there is a tie *)

(** [comes_to d now last]: some line of play, with or without waste, leads from [now] to [last]. *)
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

(** If there are exactly as many fresh defenders as soldiers, this has been so since wave 2. *)
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
   Claim: A wave can end in the state in which it started exactly when d = n < s.
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

(** ** A line of play while the castle stands *)

(** [stood n s d t shots dead now]: t waves have been fought, and the castle stands. [shots] shots were aimed at it in
    total; [dead] is the sum y(1) + ... + y(t) of the numbers of dead at the end of each wave; [now] is the start of
    wave t + 1. *)
Inductive stood (n s d : Z) : nat -> Z -> Z -> state -> Prop :=
| stood_first : stood n s d 0 0 0 (start n s)
| stood_on t shots dead now i next :
    stood n s d t shots dead now -> order now i -> wave d now i (Next next) -> 0 < hits next ->
    stood n s d (S t) (shots + (soldiers now - i)) (dead + (n - soldiers next)) next.

Lemma stood_books : forall n s d t shots dead now, 0 < n -> 0 < s -> stood n s d t shots dead now ->
  0 < soldiers now /\ hits now = s - shots /\ 0 < hits now /\
  shots = (Z.of_nat t + 1) * n - dead - soldiers now - Z.of_nat t * d + defenders now.
Proof.
  intros n s d t shots dead now Hn Hs H. induction H as [| t shots dead now i next H IH [Hi HD] Hw HC];
    [unfold start; cbn [soldiers defenders hits Z.of_nat]; lia |]. destruct IH as [IH1 [IH2 [IH3 IH4]]].
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
  rewrite Nat2Z.inj_succ. unfold Z.succ. repeat split; try lia.
Qed.

(**
   Claim: If the castle stands after wave t, then by the end of wave t + 1, which leaves x defenders, the soldiers have
     aimed L = (n - y(0)) + ... + (n - y(t)) - td + x shots at it. If s - L is positive, the castle has s - L hits left.
     Otherwise it falls, and then L = s if no shot is wasted and a defender is left.
   Prose: castle-soldiers.md, Lemma 1 (bookkeeping)
   Settles: castle-step-shots in part
*)
Theorem bookkeeping : forall n s d t shots dead now i, 0 < n -> 0 < s -> stood n s d t shots dead now -> order now i ->
  let aimed := shots + (soldiers now - i) in
  aimed = (Z.of_nat t + 1) * n - dead - Z.of_nat t * d + left now i /\
  (0 < standing now i -> standing now i = s - aimed) /\
  (standing now i = 0 -> s <= aimed /\ (thrifty now i -> 0 < left now i -> aimed = s)).
Proof.
  intros n s d t shots dead now i Hn Hs H [Hi HD] aimed. unfold aimed.
  destruct (stood_books n s d t shots dead now Hn Hs H) as [H1 [H2 [H3 H4]]].
  unfold thrifty, order, left, standing in *. repeat split; intros; lia.
Qed.

Example bookkeeping_holds : 43 <= 43 /\ standing (start 43 43) 0 = 0.
Proof.
  destruct (bookkeeping 43 43 8 0 0 0 (start 43 43) 0) as [_ [_ H]];
    [lia | lia | constructor | unfold order; cbn; lia |].
  split; [apply H; reflexivity | reflexivity].
Qed.

(** ** Every battle ends *)

(** The next state is a different one. *)
Definition goes_on (d : Z) (next now : state) : Prop :=
  exists i, order now i /\ wave d now i (Next next) /\ next <> now.

Lemma hunt_ends : forall b d n x, 0 < d -> 0 <= x -> 0 < n <= Z.of_nat b -> Acc (goes_on d) (State n x 0).
Proof.
  induction b as [| b IH]; intros d n x Hd Hx Hn; [lia |]. constructor. intros next [i [[Hi HD] [Hw Hne]]].
  inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst; [lia |].
  apply IH; lia.
Qed.

(** States from wave 2 on: the defenders who were left stand next to the fresh ones. *)
Lemma standing_ends : forall a d, 0 < d -> forall n, 0 < n <= Z.of_nat a ->
  forall c C, 0 < C <= Z.of_nat c -> forall D, d <= D -> Acc (goes_on d) (State n D C).
Proof.
  induction a as [| a IHa]; intros d Hd n Hn; [lia |].
  induction c as [| c IHc]; intros C HC D HD; [lia |].
  assert (Hfresh : Acc (goes_on d) (State n d C)).
  { constructor. intros next [i [[Hi Hid] [Hw Hne]]].
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst.
    - destruct (Z.eq_dec i d) as [-> | Hleft].
      + replace (n - (d - d)) with n in * by lia. replace (d - d + d) with d in * by lia.
        destruct (Z.eq_dec n d) as [-> | Hmore].
        * exfalso. apply Hne. f_equal. lia.
        * apply IHc; lia.
      + apply (IHa d Hd (n - (d - i)) ltac:(lia) (Z.to_nat C)); lia.
    - apply (hunt_ends (Z.to_nat n)); lia. }
  constructor. intros next [i [[Hi Hid] [Hw Hne]]].
  inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; subst.
  - destruct (Z.eq_dec i D) as [-> | Hleft].
    + replace (n - (D - D)) with n in * by lia. replace (D - D + d) with d in * by lia.
      destruct (Z.eq_dec n D) as [-> | Hmore]; [now replace (Z.max 0 (C - (D - D))) with C in * by lia |].
      apply IHc; lia.
    + apply (IHa d Hd (n - (D - i)) ltac:(lia) (Z.to_nat C)); lia.
  - apply (hunt_ends (Z.to_nat n)); lia.
Qed.

Lemma battle_ends : forall n s d, 0 < n -> 0 < s -> 0 < d -> Acc (goes_on d) (start n s).
Proof.
  intros n s d Hn Hs Hd. constructor. intros next [i [[Hi HD] [Hw Hne]]].
  inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits start] in *; subst; [| lia].
  apply (standing_ends (Z.to_nat n) d Hd) with (c := Z.to_nat s); lia.
Qed.

(**
   Claim: Every line of play ends: if no wave of a line ends the battle, then some wave ends in the state in which it
     began.
   Prose: castle-soldiers.md, Lemma 2 (every battle ends)
*)
Theorem every_battle_ends : forall n s d (line : nat -> state), 0 < n -> 0 < s -> 0 < d -> line O = start n s ->
  (forall t, exists i, order (line t) i /\ wave d (line t) i (Next (line (S t)))) ->
  exists t, line (S t) = line t.
Proof.
  intros n s d line Hn Hs Hd Hfirst Hline.
  assert (G : forall now, Acc (goes_on d) now -> forall t, line t = now -> exists v, line (S v) = line v).
  { intros now H. induction H as [now _ IH]. intros t Ht. destruct (Hline t) as [i [Hi Hw]].
    assert (Hdec : {line (S t) = line t} + {line (S t) <> line t}) by (repeat decide equality).
    destruct Hdec as [Heq | Hne]; [now exists t |]. apply (IH (line (S t))) with (t := S t); [| reflexivity].
    exists i. rewrite <- Ht. now split. }
  exact (G _ (battle_ends n s d Hn Hs Hd) O Hfirst).
Qed.

Example every_battle_ends_holds : exists t, (fun t => match t with O => start 8 20 | _ => State 8 8 12 end) (S t) =
  (fun t => match t with O => start 8 20 | _ => State 8 8 12 end) t.
Proof.
  apply (every_battle_ends 8 20 8); [lia | lia | lia | reflexivity |]. intros [| t].
  - exists 0. split; [unfold order; cbn; lia |].
    apply (castle_stands 8 (start 8 20) 0); unfold left, standing; cbn; lia.
  - exists 8. split; [unfold order; cbn; lia |].
    apply (castle_stands 8 (State 8 8 12) 8); unfold left, standing; cbn; lia.
Qed.

(** ** Defenders first keeps the number of dead smallest *)

(** The number of defenders left by wave t, and the number of dead by then, if as many defenders as possible are shot in
    every wave. *)
Fixpoint fewest_dead (n d : Z) (t : nat) : Z * Z :=
  match t with
  | S ((S _) as v) => let (x, y) := fewest_dead n d v in let left := Z.max 0 (x + d - (n - y)) in (left, y + left)
  | _ => (0, 0)
  end.

Definition least_left (n d : Z) (t : nat) : Z := fst (fewest_dead n d t).
Definition least_dead (n d : Z) (t : nat) : Z := snd (fewest_dead n d t).

(** The sum of the numbers of dead at the end of each wave. *)
Fixpoint least_sum (n d : Z) (t : nat) : Z := match t with O => 0 | S v => least_sum n d v + least_dead n d t end.

Lemma least_step : forall n d t, (1 <= t)%nat ->
  least_left n d (S t) = Z.max 0 (least_left n d t + d - (n - least_dead n d t)) /\
  least_dead n d (S t) = least_dead n d t + least_left n d (S t).
Proof.
  intros n d [| t] Ht; [lia |]. unfold least_left, least_dead.
  change (fewest_dead n d (S (S t))) with
    (let (x, y) := fewest_dead n d (S t) in let left := Z.max 0 (x + d - (n - y)) in (left, y + left)).
  destruct (fewest_dead n d (S t)) as [x y]. cbn [fst snd]. lia.
Qed.

Lemma least_not_negative : forall n d t, 0 <= least_left n d t /\ 0 <= least_dead n d t.
Proof.
  intros n d t. destruct t as [| t]; [cbn; lia |]. induction t as [| t IH]; [cbn; lia |].
  destruct (least_step n d (S t) ltac:(lia)) as [H1 H2]. lia.
Qed.

Lemma stood_dominates : forall n s d t shots dead now, 0 < n -> 0 < s -> stood n s d t shots dead now ->
  least_dead n d t <= n - soldiers now /\ least_sum n d t <= dead /\
  ((1 <= t)%nat -> least_left n d t + d <= defenders now) /\ (t = O -> defenders now = 0 /\ soldiers now = n).
Proof.
  intros n s d t shots dead now Hn Hs H. induction H as [| t shots dead now i next H IH [Hi HD] Hw HC];
    [cbn; repeat split; lia |]. destruct IH as [IH1 [IH2 [IH3 IH4]]].
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
  destruct t as [| t].
  - destruct (IH4 eq_refl) as [E1 E2]. change (least_sum n d 0) with 0 in IH2. cbn. repeat split; lia.
  - destruct (least_step n d (S t) ltac:(lia)) as [E1 E2]. specialize (IH3 ltac:(lia)).
    change (least_sum n d (S (S t))) with (least_sum n d (S t) + least_dead n d (S (S t))). repeat split; lia.
Qed.

(**
   Claim: In every line of play, up to the wave in which the castle falls, each wave leaves at least as many defenders
     and at least as many dead as if as many defenders as possible had been shot in every wave.
   Prose: castle-soldiers.md, Lemma 3 (dominance)
   Settles: castle-step-patience in part
*)
Theorem defenders_first_dominates : forall n s d t shots dead now i, 0 < n -> 0 < s -> stood n s d t shots dead now ->
  order now i -> least_left n d (S t) <= left now i /\ least_dead n d (S t) <= n - soldiers now + left now i.
Proof.
  intros n s d t shots dead now i Hn Hs H [Hi HD].
  destruct (stood_dominates n s d t shots dead now Hn Hs H) as [H1 [H2 [H3 H4]]]. unfold left. destruct t as [| t].
  - destruct (H4 eq_refl) as [E1 E2]. cbn. lia.
  - destruct (least_step n d (S t) ltac:(lia)) as [E1 E2]. specialize (H3 ltac:(lia)). lia.
Qed.

Example defenders_first_dominates_holds : least_left 10 12 1 <= left (start 10 30) 0.
Proof. apply (defenders_first_dominates 10 30 12 0 0 0); [lia | lia | constructor | unfold order; cbn; lia]. Qed.

(**
   Claim: If the castle falls in wave f = t + 1, at most as many soldiers begin this wave as if as many defenders as
     possible had been shot in every wave before. The number x of defenders left is at least s + (f - 1)d - fn + y(1) +
     ... + y(f - 1), with the y of that line.
   Prose: castle-soldiers.md, Lemma 4 (the fall)
   Settles: castle-step-patience in part
*)
Theorem what_a_fall_leaves : forall n s d t shots dead now i, 0 < n -> 0 < s -> stood n s d t shots dead now ->
  order now i -> standing now i = 0 ->
  soldiers now <= n - least_dead n d t /\
  s + Z.of_nat t * d - (Z.of_nat t + 1) * n + least_sum n d t <= left now i.
Proof.
  intros n s d t shots dead now i Hn Hs H Hi Hfall.
  destruct (stood_dominates n s d t shots dead now Hn Hs H) as [H1 [H2 _]].
  destruct (bookkeeping n s d t shots dead now i Hn Hs H Hi) as [E [_ F]]. apply F in Hfall as [Hfall _]. lia.
Qed.

Example what_a_fall_leaves_holds : 5 + 0 * 3 - (0 + 1) * 7 + 0 <= left (start 7 5) 0.
Proof.
  apply (what_a_fall_leaves 7 5 3 0 0 0); [lia | lia | constructor | unfold order; cbn; lia | reflexivity].
Qed.

Lemma least_sum_not_negative : forall n d t, 0 <= least_sum n d t.
Proof.
  intros n d t. induction t as [| t IH]; [cbn; lia |]. cbn [least_sum].
  pose proof (least_not_negative n d (S t)). lia.
Qed.

(**
   Claim: If s > n and d >= n, every fall leaves at least as many defenders as a fall in wave 2, which leaves s + d -
     2n.
   Prose: castle-soldiers.md, Theorem 4 in part
   Settles: castle-step-later-is-worse
*)
Theorem later_falls_leave_more : forall n s d t shots dead now i, 0 < n < s -> n <= d -> stood n s d t shots dead now ->
  order now i -> standing now i = 0 -> s + d - 2 * n <= left now i.
Proof.
  intros n s d t shots dead now i Hn Hd H Hi Hfall.
  destruct (what_a_fall_leaves n s d t shots dead now i ltac:(lia) ltac:(lia) H Hi Hfall) as [_ Hleft].
  pose proof (least_sum_not_negative n d t). destruct t as [| t].
  - inversion H; subst. unfold order, standing, start in *. cbn [soldiers defenders hits] in *. lia.
  - rewrite Nat2Z.inj_succ in Hleft. unfold Z.succ in Hleft.
    assert (0 <= Z.of_nat t * (d - n)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

Example later_falls_leave_more_holds : 5 + 4 - 2 * 4 <= left (State 4 4 1) 3.
Proof.
  apply (later_falls_leave_more 4 5 4 1 4 0 (State 4 4 1)); [lia | lia | | unfold order; cbn; lia | reflexivity].
  apply (stood_on 4 5 4 0 0 0 (start 4 5) 0 (State 4 4 1)); [constructor | unfold order; cbn; lia | | reflexivity].
  apply (castle_stands 4 (start 4 5) 0); unfold left, standing; cbn; lia.
Qed.

(**
   Claim: If s <= n, the soldiers win in wave 1, and the castle never wins, whether or not shots may be wasted.
   Prose: castle-soldiers.md, 4. $s \le n$
   Settles: castle-step-first-wave; castle-iii-one-day
*)
Theorem first_wave_decides : forall legal n s d, legal = order \/ legal = thrifty -> 0 < s <= n ->
  fewest legal d Soldiers 1 (start n s) /\ never legal d Castle (start n s).
Proof.
  intros legal n s d Hlegal Hs.
  assert (Horder : forall i, legal (start n s) i -> i = 0).
  { intros i Hi. assert (Ho : order (start n s) i) by (destruct Hlegal as [-> | ->]; [exact Hi | apply Hi]).
    unfold order, start in Ho. cbn [soldiers defenders] in Ho. lia. }
  split; [split |].
  - apply at_once with (i := 0).
    + destruct Hlegal as [-> | ->]; unfold thrifty, order, start; cbn [soldiers defenders hits]; lia.
    + constructor; unfold left, standing, start; cbn [soldiers defenders hits]; lia.
  - intros v H. now apply ends_positive in H.
  - intros w H. inversion H as [? i Hi Hw | ? i next v Hi Hw Hend]; subst; apply Horder in Hi; subst i;
      inversion Hw; unfold left, standing, start in *; cbn [soldiers defenders hits] in *; lia.
Qed.

Example first_wave_decides_holds : fewest thrifty 3 Soldiers 1 (start 7 5) /\ never thrifty 3 Castle (start 7 5).
Proof. apply first_wave_decides; [auto | lia]. Qed.

(** ** The lower bound *)

(**
   Claim: If the castle falls in wave q + 1 and the soldiers win v waves later, then v is at least k(x), the smallest k
     with xF(2k+1) <= nF(2k), for x = s + qd - (q + 1)n. So this win takes at least 1 + q + k(x) waves.
   Prose: castle-soldiers.md, Proposition 1 (lower bound)
*)
Theorem no_win_is_faster : forall n s d q shots dead now i v, 0 < n -> 0 < s ->
  stood n s d q shots dead now -> order now i -> standing now i = 0 ->
  wave d now i (Won Soldiers) /\ v = O \/ (exists next, wave d now i (Next next) /\ ends order d Soldiers v next) ->
  (s + Z.of_nat q * d - (Z.of_nat q + 1) * n) * fib (2 * v + 1) <= n * fib (2 * v).
Proof.
  intros n s d q shots dead now i v Hn Hs H Hi Hfall Hwon.
  destruct (what_a_fall_leaves n s d q shots dead now i Hn Hs H Hi Hfall) as [H1 H2].
  pose proof (least_not_negative n d q). pose proof (least_sum_not_negative n d q).
  set (x := s + Z.of_nat q * d - (Z.of_nat q + 1) * n) in *. assert (Hx : x <= left now i) by lia.
  pose proof (fib_even_odd v) as Hfib. destruct Hwon as [[Hw ->] | [next [Hw Hend]]].
  - inversion Hw; subst. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 0)) with 0. lia.
  - inversion Hw; subst; [lia |].
    pose proof (ends_positive _ _ _ _ _ Hend). destruct v as [| v]; [lia |]. apply hunt_is_not_faster in Hend.
    rewrite fib_odd_next, fib_even_next in *. pose proof (fib_even_odd v).
    set (y := left now i) in *. set (e := fib (2 * v)) in *. set (o := fib (2 * v + 1)) in *.
    assert (y * (e + 2 * o) <= soldiers now * (e + o)) by nia.
    apply Z.le_trans with (y * (e + 2 * o)); [apply Z.mul_le_mono_nonneg_r; lia |].
    apply Z.le_trans with (soldiers now * (e + o)); [assumption |]. apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Example no_win_is_faster_holds : (5 + 0 * 3 - (0 + 1) * 7) * fib (2 * 0 + 1) <= 7 * fib (2 * 0).
Proof.
  apply (no_win_is_faster 7 5 3 0 0 0 (start 7 5) 0 0); [lia | lia | constructor | unfold order; cbn; lia |
    reflexivity |].
  left. split; [| reflexivity]. constructor; reflexivity.
Qed.

(** ** The hunt with fewer soldiers *)

(** The number of soldiers who are left if the hunt is won in wave k. *)
Definition survivors (k : nat) (n x : Z) : Z :=
  match k with O => n | S j => fst (hunt j n x) end.

(**
   Claim: Fewer soldiers or more defenders never help: the hunt of N <= n soldiers whose fall left x' >= x defenders is
     won no sooner than the hunt of n soldiers with x defenders left, and is lost no later. If both are won in the same
     wave, the first leaves at most as many soldiers as the second.
   Prose: castle-soldiers.md, Lemma 8 (monotonicity)
*)
Theorem fewer_never_help : forall d N n x x' k, 0 < x <= x' -> x' < N <= n ->
  (within thrifty d Soldiers k (hunting N x') -> within thrifty d Soldiers k (hunting n x)) /\
  (within thrifty d Castle k (hunting n x) -> within thrifty d Castle k (hunting N x')) /\
  survivors k N x' <= survivors k n x.
Proof.
  intros d N n x x' k Hx HN. pose proof (fib_even_odd k) as Hfib. split; [| split].
  - intros H. apply hunt_takes in H; [| auto | lia]. apply hunt_takes; [auto | lia |]. nia.
  - intros [v [Hv H]]. unfold hunting in *. destruct (hunt_is_no_longer d v (n - x) x (N - x') x') as [u [Hu Hlost]];
      [lia | lia | exact H |]. exists u. split; [lia |]. apply loses_hunt_is_a_line; [lia | exact Hlost].
  - destruct k as [| k]; [exact (proj2 HN) |]. cbn [survivors]. rewrite !hunt_closed_form. cbn [fst].
    pose proof (fib_even_odd k). pose proof (fib_even_positive k). nia.
Qed.

Example fewer_never_help_holds : survivors 3 33 21 <= survivors 3 34 21.
Proof. apply (fewer_never_help 1 33 34 21 21 3); lia. Qed.

(** ** What the castle may choose *)

(**
   Claim: Let B = s - (t + 1)n + td + y(1) + ... + y(t), where the castle has stood through wave t. Wave t + 1 keeps the
     castle up exactly when x <= B - 1 defenders are left. The castle falls, without waste and with a defender left,
     exactly when x = B >= 1. It can be kept up exactly when B >= 1.
   Prose: castle-side.md, Lemma 1 (bounds)
*)
Theorem bounds : forall n s d t shots dead now, 0 < n -> 0 < s -> 0 < d -> stood n s d t shots dead now ->
  let b := s - (Z.of_nat t + 1) * n + Z.of_nat t * d + dead in
  (forall i, thrifty now i ->
    (0 < standing now i <-> left now i <= b - 1) /\
    (standing now i = 0 /\ 0 < left now i <-> left now i = b /\ 1 <= b)) /\
  ((exists i, thrifty now i /\ 0 < standing now i) <-> 1 <= b).
Proof.
  intros n s d t shots dead now Hn Hs Hd H b.
  assert (HD : 0 <= defenders now).
  { inversion H as [| t' shots' dead' last i next H' [Hi HiD] Hw HC]; [cbn; lia |]. subst.
    inversion Hw; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia. }
  destruct (stood_books n s d t shots dead now Hn Hs H) as [H1 [H2 [H3 H4]]].
  assert (Hb : b = defenders now - soldiers now + hits now) by (unfold b; lia). split.
  - intros i [[Hi HiD] Hw]. unfold left, standing in *. rewrite Hb. split; lia.
  - rewrite Hb. split.
    + intros [i [[[Hi HiD] Hw] Hstands]]. unfold standing in Hstands. lia.
    + intros Hmin. exists (defenders now - Z.min (defenders now) (defenders now - soldiers now + hits now - 1)).
      unfold thrifty, order, standing. lia.
Qed.

Example bounds_holds : exists i, thrifty (start 4 7) i /\ 0 < standing (start 4 7) i.
Proof. apply (bounds 4 7 3 0 0 0 (start 4 7)); [lia | lia | lia | constructor | lia]. Qed.

(** ** The tie *)

(**
   Claim: A wave that ends in the state in which it began is wave 2 of a battle with d = n < s, and all soldiers shoot
     at defenders. Exactly one line of play ends like this.
   Prose: castle-soldiers.md, Theorem 6
   Settles: castle-iii-tie
*)
Theorem the_tie_is_in_wave_two : forall n s d now i, 0 < n -> 0 < s -> 0 < d ->
  comes_to d (start n s) now -> order now i ->
  (tie d now i <-> d = n /\ n < s /\ now = State n n (s - n) /\ i = n).
Proof.
  intros n s d now i Hn Hs Hd H Hi.
  assert (G : forall last, comes_to d (start n s) last -> soldiers last = d -> defenders last = d -> 0 < hits last ->
    d = n /\ n < s /\ last = State n n (s - n)).
  { clear now i H Hi. intros last H. induction H as [| last i next H IH [Hi HD] Hw]; intros HS HDd HC;
      [cbn in *; lia |].
    inversion Hw; subst next; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
    destruct (comes_to_fresh d n s last Hd H ltac:(right; lia)) as [E | Hfresh].
    - subst last. cbn [start soldiers defenders hits] in *. split; [lia |]. split; [lia |]. f_equal; lia.
    - destruct (IH ltac:(lia) ltac:(lia) ltac:(lia)) as [E1 [E2 E3]]. subst last. cbn [soldiers defenders hits] in *.
      split; [lia |]. split; [lia |]. f_equal; lia. }
  split.
  - intros Htie. destruct now as [S D C]. destruct Hi as [Hi HD]. unfold tie in Htie.
    cbn [soldiers defenders] in Hi, HD.
    inversion Htie; unfold left, standing in *; cbn [soldiers defenders hits] in *; [| lia].
    destruct (G (State S D C) H) as [E1 [E2 E3]]; cbn [soldiers defenders hits]; try lia.
    injection E3 as E3 E4 E5. repeat split; try lia. f_equal; lia.
  - intros [-> [Hns [-> ->]]]. unfold tie. replace (State n n (s - n)) with
      (State (n - left (State n n (s - n)) n) (left (State n n (s - n)) n + n) (standing (State n n (s - n)) n)) at 2
      by (unfold left, standing; cbn [soldiers defenders hits]; f_equal; lia).
    apply (castle_stands n (State n n (s - n))); unfold left, standing; cbn [soldiers defenders hits]; lia.
Qed.

Example the_tie_is_in_wave_two_holds : tie 10 (State 10 10 33) 10.
Proof.
  apply (the_tie_is_in_wave_two 10 43 10); [lia | lia | lia | | unfold order; cbn; lia | repeat split; lia].
  apply one_more_wave with (last := start 10 43) (i := 0); [constructor | unfold order; cbn; lia |].
  apply (castle_stands 10 (start 10 43) 0); unfold left, standing; cbn; lia.
Qed.
