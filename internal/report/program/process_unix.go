//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// executable is the suffix of the file names of programs.
const executable = ""

// inOwnGroup gives the process of a page its own process group.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = attributes }

// endGroup kills the processes that a page has left running.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func makePipe(name string) error { return syscall.Mkfifo(name, 0o600) }
