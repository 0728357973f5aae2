package cli

import "github.com/spf13/cobra"

// registerOutput adds -o to a command whose answer is data.
func (a *app) registerOutput(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&a.output, "output", "o", "", "write to a `FILE`, whole or not at all")
	_ = cmd.MarkFlagFilename("output")
}
