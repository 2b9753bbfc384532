package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/plain"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/parquet-go/parquet-go/hashprobe"
)

// Parquet writes files for DuckDB, polars, pandas and Spark, see https://parquet.apache.org. Columns are typed, and
// everything is compressed with zstd. Names are stored as indexes into a dictionary. In each row group, the numbers of
// a column are also stored in this way if that makes them smaller; otherwise, integers are delta-encoded, and floats
// are stored as they are. A gap is a null, whatever its kind.
//
// The bytes depend only on the rows and the metadata, not on how the rows are split into batches.
type Parquet struct {
	Program, Version string            // the writing program and its version
	Metadata         map[string]string // the metadata of the file
}

var _ Format = Parquet{}

const (
	// groupRows is the number of rows of a row group. A row group contains statistics about each column, so that
	// readers can skip groups. Readers can also read several groups at the same time. A column of a row group is a
	// single page: zstd finds repetitions within a page, but not across pages, so several pages would make the file
	// larger.
	groupRows = 1 << 17
	// maxDictionary is the maximum number of numbers in a dictionary. A larger dictionary hardly makes a column
	// smaller.
	maxDictionary = 1 << 14
	// MostParquetRows is the maximum number of rows in a file, which the maximum number of row groups determines.
	MostParquetRows = parquet.MaxRowGroups * groupRows
)

// Needs returns the memory that suffices even for values that cannot be compressed.
func (Parquet) Needs(columns []Column, size int64) (Needs, error) {
	if size > MostParquetRows {
		return Needs{}, fmt.Errorf("%d rows: a Parquet file can have at most %d, use smaller ranges", size,
			int64(MostParquetRows))
	}
	needs := Needs{BlockRows: groupRows, BlockBytes: 4 << 20, TableBytes: 1 << 20} // several blocks share an encoder
	for _, column := range columns {
		needs.RowBytes += 9 // a number, and a byte that marks gaps
		if column.Type == Name {
			needs.RowBytes -= 7
		}
		needs.TableBytes += 1024 * ((max(size, 1)-1)/groupRows +
			1) // its entry for each row group, at the end of the file
	}
	return needs, nil
}

// Begin begins a file.
func (p Parquet) Begin(w io.Writer, columns []Column) (Table, error) {
	schema, err := schemaOf(columns)
	if err != nil {
		return nil, err
	}
	table := &parquetTable{
		output: counted{w: bufio.NewWriterSize(w, 1<<15)}, footer: emptyFooter(append(p.options(), schema)),
	}
	for i := range columns {
		table.columns = append(table.columns, newParquetColumn(&columns[i], schema.Fields()[i].Type()))
	}
	_, err = io.WriteString(&table.output, magic)
	return table, err
}

// options returns the library's options for writing a file.
func (p Parquet) options() []parquet.WriterOption {
	options := []parquet.WriterOption{parquet.CreatedBy(p.Program, p.Version, "parquet-go")}
	for key, value := range p.Metadata { // the library sorts them
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	return options
}

// schemaOf returns the schema of a file.
func schemaOf(columns []Column) (*parquet.Schema, error) {
	group, place := parquet.Group{}, map[string]int{}
	for i, column := range columns {
		if _, twice := place[column.Name]; twice {
			return nil, fmt.Errorf("column %q: named twice", column.Name)
		}
		node := parquet.Compressed(leafOf(column.Type), compression)
		if column.Gaps != NoGaps {
			node = parquet.Optional(node)
		}
		group[column.Name], place[column.Name] = node, i
	}
	fields := group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return place[a.Name()] - place[b.Name()] })
	return parquet.NewSchema("table", inOrder{group, fields}), nil
}

// leafOf returns the schema node for a type of column, with its encoding.
func leafOf(t Type) parquet.Node {
	switch t {
	case Float:
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.Plain)
	case Name:
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	default:
		return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	}
}

// compression is the codec of all columns. It keeps an encoder for each goroutine that uses it.
var compression = &zstd.Codec{Level: zstd.SpeedDefault}

