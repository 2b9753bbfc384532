// Package post holds what the post on the ant battles draws, for the chapter and the lesson on them.
package post

// Picture is a battle as the post draws it. Its pictures are no tori: the map ends at their edges, and the attack
// radius squared is that of the contest, 5.
type Picture struct {
	Name    string // unique, lower case
	Section string // of the post, translated
	Map     string // rows with line feeds between them
	Counts  string // the enemies in range of each ant as the post says, a digit in its cell; "" if it does not
	After   string // the survivors as the post says, x for the dead
	// DetailOf is the name of the picture of which this is a part, "" if it stands for itself: ? hides what the post
	// does not look at, ants too, so that the counts are those of the whole.
	DetailOf string
	// Correction says what is wrong with the picture or what is said of it, "" if nothing is.
	Correction string
}

// Pictures returns all battles that the post draws, in its order.
//
// Source: the Russian translation of "Focus Battle Resolution", the rules of the Google AI Challenge 2011 (ants). The
// letters of Sid and Sam are Cyrillic as there.
func Pictures() []Picture { return append(explained(), variants()...) }

func explained() []Picture {
	return []Picture{
		{
			Name:    "sid and sam, first",
			Section: "Obvious facts about the world of ants",
			Map:     "С..\n...\nС.К\n...\n..К",
			Counts:  "1..\n...\n2.2\n...\n..1",
			After:   "С..\n...\nx.x\n...\n..К",
			Correction: "The text has Sid in range of Kent and Sam in range of both; as drawn they are 8 apart in " +
				"squared distance," +
				" and the counts are 0, 1, 1, 0. The same two die. The last picture draws what the text says.",
		},
		{
			Name:    "a and b among c",
			Section: "Some technical details",
			Map:     "......C\nC.A.B.C\n......C",
			Counts:  "......1\n1.2.4.1\n......1",
			After:   "......C\nC.x.x.C\n......C",
		},
	}
}

func variants() []Picture {
	const section = "Variants"
	return []Picture{
		{
			Name: "one on one", Section: section,
			Map:    ".....\n.A.B.\n.....",
			Counts: ".....\n.1.1.\n.....",
			After:  ".....\n.x.x.\n.....",
		},
		{
			Name: "two on one", Section: section,
			Map:    "...B.\n.A...\n...B.",
			Counts: "...1.\n.2...\n...1.",
			After:  "...B.\n.x...\n...B.",
		},
		{
			Name: "three meet", Section: section,
			Map:    "...B.\n.A...\n...C.",
			Counts: "...2.\n.2...\n...2.",
			After:  "...x.\n.x...\n...x.",
		},
		{
			Name: "sandwich", Section: section,
			Map:    ".....\nA.B.C\n.....",
			Counts: ".....\n1.2.1\n.....",
			After:  ".....\nA.x.C\n.....",
		},
		{
			Name: "a pair against two", Section: section,
			Map:    "...B.\n.A.A.\n...C.",
			Counts: "...3.\n.2.2.\n...3.",
			After:  "...x.\n.A.A.\n...x.",
		},
		{
			Name: "wall", Section: section,
			Map:    "AAAAAAAAA\n...BBB...\n...BBB...",
			Counts: "013565310\n...555...\n...333...",
			After:  "AAxxxxxAA\n...xxx...\n...xBx...",
		},
		{
			Name: "wall, the b that lives", Section: section, DetailOf: "wall",
			Map:    "???AAA???\n...???...\n...?B?...",
			Counts: "???565???\n...???...\n...?3?...",
			After:  "AAxxxxxAA\n...xxx...\n...xBx...",
		},
		{
			Name: "wall, an a that lives", Section: section, DetailOf: "wall",
			Map:    "?A???????\n...B??...\n...???...",
			Counts: "?1???????\n...5??...\n...???...",
			After:  "AAxxxxxAA\n...xxx...\n...xBx...",
		},
		{
			Name: "sid and sam, last", Section: section,
			Map:    "..С....\n..С.К..\n....К..",
			Counts: "..1....\n..2.2..\n....1..",
			After:  "..С....\n..x.x..\n....К..",
		},
	}
}

// RangePicture returns the post's picture of the attack range: the cells x that the ant A has in range at this radius,
// and the squared distances of cells, one digit a cell, none where the post has a dot.
func RangePicture() (cells, distances string) {
	return ".......\n..xxx..\n.xxxxx.\n.xxAxx.\n.xxxxx.\n..xxx..\n.......",
		"...9...\n.85458.\n.52125.\n9410149\n.52125.\n.85458.\n...9..."
}
