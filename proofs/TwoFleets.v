(** The naval battle: misses that no shooter can avoid, because two fleets are nearly alike; and how fleets are
    counted. *)

From Coq Require Import ZArith Lia List Bool.
Import ListNotations.

(** A ship is the list of its cells, and a fleet is the list of its ships. *)
Inductive answer := Miss | Hit | Sunk.

Definition has (cells : list nat) (c : nat) : bool := existsb (Nat.eqb c) cells.

(** The answer to a shot at [c] after shots at the cells [shots]. *)
Definition answer_to (fleet : list (list nat)) (shots : list nat) (c : nat) : answer :=
  if existsb (fun ship => has ship c && forallb (has (c :: shots)) ship) fleet then Sunk
  else if existsb (fun ship => has ship c) fleet then Hit else Miss.

(** A shooter without random numbers chooses a cell depending on the previous shots and their answers, of which the last
    one comes first. *)
Definition shooter := list (nat * answer) -> nat.

Fixpoint record_of (s : shooter) (fleet : list (list nat)) (k : nat) : list (nat * answer) :=
  match k with
  | O => []
  | S j => let past := record_of s fleet j in
           let c := s past in (c, answer_to fleet (map fst past) c) :: past
  end.

(** At some point, every cell of the fleet has been shot at. *)
Definition finishes (s : shooter) (fleet : list (list nat)) : Prop :=
  exists k, forall ship c, In ship fleet -> In c ship -> In c (map fst (record_of s fleet k)).

Definition misses_at (s : shooter) (fleet : list (list nat)) (c : nat) : Prop :=
  exists k, In (c, Miss) (record_of s fleet k).

Lemma has_is : forall cells c, has cells c = true <-> In c cells.
Proof.
  intros cells c. unfold has. rewrite existsb_exists. split.
  - intros [x [H E]]. apply Nat.eqb_eq in E. now subst x.
  - intros H. exists c. split; [exact H | apply Nat.eqb_refl].
Qed.

Lemma existsb_members : forall {A} (f : A -> bool) l m, (forall x, In x l <-> In x m) -> existsb f l = existsb f m.
Proof.
  intros A f l m H. destruct (existsb f l) eqn:E1, (existsb f m) eqn:E2; try reflexivity.
  - apply existsb_exists in E1 as [x [Hx Hf]]. apply H in Hx. rewrite <- E2. symmetry.
    apply existsb_exists. now exists x.
  - apply existsb_exists in E2 as [x [Hx Hf]]. apply H in Hx. rewrite <- E1. apply existsb_exists. now exists x.
Qed.

Lemma same_ships : forall s F G k, (forall ship, In ship F <-> In ship G) -> record_of s F k = record_of s G k.
Proof.
  intros s F G k H. induction k as [| k IH]; [reflexivity |]. cbn [record_of]. rewrite <- IH. unfold answer_to.
  now rewrite !(existsb_members _ F G H).
Qed.

Lemma existsb_last : forall {A} (f : A -> bool) l x, existsb f (l ++ [x]) = existsb f l || f x.
Proof. intros A f l x. rewrite existsb_app. cbn [existsb]. now rewrite orb_false_r. Qed.


(** Until a shot hits a cell that only one of the two places contains, both fleets give the same answers. *)
Lemma answers_agree : forall R p q shots c x y,
  In x p -> ~ In x q -> In y q -> ~ In y p ->
  (forall d, In d (c :: shots) -> (In d p <-> In d q)) ->
  answer_to (R ++ [p]) shots c = answer_to (R ++ [q]) shots c.
