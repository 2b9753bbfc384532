// Package jupyter reads and writes notebook files, and runs them in any kernel that Jupyter knows, without Jupyter and
// without Python. The package does not know any game.
//
// A notebook is primarily a file under version control, so this package never changes a byte that nobody asked it to
// change (Parse, Notebook.Strip, Notebook.SetParameters). A run works on a copy. Its results depend only on the cells,
// and contain no times or process IDs (Run).
//
// A cell can make a kernel do anything, so we do not rely on the kernel to stop by itself. The time and output of each
// cell are limited. After a run, none of the kernel's processes is left, even if this process dies.
//
//	notebook.go cell.go parameters.go syntax.go           the file, and changes to it
//	kernelspec.go process.go connection.go sockets.go     kernels, and how to talk to one
//	run.go execute.go                                     a run: kernel, cells, the executed copy
//	proxy.go server.go controls.go cursor.go trace.go     the program between Jupyter and gonb
//	gobuild.go declarations.go                            the go command that gonb finds, which builds cells
//	setup.go check.go repository.go toolchain.go          the project's own kernel, and its parts
//
// The protocol is https://jupyter-client.readthedocs.io/en/stable/messaging.html, version 5.3. The file format is
// https://nbformat.readthedocs.io/en/latest/format_description.html, version 4.5.
package jupyter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// Notebook is a notebook file in nbformat 4. It preserves every byte of the file that is not changed on purpose:
// unknown fields, the order of keys, indentation, escapes and the end of the last line.
type Notebook struct {
	root  hujson.Value
	style style
	minor int
	cells []*hujson.Object
}

// cellDepth is the nesting depth of a cell (root, cells, cell), which determines its indentation.
const cellDepth = 2

// Parse parses a notebook. The error is a user error: broken JSON (with line and column), a version other than nbformat
// 4, or missing cells.
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
		return fmt.Errorf(`nbformat_minor %s: must be an integer, 0 or more`, minor)
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
		return fmt.Errorf("cell %d: the source is missing", i+1)
	case !isText:
		return fmt.Errorf("cell %d: the source is neither a string nor a list of strings", i+1)
	}
	return nil
}

// maxNotebook is the maximum size of a notebook in bytes, far more than anybody would open.
const maxNotebook = 64 * limitedread.MiB

// Read reads a notebook file. Errors name the file. A file system error is a *fs.PathError.
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

// Write writes the notebook to a file, either completely or not at all.
func (n *Notebook) Write(target atomicfile.Target) error { return target.Write(n.Bytes(), 0o644) }

// Bytes returns the contents of the notebook file.
func (n *Notebook) Bytes() []byte { return n.root.Pack() }

// Clone returns a deep copy.
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

// Kernel returns the name of the kernelspec that the notebook requests, or "" if it requests none.
func (n *Notebook) Kernel() string { return text(member(child(n.metadata(), "kernelspec"), "name")) }

// Language returns the programming language of the code cells in lower case, such as "go", or "" if it is unknown.
func (n *Notebook) Language() string {
	return strings.ToLower(cmp.Or(
		text(member(child(n.metadata(), "language_info"), "name")),
		text(member(child(n.metadata(), "kernelspec"), "language"))))
}

// The metadata of an executed copy contains a checksum of the file, which is computed with noSum in place of the
// checksum.
const (
	sealName   = "siegebook"
	sumName    = "executed_copy"
	valuesName = "values"
)

var noSum = strings.Repeat("0", hex.EncodedLen(sha256.Size))

// Seal marks a notebook as an executed copy, so that CopyOf recognizes it. A later change of the file invalidates the
// mark.
func (n *Notebook) Seal() {
	n.setSum(noSum)
	sum := sha256.Sum256(n.Bytes())
	n.setSum(hex.EncodeToString(sum[:]))
}

