// Package slurmtest starts a Slurm for a test: a controller, a node and what they trust each other by, all of them
// processes of the test, with ports, folders and keys of their own. It takes no services, no control groups and no
// rights, and nothing is left of it when the test ends, however that ends.
package slurmtest
