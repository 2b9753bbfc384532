package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/siegebook/siegebook/report"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// fakeDraft is a report whose builds a test decides.
type fakeDraft func(lessons []lesson.Lesson) (site.Tree, error)

func (f fakeDraft) Part(_ context.Context, _ []lesson.Lesson, _ string, only []string) (site.Tree, error) {
	return site.Tree{only[0] + ".html": []byte("early")}, nil
}

func (f fakeDraft) Build(_ context.Context, lessons []lesson.Lesson, _ string) (site.Tree, error) {
	return f(lessons)
}

// deskTest is a desk with a preview, and hands to move them.
type deskTest struct {
	*testing.T
	preview *preview
	changes chan change
	runs    chan chan<- lessonResult // the runs of the notebooks as they begin; each waits for what it is to give
	next    func() (site.Tree, error)
}

func startDesk(t *testing.T, claim error) *deskTest {
	d := &deskTest{
		T: t, preview: newPreview(hostRule{}), changes: make(chan change),
		runs: make(chan chan<- lessonResult),
	}
	text := "first"
	d.next = func() (site.Tree, error) { return site.Tree{"index.html": []byte(text)}, nil }
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); <-ended })
	work := &desk{
		preview: d.preview, log: func(string) {},
		compute: func(context.Context) (draft, error) {
			return fakeDraft(func([]lesson.Lesson) (site.Tree, error) { return d.next() }), claim
		},
		lessons: func(ctx context.Context) (report.Options, error) {
			result := make(chan lessonResult)
			select {
			case d.runs <- result:
			case <-ctx.Done():
			}
			select {
			case r := <-result:
				return r.options, r.err
			case <-ctx.Done():
				return report.Options{}, ctx.Err()
			}
		},
	}
	first := d.preview.current()
	go func() { defer close(ended); work.run(ctx, report.Options{}, d.changes) }()
	<-first.newer
	return d
}

// after does something and waits for the edition that comes of it.
func (d *deskTest) after(do func()) *edition {
	d.Helper()
	before := d.preview.current()
	do()
	<-before.newer
	return d.preview.current()
}

func (d *deskTest) want(e *edition, text, fault string) {
	d.Helper()
	got := ""
	if len(e.faults) > 0 {
		got = e.faults[0].Message
	}
	if string(e.tree["index.html"]) != text || !strings.Contains(got, fault) || (fault == "") != (got == "") {
		d.Errorf("page %q, fault %q, want %q, %q", e.tree["index.html"], got, text, fault)
	}
}

// TestDesk: a fault or a panic leaves the last good pages, and disappears when it is mended, in texts and in notebooks.
func TestDesk(t *testing.T) {
	d := startDesk(t, nil)
	d.want(d.preview.current(), "first", "")
	run := <-d.runs
	d.want(d.after(func() { run <- lessonResult{} }), "first", "")
	for _, step := range []struct{ text, fault, wantText, wantFault string }{
		{"second", "", "second", ""},
		{"", "bad TeX", "second", "bad TeX"},
		{"", "panic", "second", "a bug in genreport"},
		{"third", "", "third", ""},
	} {
		d.next = func() (site.Tree, error) {
			if step.fault == "panic" {
				panic("out of ink")
			}
			if step.fault != "" {
				return nil, errors.New(step.fault)
			}
			return site.Tree{"index.html": []byte(step.text)}, nil
		}
		d.want(d.after(func() { d.changes <- change{texts: true} }), step.wantText, step.wantFault)
	}
	d.changes <- change{notebooks: true}
	run = <-d.runs
	d.want(d.after(func() { run <- lessonResult{err: errors.New("cell 3 fails")} }), "third", "cell 3 fails")
	d.changes <- change{notebooks: true}
	<-d.runs
	// A text is shown while the notebooks run; their old fault stays until they have run.
	d.want(d.after(func() { d.changes <- change{texts: true} }), "third", "cell 3 fails")
	// A newer change of the notebooks cancels the run at hand.
	d.changes <- change{notebooks: true}
	run = <-d.runs
	d.want(d.after(func() { run <- lessonResult{} }), "third", "")
}

// TestDeskWaitsForLessons: no run of the notebooks outlives the desk, neither the one at hand nor one that a newer
// change has cancelled.
func TestDeskWaitsForLessons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ends := make(chan struct{}) // lets one run end that was cancelled
		running, changes := 0, make(chan change)
		work := &desk{
			preview: newPreview(hostRule{}), log: func(string) {},
			compute: func(context.Context) (draft, error) {
				return fakeDraft(func([]lesson.Lesson) (site.Tree, error) { return site.Tree{}, nil }), nil
			},
			lessons: func(ctx context.Context) (report.Options, error) {
				running++
				<-ctx.Done()
				<-ends
				return report.Options{}, ctx.Err()
			},
		}
		ended := false
		go func() { work.run(ctx, report.Options{}, changes); ended = true }()
		synctest.Wait()
		changes <- change{notebooks: true}
		synctest.Wait()
		if running != 2 {
			t.Fatalf("%d runs of the notebooks, want 2", running)
		}
		cancel()
		for left := running; left > 0; left-- {
			if synctest.Wait(); ended {
				t.Fatalf("the desk has ended, and %d runs have not", left)
			}
			ends <- struct{}{}
		}
		if synctest.Wait(); !ended {
			t.Error("the desk does not end")
		}
	})
}

// TestDeskWithoutData: a claim that does not hold is shown, and the server goes on.
func TestDeskWithoutData(t *testing.T) {
	d := startDesk(t, errors.New(`claim "x" does not hold`))
	d.want(d.preview.current(), "", "does not hold")
}

// TestEarlyPages: who asks for a page before the report is there gets it early, and the report when it is there.
func TestEarlyPages(t *testing.T) {
	release := make(chan struct{})
	p := newPreview(hostRule{})
	work := &desk{
		preview: p, log: func(string) {},
		compute: func(context.Context) (draft, error) {
			return fakeDraft(func([]lesson.Lesson) (site.Tree, error) {
				<-release
				return site.Tree{"index.html": []byte("whole")}, nil
			}), nil
		},
		lessons: func(ctx context.Context) (report.Options, error) { <-ctx.Done(); return report.Options{}, ctx.Err() },
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { work.run(ctx, report.Options{}, nil) })
	defer running.Wait()
	defer cancel()
	for _, page := range []string{"index", "castle-rules"} {
		before := p.current()
		if !p.ask(page + ".html") {
			t.Fatalf("%s cannot be had", page)
		}
		<-before.newer
		if e := p.current(); string(e.tree[page+".html"]) != "early" {
			t.Errorf("%s: there is %q", page, e.tree)
		}
	}
	before := p.current()
	close(release)
	<-before.newer
	p.lend(site.Tree{"index.html": []byte("late")})
	if e := p.current(); string(e.tree["index.html"]) != "whole" || p.ask("castle-rules.html") {
		t.Errorf("the report is there, and so is %q", e.tree)
	}
}
