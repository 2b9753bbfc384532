package chapter

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// ClaimError says which claim of a chapter does not hold.
type ClaimError struct {
	Kind  string        // what the chapter calls such claims: "claim", "derivation step"
	ID    string        // among those of its kind
	Where string        // post and place; empty if no post claims it
	Place content.Place // in the chapter's code: of the expectation that was not met, else of the check
	Err   error         // why it does not hold
}

func (e *ClaimError) Error() string {
	where := ""
	if e.Where != "" {
		where = " (" + e.Where + ")"
	}
	return fmt.Sprintf("%s %q%s: %v", e.Kind, e.ID, where, e.Err)
}

// Unwrap returns why the claim does not hold.
func (e *ClaimError) Unwrap() error { return e.Err }

// Refute returns the error of a claim whose check, a function, has failed.
func Refute(kind, id, where string, check any, err error) *ClaimError {
	place := PlaceOf(err)
	if place == (content.Place{}) {
		f := runtime.FuncForPC(reflect.ValueOf(check).Pointer())
		file, line := f.FileLine(f.Entry())
		place = placeIn(f.Name(), file, line)
	}
	return &ClaimError{Kind: kind, ID: id, Where: where, Place: place, Err: err}
}

// unmetError is an expectation of a chapter's code that was not met.
type unmetError struct {
	place content.Place
	msg   string
}

func (e *unmetError) Error() string { return e.msg }

// Expect returns an error unless what was found is what the page says.
func Expect(what string, holds bool, details ...any) error {
	if holds {
		return nil
	}
	return &unmetError{caller(), fmt.Sprintf("%s does not hold: %s", what, strings.TrimSpace(fmt.Sprintln(details...)))}
}

// HoldsAt returns an error unless a claim holds for the numbers that the format writes.
func HoldsAt(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return &unmetError{caller(), "does not hold at " + fmt.Sprintf(format, args...)}
}

// PlaceOf returns where in a chapter's code it was found that something does not hold; the zero value if the error does
// not know.
func PlaceOf(err error) content.Place {
	var claim *ClaimError
	if errors.As(err, &claim) {
		return claim.Place
	}
	var unmet *unmetError
	if errors.As(err, &unmet) {
		return unmet.place
	}
	return content.Place{}
}

// caller returns where the function that calls it was called.
func caller() content.Place {
	pc := make([]uintptr, 1)
	runtime.Callers(3, pc) // past Callers, caller and its caller
	frame, _ := runtime.CallersFrames(pc).Next()
	return placeIn(frame.Function, frame.File, frame.Line)
}

// module is the path of the module that all chapters are in.
var module = strings.TrimSuffix(reflect.TypeFor[ClaimError]().PkgPath(), "report/chapter")

// placeIn returns the place of a line as a path from the root of the repository. Where a file was when it was compiled
// depends on who did that and how, so the folder is that of the function's package.
func placeIn(function, file string, line int) content.Place {
	slash := strings.LastIndex(function, "/") + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	folder, ours := strings.CutPrefix(function[:slash]+name, module)
	if !ours || path.Ext(file) != ".go" { // what the compiler has generated is in no file
		return content.Place{}
	}
	return content.Place{File: path.Join(folder, path.Base(file)), Line: line}
}
