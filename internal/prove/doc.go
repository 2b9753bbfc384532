// Command prove has Coq check the proofs of package proofs, in a folder of its own that it removes at the end.
//
// It looks for the example of each theorem; compiles the files, each after those that it leans on; has Coq compare each
// theorem with the statement that is shown to readers; has Coq's separate checker, coqchk, check what came of them; and
// asks for each theorem what it assumes, which must be nothing. Then it has Coq compute both sides' fewest waves by the
// functions that are proved right, over grids of battles, and compares their checksums with the program's. At last it
// has Coq write these functions in OCaml, and compares their answers with the library's in random battles. With the
// name of a folder that has the ledger and its checker, they also judge the claims about the castle game, and their
// verdicts are compared with those of the checker.
//
// It exits with 1 if anything of this fails.
package main
