package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/explore"
)

// served is a running server in a repository of the toy report.
type served struct {
	*testing.T
	address  string
	texts    string // the folder of the copy
	versions <-chan string
	log      *syncBuffer
}

func startServe(t *testing.T) *served {
	t.Helper()
	withToys(t)
	texts := toyRepository(t)
	t.Chdir(texts)
	return startServing(t, texts, "--notebooks", "off")
}

// startServing starts a server with some arguments.
func startServing(t *testing.T, texts string, more ...string) *served {
	t.Helper()
	s := &served{T: t, texts: texts, log: &syncBuffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	out, ended := &syncBuffer{}, make(chan int)
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--cache", testCacheFolder}, more...)
	go func() {
		ended <- command.Run(ctx, "genreport", args, command.Streams{In: strings.NewReader(""), Out: out, Err: s.log},
			execute)
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("exit code %d after Ctrl-C", code)
		}
	})
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	waittest.Until(t, "the server tells no address", func() bool {
		s.address = address.FindString(out.String())
		return s.address != ""
	})
	return s
}

// page returns the current state of a page.
func (s *served) page(name string) string {
	s.Helper()
	r, err := http.Get(s.address + "/" + name)
	must.Do(s, err)
	defer r.Body.Close()
	return string(must.Get(io.ReadAll(r.Body)))
}

// until waits until news arrives and the page is as wanted. It returns the time since begin.
func (s *served) until(begin time.Time, name string, wanted func(page string) bool) time.Duration {
	s.Helper()
	for deadline := time.After(waittest.Patience); ; {
		select {
		case <-s.versions:
			took := time.Since(begin)
			if wanted(s.page(name)) {
				return took
			}
		case <-deadline:
			s.Fatalf("the page never came: %s\n%s", s.page(name), s.log)
		}
	}
}

func containsText(text string) func(string) bool {
	return func(page string) bool {
		return strings.Contains(page, text) && !strings.Contains(page, "preview-faults")
	}
}

func hasFault(parts ...string) func(string) bool {
	return func(page string) bool {
		for _, part := range append(parts, "preview-faults", "The rules of the toy") {
			if !strings.Contains(page, part) {
				return false
			}
		}
		return true
	}
}

// TestServe edits texts in the ways that several editors do, makes mistakes and fixes them. The page must follow, and a
// fault must be shown above the last good page.
func TestServe(t *testing.T) {
	rows := must.Rows(t, "testdata/tables.txt", "TestServe")
	s := startServe(t)
	s.versions = follow(t, s.address, "toy-rules.html")
	s.until(time.Now(), "toy-rules.html", containsText("The rules of the toy"))
	file := filepath.Join(s.texts, "report", "toy", "rules.md")
	original := string(must.Get(os.ReadFile(file)))
	write := func(text string) { must.Do(t, os.WriteFile(file, []byte(text), 0o644)) }
	edits := map[string]func(text string){
		"written in place":   write,
		"renamed into place": func(text string) { replaceFile(t, file, text) },
		"old file moved away": func(text string) {
			must.Do(t, os.Rename(file, file+"~"))
			write(text)
			must.Do(t, os.Remove(file+"~"))
		},
		"file gone": func(string) { must.Do(t, os.Remove(file)) },
		"folder replaced": func(text string) {
			folder := filepath.Dir(file)
			must.Do(t, os.Rename(folder, folder+"-old"), os.CopyFS(folder, os.DirFS(folder+"-old")),
				os.RemoveAll(folder+"-old"))
			write(text)
		},
	}
	line := strconv.Itoa(strings.Count(original, "\n") + 3)
	for _, row := range rows {
		want := containsText(row[2])
		if parts := row[2:]; len(parts) > 1 {
			parts[0] = strings.Replace(parts[0], "LINE", line, 1)
			want = hasFault(parts...)
		}
		begin := time.Now()
		edits[row[0]](original + "\n\n" + row[1] + "\n")
		t.Logf("%s: %v", row[:2], s.until(begin, "toy-rules.html", want).Round(time.Millisecond))
	}
	if strings.Contains(s.page("index.html"), "preview-faults") {
		t.Error("the front page has a fault")
	}
	if log := s.log.String(); !strings.Contains(log, "changed toy-rules in ") {
		t.Errorf("more than the edited page has changed:\n%s", log)
	}
}

// TestServeAddresses checks that an address that others can reach causes a warning. Invalid addresses are in
// testdata/messages.txt.
func TestServeAddresses(t *testing.T) {
	for address, warned := range map[string]bool{
		"0.0.0.0:0": true, ":0": true, "127.0.0.1:0": false,
		"localhost:0": false,
	} {
		listener, hosts, err := listen(address)
		must.Do(t, err)
		_ = listener.Close()
		if hosts.local == warned {
			t.Errorf("%s: %+v", address, hosts)
		}
	}
}

