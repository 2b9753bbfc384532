(** Of all wins in the fewest waves, the one that the most soldiers survive. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves ByRoot Bookkeeping.
Open Scope Z_scope.

(** [saves legal d f w r now]: in some line of play that begins with [now] and consists of [legal] orders, the castle
    falls in wave [f], the soldiers win in wave [w], and [r] of them are then alive. Nobody is killed in the wave that
    wins. If the castle has fallen earlier, [f] is 0. *)
Inductive saves (legal : state -> Z -> Prop) (d : Z) : nat -> nat -> Z -> state -> Prop :=
| home now i :
    legal now i -> wave d now i (Won Soldiers) ->
    saves legal d (if hits now =? 0 then 0%nat else 1%nat) 1 (soldiers now) now
| home_later now i next f w r :
    legal now i -> wave d now i (Next next) -> saves legal d f w r next ->
    saves legal d (if hits now =? 0 then 0%nat else S f) (S w) r now.

(** No shot is wasted, and all defenders are shot until the wave in which the castle falls. *)
Definition patient (now : state) (i : Z) : Prop := thrifty now i /\ (left now i = 0 \/ standing now i = 0).

Lemma saves_by_more : forall (legal other : state -> Z -> Prop) d f w r now,
  (forall state i, legal state i -> other state i) -> saves legal d f w r now -> saves other d f w r now.
Proof.
  intros legal other d f w r now Hmore H. induction H as [now i Hi Hw | now i next f w r Hi Hw H IH].
  - apply home with i; auto.
  - apply home_later with i next; auto.
Qed.

Lemma saves_ends : forall legal d f w r now, saves legal d f w r now -> ends legal d Soldiers w now.
Proof.
  intros legal d f w r now H. induction H as [now i Hi Hw | now i next f w r Hi Hw H IH].
  - now apply at_once with i.
  - now apply later with i next.
Qed.

Lemma ends_saves : forall legal d w now, ends legal d Soldiers w now -> exists f r, saves legal d f w r now.
Proof.
  intros legal d w now H. induction H as [now i Hi Hw | now i next w Hi Hw H IH].
  - do 2 eexists. eapply home; eauto.
  - destruct IH as [f [r IH]]. do 2 eexists. eapply home_later; eauto.
Qed.

(** ** No line saves more soldiers *)

Lemma saves_no_more : forall d f w r now, saves order d f w r now -> r <= soldiers now /\ (0 < soldiers now -> 0 < r).
Proof.
  intros d f w r now H. induction H as [now i Hi Hw | now i next f w r [Hi HD] Hw H IH]; [lia |].
  inversion Hw; subst; unfold left in *; cbn [soldiers] in *; lia.
Qed.

Lemma fallen_before : forall legal d f w r n D, saves legal d f w r (State n D 0) -> f = O.
Proof. intros legal d f w r n D H. inversion H; reflexivity. Qed.

(** A hunt that is won in wave j + 1. *)
Lemma hunt_saves_no_more : forall d j f n D r, saves order d f (S j) r (State n D 0) ->
  D * fib (2 * j + 1) <= n * fib (2 * S j) /\ r <= n * fib (2 * j + 1) - D * fib (2 * j).
Proof.
  intros d j. induction j as [| j IH]; intros f n D r H.
  - split; [exact (hunt_is_not_faster d 0 n D (saves_ends _ _ _ _ _ _ H)) |].
    inversion H as [now i Hi Hw | now i next f' w r' Hi Hw Hr]; subst; [cbn; lia | inversion Hr].
  - split; [exact (hunt_is_not_faster d (S j) n D (saves_ends _ _ _ _ _ _ H)) |].
    inversion H as [| now i next f' w r' [Hi HD] Hw Hr]; subst.
    inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [lia |].
    apply IH in Hr as [_ Hr]. rewrite fib_odd_next, fib_even_next. pose proof (fib_even_odd j).
    set (e := fib (2 * j)) in *. set (o := fib (2 * j + 1)) in *.
    assert (0 <= (i - (D - (D - i)) + (n - i)) * (o + e)) by (apply Z.mul_nonneg_nonneg; lia). nia.
Qed.

(** The number of soldiers whom a win that takes k waves after the wave of the fall can save, if nobody dies earlier and
    x defenders are left. *)
Definition saved (k : nat) (n x : Z) : Z :=
  match k with O => n | S j => n * fib (2 * j + 1) - x * fib (2 * S j) end.

Lemma no_line_saves_more : forall d w n D C f r, 0 < C -> saves order d f w r (State n D C) ->
  exists g k, f = S g /\ w = (S g + k)%nat /\ r <= n /\
    let x := C + D + Z.of_nat g * d - (Z.of_nat g + 1) * n in below n x k /\ r <= saved k n x.
Proof.
  intros d w. induction w as [| w IH]; intros n D C f r HC H.
  { inversion H. }
  destruct (saves_no_more _ _ _ _ _ H) as [Hall _]. cbn [soldiers] in Hall. assert (H0 : (C =? 0) = false) by lia.
  inversion H as [now i [Hi HD] Hw | now i next f' w' r' [Hi HD] Hw Hr]; subst; cbn [soldiers defenders hits] in *;
    rewrite H0 in *; inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *.
  - exists 0%nat, 0%nat. cbn [Z.of_nat saved Nat.add]. repeat split; [lia | apply below_0; lia | lia].
  - apply IH in Hr; [| lia]. destruct Hr as [g [k [-> [-> [Hrn [Hb Hr]]]]]]. exists (S g), k.
    split; [reflexivity |]. split; [lia |]. split; [lia |]. rewrite Nat2Z.inj_succ.
    set (y := D - i) in *. pose proof (fib_even_odd k).
    set (x := C + D + Z.succ (Z.of_nat g) * d - (Z.succ (Z.of_nat g) + 1) * n) in *.
    set (x' := Z.max 0 (C - (n - i)) + (y + d) + Z.of_nat g * d - (Z.of_nat g + 1) * (n - y)) in *.
    assert (Hx : x <= x') by (unfold x, x', y; nia).
    split; [unfold below in *; nia |]. destruct k as [| j]; [cbn [saved] in *; lia |]. cbn [saved] in *.
    pose proof (fib_even_odd j). pose proof (fib_even_positive j). nia.
  - destruct w as [| j]; [inversion Hr |]. rewrite (fallen_before _ _ _ _ _ _ _ Hr).
    apply hunt_saves_no_more in Hr as [Hb Hr].
    exists 0%nat, (S j). split; [reflexivity |]. split; [lia |]. cbn [Z.of_nat].
    pose proof (fib_even_odd j). unfold below. cbn [saved]. rewrite fib_odd_next. rewrite fib_even_next in *.
    set (y := D - i) in *. set (e := fib (2 * j)) in *. set (o := fib (2 * j + 1)) in *.
    assert (Hy : C + D + 0 * d - (0 + 1) * n <= y) by (unfold y; lia).
    set (x := C + D + 0 * d - (0 + 1) * n) in *. repeat split.
    + exact Hall.
    + assert (y * (e + 2 * o) <= n * (e + o)) by lia. nia.
    + assert (x * (e + o) <= y * (e + o)) by nia. lia.
Qed.

(** ** The line that saves this many *)

Lemma hunt_saves : forall d j n x, 0 < x < n -> least (below n x) (S j) ->
  saves patient d 0 (S j) (saved (S j) n x) (State (n - x) x 0).
Proof.
  intros d j. induction j as [| j IH]; intros n x Hx [Hbelow Hleast]; apply below_next in Hbelow.
  - apply below_0 in Hbelow. replace (saved 1 n x) with (soldiers (State (n - x) x 0)) by (cbn; lia).
    apply (home patient d (State (n - x) x 0) x);
      [| constructor]; unfold patient, thrifty, order, left, standing; cbn [soldiers defenders hits]; lia.
  - assert (Hmore : n < 2 * x).
    { apply Z.nle_gt. intros Hle. assert (H1 : below n x 1) by (apply below_next, below_0; lia).
      apply Hleast in H1. lia. }
    assert (Hless : 2 * x - n < n - x).
    { unfold below in Hbelow. pose proof (fib_even_odd (S j)). pose proof (cassini (S j)). nia. }
    replace (saved (S (S j)) n x) with (saved (S j) (n - x) (2 * x - n))
      by (cbn [saved]; rewrite (fib_even_next (S j)), fib_odd_next, fib_even_next; ring).
    apply (home_later patient d (State (n - x) x 0) (n - x) (State (n - x - (2 * x - n)) (2 * x - n) 0) 0).
    + unfold patient, thrifty, order, left, standing. cbn [soldiers defenders hits]. lia.
    + replace (2 * x - n) with (left (State (n - x) x 0) (n - x)) by (unfold left; cbn [defenders]; lia).
      apply (castle_fallen d (State (n - x) x 0)); unfold left, standing; cbn [soldiers defenders hits]; lia.
    + apply IH; [lia |]. split; [exact Hbelow |]. intros k Hk. apply below_next, Hleast in Hk. lia.
Qed.

(** Wait for m waves, shooting all defenders, and bring the castle down in the next wave. *)
Lemma waiting_saves : forall d m n C k, 0 < n -> 0 < d -> (m = O \/ d < n) ->
  let hits := C - Z.of_nat m * (n - d) in let x := hits + d - n in 0 < hits <= n ->
  (x <= 0 /\ k = O \/ 0 < x < n /\ (1 <= k)%nat /\ least (below n x) k) ->
  saves patient d (S m) (S m + k) (saved k n x) (State n d C).
Proof.
  intros d m. induction m as [| m IH]; intros n C k Hn Hd Hm h x Hh Hx.
  - assert (Eh : h = C) by (unfold h; lia). assert (E0 : (C =? 0) = false) by lia.
    destruct Hx as [[Hx ->] | [Hx [Hk Hleast]]].
    + assert (H : saves patient d (if C =? 0 then O else 1%nat) 1 n (State n d C)); [| now rewrite E0 in H].
      apply (home patient d (State n d C) d); [| constructor];
        unfold patient, thrifty, order, left, standing; cbn [soldiers defenders hits]; lia.
    + assert (H : saves patient d (if C =? 0 then O else 1%nat) (S k) (saved k n x) (State n d C));
        [| now rewrite E0 in H].
      destruct k as [| j]; [lia |].
      apply (home_later patient d (State n d C) (n - C) (State (n - x) x 0) 0).
      * unfold patient, thrifty, order, left, standing. cbn [soldiers defenders hits]. lia.
      * replace x with (left (State n d C) (n - C)) by (unfold left; cbn [defenders]; lia).
        apply (castle_fallen d (State n d C)); unfold left, standing; cbn [soldiers defenders hits]; lia.
      * now apply hunt_saves.
  - assert (Hdn : d < n) by lia.
    assert (Eh : h = C - (n - d) - Z.of_nat m * (n - d)) by (unfold h; lia).
    assert (Hup : n - d < C) by nia. assert (E0 : (C =? 0) = false) by lia.
    assert (H : saves patient d (if C =? 0 then O else S (S m)) (S (S m + k)) (saved k n x) (State n d C));
      [| now rewrite E0 in H].
    apply (home_later patient d (State n d C) d (State n d (C - (n - d))) (S m)).
    + unfold patient, thrifty, order, left, standing. cbn [soldiers defenders hits]. lia.
    + replace (State n d (C - (n - d))) with
        (State (n - left (State n d C) d) (left (State n d C) d + d) (standing (State n d C) d))
        by (unfold left, standing; cbn [soldiers defenders hits]; f_equal; lia).
      apply (castle_stands d (State n d C)); unfold left, standing; cbn [soldiers defenders hits]; lia.
    + replace x with (C - (n - d) - Z.of_nat m * (n - d) + d - n) by (unfold x; rewrite Eh; reflexivity).
      apply IH; try assumption; [now right | now rewrite <- Eh |].
      replace (C - (n - d) - Z.of_nat m * (n - d) + d - n) with x by (unfold x; rewrite Eh; reflexivity). exact Hx.
Qed.

(** ** The wave of the fall *)

(** A fall in wave q + 1 allows a win in wave w. *)
Definition allows (n s d : Z) (w q : nat) : Prop :=
  (1 <= q)%nat /\ exists k, w = (1 + q + k)%nat /\ below n (leftover n s d q) k.

(** No fall allows a win in fewer waves. *)
Definition no_sooner (n s d : Z) (w : nat) : Prop :=
  forall q k, (1 <= q)%nat -> below n (leftover n s d q) k -> (w <= 1 + q + k)%nat.

Lemma fewest_is_no_sooner : forall legal n s d w, legal = order \/ legal = thrifty -> 0 < n < s -> 0 < d ->
  fewest legal d Soldiers w (start n s) -> no_sooner n s d w.
Proof.
  intros legal n s d w Hlegal Hn Hd [_ Hleast] q k Hq Hb.
  assert (Hw : within legal d Soldiers (1 + q + k) (start n s)).
  { apply staircase; try assumption; [lia .. |]. right. apply reach_is_the_maximum; [lia |].
    exists q, k. repeat split; [lia |]. apply strike_spec in Hb. unfold leftover in Hb. lia. }
  destruct Hw as [v [Hv Hends]]. apply Hleast in Hends. lia.
Qed.

(** A later fall saves more soldiers. *)
Lemma later_saves_more : forall n s d w q k, 0 < d < n -> no_sooner n s d w -> (1 <= q)%nat -> w = (1 + q + S k)%nat ->
  saved (S k) n (leftover n s d q) < saved k n (leftover n s d (S q)).
Proof.
  intros n s d w q k Hd Hmin Hq Hw. rewrite leftover_next. set (x := leftover n s d q).
  assert (Hnot : ~ below n x k) by (intros H; apply Hmin in H; lia).
  destruct k as [| j]; cbn [saved].
  - rewrite below_0 in Hnot. change (fib (2 * 0 + 1)) with 1. change (fib (2 * 1)) with 1. lia.
  - unfold below in Hnot. rewrite (fib_even_next (S j)), fib_odd_next. rewrite fib_odd_next in Hnot.
    rewrite fib_even_next in *. pose proof (fib_even_odd j).
    set (e := fib (2 * j)) in *. set (o := fib (2 * j + 1)) in *.
    assert (d * (e + o) < n * (e + o)) by (apply Z.mul_lt_mono_pos_r; lia). lia.
Qed.

Lemma latest_saves_most : forall n s d w q k p j, 0 < d < n -> no_sooner n s d w -> (1 <= q < p)%nat ->
  w = (1 + q + k)%nat -> w = (1 + p + j)%nat -> saved k n (leftover n s d q) < saved j n (leftover n s d p).
Proof.
  intros n s d w q k p j Hd Hmin [Hq Hp]. revert k j. induction Hp as [| p Hp IH]; intros k j Hk Hj.
  - replace k with (S j) by lia. now apply later_saves_more with w; [| | | lia].
  - apply Z.lt_trans with (saved (S j) n (leftover n s d p)); [apply IH; lia |].
    apply later_saves_more with w; [assumption | assumption | lia | lia].
Qed.

Lemma saved_of_none : forall n s d w q k, no_sooner n s d w -> (1 <= q)%nat -> w = (1 + q + k)%nat ->
  saved k n (Z.max 0 (leftover n s d q)) = saved k n (leftover n s d q) /\ (leftover n s d q <= 0 -> k = O).
Proof.
  intros n s d w q k Hmin Hq Hw.
  assert (Hnone : leftover n s d q <= 0 -> k = O).
  { intros H. apply (below_0 n) in H. apply Hmin in H; lia. }
  split; [| exact Hnone]. destruct (Z.le_gt_cases (leftover n s d q) 0) as [H | H].
  - rewrite (Hnone H). reflexivity.
  - now rewrite Z.max_r by lia.
Qed.

(** The fewest waves leave no room for a shorter hunt. *)
Lemma allowed_is_least : forall n s d w q k, 0 < n -> no_sooner n s d w -> (1 <= q)%nat -> w = (1 + q + k)%nat ->
  below n (leftover n s d q) k -> least (below n (leftover n s d q)) k.
Proof. intros n s d w q k Hn Hmin Hq Hw Hb. split; [exact Hb |]. intros j Hj. apply Hmin in Hj; lia. Qed.

Lemma only_wave_two : forall n s d w q, 0 < n <= d -> no_sooner n s d w -> allows n s d w q -> q = 1%nat.
Proof.
  intros n s d w q Hn Hmin [Hq [k [Hw Hb]]].
  assert (H : below n (leftover n s d 1) k).
  { unfold below in *. pose proof (fib_even_odd k). apply Z.le_trans with (2 := Hb).
    apply Z.mul_le_mono_nonneg_r; [lia |]. unfold leftover. nia. }
  apply Hmin in H; lia.
Qed.

(** There is a line with the latest fall. *)
Lemma latest_is_played : forall n s d w q k, 0 < n < s -> 0 < d -> no_sooner n s d w ->
  (1 <= q)%nat -> w = (1 + q + k)%nat -> below n (leftover n s d q) k -> ~ allows n s d w (S q) ->
  (n <= d -> q = 1%nat) -> saves patient d (S q) w (saved k n (leftover n s d q)) (start n s).
Proof.
  intros n s d w q k Hn Hd Hmin Hq Hw Hb Hlast Htwo.
  destruct (saved_of_none n s d w q k Hmin Hq Hw) as [_ Hnone].
  assert (Hs0 : (s =? 0) = false) by lia.
  assert (H : saves patient d (if s =? 0 then O else S q) w (saved k n (leftover n s d q)) (start n s));
    [| now rewrite Hs0 in H].
  replace w with (S (S (q - 1) + k)) by lia.
  apply (home_later patient d (start n s) 0 (State n d (s - n))).
  - unfold patient, thrifty, order, left, standing, start. cbn [soldiers defenders hits]. lia.
  - replace (State n d (s - n)) with
      (State (n - left (start n s) 0) (left (start n s) 0 + d) (standing (start n s) 0))
      by (unfold left, standing, start; cbn [soldiers defenders hits]; f_equal; lia).
    apply (castle_stands d (start n s)); unfold left, standing, start; cbn [soldiers defenders hits]; lia.
  - replace q with (S (q - 1)) at 1 by lia.
    assert (Ex : s - n - Z.of_nat (q - 1) * (n - d) + d - n = leftover n s d q) by (unfold leftover; nia).
    rewrite <- Ex. apply waiting_saves; [lia | lia | lia | |].
    + split.
      * destruct (Nat.eq_dec q 1) as [-> | Hq1]; [cbn; lia |].
        apply Z.nle_gt. intros H. assert (H0 : below n (leftover n s d (q - 1)) 0).
        { apply below_0. unfold leftover. nia. }
        apply Hmin in H0; lia.
      * enough (Hxd : leftover n s d q <= d) by lia. apply Z.nlt_ge. intros Hmany.
        assert (Hk : (1 <= k)%nat). { destruct k; [apply below_0 in Hb; lia | lia]. }
        assert (Hxn : leftover n s d q < n).
        { apply strike_spec in Hb. pose proof (strike_below n k ltac:(lia)). lia. }
        assert (Hdn : d < n) by lia.
        set (y := leftover n s d q) in *. destruct (Z.le_gt_cases (y * y + d * y) (n * d)) as [Hstrike | Hwait].
        -- apply Hlast. split; [lia |]. exists (k - 1)%nat. split; [lia |]. rewrite leftover_next. fold y.
           assert (Hhalf : y + y < n).
           { assert (d * y < y * y) by (apply Z.mul_lt_mono_pos_r; lia).
             apply (Z.mul_lt_mono_pos_l d); [exact Hd | lia]. }
           unfold below. pose proof (fib_even_odd (k - 1)). apply Z.le_trans with 0.
           ++ apply Z.mul_nonpos_nonneg; lia.
           ++ apply Z.mul_nonneg_nonneg; lia.
        -- destruct (waiting_pays n d y k ltac:(lia) ltac:(lia) ltac:(lia) Hb) as [j [-> Hj]].
           apply Hlast. split; [lia |]. exists j. split; [lia |]. now rewrite leftover_next.
    + rewrite Ex. destruct (Z.le_gt_cases (leftover n s d q) 0) as [H | H]; [left; auto | right].
      assert (Hk : (1 <= k)%nat). { destruct k; [apply below_0 in Hb; lia | lia]. }
      repeat split; [lia | | exact Hk | exact Hb | intros j Hj; apply Hmin in Hj; lia].
      apply strike_spec in Hb. pose proof (strike_below n k ltac:(lia)). lia.
Qed.

Lemma fall_is_allowed : forall n s d f w r, 0 < n < s -> 0 < d -> saves order d f w r (start n s) ->
  exists q k, f = S q /\ (1 <= q)%nat /\ w = (1 + q + k)%nat /\ below n (leftover n s d q) k /\
    r <= saved k n (leftover n s d q).
Proof.
  intros n s d f w r Hn Hd H. assert (Hs0 : (s =? 0) = false) by lia.
  inversion H as [now i [Hi HD] Hw | now i next g v r' [Hi HD] Hw Hr]; subst; unfold start in *;
    cbn [soldiers defenders hits] in *; inversion Hw; subst; unfold left, standing in *;
    cbn [soldiers defenders hits] in *; try lia.
  replace (State (n - (0 - i)) (0 - i + d) (Z.max 0 (s - (n - i)))) with (State n d (s - n)) in Hr by (f_equal; lia).
  apply no_line_saves_more in Hr; [| lia]. destruct Hr as [p [k [-> [-> [_ [Hb Hr]]]]]].
  exists (S p), k. rewrite Hs0.
  replace (s - n + d + Z.of_nat p * d - (Z.of_nat p + 1) * n) with (leftover n s d (S p)) in * by
    (unfold leftover; rewrite Nat2Z.inj_succ; ring).
  split; [reflexivity |]. split; [lia |]. split; [lia |]. split; [exact Hb | exact Hr].
Qed.

Lemma allows_decided : forall n s d w q, allows n s d w q \/ ~ allows n s d w q.
Proof.
  intros n s d w [| q]; [right; intros [H _]; lia |].
  destruct (Nat.le_gt_cases (2 + q) w) as [Hw | Hw]; [| right; intros [_ [k [H _]]]; lia].
  destruct (Z.le_gt_cases (leftover n s d (S q) * fib (2 * (w - (2 + q)) + 1)) (n * fib (2 * (w - (2 + q)))))
    as [H | H].
  - left. split; [lia |]. exists (w - (2 + q))%nat. split; [lia | exact H].
  - right. intros [_ [k [E Hb]]]. replace (w - (2 + q))%nat with k in H by lia. unfold below in Hb. lia.
Qed.

Lemma latest_allowed : forall n s d w q, allows n s d w q ->
  exists p, allows n s d w p /\ forall r, allows n s d w r -> (r <= p)%nat.
Proof.
  intros n s d w q Hq.
  enough (G : forall b, (forall r, allows n s d w r -> (r <= b)%nat) ->
    exists p, allows n s d w p /\ forall r, allows n s d w r -> (r <= p)%nat).
  { apply (G w). intros r [_ [k [Hr _]]]. lia. }
  induction b as [| b IH]; intros Hb.
  - specialize (Hb q Hq). destruct Hq. lia.
  - destruct (allows_decided n s d w (S b)) as [H | H]; [now exists (S b) |].
    apply IH. intros r Hr. pose proof (Hb r Hr). assert (r <> S b) by (intros ->; contradiction). lia.
Qed.

(** The number of soldiers whom the latest fall saves. No other fall saves as many. *)
Lemma latest_is_best : forall n s d w q, 0 < n < s -> 0 < d -> no_sooner n s d w -> allows n s d w q ->
  (forall p, allows n s d w p -> (p <= q)%nat) ->
  let r := saved (w - S q) n (Z.max 0 (leftover n s d q)) in
  saves patient d (S q) w r (start n s) /\
  forall g r', saves order d g w r' (start n s) -> r' <= r /\ (g <= S q)%nat /\ (r' = r -> g = S q).
Proof.
  intros n s d w q Hn Hd Hmin [Hq [k [Hw Hb]]] Hlast r.
  assert (Er : r = saved k n (leftover n s d q)).
  { unfold r. replace (w - S q)%nat with k by lia. now apply (saved_of_none n s d w). }
  split.
  - rewrite Er. apply latest_is_played; try assumption.
    + intros H. apply Hlast in H. lia.
    + intros H. apply (only_wave_two n s d w); [lia | assumption |]. split; [assumption |]. now exists k.
  - intros g r' H. apply fall_is_allowed in H; [| assumption | assumption].
    destruct H as [p [j [-> [Hp [Hwp [Hbp Hr]]]]]].
    assert (Hpq : (p <= q)%nat). { apply Hlast. split; [exact Hp |]. now exists j. }
    destruct (Nat.eq_dec p q) as [-> | Hne].
    + replace j with k in Hr by lia. repeat split; lia.
    + assert (Hdn : d < n).
      { apply Z.nle_gt. intros Hnd. assert (p = 1%nat /\ q = 1%nat); [| lia].
        split; (apply (only_wave_two n s d w); [lia | assumption |]); (split; [assumption |]); eauto. }
      assert (Hless : saved j n (leftover n s d p) < saved k n (leftover n s d q)).
      { apply (latest_saves_most n s d w); try assumption; lia. }
      repeat split; lia.
Qed.

Lemma one_wave_saves_all : forall (legal : state -> Z -> Prop) n s d f w r, 0 < s <= n ->
  (forall now i, legal now i -> order now i) -> saves legal d f w r (start n s) -> f = 1%nat /\ w = 1%nat /\ r = n.
Proof.
  intros legal n s d f w r Hs Hlegal H. assert (Hs0 : (s =? 0) = false) by lia.
  inversion H as [now i Hi Hw | now i next g v r' Hi Hw Hr]; subst; apply Hlegal in Hi; destruct Hi as [Hi HD];
    unfold start in *; cbn [soldiers defenders hits] in *; [now rewrite Hs0 |].
  inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; lia.
Qed.

Lemma one_wave_is_patient : forall n s d, 0 < s <= n -> saves patient d 1 1 n (start n s).
Proof.
  intros n s d Hs. assert (Hs0 : (s =? 0) = false) by lia.
  assert (H : saves patient d (if s =? 0 then O else 1%nat) 1 n (start n s)); [| now rewrite Hs0 in H].
  apply (home patient d (start n s) 0); [| constructor];
    unfold patient, thrifty, order, left, standing, start; cbn [soldiers defenders hits]; lia.
Qed.

(** ** The function *)

(** The fall is postponed, one wave at a time, as long as the win takes no longer. *)
Fixpoint put_off (fuel : nat) (n gain waves fall x : Z) : Z * Z :=
  match fuel with
  | O => (fall, x)
  | S fuel =>
      if x <=? 0 then (fall, x)
      else
        let y := Z.max 0 (x - gain) in
        match (if y <=? 0 then Some 0 else cleanup (enough n) n y) with
        | Some k => if fall + 1 + k =? waves then put_off fuel n gain waves (fall + 1) y else (fall, x)
        | None => (fall, x)
        end
  end.

(** The number of survivors, and the wave of the fall. Both are 0 if the soldiers cannot win. *)
Definition most_survivors (n s d : Z) : Z * Z :=
  let waves := waves_by_root n s d in
  if waves =? 0 then (0, 0)
  else if s <=? n then (n, 1)
  else if n <=? d then (survivors (Z.to_nat (waves - 2)) n (s + d - 2 * n), 2)
  else
    let gain := n - d in
    let q := Z.max 1 ((s - n - wait_limit n d + gain - 1) / gain) in
    let x := Z.max 0 (s - n - q * gain) in
    let (fall, few) := if d <? x then (q + 2, 0) else (q + 1, x) in
    let (latest, fewest) := put_off (enough n) n gain waves fall few in
    (survivors (Z.to_nat (waves - latest)) n fewest, latest).

Lemma cleanup_is_short : forall fuel n x k, cleanup fuel n x = Some k -> k <= Z.of_nat fuel.
Proof.
  induction fuel as [| fuel IH]; intros n x k H; cbn [cleanup] in H; [discriminate |].
  destruct (n <=? x); [discriminate |]. destruct (2 * x <=? n); [injection H as <-; lia |].
  destruct (cleanup fuel (n - x) (2 * x - n)) as [j |] eqn:E; [| discriminate].
  apply IH in E. injection H as <-. lia.
Qed.

Lemma survivors_are_saved : forall k n x, survivors k n x = saved k n x.
Proof. intros [| j] n x; [reflexivity |]. cbn [survivors saved]. now rewrite hunt_closed_form. Qed.

Lemma put_off_spec : forall fuel n s d w q k, 0 < d < n -> no_sooner n s d w -> (1 <= q)%nat -> w = (1 + q + k)%nat ->
  below n (leftover n s d q) k -> (k <= fuel)%nat ->
  exists p, put_off fuel n (n - d) (Z.of_nat w) (Z.of_nat q + 1) (Z.max 0 (leftover n s d q)) =
    (Z.of_nat p + 1, Z.max 0 (leftover n s d p)) /\
    (q <= p)%nat /\ allows n s d w p /\ (leftover n s d p <= 0 \/ ~ allows n s d w (S p)).
Proof.
  induction fuel as [| fuel IH]; intros n s d w q k Hd Hmin Hq Hw Hb Hk.
  - exists q. split; [reflexivity |]. split; [lia |]. split; [split; [exact Hq | now exists k] |].
    left. apply below_0 with n. now replace O with k by lia.
  - cbn [put_off]. set (x := Z.max 0 (leftover n s d q)). set (y := Z.max 0 (x - (n - d))).
    assert (Hall : allows n s d w q) by (split; [exact Hq | now exists k]).
    destruct (Z.leb_spec x 0) as [Hx | Hx]; 
      [exists q; split; [reflexivity |]; split; [lia |]; split; [exact Hall | left; unfold x in Hx; lia] |].
    assert (Ey : y = Z.max 0 (leftover n s d (S q))) by (rewrite leftover_next; lia).
    assert (Hy : forall j, below n y j <-> below n (leftover n s d (S q)) j).
    { intros j. rewrite Ey. unfold below. pose proof (fib_even_odd j). split; [nia |]. intros Hj.
      destruct (Z.le_gt_cases (leftover n s d (S q)) 0); [rewrite Z.max_l by lia; nia | now rewrite Z.max_r by lia]. }
    assert (Hstop : (forall j, below n (leftover n s d (S q)) j -> w = (1 + S q + j)%nat -> False) ->
      exists p, (Z.of_nat q + 1, x) = (Z.of_nat p + 1, Z.max 0 (leftover n s d p)) /\
        (q <= p)%nat /\ allows n s d w p /\ (leftover n s d p <= 0 \/ ~ allows n s d w (S p))).
    { intros H. exists q. split; [reflexivity |]. split; [lia |]. split; [exact Hall |]. right.
      intros [_ [j [Hj Hbj]]]. now apply (H j). }
    assert (Hgo : forall j, least (below n y) (Z.to_nat j) -> 0 <= j ->
      exists p, (if Z.of_nat q + 1 + 1 + j =? Z.of_nat w
                 then put_off fuel n (n - d) (Z.of_nat w) (Z.of_nat q + 1 + 1) y else (Z.of_nat q + 1, x)) =
        (Z.of_nat p + 1, Z.max 0 (leftover n s d p)) /\
        (q <= p)%nat /\ allows n s d w p /\ (leftover n s d p <= 0 \/ ~ allows n s d w (S p))).
    { intros j [Hbj Hleast] Hj. destruct (Z.eqb_spec (Z.of_nat q + 1 + 1 + j) (Z.of_nat w)) as [E | E].
      - destruct (IH n s d w (S q) (Z.to_nat j) Hd Hmin) as [p [Hp [Hqp Hpp]]];
          [lia | lia | now apply Hy | lia |].
        exists p. rewrite Nat2Z.inj_succ in Hp. unfold Z.succ in Hp. rewrite <- Ey in Hp.
        split; [exact Hp |]. split; [lia | exact Hpp].
      - apply Hstop. intros i Hbi Hi. apply Hy in Hbi. apply Hleast in Hbi. apply Hy in Hbj.
        apply Hmin in Hbj; lia. }
    destruct (Z.leb_spec y 0) as [Hy0 | Hy0].
    + apply (Hgo 0); [| lia]. split; [now apply below_0 | intros; lia].
    + pose proof (cleanup_spec (enough n) n y Hy0 (conj (ltac:(lia) : 0 < n) (enough_halves n ltac:(lia)))) as H.
      destruct (cleanup (enough n) n y) as [j |].
      * apply Hgo; [apply H | lia].
      * apply Hstop. intros i Hbi _. apply Hy in Hbi. now apply (H i).
Qed.

(** Once it pays to strike, the falls that allow a win in the fewest waves are in consecutive waves. *)
Lemma allowed_follow : forall n s d w q r, 0 < d < n -> no_sooner n s d w ->
  (1 <= q)%nat -> (leftover n s d q <= 0 \/ leftover n s d q * leftover n s d q + d * leftover n s d q <= n * d) ->
  (q < S r)%nat -> allows n s d w (S r) -> (1 <= r)%nat -> 0 < leftover n s d r /\ allows n s d w r.
Proof.
  intros n s d w q r Hd Hmin Hq Hstrike Hqr [_ [k [Hw Hb]]] Hr.
  assert (Hx : 0 < leftover n s d r).
  { apply Z.nle_gt. intros H. apply (below_0 n) in H. apply Hmin in H; lia. }
  split; [exact Hx |]. split; [exact Hr |]. exists (S k). split; [lia |]. rewrite leftover_next in Hb.
  apply (striking_pays n d); [exact Hd | exact Hx | | exact Hb].
  assert (leftover n s d r <= leftover n s d q) by (unfold leftover; nia). destruct Hstrike as [Hs | Hs]; nia.
Qed.

Lemma last_is_latest : forall n s d w q p, 0 < d < n -> no_sooner n s d w ->
  (1 <= q)%nat -> (leftover n s d q <= 0 \/ leftover n s d q * leftover n s d q + d * leftover n s d q <= n * d) ->
  (q <= p)%nat -> (leftover n s d p <= 0 \/ ~ allows n s d w (S p)) ->
  forall r, allows n s d w r -> (r <= p)%nat.
Proof.
  intros n s d w q p Hd Hmin Hq Hstrike Hqp Hstop r. induction r as [| r IH]; intros Hr; [lia |].
  destruct (Nat.le_gt_cases (S r) p) as [| Hpr]; [assumption |].
  destruct (allowed_follow n s d w q r Hd Hmin Hq Hstrike) as [Hx Hall]; [lia | exact Hr | lia |].
  apply IH in Hall. assert (r = p) by lia. subst r. destruct Hstop as [H | H]; [lia | contradiction].
Qed.

(**
   Claim: The program's function returns the largest number of soldiers that can be alive after a win in the fewest
     waves, and the wave of the fall in the wins that save this many, which is the latest possible in any win in the
     fewest waves. It returns 0 and 0 exactly when the soldiers cannot win. This holds in every battle with positive n,
     s and d, whether or not shots may be wasted. The soldiers are saved on a line without waste on which all defenders
     are shot until the fall.
   Prose: castle-soldiers.md, Theorem 5
   Code: Battle.MostSurvivors
*)
Theorem most_survivors_is_right : forall legal n s d, legal = order \/ legal = thrifty -> 0 < n -> 0 < s -> 0 < d ->
  let (most, fall) := most_survivors n s d in
  most = 0 /\ fall = 0 /\ never legal d Soldiers (start n s) \/
  0 < most /\ 0 < fall /\ exists w, fewest legal d Soldiers w (start n s) /\
    saves patient d (Z.to_nat fall) w most (start n s) /\
    forall f r, saves legal d f w r (start n s) -> r <= most /\ Z.of_nat f <= fall /\ (r = most -> Z.of_nat f = fall).
Proof.
  intros legal n s d Hlegal Hn Hs Hd.
  assert (Horder : forall now i, legal now i -> order now i)
    by (destruct Hlegal as [-> | ->]; [auto | now intros ? ? []]).
  pose proof (min_waves_is_right legal n s d Hlegal Hn Hs Hd) as Hright.
  rewrite <- (both_roads_meet n s d Hn Hs Hd) in Hright. unfold most_survivors.
  destruct Hright as [[E Hnever] | [Hpos Hfewest]].
  { rewrite E. cbn [Z.eqb]. now left. }
  set (waves := waves_by_root n s d) in *.
  destruct (Z.eqb_spec waves 0) as [E | _]; [lia |].
  destruct (Z.leb_spec s n) as [Hsn | Hsn].
  { right. split; [lia |]. split; [lia |]. exists (Z.to_nat waves). split; [exact Hfewest |].
    assert (E : Z.to_nat waves = 1%nat).
    { destruct (ends_saves legal d _ _ (proj1 Hfewest)) as [f [r H]].
      now destruct (one_wave_saves_all legal n s d f (Z.to_nat waves) r) as [_ [Ew _]]; [lia | assumption | | ]. }
    rewrite E. split; [apply one_wave_is_patient; lia |]. intros f r H.
    destruct (one_wave_saves_all legal n s d f 1 r) as [-> [_ ->]]; [lia | assumption | assumption | lia]. }
  set (w := Z.to_nat waves) in *. assert (Ew : waves = Z.of_nat w) by lia.
  pose proof (fewest_is_no_sooner legal n s d w Hlegal ltac:(lia) Hd Hfewest) as Hmin.
  assert (Hbest : forall q, allows n s d w q -> (forall p, allows n s d w p -> (p <= q)%nat) ->
    let most := survivors (Z.to_nat (waves - (Z.of_nat q + 1))) n (Z.max 0 (leftover n s d q)) in
    0 < most /\ 0 < Z.of_nat q + 1 /\ exists w, fewest legal d Soldiers w (start n s) /\
      saves patient d (Z.to_nat (Z.of_nat q + 1)) w most (start n s) /\
      forall f r, saves legal d f w r (start n s) ->
        r <= most /\ Z.of_nat f <= Z.of_nat q + 1 /\ (r = most -> Z.of_nat f = Z.of_nat q + 1)).
  { intros q Hq Hlast most. destruct (latest_is_best n s d w q ltac:(lia) Hd Hmin Hq Hlast) as [Hplay Hbest].
    assert (Em : most = saved (w - S q) n (Z.max 0 (leftover n s d q))).
    { unfold most. rewrite survivors_are_saved. f_equal. lia. }
    replace (Z.to_nat (Z.of_nat q + 1)) with (S q) by lia. rewrite Em. split; [| split; [lia |]].
    - apply (saves_by_more patient order) in Hplay; [| now intros ? ? [[] _]].
      now apply (saves_no_more _ _ _ _ _ Hplay).
    - exists w. split; [exact Hfewest |]. split; [exact Hplay |]. intros f r H.
      apply (saves_by_more legal order) in H; [| assumption]. apply Hbest in H as [H1 [H2 H3]].
      split; [exact H1 |]. split; [lia |]. intros H. rewrite (H3 H). lia. }
  assert (Hone : exists q, allows n s d w q).
  { destruct (ends_saves legal d _ _ (proj1 Hfewest)) as [f [r H]].
    apply (saves_by_more legal order) in H; [| assumption].
    apply fall_is_allowed in H as [q [k [_ [Hq [Hw [Hb _]]]]]]; [| lia | lia].
    exists q. split; [exact Hq | now exists k]. }
  destruct (Z.leb_spec n d) as [Hnd | Hnd].
  - right. assert (H1 : allows n s d w 1).
    { destruct Hone as [q Hq]. now rewrite <- (only_wave_two n s d w q ltac:(lia) Hmin Hq). }
    assert (Hlast : forall p, allows n s d w p -> (p <= 1)%nat).
    { intros p Hp. rewrite (only_wave_two n s d w p ltac:(lia) Hmin Hp). lia. }
    specialize (Hbest 1%nat H1 Hlast). replace (Z.of_nat 1 + 1) with 2 in Hbest by lia.
    replace (Z.max 0 (leftover n s d 1)) with (s + d - 2 * n) in Hbest by (unfold leftover; lia). exact Hbest.
  - set (gain := n - d) in *. set (q := Z.max 1 ((s - n - wait_limit n d + gain - 1) / gain)).
    set (x := Z.max 0 (s - n - q * gain)).
    assert (Hq : 1 <= q) by lia. set (m := Z.to_nat q). assert (Em : q = Z.of_nat m) by lia.
    assert (Ex : s - n - q * gain = leftover n s d m) by (unfold leftover, gain; rewrite Em; lia).
    assert (Hlimit : s - n - q * gain <= wait_limit n d).
    { pose proof (Z.mul_succ_div_gt (s - n - wait_limit n d + gain - 1) gain). unfold q. nia. }
    assert (Hstrike : leftover n s d m <= 0 \/ leftover n s d m * leftover n s d m + d * leftover n s d m <= n * d).
    { rewrite <- Ex. destruct (Z.le_gt_cases (s - n - q * gain) 0) as [H | H]; [now left | right].
      apply wait_limit_spec; lia. }
    assert (Hall : exists k, w = (1 + m + k)%nat /\ below n (leftover n s d m) k /\ (k <= enough n)%nat).
    { assert (Ewaves : waves = waves_by_root n s d) by reflexivity. unfold waves_by_root in Ewaves.
      destruct (Z.leb_spec s n), (Z.leb_spec n d); try lia. fold gain in Ewaves. fold q in Ewaves. rewrite Ex in Ewaves.
      destruct (Z.leb_spec (leftover n s d m) 0) as [Hx0 | Hx0].
      - exists 0%nat. split; [lia |]. split; [now apply below_0 | lia].
      - pose proof (cleanup_spec (enough n) n _ Hx0 (conj Hn (enough_halves n Hn))) as H'.
        destruct (cleanup (enough n) n (leftover n s d m)) as [k |] eqn:E; [| lia].
        apply cleanup_is_short in E. exists (Z.to_nat k). split; [lia |]. split; [apply H' | lia]. }
    destruct Hall as [k [Hw [Hb Hk]]].
    assert (Hfirst : exists p j, (if d <? x then (q + 2, 0) else (q + 1, x)) =
      (Z.of_nat p + 1, Z.max 0 (leftover n s d p)) /\ (m <= p)%nat /\ w = (1 + p + j)%nat /\
      below n (leftover n s d p) j /\ (j <= enough n)%nat).
    { destruct (Z.ltb_spec d x) as [Hdx | Hdx].
      - assert (HL : d < leftover n s d m) by (unfold x in Hdx; lia).
        assert (Htwice : 2 * leftover n s d m < n).
        { set (L := leftover n s d m) in *. apply (Z.mul_lt_mono_pos_r d); [lia |].
          assert (d * L < L * L) by (apply Z.mul_lt_mono_pos_r; lia). lia. }
        assert (Hnext : leftover n s d (S m) <= 0) by (rewrite leftover_next; lia).
        assert (Hhalf : below n (leftover n s d m) 1) by (apply below_next, below_0; lia).
        exists (S m), 0%nat. split; [rewrite Z.max_l by lia; f_equal; lia |]. split; [lia |].
        assert (Hk1 : k = 1%nat).
        { apply Hmin in Hhalf; [| lia]. destruct k; [apply below_0 in Hb; lia | lia]. }
        split; [lia |]. split; [now apply below_0 | lia].
      - exists m, k. split; [unfold x; rewrite Ex; f_equal; lia |]. repeat split; try assumption; lia. }
    destruct Hfirst as [p [j [-> [Hmp [Hwp [Hbp Hj]]]]]].
    destruct (put_off_spec (enough n) n s d w p j) as [l [Hl [Hpl [Hall Hstop]]]]; try assumption; [lia | lia |].
    rewrite Ew in *. unfold gain. rewrite Hl. right. apply Hbest; [exact Hall |].
    apply (last_is_latest n s d w m l); try assumption; lia.
Qed.

Example most_survivors_is_right_holds : exists w, saves patient 8 15 w 5 (start 10 43).
Proof.
  pose proof (most_survivors_is_right thrifty 10 43 8 ltac:(auto) eq_refl eq_refl eq_refl) as H.
  replace (most_survivors 10 43 8) with (5, 15) in H by (vm_compute; reflexivity).
  destruct H as [[H _] | [_ [_ [w [_ [Hplay _]]]]]]; [discriminate | now exists w].
Qed.

(** ** In the words of the text *)

Lemma ten_against_forty_three : fewest order 8 Soldiers 16 (start 10 43) /\
  saves patient 8 15 16 5 (start 10 43) /\ forall f r, saves order 8 f 16 r (start 10 43) -> (f <= 15)%nat.
Proof.
  pose proof (min_waves_is_right order 10 43 8 ltac:(auto) eq_refl eq_refl eq_refl) as Hanswer.
  pose proof (most_survivors_is_right order 10 43 8 ltac:(auto) eq_refl eq_refl eq_refl) as H.
  replace (most_survivors 10 43 8) with (5, 15) in H by (vm_compute; reflexivity).
  destruct H as [[H _] | [_ [_ [w [Hfewest [Hplay Hbest]]]]]]; [discriminate |].
  replace w with 16%nat in *.
  - split; [exact Hfewest |]. split; [exact Hplay |]. intros f r Hr. apply Hbest in Hr. lia.
  - apply Nat2Z.inj. apply (answer_is_unique order 8 Soldiers (start 10 43)); [exact Hanswer | right].
    rewrite Nat2Z.id. pose proof (ends_positive _ _ _ _ _ (proj1 Hfewest)). split; [lia | exact Hfewest].
Qed.

(**
   Claim: Of all wins in the fewest waves w, the ones that bring the castle down as late as possible, in wave f, save
     the most soldiers, and no other win saves as many. Let x be the number of defenders left by that fall, s + (f - 1)d
     - fn, or 0 if this is negative, and let k = w - f, which is the smallest k with xF(2k+1) <= nF(2k). Then nF(2k-1) -
     xF(2k) soldiers are saved, or n if k = 0. They are saved on a line without waste on which all defenders are shot
     until the fall. It does not matter whether shots may be wasted.
   Prose: castle-soldiers.md, Theorem 5
   Settles: castle-step-survivors
*)
Theorem latest_fall_saves_most : forall legal n s d f w r, legal = order \/ legal = thrifty ->
  0 < n -> 0 < s -> 0 < d -> fewest legal d Soldiers w (start n s) -> saves legal d f w r (start n s) ->
  (forall g r', saves legal d g w r' (start n s) -> (g <= f)%nat) ->
  let x := Z.max 0 (s + (Z.of_nat f - 1) * d - Z.of_nat f * n) in let k := (w - f)%nat in
  least (below n x) k /\ saves patient d f w (saved k n x) (start n s) /\
  forall g r', saves legal d g w r' (start n s) -> r' <= saved k n x /\ (r' = saved k n x -> g = f).
Proof.
  intros legal n s d f w r Hlegal Hn Hs Hd Hfewest H Hlatest x k.
  assert (Horder : forall now i, legal now i -> order now i)
    by (destruct Hlegal as [-> | ->]; [auto | now intros ? ? []]).
  assert (Hpatient : forall now i, patient now i -> legal now i).
  { destruct Hlegal as [-> | ->]; intros now i [Hi _]; [apply Hi | exact Hi]. }
  destruct (Z.le_gt_cases s n) as [Hsn | Hsn].
  - destruct (one_wave_saves_all legal n s d f w r) as [-> [-> _]]; [lia | assumption | assumption |].
    assert (Ex : x = 0) by (unfold x; change (Z.of_nat 1) with 1; lia). rewrite Ex. unfold k. cbn [Nat.sub saved].
    split; [split; [now apply below_0 | lia] |]. split; [apply one_wave_is_patient; lia |].
    intros g r' Hg. destruct (one_wave_saves_all legal n s d g 1 r') as [-> [_ ->]]; [lia | assumption | assumption |].
    lia.
  - pose proof (fewest_is_no_sooner legal n s d w Hlegal ltac:(lia) Hd Hfewest) as Hmin.
    apply (saves_by_more legal order) in H; [| assumption].
    apply fall_is_allowed in H as [q [j [-> [Hq [Hw [Hb _]]]]]]; [| lia | lia].
    assert (Hall : allows n s d w q) by (split; [exact Hq | now exists j]).
    destruct (latest_allowed n s d w q Hall) as [p [Hp Hlast]].
    destruct (latest_is_best n s d w p ltac:(lia) Hd Hmin Hp Hlast) as [Hplay Hbest].
    assert (E : p = q).
    { apply (saves_by_more patient legal) in Hplay; [| assumption]. apply Hlatest in Hplay. apply Hlast in Hall. lia. }
    subst p. unfold x, k. replace (s + (Z.of_nat (S q) - 1) * d - Z.of_nat (S q) * n) with (leftover n s d q)
      by (unfold leftover; lia).
    split.
    + replace (w - S q)%nat with j by lia. split.
      * destruct (Z.le_gt_cases (leftover n s d q) 0); [| now rewrite Z.max_r by lia].
        rewrite Z.max_l by lia. unfold below. pose proof (fib_even_odd j). nia.
      * intros i Hi. assert (Hbi : below n (leftover n s d q) i).
        { unfold below in *. pose proof (fib_even_odd i). nia. }
        apply Hmin in Hbi; lia.
    + split; [exact Hplay |]. intros g r' Hg. apply (saves_by_more legal order) in Hg; [| assumption].
      apply Hbest in Hg. tauto.
Qed.

Example latest_fall_saves_most_holds : saves patient 8 15 16 (10 * fib 1 - 5 * fib 2) (start 10 43).
Proof.
  destruct ten_against_forty_three as [Hfewest [Hplay Hlatest]].
  apply (latest_fall_saves_most order 10 43 8 15 16 5); try assumption; try reflexivity; [auto |].
  apply (saves_by_more patient order); [now intros ? ? [[] _] | exact Hplay].
Qed.
