package figure

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var payload = regexp.MustCompile(`base64,[A-Za-z0-9+/=]+`)

// pixelHash replaces an embedded PNG by a hash of its pixels: the compressor's bytes are not ours to pin.
func pixelHash(t *testing.T, svg []byte) []byte {
	t.Helper()
	return payload.ReplaceAllFunc(svg, func(p []byte) []byte {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(p), "base64,"))
		if err != nil {
			t.Fatalf("embedded image: %v", err)
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("embedded image: %v", err)
		}
		h := sha256.New()
		b := img.Bounds()
		fmt.Fprintln(h, b)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				fmt.Fprintln(h, img.At(x, y))
			}
		}
		return fmt.Appendf(nil, "pixels,%x", h.Sum(nil)[:8])
	})
}

var ownID = regexp.MustCompile(`f[0-9a-f]{16}`)

// TestGolden pins the light SVG, the alternative text and the CSV of every sample.
func TestGolden(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			f := mustBuild(s.build)
			got := ownID.ReplaceAll(pixelHash(t, f.Light), []byte("ID"))
			check := func(ext string, got []byte) {
				file := filepath.Join("testdata", s.name+ext)
				if *update {
					if err := os.WriteFile(file, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s differs (-want +got; go test -update rewrites):\n%s", file, diff)
				}
			}
			check(".svg", got)
			check(".csv", f.Data.CSV())
		})
	}
}

// TestDeterministic draws every sample twice.
func TestDeterministic(t *testing.T) {
	for _, s := range samples() {
		a, b := mustBuild(s.build), mustBuild(s.build)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s differs from run to run:\n%s", s.name, diff)
		}
	}
}

var colours = regexp.MustCompile(`#[0-9a-f]{6}"`)

// TestThemesShareGeometry: without colours, pixels and ids both themes are the same document.
func TestThemesShareGeometry(t *testing.T) {
	for _, s := range samples() {
		f := mustBuild(s.build)
		bare := func(svg []byte) string {
			svg = payload.ReplaceAll(svg, nil)
			svg = ownID.ReplaceAll(svg, nil)
			return string(colours.ReplaceAll(svg, []byte(`"`)))
		}
		if diff := cmp.Diff(bare(f.Light), bare(f.Dark)); diff != "" {
			t.Errorf("%s: geometry differs between themes:\n%s", s.name, diff)
		}
		if bytes.Equal(f.Light, f.Dark) {
			t.Errorf("%s: both themes are the same bytes", s.name)
		}
	}
}
