package castle

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// postsJSON holds what the posts print of their tests 0 to 26, and the same numbers as two independent programs compute
// them.
//
//go:embed data/castle_27_tests.json
var postsJSON []byte

// postTest is one of the posts' tests.
type postTest struct {
	Number  int
	Battle  game.Battle
	Printed printedTest
}

// printedTest is what the report reads of what the posts print. Numbers that a post leaves out are absent.
type printedTest struct {
	MinRounds      string           `json:"min_rounds"`
	CastleFirst    string           `json:"castle_first"`
	DefendersFirst string           `json:"defenders_first"`
	SoldierTotal   int64            `json:"soldier_wins_total"`
	CastleTotal    *int64           `json:"castle_wins_total"`
	SoldierWins    map[string]int64 `json:"soldier_wins_by_wave"`
	CastleWins     map[string]int64 `json:"castle_wins_by_wave"`
}

// posts returns the posts' tests in order. Their file is part of the program, so a fault in it is one of the program.
var posts = sync.OnceValue(func() []postTest {
	var rows []struct {
		Test    int         `json:"test"`
		N       int64       `json:"soldiers"`
		S       int64       `json:"castle_hits"`
		D       int64       `json:"defenders_per_wave"`
		Printed printedTest `json:"printed"`
	}
	if err := json.Unmarshal(postsJSON, &rows); err != nil {
		panic(fmt.Sprintf("castle_27_tests.json: %v", err))
	}
	tests := make([]postTest, len(rows))
	for i, row := range rows {
		b := game.Battle{Soldiers: row.N, CastleHits: row.S, DefendersPerWave: row.D}
		if err := b.Validate(); err != nil || row.Test != i {
			panic(fmt.Sprintf("castle_27_tests.json: row %d is test %d, %v: %v", i, row.Test, b, err))
		}
		tests[i] = postTest{row.Test, b, row.Printed}
	}
	return tests
})
