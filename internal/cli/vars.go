package cli

import (
	"maps"
	"strings"
)

const maxVarsFile = 4 << 20

// readVars gathers variables: those of the file first, and those of flags,
// which win over the file's.
func readVars(file string, pairs []string) (map[string]string, error) {
	vars := map[string]string{}
	if file != "" {
		fromFile, err := readVarsFile(file)
		if err != nil {
			return nil, err
		}
		maps.Copy(vars, fromFile)
	}
	given, err := parsePairs("--var", pairs)
	if err != nil {
		return nil, err
	}
	maps.Copy(vars, given)
	return vars, nil
}

func readVarsFile(path string) (map[string]string, error) {
	data, err := readRegular(path, maxVarsFile)
	if err != nil {
		return nil, failedf("cannot read the variables in %q: %s", printable(path), err)
	}
	pairs, problem := scalarPairs(data, path)
	if problem != nil {
		return nil, &stop{code: exitFailed, message: problem.String()}
	}
	vars := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		vars[pair.key] = pair.value
	}
	return vars, nil
}

// parsePairs reads NAME=VALUE arguments of a flag. Errors count the
// arguments instead of quoting them: what has no "=" may well be a value.
func parsePairs(flag string, pairs []string) (map[string]string, error) {
	out := make(map[string]string, len(pairs))
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usagef("%s needs NAME=VALUE; the %s one has no \"=\"", flag, ordinal(i+1)).
				hint("For an empty value write NAME=")
		}
		if name == "" {
			return nil, usagef("%s needs NAME=VALUE; the %s one has no name before \"=\"", flag, ordinal(i+1))
		}
		if _, twice := out[name]; twice {
			return nil, usagef("%s %s is given twice; keep one", flag, label(name))
		}
		out[name] = value
	}
	return out, nil
}

func ordinal(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	if n <= len(words) {
		return words[n-1]
	}
	return "last"
}
