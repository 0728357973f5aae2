package promptkit

import "context"

// MaxArtifactBytes is how large a file that an input names may be: 16 MiB.
const MaxArtifactBytes = 16 << 20

// ArtifactReader reads what Input.Path names. Implementations must be safe
// for concurrent use.
type ArtifactReader interface {
	// ReadArtifact returns the whole content, which the engine does not
	// change. Context and file errors stay reachable through the engine's
	// error; the words of any other error are not shown.
	ReadArtifact(ctx context.Context, path string) ([]byte, error)
}
