(** The soldiers' fewest waves from any state of a battle. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Fibonacci Rules General Hunt Soldiers MinWaves.
Open Scope Z_scope.

(** ** The function *)

(** The earlier of two waves: [best], and the wave that comes [more] - 1 waves after [wave]. 0 means never. *)
Definition earlier (best wave more : Z) : Z :=
  if more =? 0 then best
  else if (best =? 0) || (wave + more - 1 <? best) then wave + more - 1 else best.

(** No soldier is in danger: either there are no defenders yet, or there are only the fresh ones, and fewer of them than
    soldiers. *)
Definition steady_from (d : Z) (now : state) : Z :=
  if defenders now =? 0 then min_waves (soldiers now) (hits now) d
  else if hits now <=? soldiers now - defenders now then 1
  else min_waves (soldiers now) (hits now + soldiers now) d - 1.

(** The state after a wave in which as many defenders as possible are shot. *)
Definition patiently (d : Z) (now : state) : state :=
  let left := Z.max 0 (defenders now - soldiers now) in
  State (soldiers now - left) (left + d) (hits now - (soldiers now - (defenders now - left))).

(** Considers the falls in wave [wave], which begins with [now], and in later waves. [best] is the fewest waves so far,
    or 0. [None] means that there was not enough fuel. *)
Fixpoint best_fall (fuel : nat) (d wave best : Z) (now : state) : option Z :=
  match fuel with
  | O => None
  | S fuel =>
      let S0 := soldiers now in
      let x := defenders now + hits now - S0 in
      if (0 <? best) && (best <=? wave) then Some best
      else if (defenders now =? 0) || (defenders now =? d) && (d <? S0)
      then Some (earlier best wave (steady_from d now))
      else if (hits now <=? S0) && (x <=? 0) then Some wave
      else
        let struck :=
          if hits now <=? S0
          then match cleanup (enough S0) S0 x with Some k => earlier best wave (k + 1) | None => best end
          else best in
        if (S0 <=? defenders now - S0) || (defenders now =? d) && (d =? S0) then Some struck
        else best_fall fuel d (wave + 1) struck (patiently d now)
  end.

Definition soldiers_from (fuel : nat) (d : Z) (now : state) : option Z :=
  if hits now =? 0 then
    match cleanup (enough (soldiers now + defenders now)) (soldiers now + defenders now) (defenders now) with
    | Some k => Some k
    | None => Some 0
    end
  else best_fall fuel d 1 0 now.

(** ** It is correct *)

Lemma patient_from_any_state : forall legal d t w now, legal = order \/ legal = thrifty -> 0 < d ->
  0 < soldiers now -> 0 <= defenders now -> 0 < hits now ->
  (within legal d Soldiers w now <-> patient_wins 1 1 (fun _ => d) w t now = true).
Proof.
  intros legal d t w now Hlegal Hd HS HD HC. destruct Hlegal as [-> | ->].
  - rewrite <- (patient_from_any aims) by (auto; lia).
    split; intros [v [Hv H]]; exists v; (split; [exact Hv |]); now apply (game_is_a_siege d Soldiers t).
  - rewrite <- (patient_from_any aims_thriftily) by (auto; lia).
    split; intros [v [Hv H]]; exists v; (split; [exact Hv |]); now apply (game_is_a_siege d Soldiers t).
Qed.

Lemma hunt_within : forall legal d u N D, legal = order \/ legal = thrifty -> 0 < N -> 0 < D ->
  (within legal d Soldiers u (State N D 0) <-> below (N + D) D u).
Proof.
  intros legal d u N D Hlegal HN HD. replace (State N D 0) with (hunting (N + D) D) by (unfold hunting; f_equal; lia).
  apply hunt_takes; [exact Hlegal | lia].
Qed.

(** Either the castle falls now, or a wave in which as many defenders as possible are shot comes first. *)
Lemma fall_or_wait : forall legal d u now, legal = order \/ legal = thrifty -> 0 < d ->
  0 < soldiers now -> 0 <= defenders now -> 0 < hits now ->
  (within legal d Soldiers (S u) now <->
   hits now <= soldiers now /\ below (soldiers now) (defenders now + hits now - soldiers now) u \/
   defenders now - soldiers now < soldiers now /\ 0 < hits (patiently d now) /\
   within legal d Soldiers u (patiently d now)).
Proof.
  intros legal d u [N D C] Hlegal Hd HN HD HC. rewrite (patient_from_any_state legal d 1) by assumption.
  cbn [soldiers defenders hits] in *. cbn [patient_wins]. unfold struck. cbn [soldiers defenders hits].
  replace (N - 1 * (D - Z.min (1 * N) D)) with (N - Z.max 0 (D - N)) by lia.
  replace (D - Z.min (1 * N) D) with (Z.max 0 (D - N)) by lia.
  replace (C - (1 * N - Z.min (1 * N) D)) with (C - (N - (D - Z.max 0 (D - N)))) by lia.
  set (next := State (N - Z.max 0 (D - N)) (Z.max 0 (D - N) + d) (C - (N - (D - Z.max 0 (D - N))))).
  change (patiently d (State N D C)) with next. rewrite Z.mul_1_l.
  assert (Hnext : D - N < N -> 0 < hits next ->
    (within legal d Soldiers u next <-> patient_wins 1 1 (fun _ => d) u 2 next = true)).
  { intros H1 H2. apply patient_from_any_state; try assumption; unfold next; cbn [soldiers defenders]; lia. }
  set (x := D + C - N).
  assert (Hfall : (x <=? 0) || (1 * x <? N) && hunted 1 1 u (N - 1 * x) x = true <-> below N x u).
  { rewrite !Z.mul_1_l. destruct (Z.leb_spec x 0) as [Hx | Hx]; cbn [orb].
    - split; [intros _ | reflexivity]. unfold below. pose proof (fib_even_odd u). nia.
    - destruct (Z.ltb_spec x N) as [HxN | HxN]; cbn [andb].
      + rewrite <- (hunt_takes order d u N x) by (auto; lia). unfold hunting. split.
        * intros H. apply (hunted_is_play 1 1 (fun _ => d) u 1) in H as [v [Hv H]]; try lia. exists v.
          split; [exact Hv |]. apply game_is_a_siege in H. now apply thrifty_is_order.
        * intros [v [Hv H]]. apply (hunted_later 1 1 u v); [exact Hv |].
          apply (hunted_if_won 1 1 (fun _ => d) v 1 (N - x) x); try lia. now apply game_is_a_siege.
      + split; [discriminate |]. intros H. apply strike_spec in H. pose proof (strike_below N u HN). lia. }
  rewrite orb_true_iff, !andb_true_iff, Z.leb_le, Hfall, !Z.ltb_lt. rewrite Z.mul_1_l.
  split; (intros [H | H]; [left; exact H | right]).
  - destruct H as [[H1 H2] H3]. assert (H1' : D - N < N) by lia. assert (H2' : 0 < hits next) by exact H2.
    split; [exact H1' |]. split; [exact H2' |]. now apply Hnext.
  - destruct H as [H1 [H2 H3]]. split; [split; [lia | exact H2] |]. now apply Hnext.
Qed.

Lemma answer_within : forall legal d now a u, answer legal d Soldiers now a ->
  (within legal d Soldiers u now <-> 0 < a <= Z.of_nat u).
Proof.
  intros legal d now a u [[-> H] | [Ha [Hends Hleast]]]; split.
  - intros [v [_ Hv]]. now apply H in Hv.
  - lia.
  - intros [v [Hv H]]. apply Hleast in H. lia.
  - intros Hu. exists (Z.to_nat a). split; [lia | exact Hends].
Qed.

Lemma steady_is_right : forall d u now, 0 < d -> 0 < soldiers now -> 0 < hits now ->
  defenders now = 0 \/ defenders now = d /\ d < soldiers now ->
  0 <= steady_from d now /\ (within thrifty d Soldiers u now <-> 0 < steady_from d now <= Z.of_nat u).
Proof.
  intros d u [N D C] Hd HN HC Hsteady. cbn [soldiers defenders hits] in *. unfold steady_from.
  cbn [soldiers defenders hits]. destruct (Z.eqb_spec D 0) as [-> | HD].
  { pose proof (min_waves_is_right thrifty N C d ltac:(auto) HN HC Hd) as H. split; [destruct H; lia |].
    now apply answer_within. }
  destruct Hsteady as [H | [-> Hdn]]; [contradiction |].
  destruct (Z.leb_spec C (N - d)) as [Hnow | Hlater].
  - split; [lia |]. destruct u as [| u].
    + split; [| lia]. intros [v [Hv H]]. apply ends_positive in H. lia.
    + rewrite fall_or_wait by (auto; cbn; lia). cbn [soldiers defenders hits]. split; [lia |]. intros _. left.
      split; [lia |]. unfold below. pose proof (fib_even_odd u). nia.
  - pose proof (min_waves_is_right thrifty N (C + N) d ltac:(auto) HN ltac:(lia) Hd) as H.
    assert (H2 : 2 <= min_waves N (C + N) d).
    { destruct (Z.le_gt_cases (min_waves N (C + N) d) 1) as [H1 | H1]; [exfalso | lia].
      destruct H as [[_ H] | [_ [H _]]].
      - destruct (proj2 (who_wins thrifty N (C + N) d ltac:(auto) HN ltac:(lia) Hd) ltac:(lia)) as [w Hw].
        now apply H in Hw.
      - apply first_wave in H as [v [E H]]; [| now intros i [Hi _] | lia | lia]. apply ends_positive in H. lia. }
    split; [lia |]. transitivity (within thrifty d Soldiers (S u) (start N (C + N))).
    + split; intros [v [Hv Hends]].
      * apply after_first_wave; [lia | lia |]. exists v. replace (C + N - N) with C by lia. now split.
      * apply first_wave in Hends as [w [-> Hends]]; [| now intros i [Hi _] | lia | lia].
        exists w. replace (C + N - N) with C in Hends by lia. split; [lia | exact Hends].
    + rewrite (answer_within _ _ _ _ _ H). lia.
Qed.

Lemma earlier_spec : forall best wave more w, 0 <= best -> 1 <= wave -> 0 <= more ->
  0 <= earlier best wave more /\
  (0 < earlier best wave more <= w <-> 0 < best <= w \/ 0 < more /\ wave + more - 1 <= w).
Proof.
  intros best wave more w Hbest Hwave Hmore. unfold earlier.
  destruct (Z.eqb_spec more 0), (Z.eqb_spec best 0), (Z.ltb_spec (wave + more - 1) best); cbn [orb]; lia.
Qed.

(** [by_then best wave now w]: a win in [w] waves is known, or is still possible. [now] begins wave [wave]. *)
Definition by_then (d best wave : Z) (now : state) (w : nat) : Prop :=
  0 < best <= Z.of_nat w \/ exists u, Z.of_nat w = wave - 1 + Z.of_nat u /\ within thrifty d Soldiers u now.

Lemma same_state_again : forall d now u, 0 < d -> 0 < soldiers now -> 0 < hits now -> defenders now = d ->
  d = soldiers now -> within thrifty d Soldiers (S u) now ->
  hits now <= soldiers now /\ below (soldiers now) (defenders now + hits now - soldiers now) u.
Proof.
  intros d now u Hd HN HC HD Hdn. revert HC. induction u as [| u IH]; intros HC H;
    apply fall_or_wait in H; try (auto; lia); destruct H as [H | [_ [_ H]]]; try exact H.
  - destruct H as [v [Hv H]]. apply ends_positive in H. lia.
  - replace (patiently d now) with now in H
      by (destruct now as [N D C]; unfold patiently; cbn [soldiers defenders hits] in *; f_equal; lia).
    destruct (IH HC H) as [H1 H2]. split; [exact H1 |].
    unfold below in *. apply fractions_rise_to with (k := u); [lia | lia | exact H2].
Qed.

Lemma best_fall_spec : forall fuel d wave best now r w, 0 < d -> 1 <= wave -> 0 <= best ->
  0 < soldiers now -> 0 <= defenders now -> 0 < hits now ->
  best_fall fuel d wave best now = Some r -> 0 <= r /\ (0 < r <= Z.of_nat w <-> by_then d best wave now w).
Proof.
  induction fuel as [| fuel IH]; intros d wave best now r w Hd Hwave Hbest HN HD HC H; [discriminate |].
  assert (Hlate : forall u, within thrifty d Soldiers u now -> exists v, u = S v).
  { intros u [v [Hv Hends]]. apply ends_positive in Hends. exists (u - 1)%nat. lia. }
  assert (Hfow : forall u, within thrifty d Soldiers (S u) now <->
    hits now <= soldiers now /\ below (soldiers now) (defenders now + hits now - soldiers now) u \/
    defenders now - soldiers now < soldiers now /\ 0 < hits (patiently d now) /\
    within thrifty d Soldiers u (patiently d now)) by (intros u; apply fall_or_wait; auto).
  cbn [best_fall] in H. set (N := soldiers now) in *. set (x := defenders now + hits now - N) in *.
  destruct ((0 <? best) && (best <=? wave)) eqn:Hstop.
  { apply andb_true_iff in Hstop as [Hb Hbw]. apply Z.ltb_lt in Hb. apply Z.leb_le in Hbw. injection H as <-.
    split; [lia |]. unfold by_then. split; [now left |]. intros [H | [u [Hu H]]]; [exact H |].
    apply Hlate in H as [v ->]. lia. }
  assert (Hopen : best = 0 \/ wave < best).
  { apply andb_false_iff in Hstop as [Hs | Hs]; [apply Z.ltb_ge in Hs | apply Z.leb_gt in Hs]; lia. }
  clear Hstop. destruct ((defenders now =? 0) || (defenders now =? d) && (d <? N)) eqn:Hsteady.
  { injection H as <-. assert (Hst : defenders now = 0 \/ defenders now = d /\ d < soldiers now).
    { apply orb_true_iff in Hsteady as [Hs | Hs]; [left; now apply Z.eqb_eq | right].
      apply andb_true_iff in Hs as [Hs1 Hs2]. apply Z.eqb_eq in Hs1. apply Z.ltb_lt in Hs2. now split. }
    destruct (steady_is_right d 0 now Hd HN HC Hst) as [Hst0 _].
    destruct (earlier_spec best wave (steady_from d now) (Z.of_nat w) Hbest Hwave Hst0) as [He1 He2].
    split; [exact He1 |]. rewrite He2. unfold by_then. split.
    - intros [H | [H1 H2]]; [now left | right]. exists (Z.to_nat (Z.of_nat w - wave + 1)). split; [lia |].
      apply (steady_is_right d _ now Hd HN HC Hst). lia.
    - intros [H | [u [Hu H]]]; [now left | right]. apply (steady_is_right d u now Hd HN HC Hst) in H. lia. }
  clear Hsteady. destruct ((hits now <=? N) && (x <=? 0)) eqn:Hnow.
  { apply andb_true_iff in Hnow as [H1 H2]. apply Z.leb_le in H1, H2. injection H as <-. split; [lia |].
    unfold by_then. split.
    - intros Hw. right. exists (S (Z.to_nat (Z.of_nat w - wave))). split; [lia |]. apply Hfow. left.
      split; [exact H1 |]. unfold below. pose proof (fib_even_odd (Z.to_nat (Z.of_nat w - wave))). nia.
    - intros [H | [u [Hu H]]]; [lia |]. apply Hlate in H as [v ->]. lia. }
  assert (Hx : 0 < x).
  { apply andb_false_iff in Hnow as [Hs | Hs]; apply Z.leb_gt in Hs; unfold x in *; lia. }
  clear Hnow. set (struck := if hits now <=? N
    then match cleanup (enough N) N x with Some k => earlier best wave (k + 1) | None => best end else best) in H.
  assert (Hstruck : 0 <= struck /\ forall v : nat, 0 < struck <= Z.of_nat v <->
    0 < best <= Z.of_nat v \/ hits now <= N /\ exists u, Z.of_nat v = wave + Z.of_nat u /\ below N x u).
  { unfold struck. destruct (Z.leb_spec (hits now) N) as [Hh | Hh]; [| split; [exact Hbest | intros v; lia]].
    pose proof (cleanup_spec (enough N) N x Hx (conj HN (enough_halves N HN))) as Hk.
    destruct (cleanup (enough N) N x) as [k |].
    - destruct Hk as [Hk [Hbelow Hleast]]. split; [apply (earlier_spec best wave (k + 1) 0); lia |]. intros v.
      destruct (earlier_spec best wave (k + 1) (Z.of_nat v)) as [_ He]; [lia .. |]. rewrite He. split.
      + intros [H' | H']; [now left | right]. split; [exact Hh |]. exists (Z.to_nat (Z.of_nat v - wave)).
        split; [lia |]. unfold below in *. apply fractions_rise_to with (k := Z.to_nat k); [lia | lia | exact Hbelow].
      + intros [H' | [_ [u [Hu H']]]]; [now left | right]. apply Hleast in H'. lia.
    - split; [exact Hbest |]. intros v. split; [now left |]. intros [H' | [_ [u [_ H']]]]; [exact H' |].
      now apply Hk in H'. }
  clearbody struck. destruct Hstruck as [Hs0 Hstruck].
  destruct ((N <=? defenders now - N) || (defenders now =? d) && (d =? N)) eqn:Hend.
  - injection H as <-. split; [exact Hs0 |]. rewrite Hstruck. unfold by_then. split.
    + intros [H | [Hh [u [Hu H]]]]; [now left | right]. exists (S u). split; [lia |]. apply Hfow. now left.
    + intros [H | [u [Hu H]]]; [now left | right]. apply Hlate in H as Hv. destruct Hv as [v ->].
      assert (Hfall : hits now <= N /\ below N x v).
      { apply orb_true_iff in Hend as [Hs | Hs].
        - apply Z.leb_le in Hs. apply Hfow in H as [H | [H _]]; [exact H | lia].
        - apply andb_true_iff in Hs as [Hs1 Hs2]. apply Z.eqb_eq in Hs1, Hs2.
          now apply (same_state_again d now v). }
      split; [apply Hfall |]. exists v. split; [lia | apply Hfall].
  - apply orb_false_iff in Hend as [Hmore Htie]. apply Z.leb_gt in Hmore.
    assert (Hstands : 0 < hits (patiently d now)) by (unfold patiently; cbn [hits]; unfold x, N in *; lia).
    apply (IH d (wave + 1) struck (patiently d now) r w) in H;
      [| lia | lia | lia | unfold patiently, N in *; cbn [soldiers]; lia |
       unfold patiently; cbn [defenders]; lia | exact Hstands].
    destruct H as [Hr H]. split; [exact Hr |]. rewrite H. unfold by_then. rewrite Hstruck. split.
    + intros [[H' | [Hh [u [Hu H']]]] | [u [Hu H']]]; [now left | right | right].
      * exists (S u). split; [lia |]. apply Hfow. now left.
      * exists (S u). split; [lia |]. apply Hfow. right. split; [lia |]. now split.
    + intros [H' | [u [Hu H']]]; [left; now left |]. apply Hlate in H' as Hv. destruct Hv as [v ->].
      apply Hfow in H' as [[Hh H'] | [_ [_ H']]].
      * left. right. split; [exact Hh |]. exists v. split; [lia | exact H'].
      * right. exists v. split; [lia | exact H'].
Qed.

Lemma any_legal : forall legal d w now, legal = order \/ legal = thrifty -> 0 < d -> playable now ->
  (within legal d Soldiers w now <-> within thrifty d Soldiers w now).
Proof.
  intros legal d w [N D C] Hlegal Hd [HN [HD [HC Hsome]]]. cbn [soldiers defenders hits] in *.
  destruct (Z.eq_dec C 0) as [-> | HC0].
  - rewrite (hunt_within legal), (hunt_within thrifty) by (auto; lia). reflexivity.
  - rewrite (patient_from_any_state legal d 1), (patient_from_any_state thrifty d 1) by (auto; cbn; lia). reflexivity.
Qed.

Lemma by_waves_answer : forall legal d now r, 0 <= r ->
  (forall w : nat, 0 < r <= Z.of_nat w <-> within legal d Soldiers w now) -> answer legal d Soldiers now r.
Proof.
  intros legal d now r Hr H. destruct (Z.eq_dec r 0) as [-> | Hr0].
  - left. split; [reflexivity |]. intros w Hw. assert (Hin : within legal d Soldiers w now) by now exists w.
    apply H in Hin. lia.
  - right. split; [lia |]. destruct (proj1 (H (Z.to_nat r)) ltac:(lia)) as [v [Hv Hends]].
    assert (Hleast : forall u, ends legal d Soldiers u now -> (Z.to_nat r <= u)%nat).
    { intros u Hu. assert (Hin : within legal d Soldiers u now) by now exists u. apply H in Hin. lia. }
    pose proof (Hleast v Hends). replace v with (Z.to_nat r) in Hends by lia. now split.
Qed.

(** Fuel for two waves per soldier is enough. *)
Lemma best_fall_ends : forall fuel d wave best now, 0 < d -> 0 < soldiers now ->
  2 * soldiers now + 2 <= Z.of_nat fuel \/
  soldiers now < defenders now /\ 2 * soldiers now + 1 <= Z.of_nat fuel \/
  defenders now = d /\ d <= soldiers now /\ 1 <= Z.of_nat fuel ->
  best_fall fuel d wave best now <> None.
Proof.
  induction fuel as [| fuel IH]; intros d wave best now Hd HN Hfuel; [lia |]. cbn [best_fall].
  destruct ((0 <? best) && (best <=? wave)); [discriminate |].
  destruct ((defenders now =? 0) || (defenders now =? d) && (d <? soldiers now)) eqn:Hsteady; [discriminate |].
  destruct ((hits now <=? soldiers now) && (defenders now + hits now - soldiers now <=? 0)); [discriminate |].
  destruct ((soldiers now <=? defenders now - soldiers now) || (defenders now =? d) && (d =? soldiers now)) eqn:Hend;
    [discriminate |].
  apply orb_false_iff in Hend as [Hmore Htie], Hsteady as [_ Hsteady]. apply Z.leb_gt in Hmore.
  apply andb_false_iff in Htie, Hsteady. rewrite Z.eqb_neq, Z.ltb_ge in Hsteady. rewrite !Z.eqb_neq in Htie.
  rewrite Nat2Z.inj_succ in Hfuel. apply IH; unfold patiently; cbn [soldiers defenders]; lia.
Qed.

(**
   Claim: From any state of play, the program's function returns the fewest waves in which the soldiers can win from
     there, or 0 exactly when they cannot win, whether or not shots may be wasted. It terminates if it may consider two
     waves for each soldier, and two more.
   Prose: castle-soldiers.md, 10. From any state
   Code: Battle.SoldiersFrom
*)
Theorem soldiers_from_is_right : forall legal fuel d now, legal = order \/ legal = thrifty -> 0 < d -> playable now ->
  (2 * soldiers now + 2 <= Z.of_nat fuel -> soldiers_from fuel d now <> None) /\
  forall w, soldiers_from fuel d now = Some w -> answer legal d Soldiers now w.
Proof.
  intros legal fuel d now Hlegal Hd Hplay. pose proof Hplay as [HN [HD [HC Hsome]]]. split.
  { intros Hfuel. unfold soldiers_from. destruct (hits now =? 0).
    - destruct (cleanup (enough (soldiers now + defenders now)) (soldiers now + defenders now) (defenders now));
        discriminate.
    - apply best_fall_ends; [exact Hd | exact HN | now left]. }
  intros w H.
  enough (G : 0 <= w /\ forall u : nat, 0 < w <= Z.of_nat u <-> within thrifty d Soldiers u now).
  { destruct G as [Hw G]. apply by_waves_answer; [exact Hw |]. intros u. rewrite (any_legal legal) by assumption.
    apply G. }
  unfold soldiers_from in H. destruct (Z.eqb_spec (hits now) 0) as [E | E].
  - destruct now as [N D C]. cbn [soldiers defenders hits] in *. subst C.
    pose proof (cleanup_spec (enough (N + D)) (N + D) D ltac:(lia) (conj (ltac:(lia) : 0 < N + D)
      (enough_halves (N + D) ltac:(lia)))) as Hk.
    destruct (cleanup (enough (N + D)) (N + D) D) as [k |]; injection H as <-.
    + destruct Hk as [Hk [Hbelow Hleast]]. split; [lia |]. intros u.
      rewrite (hunt_within thrifty) by (auto; lia). split.
      * intros Hu. unfold below in *. apply fractions_rise_to with (k := Z.to_nat k); [lia | lia | exact Hbelow].
      * intros Hu. apply Hleast in Hu. lia.
    + split; [lia |]. intros u. rewrite (hunt_within thrifty) by (auto; lia). split; [lia |]. intros Hu.
      now apply Hk in Hu.
  - destruct (best_fall_spec fuel d 1 0 now w 0 Hd) as [Hw _]; try assumption; try lia. split; [exact Hw |].
    intros u. destruct (best_fall_spec fuel d 1 0 now w u Hd) as [_ G]; try assumption; try lia. rewrite G.
    unfold by_then. split.
    + intros [Hb | [v [Hv Hin]]]; [lia |]. now replace u with v by lia.
    + intros Hin. right. exists u. split; [lia | exact Hin].
Qed.

Example soldiers_from_is_right_holds : answer order 8 Soldiers (State 20 22 17) 3.
Proof.
  destruct (soldiers_from_is_right order 9 8 (State 20 22 17)) as [_ H]; [auto | lia | unfold playable; cbn; lia |].
  apply H. vm_compute. reflexivity.
Qed.
