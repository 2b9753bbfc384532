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
	"github.com/siegebook/siegebook/internal/report/citations"
	"github.com/siegebook/siegebook/internal/report/lesson"
)

// mainLine is the line above the statements of a cell.
const mainLine = "%%"

// metadataName is the key of siegebook's notes in the metadata of a notebook and its cells.
const metadataName = "siegebook_page"

// note records, in a cell's metadata, the text around the cell on the page. Default values are omitted.
type note struct {
	Open  string  `json:"open,omitempty"`  // the line that begins the block
	Close string  `json:"close,omitempty"` // the line that ends it
	Main  bool    `json:"main,omitempty"`  // an earlier version of siegebook inserted a line %%
	Blank bool    `json:"blank,omitempty"` // the code is a single empty line, not empty
	Gap   *string `json:"gap,omitempty"`   // the line feeds before this piece
}

// notebookNote describes, in a notebook's metadata, the page that the notebook was made from.
type notebookNote struct {
	Page string  `json:"page"`           // the SHA-256 of the page
	End  *string `json:"end,omitempty"`  // the line feeds after the last piece, unless there is exactly one
	Mark bool    `json:"mark,omitempty"` // a byte order mark precedes everything
}

// piece is a part of a page without the line feeds around it: front matter, text, or a cell.
type piece struct {
	kind        jupyter.CellKind
	gap         string // the line feeds before the piece
	text        string // the text, or the code of a cell in whole lines
	open, close string // the lines that open and close a cell's block
}

// pieces cuts a page at its cells, and returns the line feeds after the last piece.
func pieces(page string) (all []piece, gap string) {
	text := func(text string) {
		body := strings.Trim(text, "\n")
		if body == "" {
			gap += text
			return
		}
		at := strings.Index(text, body)
		gap += text[:at]
		all = append(all, piece{kind: jupyter.Markdown, gap: gap, text: body})
		gap = text[at+len(body):]
	}
	if strings.HasPrefix(page, "---\n") {
		if end := strings.Index(page, "\n---\n"); end >= 0 {
			end += len("\n---")
			all, page = append(all, piece{kind: jupyter.Raw, text: page[:end]}), page[end:]
		}
	}
	lines := slices.Collect(strings.Lines(page))
	from := 0
	for i := 0; i < len(lines); i++ {
		indent, mark, words, end := fenceAt(lines, i)
		if mark == "" {
			continue
		}
		if end < len(lines) && indent == "" && isCell(words) {
			text(strings.Join(lines[from:i], ""))
			last, ended := strings.CutSuffix(lines[end], "\n")
			all = append(all, piece{
				kind: jupyter.Code, gap: gap, text: strings.Join(lines[i+1:end], ""),
				open: strings.TrimSuffix(lines[i], "\n"), close: last,
			})
			if gap = ""; ended {
				gap = "\n"
			}
			from = end + 1
		}
		i = end
	}
	text(strings.Join(lines[min(from, len(lines)):], ""))
	return all, gap
}

// usualGap returns the line feeds that usually precede a piece.
func usualGap(number int) string {
	if number == 0 {
		return ""
	}
	return "\n\n"
}

// Export returns a page as a notebook that Jupyter can open and that Import turns into the same page.
func Export(page []byte) ([]byte, error) {
	if line, column := notText(page); line > 0 {
		return nil, fmt.Errorf("line %d, column %d: this is not UTF-8 text: save the page as UTF-8", line, column)
	}
	cells := []map[string]any{}
	text, marked := bytes.CutPrefix(page, byteOrderMark)
	all, end := pieces(string(text))
	for i, p := range all {
		number, about := strconv.Itoa(i+1), note{}
		if p.gap != usualGap(i) {
			about.Gap = &p.gap
		}
		switch p.kind {
		case jupyter.Raw:
			cells = append(cells, textCell("raw", "front", p.text, about))
		case jupyter.Markdown:
			cells = append(cells, textCell("markdown", "text-"+number, p.text, about))
		default:
			source := strings.TrimSuffix(p.text, "\n")
			about.Open, about.Close, about.Blank = p.open, p.close, p.text == "\n"
			metadata := map[string]any{metadataName: about}
			if slices.Contains(strings.Fields(p.open), jupyter.TagParameters) {
				metadata["tags"] = []string{jupyter.TagParameters} // genreport notebooks run -p looks for this tag
			}
			cells = append(cells, jupyter.CodeCell("cell-"+number, source, metadata))
		}
	}
	sum := sha256.Sum256(page)
	about := notebookNote{Page: hex.EncodeToString(sum[:]), Mark: marked}
	if end != "\n" {
		about.End = &end
	}
	return jupyter.Compose(cells, map[string]any{metadataName: about}).Bytes(), nil
}

