package rows

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// sample is a table to write: cells[column][row], in blocks that end at the rows ends.
type sample struct {
	columns []Column
	cells   [][]Value
	ends    []int
}

func (s sample) size() int { return s.ends[len(s.ends)-1] }

// drawSample draws a random table with columns of all types and kinds of gaps, and with numbers at the limits of their
// types.
func drawSample(t *rapid.T) sample {
	var s sample
	width := rapid.IntRange(1, 6).Draw(t, "columns")
	size := rapid.IntRange(1, 300).Draw(t, "rows")
	for c := range width {
		column := Column{
			Name: fmt.Sprintf("%c%d", 'z'-rune(c), c), // not in alphabetical order
			Type: rapid.SampledFrom([]Type{Integer, Float, Name}).Draw(t, "type"),
			Gaps: rapid.SampledFrom([]Gaps{NoGaps, Absences, Unknowns}).Draw(t, "gaps"),
		}
		if column.Type == Name {
			column.Names = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_é]{0,5}`), 1, 4, rapid.ID[string]).Draw(t,
				"names")
		}
		s.columns = append(s.columns, column)
		s.cells = append(s.cells, rapid.SliceOfN(drawValue(column), size, size).Draw(t, "values"))
	}
	for end := 0; end < size; {
		end += rapid.IntRange(1, size-end).Draw(t, "rows of a block")
		s.ends = append(s.ends, end)
	}
	return s
}

func drawValue(column Column) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		if column.Gaps != NoGaps && rapid.Bool().Draw(t, "gap") {
			return map[Gaps]Value{Absences: Absent, Unknowns: Unknown}[column.Gaps]
		}
		switch column.Type {
		case Integer:
			return Int(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 3),
				rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64})).Draw(t, "integer"))
		case Float:
			return Real(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.Inf(1), 1 << 53, -1e300})).Draw(t,
				"float") + 0) // no negative zero: the order of the two zeros is not defined
		default:
			return Choice(rapid.IntRange(0, len(column.Names)-1).Draw(t, "name"))
		}
	})
}

// parquet returns the Parquet format with the table's metadata.
func (sample) parquet() Parquet {
	return Parquet{"program", "v1", map[string]string{"key": "value", "another": "", "a third": "é"}}
}

// written returns the table as a Parquet file. It appends the rows in batches of at most batchRows. It fills either all
// blocks at the same time, or one block again and again.
func (s sample) written(t rapid.TB, batchRows int, concurrent bool) []byte {
	t.Helper()
	var file bytes.Buffer
	table := must.Get(s.parquet().Begin(&file, s.columns))
	var blocks []Block
	failed := make([]error, len(s.ends))
	var fillers sync.WaitGroup
	one := table.NewBlock()
	for i := range s.ends {
		if !concurrent {
			failed[i] = errors.Join(s.fill(one, i, batchRows), one.Write())
			continue
		}
		block := table.NewBlock()
		blocks = append(blocks, block)
		fillers.Go(func() { failed[i] = s.fill(block, i, batchRows) })
	}
	fillers.Wait()
	for i, block := range blocks {
		failed[i] = errors.Join(failed[i], block.Write())
	}
	must.Do(t, errors.Join(append(failed, table.Close())...))
	return file.Bytes()
}

// fill appends the rows of one of the table's blocks to a Block.
func (s sample) fill(to Block, block, batchRows int) error {
	first := 0
	if block > 0 {
		first = s.ends[block-1]
	}
	batch := NewBatch(s.columns)
	for first < s.ends[block] {
		end := min(first+batchRows, s.ends[block])
		batch.Resize(end - first)
		for c := range s.columns {
			for r, v := range s.cells[c][first:end] {
				batch.Cells[c].Set(r, v)
			}
		}
		if err := to.Append(batch); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// checkBytes compares the file with the one that the library's own writer produces for the table, value by value, with
// the encodings that the file uses. A library writer has only one encoding for each column of a file. So the row groups
// are compared one by one, and the whole files only if all row groups have the same encodings.
func (s sample) checkBytes(t rapid.TB, file []byte) {
	t.Helper()
	ours := must.Get(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))
	groups, first, same := ours.Metadata().RowGroups, 0, true
	for g, end := range s.ends {
		encodings := s.encodings(groups[g])
		same = same && slices.Equal(encodings, s.encodings(groups[0]))
		data := s.byLibrary(t, encodings, first, []int{end})
		theirs := must.Get(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
		for c := range s.columns {
			got, gotIndexes := chunkOf(ours, file, g, c)
			want, wantIndexes := chunkOf(theirs, data, 0, c)
			if !bytes.Equal(got, want) {
				t.Fatalf("column %d of row group %d: pages of %d bytes differ from %d of the library", c, g, len(got),
					len(want))
			}
			if !reflect.DeepEqual(gotIndexes, wantIndexes) {
				t.Fatalf("column %d of row group %d:\n%+v\nthe library's:\n%+v", c, g, gotIndexes, wantIndexes)
			}
		}
		first = end
	}
	if want := s.byLibrary(t, s.encodings(groups[0]), 0, s.ends); same && !bytes.Equal(want, file) {
		t.Fatalf("the library makes another file, of %d bytes instead of %d", len(want), len(file))
	}
}

// encodings returns the encodings of the rows in a row group.
func (s sample) encodings(group format.RowGroup) (encodings []format.Encoding) {
	for c, column := range s.columns {
		encoding := map[Type]format.Encoding{Integer: format.DeltaBinaryPacked}[column.Type] // otherwise plain
		if slices.Contains(group.Columns[c].MetaData.Encoding, format.RLEDictionary) {
			encoding = format.RLEDictionary
		}
		encodings = append(encodings, encoding)
	}
	return encodings
}

// chunkOf returns the pages of a column in a row group, and the footer's entry for it, with offsets relative to the
// beginning of the pages.
func chunkOf(file *parquet.File, data []byte, group, column int) (pages []byte, footer []any) {
	meta := file.Metadata().RowGroups[group].Columns[column].MetaData
	begin := meta.DataPageOffset
	if meta.DictionaryPageOffset > 0 {
		begin, meta.DictionaryPageOffset = meta.DictionaryPageOffset, 0
	}
	meta.DataPageOffset -= begin
	place := group*len(file.Metadata().RowGroups[group].Columns) + column
	location := file.OffsetIndexes()[place].PageLocations[0]
	location.Offset -= begin
	return data[begin : begin+meta.TotalCompressedSize], []any{
		meta, location, file.ColumnIndexes()[place], len(file.OffsetIndexes()[place].PageLocations),
	}
}

// byLibrary returns the file that the library's own writer produces for rows of the table, from the row first on, in
// row groups that end at ends.
func (s sample) byLibrary(t rapid.TB, encodings []format.Encoding, first int, ends []int) []byte {
	t.Helper()
	fields := slices.Clone(must.Get(schemaOf(s.columns)).Fields())
	for c := range fields {
		fields[c] = encodedField{fields[c], parquet.LookupEncoding(encodings[c])}
	}
	schema := parquet.NewSchema("table", inOrder{parquet.Group{}, fields})
	var file bytes.Buffer
	options := append(s.parquet().options(), schema, parquet.PageBufferSize(16*groupRows),
		parquet.DataPageStatistics(false), parquet.DataPageVersion(1))
	writer := parquet.NewGenericWriter[any](&file, options...)
	for _, end := range ends {
		group := writer.BeginRowGroup()
		for c, column := range group.ColumnWriters() {
			var values []parquet.Value
			for _, v := range s.cells[c][first:end] {
				values = append(values, s.inLibrary(c, v))
			}
			must.Get(column.WriteRowValues(values))
		}
		must.Do(t, group.Flush())
		must.Get(group.Commit())
		first = end
	}
	must.Do(t, writer.Close())
	return file.Bytes()
}

// encodedField is a field with an encoding.
type encodedField struct {
	parquet.Field
	encoding encoding.Encoding
}

func (f encodedField) Encoding() encoding.Encoding { return f.encoding }

// inLibrary returns a value of a column as the library represents it.
func (s sample) inLibrary(c int, v Value) (value parquet.Value) {
	if v.state != known {
		return value
	}
	switch column := s.columns[c]; column.Type {
	case Integer:
		value = parquet.Int64Value(v.Int())
	case Float:
		value = parquet.DoubleValue(v.Real())
	default:
		value = parquet.ByteArrayValue([]byte(column.Names[v.Choice()]))
	}
	if s.columns[c].Gaps == NoGaps {
		return value
	}
	return value.Level(0, 1, c)
}

// check compares a file's metadata with the table. checkBytes covers all other bytes, and roundTrip reads the file
// back.
func (s sample) check(t rapid.TB, data []byte) {
	t.Helper()
	file := must.Get(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
	var metadata []string
	for _, pair := range file.Metadata().KeyValueMetadata {
		metadata = append(metadata, pair.Key+"="+pair.Value)
	}
	if want := []string{"a third=é", "another=", "key=value"}; !slices.Equal(metadata, want) {
		t.Errorf("metadata %q, want %q", metadata, want)
	}
	if got := file.Metadata().CreatedBy; got != "program version v1(build parquet-go)" {
		t.Errorf("created by %q", got)
	}
	if len(file.RowGroups()) != len(s.ends) || file.NumRows() != int64(s.size()) {
		t.Fatalf("%d row groups and %d rows, want %d and %d", len(file.RowGroups()), file.NumRows(), len(s.ends),
			s.size())
	}
	for c, column := range s.columns {
		field := file.Schema().Fields()[c]
		kind := map[Type]parquet.Kind{
			Integer: parquet.Int64, Float: parquet.Double,
			Name: parquet.ByteArray,
		}[column.Type]
		if field.Name() != column.Name || field.Type().Kind() != kind || field.Optional() != (column.Gaps != NoGaps) {
			t.Errorf("column %d of the file is %v %v, want %+v", c, field.Name(), field, column)
		}
	}
	for c, chunk := range file.Metadata().RowGroups[0].Columns {
		if chunk.MetaData.Codec != format.Zstd {
			t.Errorf("column %d is compressed by %v", c, chunk.MetaData.Codec)
		}
	}
}

// roundTrip writes tables and reads them back. Nothing may be lost, and the statistics must be right. The bytes must
// not depend on the batches or on the order in which blocks are filled, and must be the bytes that the library's own
// writer produces.
func roundTrip(t *rapid.T) {
	s := drawSample(t)
	file := s.written(t, rapid.IntRange(1, 400).Draw(t, "rows of a batch"), false)
	s.check(t, file)
	s.checkBytes(t, file)
	reader := must.Get(ReadParquet(bytes.NewReader(file), int64(len(file)), s.columns))
	sameCells(t, readBack(t, reader, s.columns), s.cells)
	if again := s.written(t, rapid.IntRange(1, 400).Draw(t, "rows of a batch"), true); !bytes.Equal(again, file) {
		t.Fatalf("the second time the file is another: %d bytes, %d before", len(again), len(file))
	}
}

func TestParquetRoundTrip(t *testing.T) { rapid.Check(t, roundTrip) }

func FuzzParquetRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

// largeSample returns a table of large blocks, with a column of each type and kind of gap. Its numbers have the given
// number of random bits.
func largeSample(bits int, ends ...int) sample {
	s := sample{ends: ends}
	random := rand.New(rand.NewPCG(1, 2))
	for _, gaps := range []Gaps{NoGaps, Absences, Unknowns} {
		for _, kind := range []Type{Integer, Float, Name} {
			column := Column{Name: fmt.Sprint("c", gaps, kind), Type: kind, Gaps: gaps}
			if kind == Name {
				column.Names = []string{"ant", "bee", "cow"}
			}
			cells := make([]Value, s.size())
			for i := range cells {
				switch {
				case gaps != NoGaps && random.IntN(3) == 0:
					cells[i] = map[Gaps]Value{Absences: Absent, Unknowns: Unknown}[gaps]
				case kind == Integer:
					cells[i] = Int(int64(random.Uint64() >> (64 - bits)))
				case kind == Float:
					cells[i] = Real(math.Ldexp(float64(random.Uint64()>>(64-bits)), -bits))
				default:
					cells[i] = Choice(random.IntN(3))
				}
			}
			s.columns, s.cells = append(s.columns, column), append(s.cells, cells)
		}
	}
	return s
}

// TestParquetGroups writes full blocks in batches of any size, both with numbers that repeat and with numbers that do
// not.
func TestParquetGroups(t *testing.T) {
	for _, bits := range []int{10, 64} {
		s := largeSample(bits, groupRows, groupRows+1, groupRows+20000)
		file := s.written(t, 128, false)
		s.check(t, file)
		for _, batch := range []int{1000, groupRows} {
			if !bytes.Equal(s.written(t, batch, true), file) {
				t.Errorf("batches of %d rows make another file", batch)
			}
		}
		s.checkBytes(t, file)
		groups := must.Get(parquet.OpenFile(bytes.NewReader(file), int64(len(file)))).Metadata().RowGroups
		if got := s.encodings(groups[0])[0] == format.RLEDictionary; got != (bits == 10) {
			t.Errorf("integers of %d bits have a dictionary: %t", bits, got)
		}
	}
}

// TestParquetRefuses checks that Parquet rejects values that could not be read back.
func TestParquetRefuses(t *testing.T) {
	for _, test := range []struct {
		gaps Gaps
		v    Value
	}{{NoGaps, Absent}, {NoGaps, Unknown}, {Absences, Unknown}, {Unknowns, Absent}} {
		columns := []Column{{Name: "waves", Gaps: test.gaps}}
		table := must.Get(Parquet{}.Begin(io.Discard, columns))
		batch := NewBatch(columns)
		batch.Resize(1)
		batch.Cells[0].Set(0, test.v)
		must.ErrorContains(t, table.NewBlock().Append(batch), `column "waves"`, test.gaps, test.v)
	}
	columns := []Column{{Name: "waves"}}
	batch := NewBatch(columns)
	batch.Resize(groupRows + 1)
	block := must.Get(Parquet{}.Begin(io.Discard, columns)).NewBlock()
	must.ErrorContains(t, block.Append(batch), fmt.Sprint(groupRows), fmt.Sprint(groupRows+1))
	if _, err := (Parquet{}).Begin(io.Discard, []Column{{Name: "a"}, {Name: "b"}, {Name: "a"}}); err == nil {
		t.Error("two columns of one name are taken")
	}
	if _, err := (Parquet{}).Needs(nil, MostParquetRows); err != nil {
		t.Error(err)
	}
	if _, err := (Parquet{}).Needs(nil, MostParquetRows+1); err == nil ||
		!strings.Contains(err.Error(), "use smaller ranges") {
		t.Errorf("error %v", err)
	}
}

// TestParquetNeeds compares the result of Needs with the actual memory of full blocks of incompressible values, and
// with the actual memory for a table with many row groups.
func TestParquetNeeds(t *testing.T) {
	s := largeSample(64, groupRows)
	needs := must.Get(Parquet{}.Needs(s.columns, groupRows))
	table := must.Get(Parquet{}.Begin(io.Discard, s.columns))
	for _, size := range []int{groupRows - 1, groupRows} { // blocks that are being filled, and encoded ones
		before := heap()
		blocks := make([]Block, 4)
		for i := range blocks {
			blocks[i] = table.NewBlock()
			s.ends[0] = size
			must.Do(t, s.fill(blocks[i], 0, 128))
		}
		took, said := (heap()-before)/int64(len(blocks)), needs.BlockBytes+int64(size)*needs.RowBytes
		runtime.KeepAlive(blocks)
		if t.Logf("a block of %d rows takes %d bytes, Needs says %d", size, took, said); took > said || took < said/4 {
			t.Error("that is not what it takes")
		}
	}

	const groups = 2000
	block := table.NewBlock()
	before := heap()
	for c := range s.cells {
		s.cells[c] = s.cells[c][:10]
	}
	s.ends[0] = 10
	for range groups {
		must.Do(t, errors.Join(s.fill(block, 0, 10), block.Write()))
	}
	needs = must.Get(Parquet{}.Needs(s.columns, groups*groupRows))
	took, said := heap()-before, needs.TableBytes
	runtime.KeepAlive(table)
	if t.Logf("the contents of %d groups take %d bytes, Needs says %d", groups, took, said); took > said ||
		took < said/8 {
		t.Error("that is not what they take")
	}
}

// heap returns the bytes in use on the heap.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the second collection frees what pools contain
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
