(** The soldiers' fewest waves as the program computes them, in 64-bit words: nothing overflows. *)

From Coq Require Import ZArith Lia Bool.
From Siegebook Require Import Fibonacci Rules Hunt Soldiers MinWaves.
Open Scope Z_scope.

(** ** Words *)

(** The result of an operation if it is in the range of its type. In that case, the program computes exactly this
    number. [None] stands for an overflow, a conversion that changes the number, an index outside a table, or a loop
    that does not end. *)
Definition int64 (x : Z) : option Z := if (- 2 ^ 63 <=? x) && (x <? 2 ^ 63) then Some x else None.
Definition uint64 (x : Z) : option Z := if (0 <=? x) && (x <? 2 ^ 64) then Some x else None.

Definition with_word {A : Type} (x : option Z) (rest : Z -> option A) : option A :=
  match x with Some w => rest w | None => None end.

(** ** The program *)

(** [phi.Fib]: a table of F(0) to F(93). *)
Definition fib_table (k : Z) : option Z := if (0 <=? k) && (k <=? 93) then uint64 (fib (Z.to_nat k)) else None.

(** [strike]. From k = 46 on, the program uses a different method, which is [None] here, because [MinWaves] never uses
    it. The product of two words has two words, and division by a word is possible if the upper one is smaller. *)
Definition strike64 (n k : Z) : option Z :=
  if 46 <=? k then None else
  with_word (int64 (2 * k)) (fun even_index =>
  with_word (int64 (even_index + 1)) (fun odd_index =>
  with_word (fib_table even_index) (fun even =>
  with_word (fib_table odd_index) (fun odd =>
  with_word (uint64 n) (fun n =>
  if Z.shiftr (Z.lor n even) 32 =? 0 then
    with_word (uint64 (n * even)) (fun product => with_word (uint64 (product / odd)) int64)
  else if n * even / 2 ^ 64 <? odd then with_word (uint64 (n * even / odd)) int64 else None))))).

(** [hunt]: the number of waves after which it is over, and whether the soldiers win. *)
Fixpoint hunt64 (fuel : nat) (waves soldiers defenders : Z) : option (Z * bool) :=
  match fuel with
  | O => None
  | S fuel =>
      with_word (int64 (waves + 1)) (fun waves =>
      with_word (uint64 soldiers) (fun shots =>
      if defenders <=? shots then Some (waves, true) else
      with_word (uint64 (defenders - shots)) (fun defenders =>
      if shots <=? defenders then Some (waves, false) else
      with_word (int64 defenders) (fun dead =>
      with_word (int64 (soldiers - dead)) (fun soldiers => hunt64 fuel waves soldiers defenders)))))
  end.

Definition loops : nat := 64.

(** [cleanup]. *)
Definition cleanup64 (n x : Z) : option (Z * bool) :=
  if x =? 0 then Some (0, true) else
  with_word (uint64 n) (fun all =>
  if all <=? x then Some (0, false) else
  with_word (int64 x) (fun left => with_word (int64 (n - left)) (fun soldiers => hunt64 loops 0 soldiers x))).

(** The loop of [worthHunting]. *)
Fixpoint hunting_pays (fuel : nat) (n gain k limit : Z) : option (Z * Z) :=
  match fuel with
  | O => None
  | S fuel =>
      with_word (int64 (k + 1)) (fun later =>
      with_word (strike64 n later) (fun next =>
      with_word (int64 (next - limit)) (fun more =>
      if more <=? gain then Some (k, limit) else hunting_pays fuel n gain later next)))
  end.

(** [worthHunting]. Division in the program is [Z.quot], which rounds towards 0. *)
Definition worth_hunting64 (n gain : Z) : option (Z * Z) :=
  let first := Z.quot n 2 in
  if first <=? gain then Some (0, 0) else
  if n <? 2 ^ 60 then
    with_word (int64 (3 * n)) (fun thrice =>
    with_word (int64 (Z.quot thrice 5 - first)) (fun more =>
    if more <=? gain then Some (1, first) else hunting_pays loops n gain 1 first))
  else hunting_pays loops n gain 1 first.

(** [minWavesOutnumbered]. *)
Definition outnumbered64 (n s d : Z) : option Z :=
  with_word (int64 (s - n)) (fun rest =>
  if n <=? rest then Some 0 else
  with_word (int64 (d - n)) (fun more =>
  with_word (uint64 rest) (fun rest => with_word (uint64 more) (fun more =>
  with_word (uint64 (rest + more)) (fun x =>
  match cleanup64 n x with
  | Some (k, true) => int64 (2 + k)
  | Some (_, false) => Some 0
  | None => None
  end))))).

(** [MinWaves], for a valid battle. *)
Definition min_waves64 (n s d : Z) : option Z :=
  if s <=? n then Some 1 else
  if n <=? d then outnumbered64 n s d else
  with_word (int64 (n - d)) (fun gain =>
  match worth_hunting64 n gain with
  | None => None
  | Some (hunts, limit) =>
      with_word (int64 (s - n)) (fun rest => with_word (int64 (rest - gain)) (fun excess =>
      if limit <? excess then
        with_word (int64 (2 + hunts)) (fun waves =>
        with_word (int64 (excess - limit)) (fun beyond => with_word (int64 (beyond - 1)) (fun beyond =>
        with_word (uint64 beyond) (fun beyond => with_word (uint64 gain) (fun gain =>
        with_word (int64 (beyond / gain)) (fun stairs =>
        with_word (int64 (waves + stairs)) (fun waves => int64 (waves + 1))))))))
      else if excess <=? 0 then Some 2
      else with_word (uint64 excess) (fun x =>
        match cleanup64 n x with Some (k, _) => int64 (2 + k) | None => None end)))
  end).

(** ** It is [min_waves] *)

Lemma int64_fits : forall x, - 2 ^ 63 <= x < 2 ^ 63 -> int64 x = Some x.
Proof.
  intros x H. unfold int64. destruct (Z.leb_spec (- 2 ^ 63) x), (Z.ltb_spec x (2 ^ 63)); try lia. reflexivity.
Qed.

Lemma uint64_fits : forall x, 0 <= x < 2 ^ 64 -> uint64 x = Some x.
Proof. intros x H. unfold uint64. destruct (Z.leb_spec 0 x), (Z.ltb_spec x (2 ^ 64)); try lia. reflexivity. Qed.

Lemma with_int64 : forall (A : Type) x (rest : Z -> option A), - 2 ^ 63 <= x < 2 ^ 63 ->
  with_word (int64 x) rest = rest x.
Proof. intros A x rest H. now rewrite int64_fits. Qed.

Lemma with_uint64 : forall (A : Type) x (rest : Z -> option A), 0 <= x < 2 ^ 64 -> with_word (uint64 x) rest = rest x.
Proof. intros A x rest H. now rewrite uint64_fits. Qed.

Lemma fib_rises : forall j k, (j <= k)%nat -> fib j <= fib k.
Proof.
  intros j k H. induction H as [| k _ IH]; [lia |]. apply Z.le_trans with (1 := IH).
  destruct k as [| k]; [vm_compute; discriminate |]. rewrite fib_step. pose proof (fib_positive k). lia.
Qed.

Lemma fib_of_table : forall k, 0 <= k <= 93 -> fib_table k = Some (fib (Z.to_nat k)).
Proof.
  intros k Hk. unfold fib_table. destruct (Z.leb_spec 0 k), (Z.leb_spec k 93); try lia. apply uint64_fits.
  pose proof (fib_positive (Z.to_nat k)). assert (H93 : fib 93 < 2 ^ 64) by (vm_compute; reflexivity).
  pose proof (fib_rises (Z.to_nat k) 93 ltac:(lia)). lia.
Qed.

Lemma half_words : forall a b, 0 <= a -> 0 <= b -> Z.shiftr (Z.lor a b) 32 = 0 -> a < 2 ^ 32 /\ b < 2 ^ 32.
Proof.
  intros a b Ha Hb H. rewrite Z.shiftr_lor in H. apply Z.lor_eq_0_iff in H as [H1 H2].
  rewrite Z.shiftr_div_pow2 in H1, H2 by lia.
  pose proof (Z.mul_succ_div_gt a (2 ^ 32) ltac:(lia)). pose proof (Z.mul_succ_div_gt b (2 ^ 32) ltac:(lia)).
  rewrite H1 in *. rewrite H2 in *. lia.
Qed.

Lemma strike_in_words : forall n k, 0 < n < 2 ^ 63 -> (k < 46)%nat -> strike64 n (Z.of_nat k) = Some (strike n k).
Proof.
  intros n k Hn Hk. unfold strike64. destruct (Z.leb_spec 46 (Z.of_nat k)); [lia |].
  rewrite with_int64 by lia. rewrite with_int64 by lia. rewrite !fib_of_table by lia. cbn [with_word].
  replace (Z.to_nat (2 * Z.of_nat k)) with (2 * k)%nat by lia.
  replace (Z.to_nat (2 * Z.of_nat k + 1)) with (2 * k + 1)%nat by lia.
  rewrite with_uint64 by lia. pose proof (fib_even_odd k) as Hfib. pose proof (strike_below n k ltac:(lia)) as Hless.
  assert (H0 : 0 <= strike n k) by (unfold strike; apply Z.div_pos; nia). unfold strike in *.
  set (e := fib (2 * k)) in *. set (o := fib (2 * k + 1)) in *. destruct (Z.eqb_spec (Z.shiftr (Z.lor n e) 32) 0) as
    [H32 | _].
  - apply half_words in H32; [| lia | lia]. rewrite with_uint64 by nia. rewrite with_uint64 by lia.
    apply int64_fits. lia.
  - destruct (Z.ltb_spec (n * e / 2 ^ 64) o) as [_ | Hbad].
    + rewrite with_uint64 by lia. apply int64_fits. lia.
    + exfalso. pose proof (Z.mul_div_le (n * e) (2 ^ 64) ltac:(lia)). nia.
Qed.

Lemma cleanup_by_any_fuel : forall f g n x, 0 < x -> 0 < n -> n < 2 ^ Z.of_nat f -> n < 2 ^ Z.of_nat g ->
  cleanup f n x = cleanup g n x.
Proof.
  induction f as [| f IH]; intros [| g] n x Hx Hn Hf Hg; try reflexivity; [cbn in Hf; lia | cbn in Hg; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hf, Hg by lia. cbn [cleanup].
  destruct (Z.leb_spec n x); [reflexivity |]. destruct (Z.leb_spec (2 * x) n); [reflexivity |].
  rewrite (IH g) by lia. reflexivity.
Qed.

Lemma hunt_in_words : forall fuel w n x, 0 <= w -> w + Z.of_nat fuel < 2 ^ 63 -> 0 < x < n -> n < 2 ^ 63 ->
  n < 2 ^ Z.of_nat fuel ->
  match cleanup fuel n x with
  | Some k => hunt64 fuel w (n - x) x = Some (w + k, true)
  | None => exists v, hunt64 fuel w (n - x) x = Some (v, false)
  end.
Proof.
  induction fuel as [| fuel IH]; intros w n x Hw Hfuel Hx Hn Hsize; [cbn in Hsize; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in * by lia. cbn [cleanup hunt64].
  rewrite with_int64 by lia. rewrite with_uint64 by lia.
  destruct (Z.leb_spec n x); [lia |]. destruct (Z.leb_spec (2 * x) n) as [Hwon | Hmore].
  { destruct (Z.leb_spec x (n - x)); [reflexivity | lia]. }
  destruct (Z.leb_spec x (n - x)); [lia |]. rewrite with_uint64 by lia.
  replace (x - (n - x)) with (2 * x - n) by lia. destruct (Z.leb_spec (n - x) (2 * x - n)) as [Hlost | Hopen].
  { destruct fuel as [| fuel]; cbn [cleanup]; [now exists (w + 1) |].
    destruct (Z.leb_spec (n - x) (2 * x - n)); [now exists (w + 1) | lia]. }
  rewrite with_int64 by lia. rewrite with_int64 by lia.
  specialize (IH (w + 1) (n - x) (2 * x - n) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
  destruct (cleanup fuel (n - x) (2 * x - n)) as [k |]; [rewrite IH; do 2 f_equal; lia | exact IH].
Qed.

Lemma cleanup_lost : forall fuel n x, n <= x -> cleanup fuel n x = None.
Proof. intros [| fuel] n x H; [reflexivity |]. cbn [cleanup]. destruct (Z.leb_spec n x); [reflexivity | lia]. Qed.

Lemma cleanup_in_words : forall n x, 0 < n < 2 ^ 63 -> 0 < x ->
  match cleanup (enough n) n x with
  | Some k => cleanup64 n x = Some (k, true)
  | None => exists v, cleanup64 n x = Some (v, false)
  end.
Proof.
  intros n x Hn Hx. assert (Hloops : n < 2 ^ Z.of_nat loops) by (change (2 ^ Z.of_nat loops) with (2 * 2 ^ 63); lia).
  rewrite (cleanup_by_any_fuel _ loops) by (lia || apply enough_halves; lia).
  unfold cleanup64. destruct (Z.eqb_spec x 0); [lia |]. rewrite with_uint64 by lia.
  destruct (Z.leb_spec n x) as [Hall | Hfew].
  { rewrite cleanup_lost by assumption. now exists 0. }
  rewrite with_int64 by lia. rewrite with_int64 by lia.
  apply (hunt_in_words loops 0 n x); [lia | vm_compute; reflexivity | lia | lia | exact Hloops].
Qed.

(** Waves of hunting that are worth more than one hit come early. *)
Lemma few_pay : forall n g, 0 < n < 2 ^ 63 -> 1 <= g -> (hunts n g <= 31)%nat.
Proof.
  intros n g Hn Hg. destruct (Nat.le_gt_cases (hunts n g) 31) as [| Hmany]; [assumption | exfalso].
  destruct (hunts_spec n g ltac:(lia) Hg) as [Hpays _]. specialize (Hpays 31%nat Hmany).
  assert (H : 1 < strike n 32 - strike n 31) by lia. apply gain_below in H; [| lia].
  pose proof (odd_doubles 31) as H1. pose proof (odd_doubles 32) as H2.
  change (2 ^ Z.of_nat 31) with (2 ^ 31) in H1. change (2 ^ Z.of_nat 32) with (2 ^ 32) in H2.
  set (a := fib (2 * 31 + 1)) in *. set (b := fib (2 * 32 + 1)) in *. assert (2 ^ 31 * 2 ^ 32 <= a * b) by nia. lia.
Qed.

Lemma each_pays : forall n g k, 0 < n -> 1 <= g -> (k <= hunts n g)%nat -> Z.of_nat k <= strike n k.
Proof.
  intros n g k Hn Hg. destruct (hunts_spec n g Hn Hg) as [Hpays _].
  induction k as [| k IH]; intros Hk; [rewrite strike_0; lia |].
  specialize (IH ltac:(lia)). specialize (Hpays k ltac:(lia)). lia.
Qed.

Lemma loop_in_words : forall fuel n g k, 0 < n < 2 ^ 63 -> 1 <= g -> (k <= hunts n g)%nat ->
  (hunts n g - k < fuel)%nat ->
  hunting_pays fuel n g (Z.of_nat k) (strike n k) = Some (Z.of_nat (hunts n g), strike n (hunts n g)).
Proof.
  induction fuel as [| fuel IH]; intros n g k Hn Hg Hk Hfuel; [lia |]. cbn [hunting_pays].
  pose proof (few_pay n g Hn Hg). destruct (hunts_spec n g ltac:(lia) Hg) as [Hpays Hnot].
  rewrite with_int64 by lia. replace (Z.of_nat k + 1) with (Z.of_nat (S k)) by lia.
  rewrite strike_in_words by (lia || lia). cbn [with_word].
  pose proof (strike_below n (S k) ltac:(lia)). pose proof (strike_below n k ltac:(lia)).
  pose proof (each_pays n g k ltac:(lia) Hg Hk). pose proof (strike_rises n k ltac:(lia)).
  rewrite with_int64 by lia. destruct (Z.leb_spec (strike n (S k) - strike n k) g) as [Hstop | Hgo].
  - destruct (Nat.eq_dec k (hunts n g)) as [-> | Hless]; [reflexivity |]. specialize (Hpays k ltac:(lia)). lia.
  - destruct (Nat.eq_dec k (hunts n g)) as [E | Hless]; [specialize (Hnot k ltac:(lia)); lia |]. apply IH; lia.
Qed.

Lemma strike_1 : forall n, strike n 1 = n / 2.
Proof. intros n. unfold strike. change (fib (2 * 1)) with 1. change (fib (2 * 1 + 1)) with 2. now rewrite Z.mul_1_r.
  Qed.

Lemma strike_2 : forall n, strike n 2 = 3 * n / 5.
Proof. intros n. unfold strike. change (fib (2 * 2)) with 3. change (fib (2 * 2 + 1)) with 5. f_equal. lia. Qed.

Lemma hunts_none : forall n g, 0 < n -> 1 <= g -> strike n 1 <= g -> hunts n g = O.
Proof.
  intros n g Hn Hg H. destruct (hunts_spec n g Hn Hg) as [Hpays _]. destruct (hunts n g) as [| h]; [reflexivity |].
  specialize (Hpays O ltac:(lia)). rewrite strike_0 in Hpays. lia.
Qed.

Lemma hunts_some : forall n g, 0 < n -> 1 <= g -> g < strike n 1 -> (1 <= hunts n g)%nat.
Proof.
  intros n g Hn Hg H. destruct (hunts_spec n g Hn Hg) as [_ Hnot]. destruct (hunts n g) as [| h]; [| lia].
  specialize (Hnot O ltac:(lia)). rewrite strike_0 in Hnot. lia.
Qed.

Lemma worth_in_words : forall n g, 0 < n < 2 ^ 63 -> 1 <= g ->
  worth_hunting64 n g = Some (Z.of_nat (hunts n g), strike n (hunts n g)).
Proof.
  intros n g Hn Hg. unfold worth_hunting64. rewrite Z.quot_div_nonneg by lia. rewrite <- strike_1.
  destruct (Z.leb_spec (strike n 1) g) as [Hnone | Hsome].
  { rewrite hunts_none by (lia || assumption). now rewrite strike_0. }
  pose proof (hunts_some n g ltac:(lia) Hg Hsome) as Hone. pose proof (few_pay n g Hn Hg) as Hfew.
  assert (Hloop : hunting_pays loops n g 1 (strike n 1) = Some (Z.of_nat (hunts n g), strike n (hunts n g)))
    by (apply (loop_in_words loops n g 1); [exact Hn | exact Hg | exact Hone | unfold loops; lia]).
  destruct (Z.ltb_spec n (2 ^ 60)) as [Hsmall | Hlarge]; [| exact Hloop].
  rewrite with_int64 by lia. rewrite Z.quot_div_nonneg by lia. rewrite <- strike_2.
  pose proof (strike_below n 2 ltac:(lia)). pose proof (strike_rises n 1 ltac:(lia)).
  pose proof (each_pays n g 1 ltac:(lia) Hg Hone). rewrite with_int64 by lia.
  destruct (Z.leb_spec (strike n 2 - strike n 1) g) as [Hstop | Hgo]; [| exact Hloop].
  assert (E : hunts n g = 1%nat); [| now rewrite E].
  destruct (hunts_spec n g ltac:(lia) Hg) as [Hpays _]. destruct (Nat.le_gt_cases (hunts n g) 1) as [| Hmore]; [lia |].
  specialize (Hpays 1%nat Hmore). lia.
Qed.

(** The longest hunt with 64-bit numbers. *)
Lemma cleanup_takes : forall fuel n x k, cleanup fuel n x = Some k -> 0 < k <= Z.of_nat fuel.
Proof.
  induction fuel as [| fuel IH]; intros n x k H; [discriminate |]. cbn [cleanup] in H.
  destruct (n <=? x); [discriminate |]. destruct (2 * x <=? n); [injection H as <-; lia |].
  destruct (cleanup fuel (n - x) (2 * x - n)) as [j |] eqn:E; [| discriminate]. injection H as <-.
  apply IH in E. lia.
Qed.

Lemma enough_for_words : forall n, 0 < n < 2 ^ 63 -> (enough n <= 64)%nat.
Proof.
  intros n Hn. unfold enough. pose proof (Z.log2_le_mono n (2 ^ 63) ltac:(lia)) as H.
  change (Z.log2 (2 ^ 63)) with 63 in H. pose proof (Z.log2_nonneg n). lia.
Qed.

(**
   Claim: In 64-bit words, step by step as it is written, the program's function returns exactly what the function on
     integers returns, in every battle whose three numbers are positive and less than 2^63: no operation leaves the
     range of its type, no conversion changes a number, no index is outside the table, and each loop ends within 64
     rounds.
   Prose: castle-soldiers.md, 6. The staircase
   Code: Battle.MinWaves
*)
Theorem nothing_overflows : forall n s d, 0 < n < 2 ^ 63 -> 0 < s < 2 ^ 63 -> 0 < d < 2 ^ 63 ->
  min_waves64 n s d = Some (min_waves n s d).
Proof.
  intros n s d Hn Hs Hd. unfold min_waves64, min_waves.
  destruct (Z.leb_spec s n) as [Hsn | Hsn]; [reflexivity |].
  assert (Hshort : forall x k, cleanup (enough n) n x = Some k -> 0 < k <= 64).
  { intros x k H. apply cleanup_takes in H. pose proof (enough_for_words n Hn). lia. }
  destruct (Z.leb_spec n d) as [Hnd | Hnd].
  - unfold outnumbered64. rewrite with_int64 by lia. destruct (Z.leb_spec n (s - n)) as [Hstrong | Hweak].
    + rewrite cleanup_lost by lia. reflexivity.
    + rewrite with_int64 by lia. rewrite with_uint64 by lia. rewrite with_uint64 by lia. rewrite with_uint64 by lia.
      replace (s - n + (d - n)) with (s + d - 2 * n) by lia.
      pose proof (cleanup_in_words n (s + d - 2 * n) Hn ltac:(lia)) as H.
      destruct (cleanup (enough n) n (s + d - 2 * n)) as [k |] eqn:E.
      * rewrite H. pose proof (Hshort _ _ E). apply int64_fits. lia.
      * destruct H as [v ->]. reflexivity.
  - rewrite with_int64 by lia. rewrite worth_in_words by lia. set (g := n - d) in *. set (h := hunts n g) in *.
    pose proof (each_pays n g h ltac:(lia) ltac:(lia) ltac:(lia)) as Hh. pose proof (strike_below n h ltac:(lia)).
    pose proof (few_pay n g Hn ltac:(lia)) as Hfew. fold h in Hfew.
    rewrite with_int64 by lia. rewrite with_int64 by lia. set (e := s - n - g) in *.
    destruct (Z.ltb_spec (strike n h) e) as [Hlong | Hhunt].
    + assert (Hq : 0 <= (e - strike n h - 1) / g <= e - strike n h - 1).
      { assert (H0 : 0 <= (e - strike n h - 1) / g) by (apply Z.div_pos; lia). split; [exact H0 |].
        apply Z.le_trans with (g * ((e - strike n h - 1) / g)); [| apply Z.mul_div_le; lia].
        rewrite <- (Z.mul_1_l ((e - strike n h - 1) / g)) at 1. apply Z.mul_le_mono_nonneg_r; lia. }
      rewrite with_int64 by lia. rewrite with_int64 by lia. rewrite with_int64 by lia. rewrite with_uint64 by lia.
      rewrite with_uint64 by lia. rewrite with_int64 by lia. rewrite with_int64 by lia. rewrite int64_fits by lia.
      f_equal. lia.
    + destruct (Z.leb_spec e 0) as [He | He]; [reflexivity |]. rewrite with_uint64 by lia.
      pose proof (cleanup_in_words n e Hn He) as H'.
      pose proof (cleanup_spec (enough n) n e He (conj (proj1 Hn) (enough_halves n (proj1 Hn)))) as Hspec.
      destruct (cleanup (enough n) n e) as [k |] eqn:E.
      * rewrite H'. pose proof (Hshort _ _ E). apply int64_fits. lia.
      * exfalso. apply (Hspec h). now apply strike_spec.
Qed.

Example nothing_overflows_holds : min_waves64 (2 ^ 63 - 1) (2 ^ 63 - 1) (2 ^ 62) = Some 1.
Proof. exact (nothing_overflows (2 ^ 63 - 1) (2 ^ 63 - 1) (2 ^ 62) ltac:(lia) ltac:(lia) ltac:(lia)). Qed.
