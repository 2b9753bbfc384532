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

	"github.com/siegebook/siegebook/report/content"

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
			check(".csv", f.CSV())
		})
	}
}

// TestDeterministic renders every sample twice, pixels included.
func TestDeterministic(t *testing.T) {
	for _, s := range samples() {
		a, b := mustBuild(s.build), mustBuild(s.build)
		for _, th := range []Theme{Light, Dark} {
			if !bytes.Equal(a.SVG(th), b.SVG(th)) {
				t.Errorf("%s: SVG of theme %d differs from run to run", s.name, th)
			}
		}
		pa, errA := a.PNG(Dark)
		pb, errB := b.PNG(Dark)
		if errA != nil || errB != nil {
			t.Fatalf("%s: %v, %v", s.name, errA, errB)
		}
		if !bytes.Equal(pa, pb) {
			t.Errorf("%s: PNG differs from run to run", s.name)
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

func TestPNGSizeAndGround(t *testing.T) {
	for _, s := range samples() {
		f := mustBuild(s.build)
		for _, th := range []Theme{Light, Dark} {
			raw, err := f.PNG(th)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if got := img.Bounds().Size(); got.X != 2*f.Width || got.Y != 2*f.Height {
				t.Errorf("%s: PNG is %v, want two dots per pixel of %d x %d", s.name, got, f.Width, f.Height)
			}
			if got := rgba(img.At(1, 1)); got != themeInks[th].ground {
				t.Errorf("%s: corner of the PNG is %v, want the ground %v", s.name, got, themeInks[th].ground)
			}
		}
	}
}

func TestRestoredFigureHasNoPNG(t *testing.T) {
	f := content.Figure{Title: "from a cache"}
	if _, err := f.PNG(Light); err == nil || !strings.Contains(err.Error(), "from a cache") {
		t.Errorf("PNG of a restored figure: error %v, want one that names it", err)
	}
}
