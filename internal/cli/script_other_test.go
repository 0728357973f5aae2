//go:build !unix

package cli

import "github.com/rogpeppe/go-internal/testscript"

// mkfifo is not to be had here.
func mkfifo(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("no named pipes here") }
