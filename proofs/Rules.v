(** The rules of the castle game, twice: as a relation, which reads like the rules, and as a function, which can be
    computed. *)

From Coq Require Import ZArith Lia List Bool.
Import ListNotations.
Open Scope Z_scope.

(** ** The rules as a relation *)

Inductive side := Soldiers | Castle.

(** The start of a wave: the numbers of soldiers, of defenders in the field, and of hits that the castle has left. *)
Record state := State { soldiers : Z; defenders : Z; hits : Z }.

Definition start (n s : Z) : state := State n 0 s.

Inductive outcome := Won (winner : side) | Next (next : state).

(** In a wave, [i] of the soldiers shoot at one defender each, and the others shoot at the castle. *)
Definition order (now : state) (i : Z) : Prop := 0 <= i <= soldiers now /\ i <= defenders now.

(** No wasted shots: the castle gets more shots than it can take only if no defender is left to shoot. *)
Definition thrifty (now : state) (i : Z) : Prop :=
  order now i /\ (soldiers now - i <= hits now \/ i = defenders now).

Definition left (now : state) (i : Z) : Z := defenders now - i.
Definition standing (now : state) (i : Z) : Z := Z.max 0 (hits now - (soldiers now - i)).

Inductive wave (d : Z) (now : state) (i : Z) : outcome -> Prop :=
| both_gone :
    left now i = 0 -> standing now i = 0 -> wave d now i (Won Soldiers)
| soldiers_gone :
    left now i > 0 \/ standing now i > 0 -> left now i >= soldiers now -> wave d now i (Won Castle)
| castle_stands :
    left now i < soldiers now -> standing now i > 0 ->
    wave d now i (Next (State (soldiers now - left now i) (left now i + d) (standing now i)))
| castle_fallen :
    0 < left now i < soldiers now -> standing now i = 0 ->
    wave d now i (Next (State (soldiers now - left now i) (left now i) 0)).

(** [ends legal d p w now]: some line of play that begins with [now] and consists of [legal] orders ends with a win of
    [p] in its wave [w]. *)
Inductive ends (legal : state -> Z -> Prop) (d : Z) (p : side) : nat -> state -> Prop :=
| at_once now i :
    legal now i -> wave d now i (Won p) -> ends legal d p 1 now
| later now i next w :
    legal now i -> wave d now i (Next next) -> ends legal d p w next -> ends legal d p (S w) now.

Definition within legal d p w now : Prop := exists v, (v <= w)%nat /\ ends legal d p v now.

Definition never legal d p now : Prop := forall w, ~ ends legal d p w now.

(** [fewest legal d p w now]: [p] can win in [w] waves, but not in fewer. *)
Definition fewest legal d p w now : Prop :=
  ends legal d p w now /\ forall v, ends legal d p v now -> (w <= v)%nat.

(** A line of play may end in a tie: a wave that ends in the state in which it started. *)
Definition tie (d : Z) (now : state) (i : Z) : Prop := wave d now i (Next now).

(** ** The rules as a function *)

Definition step (d : Z) (now : state) (i : Z) : outcome :=
  let left := defenders now - i in
  let hits := Z.max 0 (hits now - (soldiers now - i)) in
  if (left =? 0) && (hits =? 0) then Won Soldiers
  else if soldiers now <=? left then Won Castle
  else Next (State (soldiers now - left) (if hits =? 0 then left else left + d) hits).

Definition highest (now : state) : Z := Z.min (soldiers now) (defenders now).
Definition lowest (now : state) : Z := Z.min (Z.max 0 (soldiers now - hits now)) (highest now).

(** The integers from [a] to [b]. *)
Definition range (a b : Z) : list Z := map (fun j => a + Z.of_nat j) (seq 0 (Z.to_nat (b - a + 1))).

Definition orders (now : state) : list Z := range (lowest now) (highest now).

Definition is (p q : side) : bool :=
  match p, q with Soldiers, Soldiers | Castle, Castle => true | _, _ => false end.

(** Can [p] win in exactly [w] waves? The answer comes from an exhaustive search. *)
Fixpoint search (d : Z) (p : side) (w : nat) (now : state) : bool :=
  match w with
  | O => false
  | S v =>
      existsb (fun i => match step d now i with
                        | Won q => is p q && (v =? 0)%nat
                        | Next next => search d p v next
                        end) (orders now)
  end.

(** ** They agree *)

(** The states in which play continues: soldiers are alive, and there is something left to shoot at. *)
Definition playable (now : state) : Prop :=
  0 < soldiers now /\ 0 <= defenders now /\ 0 <= hits now /\ (0 < defenders now \/ 0 < hits now).

Lemma in_range : forall a b i, In i (range a b) <-> a <= i <= b.
Proof.
  intros a b i. unfold range. rewrite in_map_iff. split.
  - intros [j [<- H]]. apply in_seq in H. lia.
  - intros H. exists (Z.to_nat (i - a)). split; [lia |]. apply in_seq. lia.
Qed.

