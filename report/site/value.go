package site

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Escape returns plain text as Markdown that shows exactly that text: on one line, without markup, math or HTML.
func Escape(s string) string {
	var b strings.Builder
	start := blockMarker(s)
	for i, r := range s {
		switch {
		case r == '$':
			// A backslash would not do: a formula before it would end here.
			b.WriteString("&#36;")
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r < ' ' || r == 0x7f || isPrivate(r):
			b.WriteRune('\uFFFD')
		case i == start || strings.ContainsRune("\\`*_{}[]<>&~|", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var blockRule = regexp.MustCompile(`^\s*(?:[0-9]{1,9}([.)])|([-+=#:!^])[-+=#:]*)(?:\s|$)`)

// blockMarker returns the offset of the character that would make s a list, heading, rule or definition if s stood at
// the start of a line, or -1. A number with its sign is none of these.
func blockMarker(s string) int {
	m := blockRule.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return -1
	case m[2] >= 0:
		return m[2]
	}
	return m[4]
}

// formatValue returns a value of Page.Values as Markdown.
func formatValue(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", errors.New("is nil: compute it before the page is built")
	case content.Markdown:
		return string(v), nil
	case string:
		return Escape(v), nil
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, bool:
		return fmt.Sprint(v), nil
	case float64:
		return formatFloat(v, 64)
	case float32:
		return formatFloat(float64(v), 32)
	case *big.Int, *big.Rat:
		return fmt.Sprint(v), nil
	case fmt.Stringer:
		return Escape(v.String()), nil
	}
	return "", fmt.Errorf("has the type %T: use a string, Markdown, a number, bool or a fmt.Stringer", v)
}

// Plain writes the values of a page as Markdown, so that it can be kept in a file and is the same page again.
func (p *Page) Plain() error {
	for name, value := range p.Values {
		text, err := formatValue(value)
		if err != nil {
			return fmt.Errorf("value %q %w", name, err)
		}
		p.Values[name] = content.Markdown(text)
	}
	return nil
}

func formatFloat(f float64, bits int) (string, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", fmt.Errorf("is %v: a page shows finite numbers only", f)
	}
	return strconv.FormatFloat(f, 'g', -1, bits), nil
}
