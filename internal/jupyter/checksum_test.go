package jupyter

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestSeal: a copy is known again, from whichever writer its notebook is, until a byte of it changes.
func TestSeal(t *testing.T) {
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n := parse(t, all[name])
		if err := n.CopyOf(all[name]); err == nil {
			t.Errorf("%s: the notebook itself is taken for a copy", name)
		}
		executed := n.Clone()
		executed.Seal()
		sealed := executed.Bytes()
		if err := n.CopyOf(sealed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		executed.Seal()
		if !bytes.Equal(executed.Bytes(), sealed) {
			t.Errorf("%s: sealed again it is another file", name)
		}
		for at := 0; at < len(sealed); at += 1 + len(sealed)/97 {
			changed := bytes.Clone(sealed)
			changed[at] ^= 1
			if n.CopyOf(changed) == nil {
				t.Errorf("%s: with byte %d (%q) changed it is taken for untouched", name, at, sealed[at])
			}
		}
		if n.CopyOf(append(bytes.Clone(sealed), '\n')) == nil {
			t.Errorf("%s: with a line more it is taken for untouched", name)
		}
		executed.Strip()
		if bytes.Contains(executed.Bytes(), []byte(sumName)) {
			t.Errorf("%s: the seal is not stripped", name)
		}
	}
}

// TestCopyOfAnother: a notebook may grow, and still knows its copies; another one of the same name does not.
func TestCopyOfAnother(t *testing.T) {
	const cell = `{"cell_type": "code", "id": "ID", "metadata": {}, "outputs": [], "execution_count": null, "source": []}`
	notebook := func(ids ...string) *Notebook {
		var cells []string
		for _, id := range ids {
			cells = append(cells, strings.Replace(cell, "ID", id, 1))
		}
		return parse(t, []byte(`{"cells": [`+strings.Join(cells, ", ")+`], "nbformat": 4, "nbformat_minor": 5}`))
	}
	textOnly := func(texts ...string) *Notebook {
		var cells []string
		for _, text := range texts {
			cells = append(cells, `{"cell_type": "markdown", "metadata": {}, "source": ["`+text+`"]}`)
		}
		return parse(t, []byte(`{"cells": [`+strings.Join(cells, ", ")+`], "nbformat": 4, "nbformat_minor": 4}`))
	}
	older := textOnly("title", "one", "two")
	older.Seal()
	if err := textOnly("title", "zero", "one").CopyOf(older.Bytes()); err != nil {
		t.Error(err)
	}
	if err := textOnly("title", "x", "y").CopyOf(older.Bytes()); err == nil ||
		err.Error() != "it is an executed copy of another notebook" {
		t.Errorf("without ids: err = %v", err)
	}
	old := notebook("title", "one", "two")
	old.Seal()
	if err := notebook("title", "zero", "one", "three").CopyOf(old.Bytes()); err != nil {
		t.Error(err)
	}
	if err := notebook("title", "x", "y").CopyOf(old.Bytes()); err == nil ||
		err.Error() != "it is an executed copy of another notebook" {
		t.Errorf("err = %v", err)
	}
}
