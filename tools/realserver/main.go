// Command realserver runs a command beside a real server of chat completions,
// so that tests can talk to one without a network service, a key or a GPU:
//
//	realserver go test ./internal/backend -run '^TestReal' -v
//
// The server is llama.cpp's, unpacked from Debian's packages into the user's
// cache and installed nowhere. Its model is written here in a moment, and
// what it says is nonsense; everything else is real: streams with usage,
// grammars made from JSON Schemas, seeds, replies cut at their limit, a key
// that is asked for, and errors for what is wrong.
//
// The command finds the server's address in PROMPTKIT_REAL_SERVER and its key
// in PROMPTKIT_REAL_SERVER_KEY. Without a command, realserver prints both and
// serves until it is interrupted. The server ends with realserver, however
// that ends.
//
// The exit code is the command's; 77 where the server cannot be had.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// exitUnavailable is what test harnesses take for a test that was skipped.
const exitUnavailable = 77

// The environment that the command is given.
const (
	envAddress = "PROMPTKIT_REAL_SERVER"
	envKey     = "PROMPTKIT_REAL_SERVER_KEY"
)

func init() {
	// The kernel ends the server when the thread that started it ends, so
	// that has to be the one that lives as long as the process.
	runtime.LockOSThread()
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, command []string) int {
	s, err := provide(ctx)
	switch {
	case err != nil && ctx.Err() != nil: // interrupted, which is no reason to go on without
		return 1
	case err != nil:
		fmt.Fprintln(os.Stderr, "realserver: no server:", err)
		return exitUnavailable
	}
	defer s.stop()
	if len(command) == 0 {
		fmt.Fprintf(os.Stdout, "export %s=%s %s=%s\n", envAddress, s.address, envKey, s.key)
		<-ctx.Done()
		return 0
	}
	return beside(ctx, s, command)
}

// provide gets the programs and the model, which is quick where they are in
// the cache already, and starts the server.
func provide(ctx context.Context) (*server, error) {
	dir, err := cacheDir()
	if err != nil {
		return nil, err
	}
	root, err := install(ctx, dir)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(dir, "model.gguf")
	if err := writeModel(model); err != nil {
		return nil, err
	}
	return start(ctx, root, model)
}

// cacheDir is where everything is kept. It can be deleted at any time.
func cacheDir() (string, error) {
	parent, err := os.UserCacheDir()
	if err != nil { // a build machine may know no home
		parent = os.TempDir()
	}
	dir := filepath.Join(parent, "promptkit-realserver")
	return dir, os.MkdirAll(dir, 0o755)
}

// beside runs a command that is told where the server is.
func beside(ctx context.Context, s *server, command []string) int {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), envAddress+"="+s.address, envKey+"="+s.key)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "realserver:", err)
		return 1
	}
	return 0
}
