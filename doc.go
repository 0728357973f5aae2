// Package promptkit keeps LLM prompts as files and answers, before any input
// exists and without contacting a model, what each of them will need. Then
// it prepares them (renders, hashes, freezes) and runs them.
//
// A prompt is a versioned definition: messages written as Go text/template,
// declared inputs, an output contract and a default execution profile. An
// [Engine] captures a project of them once, and after that answers from
// memory:
//
//   - What does this prompt declare? [Engine.InspectPrompt]
//   - What will it need here, with these variables? [Engine.InspectRequirements]
//   - What would it run against, and with which parameters? [Engine.InspectProfile]
//   - What exactly would be sent? [Engine.Prepare]
//   - What does the model answer, and does the answer keep the contract?
//     [Engine.Run], or [Engine.PrepareExecution] and [Engine.RunPrepared] to
//     freeze a request first and send it later, or often
//   - What is wrong with the project? [Engine.Problems] for what failed when
//     it was captured, [Engine.Check] for a closer look
//
// # Sources
//
// Prompts, profiles, backends and schemas each come from exactly one source:
// a directory named in [Config], or what the last option for it says. Sources
// are never merged and nothing falls back. After [New] returns, no operation
// reads a prompt, profile or backend again; a file that changes later is
// invisible to this engine.
//
// One bad definition does not take the engine down and is never passed over
// in silence: lookups that could have selected it fail with [ErrPromptLoad],
// and everything else works.
//
// # Errors
//
// Every error matches exactly one of the sentinels with [errors.Is]. What
// else can be told apart is a typed error for [errors.As]: [MissingError],
// [OutputError], [ProviderError], [CapacityError]. Context and file errors
// stay reachable through errors.Is. No error quotes a variable's value, an
// input's content, a credential or the text of a template.
//
// # Concurrency and ownership
//
// An Engine is safe for concurrent use and takes no lock to answer. Whatever
// a method returns belongs to the caller, and changing it changes nothing
// else. Maps and slices in a request are read before the method returns and
// are not kept.
package promptkit
