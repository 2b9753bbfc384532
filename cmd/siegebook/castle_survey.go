package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
)

// surveyCastle is "siegebook survey castle".
type surveyCastle struct {
	Soldiers   span             `required:"" placeholder:"A:B" help:"Soldiers that attack."`
	Castle     span             `required:"" placeholder:"A:B" help:"Hits that the castle can take."`
	Defenders  span             `required:"" placeholder:"A:B" help:"Defenders that a standing castle sends out after each wave."`
	Algorithms surveyAlgorithms `placeholder:"a,b,..." help:"The algorithms to compare with the exact answers: ${surveyed} (default all but ${surveyedIfNamed})."`
	JSON       bool             `name:"json" help:"Print one JSON object."`
	Out        string           `placeholder:"DIR" help:"With --shard or --shards: the folder of the shards."`
	sharding   `embed:""`
	MaxSteps   positive `default:"${surveySteps}" placeholder:"N" help:"Most answers to ask for, a battle and an algorithm each; a larger grid is refused (default ${default})."`
}

// surveySteps is how many answers a survey asks for unless told otherwise.
const surveySteps = 10_000_000_000_000

// surveyVars are what the texts of the arguments say of the algorithms.
func surveyVars() kong.Vars {
	asked := algorithmNames(castle.DefaultSurveyed())
	var named []string
	for _, a := range castle.Surveyable() {
		if !strings.Contains(","+asked+",", ","+a.Name+",") {
			named = append(named, a.Name)
		}
	}
	return kong.Vars{
		"surveyed":        strings.ReplaceAll(algorithmNames(castle.Surveyable()), ",", ", "),
		"surveyedIfNamed": strings.Join(named, " and "),
		"surveySteps":     strconv.FormatInt(surveySteps, 10),
	}
}

func algorithmNames(algorithms []castle.Algorithm) string {
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = a.Name
	}
	return strings.Join(names, ",")
}

// Help is what --help says beyond the list of arguments.
func (*surveyCastle) Help() string {
	return `Examples:

    siegebook survey castle --soldiers 1:20 --castle 1:80 --defenders 1:40
    siegebook survey castle --soldiers 100 --castle 1:400 --defenders 1:200 --json
    siegebook survey castle --soldiers 1:50 --castle 1:200 --defenders 1:100 --algorithms castle-first,published
    siegebook survey castle --soldiers 1:1000 --castle 1:1000 --defenders 1:1000 --dry-run
    siegebook survey castle --soldiers 1:20 --castle 1:80 --defenders 1:40 --shards 4 --out shards

A range A:B includes both ends; A alone is a range of one. Each algorithm is asked whether the soldiers can win, and in how few waves. It is right if it says the same as the exact answer: the same number of waves, or that they cannot win, which a tie says too. Else it is on the wrong side, or says too many waves or too few. Extra waves are those beyond the fewest, where it says too many; their mean is over all battles for which it says enough waves or more. Errors are shown by the first battle, by soldiers, then castle hits, then defenders.

Search and counting are asked about small battles only, at most 12 soldiers, 36 castle hits and 24 defenders, as larger ones take too long. A battle for which an algorithm needs more than a million steps does not count among its battles.

` + shardsHelp
}

// surveyAlgorithms are the algorithms to compare; nil means the usual ones.
type surveyAlgorithms []castle.Algorithm

func (c *surveyAlgorithms) UnmarshalText(text []byte) error {
	var algorithms surveyAlgorithms
	for name := range strings.SplitSeq(string(text), ",") {
		a, ok := castle.AlgorithmNamed(name)
		if !ok {
			return fmt.Errorf("algorithm %q: unknown, choose among %s", name, algorithmNames(castle.Surveyable()))
		}
		algorithms = append(algorithms, a)
	}
	*c = algorithms
	return castle.SurveyOptions{Algorithms: algorithms}.Validate()
}

// Run surveys the grid.
func (c *surveyCastle) Run(ctx context.Context, s streams) error { return runWhole(ctx, s, c) }

// wanted is the survey without its totals.
func (c *surveyCastle) wanted() castle.Survey {
	return castle.Survey{Soldiers: grid.Range(c.Soldiers), Castle: grid.Range(c.Castle), Defenders: grid.Range(c.Defenders)}
}

// compared returns the algorithms to compare.
func (c *surveyCastle) compared() []castle.Algorithm {
	if c.Algorithms == nil {
		return castle.DefaultSurveyed()
	}
	return c.Algorithms
}

// part returns the survey of some of the battles.
func (c *surveyCastle) part(ctx context.Context, block grid.Block, progress *command.Progress) (surveyAnswer, error) {
	survey := surveyAnswer{c.wanted()}
	var err error
	survey.Totals, err = survey.Part(ctx, block, castle.SurveyOptions{
		Algorithms: c.compared(), Effort: castle.Effort{Steps: castle.SurveySteps}, Progress: progress.Set,
	})
	return survey, err
}

// surveyAnswer is a survey as it is printed.
type surveyAnswer struct{ castle.Survey }

func (a surveyAnswer) json(o *jsonObject) {
	text, err := json.Marshal(a.Survey)
	o.embed(text, err)
}
