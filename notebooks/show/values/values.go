// Package values stores the variables of a cell for later cells, which run as separate programs. The kernel inserts
// calls to this package into a cell's program (see internal/jupyter/kept.go). Cells themselves do not use it.
//
// A file contains variables of a cell that share memory, and never changes. A table lists the file of each variable, or
// the reason why the variable could not be stored. Save replaces the table as a whole.
//
// A stored value preserves unexported fields, nil and empty slices, capacities, cycles, and memory shared by its
// pointers. Save rejects values that cannot be restored in another process.
package values

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// FolderVariable is the environment variable that names the folder for stored values.
const FolderVariable = "SIEGEBOOK_KEPT"

// Most is the maximum total size of the values of a cell, in bytes.
const Most = 256 << 20

// Variable is a variable of a cell.
type Variable struct {
	name  string
	value reflect.Value // an addressable value
	own   bool          // value is stored at the variable's own address
}

// Of returns a variable whose address the cell does not take, so that the compiler can still choose where the variable
// is stored.
func Of[T any](name string, value T) Variable {
	return Variable{name, reflect.ValueOf(&value).Elem(), false}
}

// At returns a variable given by its address.
func At[T any](name string, place *T) Variable {
	return Variable{name, reflect.ValueOf(place).Elem(), true}
}

// Entry is a line of the table: the file of a variable and the variable's index in the file, or the reason why the
// variable could not be stored.
type Entry struct {
	File string
	Root int
	Why  string
}

func tableFile(folder string) string { return filepath.Join(folder, "table") }

// ReadTable returns the table in a folder, by variable.
func ReadTable(folder string) map[string]Entry {
	table := map[string]Entry{}
	text, _ := os.ReadFile(tableFile(folder)) // the file does not exist before the first value
	for line := range strings.Lines(string(text)) {
		if p := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(p) == 4 {
			root, _ := strconv.Atoi(p[2])
			table[p[0]] = Entry{p[1], root, p[3]}
		}
	}
	return table
}

// WriteTable replaces the table.
func WriteTable(folder string, table map[string]Entry) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(table)) {
		e := table[name]
		why := strings.NewReplacer("\n", " ", "\t", " ").Replace(e.Why)
		fmt.Fprintf(&text, "%s\t%s\t%d\t%s\n", name, e.File, e.Root, why)
	}
	next := tableFile(folder) + ".next"
	return errors.Join(os.WriteFile(next, []byte(text.String()), 0o600), os.Rename(next, tableFile(folder)))
}

// Header is the first part of a file, before the values. Types are in Go's syntax, with the quoted import path in place
// of each package name.
type Header struct {
	Names, Types []string // the names and types of the variables
	Held         []string // the types of values in interfaces
	Shapes       string   // a hash of all types
}

// ReadHeader returns the header of a file, and the bytes of the values.
func ReadHeader(file string) (h Header, values []byte, err error) {
	data, err := os.ReadFile(file)
	for err == nil {
		line, rest, more := bytes.Cut(data, []byte("\n"))
		p := strings.Split(string(line), "\t")
		switch data = rest; {
		case more && p[0] == "root" && len(p) == 3:
			h.Names, h.Types = append(h.Names, p[1]), append(h.Types, p[2])
		case more && p[0] == "held" && len(p) == 2:
			h.Held = append(h.Held, p[1])
		case more && p[0] == "shapes" && len(p) == 2:
			h.Shapes = p[1]
			return h, data, nil
		default:
			err = fmt.Errorf("%s is not a file of values", file)
		}
	}
	return h, nil, err
}

// group is a set of variables that share memory, or one variable that cannot be stored.
type group struct {
	variables []Variable
	file      []byte
	why       string
}

// describe sets the content of a group's file.
func (g *group) describe(e *encoder) {
	types := make([]reflect.Type, 0, len(g.variables)+len(e.held))
	for _, v := range g.variables {
		of := v.value.Type()
		types = append(types, of)
		g.file = fmt.Appendf(g.file, "root\t%s\t%s\n", v.name, expression(of, e.local))
	}
	for _, of := range e.held {
		g.file = fmt.Appendf(g.file, "held\t%s\n", expression(of, e.local))
	}
	g.file = fmt.Appendf(g.file, "shapes\t%s\n", shapes(append(types, e.held...)))
	g.file = append(g.file, e.data...)
}

// Save stores variables. local lists the names of types that are declared in functions, each surrounded by spaces.
func Save(local string, variables ...Variable) {
	folder := os.Getenv(FolderVariable)
	if folder == "" {
		return
	}
	table := ReadTable(folder)
	for _, g := range groups(local, variables) {
		name, err := g.write(folder, table)
		for root, v := range g.variables {
			table[v.name] = Entry{File: name, Root: root}
			if err != nil {
				table[v.name] = Entry{Why: err.Error()}
			}
		}
	}
	used := map[string]bool{filepath.Base(tableFile(folder)): true}
	for _, e := range table {
		used[e.File] = true
	}
	if err := WriteTable(folder, table); err != nil {
		fmt.Fprintf(os.Stderr, "the values of this cell could not be kept: %v\n", err)
		return
	}
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		if !used[f.Name()] {
			_ = os.Remove(filepath.Join(folder, f.Name()))
		}
	}
}

// write writes the values of a group to a file, and returns the name of the file. If the variable's previous file has
// the same content, write keeps that file.
func (g group) write(folder string, table map[string]Entry) (name string, err error) {
	if g.why != "" {
		return "", errors.New(g.why)
	}
	name = table[g.variables[0].name].File
	if old, err := os.ReadFile(filepath.Join(folder, name)); name != "" && err == nil && bytes.Equal(old, g.file) {
		return name, nil
	}
	file, err := os.CreateTemp(folder, "values-")
	if err != nil {
		return "", err
	}
	_, err = file.Write(g.file)
	return filepath.Base(file.Name()), errors.Join(err, file.Close())
}

// Loaded holds the values of a file.
type Loaded []reflect.Value

// Load reads the file of a variable. types contains a nil pointer to the type of each variable in the file, and held
// contains a nil pointer to each type in an interface. If the types in the file differ, the program ends with a
// message.
func Load(name string, types, held []any) Loaded {
	folder := os.Getenv(FolderVariable)
	h, data, err := ReadHeader(filepath.Join(folder, ReadTable(folder)[name].File))
	d := &decoder{data: data}
	var all []reflect.Type
	for i, pointer := range slices.Concat(types, held) {
		of := reflect.TypeOf(pointer).Elem()
		if all = append(all, of); i >= len(types) {
			d.held = append(d.held, of)
		}
	}
	if err != nil || len(types) != len(h.Types) || len(held) != len(h.Held) || shapes(all) != h.Shapes {
		fmt.Fprintf(os.Stderr, "the type of %s has changed: run its cell again\n", name)
		os.Exit(1)
	}
	var l Loaded
	for _, of := range all[:len(types)] {
		v := reflect.New(of).Elem()
		d.value(of, v.Addr().UnsafePointer())
		l = append(l, v)
	}
	return l
}

// Take returns a value that was loaded from a file.
func Take[T any](from Loaded, root int) T { return *from[root].Addr().Interface().(*T) }
