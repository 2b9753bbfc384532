package show

import (
	"iter"
	"sync"
	"time"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
)

// betweenSteps is the minimum time between two updates of the line that Progress shows.
const betweenSteps = 100 * time.Millisecond

// Progress returns the numbers from 0 to n-1, for a loop that takes a long time:
//
//	for i := range show.Progress(n) {
//
// A line shows how many rounds of the loop are done. In a notebook, the line is updated while the loop runs. On a page,
// and in a program outside a notebook, it appears at the end of the loop.
func Progress(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n <= 0 {
			return
		}
		id, last := "", time.Time{}
		if host.Page == nil && inNotebook() {
			id = newID()
		}
		done := 0
		for ; done < n; done++ {
			if id != "" && time.Since(last) >= betweenSteps {
				rounds{done, n}.show(id)
				last = time.Now()
			}
			if !yield(done) {
				break
			}
		}
		rounds{done, n}.show(id)
		record(rounds{done, n})
	}
}

// rounds counts the rounds of a loop.
type rounds struct{ Done, All int }

// show shows the line. It replaces the output with the same ID, unless id is "".
func (r rounds) show(id string) {
	text := prose("Progress: %d of %d", r.Done, r.All)
	display(id, content.Output{Kind: content.Sentence, Text: text}, "<p>"+escape(text)+"</p>", text)
}

// recorded holds the loops that have ended while watched is running. Outside watched, it holds nil.
var recorded struct {
	sync.Mutex
	loops *[]rounds
}

func record(r rounds) {
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.loops != nil {
		*recorded.loops = append(*recorded.loops, r)
	}
}

// watched calls a function. It returns the function's value, and the loops that Progress has shown during the call.
func watched[A, T any](compute func(A) T, argument A) (value T, loops []rounds) {
	set := func(to *[]rounds) (was *[]rounds) {
		recorded.Lock()
		defer recorded.Unlock()
		was, recorded.loops = recorded.loops, to
		return was
	}
	outer := set(&loops)
	value = compute(argument)
	set(outer)
	for _, r := range loops {
		record(r)
	}
	return value, loops
}
