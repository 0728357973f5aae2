package execution

import (
	"os"
	"strings"
	"testing"
)

// TestTheTableOfFailures holds the table in docs/execution.md to the code.
func TestTheTableOfFailures(t *testing.T) {
	text, err := os.ReadFile("../../docs/execution.md")
	if err != nil {
		t.Fatal(err)
	}
	yes := map[bool]string{true: "yes", false: "no"}
	documented := make(map[Class]bool)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 6 || !strings.HasPrefix(line, "| `") {
			continue
		}
		class := Class(strings.Trim(cells[0], "| `"))
		documented[class] = true
		want := []string{yes[class.Retried()], yes[class.FallsBack()], yes[class.Repaired()]}
		for i, cell := range cells[2:5] {
			if cell != want[i] {
				t.Errorf("the table says %q in column %d of %q", cell, i+3, class)
			}
		}
		if (strings.Trim(cells[5], " |\n") == "1") != class.ofReply() {
			t.Errorf("the table gives %q the exit code %s", class, cells[5])
		}
	}
	for _, class := range classList {
		if !documented[class] {
			t.Errorf("the table has no row for %q", class)
		}
	}
	if len(documented) != len(classList) {
		t.Errorf("the table has %d rows, and there are %d classes", len(documented), len(classList))
	}
}

// classList is every class of failure.
var classList = []Class{
	ClassConnection, ClassInterrupted, ClassTimeout, ClassConflict, ClassRateLimited, ClassServer,
	ClassProtocol, ClassTooLarge, ClassQuota, ClassUnauthorized, ClassNotFound, ClassBadRequest, ClassContextLength,
	ClassUnsupported, ClassRedirect, ClassUnusable, ClassCredential, ClassCapacity, ClassCancelled, ClassUnknown,
	ClassTruncated, ClassRefused, ClassEmpty, ClassNotJSON, ClassMismatch,
}
