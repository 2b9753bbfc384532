package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/siegebook/siegebook/internal/report/site"
)

// These are the limits of the server. The pages are in memory, so no request should take long.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = 2 * time.Minute
	headerSize = 16 << 10
	mostReader = 64 // the maximum number of pages that may wait for news at the same time
	heartbeat  = 20 * time.Second
)

// preview serves editions of a report from memory.
type preview struct {
	hosts   hostRule
	waiting chan struct{} // has a slot for each page that waits for news

	asked chan string // the slugs of pages that somebody wants before the report is complete

	mu      sync.Mutex
	edition *edition
	whole   bool // there has been an edition with all pages
}

func newPreview(hosts hostRule) *preview {
	return &preview{
		hosts:   hosts,
		waiting: make(chan struct{}, mostReader),
		asked:   make(chan string, mostReader),
		edition: &edition{newer: make(chan struct{})},
	}
}

// publish creates the newest edition. If tree is nil, the last good tree stays.
func (p *preview) publish(tree site.Tree, faults []fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole = p.whole || tree != nil; tree == nil {
		tree = p.edition.tree
	}
	p.replace(&edition{tree: tree, faults: faults, newer: make(chan struct{})})
}

// lend shows some of the pages until all pages have been built.
func (p *preview) lend(tree site.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.whole {
		p.replace(&edition{tree: tree, faults: p.edition.faults, newer: make(chan struct{})})
	}
}

// replace makes an edition the newest. The caller holds the lock.
func (p *preview) replace(e *edition) {
	old := p.edition
	p.edition = e
	close(old.newer)
}

// ask requests a page before all pages have been built. It reports whether that is possible.
func (p *preview) ask(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole || len(p.edition.faults) > 0 {
		return false
	}
	select {
	case p.asked <- strings.TrimSuffix(name, ".html"):
	default: // many pages are requested already, and the report will be ready soon
	}
	return true
}

func (p *preview) current() *edition {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.edition
}

// server returns the HTTP server with its limits.
func (p *preview) server(ctx context.Context) *http.Server {
	return &http.Server{
		Handler: p, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: headerSize,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
}

// ServeHTTP serves GET and HEAD requests for files of the newest edition, by their exact names. It never looks up a
// path on disk.
func (p *preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Content-Security-Policy", barePolicy)
	switch {
	case !p.hosts.allows(r.Host):
		http.Error(w, "This server answers only requests to its own address.", http.StatusMisdirectedRequest)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "This server answers only requests to read pages.", http.StatusMethodNotAllowed)
		return
	}
	switch r.URL.Path {
	case styleAddress:
		send(w, r, http.StatusOK, "text/css; charset=utf-8", previewStyle)
	case newsAddress:
		p.news(w, r)
	default:
		p.file(w, r)
	}
}

// file sends a file of the report, or a page that explains why the file is missing.
func (p *preview) file(w http.ResponseWriter, r *http.Request) {
	e := p.current()
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	data, ok := e.tree[name]
	status := http.StatusOK
	switch {
	case !ok && path.Ext(name) != ".html":
		http.Error(w, "There is no such file in the report.", http.StatusNotFound)
		return
	case !ok:
		status, data = missing(e, p.ask(name))
		name = path.Base(name)
	case path.Ext(name) != ".html":
		if path.Ext(name) == ".svg" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		}
		send(w, r, status, contentType(name), data)
		return
	}
	page, policy := inject(data, name, e.version(name), e.faults)
	w.Header().Set("Content-Security-Policy", policy)
	send(w, r, status, contentType(name), page)
}

// missing returns the page to show if a page does not exist, or does not exist yet.
func missing(e *edition, coming bool) (status int, page []byte) {
	view := struct {
		Title, Text string
		Pages       []string
	}{Title: "There is no such page", Text: "The report has these pages:"}
	status = http.StatusNotFound
	for _, name := range slices.Sorted(maps.Keys(e.tree)) {
		if path.Ext(name) == ".html" && !strings.Contains(name, "/") {
			view.Pages = append(view.Pages, "/"+name)
		}
	}
	if e.tree == nil || coming {
		view.Pages = nil
		status, view.Title, view.Text = http.StatusServiceUnavailable, "The report is being computed",
			"This page will show the report when it is ready."
		if len(e.faults) > 0 {
			view.Title, view.Text = "The report cannot be built", "The reason is above."
		}
	}
	var b bytes.Buffer
	if err := previewPages.ExecuteTemplate(&b, "page", view); err != nil {
		return http.StatusInternalServerError, []byte(err.Error())
	}
	return status, b.Bytes()
}

func send(w http.ResponseWriter, r *http.Request, status int, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // an error means that the reader has disconnected
	}
}

