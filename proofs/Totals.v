(** How many lines of play a side wins in a given wave, computed by tables that are filled by sliding windows, and by
    their cells. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Rules Lines Counting.
Import ListNotations.
Open Scope Z_scope.

(** ** The program *)

(** The table after [t] waves of a standing castle: the number of ways in which each cell is reached. A cell is reached
    from a single row, which has n + x soldiers. *)
Fixpoint table (d : Z) (t : nat) (from : state) (n b x : Z) : Z :=
  match t with
  | O => if same from (cell d n b x) then 1 else 0
  | S t =>
      if (0 <? n) && (x <? b) then
        sum (range (Z.max 0 (x - d)) (x + (n + x) - d)) (fun y => table d t from (n + x) (b + (n + x) - d) y)
      else 0
  end.

(** The number of orders in a cell by which a side wins in this wave. *)
Definition ways_at_once (d : Z) (p : side) (n b x : Z) : Z :=
  match p with
  | Soldiers => if b + d - n <=? 0 then 1 else 0
  | Castle => Z.max 0 (Z.min (d + x) (b + d - n) - Z.max n (d + x - n) + 1)
  end.

(** Does a side win in wave [w] of the hunt, in which nobody has a choice? *)
Fixpoint hunt_won (p : side) (w : nat) (n x : Z) : bool :=
  match w with
  | O => false
  | S v =>
      if x <=? n then is p Soldiers && (v =? 0)%nat
      else if n <=? x - n then is p Castle && (v =? 0)%nat
      else hunt_won p v (n - (x - n)) (x - n)
  end.

(** The number of lines from a cell that a side wins in wave [w], counted from this one, and in which this wave is the
    castle's last. *)
Definition closing (d : Z) (p : side) (w : nat) (n b x : Z) : Z :=
  let left := b + d - n in
  (if (w =? 1)%nat then ways_at_once d p n b x else 0) +
  (if (0 <? left) && (left <? n) && (left <=? d + x) && hunt_won p (w - 1) (n - left) left then 1 else 0).

(** The sum over all cells that can be reached with n soldiers and c hits at the start of wave 2. *)
Definition over_cells (n c : Z) (f : Z -> Z -> Z -> Z) : Z :=
  sum (range 1 n) (fun m =>
    sum (range 1 (c + n - m)) (fun b => sum (range 0 (Z.min (n - m) (b - 1))) (fun x => f m b x))).

(** The number of lines that a side wins in wave [w]. *)
Definition counted (d : Z) (p : side) (w : nat) (n s : Z) : Z :=
  if s <=? n then if is p Soldiers && (w =? 1)%nat then 1 else 0
  else sum (seq 0 (w - 1)) (fun t => over_cells n (s - n) (fun m b x =>
    table d t (State n d (s - n)) m b x * closing d p (w - 1 - t) m b x)).

(** ** Windows *)

Lemma range_empty : forall a b, b < a -> range a b = [].
Proof. intros a b H. unfold range. replace (Z.to_nat (b - a + 1)) with 0%nat by lia. reflexivity. Qed.

Lemma range_cons : forall a b, a <= b -> range a b = a :: range (a + 1) b.
Proof.
  intros a b H. unfold range. replace (Z.to_nat (b - a + 1)) with (S (Z.to_nat (b - (a + 1) + 1))) by lia.
  cbn [seq map]. f_equal; [lia |]. rewrite <- seq_shift, map_map. apply map_ext. intros j. lia.
Qed.

Lemma sum_cons : forall {A} (x : A) l f, sum (x :: l) f = f x + sum l f.
Proof. reflexivity. Qed.

Lemma sum_last : forall k a b f, (Z.to_nat (b - a + 1) <= k)%nat -> a <= b + 1 ->
  sum (range a (b + 1)) f = sum (range a b) f + f (b + 1).
Proof.
  induction k as [| k IH]; intros a b f Hk H.
  - replace a with (b + 1) by lia. rewrite range_cons, !range_empty by lia. rewrite sum_cons. cbn. lia.
  - destruct (Z.eq_dec a (b + 1)) as [-> | Ha].
    + rewrite range_cons, !range_empty by lia. rewrite sum_cons. cbn. lia.
    + rewrite (range_cons a b), range_cons by lia. rewrite !sum_cons, IH by lia. lia.
Qed.

(**
   Claim: When the state moves on by one along its line, one cell enters the window, if the row has begun, and one
     leaves it. This takes one addition and one subtraction per cell.
   Prose: counting.md, Theorem 1 in part
   Code: Battle.Count
*)
Theorem window_slides : forall d n x f, 0 < d -> 0 < n -> 0 <= x ->
  sum (range (Z.max 0 (x + 1 - d)) (x + 1 + n - d)) f =
  sum (range (Z.max 0 (x - d)) (x + n - d)) f +
    (if 0 <=? x + 1 + n - d then f (x + 1 + n - d) else 0) - (if 0 <=? x - d then f (x - d) else 0).
Proof.
  intros d n x f Hd Hn Hx. destruct (Z.leb_spec 0 (x - d)), (Z.leb_spec 0 (x + 1 + n - d)); try lia.
  - rewrite (Z.max_r 0 (x - d)), (range_cons (x - d)), Z.max_r by lia.
    replace (x + 1 + n - d) with (x + n - d + 1) by lia. rewrite sum_cons, (sum_last _ _ _ _ (Nat.le_refl _)) by lia.
    replace (x + 1 - d) with (x - d + 1) by lia. lia.
  - rewrite !Z.max_l by lia. replace (x + 1 + n - d) with (x + n - d + 1) by lia.
    rewrite (sum_last _ _ _ _ (Nat.le_refl _)) by lia. lia.
  - rewrite !range_empty by lia. cbn. lia.
Qed.

Example window_slides_holds :
  sum (range 2 7) (fun y => y * y) = sum (range 1 6) (fun y => y * y) + 7 * 7 - 1 * 1.
Proof. apply (window_slides 3 5 4 (fun y => y * y)); lia. Qed.

Lemma only_standing : forall d t now last, 0 < d -> playable now -> 0 < hits now ->
  soldiers last <= 0 \/ hits last <= 0 -> ways d t now last = 0.
Proof.
  intros d t. induction t as [| t IH]; intros now last Hd Hnow HC Hlast; cbn [ways].
  - destruct (same now last) eqn:E; [| reflexivity]. apply same_spec in E as ->. destruct Hnow. lia.
  - destruct (orders_agree now Hnow) as [Horders _]. apply sum_zero. intros i Hi. apply Horders in Hi.
    destruct (step d now i) as [q | next] eqn:E; [reflexivity |].
    destruct (Z.ltb_spec 0 (hits next)); [| reflexivity]. apply IH; try assumption.
    eapply playable_next; [exact Hd | exact Hnow | apply Hi |]. apply step_agrees; auto. apply Hi.
Qed.

(**
   Claim: The tables that are filled by windows contain the number of lines of play that lead to each cell.
   Prose: counting.md, 2. Running sums
   Code: Battle.Count
*)
Theorem tables_hold_the_ways : forall d t from n b x, 0 < d -> playable from -> 0 < hits from -> d <= defenders from ->
  0 <= x -> table d t from n b x = ways d t from (cell d n b x).
Proof.
  intros d t from. induction t as [| t IH]; intros n b x Hd Hfrom HC HD Hx; [reflexivity |].
  cbn [table]. destruct (Z.ltb_spec 0 n) as [Hn | Hn], (Z.ltb_spec x b) as [Hb | Hb]; cbn [andb].
  - pose proof (sliding_sums d (n + x) (b + (n + x) - d) x t from Hd Hfrom HC HD ltac:(lia) ltac:(lia)) as H.
    replace (n + x - x) with n in H by lia. replace (b + (n + x) - d + d - (n + x)) with b in H by lia. rewrite H.
    apply sum_ext. intros y Hy. apply in_range in Hy. apply IH; try assumption. lia.
  - symmetry. apply only_standing; try assumption. right. unfold cell. cbn. lia.
  - symmetry. apply only_standing; try assumption. left. unfold cell. cbn. lia.
  - symmetry. apply only_standing; try assumption. left. unfold cell. cbn. lia.
Qed.

Example tables_hold_the_ways_holds : table 3 4 (State 8 3 20) 3 7 1 = ways 3 4 (State 8 3 20) (cell 3 3 7 1).
Proof. apply tables_hold_the_ways; unfold playable; cbn; lia. Qed.

(** ** The walk, once more *)

Fixpoint wins (d : Z) (p : side) (w : nat) (now : state) : Z :=
  match w with
  | O => 0
  | S v => sum (orders now) (fun i => match step d now i with
                                      | Won q => if is p q && (v =? 0)%nat then 1 else 0
                                      | Next next => wins d p v next
                                      end)
  end.

Lemma wins_histogram : forall d p fuel w now, (w < fuel)%nat ->
  wins d p (S w) now = nth w (histogram d p fuel now) 0.
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros w now Hw; [lia |].
  cbn [histogram]. change (wins d p (S w) now) with (sum (orders now) (fun i => match step d now i with
    | Won q => if is p q && (w =? 0)%nat then 1 else 0
    | Next next => wins d p w next
    end)).
  induction (orders now) as [| i rest IHrest]; [now destruct w |].
  cbn [fold_right]. rewrite sum_cons, nth_plus, IHrest. f_equal.
  destruct (step d now i) as [q | next].
  - destruct (is p q); [| now destruct w]. destruct w as [| [| w]]; reflexivity.
  - destruct w as [| w]; [reflexivity |]. cbn [nth]. apply IH. lia.
Qed.

(** ** What a cell contributes *)

Lemma wins_hunt : forall d p w n x, 0 < n -> 0 < x ->
  wins d p w (State n x 0) = if hunt_won p w n x then 1 else 0.
Proof.
  intros d p w. induction w as [| w IH]; intros n x Hn Hx; [reflexivity |].
  cbn [wins hunt_won]. unfold orders, lowest, highest. cbn [soldiers defenders hits].
  replace (Z.min (Z.max 0 (n - 0)) (Z.min n x)) with (Z.min n x) by lia.
  rewrite range_cons, range_empty by lia. rewrite sum_cons. unfold sum at 1. cbn [fold_right].
  unfold step. cbn [soldiers defenders hits]. rewrite (Z.max_l 0 (0 - (n - Z.min n x))) by lia. cbn [Z.eqb].
  rewrite andb_true_r. destruct (Z.leb_spec x n) as [Hxn | Hxn].
  - replace (x - Z.min n x) with 0 by lia. cbn [Z.eqb]. destruct (is p Soldiers && (w =? 0)%nat); lia.
  - replace (x - Z.min n x) with (x - n) by lia. destruct (Z.eqb_spec (x - n) 0); [lia |].
    destruct (Z.leb_spec n (x - n)); [destruct (is p Castle && (w =? 0)%nat); lia |].
    rewrite IH by lia. lia.
Qed.

Lemma how_many : forall k a b v, (Z.to_nat (b - a + 1) <= k)%nat ->
  sum (range a b) (fun i => if i <=? v then 1 else 0) = Z.max 0 (Z.min b v - a + 1).
Proof.
  induction k as [| k IH]; intros a b v Hk.
  - rewrite range_empty by lia. cbn. lia.
  - destruct (Z.lt_ge_cases b a); [rewrite range_empty by lia; cbn; lia |].
    rewrite range_cons, sum_cons, IH by lia. destruct (Z.leb_spec a v); lia.
Qed.

Lemma closing_is_right : forall d p w n D C, 0 < n -> 0 < C -> d <= D ->
  sum (orders (State n D C)) (fun i => match step d (State n D C) i with
    | Won q => if is p q && (w =? 0)%nat then 1 else 0
    | Next next => if 0 <? hits next then 0 else wins d p w next
    end) = closing d p (S w) n (C + (D - d)) (D - d).
Proof.
  intros d p w n D C Hn HC HD. set (left := C + D - n).
  transitivity (sum (orders (State n D C)) (fun i =>
    (if (w =? 0)%nat then match p with
       | Soldiers => if (i =? D) && (left <=? 0) then 1 else 0
       | Castle => if i <=? D - n then 1 else 0
       end else 0) +
    (if (i =? n - C) && (0 <? left) && (left <? n) then wins d p w (State (n - left) left 0) else 0))).
  { apply sum_ext. intros i Hi. unfold orders, lowest, highest in Hi. cbn [soldiers defenders hits] in Hi.
    apply in_range in Hi. unfold step. cbn [soldiers defenders hits]. unfold left.
    replace (i <=? D - n) with (n <=? D - i) by (destruct (Z.leb_spec i (D - n)), (Z.leb_spec n (D - i)); lia).
    replace (Z.max 0 (C - (n - i)) =? 0) with (C <=? n - i)
      by (destruct (Z.leb_spec C (n - i)), (Z.eqb_spec (Z.max 0 (C - (n - i))) 0); lia).
    destruct (Z.leb_spec C (n - i)) as [Hfalls | Hstands].
    - destruct (Z.eqb_spec (D - i) 0) as [Hnone | Hsome]; cbn [andb].
      + replace (C + D - n <=? 0) with true by lia. replace (i =? D) with true by lia.
        replace (0 <? C + D - n) with false by lia. replace (n <=? D - i) with false by lia. rewrite andb_false_r.
        cbn [andb]. destruct p; cbn [is andb]; destruct (w =? 0)%nat; lia.
      + replace (i =? D) with false by lia. replace (i =? n - C) with true by lia.
        replace (0 <? C + D - n) with true by lia. replace (D - i) with (C + D - n) by lia.
        destruct (Z.leb_spec n (C + D - n)) as [Hlost | Hlives]; cbn [andb hits].
        * replace (C + D - n <? n) with false by lia. destruct p; cbn [is andb]; destruct (w =? 0)%nat; lia.
        * replace (C + D - n <? n) with true by lia. replace (Z.max 0 (C - (n - i))) with 0 by lia.
          cbn [Z.ltb Z.compare]. destruct p, (w =? 0)%nat; lia.
    - rewrite andb_false_r. replace ((i =? n - C) && (0 <? C + D - n)) with false
        by (destruct (Z.eqb_spec i (n - C)), (Z.ltb_spec 0 (C + D - n)); cbn [andb]; lia). cbn [andb].
      replace ((i =? D) && (C + D - n <=? 0)) with false
        by (destruct (Z.eqb_spec i D), (Z.leb_spec (C + D - n) 0); cbn [andb]; lia).
      destruct (Z.leb_spec n (D - i)); cbn [hits].
      + destruct p; cbn [is andb]; destruct (w =? 0)%nat; lia.
      + replace (0 <? Z.max 0 (C - (n - i))) with true by lia. destruct p, (w =? 0)%nat; lia. }
  rewrite sum_plus. unfold closing. replace (C + (D - d) + d - n) with left by (unfold left; lia). f_equal.
  - change (S w =? 1)%nat with (w =? 0)%nat. destruct (w =? 0)%nat; [| now apply sum_zero].
    unfold ways_at_once. replace (C + (D - d) + d - n) with left by (unfold left; lia). destruct p.
    + destruct (Z.leb_spec left 0) as [Hl | Hl].
      * rewrite (sum_one _ _ D); [now rewrite Z.eqb_refl | apply no_duplicates_range | |].
        -- unfold orders, lowest, highest. cbn [soldiers defenders hits]. apply in_range. unfold left in Hl. lia.
        -- intros i _ Hi. now destruct (Z.eqb_spec i D).
      * apply sum_zero. intros i _. now rewrite andb_false_r.
    + unfold orders, lowest, highest. cbn [soldiers defenders hits].
      rewrite (how_many _ _ _ _ (Nat.le_refl _)). unfold left. lia.
  - replace (S w - 1)%nat with w by lia.
    destruct (Z.ltb_spec 0 left) as [H1 | H1]; [destruct (Z.ltb_spec left n) as [H2 | H2];
      [destruct (Z.leb_spec left (d + (D - d))) as [H3 | H3] |] |]; cbn [andb].
    + rewrite (sum_one _ _ (n - C)).
      * rewrite Z.eqb_refl. cbn [andb]. apply wins_hunt; lia.
      * apply no_duplicates_range.
      * unfold orders, lowest, highest. cbn [soldiers defenders hits]. apply in_range. unfold left in *. lia.
      * intros i _ Hi. now destruct (Z.eqb_spec i (n - C)).
    + apply sum_zero. intros i Hi. unfold orders, lowest, highest in Hi. cbn [soldiers defenders hits] in Hi.
      apply in_range in Hi. destruct (Z.eqb_spec i (n - C)); [unfold left in *; lia | reflexivity].
    + apply sum_zero. intros i _. now rewrite andb_false_r.
    + apply sum_zero. intros i _. now rewrite andb_false_r.
Qed.

(** ** Sums over all cells *)

Lemma over_cells_ext : forall n c f g, (forall m b x, 0 < m -> 0 <= x -> f m b x = g m b x) ->
  over_cells n c f = over_cells n c g.
Proof.
  intros n c f g H. unfold over_cells. apply sum_ext. intros m Hm. apply sum_ext. intros b _.
  apply sum_ext. intros x Hx.
  apply in_range in Hm, Hx. apply H; lia.
Qed.

Lemma over_cells_sum : forall {A} (l : list A) n c f,
  sum l (fun i => over_cells n c (f i)) = over_cells n c (fun m b x => sum l (fun i => f i m b x)).
Proof.
  intros A l n c f. unfold over_cells. rewrite sum_swap. apply sum_ext. intros m _.
  rewrite sum_swap. apply sum_ext. intros b _. now rewrite sum_swap.
Qed.

Lemma sum_scaled : forall {A} (l : list A) f k, sum l f * k = sum l (fun x => f x * k).
Proof. intros A l f k. unfold sum. induction l as [| x l IH]; cbn; lia. Qed.

Lemma sum_shifted : forall (l : list nat) f, sum (map S l) f = sum l (fun t => f (S t)).
Proof. intros l f. induction l as [| t l IH]; [reflexivity |]. cbn [map]. now rewrite !sum_cons, IH. Qed.

(** The states of a standing castle, all of which are in [over_cells]. *)
Definition bounded (d n c : Z) (now : state) : Prop :=
  0 < soldiers now /\ d <= defenders now /\ soldiers now + (defenders now - d) <= n /\ 0 < hits now <= c.

Lemma over_one_cell : forall d n c now f, bounded d n c now ->
  over_cells n c (fun m b x => (if same now (cell d m b x) then 1 else 0) * f m b x) =
  f (soldiers now) (hits now + (defenders now - d)) (defenders now - d).
Proof.
  intros d n c [S D C] f [HS [HD [HSD HC]]]. cbn [soldiers defenders hits] in *.
  assert (Hne : forall m b x, m <> S \/ x <> D - d \/ b <> C + (D - d) -> same (State S D C) (cell d m b x) = false).
  { intros m b x H. destruct (same (State S D C) (cell d m b x)) eqn:E; [| reflexivity].
    apply same_spec in E. unfold cell in E. injection E. lia. }
  unfold over_cells.
  rewrite (sum_one _ _ S); [| apply no_duplicates_range | apply in_range; lia |].
  2: { intros m _ Hm. apply sum_zero. intros b _. apply sum_zero. intros x _. rewrite Hne by lia. lia. }
  rewrite (sum_one _ _ (C + (D - d))); [| apply no_duplicates_range | apply in_range; lia |].
  2: { intros b _ Hb. apply sum_zero. intros x _. rewrite Hne by lia. lia. }
  rewrite (sum_one _ _ (D - d)); [| apply no_duplicates_range | apply in_range; lia |].
  2: { intros x _ Hx. rewrite Hne by lia. lia. }
  replace (same (State S D C) (cell d S (C + (D - d)) (D - d))) with true; [lia |].
  symmetry. apply same_spec. unfold cell. f_equal; lia.
Qed.

Lemma wins_by_cells : forall d p n c w now, 0 < d -> playable now -> bounded d n c now ->
  wins d p w now = sum (seq 0 w) (fun t => over_cells n c (fun m b x =>
    ways d t now (cell d m b x) * closing d p (w - t) m b x)).
Proof.
  intros d p n c w. induction w as [| w IH]; intros now Hd Hnow Hbound; [reflexivity |].
  destruct (orders_agree now Hnow) as [Horders _].
  assert (Hnext : forall i next, In i (orders now) -> step d now i = Next next -> 0 < hits next ->
    playable next /\ bounded d n c next).
  { intros i next Hi E HC. apply Horders in Hi. apply step_agrees in E; [| exact Hnow | apply Hi].
    split; [eapply playable_next; [exact Hd | exact Hnow | apply Hi | exact E] |].
    destruct Hi as [[Hi HiD] _]. unfold bounded in *.
    inversion E; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia. }
  cbn [seq]. rewrite sum_cons, <- seq_shift.
  transitivity (closing d p (S w) (soldiers now) (hits now + (defenders now - d)) (defenders now - d) +
    sum (orders now) (fun i => match step d now i with
      | Won _ => 0
      | Next next => if 0 <? hits next then wins d p w next else 0
      end)).
  - destruct now as [n0 D0 C0]. cbn [soldiers defenders hits] in *. unfold bounded in Hbound.
    cbn [soldiers defenders hits] in Hbound. rewrite <- closing_is_right by lia. rewrite <- sum_plus.
    cbn [wins]. apply sum_ext. intros i _. destruct (step d (State n0 D0 C0) i) as [q | next]; [lia |].
    destruct (0 <? hits next); lia.
  - f_equal.
    + cbn [ways]. rewrite (over_one_cell d n c now (fun m b x => closing d p (S w - 0) m b x) Hbound).
      now rewrite Nat.sub_0_r.
    + rewrite sum_shifted.
      transitivity (sum (orders now) (fun i => sum (seq 0 w) (fun t => over_cells n c (fun m b x =>
        match step d now i with
        | Won _ => 0
        | Next next => if 0 <? hits next then ways d t next (cell d m b x) else 0
        end * closing d p (w - t) m b x)))).
      * apply sum_ext. intros i Hi. destruct (step d now i) as [q | next] eqn:E.
        { symmetry. apply sum_zero. intros t _. unfold over_cells. apply sum_zero. intros m _. apply sum_zero.
          intros b _. now apply sum_zero. }
        destruct (Z.ltb_spec 0 (hits next)) as [HC | HC].
        { destruct (Hnext i next Hi E HC) as [Hplay Hb]. now apply IH. }
        symmetry. apply sum_zero. intros t _. unfold over_cells. apply sum_zero. intros m _. apply sum_zero.
        intros b _. now apply sum_zero.
      * rewrite sum_swap. apply sum_ext. intros t _. rewrite over_cells_sum. apply over_cells_ext. intros m b x _ _.
        rewrite <- sum_scaled. reflexivity.
Qed.

(**
   Claim: In every battle with positive n, s and d, the sums over the tables are the numbers of lines of play, without
     waste, that a side wins in a given wave.
   Prose: counting.md, 2. Running sums
   Code: Battle.Count
*)
Theorem counted_is_right : forall d p n s w, 0 < n -> 0 < s -> 0 < d ->
  number_of (fun line => plays d p (start n s) line /\ length line = w) (counted d p w n s).
Proof.
  intros d p n s w Hn Hs Hd. destruct w as [| w].
  { exists []. split; [constructor |]. split.
    - intros line. split; [easy |]. intros [Hline Hl]. now destruct line.
    - unfold counted. cbn. rewrite andb_false_r. now destruct (s <=? n). }
  replace (counted d p (S w) n s) with (nth w (histogram d p (S w) (start n s)) 0).
  { apply histogram_is_right; [exact Hd | now apply playable_start | lia]. }
  rewrite <- wins_histogram by lia. unfold counted. cbn [wins].
  unfold orders, lowest, highest, start. cbn [soldiers defenders hits].
  replace (Z.min (Z.max 0 (n - s)) (Z.min n 0)) with 0 by lia. rewrite (Z.min_r n 0) by lia.
  rewrite range_cons, range_empty, sum_cons by lia. unfold sum at 1. cbn [fold_right].
  unfold step. cbn [soldiers defenders hits]. replace (n - 0) with n by lia. cbn [Z.sub Z.add Z.opp Z.eqb andb].
  destruct (Z.leb_spec s n) as [Hsn | Hsn].
  - rewrite (Z.max_l 0 (s - n)) by lia. cbn [Z.eqb].
    change (S w =? 1)%nat with (w =? 0)%nat. destruct (is p Soldiers && (w =? 0)%nat); lia.
  - rewrite (Z.max_r 0 (s - n)) by lia. destruct (Z.eqb_spec (s - n) 0); [lia |]. destruct (Z.leb_spec n 0); [lia |].
    rewrite Z.add_0_r. replace (n - 0) with n by lia. replace (0 + d) with d by lia.
    replace (S w - 1)%nat with w by lia.
    assert (Hplay : playable (State n d (s - n))) by (unfold playable; cbn; lia).
    rewrite (wins_by_cells d p n (s - n) w) by (try assumption; unfold bounded; cbn; lia).
    apply sum_ext. intros t _. apply over_cells_ext. intros m b x Hm Hx.
    rewrite tables_hold_the_ways by (try assumption; cbn; lia). reflexivity.
Qed.

Example counted_is_right_holds : number_of (fun line => plays 3 Castle (start 4 7) line /\ length line = 4%nat) 3.
Proof. apply (counted_is_right 3 Castle 4 7 4); lia. Qed.

(**
   Claim: If there are at least twice as many defenders as soldiers, every order lets the castle win. There are min(S,
     C) + 1 orders, and no window for the next table contains such a cell.
   Prose: counting.md, 2. Running sums
*)
Theorem folding : forall d n c x, 0 < d -> 0 < n -> 0 < c -> 0 <= x -> 2 * n <= x + d ->
  ways_at_once d Castle n (c + x) x = Z.min n c + 1 /\
  forall y, 0 <= y < n -> ~ In x (range (Z.max 0 (y - d)) (y + n - d)).
Proof.
  intros d n c x Hd Hn Hc Hx H. split; [unfold ways_at_once; lia |]. intros y Hy Hin. apply in_range in Hin. lia.
Qed.

Example folding_holds : ways_at_once 12 Castle 8 9 4 = 6 /\ ~ In 4 (range 0 3).
Proof.
  destruct (folding 12 8 5 4) as [Hall Hnone]; [lia | lia | lia | lia | lia |].
  split; [exact Hall |]. apply (Hnone 7). lia.
Qed.
