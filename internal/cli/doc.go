// Package cli is the promptkit command.
//
// It stands on the public API of the engine alone, as any other program that
// embeds it does, and adds what a command needs: a project folder, flags,
// pages that read well on 80 columns, versioned JSON forms, and exit codes.
//
// One file holds one command. Each command has three parts that do not mix:
// it asks the engine, it makes one value of the answer (the JSON form is that
// value, encoded), and it lays the value out as a page. Data goes to standard
// output in one piece, so that a failure leaves no half of it behind;
// diagnostics go to standard error.
package cli
