(** Lines of play and their number, found by walking all of them. *)

From Coq Require Import ZArith Lia List Bool FinFun.
From Siegebook Require Import Rules.
Import ListNotations.
Open Scope Z_scope.

(** [plays d p now line]: the orders of the line, one after another, are legal and without waste, and [p] wins with the
    last one. *)
Fixpoint plays (d : Z) (p : side) (now : state) (line : list Z) : Prop :=
  match line with
  | [] => False
  | i :: rest =>
      thrifty now i /\
      match step d now i with
      | Won q => q = p /\ rest = []
      | Next next => plays d p next rest
      end
  end.

(** There are exactly [k] lists of orders with a given property. *)
Definition number_of (property : list Z -> Prop) (k : Z) : Prop :=
  exists all, NoDup all /\ (forall line, In line all <-> property line) /\ Z.of_nat (length all) = k.

(** All lines of at most [fuel] waves that [p] wins. *)
Fixpoint lines (d : Z) (p : side) (fuel : nat) (now : state) : list (list Z) :=
  match fuel with
  | O => []
  | S fuel =>
      flat_map (fun i => match step d now i with
                         | Won q => if is p q then [[i]] else []
                         | Next next => map (cons i) (lines d p fuel next)
                         end) (orders now)
  end.

(** Does every line end within [fuel] waves? *)
Fixpoint over (d : Z) (fuel : nat) (now : state) : bool :=
  match fuel with
  | O => false
  | S fuel => forallb (fun i => match step d now i with Won _ => true | Next next => over d fuel next end) (orders now)
  end.

(** The sum of two lists, element by element. *)
Fixpoint plus (a b : list Z) : list Z :=
  match a, b with
  | x :: a, y :: b => (x + y) :: plus a b
  | [], b => b
  | a, [] => a
  end.

(** The numbers of ways in which [p] wins in wave 1, 2, ...: the same walk, but it only counts. *)
Fixpoint histogram (d : Z) (p : side) (fuel : nat) (now : state) : list Z :=
  match fuel with
  | O => []
  | S fuel =>
      fold_right (fun i sum => plus (match step d now i with
                                     | Won q => if is p q then [1] else []
                                     | Next next => 0 :: histogram d p fuel next
                                     end) sum) [] (orders now)
  end.

Definition total (counts : list Z) : Z := fold_right Z.add 0 counts.

(** ** The walk finds each line exactly once *)

Lemma is_spec : forall p q, is p q = true <-> q = p.
Proof. destruct p, q; cbn; split; congruence. Qed.

Lemma in_lines : forall d p fuel now line, 0 < d -> playable now ->
  (In line (lines d p fuel now) <-> plays d p now line /\ (length line <= fuel)%nat).
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now line Hd Hnow.
  - cbn. split; [easy | intros [H Hl]]. destruct line; [easy | cbn in Hl; lia].
  - cbn [lines]. rewrite in_flat_map. destruct (orders_agree now Hnow) as [Horders _]. split.
    + intros [i [Hi H]]. apply Horders in Hi. destruct (step d now i) as [q | next] eqn:E.
      * destruct (is p q) eqn:Hq; [| easy]. apply is_spec in Hq as ->.
        destruct H as [<- | []]. cbn. rewrite E. split; [easy | lia].
      * apply in_map_iff in H as [rest [<- H]].
        assert (Hnext : playable next).
        { eapply playable_next; [exact Hd | exact Hnow | apply Hi |]. apply step_agrees; auto. apply Hi. }
        apply IH in H as [H Hl]; [| exact Hd | exact Hnext]. cbn. rewrite E. split; [easy | lia].
    + intros [H Hl]. destruct line as [| i rest]; [easy |]. cbn in H, Hl. destruct H as [Hi H].
      exists i. split; [now apply Horders |]. destruct (step d now i) as [q | next] eqn:E.
      * destruct H as [-> ->]. replace (is p p) with true by (now destruct p). now left.
      * apply in_map. apply IH; [exact Hd | | split; [exact H | lia]].
        eapply playable_next; [exact Hd | exact Hnow | apply Hi |]. apply step_agrees; auto. apply Hi.
