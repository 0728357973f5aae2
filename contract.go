package promptkit

import (
	"strconv"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/source"
)

// declaredContract is the contract of a definition, which capture has
// normalised already.
func declaredContract(o definition.Output) OutputContract {
	return OutputContract{
		Format: OutputFormat(o.Format), Validation: ValidationMode(o.Validation), Schema: o.Schema,
	}
}

// effectiveContract is the request's contract with its defaults filled in, or
// else the declared one.
func effectiveContract(requested *OutputContract, declared definition.Output) (OutputContract, error) {
	if requested == nil {
		return declaredContract(declared), nil
	}
	c := *requested
	if c.Format == "" {
		c.Format = OutputText
	}
	if c.Validation == "" {
		c.Validation = ValidateNone
	}
	if fault := c.fault(); fault != "" {
		return OutputContract{}, fail(ErrInvalidRequest, "the output contract of the request "+fault, nil)
	}
	return c, nil
}

// fault says what is wrong with a contract; "" if nothing is.
func (c OutputContract) fault() string {
	switch c.Format {
	case OutputText, OutputMarkdown, OutputJSON:
	default:
		return "has the unknown format " + strconv.Quote(string(c.Format)) + "; it is text, markdown or json"
	}
	switch c.Validation {
	case ValidateNone, ValidateJSON:
		if c.Schema != "" {
			return "names a schema, but validation is not json_schema"
		}
	case ValidateJSONSchema:
		if c.Schema == "" {
			return "validates by json_schema, but names no schema"
		}
		if _, err := source.Below(c.Schema); err != nil {
			return "names a schema that " + err.(*source.Error).Reason
		}
	default:
		return "has the unknown validation " + strconv.Quote(string(c.Validation)) + "; it is none, json or json_schema"
	}
	return ""
}
