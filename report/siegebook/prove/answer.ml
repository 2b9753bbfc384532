(* Answers one of the functions that Coq has proved right, of each battle of a file: answer FUNCTION FUEL FILE; or the
   checksum of its answers over the battles up to N, S and D: answer checksum FUEL FUNCTION N S D. Lines of siege_waves
   are those of general battles. *)
open Proved

let rec positive i =
  if i = 1L then XH
  else
    let half = positive (Int64.shift_right_logical i 1) in
    if Int64.logand i 1L = 0L then XO half else XI half

let z i = if i <= 0L then failwith "not positive" else Zpos (positive i)

let rec word bits = function
  | _ when bits = 0 -> failwith "too many bits"
  | XH -> 1L
  | XO p -> Int64.shift_left (word (bits - 1) p) 1
  | XI p -> Int64.succ (Int64.shift_left (word (bits - 1) p) 1)

let number = function
  | Z0 -> "0"
  | Zpos p -> Int64.to_string (word 63 p)
  | Zneg _ -> failwith "negative"

let rec nat i = if i = 0 then O else S (nat (i - 1))

let fuel = nat (int_of_string Sys.argv.(2))

let checksum_of waves =
  let argument i = z (Int64.of_string Sys.argv.(i)) in
  match checksum waves (argument 4) (argument 5) (argument 6) with
  | Zpos p -> Printf.printf "%Lu\n" (word 64 p)
  | _ -> print_endline "0"

let answers () =
  let answer n s d =
    match Sys.argv.(1) with
    | "min_waves" -> number (min_waves n s d)
    | "min_waves64" -> ( match min_waves64 n s d with Some waves -> number waves | None -> "overflow" )
    | "waves_by_root" -> number (waves_by_root n s d)
    | "castle_waves" -> number (castle_waves fuel n s d)
    | "most_survivors" ->
        let survivors, fall = most_survivors n s d in
        number survivors ^ " " ^ number fall
    | "soldiers_from" ->
        let rec from waves now =
          if waves = 0 then []
          else
            let fewest = match soldiers_from fuel d now with Some w -> number w | None -> "out of fuel" in
            fewest :: (match step d now (lowest now) with Next next -> from (waves - 1) next | Won _ -> [])
        in
        String.concat " " (from 6 (start n s))
    | "counted" ->
        let ways side = List.init 6 (fun w -> number (counted d side (nat (w + 1)) n s)) in
        String.concat " " (ways Soldiers @ ways Castle)
    | other -> failwith other
  in
  let battles = Scanf.Scanning.open_in Sys.argv.(3) in
  try
    while true do
      Scanf.bscanf battles " %Ld %Ld %Ld" (fun n s d ->
          print_string (answer (z n) (z s) (z d));
          print_char '\n')
    done
  with End_of_file -> ()

(* Each line has soldiers, hits, shots, kills, how many reinforcements are listed, and these. *)
let sieges () =
  let natural i = if i = 0L then Z0 else z i in
  let rec int = function O -> 0 | S n -> 1 + int n in
  let battles = Scanf.Scanning.open_in Sys.argv.(3) in
  try
    while true do
      Scanf.bscanf battles " %Ld %Ld %Ld %Ld %d" (fun n s k m rows ->
          let row = Array.init rows (fun _ -> Scanf.bscanf battles " %Ld" natural) in
          let sent wave = row.(min (int wave) rows - 1) in
          Printf.printf "%d\n" (int (siege_waves fuel (z k) (z m) sent (z n) (z s))))
    done
  with End_of_file -> ()

let () =
  match Sys.argv.(1) with
  | "checksum" ->
      checksum_of
        (match Sys.argv.(3) with
        | "min_waves" -> min_waves
        | "waves_by_root" -> waves_by_root
        | "castle_waves" -> castle_waves fuel
        | other -> failwith other)
  | "siege_waves" -> sieges ()
  | _ -> answers ()