Proof.
  intros R p q shots c x y Hx1 Hx2 Hy1 Hy2 Hsame. unfold answer_to. rewrite !existsb_last.
  assert (Hafloat : forall ship z, In z ship -> ~ In z (c :: shots) -> forallb (has (c :: shots)) ship = false).
  { intros ship z Hz Hnot. destruct (forallb (has (c :: shots)) ship) eqn:E; [| reflexivity].
    rewrite forallb_forall in E. apply E, has_is in Hz. contradiction. }
  rewrite (Hafloat p x), (Hafloat q y); try assumption.
  2: { intros Hin. apply Hsame in Hin. tauto. }
  2: { intros Hin. apply Hsame in Hin. tauto. }
  rewrite !andb_false_r.
  assert (E : has p c = has q c).
  { destruct (has p c) eqn:E1, (has q c) eqn:E2; try reflexivity; exfalso.
    - apply has_is in E1. apply (Hsame c (or_introl eq_refl)) in E1. apply has_is in E1. congruence.
    - apply has_is in E2. apply (Hsame c (or_introl eq_refl)) in E2. apply has_is in E2. congruence. }
  now rewrite E.
Qed.

(** Either the records agree, or one of the fleets has already had its miss. *)
Lemma records_agree : forall s R p q x y k,
  In x p -> ~ In x q -> In y q -> ~ In y p ->
  (forall ship c, In ship R -> In c ship -> ~ In c p /\ ~ In c q) ->
  (record_of s (R ++ [p]) k = record_of s (R ++ [q]) k /\
   forall d, In d (map fst (record_of s (R ++ [p]) k)) -> (In d p <-> In d q)) \/
  (exists c, In c q /\ ~ In c p /\ In (c, Miss) (record_of s (R ++ [p]) k)) \/
  (exists c, In c p /\ ~ In c q /\ In (c, Miss) (record_of s (R ++ [q]) k)).
Proof.
  intros s R p q x y k Hx1 Hx2 Hy1 Hy2 Hapart.
  assert (Hmiss : forall shots c own, (In c p \/ In c q) -> ~ In c own -> answer_to (R ++ [own]) shots c = Miss).
  { intros shots c own Hc Hown. unfold answer_to. rewrite !existsb_last.
    assert (E : forall f, existsb (fun ship => has ship c && f ship) R = false).
    { intros f. destruct (existsb (fun ship => has ship c && f ship) R) eqn:E; [| reflexivity].
      apply existsb_exists in E as [ship [Hship E]]. apply andb_true_iff in E as [E _]. apply has_is in E.
      destruct (Hapart ship c Hship E). tauto. }
    assert (E2 : existsb (fun ship => has ship c) R = false).
    { destruct (existsb (fun ship => has ship c) R) eqn:E2; [| reflexivity].
      apply existsb_exists in E2 as [ship [Hship E2]]. apply has_is in E2. destruct (Hapart ship c Hship E2). tauto. }
    rewrite E, E2. destruct (has own c) eqn:E3; [| reflexivity]. now apply has_is in E3. }
  induction k as [| k [[Heq Hseen] | [[c Hc] | [c Hc]]]].
  - left. split; [reflexivity | easy].
  - set (past := record_of s (R ++ [p]) k) in *. set (c := s past).
    destruct (in_dec Nat.eq_dec c p) as [Hp | Hp], (in_dec Nat.eq_dec c q) as [Hq | Hq].
    1, 4: left; assert (Hall : forall d, In d (c :: map fst past) -> (In d p <-> In d q))
      by (intros d [<- | Hd]; [tauto | now apply Hseen]);
      cbn [record_of]; fold past; rewrite <- Heq; fold c; split;
      [now rewrite (answers_agree R p q _ c x y) | exact Hall].
    + right. right. exists c. repeat split; try assumption. cbn [record_of]. rewrite <- Heq. fold c. left.
      now rewrite Hmiss by tauto.
    + right. left. exists c. repeat split; try assumption. cbn [record_of]. fold past. fold c. left.
      now rewrite Hmiss by tauto.
  - right. left. exists c. repeat split; try apply Hc. cbn [record_of]. right. apply Hc.
  - right. right. exists c. repeat split; try apply Hc. cbn [record_of]. right. apply Hc.
Qed.

(** A shooter who shoots at the cells in order, from 0 on. *)
Definition in_order : shooter := fun past => length past.

