package site

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"go.yaml.in/yaml/v3"
)

// testCache keeps the formulas of all tests but those that are about formulas, which ask for no cache.
var testCache *cache.Cache

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "site-test")
	if err != nil {
		panic(err)
	}
	testCache = cache.Open(dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// sampleSite is a site of three pages that uses every feature.
func sampleSite(t testing.TB) Site {
	t.Helper()
	var written any
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("testdata/sample/site.yaml")), &written))
	c := readCase(t, written)
	for _, p := range []*casePage{&c.Index, &c.A} {
		p.Source = string(must.Get(os.ReadFile(p.File)))
	}
	s := c.site()
	s.Pages[1].Assets["square.png"] = samplePNG(t)
	return s
}

func samplePNG(t testing.TB) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 64, 32))
	for i := range img.Pix {
		img.Pix[i] = color.Gray{0x99}.Y
	}
	var buf bytes.Buffer
	must.Do(t, png.Encode(&buf, img))
	return buf.Bytes()
}
