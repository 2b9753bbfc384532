package jupyter

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestWire(t *testing.T) {
	key := signer("key")
	m := request("session", "execute_request", map[string]string{"code": "1"})
	m.parent = header{ID: "parent"}
	frames := key.encode(m)
	got, err := key.decode(append([][]byte{[]byte("topic"), []byte("more")}, append(frames, []byte("buffer"))...))
	if err != nil || got.header != m.header || got.parent.ID != "parent" || !bytes.Equal(got.content, m.content) {
		t.Errorf("got %+v, error %v", got, err)
	}
	for i := 1; i < len(frames); i++ { // a change in any signed frame, and in the signature
		changed := slices.Clone(frames)
		changed[i] = append([]byte("x"), frames[i]...)
		if _, err := key.decode(changed); err != errSignature {
			t.Errorf("frame %d changed: error %v", i, err)
		}
	}
	if _, err := key.decode(frames[:4]); err == nil || !strings.Contains(err.Error(), "no message") {
		t.Errorf("too few frames: error %v", err)
	}
	if _, err := signer("other").decode(frames); err != errSignature {
		t.Errorf("another key: error %v", err)
	}
}

// TestSignature compares with a signature that another implementation has computed (Python's hmac, key "key", parts
// "a", "b", "c", "d").
func TestSignature(t *testing.T) {
	parts := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d")}
	const want = "2a31ec0ee8d878c9eece9fb0df79b3b90b2256240163aa5ee50d176d3d1121f8"
	if got := string(signer("key").sign(parts)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestStreamText: halves of a character come together, wherever a kernel cuts.
func TestStreamText(t *testing.T) {
	for _, test := range []struct {
		literals []string
		want     string
	}{
		{[]string{`""`}, ""},
		{[]string{`"a\n\t\"\\\/\b\f\r"`}, "a\n\t\"\\/\b\f\r"},
		{[]string{`"\u00e9\u03c6é"`}, "éφé"},
		{[]string{`"\ud83d\ude00"`}, "😀"},
		{[]string{`"\ud83d"`}, "\uFFFD"},
		{[]string{`"\ud83d"`, `"\ude00"`}, "😀"},
		{[]string{`"\ud83d"`, `""`, `"\ude00!"`}, "😀!"},
		{[]string{`"\ud83d"`, `"ude00"`}, "\uFFFDude00"},
		{[]string{"\"\xc3\""}, "\uFFFD"},
		{[]string{"\"\xc3\"", "\"\xa9\""}, "é"},
		{[]string{"\"a\xf0\"", "\"\x9f\x98\"", "\"\x80b\""}, "a😀b"},
		{[]string{`"\ud7ff\ue000"`}, "\ud7ff\ue000"},
		{[]string{`"\ud83d\ud83d\ude00\u0041"`}, "\uFFFD😀A"},
	} {
		c := newCollector(DefaultOutputLimit, map[string][]*Output{})
		for _, literal := range test.literals {
			m := message{header: header{Type: "stream"}, content: []byte(`{"name":"stdout","text":` + literal + `}`)}
			if err := c.take(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := c.result()[0].Text; got != test.want {
			t.Errorf("%s: got %q, want %q", test.literals, got, test.want)
		}
	}
	for _, content := range []string{`{"name":"stdout"}`, `{"text":1}`, `{"text":null}`} {
		m := message{header: header{Type: "stream"}, content: []byte(content)}
		if err := newCollector(DefaultOutputLimit, nil).take(m); err == nil ||
			!strings.Contains(err.Error(), "without a text") {
			t.Errorf("%s: error %v", content, err)
		}
	}
}
