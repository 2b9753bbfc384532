package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"
)

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

// barePolicy is for what brings no policy of its own.
const barePolicy = "default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"

var (
	policyMeta = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)"\s*/?>\n?`)
	bodyStart  = regexp.MustCompile(`<body[^>]*>`)
)

// inject adds to a page what serve needs: the script that loads it again, and the faults. It returns the page's policy,
// which moves to the response's header, where it admits that script and nothing else besides.
func inject(page []byte, name, version string, faults []fault) (changed []byte, policy string) {
	policy = barePolicy
	if match := policyMeta.FindSubmatch(page); match != nil {
		policy = html.UnescapeString(string(match[1]))
		page = bytes.Replace(page, match[0], nil, 1)
	}
	script := `<script data-page="` + html.EscapeString(
		name,
	) + `" data-version="` + version + `">` + reloadScript + "</script>\n"
	page = insert(page, lastIndex(page, "</body>"), script)
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

func lastIndex(page []byte, tag string) int {
	if i := bytes.LastIndex(page, []byte(tag)); i >= 0 {
		return i
	}
	return len(page)
}

func insert(page []byte, at int, text string) []byte {
	return slices.Concat(page[:at], []byte(text), page[at:])
}

// admit widens a policy by the script, where it asks, and the style of faults.
func admit(policy string) string {
	hash := sha256.Sum256([]byte(reloadScript))
	more := map[string]string{
		"script-src": "'sha256-" + base64.StdEncoding.EncodeToString(
			hash[:],
		) + "'", "connect-src": "'self'", "style-src": "'self'",
		"frame-ancestors": "'none'",
	}
	var directives []string
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		if source, ok := more[words[0]]; ok {
			words = slices.DeleteFunc(words, func(w string) bool { return w == "'none'" || w == source })
			words = append(words, source)
			delete(more, words[0])
		}
		directives = append(directives, strings.Join(words, " "))
	}
	for _, name := range []string{"script-src", "connect-src", "style-src", "frame-ancestors"} {
		if source, ok := more[name]; ok {
			directives = append(directives, name+" "+source)
		}
	}
	return strings.Join(directives, "; ")
}
