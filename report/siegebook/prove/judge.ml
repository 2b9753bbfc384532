(* Judges what the ledger claims of castle battles, by functions that Coq has proved right: judge CLAIMS.JSON. It prints
   a line for each part of a check: right, lie, or unknown for what it does not compute. *)
open Proved

exception Unknown
exception Lie

let need holds = if not holds then raise Lie

(* JSON, as the ledger has it: whole numbers, texts, lists, tables. *)
type json = Number of int | Text of string | List of json list | Table of (string * json) list | Other

let parse text =
  let at = ref 0 in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let take () = let c = peek () in incr at; c in
  let rec blank () = if String.contains " \n\t\r" (peek ()) then (incr at; blank ()) in
  let quoted () =
    let out = Buffer.create 40 in
    let rec go () =
      match take () with
      | '"' -> Buffer.contents out
      | '\\' ->
          (match take () with
          | 'u' ->
              Buffer.add_utf_8_uchar out (Uchar.of_int (int_of_string ("0x" ^ String.sub text !at 4)));
              at := !at + 4
          | c -> Buffer.add_char out c);
          go ()
      | c -> Buffer.add_char out c; go ()
    in
    go ()
  in
  let word () =
    let from = !at in
    while not (String.contains ",]} \n\000" (peek ())) do incr at done;
    String.sub text from (!at - from)
  in
  let rec value () =
    blank ();
    match peek () with
    | '"' -> incr at; Text (quoted ())
    | '[' -> incr at; List (items ']' value)
    | '{' -> incr at; Table (items '}' row)
    | _ -> ( match int_of_string_opt (word ()) with Some i -> Number i | None -> Other )
  and row () =
    blank ();
    incr at;
    let key = quoted () in
    blank ();
    incr at;
    (key, value ())
  and items : 'a. char -> (unit -> 'a) -> 'a list = fun last one ->
    blank ();
    if peek () = last then (incr at; []) else
      let first = one () in
      blank ();
      if take () = last then [ first ] else first :: items last one
  in
  value ()

let find key = function Table rows -> List.assoc_opt key rows | _ -> None
let get key json = match find key json with Some found -> found | None -> raise Unknown
let number = function Number i -> i | _ -> raise Unknown
let text = function Text t -> t | _ -> raise Unknown
let list = function List l -> l | _ -> raise Unknown
let numbers json = List.map number (list json)

