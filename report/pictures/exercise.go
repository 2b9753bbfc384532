package pictures

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Exercise is a question whose answers are integers. [Exercise.Picture] lets readers type the answers, and compares
// them with the results of Solve; no page contains an answer.
type Exercise struct {
	// Name is the name of the exercise's picture.
	Name string
	// Texts contains the text of exercises. The paragraphs of an exercise follow "## " and its name: its numbers, such
	// as "n: litres, 1 to 60: 5" with a label, bounds and a start value; the question; the values that it asks for,
	// each with a label; the hint; and the solution. In all of these, {n} stands for a value or a number, and {n litre}
	// for a number of litres, as in [Text]. Texts is a pointer, so that the linker omits the text from programs without
	// the exercise.
	Texts *string
	// Other returns different numbers for the exercise. They depend on random.
	Other func(random uint64) Values
	// Solve computes, for the given numbers, the values that the text names. It returns errors as [Picture.See] does.
	Solve func(Values) (Solved, error)
}

// Solved is the result of an exercise for its numbers: the values that its text names, and functions that describe what
// follows from a wrong answer, as in [Ask]. Each function has the name of a value that the exercise asks for.
type Solved struct {
	Values map[string]any
	Wrong  map[string]func(given int64) string
}

// Problem is an exercise with its numbers.
type Problem struct {
	Question []Span
	Asks     []Ask
	Hint     []Span
	Solution []Span
}

// Ask is a number that the exercise asks for.
type Ask struct {
	Label  string // the words before the field
	Answer int64
	// Wrong returns a sentence about what follows from a wrong number. It may be nil, or return "" if nothing follows.
	Wrong func(given int64) string
}

// Form is a part of a view that contains fields for answers, and a button. The button passes an action such as "answer
// 13;5" to the picture's Do.
type Form struct {
	Asks []FormAsk `json:"asks"`
}

