package castle

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// These are the names of two files of the page that compares algorithms: a survey from elsewhere, and the list of its
// shards.
const (
	surveyDownload = "survey.json"
	shardsDownload = "shards.json"
)

// surveyFile is the setting for a survey that the build did not compute.
var surveyFile = chapter.File{
	Most:    64 << 20,
	Is:      isMade,
	Read:    func(text string) (string, error) { return textOf(readMade(text)) },
	Join:    func(shards chapter.Shards) (string, error) { return textOf(joinMade(shards)) },
	Kept:    []string{"assets/castle-compared/" + surveyDownload, "assets/castle-compared/" + shardsDownload},
	Recheck: recheckMade,
}

// madeSurvey is a survey that the build did not compute.
type madeSurvey struct {
	game.Survey
	shards *madeShards // nil if only the sum is known
}

// madeShards describes the shards of a survey, so that a single shard can be recomputed. All lists have an element for
// each shard, in the order of the battles.
type madeShards struct {
	Command   string          `json:"command"`
	Version   string          `json:"version"` // the version of siegebook
	Battles   []int64         `json:"battles"`
	Checksums []game.Checksum `json:"checksums"` // the checksums of the exact answers
	Totals    []string        `json:"totals"`    // the SHA-256 of each shard's survey as a line of JSON
}

// add appends a shard.
func (l *madeShards) add(part game.Survey) {
	l.Battles, l.Checksums = append(l.Battles, part.Battles), append(l.Checksums, part.Checksum)
	l.Totals = append(l.Totals, totalsSum(part))
}

// totalsSum returns a checksum that identifies the totals of a shard.
func totalsSum(part game.Survey) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(line(part)))) }