(**
   Claim: Let two fleets differ in one ship: the first is R ∪ p, the second R ∪ q, where p and q are places of the same
     length. A shooter who sinks both fleets has a miss in the first at a cell of q outside p, or a miss in the second
     at a cell of p outside q.
   Prose: naval.md, Lemma 2
   Code: ShotsBound
*)
Theorem two_fleets : forall s R p q, NoDup p -> NoDup q -> length p = length q -> ~ incl p q ->
  (forall ship c, In ship R -> In c ship -> ~ In c p /\ ~ In c q) ->
  finishes s (R ++ [p]) ->
  (exists c, In c q /\ ~ In c p /\ misses_at s (R ++ [p]) c) \/
  (exists c, In c p /\ ~ In c q /\ misses_at s (R ++ [q]) c).
Proof.
  intros s R p q Hp Hq Hlen Hdiff Hapart [k Hk].
  assert (Houtside : forall a b : list nat, ~ incl a b -> exists x, In x a /\ ~ In x b).
  { intros a b H. destruct (forallb (has b) a) eqn:E.
    - exfalso. apply H. intros x Hx. rewrite forallb_forall in E. now apply has_is, E.
    - induction a as [| x a IH]; [discriminate |]. cbn [forallb] in E. destruct (has b x) eqn:Ex.
      + destruct IH as [z [Hz Hnot]]; [| exact E |].
        * intros Hincl. apply H. intros z [<- | Hz]; [now apply has_is | now apply Hincl].
        * exists z. split; [now right | exact Hnot].
      + exists x. split; [now left |]. intros Hx. apply has_is in Hx. congruence. }
  destruct (Houtside p q Hdiff) as [x [Hx1 Hx2]].
  destruct (Houtside q p) as [y [Hy1 Hy2]].
  { intros Hincl. apply Hdiff. apply NoDup_length_incl; [exact Hq | lia | exact Hincl]. }
  destruct (records_agree s R p q x y k Hx1 Hx2 Hy1 Hy2 Hapart) as [[_ Hseen] | [[c [H1 [H2 H3]]] | [c [H1 [H2 H3]]]]].
  - exfalso. apply Hx2, (Hseen x); [| exact Hx1]. apply (Hk p x); [apply in_or_app; right; now left | exact Hx1].
  - left. exists c. repeat split; try assumption. now exists k.
  - right. exists c. repeat split; try assumption. now exists k.
Qed.

Example two_fleets_holds :
  (exists c, In c [1; 2]%nat /\ ~ In c [0; 1]%nat /\ misses_at in_order ([[5]] ++ [[0; 1]])%nat c) \/
  (exists c, In c [0; 1]%nat /\ ~ In c [1; 2]%nat /\ misses_at in_order ([[5]] ++ [[1; 2]])%nat c).
Proof.
  apply two_fleets.
  - repeat constructor; cbn; intuition discriminate.
  - repeat constructor; cbn; intuition discriminate.
  - reflexivity.
  - intros H. specialize (H 0%nat (or_introl eq_refl)). cbn in H. intuition discriminate.
  - intros ship c [<- | []] [<- | []]. cbn. intuition discriminate.
  - exists 6%nat. intros ship c [<- | [<- | []]] Hc; cbn in *; intuition.
Qed.

(** The ships of one deck on the cells of [C], except for one of them. *)
Definition all_but (c : nat) (C : list nat) : list (list nat) :=
  map (fun d => [d]) (remove Nat.eq_dec c C).

(**
   Claim: Let C be a set of cells that no other ship covers. Consider the fleets that have ships of one deck on all
     cells of C except for one. At most one of these fleets has no miss at the cell that it lacks: of any two of them,
     at least one has such a miss.
   Prose: naval.md, Lemma 3
   Code: ShotsBound
*)
Theorem single_decks : forall s R C c d, In c C -> In d C -> c <> d ->
  (forall ship e, In ship R -> In e ship -> ~ In e C) ->
  finishes s (R ++ all_but c C) ->
  misses_at s (R ++ all_but c C) c \/ misses_at s (R ++ all_but d C) d.
