(** The tower game: even spreading, how many soldiers each strategy needs, and the post's slips about both. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Tower TowerFewest WorstAim.
Import ListNotations.
Open Scope Z_scope.

(** The towers are in a fixed order, and the list contains them in reverse. Of N soldiers, the j-th of T towers in the
    list, numbered from 0, gets (N + j)/T shots, rounded down. So the extra soldiers fire at the first towers in the
    order. *)
Fixpoint even_from (soldiers count j : Z) (a : towers) : list Z :=
  match a with
  | [] => []
  | _ :: a => (soldiers + j) / count :: even_from soldiers count (j + 1) a
  end.

Definition even_shots (soldiers : Z) (a : towers) : list Z := even_from soldiers (standing a) 0 a.
Definition even (soldiers : Z) (a : towers) (shots : list Z) : Prop := shots = even_shots soldiers a.

(** ** Every soldier fires once *)

Lemma even_from_length : forall a N T j, length (even_from N T j a) = length a.
Proof. induction a as [| x a IH]; intros N T j; [reflexivity | cbn; now rewrite IH]. Qed.

Lemma even_from_shift : forall a N T j, even_from (N + 1) T j a = even_from N T (j + 1) a.
Proof.
  induction a as [| x a IH]; intros N T j; [reflexivity |]. cbn [even_from]. rewrite IH. f_equal. f_equal. lia.
Qed.

Lemma even_from_next : forall a N T j, 0 < T ->
  fold_right Z.add 0 (even_from N T (j + 1) a) =
  fold_right Z.add 0 (even_from N T j a) + (N + j + standing a) / T - (N + j) / T.
Proof.
  induction a as [| x a IH]; intros N T j HT.
  - unfold standing. cbn. rewrite Z.add_0_r. lia.
  - cbn [even_from fold_right]. rewrite IH by assumption. unfold standing. cbn [length].
    rewrite Nat2Z.inj_succ. unfold Z.succ. replace (N + (j + 1) + Z.of_nat (length a)) with
      (N + j + (Z.of_nat (length a) + 1)) by lia. replace (N + (j + 1)) with (N + j + 1) by lia. lia.
Qed.

Lemma even_from_zero : forall a T j, 0 <= j -> j + standing a <= T -> fold_right Z.add 0 (even_from 0 T j a) = 0.
Proof.
  induction a as [| x a IH]; intros T j Hj HT; [reflexivity |]. unfold standing in HT. cbn [length] in HT.
  cbn [even_from fold_right]. rewrite IH; [| lia | unfold standing; lia]. rewrite Z.div_small by lia. reflexivity.
Qed.

Lemma even_is_legal : forall a N, 0 <= N -> a <> [] -> legal N a (even_shots N a).
Proof.
  intros a N HN Hne. pose proof (some_stand a Hne) as HT. unfold even_shots. set (T := standing a) in *. repeat split.
  - apply even_from_length.
  - assert (Hall : forall b j, 0 <= j -> Forall (fun g => 0 <= g) (even_from N T j b)); [| now apply Hall].
    induction b as [| x b IH]; intros j Hj; constructor; [apply Z.div_pos; lia | apply IH; lia].
  - pattern N. apply natlike_ind; [| | exact HN].
    + apply even_from_zero; unfold T; lia.
    + intros g Hs IH. unfold Z.succ. rewrite even_from_shift, even_from_next, IH by exact HT. fold T.
      rewrite Z.add_0_r. replace (g + T) with (g + 1 * T) by lia. rewrite Z.div_add by lia. lia.
Qed.

Lemma even_round : forall N a, 0 <= N -> a <> [] -> round even N a (fire a (even_shots N a)).
Proof. intros N a HN Hne. exists (even_shots N a). repeat split; now apply even_is_legal. Qed.

(** ** More soldiers, fewer hits *)

(** The strongest towers come first. *)
Inductive descending : towers -> Prop :=
| no_tower : descending []
| one_more x a : descending a -> Forall (fun y => y <= x) a -> descending (x :: a).

(** [a] contains the first towers of [b], with at most as many hits. *)
Inductive below : towers -> towers -> Prop :=
| below_none b : below [] b
| below_more x a y b : x <= y -> below a b -> below (x :: a) (y :: b).

Lemma below_length : forall a b, below a b -> standing a <= standing b.
Proof. intros a b H. unfold standing. induction H; cbn [length]; lia. Qed.

Lemma below_itself : forall a, below a a.
Proof. induction a; constructor; [lia | assumption]. Qed.

Lemma fires_fall : forall a N T j x, 0 < T -> Forall (fun y => y <= x) a -> x <= (N + j) / T ->
  fire a (even_from N T (j + 1) a) = [].
Proof.
  induction a as [| y a IH]; intros N T j x HT Ha Hx; [reflexivity |]. inversion Ha; subst. cbn [even_from fire].
  assert ((N + j) / T <= (N + (j + 1)) / T) by (apply Z.div_le_mono; lia).
  destruct (Z.leb_spec y ((N + (j + 1)) / T)); [| lia]. apply (IH N T (j + 1) x); [exact HT | assumption | lia].
Qed.

Lemma fewer_shots : forall SA TA SB TB j, 0 < TA <= TB -> 0 <= SB <= SA -> 0 <= j -> (SB + j) / TB <= (SA + j) / TA.
Proof.
  intros SA TA SB TB j HT HN Hj. apply Z.le_trans with ((SB + j) / TA); [apply Z.div_le_compat_l; lia |].
  apply Z.div_le_mono; lia.
Qed.

Lemma below_after : forall a b SA TA SB TB j, below a b -> descending a -> 0 < TA <= TB -> 0 <= SB <= SA -> 0 <= j ->
  below (fire a (even_from SA TA j a)) (fire b (even_from SB TB j b)).
Proof.
  intros a b SA TA SB TB j H. revert j. induction H as [b | x a y b Hxy H IH]; intros j Ha HT HN Hj; [constructor |].
  inversion Ha; subst. cbn [even_from fire]. pose proof (fewer_shots SA TA SB TB j HT HN Hj).
  destruct (Z.leb_spec x ((SA + j) / TA)).
  - rewrite (fires_fall a SA TA j x); [constructor | lia | assumption | assumption].
  - destruct (Z.leb_spec y ((SB + j) / TB)); [lia |]. constructor; [lia |]. apply IH; [assumption | lia ..].
Qed.

Lemma fire_at_most : forall a x N T j, 0 < T -> 0 <= N + j -> Forall (fun y => y <= x) a ->
  Forall (fun y => y <= x - (N + j) / T) (fire a (even_from N T (j + 1) a)).
Proof.
  induction a as [| y a IH]; intros x N T j HT Hj Ha; [constructor |]. inversion Ha; subst. cbn [even_from fire].
  assert ((N + j) / T <= (N + (j + 1)) / T) by (apply Z.div_le_mono; lia).
  assert (G : Forall (fun y => y <= x - (N + j) / T) (fire a (even_from N T (j + 1 + 1) a))).
  { eapply Forall_impl; [| apply (IH x N T (j + 1)); [exact HT | lia | assumption]]. cbn. intros z Hz. lia. }
  destruct (y <=? (N + (j + 1)) / T); [exact G |]. constructor; [lia | exact G].
Qed.

Lemma stays_descending : forall a N T j, 0 < T -> 0 <= N + j -> descending a ->
  descending (fire a (even_from N T j a)).
Proof.
  intros a N T j HT Hj H. revert j Hj. induction H as [| x a Ha IH Hx]; intros j Hj; [constructor |].
  cbn [even_from fire]. destruct (Z.leb_spec x ((N + j) / T)).
  - apply IH. lia.
  - constructor; [apply IH; lia | now apply fire_at_most].
Qed.

(** More soldiers against fewer towers that have fewer hits left win no later. *)
Lemma even_sooner : forall k r SB b SA a, 0 < k -> 0 < SB <= SA -> a <> [] -> below a b -> descending a ->
  soldiers_win even k r SB b -> exists q, (q <= r)%nat /\ soldiers_win even k q SA a.
Proof.
  intros k r. induction r as [| r IH]; intros SB b SA a Hk HN Hne Hab Ha [N1 [b1 [Hreach Hlast]]];
    pose proof (some_stand a Hne) as HT; pose proof (below_length a b Hab) as Hlen;
    pose proof (below_after a b SA (standing a) SB (standing b) 0 Hab Ha ltac:(lia) ltac:(lia) ltac:(lia)) as Hafter;
    fold (even_shots SA a) (even_shots SB b) in Hafter.
  - inversion Hreach; subst. destruct Hlast as [shots [_ [-> Hnone]]]. rewrite <- Hnone in Hafter.
    exists 0%nat. split; [lia |]. exists SA, a. split; [constructor |].
    inversion Hafter as [b0 Hb | ]; subst. rewrite Hb. apply even_round; [lia | exact Hne].
  - apply reaches_first in Hreach as [c [[shots [_ [-> ->]]] [Hcne [Hpos Hreach]]]].
    destruct (fire a (even_shots SA a)) as [| x rest] eqn:E.
    + exists 0%nat. split; [lia |]. exists SA, a. split; [constructor |]. rewrite <- E. apply even_round; [lia |
      exact Hne].
    + pose proof (below_length _ _ Hafter) as Hless.
      destruct (IH (SB - k * standing (fire b (even_shots SB b))) (fire b (even_shots SB b))
        (SA - k * standing (x :: rest)) (x :: rest)) as [q [Hq [N2 [a2 [Hreach2 Hlast2]]]]].
      * exact Hk.
      * nia.
      * easy.
      * exact Hafter.
      * rewrite <- E. unfold even_shots. apply stays_descending; [lia | lia | exact Ha].
      * now exists N1, b1.
      * exists (S q). split; [lia |]. exists N2, a2. split; [| exact Hlast2].
        apply reaches_front with (a1 := x :: rest); [rewrite <- E; apply even_round; [lia | exact Hne] | easy | nia |].
        exact Hreach2.
Qed.

Lemma repeat_descending : forall h t, descending (repeat h t).
Proof.
  intros h t. induction t as [| t IH]; constructor; [exact IH |]. apply Forall_forall. intros y Hy.
  apply repeat_spec in Hy. lia.
Qed.

(** ** How many soldiers are needed *)

(** The play by a rule that leaves no choice. *)
Fixpoint wins_by (shots : Z -> towers -> list Z) (fuel : nat) (k N : Z) (a : towers) : bool :=
  match fuel with
  | O => false
  | Datatypes.S fuel =>
      match fire a (shots N a) with
      | [] => true
      | b => (0 <? N - k * standing b) && wins_by shots fuel k (N - k * standing b) b
      end
  end.

Definition one_way (rule : Z -> towers -> list Z -> Prop) (shots : Z -> towers -> list Z) : Prop :=
  (forall N a g, rule N a g <-> g = shots N a) /\ (forall N a, 0 <= N -> positive a -> a <> [] ->
    legal N a (shots N a)).

Lemma wins_by_wins : forall rule shots fuel k N a, one_way rule shots -> 0 < N -> positive a -> a <> [] ->
  wins_by shots fuel k N a = true -> exists r, (r < fuel)%nat /\ soldiers_win rule k r N a.
Proof.
  intros rule shots fuel k N a [Hrule Hlegal]. revert N a. induction fuel as [| fuel IH]; intros N a HN Ha Hne H;
    [easy |].
  assert (Hround : round rule N a (fire a (shots N a))).
  { exists (shots N a). repeat split; try (apply Hlegal; [lia | assumption ..]). now apply Hrule. }
  cbn [wins_by] in H. destruct (fire a (shots N a)) as [| x b] eqn:E.
  - exists 0%nat. split; [lia |]. exists N, a. split; [constructor | exact Hround].
  - apply andb_true_iff in H as [Hpos H]. apply Z.ltb_lt in Hpos.
    apply IH in H as [r [Hr [N1 [a1 [Hreach Hlast]]]]]; [| exact Hpos | rewrite <- E; now apply fire_positive | easy].
    exists (Datatypes.S r). split; [lia |]. exists N1, a1. split; [| exact Hlast].
    apply reaches_front with (a1 := x :: b); [exact Hround | easy | exact Hpos | exact Hreach].
Qed.

Lemma win_is_by : forall rule shots k r N a fuel, one_way rule shots -> (r < fuel)%nat -> soldiers_win rule k r N a ->
  wins_by shots fuel k N a = true.
Proof.
  intros rule shots k r N a fuel [Hrule Hlegal]. revert N a fuel. induction r as [| r IH];
    intros N a fuel Hr [N1 [a1 [Hreach Hlast]]];
    (destruct fuel as [| fuel]; [lia |]); cbn [wins_by].
  - inversion Hreach; subst. destruct Hlast as [g [_ [Hs Hnone]]]. apply Hrule in Hs as ->. now rewrite <- Hnone.
  - apply reaches_first in Hreach as [b [[g [_ [Hs ->]]] [Hne [Hpos Hreach]]]]. apply Hrule in Hs as ->.
    destruct (fire a (shots N a)) as [| x b] eqn:E; [reflexivity |]. rewrite <- E in *.
    apply andb_true_iff. split; [now apply Z.ltb_lt |]. apply IH; [lia | now exists N1, a1].
Qed.

(** A battle is over after at most as many rounds as there were soldiers. *)
Lemma rounds_at_most : forall rule k r N a N1 a1, 0 < k -> 0 < N -> reaches rule k r N a N1 a1 -> Z.of_nat r + N1 <= N.
Proof.
  intros rule k r N a N1 a1 Hk HN H. induction H as [N a | r N a N1 a1 b H IH Hround Hne Halive]; [lia |].
  specialize (IH HN). pose proof (some_stand b Hne). rewrite Nat2Z.inj_succ. nia.
Qed.

Lemma win_in_time : forall rule k r N a, 0 < k -> 0 < N -> a <> [] -> soldiers_win rule k r N a -> Z.of_nat r < N.
Proof.
  intros rule k r N a Hk HN Hne [N1 [a1 [H _]]]. pose proof (rounds_at_most rule k r N a N1 a1 Hk HN H).
  destruct (reaches_soldiers rule k r N a N1 a1 HN Hne H). lia.
Qed.

(** If a property holds for all numbers from some number on, and can be decided for each number, there is a smallest
    such number. *)
Lemma first_number : forall (P : Z -> Prop) (p : Z -> bool) top, 1 <= top ->
  (forall n, 1 <= n -> (P n <-> p n = true)) -> (forall n m, 1 <= n <= m -> P n -> P m) -> P top ->
  exists m, 1 <= m <= top /\ forall n, 1 <= n -> (P n <-> m <= n).
Proof.
  intros P p top Htop Hp Hup. pattern top. apply Zlt_lower_bound_ind with (z := 1); [| exact Htop]. clear top Htop.
  intros top IH Htop Hwins. destruct (Z.eq_dec top 1) as [-> | Hmore].
  - exists 1. split; [lia |]. intros n Hn. split; [lia |]. intros _. apply (Hup 1); [lia | exact Hwins].
  - destruct (p (top - 1)) eqn:E.
    + destruct (IH (top - 1)) as [m [Hm H]]; [lia | apply Hp; [lia | exact E] |]. exists m. split; [lia | exact H].
    + exists top. split; [lia |]. intros n Hn. split.
      * intros Hw. destruct (Z.le_gt_cases top n) as [| Hless]; [assumption |]. exfalso.
        assert (Hbad : P (top - 1)) by (apply (Hup n); [lia | exact Hw]). apply Hp in Hbad; [congruence | lia].
      * intros Hle. apply (Hup top); [lia | exact Hwins].
Qed.

Lemma repeat_positive : forall h t, 1 <= h -> positive (repeat h t).
Proof. intros h t Hh. apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia. Qed.

Lemma repeat_some : forall (h : Z) t, (1 <= t)%nat -> repeat h t <> [].
Proof. intros h [| t] Ht; [lia | easy]. Qed.

Lemma one_way_first : forall rule shots h k t, one_way rule shots -> 0 < h -> 0 < k -> (1 <= t)%nat ->
  (forall n m r, 1 <= n <= m -> soldiers_win rule k r n (repeat h t) ->
    exists q, (q <= r)%nat /\ soldiers_win rule k q m (repeat h t)) ->
  soldiers_win rule k 0 (h * Z.of_nat t) (repeat h t) ->
  exists m, 1 <= m <= h * Z.of_nat t /\
    forall n, 1 <= n -> ((exists r, soldiers_win rule k r n (repeat h t)) <-> m <= n).
Proof.
  intros rule shots h k t Hrule Hh Hk Ht Hup Htop.
  apply first_number with (p := fun n => wins_by shots (Z.to_nat n) k n (repeat h t)); [nia | | | now exists 0%nat].
  - intros n Hn. split.
    + intros [r Hr]. apply (win_is_by rule shots k r); [exact Hrule | | exact Hr].
      apply win_in_time in Hr; [lia | lia | lia | now apply repeat_some].
    + intros H. apply (wins_by_wins rule) in H as [r [_ Hr]];
        [now exists r | exact Hrule | lia | apply repeat_positive; lia | now apply repeat_some].
  - intros n m Hnm [r Hr]. destruct (Hup n m r Hnm Hr) as [q [_ Hq]]. now exists q.
Qed.

Lemma greedy_one_way : one_way greedy greedy_shots.
Proof.
  split; [reflexivity |]. intros N a HN Ha Hne.
  assert (Hpos : Forall (fun hits => 0 <= hits) a) by (eapply Forall_impl; [| exact Ha]; cbn; lia).
  destruct (deal_fits a N HN Hpos) as [Hfit Ht]. now apply all_fire_is_legal.
Qed.

Lemma even_one_way : one_way even even_shots.
Proof. split; [reflexivity |]. intros N a HN Ha Hne. now apply even_is_legal. Qed.

(** What all strategies have in common: more soldiers win no later, and if there is at least one soldier for each hit,
    they win at once. *)
Definition has_a_number (rule : Z -> towers -> list Z -> Prop) (h k : Z) (t : nat) : Prop :=
  (forall n m r, 1 <= n <= m -> soldiers_win rule k r n (repeat h t) ->
    exists q, (q <= r)%nat /\ soldiers_win rule k q m (repeat h t)) /\
  exists m, 1 <= m <= h * Z.of_nat t /\
    forall n, 1 <= n -> ((exists r, soldiers_win rule k r n (repeat h t)) <-> m <= n).

Lemma greedy_number : forall h k t, 0 < h -> 0 < k -> (1 <= t)%nat -> has_a_number greedy h k t.
Proof.
  intros h k t Hh Hk Ht.
  assert (Hup : forall n m r, 1 <= n <= m -> soldiers_win greedy k r n (repeat h t) ->
    exists q, (q <= r)%nat /\ soldiers_win greedy k q m (repeat h t)).
  { intros n m r Hn [N1 [a1 [Hreach [g [Hl [_ Hnone]]]]]].
    apply (greedy_is_the_best h k t m n r); [lia | lia | exact Ht | lia |].
    exists N1, a1. split; [| exists g; repeat split; try apply Hl; exact Hnone].
    clear Hl Hnone Hn. induction Hreach as [N a | r N a N1 a1 b Hreach IH Hround Hne Halive]; [constructor |].
    apply further with (N1 := N1) (a1 := a1); [exact IH | | exact Hne | exact Halive].
    destruct Hround as [g' [Hl [_ Hb]]]. exists g'. repeat split; try apply Hl; exact Hb. }
  split; [exact Hup |]. apply (one_way_first greedy greedy_shots); try assumption; [exact greedy_one_way |].
  assert (Hone : one_damaged h (repeat h t)).
  { right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn. now rewrite Nat.sub_0_r. }
  destruct (greedy_round h (repeat h t) (h * Z.of_nat t)) as [b [Hround [Hb Hhits]]];
    [nia | exact Hone | now apply repeat_some |].
  rewrite repeat_hits in Hhits. exists (h * Z.of_nat t), (repeat h t). split; [constructor |].
  replace [] with b; [exact Hround |]. apply standing_zero. destruct (one_damaged_sound h b Hb) as [Hs _].
  pose proof (hits_bounds h b Hs). lia.
Qed.

Lemma even_number : forall h k t, 0 < h -> 0 < k -> (1 <= t)%nat -> has_a_number even h k t.
Proof.
  intros h k t Hh Hk Ht.
  assert (Hup : forall n m r, 1 <= n <= m -> soldiers_win even k r n (repeat h t) ->
    exists q, (q <= r)%nat /\ soldiers_win even k q m (repeat h t)).
  { intros n m r Hn H. apply (even_sooner k r n (repeat h t)); try assumption; try lia;
      [now apply repeat_some | apply below_itself | apply repeat_descending]. }
  split; [exact Hup |]. apply (one_way_first even even_shots); try assumption; [exact even_one_way |].
  exists (h * Z.of_nat t), (repeat h t). split; [constructor |].
  exists (even_shots (h * Z.of_nat t) (repeat h t)). split; [apply even_is_legal; [nia | now apply repeat_some] |].
  split; [reflexivity |]. symmetry. unfold even_shots. unfold standing. rewrite repeat_length.
  assert (G : forall m j, 0 <= j -> fire (repeat h m) (even_from (h * Z.of_nat t) (Z.of_nat t) j (repeat h m)) = []).
  { induction m as [| m IH]; intros j Hj; [reflexivity |]. cbn [repeat even_from fire].
    assert (h <= (h * Z.of_nat t + j) / Z.of_nat t) by (apply Z.div_le_lower_bound; nia).
    destruct (Z.leb_spec h ((h * Z.of_nat t + j) / Z.of_nat t)); [apply IH; lia | lia]. }
  apply G. lia.
Qed.

(** *** The fewest towers *)

Lemma sparing_wears : forall k r N a fuel, 0 < N -> positive a -> a <> [] -> (r < fuel)%nat ->
  soldiers_win sparing k r N a -> wears_down fuel k N (hits a) (standing a) = true.
Proof.
  intros k r. induction r as [| r IH]; intros N a fuel Hs Ha Hne Hr [N1 [a1 [Hreach Hlast]]];
    (destruct fuel as [| fuel]; [lia |]); cbn [wears_down].
  - inversion Hreach; subst. apply sparing_leaves in Hlast as [_ [Hhits _]]; [| exact Ha]. cbn in Hhits.
    destruct (Z.leb_spec (hits a1) N1); [reflexivity | lia].
  - apply reaches_first in Hreach as [b [Hb [Hbne [Hpos Hreach]]]].
    destruct (sparing_leaves N a b Ha Hb) as [Hbpos [Hhits Hstand]].
    destruct (Z.leb_spec (hits a) N) as [Hwon | Hmore]; [reflexivity |].
    replace (Z.max 0 (hits a - N)) with (hits a - N) in Hhits by lia. rewrite <- Hhits, <- Hstand.
    rewrite (IH _ b fuel Hpos Hbpos Hbne); [| lia | now exists N1, a1].
    destruct (Z.ltb_spec 0 (N - k * standing b)); [reflexivity | lia].
Qed.

Lemma wears_sparing : forall fuel k N a, 0 < N -> positive a -> a <> [] ->
  wears_down fuel k N (hits a) (standing a) = true -> exists r, (r < fuel)%nat /\ soldiers_win sparing k r N a.
Proof.
  induction fuel as [| fuel IH]; intros k N a Hs Ha Hne H; [easy |].
  destruct (fewest_is_possible a N ltac:(lia) Ha Hne) as [b Hb].
  destruct (sparing_leaves N a b Ha Hb) as [Hbpos [Hhits Hstand]]. pose proof (some_stand a Hne).
  cbn [wears_down] in H. destruct (Z.leb_spec (hits a) N) as [Hwon | Hmore].
  - exists 0%nat. split; [lia |]. exists N, a. split; [constructor |].
    replace [] with b; [exact Hb | apply none_stand; lia].
  - cbn [orb] in H. replace (Z.max 0 (hits a - N)) with (hits a - N) in Hhits by lia.
    rewrite <- Hhits, <- Hstand in H. apply andb_true_iff in H as [Hpos H]. apply Z.ltb_lt in Hpos.
    assert (Hbne : b <> []) by (intros ->; cbn in Hstand, Hhits; lia).
    destruct (IH k _ b Hpos Hbpos Hbne H) as [r [Hr [N1 [a1 [Hreach Hlast]]]]].
    exists (S r). split; [lia |]. exists N1, a1. split; [| exact Hlast]. now apply reaches_front with (a1 := b).
Qed.

Lemma fewest_number : forall h k t, 0 < h -> 0 < k -> (1 <= t)%nat -> has_a_number sparing h k t.
Proof.
  intros h k t Hh Hk Ht. pose proof (repeat_positive h t ltac:(lia)) as Hpos. pose proof (repeat_some h t Ht) as Hne.
  assert (Hup : forall n m r, 1 <= n <= m -> soldiers_win sparing k r n (repeat h t) ->
    exists q, (q <= r)%nat /\ soldiers_win sparing k q m (repeat h t)).
  { intros n m r Hn H. apply (sparing_wears k r n _ (S r)) in H; [| lia | exact Hpos | exact Hne | lia].
    apply (wears_down_sooner (S r) k n (hits (repeat h t)) (standing (repeat h t)) m (hits (repeat h t))
      (standing (repeat h t))) in H; [| lia ..].
    apply wears_sparing in H as [q [Hq H]]; [| lia | exact Hpos | exact Hne]. exists q. split; [lia | exact H]. }
  split; [exact Hup |].
  apply first_number with
    (p := fun n => wears_down (Z.to_nat n) k n (hits (repeat h t)) (standing (repeat h t))); [nia | | |].
  - intros n Hn. split.
    + intros [r Hr]. apply (sparing_wears k r); [lia | exact Hpos | exact Hne | | exact Hr].
      apply win_in_time in Hr; [lia | lia | lia | exact Hne].
    + intros H. apply wears_sparing in H as [r [_ Hr]]; [now exists r | lia | exact Hpos | exact Hne].
  - intros n m Hnm [r Hr]. destruct (Hup n m r Hnm Hr) as [q [_ Hq]]. now exists q.
  - destruct (wears_sparing 1 k (h * Z.of_nat t) (repeat h t)) as [r [_ Hr]]; [nia | exact Hpos | exact Hne | |].
    + cbn [wears_down]. rewrite repeat_hits. now rewrite Z.leb_refl.
    + now exists r.
Qed.

(**
   Claim: For Greedy, Fewest and Even, there is a number m from 1 to ht such that the soldiers win exactly when n >= m,
     and more soldiers win no later.
   Prose: tower.md, Theorem 3
   Code: Battle.MinSoldiers
*)
Theorem each_has_a_number : forall rule h k t, rule = greedy \/ rule = sparing \/ rule = even ->
  0 < h -> 0 < k -> (1 <= t)%nat -> has_a_number rule h k t.
Proof.
  intros rule h k t [-> | [-> | ->]] Hh Hk Ht; [now apply greedy_number | now apply fewest_number |
    now apply even_number].
Qed.

Example each_has_a_number_holds : has_a_number even 3 1 2.
Proof. apply each_has_a_number; [auto | lia ..]. Qed.

(** ** Integer ratios *)

(** The sum of the positive terms of r, r - k, r - 2k, ... *)
Fixpoint terms (fuel : nat) (k r : Z) : Z :=
  match fuel with
  | O => 0
  | S fuel => if 0 <? r then r + terms fuel k (r - k) else 0
  end.

Definition all_terms (k r : Z) : Z := terms (Z.to_nat r) k r.

Lemma terms_enough : forall fuel k r, 0 < k -> r <= Z.of_nat fuel -> terms fuel k r = all_terms k r.
Proof.
  unfold all_terms. induction fuel as [| fuel IH]; intros k r Hk Hr; [destruct r; try reflexivity; lia |].
  cbn [terms]. destruct (Z.ltb_spec 0 r) as [Hpos | Hnone]; [| now replace (Z.to_nat r) with O by lia].
  replace (Z.to_nat r) with (S (Z.to_nat (r - 1))) by lia. cbn [terms].
  destruct (Z.ltb_spec 0 r); [| lia]. rewrite IH by lia. f_equal.
  destruct (Z.le_gt_cases (r - k) 0).
  - replace (Z.to_nat (r - k)) with O by lia. cbn [terms]. destruct (Z.to_nat (r - 1)); [reflexivity |].
    cbn [terms]. destruct (Z.ltb_spec 0 (r - k)); [lia | reflexivity].
  - clear - Hk H IH Hr. revert r Hr H.
    assert (G : forall f g r, r <= Z.of_nat f -> r <= Z.of_nat g -> terms f k r = terms g k r).
    { induction f as [| f IHf]; intros [| g] r Hf Hg; cbn [terms]; try reflexivity.
      - destruct (Z.ltb_spec 0 r); [lia | reflexivity].
      - destruct (Z.ltb_spec 0 r); [lia | reflexivity].
      - destruct (Z.ltb_spec 0 r); [| reflexivity]. f_equal. apply IHf; lia. }
    intros r Hr H. apply G; lia.
Qed.

Lemma terms_step : forall k r, 0 < k -> 0 < r -> all_terms k r = r + all_terms k (r - k).
Proof.
  intros k r Hk Hr. rewrite <- (terms_enough (S (Z.to_nat r)) k r) by lia. cbn [terms].
  destruct (Z.ltb_spec 0 r); [| lia]. now rewrite terms_enough by lia.
Qed.

Lemma terms_none : forall k r, r <= 0 -> all_terms k r = 0.
Proof. intros k r Hr. unfold all_terms. now replace (Z.to_nat r) with O by lia. Qed.

Lemma all_alike : forall r h t, 0 < r -> (1 <= t)%nat ->
  fire (repeat h t) (even_shots (r * Z.of_nat t) (repeat h t)) = if h <=? r then [] else repeat (h - r) t.
Proof.
  intros r h t Hr Ht. unfold even_shots, standing. rewrite repeat_length.
  assert (G : forall m j, 0 <= j -> j + Z.of_nat m <= Z.of_nat t ->
    fire (repeat h m) (even_from (r * Z.of_nat t) (Z.of_nat t) j (repeat h m)) =
    if h <=? r then [] else repeat (h - r) m).
  { induction m as [| m IH]; intros j Hj Hm; [now destruct (h <=? r) |]. cbn [repeat even_from fire].
    assert (E : (r * Z.of_nat t + j) / Z.of_nat t = r).
    { symmetry. apply Z.div_unique with j; lia. }
    rewrite E, IH by lia. now destruct (h <=? r). }
  apply G; lia.
Qed.

Lemma even_by_terms : forall fuel r h k t, 0 < k -> (1 <= t)%nat -> 0 < r <= Z.of_nat fuel ->
  (wins_by even_shots fuel k (r * Z.of_nat t) (repeat h t) = true <-> h <= all_terms k r).
Proof.
  induction fuel as [| fuel IH]; intros r h k t Hk Ht Hr; [lia |]. cbn [wins_by].
  rewrite all_alike by lia. rewrite terms_step by lia. destruct (Z.leb_spec h r) as [Hwon | Hmore].
  - split; [| reflexivity]. intros _. destruct (Z.le_gt_cases (r - k) 0) as [Hn | Hp]; [rewrite terms_none; lia |].
    assert (G : forall f q, 0 <= terms f k q).
    { induction f as [| f IHf]; intros q; cbn [terms]; [lia |]. specialize (IHf (q - k)).
      destruct (Z.ltb_spec 0 q); lia. }
    pose proof (G (Z.to_nat (r - k)) (r - k)). unfold all_terms. lia.
  - destruct t as [| t]; [lia |]. cbn [repeat]. change (h - r :: repeat (h - r) t) with (repeat (h - r) (S t)).
    set (T := Z.of_nat (S t)) in *. assert (HT : 0 < T) by lia.
    assert (E : standing (repeat (h - r) (S t)) = T) by (unfold standing; now rewrite repeat_length).
    rewrite E. replace (r * T - k * T) with ((r - k) * T) by ring.
    destruct (Z.le_gt_cases (r - k) 0) as [Hn | Hp].
    + rewrite terms_none by lia. destruct (Z.ltb_spec 0 ((r - k) * T)) as [Hbad | _]; [nia |]. cbn [andb].
      split; [easy | lia].
    + destruct (Z.ltb_spec 0 ((r - k) * T)); [| nia]. cbn [andb]. unfold T. rewrite IH by lia. lia.
Qed.

(**
   Claim: With n = rt and even spreading, the soldiers win exactly when the sum of the positive terms of r, r - k, r -
     2k, ... is at least h.
   Prose: tower.md, Theorem 5
   Settles: tower-carried
*)
Theorem whole_ratios : forall h k r t, 0 < h -> 0 < k -> 0 < r -> (1 <= t)%nat ->
  ((exists q, soldiers_win even k q (r * Z.of_nat t) (repeat h t)) <-> h <= all_terms k r).
Proof.
  intros h k r t Hh Hk Hr Ht. set (fuel := Z.to_nat (r * Z.of_nat t)).
  rewrite <- (even_by_terms fuel r h k t) by nia. split.
  - intros [q Hq]. apply (win_is_by even even_shots k q); [exact even_one_way | | exact Hq].
    apply win_in_time in Hq; [lia | lia | nia | now apply repeat_some].
  - intros H. apply (wins_by_wins even) in H as [q [_ Hq]];
      [now exists q | exact even_one_way | nia | apply repeat_positive; lia | now apply repeat_some].
Qed.

Example whole_ratios_holds : exists q, soldiers_win even 1 q 4 (repeat 3 2).
Proof. apply (whole_ratios 3 1 2 2); [lia .. | vm_compute; discriminate]. Qed.

(**
   Claim: For k = 1 the sum of these terms is r(r + 1)/2.
   Prose: tower.md, Theorem 5 in part
*)
Theorem terms_of_one_kill : forall r, 0 <= r -> 2 * all_terms 1 r = r * (r + 1).
Proof.
  intros r Hr. pattern r. apply natlike_ind; [reflexivity | | exact Hr]. intros q Hq IH.
  rewrite terms_step by lia. replace (Z.succ q - 1) with q by lia. lia.
Qed.

Example terms_of_one_kill_holds : 2 * all_terms 1 7 = 7 * (7 + 1).
Proof. apply terms_of_one_kill. lia. Qed.

Lemma fewest_by_terms : forall fuel k r h T, 0 < k -> 0 < T -> 0 < r <= Z.of_nat fuel ->
  (wears_down fuel k (r * T) (h * T) T = true <-> h <= all_terms k r).
Proof.
  induction fuel as [| fuel IH]; intros k r h T Hk HT Hr; [lia |]. cbn [wears_down]. rewrite terms_step by lia.
  assert (G : forall f q, 0 <= terms f k q).
  { induction f as [| f IHf]; intros q; cbn [terms]; [lia |]. specialize (IHf (q - k)). destruct (Z.ltb_spec 0 q);
    lia. }
  pose proof (G (Z.to_nat (r - k)) (r - k)) as Hmore. fold (all_terms k (r - k)) in Hmore.
  destruct (Z.leb_spec (h * T) (r * T)) as [Hwon | Hstand]; cbn [orb]; [split; [nia | reflexivity] |].
  replace (h * T - r * T) with ((h - r) * T) by ring. assert (0 < h - r) by nia.
  rewrite Z.min_l by nia. replace (r * T - k * T) with ((r - k) * T) by ring.
  destruct (Z.le_gt_cases (r - k) 0) as [Hn | Hp].
  - rewrite terms_none by lia. destruct (Z.ltb_spec 0 ((r - k) * T)) as [Hbad | _]; [nia |]. cbn [andb].
    split; [easy | lia].
  - destruct (Z.ltb_spec 0 ((r - k) * T)); [| nia]. cbn [andb]. rewrite IH by lia. lia.
Qed.

Lemma fewest_whole : forall h k r t, 0 < h -> 0 < k -> 0 < r -> (1 <= t)%nat ->
  ((exists q, soldiers_win sparing k q (r * Z.of_nat t) (repeat h t)) <-> h <= all_terms k r).
Proof.
  intros h k r t Hh Hk Hr Ht. set (fuel := Z.to_nat (r * Z.of_nat t)).
  rewrite <- (fewest_by_terms fuel k r h (Z.of_nat t)) by nia.
  pose proof (repeat_positive h t ltac:(lia)) as Hpos. pose proof (repeat_some h t Ht) as Hne.
  assert (E : standing (repeat h t) = Z.of_nat t) by (unfold standing; now rewrite repeat_length).
  pose proof (repeat_hits h t) as E2. split.
  - intros [q Hq]. rewrite <- E2, <- E. apply (sparing_wears k q); [rewrite E; nia | exact Hpos | exact Hne | |].
    + apply win_in_time in Hq; [lia | lia | nia | exact Hne].
    + now rewrite E.
  - intros H. rewrite <- E2, <- E in H. apply wears_sparing in H as [q [_ Hq]];
      [| rewrite E; nia | exact Hpos | exact Hne]. exists q. now rewrite E in Hq.
Qed.

(**
   Claim: Let r be the smallest integer for which the positive terms of r, r - k, r - 2k, ... add up to at least h.
     Soldiers who destroy the fewest towers, and soldiers who spread their shots evenly, win if there are at least rt of
     them, and lose if there are at most (r - 1)t.
   Prose: tower.md, Theorem 8
*)
Theorem between_whole_ratios : forall rule h k r t n, rule = sparing \/ rule = even ->
  0 < h -> 0 < k -> 0 < r -> (1 <= t)%nat -> h <= all_terms k r -> all_terms k (r - 1) < h -> 0 < n ->
  (r * Z.of_nat t <= n -> exists q, soldiers_win rule k q n (repeat h t)) /\
  (n <= (r - 1) * Z.of_nat t -> ~ exists q, soldiers_win rule k q n (repeat h t)).
Proof.
  intros rule h k r t n Hrule Hh Hk Hr Ht Hlast Hbefore Hn.
  assert (Hnumber : has_a_number rule h k t).
  { apply each_has_a_number; try assumption. destruct Hrule as [-> | ->]; auto. }
  assert (Hwhole : forall r, 0 < r ->
    ((exists q, soldiers_win rule k q (r * Z.of_nat t) (repeat h t)) <-> h <= all_terms k r)).
  { intros q Hq. destruct Hrule as [-> | ->]; [now apply fewest_whole | now apply whole_ratios]. }
  destruct Hnumber as [Hup _]. split.
  - intros Hle. destruct (proj2 (Hwhole r Hr) Hlast) as [q Hq].
    destruct (Hup (r * Z.of_nat t) n q) as [p [_ Hp]]; [nia | exact Hq | now exists p].
  - intros Hle [q Hq]. assert (0 < r - 1) by nia.
    destruct (Hup n ((r - 1) * Z.of_nat t) q) as [p [_ Hp]]; [lia | exact Hq |].
    assert (h <= all_terms k (r - 1)) by (apply Hwhole; [assumption | now exists p]). lia.
Qed.

Example between_whole_ratios_holds : ~ exists q, soldiers_win even 1 q 20 (repeat 6 10).
Proof. apply (between_whole_ratios even 6 1 3 10 20); [auto | lia .. | vm_compute; discriminate | vm_compute;
  reflexivity | lia | lia]. Qed.
