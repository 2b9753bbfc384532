package chapter

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Thousands writes a number with separators, for prose.
func Thousands[T int | int64](v T) string { return figure.Thousands(strconv.FormatInt(int64(v), 10)) }

// BigThousands writes a big number with separators.
func BigThousands(v *big.Int) string { return figure.Thousands(v.String()) }

// Listed writes a list for prose: 1, 2 and 3. It has at least two members.
func Listed(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// NoBreak keeps a short expression on one line.
func NoBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// MD formats Markdown of our own. Battles are kept on one line; neither they nor numbers need escaping.
func MD(format string, args ...any) content.Markdown {
	for i, arg := range args {
		if b, ok := arg.(battle); ok {
			args[i] = NoBreak(b.String())
		}
	}
	return content.Markdown(fmt.Sprintf(format, args...))
}

// battle is what the battles of all games have.
type battle interface {
	Validate() error
	String() string
}
