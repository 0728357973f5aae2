// Command promptkit says what prompts need, prepares them and runs them.
package main

import (
	"os"

	"github.com/promptkit-go/promptkit/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
