(** In how many ways a state can be reached: counted by walking all lines of play, and by a window that slides along a
    row. *)

From Coq Require Import ZArith Lia List Bool FinFun.
From Siegebook Require Import Rules Lines.
Import ListNotations.
Open Scope Z_scope.

(** ** By walking *)

(** [leads d now line last]: the orders of the line lead from [now] to [last], and the castle stands throughout. *)
Fixpoint leads (d : Z) (now : state) (line : list Z) (last : state) : Prop :=
  match line with
  | [] => now = last
  | i :: rest => thrifty now i /\ exists next, step d now i = Next next /\ 0 < hits next /\ leads d next rest last
  end.

Definition same (a b : state) : bool :=
  (soldiers a =? soldiers b) && (defenders a =? defenders b) && (hits a =? hits b).

Definition sum {A : Type} (l : list A) (f : A -> Z) : Z := fold_right (fun x total => f x + total) 0 l.

(** The number of ways to get from one state to another in [t] waves after which the castle stands. *)
Fixpoint ways (d : Z) (t : nat) (now last : state) : Z :=
  match t with
  | O => if same now last then 1 else 0
  | S t => sum (orders now) (fun i => match step d now i with
                                      | Next next => if 0 <? hits next then ways d t next last else 0
                                      | Won _ => 0
                                      end)
  end.

Lemma same_spec : forall a b, same a b = true <-> a = b.
Proof.
  intros [n D C] [n' D' C']. unfold same. cbn. rewrite !andb_true_iff, !Z.eqb_eq. split; [| intros H; now injection H].
  now intros [[-> ->] ->].
Qed.

Fixpoint routes (d : Z) (t : nat) (now last : state) : list (list Z) :=
  match t with
  | O => if same now last then [[]] else []
  | S t => flat_map (fun i => match step d now i with
                              | Next next => if 0 <? hits next then map (cons i) (routes d t next last) else []
                              | Won _ => []
                              end) (orders now)
  end.

Lemma in_routes : forall d t now last line, 0 < d -> playable now ->
  (In line (routes d t now last) <-> leads d now line last /\ length line = t).
Proof.
  intros d t. induction t as [| t IH]; intros now last line Hd Hnow; cbn [routes].
  - destruct (same now last) eqn:E.
    + apply same_spec in E as ->. split; [intros [<- | []]; easy |]. intros [_ H]. destruct line; [now left | easy].
    + split; [easy |]. intros [H Hl]. destruct line; [| easy]. cbn in H. apply same_spec in H. congruence.
  - rewrite in_flat_map. destruct (orders_agree now Hnow) as [Horders _]. split.
    + intros [i [Hi H]]. apply Horders in Hi. destruct (step d now i) as [q | next] eqn:E; [easy |].
      destruct (Z.ltb_spec 0 (hits next)) as [Hstands | _]; [| easy]. apply in_map_iff in H as [rest [<- H]].
      apply IH in H as [H Hl]; [| exact Hd |].
      * cbn. split; [| lia]. split; [exact Hi |]. now exists next.
      * eapply playable_next; [exact Hd | exact Hnow | apply Hi |]. apply step_agrees; auto. apply Hi.
    + intros [H Hl]. destruct line as [| i rest]; [easy |]. cbn in H, Hl. destruct H as [Hi [next [E [Hstands H]]]].
      exists i. split; [now apply Horders |]. rewrite E. destruct (Z.ltb_spec 0 (hits next)); [| lia].
      apply in_map, IH; [exact Hd | | split; [exact H | lia]].
      eapply playable_next; [exact Hd | exact Hnow | apply Hi |]. apply step_agrees; auto. apply Hi.
Qed.

Lemma no_route_twice : forall d t now last, NoDup (routes d t now last).
Proof.
  intros d t. induction t as [| t IH]; intros now last; cbn [routes].
  - destruct (same now last); repeat constructor. easy.
  - apply no_duplicates_flat_map; [apply no_duplicates_range | |].
    + intros i. destruct (step d now i) as [q | next]; [constructor |]. destruct (0 <? hits next); [| constructor].
      apply Injective_map_NoDup; [| apply IH]. intros x y H. now injection H.
    + intros i line H. destruct (step d now i) as [q | next]; [easy |]. destruct (0 <? hits next); [| easy].
      apply in_map_iff in H as [rest [<- _]]. now exists rest.
Qed.

Lemma ways_routes : forall d t now last, ways d t now last = Z.of_nat (length (routes d t now last)).
Proof.
  intros d t. induction t as [| t IH]; intros now last; cbn [ways routes].
  - now destruct (same now last).
  - unfold sum. induction (orders now) as [| i rest IHrest]; [reflexivity |]. cbn [fold_right flat_map].
    rewrite app_length, Nat2Z.inj_add, IHrest. f_equal. destruct (step d now i) as [q | next]; [reflexivity |].
    destruct (0 <? hits next); [| reflexivity]. now rewrite map_length, IH.
Qed.

(**
   Claim: The walk counts the lines of play, without waste, that lead from one state to another in a given number of
     waves after which the castle stands.
   Prose: counting.md, 2. Running sums
*)
Theorem ways_are_lines : forall d t now last, 0 < d -> playable now ->
  number_of (fun line => leads d now line last /\ length line = t) (ways d t now last).
Proof.
  intros d t now last Hd Hnow. exists (routes d t now last). split; [apply no_route_twice |]. split.
  - intros line. now apply in_routes.
  - symmetry. apply ways_routes.
Qed.

Example ways_are_lines_holds :
  number_of (fun line => leads 3 (State 8 3 20) line (State 3 4 6) /\ length line = 4%nat) 2.
Proof. apply (ways_are_lines 3 4 (State 8 3 20) (State 3 4 6)); [lia | unfold playable; cbn; lia]. Qed.

(** ** Sums *)

Lemma sum_ext : forall {A} (l : list A) f g, (forall x, In x l -> f x = g x) -> sum l f = sum l g.
Proof.
  intros A l f g H. unfold sum. induction l as [| x l IH]; [reflexivity |]. cbn.
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity |]. intros y Hy. apply H. now right.
Qed.

