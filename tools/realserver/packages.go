package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The packages: the first Debian that has them, and where it is to be found
// if the machine itself is no Debian that knows a nearer mirror.
const (
	suite         = "forky"
	rootPackage   = "llama.cpp-tools"
	defaultMirror = "http://deb.debian.org/debian"
)

// installTimeout bounds what may be spent on a slow network. Without one, the
// tools give up much earlier.
const installTimeout = 4 * time.Minute

// install unpacks the packages into a folder below dir, unless that has been
// done, and returns the folder. The system's own packages, lists and caches
// are left alone.
func install(ctx context.Context, dir string) (root string, err error) {
	root = filepath.Join(dir, "root")
	if installed(root) {
		return root, nil
	}
	if err := installable(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	work, err := os.MkdirTemp(dir, "install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := fetch(ctx, work); err != nil {
		return "", err
	}
	unpacked, err := unpack(ctx, work)
	if err != nil {
		return "", err
	}
	if err := os.Rename(unpacked, root); err != nil && !installed(root) { // by another realserver, in the meantime
		return "", err
	}
	return root, nil
}

// installed reports whether the packages are in a folder, which is filled in
// one step.
func installed(root string) bool {
	_, err := os.Stat(filepath.Join(root, "usr/bin/llama-server"))
	return err == nil
}

// installable says what stands in the way on this machine.
func installable() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("its packages are used on linux/amd64 only, and this is %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	for _, tool := range []string{"apt-get", "apt-config", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("its packages need %s, which is not here", tool)
		}
	}
	if keyring() == "" {
		return errors.New("the keys that Debian's packages are checked with are not here; the package debian-archive-keyring has them")
	}
	return nil
}

// keyring is the file with the keys of Debian's archive, or "".
func keyring() string {
	for _, name := range []string{"/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"} {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// fetch downloads the package and everything that it needs, the C library
// included, as if nothing at all were installed.
func fetch(ctx context.Context, work string) error {
	for _, folder := range []string{"lists/partial", "cache/archives/partial", "empty"} {
		if err := os.MkdirAll(filepath.Join(work, folder), 0o755); err != nil {
			return err
		}
	}
	source := fmt.Sprintf("deb [arch=amd64 signed-by=%s] %s %s main\n", keyring(), mirror(ctx), suite)
	config, err := aptConfig(ctx, work)
	if err != nil {
		return err
	}
	for name, content := range map[string]string{"status": "", "sources.list": source, "apt.conf": config} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "realserver: fetching %s of Debian %s, 20 MB\n", rootPackage, suite)
	if _, err := output(ctx, work, "apt-get", "-qq", "update"); err != nil {
		return err
	}
	_, err = output(ctx, work, "apt-get", "-qq", "-y", "--download-only", "install", rootPackage)
	return err
}

// aptConfig is the system's configuration of apt, for the sake of proxies and
// mirrors, without the hooks by which an update would change the system, and
// with every folder below work.
func aptConfig(ctx context.Context, work string) (string, error) {
	system, err := output(ctx, "", "apt-config", "dump")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(system) {
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(name, "-Invoke") && !strings.HasPrefix(name, "Dir") {
			b.WriteString(line)
		}
	}
	for _, setting := range [][2]string{
		{"Dir::Etc::sourcelist", work + "/sources.list"}, {"Dir::Etc::sourceparts", work + "/empty"},
		{"Dir::Etc::parts", work + "/empty"}, {"Dir::Etc::main", work + "/none"},
		{"Dir::Etc::preferences", work + "/none"}, {"Dir::Etc::preferencesparts", work + "/empty"},
		{"Dir::State", work}, {"Dir::State::lists", work + "/lists"}, {"Dir::State::status", work + "/status"},
		{"Dir::Cache", work + "/cache"}, {"Dir::Cache::archives", work + "/cache/archives"}, {"Dir::Log", work},
		{"APT::Install-Recommends", "false"},
		{"APT::Sandbox::User", ""}, // another user could not write here
		{"Acquire::Languages", "none"},
		{"Acquire::Check-Valid-Until", "false"}, // a mirror may stand still: this is for tests
		{"Acquire::Retries", "1"}, {"Acquire::http::Timeout", "20"}, {"Acquire::https::Timeout", "20"},
	} {
		fmt.Fprintf(&b, "%s %q;\n", setting[0], setting[1])
	}
	return b.String(), nil
}

// mirror is the one that the machine uses itself, if it is a Debian.
func mirror(ctx context.Context) string {
	out, err := output(ctx, "", "apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)")
	if err != nil {
		return defaultMirror
	}
	for line := range strings.Lines(out) {
		if label, address, _ := strings.Cut(strings.TrimSpace(line), " "); label == "Debian" {
			return address
		}
	}
	return defaultMirror
}

// unpack unpacks what has been fetched, without running any of it.
func unpack(ctx context.Context, work string) (string, error) {
	packages, err := filepath.Glob(filepath.Join(work, "cache/archives/*.deb"))
	if err != nil {
		return "", err
	}
	if len(packages) == 0 {
		return "", errors.New("apt-get has downloaded nothing")
	}
	root := filepath.Join(work, "root")
	for _, p := range packages {
		if _, err := output(ctx, "", "dpkg", "-x", p, root); err != nil {
			return "", err
		}
	}
	return root, nil
}

// output runs a tool, with the configuration in work if that is given, and
// returns what it prints. An error says the end of what it complained of.
func output(ctx context.Context, work, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	if work != "" {
		cmd.Env = append(cmd.Env, "APT_CONFIG="+filepath.Join(work, "apt.conf"))
	}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, tail(complaints.String()))
	}
	return string(out), nil
}

// tail is the last few lines of a text.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
