package main

import (
	"bufio"
	"encoding/binary"
	"os"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
)

// storedSize is the size of a battle in memory and on disk.
const storedSize = 24

// battleStore keeps the battles of a batch until all of them have been read: as many as allowed in memory, the others
// in a temporary file. The zero value with a capacity is empty and ready.
type battleStore struct {
	capacity int // battles to keep in memory
	memory   []castle.Battle
	file     *os.File // nil while memory suffices
	out      *bufio.Writer
	size     int64
}

// add appends a battle. All must have been added before the first is read.
func (s *battleStore) add(b castle.Battle) error {
	s.size++
	if len(s.memory) < s.capacity {
		s.memory = append(s.memory, b)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "siegebook-batch-*")
		if err != nil {
			return noRoom(err)
		}
		// Without a name it goes away with the process, however that ends.
		_ = os.Remove(file.Name())
		s.file, s.out = file, bufio.NewWriterSize(file, 1<<16)
	}
	record := s.out.AvailableBuffer()
	for _, number := range [...]int64{b.Soldiers, b.CastleHits, b.DefendersPerWave} {
		record = binary.LittleEndian.AppendUint64(record, uint64(number))
	}
	_, err := s.out.Write(record)
	return noRoom(err)
}

// noRoom names the folder of temporary files, which is what can be mended about an error of one.
func noRoom(err error) error { return command.Unwritable("TMPDIR", os.TempDir(), err) }

// finish makes what was added readable.
func (s *battleStore) finish() error {
	if s.file == nil {
		return nil
	}
	return noRoom(s.out.Flush())
}

// read appends the battles of a block. It may be called from several goroutines.
func (s *battleStore) read(list []castle.Battle, block grid.Block) ([]castle.Battle, error) {
	inMemory := int64(len(s.memory))
	first, end := block.First, block.First+block.Size
	if first < inMemory {
		list = append(list, s.memory[first:min(end, inMemory)]...)
		first = min(end, inMemory)
	}
	if first == end {
		return list, nil
	}
	records := make([]byte, (end-first)*storedSize)
	if _, err := s.file.ReadAt(records, (first-inMemory)*storedSize); err != nil {
		return list, err
	}
	stored := len(list)
	list = append(list, make([]castle.Battle, end-first)...)
	_, err := binary.Decode(records, binary.LittleEndian, list[stored:])
	return list, err
}

// close gives the file back.
func (s *battleStore) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
}
