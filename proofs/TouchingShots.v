(** The naval battle: how many shots every shooter needs on average if ships may touch. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import TwoFleets ShotsBound.
Import ListNotations.

Definition disjoint (p q : list nat) : Prop := forall c, In c p -> ~ In c q.

(** Cells that share a side. *)
Definition beside (col row : nat -> Z) (c d : nat) : Prop :=
  (Z.abs (col c - col d) + Z.abs (row c - row d) = 1)%Z.

(** A fleet with ships of these lengths is on the board, and no two ships overlap. *)
Definition lies_close (col row : nat -> Z) (board decks : list nat) (f : list (list nat)) : Prop :=
  (forall k, count_occ Nat.eq_dec (map (@length nat) f) k = count_occ Nat.eq_dec decks k) /\
  (forall p, In p f -> in_line col row p /\ incl p board) /\ each_two disjoint f.

(** A way to place the fleet with a shape instead of one of its ships, which has at least two decks: the cells of the
    shape, and the other ships, which may touch the shape. *)
Definition laid_close (col row : nat -> Z) (board decks : list nat) (way : list nat * list (list nat)) : Prop :=
  let (shape, rest) := way in
  exists p q, 2 <= length p /\ makes_shape col row p q /\ (forall c, In c shape <-> In c p \/ In c q) /\
  incl shape board /\
  (forall k, count_occ Nat.eq_dec (map (@length nat) (p :: rest)) k = count_occ Nat.eq_dec decks k) /\
  (forall r, In r rest -> in_line col row r /\ incl r board /\ disjoint r shape) /\ each_two disjoint rest.

(** No cell of the board has more than this many neighbours on the board. *)
Definition most_sides (col row : nat -> Z) (board : list nat) (sides : nat) : Prop :=
  forall c l, In c board -> NoDup l -> (forall d, In d l -> In d board /\ beside col row c d) -> length l <= sides.

(** ** Fleets *)

Lemma disjoint_turned : forall p q, disjoint p q -> disjoint q p.
Proof. intros p q H c Hc Hd. exact (H c Hd Hc). Qed.

Lemma close_shots : forall col row board decks s f k, lies_close col row board decks f -> finished s f k ->
  list_sum decks + length (misses s f k) <= k.
Proof.
  intros col row board decks s f k [Hcount [Hline Htwo]] Hk.
  assert (Hnodup : NoDup (concat f)).
  { clear Hcount Hk. induction f as [| p f IH]; [constructor |]. destruct Htwo as [Hp Htwo]. cbn. apply no_common.
    - apply (line_has_no_cell_twice col row), Hline. now left.
    - apply IH; [| exact Htwo]. intros q Hq. apply Hline. now right.
    - intros c Hc Hin. apply in_concat in Hin as [q [Hq Hcq]]. exact (Hp q Hq c Hc Hcq). }
  assert (Hsum : length (concat f) = list_sum decks).
  { rewrite <- (same_counts_same_sum _ _ Hcount). clear. induction f as [| p f IH]; [reflexivity |].
    cbn [concat map]. rewrite app_length, IH. reflexivity. }
  rewrite <- Hsum, <- app_length. apply Nat.le_trans with (length (map fst (record_of s f k)));
    [| rewrite map_length, record_length; lia].
  apply NoDup_incl_length.
  - apply no_common; [exact Hnodup | apply NoDup_nodup |]. intros c Hc Hm. apply in_misses in Hm.
    apply in_concat in Hc as [p [Hp Hcp]]. now apply (miss_is_water s f k c Hm p).
  - intros c Hc. apply in_app_iff in Hc as [Hc | Hc].
    + apply in_concat in Hc as [p [Hp Hcp]]. now apply (Hk p).
    + apply in_misses in Hc. apply in_map_iff. now exists (c, Miss).
Qed.

Lemma same_ship : forall f p q c, each_two disjoint f -> In p f -> In q f -> In c p -> In c q -> p = q.
Proof.
  intros f p q c Htwo Hp Hq Hcp Hcq.
  destruct (each_two_in disjoint f p q disjoint_turned Htwo Hp Hq) as [E | H]; [exact E |]. now destruct (H c Hcp).
Qed.

Lemma close_without : forall col row board k decks l p m, length p = k ->
  lies_close col row board (k :: decks) (l ++ p :: m) -> lies_close col row board decks (l ++ m).
Proof.
  intros col row board k decks l p m E [Hcount [Hline Htwo]]. split; [| split].
  - intros n. specialize (Hcount n). rewrite map_app, count_occ_app in *. cbn [map count_occ] in Hcount.
    rewrite E in Hcount. destruct (Nat.eq_dec k n); lia.
  - intros q Hq. apply Hline, in_app_iff. apply in_app_iff in Hq as [Hq | Hq]; [now left | right; now right].
  - now apply each_two_without in Htwo.
Qed.

(** Of two fleets that each lack one place, one has a miss there. *)
Lemma lacking_a_place : forall s g p q f h k j, each_two disjoint g -> In p g -> In q g -> p <> q ->
  (exists x, In x p) -> (exists y, In y q) -> ~ In p f -> ~ In q h ->
  same_fleet g (p :: f) -> same_fleet g (q :: h) -> finished s f k -> finished s h j ->
  (exists c, In c p /\ In c (misses s f k)) \/ (exists c, In c q /\ In c (misses s h j)).
Proof.
  intros s g p q f h k j Htwo Hp Hq Hne [x Hx] [y Hy] Hpf Hqh Ef Eh Hk Hj.
  set (eq_dec := list_eq_dec Nat.eq_dec). set (R := remove eq_dec p (remove eq_dec q g)).
  assert (HR : forall r, In r R <-> In r g /\ r <> p /\ r <> q).
  { intros r. unfold R. split.
    - intros H. apply in_remove in H as [H H1]. apply in_remove in H as [H H2]. tauto.
    - intros [H [H1 H2]]. now apply in_in_remove, in_in_remove. }
  assert (Hpq : forall c, In c p -> ~ In c q).
  { intros c Hcp Hcq. apply Hne. now apply (same_ship g p q c). }
  destruct (one_has_a_miss s R q p f h k j) as [[c [H1 [_ H2]]] | [c [H1 [_ H2]]]].
  - exists y. split; [exact Hy |]. intros H. now apply (Hpq y).
  - exists x. split; [exact Hx | now apply Hpq].
  - intros r c Hr Hc. apply HR in Hr as [Hr [H1 H2]].
    split; intros Hin; [apply H2 | apply H1]; now apply (same_ship g r _ c).
  - intros r. specialize (Ef r). cbn [In] in *. rewrite HR. split.
    + intros Hr. destruct (eq_dec r q) as [-> | Hrq]; [now left | right]. split; [tauto |]. split; [| exact Hrq].
      intros ->. contradiction.
    + intros [<- | [Hr [H1 H2]]]; [destruct (proj1 Ef Hq); [congruence | assumption] |].
      destruct (proj1 Ef Hr); [congruence | assumption].
  - intros r. specialize (Eh r). cbn [In] in *. rewrite HR. split.
    + intros Hr. destruct (eq_dec r p) as [-> | Hrp]; [now left | right]. split; [tauto |]. split; [exact Hrp |].
      intros ->. contradiction.
    + intros [<- | [Hr [H1 H2]]]; [destruct (proj1 Eh Hp); [congruence | assumption] |].
      destruct (proj1 Eh Hr); [congruence | assumption].
  - exact Hk.
  - exact Hj.
  - left. now exists c.
  - right. now exists c.
Qed.

(** ** Shares *)

(** A share of a miss consists of a fleet, the missed cell, and a neighbour of that cell. *)
Definition share : Type := list (list nat) * nat * nat.

(** A share that is counted for the fleet [g], which has one more ship of two decks: that ship covers both cells. *)
Definition share_of_fleet (col row : nat -> Z) (board : list nat) (s : shooter) (F : list (list (list nat)))
    (shots : list (list nat) -> nat) (g : list (list nat)) (e : share) : Prop :=
  let '(f, c, d) := e in
  In f F /\ In c (misses s f (shots f)) /\ In c board /\ In d board /\ beside col row c d /\
  exists q, length q = 2 /\ in_line col row q /\ In c q /\ In d q /\ same_fleet g (q :: f) /\
  forall r, In r f -> disjoint q r.

(** A share that is counted for a shape: a ship that covers the neighbour can be moved to the missed cell. *)
Definition share_of_shape (col row : nat -> Z) (board : list nat) (s : shooter) (F : list (list (list nat)))
    (shots : list (list nat) -> nat) (way : list nat * list (list nat)) (e : share) : Prop :=
  let (shape, rest) := way in let '(f, c, d) := e in
  In f F /\ In c (misses s f (shots f)) /\ In c board /\ In d board /\ beside col row c d /\
  exists p q, makes_shape col row p q /\ In c q /\ ~ In c p /\ In d p /\
  (forall z, In z shape <-> In z p \/ In z q) /\ same_fleet f (p :: rest) /\ forall r, In r rest -> disjoint r shape.

Lemma neighbour_in_place : forall col row p q c, 2 <= length p -> makes_shape col row p q -> In c q -> ~ In c p ->
  exists d, In d p /\ beside col row c d.
Proof.
  intros col row p q c Hlen H Hc Hnot. apply shape_of in H as [_ [Hp [Hq [H | [H | H]]]]].
  - destruct H as [a [b [-> _]]]. cbn in Hlen. lia.
  - destruct H as [a [b [u [v [w [-> [-> [_ [Hw1 Hw2]]]]]]]]]. exists w. split; [exact Hw1 |].
    assert (Hne : c <> w) by (intros ->; contradiction).
    apply two_in_line in Hq. unfold beside.
    destruct Hc as [<- | [<- | []]], Hw2 as [<- | [<- | []]]; (congruence || lia).
  - destruct H as [_ [dx [dy [Hd H]]]]. destruct (moved_from _ p q c H Hc) as [i [Hi [E1 E2]]].
    exists (nth i p 0). split; [now apply nth_In |]. unfold beside. lia.
Qed.

Lemma share_of_a_shape : forall col row board decks s F shots way,
  (forall f, lies_close col row board decks f -> exists h, In h F /\ same_fleet h f) ->
  (forall f, In f F -> finished s f (shots f)) -> laid_close col row board decks way ->
  exists es, NoDup es /\ 1 <= length es /\ forall e, In e es -> share_of_shape col row board s F shots way e.
Proof.
  intros col row board decks s F shots [shape rest] Hall Hfin
    [p [q [Hlen [Hpq [Hshape [Hboard [Hcount [Hrest Htwo]]]]]]]].
  enough (H : exists e, share_of_shape col row board s F shots (shape, rest) e).
  { destruct H as [e He]. exists [e]. split; [repeat constructor; easy |]. split; [cbn; lia |].
    intros z [<- | []]. exact He. }
  assert (Hlies : forall z, length z = length p -> in_line col row z -> incl z shape ->
    lies_close col row board decks (z :: rest)).
  { intros z Ez Hz Hin. split; [| split].
    - intros k. rewrite <- Hcount. cbn [map]. now rewrite Ez.
    - intros r [<- | Hr]; [| destruct (Hrest r Hr) as [H1 [H2 _]]; now split]. split; [exact Hz |].
      intros c Hc. now apply Hboard, Hin.
    - split; [| exact Htwo]. intros r Hr c Hc Hcr. destruct (Hrest r Hr) as [_ [_ Hap]].
      apply (Hap c Hcr), Hin, Hc. }
  pose proof (shape_turned col row p q Hpq) as Hqp. pose proof (shape_of col row p q Hpq) as [El [Hp [Hq _]]].
  assert (Hpin : incl p shape) by (intros c Hc; apply Hshape; now left).
  assert (Hqin : incl q shape) by (intros c Hc; apply Hshape; now right).
  destruct (Hall _ (Hlies p eq_refl Hp Hpin)) as [f [Hf Ef]], (Hall _ (Hlies q El Hq Hqin)) as [h [Hh Eh]].
  assert (Hap : forall r, In r rest -> disjoint r shape) by (intros r Hr; apply (Hrest r Hr)).
  destruct (one_has_a_miss s rest p q f h (shots f) (shots h)) as [[c [H1 [H2 H3]]] | [c [H1 [H2 H3]]]]; try assumption.
  - now apply (not_within col row).
  - now apply (not_within col row).
  - intros r c Hr Hc. split; intros Hin; apply (Hap r Hr c Hc); first [exact (Hpin c Hin) | exact (Hqin c Hin)].
  - now apply Hfin.
  - now apply Hfin.
  - destruct (neighbour_in_place col row p q c Hlen Hpq H1 H2) as [d [Hd Hb]]. exists (f, c, d).
    split; [exact Hf |]. split; [exact H3 |]. split; [now apply Hboard, Hqin |]. split; [now apply Hboard, Hpin |].
    split; [exact Hb |]. exists p, q. repeat (split; [assumption |]). exact Hap.
  - destruct (neighbour_in_place col row q p c ltac:(lia) Hqp H1 H2) as [d [Hd Hb]]. exists (h, c, d).
    split; [exact Hh |]. split; [exact H3 |]. split; [now apply Hboard, Hpin |]. split; [now apply Hboard, Hqin |].
    split; [exact Hb |]. exists q, p. repeat (split; [assumption |]).
    split; [intros z; rewrite (Hshape z); tauto |]. split; [exact Eh | exact Hap].
Qed.

Definition domino (p : list nat) : bool := length p =? 2.

Lemma how_many_dominoes : forall g, length (filter domino g) = count_occ Nat.eq_dec (map (@length nat) g) 2.
Proof.
  intros g. induction g as [| p g IH]; [reflexivity |].
  cbn [filter map count_occ]. unfold domino at 1. destruct (Nat.eqb_spec (length p) 2), (Nat.eq_dec (length p) 2);
    cbn [length]; lia.
Qed.

Lemma dominoes_differ : forall g, each_two disjoint g -> NoDup (filter domino g).
Proof.
  intros g. induction g as [| p g IH]; intros Htwo; [constructor |]. destruct Htwo as [Hp Htwo]. cbn [filter].
  destruct (domino p) eqn:E; [| now apply IH]. constructor; [| now apply IH]. intros Hin.
  apply filter_In in Hin as [Hin _]. apply Nat.eqb_eq in E. destruct (of_two p E) as [a [b ->]].
  apply (Hp [a; b] Hin a); now left.
Qed.

Lemma each_two_of : forall {A B} (h : A -> B) (rel : A -> A -> Prop) l, NoDup (map h l) ->
  (forall a b, In a l -> In b l -> h a <> h b -> rel a b) -> each_two rel l.
Proof.
  intros A B h rel l. induction l as [| a l IH]; intros Hnodup H; [exact I |].
  inversion Hnodup as [| ? ? Hnot Hrest]; subst. split.
  - intros b Hb. apply H; [now left | now right |]. intros E. apply Hnot. rewrite E. now apply in_map.
  - apply IH; [exact Hrest |]. intros b c Hb Hc. apply H; now right.
Qed.

Lemma each_two_filter : forall {A} (rel : A -> A -> Prop) good l, each_two rel l -> each_two rel (filter good l).
Proof.
  intros A rel good l. induction l as [| a l IH]; intros H; [exact I |]. destruct H as [Ha Hl]. cbn [filter].
  destruct (good a); [| now apply IH]. split; [| now apply IH]. intros b Hb. apply filter_In in Hb. now apply Ha.
Qed.

(** The share of a fleet that lacks a place of two cells. It belongs to the first cell, in the order of the place, at
    which there is a miss. *)
Definition share_at (s : shooter) (shots : list (list nat) -> nat) (e : list nat * list (list nat)) : share :=
  let (q, f) := e in let a := nth 0 q 0 in let b := nth 1 q 0 in
  if has (misses s f (shots f)) a then (f, a, b) else (f, b, a).

Lemma shares_of_a_fleet : forall col row board decks s F shots g,
  (forall f, lies_close col row board decks f -> exists h, In h F /\ same_fleet h f) ->
  (forall f, In f F -> finished s f (shots f)) -> lies_close col row board (2 :: decks) g ->
  exists es, NoDup es /\ count_occ Nat.eq_dec decks 2 <= length es /\
    forall e, In e es -> share_of_fleet col row board s F shots g e.
Proof.
  intros col row board decks s F shots g Hall Hfin Hg. pose proof Hg as [Hcount [Hline Htwo]].
  assert (Hlist : forall l, NoDup l -> incl l (filter domino g) -> exists es, map fst es = l /\ forall e, In e es ->
    In (fst e) g /\ length (fst e) = 2 /\ In (snd e) F /\ same_fleet g (fst e :: snd e) /\
    forall r, In r (snd e) -> disjoint (fst e) r).
  { intros l Hl. induction Hl as [| q l Hq Hl IH]; intros Hincl; [exists []; split; [reflexivity | easy] |].
    destruct IH as [es [E Hes]]; [intros z Hz; apply Hincl; now right |].
    pose proof (Hincl q (or_introl eq_refl)) as Hin. apply filter_In in Hin as [Hin Hdom]. apply Nat.eqb_eq in Hdom.
    destruct (in_split _ _ Hin) as [l1 [l2 Eg]].
    destruct (Hall (l1 ++ l2)) as [f [HfF Hf]].
    { apply (close_without col row board 2 decks l1 q l2); [exact Hdom | now rewrite <- Eg]. }
    unfold same_fleet in Hf. exists ((q, f) :: es). split; [cbn; now rewrite E |].
    intros e [<- | He]; [| now apply Hes].
    cbn [fst snd]. split; [exact Hin |]. split; [exact Hdom |]. split; [exact HfF |]. split.
    - intros r. cbn [In]. rewrite (Hf r), Eg, !in_app_iff. cbn [In]. tauto.
    - intros r Hr. apply Hf in Hr. rewrite Eg in Htwo.
      now apply (each_two_middle disjoint l1 q l2 r disjoint_turned Htwo). }
  destruct (Hlist (filter domino g) (dominoes_differ g Htwo) (fun z Hz => Hz)) as [es [E Hes]].
  pose proof (dominoes_differ g Htwo) as Hnodup. rewrite <- E in Hnodup.
  set (good := fun e : list nat * list (list nat) => existsb (has (misses s (snd e) (shots (snd e)))) (fst e)).
  assert (Hcell : forall q : list nat, length q = 2 -> exists c, In c q).
  { intros q Hq. destruct (of_two q Hq) as [a [b ->]]. exists a. now left. }
  assert (Hself : forall e, In e es -> ~ In (fst e) (snd e)).
  { intros e He Hin. destruct (Hes e He) as [_ [H2 [_ [_ H5]]]]. destruct (Hcell _ H2) as [c Hc].
    exact (H5 _ Hin c Hc Hc). }
  assert (Hgood : each_two (fun a b => good a = true \/ good b = true) es).
  { apply (each_two_of fst); [exact Hnodup |]. intros a b Ha Hb Hne.
    destruct (Hes a Ha) as [A1 [A2 [A3 [A4 A5]]]], (Hes b Hb) as [B1 [B2 [B3 [B4 B5]]]].
    destruct (lacking_a_place s g (fst a) (fst b) (snd a) (snd b) (shots (snd a)) (shots (snd b)))
      as [[c [H1 H2]] | [c [H1 H2]]]; try assumption; try (now apply Hcell); try (now apply Hself);
      try (now apply Hfin);
      [left | right]; apply existsb_exists; exists c; split; try exact H1; now apply has_is. }
  assert (Hshare : forall e, In e es -> good e = true -> exists c d,
    share_at s shots e = (snd e, c, d) /\ In c (fst e) /\ In d (fst e) /\ beside col row c d /\
    In c (misses s (snd e) (shots (snd e)))).
  { intros [q f] He Hm. destruct (Hes _ He) as [H1 [H2 _]]. cbn [fst snd] in *.
    destruct (Hline q H1) as [Hq _]. destruct (of_two q H2) as [a [b ->]]. apply two_in_line in Hq.
    unfold good in Hm. cbn [fst snd existsb] in Hm. unfold share_at. cbn [nth].
    destruct (has (misses s f (shots f)) a) eqn:Ea.
    - exists a, b. apply has_is in Ea. repeat split; try assumption; try (cbn; tauto). unfold beside. lia.
    - cbn [orb] in Hm. rewrite orb_false_r in Hm. exists b, a. apply has_is in Hm.
      repeat split; try assumption; try (cbn; tauto). unfold beside. lia. }
  exists (map (share_at s shots) (filter good es)). split; [| split].
  - assert (Hdiff : each_two (fun a b => share_at s shots a <> share_at s shots b) (filter good es)).
    { apply (each_two_map (fun a b => fst a <> fst b)).
      - intros a b Ha Hb Hne Esame. apply Hne. apply filter_In in Ha as [Ha Ga], Hb as [Hb Gb].
        destruct (Hshare a Ha Ga) as [c [d [E1 [H1 _]]]], (Hshare b Hb Gb) as [c2 [d2 [E2 [H2 _]]]].
        rewrite E1, E2 in Esame. injection Esame as _ Ec _. subst c2.
        apply (same_ship g _ _ c Htwo); [exact (proj1 (Hes a Ha)) | exact (proj1 (Hes b Hb)) | exact H1 | exact H2].
      - apply each_two_filter, (each_two_of fst); [exact Hnodup | easy]. }
    clear - Hdiff. induction (filter good es) as [| a l IH]; [constructor |]. destruct Hdiff as [Ha Hl].
    cbn [map]. constructor; [| now apply IH]. intros Hin. apply in_map_iff in Hin as [b [Eb Hb]].
    apply (Ha b Hb). now symmetry.
  - pose proof (all_but_one good es Hgood) as H. rewrite map_length.
    rewrite <- (map_length fst es), E, how_many_dominoes, Hcount in H.
    cbn [count_occ] in H. destruct (Nat.eq_dec 2 2); [lia | easy].
  - intros e He. apply in_map_iff in He as [[q f] [<- He]]. apply filter_In in He as [He Hm].
    destruct (Hshare _ He Hm) as [c [d [-> [H1 [H2 [H3 H4]]]]]]. destruct (Hes _ He) as [G1 [G2 [G3 [G4 G5]]]].
    cbn [fst snd] in *. destruct (Hline q G1) as [Hq Hboard].
    split; [exact G3 |]. split; [exact H4 |]. split; [now apply Hboard |]. split; [now apply Hboard |].
    split; [exact H3 |]. exists q. repeat (split; [assumption |]). exact G5.
Qed.

(** Each share is counted only once. *)
Lemma fleet_by_share : forall col row board s F shots g h e, share_of_fleet col row board s F shots g e ->
  share_of_fleet col row board s F shots h e -> same_fleet g h.
Proof.
  intros col row board s F shots g h [[f c] d]
    [_ [_ [_ [_ [Hb [q [H1 [H2 [H3 [H4 [H5 _]]]]]]]]]]] [_ [_ [_ [_ [_ [q2 [G1 [G2 [G3 [G4 [G5 _]]]]]]]]]]].
  assert (E : q = q2).
  { assert (Hne : c <> d) by (intros ->; unfold beside in Hb; lia).
    destruct (of_two q H1) as [a [b ->]], (of_two q2 G1) as [a2 [b2 ->]]. apply two_in_line in H2, G2.
    destruct H3 as [H3 | [H3 | []]], H4 as [H4 | [H4 | []]], G3 as [G3 | [G3 | []]], G4 as [G4 | [G4 | []]]; subst;
      first [reflexivity | congruence | exfalso; lia]. }
  subst q2. intros r. rewrite (H5 r), (G5 r). reflexivity.
Qed.

Lemma shape_by_share : forall col row board decks s F shots v w e,
  (forall c d, col c = col d -> row c = row d -> c = d) ->
  (forall f, In f F -> lies_close col row board decks f) ->
  share_of_shape col row board s F shots v e -> share_of_shape col row board s F shots w e -> same_way v w.
Proof.
  intros col row board decks s F shots [shape rest] [shape2 rest2] [[f c] d] Hinj Hlies
    [Hf [_ [_ [_ [_ [p [q [H1 [H2 [H3 [H4 [H5 [H6 H7]]]]]]]]]]]]]
    [_ [_ [_ [_ [_ [p2 [q2 [G1 [G2 [G3 [G4 [G5 [G6 G7]]]]]]]]]]]]].
  unfold same_fleet in *. destruct (Hlies f Hf) as [_ [_ Htwo]].
  assert (E : p = p2).
  { apply (same_ship f p p2 d Htwo); [apply H6; now left | apply G6; now left | exact H4 | exact G4]. }
  subst p2. pose proof (one_shape col row p q q2 c Hinj H1 G1 H2 G2 H3). subst q2. split; cbn [fst snd].
  - intros z. rewrite (H5 z), (G5 z). reflexivity.
  - intros r. split; intros Hr.
    + destruct (proj1 (G6 r) (proj2 (H6 r) (or_intror Hr))) as [<- | Hr2]; [| exact Hr2]. exfalso.
      apply (H7 p Hr d H4), H5. now left.
    + destruct (proj1 (H6 r) (proj2 (G6 r) (or_intror Hr))) as [<- | Hr2]; [| exact Hr2]. exfalso.
      apply (G7 p Hr d G4), G5. now left.
Qed.

Lemma not_both_shares : forall col row board s F shots g v e, share_of_fleet col row board s F shots g e ->
  share_of_shape col row board s F shots v e -> False.
Proof.
  intros col row board s F shots g [shape rest] [[f c] d]
    [_ [_ [_ [_ [_ [q [_ [_ [_ [Hd [_ Hap]]]]]]]]]]] [_ [_ [_ [_ [_ [p [q2 [_ [_ [_ [Hdp [_ [H6 _]]]]]]]]]]]]].
  apply (Hap p (proj2 (H6 p) (or_introl eq_refl)) d Hd Hdp).
Qed.

(** All shares of the misses at the fleets in a list. *)
Definition beside_dec (col row : nat -> Z) (c d : nat) : bool := (Z.abs (col c - col d) + Z.abs (row c - row d) =? 1)%Z.

Definition neighbours (col row : nat -> Z) (board : list nat) (c : nat) : list nat :=
  if has board c then filter (beside_dec col row c) (nodup Nat.eq_dec board) else [].

Definition all_shares (col row : nat -> Z) (board : list nat) (s : shooter) (F : list (list (list nat)))
    (shots : list (list nat) -> nat) : list share :=
  flat_map (fun f => flat_map (fun c => map (pair (f, c)) (neighbours col row board c)) (misses s f (shots f))) F.

Lemma in_all_shares : forall col row board s F shots f c d, In f F -> In c (misses s f (shots f)) -> In c board ->
  In d board -> beside col row c d -> In (f, c, d) (all_shares col row board s F shots).
Proof.
  intros col row board s F shots f c d Hf Hm Hc Hd Hb. apply in_flat_map. exists f. split; [exact Hf |].
  apply in_flat_map. exists c. split; [exact Hm |]. apply in_map. unfold neighbours.
  destruct (has board c) eqn:E; [| apply has_is in Hc; congruence].
  apply filter_In. split; [now apply nodup_In |]. unfold beside_dec. now apply Z.eqb_eq.
Qed.

Lemma shares_of_a_list : forall col row board sides f l, most_sides col row board sides ->
  length (flat_map (fun c => map (@pair (list (list nat) * nat) nat (f, c)) (neighbours col row board c)) l) <=
    sides * length l.
Proof.
  intros col row board sides f l Hsides. induction l as [| c l IH]; [cbn; lia |]. cbn [flat_map length].
  rewrite app_length, map_length. enough (length (neighbours col row board c) <= sides) by lia.
  unfold neighbours. destruct (has board c) eqn:E; [| cbn; lia]. apply (Hsides c).
  - now apply has_is.
  - apply NoDup_filter, NoDup_nodup.
  - intros d Hd. apply filter_In in Hd as [Hd Hb]. apply nodup_In in Hd. split; [exact Hd |]. now apply Z.eqb_eq.
Qed.

(** A ship of two decks on a strip of four cells. *)
Lemma two_on_a_strip : forall f, lies_close Z.of_nat (fun _ => 0%Z) [0; 1; 2; 3] [2] f ->
  In f [[[0; 1]]; [[1; 2]]; [[2; 3]]].
Proof.
  intros f [Hcount [Hline _]]. destruct (only_ship 2 f Hcount) as [p [-> Hp]]. destruct (of_two p Hp) as [a [b ->]]. destruct (Hline [a; b] (or_introl eq_refl)) as [Hin Hboard].
  apply two_in_line in Hin. assert (b = S a) by lia. subst b.
  pose proof (Hboard (S a) (or_intror (or_introl eq_refl))) as Hb. cbn in Hb.
  assert (a = 0 \/ a = 1 \/ a = 2) as [-> | [-> | ->]] by lia; cbn; tauto.
Qed.

Lemma two_cells : forall a, in_line Z.of_nat (fun _ => 0%Z) [a; S a].
Proof.
  intros a. exists (Z.of_nat a), 0%Z, 1%Z, 0%Z. split; [lia |]. intros i Hi. cbn [length] in Hi.
  destruct i as [| [| i]]; cbn [nth]; lia.
Qed.

(**
   Claim: Let M be the number of ways to place the fleet on a board so that ships do not overlap, and let M+ be the
     number for a fleet with one more ship of two decks. Let P be the number of ways to place the fleet with a shape
     instead of one of its ships, which has at least two decks; other ships may touch the shape. Let the fleet have j
     ships of two decks, and H decks, and let no cell have more than E neighbours. To hit all decks, a shooter needs at
     least MH + (j M+ + P)/E shots at all fleets together. So the shooter needs at least H + (j M+ + P)/(EM) shots on
     average. Equal ships are not distinguished.
   Prose: naval.md, Theorem 3
   Code: TouchingShotsBound
*)
Theorem touching_shots_bound : forall col row board decks s fleets more ways shots sides,
  (forall c d, col c = col d -> row c = row d -> c = d) -> most_sides col row board sides ->
  (forall f, In f fleets -> lies_close col row board decks f) ->
  (forall f, lies_close col row board decks f -> exists h, In h fleets /\ same_fleet h f) ->
  (forall g, In g more -> lies_close col row board (2 :: decks) g) -> each_two (fun g h => ~ same_fleet g h) more ->
  (forall w, In w ways -> laid_close col row board decks w) -> each_two (fun v w => ~ same_way v w) ways ->
  (forall f, In f fleets -> finished s f (shots f)) ->
  sides * (length fleets * list_sum decks) + count_occ Nat.eq_dec decks 2 * length more + length ways <=
    sides * list_sum (map shots fleets).
Proof.
  intros col row board decks s F more ways shots sides Hinj Hsides HF Hall Hmore Hdiff Hways Hdiff2 Hfin.
  destruct (gathered (share_of_fleet col row board s F shots) (count_occ Nat.eq_dec decks 2) more)
    as [es [E1 [E2 E3]]].
  { intros g Hg. apply (shares_of_a_fleet col row board decks); [exact Hall | exact Hfin | now apply Hmore]. }
  { revert Hdiff. apply each_two_map. intros g h _ _ Hne e Hg Hh. apply Hne.
    exact (fleet_by_share col row board s F shots g h e Hg Hh). }
  destruct (gathered (share_of_shape col row board s F shots) 1 ways) as [ds [D1 [D2 D3]]].
  { intros w Hw. apply (share_of_a_shape col row board decks); [exact Hall | exact Hfin | now apply Hways]. }
  { revert Hdiff2. apply each_two_map. intros v w _ _ Hne e Hv Hw. apply Hne.
    exact (shape_by_share col row board decks s F shots v w e Hinj HF Hv Hw). }
  assert (Hle : length (es ++ ds) <= length (all_shares col row board s F shots)).
  { apply NoDup_incl_length.
    - apply no_common; [exact E1 | exact D1 |]. intros e He Hd. destruct (E3 e He) as [g [_ Hg]].
      destruct (D3 e Hd) as [v [_ Hv]]. exact (not_both_shares col row board s F shots g v e Hg Hv).
    - intros [[f c] d] H. apply in_app_iff in H as [H | H].
      + destruct (E3 _ H) as [g [_ [Hf [Hm [Hc [Hd [Hb _]]]]]]]. now apply in_all_shares.
      + destruct (D3 _ H) as [[shape rest] [_ [Hf [Hm [Hc [Hd [Hb _]]]]]]]. now apply in_all_shares. }
  rewrite app_length in Hle.
  enough (G : sides * (length F * list_sum decks) + length (all_shares col row board s F shots) <=
    sides * list_sum (map shots F)) by lia.
  unfold all_shares. clear - HF Hfin Hsides. induction F as [| f F IH]; [cbn; lia |].
  pose proof (close_shots col row board decks s f (shots f) (HF f (or_introl eq_refl)) (Hfin f (or_introl eq_refl))).
  pose proof (shares_of_a_list col row board sides f (misses s f (shots f)) Hsides).
  cbn [flat_map map length]. rewrite app_length.
  change (list_sum (shots f :: map shots F)) with (shots f + list_sum (map shots F)).
  enough (sides * (length F * list_sum decks) + length (flat_map (fun f => flat_map
    (fun c => map (pair (f, c)) (neighbours col row board c)) (misses s f (shots f))) F) <=
    sides * list_sum (map shots F)) by nia.
  apply IH; intros h Hh; [apply HF | apply Hfin]; now right.
Qed.

Example touching_shots_bound_holds : 2 * (3 * 2) + 1 * 1 + 2 <= 2 * (2 + (3 + (4 + 0))).
Proof.
  apply (touching_shots_bound Z.of_nat (fun _ => 0%Z) [0; 1; 2; 3] [2] in_order [[[0; 1]]; [[1; 2]]; [[2; 3]]]
    [[[0; 1]; [2; 3]]] [([0; 1; 2], []); ([1; 2; 3], [])] (fun f => S (last (concat f) 0)) 2).
  - intros c d H _. lia.
  - intros c l _ Hnodup Hl. apply (NoDup_incl_length (l' := [S c; pred c])); [exact Hnodup |].
    intros d Hd. destruct (Hl d Hd) as [_ Hb]. unfold beside in Hb. cbn. lia.
  - intros f [<- | [<- | [<- | []]]]; (split; [reflexivity |]; split; [| cbn; tauto]);
      intros p [<- | []]; (split; [apply two_cells | intros c [<- | [<- | []]]; cbn; tauto]).
  - intros f Hf. exists f. split; [now apply two_on_a_strip | intros p; reflexivity].
  - intros g [<- | []]. split; [reflexivity |]. split.
    + intros p [<- | [<- | []]]; (split; [apply two_cells | intros c [<- | [<- | []]]; cbn; tauto]).
    + split; [| cbn; tauto]. intros p [<- | []] c [<- | [<- | []]] [H | [H | []]]; discriminate.
  - cbn. tauto.
  - assert (G : forall c, c < 2 -> laid_close Z.of_nat (fun _ => 0%Z) [0; 1; 2; 3] [2] ([c; S c; S (S c)], [])).
    { intros c Hc. exists [c; S c], [S c; S (S c)]. split; [cbn; lia |].
      split; [| split; [| split; [| split; [reflexivity | split; [easy | exact I]]]]].
      - split; [reflexivity |]. split; [apply two_cells |]. split; [apply two_cells |]. cbn [length]. split.
        + intros E. injection E. lia.
        + exists (S c). cbn. tauto.
      - intros d. cbn. tauto.
      - intros d [<- | [<- | [<- | []]]]; cbn; lia. }
    intros w [<- | [<- | []]]; apply G; lia.
  - split; [| cbn; tauto]. intros w [<- | []] [H _]. cbn [fst] in H. destruct (proj1 (H 0) (or_introl eq_refl))
      as [E | [E | [E | []]]]; discriminate.
  - intros f [<- | [<- | [<- | []]]] p c [<- | []] [<- | [<- | []]]; cbn; tauto.
Qed.