// contentType returns the media type of a file in a report by its ending, independent of the system's table.
func contentType(name string) string {
	kinds := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".csv": "text/csv; charset=utf-8",
		".svg": "image/svg+xml", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
		".ipynb": "application/x-ipynb+json", ".txt": "text/plain; charset=utf-8", ".png": "image/png",
		".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	}
	if kind, ok := kinds[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// news sends the version of a page whenever it changes, as server-sent events, until the reader disconnects.
func (p *preview) news(w http.ResponseWriter, r *http.Request) {
	select {
	case p.waiting <- struct{}{}:
		defer func() { <-p.waiting }()
	default:
		http.Error(w, "Too many pages are open: close some.", http.StatusServiceUnavailable)
		return
	}
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	name, last := r.URL.Query().Get("page"), ""
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		e := p.current()
		line := ": still here\n\n"
		if version := e.version(name); version != last {
			line, last = "data: "+version+"\n\n", version
		}
		// The usual time limits do not apply to this response, but each write has a time limit.
		if control.SetReadDeadline(time.Time{}) != nil || control.SetWriteDeadline(time.Now().Add(writeTime)) != nil {
			return
		}
		if _, err := fmt.Fprint(w, line); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-e.newer:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

// hostRule determines which Host headers we accept. A page of another site can make its own host name resolve to this
// machine. It could then read the pages that we serve, unless we refuse requests for that name.
type hostRule struct {
	named string // the host of --addr
	port  string // the port of the listener
	local bool   // the server listens only on loopback addresses
}

func (h hostRule) allows(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = strings.Trim(hostport, "[]"), "80"
	}
	if port != h.port {
		return false
	}
	host = strings.ToLower(host)
	if host == "localhost" || host != "" && host == strings.ToLower(h.named) {
		return true
	}
	// An IP address is safe: nobody else can make it refer to this machine.
	address, err := netip.ParseAddr(host)
	return err == nil && (address.IsLoopback() || !h.local)
}

var (
	//go:embed preview/reload.js
	reloadScript string
	//go:embed preview/preview.css
	previewStyle []byte
	//go:embed preview/preview.tmpl
	previewLayout string

	previewPages = template.Must(template.New("").Parse(previewLayout))
)

const (
	styleAddress = "/-/preview.css"
	newsAddress  = "/-/news"
)

// barePolicy is the policy for content without its own policy.
const barePolicy = "default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"

var (
	policyMeta = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)"\s*/?>\n?`)
	bodyStart  = regexp.MustCompile(`<body[^>]*>`)
)

// inject adds the script that reloads the page, and the faults. It removes the policy from the page and returns it for
// the response header, extended to allow this script and no other.
func inject(page []byte, name, version string, faults []fault) (changed []byte, policy string) {
	policy = barePolicy
	if match := policyMeta.FindSubmatch(page); match != nil {
		policy = html.UnescapeString(string(match[1]))
		page = bytes.Replace(page, match[0], nil, 1)
	}
	script := `<script data-page="` + html.EscapeString(
		name,
	) + `" data-version="` + version + `">` + reloadScript + "</script>\n"
	end := bytes.LastIndex(page, []byte("</body>"))
	if end < 0 {
		end = len(page)
	}
	page = insert(page, end, script)
	if len(faults) > 0 {
		var b bytes.Buffer
		if err := previewPages.ExecuteTemplate(&b, "faults", faults); err != nil {
			b.WriteString(html.EscapeString(err.Error()))
		}
		if at := bodyStart.FindIndex(page); at != nil {
			page = insert(page, at[1], "\n"+b.String())
		}
	}
	page = insert(
		page, max(bytes.Index(page, []byte("</head>")), 0), `<link rel="stylesheet" href="`+styleAddress+`" />`+"\n",
	)
	return page, admit(policy)
}

func insert(page []byte, at int, text string) []byte {
	return slices.Concat(page[:at], []byte(text), page[at:])
}

// admit extends a policy to allow the script, its requests, and the style of faults.
func admit(policy string) string {
	hash := sha256.Sum256([]byte(reloadScript))
	directives := strings.Split(policy, "; ")
	for _, more := range [][2]string{
		{"script-src", "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"},
		{"connect-src", "'self'"},
		{"style-src", "'self'"},
		{"frame-ancestors", "'none'"},
	} {
		at := slices.IndexFunc(directives, func(d string) bool { return strings.HasPrefix(d, more[0]+" ") })
		if at < 0 {
			at, directives = len(directives), append(directives, more[0])
		}
		words := slices.DeleteFunc(strings.Fields(directives[at]), func(w string) bool {
			return w == "'none'" || w == more[1]
		})
		directives[at] = strings.Join(append(words, more[1]), " ")
	}
	return strings.Join(directives, "; ")
}
