//go:build !linux

package main

import "syscall"

// endWithParent asks for nothing where the kernel has nothing to offer; there
// is no server for these systems either.
func endWithParent() *syscall.SysProcAttr { return nil }
