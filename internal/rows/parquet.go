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

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/plain"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Parquet writes files for DuckDB, polars, pandas and Spark, see https://parquet.apache.org. Columns are typed,
// integers are delta-encoded, names are stored by their index in a dictionary, and everything is compressed with
// zstd. A gap is a null, whatever its kind.
//
// The bytes depend only on the rows and the metadata, not on how the rows are split into batches.
type Parquet struct {
	Program, Version string            // the writing program and its version
	Metadata         map[string]string // the metadata of the file
}

var _ Format = Parquet{}

const (
	// groupRows is the number of rows of a row group. It has statistics about each column, so that readers can skip
	// groups. Readers can read several groups at the same time.
	groupRows = 1 << 17
	// pageRows is the number of rows of a page, which is encoded and compressed as a unit.
	pageRows = 1 << 14
	// MostParquetRows is the maximum number of rows that the format can number.
	MostParquetRows = parquet.MaxRowGroups * groupRows
)

// Needs returns enough memory even for values that cannot be compressed.
func (Parquet) Needs(columns []Column, size int64) (Needs, error) {
	if size > MostParquetRows {
		return Needs{}, fmt.Errorf("%d rows: a Parquet file can have at most %d, use smaller ranges", size,
			int64(MostParquetRows))
	}
	needs := Needs{BlockRows: groupRows, BlockBytes: 1 << 18, TableBytes: 1 << 20}
	for _, column := range columns {
		needs.RowBytes += 9 // a number, and whether it is a gap
		if column.Type == Name {
			needs.RowBytes -= 7
		}
		needs.BlockBytes += 16 * pageRows // a page that is being filled
		needs.TableBytes += 2048 * ((max(size, 1)-1)/groupRows +
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

// options returns the library's options for a file without rows.
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

// leafOf returns the schema node of a type, with its encoding.
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

// inOrder is a group with its fields in the given order; a parquet.Group sorts them by name.
type inOrder struct {
	parquet.Group
	fields []parquet.Field
}

func (g inOrder) Fields() []parquet.Field { return g.fields }

// The library writes values one by one, which would take most of the time of a sweep. So this file builds the pages
// itself, a column at a time, with the library's encodings. The library's writer makes the same bytes, as the tests of
// this package check.

// magic is the beginning and the end of a file.
const magic = "PAR1"

// emptyFooter returns the footer that the library writes for a file without rows.
func emptyFooter(options []parquet.WriterOption) format.FileMetaData {
	var file bytes.Buffer
	sure(0, parquet.NewGenericWriter[any](&file, options...).Close())
	return *sure(parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))).Metadata()
}

// counted is a writer that counts bytes.
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
	// the indexes have an entry for each column of each row group
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
	gap   state // the kind of gap; known if the column has no gaps
	typ   parquet.Type
	names []parquet.Value // the names of the column, in the same order
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
	table  *parquetTable
	chunks []*parquetChunk
	rows   int
	buffers
}

// buffers are reused when pages are encoded.
type buffers struct {
	levels, page, packed []byte
	numbers              []int32
	header               bytes.Buffer
}

// Append encodes and compresses each page as soon as it is full. Write encodes the last, incomplete page.
func (b *parquetBlock) Append(batch *Batch) error {
	for first, size := 0, batch.Size(); first < size; {
		end := min(size, first+pageRows-b.rows%pageRows)
		for c, chunk := range b.chunks {
			if err := chunk.append(batch.Cells[c].slice(first, end)); err != nil {
				return err
			}
		}
		b.rows, first = b.rows+end-first, end
		if b.rows%pageRows == 0 {
			b.flush()
		}
	}
	return nil
}

// flush ends the current page of each column.
func (b *parquetBlock) flush() {
	for _, chunk := range b.chunks {
		chunk.flush(&b.buffers)
	}
}

