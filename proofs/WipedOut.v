(** How large an army of ants can be of which nobody survives. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Rules Counting Moves.
Import ListNotations.
Open Scope Z_scope.

(** An ant has a place and an army. [reach] lists the places that are in range of a place. *)
Record ant := Ant { ground : nat; team : nat }.

Definition hostile (reach : nat -> list nat) (a b : ant) : bool :=
  existsb (Nat.eqb (ground b)) (reach (ground a)) && negb (Nat.eqb (team a) (team b)).

Definition tallied {A : Type} (f : A -> bool) (l : list A) : Z := sum l (fun x => if f x then 1 else 0).

(** The number of enemies in range of an ant. *)
Definition foes (reach : nat -> list nat) (l : list ant) (a : ant) : Z := tallied (hostile reach a) l.

(** An ant dies if some enemy in range has at most as many enemies in range as the ant itself. *)
Definition killed (reach : nat -> list nat) (l : list ant) (b : ant) : Prop :=
  exists a, In a l /\ hostile reach b a = true /\ foes reach l a <= foes reach l b.

Definition of_team (t : nat) (a : ant) : bool := Nat.eqb (team a) t.

(** Range is mutual, at most [V] places are in range of any place, and no two ants are in the same place. *)
Definition battlefield (reach : nat -> list nat) (V : Z) (l : list ant) : Prop :=
  (forall c e, In e (reach c) -> In c (reach e)) /\ (forall c, Z.of_nat (length (reach c)) <= V) /\
  NoDup (map ground l).

Lemma tally_is_length : forall {A} (f : A -> bool) l, tallied f l = Z.of_nat (length (filter f l)).
Proof.
  intros A f l. unfold tallied, sum. induction l as [| x l IH]; [reflexivity |]. cbn [fold_right filter].
  destruct (f x); cbn [length]; lia.
Qed.

Lemma hostile_is : forall reach a b, hostile reach a b = true <->
  In (ground b) (reach (ground a)) /\ team a <> team b.
Proof.
  intros reach a b. unfold hostile. rewrite andb_true_iff, negb_true_iff, existsb_exists, Nat.eqb_neq.
  split; intros [H1 H2]; (split; [| assumption]).
  - destruct H1 as [x [H1 E]]. apply Nat.eqb_eq in E. now subst x.
  - exists (ground b). split; [assumption | apply Nat.eqb_refl].
Qed.

Lemma hostile_mutual : forall reach V l a b, battlefield reach V l ->
  hostile reach a b = true -> hostile reach b a = true.
Proof.
  intros reach V l a b [Hsym _] H. apply hostile_is in H as [H1 H2]. apply hostile_is.
  split; [now apply Hsym | congruence].
Qed.

Lemma places_differ : forall (f : ant -> bool) l, NoDup (map ground l) -> NoDup (map ground (filter f l)).
Proof.
  intros f l. induction l as [| x l IH]; cbn [map filter]; intros H; [constructor |]. inversion H; subst.
  destruct (f x); cbn [map]; [| now apply IH]. constructor; [| now apply IH]. intros Hin.
  apply in_map_iff in Hin as [y [E Hy]]. apply filter_In in Hy as [Hy _]. rewrite <- E in *. now apply H2, in_map.
Qed.

Lemma foes_in_reach : forall reach V l a, battlefield reach V l -> foes reach l a <= V.
Proof.
  intros reach V l a [_ [HV Hdiff]]. unfold foes. rewrite tally_is_length, <- (map_length ground).
  enough (length (map ground (filter (hostile reach a) l)) <= length (reach (ground a)))%nat
    by (specialize (HV (ground a)); lia).
  apply NoDup_incl_length; [now apply places_differ |]. intros c Hc. apply in_map_iff in Hc as [b [<- Hb]].
  apply filter_In in Hb as [_ Hb]. now apply hostile_is in Hb as [Hb _].
Qed.

Lemma foes_not_negative : forall reach l a, 0 <= foes reach l a.
Proof. intros. unfold foes. rewrite tally_is_length. lia. Qed.

Lemma some_foe : forall reach l a b, In b l -> hostile reach a b = true -> 1 <= foes reach l a.
Proof.
  intros reach l a b Hb H. unfold foes, tallied, sum. induction l as [| x l IH]; [easy |]. cbn [fold_right].
  assert (Hrest : 0 <= tallied (hostile reach a) l) by (rewrite tally_is_length; lia). unfold tallied, sum in Hrest.
  destruct Hb as [-> | Hb]; [rewrite H; lia |]. specialize (IH Hb). destruct (hostile reach a x); lia.
Qed.

(** Two ants of an army, each with one enemy. *)
Definition two_pairs : list ant := [Ant 0 1; Ant 1 2; Ant 4 1; Ant 5 2].
Definition neighbours (c : nat) : list nat :=
  match c with 0 => [1] | 1 => [0] | 4 => [5] | 5 => [4] | _ => [] end%nat.

Lemma two_pairs_field : battlefield neighbours 1 two_pairs.
Proof.
  repeat split.
  - intros c e H. do 6 (destruct c as [| c]; [cbn in H; destruct H as [<- | H]; [now left | easy] || easy |]). easy.
  - intros c. do 6 (destruct c as [| c]; [cbn; lia |]). cbn. lia.
  - repeat constructor; cbn; intuition discriminate.
Qed.

(**
   Claim: If two enemies are in range of each other, somebody dies: an ant with the most enemies in range has an enemy
     that has at most as many, and so it dies. An ant with a single enemy in range dies only if that enemy has no other
     enemy in range, that is, in a duel.
   Settles: ants-somebody-dies; ants-single-enemy
*)
Theorem who_dies : forall reach V l b, battlefield reach V l -> In b l ->
  ((exists a, In a l /\ hostile reach b a = true) -> (forall a, In a l -> foes reach l a <= foes reach l b) ->
    killed reach l b) /\
  ((exists a c, In a l /\ In c l /\ hostile reach a c = true) ->
    exists a, In a l /\ (exists c, In c l /\ hostile reach a c = true) /\
      (forall c, In c l -> foes reach l c <= foes reach l a) /\ killed reach l a) /\
  (foes reach l b = 1 -> killed reach l b ->
    exists a, In a l /\ hostile reach b a = true /\ hostile reach a b = true /\ foes reach l a = 1).
Proof.
  intros reach V l b Hfield Hb.
  assert (Hmost : forall m : list ant, m <> [] -> exists a, In a m /\
    forall c, In c m -> foes reach l c <= foes reach l a).
  { induction m as [| x m IH]; [easy |]. intros _. destruct m as [| y m].
    - exists x. split; [now left |]. intros c [<- | []]. lia.
    - destruct IH as [a [Ha Hm]]; [easy |]. destruct (Z.le_gt_cases (foes reach l x) (foes reach l a)) as [L | L].
      + exists a. split; [now right |]. intros c [<- | Hc]; [exact L | now apply Hm].
      + exists x. split; [now left |]. intros c [<- | Hc]; [lia |]. specialize (Hm c Hc). lia. }
  split; [| split].
  - intros [a [Ha Hh]] Hall. exists a. split; [exact Ha |]. split; [exact Hh | now apply Hall].
  - intros [a [c [Ha [Hc Hh]]]]. destruct (Hmost l) as [m [Hm Hall]]; [intros ->; easy |].
    assert (Hfoes : 1 <= foes reach l m) by (pose proof (some_foe reach l a c Hc Hh); specialize (Hall a Ha); lia).
    assert (Hfoe : exists e, In e l /\ hostile reach m e = true).
    { unfold foes in Hfoes. rewrite tally_is_length in Hfoes. destruct (filter (hostile reach m) l) as [| e rest] eqn:E;
        [cbn in Hfoes; lia |].
      exists e. apply filter_In. rewrite E. now left. }
    exists m. split; [exact Hm |]. split; [exact Hfoe |]. split; [exact Hall |]. destruct Hfoe as [e [He Hhe]].
    exists e. split; [exact He |]. split; [exact Hhe | now apply Hall].
  - intros Hone [a [Ha [Hh Hle]]]. exists a. split; [exact Ha |]. split; [exact Hh |].
    pose proof (hostile_mutual reach V l b a Hfield Hh) as Hback. split; [exact Hback |].
    pose proof (some_foe reach l a b Hb Hback). lia.
Qed.

Example who_dies_holds : killed neighbours two_pairs (Ant 0 1).
Proof.
  apply (who_dies neighbours 1); [| now left | exists (Ant 1 2); split; [right; now left | reflexivity] |].
  - exact two_pairs_field.
  - intros a [<- | [<- | [<- | [<- | []]]]]; vm_compute; discriminate.
Qed.

(** A common multiple of all numbers up to [V]. *)
Fixpoint multiple (V : nat) : Z := match V with O => 1 | S v => Z.of_nat V * multiple v end.

Lemma multiple_positive : forall V, 0 < multiple V.
Proof. induction V as [| V IH]; cbn [multiple]; [lia |]. nia. Qed.

Lemma multiple_of : forall V e, 1 <= e <= Z.of_nat V -> e * (multiple V / e) = multiple V.
Proof.
  intros V e He. assert (H : exists k, multiple V = k * e).
  { induction V as [| V IH]; [lia |]. destruct (Z.eq_dec e (Z.of_nat (S V))) as [-> | Hne].
    - exists (multiple V). cbn [multiple]. ring.
    - destruct IH as [k Hk]; [lia |]. exists (Z.of_nat (S V) * k). cbn [multiple]. rewrite Hk. ring. }
  destruct H as [k Hk]. rewrite Hk, Z.div_mul by lia. ring.
Qed.

Lemma sum_by_one : forall {A} (l : list A) f g a, In a l -> (forall x, In x l -> g x <= f x) ->
  sum l g + (f a - g a) <= sum l f.
Proof.
  intros A l f g a. induction l as [| x l IH]; [easy |]. intros Ha H. unfold sum in *. cbn [fold_right].
  assert (Hrest : forall y, In y l -> g y <= f y) by (intros y Hy; apply H; now right).
  destruct Ha as [-> | Ha].
  - pose proof (sum_at_most l g f Hrest) as Hle. unfold sum in Hle. lia.
  - specialize (IH Ha Hrest). pose proof (H x (or_introl eq_refl)). lia.
Qed.

Lemma sum_of_part : forall {A} (l : list A) f g, (forall x, In x l -> 0 <= g x) -> sum (filter f l) g <= sum l g.
Proof.
  intros A l f g H. unfold sum. induction l as [| x l IH]; cbn [filter fold_right]; [lia |].
  assert (Hrest : forall y, In y l -> 0 <= g y) by (intros y Hy; apply H; now right). specialize (IH Hrest).
  pose proof (H x (or_introl eq_refl)). destruct (f x); cbn [fold_right]; lia.
Qed.

Lemma sum_of_others : forall {A} (l : list A) f g, (forall x, In x l -> f x = false -> g x = 0) ->
  sum (filter f l) g = sum l g.
Proof.
  intros A l f g H. unfold sum. induction l as [| x l IH]; cbn [filter fold_right]; [reflexivity |].
  assert (Hrest : forall y, In y l -> f y = false -> g y = 0) by (intros y Hy; apply H; now right).
  specialize (IH Hrest). destruct (f x) eqn:E; cbn [fold_right]; [lia |]. rewrite (H x (or_introl eq_refl) E). lia.
Qed.

Lemma sum_scaled_by : forall {A} (l : list A) f k, sum l (fun x => k * f x) = k * sum l f.
Proof. intros A l f k. unfold sum. induction l as [| x l IH]; cbn [fold_right]; lia. Qed.

Lemma sum_constant : forall {A} (l : list A) k, sum l (fun _ => k) = k * Z.of_nat (length l).
Proof. intros A l k. unfold sum. induction l as [| x l IH]; cbn [fold_right length]; lia. Qed.

(** The engine's other rules. Under the rule damage, each ant spreads damage 1 evenly over its enemies in range, and an
    ant that receives 1 dies. Damage is counted in units such that each number of enemies divides the total. *)
Definition damaged (reach : nat -> list nat) (V : nat) (l : list ant) (a : ant) : Prop :=
  multiple V <= sum (filter (hostile reach a) l) (fun b => multiple V / foes reach l b).

(** Under the rule closest, distances are considered in increasing order: every ant that still has an enemy at that
    distance dies. *)
Fixpoint fallen (reach : nat -> list nat) (distance : ant -> ant -> nat) (l : list ant) (r : nat) (a : ant) : Prop :=
  match r with
  | O => False
  | S q => fallen reach distance l q a \/ ~ fallen reach distance l q a /\
      exists b, In b l /\ hostile reach a b = true /\ distance a b = r /\ ~ fallen reach distance l q b
  end.

(** Under the rule support, as shipped, every ant that has an enemy in range dies. *)
Definition unsupported (reach : nat -> list nat) (l : list ant) (a : ant) : Prop :=
  exists b, In b l /\ hostile reach a b = true.

(**
   Claim: Every ant that dies under damage also dies under focus, the contest's rule, and every ant that dies under
     focus or under closest also dies under support.
   Settles: ants-chain
*)
Theorem rules_in_a_chain : forall reach V l distance r a, battlefield reach (Z.of_nat V) l -> In a l ->
  (damaged reach V l a -> killed reach l a) /\ (killed reach l a -> unsupported reach l a) /\
  (fallen reach distance l r a -> unsupported reach l a).
Proof.
  intros reach V l distance r a Hfield Ha. split; [| split].
  - intros H. destruct (existsb (fun b => hostile reach a b && (foes reach l b <=? foes reach l a)) l) eqn:E.
    + apply existsb_exists in E as [b [Hb E]]. apply andb_true_iff in E as [E1 E2]. apply Z.leb_le in E2.
      exists b. now split.
    + exfalso. unfold damaged in H. set (own := filter (hostile reach a) l) in *.
      set (f := fun b => multiple V / foes reach l b) in *. set (e := foes reach l a) in *.
      assert (Ee : e = Z.of_nat (length own)) by (unfold e, foes; apply tally_is_length).
      assert (Hless : (e + 1) * sum own f <= multiple V * e).
      { rewrite Ee at 2. rewrite <- sum_scaled_by, <- sum_constant. apply sum_at_most. intros b Hb.
        apply filter_In in Hb as [Hb Hh]. unfold f.
        assert (Hmore : e + 1 <= foes reach l b).
        { apply Z.nlt_ge. intros L.
          assert (Et : existsb (fun b => hostile reach a b && (foes reach l b <=? e)) l = true);
            [| rewrite Et in E; discriminate].
          apply existsb_exists. exists b. split; [exact Hb |]. rewrite Hh. cbn [andb]. apply Z.leb_le. lia. }
        assert (0 <= e) by (unfold e; apply foes_not_negative). pose proof (multiple_positive V) as Hm.
        pose proof (foes_in_reach reach (Z.of_nat V) l b Hfield) as Hin.
        rewrite <- (multiple_of V (foes reach l b)) at 2 by lia.
        apply Z.mul_le_mono_nonneg_r; [apply Z.div_pos; lia | exact Hmore]. }
      pose proof (multiple_positive V). assert (0 <= e) by lia.
      assert ((e + 1) * multiple V <= (e + 1) * sum own f) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - intros [b [Hb [Hh _]]]. now exists b.
  - induction r as [| q IH]; [easy |]. intros [H | [_ [b [Hb [Hh _]]]]]; [now apply IH | now exists b].
Qed.

Example rules_in_a_chain_holds : killed neighbours two_pairs (Ant 0 1).
Proof.
  apply (rules_in_a_chain neighbours 1 two_pairs (fun _ _ => 1%nat) 1); [exact two_pairs_field | now left |].
  vm_compute. discriminate.
Qed.

(** An enemy in range gives an ant of the army its share: one part out of as many as the enemy has enemies. *)
Definition share_of (reach : nat -> list nat) (V : nat) (l : list ant) (b a : ant) : Z :=
  if hostile reach b a then multiple V / foes reach l a else 0.

Lemma gives_one : forall reach V l t a, battlefield reach (Z.of_nat V) l -> In a l ->
  sum (filter (of_team t) l) (fun b => share_of reach V l b a) <= multiple V.
Proof.
  intros reach V l t a Hfield Ha. pose proof (multiple_positive V).
  assert (Hshare : forall b, In b l -> 0 <= share_of reach V l b a).
  { intros b Hb. unfold share_of. destruct (hostile reach b a) eqn:E; [| lia].
    apply (hostile_mutual _ _ _ _ _ Hfield) in E. apply (some_foe reach l a b Hb) in E. apply Z.div_pos; lia. }
  etransitivity; [now apply sum_of_part |].
  destruct (Z.le_gt_cases 1 (foes reach l a)) as [Hsome | Hnone].
  - rewrite (sum_ext _ _ (fun b => (multiple V / foes reach l a) * (if hostile reach a b then 1 else 0))).
    + rewrite sum_scaled_by. change (sum l (fun b => if hostile reach a b then 1 else 0)) with (foes reach l a).
      rewrite Z.mul_comm, multiple_of; [lia |]. split; [exact Hsome | now apply foes_in_reach].
    + intros b Hb. unfold share_of. destruct (hostile reach b a) eqn:E1, (hostile reach a b) eqn:E2; try lia.
      * apply (hostile_mutual _ _ _ _ _ Hfield) in E1. congruence.
      * apply (hostile_mutual _ _ _ _ _ Hfield) in E2. congruence.
  - rewrite sum_zero; [lia |]. intros b Hb. unfold share_of. destruct (hostile reach b a) eqn:E; [| reflexivity].
    apply (hostile_mutual _ _ _ _ _ Hfield) in E. apply (some_foe reach l a b Hb) in E. lia.
Qed.

(** [p]/[q] is at most 1/m + (m - 1)/V for every m. *)
Definition a_bound (V p q : Z) : Prop := forall m, 1 <= m -> p * (m * V) <= q * (V + m * (m - 1)).

Lemma gets_enough : forall reach V l b p q, battlefield reach (Z.of_nat V) l -> In b l -> killed reach l b ->
  0 <= q -> a_bound (Z.of_nat V) p q ->
  p * multiple V <= q * sum (filter (fun a => negb (of_team (team b) a)) l) (fun a => share_of reach V l b a).
Proof.
  intros reach V l b p q Hfield Hb [a [Ha [Hab Hfoes]]] Hq Hbound.
  rewrite sum_of_others.
  2: { intros x _ Hx. unfold share_of. destruct (hostile reach b x) eqn:E; [| reflexivity].
       apply hostile_is in E as [_ E]. apply negb_false_iff, Nat.eqb_eq in Hx. congruence. }
  set (m := foes reach l b) in *. set (L := multiple V). set (v := Z.of_nat V) in *.
  assert (Hm : 1 <= m) by now apply (some_foe reach l b a).
  assert (HmV : m <= v) by now apply foes_in_reach.
  assert (Hback : forall x, hostile reach b x = true -> 1 <= foes reach l x <= v).
  { intros x E. split; [| now apply foes_in_reach]. apply (some_foe reach l x b Hb).
    now apply (hostile_mutual _ _ _ _ _ Hfield). }
  pose proof (multiple_of V v ltac:(unfold v; lia)) as EV. pose proof (multiple_of V m ltac:(fold v; lia)) as Em.
  fold L in EV, Em. pose proof (multiple_positive V) as HL. fold L in HL.
  assert (Hleast : forall e, 1 <= e -> e <= v -> L / v <= L / e).
  { intros e He1 He2. apply Z.div_le_compat_l; lia. }
  assert (Hsum : sum l (fun x => if hostile reach b x then L / v else 0) = m * (L / v)).
  { rewrite (sum_ext _ _ (fun x => (L / v) * (if hostile reach b x then 1 else 0))).
    - rewrite sum_scaled_by. change (sum l (fun x => if hostile reach b x then 1 else 0)) with m. ring.
    - intros x _. destruct (hostile reach b x); ring. }
  assert (Hall : sum l (fun x => if hostile reach b x then L / v else 0) + (L / m - L / v) <=
                 sum l (fun x => share_of reach V l b x)).
  { etransitivity; [| apply (sum_by_one l (fun x => share_of reach V l b x)
                              (fun x => if hostile reach b x then L / v else 0) a Ha)].
    - cbn beta. unfold share_of at 1. rewrite Hab. fold L. pose proof (Hback a Hab).
      assert (L / m <= L / foes reach l a) by (apply Z.div_le_compat_l; lia). lia.
    - intros x _. unfold share_of. destruct (hostile reach b x) eqn:E; [| lia]. fold L. pose proof (Hback x E).
      apply Hleast; lia. }
  rewrite Hsum in Hall. set (w := sum l (fun x => share_of reach V l b x)) in *.
  set (x := L / v) in *. set (y := L / m) in *.
  assert (Hw : y + (m - 1) * x <= w) by lia.
  specialize (Hbound m Hm). fold v in Hbound.
  assert (Hprod : p * L * (m * v) <= q * (y + (m - 1) * x) * (m * v)).
  { replace (q * (y + (m - 1) * x) * (m * v)) with (q * (v * (m * y) + m * (m - 1) * (v * x))) by ring.
    rewrite EV, Em. replace (q * (v * L + m * (m - 1) * L)) with (q * (v + m * (m - 1)) * L) by ring.
    replace (p * L * (m * v)) with (p * (m * v) * L) by ring. apply Z.mul_le_mono_nonneg_r; lia. }
  apply Z.mul_le_mono_pos_r in Hprod; [| nia].
  assert (q * (y + (m - 1) * x) <= q * w) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(**
   Claim: Let p/q be at most 1/m + (m - 1)/V for every integer m >= 1, where V is the largest number of places in range
     of any place. If no ant is left of an army of β ants, there are at least βp/q other ants.
   Prose: ants.md, Theorem 1
   Code: MostOutlived
*)
Theorem army_wiped_out : forall reach V l t p q, battlefield reach (Z.of_nat V) l -> 0 <= q ->
  a_bound (Z.of_nat V) p q -> (forall b, In b l -> team b = t -> killed reach l b) ->
  p * tallied (of_team t) l <= q * tallied (fun a => negb (of_team t a)) l.
Proof.
  intros reach V l t p q Hfield Hq Hbound Hdead. rewrite !tally_is_length.
  set (own := filter (of_team t) l). set (others := filter (fun a => negb (of_team t a)) l).
  pose proof (multiple_positive V) as HL.
  assert (Hlow : p * multiple V * Z.of_nat (length own) <=
    q * sum own (fun b => sum others (fun a => share_of reach V l b a))).
  { rewrite <- sum_scaled_by, <- sum_constant. apply sum_at_most. intros b Hb.
    apply filter_In in Hb as [Hb Ht]. apply Nat.eqb_eq in Ht. unfold others. rewrite <- Ht.
    apply gets_enough; try assumption. now apply Hdead. }
  assert (Hhigh : sum own (fun b => sum others (fun a => share_of reach V l b a)) <=
    multiple V * Z.of_nat (length others)).
  { rewrite sum_swap, <- sum_constant. apply sum_at_most. intros a Ha. apply filter_In in Ha as [Ha _].
    now apply gives_one. }
  apply Z.mul_le_mono_pos_l with (p := multiple V); [exact HL |].
  apply Z.mul_le_mono_nonneg_l with (p := q) in Hhigh; [| exact Hq].
  replace (multiple V * (p * Z.of_nat (length own))) with (p * multiple V * Z.of_nat (length own)) by ring.
  replace (multiple V * (q * Z.of_nat (length others))) with (q * (multiple V * Z.of_nat (length others))) by ring.
  lia.
Qed.

Example army_wiped_out_holds :
  1 * tallied (of_team 1) two_pairs <= 1 * tallied (fun a => negb (of_team 1 a)) two_pairs.
Proof.
  apply (army_wiped_out neighbours 1); [| lia | intros m Hm; change (Z.of_nat 1) with 1; nia |].
  - exact two_pairs_field.
  - intros b [<- | [<- | [<- | [<- | []]]]] Ht; try discriminate.
    + exists (Ant 1 2). repeat split; [right; now left | cbv; discriminate].
    + exists (Ant 5 2). repeat split; [right; right; right; now left | cbv; discriminate].
Qed.

(**
   Claim: In a box with M places, the army has at most Mq/(p + q) ants. In the contest, where V is 20, it has at most
     5/7 of M. If one ant with f friends outlives the army, the army has at most 5(f + 1)/2 ants.
   Prose: ants.md, Corollary
   Settles: ants-price
   Code: MostOutlived
*)
Theorem army_in_a_box : forall reach V l t p q box, battlefield reach (Z.of_nat V) l -> 0 <= q ->
  a_bound (Z.of_nat V) p q -> (forall b, In b l -> team b = t -> killed reach l b) ->
  (forall a, In a l -> In (ground a) box) ->
  (p + q) * tallied (of_team t) l <= q * Z.of_nat (length box) /\
  (V = 20%nat -> 7 * tallied (of_team t) l <= 5 * Z.of_nat (length box) /\
    2 * tallied (of_team t) l <= 5 * tallied (fun a => negb (of_team t a)) l).
Proof.
  intros reach V l t p q box Hfield Hq Hbound Hdead Hbox.
  assert (Hparts : forall l0,
    tallied (of_team t) l0 + tallied (fun a => negb (of_team t a)) l0 = Z.of_nat (length l0)).
  { intros l0. unfold tallied, sum. induction l0 as [| x l0 IH]; cbn [fold_right length]; [lia |].
    destruct (of_team t x); cbn [negb]; lia. }
  assert (Hlength : Z.of_nat (length l) <= Z.of_nat (length box)).
  { rewrite <- (map_length ground l). apply Nat2Z.inj_le, NoDup_incl_length; [apply Hfield |].
    intros c Hc. apply in_map_iff in Hc as [a [<- Ha]]. now apply Hbox. }
  specialize (Hparts l). pose proof (army_wiped_out reach V l t p q Hfield Hq Hbound Hdead) as H. split; [nia |].
  intros ->. assert (H20 : a_bound (Z.of_nat 20) 2 5).
  { intros m Hm. change (Z.of_nat 20) with 20.
    assert (0 <= (m - 4) * (m - 5)) by (destruct (Z.le_gt_cases m 4); nia). lia. }
  pose proof (army_wiped_out reach 20 l t 2 5 Hfield ltac:(lia) H20 Hdead). split; lia.
Qed.

Example army_in_a_box_holds : (1 + 1) * tallied (of_team 1) two_pairs <= 1 * Z.of_nat (length [0; 1; 4; 5]%nat).
Proof.
  apply (army_in_a_box neighbours 1 two_pairs 1 1 1); [| lia | intros m Hm; change (Z.of_nat 1) with 1; nia | |].
  - exact two_pairs_field.
  - intros b [<- | [<- | [<- | [<- | []]]]] Ht; try discriminate.
    + exists (Ant 1 2). repeat split; [right; now left | cbv; discriminate].
    + exists (Ant 5 2). repeat split; [right; right; right; now left | cbv; discriminate].
  - intros a Ha. cbn in *. intuition (subst; cbn; tauto).
Qed.

(** ** The search *)

Definition in_range_of (reach : nat -> list nat) (place : nat) (a : ant) : bool :=
  existsb (Nat.eqb (ground a)) (reach place).

(**
   Claim: Let all ants of other armies be on places in R. If an ant of an army dies, it has in its range a place i in R
     such that at most as many ants of its army are in range of i as places in R are in range of the ant.
   Prose: ants.md, Lemma 2
   Code: Outlive
*)
Theorem where_the_killer_stands : forall reach V l t places b, battlefield reach V l ->
  (forall a, In a l -> team a <> t -> In (ground a) places) -> In b l -> team b = t -> killed reach l b ->
  exists i, In i places /\ In i (reach (ground b)) /\
    tallied (fun a => of_team t a && in_range_of reach i a) l <=
      Z.of_nat (length (filter (fun c => existsb (Nat.eqb c) places) (reach (ground b)))).
Proof.
  intros reach V l t places b Hfield Hplaces Hb Ht [a [Ha [Hhostile Hfoes]]].
  apply hostile_is in Hhostile as [Hin Hteam]. exists (ground a).
  split; [apply Hplaces; [exact Ha | congruence] |]. split; [exact Hin |].
  apply Z.le_trans with (foes reach l a); [| apply Z.le_trans with (foes reach l b); [exact Hfoes |]].
  - unfold foes, tallied. apply sum_at_most. intros c Hc. unfold of_team, in_range_of.
    destruct (Nat.eqb_spec (team c) t) as [E | E]; cbn [andb]; [| destruct (hostile reach a c); lia].
    unfold hostile. destruct (existsb (Nat.eqb (ground c)) (reach (ground a))); cbn [andb]; [| lia].
    destruct (Nat.eqb_spec (team a) (team c)); cbn [negb]; [congruence | lia].
  - destruct Hfield as [_ [_ Hdiff]]. unfold foes. rewrite tally_is_length, <- (map_length ground).
    apply inj_le, NoDup_incl_length; [now apply places_differ |]. intros c Hc.
    apply in_map_iff in Hc as [e [<- He]]. apply filter_In in He as [He Hh]. apply hostile_is in Hh as [Hr Hne].
    apply filter_In. split; [exact Hr |]. apply existsb_exists. exists (ground e).
    split; [apply Hplaces; [exact He | congruence] | apply Nat.eqb_refl].
Qed.

Example where_the_killer_stands_holds : exists i, In i [1; 5]%nat /\ In i (neighbours 0) /\
  tallied (fun a => of_team 1 a && in_range_of neighbours i a) two_pairs <= 1.
Proof.
  apply (where_the_killer_stands neighbours 1 two_pairs 1 [1; 5]%nat (Ant 0 1)).
  - exact two_pairs_field.
  - intros a Ha. cbn in *. intuition (subst; cbn; tauto).
  - now left.
  - reflexivity.
  - exists (Ant 1 2). repeat split; [right; now left | cbv; discriminate].
Qed.
