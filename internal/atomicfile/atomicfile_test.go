package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// onlyFiles fails if the folder holds anything but the named files.
func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("folder holds %q, want %q", got, names)
	}
}

func TestWriteNewAndOld(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	for _, content := range []string{"first", "", strings.Repeat("long ", 100_000)} {
		if err := Write(t.Context(), path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, path); got != content {
			t.Errorf("got %d bytes, want %d", len(got), len(content))
		}
	}
	onlyFiles(t, dir, "out.json")
}

func TestPermissionsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o640 {
		t.Errorf("permissions became %v", info.Mode())
	}
}

func TestALinkLeadsToTheFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Write(t.Context(), link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := mustRead(t, file); got != "new" {
		t.Errorf("the file holds %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		path string
		says string
		is   error
	}{
		{"missing folder", "no/such/out", "folder does not exist", fs.ErrNotExist},
		{"a file as folder", "file/out", "is a file and not a folder", syscall.ENOTDIR},
		{"a folder", "folder", "it is a folder", syscall.EISDIR},
		{"a link to nothing", "dangling", "leads nowhere", fs.ErrNotExist},
		{"a name that is too long", strings.Repeat("n", 300), "too long", syscall.ENAMETOOLONG},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, tt.path)
			err := Write(t.Context(), path, []byte("new"))
			var e *Error
			if !errors.As(err, &e) || e.Path != path || !strings.Contains(e.Reason, tt.says) || !errors.Is(err, tt.is) {
				t.Errorf("got %v", err)
			}
		})
	}
	onlyFiles(t, dir, "dangling", "file", "folder")
}

func TestADeviceIsRefused(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no such device here")
	}
	if err := Write(t.Context(), os.DevNull, nil); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}

func TestAFolderWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	err := Write(t.Context(), filepath.Join(dir, "out"), []byte("x"))
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "does not permit") {
		t.Errorf("got %v", err)
	}
}

func TestACancelledContextLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := Write(t.Context(), path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, path, []byte("new")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := mustRead(t, path); got != "old" {
		t.Errorf("file holds %q", got)
	}
	onlyFiles(t, dir, "out")
}

func TestWordsForTheFileSystem(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOSPC: "no space left",
		syscall.EROFS:  "read-only",
		syscall.EIO:    "the file system failed",
		&fs.PathError{Op: "open", Path: "p", Err: fs.ErrPermission}: "does not permit",
	} {
		if e := explain("p", err); !strings.Contains(e.Error(), want) || !errors.Is(e, err) {
			t.Errorf("%v: %q does not say %q", err, e.Error(), want)
		}
	}
}

// TestKilledWhileWriting kills a process that replaces a file again and
// again. Whatever the moment, the file is one of the contents as a whole.
func TestKilledWhileWriting(t *testing.T) {
	const size = 1 << 20
	if path := os.Getenv("PROMPTKIT_TEST_WRITE"); path != "" {
		for i := byte('b'); ; i++ {
			_ = Write(context.Background(), path, bytes.Repeat([]byte{i}, size))
			_, _ = os.Stdout.WriteString("\n")
		}
	}
	path := filepath.Join(t.TempDir(), "out")
	for round := range 10 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileWriting$")
		cmd.Env = append(os.Environ(), "PROMPTKIT_TEST_WRITE="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it has written once
			t.Fatal(err)
		}
		time.Sleep(time.Duration(round) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		got := mustRead(t, path)
		if len(got) != size || strings.Trim(got, got[:1]) != "" {
			t.Fatalf("round %d: the file holds %d bytes of several contents", round, len(got))
		}
	}
}