// TestEditedTexts checks which texts a build uses. In the folder of the repository it uses the texts there, even if the
// program was compiled with other texts or the cache contains a report with other texts. Elsewhere it uses the texts of
// the program.
func TestEditedTexts(t *testing.T) {
	withToys(t)
	clone, out := toyRepository(t), filepath.Join(t.TempDir(), "site")
	build := func(folder string) string {
		t.Helper()
		t.Chdir(folder)
		exits(t, 0, "build", "--cache", testCacheFolder, "--notebooks", "off", "--out", out)
		page := must.Get(os.ReadFile(filepath.Join(out, "toy-rules.html")))
		return string(page)
	}
	first := build(clone)
	name := filepath.Join("report", "toy", "rules.md")
	text := must.Get(os.ReadFile(name))
	must.Write(t, name, append(text, "\nA sentence more.\n"...))
	if page := build(clone); !strings.Contains(page, "A sentence more.") {
		t.Error("the text was edited, and the page has it not")
	}
	if page := build(t.TempDir()); page != first {
		t.Error("away from the repository the page is not that of the program")
	}
}

// syncBuffer collects the output of several goroutines.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// replaceFile writes a file under another name and renames it. A file that is written in place may be read while it is
// empty, and then the last good page would be empty.
func replaceFile(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(name+".new", []byte(text), 0o600), os.Rename(name+".new", name))
}

// TestServeFolder edits the pages of a folder: the page must follow, a fault must be shown above the last good page,
// and a new page must appear.
func TestServeFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { replaceFile(t, filepath.Join(dir, name), text) }
	write("01-page.md", "The rules of the toy.\n")
	s := startServing(t, dir, dir)
	s.versions = follow(t, s.address, "01-page.html")
	s.until(time.Now(), "01-page.html", containsText("The rules of the toy"))
	write("01-page.md", "The rules of the toy, and one more.\n")
	took := s.until(time.Now(), "01-page.html", containsText("and one more"))
	t.Logf("an edit is on the page after %v", took.Round(time.Millisecond))
	write("01-page.md", "The rules {{ ref \"fig:none\" }}.\n")
	s.until(time.Now(), "01-page.html", hasFault("there is no such target", "01-page.md:1:"))
	write("01-page.md", "Mended, see [the next](02-next.md).\n")
	write("02-next.md", "# The next page\n")
	s.until(time.Now(), "01-page.html", containsText(`href="02-next.html"`))
}

// TestServeFiles edits a file that a flag names, and checks that the page is updated, and reports a file that is wrong
// or missing.
func TestServeFiles(t *testing.T) {
	withToys(t)
	named := blocks
	number := func(content string) (string, error) { return blocks.Normal(strings.TrimSpace(content)) }
	named.File = &chapter.File{Most: 100, Read: number, Is: func(string) bool { return false }}
	own.Games[0].Parameters = []chapter.Parameter{named}
	t.Chdir(toyRepository(t))
	file := filepath.Join(t.TempDir(), ".blocks.json")
	write := func(text string) { replaceFile(t, file, text) }
	write("17\n")
	s := startServing(t, ".", "--notebooks", "off", "--blocks", file)
	s.versions = follow(t, s.address, "toy-rules.html")
	s.until(time.Now(), "toy-rules.html", containsText("Build with 17"))
	write("18\n")
	s.until(time.Now(), "toy-rules.html", containsText("Build with 18"))
	write("many\n")
	s.until(time.Now(), "toy-rules.html", hasFault(`is not a number of blocks`, "Build with 18"))
	must.Do(t, os.Remove(file))
	s.until(time.Now(), "toy-rules.html", hasFault("no such file", "Build with 18"))
	write("19\n")
	s.until(time.Now(), "toy-rules.html", containsText("Build with 19"))
}

// fakeDraft is a report whose builds the test controls.
type fakeDraft func(context.Context) (site.Tree, error)

func (f fakeDraft) BuildOnly(_ context.Context, _ []lesson.Lesson, _ string, only []string) (site.Tree, error) {
	return site.Tree{only[0] + ".html": []byte("early")}, nil
}

func (f fakeDraft) Build(ctx context.Context, _ []lesson.Lesson, _ string) (site.Tree, error) {
	return f(ctx)
}

// refresherTest is a refresher with a preview, and channels to control it.
type refresherTest struct {
	*testing.T
	preview *preview
	changes chan change
	runs    chan chan<- lessonResult // the runs of the notebooks, as they begin; each waits for its result
	next    func() (site.Tree, error)
}

func startRefresher(t *testing.T, claim error) *refresherTest {
	d := &refresherTest{
		T: t, preview: newPreview(hostRule{}), changes: make(chan change),
		runs: make(chan chan<- lessonResult),
	}
	text := "first"
	d.next = func() (site.Tree, error) { return site.Tree{"index.html": []byte(text)}, nil }
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); <-ended })
	work := &refresher{
		preview: d.preview, log: func(string) {},
		compute: func(context.Context) (draft, error) {
			return fakeDraft(func(context.Context) (site.Tree, error) { return d.next() }), claim
		},
		lessons: func(ctx context.Context) (book.Options, error) {
			result := make(chan lessonResult)
			select {
			case d.runs <- result:
			case <-ctx.Done():
			}
			select {
			case r := <-result:
				return r.options, r.err
			case <-ctx.Done():
				return book.Options{}, ctx.Err()
			}
		},
	}
	first := d.preview.current()
	go func() { defer close(ended); work.run(ctx, book.Options{}, d.changes) }()
	<-first.newer
	return d
}

