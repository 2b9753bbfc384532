(** The hunt: the waves after the fall of the castle. *)

From Coq Require Import ZArith Lia.
From Siegebook Require Import Fibonacci Rules.
Open Scope Z_scope.

(** [hunting n x]: the castle has fallen in a wave that began with [n] soldiers and left [x] defenders. *)
Definition hunting (n x : Z) : state := State (n - x) x 0.

(** The numbers of soldiers and defenders after [k] waves in which all soldiers shoot at defenders. *)
Fixpoint hunt (k : nat) (n x : Z) : Z * Z :=
  match k with
  | O => (n - x, x)
  | S j => let (soldiers, defenders) := hunt j n x in (2 * soldiers - defenders, defenders - soldiers)
  end.

(**
   Claim: After k waves of the hunt, there are nF(2k+1) - xF(2k+2) soldiers and xF(2k+1) - nF(2k) defenders.
   Prose: castle-soldiers.md, Lemma 5; castle-soldiers.md, Theorem 1 (the hunt) in part
   Settles: castle-iii-hunt; castle-step-hunt
*)
Theorem hunt_closed_form : forall k n x,
  hunt k n x = (n * fib (2 * k + 1) - x * fib (2 * S k), x * fib (2 * k + 1) - n * fib (2 * k)).
Proof.
  intros k n x. induction k as [| k IH].
  - cbn. f_equal; lia.
  - cbn [hunt]. rewrite IH, (fib_even_next (S k)), fib_odd_next, fib_even_next. f_equal; ring.
Qed.

Example hunt_closed_form_holds : hunt 3 34 21 = (1, 1).
Proof. exact (hunt_closed_form 3 34 21). Qed.

(** No line of play, with or without waste, hunts faster than the form allows. *)
Lemma hunt_is_not_faster : forall d k n D, ends order d Soldiers (S k) (State n D 0) ->
  D * fib (2 * k + 1) <= n * fib (2 * S k).
Proof.
  intros d k. induction k as [| k IH]; intros n D H;
    inversion H as [? i [Hi Hd] Hw | ? i next w [Hi Hd] Hw Hend]; subst.
  - inversion Hw; unfold left in *; cbn in *. lia.
  - inversion Hend.
  - inversion Hw; subst; unfold left, standing in *; cbn [soldiers defenders hits] in *; [lia |].
    apply IH in Hend. rewrite fib_even_next, fib_odd_next. rewrite fib_even_next in Hend |- *.
    pose proof (fib_even_odd k). nia.
Qed.

(** If all soldiers shoot at the defenders, the hunt is as fast as that. *)
Lemma hunt_is_as_fast : forall d k n D, 0 < n -> 0 < D ->
  D * fib (2 * k + 1) <= n * fib (2 * S k) -> within thrifty d Soldiers (S k) (State n D 0).
Proof.
  intros d k. induction k as [| k IH]; intros n D Hn HD H; destruct (Z.le_gt_cases D n) as [HDn | HDn].
  1, 3: exists 1%nat; (split; [lia |]); apply at_once with (i := D);
    [unfold thrifty, order; cbn; lia | constructor; unfold left, standing; cbn; lia].
  - cbn in H. lia.
  - rewrite (fib_even_next (S k)), fib_odd_next, fib_even_next in H. pose proof (fib_even_odd k).
    destruct (IH (2 * n - D) (D - n)) as [v [Hv Hends]]; [nia | lia | rewrite fib_even_next; nia |].
    exists (S v). split; [lia |].
    apply later with (i := n) (next := State (2 * n - D) (D - n) 0); [unfold thrifty, order; cbn; lia | | exact Hends].
    replace (2 * n - D) with (n - (D - n)) by lia.
    apply (castle_fallen d (State n D 0)); unfold left, standing; cbn; nia.
Qed.

(**
   Claim: If there were n soldiers and x defenders were left when the castle fell, the soldiers win the hunt within k
     waves exactly when xF(2k+1) <= nF(2k), whether or not they may waste shots.
   Prose: castle-soldiers.md, Theorem 1 (the hunt) in part
   Settles: castle-rounding in part; castle-step-length
   Code: cleanup
*)
Theorem hunt_takes : forall legal d k n x, legal = order \/ legal = thrifty -> 0 < x < n ->
  (within legal d Soldiers k (hunting n x) <-> x * fib (2 * k + 1) <= n * fib (2 * k)).
