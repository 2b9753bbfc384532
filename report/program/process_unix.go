//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// executable ends the name of a program.
const executable = ""

// inOwnGroup gives a page's process, and those that it starts, a group of their own.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends what a page has left behind.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func makePipe(name string) error { return syscall.Mkfifo(name, 0o600) }
