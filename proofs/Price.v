(** The tower game: how many soldiers the best play needs, up to a number that does not grow with the number of
    towers. *)

From Coq Require Import ZArith Lia List.
From Siegebook Require Import Tower TowerFewest WorstAim.
Import ListNotations.
Open Scope Z_scope.

(** a > xb, where x is the positive root of x² + kx = kh, and b >= 0. This means that a is positive and a² + kab >
    khb². *)
Definition above_price (h k a b : Z) : Prop := 0 < a /\ k * h * (b * b) < a * a + k * (a * b).

(** [m] is the smallest number of soldiers who win with greedy shots. *)
Definition wins_greedily (h k : Z) (t : nat) (m : Z) : Prop :=
  0 < m /\ forall n, 0 < n -> ((exists r, soldiers_win greedy k r n (repeat h t)) <-> m <= n).

(** Without rounding down: G + (h - 1) hits correspond to at most as many towers as G hits. *)
Lemma strength_stays : forall h k N B T, 1 <= h -> 0 < k -> 0 < N -> N <= B -> h * T <= B - N ->
  0 < strength h k N B -> 0 < N - k * T /\ 0 < strength h k (N - k * T) (B - N).
Proof.
  intros h k N B T Hh Hk HN HB HT H. set (G := B - N) in *. replace B with (N + G) in * by (unfold G; lia).
  set (R := N - k * T). set (u := h * N - k * G).
  assert (Hu : u <= h * R).
  { assert (k * (h * T) <= k * G) by (apply Z.mul_le_mono_nonneg_l; lia). unfold u, R. lia. }
  assert (Hpos : 0 < u).
  { apply (Z.mul_pos_cancel_l N); [exact HN |]. pose proof (Z.square_nonneg G).
    assert (0 <= k * (G * G)) by (apply Z.mul_nonneg_nonneg; lia). unfold strength, u in *. lia. }
  assert (HR : 0 < R) by (apply (Z.mul_pos_cancel_l h); lia). split; [exact HR |].
  apply (Z.mul_pos_cancel_l h); [lia |].
  assert (HuR : u * u <= h * R * (h * R)) by (apply Z.mul_le_mono_nonneg; lia).
  assert (HuG : k * G * u <= k * G * (h * R)) by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg |]; lia).
  assert (E : u * u + k * G * u - h * (k * (G * G)) = h * strength h k N (N + G)) by (unfold u, strength; ring).
  assert (0 < h * strength h k N (N + G)) by (apply Z.mul_pos_pos; lia).
  replace (h * strength h k R G) with (h * R * (h * R) + k * G * (h * R) - h * (k * (G * G)))
    by (unfold strength; ring). lia.
Qed.

Lemma strong_enough : forall h k, 1 <= h -> 0 < k -> forall m N a, 0 < N -> one_damaged h a -> a <> [] ->
  hits a <= Z.of_nat m -> 0 < strength h k N (hits a + (h - 1)) -> exists r, soldiers_win greedy k r N a.
Proof.
  intros h k Hh Hk. induction m as [| m IH]; intros N a HN Ha Hne Hm H.
  { exfalso. destruct Ha as [E | [x [j [Hx ->]]]]; [now apply Hne |]. pose proof (repeat_hits h j) as E.
    unfold hits in *. cbn [fold_right] in Hm. assert (0 <= h * Z.of_nat j) by (apply Z.mul_nonneg_nonneg; lia). lia. }
  destruct (greedy_round h a N ltac:(lia) Ha Hne) as [b [Hround [Hb Hhits]]].
  destruct b as [| y b]; [exists 0%nat, N, a; split; [constructor | exact Hround] |].
  destruct (one_damaged_sound h _ Hb) as [Hsound Hless]. specialize (Hless ltac:(easy)).
  pose proof (hits_bounds h _ Hsound) as Hbounds. set (c := y :: b) in *.
  assert (Hc : 0 < standing c) by (unfold standing, c; cbn [length]; lia).
  destruct (strength_stays h k N (hits a + (h - 1)) (standing c)) as [Halive Hstrong]; [lia .. | exact H |].
  replace (hits a + (h - 1) - N) with (hits c + (h - 1)) in Hstrong by lia.
  destruct (IH (N - k * standing c) c) as [r [N1 [a1 [Hreach Hlast]]]];
    [exact Halive | exact Hb | easy | lia | exact Hstrong |].
  exists (S r), N1, a1. split; [| exact Hlast]. now apply reaches_front with (a1 := c).
