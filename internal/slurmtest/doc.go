// Package slurmtest starts a Slurm for a test: a controller, a node and their authentication daemon, all of them
// processes of the test, with their own ports, folders and keys. It needs no services, control groups or special
// rights, and leaves nothing when the test ends or is killed.
package slurmtest
