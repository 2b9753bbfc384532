// Package naval plays and measures the naval battle of the post "25 ms naval battle": two players, each with ten ships
// on a board of 10 x 10 cells, shoot in turns at what they do not see.
//
// A fleet has one ship of four decks, two of three, three of two and four of one; ships may not touch, not even at
// corners. A hit keeps the turn and scores 1, a miss passes it, the first player is drawn at random, and the player who
// has sunk all ten ships wins. The post calls shots moves.
//
//   - how ships are placed: [Placement], eight regions for the ships of one deck
//   - how players shoot: [Strategy], made of [Moves] for the hunt and [Targeting] for what follows a hit
//   - one game, shot by shot: [Tournament.FirstGame]; a knockout with the post's statistics: [Tournament.Play]
//   - how many shots a strategy needs for a fleet: [Measure]
//   - one shot after the other, and what decides it: [Shooter]; by hand: [Hand]; one against the other: [Match]
//   - ships that somebody has placed, and why they cannot lie so: [Together]
//   - the number of legal fleets, exactly: [CountFleets]
//   - the classic fleet of 5, 4, 3, 3 and 2 decks, whose ships may touch: [Rules], for a [Measurement]
//
// The post leaves rules open. The readings taken here reproduce every mean that it prints of a tournament, within three
// standard errors: ships are placed in order of length, the longest first, each uniformly among the places left, from
// the start again if there is none; a placement lasts a tournament, while fleet and moves are new in each game; and
// after a hit a player does what the published program does ([AsCoded]), which is not what the text says
// ([AsDescribed]). The wins and losses by placement that it prints come out too, but only if its seven placements were
// not drawn alike: the square of 36 about four times as often as one of the sides.
//
// Sets of cells are two words, so a game takes a few microseconds and no memory. Chance comes from streams that are
// made from a seed and the number of the game: the same seed gives the same result, on any number of workers.
//
// Work that can take long has a context. When the context is done, errors.Is finds context.Canceled or
// context.DeadlineExceeded in the error, and the cause that was passed to the function of context.WithCancelCause.
//
// # How far it can be trusted
//
// Games agree shot for shot with a slow version on grids and lists, given the same random numbers, for every strategy
// but [Informed], under both [Rules]. The fleets that Informed imagines are distributed like fleets that are placed
// until they agree with the shots. The number of fleets agrees with brute force on small boards. Means are samples: a
// [Sample] comes with its 95 % interval.
//
// The definition of the strategies that compute, and the recurrence of the count, are in docs/derivations/naval.md.
package naval
