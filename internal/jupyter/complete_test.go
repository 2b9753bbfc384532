package jupyter

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/waittest"
)

// TestCompletion asks the real kernel what may follow, as front ends do. gopls answers it, which not everybody has.
func TestCompletion(t *testing.T) {
	spec := projectKernel(t)
	if _, err := lookPath("gopls", spec.environment(os.Environ())); err != nil {
		t.Skip(err)
	}
	s, err := startSession(t.Context(), spec, "", defaultPatience)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const code = "import \"github.com/siegebook/siegebook/analysis/phi\"\n\n%%\nx := phi.Fi"
	// gopls loads the module first, and until then has nothing to say.
	var matches []string
	proposed := func() bool {
		matches = complete(t, s, code)
		return slices.Contains(matches, "Fib")
	}
	if !waittest.Comes(proposed) {
		t.Fatalf("after %q the kernel proposes %q, want Fib too", code, matches)
	}
}

// complete returns what the kernel proposes at the end of a cell.
func complete(t *testing.T, s *session, code string) []string {
	t.Helper()
	m := request(s.id, "complete_request", map[string]any{"code": code, "cursor_pos": len(code)})
	if err := s.sockets.send(shell, m); err != nil {
		t.Fatal(err)
	}
	expired := time.After(waittest.Patience)
	for {
		select {
		case r := <-s.sockets.incoming:
			if r.err != nil {
				t.Fatal(r.err)
			}
			if r.message.header.Type != "complete_reply" || r.message.parent.ID != m.header.ID {
				continue
			}
			var in struct {
				Status  string
				Matches []string
			}
			if err := json.Unmarshal(r.message.content, &in); err != nil || in.Status != "ok" {
				t.Fatalf("the kernel replies %s, error %v", r.message.content, err)
			}
			return in.Matches
		case <-expired:
			t.Fatal("the kernel does not reply to complete_request")
		}
	}
}