// sure returns the result of encoding in memory. It panics at an error, which cannot happen.
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
	b.flush()
	group := format.RowGroup{
		NumRows: int64(b.rows), FileOffset: t.output.size,
		Ordinal: int16(len(t.footer.RowGroups)), SortingColumns: []format.SortingColumn{},
	}
	columnIndexes, offsetIndexes := make([]format.ColumnIndex, len(b.chunks)), make([]format.OffsetIndex, len(b.chunks))
	for c, chunk := range b.chunks {
		written, err := chunk.write(&t.output, &b.buffers)
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, written)
		group.TotalByteSize += written.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += written.MetaData.TotalCompressedSize
		columnIndexes[c], offsetIndexes[c] = chunk.indexes(written.MetaData.DataPageOffset)
		chunk.reset()
	}
	t.footer.RowGroups = append(t.footer.RowGroups, group)
	t.columnIndexes, t.offsetIndexes = append(t.columnIndexes, columnIndexes), append(t.offsetIndexes, offsetIndexes)
	t.footer.NumRows += group.NumRows
	b.rows = 0
	return nil
}

// parquetChunk is a column of a row group: encoded pages, and the page that is being filled.
type parquetChunk struct {
	column *parquetColumn
	values []int64 // the values of the current page, as bits, without missing values
	levels []byte  // the levels of its rows: 1 for a value, 0 for a gap; empty if the column has no gaps
	// For a column of names, dictionary lists the names in the chunk in order of appearance, and place has the position
	// of each name in this list, or -1 if it is not there.
	dictionary []int
	place      []int32
	pages      []byte // the encoded pages
	rows       int64  // the rows in the encoded pages
	gaps       []int64
	meta       format.ColumnMetaData
	ends       []format.PageLocation // the location of each encoded page
	index      parquet.ColumnIndexer
	least      parquet.Value
	greatest   parquet.Value
}

func newParquetChunk(column *parquetColumn) *parquetChunk {
	c := &parquetChunk{
		column: column, place: make([]int32, len(column.Names)),
		index: column.typ.NewColumnIndexer(parquet.DefaultColumnIndexSizeLimit),
	}
	c.reset()
	return c
}

// reset begins a new row group.
func (c *parquetChunk) reset() {
	c.pages, c.ends, c.rows, c.gaps = c.pages[:0], c.ends[:0], 0, c.gaps[:0]
	c.least, c.greatest = parquet.Value{}, parquet.Value{}
	c.index.Reset()
	c.dictionary = c.dictionary[:0]
	for i := range c.place {
		c.place[i] = -1
	}
	c.meta = format.ColumnMetaData{
		Type: format.Type(c.column.typ.Kind()), PathInSchema: []string{c.column.Name}, Codec: format.Zstd,
	}
}

// append appends rows to the current page.
func (c *parquetChunk) append(cells Cells) error {
	size, gap := len(cells.bits), c.column.gap
	if gap != known {
		c.levels = slices.Grow(c.levels, size)[:len(c.levels)+size]
	}
	if bytes.Count(cells.states, []byte{known}) == size {
		c.values = append(c.values, cells.bits...)
		if gap != known {
			copy(c.levels[len(c.levels)-size:], ones[:])
		}
		return nil
	}
	before, wrong := len(c.values), gap == known
	c.values = slices.Grow(c.values, size)
	values, levels := c.values[:before+size], c.levels[max(0, len(c.levels)-size):]
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
	c.values = values[:before]
	return nil
}

// ones holds the levels of a page without gaps.
var ones = [pageRows]byte(bytes.Repeat([]byte{1}, pageRows))