Proof.
  intros legal d k n x Hlegal Hx. unfold hunting. split.
  - intros [v [Hv H]].
    assert (Ho : ends order d Soldiers v (State (n - x) x 0)).
    { destruct Hlegal as [-> | ->]; [exact H | now apply thrifty_is_order]. }
    pose proof (ends_positive _ _ _ _ _ Ho). destruct v as [| v]; [lia |].
    apply hunt_is_not_faster in Ho.
    apply fractions_rise_to with (k := S v); [lia | exact Hv |].
    rewrite fib_odd_next, fib_even_next in *. lia.
  - intros H. destruct k as [| k]. { cbn in H. lia. }
    rewrite fib_odd_next, fib_even_next in H.
    destruct (hunt_is_as_fast d k (n - x) x) as [v [Hv Hends]]; [lia | lia | |].
    { rewrite fib_even_next. lia. }
    exists v. split; [exact Hv |]. destruct Hlegal as [-> | ->]; [now apply thrifty_is_order | exact Hends].
Qed.

Example hunt_takes_holds : within order 8 Soldiers 4 (hunting 34 21).
Proof. apply hunt_takes; [auto | lia | vm_compute; discriminate]. Qed.

(** ** The border *)

Lemma form_positive_below : forall k n x, 0 < x -> x * fib (2 * k + 1) <= n * fib (2 * k) -> 0 < form n x.
Proof.
  induction k as [| k IH]; intros n x Hx H.
  - cbn in H. lia.
  - destruct (Z.le_gt_cases (2 * x) n) as [Hn | Hn]. { unfold form. nia. }
    rewrite <- form_is_invariant. apply IH; [lia |].
    rewrite fib_odd_next, fib_even_next in H. nia.
Qed.

Lemma below_if_form_positive : forall m n x, 0 < n -> 0 < x <= Z.of_nat m -> 0 < form n x ->
  exists k, x * fib (2 * k + 1) <= n * fib (2 * k).
Proof.
  induction m as [| m IH]; intros n x Hn Hx Hform; [lia |].
  destruct (Z.le_gt_cases (2 * x) n) as [H | H]. { exists 1%nat. cbn. lia. }
  assert (x < n) by (unfold form in Hform; nia).
  destruct (IH (n - x) (2 * x - n)) as [k Hk]; [lia | lia | now rewrite form_is_invariant |].
  exists (S k). rewrite fib_odd_next, fib_even_next. nia.
Qed.

(**
   Claim: There is a k with xF(2k+1) <= nF(2k) exactly when n² - nx - x² > 0.
   Prose: castle-soldiers.md, Lemma 7 (convergents) in part
   Settles: castle-step-case-2bcd
*)
Theorem fractions_reach_the_border : forall n x, 0 < n -> 0 < x ->
  ((exists k, x * fib (2 * k + 1) <= n * fib (2 * k)) <-> 0 < form n x).
Proof.
  intros n x Hn Hx. split.
  - intros [k Hk]. now apply (form_positive_below k).
  - intros H. apply (below_if_form_positive (Z.to_nat x)); lia.
Qed.

Example fractions_reach_the_border_holds : exists k, 21 * fib (2 * k + 1) <= 34 * fib (2 * k).
Proof. apply fractions_reach_the_border; [lia | lia | reflexivity]. Qed.

(**
   Claim: If there were n soldiers and x defenders were left when the castle fell, the soldiers win the hunt exactly
     when n² - nx - x² > 0.
   Prose: castle-soldiers.md, Theorem 1 (the hunt) in part
   Settles: castle-step-won
*)
Theorem hunt_is_won : forall d n x, 0 < x < n ->
  ((exists k, ends thrifty d Soldiers k (hunting n x)) <-> 0 < form n x).
Proof.
  intros d n x Hx. rewrite <- fractions_reach_the_border by lia. split.
  - intros [k Hk]. exists k. apply (hunt_takes thrifty d); [auto | lia | now exists k].
  - intros [k Hk]. apply (hunt_takes thrifty d) in Hk; [| auto | lia]. destruct Hk as [v [_ Hv]]. now exists v.
Qed.

Example hunt_is_won_holds : exists k, ends thrifty 8 Soldiers k (hunting 34 21).
Proof. apply hunt_is_won; [lia | reflexivity]. Qed.

Lemma form_not_zero_up_to : forall m n x, 0 < x -> 0 < n <= Z.of_nat m -> form n x <> 0.
Proof.
  induction m as [| m IH]; intros n x Hx Hn H; [lia |].
  assert (x < n < 2 * x) by (unfold form in H; nia).
  apply (IH (n - x) (2 * x - n)); [lia | lia |]. now rewrite form_is_invariant.
Qed.

(**
   Claim: The form is never 0 for positive integers, so there is nothing between the two sides of the border.
   Prose: castle-soldiers.md, Lemma 6 (the form) in part
   Settles: castle-step-won
*)
Theorem form_is_not_zero : forall n x, 0 < n -> 0 < x -> form n x <> 0.
Proof. intros n x Hn Hx. apply (form_not_zero_up_to (Z.to_nat n)); lia. Qed.

Example form_is_not_zero_holds : form 55 34 <> 0.
Proof. apply form_is_not_zero; lia. Qed.
