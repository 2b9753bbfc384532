(** The soldiers' fewest waves in a few steps: the staircase, evaluated as in the program. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers.
Open Scope Z_scope.

(** ** The function *)

(** The number of waves that the hunt takes, found by playing it; [None] if the soldiers lose. *)
Fixpoint cleanup (fuel : nat) (n x : Z) : option Z :=
  match fuel with
  | O => None
  | S fuel =>
      if n <=? x then None
      else if 2 * x <=? n then Some 1
      else match cleanup fuel (n - x) (2 * x - n) with Some k => Some (k + 1) | None => None end
  end.

(** Numbers up to [n] can be halved at most this often, which is enough for every loop. *)
Definition enough (n : Z) : nat := S (Z.to_nat (Z.log2 n)).

(** The number of waves of the hunt that are each worth more than a wave of waiting: T(k+1) - T(k) > gain. *)
Fixpoint worth_hunting (fuel : nat) (n gain : Z) (k : nat) : nat :=
  match fuel with
  | O => k
  | S fuel => if strike n (S k) - strike n k <=? gain then k else worth_hunting fuel n gain (S k)
  end.

Definition hunts (n gain : Z) : nat := worth_hunting (enough n) n gain 0.

Definition min_waves (n s d : Z) : Z :=
  if s <=? n then 1
  else if n <=? d then
    match cleanup (enough n) n (s + d - 2 * n) with Some k => 2 + k | None => 0 end
  else
    let gain := n - d in
    let h := hunts n gain in
    let excess := s - n - gain in
    if strike n h <? excess then 2 + Z.of_nat h + ((excess - strike n h - 1) / gain + 1)
    else if excess <=? 0 then 2
    else match cleanup (enough n) n excess with Some k => 2 + k | None => 0 end.

(** ** It is correct *)

(** An answer as the programs give it: the fewest waves in which a side can win, or 0 if it cannot win. *)
Definition answer (legal : state -> Z -> Prop) (d : Z) (p : side) (now : state) (w : Z) : Prop :=
  w = 0 /\ never legal d p now \/ 0 < w /\ fewest legal d p (Z.to_nat w) now.

Lemma enough_halves : forall n, 0 < n -> n < 2 ^ Z.of_nat (enough n).
Proof.
  intros n Hn. unfold enough. rewrite Nat2Z.inj_succ, Z2Nat.id by apply Z.log2_nonneg.
  now apply Z.log2_spec.
Qed.

Definition least (holds : nat -> Prop) (k : nat) : Prop := holds k /\ forall j, holds j -> (k <= j)%nat.

Definition below (n x : Z) (k : nat) : Prop := x * fib (2 * k + 1) <= n * fib (2 * k).

Lemma below_next : forall n x k, below n x (S k) <-> below (n - x) (2 * x - n) k.
Proof. intros n x k. unfold below. rewrite fib_odd_next, fib_even_next. lia. Qed.

Lemma below_0 : forall n x, below n x 0 <-> x <= 0.
Proof. intros n x. unfold below. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 0)) with 0. lia. Qed.

Lemma cleanup_spec : forall fuel n x, 0 < x -> 0 < n < 2 ^ Z.of_nat fuel ->
  match cleanup fuel n x with
  | Some k => 0 < k /\ least (below n x) (Z.to_nat k)
  | None => forall k, ~ below n x k
  end.
