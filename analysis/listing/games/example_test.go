package games_test

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
)

func ExampleCastle() {
	text := []byte(games.CastleSignature.String() + ":\n    return min(N, D)\n")
	own, err := listing.Read("defenders-first.star", text, games.CastleSignature, listing.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := castle.Battle{Soldiers: 10, CastleHits: 17, DefendersPerWave: 8}
	answer, err := games.Castle(own).Answer(context.Background(), b, castle.Effort{})
	fmt.Println(answer.Winner, answer.Waves, err)
	// Output: soldiers 5 <nil>
}