// after calls do and waits for the resulting edition.
func (d *refresherTest) after(do func()) *edition {
	d.Helper()
	before := d.preview.current()
	do()
	<-before.newer
	return d.preview.current()
}

func (d *refresherTest) want(e *edition, text, fault string) {
	d.Helper()
	got := ""
	if len(e.faults) > 0 {
		got = e.faults[0].Message
	}
	if string(e.tree["index.html"]) != text || !strings.Contains(got, fault) || (fault == "") != (got == "") {
		d.Errorf("page %q, fault %q, want %q, %q", e.tree["index.html"], got, text, fault)
	}
}

// TestRefresher checks that the last good pages stay after a fault or a panic, and that the fault disappears when it is
// fixed, in texts and in notebooks.
func TestRefresher(t *testing.T) {
	d := startRefresher(t, nil)
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
	// A changed text is shown while the notebooks run. The notebooks' old fault stays until they have run.
	d.want(d.after(func() { d.changes <- change{texts: true} }), "third", "cell 3 fails")
	// A newer change of the notebooks cancels the current run.
	d.changes <- change{notebooks: true}
	run = <-d.runs
	d.want(d.after(func() { run <- lessonResult{} }), "third", "")
}

// TestRefresherWaitsForLessons checks that no run of the notebooks outlives the refresher, neither the current run nor
// a run that a newer change has cancelled.
func TestRefresherWaitsForLessons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ends := make(chan struct{}) // allows a cancelled run to end
		running, changes := 0, make(chan change)
		work := &refresher{
			preview: newPreview(hostRule{}), log: func(string) {},
			compute: func(context.Context) (draft, error) {
				return fakeDraft(func(context.Context) (site.Tree, error) { return site.Tree{}, nil }), nil
			},
			lessons: func(ctx context.Context) (book.Options, error) {
				running++
				<-ctx.Done()
				<-ends
				return book.Options{}, ctx.Err()
			},
		}
		ended := false
		go func() { work.run(ctx, book.Options{}, changes); ended = true }()
		synctest.Wait()
		changes <- change{notebooks: true}
		synctest.Wait()
		if running != 2 {
			t.Fatalf("%d runs of the notebooks, want 2", running)
		}
		cancel()
		for left := running; left > 0; left-- {
			if synctest.Wait(); ended {
				t.Fatalf("the refresher has ended, and %d runs have not", left)
			}
			ends <- struct{}{}
		}
		if synctest.Wait(); !ended {
			t.Error("the refresher does not end")
		}
	})
}

// TestRefresherWithoutData checks that a false claim is shown, and that the server continues.
func TestRefresherWithoutData(t *testing.T) {
	d := startRefresher(t, errors.New(`claim "x" does not hold`))
	d.want(d.preview.current(), "", "does not hold")
}

// TestEarlyPages checks that a page that is requested before the report is complete is shown early, and that the whole
// report is shown when it is complete.
func TestEarlyPages(t *testing.T) {
	release := make(chan struct{})
	p := newPreview(hostRule{})
	work := &refresher{
		preview: p, log: func(string) {},
		compute: func(context.Context) (draft, error) {
			return fakeDraft(func(ctx context.Context) (site.Tree, error) { // the build may be stopped before it ends
				select {
				case <-release:
					return site.Tree{"index.html": []byte("whole")}, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}), nil
		},
		lessons: func(ctx context.Context) (book.Options, error) { <-ctx.Done(); return book.Options{}, ctx.Err() },
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { work.run(ctx, book.Options{}, nil) })
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

// TestDrawnUntilCompiled checks that a page that is requested while the engines are compiled has a drawing in place of
// each explorable.
func TestDrawnUntilCompiled(t *testing.T) {
	made := func(engines explore.Engines) *book.Draft {
		t.Helper()
		draft, err := book.NewDraft(toyBook(), book.Options{Engines: engines})
		must.Do(t, err)
		return draft
	}
	d := unplayed{made(nil), func(context.Context) (draft, error) {
		return made(explore.Engines{"engine": []byte("compiled")}), nil
	}}
	early, err := d.BuildOnly(t.Context(), nil, "", []string{"index"})
	must.Do(t, err)
	whole, err := d.Build(t.Context(), nil, "")
	must.Do(t, err)
	for tree, want := range map[*site.Tree]bool{&early: false, &whole: true} {
		if page := string((*tree)["index.html"]); strings.Contains(page, `class="explorable"`) != want ||
			!strings.Contains(page, "A house of three blocks.") {
			t.Errorf("an explorable: want %v:\n%.3000s", want, page)
		}
	}
	failing := unplayed{nil, func(context.Context) (draft, error) { return nil, errors.New("no engine") }}
	if _, err := failing.Build(t.Context(), nil, ""); err == nil || err.Error() != "no engine" {
		t.Errorf("error %v", err)
	}
}
