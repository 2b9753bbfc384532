(** The naval battle: how many shots every shooter needs on average if ships must not touch. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import TwoFleets.
Import ListNotations.

(** A board is a list of cells, whose positions are given by [col] and [row]. *)
Definition touch (col row : nat -> Z) (c d : nat) : Prop :=
  (Z.abs (col c - col d) <= 1 /\ Z.abs (row c - row d) <= 1)%Z.

(** The cells of a place for a ship, from left to right or from top to bottom. *)
Definition in_line (col row : nat -> Z) (p : list nat) : Prop :=
  exists x y dx dy : Z, (dx = 1 /\ dy = 0 \/ dx = 0 /\ dy = 1)%Z /\
  forall i, i < length p -> (col (nth i p 0%nat) = x + Z.of_nat i * dx /\ row (nth i p 0%nat) = y + Z.of_nat i * dy)%Z.

Definition apart (col row : nat -> Z) (p q : list nat) : Prop :=
  forall c d, In c p -> In d q -> ~ touch col row c d.

(** For any two members of a list, the relation holds between the first and the second. *)
Fixpoint each_two {A} (rel : A -> A -> Prop) (l : list A) : Prop :=
  match l with [] => True | a :: l => (forall b, In b l -> rel a b) /\ each_two rel l end.

(** A fleet with ships of these lengths is on the board, and no two ships touch. *)
Definition lies (col row : nat -> Z) (board decks : list nat) (f : list (list nat)) : Prop :=
  (forall k, count_occ Nat.eq_dec (map (@length nat) f) k = count_occ Nat.eq_dec decks k) /\
  (forall p, In p f -> in_line col row p /\ incl p board) /\ each_two (apart col row) f.

Definition same_fleet (f g : list (list nat)) : Prop := forall p, In p f <-> In p g.

(** Two places for a ship that form a shape: two cells that touch; two places of two decks with one common cell, so that
    the shape consists of three cells in a row or around a corner; or a place of three or more decks, and the same place
    moved by one cell along its line or sideways. *)
Definition makes_shape (col row : nat -> Z) (p q : list nat) : Prop :=
  length q = length p /\ in_line col row p /\ in_line col row q /\
  match length p with
  | 0 => False
  | 1 => p <> q /\ forall c d, In c p -> In d q -> touch col row c d
  | 2 => p <> q /\ exists c, In c p /\ In c q
  | _ => exists dx dy : Z, (Z.abs dx + Z.abs dy = 1)%Z /\
         Forall2 (fun c d => (col d = col c + dx /\ row d = row c + dy)%Z) p q
  end.

(** A way to place the fleet with a shape instead of one of its ships: the cells of the shape, and the other ships. *)
Definition laid (col row : nat -> Z) (board decks : list nat) (way : list nat * list (list nat)) : Prop :=
  let (shape, rest) := way in
  exists p q, makes_shape col row p q /\ (forall c, In c shape <-> In c p \/ In c q) /\ incl shape board /\
  (forall k, count_occ Nat.eq_dec (map (@length nat) (p :: rest)) k = count_occ Nat.eq_dec decks k) /\
  (forall r, In r rest -> in_line col row r /\ incl r board /\ apart col row r shape) /\
  each_two (apart col row) rest.

Definition same_way (a b : list nat * list (list nat)) : Prop :=
  (forall c, In c (fst a) <-> In c (fst b)) /\ same_fleet (snd a) (snd b).

(** After [k] shots, every cell of the fleet has been shot at. *)
Definition finished (s : shooter) (fleet : list (list nat)) (k : nat) : Prop :=
  forall ship c, In ship fleet -> In c ship -> In c (map fst (record_of s fleet k)).

(** ** Misses *)

Definition is_miss (e : nat * answer) : bool := match snd e with Miss => true | _ => false end.

Definition misses (s : shooter) (f : list (list nat)) (k : nat) : list nat :=
  nodup Nat.eq_dec (map fst (filter is_miss (record_of s f k))).

Lemma in_misses : forall s f k c, In c (misses s f k) <-> In (c, Miss) (record_of s f k).
Proof.
  intros s f k c. unfold misses. rewrite nodup_In, in_map_iff. split.
  - intros [[d a] [E H]]. cbn in E. subst d. apply filter_In in H as [H Ha]. destruct a; try discriminate. exact H.
  - intros H. exists (c, Miss). split; [reflexivity |]. apply filter_In. now split.
Qed.

Lemma record_goes_on : forall s f j k e, j <= k -> In e (record_of s f j) -> In e (record_of s f k).
Proof. intros s f j k e H He. induction H as [| k _ IH]; [exact He | now right]. Qed.

Lemma record_length : forall s f k, length (record_of s f k) = k.
Proof. intros s f k. induction k as [| k IH]; [reflexivity |]. cbn [record_of length]. now rewrite IH. Qed.

Lemma miss_is_water : forall s f k c, In (c, Miss) (record_of s f k) -> forall p, In p f -> ~ In c p.
Proof.
  intros s f k c. induction k as [| k IH]; [easy |]. cbn [record_of]. intros [H | H] p Hp Hc; [| now apply (IH H p)].
  injection H as E H. rewrite E in H. unfold answer_to in H.
  destruct (existsb _ f) in H; [discriminate |].
  destruct (existsb (fun ship => has ship c) f) eqn:E2; [discriminate |].
  assert (E3 : existsb (fun ship => has ship c) f = true); [| congruence].
  apply existsb_exists. exists p. split; [exact Hp | now apply has_is].
Qed.

(** Of two fleets that differ in one ship, at least one has a miss there before it is sunk. *)
Lemma one_has_a_miss : forall s R p q f g k j, (exists x, In x p /\ ~ In x q) -> (exists y, In y q /\ ~ In y p) ->
  (forall r c, In r R -> In c r -> ~ In c p /\ ~ In c q) -> same_fleet f (p :: R) -> same_fleet g (q :: R) ->
  finished s f k -> finished s g j ->
  (exists c, In c q /\ ~ In c p /\ In c (misses s f k)) \/ (exists c, In c p /\ ~ In c q /\ In c (misses s g j)).
Proof.
  intros s R p q f g k j [x [Hx1 Hx2]] [y [Hy1 Hy2]] Hapart Hf Hg Hfk Hgj. unfold same_fleet in *.
  assert (Ef : forall n, record_of s f n = record_of s (R ++ [p]) n).
  { intros n. apply same_ships. intros r. rewrite Hf, in_app_iff. cbn. tauto. }
  assert (Eg : forall n, record_of s g n = record_of s (R ++ [q]) n).
  { intros n. apply same_ships. intros r. rewrite Hg, in_app_iff. cbn. tauto. }
  destruct (records_agree s R p q x y (Nat.min k j) Hx1 Hx2 Hy1 Hy2 Hapart)
    as [[E Hseen] | [[c [H1 [H2 H3]]] | [c [H1 [H2 H3]]]]].
  - exfalso. destruct (Nat.le_gt_cases k j) as [L | L].
    + apply Hx2, (Hseen x); [| exact Hx1]. rewrite <- Ef, Nat.min_l by exact L.
      apply (Hfk p x); [apply Hf; now left | exact Hx1].
    + apply Hy2, (Hseen y); [| exact Hy1]. rewrite E, <- Eg, Nat.min_r by lia.
      apply (Hgj q y); [apply Hg; now left | exact Hy1].
  - left. exists c. split; [exact H1 |]. split; [exact H2 |]. apply in_misses.
    apply (record_goes_on s f (Nat.min k j)); [lia |]. now rewrite Ef.
  - right. exists c. split; [exact H1 |]. split; [exact H2 |]. apply in_misses.
    apply (record_goes_on s g (Nat.min k j)); [lia |]. now rewrite Eg.
Qed.

(** ** Lists *)

Lemma each_two_in : forall {A} (rel : A -> A -> Prop) l a b, (forall a b, rel a b -> rel b a) -> each_two rel l ->
  In a l -> In b l -> a = b \/ rel a b.
Proof.
  intros A rel l a b Hsym. induction l as [| z l IH]; [easy |]. intros [Hz Hl] [-> | Ha] [-> | Hb];
    [now left | right; now apply Hz | right; apply Hsym; now apply Hz | now apply IH].
Qed.

Lemma each_two_map : forall {A} (rel other : A -> A -> Prop) l,
  (forall a b, In a l -> In b l -> rel a b -> other a b) ->
  each_two rel l -> each_two other l.
Proof.
  intros A rel other l H. induction l as [| a l IH]; [easy |]. intros [Ha Hl]. split.
  - intros b Hb. apply H; [now left | now right | now apply Ha].
  - apply IH; [| exact Hl]. intros b c Hb Hc. apply H; now right.
Qed.

Lemma each_two_without : forall {A} (rel : A -> A -> Prop) l a m, each_two rel (l ++ a :: m) -> each_two rel (l ++ m).
Proof.
  intros A rel l a m. induction l as [| z l IH]; [cbn; tauto |]. cbn [app each_two]. intros [Hz Hl].
  split; [| now apply IH].
  intros b Hb. apply Hz. apply in_app_iff in Hb. apply in_app_iff. destruct Hb; [now left | right; now right].
Qed.

Lemma no_common : forall {A} (l m : list A), NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  intros A l m Hl Hm. induction Hl as [| a l Ha Hl IH]; intros H; [exact Hm |]. cbn. constructor.
  - rewrite in_app_iff. intros [Hin | Hin]; [contradiction | now apply (H a (or_introl eq_refl))].
  - apply IH. intros x Hx. apply H. now right.
Qed.

(** If at least n elements belong to each member, and no element belongs to two members, there are at least n times as
    many elements as members. *)
Lemma gathered : forall {A B} (rel : A -> B -> Prop) n l,
  (forall a, In a l -> exists bs, NoDup bs /\ n <= length bs /\ forall b, In b bs -> rel a b) ->
  each_two (fun a b => forall x, rel a x -> rel b x -> False) l ->
  exists bs, NoDup bs /\ n * length l <= length bs /\ forall b, In b bs -> exists a, In a l /\ rel a b.
Proof.
  intros A B rel n l. induction l as [| a l IH]; intros H Htwo.
  - exists []. split; [constructor |]. split; [cbn; lia | easy].
  - destruct Htwo as [Ha Htwo]. destruct IH as [bs [Hb1 [Hb2 Hb3]]]; [intros z Hz; apply H; now right | exact Htwo |].
    destruct (H a (or_introl eq_refl)) as [cs [Hc1 [Hc2 Hc3]]]. exists (cs ++ bs). split; [| split].
    + apply no_common; [exact Hc1 | exact Hb1 |]. intros c Hc Hin. destruct (Hb3 c Hin) as [z [Hz Hrel]].
      exact (Ha z Hz c (Hc3 c Hc) Hrel).
    + rewrite app_length. cbn [length]. lia.
    + intros b Hb. apply in_app_iff in Hb as [Hb | Hb].
      * exists a. split; [now left | now apply Hc3].
      * destruct (Hb3 b Hb) as [z [Hz Hrel]]. exists z. split; [now right | exact Hrel].
Qed.

Lemma same_counts_same_sum : forall l m, (forall k, count_occ Nat.eq_dec l k = count_occ Nat.eq_dec m k) ->
  list_sum l = list_sum m.
Proof.
  induction l as [| a l IH]; intros m H.
  - destruct m as [| b m]; [reflexivity |]. specialize (H b). cbn in H. destruct (Nat.eq_dec b b); [lia | easy].
  - assert (Ha : In a m).
    { apply (count_occ_In Nat.eq_dec). rewrite <- H. cbn. destruct (Nat.eq_dec a a); [lia | easy]. }
    apply in_split in Ha as [m1 [m2 ->]].
    assert (E : list_sum l = list_sum (m1 ++ m2)).
    { apply IH. intros k. specialize (H k). rewrite count_occ_app in *. cbn in H.
      destruct (Nat.eq_dec a k); lia. }
    change (list_sum (a :: l)) with (a + list_sum l). rewrite E, !list_sum_app.
    change (list_sum (a :: m2)) with (a + list_sum m2). lia.
Qed.

(** ** Shapes *)

Lemma two_in_line : forall col row a b, in_line col row [a; b] ->
  (col b = col a + 1 /\ row b = row a \/ col b = col a /\ row b = row a + 1)%Z.
Proof.
  intros col row a b [x [y [dx [dy [Hd H]]]]].
  pose proof (H 0 ltac:(cbn; lia)) as H0. pose proof (H 1 ltac:(cbn; lia)) as H1.
  cbn [nth] in H0, H1. lia.
Qed.

Lemma of_two : forall p : list nat, length p = 2 -> exists a b, p = [a; b].
Proof. intros [| a [| b [| c p]]] H; try discriminate. now exists a, b. Qed.

Lemma of_one : forall p : list nat, length p = 1 -> exists a, p = [a].
Proof. intros [| a [| b p]] H; try discriminate. now exists a. Qed.

Lemma moved_from : forall (rel : nat -> nat -> Prop) p q c, Forall2 rel p q -> In c q ->
  exists i, i < length p /\ rel (nth i p 0) c.
Proof.
  intros rel p q c H. induction H as [| a b p q Hab _ IH]; [easy |]. intros [<- | Hc].
  - exists 0. split; [cbn; lia | exact Hab].
  - destruct (IH Hc) as [i [Hi Hrel]]. exists (S i). split; [cbn; lia | exact Hrel].
Qed.

Lemma shape_of : forall col row p q, makes_shape col row p q ->
  length q = length p /\ in_line col row p /\ in_line col row q /\
  ((exists a b, p = [a] /\ q = [b] /\ a <> b /\ touch col row a b) \/
   (exists a b u v w, p = [a; b] /\ q = [u; v] /\ p <> q /\ In w p /\ In w q) \/
   (3 <= length p /\ exists dx dy : Z, (Z.abs dx + Z.abs dy = 1)%Z /\
      Forall2 (fun c d => (col d = col c + dx /\ row d = row c + dy)%Z) p q)).
Proof.
  intros col row p q [El [Hp [Hq H]]]. split; [exact El |]. split; [exact Hp |]. split; [exact Hq |].
  destruct (length p) as [| [| [| n]]] eqn:E; [easy | left | right; left | right; right].
  - destruct (of_one p E) as [a ->], (of_one q El) as [b ->]. exists a, b. destruct H as [Hne Ht].
    repeat split; [congruence | apply Ht; now left ..].
  - destruct (of_two p E) as [a [b ->]], (of_two q El) as [u [v ->]]. destruct H as [Hne [w Hw]].
    exists a, b, u, v, w. tauto.
  - split; [lia | exact H].
Qed.

Lemma shape_turned : forall col row p q, makes_shape col row p q -> makes_shape col row q p.
Proof.
  intros col row p q [El [Hp [Hq H]]]. unfold makes_shape. rewrite El. split; [reflexivity |]. split; [exact Hq |].
  split; [exact Hp |]. destruct (length p) as [| [| [| n]]]; [exact H | | |].
  - destruct H as [Hne Ht]. split; [congruence |]. intros c d Hc Hd. specialize (Ht d c Hd Hc). unfold touch in *. lia.
  - destruct H as [Hne [c Hc]]. split; [congruence | exists c; tauto].
  - destruct H as [dx [dy [Hd H]]]. exists (- dx)%Z, (- dy)%Z. split; [lia |].
    clear - H. induction H as [| c d p q Hcd _ IH]; constructor; [lia | exact IH].
Qed.

Lemma least_member : forall (value : nat -> Z) p, 0 < length p ->
  exists x, In x p /\ forall z, In z p -> (value x <= value z)%Z.
Proof.
  intros value p. induction p as [| a p IH]; intros H; [cbn in H; lia |]. destruct p as [| b p].
  - exists a. split; [now left |]. intros z [<- | []]. lia.
  - destruct (IH ltac:(cbn; lia)) as [x [Hx Hmin]]. destruct (Z.le_gt_cases (value a) (value x)) as [L | L].
    + exists a. split; [now left |]. intros z [<- | Hz]; [lia | specialize (Hmin z Hz); lia].
    + exists x. split; [now right |]. intros z [<- | Hz]; [lia | now apply Hmin].
Qed.

Lemma one_step : forall dx dy : Z, (Z.abs dx + Z.abs dy = 1 ->
  dx = 1 /\ dy = 0 \/ dx = -1 /\ dy = 0 \/ dx = 0 /\ dy = 1 \/ dx = 0 /\ dy = -1)%Z.
Proof. lia. Qed.

Lemma not_within : forall col row p q, makes_shape col row p q -> exists x, In x p /\ ~ In x q.
Proof.
  intros col row p q H. apply shape_of in H as [_ [Hp [Hq [H | [H | H]]]]].
  - destruct H as [a [b [-> [-> [Hne _]]]]]. exists a. split; [now left |]. intros [E | []]. congruence.
  - destruct H as [a [b [u [v [w [-> [-> [Hne _]]]]]]]]. apply two_in_line in Hp, Hq.
    destruct (in_dec Nat.eq_dec a [u; v]) as [Ha | Ha]; [| exists a; split; [now left | exact Ha]].
    destruct (in_dec Nat.eq_dec b [u; v]) as [Hb | Hb]; [| exists b; split; [right; now left | exact Hb]].
    exfalso. destruct Ha as [<- | [<- | []]], Hb as [<- | [<- | []]]; try lia. now apply Hne.
  - destruct H as [Hlen [dx [dy [Hd H]]]].
    destruct (least_member (fun c => col c * dx + row c * dy)%Z p ltac:(lia)) as [x [Hx Hmin]]. exists x.
    split; [exact Hx |]. intros Hin. destruct (moved_from _ p q x H Hin) as [i [Hi [E1 E2]]].
    specialize (Hmin (nth i p 0) (nth_In p 0 Hi)). cbn beta in Hmin. rewrite E1, E2 in Hmin.
    assert (dx * dx + dy * dy = 1)%Z by (clear - Hd; destruct (one_step dx dy Hd) as [[-> ->] | [[-> ->] | [[-> ->] |
      [-> ->]]]]; reflexivity). lia.
Qed.

Lemma shape_touches : forall col row p q c, makes_shape col row p q -> In c q -> exists z, In z p /\ touch col row c z.
Proof.
  intros col row p q c H Hc. apply shape_of in H as [_ [Hp [Hq [H | [H | H]]]]].
  - destruct H as [a [b [-> [-> [_ Ht]]]]]. exists a. split; [now left |]. destruct Hc as [<- | []].
    unfold touch in *. lia.
  - destruct H as [a [b [u [v [w [-> [-> [_ [Hw1 Hw2]]]]]]]]]. exists w. split; [exact Hw1 |].
    apply two_in_line in Hq. unfold touch.
    destruct Hc as [<- | [<- | []]], Hw2 as [<- | [<- | []]]; lia.
  - destruct H as [Hlen [dx [dy [Hd H]]]]. destruct (moved_from _ p q c H Hc) as [i [Hi [E1 E2]]].
    exists (nth i p 0). split; [now apply nth_In |]. unfold touch. lia.
Qed.

(** A place and an adjacent cell determine the shape. *)
Lemma one_shape : forall col row p q q2 c, (forall c d, col c = col d -> row c = row d -> c = d) ->
  makes_shape col row p q -> makes_shape col row p q2 -> In c q -> In c q2 -> ~ In c p -> q = q2.
Proof.
  intros col row p q q2 c Hinj H H2 Hc Hc2 Hnot.
  apply shape_of in H as [_ [Hp [Hq H]]]. apply shape_of in H2 as [_ [_ [Hq2 H2]]].
  destruct H as [H | [H | H]], H2 as [H2 | [H2 | H2]].
  - destruct H as [a [b [-> [-> _]]]], H2 as [a2 [b2 [_ [-> _]]]].
    destruct Hc as [<- | []], Hc2 as [<- | []]. reflexivity.
  - destruct H as [a [b [-> _]]], H2 as [a2 [b2 [u [v [w [E _]]]]]]. discriminate.
  - destruct H as [a [b [-> _]]], H2 as [L _]. cbn in L. lia.
  - destruct H2 as [a [b [-> _]]], H as [a2 [b2 [u [v [w [E _]]]]]]. discriminate.
  - destruct H as [a [b [u [v [w [-> [-> [_ [Hw Hw2]]]]]]]]], H2 as [a2 [b2 [u2 [v2 [w2 [E [-> [_ [Hz Hz2]]]]]]]]].
    injection E as <- <-. apply two_in_line in Hp, Hq, Hq2.
    assert (Ha : c <> a) by (intros ->; apply Hnot; now left).
    assert (Hb : c <> b) by (intros ->; apply Hnot; right; now left).
    assert (Hwc : w <> c) by (intros ->; destruct Hw as [-> | [-> | []]]; congruence).
    assert (Hzc : w2 <> c) by (intros ->; destruct Hz as [-> | [-> | []]]; congruence).
    assert (Hs : [u; v] = [c; w] \/ [u; v] = [w; c])
      by (destruct Hc as [-> | [-> | []]], Hw2 as [-> | [-> | []]]; first [now left | now right | congruence]).
    assert (Hs2 : [u2; v2] = [c; w2] \/ [u2; v2] = [w2; c])
      by (destruct Hc2 as [-> | [-> | []]], Hz2 as [-> | [-> | []]]; first [now left | now right | congruence]).
    destruct Hs as [E | E], Hs2 as [E2 | E2]; rewrite E, E2; injection E as -> ->; injection E2 as -> ->;
      destruct Hw as [-> | [-> | []]], Hz as [-> | [-> | []]]; try reflexivity; exfalso; lia.
  - destruct H as [a [b [u [v [w [-> _]]]]]], H2 as [L _]. cbn in L. lia.
  - destruct H2 as [a [b [-> _]]], H as [L _]. cbn in L. lia.
  - destruct H2 as [a [b [u [v [w [-> _]]]]]], H as [L _]. cbn in L. lia.
  - destruct H as [_ [dx [dy [Hd H]]]], H2 as [_ [dx2 [dy2 [Hd2 H2]]]].
    assert (Esame : dx = dx2 /\ dy = dy2).
    { destruct (moved_from _ p q c H Hc) as [i [Hi [E1 E2]]], (moved_from _ p q2 c H2 Hc2) as [j [Hj [E3 E4]]].
      destruct Hp as [x [y [ex [ey [He Hat]]]]].
      assert (Hno : forall l, l < length p -> ~ (col c = x + Z.of_nat l * ex /\ row c = y + Z.of_nat l * ey)%Z).
      { intros l Hl [F1 F2]. apply Hnot. destruct (Hat l Hl) as [G1 G2].
        rewrite (Hinj c (nth l p 0)) by congruence. now apply nth_In. }
      destruct (Hat i Hi) as [I1 I2], (Hat j Hj) as [J1 J2]. rewrite I1 in E1. rewrite I2 in E2. rewrite J1 in E3.
      rewrite J2 in E4. clear I1 I2 J1 J2 Hat H H2 Hc Hc2 Hnot Hinj Hq Hq2.
      revert E1 E2 E3 E4 Hno. generalize (col c), (row c). intros a b E1 E2 E3 E4 Hno.
      pose proof (one_step dx dy Hd) as D. pose proof (one_step dx2 dy2 Hd2) as D2.
      clear Hd Hd2. destruct He as [[-> ->] | [-> ->]]; rewrite ?Z.mul_0_r, ?Z.mul_1_r, ?Z.add_0_r in E1, E2, E3, E4;
        destruct D as [[-> ->] | [[-> ->] | [[-> ->] | [-> ->]]]], D2 as [[-> ->] | [[-> ->] | [[-> ->] | [-> ->]]]];
        first [now split | exfalso; clear Hno; lia | exfalso; apply (Hno (S i)); lia |
          exfalso; apply (Hno (S j)); lia]. }
    destruct Esame as [<- <-]. clear - Hinj H H2. revert q2 H2.
    induction H as [| a b p q [H1 H3] _ IH]; intros q2 H2; inversion H2 as [| a2 b2 p2 q3 [H4 H5] H6]; subst;
      [reflexivity |]. f_equal; [apply Hinj; congruence | now apply IH].
Qed.

(** ** Fleets *)

Lemma touch_itself : forall col row c, touch col row c c.
Proof. intros. unfold touch. lia. Qed.

Lemma apart_turned : forall col row p q, apart col row p q -> apart col row q p.
Proof. intros col row p q H c d Hc Hd Ht. apply (H d c Hd Hc). unfold touch in *. lia. Qed.

Lemma line_has_no_cell_twice : forall col row p, in_line col row p -> NoDup p.
Proof.
  intros col row p [x [y [dx [dy [Hd H]]]]]. apply (NoDup_nth p 0). intros i j Hi Hj E.
  pose proof (H i Hi) as H1. pose proof (H j Hj) as H2. rewrite E in H1. destruct Hd as [[-> ->] | [-> ->]]; lia.
Qed.

Lemma decks_of : forall col row board decks f, lies col row board decks f ->
  NoDup (concat f) /\ length (concat f) = list_sum decks.
Proof.
  intros col row board decks f [Hcount [Hline Htwo]]. split.
  - clear Hcount. induction f as [| p f IH]; [constructor |]. destruct Htwo as [Hp Htwo]. cbn. apply no_common.
    + apply (line_has_no_cell_twice col row), Hline. now left.
    + apply IH; [| exact Htwo]. intros q Hq. apply Hline. now right.
    + intros c Hc Hin. apply in_concat in Hin as [q [Hq Hcq]]. apply (Hp q Hq c c Hc Hcq), touch_itself.
  - rewrite <- (same_counts_same_sum _ _ Hcount). clear. induction f as [| p f IH]; [reflexivity |].
    cbn [concat map]. rewrite app_length, IH. reflexivity.
Qed.

Lemma enough_shots : forall col row board decks s f k, lies col row board decks f -> finished s f k ->
  list_sum decks + length (misses s f k) <= k.
Proof.
  intros col row board decks s f k Hf Hk. destruct (decks_of col row board decks f Hf) as [Hnodup <-].
  rewrite <- app_length. apply Nat.le_trans with (length (map fst (record_of s f k)));
    [| rewrite map_length, record_length; lia].
  apply NoDup_incl_length.
  - apply no_common; [exact Hnodup | apply NoDup_nodup |]. intros c Hc Hm. apply in_misses in Hm.
    apply in_concat in Hc as [p [Hp Hcp]]. now apply (miss_is_water s f k c Hm p).
  - intros c Hc. apply in_app_iff in Hc as [Hc | Hc].
    + apply in_concat in Hc as [p [Hp Hcp]]. now apply (Hk p).
    + apply in_misses in Hc. apply in_map_iff. now exists (c, Miss).
Qed.

Lemma each_two_middle : forall {A} (rel : A -> A -> Prop) l a m b, (forall a b, rel a b -> rel b a) ->
  each_two rel (l ++ a :: m) -> In b (l ++ m) -> rel a b.
Proof.
  intros A rel l a m b Hsym. induction l as [| z l IH]; cbn [app each_two].
  - intros [H _] Hb. now apply H.
  - intros [Hz H] [<- | Hb]; [| now apply IH]. apply Hsym, Hz, in_app_iff. right. now left.
Qed.

(** The fleet without one of its ships. *)
Lemma without_ship : forall col row board k decks l p m, length p = k ->
  lies col row board (k :: decks) (l ++ p :: m) -> lies col row board decks (l ++ m).
Proof.
  intros col row board k decks l p m E [Hcount [Hline Htwo]]. split; [| split].
  - intros n. specialize (Hcount n). rewrite map_app, count_occ_app in *. cbn [map count_occ] in Hcount.
    rewrite E in Hcount. destruct (Nat.eq_dec k n); lia.
  - intros q Hq. apply Hline, in_app_iff. apply in_app_iff in Hq as [Hq | Hq]; [now left | right; now right].
  - now apply each_two_without in Htwo.
Qed.

(** ** Ships of one deck *)

Definition single (p : list nat) : bool := length p =? 1.
Definition singles (g : list (list nat)) : list nat := map (hd 0) (filter single g).

Lemma in_singles : forall g c, In c (singles g) -> In [c] g.
Proof.
  intros g c H. apply in_map_iff in H as [p [E Hp]]. apply filter_In in Hp as [Hp Hs]. apply Nat.eqb_eq in Hs.
  destruct (of_one p Hs) as [a ->]. cbn in E. now subst a.
Qed.

Lemma how_many_singles : forall g, length (singles g) = count_occ Nat.eq_dec (map (@length nat) g) 1.
Proof.
  intros g. unfold singles. rewrite map_length. induction g as [| p g IH]; [reflexivity |].
  cbn [filter map count_occ]. unfold single at 1. destruct (Nat.eqb_spec (length p) 1), (Nat.eq_dec (length p) 1);
    cbn [length]; lia.
Qed.

Lemma singles_differ : forall col row g, each_two (apart col row) g -> NoDup (singles g).
Proof.
  intros col row g. induction g as [| p g IH]; intros Htwo; [constructor |]. destruct Htwo as [Hp Htwo].
  unfold singles. cbn [filter]. destruct (single p) eqn:E; [| now apply IH]. cbn [map]. constructor; [| now apply IH].
  apply Nat.eqb_eq in E. destruct (of_one p E) as [a ->]. intros Ha. apply in_singles in Ha.
  apply (Hp [a] Ha a a); [now left | now left | apply touch_itself].
Qed.

(** If one of any two members is good, then all members but at most one are good. *)
Lemma all_but_one : forall {A} (good : A -> bool) l, each_two (fun a b => good a = true \/ good b = true) l ->
  length l <= S (length (filter good l)).
Proof.
  intros A good l. induction l as [| a l IH]; intros H; [cbn; lia |]. destruct H as [Ha Hl]. cbn [filter].
  destruct (good a) eqn:E; cbn [length]; [specialize (IH Hl); lia |].
  enough (G : filter good l = l) by (rewrite G; lia). clear - Ha E. induction l as [| b l IH]; [reflexivity |].
  cbn. destruct (Ha b (or_introl eq_refl)) as [H | H]; [congruence |]. rewrite H. f_equal. apply IH.
  intros c Hc. apply Ha. now right.
Qed.

(** Of any two fleets that each lack one ship of one deck, one has a miss at the cell of the missing ship. *)
Lemma lacking : forall col row board decks s g c d f h k j, lies col row board decks g -> In [c] g -> In [d] g ->
  c <> d -> (forall r, In r f -> apart col row [c] r) -> (forall r, In r h -> apart col row [d] r) ->
  same_fleet g ([c] :: f) -> same_fleet g ([d] :: h) -> finished s f k -> finished s h j ->
  In c (misses s f k) \/ In d (misses s h j).
Proof.
  intros col row board decks s g c d f h k j [_ [_ Htwo]] Hc Hd Hne Hf Hh Ef Eh Hk Hj.
  assert (Hnot : forall e l, (forall r, In r l -> apart col row [e] r) -> ~ In [e] l).
  { intros e l H Hin. apply (H [e] Hin e e); [now left | now left | apply touch_itself]. }
  pose proof (Hnot c f Hf) as Hcf. pose proof (Hnot d h Hh) as Hdh.
  set (eq_dec := list_eq_dec Nat.eq_dec). set (R := remove eq_dec [c] (remove eq_dec [d] g)).
  assert (HR : forall r, In r R <-> In r g /\ r <> [c] /\ r <> [d]).
  { intros r. unfold R. split.
    - intros H. apply in_remove in H as [H H1]. apply in_remove in H as [H H2]. tauto.
    - intros [H [H1 H2]]. now apply in_in_remove, in_in_remove. }
  destruct (one_has_a_miss s R [d] [c] f h k j) as [[e [[<- | []] [_ H]]] | [e [[<- | []] [_ H]]]];
    [| | | | | exact Hk | exact Hj | now left | now right].
  - exists d. split; [now left |]. intros [E | []]. congruence.
  - exists c. split; [now left |]. intros [E | []]. congruence.
  - intros r e Hr He. apply HR in Hr as [Hr [H1 H2]].
    assert (G : forall z, In [z] g -> r <> [z] -> ~ In e [z]).
    { intros z Hz Hrz [-> | []].
      destruct (each_two_in (apart col row) g r [e] (apart_turned col row) Htwo Hr Hz) as [E | Hap]; [contradiction |].
      apply (Hap e e He); [now left | apply touch_itself]. }
    split; now apply G.
  - intros r. specialize (Ef r). cbn [In] in *. rewrite HR. split.
    + intros Hr. destruct (eq_dec r [d]) as [-> | Hrd]; [now left | right]. split; [tauto |]. split; [| exact Hrd].
      intros ->. contradiction.
    + intros [<- | [Hr [H1 H2]]]; [destruct (proj1 Ef Hd); [congruence | assumption] |].
      destruct (proj1 Ef Hr); [congruence | assumption].
  - intros r. specialize (Eh r). cbn [In] in *. rewrite HR. split.
    + intros Hr. destruct (eq_dec r [c]) as [-> | Hrc]; [now left | right]. split; [tauto |]. split; [exact Hrc |].
      intros ->. contradiction.
    + intros [<- | [Hr [H1 H2]]]; [destruct (proj1 Eh Hc); [congruence | assumption] |].
      destruct (proj1 Eh Hr); [congruence | assumption].
Qed.

(** ** The count *)

(** A miss at [c] at the fleet [f] that is counted for the fleet [g], which has one more ship of one deck. *)
Definition miss_of_fleet (col row : nat -> Z) (s : shooter) (F : list (list (list nat)))
    (shots : list (list nat) -> nat) (g : list (list nat)) (e : list (list nat) * nat) : Prop :=
  let (f, c) := e in
  In f F /\ same_fleet g ([c] :: f) /\ (forall r, In r f -> apart col row [c] r) /\ In c (misses s f (shots f)).

(** A miss that is counted for a shape. *)
Definition miss_of_shape (col row : nat -> Z) (s : shooter) (F : list (list (list nat)))
    (shots : list (list nat) -> nat) (way : list nat * list (list nat)) (e : list (list nat) * nat) : Prop :=
  let (shape, rest) := way in let (f, c) := e in
  In f F /\ In c (misses s f (shots f)) /\ exists p q, makes_shape col row p q /\ In c q /\ ~ In c p /\
  (forall d, In d shape <-> In d p \/ In d q) /\ same_fleet f (p :: rest) /\
  forall r, In r rest -> apart col row r shape.

Lemma misses_of_a_fleet : forall col row board decks s F shots g,
  (forall f, lies col row board decks f -> exists h, In h F /\ same_fleet h f) ->
  (forall f, In f F -> finished s f (shots f)) -> lies col row board (1 :: decks) g ->
  exists es, NoDup es /\ count_occ Nat.eq_dec decks 1 <= length es /\
    forall e, In e es -> miss_of_fleet col row s F shots g e.
Proof.
  intros col row board decks s F shots g Hall Hfin Hg. pose proof Hg as [Hcount [_ Htwo]].
  assert (Hlist : forall l, NoDup l -> incl l (singles g) -> exists es, map snd es = l /\ forall e, In e es ->
    In [snd e] g /\ In (fst e) F /\ same_fleet g ([snd e] :: fst e) /\
    forall r, In r (fst e) -> apart col row [snd e] r).
  { intros l Hl. induction Hl as [| c l Hc Hl IH]; intros Hincl; [exists []; split; [reflexivity | easy] |].
    destruct IH as [es [E Hes]]; [intros z Hz; apply Hincl; now right |].
    pose proof (in_singles g c (Hincl c (or_introl eq_refl))) as Hin.
    destruct (in_split _ _ Hin) as [l1 [l2 Eg]].
    destruct (Hall (l1 ++ l2)) as [f [HfF Hf]].
    { apply (without_ship col row board 1 decks l1 [c] l2); [reflexivity | now rewrite <- Eg]. }
    unfold same_fleet in Hf. exists ((f, c) :: es). split; [cbn; now rewrite E |].
    intros e [<- | He]; [| now apply Hes].
    cbn [fst snd]. split; [exact Hin |]. split; [exact HfF |]. split.
    - intros r. cbn [In]. rewrite (Hf r), Eg, !in_app_iff. cbn [In]. tauto.
    - intros r Hr. apply Hf in Hr. rewrite Eg in Htwo.
      now apply (each_two_middle (apart col row) l1 [c] l2 r (apart_turned col row) Htwo). }
  destruct (Hlist (singles g) (singles_differ col row g Htwo) (fun z Hz => Hz)) as [es [E Hes]].
  set (good := fun e : list (list nat) * nat => has (misses s (fst e) (shots (fst e))) (snd e)).
  assert (Hgood : each_two (fun a b => good a = true \/ good b = true) es).
  { pose proof (singles_differ col row g Htwo) as Hnodup. rewrite <- E in Hnodup. clear E.
    induction es as [| a es IH]; [exact I |]. inversion Hnodup as [| ? ? Hnot Hrest]; subst. split.
    - intros b Hb. destruct (Hes a (or_introl eq_refl)) as [A1 [A2 [A3 A4]]].
      destruct (Hes b (or_intror Hb)) as [B1 [B2 [B3 B4]]]. unfold good. rewrite !has_is.
      apply (lacking col row board (1 :: decks) s g); try assumption; [| now apply Hfin ..].
      intros Eab. apply Hnot. rewrite Eab. now apply in_map.
    - apply IH; [| exact Hrest]. intros e He. apply Hes. now right. }
  exists (filter good es). split; [| split].
  - apply NoDup_filter. apply (NoDup_map_inv snd). rewrite E. now apply (singles_differ col row).
  - pose proof (all_but_one good es Hgood) as H. rewrite <- (map_length snd es), E, how_many_singles, Hcount in H.
    cbn [count_occ] in H. destruct (Nat.eq_dec 1 1); [lia | easy].
  - intros [f c] He. apply filter_In in He as [He Hm]. destruct (Hes _ He) as [_ [H1 [H2 H3]]]. cbn [fst snd] in *.
    split; [exact H1 |]. split; [exact H2 |]. split; [exact H3 | now apply has_is].
Qed.

Lemma miss_of_a_shape : forall col row board decks s F shots way,
  (forall f, lies col row board decks f -> exists h, In h F /\ same_fleet h f) ->
  (forall f, In f F -> finished s f (shots f)) -> laid col row board decks way ->
  exists es, NoDup es /\ 1 <= length es /\ forall e, In e es -> miss_of_shape col row s F shots way e.
Proof.
  intros col row board decks s F shots [shape rest] Hall Hfin [p [q [Hpq [Hshape [Hboard [Hcount [Hrest Htwo]]]]]]].
  enough (H : exists e, miss_of_shape col row s F shots (shape, rest) e).
  { destruct H as [e He]. exists [e]. split; [repeat constructor; easy |]. split; [cbn; lia |].
    intros z [<- | []]. exact He. }
  assert (Hlies : forall z, length z = length p -> in_line col row z -> incl z shape ->
    lies col row board decks (z :: rest)).
  { intros z Ez Hz Hin. split; [| split].
    - intros k. rewrite <- Hcount. cbn [map]. now rewrite Ez.
    - intros r [<- | Hr]; [| destruct (Hrest r Hr) as [H1 [H2 _]]; now split]. split; [exact Hz |].
      intros c Hc. now apply Hboard, Hin.
    - split; [| exact Htwo]. intros r Hr c d Hc Hd Ht. destruct (Hrest r Hr) as [_ [_ Hap]].
      apply (Hap d c Hd (Hin c Hc)). unfold touch in *. lia. }
  pose proof (shape_turned col row p q Hpq) as Hqp. pose proof (shape_of col row p q Hpq) as [El [Hp [Hq _]]].
  assert (Hpin : incl p shape) by (intros c Hc; apply Hshape; now left).
  assert (Hqin : incl q shape) by (intros c Hc; apply Hshape; now right).
  destruct (Hall _ (Hlies p eq_refl Hp Hpin)) as [f [Hf Ef]], (Hall _ (Hlies q El Hq Hqin)) as [h [Hh Eh]].
  assert (Hap : forall r, In r rest -> apart col row r shape) by (intros r Hr; apply (Hrest r Hr)).
  destruct (one_has_a_miss s rest p q f h (shots f) (shots h)) as [[c [H1 [H2 H3]]] | [c [H1 [H2 H3]]]]; try assumption.
  - now apply (not_within col row).
  - now apply (not_within col row).
  - intros r c Hr Hc. split; intros Hin; apply (Hap r Hr c c Hc);
      first [exact (Hpin c Hin) | exact (Hqin c Hin) | apply touch_itself].
  - now apply Hfin.
  - now apply Hfin.
  - exists (f, c). split; [exact Hf |]. split; [exact H3 |]. exists p, q. split; [exact Hpq |]. split; [exact H1 |].
    split; [exact H2 |]. split; [exact Hshape |]. split; [exact Ef | exact Hap].
  - exists (h, c). split; [exact Hh |]. split; [exact H3 |]. exists q, p. split; [exact Hqp |]. split; [exact H1 |].
    split; [exact H2 |]. split; [intros d; rewrite (Hshape d); tauto |]. split; [exact Eh | exact Hap].
Qed.

(** Each miss is counted only once. *)
Lemma fleet_by_miss : forall col row s F shots g h e, miss_of_fleet col row s F shots g e ->
  miss_of_fleet col row s F shots h e -> same_fleet g h.
Proof.
  intros col row s F shots g h [f c] [_ [Hg _]] [_ [Hh _]] r. rewrite (Hg r), (Hh r). reflexivity.
Qed.

Lemma shape_by_miss : forall col row s F shots v w e, (forall c d, col c = col d -> row c = row d -> c = d) ->
  miss_of_shape col row s F shots v e -> miss_of_shape col row s F shots w e -> same_way v w.
Proof.
  intros col row s F shots [shape rest] [shape2 rest2] [f c] Hinj
    [_ [_ [p [q [H1 [H2 [H3 [H4 [H5 H6]]]]]]]]] [_ [_ [p2 [q2 [G1 [G2 [G3 [G4 [G5 G6]]]]]]]]].
  unfold same_fleet in *.
  destruct (shape_touches col row p2 q2 c G1 G2) as [z [Hz Ht]].
  destruct (shape_touches col row p q c H1 H2) as [y [Hy Hty]].
  assert (Hc : In c shape) by (apply H4; now right). assert (Hc2 : In c shape2) by (apply G4; now right).
  assert (Hno : forall r, In r rest -> forall d, In d r -> ~ touch col row c d).
  { intros r Hr d Hd Htd. apply (H6 r Hr d c Hd Hc). unfold touch in *. lia. }
  assert (Hno2 : forall r, In r rest2 -> forall d, In d r -> ~ touch col row c d).
  { intros r Hr d Hd Htd. apply (G6 r Hr d c Hd Hc2). unfold touch in *. lia. }
  assert (Ep : p = p2).
  { destruct (proj1 (H5 p2) (proj2 (G5 p2) (or_introl eq_refl))) as [E | Hr]; [exact E |]. exfalso.
    now apply (Hno p2 Hr z Hz). }
  subst p2. pose proof (one_shape col row p q q2 c Hinj H1 G1 H2 G2 H3). subst q2. split; cbn [fst snd].
  - intros d. rewrite (H4 d), (G4 d). reflexivity.
  - intros r. split; intros Hr.
    + destruct (proj1 (G5 r) (proj2 (H5 r) (or_intror Hr))) as [<- | Hr2]; [| exact Hr2]. exfalso.
      now apply (Hno p Hr y Hy).
    + destruct (proj1 (H5 r) (proj2 (G5 r) (or_intror Hr))) as [<- | Hr2]; [| exact Hr2]. exfalso.
      now apply (Hno2 p Hr y Hy).
Qed.

Lemma not_both_counts : forall col row s F shots g v e, miss_of_fleet col row s F shots g e ->
  miss_of_shape col row s F shots v e -> False.
Proof.
  intros col row s F shots g [shape rest] [f c] [_ [_ [Hap _]]] [_ [_ [p [q [H1 [H2 [_ [_ [H5 _]]]]]]]]].
  destruct (shape_touches col row p q c H1 H2) as [z [Hz Ht]].
  apply (Hap p (proj2 (H5 p) (or_introl eq_refl)) c z); [now left | exact Hz | exact Ht].
Qed.

(** A fleet that consists of one ship contains only this ship. *)
Lemma only_ship : forall k (f : list (list nat)),
  (forall n, count_occ Nat.eq_dec (map (@length nat) f) n = count_occ Nat.eq_dec [k] n) ->
  exists p, f = [p] /\ length p = k.
Proof.
  intros k [| p f] Hcount.
  - specialize (Hcount k). cbn [map count_occ] in Hcount. destruct (Nat.eq_dec k k); congruence.
  - assert (Hp : length p = k).
    { specialize (Hcount (length p)). cbn [map count_occ] in Hcount.
      destruct (Nat.eq_dec (length p) (length p)), (Nat.eq_dec k (length p)); congruence. }
    exists p. split; [| exact Hp]. f_equal. destruct f as [| q f]; [reflexivity |]. exfalso.
    pose proof (Hcount k) as H1. specialize (Hcount (length q)). cbn [map count_occ] in *. rewrite Hp in *.
    destruct (Nat.eq_dec k k), (Nat.eq_dec (length q) (length q)), (Nat.eq_dec k (length q)),
      (Nat.eq_dec (length q) k); congruence.
Qed.

(** A ship of one deck on a strip of three cells. *)
Lemma on_a_strip : forall f, lies Z.of_nat (fun _ => 0%Z) [0; 1; 2] [1] f -> In f [[[0]]; [[1]]; [[2]]].
Proof.
  intros f [Hcount [Hline _]]. destruct (only_ship 1 f Hcount) as [p [-> Hp]]. destruct (of_one p Hp) as [c ->]. destruct (Hline [c] (or_introl eq_refl)) as [_ Hc].
  specialize (Hc c (or_introl eq_refl)). cbn in Hc. destruct Hc as [<- | [<- | [<- | []]]]; cbn; tauto.
Qed.

Lemma one_cell : forall col row c, in_line col row [c].
Proof.
  intros col row c. exists (col c), (row c), 1%Z, 0%Z. split; [lia |]. intros i Hi. cbn in Hi.
  replace i with 0 by lia. cbn [nth]. lia.
Qed.

(**
   Claim: Let M be the number of ways to place the fleet on a board so that ships do not touch, and let M+ be the number
     for a fleet with one more ship of one deck. Let P be the number of ways to place the fleet with a shape instead of
     one of its ships, so that no other ship touches the shape. Let the fleet have j ships of one deck, and H decks. To
     hit all decks, a shooter needs at least MH + j M+ + P shots at all fleets together. So the shooter needs at least H
     + (j M+ + P)/M shots on average. Equal ships are not distinguished.
   Prose: naval.md, Theorem 2
   Code: ShotsBound
*)
Theorem shots_bound : forall col row board decks s fleets more ways shots,
  (forall c d, col c = col d -> row c = row d -> c = d) ->
  (forall f, In f fleets -> lies col row board decks f) ->
  (forall f, lies col row board decks f -> exists h, In h fleets /\ same_fleet h f) ->
  (forall g, In g more -> lies col row board (1 :: decks) g) -> each_two (fun g h => ~ same_fleet g h) more ->
  (forall w, In w ways -> laid col row board decks w) -> each_two (fun v w => ~ same_way v w) ways ->
  (forall f, In f fleets -> finished s f (shots f)) ->
  length fleets * list_sum decks + count_occ Nat.eq_dec decks 1 * length more + length ways <=
    list_sum (map shots fleets).
Proof.
  intros col row board decks s F more ways shots Hinj HF Hall Hmore Hdiff Hways Hdiff2 Hfin.
  destruct (gathered (miss_of_fleet col row s F shots) (count_occ Nat.eq_dec decks 1) more) as [es [E1 [E2 E3]]].
  { intros g Hg. apply (misses_of_a_fleet col row board); [exact Hall | exact Hfin | now apply Hmore]. }
  { revert Hdiff. apply each_two_map. intros g h _ _ Hne e Hg Hh. apply Hne.
    exact (fleet_by_miss col row s F shots g h e Hg Hh). }
  destruct (gathered (miss_of_shape col row s F shots) 1 ways) as [ds [D1 [D2 D3]]].
  { intros w Hw. apply (miss_of_a_shape col row board decks); [exact Hall | exact Hfin | now apply Hways]. }
  { revert Hdiff2. apply each_two_map. intros v w _ _ Hne e Hv Hw. apply Hne.
    exact (shape_by_miss col row s F shots v w e Hinj Hv Hw). }
  set (all := flat_map (fun f => map (pair f) (misses s f (shots f))) F).
  assert (Hle : length (es ++ ds) <= length all).
  { apply NoDup_incl_length.
    - apply no_common; [exact E1 | exact D1 |]. intros e He Hd. destruct (E3 e He) as [g [_ Hg]].
      destruct (D3 e Hd) as [v [_ Hv]]. exact (not_both_counts col row s F shots g v e Hg Hv).
    - intros [f c] H. apply in_flat_map. exists f. apply in_app_iff in H as [H | H].
      + destruct (E3 _ H) as [g [_ [Hf [_ [_ Hc]]]]]. split; [exact Hf | now apply in_map].
      + destruct (D3 _ H) as [[shape rest] [_ [Hf [Hc _]]]]. split; [exact Hf | now apply in_map]. }
  rewrite app_length in Hle. enough (G : length F * list_sum decks + length all <= list_sum (map shots F)) by lia.
  unfold all. clear - HF Hfin. induction F as [| f F IH]; [cbn; lia |].
  pose proof (enough_shots col row board decks s f (shots f) (HF f (or_introl eq_refl)) (Hfin f (or_introl eq_refl))).
  assert (G : length F * list_sum decks + length (flat_map (fun f => map (pair f) (misses s f (shots f))) F) <=
    list_sum (map shots F)) by (apply IH; intros h Hh; [apply HF | apply Hfin]; now right).
  cbn [flat_map map length]. rewrite app_length, map_length.
  change (list_sum (shots f :: map shots F)) with (shots f + list_sum (map shots F)). lia.
Qed.

Example shots_bound_holds : 3 * 1 + 1 * 1 + 2 <= 1 + (2 + (3 + 0)).
Proof.
  apply (shots_bound Z.of_nat (fun _ => 0%Z) [0; 1; 2] [1] in_order [[[0]]; [[1]]; [[2]]] [[[0]; [2]]]
    [([0; 1], []); ([1; 2], [])] (fun f => S (list_sum (concat f)))).
  - intros c d H _. lia.
  - intros f [<- | [<- | [<- | []]]]; (split; [reflexivity |]; split; [| cbn; tauto]);
      intros p [<- | []]; (split; [apply one_cell | intros c [<- | []]; cbn; tauto]).
  - intros f Hf. exists f. split; [now apply on_a_strip | intros p; reflexivity].
  - intros g [<- | []]. split; [reflexivity |]. split.
    + intros p [<- | [<- | []]]; (split; [apply one_cell | intros c [<- | []]; cbn; tauto]).
    + split; [| cbn; tauto]. intros p [<- | []] c d [<- | []] [<- | []] [H _]. cbn in H. lia.
  - cbn. tauto.
  - assert (G : forall c, c < 2 -> laid Z.of_nat (fun _ => 0%Z) [0; 1; 2] [1] ([c; S c], [])).
    { intros c Hc. exists [c], [S c]. split; [| split; [| split; [| split; [reflexivity | split; [easy | exact I]]]]].
      - split; [reflexivity |]. split; [apply one_cell |]. split; [apply one_cell |]. cbn [length]. split.
        + intros E. injection E. lia.
        + intros a b [<- | []] [<- | []]. unfold touch. lia.
      - intros d. cbn. tauto.
      - intros d [<- | [<- | []]]; cbn; lia. }
    intros w [<- | [<- | []]]; apply G; lia.
  - split; [| cbn; tauto]. intros w [<- | []] [H _]. cbn [fst] in H. destruct (proj1 (H 0) (or_introl eq_refl))
      as [E | [E | []]]; discriminate.
  - intros f [<- | [<- | [<- | []]]] p c [<- | []] [<- | []]; cbn; tauto.
Qed.
