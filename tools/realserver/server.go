package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// server is a running server.
type server struct {
	address string // without /v1
	key     string
	process *exec.Cmd
	ended   chan struct{} // closed once it has ended
	log     bytes.Buffer  // to be read after that
}

// startTimeout is how long loading may take on a busy machine.
const startTimeout = time.Minute

// start starts the server on a free port of the loopback interface and waits
// until it answers.
func start(ctx context.Context, root, model string) (*server, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	s := &server{
		address: "http://127.0.0.1:" + strconv.Itoa(port), key: "test-" + rand.Text(), ended: make(chan struct{}),
	}
	// An interrupt ends the command first, then the server.
	s.process = command(context.WithoutCancel(ctx), root, "-m", model, "--alias", "tiny", "--host", "127.0.0.1", "--port", strconv.Itoa(port),
		"--ctx-size", strconv.Itoa(contextLength), "--parallel", "4", "--threads", "1")
	s.process.Env = append(s.process.Env, "LLAMA_API_KEY="+s.key) // other users can read arguments
	s.process.Stdout, s.process.Stderr = &s.log, &s.log
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.process.Wait() // how it ended is of no interest; that it did is
		close(s.ended)
	}()
	if err := s.ready(ctx); err != nil {
		s.stop()
		return nil, fmt.Errorf("llama-server %w: %s", err, tail(s.log.String()))
	}
	return s, nil
}

// command is the server with the libraries that it was built for. Its own
// loader is called, because the system's C library may be an older one.
func command(ctx context.Context, root string, args ...string) *exec.Cmd {
	lib := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	path := strings.Join([]string{lib, lib + "/llama", lib + "/ggml", lib + "/blas"}, ":")
	cmd := exec.CommandContext(ctx, filepath.Join(lib, "ld-linux-x86-64.so.2"),
		append([]string{"--library-path", path, filepath.Join(root, "usr/bin/llama-server")}, args...)...)
	cmd.Env = append(os.Environ(), "GGML_BACKEND_PATH="+filepath.Join(lib, "ggml/backends0", arithmetic()))
	cmd.SysProcAttr = endWithParent()
	return cmd
}

// arithmetic is the library with the instructions of this machine's
// processor. llama.cpp would find it itself if it were where it belongs.
func arithmetic() string {
	cpu, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "libggml-cpu-x64.so"
	}
	_, flags, _ := strings.Cut(string(cpu), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	for _, needed := range []string{"avx2", "fma", "f16c", "bmi2"} {
		if !strings.Contains(flags+" ", " "+needed+" ") {
			return "libggml-cpu-x64.so"
		}
	}
	return "libggml-cpu-haswell.so"
}

// freePort is a port that nobody listens on at this moment.
func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return 0, errors.New("the loopback interface speaks no TCP")
	}
	return tcp.Port, nil
}

// ready waits until the server has loaded its model.
func (s *server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if s.healthy(ctx) {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("ended as soon as it was started")
		case <-ctx.Done():
			return errors.New("does not answer")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *server) healthy(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+"/health", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode == http.StatusOK
}

// stop ends the server and waits until it has ended.
func (s *server) stop() {
	_ = s.process.Process.Kill() // it keeps nothing that could be lost
	<-s.ended
}
