package proofs

import (
	"io/fs"
	"regexp"
	"strings"
)

var (
	provedLine = regexp.MustCompile(`(?m)^(?:Theorem|Lemma) +([A-Za-z_0-9']+)`)
	words      = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9']*`)
)

// addNeeds finds the theorems that each of those in the list leans on. A name in a proof stands for the lemma or
// theorem of that name, as the names of all files differ.
func addNeeds(folder fs.FS, files []string, all []Theorem) error {
	bodies := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return err
		}
		plain := code(string(text))
		for _, at := range provedLine.FindAllStringSubmatchIndex(plain, -1) {
			_, rest, _ := strings.Cut(plain[at[0]:], "\nProof.")
			proof, _, _ := strings.Cut(rest, "Qed.")
			bodies[plain[at[2]:at[3]]] = proof
		}
	}
	isTheorem := map[string]bool{}
	for _, theorem := range all {
		isTheorem[theorem.Name] = true
	}
	for i := range all {
		found := map[string]bool{}
		var follow func(name string)
		follow = func(name string) {
			for _, word := range words.FindAllString(bodies[name], -1) {
				if _, proved := bodies[word]; !proved || found[word] {
					continue
				}
				found[word] = true
				if !isTheorem[word] {
					follow(word)
				}
			}
		}
		follow(all[i].Name)
		all[i].Needs = []string{}
		for _, theorem := range all {
			if found[theorem.Name] {
				all[i].Needs = append(all[i].Needs, theorem.Name)
			}
		}
	}
	return nil
}
