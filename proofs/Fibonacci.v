(** The Fibonacci numbers, and the form n² - nx - x², which is ±1 for neighbours among them. *)

From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Fixpoint fibs (k : nat) : Z * Z :=
  match k with
  | O => (0, 1)
  | S j => let (a, b) := fibs j in (b, a + b)
  end.

Definition fib (k : nat) : Z := fst (fibs k).

Definition form (n x : Z) : Z := n * n - n * x - x * x.

Lemma fib_step : forall k, fib (S (S k)) = fib (S k) + fib k.
Proof. intros k. unfold fib. cbn. destruct (fibs k) as [a b]. cbn. lia. Qed.

(** The numbers F(2k) and F(2k+1), on which everything that follows is based, determine the next pair. *)

Lemma fib_even_next : forall k, fib (2 * S k) = fib (2 * k) + fib (2 * k + 1).
Proof. intros k. replace (2 * S k)%nat with (S (S (2 * k))) by lia. rewrite fib_step, Nat.add_1_r. lia. Qed.

Lemma fib_odd_next : forall k, fib (2 * S k + 1) = fib (2 * k) + 2 * fib (2 * k + 1).
Proof.
  intros k. replace (2 * S k + 1)%nat with (S (S (S (2 * k)))) by lia.
  rewrite !fib_step, Nat.add_1_r. lia.
Qed.

Lemma fib_even_odd : forall k, 0 <= fib (2 * k) <= fib (2 * k + 1) /\ 1 <= fib (2 * k + 1).
Proof.
  induction k as [| k IH]. { cbn. lia. }
  rewrite fib_even_next, fib_odd_next. lia.
Qed.

Lemma fib_even_positive : forall k, 1 <= fib (2 * S k).
Proof. intros k. rewrite fib_even_next. pose proof (fib_even_odd k). lia. Qed.

Lemma fib_positive : forall k, 0 <= fib k /\ 1 <= fib (S k).
Proof. induction k as [| k IH]. { cbn. lia. } rewrite fib_step. lia. Qed.

(**
   Claim: For neighbouring Fibonacci numbers, the form is alternately 1 and -1 (Cassini).
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
*)
Theorem form_of_fibonacci : forall m, form (fib (S m)) (fib m) = (-1) ^ Z.of_nat m.
Proof.
  induction m as [| m IH]. { reflexivity. }
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite <- IH, fib_step. unfold form. ring.
Qed.

Example form_of_fibonacci_holds : form 21 13 = -1.
Proof. exact (form_of_fibonacci 7). Qed.

(**
   Claim: The form does not change in a wave of the hunt.
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
   Settles: castle-step-invariant
*)
Theorem form_is_invariant : forall n x, form (n - x) (2 * x - n) = form n x.
Proof. intros. unfold form. ring. Qed.

Example form_is_invariant_holds : form 4 2 = form 10 6.
Proof. exact (form_is_invariant 10 6). Qed.

Lemma cassini : forall k,
  fib (2 * k + 1) * fib (2 * k + 1) = 1 + fib (2 * k + 1) * fib (2 * k) + fib (2 * k) * fib (2 * k).
Proof.
  intros k. pose proof (form_of_fibonacci (2 * k)) as H. rewrite Nat2Z.inj_mul, Z.pow_mul_r, Z.pow_1_l in H by lia.
  unfold form in H. rewrite <- Nat.add_1_r in H. lia.
Qed.

(** The fractions F(2k)/F(2k+1) rise: whatever is below one of them is below the next. *)

Lemma fractions_rise : forall n x k, 0 <= n ->
  x * fib (2 * k + 1) <= n * fib (2 * k) -> x * fib (2 * S k + 1) <= n * fib (2 * S k).
Proof.
  intros n x k Hn H. rewrite fib_even_next, fib_odd_next.
  pose proof (fib_even_odd k). pose proof (cassini k).
  destruct (Z.le_gt_cases x 0) as [Hx | Hx]; nia.
Qed.

Lemma fractions_rise_to : forall n x k j, 0 <= n -> (k <= j)%nat ->
  x * fib (2 * k + 1) <= n * fib (2 * k) -> x * fib (2 * j + 1) <= n * fib (2 * j).
Proof. intros n x k j Hn Hkj H. induction Hkj as [| j _ IH]; [exact H | now apply fractions_rise]. Qed.