Proof.
  intros s R C c d Hc Hd Hne Hapart [k Hk].
  set (rest := R ++ map (fun e => [e]) (remove Nat.eq_dec c (remove Nat.eq_dec d C))).
  assert (Hships : forall a b, In b C -> a <> b -> forall ship,
    In ship (R ++ all_but a C) <->
    In ship ((R ++ map (fun e => [e]) (remove Nat.eq_dec a (remove Nat.eq_dec b C))) ++ [[b]])).
  { intros a b Hb Hab ship. rewrite !in_app_iff. unfold all_but. rewrite !in_map_iff. split.
    - intros [H | [e [<- He]]]; [tauto |]. apply in_remove in He as [He1 He2].
      destruct (Nat.eq_dec e b) as [-> | Heb]; [right; now left |]. left. right. exists e. split; [reflexivity |].
      now apply in_in_remove, in_in_remove.
    - intros [[H | [e [<- He]]] | [<- | []]]; [tauto | |].
      + right. exists e. split; [reflexivity |]. apply in_remove in He as [He1 He2].
        apply in_remove in He1 as [He1 _]. now apply in_in_remove.
      + right. exists b. split; [reflexivity |]. apply in_in_remove; [congruence | exact Hb]. }
  assert (Hfirst : forall ship, In ship (R ++ all_but c C) <-> In ship (rest ++ [[d]])) by now apply Hships.
  assert (Hsecond : forall ship, In ship (R ++ all_but d C) <-> In ship (rest ++ [[c]])).
  { intros ship. rewrite (Hships d c Hc (not_eq_sym Hne) ship). unfold rest. rewrite !in_app_iff, !in_map_iff.
    split; (intros [[H | [e [<- He]]] | H]; [tauto | left; right; exists e; split; [reflexivity |] | tauto]);
      apply in_remove in He as [He1 He2]; apply in_remove in He1 as [He1 He3];
      now apply in_in_remove, in_in_remove. }
  destruct (two_fleets s rest [d] [c]) as [[e [He1 [He2 [k0 Hm]]]] | [e [He1 [He2 [k0 Hm]]]]].
  - repeat constructor. easy.
  - repeat constructor. easy.
  - reflexivity.
  - intros H. destruct (H d (or_introl eq_refl)) as [E | []]. congruence.
  - unfold rest. intros ship e Hship He. apply in_app_or in Hship as [Hship | Hship].
    + pose proof (Hapart ship e Hship He). split; (intros [<- | []]; contradiction).
    + apply in_map_iff in Hship as [z [<- Hz]]. destruct He as [<- | []].
      apply in_remove in Hz as [Hz Hz1]. apply in_remove in Hz as [_ Hz2].
      split; (intros [E | []]; congruence).
  - exists k. intros ship e Hship He. rewrite <- (same_ships s _ _ k Hfirst). apply Hfirst in Hship.
    now apply (Hk ship e).
  - destruct He1 as [<- | []]. left. exists k0. now rewrite (same_ships s _ _ k0 Hfirst).
  - destruct He1 as [<- | []]. right. exists k0. now rewrite (same_ships s _ _ k0 Hsecond).
Qed.

Example single_decks_holds : misses_at in_order ([[7]] ++ all_but 1 [1; 3])%nat 1%nat \/
  misses_at in_order ([[7]] ++ all_but 3 [1; 3])%nat 3%nat.
Proof.
  apply single_decks; [now left | right; now left | discriminate | |].
  - intros ship e [<- | []] [<- | []]. cbn. intuition discriminate.
  - exists 8%nat. intros ship e Hship He. cbn in *. intuition (subst; cbn in *; intuition).
Qed.

(** ** Counting fleets cell by cell *)

(** A ship is given by its upper left cell, its width and its height. *)
Record ship := Ship { column : Z; row : Z; width : Z; height : Z }.

(** Cells are decided row by row. *)
Definition decided (x y : Z) (s : ship) : Prop := (row s < y \/ row s = y /\ column s < x)%Z.

(** The cells that a ship closes: the ship with its margin of one cell or, if ships may touch, only its own cells. *)
Definition closes (margin : Z) (s : ship) (c r : Z) : Prop :=
  (column s - margin <= c < column s + width s + margin /\ row s - margin <= r < row s + height s + margin)%Z.

(** The next row in a column, before the cell (x, y) is decided. *)
Definition comes_next (x y c : Z) : Z := if (c <? x)%Z then (y + 1)%Z else y.

