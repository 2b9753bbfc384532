package ants

import "github.com/siegebook/siegebook/report/chapter"

// questions are what the post asks of its readers or leaves open. The pages that they refer to compute and check what
// the answers state.
func questions() []chapter.Question {
	return []chapter.Question{
		{
			ID: "ants-sid-and-sam", Title: "Sid, Sam, Kent and Kite: who dies?", Where: "Focus Battle Resolution, obvious facts",
			Asked: "Sam comes within range of Kent and Kite, Sid within range of Kent alone. Who dies, and who lives? " +
				"The post answers, with a drawing that shows another battle.",
			Answer: "Sam and Kent die, in the battle of the text and in that of the drawing, but for different reasons.",
			Ref:    "sec:ants-battles/sid",
		}, {
			ID: "ants-not-so-close", Title: "And if A and B were not so close?", Where: "Focus Battle Resolution, " +
				"technical details",
			Asked: "The ants C would kill A and B even if these were out of range of each other. What else would change " +
				"is left to the reader.",
			Answer: "Both die, as the post says. But A is no longer distracted by B, and takes the C on its side with it.",
			Ref:    "sec:ants-errata/not-so-close",
		}, {
			ID: "ants-outlive", Title: "How large an army can one ant outlive?", Where: "our page on the battles, until lately",
			Asked: "Nobody is left of an army, and one ant of the other side. How large can the army be, in a box of a " +
				"given size, and with a given number of friends who fall?",
			Answer: "At most two and a half times as large as the other side, whatever the board; the proof counts who " +
				"distracts whom. For small boxes a search has found the largest army.",
			Ref: "sec:ants-battles/price",
		},
	}
}
