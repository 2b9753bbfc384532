// Command measure checks the speed claims of siegebook. Each is a ratio of two measurements of one run, so that it
// holds on any machine; the absolute figures stand beside it and are not judged.
//
// The benchmarks of the games are run in rounds, and a ratio is the median over the rounds, so that a moment in which
// the machine was busy with something else does not decide. The commands are built first and measured as a user runs
// them.
//
// It exits with 1 if a ratio misses its bar or a measurement fails.
package main
