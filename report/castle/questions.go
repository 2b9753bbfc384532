package castle

import "github.com/siegebook/siegebook/report/chapter"

// questions are what the castle posts left open. The pages that they refer to compute and check what the answers state.
func questions() []chapter.Question {
	return []chapter.Question{
		{
			ID: "castle-fastest", Title: "How fast can the castle win?", Where: "Castle Defense III",
			Asked: "In how few waves can the castle win, if the soldiers waste no shot? A few cases are settled, the " +
				"others left as an exercise.",
			Answer: "There is one line of play for all cases: all soldiers shoot at the castle for as long as it can " +
				"stand that, and then it keeps its last hit. " +
				"Two waves are enough exactly if $s > n$, $d \\ge n$ and $s + d \\ge 3n$.",
			Ref: "page:castle-side",
		}, {
			ID: "castle-all-paths", Title: "A simple way to all paths?", Where: "Castle Defense III",
			Asked: "Is there a simple way to find all ways in which a battle can be won? The post thinks not.",
			Answer: "There is one to count them: running sums along diagonals, at a constant cost for each state. " +
				"And listing them takes no more memory than the path at hand.",
			Ref: "page:castle-counts",
		}, {
			ID: "castle-hold-out", Title: "How long can a lost battle last?", Where: "Castle Defense III, facts on " +
				"battles that are lost",
			Asked: "How long can soldiers who cannot win hold out?",
			Answer: "Either they bring the castle down in wave 2 and hunt, or never: one of the two is always the " +
				"longest.", Ref: "sec:castle-side/resistance",
		}, {
			ID: "castle-smallest", Title: "How strong must a castle be that can win?",
			Where: "our page on the castle's side, until lately",
			Asked: "For $d < n$ the castle can win some battles and not others. Where is the border?",
			Answer: "There is a smallest castle that can win, and every stronger one can win, too. Its hits have a " +
				"formula that takes one square root. For a fixed $d$ they grow like $n\\sqrt n$.",
			Ref: "sec:castle-side/smallest",
		},
	}
}
