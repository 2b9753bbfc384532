// Package printer prints a page to PDF with an installed Chromium or Chrome.
//
// Browsers cannot write the page numbers of chapters into a table of contents. So the page is printed twice: the first
// PDF shows on which page each link target is, and the second contains these page numbers.
package printer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// browsers lists the programs that can print, in the order in which Find looks for them.
var browsers = []string{
	"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
}

// ErrNoBrowser means that no browser that can print is installed.
var ErrNoBrowser = errors.New("printing needs Chromium or Chrome, but neither is on the PATH: install one, or print " +
	"the single-file edition (--single) in your own browser")

// Find returns an installed browser that can print, or ErrNoBrowser.
func Find() (string, error) {
	for _, name := range browsers {
		if file, err := exec.LookPath(name); err == nil {
			return file, nil
		}
	}
	return "", ErrNoBrowser
}

// mostPasses is the maximum number of times that a page is printed to get the right page numbers. Two passes are enough
// unless the numbers change the length of the table of contents.
const mostPasses = 4

// Print prints a page to PDF. It calls page with a map from ids of link targets to page numbers: first with nil, and
// then with the numbers of the last PDF, until they no longer change. The same page and browser always give the same
// bytes.
func Print(ctx context.Context, browser string, page func(numbers map[string]int) ([]byte, error)) ([]byte, error) {
	work, err := atomicfile.NewFolder("", "siegebook-print")
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Remove() }()
	var numbers map[string]int
	for range mostPasses {
		text, err := page(numbers)
		if err != nil {
			return nil, err
		}
		pdf, err := printed(ctx, browser, work.Path, text)
		if err != nil {
			return nil, fmt.Errorf("%s cannot print the page: %w", filepath.Base(browser), err)
		}
		found, err := targets(pdf)
		if err != nil {
			return nil, fmt.Errorf("the PDF of %s has an unexpected form: %w", filepath.Base(browser), err)
		}
		if numbers != nil && maps.Equal(found, numbers) {
			return sealed(timeless(pdf)), nil
		}
		numbers = found
	}
	return nil, errors.New("the page numbers keep changing: no PDF is written")
}

// patience is the maximum time that a browser may take to print.
const patience = 10 * time.Minute

// mostPDF is the maximum size of a PDF in bytes.
const mostPDF = 1024 * limitedread.MiB

func printed(ctx context.Context, browser, dir string, text []byte) ([]byte, error) {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	page, pdf := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(page, text, 0o600); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(pdf); err != nil {
		return nil, err
	}
	args := []string{
		"--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
		"--user-data-dir=" + filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--generate-pdf-document-outline",
		"--print-to-pdf=" + pdf,
	}
	if os.Getuid() == 0 { // Chromium's sandbox does not work as root; the page has no script
		args = append(args, "--no-sandbox")
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(page)}).String()
	cmd := exec.CommandContext(limited, browser, append(args, address)...)
	cmd.WaitDelay = 10 * time.Second
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		return nil, fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return limitedread.ReadFile(pdf, mostPDF)
}

// These patterns match parts of a PDF that Chromium does not compress.
var (
	pagesNode = regexp.MustCompile(`\n([0-9]+) 0 obj\n<</Type /Pages\b[^>]*?/Kids \[([0-9R ]+)\]`)
	reference = regexp.MustCompile(`([0-9]+) 0 R`)
	namedDest = regexp.MustCompile(`\n(?:<<)?/([^ \n]+) \[([0-9]+) 0 R /XYZ `)
	dates     = regexp.MustCompile(`/(Creation|Mod)Date \(D:[0-9]{14}\+00'00'\)`)
)

// targets returns the page number of each link target, by id. Pages are numbered from 1.
func targets(pdf []byte) (map[string]int, error) {
	kids, below := map[string][]string{}, map[string]bool{}
	for _, node := range pagesNode.FindAllSubmatch(pdf, -1) {
		for _, kid := range reference.FindAllSubmatch(node[2], -1) {
			kids[string(node[1])] = append(kids[string(node[1])], string(kid[1]))
			below[string(kid[1])] = true
		}
	}
	number := map[string]int{} // maps the objects of pages to page numbers
	var walk func(object string)
	walk = func(object string) {
		if kids[object] == nil {
			number[object] = len(number) + 1
		}
		for _, kid := range kids[object] {
			walk(kid)
		}
	}
	roots := 0
	for object := range kids {
		if !below[object] {
			roots++
			walk(object)
		}
	}
	if roots != 1 {
		return nil, fmt.Errorf("%d page trees instead of 1", roots)
	}
	found := map[string]int{}
	for _, dest := range namedDest.FindAllSubmatch(pdf, -1) {
		if string(dest[1]) == "Dest" { // the target of an outline entry, which has no name
			continue
		}
		page, known := number[string(dest[2])]
		if !known {
			return nil, fmt.Errorf("no page contains the target %s", dest[1])
		}
		found[idOf(string(dest[1]))] = page
	}
	return found, nil
}

var escapedByte = regexp.MustCompile(`#[0-9A-F]{2}`)

// idOf returns the id that a name in a PDF stands for. In a name, #25 stands for %, and %C3%BC for ü.
func idOf(name string) string {
	name = escapedByte.ReplaceAllStringFunc(name, func(code string) string {
		value, _ := strconv.ParseUint(code[1:], 16, 8) // cannot fail: the pattern matches two hexadecimal digits
		return string([]byte{byte(value)})
	})
	if id, err := url.PathUnescape(name); err == nil {
		return id
	}
	return name
}

// timeless replaces the dates in a PDF with a fixed date.
func timeless(pdf []byte) []byte {
	return dates.ReplaceAllFunc(pdf, func(date []byte) []byte {
		name, _, _ := bytes.Cut(date, []byte(" "))
		return []byte(string(name) + " (D:20000101000000+00'00')")
	})
}

// seal is the beginning of the last line of a PDF, which contains the checksum of everything before it. PDF readers
// ignore text after the end of a PDF.
const seal = "% siegebook: the SHA-256 of all before this line is "

func sealed(pdf []byte) []byte {
	return fmt.Appendf(bytes.Clone(pdf), "%s%x\n", seal, sha256.Sum256(pdf))
}

// Untouched returns nil if Print made the file and the file has not been changed since. Otherwise it returns an error
// with the reason.
func Untouched(pdf []byte) error {
	at := bytes.LastIndex(pdf, []byte(seal))
	switch {
	case at < 0:
		return errors.New("siegebook did not write this file")
	case !bytes.Equal(sealed(pdf[:at]), pdf):
		return errors.New("the file was changed since siegebook wrote it, or an earlier version wrote it")
	}
	return nil
}