Lemma sum_zero : forall {A} (l : list A) f, (forall x, In x l -> f x = 0) -> sum l f = 0.
Proof.
  intros A l f H. rewrite (sum_ext l f (fun _ => 0) H). unfold sum. clear H. induction l; [reflexivity | exact IHl].
Qed.

Lemma sum_plus : forall {A} (l : list A) f g, sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. intros A l f g. unfold sum. induction l as [| x l IH]; cbn; lia. Qed.

Lemma sum_swap : forall {A B} (l : list A) (m : list B) f,
  sum l (fun x => sum m (f x)) = sum m (fun y => sum l (fun x => f x y)).
Proof.
  intros A B l m f. induction l as [| x l IH].
  - symmetry. now apply sum_zero.
  - transitivity (sum m (f x) + sum l (fun x => sum m (f x))); [reflexivity |]. rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_one : forall {A} (l : list A) f a, NoDup l -> In a l -> (forall x, In x l -> x <> a -> f x = 0) ->
  sum l f = f a.
Proof.
  intros A l f a Hl. induction Hl as [| x l Hx Hl IH]; intros Ha Hf; [easy |].
  change (sum (x :: l) f) with (f x + sum l f). destruct Ha as [-> | Ha].
  - rewrite (sum_zero l f); [lia |]. intros y Hy. apply Hf; [now right | intros ->; easy].
  - rewrite (Hf x); [| now left | intros ->; easy]. apply IH; [exact Ha |]. intros y Hy. apply Hf. now right.
Qed.

(** ** The sliding window *)

(** The state with [n] soldiers, [x] defenders left by the previous wave, and [b] hits and remaining defenders together.
    All states with the same [n] and [b] form a row. *)
Definition cell (d n b x : Z) : state := State n (x + d) (b - x).

(** One wave back: the cells of a row from which some order leads to the cell are the cells in the window. *)
Lemma window : forall d n b x now, 0 < d -> playable now -> 0 < hits now -> d <= defenders now ->
  0 <= x < n -> x < b + d - n ->
  ways d 1 now (cell d (n - x) (b + d - n) x) =
  sum (range (Z.max 0 (x - d)) (x + n - d)) (fun y => ways d 0 now (cell d n b y)).