(* Coq's numbers. *)
let rec positive i = if i = 1 then XH else if i land 1 = 0 then XO (positive (i lsr 1)) else XI (positive (i lsr 1))
let z i = if i = 0 then Z0 else if i < 0 then Zneg (positive (-i)) else Zpos (positive i)
let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> 1 + (2 * int_of_positive p)
let int = function Z0 -> 0 | Zpos p -> int_of_positive p | Zneg p -> -int_of_positive p
let rec nat i = if i = 0 then O else S (nat (i - 1))
let fuel = nat 60

let kept f = let known = Hashtbl.create 1000 in
  fun b -> match Hashtbl.find_opt known b with Some v -> v | None -> let v = f b in Hashtbl.add known b v; v
let soldiers_win = kept (fun (n, s, d) -> int (min_waves (z n) (z s) (z d)))
let castle_wins = kept (fun (n, s, d) -> int (castle_waves fuel (z n) (z s) (z d)))
let start n s = { soldiers = z n; defenders = Z0; hits = z s }
let legal now i = List.exists (fun order -> int order = i) (orders now)
let shown now = [ int now.soldiers; int now.hits; int now.defenders ]

(* The rules of thumb of the posts. *)
let castle_first n d c = if c <= n then min d (n - c) else if n > d then d else 0
let defenders_first n d _ = min n d

let rules = [ ("castle_first", castle_first); ("defenders_first", defenders_first) ]

let play =
  kept (fun (rule, n, s, d) ->
      let rec go now waves =
        let i = (List.assoc rule rules) (int now.soldiers) (int now.defenders) (int now.hits) in
        match step (z d) now (z i) with
        | Won Soldiers -> ("soldiers", waves + 1, int now.soldiers)
        | Won Castle -> ("castle", waves + 1, 0)
        | Next next when shown next = shown now -> ("none", waves + 1, int now.soldiers)
        | Next next -> go next (waves + 1)
      in
      go (start n s) 0)

(* The ways to win by side and wave, and the ties, among all lines of play without waste. *)
let ways =
  kept (fun (n, s, d) ->
      let won = Hashtbl.create 100 and count table key by =
        Hashtbl.replace table key (Z.add by (Option.value (Hashtbl.find_opt table key) ~default:Z0))
      in
      let rec go wave states =
        let later = Hashtbl.create 1000 in
        Hashtbl.iter
          (fun now by ->
            List.iter
              (fun order ->
                match step (z d) now order with
                | Won side -> count won ((if side = Soldiers then "soldiers" else "castle"), wave) by
                | Next next -> if next = now then count won ("ties", 0) by else count later next by)
              (orders now))
          states;
        if Hashtbl.length later > 0 then go (wave + 1) later
      in
      let first = Hashtbl.create 1 in
      Hashtbl.add first (start n s) (Zpos XH);
      go 1 first;
      won)

let small number = if Z.ltb number (z (1 lsl 60)) then int number else raise Unknown

let ways_of side battle =
  Hashtbl.fold (fun (who, wave) by all -> if who = side then (wave, by) :: all else all) (ways battle) []

let total side battle = small (List.fold_left (fun sum (_, by) -> Z.add sum by) Z0 (ways_of side battle))

(* What a condition may name of a battle. *)
let of_battle name (n, s, d) =
  let ending rule = play (rule, n, s, d) in
  let suffixed =
    List.concat_map
      (fun (rule, _) -> List.map (fun what -> (rule ^ what, (rule, what))) [ ""; "_waves"; "_ties"; "_left" ])
      rules
  in
  match name with
  | "n" -> n
  | "s" -> s
  | "d" -> d
  | "soldiers" -> soldiers_win (n, s, d)
  | "castle" -> castle_wins (n, s, d)
  | "soldiers_total" -> total "soldiers" (n, s, d)
  | "castle_total" -> total "castle" (n, s, d)
  | _ -> (
      match List.assoc_opt name suffixed with
      | None -> raise Unknown
      | Some (rule, what) ->
          let winner, waves, left = ending rule in
          if what = "_waves" then waves
          else if what = "_ties" then Bool.to_int (winner = "none")
          else if what = "_left" then left
          else if winner = "soldiers" then waves
          else 0)

(* Conditions, which are expressions in Python's syntax. *)
type value = I of int | L of int list

let tokens text =
  let length = String.length text in
  let is_word c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c = '_' in
  let rec go i =
    if i >= length then []
    else if text.[i] = ' ' then go (i + 1)
    else if is_word text.[i] then (
      let j = ref i in
      while !j < length && is_word text.[!j] do incr j done;
      String.sub text i (!j - i) :: go !j)
    else
      let two = if i + 1 < length then String.sub text i 2 else "" in
      if List.mem two [ "=="; "!="; "<="; ">="; "//" ] then two :: go (i + 2) else String.make 1 text.[i] :: go (i + 1)
  in
  go 0

let value text lookup =
  let rest = ref (tokens text) in
  let peek () = match !rest with t :: _ -> t | [] -> "" in
  let next () = rest := List.tl !rest in
  let accept t = peek () = t && (next (); true) in
  let one = function I i -> i | L _ -> raise Unknown in
  let floor_div a b = if b = 0 then raise Unknown else (a - (((a mod b) + b) mod b)) / b in
  let rec either () =
    let a = both () in
    if accept "or" then
      let b = either () in
      I (Bool.to_int (one a <> 0 || one b <> 0))
    else a
  and both () =
    let a = negated () in
    if accept "and" then
      let b = both () in
      I (Bool.to_int (one a <> 0 && one b <> 0))
    else a
  and negated () = if accept "not" then I (Bool.to_int (one (negated ()) = 0)) else compared ()
  and compared () =
    let rec chain a so_far =
      let op = peek () in
      if List.mem op [ "=="; "!="; "<"; "<="; ">"; ">=" ] then (
        next ();
        let b = added () in
        let holds =
          match op with
          | "==" -> a = b
          | "!=" -> a <> b
          | "<" -> one a < one b
          | "<=" -> one a <= one b
          | ">" -> one a > one b
          | _ -> one a >= one b
        in
        chain b (so_far && holds))
      else so_far
    in
    let a = added () in
    if List.mem (peek ()) [ "=="; "!="; "<"; "<="; ">"; ">=" ] then I (Bool.to_int (chain a true)) else a
  and added () =
    let rec more a =
      if accept "+" then more (I (one a + one (times ())))
      else if accept "-" then more (I (one a - one (times ())))
      else a
    in
    more (times ())
  and times () =
    let rec more a =
      if accept "*" then more (I (one a * one (atom ())))
      else if accept "//" then more (I (floor_div (one a) (one (atom ()))))
      else if accept "%" then
        let b = one (atom ()) in
        more (I (one a - (b * floor_div (one a) b)))
      else a
    in
    more (atom ())
  and atom () =
    let t = peek () in
    next ();
    match t with
    | "(" ->
        let a = either () in
        if accept ")" then a else raise Unknown
    | "[" ->
        let rec items () =
          if accept "]" then []
          else
            let a = one (added ()) in
            ignore (accept ",");
            a :: items ()
        in
        L (items ())
    | _ when t <> "" && t.[0] >= '0' && t.[0] <= '9' -> I (int_of_string t)
    | _ ->
        let found = lookup t in
        if not (accept "[") then found
        else
          let all = match found with L l -> l | I _ -> raise Unknown in
          let from = if peek () = ":" then 0 else one (added ()) in
          if accept ":" then (
            let upto = if peek () = "]" then List.length all else one (added ()) in
            next ();
            L (List.filteri (fun i _ -> i >= from && i < upto) all))
          else (
            next ();
            match List.nth_opt all from with Some i -> I i | None -> raise Lie)
  in
  let found = one (either ()) in
  if !rest <> [] then raise Unknown;
  found

let evaluate text lookup = value text lookup <> 0

(* The parts of checks. *)
let battle part =
  let n, s, d = (number (get "n" part), number (get "s" part), number (get "d" part)) in
  let line = get "line" part in
  let orders_given, states = (numbers (get "orders" line), List.map numbers (list (get "states" line))) in
  need (min n (min s d) > 0 && orders_given <> [] && List.length orders_given = List.length states);
  let rec replay now winner = function
    | [], [] -> winner
    | i :: later, after :: others -> (
        need (winner = "none" && legal now i);
        let left = int now.defenders - i in
        match step (z d) now (z i) with
        | Won Soldiers ->
            need (after = [ int now.soldiers; 0; 0 ]);
            replay now "soldiers" (later, others)
        | Won Castle ->
            need (after = [ 0; max 0 (int now.hits - (int now.soldiers - i)); left ]);
            replay now "castle" (later, others)
        | Next next ->
            need (after = shown next);
            replay next "none" (later, others))
    | _ -> raise Lie
  in
  let winner = replay (start n s) "none" (orders_given, states) in
  need (text (get "winner" line) = winner);
  let claimed name proved = match find name part with None -> () | Some said -> need (number said = proved (n, s, d)) in
  claimed "soldiers" soldiers_win;
  claimed "castle" castle_wins;
  List.iter
    (fun (rule, _) ->
      match find rule part with
      | None -> ()
      | Some said -> (
          match list said with
          | [ who; waves; left ] -> need ((text who, number waves, number left) = play (rule, n, s, d))
          | _ -> raise Lie))
    rules;
  (match find "ways" part with
  | None -> ()
  | Some said ->
      List.iter
        (fun side ->
          let rows = match get side said with Table rows -> rows | _ -> raise Lie in
          let given = List.map (fun (wave, by) -> (int_of_string wave, z (number by))) rows in
          need (List.sort compare given = List.sort compare (ways_of side (n, s, d))))
        [ "soldiers"; "castle" ];
      need (number (get "ties" said) = total "ties" (n, s, d)));
  (match find "holds" part with
  | None -> ()
  | Some said ->
      let column i first = first :: List.map (fun state -> List.nth state i) states in
      let hits = column 1 s in
      let rec fall wave = function [] -> 0 | 0 :: _ -> wave | _ :: later -> fall (wave + 1) later in
      let lookup = function
        | "left" -> L (column 0 n)
        | "defenders" -> L (column 2 0)
        | "hits" -> L hits
        | "shot" -> L (0 :: orders_given)
        | "waves" -> I (List.length states)
        | "falls" -> I (fall 0 hits)
        | "won" -> I (Bool.to_int (winner = "soldiers"))
        | "lost" -> I (Bool.to_int (winner = "castle"))
        | "ties" when find "ways" part <> None -> I (total "ties" (n, s, d))
        | ("soldiers_wins" | "castle_wins") as name when find "ways" part <> None ->
            let won = ways_of (List.hd (String.split_on_char '_' name)) (n, s, d) in
            let last = List.fold_left (fun last (wave, _) -> max last wave) (-1) won in
            L (List.init (last + 1) (fun wave -> match List.assoc_opt wave won with Some by -> small by | None -> 0))
        | name -> I (of_battle name (n, s, d))
      in
      need (evaluate (text said) lookup));
  if find "bounds" part <> None then raise Unknown

(* All points of a box; named says what a name stands for at a point. *)
let every axes named part =
  let sizes = List.map (fun axis -> number (get axis part)) axes in
  need (number (get "battles" part) = List.fold_left ( * ) 1 sizes);
  let cases = ref 0 in
  let among, says = (text (get "if" part), text (get "then" part)) in
  let rec walk point = function
    | [] ->
        let at = List.combine axes (List.rev point) in
        let of_point = lazy (named at) in
        let lookup name = I (match List.assoc_opt name at with Some i -> i | None -> (Lazy.force of_point) name) in
        if evaluate among lookup then (
          incr cases;
          need (evaluate says lookup))
    | size :: sizes -> for i = 1 to size do walk (i :: point) sizes done
  in
  walk [] sizes;
  need (number (get "cases" part) = !cases && !cases > 0)

let nsd at = (List.assoc "n" at, List.assoc "s" at, List.assoc "d" at)
let battles at name = of_battle name (nsd at)

(* The end of the waves after certain orders, which are expressions. *)
let ends given at =
  let n, s, d = nsd at in
  let rec go now = function
    | [] -> (now, None)
    | order :: later -> (
        let i = value order (fun name -> I (List.assoc name at)) in
        need (legal now i);
        match step (z d) now (z i) with
        | Won side ->
            need (later = []);
            let left = int now.defenders - i and standing = max 0 (int now.hits - (int now.soldiers - i)) in
            let soldiers = if side = Soldiers then now.soldiers else Z0 in
            ({ soldiers; defenders = z left; hits = z standing }, Some side)
        | Next next -> go next later)
  in
  let last, winner = go (start n s) given in
  let legal_now = List.map int (orders last) in
  function
  | "left" -> int last.soldiers
  | "defenders" -> int last.defenders
  | "hits" -> int last.hits
  | "least" -> List.hd legal_now
  | "most" -> List.hd (List.rev legal_now)
  | "won" -> Bool.to_int (winner = Some Soldiers)
  | "lost" -> Bool.to_int (winner = Some Castle)
  | _ -> raise Unknown

(* One wave of n soldiers against s hits and d defenders, of whom i are shot. *)
let one_wave at =
  let n, s, d = nsd at and i = List.assoc "i" at in
  let now = { soldiers = z n; defenders = z d; hits = z s } in
  function
  | "left" -> ( match step (z 1) now (z i) with Won Soldiers -> n | Won Castle -> 0 | Next next -> int next.soldiers )
  | "won" -> Bool.to_int (step (z 1) now (z i) = Won Soldiers)
  | "legal" -> Bool.to_int (legal now i)
  | "castle_first" -> castle_first n d s
  | _ -> raise Unknown

let () =
  let file = open_in_bin Sys.argv.(1) in
  let all = parse (really_input_string file (in_channel_length file)) in
  List.iter
    (fun claim ->
      match find "check" (get "evidence" claim) with
      | None -> ()
      | Some check ->
          let parts = match find "all" check with Some (List parts) -> parts | _ -> [ check ] in
          List.iteri
            (fun i part ->
              if find "game" part = Some (Text "castle") then
                let verdict =
                  match
                    match text (get "kind" part) with
                    | "battle" -> battle part
                    | "every" -> every [ "n"; "s"; "d" ] battles part
                    | "line" -> every [ "n"; "s"; "d" ] (ends (List.map text (list (get "orders" part)))) part
                    | "wave" -> every [ "n"; "s"; "d"; "i" ] one_wave part
                    | _ -> raise Unknown
                  with
                  | () -> "right"
                  | exception Lie -> "lie"
                  | exception Unknown -> "unknown"
                in
                Printf.printf "%s %d %s\n" (text (get "id" claim)) i verdict)
            parts)
    (list (get "claims" all))