func (n *Notebook) setSum(sum string) {
	if !hasMember(n.object(), "metadata") {
		n.style.set(n.object(), "metadata", struct{}{}, 0)
	}
	own := map[string]string{sumName: sum}
	if n.Values() != "" {
		own[valuesName] = n.Values()
	}
	n.style.set(n.metadata(), sealName, own, 1)
}

// Values returns the metadata siegebook.values. It is "gonb" if variables have their initial values at the start of
// each cell.
func (n *Notebook) Values() string { return text(member(child(n.metadata(), sealName), valuesName)) }

// CopyOf returns nil if a file is an executed copy of this notebook, unchanged since it was sealed. Most of the copy's
// cells must have the ID of a cell in the notebook or, if they have no IDs, the text of a cell. Otherwise the error
// explains what is wrong with the file.
func (n *Notebook) CopyOf(file []byte) error {
	copied, err := Parse(file)
	if err != nil {
		return errors.New("the file is not a notebook")
	}
	sum := text(member(child(copied.metadata(), sealName), sumName))
	if sum == "" {
		return errors.New("the file is not an executed copy made by siegebook")
	}
	blank := bytes.Replace(file, []byte(`"`+sum+`"`), []byte(`"`+noSum+`"`), 1)
	if got := sha256.Sum256(blank); hex.EncodeToString(got[:]) != sum {
		return errors.New("the file is an executed copy that was changed afterwards")
	}
	ours := map[string]bool{}
	for _, c := range n.Cells() {
		ours[c.ID], ours[c.Source] = true, true
	}
	known, shared := 0, 0
	for _, c := range copied.Cells() {
		if sign := cmp.Or(c.ID, c.Source); sign != "" {
			known++
			if ours[sign] {
				shared++
			}
		}
	}
	if 2*shared <= known && known > 0 {
		return errors.New("the file is an executed copy of another notebook")
	}
	return nil
}

// Front ends and runners rewrite this metadata each time: times, versions on this machine, the state of the user
// interface. Under version control, such changes are noise.
var (
	noisyNotebook = []string{"papermill", "signature", "vscode", "widgets"}
	noisyLanguage = []string{"version"}
	noisyCell     = []string{
		"ExecuteTime", "collapsed", "colab", "execution", "executionInfo", "outputId", "papermill", "scrolled",
		"vscode",
	}
)

// cellID matches the ids that nbformat 4.5 allows.
var cellID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Check returns a line for each problem that Strip would fix: committed outputs and execution counts, noisy metadata,
// and ids that are missing, invalid or duplicate.
func (n *Notebook) Check() []string {
	var problems []string
	if n.minor < 5 {
		problems = append(problems, fmt.Sprintf("nbformat 4.%d has no cell ids, but 4.5 does", n.minor))
	}
	for _, name := range n.noise(hasMember) {
		problems = append(problems, "metadata "+name+" changes with every run or machine")
	}
	seen := map[string]bool{}
	for i, c := range n.Cells() {
		add := func(format string, args ...any) {
			problems = append(problems, c.Name(i)+": "+fmt.Sprintf(format, args...))
		}
		switch {
		case n.minor < 5:
		case c.ID == "":
			add("the id is missing")
		case !cellID.MatchString(c.ID):
			add("the id must consist of 1 to 64 letters, digits, '-' and '_'")
		case seen[c.ID]:
			add("another cell has the same id")
		}
		seen[c.ID] = true
		if len(elements(n.cells[i], "outputs")) > 0 {
			add("outputs are stored in the file")
		}
		if c.ExecutionCount != 0 {
			add("the execution count is stored in the file")
		}
		for _, name := range apply(child(n.cells[i], "metadata"), "", noisyCell, hasMember) {
			add("metadata %s changes with every run or machine", name)
		}
	}
	return problems
}

// Strip removes outputs, execution counts and noisy metadata, and gives an ID to each cell that needs one. All other
// bytes stay the same. The IDs depend only on the cells.
func (n *Notebook) Strip() {
	n.clearOutputs()
	n.noise(remove)
	for _, cell := range n.cells {
		apply(child(cell, "metadata"), "", noisyCell, remove)
	}
	n.mendIDs()
}

