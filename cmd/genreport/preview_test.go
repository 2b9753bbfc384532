package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
)

const samplePage = `<!DOCTYPE html>
<html><head>
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src 'self'; script-src 'none'" />
<link rel="stylesheet" href="style.css" /></head>
<body id="top">
<p>Text, with &lt;/body&gt; in it.</p>
</body>
</html>
`

func samplePreview() *preview {
	p := newPreview(hostRule{named: "127.0.0.1", port: "8000", local: true})
	p.publish(site.Tree{
		"index.html": []byte(samplePage), "a.html": []byte(samplePage + "a"), "style.css": []byte("p {}"),
		"assets/a/x.svg": []byte("<svg/>"), "assets/a/x.csv": []byte("1"), "assets/a/x.ipynb": []byte("{}"),
		"assets/a/x.bin": []byte("?"), "assets/a/x.png": []byte("png"),
	}, nil)
	return p
}

// ask sends a request with an unchanged target.
func ask(p *preview, method, host, target string) *http.Response {
	r := httptest.NewRequest(method, "http://"+host+"/", nil)
	r.URL.Path = target
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	data := must.Get(io.ReadAll(r.Body))
	return string(data)
}

// TestHosts checks that a page of another site whose host name resolves to this machine (DNS rebinding) is refused.
func TestHosts(t *testing.T) {
	rules := map[string]hostRule{
		"local": {named: "127.0.0.1", port: "8000", local: true},
		"open":  {named: "0.0.0.0", port: "8000"},
		"named": {named: "Castle.example", port: "80"},
	}
	must.Answers(t, "testdata/tables.txt", func(row struct{ Rule, Host string }) []any {
		return []any{rules[row.Rule].allows(row.Host)}
	})
}

// TestRequests checks that names outside of the report are not found, even if a file system would find them, and that
// other methods and hosts are refused.
func TestRequests(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestRequests") {
		r := ask(samplePreview(), row[0], row[1], row[2])
		h, text := r.Header, body(t, r)
		if fmt.Sprint(r.StatusCode) != row[3] || row[4] != "" && h.Get("Content-Type") != row[4] {
			t.Errorf("%q: %s, type %q", row, r.Status, h.Get("Content-Type"))
		}
		if strings.Contains(text, "package main") || row[3] != "200" && strings.Contains(text, "Text,") {
			t.Errorf("%q: %s", row, text)
		}
		if h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") ||
			(h.Get("Allow") == "GET, HEAD") != (row[3] == "405") {
			t.Errorf("%q: headers %v", row, h)
		}
	}
}

func TestHead(t *testing.T) {
	get, head := ask(samplePreview(), "GET", "localhost:8000", "/"), ask(samplePreview(), "HEAD", "localhost:8000", "/")
	if head.StatusCode != 200 || body(t, head) != "" ||
		head.Header.Get("Content-Length") != get.Header.Get("Content-Length") {
		t.Errorf("HEAD: %s, %v", head.Status, head.Header)
	}
	if r := ask(samplePreview(), "HEAD", "localhost:8000", newsAddress); r.StatusCode != 200 || body(t, r) != "" {
		t.Errorf("HEAD of the news: %s", r.Status)
	}
}

