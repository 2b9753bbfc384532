// Package ants decides the ant battles of the Google AI Challenge 2011 exactly.
//
// Ants of several owners stand on a torus, or on a map with edges. An ant with an enemy within the attack radius is
// busy with it; the fewer enemies an ant has, the more it is focused. By the rule of the contest an ant dies if an
// enemy in range has no more enemies in range than itself, and all deaths are simultaneous. The contest's engine had
// three more rules, which are here as it was shipped: see [Rule].
//
//   - who dies, with how many enemies in range, and who killed whom: [Solve], [Solver] for many battles in one world,
//     [Outcome]
//   - maps as text: [ReadMap], [Map]
//   - small positions with a wanted property, by exhaustive search: [Search]
//
// Everything is done in integers. On a torus so small that an ant could see another one both ways round, or itself,
// every ant counts once.
//
// Work that can take long has a context. When the context is done, errors.Is finds context.Canceled or
// context.DeadlineExceeded in the error, and the cause that was passed to the function of context.WithCancelCause.
//
// # How far it can be trusted
//
// All four rules reproduce 86 battles that were run through the contest's engine, and Focus every death in 104 turns of
// contest games. On random maps they agree with a comparison of all pairs of ants, which shares no code with them.
//
// Source: "Focus Battle Resolution" (in its Russian translation), and the engine of the contest for the other rules.
package ants
