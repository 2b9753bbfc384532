package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/lesson"
)

// metadataName is the name of our notes in the metadata of a notebook and of its cells.
const metadataName = "siegebook_page"

// note is what a cell's metadata say about the text of the page around it. Usual values are left out.
type note struct {
	Open  string  `json:"open,omitempty"`  // the line that begins the block
	Close string  `json:"close,omitempty"` // the line that ends it
	Main  bool    `json:"main,omitempty"`  // a line %% was put in
	Blank bool    `json:"blank,omitempty"` // the code is an empty line, rather than none
	Lead  *string `json:"lead,omitempty"`  // what stands before the cell
	Trail *string `json:"trail,omitempty"` // what stands behind it
}

// notebookNote is what a notebook's metadata say about its page.
type notebookNote struct {
	Page string `json:"page"` // its SHA-256
}

// piece is a part of a page: front matter, text, or a cell.
type piece struct {
	kind              jupyter.CellKind
	text              string // with all that stands around it, save for a cell
	open, code, close string
}

// pieces cuts a page at its cells. Joined, they are the page.
func pieces(page string) []piece {
	var all []piece
	text := func(text string) {
		if text != "" {
			all = append(all, piece{kind: jupyter.Markdown, text: text})
		}
	}
	if strings.HasPrefix(page, "---\n") {
		if end := strings.Index(page, "\n---\n"); end >= 0 {
			end += len("\n---\n")
			all, page = append(all, piece{kind: jupyter.Raw, text: page[:end]}), page[end:]
		}
	}
	lines := slices.Collect(strings.Lines(page))
	from := 0
	for i := 0; i < len(lines); i++ {
		m := fence.FindStringSubmatch(strings.TrimRight(lines[i], "\r\n"))
		if m == nil {
			continue
		}
		end := i + 1
		for end < len(lines) && !closes(lines[end], m[2]) {
			end++
		}
		words := strings.Fields(m[3])
		if end < len(lines) && m[1] == "" && len(words) > 1 && words[0] == "go" && words[1] == "run" {
			text(strings.Join(lines[from:i], ""))
			all = append(all, piece{
				kind: jupyter.Code, open: lines[i], code: strings.Join(lines[i+1:end], ""), close: lines[end],
			})
			from = end + 1
		}
		i = end
	}
	text(strings.Join(lines[min(from, len(lines)):], ""))
	return all
}

// usual is what stands before and behind a text, between what is before and behind it in the notebook.
func usual(first, afterText, last bool) (lead, trail string) {
	lead, trail = "\n", "\n\n"
	if first || afterText {
		lead = ""
	}
	if last {
		trail = "\n"
	}
	return lead, trail
}

// Export makes a notebook of a page, which Jupyter opens and Import turns into the same page.
func Export(page []byte) ([]byte, error) {
	if line, column := notText(page); line > 0 {
		return nil, fmt.Errorf("line %d, column %d: this is not UTF-8: save the page as UTF-8 without a byte "+
			"order mark", line, column)
	}
	cells := []map[string]any{}
	all := pieces(string(page))
	gap := ""           // between a cell and what is before it
	behindText := false // the cell before is a text
	for i, p := range all {
		id := "text-" + strconv.Itoa(i+1)
		about := note{}
		lead, trail := usual(len(cells) == 0, behindText, i+1 == len(all))
		switch body := strings.Trim(p.text, "\n"); {
		case p.kind == jupyter.Raw:
			cells = append(cells, textCell("raw", "front", strings.TrimSuffix(p.text, "\n"), about))
		case p.kind == jupyter.Markdown && body == "" && i+1 < len(all):
			gap = p.text
			continue
		case p.kind == jupyter.Markdown:
			at := strings.Index(p.text, body)
			if have := p.text[:at]; have != lead {
				about.Lead = &have
			}
			if have := p.text[at+len(body):]; have != trail {
				about.Trail = &have
			}
			cells = append(cells, textCell("markdown", id, body, about))
		default:
			about.Open, about.Close, about.Blank = p.open, p.close, p.code == "\n"
			source, main := withMain(strings.TrimSuffix(p.code, "\n"))
			about.Main = main >= 0
			if standard := gapBefore(len(cells) == 0, behindText); gap != standard {
				have := gap
				about.Lead = &have
			}
			cells = append(cells, codeCell("cell-"+strconv.Itoa(i+1), source, map[string]any{metadataName: about}))
		}
		gap, behindText = "", p.kind == jupyter.Markdown
	}
	sum := sha256.Sum256(page)
	about := map[string]any{metadataName: notebookNote{hex.EncodeToString(sum[:])}}
	return notebookOf(cells, about).Bytes(), nil
}

