package jupyter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// Metadata that front ends and runners write anew each time: times, versions of this machine, how somebody has last
// looked at the notebook. In a file under version control they are noise.
var (
	noisyNotebook = []string{"papermill", sealName, "signature", "vscode", "widgets"}
	noisyLanguage = []string{"version"}
	noisyCell     = []string{
		"ExecuteTime", "collapsed", "colab", "execution", "executionInfo", "outputId", "papermill", "scrolled",
		"vscode",
	}
)

// cellID is the rule of nbformat 4.5.
var cellID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Check lists what Strip would mend, in a line each: committed outputs and execution counts, ids that are missing,
// invalid or double, and noisy metadata.
func (n *Notebook) Check() []string {
	var problems []string
	if n.minor < 5 {
		problems = append(problems, fmt.Sprintf("nbformat 4.%d knows no cell ids, 4.5 does", n.minor))
	}
	for _, name := range n.noise(has) {
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
			add("it has no id")
		case !cellID.MatchString(c.ID):
			add("its id is not made of 1 to 64 letters, digits, '-' and '_'")
		case seen[c.ID]:
			add("another cell has the same id")
		}
		seen[c.ID] = true
		if len(elements(n.cells[i], "outputs")) > 0 {
			add("its outputs are in the file")
		}
		if c.ExecutionCount != 0 {
			add("its execution count is in the file")
		}
		for _, name := range apply(child(n.cells[i], "metadata"), "", noisyCell, has) {
			add("metadata %s changes with every run or machine", name)
		}
	}
	return problems
}

// Strip takes outputs, execution counts and noisy metadata out, and gives an id to each cell that needs one. All other
// bytes stay as they are. The ids depend on the cells alone.
func (n *Notebook) Strip() {
	n.clearOutputs()
	n.noise(remove)
	for _, cell := range n.cells {
		apply(child(cell, "metadata"), "", noisyCell, remove)
	}
	n.mendIDs()
}

// clearOutputs takes out what runs have left in the cells.
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

// has says whether an object has a member.
func has(object *hujson.Object, name string) bool { return index(object, name) >= 0 }

// noise applies do to the noisy metadata of the notebook and returns the names for which it was true.
func (n *Notebook) noise(do func(*hujson.Object, string) bool) []string {
	names := apply(n.metadata(), "", noisyNotebook, do)
	return append(names, apply(child(n.metadata(), "language_info"), "language_info.", noisyLanguage, do)...)
}

// apply applies do to the members of these names and returns the names for which it was true.
func apply(object *hujson.Object, prefix string, names []string, do func(*hujson.Object, string) bool) []string {
	var found []string
	for _, name := range names {
		if do(object, name) {
			found = append(found, prefix+name)
		}
	}
	return found
}

// mendIDs gives ids to the cells that have none, an invalid one, or that of a cell before.
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
			if cell := n.cells[i]; has(cell, "id") {
				n.style.set(cell, "id", id, cellDepth)
			} else { // where nbformat's own writers would put it: keys are sorted
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

// freshID returns an id that is not taken, made from what the cell says.
func freshID(c Cell, taken map[string]bool) string {
	for k := 0; ; k++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", c.Kind, k, strings.TrimSpace(c.Source)))
		if id := hex.EncodeToString(sum[:4]); !taken[id] {
			return id
		}
	}
}
