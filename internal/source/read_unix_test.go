//go:build unix

package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	outside := tree(t, map[string]string{"secret.yaml": "CANARY"})
	dir := tree(t, map[string]string{
		"good.yaml": "good", "empty.yaml": "", "folder/": "", "folder/in.tmpl": "in",
		"out":     "-> " + filepath.Join(outside, "secret.yaml"),
		"up":      "-> ../" + filepath.Base(outside) + "/secret.yaml",
		"dir-out": "-> " + outside, "dangling": "-> nowhere", "self": "-> self", "a": "-> b", "b": "-> a",
		"inside": "-> folder/in.tmpl", "large.yaml": strings.Repeat("x", 11), "exact.yaml": strings.Repeat("x", 10),
	})
	mkfifo(t, filepath.Join(dir, "pipe.yaml"))
	s := open(t, dir)
	limit := Limit{Name: "a test", Bytes: 10}
	for _, tt := range []struct {
		why, name, want, err string
		is                   error
	}{
		{"a file", "good.yaml", "good", "", nil},
		{"an empty file", "empty.yaml", "", "", nil},
		{"a file in a folder", "folder/in.tmpl", "in", "", nil},
		{"a link that stays inside", "inside", "in", "", nil},
		{"as large as the limit", "exact.yaml", "xxxxxxxxxx", "", nil},
		{"larger than the limit", "large.yaml", "", `"large.yaml" is larger than 10 bytes, the limit for a test`, nil},
		{"no such file", "nowhere.yaml", "", `"nowhere.yaml" does not exist`, fs.ErrNotExist},
		{"a folder", "folder", "", `"folder" is a folder, not a regular file`, nil},
		{"a named pipe", "pipe.yaml", "", `"pipe.yaml" is a named pipe, not a regular file`, nil},
		{"an absolute link out", "out", "", `"out" is reached by a link that leaves the source root; keep the file below the root`, nil},
		{"a relative link out", "up", "", `"up" is reached by a link that leaves the source root; keep the file below the root`, nil},
		{"a folder that is a link out", "dir-out/secret.yaml", "", `"dir-out/secret.yaml" is reached by a link that leaves the source root; keep the file below the root`, nil},
		{"a dangling link", "dangling", "", `"dangling" does not exist`, fs.ErrNotExist},
		{"a link to itself", "self", "", `"self" is a link that leads back to itself`, syscall.ELOOP},
		{"a loop of links", "a", "", `"a" is a link that leads back to itself`, syscall.ELOOP},
		{"a path out", "../" + filepath.Base(outside) + "/secret.yaml", "", `leaves the source root by ".."; keep the file below the root`, nil},
		{"an absolute path", filepath.Join(outside, "secret.yaml"), "", `leaves the source root by ".."; keep the file below the root`, nil},
		{"below a file", "good.yaml/x", "", `"good.yaml/x" cannot be read: not a directory`, syscall.ENOTDIR},
	} {
		t.Run(tt.why, func(t *testing.T) {
			done := time.AfterFunc(10*time.Second, func() { panic("reading waits") })
			defer done.Stop()
			data, err := s.Read(tt.name, limit)
			if tt.err == "" {
				if err != nil || string(data) != tt.want {
					t.Errorf("got %q, %v, want %q", data, err, tt.want)
				}
				return
			}
			var failed *Error
			if !errors.As(err, &failed) || !strings.HasSuffix(err.Error(), tt.err) || data != nil {
				t.Errorf("got %q, %v\nwant %s", data, err, tt.err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v does not match %v", err, tt.is)
			}
		})
	}
}

func mkfifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
}
