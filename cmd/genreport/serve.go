package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/siegebook/siegebook/internal/report/compile"

	"github.com/fsnotify/fsnotify"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/press"
)

type serveCommand struct {
	settings
	Live bool   `help:"Let readers edit the Go code of pages and run it in the page, as build --live does, in the report of a folder. The first start takes minutes."`
	Addr string `default:"127.0.0.1:8000" placeholder:"HOST:PORT" help:"Address to listen on (default ${default}); port 0 chooses a free port."`
}

// Help returns the additional text for --help.
func (*serveCommand) Help() string {
	return `Run serve in the folder of the repository, or name the folder of a report of your own. Open the address in a browser, and edit the
texts (report/**/*.md), the notebooks, or a file that a flag names. After an edit the affected pages reload. Faults are shown on the
page, with the place in the source. The data of the chapters are computed once, and the engine of the explorables is compiled once:
after a change to Go code or JavaScript, start serve again. Until the engine is compiled, explorables are drawings. Serve writes only
the cache, and only this machine can read the pages unless --addr changes that. Ctrl-C stops it.`
}

// Run serves the report until the context is done.
func (c *serveCommand) Run(ctx context.Context, s command.Streams) error {
	switch c.WithLive = c.Live; {
	case c.Live && c.Dir == "":
		return command.Usagef("--live: this flag is only for the report of a folder: name the folder, or run build " +
			"--live")
	case c.Live:
		if err := c.liveAllowed(); err != nil {
			return err
		}
	}
	set := c.setRefresher
	if c.Dir != "" {
		set = c.setFolderRefresher
	}
	if c.Cache == "off" { // the results of notebooks need a folder
		folder, err := atomicfile.NewFolder("", "siegebook-serve")
		if err != nil {
			return command.Unwritable("TMPDIR", os.TempDir(), err)
		}
		defer func() { _ = folder.Remove() }()
		c.Cache = folder.Path
	}
	// Each message begins with the place of the fault, where editors expect it.
	say := func(message string) { fmt.Fprintln(s.Err, command.Line(message)) }
	d := &refresher{log: say}
	first, w, closing, err := set(ctx, s, d)
	if err != nil {
		return err
	}
	defer closing()
	listener, hosts, err := listen(c.Addr)
	if err != nil {
		return err
	}
	if !hosts.local {
		fmt.Fprintf(s.Err,
			"genreport: warning: --addr %s: others on the network can read these pages, and the texts in messages "+
				"about faults\n",
			c.Addr)
	}
	if d.texts == nil {
		say("this is not the folder of the repository, so edits to the chapters' texts have no effect")
	}
	d.preview = newPreview(hosts)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	defer work.Wait() // waits before the scratch folder is removed
	defer stop()
	changes, err := w.watch(ctx, say)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	work.Go(func() { d.run(ctx, first, changes) })
	if err := s.Say("serving the report at http://%s/", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := d.preview.server(ctx)
	work.Go(func() {
		<-ctx.Done()
		_ = server.Close()
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// unrun reads the notebooks without running them. Pages show them without outputs until they have been run.
func (c *serveCommand) unrun(ctx context.Context, s command.Streams, options book.Options) (book.Options, error) {
	quick := c.settings
	quick.Lessons = "text"
	return quick.complete(ctx, s, options)
}

// setRefresher sets up a refresher for this program's own book. It returns what to show first and what to watch.
func (c *serveCommand) setRefresher(
	ctx context.Context, s command.Streams, d *refresher,
) (first book.Options, w watched, closing func(), err error) {
	options, err := c.options(ctx, s)
	if err != nil {
		return first, w, nil, err
	}
	options.Program = press.ProgramSum()
	later := c.Explorables == "auto" && press.MissingSource(own.Explorables, ".") == ""
	if folder := c.engineFolder(); later && folder != "" {
		options.Engines = compile.Kept(ctx, own.Explorables, ".", folder)
		later = options.Engines == nil
	}
	if !later && options.Engines == nil {
		if options.Engines, err = c.engine(ctx, s); err != nil {
			return first, w, nil, err
		}
	}
	first, d.failed = c.unrun(ctx, s, options)
	if command.ExitCode(d.failed) == 2 {
		return first, w, nil, d.failed
	}
	w.notebooks = c.folder()
	if d.texts = repository(); d.texts != nil {
		w.texts = textFolders()
	}
	if _, err := os.Stat(w.notebooks); err != nil {
		w.notebooks = ""
	}
	w.files = c.parameterFlags.files()
	pages, err := c.pages(ctx, s)
	if err != nil {
		return first, w, nil, err
	}
	made := options // a copy, because the notebooks run at the same time
	withPages := func(d *book.Draft) draft {
		if pages.press == nil {
			return d
		}
		return pagesDraft{d, pages, made}
	}
	d.compute = func(ctx context.Context) (_ draft, err error) {
		if len(w.files) > 0 {
			if made.Settings, err = c.parameterFlags.settings(ctx); err != nil {
				return nil, err
			}
		}
		drawn, err := book.NewDraft(own, made)
		if err != nil || !later {
			return withPages(drawn), err
		}
		return unplayed{withPages(drawn), chapter.Once(func(ctx context.Context) (_ draft, err error) {
			if made.Engines, err = c.engine(ctx, s); err != nil {
				return nil, err
			}
			later = false
			whole, err := book.NewDraft(own, made)
			return withPages(whole), err
		})}, nil
	}
	d.lessons = func(ctx context.Context) (book.Options, error) { return c.complete(ctx, s, options) }
	return first, w, pages.close, nil
}

// setFolderRefresher sets up a refresher for the report of a folder, like setRefresher.
func (c *serveCommand) setFolderRefresher(
	_ context.Context, s command.Streams, d *refresher,
) (first book.Options, w watched, closing func(), err error) {
	f, err := c.readFolder()
	if err != nil {
		return first, w, nil, err
	}
	p, err := c.press(s)
	if err != nil {
		return first, w, nil, err
	}
	if err := p.Validate(f); err != nil {
		return first, w, nil, command.Usage(err)
	}
	for _, note := range f.Notes() {
		d.log(note)
	}
	if left := f.LeftOut(); left != "" {
		d.log(left)
	}
	d.texts = f.Sources()
	d.compute = func(context.Context) (draft, error) { return folderDraft{p, c.Dir}, nil }
	d.lessons = folderDraft{p, c.Dir}.lessons
	return first, watched{notebooks: c.Dir, whole: true}, p.Close, nil
}

// repository returns the working folder if it is the repository, else nil.
func repository() fs.FS {
	texts := own.TextFiles()
	if len(texts) == 0 {
		return nil
	}
	for _, name := range []string{"go.mod", texts[0]} {
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			return nil
		}
	}
	return os.DirFS(".")
}

// textFolders returns the folders with the texts of the book: its pages with cells, and the texts of other pages.
func textFolders() []string {
	var folders []string
	for _, name := range own.TextFiles() {
		folders = append(folders, filepath.Dir(filepath.FromSlash(name)))
	}
	if own.Cells {
		_ = filepath.WalkDir(filepath.FromSlash(own.Folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".md" {
				folders = append(folders, filepath.Dir(path))
			}
			return nil // a folder that cannot be read is treated as having no pages
		})
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// listen opens an address, and returns the rule for its Host headers.
func listen(address string) (net.Listener, hostRule, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, hostRule{}, command.Usagef("--addr %q: write host and port, such as 127.0.0.1:8000", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return nil, hostRule{}, command.Usagef("--addr %q: %q is not a port, use a number from 0 to "+
			"65535", address, port)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, hostRule{}, fmt.Errorf("--addr %s: %w; name another port, or 0 for a free one", address, err)
	}
	actual, err := netip.ParseAddrPort(listener.Addr().String())
	if err != nil {
		return nil, hostRule{}, errors.Join(err, listener.Close())
	}
	return listener, hostRule{named: host, port: fmt.Sprint(actual.Port()), local: actual.Addr().IsLoopback()}, nil
}

// change records which kinds of sources have changed.
type change struct{ texts, notebooks, files bool }

func (c change) any() bool { return c != change{} }

// Editors write a file in several steps, and save several files at once. So a change is reported when nothing has
// happened for the time quiet, or after the time longest at the latest.
const (
	quiet     = 15 * time.Millisecond
	longest   = 150 * time.Millisecond
	lookAgain = time.Second
)

// watched holds the folders to watch. It watches folders instead of files, because an editor may save by renaming,
// which replaces the watched file.
type watched struct {
	texts     []string // folders of chapter texts
	notebooks string   // the folder of the notebooks, with Go packages in it; "" for none
	whole     bool     // the folder is the whole report, so each of its files counts
	files     []string // the absolute paths of the files that flags name
}

// all returns a change that covers all sources.
func (w watched) all() change { return change{true, w.notebooks != "", len(w.files) > 0} }

// watch reports changes until the context is done. It returns after it has started to watch, so no later change is
// missed.
func (w watched) watch(ctx context.Context, warn func(string)) (<-chan change, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	for _, folder := range w.folders() {
		if err := watcher.Add(folder); err != nil {
			return nil, errors.Join(err, watcher.Close())
		}
	}
	changes := make(chan change)
	go func() {
		defer watcher.Close()
		w.run(ctx, watcher, changes, warn)
	}()
	return changes, nil
}

// folders returns the folders that exist now.
func (w watched) folders() []string {
	folders := slices.Clone(w.texts)
	for _, file := range w.files {
		folders = append(folders, filepath.Dir(file))
	}
	if w.notebooks != "" {
		_ = filepath.WalkDir(w.notebooks, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || !entry.IsDir():
				return nil // a folder that has disappeared is looked for again later
			case path != w.notebooks && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			}
			folders = append(folders, path)
			return nil
		})
	}
	return folders
}

// run combines events at about the same time into one change.
func (w watched) run(ctx context.Context, watcher *fsnotify.Watcher, changes chan<- change, warn func(string)) {
	var pending change
	var began time.Time
	settled := time.NewTimer(time.Hour)
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	note := func(c change) {
		if !c.any() {
			return
		}
		if !pending.any() {
			began = time.Now()
		}
		pending = change{pending.texts || c.texts, pending.notebooks || c.notebooks, pending.files || c.files}
		settled.Reset(max(min(quiet, longest-time.Since(began)), 0))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-watcher.Events:
			note(w.classify(event))
		case err := <-watcher.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				warn("watching the sources: " + err.Error())
			}
			note(w.all())
		case <-again.C:
			if w.renew(watcher) {
				note(w.all())
			}
		case <-settled.C:
			select {
			case changes <- pending:
				pending = change{}
			case <-ctx.Done():
				return
			}
		}
	}
}

// renew starts to watch folders that are new or were replaced, and reports whether it found any.
func (w watched) renew(watcher *fsnotify.Watcher) bool {
	list := watcher.WatchList()
	renewed := false
	for _, folder := range w.folders() {
		if !slices.Contains(list, folder) && watcher.Add(folder) == nil {
			renewed = true
		}
	}
	return renewed
}

// classify returns what an event changes.
func (w watched) classify(event fsnotify.Event) change {
	name := filepath.Base(event.Name)
	full, _ := filepath.Abs(event.Name) // if there is an error, full matches no file of a flag
	switch {
	case event.Op == fsnotify.Chmod:
		return change{}
	case slices.Contains(w.files, full):
		return change{files: true}
	case strings.HasPrefix(name, "."):
		return change{}
	}
	inside := false
	if w.notebooks != "" {
		rel, err := filepath.Rel(w.notebooks, event.Name)
		inside = err == nil && filepath.IsLocal(rel)
	}
	if w.whole {
		return change{texts: inside, notebooks: inside}
	}
	switch filepath.Ext(name) {
	case ".md":
		return change{texts: !inside}
	case ".ipynb", ".go":
		return change{notebooks: inside}
	}
	return change{}
}
