package printer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// chapters returns a function for Print that returns a book with a table of contents and with chapters of the given
// numbers of sheets.
func chapters(sheets map[string]int, order ...string) func(numbers map[string]int) ([]byte, error) {
	return func(numbers map[string]int) ([]byte, error) {
		var page strings.Builder
		page.WriteString(`<!DOCTYPE html><meta charset="utf-8"><title>Book</title>` +
			`<style>.sheet { break-before: page; }</style>`)
		for _, id := range order {
			fmt.Fprintf(&page, `<p><a href="#%s">%s</a> %d</p>`, id, id, numbers[id])
		}
		for _, id := range order {
			fmt.Fprintf(&page, `<h1 class="sheet" id="%s">%s</h1>`, id, id)
			for range sheets[id] - 1 {
				page.WriteString(`<p class="sheet">more</p>`)
			}
		}
		return []byte(page.String()), nil
	}
}

// TestPrint prints a book of many pages, because the PDF then has a page tree of several levels.
func TestPrint(t *testing.T) {
	browser, err := Find()
	if err != nil {
		must.SkipMissing(t, "%v: run make setup", err)
	}
	sheets := map[string]int{"one--top": 2, "zwei--größe": 70, "三": 1, "fn:note(1)": 3}
	want := map[string]int{"one--top": 2, "zwei--größe": 4, "三": 74, "fn:note(1)": 75}
	page := chapters(sheets, "one--top", "zwei--größe", "三", "fn:note(1)")
	var last map[string]int
	print := func() []byte {
		pdf, err := Print(t.Context(), browser, func(numbers map[string]int) ([]byte, error) {
			last = numbers
			return page(numbers)
		})
		must.Do(t, err)
		return pdf
	}
	pdf := print()
	if !maps.Equal(last, want) {
		t.Errorf("the contents have the pages %v, want %v", last, want)
	}
	if !bytes.Contains(pdf, []byte("/Outlines")) || bytes.Count(pdf, []byte("/Subtype /Link")) != len(want) {
		t.Error("the PDF lacks an outline or links")
	}
	if !bytes.Equal(pdf, print()) {
		t.Error("two prints of a page differ")
	}
	must.Do(t, Untouched(pdf))
	must.ErrorContains(t, Untouched(bytes.Replace(pdf, []byte("(Book)"), []byte("(Mine)"), 1)), "the file was changed")
	must.ErrorContains(t, Untouched([]byte("%PDF-1.4\n%%EOF\n")), "siegebook did not write this file")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Print(ctx, browser, page); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled print ends with %v", err)
	}
}

// TestPrintFails checks that errors contain the browser's message, and that an unfamiliar PDF is an error.
func TestPrintFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browsers of this test are scripts of a shell")
	}
	page := chapters(nil, "a")
	for script, want := range map[string]string{
		"echo no display >&2; exit 3": "browser cannot print the page: exit status 3: no display",
		"exit 0":                      "no such file or directory",
		`for a; do case $a in --print-to-pdf=*) echo nothing >"${a#--print-to-pdf=}";; esac; done`: "0 page trees instead of 1",
	} {
		browser := filepath.Join(t.TempDir(), "browser")
		must.Do(t, os.WriteFile(browser, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
		_, err := Print(t.Context(), browser, page)
		must.ErrorContains(t, err, want)
	}
	fault := errors.New("a fault of the page")
	if _, err := Print(t.Context(), "none", func(map[string]int) ([]byte, error) { return nil, fault }); err != fault {
		t.Errorf("the fault of a page is %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(); runtime.GOOS == "linux" && err != ErrNoBrowser {
		t.Errorf("without a browser: %v", err)
	}
}

// TestTargets reads a page tree whose objects are not in order.
func TestTargets(t *testing.T) {
	pdf := "\n9 0 obj\n<</Type /Pages\n/Count 3\n/Kids [8 0 R 4 0 R]>>\nendobj" +
		"\n8 0 obj\n<</Type /Pages\n/Parent 9 0 R\n/Count 2\n/Kids [7 0 R 2 0 R]>>\nendobj" +
		"\n5 0 obj\n<</c#25C3#25A9 [4 0 R /XYZ 6 776 0]\n/a--top [2 0 R /XYZ 6 776 0]>>\nendobj"
	found, err := targets([]byte(pdf))
	must.Do(t, err)
	if want := map[string]int{"cé": 3, "a--top": 2}; !maps.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
	_, err = targets([]byte(strings.Replace(pdf, "[4 0 R /XYZ", "[6 0 R /XYZ", 1)))
	must.ErrorContains(t, err, "no page contains the target")
}