// line returns a value as JSON. The value must have a JSON form, such as a survey.
func line(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// text returns the survey as the parameter's value: a line for the survey, and a second line for its shards if they are
// known.
func (m madeSurvey) text() string {
	if m.shards == nil {
		return line(m.Survey)
	}
	return line(m.Survey) + line(m.shards)
}

// textOf returns the text of a survey, or the error of reading it.
func textOf(made madeSurvey, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return made.text(), nil
}

// isMade reports whether a value of the parameter is a survey, and does not name battles.
func isMade(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// readMade reads the text of a survey, with any white space.
func readMade(text string) (madeSurvey, error) {
	var made madeSurvey
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&made.Survey); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return madeSurvey{}, fmt.Errorf("not a survey of castle games: %w; name a file that siegebook survey castle "+
			"--json has written", err)
	}
	var shards madeShards
	switch err := decoder.Decode(&shards); {
	case errors.Is(err, io.EOF):
		return made, nil
	case err != nil:
		return madeSurvey{}, fmt.Errorf("text after the survey of castle games: %w: remove it", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return madeSurvey{}, errors.New("there is text after the survey of castle games and its shards: remove it")
	}
	made.shards = &shards
	return made, made.fits()
}

// fits returns an error unless the shards can add up to the survey.
func (m madeSurvey) fits() error {
	l := m.shards
	if len(l.Battles) == 0 || len(l.Battles) != len(l.Checksums) || len(l.Battles) != len(l.Totals) {
		return fmt.Errorf("shards of the survey: %d battles, %d checksums and %d totals: there must be one of each "+
			"for each shard", len(l.Battles), len(l.Checksums), len(l.Totals))
	}
	left, sum := m.Battles, game.Checksum(0)
	for i, battles := range l.Battles {
		if battles < 1 || battles > left {
			return fmt.Errorf("shards of the survey: shard %d has %d battles: every shard must have a positive number "+
				"of battles, and their sum must be battles = %d", i+1, battles, m.Battles)
		}
		left -= battles
		sum += l.Checksums[i]
	}
	if left != 0 || sum != m.Checksum {
		return fmt.Errorf("shards of the survey: %d battles with the checksum %v, but the survey has %d with the "+
			"checksum %v",
			m.Battles-left, sum, m.Battles, m.Checksum)
	}
	return nil
}

// joinMade adds up the shards of a survey.
func joinMade(shards chapter.Shards) (madeSurvey, error) {
	made := madeSurvey{shards: &madeShards{Command: shards.Command, Version: shards.Version}}
	for number := int64(1); number <= shards.Of; number++ {
		var part game.Survey
		if err := shards.Read(number, &part); err != nil {
			return made, fmt.Errorf("shard %d is not a survey of castle games: %w; name a folder of siegebook survey "+
				"castle --shards", number, err)
		}
		if number == 1 {
			made.Survey = game.Survey{Soldiers: part.Soldiers, Castle: part.Castle, Defenders: part.Defenders}
		}
		if part.Soldiers != made.Soldiers || part.Castle != made.Castle || part.Defenders != made.Defenders ||
			number > 1 && !slices.Equal(askedOf(part), askedOf(made.Survey)) {
			return made, fmt.Errorf("shard %d belongs to a different survey from the first: name a folder with the "+
				"shards of one", number)
		}
		if err := made.Add(part.Totals); err != nil {
			return made, err
		}
		made.shards.add(part)
	}
	if err := made.Validate(); err != nil {
		return made, fmt.Errorf("the sum of the shards: %w", err)
	}
	return made, made.fits()
}

// askedOf returns the names of the algorithms in a survey.
func askedOf(v game.Survey) []string {
	names := make([]string, len(v.Algorithms))
	for i, t := range v.Algorithms {
		names[i] = t.Name
	}
	return names
}

// A build recomputes madeDraws randomly drawn battles of a survey that was made elsewhere; a check recomputes
// checkDraws. madeSeed is the build's seed.
const (
	madeDraws  = 1 << 16
	checkDraws = 1 << 20
	madeSeed   = 1
)

// take checks a survey that was made elsewhere, and uses its comparison of the algorithms. If the survey is too large
// to recompute, take recomputes only some of its battles. It returns the context's error, or a
// [*chapter.SettingError].
func (s *Survey) take(ctx context.Context, made madeSurvey) error {
	checked, err := made.SpotCheck(ctx, madeDraws, madeSeed)
	if err == nil {
		err = exactIsRight(made.Survey)
	}
	switch {
	case ctx.Err() != nil:
		return canceled.Cause(ctx)
	case err != nil:
		return &chapter.SettingError{Name: surveyParameter.Name, Err: fmt.Errorf("the survey is wrong: %w", err)}
	}
	s.Compared, s.made, s.checked = made.Survey, &made, checked
	return nil
}

// checkedText says how much of a survey was recomputed.
func checkedText(c game.SpotCheck) string {
	return fmt.Sprintf("%s that the survey names, %s just before its first errors, and %s drawn at random",
		chapter.Thousands(c.Named), chapter.Thousands(c.Before), chapter.Thousands(c.Drawn))
}

// shardsText returns a number of shards as text.
func shardsText(shards int) string {
	if shards == 1 {
		return "one shard"
	}
	return chapter.Thousands(shards) + " shards"
}

// OriginText says where the survey of the page comes from, if the build did not compute it.
func (s *Survey) OriginText() content.Markdown {
	if s.made == nil {
		return ""
	}
	finds := fmt.Sprintf("%.1f\u00a0%%", math.Ceil(s.checked.Finds()*1000)/10) // rounded up
	return say("origin", map[string]any{
		"Shards": s.made.shards, "Survey": surveyDownload, "List": shardsDownload, "Checked": s.checked,
		"Sum": surveyParameter.Shown(s.made.text()), "Finds": finds,
	})
}

// maxRedrawn is the maximum number of battles in recomputed shards. One core needs some minutes for them.
const maxRedrawn = 1_000_000_000

// recheckMade recomputes a survey that was made elsewhere. It recomputes the whole survey if a build would make one of
// that size. Otherwise it recomputes single battles and, if the shards are known, shards that it draws with the seed.
func recheckMade(ctx context.Context, value string, seed uint64) (string, error) {
	made, err := readMade(value)
	if err != nil {
		return "", err
	}
	asked, err := made.Asked()
	if err != nil {
		return "", err
	}
	r := recheck{made, game.SurveyOptions{Algorithms: asked, Effort: game.Effort{Steps: game.SurveySteps}}}
	if made.Battles > maxCompared {
		return r.sample(ctx, seed)
	}
	return r.recomputeAll(ctx, seed)
}

// recheck is the state of recomputing a survey.
type recheck struct {
	madeSurvey
	options game.SurveyOptions
}

// part recomputes a block of the battles.
func (r recheck) part(ctx context.Context, block grid.Block) (game.Survey, error) {
	part := game.Survey{Soldiers: r.Soldiers, Castle: r.Castle, Defenders: r.Defenders}
	totals, err := part.Part(ctx, block, r.options)
	part.Totals = totals
	return part, err
}

// recomputeAll recomputes everything, shard by shard if the shards are known.
func (r recheck) recomputeAll(ctx context.Context, seed uint64) (string, error) {
	said := fmt.Sprintf("all %s battles", chapter.Thousands(r.Battles))
	if r.shards != nil {
		if _, err := r.redraw(ctx, allShards(len(r.shards.Battles)), r.Battles); err != nil {
			return "", err
		}
		said += fmt.Sprintf(" in %s", shardsText(len(r.shards.Battles)))
	}
	_, err := r.SpotCheck(ctx, r.Battles, seed)
	return said, err
}

// allShards lists the numbers of all shards, from 0.
func allShards(shards int) []int {
	all := make([]int, shards)
	for i := range all {
		all[i] = i
	}
	return all
}

// sample recomputes the battles and shards that it draws with the seed.
func (r recheck) sample(ctx context.Context, seed uint64) (string, error) {
	check, err := r.SpotCheck(ctx, checkDraws, seed)
	if err != nil {
		return "", err
	}
	said := []string{
		fmt.Sprintf("of %s battles: %s, with the seed %d", chapter.Thousands(r.Battles), checkedText(check), seed),
	}
	if r.shards != nil {
		order := rand.New(rand.NewPCG(seed, uint64(len(r.shards.Battles)))).Perm(len(r.shards.Battles))
		text := fmt.Sprintf("none of %s, because the first one drawn has more than %s battles", shardsText(len(order)),
			chapter.Thousands(maxRedrawn))
		redrawn, err := r.redraw(ctx, order, maxCompared)
		if err != nil {
			return "", err
		}
		if len(redrawn) > 0 {
			text = fmt.Sprintf("shards %s of %s", numbersText(redrawn), chapter.Thousands(len(order)))
		}
		said = append(said, text)
	}
	return strings.Join(said, "; "), nil
}

// numbersText lists the shards, numbered from 1. It shortens long lists.
func numbersText(shards []int) string {
	const most = 20
	var texts []string
	for i, shard := range shards {
		if i == most {
			return strings.Join(texts, ", ") + fmt.Sprintf(" and %s others", chapter.Thousands(len(shards)-most))
		}
		texts = append(texts, fmt.Sprint(shard+1))
	}
	return strings.Join(texts, ", ")
}

// redraw recomputes shards in the given order, as long as they have no more battles in all than most. It always
// recomputes the first shard. It returns the numbers of these shards. The error names a shard with different totals.
func (r recheck) redraw(ctx context.Context, order []int, most int64) (redrawn []int, err error) {
	firsts := make([]int64, len(r.shards.Battles)) // the first battle of each shard
	for i := 1; i < len(firsts); i++ {
		firsts[i] = firsts[i-1] + r.shards.Battles[i-1]
	}
	for _, i := range order {
		battles := r.shards.Battles[i]
		if battles > most && (len(redrawn) > 0 || battles > maxRedrawn) {
			break
		}
		most -= min(most, battles)
		part, err := r.part(ctx, grid.Block{First: firsts[i], Size: battles})
		if err != nil {
			return nil, err
		}
		if part.Checksum != r.shards.Checksums[i] || totalsSum(part) != r.shards.Totals[i] {
			what, said, found := "the checksum", r.shards.Checksums[i].String(), part.Checksum.String()
			if said == found {
				what, said, found = "the SHA-256 of the totals", r.shards.Totals[i], totalsSum(part)
			}
			return nil, fmt.Errorf("shard %d of %d has different totals when recomputed: for %d battles from number "+
				"%d on, %s is %s in the survey, but %s now",
				i+1, len(firsts), battles, firsts[i], what, said, found)
		}
		redrawn = append(redrawn, i)
	}
	return redrawn, nil
}
