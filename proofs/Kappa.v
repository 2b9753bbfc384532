(** The real number κ(x) in the decision to wait or to strike, given by the fractions that are at least κ(x). *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Fibonacci Hunt Golden.
Open Scope Z_scope.

(** φ^4p for an integer p of either sign. *)
Definition phi_to_4 (p : Z) : golden := if 0 <=? p then gpower phi (4 * Z.to_nat p) else
  gpower inverse_phi (4 * Z.to_nat (- p)).

(** κ(x) <= p/q for q > 0, where φ^4κ(x) = (n + x/φ)/(n - xφ): this means (n + x/φ)^q <= φ^4p (n - xφ)^q. *)
Definition kappa_at_most (n x p : Z) (q : nat) : Prop :=
  ~ glt (gtimes (phi_to_4 p) (gpower (less_phis n x) q)) (gpower (plus_parts n x) q).

(** ** The order of numbers a + bφ *)

Ltac golden_equal :=
  repeat match goal with x : golden |- _ => destruct x end;
  unfold gplus, gminus, gtimes, whole, phi, inverse_phi; cbn [ones phis]; f_equal; ring.

Lemma gcomm : forall x y, gtimes x y = gtimes y x.
Proof. intros. golden_equal. Qed.

Lemma gassoc : forall x y z, gtimes x (gtimes y z) = gtimes (gtimes x y) z.
Proof. intros. golden_equal. Qed.

Lemma gswap : forall x y z, gtimes x (gtimes y z) = gtimes y (gtimes x z).
Proof. intros. golden_equal. Qed.

Lemma gtimes_one : forall x, gtimes (whole 1) x = x.
Proof. intros [a b]. golden_ring. Qed.

Lemma zero_not_above : ~ above_zero (whole 0).
Proof. exact (proj1 (proj2 (golden_signs phi phi))). Qed.

Lemma not_both_above : forall x, above_zero x -> ~ above_zero (gminus (whole 0) x).
Proof. intros x H1 H2. now apply (proj1 (proj2 (proj2 (golden_signs x x)))). Qed.

Lemma equal_by_difference : forall x y, gminus x y = whole 0 -> x = y.
Proof. intros [a b] [c d] H. injection H. cbn [ones phis]. intros. f_equal; lia. Qed.

Lemma whole_above : forall m, 0 < m -> above_zero (whole m).
Proof.
  intros m H. left. cbn [whole ones phis]. rewrite Z.add_0_r. split; [lia |].
  assert (0 < 2 * m * (2 * m)) by (apply Z.mul_pos_pos; lia). lia.
Qed.

Lemma above_product : forall x y, above_zero x -> above_zero y -> above_zero (gtimes x y).
Proof. intros x y Hx Hy. now apply golden_signs. Qed.

Lemma above_factor : forall x y, above_zero x -> above_zero (gtimes x y) -> above_zero y.
Proof.
  intros x y Hx Hxy. destruct (golden_signs y y) as [[H | [H | H]] _]; [exact H | exfalso | exfalso].
  - subst y. replace (gtimes x (whole 0)) with (whole 0) in Hxy by golden_equal.
    now apply zero_not_above.
  - apply (above_product _ _ Hx) in H.
    replace (gtimes x (gminus (whole 0) y)) with (gminus (whole 0) (gtimes x y)) in H by golden_equal.
    now apply (not_both_above (gtimes x y)).
Qed.

(** A factor that turns a positive number into an integer. *)
Lemma above_has_norm : forall x, above_zero x -> exists y m, above_zero y /\ 0 < m /\ gtimes x y = whole m.
Proof.
  intros [a b] H.
  assert (Hzero : Golden a b <> whole 0) by (intros E; rewrite E in H; now apply zero_not_above).
  pose proof (norm_is_not_zero _ Hzero) as Hn. unfold norm in Hn. cbn [ones phis] in Hn.
  set (v := a * a + a * b - b * b) in *.
  assert (G : forall y m, 0 < m -> gtimes (Golden a b) y = whole m ->
    exists y m, above_zero y /\ 0 < m /\ gtimes (Golden a b) y = whole m).
  { intros y m Hm E. exists y, m. repeat split; [| exact Hm | exact E]. apply (above_factor _ _ H). rewrite E.
    now apply whole_above. }
  destruct (Z.lt_trichotomy v 0) as [L | [L | L]]; [| lia |].
  - apply (G (Golden (- a - b) b) (- v)); [lia |]. unfold gtimes, whole, v. cbn [ones phis]. f_equal; ring.
  - apply (G (Golden (a + b) (- b)) v); [lia |]. unfold gtimes, whole, v. cbn [ones phis]. f_equal; ring.
Qed.

Lemma above_sum : forall x y, above_zero x -> above_zero y -> above_zero (gplus x y).
Proof.
  intros x y Hx Hy. destruct (above_has_norm y Hy) as [z [m [Hz [Hm E]]]]. apply (above_factor z); [exact Hz |].
  replace (gtimes z (gplus x y)) with (gplus (gtimes z x) (gtimes y z)) by golden_equal. rewrite E.
  pose proof (above_product z x Hz Hx) as H. destruct (gtimes z x) as [a b].
  unfold above_zero, gplus, whole in *. cbn [ones phis] in *. rewrite Z.add_0_r.
  replace (2 * (a + m) + b) with (2 * a + b + 2 * m) by ring. set (p := 2 * a + b) in *.
  pose proof (Z.square_nonneg b).
  destruct H as [[H1 H2] | [H1 H2]]; [left; nia |].
  destruct (Z.le_gt_cases (p + 2 * m) 0) as [L | L]; [right; nia |].
  destruct (Z.lt_trichotomy (5 * (b * b)) ((p + 2 * m) * (p + 2 * m))) as [L2 | [L2 | L2]];
    [now left | exfalso | now right].
  apply (norm_is_not_zero (Golden (a + m) b)); [intros E2; injection E2; lia |]. unfold norm. cbn [ones phis].
  assert (E3 : 4 * ((a + m) * (a + m) + (a + m) * b - b * b) = (p + 2 * m) * (p + 2 * m) - 5 * (b * b))
    by (unfold p; ring). lia.
Qed.

Lemma glt_not : forall x, ~ glt x x.
Proof.
  intros x H. unfold glt in H. replace (gminus x x) with (whole 0) in H by golden_equal.
  now apply zero_not_above.
Qed.

Lemma glt_next : forall x y z, glt x y -> glt y z -> glt x z.
Proof.
  intros x y z H1 H2. unfold glt in *. replace (gminus z x) with (gplus (gminus y x) (gminus z y)) by golden_equal.
  now apply above_sum.
Qed.

Lemma gle_or : forall x y, ~ glt y x -> x = y \/ glt x y.
Proof.
  intros x y H. destruct (golden_signs (gminus y x) x) as [[H1 | [H1 | H1]] _]; [now right | left |].
  - destruct x as [a b], y as [c d]. injection H1. cbn [ones phis]. intros. f_equal; lia.
  - exfalso. apply H. unfold glt. now replace (gminus x y) with (gminus (whole 0) (gminus y x)) by golden_equal.
Qed.

Lemma glt_or : forall x y, glt x y \/ ~ glt x y.
Proof.
  intros x y. destruct (golden_signs (gminus y x) x) as [[H | [H | H]] _]; [now left | right ..].
  - unfold glt. rewrite H. exact zero_not_above.
  - intros H2. now apply (not_both_above (gminus y x)).
Qed.

Lemma gle_glt : forall x y z, ~ glt y x -> glt y z -> glt x z.
Proof. intros x y z H1 H2. apply gle_or in H1 as [-> | H1]; [exact H2 | now apply glt_next with y]. Qed.

Lemma glt_gle : forall x y z, glt x y -> ~ glt z y -> glt x z.
Proof. intros x y z H1 H2. apply gle_or in H2 as [<- | H2]; [exact H1 | now apply glt_next with y]. Qed.

Lemma gle_gle : forall x y z, ~ glt y x -> ~ glt z y -> ~ glt z x.
Proof. intros x y z H1 H2 H3. apply H2. now apply glt_gle with x. Qed.

Lemma glt_times : forall z x y, above_zero z -> (glt (gtimes z x) (gtimes z y) <-> glt x y).
Proof.
  intros z x y Hz. unfold glt.
  replace (gminus (gtimes z y) (gtimes z x)) with (gtimes z (gminus y x)) by golden_equal.
  split; [now apply above_factor | now apply above_product].
Qed.

Lemma above_power : forall x q, above_zero x -> above_zero (gpower x q).
Proof. intros x q H. induction q as [| q IH]; [left; cbn; lia | now apply above_product]. Qed.

Lemma power_of_product : forall x y q, gpower (gtimes x y) q = gtimes (gpower x q) (gpower y q).
Proof.
  intros x y q. induction q as [| q IH]; [reflexivity |]. cbn [gpower]. rewrite IH.
  generalize (gpower x q), (gpower y q). intros. golden_equal.
Qed.

Lemma gle_power : forall x y q, above_zero x -> above_zero y -> ~ glt y x -> ~ glt (gpower y q) (gpower x q).
Proof.
  intros x y q Hx Hy H. induction q as [| q IH]; [apply glt_not |]. cbn [gpower].
  apply gle_gle with (gtimes x (gpower y q)); [now rewrite glt_times |].
  rewrite (gcomm y), (gcomm x). rewrite glt_times; [exact H | now apply above_power].
Qed.

Lemma glt_whole : forall a b, a < b -> glt (whole a) (whole b).
Proof.
  intros a b H. unfold glt. replace (gminus (whole b) (whole a)) with (whole (b - a)) by golden_equal.
  apply whole_above. lia.
Qed.

(** Some multiple of a positive number is greater than any other given number. *)
Lemma multiple_above : forall x y, above_zero x -> exists q : nat, glt y (gtimes (whole (Z.of_nat (S q))) x).
Proof.
  intros x y Hx. destruct (above_has_norm x Hx) as [z [m [Hz [Hm E]]]].
  destruct (gtimes z y) as [a b] eqn:Ey. set (q := Z.to_nat (Z.abs a + 2 * Z.abs b)). exists q.
  apply (proj1 (glt_times z _ _ Hz)).
  replace (gtimes z (gtimes (whole (Z.of_nat (S q))) x)) with (gtimes (whole (Z.of_nat (S q))) (gtimes x z))
    by golden_equal. rewrite E, Ey. unfold glt, gminus, gtimes, whole. left. cbn [ones phis].
  set (c := Z.of_nat (S q)). assert (Hc : c = Z.abs a + 2 * Z.abs b + 1) by (unfold c, q; lia).
  assert (Hcm : c <= c * m) by nia. set (e := c * m) in *.
  replace (e + 0 * 0 - a) with (e - a) by ring. replace (c * 0 + 0 * m + 0 * 0 - b) with (- b) by ring.
  assert (H3 : 3 * Z.abs b < 2 * (e - a) + - b) by lia. set (p := 2 * (e - a) + - b) in *. clearbody p.
  split; [lia |].
  replace (- b * - b) with (Z.abs b * Z.abs b) by (rewrite Z.abs_square; ring).
  assert (H0 : 0 <= Z.abs b) by lia. set (w := Z.abs b) in *. clearbody w. pose proof (Z.square_nonneg w).
  assert ((3 * w + 1) * (3 * w + 1) <= p * p) by (apply Z.mul_le_mono_nonneg; lia). lia.
Qed.

(** Bernoulli: (x + u)^(q+1) >= x^q (x + (q + 1)u). *)
Lemma power_grows : forall x u q, above_zero x -> above_zero u ->
  ~ glt (gpower (gplus x u) (S q)) (gtimes (gpower x q) (gplus x (gtimes (whole (Z.of_nat (S q))) u))).
Proof.
  intros x u q Hx Hu. induction q as [| q IH].
  - cbn [gpower]. replace (gtimes (whole 1) (gplus x (gtimes (whole (Z.of_nat 1)) u)))
      with (gtimes (gplus x u) (whole 1)) by (change (Z.of_nat 1) with 1; golden_equal). apply glt_not.
  - set (c := Z.of_nat (S q)) in *. replace (Z.of_nat (S (S q))) with (c + 1) by (unfold c; lia).
    change (gpower (gplus x u) (S (S q))) with (gtimes (gplus x u) (gpower (gplus x u) (S q))).
    pose proof (above_power x q Hx) as Hp. cbn [gpower]. set (w := gpower x q) in *.
    apply gle_gle with (gtimes (gplus x u) (gtimes w (gplus x (gtimes (whole c) u)))).
    2: { rewrite glt_times; [exact IH | now apply above_sum]. }
    rewrite (gcomm x w), <- gassoc, (gswap (gplus x u)), glt_times by exact Hp. unfold glt.
    replace (gminus (gtimes x (gplus x (gtimes (whole (c + 1)) u))) (gtimes (gplus x u) (gplus x (gtimes (whole c) u))))
      with (gminus (whole 0) (gtimes (whole c) (gtimes u u))) by golden_equal.
    apply not_both_above, above_product; [apply whole_above; unfold c; lia | now apply above_product].
Qed.

(** ** Powers of φ with exponents of either sign *)

Lemma phi_to_4_next : forall p, phi_to_4 (p + 1) = gtimes (gpower phi 4) (phi_to_4 p).
Proof.
  intros p. unfold phi_to_4. destruct (Z.leb_spec 0 p) as [H | H], (Z.leb_spec 0 (p + 1)) as [H1 | H1]; try lia.
  - replace (4 * Z.to_nat (p + 1))%nat with (S (S (S (S (4 * Z.to_nat p))))) by lia. cbn [gpower].
    change (gtimes phi (gtimes phi (gtimes phi (gtimes phi (whole 1))))) with
      (gtimes phi (gtimes phi (gtimes phi phi))). now rewrite !gassoc.
  - replace p with (-1) by lia. reflexivity.
  - replace (4 * Z.to_nat (- p))%nat with (S (S (S (S (4 * Z.to_nat (- (p + 1))))))) by lia. cbn [gpower].
    rewrite !gassoc. set (w := gpower inverse_phi (4 * Z.to_nat (- (p + 1)))). rewrite <- (gtimes_one w) at 1. reflexivity.
Qed.

Lemma phi_to_4_sum : forall p j, phi_to_4 (p + Z.of_nat j) = gtimes (gpower (gpower phi 4) j) (phi_to_4 p).
Proof.
  intros p j. induction j as [| j IH]; [rewrite Z.add_0_r; cbn [gpower]; now rewrite gtimes_one |].
  replace (p + Z.of_nat (S j)) with (p + Z.of_nat j + 1) by lia. rewrite phi_to_4_next, IH. cbn [gpower].
  now rewrite gassoc.
Qed.

Lemma above_phi_to_4 : forall p, above_zero (phi_to_4 p).
Proof.
  intros p. unfold phi_to_4. destruct (0 <=? p); apply above_power; right; cbn; lia.
Qed.

Lemma phi_to_4_grows : forall j, ~ glt (gpower (gpower phi 4) j) (whole (Z.of_nat j)).
Proof.
  change (gpower phi 4) with (Golden 2 3).
  assert (H : forall j, let w := gpower (Golden 2 3) j in 1 <= ones w /\ Z.of_nat j <= ones w /\ 0 <= phis w).
  { induction j as [| j IH]; [cbn; lia |]. cbn [gpower]. destruct (gpower (Golden 2 3) j) as [a b].
    cbn [gtimes ones phis] in *. lia. }
  intros j. destruct (H j) as [_ [H1 H2]]. destruct (gpower (Golden 2 3) j) as [a b]. cbn [ones phis] in *.
  unfold glt, gminus, whole, above_zero. cbn [ones phis]. intros [[H3 H4] | [H3 H4]]; lia.
Qed.

(** The greatest integer p with φ^4p g < f. *)
Lemma last_power_below : forall f g, above_zero f -> above_zero g ->
  exists p, glt (gtimes (phi_to_4 p) g) f /\ ~ glt (gtimes (phi_to_4 (p + 1)) g) f.
Proof.
  intros f g Hf Hg.
  assert (Hup : exists j, ~ glt (gtimes (phi_to_4 (Z.of_nat j)) g) f).
  { destruct (multiple_above g f Hg) as [j Hj]. exists (S j). intros H. apply (glt_not f).
    apply glt_next with (gtimes (whole (Z.of_nat (S j))) g); [exact Hj |]. revert H. apply gle_glt.
    rewrite (gcomm _ g), (gcomm _ g), glt_times by exact Hg.
    change (Z.of_nat (S j)) with (0 + Z.of_nat (S j)) at 1. rewrite phi_to_4_sum.
    change (phi_to_4 0) with (whole 1). rewrite gcomm, gtimes_one. apply phi_to_4_grows. }
  assert (Hdown : exists i, glt (gtimes (phi_to_4 (- Z.of_nat i)) g) f).
  { destruct (multiple_above f g Hf) as [i Hi]. exists (S i). set (e := phi_to_4 (- Z.of_nat (S i))).
    assert (Hw : above_zero (gpower (gpower phi 4) (S i))) by (apply above_power, above_power; right; cbn; lia).
    apply (proj1 (glt_times _ _ _ Hw)). rewrite gassoc.
    unfold e. rewrite <- phi_to_4_sum, Z.add_opp_diag_l. change (phi_to_4 0) with (whole 1). rewrite gtimes_one.
    apply glt_gle with (gtimes (whole (Z.of_nat (S i))) f); [exact Hi |].
    rewrite (gcomm _ f), (gcomm _ f), glt_times by exact Hf. apply phi_to_4_grows. }
  destruct Hup as [j Hj], Hdown as [i Hi].
  replace (Z.of_nat j) with (- Z.of_nat i + Z.of_nat (i + j)) in Hj by lia. revert Hi Hj.
  generalize (- Z.of_nat i). generalize (i + j)%nat. intros m. induction m as [| m IH]; intros p H1 H2.
  - rewrite Z.add_0_r in H2. contradiction.
  - destruct (glt_or (gtimes (phi_to_4 (p + 1)) g) f) as [H | H]; [| now exists p].
    apply (IH (p + 1)); [exact H |]. now replace (p + 1 + Z.of_nat m) with (p + Z.of_nat (S m)) by lia.
Qed.

(** ** Quotients, by their powers *)

(** a/b <= φ^(4p/q). *)
Definition power_at_least (a b : golden) (p : Z) (q : nat) : Prop :=
  ~ glt (gtimes (phi_to_4 p) (gpower b q)) (gpower a q).

Lemma not_larger : forall a b c d, above_zero a -> above_zero b -> above_zero c -> above_zero d ->
  ~ glt (gtimes c b) (gtimes a d) -> forall p q, power_at_least c d p q -> power_at_least a b p q.
Proof.
  intros a b c d Ha Hb Hc Hd H p q Hcd Hab. unfold power_at_least in *.
  pose proof (above_power b q Hb) as Hbq. pose proof (above_power d q Hd) as Hdq.
  apply (proj2 (glt_times (gpower d q) _ _ Hdq)) in Hab. apply (glt_not (gtimes (gpower a q) (gpower d q))).
  rewrite (gcomm (gpower a q)) at 2. apply gle_glt with (gtimes (gpower c q) (gpower b q)).
  - rewrite <- !power_of_product. apply gle_power; [now apply above_product .. | exact H].
  - revert Hab. apply gle_glt.
    rewrite (gcomm (gpower c q)), (gswap (gpower d q)), (gcomm (gpower d q)), (gswap (phi_to_4 p)).
    now rewrite glt_times.
Qed.

Lemma larger : forall a b c d, above_zero a -> above_zero b -> above_zero c -> above_zero d ->
  glt (gtimes c b) (gtimes a d) -> exists p q, (0 < q)%nat /\ power_at_least c d p q /\ ~ power_at_least a b p q.
Proof.
  intros a b c d Ha Hb Hc Hd H. set (x := gtimes c b) in *. set (y := gtimes a d) in *.
  assert (Hx : above_zero x) by now apply above_product.
  destruct (multiple_above (gminus y x) (gtimes (gpower phi 4) x) H) as [j Hj].
  assert (Hroom : glt (gtimes (gpower phi 4) (gpower x (S j))) (gpower y (S j))).
  { pose proof (power_grows x (gminus y x) j Hx H) as Hb2.
    replace (gplus x (gminus y x)) with y in Hb2 by (clearbody x y; golden_equal).
    revert Hb2. apply glt_gle. cbn [gpower].
    rewrite gassoc, (gcomm _ (gpower x j)), glt_times by now apply above_power.
    apply glt_next with (gtimes (whole (Z.of_nat (S j))) (gminus y x)); [exact Hj |]. unfold glt.
    set (v := gtimes (whole (Z.of_nat (S j))) (gminus y x)).
    replace (gminus (gplus x v) v) with x by (clearbody x v; golden_equal). exact Hx. }
  set (q := S j) in *. pose proof (above_power b q Hb) as Hbq. pose proof (above_power d q Hd) as Hdq.
  destruct (last_power_below (gpower c q) (gpower d q)) as [p [H1 H2]]; [now apply above_power | exact Hdq |].
  exists (p + 1), q. split; [unfold q; lia |]. split; [exact H2 |]. unfold power_at_least.
  enough (G : glt (gtimes (phi_to_4 (p + 1)) (gpower b q)) (gpower a q)) by (intros Hnot; contradiction).
  apply (proj1 (glt_times (gpower d q) _ _ Hdq)). rewrite (gcomm (gpower d q) (gpower a q)), <- power_of_product.
  fold y. revert Hroom. apply glt_next. unfold x. rewrite power_of_product, phi_to_4_next, <- gassoc, gswap.
  rewrite glt_times by (apply above_power; right; cbn; lia).
  rewrite (gcomm (gpower c q)), (gcomm (phi_to_4 p) (gpower b q)), gswap, glt_times by exact Hbq.
  now rewrite gcomm.
Qed.

Lemma shifted : forall a b p q, power_at_least a b (p - Z.of_nat q) q <->
  power_at_least (gtimes (gpower phi 4) a) b p q.
Proof.
  intros a b p q. unfold power_at_least. rewrite power_of_product.
  rewrite <- (glt_times (gpower (gpower phi 4) q)) by (apply above_power, above_power; right; cbn; lia).
  rewrite gassoc, <- phi_to_4_sum. now replace (p - Z.of_nat q + Z.of_nat q) with p by lia.
Qed.

(** ** The two lemmas *)

Lemma parts_above : forall n x, 0 < n -> - n < x -> above_zero (plus_parts n x).
Proof.
  intros n x Hn Hx. unfold above_zero, plus_parts, gplus, gtimes, whole, inverse_phi. cbn [ones phis].
  replace (2 * (n + (x * -1 + 0 * 1)) + (0 + (x * 1 + 0 * -1 + 0 * 1))) with (2 * n - x) by ring.
  replace (0 + (x * 1 + 0 * -1 + 0 * 1)) with x by ring.
  destruct (Z.le_gt_cases x 0) as [H | H]; [left; nia |].
  destruct (Z.lt_trichotomy (5 * (x * x)) ((2 * n - x) * (2 * n - x))) as [L | [L | L]]; [| | now right].
  - destruct (Z.le_gt_cases (2 * n - x) 0); [right; nia | now left].
  - exfalso. apply (form_is_not_zero n x Hn H). unfold form. lia.
Qed.

Lemma less_above : forall n x, 0 < n -> - n < x <= 0 -> above_zero (less_phis n x).
Proof.
  intros n x Hn Hx. unfold above_zero, less_phis, gminus, gtimes, whole, phi. cbn [ones phis].
  replace (2 * (n - (x * 0 + 0 * 1)) + (0 - (x * 1 + 0 * 0 + 0 * 1))) with (2 * n - x) by ring.
  replace (0 - (x * 1 + 0 * 0 + 0 * 1)) with (- x) by ring. nia.
Qed.

Lemma power_of_one : forall x, gpower x 1 = x.
Proof. intros x. cbn [gpower]. now rewrite gcomm, gtimes_one. Qed.

Lemma kappa_rises : forall n x p q i, above_zero (less_phis n x) ->
  kappa_at_most n x p q -> kappa_at_most n x (p + Z.of_nat i) q.
Proof.
  intros n x p q i Hless H. induction i as [| i IH]; [now rewrite Z.add_0_r |].
  replace (p + Z.of_nat (S i)) with (p + Z.of_nat i + 1) by lia. unfold kappa_at_most in *.
  apply (gle_gle _ (gtimes (phi_to_4 (p + Z.of_nat i)) (gpower (less_phis n x) q))); [exact IH |].
  rewrite phi_to_4_next, <- gassoc. set (w := gtimes (phi_to_4 (p + Z.of_nat i)) (gpower (less_phis n x) q)).
  assert (Hw : above_zero w) by (apply above_product; [apply above_phi_to_4 | now apply above_power]).
  unfold glt. replace (gminus w (gtimes (gpower phi 4) w)) with (gminus (whole 0) (gtimes (Golden 1 3) w))
    by (clearbody w; change (gpower phi 4) with (Golden 2 3); golden_equal).
  apply not_both_above, above_product; [right; cbn; lia | exact Hw].
Qed.

Lemma kappa_above : forall n x, 0 < n -> - n < x -> ~ kappa_at_most n x (-1) 1.
Proof.
  intros n x Hn Hx H. apply H. apply (proj1 (glt_times (gpower phi 4) _ _ ltac:(apply above_power; right; cbn; lia))).
  rewrite gassoc, <- phi_to_4_next. change (phi_to_4 (-1 + 1)) with (whole 1). rewrite gtimes_one. unfold glt.
  rewrite !power_of_one. replace (gminus (gtimes (gpower phi 4) (plus_parts n x)) (less_phis n x)) with
    (gtimes (Golden 1 3) (whole (n + x))) by golden_ring.
  apply above_product; [right; cbn; lia | apply whole_above; lia].
Qed.

Lemma power_of_power : forall x q s, gpower (gpower x q) s = gpower x (q * s).
Proof.
  assert (H : forall x q r, gpower x (q + r) = gtimes (gpower x q) (gpower x r)).
  { intros x q r. induction q as [| q IH]; [now rewrite gtimes_one |]. cbn [Nat.add gpower]. now rewrite IH, gassoc. }
  intros x q s. induction s as [| s IH]; [now rewrite Nat.mul_0_r |]. rewrite Nat.mul_succ_r, Nat.add_comm, H, <- IH.
  reflexivity.
Qed.

Lemma phi_to_4_plus : forall p r, phi_to_4 (p + r) = gtimes (phi_to_4 p) (phi_to_4 r).
Proof.
  assert (H : forall p j, phi_to_4 (p + Z.of_nat j) = gtimes (phi_to_4 p) (phi_to_4 (Z.of_nat j))).
  { intros p j. rewrite phi_to_4_sum, gcomm. f_equal. change (Z.of_nat j) with (0 + Z.of_nat j).
    rewrite phi_to_4_sum. change (phi_to_4 0) with (whole 1). now rewrite gcomm, gtimes_one. }
  intros p r. destruct (Z.le_gt_cases 0 r) as [Hr | Hr].
  - rewrite <- (Z2Nat.id r) by exact Hr. apply H.
  - set (j := Z.to_nat (- r)). pose proof (H (p + r) j) as E. pose proof (H r j) as E0.
    replace (p + r + Z.of_nat j) with p in E by (unfold j; lia).
    replace (r + Z.of_nat j) with 0 in E0 by (unfold j; lia). change (phi_to_4 0) with (whole 1) in E0.
    rewrite E, <- gassoc, (gcomm (phi_to_4 (Z.of_nat j))), <- E0, gcomm. symmetry. apply gtimes_one.
Qed.

Lemma phi_to_4_times : forall p s, phi_to_4 (p * Z.of_nat s) = gpower (phi_to_4 p) s.
Proof.
  intros p s. induction s as [| s IH]; [now rewrite Z.mul_0_r |]. rewrite Nat2Z.inj_succ, Z.mul_succ_r, Z.add_comm.
  rewrite phi_to_4_plus, IH. reflexivity.
Qed.

Lemma glt_power : forall x y q, above_zero x -> above_zero y -> glt x y -> glt (gpower x (S q)) (gpower y (S q)).
Proof.
  intros x y q Hx Hy H. change (gpower x (S q)) with (gtimes x (gpower x q)).
  change (gpower y (S q)) with (gtimes y (gpower y q)). apply glt_gle with (gtimes y (gpower x q)).
  - rewrite (gcomm x), (gcomm y). apply (proj2 (glt_times _ _ _ (above_power x q Hx))). exact H.
  - rewrite glt_times by exact Hy. apply gle_power; [exact Hx | exact Hy |]. intros L. apply (glt_not x).
    now apply glt_next with y.
Qed.

(**
   Claim: For integers x with -n < x < n/φ, there is a number κ(x) with φ^4κ = (n + x/φ)/(n - xφ). It is given by the
     fractions p/q that are at least κ(x): if p/q is at least κ(x), so is every larger fraction. Some integer is at
     least κ(x), and the integer before it is less.
   Prose: castle-soldiers.md, Lemma 9 in part
*)
Theorem kappa_is_a_cut : forall n x, 0 < n -> - n < x -> above_zero (less_phis n x) ->
  (forall p q r s, (0 < q)%nat -> p * Z.of_nat s <= r * Z.of_nat q ->
    kappa_at_most n x p q -> kappa_at_most n x r s) /\
  exists up, kappa_at_most n x up 1 /\ ~ kappa_at_most n x (up - 1) 1.
Proof.
  intros n x Hn Hx Hless. pose proof (parts_above n x Hn Hx) as Hparts. split.
  - intros p q r s Hq Hle H.
    assert (Hs : kappa_at_most n x (p * Z.of_nat s) (q * s)).
    { unfold kappa_at_most in *. rewrite phi_to_4_times, <- !power_of_power, <- power_of_product.
      pose proof (above_product _ _ (above_phi_to_4 p) (above_power _ q Hless)).
      apply gle_power; [now apply above_power | assumption | exact H]. }
    apply (kappa_rises n x _ _ (Z.to_nat (r * Z.of_nat q - p * Z.of_nat s)) Hless) in Hs.
    rewrite Z2Nat.id in Hs by lia.
    replace (p * Z.of_nat s + (r * Z.of_nat q - p * Z.of_nat s)) with (r * Z.of_nat q) in Hs by lia.
    intros L. apply Hs. rewrite phi_to_4_times, Nat.mul_comm, <- !power_of_power, <- power_of_product.
    destruct q as [| q]; [lia |].
    apply glt_power; [| now apply above_power | exact L]. apply above_product; [apply above_phi_to_4 |].
    now apply above_power.
  - destruct (last_power_below (gpower (plus_parts n x) 1) (gpower (less_phis n x) 1)) as [p [H1 H2]];
      [now rewrite power_of_one .. |].
    exists (p + 1). split; [exact H2 |]. replace (p + 1 - 1) with p by lia. intros H. now apply H.
Qed.

Example kappa_is_a_cut_holds : exists up, kappa_at_most 34 16 up 1 /\ ~ kappa_at_most 34 16 (up - 1) 1.
Proof. apply (kappa_is_a_cut 34 16); [lia | lia | left; vm_compute; now split]. Qed.

(**
   Claim: For integers x with -n < x < n/φ, round κ(x) up to an integer. The greater of this integer and 0 is the
     smallest k with xF(2k+1) <= nF(2k): k(x) = max(0, ⌈κ(x)⌉).
   Prose: castle-soldiers.md, Lemma 9
*)
Theorem kappa_rounded_up : forall n x, 0 < n -> - n < x -> above_zero (less_phis n x) ->
  exists up, kappa_at_most n x up 1 /\ ~ kappa_at_most n x (up - 1) 1 /\
    forall k, Z.of_nat k = Z.max 0 up <->
      x * fib (2 * k + 1) <= n * fib (2 * k) /\ forall j, (j < k)%nat -> n * fib (2 * j) < x * fib (2 * j + 1).
Proof.
  intros n x Hn Hx Hless. pose proof (parts_above n x Hn Hx) as Hparts.
  assert (Hk : forall k, kappa_at_most n x (Z.of_nat k) 1 <-> x * fib (2 * k + 1) <= n * fib (2 * k)).
  { intros k. unfold kappa_at_most, phi_to_4. destruct (Z.leb_spec 0 (Z.of_nat k)); [| lia].
    rewrite Nat2Z.id, !power_of_one. symmetry. apply by_powers_of_phi. }
  assert (Hleast : exists m, kappa_at_most n x (Z.of_nat m) 1 /\ ~ kappa_at_most n x (Z.of_nat m - 1) 1).
  { destruct (kappa_is_a_cut n x Hn Hx Hless) as [_ [up [H1 H2]]].
    assert (Hup : 0 <= up).
    { apply Z.nlt_ge. intros L. apply (kappa_above n x Hn Hx).
      replace (-1) with (up + Z.of_nat (Z.to_nat (- 1 - up))) by lia. now apply kappa_rises. }
    exists (Z.to_nat up). now rewrite Z2Nat.id. }
  destruct Hleast as [m [H1 H2]]. exists (Z.of_nat m). split; [exact H1 |]. split; [exact H2 |].
  assert (Hrise : forall j, (j < m)%nat -> ~ kappa_at_most n x (Z.of_nat j) 1).
  { intros j Hj H. apply H2. replace (Z.of_nat m - 1) with (Z.of_nat j + Z.of_nat (m - 1 - j)) by lia.
    now apply kappa_rises. }
  intros k. rewrite <- Hk. split.
  - intros E. assert (k = m) by lia. subst k. split; [exact H1 |]. intros j Hj. apply Z.nle_gt. intros Hle.
    apply Hk in Hle. now apply (Hrise j).
  - intros [Hat Hbefore]. assert (Hkm : ~ (k < m)%nat) by (intros L; now apply (Hrise k)).
    assert (Hmk : ~ (m < k)%nat) by (intros L; apply Hbefore in L; apply Hk in H1; lia). lia.
Qed.

Example kappa_rounded_up_holds : exists up, kappa_at_most 34 16 up 1 /\ ~ kappa_at_most 34 16 (up - 1) 1.
Proof.
  destruct (kappa_rounded_up 34 16) as [up [H1 [H2 _]]]; [lia | lia | left; vm_compute; now split | now exists up].
Qed.

(**
   Claim: Let x be an integer with 0 < x < n/φ, and x' = x - (n - d). Then κ(x) > κ(x') + 1 exactly when x² + dx > nd:
     some fraction p/q is less than κ(x), but at least κ(x') + 1. And κ(x) = κ(x') + 1 exactly when x² + dx = nd: the
     same fractions are at least κ(x) and at least κ(x') + 1.
   Prose: castle-soldiers.md, Lemma 10 (the real decision)
*)
Theorem real_decision : forall n d x, 0 < d < n -> 0 < x -> above_zero (less_phis n x) -> let x' := x - (n - d) in
  (n * d < x * x + d * x <->
    exists p q, (0 < q)%nat /\ kappa_at_most n x' (p - Z.of_nat q) q /\ ~ kappa_at_most n x p q) /\
  (n * d = x * x + d * x <->
    forall p q, (0 < q)%nat -> (kappa_at_most n x' (p - Z.of_nat q) q <-> kappa_at_most n x p q)).
Proof.
  intros n d x Hd Hx Hless x'.
  pose proof (parts_above n x ltac:(lia) ltac:(lia)) as Ha.
  pose proof (parts_above n x' ltac:(lia) ltac:(unfold x'; lia)) as Hc.
  assert (Hd' : above_zero (less_phis n x')).
  { replace (less_phis n x') with (gplus (less_phis n x) (gtimes (whole (n - d)) phi)) by (unfold x'; golden_ring).
    apply above_sum; [exact Hless |]. apply above_product; [apply whole_above; lia | right; cbn; lia]. }
  set (c := gtimes (gpower phi 4) (plus_parts n x')) in *.
  assert (Hc4 : above_zero c) by (apply above_product; [apply above_power; right; cbn; lia | exact Hc]).
  assert (Hshift : forall p q, kappa_at_most n x' (p - Z.of_nat q) q <-> power_at_least c (less_phis n x') p q)
    by (intros p q; apply shifted).
  destruct bracket as [_ [_ [_ [_ [_ Hb]]]]]. specialize (Hb n x d). cbn zeta in Hb. destruct Hb as [E0 Hb].
  replace (x + d - n) with x' in E0, Hb by (unfold x'; lia). rewrite gassoc in Hb. fold c in Hb.
  assert (Hfirst : n * d < x * x + d * x <->
    exists p q, (0 < q)%nat /\ kappa_at_most n x' (p - Z.of_nat q) q /\ ~ kappa_at_most n x p q).
  { rewrite <- Hb. split.
    - intros H. destruct (larger _ _ _ _ Ha Hless Hc4 Hd' H) as [p [q [Hq [H1 H2]]]]. exists p, q.
      split; [exact Hq |].
      split; [exact (proj2 (Hshift p q) H1) | exact H2].
    - intros [p [q [Hq [H1 H2]]]].
      destruct (glt_or (gtimes c (less_phis n x)) (gtimes (plus_parts n x) (less_phis n x')))
        as [H | H]; [exact H | exfalso]. apply H2. apply (not_larger _ _ _ _ Ha Hless Hc4 Hd' H).
      exact (proj1 (Hshift p q) H1). }
  split; [exact Hfirst |].
  assert (Eq : n * d = x * x + d * x <-> gtimes c (less_phis n x) = gtimes (plus_parts n x) (less_phis n x')).
  { destruct bracket as [_ [_ [_ [_ [E1 _]]]]]. specialize (E1 n x x'). rewrite E0, gassoc in E1. fold c in E1. split.
    - intros E. replace (n * d - x * x - d * x) with 0 in E1 by lia. apply equal_by_difference.
      rewrite E1. reflexivity.
    - intros E. rewrite E in E1.
      replace (gminus _ _) with (whole 0) in E1 by (clear; unfold gminus, whole; f_equal; lia).
      apply (f_equal ones) in E1. cbn [ones phis whole gtimes] in E1. lia. }
  split.
  - intros E p q Hq. rewrite Hshift. apply Eq in E. split.
    + apply (not_larger _ _ _ _ Ha Hless Hc4 Hd'). rewrite E. apply glt_not.
    + apply (not_larger _ _ _ _ Hc4 Hd' Ha Hless). rewrite E. apply glt_not.
  - intros H. destruct (gle_or (gtimes c (less_phis n x)) (gtimes (plus_parts n x) (less_phis n x'))) as [E | L].
    + intros L. destruct (larger _ _ _ _ Hc4 Hd' Ha Hless L) as [p [q [Hq [H1 H2]]]].
      exact (H2 (proj1 (Hshift p q) (proj2 (H p q Hq) H1))).
    + now apply Eq.
    + exfalso. apply Hb in L. apply Hfirst in L as [p [q [Hq [H1 H2]]]].
      exact (H2 (proj1 (H p q Hq) H1)).
Qed.

Example real_decision_holds : exists p q, (0 < q)%nat /\ kappa_at_most 10 (6 - (10 - 2)) (p - Z.of_nat q) q /\
  ~ kappa_at_most 10 6 p q.
Proof. apply (real_decision 10 2 6); [lia | lia | left; vm_compute; now split | lia]. Qed.
