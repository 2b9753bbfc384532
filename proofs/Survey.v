(** The checksum of a survey over the fewest waves that Coq itself computes, for comparison with the program's
    checksum. *)

From Coq Require Import ZArith List.
From Siegebook Require Import Rules MinWaves.
Open Scope Z_scope.

(** 64-bit numbers: the remainder of a nonnegative number after division by 2^64. *)
Definition word (x : Z) : Z := Z.land x (Z.ones 64).

Definition odd_number : Z := 0x9e3779b97f4a7c15. (* 2^64/φ *)

Definition stir (x : Z) : Z := let y := word (x * odd_number) in word (y + Z.shiftr y 32).
Definition mix (x : Z) : Z := stir (stir x).

(** The contribution of a battle whose fewest waves are [w]. [row] is what all battles with n soldiers and d defenders
    have in common. *)
Definition row (n d : Z) : Z := mix (word (mix n + d)).
Definition share (row s w : Z) : Z := word ((w + 1) * (2 * mix (word (row + s)) + 1)).

Definition sum (f : Z -> Z) (a b : Z) : Z := fold_left (fun total i => total + f i) (range a b) 0.

(** The checksum over the battles with 1 to n soldiers, 1 to s hits and 1 to d defenders. *)
Definition checksum (waves : Z -> Z -> Z -> Z) (n s d : Z) : Z :=
  word (sum (fun i => sum (fun k => let row := row i k in sum (fun j => share row j (waves i j k)) 1 s) 1 d) 1 n).
