package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main runs the command with the given arguments, without the program's name,
// and returns the exit code. An interrupt cancels what is under way.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second interrupt ends the program at once, should the first be slow.
	context.AfterFunc(ctx, stop)

	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	a.report(err)
	return exitCode(err)
}
