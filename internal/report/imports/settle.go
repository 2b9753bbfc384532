package imports

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

func isPicture(kind string, data []byte) bool {
	_, err := sanitize.NewPicture(kind, data)
	return err == nil
}

// mostRounds is the maximum number of times that the book is read to find remaining faults.
const mostRounds = 6

// settle reads the new book without running its cells. It turns refused text into plain text or, if that fails, shows
// the text as written.
func (c *importer) settle() error {
	tried := map[string]int{}
	for range mostRounds {
		faults, err := c.faults()
		if err != nil || len(faults) == 0 {
			return err
		}
		seen := map[string]int{} // the first changed line of each page
		for _, fault := range slices.Backward(faults) {
			d, lines := c.documentLines(fault.File)
			if d == nil || fault.Line < 1 || fault.Line > len(lines) {
				continue
			}
			if mended, ok := withoutFormula(lines[fault.Line-1].text, fault.Msg); ok {
				c.note(d, lines[fault.Line-1].number, "a formula becomes code, because a book rejects it: %s",
					fault.Msg)
				lines[fault.Line-1].text = mended
				continue
			}
			begin, end := blockAt(lines, fault.Line-1)
			if c.unled(d, lines[begin:end], fault.Msg) {
				continue
			}
			if first, ok := seen[d.to]; ok && end > first {
				continue
			}
			seen[d.to] = begin
			c.note(d, lines[begin].number, "this becomes plain text, because a book rejects it: %s", fault.Msg)
			place := d.to + "\x00" + strings.TrimSpace(lines[begin].text)
			tried[place]++
			c.made[d.to] = slices.Replace(slices.Clone(lines), begin, end, plain(lines[begin:end], tried[place])...)
			tried[d.to+"\x00"+strings.TrimSpace(c.made[d.to][begin].text)] = tried[place]
		}
	}
	return nil
}

var badTeX = regexp.MustCompile(`^bad TeX in ("(?:[^"\\]|\\.)*")`)

// withoutFormula returns a refused line with its faulty formula turned into code. ok is false if the line has no such
// formula.
func withoutFormula(text, message string) (mended string, ok bool) {
	m := badTeX.FindStringSubmatch(message)
	if m == nil {
		return "", false
	}
	tex, err := strconv.Unquote(m[1])
	if err != nil || tex == "" {
		return "", false
	}
	at := strings.Index(text, "$"+tex)
	if at < 0 || at > 0 && text[at-1] == '$' {
		return "", false
	}
	end := strings.Index(text[at+1:], "$")
	if end < 0 {
		return "", false
	}
	return text[:at] + codeSpan(text[at+1:at+1+end]) + text[at+2+end:], true
}

var (
	noTarget = regexp.MustCompile(`^\{\{ (?:ref|picture) ("(?:[^"\\]|\\.)*") \}\}: there is no such target`)
	noPage   = regexp.MustCompile(`^the link to ("(?:[^"\\]|\\.)*") `)
	refCall  = regexp.MustCompile(`\{\{ ref ("(?:[^"\\]|\\.)*")(?: "(?:[^"\\]|\\.)*")? \}\}`)
	anyLink  = regexp.MustCompile(`!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?([^()<>\s]*)>?\)`)
)

// unled removes from lines the references and links that have no target, and reports whether it found any.
func (c *importer) unled(d *document, lines []line, message string) (found bool) {
	for i, l := range lines {
		text := l.text
		if m := noTarget.FindStringSubmatch(message); m != nil {
			text = refCall.ReplaceAllStringFunc(text, func(call string) string {
				of := refCall.FindStringSubmatch(call)
				if of[1] != m[1] {
					return call
				}
				target, err := strconv.Unquote(of[1])
				if err != nil {
					return call
				}
				return codeSpan(target)
			})
		}
		if m := noPage.FindStringSubmatch(message); m != nil {
			dest, err := strconv.Unquote(m[1])
			text = anyLink.ReplaceAllStringFunc(text, func(link string) string {
				of := anyLink.FindStringSubmatch(link)
				if err != nil || of[2] != dest || of[1] == "" {
					return link
				}
				return of[1] + " (" + codeSpan(dest) + ")"
			})
		}
		if text != l.text {
			c.note(d, l.number, "a link that leads nowhere becomes text: %s", message)
			lines[i].text, found = text, true
		}
	}
	return found
}

// documentLines returns the document and the lines for a page's file.
func (c *importer) documentLines(file string) (*document, []line) {
	for _, d := range c.docs {
		if lines, ok := c.made[d.to]; ok && filepath.ToSlash(file) == d.to {
			return d, lines
		}
	}
	return nil, nil
}

// faults reads the files as a book, and returns its faults.
func (c *importer) faults() (site.Errors, error) {
	dir, err := os.MkdirTemp("", "siegebook-import")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files := map[string][]byte{}
	for name, data := range c.files {
		files[name] = data
	}
	for name, lines := range c.made {
		var text strings.Builder
		for _, l := range lines {
			text.WriteString(l.text + "\n")
		}
		files[name] = []byte(text.String())
	}
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return nil, err
		}
	}
	f, err := folder.Read(dir, explore.Set{})
	if err != nil {
		return nil, err
	}
	_, err = book.Build(context.Background(), f.Book(), book.Options{})
	var more site.Errors
	if err != nil && !errors.As(err, &more) {
		return nil, err
	}
	faults := f.Faults(more...)
	for i, fault := range faults {
		copied := *fault
		if rel, err := filepath.Rel(dir, fault.File); err == nil {
			copied.File = filepath.ToSlash(rel)
		}
		faults[i] = &copied
	}
	return faults, nil
}

// blockAt returns the range of the block that contains a line: a block of code, or the lines between empty lines.
func blockAt(lines []line, at int) (begin, end int) {
	fence := ""
	from := 0
	for i := 0; i < len(lines); i++ {
		text := strings.TrimSpace(strings.TrimLeft(lines[i].text, "> "))
		switch mark := fenceMark(text); {
		case fence == "" && mark != "":
			fence, from = mark, i
		case fence != "" && strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "":
			if from <= at && at <= i {
				return from, i + 1
			}
			fence = ""
		}
		if i > at && fence == "" {
			break
		}
	}
	begin, end = at, at+1
	empty := func(i int) bool { return strings.Trim(lines[i].text, "> \t") == "" }
	for begin > 0 && !empty(begin-1) {
		begin--
	}
	for end < len(lines) && !empty(end) {
		end++
	}
	return begin, end
}

// plain turns lines into plain text. If the plain text has been refused too, it shows the lines as code.
func plain(in []line, tries int) (out []line) {
	first := strings.TrimSpace(in[0].text)
	if fenceMark(first) != "" {
		prefix := container.FindString(in[0].text)
		out = append(out, in...)
		out[0] = line{prefix + fenceMark(strings.TrimSpace(in[0].text[len(prefix):])) + "text", in[0].number}
		return out
	}
	if tries > 1 || strings.HasPrefix(first, "|") || strings.HasPrefix(first, "$$") {
		return codeLines("text", in[0].number, in)
	}
	for _, l := range in {
		prefix := linePrefix.FindString(l.text)
		if strings.HasPrefix(l.text, ":") {
			prefix = ""
		}
		out = append(out, line{prefix + site.Escape(l.text[len(prefix):]), l.number})
	}
	return out
}
