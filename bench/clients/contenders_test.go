package clients

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	einoopenai "github.com/cloudwego/eino-ext/components/model/openai"
	einoschema "github.com/cloudwego/eino/schema"
	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"
	compatoption "github.com/openai/openai-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/tmc/langchaingo/llms"
	langchain "github.com/tmc/langchaingo/llms/openai"

	"github.com/promptkit-go/promptkit"
)

// The job of every client: from these two messages to the text of a reply.
var (
	system = strings.Repeat("Report only what was said. ", 40)
	user   = strings.Repeat("A line of a transcript.\n", 40)
)

const (
	model = "m"
	key   = "not-a-key"
)

// complete does the job once.
type complete func(ctx context.Context) (string, error)

// contender is a client that is ready to call a server.
type contender struct {
	name string
	make func(tb testing.TB, url string) complete
}

var contenders = []contender{
	{"promptkit", newPromptkit},
	{"openai-go", newOpenAI},
	{"langchaingo", newLangchain},
	{"genkit", newGenkit},
	{"eino", newEino},
}

// pooled is a client with as many idle connections as Promptkit keeps: with
// the standard two, what is measured would be how fast connections are made.
func pooled(tb testing.TB) *http.Client {
	tb.Helper()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 256
	tb.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// newPromptkit renders, prepares and runs, which is more than the job.
func newPromptkit(tb testing.TB, url string) complete {
	tb.Setenv("BENCH_KEY", key)
	file := "id: p\nversion: \"1\"\ndefault_profile: live\ninputs: [{name: doc}]\nmessages:\n" +
		"- {role: system, content: \"" + system + "\"}\n- {role: user, content: '{{input \"doc\"}}'}\n"
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(fstest.MapFS{"p.yaml": {Data: []byte(file)}}),
		promptkit.WithProfiles(promptkit.Profile{ID: "live", Backend: "b", Model: model}),
		promptkit.WithBackends(promptkit.Backend{ID: "b", BaseURL: url, APIKeyEnv: "BENCH_KEY"}))
	if err != nil {
		tb.Fatal(err)
	}
	req := promptkit.RunRequest{PromptID: "p", Inputs: []promptkit.Input{{Name: "doc", Text: user}}}
	return func(ctx context.Context) (string, error) {
		result, err := engine.Run(ctx, req)
		if err != nil {
			return "", err
		}
		return result.Output, nil
	}
}

func newOpenAI(tb testing.TB, url string) complete {
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey(key), option.WithHTTPClient(pooled(tb)))
	return func(ctx context.Context) (string, error) {
		reply, err := client.Chat.Completions.New(ctx, params())
		if err != nil {
			return "", err
		}
		return reply.Choices[0].Message.Content, nil
	}
}

func params() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(user)},
	}
}

func newLangchain(tb testing.TB, url string) complete {
	client, err := langchain.New(langchain.WithBaseURL(url+"/v1"), langchain.WithToken(key), langchain.WithModel(model), langchain.WithHTTPClient(pooled(tb)))
	if err != nil {
		tb.Fatal(err)
	}
	return func(ctx context.Context) (string, error) {
		reply, err := client.GenerateContent(ctx, []llms.MessageContent{
			llms.TextParts(llms.ChatMessageTypeSystem, system), llms.TextParts(llms.ChatMessageTypeHuman, user),
		})
		if err != nil {
			return "", err
		}
		return reply.Choices[0].Content, nil
	}
}

func newGenkit(tb testing.TB, url string) complete {
	plugin := &compat_oai.OpenAICompatible{
		Provider: "local", APIKey: key, BaseURL: url + "/v1",
		Opts: []compatoption.RequestOption{compatoption.WithHTTPClient(pooled(tb))},
	}
	g := genkit.Init(tb.Context(), genkit.WithPlugins(plugin))
	chat := plugin.DefineModel("local", model, ai.ModelOptions{Supports: &compat_oai.BasicText})
	genkit.RegisterAction(g, chat)
	return func(ctx context.Context) (string, error) {
		return genkit.GenerateText(ctx, g, ai.WithModel(chat), ai.WithMessages(ai.NewSystemTextMessage(system), ai.NewUserTextMessage(user)))
	}
}

func newEino(tb testing.TB, url string) complete {
	chat, err := einoopenai.NewChatModel(tb.Context(), &einoopenai.ChatModelConfig{
		APIKey: key, BaseURL: url + "/v1", Model: model, HTTPClient: pooled(tb),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return func(ctx context.Context) (string, error) {
		reply, err := chat.Generate(ctx, []*einoschema.Message{einoschema.SystemMessage(system), einoschema.UserMessage(user)})
		if err != nil {
			return "", err
		}
		return reply.Content, nil
	}
}
