package engine_test

import (
	"fmt"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/pictures"
)

// BenchmarkSee draws the 400 x 200 map while a hand moves it, and at rest.
func BenchmarkSee(b *testing.B) {
	for name, moving := range map[string]bool{"moving": true, "rest": false} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				must.Get(engine.Module.See("castle-map", fmt.Sprintf("n=%d&s=150&d=100", 51+i%49), "",
					pictures.Hand{Moving: moving}))
			}
		})
	}
}
