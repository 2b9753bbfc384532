// Package post contains the drawings of the post on the ant battles, for the chapter and the lesson on them.
package post

import (
	_ "embed"
	"strings"
)

// Picture is a battle as the post draws it. The post's maps are not tori: they have edges. The squared attack radius is
// the contest's, 5.
type Picture struct {
	Name    string // unique, lower case
	Section string // the section of the post, translated
	Map     string // rows with line feeds between them
	Counts  string // in each ant's cell, its number of enemies in range, according to the post; "" if the post has none
	After   string // the survivors according to the post, with x for the dead
	// DetailOf names the picture that this picture shows a part of, or is "". A ? hides cells that the post does not
	// discuss, even with ants, so the counts come from the whole picture.
	DetailOf string
	// Correction says what is wrong with the picture or with the post's text about it; "" if nothing is.
	Correction string
}

//go:embed pictures.txt
var drawn string

// Pictures returns all battles that the post draws, in the post's order.
//
// The source is the Russian translation of "Focus Battle Resolution", the rules of the Google AI Challenge 2011 (ants).
// The letters that mark the ants Sid and Sam are Cyrillic, as in the source.
func Pictures() (all []Picture) {
	for _, text := range strings.Split(drawn, "## ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		title := append(strings.Split(lines[0], " | "), "")
		p := Picture{Name: title[0], Section: title[1], DetailOf: title[2]}
		var columns [3][]string
		for _, line := range lines[1:] {
			if wrong, ok := strings.CutPrefix(line, "wrong: "); ok {
				p.Correction = wrong
				continue
			}
			for i, row := range strings.Fields(line) {
				columns[i] = append(columns[i], row)
			}
		}
		for i, picture := range []*string{&p.Map, &p.Counts, &p.After} {
			*picture = strings.Join(columns[i], "\n")
		}
		all = append(all, p)
	}
	return all
}

// RangePicture returns the post's picture of the attack range as two drawings. In cells, each cell in range of the ant
// A has an x. In distances, cells have their squared distance from A as a digit, or a dot.
func RangePicture() (cells, distances string) {
	return ".......\n..xxx..\n.xxxxx.\n.xxAxx.\n.xxxxx.\n..xxx..\n.......",
		"...9...\n.85458.\n.52125.\n9410149\n.52125.\n.85458.\n...9..."
}
