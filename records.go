package promptkit

import (
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// publicAttempt is the record of one call in public values.
func publicAttempt(a *execution.Attempt) Attempt {
	return Attempt{
		Number: a.Number, Try: a.Try, ProfileID: a.ProfileID, BackendID: a.BackendID, Model: a.Model,
		Class: FailureClass(a.Class), Status: a.Status, Code: a.Code, FinishReason: a.FinishReason,
		Usage: publicUsage(a.Usage), Violations: a.Violations,
		Waited: a.Waited, StartedAt: a.StartedAt, Duration: a.Duration, FirstText: a.FirstText,
		RequestBytes: a.RequestBytes, RequestDigest: a.RequestDigest, ReplyBytes: a.ReplyBytes, ReplyDigest: a.ReplyDigest,
		Instructions: instructionRecords(a.Instructions), Content: publicContent(a.Content),
	}
}

func publicContent(c *execution.Content) *AttemptContent {
	if c == nil {
		return nil
	}
	return &AttemptContent{Request: c.Request, Reply: c.Reply}
}

func publicUsage(u execution.Usage) Usage {
	return Usage{
		InputTokens: int64(u.InputTokens), OutputTokens: int64(u.OutputTokens),
		TotalTokens:       int64(u.InputTokens) + int64(u.OutputTokens),
		CachedInputTokens: int64(u.CachedTokens), ReasoningTokens: int64(u.ReasoningTokens),
	}
}

// publicViolations leaves out the words that may quote the reply.
func publicViolations(violations []schema.Violation) []Violation {
	var list []Violation
	for _, v := range violations {
		list = append(list, Violation{Path: v.Path, Message: v.Message})
	}
	return list
}
