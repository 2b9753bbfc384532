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
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/report"
	"github.com/siegebook/siegebook/report/proofs"
)

type serveCommand struct {
	settings
	Addr string `default:"127.0.0.1:8000" placeholder:"HOST:PORT" help:"Address to listen on, ${default} unless told otherwise; port 0 takes a free one."`
}

// Help is what --help adds.
func (*serveCommand) Help() string {
	return `For writing: run it in the folder of the repository, open the address in a browser, and edit the texts (report/**/*.md) or
the notebooks. After an edit the pages that it changes load themselves again. Faults show on the page, with the place
in the source. The data of the chapters are computed once, and the engine of the explorables is compiled once: after a
change of Go code or of JavaScript, start it again. Nothing is written but
the cache, and only this machine can read the pages unless --addr says otherwise. Ctrl-C ends it.`
}

// Run serves the report until the context ends.
func (c *serveCommand) Run(ctx context.Context, s command.Streams) error {
	options, err := c.options(ctx, s)
	if err != nil {
		return err
	}
	if c.Cache == "off" { // results of notebooks have to be somewhere
		folder, err := atomicfile.NewFolder("", "siegebook-serve")
		if err != nil {
			return command.Unwritable("TMPDIR", os.TempDir(), err)
		}
		defer func() { _ = folder.Remove() }()
		c.Cache = folder.Path
		options.Cache = cache.Open(c.Cache)
	}
	if options.Engine, err = c.engine(ctx, s); err != nil {
		return err
	}
	first := c.unrun(ctx, s, options)
	if command.ExitCode(first.err) == 2 {
		return first.err
	}
	listener, hosts, err := listen(c.Addr)
	if err != nil {
		return err
	}
	if !hosts.local {
		fmt.Fprintf(
			s.Err,
			"genreport: warning: --addr %s: others on the network can read these pages, and the texts in the faults\n",
			c.Addr,
		)
	}
	p := newPreview(hosts)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	defer work.Wait() // before the scratch folder goes
	defer stop()
	if err := c.startDesk(ctx, s, options, first, p, &work); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := s.Say("serving the report at http://%s/", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := p.server(ctx)
	work.Go(func() {
		<-ctx.Done()
		_ = server.Close()
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// unrun reads the notebooks without running them: what to show until they have been run.
func (c *serveCommand) unrun(ctx context.Context, s command.Streams, options report.Options) lessonResult {
	quick := c.settings
	quick.Lessons = "text"
	completed, err := quick.complete(ctx, s, options)
	return lessonResult{completed, err}
}

// startDesk begins to build and to watch.
func (c *serveCommand) startDesk(
	ctx context.Context,
	s command.Streams,
	options report.Options,
	first lessonResult,
	p *preview,
	work *sync.WaitGroup,
) error {
	say := func(message string) { fmt.Fprintln(s.Err, command.Line(message)) } // places in front, where editors look for them
	texts := repository()
	w := watched{notebooks: c.folder()}
	if texts != nil {
		w.texts = textFolders()
	} else {
		say("this is not the folder of the repository, so edits of the chapters' texts are not seen")
	}
	if _, err := os.Stat(w.notebooks); err != nil {
		w.notebooks = ""
	}
	changes, err := w.watch(ctx, say)
	if err != nil {
		return err
	}
	d := &desk{
		texts: texts, preview: p, log: say, failed: first.err,
		compute: func(context.Context) (draft, error) {
			return report.NewDraft(book, options)
		},
		lessons: func(ctx context.Context) (report.Options, error) { return c.complete(ctx, s, options) },
	}
	work.Go(func() { d.run(ctx, first.options, changes) })
	return nil
}

// repository returns the folder of the repository if this is it, nil if not.
func repository() fs.FS {
	for _, name := range []string{"go.mod", "report/front.md", "report/report.go"} {
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			return nil
		}
	}
	return os.DirFS(".")
}

// textFolders returns the folders that hold texts of chapters and of proofs.
func textFolders() []string {
	folders := []string{filepath.FromSlash(proofs.Folder)}
	_ = filepath.WalkDir("report", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" && !strings.Contains(filepath.ToSlash(name), "/testdata/") {
			folders = append(folders, filepath.Dir(name))
		}
		return nil
	})
	slices.Sort(folders)
	return slices.Compact(folders)
}

// listen opens an address and says which Host headers belong to it.
func listen(address string) (net.Listener, hostRule, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, hostRule{}, command.Usagef("--addr %q: write host and port, such as 127.0.0.1:8000", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return nil, hostRule{}, command.Usagef("--addr %q: %q is no port, use a number from 0 to 65535", address, port)
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