// inOrder is a group whose fields keep their order; a parquet.Group sorts them by name.
type inOrder struct {
	parquet.Group
	fields []parquet.Field
}

func (g inOrder) Fields() []parquet.Field { return g.fields }

// The library writes values one by one, which would take most of the time of a sweep. So this file builds the pages
// itself, one column at a time, with the library's encodings. The library's writer produces the same bytes, as the
// tests of this package check.

// magic is the beginning and the end of a file.
const magic = "PAR1"

// emptyFooter returns the footer that the library writes for a file without rows.
func emptyFooter(options []parquet.WriterOption) format.FileMetaData {
	var file bytes.Buffer
	sure(0, parquet.NewGenericWriter[any](&file, options...).Close())
	return *sure(parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))).Metadata()
}

// counted is a writer that counts the bytes written to it.
type counted struct {
	w interface {
		io.Writer
		Flush() error
	}
	size int64
}

func (c *counted) Write(data []byte) (int, error) {
	n, err := c.w.Write(data)
	c.size += int64(n)
	return n, err
}

type parquetTable struct {
	output  counted
	columns []parquetColumn
	footer  format.FileMetaData
	// The indexes have an entry for each column of each row group.
	columnIndexes [][]format.ColumnIndex
	offsetIndexes [][]format.OffsetIndex
}

func (t *parquetTable) NewBlock() Block {
	b := &parquetBlock{table: t}
	for i := range t.columns {
		b.chunks = append(b.chunks, newParquetChunk(&t.columns[i]))
	}
	return b
}

// Close writes the page indexes and the footer.
func (t *parquetTable) Close() error {
	encoder := thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&t.output))
	put := func(index any) (offset int64, length int32, err error) {
		offset = t.output.size
		err = encoder.Encode(index)
		return offset, int32(t.output.size - offset), err
	}
	var err error
	for g, group := range t.columnIndexes {
		for c := range group {
			chunk := &t.footer.RowGroups[g].Columns[c]
			if chunk.ColumnIndexOffset, chunk.ColumnIndexLength, err = put(&group[c]); err != nil {
				return err
			}
		}
	}
	for g, group := range t.offsetIndexes {
		for c := range group {
			chunk := &t.footer.RowGroups[g].Columns[c]
			if chunk.OffsetIndexOffset, chunk.OffsetIndexLength, err = put(&group[c]); err != nil {
				return err
			}
		}
	}
	before := t.output.size
	if err := encoder.Encode(&t.footer); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32(nil, uint32(t.output.size-before))
	if _, err := t.output.Write(append(end, magic...)); err != nil {
		return err
	}
	return t.output.w.Flush()
}

// parquetColumn is a column of a file.
type parquetColumn struct {
	*Column
	gap   state // the state of the column's gaps; known if it has none
	typ   parquet.Type
	names []parquet.Value // the column's names, in the same order
}

func newParquetColumn(column *Column, typ parquet.Type) parquetColumn {
	p := parquetColumn{Column: column, typ: typ}
	p.gap = map[Gaps]state{NoGaps: known, Absences: absent, Unknowns: unknown}[column.Gaps]
	for _, name := range column.Names {
		p.names = append(p.names, parquet.ByteArrayValue([]byte(name)))
	}
	return p
}

// parquetBlock is a row group.
type parquetBlock struct {
	table   *parquetTable
	chunks  []*parquetChunk
	rows    int
	encoded bool
}

// Append adds rows, and encodes and compresses the row group as soon as it is full. Write encodes an incomplete one.
func (b *parquetBlock) Append(batch *Batch) error {
	if b.rows+batch.Size() > groupRows {
		return fmt.Errorf("a block has at most %d rows, not %d", groupRows, b.rows+batch.Size())
	}
	for c, chunk := range b.chunks {
		if err := chunk.append(batch.Cells[c]); err != nil {
			return err
		}
	}
	if b.rows += batch.Size(); b.rows == groupRows {
		b.encode()
	}
	return nil
}

// encode encodes the chunks.
func (b *parquetBlock) encode() {
	e := encoders.Get().(*encoder)
	for _, chunk := range b.chunks {
		chunk.encode(e)
	}
	encoders.Put(e)
	b.encoded = true
}