Proof.
  intros d n b x [n0 D0 C0] Hd Hnow HC HD Hx Hb. cbn [soldiers defenders hits] in *.
  assert (Hterm : forall i, thrifty (State n0 D0 C0) i ->
    match step d (State n0 D0 C0) i with
    | Next next => if 0 <? hits next then ways d 0 next (cell d (n - x) (b + d - n) x) else 0
    | Won _ => 0
    end = if (i =? D0 - x) && (n0 =? n) && (C0 + D0 =? b + d) then 1 else 0).
  { intros i Hi. unfold thrifty, order in Hi. cbn [soldiers defenders hits] in Hi.
    unfold step. cbn [soldiers defenders hits].
    destruct (Z.eqb_spec (D0 - i) 0), (Z.eqb_spec (Z.max 0 (C0 - (n0 - i))) 0); cbn [andb];
      try (destruct (Z.leb_spec n0 (D0 - i)); cbn [hits];
           try destruct (Z.ltb_spec 0 (Z.max 0 (C0 - (n0 - i)))); try lia);
      cbn [ways]; unfold same, cell; cbn [soldiers defenders hits];
      repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end; cbn [andb]; try reflexivity; lia. }
  cbn [ways]. destruct (orders_agree _ Hnow) as [Horders _].
  rewrite (sum_ext (orders _) _ (fun i => if (i =? D0 - x) && (n0 =? n) && (C0 + D0 =? b + d) then 1 else 0))
    by (intros i Hi; apply Hterm; now apply Horders).
  destruct (Z.eq_dec n0 n) as [-> | Hn]; [destruct (Z.eq_dec (C0 + D0) (b + d)) as [Heq | Hne];
    [destruct (Z_le_dec x D0) as [HxD | HxD]; [destruct (Z_le_dec D0 (x + n)) as [HDx | HDx] |] |] |].
  - rewrite (sum_one _ _ (D0 - x)); [rewrite !Z.eqb_refl, Heq, Z.eqb_refl; cbn [andb] | apply no_duplicates_range | |].
    + rewrite (sum_one _ _ (D0 - d)); [| apply no_duplicates_range | apply in_range; lia |].
      * unfold same, cell. cbn [soldiers defenders hits].
        replace (D0 - d + d) with D0 by lia. replace (b - (D0 - d)) with C0 by lia. now rewrite !Z.eqb_refl.
      * intros y _ Hy. unfold same, cell. cbn [soldiers defenders hits].
        destruct (Z.eqb_spec n n), (Z.eqb_spec D0 (y + d)); cbn [andb]; try lia; reflexivity.
    + apply Horders. unfold thrifty, order. cbn [soldiers defenders hits]. lia.
    + intros i _ Hi. destruct (Z.eqb_spec i (D0 - x)); [easy | reflexivity].
  - rewrite (sum_zero (orders _)), (sum_zero (range _ _)); [reflexivity | |].
    + intros y Hy. apply in_range in Hy. unfold same, cell. cbn [soldiers defenders hits].
      destruct (Z.eqb_spec n n), (Z.eqb_spec D0 (y + d)); cbn [andb]; try lia; reflexivity.
    + intros i Hi. apply Horders in Hi. unfold thrifty, order in Hi. cbn [soldiers defenders hits] in Hi.
      destruct (Z.eqb_spec i (D0 - x)); cbn [andb]; [lia | reflexivity].
  - rewrite (sum_zero (orders _)), (sum_zero (range _ _)); [reflexivity | |].
    + intros y Hy. apply in_range in Hy. unfold same, cell. cbn [soldiers defenders hits].
      destruct (Z.eqb_spec n n), (Z.eqb_spec D0 (y + d)); cbn [andb]; try lia; reflexivity.
    + intros i Hi. apply Horders in Hi. unfold thrifty, order in Hi. cbn [soldiers defenders hits] in Hi.
      destruct (Z.eqb_spec i (D0 - x)); cbn [andb]; [lia | reflexivity].
  - rewrite (sum_zero (orders _)), (sum_zero (range _ _)); [reflexivity | |].
    + intros y _. unfold same, cell. cbn [soldiers defenders hits].
      destruct (Z.eqb_spec D0 (y + d)), (Z.eqb_spec C0 (b - y)); rewrite ?andb_false_r; try reflexivity. lia.
    + intros i _. destruct (Z.eqb_spec (C0 + D0) (b + d)); rewrite ?andb_false_r; [lia | reflexivity].
  - rewrite (sum_zero (orders _)), (sum_zero (range _ _)); [reflexivity | |].
    + intros y _. unfold same, cell. cbn [soldiers defenders hits]. destruct (Z.eqb_spec n0 n); [easy | reflexivity].
    + intros i _. destruct (Z.eqb_spec n0 n); [easy |]. now rewrite andb_false_r.
Qed.

(**
   Claim: The number of ways to reach a state is a sum, over a window, of the numbers of ways to reach the states of a
     row. The window slides along the row as the state slides along its line.
   Prose: counting.md, Theorem 1
   Code: Battle.Count
*)
Theorem sliding_sums : forall d n b x t now, 0 < d -> playable now -> 0 < hits now -> d <= defenders now ->
  0 <= x < n -> x < b + d - n ->
  ways d (S t) now (cell d (n - x) (b + d - n) x) =
  sum (range (Z.max 0 (x - d)) (x + n - d)) (fun y => ways d t now (cell d n b y)).
