package main

import "syscall"

// endWithParent makes the kernel end a process with the one that started it,
// even if that is killed.
func endWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
