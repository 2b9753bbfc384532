package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// change says which sources have changed.
type change struct{ texts, notebooks, files bool }

func (c change) any() bool { return c != change{} }

// Editors write a file in several steps, and save several files at once: a change is told when nothing has happened for
// quiet, or a while after it began.
const (
	quiet     = 15 * time.Millisecond
	longest   = 150 * time.Millisecond
	lookAgain = time.Second
)

// watched are the folders of sources. Folders are watched and not files, because an editor that saves by renaming puts
// another file in the place of the one that was watched.
type watched struct {
	texts     []string // folders of chapter texts
	notebooks string   // folder of the notebooks, "" for none; the Go packages in it count too
	whole     bool     // that folder is all of the report, and each of its files counts
	files     []string // that flags name, by absolute paths
}

// all is a change of everything.
func (w watched) all() change { return change{true, w.notebooks != "", len(w.files) > 0} }

// watch tells changes until the context ends. It returns once it is watching, so that no later change is missed.
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

// folders lists the folders that are there now.
func (w watched) folders() []string {
	folders := slices.Clone(w.texts)
	for _, file := range w.files {
		folders = append(folders, filepath.Dir(file))
	}
	if w.notebooks != "" {
		_ = filepath.WalkDir(w.notebooks, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || !entry.IsDir():
				return nil // a folder that has gone is looked for again
			case path != w.notebooks && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			}
			folders = append(folders, path)
			return nil
		})
	}
	return folders
}

// run collects what happens at about the same time into one change.
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

// renew watches folders that are new, or were replaced, and says whether there were any.
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

// classify says what an event touches.
func (w watched) classify(event fsnotify.Event) change {
	name := filepath.Base(event.Name)
	full, _ := filepath.Abs(event.Name) // else no file of a flag
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
