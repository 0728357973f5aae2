// Package clients measures Promptkit beside other Go clients of chat
// completions, and shows where it and the official one differ when a server
// misbehaves. It is a module of its own, so that none of theirs is among the
// requirements of Promptkit's. There is nothing in it to import:
//
//	make bench-clients
package clients