(**
   Claim: Before the cell (x, y) is decided, consider the cells of a column that are in the zones of the ships so far,
     from the next row of that column on. If there are any, they form a stretch without gaps that begins with that row.
     If ships may touch, the same is true of the ships' own cells.
   Prose: naval.md, Lemma 1
   Code: CountFleets
*)
Theorem closed_without_gaps : forall margin x y ships c r q, (margin = 0 \/ margin = 1)%Z ->
  Forall (decided x y) ships -> Exists (fun s => closes margin s c r) ships -> (comes_next x y c <= q <= r)%Z ->
  Exists (fun s => closes margin s c q) ships.
Proof.
  intros margin x y ships c r q Hmargin Hdecided H Hq. unfold comes_next in Hq.
  assert (Hrow : (y <= q <= r)%Z) by (destruct (Z.ltb_spec c x); lia). apply Exists_exists in H as [s [Hs H]].
  rewrite Forall_forall in Hdecided. specialize (Hdecided s Hs). apply Exists_exists. exists s. split; [exact Hs |].
  unfold decided, closes in *. lia.
Qed.

Example closed_without_gaps_holds : Exists (fun s => closes 1 s 3 3) [Ship 2 2 2 1].
Proof.
  apply (closed_without_gaps 1 4 2 [Ship 2 2 2 1] 3 3 3); [now right | | | change (3 <= 3 <= 3)%Z; lia].
  - constructor; [unfold decided; cbn [row column]; lia | constructor].
  - apply Exists_cons_hd. unfold closes. repeat split; vm_compute; congruence.
Qed.

(** ** Who wins *)

(** The answers to a player's shots, in order: true for a hit, false for a miss. The last shot sinks the last ship. *)
Definition missed (shots : list bool) : nat := length (filter negb shots).

(** The game: after a hit, a player shoots again; a miss ends the turn. [first_moves] tells whose turn it is, [first]
    and [second] are the shots that the players have left, and the result is whether the first player wins. *)
Fixpoint first_wins (fuel : nat) (first_moves : bool) (first second : list bool) : option bool :=
  match fuel with
  | O => None
  | S fuel =>
      match (if first_moves then first else second) with
      | [] => Some first_moves
      | hit :: rest =>
          if first_moves then first_wins fuel hit rest second else first_wins fuel (negb hit) first rest
      end
  end.

(**
   Claim: The player who needs fewer misses to sink the other player's fleet wins. If both need the same number, the
     player who moves first wins.
   Settles: naval-race
*)
Theorem fewer_misses_win : forall first second,
  first_wins (S (length first + length second)) true first second = Some (missed first <=? missed second)%nat.
Proof.
  assert (G : forall n moves first second, (length first + length second <= n)%nat ->
    first_wins (S n) moves first second =
      Some (if moves then (missed first <=? missed second)%nat else (missed first <? missed second)%nat)).
  { induction n as [| n IH]; intros [|] [| a first] [| b second] H; cbn [length] in H; try lia; try reflexivity.
    - change (first_wins (S (S n)) true (a :: first) []) with (first_wins (S n) a first []). rewrite IH by (cbn; lia).
      destruct a; reflexivity.
    - change (first_wins (S (S n)) true (a :: first) (b :: second)) with (first_wins (S n) a first (b :: second)).
      rewrite IH by (cbn [length]; lia). destruct a; reflexivity.
    - change (first_wins (S (S n)) false [] (b :: second)) with (first_wins (S n) (negb b) [] second).
      rewrite IH by (cbn; lia). destruct b; reflexivity.
    - change (first_wins (S (S n)) false (a :: first) (b :: second)) with
        (first_wins (S n) (negb b) (a :: first) second).
      rewrite IH by (cbn [length]; lia). destruct b; reflexivity. }
  intros first second. apply (G _ true). lia.
Qed.

Example fewer_misses_win_holds : first_wins 8 true [false; true; false; true] [false; true; true] = Some false.
Proof. exact (fewer_misses_win [false; true; false; true] [false; true; true]). Qed.