Qed.

Lemma greedy_is_any : forall k r N a, soldiers_win greedy k r N a -> soldiers_win any k r N a.
Proof.
  intros k r N a [N1 [a1 [Hreach [g [Hl [_ Hf]]]]]]. exists N1, a1. split; [| now exists g]. clear g Hl Hf.
  induction Hreach as [N a | r N a N1 a1 a2 H IH [g [Hl [_ Hf]]] Hne2 Halive]; [constructor |].
  apply further with (a1 := a1); [exact IH | now exists g | exact Hne2 | exact Halive].
Qed.

Lemma two_beat_three : wins_greedily 1 1 3 2.
Proof.
  split; [lia |]. intros n Hn. split.
  - intros [r [N1 [a1 [Hreach Hlast]]]]. destruct (Z.eq_dec n 1) as [-> | Hn1]; [| lia]. exfalso.
    destruct (price_of_one_hit 1 1 3 ltac:(lia) ltac:(lia) ltac:(lia)) as [H _].
    enough (E : exists r, soldiers_win any 1 r 1 (repeat 1 3)) by (apply H in E; cbn in E; lia).
    exists r. apply greedy_is_any. now exists N1, a1.
  - intros H. destruct (price_of_one_hit 1 n 3 ltac:(lia) ltac:(lia) ltac:(lia)) as [_ [r Hr]]; [cbn; nia |].
    destruct (greedy_is_the_best 1 1 3 n n r ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) Hr) as [q [_ Hq]].
    now exists q.
Qed.

(**
   Claim: Let x be the positive root of x² + kx = kh. The smallest number m of soldiers who win with greedy shots is
     greater than xt, and at most xt + C + 1 with C = x(h - 1)/h: h(m - 1) <= x(ht + h - 1). Any n > xt + C soldiers
     win.
   Prose: tower.md, Theorem 9
*)
Theorem price_and_no_more : forall h k t m, 1 <= h -> 0 < k -> (1 <= t)%nat -> wins_greedily h k t m ->
  above_price h k m (Z.of_nat t) /\
  ~ above_price h k (h * (m - 1)) (h * Z.of_nat t + h - 1) /\
  forall n, above_price h k (h * n) (h * Z.of_nat t + h - 1) -> exists r, soldiers_win greedy k r n (repeat h t).
Proof.
  intros h k t m Hh Hk Ht [Hm Hleast].
  assert (Hall : forall n, above_price h k (h * n) (h * Z.of_nat t + h - 1) ->
    0 < n /\ exists r, soldiers_win greedy k r n (repeat h t)).
  { intros n [Hn H]. assert (Hn0 : 0 < n) by (apply (Z.mul_pos_cancel_l h); lia). split; [exact Hn0 |].
    apply (strong_enough h k Hh Hk (Z.to_nat (hits (repeat h t)))).
    - exact Hn0.
    - right. exists h, (t - 1)%nat. split; [lia |]. destruct t as [| t]; [lia |]. cbn. now rewrite Nat.sub_0_r.
    - destruct t; [lia | easy].
    - lia.
    - rewrite repeat_hits. replace (h * Z.of_nat t + (h - 1)) with (h * Z.of_nat t + h - 1) by lia.
      set (B := h * Z.of_nat t + h - 1) in *. apply (Z.mul_pos_cancel_l h); [lia |]. unfold strength. lia. }
  split; [| split; [| intros n Hn; now apply Hall]].
  - split; [exact Hm |]. destruct (proj2 (Hleast m Hm) ltac:(lia)) as [r [N1 [a1 [Hreach Hlast]]]].
    assert (Hany : soldiers_win any k r m (repeat h t)) by (apply greedy_is_any; now exists N1, a1).
    destruct (the_price h k m t r Hh Hk Ht Hm Hany) as [H _]. lia.
  - intros H. destruct (Hall (m - 1) H) as [H0 Hwin]. apply (Hleast (m - 1) H0) in Hwin. lia.
Qed.

