(** The border between the two sides of the hunt: without real numbers, and in Fibonacci numbers for both sides. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves CastleSide Greedy.
Open Scope Z_scope.

(**
   Claim: That n > xφ, which is x√5 < 2n - x, can be said in whole numbers: 0 < 2n - x and 5x² < (2n - x)². It is so
     exactly if n² - nx - x² > 0.
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
   Settles: castle-step-won; castle-step-lost-strike; castle-step-case-2bcd
*)
Theorem phi_by_squares : forall n x, 0 < n -> 0 < x ->
  (0 < 2 * n - x /\ 5 * (x * x) < (2 * n - x) * (2 * n - x) <-> 0 < form n x).
Proof. intros n x Hn Hx. unfold form. split; [lia |]. intros H. split; nia. Qed.

Example phi_by_squares_holds : 0 < 2 * 34 - 21 /\ 5 * (21 * 21) < (2 * 34 - 21) * (2 * 34 - 21).
Proof. apply phi_by_squares; [lia | lia | reflexivity]. Qed.

(**
   Claim: That s + d < (φ + 1)n, which is 2(s + d) - 3n < n√5, can be said in whole numbers, as the left side is
     positive: (2(s + d) - 3n)² < 5n². It is so exactly if n² - nx - x² > 0 for x = s + d - 2n.
   Settles: castle-iii-border
*)
Theorem border_by_squares : forall n s d, 0 < n < s -> n <= d ->
  0 < 2 * (s + d) - 3 * n /\
  ((2 * (s + d) - 3 * n) * (2 * (s + d) - 3 * n) < 5 * (n * n) <-> 0 < form n (s + d - 2 * n)).
Proof. intros n s d Hn Hd. unfold form. split; [lia |]. split; lia. Qed.

Example border_by_squares_holds : 0 < form 34 (55 + 34 - 2 * 34).
Proof. apply border_by_squares; lia. Qed.

(**
   Claim: If x > 0 and x² + dx <= nd, then n² - nx - x² > 0, that is x < n/φ: a strike that the rule allows is won.
   Prose: castle-soldiers.md, Lemma 11 (the whole-number decision)
   Settles: castle-step-lost-strike
*)
Theorem strikes_are_won : forall n d x, 0 < d < n -> 0 < x -> x * x + d * x <= n * d -> 0 < form n x.
Proof. intros n d x Hd Hx H. unfold form. assert (x < n) by nia. nia. Qed.

Example strikes_are_won_holds : 0 < form 100 60.
Proof. apply (strikes_are_won 100 90); lia. Qed.

(** ** The castle's side of the hunt *)

(** One wave later the condition in Fibonacci numbers is that of the wave before. *)
Lemma lost_a_wave_later : forall k n x,
  (n - x) * fib (2 * k + 1) <= (2 * x - n) * fib (2 * S k) <->
  n * fib (2 * S k + 1) <= x * fib (2 * S (S k)).
Proof. intros k n x. rewrite (fib_even_next (S k)), fib_odd_next, fib_even_next. split; nia. Qed.

(**
   Claim: In a hunt that began with n soldiers and x defenders left, the castle wins in wave m exactly if m is the least
     with xF(2m+2) >= nF(2m+1).
   Prose: castle-side.md, Theorem 1; castle-soldiers.md, Theorem 1 (the hunt) in part
*)
Theorem lost_in_wave : forall m n x, 0 < x < n ->
  (loses_hunt (S m) (n - x) x = true <->
   n * fib (2 * S m + 1) <= x * fib (2 * S (S m)) /\
   forall j, (1 <= j <= m)%nat -> x * fib (2 * S j) < n * fib (2 * j + 1)).
Proof.
  induction m as [| m IH]; intros n x Hx.
  - change (fib (2 * 1 + 1)) with 2. change (fib (2 * 2)) with 3. cbn [loses_hunt].
    destruct (Z.ltb_spec (n - x) x), (Z.leb_spec (n - x) (x - (n - x))); cbn [andb Nat.eqb];
      (split; [intros E; first [discriminate E | split; [lia | intros j Hj; lia]] |
               intros [E _]; first [reflexivity | lia]]).
  - assert (H1 : (n - x <= x - (n - x) <-> n * fib (2 * 1 + 1) <= x * fib (2 * S 1))).
    { change (fib (2 * 1 + 1)) with 2. change (fib (2 * 2)) with 3. lia. }
    assert (Hlate : forall k, n * fib (2 * S k + 1) <= x * fib (2 * S (S k)) -> n < 2 * x).
    { intros k H. rewrite (fib_even_next (S k)) in H. pose proof (fib_even_odd (S k)).
      pose proof (fib_odd_next k). pose proof (fib_even_next k). pose proof (fib_even_odd k). nia. }
    cbn [loses_hunt]. replace (x - (n - x)) with (2 * x - n) in * by lia.
    destruct (Z.ltb_spec (n - x) x) as [Hnx | Hnx]; cbn [andb].
    + destruct (Z.leb_spec (n - x) (2 * x - n)) as [Hone | Hmore].
      * cbn [Nat.eqb]. split; [discriminate |]. intros [_ H]. specialize (H 1%nat ltac:(lia)).
        apply H1 in Hone. lia.
      * rewrite (IH (n - x) (2 * x - n)) by lia. rewrite lost_a_wave_later. split.
        -- intros [H Hj]. split; [exact H |]. intros [| [| j]] Hjm; [lia | |].
           ++ apply Z.nle_gt. rewrite <- H1. lia.
           ++ specialize (Hj (S j) ltac:(lia)). apply Z.nle_gt in Hj. rewrite lost_a_wave_later in Hj. lia.
        -- intros [H Hj]. split; [exact H |]. intros j Hjm. specialize (Hj (S j) ltac:(lia)).
           apply Z.nle_gt. rewrite lost_a_wave_later. lia.
    + split; [discriminate |]. intros [H _]. apply Hlate in H. lia.
Qed.

Example lost_in_wave_holds : loses_hunt 2 (34 - 22) 22 = true.
Proof.
  apply lost_in_wave; [lia |]. split; [vm_compute; discriminate |].
  intros j Hj. replace j with 1%nat by lia. reflexivity.
Qed.

Lemma lost_up_to : forall b n x, 0 < x < n -> n <= Z.of_nat b -> form n x < 0 ->
  exists m, loses_hunt (S m) (n - x) x = true.
Proof.
  induction b as [| b IH]; intros n x Hx Hb H; [lia |].
  assert (Hnx : n - x < x) by (unfold form in H; nia).
  destruct (Z.le_gt_cases (n - x) (2 * x - n)) as [Hone | Hmore].
  - exists 0%nat. cbn [loses_hunt]. replace (x - (n - x)) with (2 * x - n) by lia.
    destruct (Z.ltb_spec (n - x) x), (Z.leb_spec (n - x) (2 * x - n)); try lia; reflexivity.
  - destruct (IH (n - x) (2 * x - n)) as [m Hm]; [lia | lia | now rewrite form_is_invariant |].
    exists (S m). cbn [loses_hunt] in Hm |- *. replace (x - (n - x)) with (2 * x - n) by lia.
    destruct (Z.ltb_spec (n - x) x), (Z.leb_spec (n - x) (2 * x - n)); try lia. exact Hm.
Qed.

(**
   Claim: The castle wins a hunt that began with n soldiers and x defenders left exactly if n² - nx - x² < 0, that is
     x > n/φ.
   Prose: castle-side.md, Theorem 1; castle-soldiers.md, Theorem 1 (the hunt) in part
*)
Theorem hunt_is_lost : forall n x, 0 < x < n ->
  ((exists m, loses_hunt (S m) (n - x) x = true) <-> form n x < 0).
Proof.
  intros n x Hx. split.
  - intros [m H]. revert n x Hx H. induction m as [| m IH]; intros n x Hx H; cbn [loses_hunt] in H;
      replace (x - (n - x)) with (2 * x - n) in H by lia;
      destruct (Z.ltb_spec (n - x) x), (Z.leb_spec (n - x) (2 * x - n)); try discriminate.
    + unfold form. nia.
    + apply IH in H; [| lia]. now rewrite form_is_invariant in H.
  - intros H. apply (lost_up_to (Z.to_nat n)); lia.
Qed.

Example hunt_is_lost_holds : exists m, loses_hunt (S m) (34 - 22) 22 = true.
Proof. apply hunt_is_lost; [lia | reflexivity]. Qed.