// flush encodes and compresses the current page if it has rows.
func (c *parquetChunk) flush(b *buffers) {
	rows := len(c.values)
	if c.column.gap != known {
		rows = len(c.levels)
	}
	if rows == 0 {
		return
	}
	b.levels = b.levels[:0]
	gaps := rows - len(c.values)
	if c.column.gap != known {
		b.levels = sure((&rle.Encoding{BitWidth: 1}).EncodeLevels(b.levels, c.levels))
	}
	least, greatest := c.bounds()
	code := c.encode(b)
	header := format.PageHeader{Type: format.DataPageV2}
	header.DataPageHeaderV2.Valid = true
	header.DataPageHeaderV2.V = format.DataPageHeaderV2{
		NumValues: int32(rows), NumNulls: int32(gaps), NumRows: int32(rows), Encoding: code,
		DefinitionLevelsByteLength: int32(len(b.levels)), IsCompressed: thrift.New(true),
	}
	c.ends = append(c.ends, format.PageLocation{Offset: int64(len(c.pages)), FirstRowIndex: c.rows})
	c.pages = c.appendPage(c.pages, b, header, code)
	c.index.IndexPage(int64(rows), int64(gaps), least, greatest)
	c.rows += int64(rows)
	c.gaps = append(c.gaps, int64(gaps))
	c.widen(least, greatest)
	c.values, c.levels = c.values[:0], c.levels[:0]
}

// appendPage appends the page in the buffers with its header.
func (c *parquetChunk) appendPage(to []byte, b *buffers, header format.PageHeader, code format.Encoding) []byte {
	b.packed = sure(compression.Encode(b.packed[:0], b.page))
	header.UncompressedPageSize = int32(len(b.levels) + len(b.page))
	header.CompressedPageSize = int32(len(b.levels) + len(b.packed))
	header.CRC = int32(crc32.Update(crc32.ChecksumIEEE(b.levels), crc32.IEEETable, b.packed))
	b.header.Reset()
	sure(0, thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&b.header)).Encode(&header))
	size := int64(b.header.Len())
	c.meta.TotalUncompressedSize += size + int64(header.UncompressedPageSize)
	c.meta.TotalCompressedSize += size + int64(header.CompressedPageSize)
	same := func(s format.PageEncodingStats) bool { return s.PageType == header.Type && s.Encoding == code }
	if i := slices.IndexFunc(c.meta.EncodingStats, same); i >= 0 {
		c.meta.EncodingStats[i].Count++
	} else {
		c.meta.EncodingStats = append(c.meta.EncodingStats,
			format.PageEncodingStats{PageType: header.Type, Encoding: code, Count: 1})
	}
	return append(append(append(to, b.header.Bytes()...), b.levels...), b.packed...)
}

// encode encodes the values of the current page into the buffer.
func (c *parquetChunk) encode(b *buffers) format.Encoding {
	switch c.column.Type {
	case Integer:
		b.page = sure(new(delta.BinaryPackedEncoding).EncodeInt64(b.page[:0], c.values))
		return format.DeltaBinaryPacked
	case Float:
		b.page = b.page[:0]
		for _, v := range c.values {
			b.page = binary.LittleEndian.AppendUint64(b.page, uint64(v))
		}
		return format.Plain
	}
	b.numbers = b.numbers[:0]
	for _, name := range c.values {
		if c.place[name] < 0 {
			c.place[name] = int32(len(c.dictionary))
			c.dictionary = append(c.dictionary, int(name))
		}
		b.numbers = append(b.numbers, c.place[name])
	}
	b.page = sure(new(rle.DictionaryEncoding).EncodeInt32(b.page[:0], b.numbers))
	return format.RLEDictionary
}

