(** The golden ratio without real numbers: a + bφ for integers a and b. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Fibonacci Hunt.
Open Scope Z_scope.

(** a + bφ, where φ is the positive number with φ² = φ + 1. *)
Record golden := Golden { ones : Z; phis : Z }.

Definition whole (a : Z) : golden := Golden a 0.
Definition phi : golden := Golden 0 1.

(** 1/φ = φ - 1 and √5 = 2φ - 1. *)
Definition inverse_phi : golden := Golden (-1) 1.
Definition root_five : golden := Golden (-1) 2.

Definition gplus (x y : golden) : golden := Golden (ones x + ones y) (phis x + phis y).
Definition gminus (x y : golden) : golden := Golden (ones x - ones y) (phis x - phis y).
Definition gtimes (x y : golden) : golden :=
  Golden (ones x * ones y + phis x * phis y) (ones x * phis y + phis x * ones y + phis x * phis y).

Fixpoint gpower (x : golden) (k : nat) : golden := match k with O => whole 1 | S j => gtimes x (gpower x j) end.

(** a + bφ > 0, which means p + b√5 > 0 for p = 2a + b. *)
Definition above_zero (x : golden) : Prop :=
  let b := phis x in let p := 2 * ones x + b in 0 < p /\ 5 * (b * b) < p * p \/ 0 < b /\ p * p < 5 * (b * b).

Definition glt (x y : golden) : Prop := above_zero (gminus y x).

(** n - xφ and n + x/φ. *)
Definition less_phis (n x : Z) : golden := gminus (whole n) (gtimes (whole x) phi).
Definition plus_parts (n x : Z) : golden := gplus (whole n) (gtimes (whole x) inverse_phi).

Ltac golden_ring :=
  change (gpower phi 2) with (Golden 1 1); change (gpower phi 4) with (Golden 2 3);
  unfold less_phis, plus_parts, gplus, gminus, gtimes, whole, phi, inverse_phi, root_five; cbn [ones phis];
  f_equal; ring.

(** ** Their signs *)

Definition norm (x : golden) : Z := ones x * ones x + ones x * phis x - phis x * phis x.

Lemma norm_is_not_zero : forall x, x <> whole 0 -> norm x <> 0.
Proof.
  intros [a b] H. unfold norm, whole in *. cbn [ones phis].
  destruct (Z.eq_dec a 0) as [-> | Ha]; [intros E; apply H; f_equal; nia |].
  destruct (Z.eq_dec b 0) as [-> | Hb]; [nia |].
  assert (Hform : form (Z.abs a) (Z.abs b) <> 0 /\ form (Z.abs b) (Z.abs a) <> 0)
    by (split; apply form_is_not_zero; lia).
  unfold form in Hform. destruct (Z.abs_spec a) as [[Ha1 Ha2] | [Ha1 Ha2]], (Z.abs_spec b) as [[Hb1 Hb2] | [Hb1 Hb2]];
    rewrite Ha2, Hb2 in Hform; lia.
Qed.

(** If |b|√5 is at most p and |q| is at most d√5, then pd + bq is not negative. *)
Lemma squares_of_products : forall p b q d, 0 <= p -> 0 <= d -> 5 * (b * b) <= p * p -> q * q <= 5 * (d * d) ->
  0 <= p * d + b * q.
Proof.
  intros p b q d Hp Hd Hb Hq. apply Z.nlt_ge. intros H.
  assert (E : (p * d) * (p * d) < (b * q) * (b * q)) by nia.
  assert (5 * (b * b) * (q * q) <= p * p * (5 * (d * d))) by (apply Z.mul_le_mono_nonneg; nia). nia.
Qed.

(**
   Claim: For x = a + bφ, exactly one of x > 0, x = 0 and -x > 0 is true, and products of positive numbers are positive.
     φ > 0 and φ² = φ + 1.
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
*)
Theorem golden_signs : forall x y,
  (above_zero x \/ x = whole 0 \/ above_zero (gminus (whole 0) x)) /\ ~ above_zero (whole 0) /\
  ~ (above_zero x /\ above_zero (gminus (whole 0) x)) /\
  (above_zero x -> above_zero y -> above_zero (gtimes x y)) /\
  above_zero phi /\ gtimes phi phi = gplus phi (whole 1).
Proof.
  assert (Hnorm : forall a b, 4 * norm (Golden a b) = (2 * a + b) * (2 * a + b) - 5 * (b * b))
    by (intros; unfold norm; cbn [ones phis]; ring).
  intros [a b] [c d]. split; [| split; [| split; [| split; [| split]]]].
  - assert (Hzero : {Golden a b = whole 0} + {Golden a b <> whole 0}) by (repeat decide equality).
    destruct Hzero as [E | Hne]; [right; left; exact E |].
    pose proof (norm_is_not_zero _ Hne) as H. pose proof (Hnorm a b) as E. clear Hnorm Hne.
    unfold above_zero, gminus, whole. cbn [ones phis].
    replace ((2 * (0 - a) + (0 - b)) * (2 * (0 - a) + (0 - b))) with ((2 * a + b) * (2 * a + b)) by ring.
    replace ((0 - b) * (0 - b)) with (b * b) by ring. replace (2 * (0 - a) + (0 - b)) with (- (2 * a + b)) by ring.
    pose proof (Z.square_nonneg b). set (p := 2 * a + b) in *. pose proof (Z.square_nonneg p).
    destruct (Z.lt_trichotomy (5 * (b * b)) (p * p)) as [L | [L | L]]; [| lia |].
    + destruct (Z.eq_dec p 0) as [Ep | Hp]; [rewrite Ep in L; lia | lia].
    + destruct (Z.eq_dec b 0) as [Eb | Hb]; [rewrite Eb in L; lia | lia].
  - unfold above_zero, whole. cbn [ones phis]. lia.
  - unfold above_zero, gminus, whole. cbn [ones phis].
    replace ((2 * (0 - a) + (0 - b)) * (2 * (0 - a) + (0 - b))) with ((2 * a + b) * (2 * a + b)) by ring.
    replace ((0 - b) * (0 - b)) with (b * b) by ring. lia.
  - unfold above_zero, gtimes. cbn [ones phis]. set (p := 2 * a + b). set (q := 2 * c + d).
    set (P := 2 * (a * c + b * d) + (a * d + b * c + b * d)). set (B := a * d + b * c + b * d).
    assert (EP : 2 * P = p * q + 5 * (b * d)) by (unfold P, p, q; ring).
    assert (EB : 2 * B = p * d + b * q) by (unfold B, p, q; ring).
    assert (EN : 4 * (P * P - 5 * (B * B)) = (p * p - 5 * (b * b)) * (q * q - 5 * (d * d))).
    { replace (4 * (P * P - 5 * (B * B))) with (2 * P * (2 * P) - 5 * (2 * B * (2 * B))) by ring.
      rewrite EP, EB. ring. }
    clearbody P B p q.
    intros [[Hp Hx] | [Hb Hx]] [[Hq Hy] | [Hd Hy]].
    + left. assert (0 < (p * p - 5 * (b * b)) * (q * q - 5 * (d * d))) by (apply Z.mul_pos_pos; lia).
      split; [| lia]. apply Z.nle_gt. intros HP.
      assert (0 < p * q) by nia. assert (p * q * (p * q) <= 5 * (b * d) * (5 * (b * d))) by nia.
      assert (5 * (b * b) * (5 * (d * d)) < p * p * (q * q)) by (apply Z.mul_lt_mono_nonneg; nia). nia.
    + right. assert (0 < (p * p - 5 * (b * b)) * (5 * (d * d) - q * q)) by (apply Z.mul_pos_pos; lia).
      split; [| nia]. pose proof (squares_of_products p b q d ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
      assert (B <> 0) by (intros ->; nia). lia.
    + right. assert (0 < (5 * (b * b) - p * p) * (q * q - 5 * (d * d))) by (apply Z.mul_pos_pos; lia).
      split; [| nia]. pose proof (squares_of_products q d p b ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
      assert (B <> 0) by (intros ->; nia). lia.
    + left. assert (0 < (5 * (b * b) - p * p) * (5 * (d * d) - q * q)) by (apply Z.mul_pos_pos; lia).
      split; [| lia]. apply Z.nle_gt. intros HP.
      assert (0 < b * d) by nia. assert (5 * (b * d) * (5 * (b * d)) <= p * q * (p * q)) by nia.
      assert (p * p * (q * q) < 5 * (b * b) * (5 * (d * d))) by (apply Z.mul_lt_mono_nonneg; nia). nia.
  - unfold above_zero, phi. cbn [ones phis]. lia.
  - reflexivity.
Qed.

Example golden_signs_holds : above_zero (gtimes phi phi).
Proof. apply golden_signs; apply (golden_signs phi phi). Qed.

(** ** The form, and what a wave does *)

(**
   Claim: n² - nx - x² = (n - xφ)(n + x/φ). For positive n and x, this is not 0, and it is positive exactly when n > xφ.
     A wave of the hunt, in which n becomes n - x and x becomes 2x - n, multiplies n - xφ by φ² and divides n + x/φ by
     φ², so the form does not change. It is (-1)^m for n = F(m+1) and x = F(m).
   Prose: castle-soldiers.md, Lemma 6 (the form)
   Settles: castle-step-factors; castle-step-growth
*)
Theorem form_has_factors : forall n x m,
  whole (form n x) = gtimes (less_phis n x) (plus_parts n x) /\
  (0 < n -> 0 < x -> form n x <> 0 /\ (0 < form n x <-> above_zero (less_phis n x))) /\
  less_phis (n - x) (2 * x - n) = gtimes (gpower phi 2) (less_phis n x) /\
  plus_parts n x = gtimes (gpower phi 2) (plus_parts (n - x) (2 * x - n)) /\
  form (n - x) (2 * x - n) = form n x /\ form (fib (S m)) (fib m) = (-1) ^ Z.of_nat m.
Proof.
  intros n x m. split; [unfold form; golden_ring |].
  split; [| split; [golden_ring | split; [golden_ring | split; [apply form_is_invariant | apply form_of_fibonacci]]]].
  intros Hn Hx. split; [now apply form_is_not_zero |].
  unfold above_zero, less_phis, gminus, gtimes, whole, phi, form. cbn [ones phis].
  replace (2 * (n - (x * 0 + 0 * 1)) + (0 - (x * 1 + 0 * 0 + 0 * 1))) with (2 * n - x) by ring.
  replace (0 - (x * 1 + 0 * 0 + 0 * 1)) with (- x) by ring. split; [| lia]. intros H. left. split; [nia | nia].
Qed.

Example form_has_factors_holds : above_zero (less_phis 34 21).
Proof. apply (form_has_factors 34 21 8); [lia | lia | reflexivity]. Qed.

(**
   Claim: φ⁴ - 1 = 3φ + 1 = φ³ + φ and φ⁵ + 1/φ = 2(3φ + 1). With these identities, φ⁴(n + x'/φ)(n - xφ) - (n + x/φ)(n -
     x'φ) = (3φ + 1)(n² + nx' - 2nx - xx'), and for x' = x + d - n, the last factor is nd - x² - dx. So the first
     product is less than the second exactly when x² + dx > nd.
   Prose: castle-soldiers.md, Lemma 10 (the real decision) in part
   Settles: castle-step-golden; castle-step-bracket
*)
Theorem bracket :
  gminus (gpower phi 4) (whole 1) = Golden 1 3 /\ gplus (gpower phi 3) phi = Golden 1 3 /\
  gplus (gpower phi 5) inverse_phi = gtimes (whole 2) (Golden 1 3) /\ gtimes phi inverse_phi = whole 1 /\
  (forall n x y, gminus (gtimes (gpower phi 4) (gtimes (plus_parts n y) (less_phis n x)))
    (gtimes (plus_parts n x) (less_phis n y)) = gtimes (Golden 1 3) (whole (n * n + n * y - 2 * n * x - x * y))) /\
  forall n x d, let y := x + d - n in n * n + n * y - 2 * n * x - x * y = n * d - x * x - d * x /\
    (glt (gtimes (gpower phi 4) (gtimes (plus_parts n y) (less_phis n x))) (gtimes (plus_parts n x) (less_phis n y)) <->
     n * d < x * x + d * x).
Proof.
  split; [reflexivity |]. split; [reflexivity |]. split; [reflexivity |]. split; [reflexivity |].
  split; [intros n x y; golden_ring |]. intros n x d y. split; [unfold y; ring |]. unfold glt.
  replace (gminus (gtimes (plus_parts n x) (less_phis n y)) (gtimes (gpower phi 4) (gtimes (plus_parts n y)
    (less_phis n x)))) with (Golden (x * x + d * x - n * d) (3 * (x * x + d * x - n * d)))
    by (unfold y; golden_ring).
  unfold above_zero. cbn [ones phis]. nia.
Qed.

Example bracket_holds : gminus (gpower phi 4) (whole 1) = gplus (gpower phi 3) phi.
Proof. rewrite (proj1 bracket). symmetry. apply bracket. Qed.

(** ** Powers of the golden ratio *)

Lemma power_of_phi : forall p, gpower phi (S p) = Golden (fib p) (fib (S p)).
Proof.
  induction p as [| p IH]; [reflexivity |]. change (gpower phi (S (S p))) with (gtimes phi (gpower phi (S p))).
  rewrite IH, fib_step. golden_ring.
Qed.

(**
   Claim: √5 F(p) = φ^p - (-1/φ)^p. Here √5 = 2φ - 1, whose square is 5.
   Settles: castle-step-binet; castle-iii-binet
*)
Theorem binet : forall p,
  gtimes root_five (whole (fib p)) = gminus (gpower phi p) (gpower (gminus (whole 0) inverse_phi) p) /\
  gtimes root_five root_five = whole 5.
Proof.
  intros p. split; [| reflexivity].
  assert (H : forall q, gpower (gminus (whole 0) inverse_phi) (S q) = Golden (fib q + fib (S q)) (- fib (S q))).
  { induction q as [| q IH]; [reflexivity |].
    change (gpower (gminus (whole 0) inverse_phi) (S (S q))) with
      (gtimes (gminus (whole 0) inverse_phi) (gpower (gminus (whole 0) inverse_phi) (S q))).
    rewrite IH, fib_step. golden_ring. }
  destruct p as [| p]; [reflexivity |]. rewrite H, power_of_phi. golden_ring.
Qed.

Example binet_holds : gtimes root_five (whole 55) =
  gminus (gpower phi 10) (gpower (gminus (whole 0) inverse_phi) 10).
Proof. exact (proj1 (binet 10)). Qed.

Lemma power_doubles : forall x j, gpower x (2 * j) = gtimes (gpower x j) (gpower x j).
Proof.
  assert (Hassoc : forall x y z, gtimes x (gtimes y z) = gtimes (gtimes x y) z) by (intros; golden_ring).
  assert (Hcomm : forall x y, gtimes x y = gtimes y x) by (intros; golden_ring).
  intros x j. induction j as [| j IH]; [reflexivity |].
  replace (2 * S j)%nat with (S (S (2 * j))) by lia. cbn [gpower]. rewrite IH.
  rewrite <- (Hassoc x (gpower x j)). f_equal. now rewrite !Hassoc, (Hcomm x (gpower x j)).
Qed.

(**
   Claim: xF(2k+1) <= nF(2k) exactly when φ^4k (n - xφ) is at least n + x/φ.
   Prose: castle-soldiers.md, Lemma 9 in part
   Settles: castle-step-logarithm; castle-iii-logarithm
*)
Theorem by_powers_of_phi : forall n x k,
  x * fib (2 * k + 1) <= n * fib (2 * k) <-> ~ glt (gtimes (gpower phi (4 * k)) (less_phis n x)) (plus_parts n x).
Proof.
  intros n x k. replace (4 * k)%nat with (2 * (2 * k))%nat by lia. rewrite power_doubles.
  assert (Hp : gpower phi (2 * k) = Golden (fib (2 * k + 1) - fib (2 * k)) (fib (2 * k))).
  { destruct k as [| k]; [reflexivity |]. replace (2 * S k)%nat with (S (2 * k + 1)) at 1 by lia.
    rewrite power_of_phi. replace (S (2 * k + 1)) with (2 * S k)%nat by lia. f_equal.
    rewrite fib_odd_next, fib_even_next. ring. }
  rewrite Hp. pose proof (cassini k) as Hc. pose proof (fib_even_odd k).
  set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *. set (z := x * o - n * e).
  assert (E : gminus (plus_parts n x) (gtimes (gtimes (Golden (o - e) e) (Golden (o - e) e)) (less_phis n x)) =
    Golden (z * (3 * e - o)) (z * (2 * o - e))).
  { unfold less_phis, plus_parts, gplus, gminus, gtimes, whole, phi, inverse_phi, z. cbn [ones phis].
    assert (Hn : n * (o * o) = n * (1 + o * e + e * e)) by (now rewrite Hc).
    assert (Hx : x * (o * o) = x * (1 + o * e + e * e)) by (now rewrite Hc). f_equal; lia. }
  unfold glt. rewrite E. unfold above_zero. cbn [ones phis].
  replace (2 * (z * (3 * e - o)) + z * (2 * o - e)) with (z * (5 * e)) by ring.
  replace (z * (5 * e) * (z * (5 * e))) with (5 * (z * z * (5 * (e * e)))) by ring.
  replace (z * (2 * o - e) * (z * (2 * o - e))) with (z * z * ((2 * o - e) * (2 * o - e))) by ring.
  replace ((2 * o - e) * (2 * o - e)) with (5 * (e * e) + 4) by lia.
  transitivity (z <= 0); [unfold z; lia |]. split.
  - intros Hz [[H1 H2] | [H1 H2]]; nia.
  - intros H1. apply Z.nlt_ge. intros Hz. apply H1. right. split; [nia | nia].
Qed.

Example by_powers_of_phi_holds : ~ glt (gtimes (gpower phi 4) (less_phis 34 16)) (plus_parts 34 16).
Proof. apply (by_powers_of_phi 34 16 1). vm_compute. discriminate. Qed.
