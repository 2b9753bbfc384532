package content

import (
	"strings"
	"testing"
)

// TestSettings: what stands in an address is read and written alike.
func TestSettings(t *testing.T) {
	const address = "n=19&s=50&moves=0,8,5"
	e := Explorable{Kind: "castle-play", Start: Settings(address)}
	if got := e.Address(); got != address || len(e.Start) != 3 {
		t.Errorf("%q, of %v", got, e.Start)
	}
	defer func() {
		if recover() == nil {
			t.Error("a setting without a value is no setting")
		}
	}()
	Settings("n=19&s")
}

// TestExplorableRules: what ends up in a page's markup and address has a form that can do no harm there.
func TestExplorableRules(t *testing.T) {
	figure := Figure{Title: "A map", Light: Drawing("<svg/>"), Width: 1, Height: 1, Alt: "one cell"}.Named("map")
	for name, test := range map[string]struct {
		kind, name, value, fault string
	}{
		"good":     {"castle-map", "n", "19", ""},
		"kind":     {"Castle map", "n", "19", `explorable of the kind "Castle map": an id has lower-case letters`},
		"no name":  {"castle-map", "", "19", `the setting "": a name has letters only`},
		"bad name": {"castle-map", "n=1&m", "19", "a name has letters only"},
		"markup":   {"castle-map", "n", "<b>", `n = "<b>": a value has letters, digits`},
		"another":  {"castle-map", "n", "1&s=2", "a value has letters, digits"},
	} {
		f := figure
		f.Explore = &Explorable{Kind: test.kind, Start: []Setting{{test.name, test.value}}}
		err := f.Validate()
		if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %v, want %q", name, err, test.fault)
		}
	}
	data, err := Marshal(new(figure.Explored("castle-map", "n=19")))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Unmarshal(data); err != nil || b.(*Figure).Explore.Address() != "n=19" {
		t.Errorf("read again: %v %v", b, err)
	}
}