Example price_and_no_more_holds : above_price 1 1 2 3 /\ ~ above_price 1 1 1 3.
Proof. destruct (price_and_no_more 1 1 3 2 ltac:(lia) ltac:(lia) ltac:(lia) two_beat_three) as [H1 [H2 _]]. easy. Qed.

Lemma above_price_scales : forall h k q a b, 0 < q -> (above_price h k (q * a) (q * b) <-> above_price h k a b).
Proof.
  intros h k q a b Hq. unfold above_price. replace (k * h * (q * b * (q * b))) with (q * q * (k * h * (b * b))) by ring.
  replace (q * a * (q * a) + k * (q * a * (q * b))) with (q * q * (a * a + k * (a * b))) by ring.
  rewrite <- Z.mul_lt_mono_pos_l by (apply Z.mul_pos_pos; lia). split; (intros [H1 H2]; split; [| exact H2]).
  - apply (Z.mul_pos_cancel_l q); lia.
  - apply Z.mul_pos_pos; lia.
Qed.

(** This holds because x <= h. *)
Lemma above_price_adds : forall h k a b c d, 1 <= h -> 0 < k -> 0 <= b -> 0 <= d -> h * d <= c ->
  above_price h k a b -> above_price h k (a + c) (b + d).
Proof.
  intros h k a b c d Hh Hk Hb Hd Hc [Ha H]. assert (Hhd : 0 <= h * d) by (apply Z.mul_nonneg_nonneg; lia).
  split; [lia |]. assert (Hside : k * h * b <= a * (2 * h + k)).
  { destruct (Z.le_gt_cases (h * b) a) as [L | L].
    - assert (k * (h * b) <= k * a) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (0 <= a * h) by (apply Z.mul_nonneg_nonneg; lia). lia.
    - assert (Hb0 : 0 < b) by (apply (Z.mul_pos_cancel_l h); lia).
      apply (Z.mul_le_mono_pos_r _ _ b Hb0). assert (a * a <= a * (h * b)) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (0 <= a * (h * b)) by (apply Z.mul_nonneg_nonneg; lia). lia. }
  apply (Z.mul_le_mono_nonneg_r _ _ d Hd) in Hside.
  assert (H1 : a * (h * d) <= a * c) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (H2 : k * b * (h * d) <= k * b * c) by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg |]; lia).
  assert (H3 : k * d * (h * d) <= k * d * c) by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg |]; lia).
  pose proof (Z.square_nonneg c). lia.
Qed.

(**
   Claim: Let m be the smallest number of soldiers who win against t towers with greedy shots. Then m/t tends to x, the
     positive root of x² + kx = kh: for every q, if there are at least qh towers, m/t exceeds x by at most 1/q.
   Prose: tower.md, Theorem 7
*)
Theorem price_in_the_limit : forall h k q t m, 1 <= h -> 0 < k -> 0 < q -> q * h <= Z.of_nat t ->
  wins_greedily h k t m ->
  above_price h k m (Z.of_nat t) /\ ~ above_price h k (q * m - Z.of_nat t) (q * Z.of_nat t).
Proof.
  intros h k q t m Hh Hk Hq HT Hm. set (T := Z.of_nat t) in *.
  assert (Hqh : 1 <= q * h) by (pose proof (Z.mul_pos_pos q h Hq ltac:(lia)); lia).
  destruct (price_and_no_more h k t m Hh Hk ltac:(lia) Hm) as [H1 [H2 _]]. fold T in H1, H2. split; [exact H1 |].
  intros H. apply H2. apply (above_price_scales h k h) in H; [| lia]. apply (above_price_scales h k q); [exact Hq |].
  apply (above_price_adds h k _ _ (h * T - h * q) (q * (h - 1))) in H; [| lia | lia | | |].
  - replace (q * (h * (m - 1))) with (h * (q * m - T) + (h * T - h * q)) by ring.
    replace (q * (h * T + h - 1)) with (h * (q * T) + q * (h - 1)) by ring. exact H.
  - repeat apply Z.mul_nonneg_nonneg; lia.
  - apply Z.mul_nonneg_nonneg; lia.
  - assert (h * (q * h) <= h * T) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Example price_in_the_limit_holds : above_price 1 1 2 3 /\ ~ above_price 1 1 (3 * 2 - 3) (3 * 3).
Proof. apply (price_in_the_limit 1 1 3 3 2); [lia | lia | lia | lia | exact two_beat_three]. Qed.
