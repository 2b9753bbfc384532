package jupyter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/tailscale/hujson"
)

// Notebook is a notebook file of nbformat 4. It keeps every byte of the file that nobody has asked it to change:
// unknown fields, the order of keys, indentation, escapes and the end of the last line.
type Notebook struct {
	root  hujson.Value
	style style
	minor int
	cells []*hujson.Object
}

// cellDepth is how deep a cell is nested, for indentation: root, cells, cell.
const cellDepth = 2

// Parse reads a notebook. The error is the user's: broken JSON (with line and column), another version than
// nbformat 4, or no cells where cells have to be.
func Parse(data []byte) (*Notebook, error) {
	root, err := parseJSON(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("not a notebook: the file is not a JSON object")
	}
	n := &Notebook{root: root, style: styleOf(data, object)}
	if err := n.checkVersion(object); err != nil {
		return nil, err
	}
	array, ok := member(object, "cells").(*hujson.Array)
	if !ok {
		return nil, errors.New(`not a notebook: it has no list "cells"`)
	}
	for i := range array.Elements {
		cell, ok := array.Elements[i].Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s: cell %d is not a JSON object", position(data, array.Elements[i].StartOffset),
				i+1)
		}
		n.cells = append(n.cells, cell)
		if err := n.checkCell(i); err != nil {
			return nil, fmt.Errorf("%s: %w", position(data, array.Elements[i].StartOffset), err)
		}
	}
	return n, nil
}

func (n *Notebook) checkVersion(object *hujson.Object) error {
	major, ok := member(object, "nbformat").(hujson.Literal)
	if !ok || major.Kind() != '0' {
		return errors.New(`not a notebook: it has no number "nbformat"`)
	}
	if string(major) != "4" {
		return fmt.Errorf("nbformat %s: only nbformat 4 can be read: "+
			"convert the file with 'jupyter nbconvert --to notebook --nbformat 4'", major)
	}
	minor, ok := member(object, "nbformat_minor").(hujson.Literal)
	if !ok {
		return errors.New(`not a notebook: it has no number "nbformat_minor"`)
	}
	var err error
	if n.minor, err = strconv.Atoi(string(minor)); err != nil || n.minor < 0 {
		return fmt.Errorf(`nbformat_minor %s: it has to be a number that is not negative`, minor)
	}
	return nil
}

func (n *Notebook) checkCell(i int) error {
	kind, source := CellKind(text(member(n.cells[i], "cell_type"))), member(n.cells[i], "source")
	_, isText := joinText(pack(source))
	switch {
	case !slices.Contains([]CellKind{Code, Markdown, Raw}, kind):
		return fmt.Errorf("cell %d: cell_type %q: use code, markdown or raw", i+1, kind)
	case source == nil:
		return fmt.Errorf("cell %d: it has no source", i+1)
	case !isText:
		return fmt.Errorf("cell %d: its source is neither a string nor a list of strings", i+1)
	}
	return nil
}

// maxNotebook is the most bytes of a notebook, far more than any that a person opens.
const maxNotebook = 64 * limitedread.MiB

// Read reads a notebook file. Errors name the file; those of the file system are *fs.PathError.
func Read(path string) (*Notebook, error) {
	data, err := limitedread.ReadFile(path, maxNotebook)
	if err != nil {
		return nil, err
	}
	n, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Write makes the notebook the content of a file, all or nothing.
func (n *Notebook) Write(target atomicfile.Target) error { return target.Write(n.Bytes(), 0o644) }

// Bytes returns the notebook as a file.
func (n *Notebook) Bytes() []byte { return n.root.Pack() }

// Clone returns a copy, so that changes of one do not show in the other.
func (n *Notebook) Clone() *Notebook {
	c := *n
	c.root = n.root.Clone()
	c.cells = nil
	for _, e := range elements(c.object(), "cells") {
		c.cells = append(c.cells, e.Value.(*hujson.Object))
	}
	return &c
}

func (n *Notebook) object() *hujson.Object { return n.root.Value.(*hujson.Object) }

func (n *Notebook) metadata() *hujson.Object { return child(n.object(), "metadata") }

// Kernel returns the name of the kernelspec that the notebook asks for, "" if it does not say.
func (n *Notebook) Kernel() string { return text(member(child(n.metadata(), "kernelspec"), "name")) }

// Language returns the programming language of the code cells in lower case, such as "go"; "" if it is not said.
func (n *Notebook) Language() string {
	return strings.ToLower(cmp.Or(
		text(member(child(n.metadata(), "language_info"), "name")),
		text(member(child(n.metadata(), "kernelspec"), "language"))))
}