func textCell(kind, id, source string, about note) map[string]any {
	metadata := map[string]any{}
	if about != (note{}) {
		metadata[metadataName] = about
	}
	return map[string]any{"cell_type": kind, "id": id, "metadata": metadata, "source": source}
}

// exportOf returns the notebookNote of a notebook. It returns false if the notebook is not a copy of a page.
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

// IsExport reports whether a notebook is a copy of a page made by Export.
func IsExport(data []byte) bool {
	_, is := exportOf(data)
	return is
}

// ExportOf reports whether a notebook was made from a page with these bytes.
func ExportOf(data, page []byte) bool {
	about, is := exportOf(data)
	sum := sha256.Sum256(page)
	return is && about.Page == hex.EncodeToString(sum[:])
}

// Renewed returns an exported notebook with its hash replaced by the hash of another version of the page.
func Renewed(data, page []byte) []byte {
	about, _ := exportOf(data)
	sum := sha256.Sum256(page)
	return bytes.Replace(data, []byte(`"`+about.Page+`"`), []byte(`"`+hex.EncodeToString(sum[:])+`"`), 1)
}

// Import turns a notebook into a page without outputs. For a notebook made by Export, the result is the original page
// byte for byte, except for the changes made in Jupyter.
func Import(data []byte) ([]byte, error) {
	n, err := jupyter.Parse(data)
	if err != nil {
		return nil, err
	}
	if n.Language() != "go" && n.Language() != "" {
		return nil, fmt.Errorf("the notebook is in %s, but a page can only have cells in Go", n.Language())
	}
	var page bytes.Buffer
	origin, _ := exportOf(data)
	if origin.Mark {
		page.Write(byteOrderMark)
	}
	cells := n.Cells()
	for i, c := range cells {
		var metadata map[string]json.RawMessage
		var about note
		if len(c.Metadata) > 0 {
			err := json.Unmarshal(c.Metadata, &metadata)
			if err == nil && metadata[metadataName] != nil {
				err = json.Unmarshal(metadata[metadataName], &about)
			}
			if why, _ := citations.WrongJSON(err); why != "" {
				return nil, fmt.Errorf("%s: metadata %s: %s: remove this metadata", c.Name(i), metadataName, why)
			}
		}
		if len(c.Attachments) > 0 {
			return nil, errors.New(c.Name(i) + " contains pictures: save them as files next to the page")
		}
		gap, text := usualGap(i), c.Source
		if about.Gap != nil {
			gap = *about.Gap
		}
		if c.Kind == jupyter.Code {
			text = fenced(c, about)
		}
		page.WriteString(gap + text)
	}
	end := "\n"
	if origin.End != nil {
		end = *origin.End
	}
	page.WriteString(end)
	return page.Bytes(), nil
}

// fenced writes a code cell as a block of the page.
func fenced(c jupyter.Cell, about note) string {
	source := c.Source
	if about.Main {
		for _, m := range jupyter.Commands(source) {
			if source[m[0]:m[1]] == mainLine {
				at := strings.Count(source[:m[0]], "\n")
				source = strings.Join(slices.Delete(strings.Split(source, "\n"), at, at+1), "\n")
				break
			}
		}
	}
	if source != "" || about.Blank {
		source += "\n"
	}
	ends := func(mark string) bool {
		return slices.ContainsFunc(strings.Split(source, "\n"), func(line string) bool { return Closes(line, mark) })
	}
	mark := "```"
	for ends(mark) {
		mark += "`"
	}
	open, end := mark+"go run", mark
	if c.HasTag(jupyter.TagParameters) {
		open += " " + jupyter.TagParameters
	}
	switch {
	case c.HasTag(lesson.TagShowInput):
		open += " " + howShow
	case c.HasTag(lesson.TagHideOutput):
		open += " " + howAnswer
	}
	if _, mark, _, _ := fenceAt([]string{about.Open}, 0); mark != "" && !ends(mark) {
		open, end = about.Open, about.Close
	}
	return open + "\n" + source + end
}
