(** In how many ways a row of states brings the castle down. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Rules Lines Counting.
Open Scope Z_scope.

(** The orders of a state that bring the castle down and leave a defender, while soldiers are alive. *)
Definition falls (d : Z) (now : state) : Z :=
  sum (orders now) (fun i => match step d now i with
                             | Next next => if hits next =? 0 then 1 else 0
                             | Won _ => 0
                             end).

(**
   Claim: Of the states of a row those in the window bring the castle down by one order each, with x = B' defenders
     left, and the others by none. So the sum over the window is the number of ways in which the row does.
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