// clearOutputs removes outputs and execution counts.
func (n *Notebook) clearOutputs() {
	for _, cell := range n.cells {
		if len(elements(cell, "outputs")) > 0 {
			n.style.set(cell, "outputs", []any{}, cellDepth)
		}
		if count, ok := member(cell, "execution_count").(hujson.Literal); ok && count.Kind() != 'n' {
			n.style.set(cell, "execution_count", nil, cellDepth)
		}
	}
}

// hasMember reports whether an object has a member.
func hasMember(object *hujson.Object, name string) bool { return index(object, name) >= 0 }

// noise calls do for each piece of noisy metadata in the notebook, and returns the names for which do returned true.
func (n *Notebook) noise(do func(*hujson.Object, string) bool) []string {
	names := apply(n.metadata(), "", noisyNotebook, do)
	if n.Values() == "" {
		names = append(names, apply(n.metadata(), "", []string{sealName}, do)...)
	} else {
		names = append(names, apply(child(n.metadata(), sealName), sealName+".", []string{sumName}, do)...)
	}
	return append(names, apply(child(n.metadata(), "language_info"), "language_info.", noisyLanguage, do)...)
}

// apply calls do for each of the given members, and returns the names for which do returned true.
func apply(object *hujson.Object, prefix string, names []string, do func(*hujson.Object, string) bool) []string {
	var found []string
	for _, name := range names {
		if do(object, name) {
			found = append(found, prefix+name)
		}
	}
	return found
}

// mendIDs gives a new ID to each cell whose ID is missing, invalid or used by an earlier cell.
func (n *Notebook) mendIDs() {
	taken := map[string]bool{}
	for _, c := range n.Cells() {
		taken[c.ID] = true
	}
	seen := map[string]bool{}
	for i, c := range n.Cells() {
		id := c.ID
		if !cellID.MatchString(id) || seen[id] {
			id = freshID(c, taken)
			if cell := n.cells[i]; hasMember(cell, "id") {
				n.style.set(cell, "id", id, cellDepth)
			} else { // nbformat's own writers sort keys, and would put the ID here
				at := max(index(cell, "cell_type"), index(cell, "execution_count")) + 1
				n.style.insert(cell, at, "id", id, cellDepth)
			}
		}
		taken[id], seen[id] = true, true
	}
	if n.minor < 5 {
		n.minor = 5
		n.style.set(n.object(), "nbformat_minor", n.minor, 0)
	}
}

// freshID returns an unused ID, derived from the cell's type and source.
func freshID(c Cell, taken map[string]bool) string {
	for k := 0; ; k++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", c.Kind, k, strings.TrimSpace(c.Source)))
		if id := hex.EncodeToString(sum[:4]); !taken[id] {
			return id
		}
	}
}

// Compose creates a notebook for the project's kernel from the JSON of its cells, and from metadata that is added to
// the kernel's.
func Compose(cells []map[string]any, metadata map[string]any) *Notebook {
	all := map[string]any{
		"kernelspec": map[string]any{
			"display_name": ProjectKernelTitle, "language": "go", "name": ProjectKernel,
		},
		"language_info": map[string]any{
			"file_extension": ".go", "mimetype": "text/x-go", "name": "go", "pygments_lexer": "go",
		},
	}
	maps.Copy(all, metadata)
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(map[string]any{"cells": cells, "metadata": all, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		panic("jupyter: cannot encode the notebook: " + err.Error())
	}
	n, err := Parse(data.Bytes())
	if err != nil {
		panic("jupyter: cannot read the encoded notebook: " + err.Error())
	}
	return n
}

// CodeCell returns the JSON of a code cell that has not been run.
func CodeCell(id, source string, metadata map[string]any) map[string]any {
	return map[string]any{
		"cell_type": "code", "id": id, "metadata": metadata, "source": source,
		"execution_count": nil, "outputs": []any{},
	}
}