// TestInject checks that the policy of the page moves to the header and that it allows exactly one more script, by its
// hash.
func TestInject(t *testing.T) {
	page, policy := inject([]byte(samplePage), `a"b.html`, "v1",
		[]fault{{Place: "a.md:1:2:", Message: "<script>x</script>"}})
	text := string(page)
	for _, want := range []string{
		`data-page="a&#34;b.html" data-version="v1">"use strict";`,
		"&lt;script&gt;x&lt;/script&gt;", `<body id="top">` + "\n" + `<section class="preview-faults"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Content-Security-Policy") || strings.Count(text, "<script") != 1 ||
		!strings.HasSuffix(text, "</script>\n</body>\n</html>\n") {
		t.Errorf("the page is\n%s", text)
	}
	if policy != "default-src 'none'; style-src 'self'; script-src 'sha256-"+scriptHash(t, text)+
		"'; connect-src 'self'; frame-ancestors 'none'" {
		t.Errorf("policy %s", policy)
	}
	if _, policy := inject([]byte(strings.Replace(samplePage, "script-src 'none'", "script-src 'sha256-abc='", 1)), "a",
		"v", nil); !strings.Contains(policy, "script-src 'sha256-abc=' 'sha256-") {
		t.Errorf("the page's own script is locked out: %s", policy)
	}
	if _, policy := inject([]byte("<p>"), "a", "v", nil); !strings.HasPrefix(policy,
		barePolicy+"; script-src 'sha256-") {
		t.Errorf("a page without a policy: %s", policy)
	}
}

// TestVersions checks that a page is reloaded if it, its files, the style or the faults change, but not for changes
// of other pages.
func TestVersions(t *testing.T) {
	p := samplePreview()
	before := p.current()
	for name, want := range map[string]bool{
		"a.html": true, "index.html": false, "assets/a/x.svg": true, "assets/ab/x.svg": false, "style.css": true,
	} {
		tree := maps.Clone(before.tree)
		tree[name] = nil
		if now := (&edition{tree: tree}).version("a.html"); (now != before.version("a.html")) != want {
			t.Errorf("%s has changed: new version %v, want %v", name, !want, want)
		}
	}
	if (&edition{tree: before.tree}).version("a.html") != before.version("a.html") {
		t.Error("nothing has changed: new version")
	}
	if (&edition{tree: before.tree, faults: []fault{{Message: "x"}}}).version("a.html") == before.version("a.html") {
		t.Error("a fault has no new version")
	}
	if before.version("new.html") == (&edition{tree: site.Tree{"new.html": nil}}).version("new.html") {
		t.Error("a page that comes is not loaded")
	}
}

// TestNews reads the events that the server sends to a page, up to the limit of readers.
func TestNews(t *testing.T) {
	p := samplePreview()
	server := httptest.NewUnstartedServer(p)
	p.hosts.port = server.Listener.Addr().String()[strings.LastIndex(server.Listener.Addr().String(), ":")+1:]
	server.Config = p.server(t.Context())
	server.Start()
	defer server.Close()
	defer server.CloseClientConnections()
	if c := server.Config; c.ReadHeaderTimeout <= 0 || c.ReadTimeout <= 0 || c.WriteTimeout <= 0 ||
		c.IdleTimeout <= 0 || c.MaxHeaderBytes <= 0 {
		t.Errorf("a limit is missing: %+v", c)
	}
	lines := follow(t, server.URL, "a.html")
	first := <-lines
	if first != p.current().version("a.html") {
		t.Errorf("at first %q", first)
	}
	p.publish(nil, []fault{{Message: "x"}})
	if second := <-lines; second != p.current().version("a.html") || second == first {
		t.Errorf("with a fault %q", second)
	}
	p.publish(nil, nil)
	if third := <-lines; third != first {
		t.Errorf("mended %q, at first %q", third, first)
	}
	for range mostReader - 1 {
		p.waiting <- struct{}{}
	}
	r, err := http.Get(server.URL + newsAddress)
	if err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one reader too many: %v, %v", r, err)
	}
}

// follow returns the versions that the server sends to a page.
func follow(t *testing.T, address, page string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	request := must.Get(http.NewRequestWithContext(ctx, "GET", address+newsAddress+"?page="+page, nil))
	response := must.Get(http.DefaultClient.Do(request))
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("the news are %q", kind)
	}
	versions := make(chan string, 16)
	go func() {
		defer response.Body.Close()
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if version, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				versions <- version
			}
		}
	}()
	return versions
}

// TestBefore checks what a reader sees before there is a report, and what a reader sees if there is no report because
// of a fault.
func TestBefore(t *testing.T) {
	p := newPreview(hostRule{port: "8000", local: true})
	for _, c := range []struct {
		faults []fault
		want   string
	}{{nil, "The report is being computed"}, {[]fault{{Message: "the claim is wrong"}}, "the claim is wrong"}} {
		p.publish(nil, c.faults)
		r := ask(p, "GET", "localhost:8000", "/")
		if text := body(t, r); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, c.want) ||
			!strings.Contains(text, "EventSource") {
			t.Errorf("%s: %s", r.Status, text)
		}
	}
}

// scriptHash returns the hash that a policy must have for the only script of a page.
func scriptHash(t *testing.T, page string) string {
	t.Helper()
	start := strings.Index(page, "<script")
	start += strings.Index(page[start:], ">") + 1
	sum := sha256.Sum256([]byte(page[start : start+strings.Index(page[start:], "</script>")]))
	return base64.StdEncoding.EncodeToString(sum[:])
}