Qed.

Lemma no_duplicates_range : forall a b, NoDup (range a b).
Proof.
  intros a b. unfold range. apply Injective_map_NoDup; [| apply seq_NoDup]. intros x y H. lia.
Qed.

Lemma no_duplicates_flat_map : forall (f : Z -> list (list Z)) l, NoDup l -> (forall i, NoDup (f i)) ->
  (forall i line, In line (f i) -> exists rest, line = i :: rest) -> NoDup (flat_map f l).
Proof.
  intros f l Hl Hf Hhead.
  assert (Hjoin : forall a b : list (list Z), NoDup a -> NoDup b -> (forall x, In x a -> ~ In x b) -> NoDup (a ++ b)).
  { intros a b Ha Hb Hab. induction Ha as [| x a Hx Ha IHa]; [exact Hb |]. cbn. constructor.
    - rewrite in_app_iff. intros [H | H]; [easy |]. now apply (Hab x (or_introl eq_refl)).
    - apply IHa. intros y Hy. apply Hab. now right. }
  induction Hl as [| i l Hi Hl IH]; [constructor |]. cbn [flat_map]. apply Hjoin; [apply Hf | exact IH |].
  intros line H1 H2. apply Hhead in H1 as [rest ->].
  apply in_flat_map in H2 as [j [Hj H2]]. apply Hhead in H2 as [rest' H2]. injection H2 as <- _. easy.
Qed.

Lemma no_duplicates : forall d p fuel now, NoDup (lines d p fuel now).
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now; [constructor |].
  cbn [lines]. apply no_duplicates_flat_map; [apply no_duplicates_range | |].
  - intros i. destruct (step d now i) as [q | next]; [destruct (is p q); repeat constructor; easy |].
    apply Injective_map_NoDup; [| apply IH]. intros x y H. now injection H.
  - intros i line H. destruct (step d now i) as [q | next].
    + destruct (is p q); [| easy]. destruct H as [<- | []]. now exists [].
    + apply in_map_iff in H as [rest [<- _]]. now exists rest.
Qed.

(** ** The count is the number of lines *)

Definition count_length (w : nat) (all : list (list Z)) : Z :=
  Z.of_nat (length (filter (fun line => (length line =? w)%nat) all)).

Lemma count_app : forall w a b, count_length w (a ++ b) = count_length w a + count_length w b.
Proof. intros. unfold count_length. rewrite filter_app, app_length. lia. Qed.

Lemma nth_plus : forall a b w, nth w (plus a b) 0 = nth w a 0 + nth w b 0.
Proof. induction a as [| x a IH]; intros [| y b] [| w]; cbn; try lia. apply IH. Qed.

Lemma count_map_cons : forall i w all, count_length (S w) (map (cons i) all) = count_length w all.
Proof.
  intros i w all. unfold count_length. induction all as [| line all IH]; [reflexivity |].
  cbn [map filter length]. change (S (length line) =? S w)%nat with (length line =? w)%nat.
  destruct (length line =? w)%nat; cbn [length]; lia.
Qed.

Lemma no_empty_line : forall d p fuel now, count_length 0 (lines d p fuel now) = 0.
Proof.
  intros d p [| fuel] now; [reflexivity |]. cbn [lines].
  induction (orders now) as [| i rest IH]; [reflexivity |]. cbn [flat_map]. rewrite count_app, IH.
  destruct (step d now i) as [q | next]; [now destruct (is p q) |].
  induction (lines d p fuel next) as [| line all IHall]; [reflexivity |]. apply IHall.
Qed.

Lemma histogram_counts : forall d p fuel now w,
  nth w (histogram d p fuel now) 0 = count_length (S w) (lines d p fuel now).
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now w; [now destruct w |].
  cbn [histogram lines]. induction (orders now) as [| i rest IHrest]; [now destruct w |].
  cbn [fold_right flat_map]. rewrite nth_plus, count_app, IHrest. f_equal.
  destruct (step d now i) as [q | next].
  - destruct (is p q); [| now destruct w]. destruct w as [| [| w]]; reflexivity.
  - destruct w as [| w]; cbn [nth].
    + symmetry. rewrite count_map_cons. apply no_empty_line.
    + rewrite IH. symmetry. apply count_map_cons.
Qed.

(**
   Claim: The walk counts the lines of play in which a side wins in a given wave: the count is exactly the number of
     such lines.
   Prose: counting.md, 1. States
*)
Theorem histogram_is_right : forall d p fuel now w, 0 < d -> playable now -> (w < fuel)%nat ->
  number_of (fun line => plays d p now line /\ length line = S w) (nth w (histogram d p fuel now) 0).
Proof.
  intros d p fuel now w Hd Hnow Hw.
  exists (filter (fun line => (length line =? S w)%nat) (lines d p fuel now)). repeat split.
  - apply NoDup_filter, no_duplicates.
  - apply filter_In in H as [H Hl]. now apply in_lines in H.
  - apply filter_In in H as [H Hl]. now apply Nat.eqb_eq.
  - intros [H Hl]. apply filter_In. rewrite Hl, Nat.eqb_refl. split; [| reflexivity].
    apply in_lines; [assumption .. |]. split; [exact H | lia].
  - now rewrite histogram_counts.
Qed.

Example histogram_is_right_holds : number_of (fun line => plays 5 Soldiers (start 8 14) line /\ length line = 4%nat) 3.
Proof. apply (histogram_is_right 5 Soldiers 6 (start 8 14) 3); [lia | now apply playable_start | lia]. Qed.

Lemma over_spec : forall d p fuel now line, 0 < d -> playable now -> over d fuel now = true ->
  plays d p now line -> (length line <= fuel)%nat.
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now line Hd Hnow H Hline; [discriminate |].
  cbn in H. rewrite forallb_forall in H. destruct line as [| i rest]; [easy |]. cbn in Hline |- *.
  destruct Hline as [Hi Hline]. destruct (orders_agree now Hnow) as [Horders _].
  specialize (H i (proj2 (Horders i) Hi)). destruct (step d now i) as [q | next] eqn:E.
  - destruct Hline as [_ ->]. cbn. lia.
  - apply le_n_S, (IH next); auto. eapply playable_next; [exact Hd | exact Hnow | apply Hi |].
    apply step_agrees; auto. apply Hi.
Qed.

Lemma total_plus : forall a b, total (plus a b) = total a + total b.
Proof. induction a as [| x a IH]; intros [| y b]; cbn; try lia. unfold total in IH. rewrite IH. lia. Qed.

Lemma total_counts : forall d p fuel now, total (histogram d p fuel now) = Z.of_nat (length (lines d p fuel now)).
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now; [reflexivity |].
  cbn [histogram lines]. induction (orders now) as [| i rest IHrest]; [reflexivity |].
  cbn [fold_right flat_map]. rewrite total_plus, app_length, Nat2Z.inj_add, IHrest. f_equal.
  destruct (step d now i) as [q | next]; [now destruct (is p q) |].
  rewrite map_length, <- IH. reflexivity.
Qed.

(**
   Claim: If every line of play ends within the waves that are walked, the sum of the counts is the number of lines that
     a side wins.
   Prose: counting.md, 1. States
*)
Theorem total_is_right : forall d p fuel now, 0 < d -> playable now -> over d fuel now = true ->
  number_of (plays d p now) (total (histogram d p fuel now)).
Proof.
  intros d p fuel now Hd Hnow H. exists (lines d p fuel now). repeat split.
  - apply no_duplicates.
  - intros Hline. now apply in_lines in Hline.
  - intros Hline. apply in_lines; [assumption .. |]. split; [exact Hline |]. eapply over_spec; eauto.
  - symmetry. apply total_counts.
Qed.

Example total_is_right_holds : number_of (plays 5 Soldiers (start 8 14)) 6.
Proof. apply (total_is_right 5 Soldiers 9 (start 8 14)); [lia | now apply playable_start | reflexivity]. Qed.

(** The number of lines that [p] wins, if all lines end within [fuel] waves: a single walk, without lists. *)
Fixpoint tally (d : Z) (p : side) (fuel : nat) (now : state) : option Z :=
  match fuel with
  | O => None
  | S fuel =>
      fold_right (fun i sum =>
        match sum, match step d now i with
                   | Won q => Some (if is p q then 1 else 0)
                   | Next next => tally d p fuel next
                   end with
        | Some j, Some k => Some (k + j)
        | _, _ => None
        end) (Some 0) (orders now)
  end.

Lemma tally_spec : forall d p fuel now k, tally d p fuel now = Some k ->
  over d fuel now = true /\ total (histogram d p fuel now) = k.
Proof.
  intros d p fuel. induction fuel as [| fuel IH]; intros now; [discriminate |]. cbn [tally over histogram].
  induction (orders now) as [| i rest IHrest]; intros k H; [now injection H as <- |].
  cbn [fold_right forallb] in *. destruct (fold_right _ (Some 0) rest) as [j |]; [| discriminate].
  destruct (IHrest j eq_refl) as [Hover Htotal]. rewrite total_plus, Htotal, Hover.
  destruct (step d now i) as [q | next].
  - injection H as <-. split; [reflexivity |]. now destruct (is p q).
  - destruct (tally d p fuel next) as [m |] eqn:E; [| discriminate]. injection H as <-.
    destruct (IH next m E) as [Hnext Hm]. rewrite Hnext, <- Hm. split; reflexivity.
Qed.

Lemma tally_is_right : forall d p fuel now k, 0 < d -> playable now -> tally d p fuel now = Some k ->
  number_of (plays d p now) k.
Proof.
  intros d p fuel now k Hd Hnow H. apply tally_spec in H as [Hover <-]. now apply total_is_right.
Qed.

(**
   Claim: The lines of play are exactly the ones on which a side wins according to the rules.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
*)
Theorem plays_are_the_rules : forall d p w now, 0 < d -> playable now ->
  (ends thrifty d p w now <-> exists line, plays d p now line /\ length line = w).
Proof.
  intros d p w. induction w as [| w IH]; intros now Hd Hnow.
  - split; [intros H; inversion H | intros [line [H Hl]]]. now destruct line.
  - split.
    + intros H. inversion H as [? i Hi Hw | ? i next w' Hi Hw Hend]; subst;
        apply step_agrees in Hw as Hs; auto; try apply Hi.
      * exists [i]. cbn. now rewrite Hs.
      * apply IH in Hend as [line [Hline Hl]]; [| exact Hd |].
        -- exists (i :: line). cbn. rewrite Hs. auto.
        -- eapply playable_next; [exact Hd | exact Hnow | apply Hi | exact Hw].
    + intros [[| i rest] [H Hl]]; [easy |]. cbn in H, Hl. injection Hl as <-. destruct H as [Hi H].
      destruct (step d now i) as [q | next] eqn:E; apply step_agrees in E; auto; try apply Hi.
      * destruct H as [-> ->]. eapply at_once; eauto.
      * eapply later; eauto. apply IH; eauto. eapply playable_next; [exact Hd | exact Hnow | apply Hi | exact E].
Qed.

Example plays_are_the_rules_holds : exists line, plays 3 Soldiers (start 4 7) line /\ length line = 3%nat.
Proof.
  apply plays_are_the_rules; [lia | now apply playable_start |].
  apply search_agrees; [lia | now apply playable_start | reflexivity].
Qed.