// bounds returns the smallest and the largest value of the current page. Both are null if the page has no values.
func (c *parquetChunk) bounds() (least, greatest parquet.Value) {
	if len(c.values) == 0 {
		return
	}
	first := c.values[0]
	switch c.column.Type {
	case Integer:
		least, greatest, _ = c.column.typ.NewPage(0, len(c.values), encoding.Int64Values(c.values)).Bounds()
		return least, greatest
	case Float:
		low, high := math.Float64frombits(uint64(first)), math.Float64frombits(uint64(first))
		for _, v := range c.values {
			if v := math.Float64frombits(uint64(v)); v < low {
				low = v
			} else if v > high {
				high = v
			}
		}
		return parquet.DoubleValue(low), parquet.DoubleValue(high)
	}
	low, high := first, first
	for _, name := range c.values {
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

// widen extends the bounds of the chunk by the bounds of a page.
func (c *parquetChunk) widen(least, greatest parquet.Value) {
	if least.IsNull() {
		return
	}
	if compare := c.column.typ.Compare; c.least.IsNull() || compare(least, c.least) < 0 {
		c.least = least
	}
	if compare := c.column.typ.Compare; c.greatest.IsNull() || compare(greatest, c.greatest) > 0 {
		c.greatest = greatest
	}
}

// write writes the dictionary page and the other pages, and returns the footer's entry about them.
func (c *parquetChunk) write(to *counted, b *buffers) (format.ColumnChunk, error) {
	if c.column.Type == Name {
		c.meta.DictionaryPageOffset = to.size
		b.levels, b.page = b.levels[:0], b.page[:0]
		for _, name := range c.dictionary {
			b.page = plain.AppendByteArrayString(b.page, c.column.Names[name])
		}
		header := format.PageHeader{Type: format.DictionaryPage}
		header.DictionaryPageHeader.Valid = true
		header.DictionaryPageHeader.V.NumValues = int32(len(c.dictionary))
		if _, err := to.Write(c.appendPage(nil, b, header, format.Plain)); err != nil {
			return format.ColumnChunk{}, err
		}
	}
	c.meta.DataPageOffset = to.size
	if _, err := to.Write(c.pages); err != nil {
		return format.ColumnChunk{}, err
	}
	c.meta.NumValues = c.rows
	for _, s := range c.meta.EncodingStats {
		c.meta.Encoding = append(c.meta.Encoding, s.Encoding)
	}
	if c.column.gap != known {
		c.meta.Encoding = append(c.meta.Encoding, format.RLE) // the levels use RLE
	}
	slices.Sort(c.meta.Encoding)
	c.meta.Encoding = slices.Compact(c.meta.Encoding)
	slices.SortFunc(c.meta.EncodingStats, func(a, b format.PageEncodingStats) int {
		return cmp.Or(cmp.Compare(a.PageType, b.PageType), cmp.Compare(a.Encoding, b.Encoding))
	})
	for _, gaps := range c.gaps {
		c.meta.Statistics.NullCount += gaps
	}
	if !c.least.IsNull() {
		c.meta.Statistics.MinValue = c.least.AppendBytes([]byte{})
		c.meta.Statistics.MaxValue = c.greatest.AppendBytes([]byte{})
	}
	if c.column.gap != known {
		c.meta.SizeStatistics.DefinitionLevelHistogram = []int64{
			c.meta.Statistics.NullCount, c.rows - c.meta.Statistics.NullCount,
		}
	}
	return format.ColumnChunk{MetaData: c.meta}, nil
}

// indexes returns the indexes of the pages. offset is the offset of the first page.
func (c *parquetChunk) indexes(offset int64) (format.ColumnIndex, format.OffsetIndex) {
	locations := slices.Clone(c.ends)
	index := c.index.ColumnIndex()
	for i := range locations {
		end, rows := int64(len(c.pages)), c.rows
		if i+1 < len(locations) {
			end, rows = locations[i+1].Offset, locations[i+1].FirstRowIndex
		}
		locations[i].CompressedPageSize = int32(end - locations[i].Offset)
		if c.column.gap != known {
			index.DefinitionLevelHistogram = append(index.DefinitionLevelHistogram, c.gaps[i],
				rows-locations[i].FirstRowIndex-c.gaps[i])
		}
		locations[i].Offset += offset
	}
	return index, format.OffsetIndex{PageLocations: locations}
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
// file, for example by a checksum. ReadParquet refuses other files, or reads them as far as possible, but may need much
// memory.
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

// noPanic turns a panic into an error, because the library may read files that we did not write.
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

// setCells sets cells to values of the library.
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
