package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxLine bounds one line of a stream. A chunk carries a few tokens.
const maxLine = 1 << 20

// streamReader reads a reply from server-sent events.
type streamReader struct {
	x       *exchange
	lines   *bufio.Reader
	onText  func(string)
	maxText int

	text, refusal strings.Builder
	reply         Reply
	chunk         completion // the one being read
	data          []byte     // of the event being read; its memory is used again
	chunks        int
	ended         bool // the choice has a finish reason
	done          bool // [DONE] was seen
}

// read reads the stream to its end.
func (s *streamReader) read() (*Reply, error) {
	for !s.done {
		data, err := s.event()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		// An event that the end of the stream cut off is still whole if it
		// decodes: some servers leave out the last blank line.
		if fault := s.take(data, err != nil); fault != nil {
			return nil, fault
		}
		if err != nil {
			break
		}
	}
	return s.finish()
}

// finish is the reply if the stream said that it is complete. A finish reason
// says so too, where [DONE] is missing and the body itself ended properly.
func (s *streamReader) finish() (*Reply, error) {
	if !s.done && !s.ended {
		return nil, &Error{Kind: Interrupted, Status: s.x.status, Reason: "ended the stream before the end of the reply"}
	}
	if s.chunks == 0 {
		return nil, s.x.protocol("answers with a stream without a choice")
	}
	s.reply.Text, s.reply.Refusal = s.text.String(), s.refusal.String()
	return &s.reply, nil
}

// event returns the data of the next event, valid until the next call; with
// io.EOF, what there was of it.
func (s *streamReader) event() ([]byte, error) {
	s.data = s.data[:0]
	for {
		line, err := s.line()
		if value, ok := bytes.CutPrefix(line, dataField); ok {
			if len(s.data) > 0 {
				s.data = append(s.data, '\n')
			}
			s.data = append(s.data, bytes.TrimPrefix(value, oneSpace)...)
		}
		if err != nil {
			return s.data, err
		}
		if len(s.data) > maxLine {
			return nil, s.tooLarge()
		}
		if len(line) == 0 && len(s.data) > 0 {
			return s.data, nil
		}
	}
}

var dataField, oneSpace = []byte("data:"), []byte(" ")

// line returns the next line without its end, valid until the next call.
func (s *streamReader) line() ([]byte, error) {
	line, err := s.lines.ReadSlice('\n')
	if err == nil {
		return trimEnd(line), nil
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return s.longLine(line)
	}
	return trimEnd(line), s.readError(err)
}

// trimEnd is a line without the bytes that end it.
func trimEnd(line []byte) []byte {
	n := len(line)
	for n > 0 && (line[n-1] == '\n' || line[n-1] == '\r') {
		n--
	}
	return line[:n]
}

// longLine collects a line that is longer than the buffer.
func (s *streamReader) longLine(start []byte) ([]byte, error) {
	long := bytes.Clone(start)
	for {
		part, err := s.lines.ReadSlice('\n')
		long = append(long, part...)
		if len(long) > maxLine {
			return nil, s.tooLarge()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return trimEnd(long), s.readError(err)
		}
	}
}

// readError is io.EOF for a proper end of the body, nil for nil, and a named
// failure for the rest.
func (s *streamReader) readError(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return s.x.readError(err)
}

func (s *streamReader) tooLarge() *Error {
	return &Error{Kind: TooLarge, Status: s.x.status, Reason: "sends a reply larger than any reply should be"}
}

// take reads the data of one event. A last event may have been cut off.
func (s *streamReader) take(data []byte, last bool) error {
	if len(data) == 0 {
		return nil
	}
	if string(data) == "[DONE]" {
		s.done = true
		return nil
	}
	c := &s.chunk
	if !c.parse(data) {
		if last {
			return nil // finish says what this means
		}
		return s.x.protocol("sends a stream with a chunk that is not the JSON of a chat completion")
	}
	if c.failed || len(c.choices) == 0 && !c.hasUsage && describesError(data) {
		return s.x.errorIn(data)
	}
	s.add(c)
	if s.text.Len()+s.refusal.Len() > s.maxText {
		return s.tooLarge()
	}
	return nil
}

// add adds a chunk to the reply.
func (s *streamReader) add(c *completion) {
	if c.hasUsage {
		s.reply.Usage = c.usage
	}
	if s.reply.ID == "" {
		s.reply.ID, s.reply.Model = s.x.identifier(c.id), s.x.identifier(c.model)
	}
	for _, choice := range c.choices {
		if choice.index != 0 {
			continue
		}
		s.chunks++
		if choice.finishReason != "" {
			s.ended, s.reply.FinishReason = true, s.x.finishReason(choice.finishReason)
		}
		s.refusal.WriteString(choice.refusal)
		if choice.text != "" {
			s.text.WriteString(choice.text)
			if s.onText != nil {
				s.onText(choice.text)
			}
		}
	}
}
