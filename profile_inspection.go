package promptkit

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/profile"
)

// inspect describes a resolved profile.
func (p *profileSet) inspect(line *profileLine) *ProfileInspection {
	t := line.target
	in := &ProfileInspection{
		ProfileID:   t.ProfileID,
		Extends:     slices.Clone(t.Line[1:]),
		Executable:  line.targetErr == nil,
		Target:      targetOf(t, &Overrides{}),
		MaxAttempts: max(1, t.RepairAttempts.Value),
		Fallback:    slices.Clone(t.Fallback.Value),
	}
	var reason *profile.TargetError
	if errors.As(line.targetErr, &reason) {
		in.Reason = reason.Reason
	}
	settings := profileSettings(t)
	if b := line.backend; b != nil {
		in.describeBackend(b)
		settings = append(settings, backendSettings(b)...)
	}
	if line.builtIn {
		nameVariables(settings)
	}
	in.Settings = settings
	return in
}

// nameVariables says of the built-in profile's settings which environment
// variable each comes from.
func nameVariables(settings []ProfileSetting) {
	for i := range settings {
		if name, ok := builtInSettings[settings[i].Name]; ok {
			settings[i].From = name
		}
	}
}

// describeBackend adds what is known of the backend.
func (in *ProfileInspection) describeBackend(b *definition.Backend) {
	in.Target.BackendID = b.ID
	in.Target.Offline = b.Kind.Value == definition.KindOffline
	in.Target.BaseURL = shownURL(b.BaseURL.Value)
	in.APIKeyEnv = b.APIKeyEnv.Value
	for _, h := range b.Headers {
		in.HeaderNames = append(in.HeaderNames, h.Name)
	}
	slices.Sort(in.HeaderNames)
	in.StructuredOutput = b.StructuredOutput.Value
	in.SessionField = b.SessionField.Value
	in.MaxConcurrent, in.MaxWaiting = b.MaxConcurrent.Value, b.MaxWaiting.Value
	in.Timeout = b.Timeout.Value
	in.Retry = Retry{MaxAttempts: b.RetryAttempts.Value, BaseDelay: b.RetryBaseDelay.Value, MaxDelay: b.RetryMaxDelay.Value}
}

// profileSettings lists the values that profiles of the line set, in the
// order of a profile file.
func profileSettings(t *profile.Target) []ProfileSetting {
	var s settingList
	addSetting(&s, "backend", t.Backend, plain)
	addSetting(&s, "model", t.Model, plain)
	addSetting(&s, "temperature", t.Temperature, number)
	addSetting(&s, "top_p", t.TopP, number)
	addSetting(&s, "max_output_tokens", t.MaxOutputTokens, strconv.Itoa)
	addSetting(&s, "seed", t.Seed, func(n int64) string { return strconv.FormatInt(n, 10) })
	addSetting(&s, "stop", t.Stop, quotedItems)
	addSetting(&s, "reasoning_effort", t.ReasoningEffort, plain)
	addSetting(&s, "repair.max_attempts", t.RepairAttempts, strconv.Itoa)
	addSetting(&s, "fallback", t.Fallback, quotedItems)
	return s
}

// backendSettings lists the values that a backend sets, in the order of a
// backend file.
func backendSettings(b *definition.Backend) []ProfileSetting {
	s := fieldList{backendID: b.ID}
	addField(&s, "kind", b.Kind, plain)
	addField(&s, "base_url", b.BaseURL, shownURL)
	addField(&s, "api_key_env", b.APIKeyEnv, plain)
	s.headers(b.Headers)
	addField(&s, "structured_output", b.StructuredOutput, plain)
	addField(&s, "max_concurrent", b.MaxConcurrent, strconv.Itoa)
	addField(&s, "max_waiting", b.MaxWaiting, strconv.Itoa)
	addField(&s, "timeout", b.Timeout, time.Duration.String)
	addField(&s, "retry.max_attempts", b.RetryAttempts, strconv.Itoa)
	addField(&s, "retry.base_delay", b.RetryBaseDelay, time.Duration.String)
	addField(&s, "retry.max_delay", b.RetryMaxDelay, time.Duration.String)
	addField(&s, "session_field", b.SessionField, plain)
	return s.list
}

type settingList []ProfileSetting

// addSetting lists a value that some profile of the line sets.
func addSetting[T any](s *settingList, name string, v profile.Value[T], show func(T) string) {
	if !v.Set() {
		return
	}
	*s = append(*s, ProfileSetting{
		Name: name, Value: show(v.Value), From: v.From, Kind: ProblemProfile, File: v.Position.File, Line: v.Position.Line,
	})
}

// fieldList collects the fields of one backend.
type fieldList struct {
	backendID string
	list      []ProfileSetting
}

// addField lists a value that the backend sets itself.
func addField[T any](s *fieldList, name string, f definition.Field[T], show func(T) string) {
	if !f.Set {
		return
	}
	s.list = append(s.list, ProfileSetting{
		Name: name, Value: show(f.Value), From: s.backendID, Kind: ProblemBackend, File: f.Position.File, Line: f.Position.Line,
	})
}

// headers lists headers by name. A literal value may be a credential, so only
// the name of a variable is shown.
func (s *fieldList) headers(headers []definition.Header) {
	sorted := slices.SortedFunc(slices.Values(headers), func(a, b definition.Header) int { return cmp.Compare(a.Name, b.Name) })
	for _, h := range sorted {
		value := mask
		if h.Env != "" {
			value = "${env:" + h.Env + "}"
		}
		s.list = append(s.list, ProfileSetting{
			Name: "headers." + h.Name, Value: value, From: s.backendID, Kind: ProblemBackend, File: h.Position.File, Line: h.Position.Line,
		})
	}
}

func plain(s string) string { return s }

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// quotedItems shows a list as a file would.
func quotedItems(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = strconv.Quote(item)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