Proof.
  intros d n b x t. induction t as [| t IH]; intros now Hd Hnow HC HD Hx Hb; [now apply window |].
  change (ways d (S (S t)) now ?last) with (sum (orders now) (fun i => match step d now i with
    | Next next => if 0 <? hits next then ways d (S t) next last else 0
    | Won _ => 0
    end)).
  destruct (orders_agree now Hnow) as [Horders _].
  transitivity (sum (orders now) (fun i => sum (range (Z.max 0 (x - d)) (x + n - d)) (fun y =>
    match step d now i with
    | Next next => if 0 <? hits next then ways d t next (cell d n b y) else 0
    | Won _ => 0
    end))).
  - apply sum_ext. intros i Hi. apply Horders in Hi. pose proof (proj1 Hi) as Hio.
    destruct (step d now i) as [q | next] eqn:E; [symmetry; now apply sum_zero |].
    destruct (Z.ltb_spec 0 (hits next)) as [Hstands | _]; [| symmetry; now apply sum_zero].
    apply step_agrees in E; [| exact Hnow | exact Hio].
    apply IH; try assumption; [exact (playable_next d now i next Hd Hnow Hio E) |].
    inversion E; subst; unfold left, standing, order in *; cbn [soldiers defenders hits] in *; lia.
  - apply sum_swap.
Qed.

Example sliding_sums_holds : ways 3 4 (State 8 3 20) (cell 3 3 7 1) =
  sum (range 0 2) (fun y => ways 3 3 (State 8 3 20) (cell 3 4 8 y)).
Proof. apply (sliding_sums 3 4 8 1 3 (State 8 3 20)); unfold playable; cbn; lia. Qed.

(** ** The fall *)

(** The number of orders in a state that bring the castle down and leave a defender, while soldiers are alive. *)
Definition falls (d : Z) (now : state) : Z :=
  sum (orders now) (fun i => match step d now i with
                             | Next next => if hits next =? 0 then 1 else 0
                             | Won _ => 0
                             end).

(**
   Claim: Of the states in a row, each state in the window has exactly one order that brings the castle down and leaves
     x = B' defenders, and the other states have none. So the sum over the window is the number of ways in which this
     happens from the row.
   Prose: counting.md, Theorem 1
*)
Theorem falls_by_window : forall d n b x y, 0 < d -> 0 <= y < b -> 0 < x < n -> x = b + d - n ->
  falls d (cell d n b y) = if (Z.max 0 (x - d) <=? y) && (y <=? x + n - d) then 1 else 0.
Proof.
  intros d n b x y Hd Hy Hx E. subst x. unfold falls.
  assert (Hnow : playable (cell d n b y)) by (unfold playable, cell; cbn; lia).
  destruct (orders_agree _ Hnow) as [Horders _].
  assert (Hone : forall i, thrifty (cell d n b y) i ->
    match step d (cell d n b y) i with Next next => if hits next =? 0 then 1 else 0 | Won _ => 0 end =
    if i =? n - b + y then 1 else 0).
  { intros i Hi. unfold thrifty, order, cell in *. cbn [soldiers defenders hits] in Hi.
    unfold step. cbn [soldiers defenders hits].
    destruct (Z.eqb_spec (y + d - i) 0), (Z.eqb_spec (Z.max 0 (b - y - (n - i))) 0), (Z.leb_spec n (y + d - i)),
      (Z.eqb_spec i (n - b + y)); cbn [andb hits]; try reflexivity; try lia;
      destruct (Z.eqb_spec (Z.max 0 (b - y - (n - i))) 0); try reflexivity; lia. }
  destruct (Z.leb_spec (Z.max 0 (b + d - n - d)) y) as [Hlow | Hlow], (Z.leb_spec y (b + d - n + n - d)) as [Hup | Hup];
    cbn [andb]; try lia.
  - rewrite (sum_one _ _ (n - b + y)).
    + rewrite Hone, Z.eqb_refl; [reflexivity |]. unfold thrifty, order, cell. cbn [soldiers defenders hits]. lia.
    + apply no_duplicates_range.
    + apply Horders. unfold thrifty, order, cell. cbn [soldiers defenders hits]. lia.
    + intros i Hi Hne. apply Horders in Hi. rewrite (Hone i Hi). now destruct (Z.eqb_spec i (n - b + y)).
  - apply sum_zero. intros i Hi. apply Horders in Hi. rewrite (Hone i Hi).
    destruct (Z.eqb_spec i (n - b + y)); [| reflexivity].
    unfold thrifty, order, cell in Hi. cbn [soldiers defenders hits] in Hi. lia.
Qed.

Example falls_by_window_holds : falls 3 (cell 3 10 12 2) = 1.
Proof. apply (falls_by_window 3 10 12 5 2); lia. Qed.
