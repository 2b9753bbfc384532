package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// keptPrograms are what one kernel has built, in a folder of its own that nobody else may enter and that ends with the
// kernel: programs of cells, and plans. A program knows the folder of its kernel, where the lines of its
// errors are looked up, so no other kernel could use it.
//
// A program is kept under its key, its size and the time at which it was made. One that has another size or time by now
// is thrown away. Whatever cannot be kept or read costs time alone.
type keptPrograms struct{ folder string }

// mostKept bounds the bytes of all programs; the oldest go first.
var mostKept = int64(256 << 20)

// mostPlans bounds the plans, which have some 30 kB each.
const mostPlans = 200

// take gives the program of a key another name too.
func (k keptPrograms) take(key, out string) error {
	found, err := filepath.Glob(filepath.Join(k.folder, key+"-*"))
	if err != nil || len(found) == 0 {
		return fs.ErrNotExist
	}
	info, err := os.Stat(found[0])
	if err != nil {
		return err
	}
	if filepath.Base(found[0]) != programName(key, info) {
		_ = os.Remove(found[0])
		return fmt.Errorf("%s is damaged", found[0])
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Link(found[0], out)
}

// programName is the name under which the program of a key is kept.
func programName(key string, info fs.FileInfo) string {
	return fmt.Sprintf("%s-%x-%x", key, info.Size(), info.ModTime().UnixNano())
}

// keep keeps a program, and makes room for it.
func (k keptPrograms) keep(program, key string) {
	info, err := os.Stat(program)
	if err != nil || info.Size() > mostKept {
		return
	}
	k.makeRoom(info.Size())
	_ = os.Link(program, filepath.Join(k.folder, programName(key, info)))
}

// makeRoom removes the oldest programs until there is room for so many bytes more.
func (k keptPrograms) makeRoom(size int64) {
	entries, err := os.ReadDir(k.folder)
	if err != nil {
		return
	}
	var programs []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			programs = append(programs, info)
			size += info.Size()
		}
	}
	slices.SortFunc(programs, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range programs {
		if size <= mostKept {
			return
		}
		if os.Remove(filepath.Join(k.folder, info.Name())) == nil {
			size -= info.Size()
		}
	}
}

// answer returns what go env has said. Its last line ends it: one that was cut is none.
func (k keptPrograms) answer(key string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(k.folder, "env-"+key))
	if err == nil && !bytes.HasSuffix(text, []byte("}\n")) {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

func (k keptPrograms) keepAnswer(key string, text []byte) {
	_ = os.WriteFile(filepath.Join(k.folder, "env-"+key), text, 0o600)
}

// newPlan makes a folder in which a plan is recorded.
func (k keptPrograms) newPlan() (string, error) { return os.MkdirTemp(k.folder, "recording-") }

// plan returns the folder of a plan.
func (k keptPrograms) plan(key string) string { return filepath.Join(k.folder, "plan-"+key) }

// keepPlan keeps what was recorded, if it is all there.
func (k keptPrograms) keepPlan(recorded, key string) {
	if !isFile(filepath.Join(recorded, "compile")) || !isFile(filepath.Join(recorded, "link")) {
		return
	}
	entries, _ := os.ReadDir(k.folder)
	plans := slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return !strings.HasPrefix(entry.Name(), "plan-") })
	if len(plans) >= mostPlans {
		for _, entry := range plans {
			_ = os.RemoveAll(filepath.Join(k.folder, entry.Name()))
		}
	}
	_ = os.RemoveAll(k.plan(key))
	_ = os.Rename(recorded, k.plan(key))
}

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