// FormAsk is one of the fields of a Form. The verdict is shown after the field.
type FormAsk struct {
	Label   string `json:"label"`
	Given   string `json:"given,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Right   bool   `json:"right,omitempty"`
}

// These are the kinds of help that readers can request.
const (
	helpHint     = "hint"
	helpSolution = "solution"
)

// Picture returns the exercise as a picture for readers.
func (e Exercise) Picture() Picture {
	p := Picture{Name: e.Name, Exercise: &e, See: e.see, Do: e.do}
	for _, f := range e.numbers() {
		f.Apart = true
		p.Fields = append(p.Fields, f)
	}
	p.Fields = append(p.Fields, Field{Name: "answer", Label: "answer", Memory: true}, Field{
		Name: "help", Label: "help",
		Memory: true,
	})
	return p
}

// given returns the answers that the reader has typed, with "" for each missing answer.
func given(v Values, asks int) []string {
	all := strings.Split(v["answer"], ",")
	return append(all, make([]string, asks)...)[:asks]
}

func (e Exercise) see(v Values) (*View, error) {
	problem, err := e.Pose(v)
	if err != nil {
		return nil, err
	}
	form := &Form{}
	var say []string
	for i, text := range given(v, len(problem.Asks)) {
		ask := problem.Asks[i]
		field := FormAsk{Label: ask.Label, Given: text}
		if text != "" {
			field.Verdict, field.Right = ask.judge(text)
			say = append(say, ask.Label+": "+field.Verdict)
		}
		form.Asks = append(form.Asks, field)
	}
	help := v["help"]
	buttons := []Button{
		{Label: "Hint", Set: With("help", helpHint), Pressed: help == helpHint},
		{Label: "Solution", Set: With("help", helpSolution), Pressed: help == helpSolution},
		{Label: "Other numbers", Do: "other", Chance: true},
	}
	view := &View{Parts: []Part{{Text: problem.Question}, {Form: form}}}
	for i, b := range buttons {
		if b.Pressed {
			buttons[i].Set = With("help", "")
		}
	}
	view.Parts = append(view.Parts, Part{Row: &Row{Buttons: buttons}})
	switch help {
	case "":
	case helpHint:
		view.Parts = append(view.Parts, Part{Text: problem.Hint})
		say = append(say, plain(problem.Hint))
	case helpSolution:
		view.Parts = append(view.Parts, Part{Text: problem.Solution})
		say = append(say, plain(problem.Solution))
	default:
		return nil, Refuse("help", "help = %.40s: choose hint, solution, or nothing", help)
	}
	view.ScreenReaderText = strings.Join(say, " ")
	return view, nil
}

// judge compares the text that a reader typed with the correct answer.
func (a Ask) judge(text string) (verdict string, right bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return "✗ The answer must be a whole number, such as 12.", false
	case n == a.Answer:
		return "✓ Right.", true
	}
	words := ""
	if a.Wrong != nil {
		words = a.Wrong(n)
	}
	if words == "" {
		words = "That is not the number."
	}
	return "✗ " + words, false
}

func (e Exercise) do(v Values, what string) (Values, error) {
	verb, rest, _ := strings.Cut(what, " ")
	switch verb {
	case "answer":
		answers := strings.Split(rest, ";")
		for _, text := range answers { // the page has already converted numbers such as 1,000
			if _, err := strconv.ParseInt(text, 10, 64); err != nil && text != "" {
				return nil, Refuse("", "%.40s: must be a whole number, such as 12", text)
			}
		}
		if strings.Join(answers, "") == "" {
			return nil, Refuse("", "type a whole number as your answer before you check it")
		}
		v["answer"] = strings.Join(answers, ",")
	case "other":
		random, err := strconv.ParseUint(rest, 10, 64)
		if err != nil {
			return nil, Refuse("", "%.40q: write 0 or a larger whole number to get other numbers", rest)
		}
		var other Values
		for same := range uint64(100) { // readers want numbers that differ from the previous ones
			if other = e.Other(random + same); !containsAll(v, other) {
				break
			}
		}
		maps.Copy(v, other)
		v["answer"], v["help"] = "", ""
	default:
		return nil, Refuse("", "%.40q is not an action: answer, or ask for other numbers", what)
	}
	return v, nil
}

// containsAll reports whether all contains every value in some.
func containsAll(all, some Values) bool {
	for name, value := range some {
		if all[name] != value {
			return false
		}
	}
	return true
}

// Content returns the exercise with the numbers given by start, for paper and for pages without scripts.
func (e Exercise) Content(start ...content.Setting) (*content.Exercise, error) {
	v, err := e.Picture().Values(start)
	if err != nil {
		return nil, err
	}
	problem, err := e.Pose(v)
	if err != nil {
		return nil, err
	}
	c := &content.Exercise{
		Explore:  content.Explorable{Kind: e.Name},
		Question: markdown(problem.Question), Solution: markdown(problem.Solution),
	}
	for _, f := range e.numbers() {
		c.Explore.Start = append(c.Explore.Start, content.Setting{Name: f.Name, Value: v[f.Name]})
	}
	return c, nil
}

// marks escapes the characters that Markdown interprets.
var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "&", `\&`, "`", "\\`",
	"$", "&#36;", "~", `\~`, "^", `\^`)

func markdown(spans []Span) content.Markdown {
	var b strings.Builder
	for _, s := range spans {
		if s.Letter {
			b.WriteString("*" + s.Text + "*")
		} else {
			b.WriteString(marks.Replace(s.Text))
		}
	}
	return content.Markdown(b.String())
}

// plain returns the text that a screen reader reads aloud.
func plain(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if !s.Sign {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// paragraphs returns the paragraphs of the exercise in Texts.
func (e Exercise) paragraphs() []string {
	_, text, _ := strings.Cut(*e.Texts, "\n## "+e.Name+"\n\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.Split(strings.TrimSpace(text), "\n\n")
}

// numbers returns the numbers of the question, with their bounds and start values.
func (e Exercise) numbers() (all []Field) {
	for line := range strings.Lines(e.paragraphs()[0]) {
		all = append(all, askedNumber(strings.TrimSpace(line)))
	}
	return all
}

// Pose returns the problem for the given numbers. It returns errors as [Picture.See] does.
func (e Exercise) Pose(v Values) (Problem, error) {
	s, err := e.Solve(v)
	if err != nil {
		return Problem{}, err
	}
	parts := e.paragraphs()
	for _, f := range e.numbers() {
		s.Values[f.Name] = v.Int(f.Name)
	}
	p := Problem{Question: s.insertValues(parts[1]), Hint: s.insertValues(parts[3]), Solution: s.insertValues(parts[4])}
	for line := range strings.Lines(parts[2]) {
		value, label, _ := strings.Cut(strings.TrimSpace(line), ": ")
		answer, err := strconv.ParseInt(fmt.Sprint(s.Values[value]), 10, 64)
		if err != nil {
			return Problem{}, err
		}
		p.Asks = append(p.Asks, Ask{Label: label, Answer: answer, Wrong: s.Wrong[value]})
	}
	return p, nil
}

// askedNumber parses a line that declares a number of an exercise.
func askedNumber(line string) Field {
	name, rest, _ := strings.Cut(line, ": ")
	end, bounds := strings.LastIndex(rest, ": "), strings.LastIndex(rest, ", ")
	least, most, _ := strings.Cut(rest[bounds+len(", "):end], " to ")
	f := Field{Name: name, Label: rest[:bounds], Start: rest[end+len(": "):]}
	bound := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic("pictures: " + line + ": " + err.Error()) // the texts are part of the program
		}
		return n
	}
	f.Least, f.Most = bound(least), bound(most)
	f.Limit = f.Most
	return f
}

// insertValues inserts the values into text.
func (s Solved) insertValues(text string) []Span {
	said := ""
	for {
		before, rest, found := strings.Cut(text, "{")
		if said += before; !found {
			return Say(said)
		}
		named, after, _ := strings.Cut(rest, "}")
		name, noun, counted := strings.Cut(named, " ")
		format := "%v"
		if counted {
			format = "{" + noun + "}"
		}
		said, text = said+Text(format, s.Values[name]), after
	}
}

// Posed returns the pictures of exercises.
func Posed(exercises ...Exercise) []Picture {
	all := make([]Picture, len(exercises))
	for i, e := range exercises {
		all[i] = e.Picture()
	}
	return all
}
