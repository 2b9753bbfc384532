package folder

import (
	"slices"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/content"
)

// movableCell is a cell of a notebook that may have controls.
type movableCell struct {
	program.MovableCell
	page   string
	at     int // the index of its page in the program
	result program.Result
	fault  string
}

// moving returns the cells of a notebook, with the new outputs of cells whose controls move. A note says why other
// controls do not move.
func (f *Folder) moving(p *page, cells []jupyter.Cell) []jupyter.Cell {
	cells = slices.Clone(cells)
	still := func(cell, why string) { f.say(f.path(p.rel), cell+"its controls do not move: "+why) }
	if p.still != nil {
		still("", p.still.Error())
	}
	for _, m := range p.movable {
		c := &cells[m.Place]
		left, why := f.module.Left[m.page]
		switch {
		case m.fault != "":
			still(c.Name(m.Place)+": ", m.fault)
		case len(m.result.Controls) == 0:
		case why:
			still(c.Name(m.Place)+": ", left.Message)
		case !slices.Equal(drawings(c.Outputs), drawings(m.result.Outputs)):
			still(c.Name(m.Place)+": ", "its results differ in one program with all cells")
		default:
			c.Outputs = m.result.Outputs
		}
	}
	return cells
}

// drawings returns what outputs print and draw.
func drawings(outputs []jupyter.Output) (all []string) {
	for _, o := range outputs {
		data, _ := o.Data.Text(content.MediaType)
		block, err := content.Unmarshal([]byte(data))
		if figure, is := block.(*content.Figure); err == nil && is {
			data = string(figure.Light)
		}
		if data+o.Text != "" {
			all = append(all, o.Name+data+o.Text)
		}
	}
	return all
}
