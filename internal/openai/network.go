package openai

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// transportError names a failure to get any answer. Go's own words are not
// used: they quote addresses and what the server wrote.
func transportError(err error) *Error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	if isTimeout(err) {
		return &Error{Kind: Timeout, Reason: "does not answer in time", Err: errno(err)}
	}
	return &Error{Kind: Connection, Reason: connectionReason(err), Err: errno(err)}
}

// readError names a failure in the middle of an answer.
func (x *exchange) readError(err error) *Error {
	if errors.Is(err, errLimit) {
		return &Error{Kind: TooLarge, Status: x.status, Reason: "sends a reply larger than any reply should be"}
	}
	if isTimeout(err) {
		return &Error{Kind: Timeout, Status: x.status, Reason: "does not finish its answer in time", Err: errno(err)}
	}
	return &Error{Kind: Interrupted, Status: x.status, Reason: "broke off in the middle of its answer", Err: errno(err)}
}

// isTimeout recognises the network's time limits, and a context's.
func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

// errno is the operating system's error number in err, or nil.
func errno(err error) error {
	if n := syscall.Errno(0); errors.As(err, &n) {
		return n
	}
	return nil
}

// connectionReason says as much as is known about a connection that failed.
func connectionReason(err error) string {
	var (
		dns       *net.DNSError
		record    tls.RecordHeaderError
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
	)
	switch {
	case errors.As(err, &dns):
		return "cannot be found: its host name does not resolve; check base_url"
	case errors.As(err, &record):
		return "does not speak TLS; check whether base_url should begin with http:"
	case errors.As(err, &verify), errors.As(err, &authority), errors.As(err, &host):
		return "presents a TLS certificate that is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refuses the connection; check base_url and that the server runs"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "closed the connection without an answer"
	}
	return "cannot be reached, or does not answer in HTTP"
}
