//go:build !unix

package program

import (
	"errors"
	"os/exec"
)

const executable = ".exe"

func inOwnGroup(*exec.Cmd) {}
func endGroup(*exec.Cmd)   {}

func makePipe(string) error { return errors.New("this system has no named pipes") }
