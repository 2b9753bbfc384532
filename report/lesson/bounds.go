package lesson

import (
	"fmt"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/content"
)

// tally counts what outputs have put on a page.
type tally struct {
	outputs int
	bytes   int // of text, HTML and images
	drawn   int // things that a browser draws for the images
}

// The most that the outputs of one cell and those of a page put there. The output that passes a bound is still shown:
// each has bounds of its own. The lessons stay far below.
var (
	mostOfCell = tally{outputs: 500, bytes: 16 << 20, drawn: 200_000}
	mostOfPage = tally{outputs: 5000, bytes: 64 << 20, drawn: 400_000}
)

func (t *tally) add(bytes, drawn int) {
	t.bytes += bytes
	t.drawn += drawn
}

// full says which bound is reached, "" for none.
func (t *tally) full(most tally, of string) string {
	switch {
	case t.outputs >= most.outputs:
		return fmt.Sprintf("%s shows at most %d", of, most.outputs)
	case t.bytes >= most.bytes:
		return fmt.Sprintf("those before are more than %d MB, which is what %s shows", most.bytes>>20, of)
	case t.drawn >= most.drawn:
		return fmt.Sprintf("the drawings before are more than a browser draws in reasonable time for %s", of)
	}
	return ""
}

// outputs shows the outputs of a cell as far as cell and page have room for them, and says what is left out.
func (b *builder) outputs(outputs []jupyter.Output) {
	b.ofCell = tally{}
	for i, o := range outputs {
		reason := b.ofCell.full(mostOfCell, "a cell")
		if reason == "" {
			reason = b.ofPage.full(mostOfPage, "a page")
		}
		if reason != "" {
			b.note(
				fmt.Sprintf("The other outputs of this cell, %d of %d, are left out, because %s: run the notebook to see them.",
					len(outputs)-i, len(outputs), reason),
			)
			return
		}
		b.ofCell.outputs++
		b.ofPage.outputs++
		b.output(o)
	}
}

// shows takes note of what an output has put on the page.
func (b *builder) shows(bytes, drawn int) {
	b.ofCell.add(bytes, drawn)
	b.ofPage.add(bytes, drawn)
}

// note is a remark of ours among the outputs.
func (b *builder) note(text string) {
	b.add(content.Output{Kind: content.Remark, Text: clean(text)})
}
