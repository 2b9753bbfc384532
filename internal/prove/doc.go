// Command prove has Coq check the proofs of package proofs, in a folder of its own that it removes at the end.
//
// It compiles the files, each after those that it leans on; has Coq's separate checker, coqchk, check what came of
// them; and asks for each theorem what it assumes, which must be nothing. Then it has Coq compute the soldiers' fewest
// waves by the function that is proved right, over a grid of battles, and compares the checksum with that of
// castle.NewSurvey.
//
// It exits with 1 if anything of this fails.
package main
