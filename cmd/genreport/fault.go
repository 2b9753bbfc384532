package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
)

// fault is an error in the sources of a report, as a page shows it.
type fault struct {
	Place   string // file, line and column, as far as they are known
	Message string
	Excerpt []sourceLine
}

// sourceLine is a line of an excerpt.
type sourceLine struct {
	Label string // the line number, right-aligned
	Text  string
	Caret string // the line below it that points to the fault, or ""
}

// mostFaults is the maximum number of faults that a page lists.
const mostFaults = 20

// faultsOf returns the faults in an error of a build. Excerpts are taken from sources, the folder of the repository,
// unless it is nil.
func faultsOf(err error, sources fs.FS) []fault {
	var many site.Errors
	var cell *jupyter.CellError
	switch {
	case errors.As(err, &many):
		faults := make([]fault, 0, len(many))
		for _, one := range many[:min(len(many), mostFaults)] {
			faults = append(faults, faultOf(one, sources))
		}
		return faults
	case errors.As(err, &cell):
		message := cell.Label() + ": " + cell.Err.Error()
		at := &site.Error{File: cell.File, Cell: cell.Cell, Line: cell.Line, Msg: message}
		return []fault{notebookFault(at, message, sources)}
	}
	return []fault{{Message: err.Error()}}
}

// faultOf returns the fault for an error in a page.
func faultOf(e *site.Error, sources fs.FS) fault {
	if e.Cell != "" {
		return notebookFault(e, strings.TrimPrefix(e.Error(), e.File+": "), sources)
	}
	return placedFault(e.File, e.Line, e.Column, e.Msg, sources)
}

// placedFault returns a fault with an excerpt of the file, if the file can be read.
func placedFault(name string, line, column int, message string, sources fs.FS) fault {
	text, err := press.ReadSource(sources, name)
	if err != nil || line == 0 {
		return fault{Place: place(name, line, column), Message: message}
	}
	return faultAt(name, text, line, column, message)
}

// faultAt returns a fault with an excerpt: the line and the lines around it.
func faultAt(name, text string, line, column int, message string) fault {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	f := fault{Place: place(name, line, 0), Message: message}
	if line > len(lines) {
		return f
	}
	start, length := press.Mark(lines[line-1], column, message)
	f.Place = place(name, line, utf8.RuneCountInString(lines[line-1][:start])+1)
	f.Excerpt = excerpt(lines, line, start, length)
	return f
}

// place returns a place in the format of compilers. column counts characters.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file + ":"
	case column == 0:
		return fmt.Sprintf("%s:%d:", file, line)
	}
	return fmt.Sprintf("%s:%d:%d:", file, line, column)
}

// around is the number of lines of an excerpt before and after the line with the fault.
const around = 2

func excerpt(lines []string, line, start, length int) []sourceLine {
	first, last := max(line-around, 1), min(line+around, len(lines))
	width := len(strconv.Itoa(last))
	var shown []sourceLine
	for i := first; i <= last; i++ {
		l := sourceLine{Label: fmt.Sprintf("%*d", width, i), Text: lines[i-1]}
		if i == line {
			marked := l.Text[start:min(start+length, len(l.Text))]
			l.Caret = strings.Repeat(" ", width) + " | " + blanks(l.Text[:start]) +
				strings.Repeat("^", max(utf8.RuneCountInString(marked), 1))
		}
		shown = append(shown, l)
	}
	return shown
}

// blanks returns white space as wide as the text, with tabs kept as tabs.
func blanks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text)
}

// notebookFault returns a fault with an excerpt of the cell that a message is about.
func notebookFault(e *site.Error, message string, sources fs.FS) fault {
	f := fault{Place: e.File + ":", Message: message}
	text, err := press.ReadSource(sources, e.File)
	if err != nil {
		return f
	}
	notebook, err := jupyter.Parse([]byte(text))
	if err != nil {
		return f
	}
	for i, c := range notebook.Cells() {
		if c.Name(i) != e.Cell {
			continue
		}
		f.Excerpt = faultAt(e.File, c.Source, max(e.Line, 1), e.Column, message).Excerpt
		for k := range f.Excerpt {
			if e.Line == 0 { // the place in the cell is unknown
				f.Excerpt[k].Caret = ""
			}
		}
	}
	return f
}

// edition is the state of a report that serve shows. It never changes; a newer edition replaces it.
type edition struct {
	tree   site.Tree // the last good report; nil if there is none yet
	faults []fault   // the faults of the newest sources; empty if tree was built from them
	newer  chan struct{}
}

// version returns a hash of what a reader of a page sees: the page, its own files, the style sheets and the faults. A
// page whose version has not changed need not be reloaded.
func (e *edition) version(page string) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %v\n", e.faults, e.tree == nil)
	if _, ok := e.tree[page]; !ok {
		fmt.Fprintf(hash, "%q", slices.Sorted(maps.Keys(e.tree)))
	}
	assets := "assets/" + strings.TrimSuffix(page, ".html") + "/"
	for _, name := range slices.Sorted(maps.Keys(e.tree)) {
		if name == page || strings.HasPrefix(name, assets) || strings.HasSuffix(name, ".css") {
			fmt.Fprintf(hash, "%s %d\n", name, len(e.tree[name]))
			hash.Write(e.tree[name])
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
