// Package generate makes prompts for differential tests: well-typed templates
// in the shapes that people write, and a stratum of hard ones that combine the
// corners of the template language. The same seed gives the same prompt.
package generate
