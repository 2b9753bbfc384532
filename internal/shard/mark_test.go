package shard

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// TestJSONShards checks that a result is read back, that its file is a shard, and that other JSON is not accepted as a
// shard.
func TestJSONShards(t *testing.T) {
	mark := Mark{Recipe: Recipe{"survey castle", `{"soldiers":"1:3","seed":7}`}, Version: "1.2.3", Shard: "2/3"}
	var file bytes.Buffer
	must.Do(t, Seal(&file, func(w io.Writer) error {
		return WriteJSON(w, map[string]int{"battles": 7}, mark)
	}))
	if got, err := ReadMark(t.Context(), bytes.NewReader(file.Bytes())); err != nil || got != mark {
		t.Errorf("%+v, %v", got, err)
	}
	var found map[string]int
	if err := ReadJSON(&file, &found); err != nil || found["battles"] != 7 {
		t.Errorf("%v, %v", found, err)
	}
	for text, want := range map[string]string{
		`{"battles":7}`:               `the object has no member "siegebook.found"`,
		`[7]`:                         "cannot unmarshal",
		``:                            "unexpected end",
		`{"siegebook.found":"seven"}`: "cannot unmarshal",
	} {
		must.ErrorContains(t, ReadJSON(strings.NewReader(text), &found), want, text)
	}
}

// TestRecipe checks that a recipe is printed as the command line that a user would type.
func TestRecipe(t *testing.T) {
	for arguments, want := range map[string]string{
		`{}`: "siegebook sweep castle",
		`{"soldiers":"1:3","castle_hits":"1,3:9:2"}`: "siegebook sweep castle --soldiers 1:3 --castle-hits 1,3:9:2",
		`{"max_steps":9223372036854775807,"minimum":true}`: "siegebook sweep castle --max-steps 9223372036854775807 " +
			"--minimum true",
		`{"a":`: "siegebook sweep castle", ``: "siegebook sweep castle",
	} {
		if got := (Recipe{"sweep castle", Object(arguments)}).String(); got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
}

// TestParts checks that, whatever the costs, the shards are consecutive, contain all items, and cost at most their fair
// share plus one item.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 200).Draw(t, "costs")
		size := int64(len(costs))
		sums, most := []int64{0}, int64(0)
		for _, c := range costs {
			sums, most = append(sums, sums[len(sums)-1]+c), max(most, c)
		}
		of := rapid.Int64Range(1, size).Draw(t, "of")
		next := int64(0)
		for i := range of {
			block, ok := Shard{i + 1, of}.Block(size, func(items int64) *big.Int { return big.NewInt(sums[items]) })
			if !ok || block.First != next || block.Size < 0 {
				t.Fatalf("part %d of %d: %+v, %t; the one before ends at %d", i+1, of, block, ok, next)
			}
			next += block.Size
			if spent := sums[next] - sums[block.First]; spent*of > sums[size]+most*of {
				t.Fatalf("part %d of %d costs %d of %d", i+1, of, spent, sums[size])
			}
		}
		if next != size {
			t.Fatalf("the parts end at %d of %d", next, size)
		}
	})
}

// TestEvenParts checks that if all items have the same cost, the sizes of shards differ by at most one item, even in
// the largest computations.
func TestEvenParts(t *testing.T) {
	for _, size := range []int64{1, 7, 1000, 1<<63 - 1} {
		for _, of := range []int64{1, 2, 3, 7, 1000, Most} {
			if of > size {
				continue
			}
			next := int64(0)
			for i := range of {
				block, ok := Shard{i + 1, of}.Block(size, Even)
				if !ok || block.First != next || block.Size < size/of || block.Size-1 > size/of {
					t.Fatalf("part %d of %d, of %d: %+v, %t", i+1, of, size, block, ok)
				}
				next += block.Size
				if of == Most && i > 100 {
					break
				}
			}
		}
	}
	if block, ok := (Shard{Most, Most}).Block(1<<63-1, Even); !ok ||
		block.First+block.Size != 1<<63-1 {
		t.Errorf("the last part: %+v, %t", block, ok)
	}
}

// TestParseFromZero checks that the numbers 0 to 7 name the same eight shards as 1 to 8.
func TestParseFromZero(t *testing.T) {
	named := map[Shard]bool{}
	for i := range 8 {
		named[must.Get(Parse(fmt.Sprintf("%d/8", i)))] = true
	}
	for i := int64(1); i <= 8; i++ {
		if !named[Shard{i, 8}] {
			t.Errorf("no number from 0 to 7 names shard %d", i)
		}
	}
	must.ErrorContains(t, second(Parse("0/0")), "0 shards are not possible")
}

func second[T any](_ T, err error) error { return err }

func ExampleParse() {
	p, err := Parse("3/20")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Block(100, Even))
	// Output: {10 5} true
}
