(** The border between the two sides of the hunt, without real numbers; and the hunt of either side in Fibonacci
    numbers. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves CastleSide Greedy.
Open Scope Z_scope.

(**
   Claim: The statement n > xφ, which means x√5 < 2n - x, can be expressed in integers: 0 < 2n - x and 5x² < (2n - x)².
     It holds exactly when n² - nx - x² > 0.
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
   Settles: castle-step-won; castle-step-lost-strike; castle-step-case-2bcd
*)
Theorem phi_by_squares : forall n x, 0 < n -> 0 < x ->
  (0 < 2 * n - x /\ 5 * (x * x) < (2 * n - x) * (2 * n - x) <-> 0 < form n x).
Proof. intros n x Hn Hx. unfold form. split; [lia |]. intros H. split; nia. Qed.

Example phi_by_squares_holds : 0 < 2 * 34 - 21 /\ 5 * (21 * 21) < (2 * 34 - 21) * (2 * 34 - 21).
Proof. apply phi_by_squares; [lia | lia | reflexivity]. Qed.

(**
   Claim: The statement s + d < (φ + 1)n, which means 2(s + d) - 3n < n√5, can be expressed in integers, because the
     left side is positive: (2(s + d) - 3n)² < 5n². It holds exactly when n² - nx - x² > 0 for x = s + d - 2n.
   Settles: castle-iii-border
*)
Theorem border_by_squares : forall n s d, 0 < n < s -> n <= d ->
  0 < 2 * (s + d) - 3 * n /\
  ((2 * (s + d) - 3 * n) * (2 * (s + d) - 3 * n) < 5 * (n * n) <-> 0 < form n (s + d - 2 * n)).
Proof. intros n s d Hn Hd. unfold form. split; [lia |]. split; lia. Qed.

Example border_by_squares_holds : 0 < form 34 (55 + 34 - 2 * 34).
Proof. apply border_by_squares; lia. Qed.

(**
   Claim: If x > 0 and x² + dx <= nd, then n² - nx - x² > 0, which means x < n/φ: a strike that the rule allows wins.
   Prose: castle-soldiers.md, Lemma 11 (the whole-number decision)
   Settles: castle-step-lost-strike
*)
Theorem strikes_are_won : forall n d x, 0 < d < n -> 0 < x -> x * x + d * x <= n * d -> 0 < form n x.
Proof. intros n d x Hd Hx H. unfold form. assert (x < n) by nia. nia. Qed.

Example strikes_are_won_holds : 0 < form 100 60.
Proof. apply (strikes_are_won 100 90); lia. Qed.

(** ** The castle's side of the hunt *)

(** The condition in Fibonacci numbers for the next wave is the condition for the previous wave, with the numbers after
    that wave. *)
Lemma lost_a_wave_later : forall k n x,
  (n - x) * fib (2 * k + 1) <= (2 * x - n) * fib (2 * S k) <->
  n * fib (2 * S k + 1) <= x * fib (2 * S (S k)).
Proof. intros k n x. rewrite (fib_even_next (S k)), fib_odd_next, fib_even_next. split; nia. Qed.

(**
   Claim: In a hunt that began with n soldiers and x defenders left, the castle wins in wave m exactly when m is the
     smallest number with xF(2m+2) >= nF(2m+1).
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
   Claim: The castle wins a hunt that began with n soldiers and x defenders left exactly when n² - nx - x² < 0, which
     means x > n/φ.
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

(** ** The fractions on both sides *)

Lemma above_up_to : forall b n x, 0 < x -> 0 < n <= Z.of_nat b -> form n x < 0 ->
  exists k, n * fib (2 * k + 1) <= x * fib (2 * S k).
Proof.
  induction b as [| b IH]; intros n x Hx Hn H; [lia |].
  destruct (Z.le_gt_cases n x) as [Hnx | Hnx].
  { exists 0%nat. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 1)) with 1. lia. }
  assert (Hnx2 : n - x < x) by (unfold form in H; nia).
  destruct (IH (n - x) (2 * x - n)) as [k Hk]; [lia | lia | now rewrite form_is_invariant |].
  exists (S k). now apply lost_a_wave_later.
Qed.

Lemma above_is_negative : forall k n x, 0 < n -> 0 < x -> n * fib (2 * k + 1) <= x * fib (2 * S k) -> form n x < 0.
Proof.
  induction k as [| k IH]; intros n x Hn Hx H.
  - change (fib (2 * 0 + 1)) with 1 in H. change (fib (2 * 1)) with 1 in H. unfold form. nia.
  - destruct (Z.le_gt_cases n x) as [Hnx | Hnx]; [unfold form; nia |].
    rewrite <- form_is_invariant. apply lost_a_wave_later in H.
    assert (0 < 2 * x - n).
    { pose proof (fib_even_odd k). pose proof (fib_even_positive k). apply Z.nle_gt. intros Hle.
      assert (0 < (n - x) * fib (2 * k + 1)) by (apply Z.mul_pos_pos; lia). nia. }
    apply IH; lia.
Qed.

(**
   Claim: The fractions F(2k)/F(2k+1) rise, and the fractions F(2k+1)/F(2k+2) fall. Neighbouring fractions of either
     kind differ by 1 over the product of their denominators, and so do F(2k)/F(2k+1) and F(2k+1)/F(2k+2). A difference
     of the first kind is at least five times the next one. A fraction x/n is at or below a fraction of the first kind
     exactly when n² - nx - x² > 0, which means x/n < 1/φ, and at or above a fraction of the second kind exactly when n²
     - nx - x² < 0. So both kinds tend to 1/φ.
   Prose: castle-soldiers.md, Lemma 7 (convergents)
   Settles: castle-step-convergents; castle-iii-limit
*)
Theorem convergents :
  (forall k, fib (2 * S k) * fib (2 * k + 1) - fib (2 * k) * fib (2 * S k + 1) = 1 /\
    fib (2 * k + 1) * fib (2 * S (S k)) - fib (2 * S k + 1) * fib (2 * S k) = 1 /\
    fib (2 * k + 1) * fib (2 * k + 1) - fib (2 * k) * fib (2 * S k) = 1 /\
    5 * fib (2 * k + 1) <= fib (2 * S (S k) + 1) /\
    0 < form (fib (2 * k + 1)) (fib (2 * k)) /\ form (fib (2 * S k)) (fib (2 * k + 1)) < 0) /\
  forall n x, 0 < n -> 0 < x ->
    ((exists k, x * fib (2 * k + 1) <= n * fib (2 * k)) <-> 0 < form n x) /\
    ((exists k, n * fib (2 * k + 1) <= x * fib (2 * S k)) <-> form n x < 0).
Proof.
  split.
  - intros k. pose proof (cassini k) as H. pose proof (fib_even_odd k). unfold form.
    rewrite (fib_odd_next (S k)), (fib_even_next (S k)), fib_odd_next, fib_even_next.
    set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *. repeat split; lia.
  - intros n x Hn Hx. split; [now apply fractions_reach_the_border |]. split.
    + intros [k Hk]. now apply (above_is_negative k).
    + intros H. apply (above_up_to (Z.to_nat n)); lia.
Qed.

Example convergents_holds : exists k, 34 * fib (2 * k + 1) <= 22 * fib (2 * S k).
Proof. apply (proj2 convergents 34 22); [lia | lia | reflexivity]. Qed.

(**
   Claim: If a hunt is won in wave k and no sooner, there were at least F(2k+1) soldiers. If there were exactly that
     many, the fall left F(2k) defenders. The hunt with these numbers is won in wave k and no sooner.
   Settles: castle-step-longest
*)
Theorem longest_hunt : forall k, (1 <= k)%nat ->
  (forall n x, 0 < x -> least (below n x) k -> fib (2 * k + 1) <= n /\ (n = fib (2 * k + 1) -> x = fib (2 * k))) /\
  least (below (fib (2 * k + 1)) (fib (2 * k))) k.
Proof.
  intros [| j] Hk; [lia |]. clear Hk. split.
  - intros n x Hx [Hbelow Hleast].
    assert (Hnot : ~ below n x j) by (intros H; apply Hleast in H; lia).
    unfold below in *. pose proof (cassini j). pose proof (fib_even_odd j).
    rewrite fib_odd_next, fib_even_next in *.
    set (e := fib (2 * j)) in *. set (o := fib (2 * j + 1)) in *.
    set (p := n * (e + o) - x * (e + 2 * o)). set (q := x * o - n * e).
    assert (Hn : n * (o * o) = n * (1 + o * e + e * e)) by (f_equal; assumption).
    assert (Hx2 : x * (o * o) = x * (1 + o * e + e * e)) by (f_equal; assumption).
    assert (En : n = p * o + q * (e + 2 * o)) by (unfold p, q; lia).
    assert (Ex : x = p * e + q * (e + o)) by (unfold p, q; lia).
    assert (Hp : 0 <= p) by (unfold p; lia). assert (Hq : 1 <= q) by (unfold q; lia). clearbody p q.
    assert (0 <= p * o) by (apply Z.mul_nonneg_nonneg; lia).
    assert (0 <= (q - 1) * (e + 2 * o)) by (apply Z.mul_nonneg_nonneg; lia). split; [lia |]. intros E.
    assert (Hpo : p * o = 0) by lia. assert (Hqo : (q - 1) * (e + 2 * o) = 0) by lia.
    apply Z.mul_eq_0 in Hpo, Hqo. replace p with 0 in Ex by lia. replace q with 1 in Ex by lia. lia.
  - split; [unfold below; lia |]. intros i Hi. apply Nat.nlt_ge. intros Hij. unfold below in Hi.
    assert (Hj : fib (2 * S j) * fib (2 * j + 1) <= fib (2 * S j + 1) * fib (2 * j)).
    { apply (fractions_rise_to _ _ i j); [| lia | exact Hi]. pose proof (fib_even_odd (S j)). lia. }
    pose proof (proj1 convergents j) as [H _]. lia.
Qed.

Example longest_hunt_holds : least (below 34 21) 4.
Proof. apply (longest_hunt 4). lia. Qed.

(**
   Claim: In a hunt, the numbers of soldiers and of defenders alternate in a single sequence, in which each number is
     the one two places before it minus the one just before it.
   Settles: castle-step-successors
*)
Theorem one_sequence : forall k n x,
  snd (hunt (S k) n x) = snd (hunt k n x) - fst (hunt k n x) /\
  fst (hunt (S k) n x) = fst (hunt k n x) - snd (hunt (S k) n x).
Proof. intros k n x. cbn [hunt]. destruct (hunt k n x) as [N D]. cbn [fst snd]. lia. Qed.

Example one_sequence_holds : fst (hunt 1 34 21) = 13 - 8.
Proof. exact (proj2 (one_sequence 0 34 21)). Qed.
