package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/shard"
)

// parameterFlags are the flags of the chapters' parameters. The value of each flag is a string in a struct. The type of
// the struct is created at run time, because kong derives flags from the fields of structs.
type parameterFlags struct {
	kong.Plugins
	parameters []chapter.Parameter
}

func newParameterFlags(parameters []chapter.Parameter) parameterFlags {
	var fields []reflect.StructField
	for i, p := range parameters {
		kind, tag := reflect.TypeFor[string](), fmt.Sprintf("name:%q placeholder:%q help:%q", p.Name, p.Placeholder,
			p.Help)
		if gathers(p) {
			kind, tag = reflect.TypeFor[[]string](), tag+` sep:"none"`
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Text%d", i), Type: kind,
			Tag: reflect.StructTag(tag),
		})
	}
	return parameterFlags{kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}, parameters}
}

// gathers reports whether a parameter's flag names files and may be repeated.
func gathers(p chapter.Parameter) bool { return p.File != nil && p.File.Gather != nil }

// texts returns the texts given for the parameter with index i: at most one, unless the parameter gathers files.
func (f parameterFlags) texts(i int) []string {
	field := reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
	if all, ok := field.Interface().([]string); ok {
		return all
	}
	if field.String() == "" {
		return nil
	}
	return []string{field.String()}
}

// choose sets the parameter with index i, as if its flag had been given.
func (f parameterFlags) choose(i int, value string) {
	field := reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
	switch {
	case field.Kind() == reflect.String:
		field.SetString(value)
	case value != "":
		field.Set(reflect.ValueOf([]string{value}))
	}
}

// settings returns the chosen values, or the error of valueOf.
func (f parameterFlags) settings(ctx context.Context) (chapter.Settings, error) {
	settings := chapter.Settings{}
	for i, p := range f.parameters {
		texts := f.texts(i)
		if len(texts) == 0 {
			continue
		}
		value, err := valueOf(ctx, p, texts)
		if err != nil {
			return nil, err
		}
		settings[p.Name] = value
	}
	return settings, nil
}

// files returns the absolute paths of the files that the flags name.
func (f parameterFlags) files() (files []string) {
	for i, p := range f.parameters {
		for _, text := range f.texts(i) {
			full, err := filepath.Abs(text)
			if info, missing := os.Stat(full); p.File != nil && errors.Join(err, missing) == nil && !info.IsDir() {
				files = append(files, full)
			}
		}
	}
	return files
}

// follow sets the parameters whose flags were not given.
func (f parameterFlags) follow(settings chapter.Settings) {
	for i, p := range f.parameters {
		if len(f.texts(i)) == 0 {
			f.choose(i, settings[p.Name])
		}
	}
}

// parameterNames returns a list of the parameters for a sentence.
func parameterNames() string {
	var names []string
	for _, p := range own.Parameters() {
		names = append(names, "the "+p.Name)
	}
	return strings.Join(names, ", ")
}

// valueOf returns the value of a parameter for the texts of its flag: the text itself, the content of the files that
// they name, or the merged folder of shards. The error names the flag. If another value would help, it is a
// command.Usage error.
func valueOf(ctx context.Context, p chapter.Parameter, texts []string) (string, error) {
	text := texts[0]
	if gathers(p) && !p.File.Is(text) {
		return gathered(p, texts)
	}
	if p.File == nil || !namesFile(p, text) {
		if _, err := p.Normal(text); err != nil {
			return "", command.Usage(fmt.Errorf("--%s: %w", p.Name, err))
		}
		return text, nil
	}
	if info, err := os.Stat(text); err == nil && info.IsDir() {
		return joined(ctx, p, text)
	}
	content, err := readNamed(p, text)
	if err != nil {
		return "", err
	}
	value, err := p.File.Read(content)
	if err != nil {
		return "", command.Usage(fmt.Errorf("--%s %s: %w", p.Name, text, err))
	}
	return value, nil
}

// readNamed returns the content of the file that a flag names.
func readNamed(p chapter.Parameter, name string) (string, error) {
	content, err := limitedread.ReadFile(name, p.File.Most)
	var large *limitedread.TooLarge
	switch {
	case errors.As(err, &large):
		return "", command.Usage(fmt.Errorf("--%s: %w", p.Name, err))
	case err != nil:
		return "", command.Unreadable(fmt.Errorf("--%s: %w; name a file that can be read", p.Name, err))
	}
	return string(content), nil
}

