package castle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// addedEnding is the ending of the names of files that contain algorithms, as in the commands.
const addedEnding = ".star"

// maxAdded is the maximum number of algorithms that can be added to a report. A league accepts any number.
const maxAdded = 10

// addedDownload is the name of the download with the added programs, on the page that compares algorithms.
const addedDownload = "algorithms.json"

// algorithmParameter adds algorithms to the comparison. Its value is a list of programs as JSON.
var algorithmParameter = chapter.Parameter{
	Name: "algorithm", Placeholder: "FILE.star",
	Help: fmt.Sprintf("Also compare your own algorithm: a program in Python's syntax that defines %s. Repeat the flag "+
		"for up to %d.", games.CastleSignature.Name, maxAdded),
	Normal: func(value string) (string, error) {
		if value == "" {
			return "", nil
		}
		return normalPrograms(value)
	},
	File: &chapter.File{
		Most:   8 << 20, // enough for programs of the maximum length, even if JSON escapes each byte
		Is:     func(value string) bool { return strings.HasPrefix(value, "[") },
		Read:   normalPrograms,
		Gather: gatherPrograms,
		Kept:   []string{"assets/castle-compared/" + addedDownload},
	},
}

// program is an added algorithm: the name and the text of its file.
type program struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// gatherPrograms returns the value of the parameter for files. An error in a text names the file as the user did.
func gatherPrograms(files []chapter.NamedText) (string, error) {
	var programs []program
	for _, f := range files {
		if _, err := listing.Read(f.Name, []byte(f.Text), games.CastleSignature, listing.Limits{}); err != nil {
			return "", err
		}
		programs = append(programs, program{filepath.Base(f.Name), f.Text})
	}
	_, err := addedOf(programs)
	return line(programs), err
}

// normalPrograms returns the normal form of the parameter's value, which is not empty.
func normalPrograms(value string) (string, error) {
	programs, err := readPrograms(value)
	if err != nil {
		return "", err
	}
	return line(programs), nil
}

// readPrograms reads the parameter's value.
func readPrograms(value string) ([]program, error) {
	var programs []program
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&programs)
	if err == nil {
		if _, err = decoder.Token(); err == io.EOF {
			_, err = addedOf(programs)
			return programs, err
		}
		err = errors.New("there is text after the list: remove it")
	}
	return nil, fmt.Errorf("not a list of programs: %w; name the files of programs", err)
}

// addedOf returns the algorithms that the programs implement.
func addedOf(programs []program) ([]game.Algorithm, error) {
	if len(programs) == 0 || len(programs) > maxAdded {
		return nil, fmt.Errorf("%d programs: a report compares 1 to %d; the command siegebook league castle compares "+
			"any number", len(programs), maxAdded)
	}
	var all []game.Algorithm
	taken := map[string]bool{}
	for _, a := range game.Algorithms() {
		taken[content.Capital(a.Title)] = true
	}
	for _, p := range programs {
		if !strings.HasSuffix(p.File, addedEnding) || strings.ContainsFunc(p.File, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ._-", r)
		}) {
			return nil, fmt.Errorf("%q: a program's name may contain only letters, digits, spaces, dots, hyphens and "+
				"underscores, and must end in %s: rename the file", p.File, addedEnding)
		}
		l, err := listing.Read(p.File, []byte(p.Text), games.CastleSignature, listing.Limits{})
		if err != nil {
			return nil, err
		}
		a := addedAlgorithm(l)
		for taken[content.Capital(a.Title)] {
			a.Title += " (" + a.Name + ")" // figures distinguish algorithms by their titles
		}
		taken[content.Capital(a.Title)] = true
		all = append(all, a)
	}
	if err := (game.SurveyOptions{Algorithms: all}).Validate(); err != nil {
		return nil, fmt.Errorf("%w: rename the file", err)
	}
	return all, nil
}