// sure returns the result of encoding in memory. It panics if there is an error, which cannot happen.
func sure[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func (b *parquetBlock) Write() error {
	if b.rows == 0 {
		return nil
	}
	t := b.table
	if len(t.footer.RowGroups) == parquet.MaxRowGroups {
		return parquet.ErrTooManyRowGroups
	}
	if !b.encoded {
		b.encode()
	}
	group := format.RowGroup{
		NumRows: int64(b.rows), FileOffset: t.output.size,
		Ordinal: int16(len(t.footer.RowGroups)), SortingColumns: []format.SortingColumn{},
	}
	columnIndexes, offsetIndexes := make([]format.ColumnIndex, len(b.chunks)), make([]format.OffsetIndex, len(b.chunks))
	for c, chunk := range b.chunks {
		written := chunk.placed(t.output.size)
		if _, err := t.output.Write(chunk.pages); err != nil {
			return err
		}
		group.Columns = append(group.Columns, written)
		group.TotalByteSize += written.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += written.MetaData.TotalCompressedSize
		columnIndexes[c], offsetIndexes[c] = chunk.indexes(written.MetaData.DataPageOffset)
	}
	t.footer.RowGroups = append(t.footer.RowGroups, group)
	t.columnIndexes, t.offsetIndexes = append(t.columnIndexes, columnIndexes), append(t.offsetIndexes, offsetIndexes)
	t.footer.NumRows += group.NumRows
	b.rows, b.encoded = 0, false
	return nil
}

// parquetChunk is the part of a column in a row group.
type parquetChunk struct {
	column *parquetColumn
	cells  *parquetCells // nil before the first row and after encoding
	pages  []byte        // a dictionary, if there is one, and the rows
	data   int64         // the offset of the rows in the pages
	meta   format.ColumnMetaData
	index  parquet.ColumnIndexer
}

// parquetCells holds the rows of a chunk that is being filled.
type parquetCells struct {
	values []int64 // the bits of the values, without gaps
	levels []byte  // 1 for a value, 0 for a gap; empty if the column has no gaps
}

// Only blocks that are being filled need cells, and only blocks that are being encoded need an encoder. So blocks share
// them.
var (
	cellPool = sync.Pool{New: func() any { return new(parquetCells) }}
	encoders = sync.Pool{New: func() any { return &encoder{places: hashprobe.NewInt64Table(0, 0.9)} }}
)

func newParquetChunk(column *parquetColumn) *parquetChunk {
	return &parquetChunk{column: column, index: column.typ.NewColumnIndexer(parquet.DefaultColumnIndexSizeLimit)}
}

// append appends rows.
func (c *parquetChunk) append(cells Cells) error {
	if c.cells == nil {
		c.cells = cellPool.Get().(*parquetCells)
		c.cells.values, c.cells.levels = c.cells.values[:0], c.cells.levels[:0]
	}
	to, size, gap := c.cells, len(cells.bits), c.column.gap
	if gap != known {
		to.levels = slices.Grow(to.levels, size)[:len(to.levels)+size]
	}
	if bytes.Count(cells.states, []byte{known}) == size {
		to.values = append(to.values, cells.bits...)
		if gap != known {
			for i := range size {
				to.levels[len(to.levels)-size+i] = 1
			}
		}
		return nil
	}
	before, wrong := len(to.values), gap == known
	to.values = slices.Grow(to.values, size)
	values, levels := to.values[:before+size], to.levels[max(0, len(to.levels)-size):]
	for i, s := range cells.states {
		if s != known && s != gap {
			wrong = true
		}
		if wrong {
			break
		}
		level := s >> 1
		values[before], levels[i] = cells.bits[i], level
		before += int(level)
	}
	if wrong {
		return fmt.Errorf("column %q has a gap of the wrong kind", c.column.Name)
	}
	to.values = values[:before]
	return nil
}

// encode encodes and compresses the rows. Numbers get a dictionary if that makes them smaller.
func (c *parquetChunk) encode(e *encoder) {
	rows := len(c.cells.values)
	if c.column.gap != known {
		rows = len(c.cells.levels)
	}
	gaps := int64(rows - len(c.cells.values))
	c.pages, c.data = c.pages[:0], 0
	c.meta = format.ColumnMetaData{
		Type: format.Type(c.column.typ.Kind()), PathInSchema: []string{c.column.Name}, Codec: format.Zstd,
		NumValues: int64(rows), Statistics: format.Statistics{NullCount: gaps},
	}
	if c.column.gap != known {
		c.meta.Encoding = []format.Encoding{format.RLE} // the levels use RLE
		c.meta.SizeStatistics.DefinitionLevelHistogram = []int64{gaps, int64(rows) - gaps}
	}
	least, greatest := c.bounds()
	if !least.IsNull() {
		c.meta.Statistics.MinValue = least.AppendBytes([]byte{})
		c.meta.Statistics.MaxValue = greatest.AppendBytes([]byte{})
	}
	c.index.Reset()
	c.index.IndexPage(int64(rows), gaps, least, greatest)

	numbers, dictionary := e.encode(c)
	if dictionary != nil {
		header := format.PageHeader{Type: format.DictionaryPage}
		header.DictionaryPageHeader.Valid = true
		header.DictionaryPageHeader.V.NumValues = int32(len(e.dictionary))
		c.appendPage(dictionary, header, &e.header)
		c.data = int64(len(c.pages))
	}
	header := format.PageHeader{Type: format.DataPage}
	header.DataPageHeader.Valid = true
	header.DataPageHeader.V = format.DataPageHeader{
		NumValues: int32(rows), Encoding: numbers.code,
		DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
	}
	c.appendPage(numbers, header, &e.header)
	slices.Sort(c.meta.Encoding)
	slices.SortFunc(c.meta.EncodingStats, func(a, b format.PageEncodingStats) int {
		return cmp.Compare(a.PageType, b.PageType)
	})
	cellPool.Put(c.cells)
	c.cells = nil
}

// appendPage appends a page with its header.
func (c *parquetChunk) appendPage(p *page, header format.PageHeader, buffer *bytes.Buffer) {
	header.UncompressedPageSize, header.CompressedPageSize = int32(len(p.encoded)), int32(len(p.compressed))
	header.CRC = int32(crc32.ChecksumIEEE(p.compressed))
	buffer.Reset()
	sure(0, thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(buffer)).Encode(&header))
	c.meta.TotalUncompressedSize += int64(buffer.Len() + len(p.encoded))
	c.meta.TotalCompressedSize += int64(buffer.Len() + len(p.compressed))
	c.meta.Encoding = append(c.meta.Encoding, p.code)
	c.meta.EncodingStats = append(c.meta.EncodingStats,
		format.PageEncodingStats{PageType: header.Type, Encoding: p.code, Count: 1})
	c.pages = append(append(c.pages, buffer.Bytes()...), p.compressed...)
}

