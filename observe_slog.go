package promptkit

import (
	"context"
	"log/slog"
)

// NewSlogObserver returns an observer that logs. A run's end is logged at
// level Info, or Error if it failed; a try that brought no valid output at
// level Warn; everything else at level Debug. A nil logger means
// slog.Default. Nothing that it logs is content.
func NewSlogObserver(logger *slog.Logger) Observer {
	if logger == nil {
		logger = slog.Default()
	}
	return slogObserver{logger}
}

type slogObserver struct{ logger *slog.Logger }

// Observe logs o as one record, named after its kind.
func (s slogObserver) Observe(ctx context.Context, o Observation) {
	level := logLevel(o)
	if !s.logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("run", o.RunID), slog.String("prompt", o.PromptID), slog.String("version", o.PromptVersion),
	}
	s.logger.LogAttrs(ctx, level, "prompt run "+string(o.Kind), append(attrs, logDetails(o)...)...)
}

func logLevel(o Observation) slog.Level {
	switch {
	case o.Kind == ObservedFinished && o.Err != nil:
		return slog.LevelError
	case o.Kind == ObservedFinished:
		return slog.LevelInfo
	case o.Kind == ObservedAttempt && o.Attempt.Class != "":
		return slog.LevelWarn
	default:
		return slog.LevelDebug
	}
}

// logDetails are the attributes that only some kinds have.
func logDetails(o Observation) []slog.Attr {
	switch o.Kind {
	case ObservedStarted:
		return logStart(o)
	case ObservedAdmitted:
		return []slog.Attr{slog.String("backend", o.Target.BackendID), slog.Duration("waited", o.Waited)}
	case ObservedAttempt:
		return logAttempt(o.Attempt)
	case ObservedFinished:
		return logFinish(o)
	default:
		return nil
	}
}

func logStart(o Observation) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("prompt_hash", o.PromptHash), slog.String("rendered_hash", o.RenderedHash),
		slog.String("profile", o.ProfileID), slog.String("model", o.Target.Model), slog.Bool("offline", o.Target.Offline),
	}
	for _, in := range o.Instructions {
		if in.State == InstructionSkipped {
			attrs = append(attrs, slog.Group("skipped_instruction",
				slog.String("id", in.ID), slog.String("reason", in.Reason), slog.Any("facts", in.Facts)))
		}
	}
	return attrs
}

func logAttempt(a *Attempt) []slog.Attr {
	attrs := []slog.Attr{
		slog.Int("attempt", a.Number), slog.Int("try", a.Try), slog.String("profile", a.ProfileID), slog.String("backend", a.BackendID),
		slog.String("model", a.Model), slog.Duration("duration", a.Duration), slog.Duration("waited", a.Waited),
		slog.String("finish_reason", a.FinishReason),
		slog.Int64("input_tokens", a.Usage.InputTokens), slog.Int64("output_tokens", a.Usage.OutputTokens),
	}
	if a.Class != "" {
		attrs = append(attrs, slog.String("class", string(a.Class)), slog.Int("status", a.Status))
	}
	return attrs
}

func logFinish(o Observation) []slog.Attr {
	attrs := []slog.Attr{
		slog.Duration("duration", o.Duration), slog.Int("attempts", o.Attempts),
		slog.Int64("input_tokens", o.Usage.InputTokens), slog.Int64("output_tokens", o.Usage.OutputTokens),
	}
	if o.Err != nil {
		attrs = append(attrs, slog.String("error", o.Err.Error()))
	}
	return attrs
}
