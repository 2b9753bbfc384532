package naval

import "github.com/siegebook/siegebook/report/chapter"

// questions are what the post left open. The pages that they refer to compute and check what the answers state.
func questions() []chapter.Question {
	return []chapter.Question{
		{
			ID: "naval-super-optimal", Title: "Something super-optimal?", Where: "25 ms naval battle, third update",
			Asked: "Is there a strategy of moves that is better than all that was tried? The post hopes so.",
			Answer: "Yes. Whoever shoots where a ship most probably is, knowing the eight placements but not which of " +
				"them he is up against, needs fewer shots than any other strategy here, " +
				"on every placement, far beyond what chance could explain.",
			Ref: "sec:naval-shooting/best",
		}, {
			ID: "naval-placements", Title: "Which placement is most successful?", Where: "25 ms naval battle, the list of " +
				"improvements",
			Asked: "Which way to place the ships wins most games?",
			Answer: "Against the post's shooters the four sides win most, and 36 and random_12 least, as it found. It " +
				"depends on who shoots: " +
				"a placement that is known is worth less.",
			Ref: "sec:naval-placement/wins",
		}, {
			ID: "naval-basic-algorithm", Title: "Do lists of cells help?", Where: "25 ms naval battle, fourth update",
			Asked: "Does shooting cross to cross, or along diagonals, find ships sooner than random shots? The post " +
				"found no difference.",
			Answer: "They help, a little, if hits are followed up as the post's text describes. Its program does " +
				"something else, and loses more by that than any list can gain.",
			Ref: "sec:naval-shooting/matrix",
		}, {
			ID: "naval-likeliest", Title: "Is the likeliest cell the best shot?", Where: "our page on shooting, until lately",
			Asked: "The best shooters of that page shoot where a ship most probably is. Is there anything better?",
			Answer: "Yes. On a strip of a few cells everything can be tried, and the best first shot is at the end, where " +
				"a ship is not the likeliest: it teaches more.",
			Ref: "sec:naval-shooting/likeliest",
		}, {
			ID: "naval-shares", Title: "Why were the placements drawn so unevenly?", Where: "25 ms naval battle, third update",
			Asked: "The post draws seven placements at random, and more than a quarter of its players have the same one. " +
				"Our page could fit the shares, and not say where they come from.",
			Answer: "Very probably because a player whose fleet found no place drew again. Then the shares are those of " +
				"the attempts that succeed, and they agree with what is printed.",
			Ref: "sec:naval-placement/shares",
		},
	}
}
