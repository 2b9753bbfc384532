package program

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/content"
)

// Some processors round only once for a product and a sum, so the last digits of a float may differ from those in a
// browser. A control moves even if there is such a difference.

// near reports whether two results are the same except for the last digits of floats.
func near(a, b Result) bool {
	same := a.Type == b.Type && nearText(a.Text, b.Text) && len(a.Outputs) == len(b.Outputs) &&
		reflect.DeepEqual(a.Controls, b.Controls)
	for i := 0; same && i < len(a.Outputs); i++ {
		same = nearOutput(a.Outputs[i], b.Outputs[i])
	}
	return same
}

func nearOutput(a, b jupyter.Output) bool {
	if a.Type != b.Type || a.Name != b.Name || !nearText(a.Text, b.Text) || len(a.Data) != len(b.Data) {
		return false
	}
	for kind := range a.Data {
		one, _ := a.Data.Text(kind)
		other, _ := b.Data.Text(kind)
		if kind == content.MediaType && !nearBlock(one, other) || kind != content.MediaType && !nearText(one, other) {
			return false
		}
	}
	return true
}

// nearBlock reports whether two encoded blocks are near. Encoded drawings are not text, so nearBlock decodes figures
// first.
func nearBlock(a, b string) bool {
	var figures [2]content.Figure
	for i, text := range []string{a, b} {
		block, err := content.Unmarshal([]byte(text))
		figure, is := block.(*content.Figure)
		if err != nil || !is {
			return nearText(a, b)
		}
		figures[i] = *figure
	}
	one, other := figures[0], figures[1]
	if !nearText(string(one.Light), string(other.Light)) || !nearText(string(one.Dark), string(other.Dark)) {
		return false
	}
	one.Light, one.Dark, other.Light, other.Dark = nil, nil, nil, nil
	first, err := json.Marshal(one)
	second, err2 := json.Marshal(other)
	return err == nil && err2 == nil && nearText(string(first), string(second))
}

// number matches a number with an optional fraction and exponent.
var number = regexp.MustCompile(`\d+(?:\.(\d+))?(?:[eE][+-]?\d+)?`)

// nearText reports whether two texts differ only in the last digits of floats.
func nearText(a, b string) bool {
	if a == b {
		return true
	}
	if number.ReplaceAllString(a, "0") != number.ReplaceAllString(b, "0") {
		return false
	}
	others := number.FindAllStringSubmatch(b, -1)
	for i, m := range number.FindAllStringSubmatch(a, -1) {
		one, other := m[0], others[i][0]
		if one == other {
			continue
		}
		x, err := strconv.ParseFloat(one, 64)
		y, err2 := strconv.ParseFloat(other, 64)
		if err != nil || err2 != nil || !strings.ContainsAny(one+other, ".eE") {
			return false
		}
		last := 0.0 // one unit in the last digit of a rounded number
		if digits := max(len(m[1]), len(others[i][1])); digits <= mostRounded && !strings.ContainsAny(one+other, "eE") {
			last = 1.01 * math.Pow10(-digits)
		}
		if math.Abs(x-y) > max(last, relative*max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}

const (
	// mostRounded is the maximum number of decimals in a number that was rounded for display.
	mostRounded = 6
	// relative is the maximum relative difference of two floats that were computed in the same way.
	relative = 1e-9
)