(**
   Claim: The legal orders in a state are the integers from the lowest to the highest one that the function gives, and
     there is at least one.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
   Code: State.Moves
*)
Theorem orders_agree : forall now, playable now ->
  (forall i, In i (orders now) <-> thrifty now i) /\ lowest now <= highest now.
Proof.
  intros [S D C] [H1 [H2 [H3 H4]]]. cbn in *. split.
  - intros i. unfold orders, thrifty, order, lowest, highest. rewrite in_range. cbn. lia.
  - unfold lowest, highest. cbn. lia.
Qed.

Example orders_agree_holds : thrifty (State 10 8 6) 5 /\ lowest (State 10 8 6) <= highest (State 10 8 6).
Proof.
  destruct (orders_agree (State 10 8 6)) as [Horders H]; [unfold playable; cbn; lia |].
  split; [| exact H]. apply Horders. vm_compute. tauto.
Qed.

(**
   Claim: According to the rules, a wave has exactly one outcome, which is the one that the function computes.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
   Settles: castle-step-wave
   Code: Battle.Step
*)
Theorem step_agrees : forall d now i o, playable now -> order now i -> (wave d now i o <-> step d now i = o).
Proof.
  intros d [S D C] i o [H1 [H2 [H3 H4]]] [H5 H6]. cbn in *. unfold step. cbn. split.
  - intros H. inversion H; unfold left, standing in *; cbn in *; subst; repeat match goal with
    | |- context [?a =? ?b] => destruct (Z.eqb_spec a b)
    | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
    end; cbn; try lia; try reflexivity; repeat f_equal; lia.
  - intros <-. destruct (Z.eqb_spec (D - i) 0), (Z.eqb_spec (Z.max 0 (C - (S - i))) 0); cbn.
    + now constructor.
    + destruct (Z.leb_spec S (D - i)); [lia |]. constructor; unfold left, standing; cbn; lia.
    + destruct (Z.leb_spec S (D - i)); [constructor; unfold left, standing; cbn; lia |].
      rewrite e. constructor 4; unfold left, standing; cbn; lia.
    + destruct (Z.leb_spec S (D - i)); [constructor; unfold left, standing; cbn; lia |].
      constructor 3; unfold left, standing; cbn; lia.
Qed.

Example step_agrees_holds : wave 8 (State 10 8 33) 8 (Next (State 10 8 31)).
Proof. apply step_agrees; [unfold playable; cbn; lia | unfold order; cbn; lia | reflexivity]. Qed.

Lemma playable_next : forall d now i next,
  0 < d -> playable now -> order now i -> wave d now i (Next next) -> playable next.
Proof.
  intros d [S D C] i next Hd [H1 [H2 [H3 H4]]] [H5 H6] H. cbn in *.
  inversion H; unfold playable, left, standing in *; cbn in *; lia.
Qed.

(**
   Claim: The search finds a win in w waves exactly when there is one according to the rules.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
   Code: Search
*)
Theorem search_agrees : forall d p w now, 0 < d -> playable now -> (search d p w now = true <-> ends thrifty d p w now).
Proof.
  intros d p w. induction w as [| w IH]; intros now Hd Hnow.
  - cbn. split; [discriminate | intros H; inversion H].
  - cbn [search]. rewrite existsb_exists. destruct (orders_agree now Hnow) as [Horders _]. split.
    + intros [i [Hi H]]. apply Horders in Hi. pose proof (proj1 Hi) as Hio.
      destruct (step d now i) as [q | next] eqn:E; apply step_agrees in E; auto.
      * apply andb_true_iff in H as [Hq Hw]. apply Nat.eqb_eq in Hw as ->.
        replace q with p in E by (destruct p, q; easy). eapply at_once; eauto.
      * eapply later; eauto. apply IH; auto. eapply playable_next; eauto.
    + intros H. inversion H as [now' i Hi Hw | now' i next w' Hi Hw Hend]; subst; exists i;
        (split; [now apply Horders |]); apply step_agrees in Hw as Hs; auto; try apply Hi; rewrite Hs.
      * destruct p; reflexivity.
      * apply IH; auto. eapply playable_next; eauto. apply Hi.
Qed.

Example search_agrees_holds : ends thrifty 3 Soldiers 3 (start 4 7).
Proof. apply search_agrees; [lia | unfold playable; cbn; lia | reflexivity]. Qed.

Lemma playable_start : forall n s, 0 < n -> 0 < s -> playable (start n s).
Proof. intros. unfold playable, start. cbn. lia. Qed.

(** A line without waste is also a line. *)
Lemma thrifty_is_order : forall d p w now, ends thrifty d p w now -> ends order d p w now.
Proof.
  intros d p w now H. induction H as [now i Hi Hw | now i next w Hi Hw _ IH].
  - eapply at_once; eauto. apply Hi.
  - eapply later; eauto. apply Hi.
Qed.

Lemma ends_positive : forall legal d p w now, ends legal d p w now -> (1 <= w)%nat.
Proof. intros legal d p w now H. destruct H; lia. Qed.