Proof.
  induction fuel as [| fuel IH]; intros n x Hx Hn; [cbn in Hn; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hn by lia. cbn [cleanup].
  destruct (Z.leb_spec n x) as [Hnx | Hnx].
  { intros k Hk. unfold below in Hk. pose proof (fib_even_odd k). pose proof (cassini k). nia. }
  destruct (Z.leb_spec (2 * x) n) as [H2x | H2x].
  { split; [lia |]. split.
    - apply below_next, below_0. lia.
    - intros [| j] Hj; [apply below_0 in Hj | change (Z.to_nat 1) with 1%nat]; lia. }
  specialize (IH (n - x) (2 * x - n) ltac:(lia) ltac:(lia)).
  destruct (cleanup fuel (n - x) (2 * x - n)) as [k |].
  - destruct IH as [Hk [Hbelow Hleast]]. split; [lia |].
    replace (Z.to_nat (k + 1)) with (S (Z.to_nat k)) by lia. split; [now apply below_next |].
    intros [| j] Hj; [apply below_0 in Hj; lia |]. apply below_next, Hleast in Hj. lia.
  - intros [| k] Hk; [apply below_0 in Hk; lia |]. apply below_next in Hk. now apply IH in Hk.
Qed.

(** How many more hits the next wave of the hunt gains, before and after rounding down. *)

Lemma gain_below : forall n k t,
  0 <= t -> t < strike n (S k) - strike n k -> t * (fib (2 * k + 1) * fib (2 * S k + 1)) < n.
Proof.
  intros n k t Ht H.
  pose proof (proj1 (strike_spec n (S k) _) (Z.le_refl _)) as Hnext.
  assert (Hnow : ~ strike n k + 1 <= strike n k) by lia. rewrite (strike_spec n k (strike n k + 1)) in Hnow.
  rewrite fib_odd_next, fib_even_next in *. pose proof (cassini k). pose proof (fib_even_odd k).
  set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *.
  set (a := strike n (S k)) in *. set (b := strike n k) in *.
  assert (a * (e + 2 * o) * o <= n * (e + o) * o) by nia.
  assert (n * e * (e + 2 * o) < (b + 1) * o * (e + 2 * o)) by nia.
  assert (t * (o * (e + 2 * o)) <= (a - b - 1) * (o * (e + 2 * o))) by nia.
  assert (n * ((e + o) * o - e * (e + 2 * o)) = n) by (replace ((e + o) * o - e * (e + 2 * o)) with 1; lia).
  lia.
Qed.

Lemma gain_above : forall n k, n < (strike n (S k) - strike n k + 1) * (fib (2 * k + 1) * fib (2 * S k + 1)).
Proof.
  intros n k.
  pose proof (proj1 (strike_spec n k _) (Z.le_refl _)) as Hnow.
  assert (Hnext : ~ strike n (S k) + 1 <= strike n (S k)) by lia.
  rewrite (strike_spec n (S k) (strike n (S k) + 1)) in Hnext.
  rewrite fib_odd_next, fib_even_next in *. pose proof (cassini k). pose proof (fib_even_odd k).
  set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *.
  set (a := strike n (S k)) in *. set (b := strike n k) in *.
  assert (n * (e + o) * o < (a + 1) * (e + 2 * o) * o) by nia.
  assert (b * o * (e + 2 * o) <= n * e * (e + 2 * o)) by nia.
  assert (n * ((e + o) * o - e * (e + 2 * o)) = n) by (replace ((e + o) * o - e * (e + 2 * o)) with 1; lia).
  lia.
Qed.

(**
   Claim: If a wave of hunting gains at most g >= 1, T(k+1) - T(k) <= g, then the next wave gains at most g too, and so
     on for all later waves.
   Prose: castle-soldiers.md, Lemma 14
*)
Theorem gains_shrink : forall n g k, 0 < n -> 1 <= g ->
  strike n (S k) - strike n k <= g -> strike n (S (S k)) - strike n (S k) <= g.
Proof.
  intros n g k Hn Hg H. apply Z.le_ngt. intros Hnext.
  apply gain_below in Hnext; [| lia]. pose proof (gain_above n k) as Hnow.
  rewrite (fib_odd_next (S k)), fib_odd_next, fib_even_next in *. pose proof (fib_even_odd k).
  set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *. set (a := strike n (S k) - strike n k) in *.
  assert (g * (e + o + 2 * (e + 2 * o)) < (a + 1) * o); nia.
Qed.

Example gains_shrink_holds : strike 1000 3 - strike 1000 2 <= 100.
Proof. apply gains_shrink; [lia | lia | vm_compute; discriminate]. Qed.

Lemma odd_doubles : forall k, 2 ^ Z.of_nat k <= fib (2 * k + 1).
Proof.
  induction k as [| k IH]; [cbn; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r, fib_odd_next by lia. pose proof (fib_even_odd k). lia.
Qed.

Lemma worth_hunting_spec : forall fuel n g k, let h := worth_hunting fuel n g k in
  (k <= h)%nat /\ (forall j, (k <= j < h)%nat -> g < strike n (S j) - strike n j) /\
  (strike n (S h) - strike n h <= g \/ h = (k + fuel)%nat).
Proof.
  induction fuel as [| fuel IH]; intros n g k; cbn.
  - repeat split; lia.
  - destruct (Z.leb_spec (strike n (S k) - strike n k) g) as [H | H].
    + repeat split; [lia | lia | now left].
    + destruct (IH n g (S k)) as [H1 [H2 H3]]. repeat split; [lia | | lia].
      intros j Hj. destruct (Nat.eq_dec j k) as [-> | Hjk]; [lia |]. apply H2. lia.
Qed.

Lemma hunts_spec : forall n g, 0 < n -> 1 <= g ->
  (forall k, (k < hunts n g)%nat -> g < strike n (S k) - strike n k) /\
  (forall k, (hunts n g <= k)%nat -> strike n (S k) - strike n k <= g).
Proof.
  intros n g Hn Hg. unfold hunts. destruct (worth_hunting_spec (enough n) n g 0) as [_ [H1 H2]].
  set (h := worth_hunting (enough n) n g 0) in *. split; [intros; apply H1; lia |].
  assert (Hh : strike n (S h) - strike n h <= g).
  { destruct H2 as [H2 | H2]; [exact H2 |]. apply Z.le_ngt. intros H. apply gain_below in H; [| lia].
    pose proof (enough_halves n Hn) as Hn2. rewrite <- (H2 : h = enough n) in Hn2.
    pose proof (odd_doubles h). pose proof (fib_even_odd h). pose proof (fib_even_odd (S h)).
    assert (fib (2 * h + 1) <= fib (2 * h + 1) * fib (2 * S h + 1)) by nia. nia. }
  intros k Hk. induction Hk as [| k _ IH]; [exact Hh | now apply gains_shrink].
Qed.

(**
   Claim: For d < n, the staircase is g + T(w - 2) as long as hunting is worth it, and every later wave allows g = n - d
     more hits.
   Prose: castle-soldiers.md, 6. The staircase
*)
Theorem reach_closed_form : forall n d k, 0 < d < n -> let h := hunts n (n - d) in
  reach n d (2 + k) = (n - d) + strike n (Nat.min k h) + Z.of_nat (k - h) * (n - d).
Proof.
  intros n d k Hd h. pose proof (hunts_spec n (n - d) ltac:(lia) ltac:(lia)) as [Hworth Hnot]. fold h in Hworth, Hnot.
  assert (Hslow : forall j, (h <= j)%nat -> strike n j <= strike n h + Z.of_nat (j - h) * (n - d)).
  { intros j Hj. induction Hj as [| j Hj IH]; [nia |].
    specialize (Hnot j Hj). replace (Z.of_nat (S j - h)) with (Z.of_nat (j - h) + 1) by lia. nia. }
  induction k as [| k IH].
  - cbn [Nat.add reach Nat.min]. rewrite strike_0. cbn. lia.
  - change (reach n d (2 + S k)) with ((n - d) + Z.max (reach n d (2 + k)) (strike n (S k))). rewrite IH.
    destruct (Nat.lt_ge_cases k h) as [Hk | Hk].
    + rewrite !Nat.min_l by lia. replace (k - h)%nat with 0%nat by lia. replace (S k - h)%nat with 0%nat by lia.
      specialize (Hworth k Hk). lia.
    + rewrite !Nat.min_r by lia. specialize (Hslow (S k) ltac:(lia)).
      replace (Z.of_nat (S k - h)) with (Z.of_nat (k - h) + 1) in * by lia. nia.
Qed.

Example reach_closed_form_holds : reach 1000 990 7 = 10 + 615 + 2 * 10.
Proof. apply (reach_closed_form 1000 990 5). lia. Qed.

Lemma least_is_fewest : forall legal n s d w, legal = order \/ legal = thrifty -> 0 < n -> 0 < s -> 0 < d ->
  (1 <= w)%nat -> (s <= n \/ s - n <= reach n d w) ->
  (forall v, (1 <= v < w)%nat -> ~ (s <= n \/ s - n <= reach n d v)) -> fewest legal d Soldiers w (start n s).
Proof.
  intros legal n s d w Hlegal Hn Hs Hd Hw H Hleast.
  apply (staircase legal) in H as [v [Hv H]]; try assumption.
  assert (Hmin : forall u, ends legal d Soldiers u (start n s) -> (w <= u)%nat).
  { intros u Hu. pose proof (ends_positive _ _ _ _ _ Hu). apply Nat.le_ngt. intros Huw.
    apply (Hleast u); [lia |]. apply (staircase legal); try assumption. now exists u. }
  replace v with w in H by (apply Hmin in H; lia). now split.
Qed.

Lemma outnumbered_reach : forall n d k, 0 < n -> n <= d -> reach n d (2 + k) = (n - d) + strike n k.
Proof.
  intros n d k Hn Hd. induction k as [| k IH].
  - cbn [Nat.add reach]. rewrite strike_0. lia.
  - change (reach n d (2 + S k)) with ((n - d) + Z.max (reach n d (2 + k)) (strike n (S k))). rewrite IH.
    pose proof (strike_rises n k). lia.
Qed.

(**
   Claim: In every battle with positive n, s and d, the program's function returns the soldiers' fewest waves, or 0
     exactly when they cannot win, whether or not they may waste shots.
   Prose: castle-soldiers.md, 6. The staircase
   Settles: castle-ii-clever
   Code: Battle.MinWaves
*)
Theorem min_waves_is_right : forall legal n s d, legal = order \/ legal = thrifty -> 0 < n -> 0 < s -> 0 < d ->
  answer legal d Soldiers (start n s) (min_waves n s d).
Proof.
  intros legal n s d Hlegal Hn Hs Hd. unfold min_waves.
  destruct (Z.leb_spec s n) as [Hsn | Hsn].
  { right. split; [lia |]. apply least_is_fewest; try assumption; [lia | lia |]. intros v Hv. cbn in Hv. lia. }
  assert (below_2 : forall v, (1 <= v < 2)%nat -> ~ (s <= n \/ s - n <= reach n d v)).
  { intros v Hv. replace v with 1%nat by lia. cbn. lia. }
  assert (hunted : forall (k : nat) x, reach n d (2 + k) = (n - d) + strike n k ->
    (forall j, (j < k)%nat -> reach n d (2 + j) = (n - d) + strike n j) ->
    x = s - n - (n - d) -> least (below n x) k -> fewest legal d Soldiers (2 + k) (start n s)).
  { intros k x Hk Hj -> [Hbelow Hleast]. apply least_is_fewest; try assumption; [lia | |].
    - right. rewrite Hk. apply strike_spec in Hbelow. lia.
    - intros v Hv. destruct (Nat.lt_ge_cases v 2) as [Hv2 | Hv2]; [apply below_2; lia |].
      replace v with (2 + (v - 2))%nat by lia. rewrite Hj by lia. intros [H | H]; [lia |].
      assert (Hb : below n (s - n - (n - d)) (v - 2)) by (apply strike_spec; lia). apply Hleast in Hb. lia. }
  destruct (Z.leb_spec n d) as [Hnd | Hnd].
  - pose proof (cleanup_spec (enough n) n (s + d - 2 * n) ltac:(lia) (conj Hn (enough_halves n Hn))) as H.
    destruct (cleanup (enough n) n (s + d - 2 * n)) as [k |].
    + destruct H as [Hk H]. right. split; [lia |]. replace (Z.to_nat (2 + k)) with (2 + Z.to_nat k)%nat by lia.
      apply hunted with (x := s + d - 2 * n); [| | lia | exact H]; intros; now apply outnumbered_reach.
    + left. split; [reflexivity |]. intros w Hw. pose proof (ends_positive _ _ _ _ _ Hw) as H1.
      assert (Hr : s <= n \/ s - n <= reach n d w).
      { apply (staircase legal); try assumption. now exists w. }
      destruct (Nat.lt_ge_cases w 2) as [Hw2 | Hw2]; [now apply below_2 in Hr |].
      replace w with (2 + (w - 2))%nat in Hr by lia. rewrite outnumbered_reach in Hr by lia.
      apply (H (w - 2)%nat). apply strike_spec. lia.
  - set (g := n - d) in *. set (h := hunts n g) in *. set (e := s - n - g) in *.
    assert (Hreach : forall k, reach n d (2 + k) = g + strike n (Nat.min k h) + Z.of_nat (k - h) * g).
    { intros k. apply reach_closed_form. lia. }
    assert (Hearly : forall k, (k <= h)%nat -> reach n d (2 + k) = g + strike n k).
    { intros k Hk. rewrite Hreach, Nat.min_l by lia. replace (k - h)%nat with 0%nat by lia. lia. }
    destruct (Z.ltb_spec (strike n h) e) as [He | He].
    + set (m := (e - strike n h - 1) / g).
      assert (Hm : m * g <= e - strike n h - 1 < (m + 1) * g).
      { pose proof (Z.mul_div_le (e - strike n h - 1) g). pose proof (Z.mul_succ_div_gt (e - strike n h - 1) g).
        unfold m. nia. }
      assert (0 <= m) by (apply Z.div_pos; lia).
      right. split; [lia |].
      replace (Z.to_nat (2 + Z.of_nat h + (m + 1))) with (2 + (h + Z.to_nat (m + 1)))%nat by lia.
      apply least_is_fewest; try assumption; [lia | |].
      * right. rewrite Hreach, Nat.min_r by lia.
        replace (Z.of_nat (h + Z.to_nat (m + 1) - h)) with (m + 1) by lia. lia.
      * intros v Hv. destruct (Nat.lt_ge_cases v 2) as [Hv2 | Hv2]; [apply below_2; lia |].
        replace v with (2 + (v - 2))%nat by lia. rewrite Hreach.
        pose proof (strike_rises_to n (Nat.min (v - 2) h) h ltac:(lia) ltac:(lia)).
        assert (Z.of_nat (v - 2 - h) <= m) by lia. nia.
    + destruct (Z.leb_spec e 0) as [He0 | He0].
      * right. split; [lia |]. apply hunted with (k := 0%nat) (x := e); [apply Hearly; lia | lia | reflexivity |].
        split; [apply below_0; lia | lia].
      * pose proof (cleanup_spec (enough n) n e He0 (conj Hn (enough_halves n Hn))) as H.
        assert (Hbelow : below n e h) by now apply strike_spec.
        destruct (cleanup (enough n) n e) as [k |]; [| now apply H in Hbelow].
        destruct H as [Hk H]. pose proof (proj2 H h Hbelow).
        right. split; [lia |]. replace (Z.to_nat (2 + k)) with (2 + Z.to_nat k)%nat by lia.
        apply hunted with (x := e); [| | reflexivity | exact H]; intros; apply Hearly; lia.
Qed.

Example min_waves_is_right_holds : answer order 8 Soldiers (start 10 43) 16.
Proof. apply (min_waves_is_right order 10 43 8); [auto | lia | lia | lia]. Qed.

(**
   Claim: An answer is correct for only one number of waves.
   Prose: castle-soldiers.md, 1. The game, and its bookkeeping
*)
Theorem answer_is_unique : forall legal d p now v w, answer legal d p now v -> answer legal d p now w -> v = w.
Proof.
  intros legal d p now v w [[-> Hv] | [Hv [Hvends Hvmin]]] [[-> Hw] | [Hw [Hwends Hwmin]]].
  - reflexivity.
  - now apply Hv in Hwends.
  - now apply Hw in Hvends.
  - apply Hvmin in Hwends. apply Hwmin in Hvends. lia.
Qed.

Example answer_is_unique_holds : 3 = min_waves 4 7 3.
Proof.
  apply (answer_is_unique thrifty 3 Soldiers (start 4 7)); [| apply min_waves_is_right; auto; lia].
  right. split; [lia |]. split; [apply search_agrees; [lia | now apply playable_start | reflexivity] |].
  intros v Hv. apply search_agrees in Hv; [| lia | now apply playable_start].
  destruct v as [| [| [| v]]]; [vm_compute in Hv; discriminate .. |]. change (Z.to_nat 3) with 3%nat. lia.
Qed.

(**
   Claim: The soldiers can win exactly when s <= n, or d < n, or n² - nx - x² > 0 for x = s + d - 2n.
   Prose: castle-soldiers.md, Theorem 4 in part
   Settles: castle-iii-border; castle-iii-too-strong
   Code: Battle.Case
*)
Theorem who_wins : forall legal n s d, legal = order \/ legal = thrifty -> 0 < n -> 0 < s -> 0 < d ->
  ((exists w, ends legal d Soldiers w (start n s)) <-> s <= n \/ d < n \/ 0 < form n (s + d - 2 * n)).
Proof.
  intros legal n s d Hlegal Hn Hs Hd. pose proof (min_waves_is_right legal n s d Hlegal Hn Hs Hd) as Hright.
  assert (Hpos : (exists w, ends legal d Soldiers w (start n s)) <-> 0 < min_waves n s d).
  { destruct Hright as [[H0 H] | [H [Hends _]]].
    - rewrite H0. split; [intros [w Hw]; now apply H in Hw | lia].
    - split; [easy | intros _; now exists (Z.to_nat (min_waves n s d))]. }
  rewrite Hpos. clear Hpos. destruct (Z.le_gt_cases s n) as [Hsn | Hsn].
  { unfold min_waves. rewrite (proj2 (Z.leb_le s n) Hsn). lia. }
  destruct (Z.lt_ge_cases d n) as [Hdn | Hdn].
  - split; [auto |]. intros _. unfold min_waves.
    destruct (Z.leb_spec s n), (Z.leb_spec n d); try lia. set (h := hunts n (n - d)).
    destruct (Z.ltb_spec (strike n h) (s - n - (n - d))) as [He | He].
    + assert (0 <= (s - n - (n - d) - strike n h - 1) / (n - d)) by (apply Z.div_pos; lia). lia.
    + destruct (Z.leb_spec (s - n - (n - d)) 0) as [He0 | He0]; [lia |].
      pose proof (cleanup_spec (enough n) n _ He0 (conj Hn (enough_halves n Hn))) as H'.
      destruct (cleanup (enough n) n (s - n - (n - d))) as [k |]; [lia |].
      exfalso. apply (H' h). now apply strike_spec.
  - unfold min_waves. destruct (Z.leb_spec s n), (Z.leb_spec n d); try lia.
    pose proof (cleanup_spec (enough n) n (s + d - 2 * n) ltac:(lia) (conj Hn (enough_halves n Hn))) as H'.
    assert (Hx : 0 < s + d - 2 * n) by lia. rewrite <- (fractions_reach_the_border n _ Hn Hx).
    destruct (cleanup (enough n) n (s + d - 2 * n)) as [k |].
    + split; [intros _ | lia]. right. right. exists (Z.to_nat k). apply H'.
    + split; [lia |]. intros [Hs' | [Hd' | [k Hk]]]; [lia | lia |]. now apply H' in Hk.
Qed.

Example who_wins_holds : exists w, ends order 15 Soldiers w (start 10 11).
Proof. apply who_wins; [auto | lia | lia | lia | right; right; reflexivity]. Qed.
