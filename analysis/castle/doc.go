// Package castle solves the castle game of the Castle Defense posts exactly.
//
// n soldiers attack a castle that takes s hits. In every wave each soldier shoots once, at the castle or at a
// defender; then each defender left kills one soldier; then a castle that still stands sends out d more
// defenders. The first wave meets no defenders. The soldiers win when castle and defenders are gone, the castle
// wins when the soldiers are.
//
// The rules are one function, [Battle.Step]. Everything else is an answer about them:
//
//   - who wins and how fast, for any positive int64 triple: [Battle.Solve], [Battle.MinWaves], whole maps at once by
//     [Battle.Staircase]
//   - the castle's fastest win, if the soldiers waste no shot but play into its hands: [Battle.FastestCastleWin]
//   - how long soldiers who cannot win hold out: [Battle.LongestResistance]; how many survive a fastest win:
//     [Battle.MostSurvivors]
//   - the posts' algorithms: [CastleFirst], [DefendersFirst], the closed form as printed, [Battle.Published]
//   - all of these, and the searches that they are compared with, in one table: [Algorithms], whose answers
//     [Answer.Verdict] judges
//   - how often each of them is right on a whole grid: [NewSurvey]
//   - every legal path, one at a time: [Battle.Paths]; their number by side and wave, without walking them:
//     [Battle.Count]
//
// Lines of play are lazy: [Battle.Waves] lists a battle wave by wave, [Battle.Runs] folds equal waves, so that a
// battle of 10^18 waves is no harder than a short one.
//
// Work that can take long has a context. When the context is done, errors.Is finds context.Canceled or
// context.DeadlineExceeded in the error, and the cause that was passed to the function of context.WithCancelCause.
//
// # How far it can be trusted
//
// Closed form, castle's side, resistance and survivors are proved in docs/derivations and agree with exhaustive search
// on every battle with n <= 40, s <= 120, d <= 60; the closed form agrees with big integers up to the edge of int64.
// Counts agree with a walk over every path for n <= 8, s <= 20, d <= 12. A survey
// agrees with a plain loop over all algorithms on n <= 12, s <= 60, d <= 30.
//
// Sources: Castle Defense I (heuristics), II (exhaustive search, counts), III (closed form); the game is TopCoder SRM
// 418, "Barracks".
package castle