// encoder holds the buffers for encoding a chunk.
type encoder struct {
	places                *hashprobe.Int64Table // the index of each value in the dictionary
	dictionary            []int64               // the bits of a chunk's distinct values, in order of appearance
	indexes               []int32               // the indexes of the chunk's rows in the dictionary
	levels, values        []byte
	direct, indexed, list page // the rows without a dictionary; their indexes; the dictionary
	header                bytes.Buffer
}

// page is a page that is encoded and compressed.
type page struct {
	code                format.Encoding
	encoded, compressed []byte
}

// set encodes a page of levels, if there are any, and encoded values.
func (p *page) set(code format.Encoding, levels, values []byte) {
	p.code, p.encoded = code, append(append(p.encoded[:0], levels...), values...)
	p.compressed = sure(compression.Encode(p.compressed[:0], p.encoded))
}

// encode returns the rows of a chunk as a page, and its dictionary, which may be nil. Both are valid until the next
// call.
func (e *encoder) encode(c *parquetChunk) (rows, dictionary *page) {
	e.levels = e.levels[:0]
	if c.column.gap != known {
		levels := sure((&rle.Encoding{BitWidth: 1}).EncodeLevels(e.values[:0], c.cells.levels))
		e.levels, e.values = append(binary.LittleEndian.AppendUint32(e.levels, uint32(len(levels))), levels...), levels
	}

	if c.column.Type == Name {
		e.lookUp(c.cells.values, len(c.column.Names))
		e.values = e.values[:0]
		for _, name := range e.dictionary {
			e.values = plain.AppendByteArrayString(e.values, c.column.Names[name])
		}
		e.setIndexed()
		return &e.indexed, &e.list
	}

	code := format.Plain
	if c.column.Type == Integer {
		code = format.DeltaBinaryPacked
		e.values = sure(new(delta.BinaryPackedEncoding).EncodeInt64(e.values[:0], c.cells.values))
	} else {
		e.values = appendNumbers(e.values[:0], c.cells.values)
	}
	e.direct.set(code, e.levels, e.values)
	if e.lookUp(c.cells.values, maxDictionary) {
		e.values = appendNumbers(e.values[:0], e.dictionary)
		e.setIndexed()
		if len(e.indexed.compressed)+len(e.list.compressed) < len(e.direct.compressed) {
			return &e.indexed, &e.list
		}
	}
	return &e.direct, nil
}

