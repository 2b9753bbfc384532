(** Soldiers who shoot at defenders only, against more defenders a wave than they are. *)

From Coq Require Import ZArith Lia List Bool.
From Siegebook Require Import Fibonacci Rules.
Open Scope Z_scope.

(** The state at the start of wave j + 2: n soldiers have shot at defenders only since wave 2; the castle has C hits. *)
Definition held_out (n d C : Z) (j : nat) : state :=
  State (n - (d - n) * (fib (2 * j + 1) - 1)) ((d - n) * fib (2 * j) + d) C.

(**
   Claim: For d > n, if all soldiers shoot at defenders in each wave from wave 2 on, wave t leaves (d - n)F(2t-2)
     defenders, and (d - n)(F(2t-1) - 1) soldiers are dead after it, as long as anybody lives; then the castle wins. It
     keeps its hits.
   Prose: castle-side.md, Lemma 6 (defenders first)
*)
Theorem defenders_first_loses : forall n d C j, 0 < n < d -> 0 < C ->
  0 < soldiers (held_out n d C j) ->
  wave d (held_out n d C j) (soldiers (held_out n d C j))
    (if n <=? (d - n) * (fib (2 * S j + 1) - 1) then Won Castle else Next (held_out n d C (S j))).
Proof.
  intros n d C j Hn HC HN. unfold held_out in *. cbn [soldiers defenders hits] in *.
  pose proof (fib_even_next j) as He. pose proof (fib_odd_next j) as Ho. pose proof (fib_even_odd j) as [Hpos Hpos1].
  set (a := fib (2 * j)) in *. set (b := fib (2 * j + 1)) in *. rewrite Ho, He. set (e := d - n) in *.
  set (N := n - e * (b - 1)) in *.
  assert (Hleft : left (State N (e * a + d) C) N = e * (a + b))
    by (unfold left, N, e; cbn [soldiers defenders hits]; ring).
  assert (Hstands : standing (State N (e * a + d) C) N = C) by (unfold standing; cbn [soldiers defenders hits]; lia).
  assert (HNext : N - e * (a + b) = n - e * (a + 2 * b - 1)) by (unfold N; ring).
  destruct (Z.leb_spec n (e * (a + 2 * b - 1))) as [Hlost | Hlives].
  - apply soldiers_gone; rewrite Hleft; cbn [soldiers]; [rewrite Hstands; lia | lia].
  - replace (State (n - e * (a + 2 * b - 1)) (e * (a + b) + d) C) with
      (State (soldiers (State N (e * a + d) C) - left (State N (e * a + d) C) N)
        (left (State N (e * a + d) C) N + d) (standing (State N (e * a + d) C) N))
      by (rewrite Hleft, Hstands; cbn [soldiers]; now rewrite HNext).
    apply castle_stands; [rewrite Hleft; cbn [soldiers]; lia | rewrite Hstands; lia].
Qed.

Example defenders_first_loses_holds : wave 12 (State 8 14 5) 8 (Next (State 2 18 5)).
Proof. apply (defenders_first_loses 10 12 5 1); [lia | lia | reflexivity]. Qed.