// addedAlgorithm returns the algorithm of a program. Its cost is counted in waves. If a line of play takes more steps
// than a survey allows, the algorithm has no answer.
func addedAlgorithm(l *listing.Listing) game.Algorithm {
	a := games.Castle(l)
	answer := a.Answer
	a.Answer = func(ctx context.Context, b game.Battle, effort game.Effort) (game.Answer, error) {
		if effort.Steps == 0 {
			effort.Steps = game.SurveySteps
		}
		return answer(ctx, b, effort)
	}
	a.Cost = game.Cost{
		Each: "wave by wave", Law: "–",
		Count: func(ctx context.Context, b game.Battle) (*big.Int, error) {
			found, err := a.Answer(ctx, b, game.Effort{})
			return big.NewInt(found.Waves), err
		},
	}
	return a
}

// isAdded reports whether an algorithm was added to the report.
func isAdded(a game.Algorithm) bool {
	_, registered := game.AlgorithmNamed(a.Name)
	return !registered
}

// anchor returns the anchor of an algorithm on the page about the errors of the algorithms. Its prefix distinguishes
// the names of files from all other anchors on that page.
func anchor(a game.Algorithm) string {
	if isAdded(a) {
		return "own-" + a.Name
	}
	return a.Name
}

// titled returns an algorithm's title as Markdown; the title of an added algorithm may contain any characters.
func titled(a game.Algorithm) string { return site.Escape(a.Title) }

// judged returns the algorithms that the pages of this report judge: the registered and the added algorithms.
func (s *Survey) judged() []game.Algorithm {
	all := judged()
	for _, a := range s.added {
		all = append(all, a.Algorithm)
	}
	return all
}

// maps returns the maps of the judged algorithms.
func (s *Survey) maps() []algorithmMap { return slices.Concat(s.algorithms, s.added) }

// judgeAdded adds the algorithms to a survey that already contains the battles.
func judgeAdded(ctx context.Context, v *game.Survey, added []game.Algorithm) error {
	if len(added) == 0 {
		return nil
	}
	if v.Battles > maxCompared {
		return &chapter.SettingError{Name: algorithmParameter.Name, Err: fmt.Errorf("the survey has %d battles, but a "+
			"program is run on at most %d: omit the program or the survey", v.Battles, maxCompared)}
	}
	mine, err := game.NewSurvey(ctx, v.Soldiers, v.Castle, v.Defenders, game.SurveyOptions{Algorithms: added})
	if err != nil {
		return atFault(err)
	}
	v.Algorithms = append(slices.Clip(v.Algorithms), mine.Algorithms...)
	return nil
}

// atFault converts an error of a program to an error of the setting. It returns any other error unchanged.
func atFault(err error) error {
	var fault *listing.Error
	if errors.As(err, &fault) {
		return &chapter.SettingError{Name: algorithmParameter.Name, Err: fault}
	}
	return err
}

// programText returns the program of an added algorithm as a block of code, or "" for a registered algorithm.
func (s *Survey) programText(a game.Algorithm) string {
	i := slices.IndexFunc(s.added, func(m algorithmMap) bool { return m.Name == a.Name })
	if i < 0 {
		return ""
	}
	return fenced(s.programs[i].Text)
}

// fenced returns a program as a block of code. The program may contain anything.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%spython\n%s\n%s", fence, strings.TrimRight(text, "\n"), fence)
}

// firstLost describes the first winnable battle that an added algorithm loses. It returns "" if there is none.
func (a algorithmMap) firstLost() string {
	b := a.first.Of(game.WrongSide)
	if !isAdded(a.Algorithm) || b == nil {
		return ""
	}
	return string(say("first lost", b))
}

// fileOf returns the name of an algorithm for a command. For an added algorithm it is the name of its file.
func (s *Survey) fileOf(name string) string {
	for i, a := range s.added {
		if a.Name != name {
			continue
		}
		if file := s.programs[i].File; !strings.Contains(file, " ") {
			return file
		}
		return "'" + s.programs[i].File + "'"
	}
	return name
}