// setIndexed sets the page of the dictionary, whose encoded values are in e.values, and the page of the indexes.
func (e *encoder) setIndexed() {
	e.list.set(format.Plain, nil, e.values)
	e.values = sure(new(rle.DictionaryEncoding).EncodeInt32(e.values[:0], e.indexes))
	e.indexed.set(format.RLEDictionary, e.levels, e.values)
}

// lookUp builds the dictionary of values, and looks up their indexes. It stops if there are more than limit distinct
// values, and reports whether there are at most that many.
func (e *encoder) lookUp(values []int64, limit int) bool {
	e.places.Reset()
	e.dictionary = e.dictionary[:0]
	e.indexes = slices.Grow(e.indexes[:0], len(values))[:len(values)]
	indexes := e.indexes
	for piece := range slices.Chunk(values, 1<<12) {
		if e.places.Probe(piece, indexes) > 0 {
			for i, value := range piece {
				if int(indexes[i]) == len(e.dictionary) {
					e.dictionary = append(e.dictionary, value)
				}
			}
		}
		if len(e.dictionary) > limit {
			return false
		}
		indexes = indexes[len(piece):]
	}
	return true
}

// appendNumbers appends numbers in little-endian order, 8 bytes each.
func appendNumbers(to []byte, numbers []int64) []byte {
	for _, n := range numbers {
		to = binary.LittleEndian.AppendUint64(to, uint64(n))
	}
	return to
}

// bounds returns the smallest and the largest value of the rows. Both are null if there are no values.
func (c *parquetChunk) bounds() (least, greatest parquet.Value) {
	if len(c.cells.values) == 0 {
		return
	}
	first := c.cells.values[0]
	switch c.column.Type {
	case Integer:
		least, greatest, _ = c.column.typ.NewPage(0, len(c.cells.values), encoding.Int64Values(c.cells.values)).Bounds()
		return least, greatest
	case Float:
		low, high := math.Float64frombits(uint64(first)), math.Float64frombits(uint64(first))
		for _, v := range c.cells.values {
			if v := math.Float64frombits(uint64(v)); v < low {
				low = v
			} else if v > high {
				high = v
			}
		}
		return parquet.DoubleValue(low), parquet.DoubleValue(high)
	}
	low, high := first, first
	for _, name := range c.cells.values {
		if name == low || name == high {
			continue
		}
		if names := c.column.Names; names[name] < names[low] {
			low = name
		} else if names[name] > names[high] {
			high = name
		}
	}
	return c.column.names[low], c.column.names[high]
}

// placed returns the footer's entry for the chunk, whose pages begin at an offset in the file.
func (c *parquetChunk) placed(offset int64) format.ColumnChunk {
	if c.data > 0 {
		c.meta.DictionaryPageOffset = offset
	}
	c.meta.DataPageOffset = offset + c.data
	return format.ColumnChunk{MetaData: c.meta}
}