// gathered returns the combined value of several files.
func gathered(p chapter.Parameter, names []string) (string, error) {
	var files []chapter.NamedText
	for _, name := range names {
		if name == "" {
			return "", command.Usagef("--%s \"\": the value is empty: name a file (%s) or leave the flag "+
				"out", p.Name, p.Placeholder)
		}
		text, err := readNamed(p, name)
		if err != nil {
			return "", err
		}
		files = append(files, chapter.NamedText{Name: name, Text: text})
	}
	value, err := p.File.Gather(files)
	if err != nil {
		return "", command.Usage(fmt.Errorf("--%s: %w", p.Name, err))
	}
	return value, nil
}

// namesFile reports whether the text of a flag names a file: the text is not a valid value, and the file exists or the
// text at least looks like a file name.
func namesFile(p chapter.Parameter, text string) bool {
	if _, err := p.Normal(text); err == nil || p.File.Is(text) {
		return false
	}
	_, err := os.Stat(text)
	return err == nil || strings.ContainsAny(text, `/\`) || filepath.Ext(text) == ".json"
}

// joined returns the combined value of the shards in a folder.
func joined(ctx context.Context, p chapter.Parameter, dir string) (string, error) {
	refused := func(err error) error { return command.Usage(fmt.Errorf("--%s %w", p.Name, err)) }
	folder, err := shard.OpenFolder(ctx, dir)
	var other *shard.OtherError
	switch {
	case errors.As(err, &other):
		return "", refused(err)
	case err != nil:
		return "", fmt.Errorf("--%s: %w", p.Name, err)
	}
	value, err := p.File.Join(chapter.Shards{
		Command: folder.Mark.Recipe.String(), Version: folder.Mark.Version, Of: folder.Parts,
		Read: func(number int64, found any) error { return readShard(ctx, folder, number, found) },
	})
	if err != nil {
		return "", refused(fmt.Errorf("%s: %w", dir, err))
	}
	return value, nil
}

// readShard reads the result of a shard into the variable to which found points.
func readShard(ctx context.Context, folder shard.Folder, number int64, found any) error {
	part := shard.Shard{Number: number, Of: folder.Parts}
	state, reason, err := folder.Inspect(ctx, part)
	switch {
	case err != nil:
		return err
	case state == shard.Missing:
		return errors.New("the shard is missing; siegebook merge lists the command that computes it")
	case state == shard.Damaged:
		return fmt.Errorf("the shard is damaged (%w); siegebook merge lists the command that computes it", reason)
	}
	file, err := folder.Open(part)
	if err != nil {
		return err
	}
	defer file.Close()
	return shard.ReadJSON(file, found)
}

// kept returns the content that a parameter's file had when the report was built. The report stores this content. kept
// returns an error if the stored file is not the file that the report's stamp names.
func (c *checkCommand) kept(p chapter.Parameter, stamped string, page []byte) (string, error) {
	content, err := c.keptContent(p, page)
	if err == nil {
		if content, err = p.File.Read(content); err == nil && p.Shown(content) != stamped {
			err = fmt.Errorf("the stored file is not %s, the file that the stamp names", stamped)
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s of the report: %w; add --%s FILE, with the file that the report was built from",
			p.Name, err, p.Name)
	}
	return content, nil
}

// keptContent returns the stored content, from the folder or from a single-file report.
func (c *checkCommand) keptContent(p chapter.Parameter, page []byte) (string, error) {
	content := ""
	for i, name := range p.File.Kept {
		more, err := c.keptFile(name, p.File.Most, page)
		switch {
		case i > 0 && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		}
		content += more
	}
	return content, nil
}

// keptFile returns the content of a file of the report. The error is fs.ErrNotExist if the report has no such file.
func (c *checkCommand) keptFile(name string, most int64, page []byte) (string, error) {
	if c.Single == "" {
		name = filepath.Join(c.Out, filepath.FromSlash(name))
		file, err := atomicfile.Open(name)
		if err != nil {
			return "", err
		}
		content, err := limitedread.Read(file, name, most)
		return string(content), err
	}
	link := regexp.MustCompile(`href="data:[^"]*;base64,([^"]*)" download="` + regexp.QuoteMeta(path.Base(name)) + `"`)
	found := link.FindSubmatch(page)
	if found == nil {
		return "", fmt.Errorf("%s is not in the file: %w", path.Base(name), fs.ErrNotExist)
	}
	content, err := base64.StdEncoding.DecodeString(html.UnescapeString(string(found[1])))
	return string(content), err
}
