package site

import (
	"bytes"
	"errors"
	"html"
	"regexp"
)

var (
	stampStart = []byte(`<dl class="stamp">`)
	stampField = regexp.MustCompile(`(?s)<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>`)
)

// ReadStamp returns the stamp of a page that Render or RenderSingle has made: how to make it again. The stamp is the
// last thing on a page, and what looks like one in its text is escaped.
func ReadStamp(page []byte) ([]Field, error) {
	start := bytes.LastIndex(page, stampStart)
	if start < 0 {
		return nil, errors.New("it has no stamp: it is no page of a report")
	}
	list, _, ok := bytes.Cut(page[start:], []byte("</dl>"))
	if !ok {
		return nil, errors.New("its stamp is cut off: the page is damaged")
	}
	var fields []Field
	for _, match := range stampField.FindAllSubmatch(list, -1) {
		fields = append(fields, Field{html.UnescapeString(string(match[1])), html.UnescapeString(string(match[2]))})
	}
	return fields, nil
}
