package jupyter

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestWire(t *testing.T) {
	key := signer("key")
	m, err := request("session", "execute_request", map[string]string{"code": "1"})
	if err != nil {
		t.Fatal(err)
	}
	m.parent = header{ID: "parent"}
	frames, err := key.encode(m)
	if err != nil {
		t.Fatal(err)
	}
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

func TestUnquote(t *testing.T) {
	for literal, want := range map[string]string{
		`""`:                         "",
		`"a\n\t\"\\\/\b\f\r"`:        "a\n\t\"\\/\b\f\r",
		`"\u00e9\u03c6é"`:            "éφé",
		`"\ud83d\ude00"`:             "😀",
		`"\ud83d"`:                   "\xed\xa0\xbd",
		`"\ude00\ud83d"`:             "\xed\xb8\x80\xed\xa0\xbd",
		"\"\xc3\"":                   "\xc3",
		`"\ud7ff\ue000"`:             "\ud7ff\ue000",
		`"\ud83d\ud83d\ude00\u0041"`: "\xed\xa0\xbd😀A",
	} {
		if got := string(unquote([]byte(literal))); got != want {
			t.Errorf("%s: got %q, want %q", literal, got, want)
		}
	}
}
