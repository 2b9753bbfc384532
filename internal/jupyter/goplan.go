package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// recorderProgram is the name under which Go calls us in the place of its compiler and its linker (-toolexec), and
// recordVariable has the folder for what we see: that is the plan of a program.
const (
	recorderProgram = "siegebook-record"
	recordVariable  = "SIEGEBOOK_RECORD"
)

// toolCall is how Go has called its compiler or its linker for the program of a cell: the command line, the settings,
// and the file that says where the packages are which the program imports.
type toolCall struct {
	Argv   []string
	Env    []string
	Work   string // the folder of Go for this program, which is gone later
	Config string // the file's content
}

// runRecorded becomes the tool of a command line, which Go has wanted to call, and notes first what it was for the
// program itself.
func runRecorded(argv []string) int {
	if len(argv) == 0 {
		fmt.Fprintln(os.Stderr, "usage: "+recorderProgram+" TOOL [ARGUMENTS...]; Go calls it")
		return 2
	}
	if folder := os.Getenv(recordVariable); folder != "" && len(argv) > 2 {
		record(folder, argv)
	}
	return become(argv[0], argv)
}

// record notes a call. What cannot be noted makes no plan.
func record(folder string, argv []string) {
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	out, config := argument(argv, "-o"), argument(argv, "-importcfg")
	switch {
	case out == "" || config == "":
		return
	case name == "compile" && argument(argv, "-p") == "main" && slices.Index(argv, "-pack") == len(argv)-2 && filepath.Base(argv[len(argv)-1]) == "main.go":
	case name == "link":
	default:
		return
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return
	}
	call := toolCall{Argv: argv, Work: filepath.Dir(config), Config: string(text)}
	// A package that was compiled just now is not in Go's cache yet: next time it is.
	others := strings.ReplaceAll(call.Config, call.Work+string(filepath.Separator), "")
	if strings.Contains(others, filepath.Dir(call.Work)+string(filepath.Separator)) {
		return
	}
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "GO") && !strings.HasPrefix(entry, "GONB_") {
			call.Env = append(call.Env, entry)
		}
	}
	if data, err := json.Marshal(call); err == nil {
		_ = os.WriteFile(filepath.Join(folder, name), data, 0o600)
	}
}

// argument returns the value of a flag of a tool, "" if it is not there.
func argument(argv []string, flag string) string {
	if i := slices.Index(argv, flag); i >= 0 && i+1 < len(argv) {
		return argv[i+1]
	}
	return ""
}

// follow builds the program as its plan says. It does not say what is wrong where that fails: Go does, when it is asked
// next.
func (c cellProgram) follow(key cellKey) error {
	if key.imports == "" {
		return errNoKey
	}
	compile, err := readCall(c.kept.plan(key.imports), "compile")
	if err != nil {
		return err
	}
	link, err := readCall(c.kept.plan(key.imports), "link")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(c.kept.folder, "work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, call := range []toolCall{compile, link} {
		if err := call.again(work, key.program); err != nil {
			return err
		}
	}
	// Nothing else was read from where it may have changed meanwhile.
	if text, err := os.ReadFile("main.go"); err != nil || !bytes.Equal(text, key.text) {
		return errors.Join(err, errors.New("the cell has changed"))
	}
	fresh := filepath.Join(work, "exe", filepath.Base(argument(link.Argv, "-o")))
	if err := os.Rename(fresh, c.out); err != nil {
		return err
	}
	c.kept.keep(c.out, key.program)
	return nil
}

func readCall(folder, name string) (toolCall, error) {
	var call toolCall
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err == nil {
		err = json.Unmarshal(data, &call)
	}
	if err == nil && (len(call.Argv) == 0 || call.Work == "") {
		err = errors.New("no call")
	}
	return call, err
}

// again calls the tool again, with another folder in the place of the one that Go had. The id of the program tells it
// from that of the recorded one.
func (t toolCall) again(work, id string) error {
	argv := slices.Clone(t.Argv)
	for i, arg := range argv {
		switch {
		case i > 0 && argv[i-1] == "-buildid":
			argv[i] = id + "/" + id
		case strings.HasPrefix(arg, "-buildid="):
			argv[i] = "-buildid=" + id + "/" + id + "/" + id + "/" + id
		default:
			argv[i] = strings.ReplaceAll(arg, t.Work, work)
		}
	}
	if err := os.MkdirAll(filepath.Join(work, "exe"), 0o700); err != nil {
		return err
	}
	text := strings.ReplaceAll(t.Config, t.Work, work)
	if err := os.WriteFile(argument(argv, "-importcfg"), []byte(text), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), t.Env...)
	return cmd.Run()
}