// indexes returns the indexes of the chunk, whose rows begin at an offset in the file.
func (c *parquetChunk) indexes(offset int64) (format.ColumnIndex, format.OffsetIndex) {
	index := c.index.ColumnIndex()
	index.DefinitionLevelHistogram = c.meta.SizeStatistics.DefinitionLevelHistogram
	return index, format.OffsetIndex{PageLocations: []format.PageLocation{{
		Offset: offset, CompressedPageSize: int32(int64(len(c.pages)) - c.data),
	}}}
}

// parquetReader reads Parquet files: one row group after the other, and a page of each column at a time.
type parquetReader struct {
	columns []parquetColumn
	groups  []parquet.RowGroup
	left    int64 // the remaining rows of the current group
	chunks  []parquet.ColumnChunkValueReader
	values  []parquet.Value
}

// ReadParquet reads a file that Parquet has written with the given columns. The caller should know that we wrote the
// file, for example by a checksum. Other files are rejected or read as far as possible, but this may need much memory.
func ReadParquet(file io.ReaderAt, size int64, columns []Column) (reader Reader, err error) {
	defer noPanic(&err)
	opened, err := parquet.OpenFile(file, size, parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(columns)
	if err != nil {
		return nil, err
	}
	if got, want := opened.Schema().String(), schema.String(); got != want {
		return nil, fmt.Errorf("the schema is %s, not %s", got, want)
	}
	p := &parquetReader{groups: opened.RowGroups()}
	for i := range columns {
		p.columns = append(p.columns, newParquetColumn(&columns[i], schema.Fields()[i].Type()))
	}
	return p, nil
}

// noPanic turns a panic into an error, because the library may have to read files that we did not write.
func noPanic(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("not readable as Parquet: %v", problem)
	}
}

func (p *parquetReader) Read(batch *Batch, most int) (err error) {
	defer noPanic(&err)
	for p.left == 0 && len(p.groups) > 0 {
		if err := p.begin(p.groups[0]); err != nil {
			return err
		}
		p.groups = p.groups[1:]
	}
	size := int(min(int64(most), p.left))
	batch.Resize(size)
	if cap(p.values) < size {
		p.values = make([]parquet.Value, size)
	}
	values := p.values[:size]
	for c := range p.columns {
		if err := readValues(p.chunks[c], values); err != nil {
			return fmt.Errorf("column %q: %w", p.columns[c].Name, err)
		}
		if err := p.columns[c].setCells(batch.Cells[c], values); err != nil {
			return err
		}
	}
	p.left -= int64(size)
	return nil
}

// begin starts to read a row group.
func (p *parquetReader) begin(group parquet.RowGroup) error {
	if err := p.Close(); err != nil {
		return err
	}
	p.left = group.NumRows()
	for _, chunk := range group.ColumnChunks() {
		p.chunks = append(p.chunks, parquet.NewColumnChunkValueReader(chunk))
	}
	return nil
}

func (p *parquetReader) Close() error {
	var all error
	for _, chunk := range p.chunks {
		all = errors.Join(all, chunk.Close())
	}
	p.chunks = p.chunks[:0]
	return all
}

// setCells sets cells to values from the library.
func (p *parquetColumn) setCells(cells Cells, values []parquet.Value) error {
	for i, v := range values {
		switch {
		case v.IsNull() && p.gap == known:
			return fmt.Errorf("column %q must not have gaps", p.Name)
		case v.IsNull():
			cells.Set(i, Value{state: p.gap})
		case p.Type == Integer:
			cells.Set(i, Int(v.Int64()))
		case p.Type == Float:
			cells.Set(i, Real(v.Double()))
		default:
			choice, err := p.choice(v.ByteArray())
			if err != nil {
				return fmt.Errorf("column %q: %w", p.Name, err)
			}
			cells.Set(i, choice)
		}
	}
	return nil
}

// readValues fills values with the next values of a column.
func readValues(from parquet.ValueReader, values []parquet.Value) error {
	for len(values) > 0 {
		n, err := from.ReadValues(values)
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		values = values[n:]
	}
	return nil
}
