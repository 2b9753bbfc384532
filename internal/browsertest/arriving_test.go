package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// arriving serves a page with a formula in two parts. The second is sent when the browser has laid out the first.
func arriving(t *testing.T, first, second string) (address string) {
	t.Helper()
	laidOut := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/laid-out", func(http.ResponseWriter, *http.Request) { close(laidOut) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, barePageHead+`<h1>a</h1><script>
const look = () => document.querySelector("math")?.getBoundingClientRect().height > 0 ? fetch("laid-out") : setTimeout(look);
look();
</script>`+first)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		waittest.Comes(func() bool {
			select {
			case <-laidOut:
				return true
			default:
				return false
			}
		})
		_, _ = io.WriteString(w, second)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// TestFormulasThatArrive: what a browser says of a sound formula while half of it is there is no fault of the page, and
// a formula that lacks a part is found.
func TestFormulasThatArrive(t *testing.T) {
	t.Parallel()
	w := startFirefox(t, false)
	for _, test := range []struct {
		name, first, second string
		want                []string
	}{
		{"sound", `<math><msub><mi>x</mi>`, `<mn>1</mn></msub></math>`, nil},
		{
			"a part lacks", `<math><msub><mi>x</mi>`, `</msub></math>`,
			[]string{`a formula has too few parts, or too many: <msub><mi>x</mi></msub>`},
		},
	} {
		w.open(arriving(t, test.first, test.second))
		problems := slices.DeleteFunc(w.problems(),
			func(p string) bool { return strings.HasPrefix(p, "the page asks for ") })
		if got := slices.Compact(problems); !slices.Equal(got, test.want) {
			t.Errorf("%s: found are %q, want %q", test.name, got, test.want)
		}
	}
}
