// Package tower solves the tower defense game of the Tower Defense post exactly.
//
// n soldiers attack t towers. Each tower can take h hits and kills k soldiers a round. In every round each soldier
// shoots once, at a tower; then each tower that still stands kills k soldiers. Damage carries over from round to round,
// kills do not. The soldiers win when no tower is left, the towers win when no soldier is. There is no tie: no tower
// shoots back after the last one has fallen.
//
// The rules are one function, [Battle.Step], for any choice of targets. Everything else is an answer about them:
//
//   - three ways to choose the targets: [Greedy] (as many towers destroyed as possible), [Fewest] (as few, without a
//     wasted shot) and [Even] (the post's even spreading); round by round ([Battle.Rounds]), in strides
//     ([Battle.Runs]), or the end alone ([Battle.Play])
//   - how many soldiers each of them needs to win: [Battle.MinSoldiers]
//   - the fewest towers that one round can destroy, with and without waste: [State.FewestDestroyed],
//     [State.FewestDestroyedWasting]
//   - random targets, in two readings: [Battle.Random] gives the probability of every outcome, as fractions while they
//     are affordable, then as floating-point numbers with a proved bound of the error, then by simulation with a
//     confidence interval
//   - the same from any state that a play has led to: [Battle.RoundsFrom], [Battle.RandomFrom]
//
// # Readings
//
// A shot is wasted if other shots destroy its tower in the same round, or if no tower is left.
// [Greedy] and [Fewest] waste none before the last tower falls. [Even] gives every standing tower the same number of
// shots, and the soldiers left over always fire at the same towers, the first; it does not look at the damage. If they
// fired at the least damaged towers instead, Even would be Fewest.
//
// Work that can take long has a context. When the context is done, errors.Is finds context.Canceled or
// context.DeadlineExceeded in the error, and the cause that was passed to the function of context.WithCancelCause.
//
// # How far it can be trusted
//
// That Greedy is the best play of the soldiers, that Fewest is the worst without waste, and that more soldiers never do
// worse is proved in docs/derivations/tower.md and agrees with exhaustive play on small battles. Strides agree with
// single rounds, and with big integers at the edge of int64. Probabilities agree with the enumeration of all sequences
// of shots on small battles.
//
// Sources: the post "Tower Defense"; the game with the best play is TopCoder SRM 418, "Towers".
package tower
