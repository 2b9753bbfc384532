package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// typed writes every value with its type and the name of its column, in blocks of two rows.
type typed struct{ w io.Writer }

func (typed) Needs([]rows.Column, int64) (rows.Needs, error) { return rows.Needs{BlockRows: 2}, nil }

func (typed) Begin(w io.Writer, columns []rows.Column) (rows.Table, error) {
	fmt.Fprintf(w, "%d columns\n", len(columns))
	return typed{w}, nil
}

func (t typed) NewBlock() rows.Block { return &typedBlock{w: t.w} }

func (t typed) Close() error {
	fmt.Fprintln(t.w, "end")
	return nil
}

type typedBlock struct {
	w    io.Writer
	text []byte
}

func (b *typedBlock) Write() error {
	fmt.Fprintf(b.w, "block\n%s", b.text)
	b.text = nil
	return nil
}

func (b *typedBlock) Append(batch *rows.Batch) error {
	to := b.text
	for row := range batch.Size() {
		for c, column := range batch.Columns {
			switch v := batch.Cells[c][row]; {
			case v.IsAbsent():
				to = fmt.Appendf(to, "%s absent;", column.Name)
			case v.IsUnknown():
				to = fmt.Appendf(to, "%s unknown;", column.Name)
			case column.Type == rows.Integer:
				to = fmt.Appendf(to, "%s int %d;", column.Name, v.Int())
			case column.Type == rows.Float:
				to = fmt.Appendf(to, "%s float %v;", column.Name, v.Real())
			case column.Type == rows.Name:
				to = fmt.Appendf(to, "%s name %s;", column.Name, column.Names[v.Choice()])
			}
		}
		to = append(to, '\n')
	}
	b.text = to
	return nil
}

// TestAnotherFormat: another writer gets the same rows, with their types, from the same computation.
func TestAnotherFormat(t *testing.T) {
	var columns castleColumns
	const shown = "min_waves,soldiers,castle_first_winner,defenders_first_waves,published_waves"
	if err := columns.UnmarshalText([]byte(shown)); err != nil {
		t.Fatal(err)
	}
	battles := []castle.Battle{
		{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8},
		{Soldiers: 3, CastleHits: 10, DefendersPerWave: 3},
		{Soldiers: 4, CastleHits: 4, DefendersPerWave: 9},
	}
	read := func(list []castle.Battle, block grid.Block) ([]castle.Battle, error) {
		return append(list, battles[block.First:block.First+block.Size]...), nil
	}
	var got strings.Builder
	progress := command.Streams{Out: io.Discard, Err: io.Discard}.StartProgress("", 0, true)
	defer progress.Stop()
	err := newCastleRows(columns, effort{MaxSteps: 2}).write(t.Context(), &got, typed{}, int64(len(battles)), 1<<20,
		progress, read)
	want := `5 columns
block
min_waves int 16;soldiers int 10;castle_first_winner unknown;defenders_first_waves unknown;published_waves float 15;
min_waves absent;soldiers int 3;castle_first_winner name castle;defenders_first_waves int 2;published_waves absent;
block
min_waves int 1;soldiers int 4;castle_first_winner name soldiers;defenders_first_waves int 1;published_waves float 1;
end
`
	if err != nil || got.String() != want {
		t.Errorf("%v\n%s", err, got.String())
	}
}

// BenchmarkFill computes typed rows, and writes them.
func BenchmarkFill(b *testing.B) {
	var battles []castle.Battle
	for s := int64(1); s <= batchSize; s++ {
		battles = append(battles, castle.Battle{Soldiers: 100, CastleHits: 3 * s, DefendersPerWave: s})
	}
	r := newCastleRows(nil, effort{MaxSteps: 1e8})
	batch := rows.NewBatch(r.table)
	b.Run("values", func(b *testing.B) {
		for b.Loop() {
			if err := r.fill(b.Context(), batch, battles); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batchSize, "ns/row")
	})
	if err := r.fill(b.Context(), batch, battles); err != nil {
		b.Fatal(err)
	}
	for _, format := range []rows.Format{rows.CSV{}, rows.Parquet{}} {
		b.Run(strings.TrimPrefix(fmt.Sprintf("%T", format), "rows."), func(b *testing.B) {
			table, err := format.Begin(io.Discard, r.table)
			if err != nil {
				b.Fatal(err)
			}
			block, size := table.NewBlock(), 0
			for b.Loop() {
				if err := block.Append(batch); err != nil {
					b.Fatal(err)
				}
				if size += batchSize; size%(1<<17) == 0 {
					if err := block.Write(); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batchSize, "ns/row")
		})
	}
}
