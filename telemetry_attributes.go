package promptkit

import (
	"net/url"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// runAttributes are what is known when a run starts.
func runAttributes(o Observation) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		semconv.GenAIPromptName(o.PromptID),
		attribute.String("promptkit.run.id", o.RunID),
		attribute.String("promptkit.prompt.version", o.PromptVersion),
		attribute.String("promptkit.prompt.hash", o.PromptHash),
		attribute.String("promptkit.rendered.hash", o.RenderedHash),
		attribute.String("promptkit.profile.id", o.ProfileID),
		attribute.Bool("promptkit.offline", o.Target.Offline),
	}
	if skipped := skippedInstructions(o.Instructions); len(skipped) > 0 {
		attrs = append(attrs, attribute.StringSlice("promptkit.instructions.skipped", skipped))
	}
	return attrs
}

// sessionAttributes name the session. A session template may make its ID out of
// the values of variables, so it counts as content.
func (t *telemetry) sessionAttributes(o Observation) []attribute.KeyValue {
	if !t.content || o.SessionID == "" {
		return nil
	}
	return []attribute.KeyValue{semconv.GenAIConversationID(o.SessionID)}
}

// skippedInstructions names the instructions that lack a fact, and the facts.
func skippedInstructions(record []PreparedInstruction) []string {
	var skipped []string
	for _, in := range record {
		if in.State == InstructionSkipped {
			skipped = append(skipped, in.ID+": "+strings.Join(in.Facts, ", "))
		}
	}
	return skipped
}

// requestAttributes are what is known of an attempt before it is made.
func requestAttributes(o Observation) []attribute.KeyValue {
	a := o.Attempt
	attrs := append(serverAttributes(o.Target),
		semconv.GenAIOperationNameChat,
		semconv.GenAIProviderNameKey.String(string(providerOf(o.Target))),
		semconv.GenAIRequestModel(o.Target.Model),
		outputType(o.Contract),
		attribute.Int("promptkit.attempt.number", a.Number),
		attribute.Int("promptkit.attempt.try", a.Try),
		attribute.Float64("promptkit.attempt.waited", a.Waited.Seconds()),
		attribute.String("promptkit.profile.id", a.ProfileID),
		attribute.String("promptkit.backend.id", a.BackendID),
		attribute.Bool("promptkit.offline", o.Target.Offline),
		attribute.String("promptkit.request.digest", a.RequestDigest),
	)
	return append(attrs, parameterAttributes(o.Target.Parameters)...)
}

// outcomeAttributes are what an attempt came to.
func outcomeAttributes(a *Attempt) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		semconv.GenAIResponseModel(a.Model),
		semconv.GenAIUsageInputTokens(int(a.Usage.InputTokens)),
		semconv.GenAIUsageOutputTokens(int(a.Usage.OutputTokens)),
	}
	if a.FinishReason != "" {
		attrs = append(attrs, semconv.GenAIResponseFinishReasons(a.FinishReason))
	}
	if a.FirstText > 0 {
		attrs = append(attrs, semconv.GenAIResponseTimeToFirstChunk(a.FirstText.Seconds()))
	}
	if n := a.Usage.CachedInputTokens; n > 0 {
		attrs = append(attrs, semconv.GenAIUsageCacheReadInputTokens(int(n)))
	}
	if n := a.Usage.ReasoningTokens; n > 0 {
		attrs = append(attrs, semconv.GenAIUsageReasoningOutputTokens(int(n)))
	}
	if a.ReplyDigest != "" {
		attrs = append(attrs, attribute.String("promptkit.reply.digest", a.ReplyDigest))
	}
	if a.Class != "" {
		attrs = append(attrs, semconv.ErrorTypeKey.String(string(a.Class)))
	}
	if a.Status != 0 {
		attrs = append(attrs, semconv.HTTPResponseStatusCode(a.Status))
	}
	return attrs
}

func parameterAttributes(p Parameters) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	if p.Temperature != nil {
		attrs = append(attrs, semconv.GenAIRequestTemperature(*p.Temperature))
	}
	if p.TopP != nil {
		attrs = append(attrs, semconv.GenAIRequestTopP(*p.TopP))
	}
	if p.MaxOutputTokens != nil {
		attrs = append(attrs, semconv.GenAIRequestMaxTokens(*p.MaxOutputTokens))
	}
	if p.Seed != nil {
		attrs = append(attrs, semconv.GenAIRequestSeedKey.Int64(*p.Seed))
	}
	if len(p.Stop) > 0 {
		attrs = append(attrs, semconv.GenAIRequestStopSequences(p.Stop...))
	}
	return attrs
}

func outputType(c OutputContract) attribute.KeyValue {
	if c.Format == OutputJSON {
		return semconv.GenAIOutputTypeJSON
	}
	return semconv.GenAIOutputTypeText
}

// serverAttributes say where the backend is; an offline one is nowhere.
func serverAttributes(t Target) []attribute.KeyValue {
	u, err := url.Parse(t.BaseURL)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	attrs := []attribute.KeyValue{semconv.ServerAddress(u.Hostname())}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		attrs = append(attrs, semconv.ServerPort(port))
	}
	return attrs
}

// providers are the hosts that the conventions have a name for. Everything
// else that speaks the protocol counts as openai, as the conventions ask.
var providers = map[string]genaiconv.ProviderNameAttr{
	"api.groq.com":                      genaiconv.ProviderNameGroq,
	"api.mistral.ai":                    genaiconv.ProviderNameMistralAI,
	"api.deepseek.com":                  genaiconv.ProviderNameDeepseek,
	"api.x.ai":                          genaiconv.ProviderNameXAI,
	"api.perplexity.ai":                 genaiconv.ProviderNamePerplexity,
	"api.anthropic.com":                 genaiconv.ProviderNameAnthropic,
	"api.cohere.com":                    genaiconv.ProviderNameCohere,
	"generativelanguage.googleapis.com": genaiconv.ProviderNameGCPGemini,
}

func providerOf(t Target) genaiconv.ProviderNameAttr {
	if t.Offline {
		return "promptkit.offline"
	}
	u, err := url.Parse(t.BaseURL)
	if err != nil {
		return genaiconv.ProviderNameOpenAI
	}
	if p, ok := providers[u.Hostname()]; ok {
		return p
	}
	if strings.HasSuffix(u.Hostname(), ".openai.azure.com") {
		return genaiconv.ProviderNameAzureAIOpenAI
	}
	return genaiconv.ProviderNameOpenAI
}