// gapBefore is what usually stands before a cell.
func gapBefore(first, behindText bool) string {
	if first || behindText {
		return ""
	}
	return "\n"
}

func textCell(kind, id, source string, about note) map[string]any {
	metadata := map[string]any{}
	if about != (note{}) {
		metadata[metadataName] = about
	}
	return map[string]any{"cell_type": kind, "id": id, "metadata": metadata, "source": source}
}

// exportOf returns what the metadata of a notebook say about its page; false if it is of none.
func exportOf(data []byte) (notebookNote, bool) {
	var n struct {
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	var about notebookNote
	if json.Unmarshal(data, &n) != nil || n.Metadata[metadataName] == nil {
		return about, false
	}
	return about, json.Unmarshal(n.Metadata[metadataName], &about) == nil && about.Page != ""
}

// IsExport says whether a notebook is the copy of a page, as Export makes it.
func IsExport(data []byte) bool {
	_, is := exportOf(data)
	return is
}

// ExportOf says whether a notebook was made of a page with these bytes.
func ExportOf(data, page []byte) bool {
	about, is := exportOf(data)
	sum := sha256.Sum256(page)
	return is && about.Page == hex.EncodeToString(sum[:])
}

// Renewed returns a notebook that was made of a page as one that is made of another version of it.
func Renewed(data, page []byte) []byte {
	about, _ := exportOf(data)
	sum := sha256.Sum256(page)
	return bytes.Replace(data, []byte(`"`+about.Page+`"`), []byte(`"`+hex.EncodeToString(sum[:])+`"`), 1)
}

// Import makes a page of a notebook. One that Export has made comes back byte for byte, and what was changed in Jupyter
// with it; outputs are left out.
func Import(data []byte) ([]byte, error) {
	n, err := jupyter.Parse(data)
	if err != nil {
		return nil, err
	}
	if n.Language() != "go" && n.Language() != "" {
		return nil, fmt.Errorf("the notebook is in %s: a page has cells in Go", n.Language())
	}
	var page bytes.Buffer
	cells := n.Cells()
	for i, c := range cells {
		var metadata map[string]json.RawMessage
		var about note
		if len(c.Metadata) > 0 {
			err := json.Unmarshal(c.Metadata, &metadata)
			if err == nil && metadata[metadataName] != nil {
				err = json.Unmarshal(metadata[metadataName], &about)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: its metadata %s: %w: take them out", c.Name(i), metadataName, err)
			}
		}
		behindText := i > 0 && cells[i-1].Kind == jupyter.Markdown
		lead, trail := usual(i == 0, behindText, i+1 == len(cells))
		switch {
		case len(c.Attachments) > 0:
			return nil, errors.New(c.Name(i) + ": it has pictures inside: save them as files beside the page")
		case c.Kind == jupyter.Raw && i == 0 && strings.HasPrefix(c.Source, "---\n"):
			page.WriteString(c.Source + "\n")
			continue
		case c.Kind == jupyter.Code:
			lead, trail = gapBefore(i == 0, behindText), ""
		}
		if about.Lead != nil {
			lead = *about.Lead
		}
		if about.Trail != nil {
			trail = *about.Trail
		}
		text := c.Source
		if c.Kind == jupyter.Code {
			text = fenced(c, about)
		}
		page.WriteString(lead + text + trail)
	}
	return page.Bytes(), nil
}

// fenced writes a code cell as a block of the page.
func fenced(c jupyter.Cell, about note) string {
	source := c.Source
	if about.Main {
		lines := strings.Split(source, "\n")
		if at := slices.Index(lines, "%%"); at >= 0 {
			source = strings.Join(slices.Delete(lines, at, at+1), "\n")
		}
	}
	if source != "" || about.Blank {
		source += "\n"
	}
	ends := func(mark string) bool {
		return slices.ContainsFunc(strings.Split(source, "\n"), func(line string) bool { return closes(line, mark) })
	}
	mark := "```"
	for ends(mark) {
		mark += "`"
	}
	open, end := mark+"go run", mark+"\n"
	switch {
	case c.HasTag(lesson.TagShowInput):
		open += " " + howShow
	case c.HasTag(lesson.TagHideOutput):
		open += " " + howAnswer
	}
	open += "\n"
	if m := fence.FindStringSubmatch(strings.TrimRight(about.Open, "\r\n")); m != nil && !ends(m[2]) {
		open, end = about.Open, about.Close
	}
	return open + source + end
}
