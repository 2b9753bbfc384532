package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// ImportName returns the name by which a file refers to an import.
func ImportName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, _ := strconv.Unquote(spec.Path.Value)
	return PackageName(path)
}

var (
	majorVersion = regexp.MustCompile(`(.)/v\d+$`)
	nameInPath   = regexp.MustCompile(`([^/]*/)*(go-)?([\pL_][\pL_\d]*)`)
)

// PackageName returns the likely name of the package with a path: the last path element that is not a version, without
// the prefix "go-", up to the first character that cannot be in a name.
func PackageName(path string) string {
	if m := nameInPath.FindStringSubmatch(majorVersion.ReplaceAllString(path, "$1")); m != nil {
		return m[3]
	}
	return ""
}

// outside matches packages that use the network or run other programs.
var outside = regexp.MustCompile(`^(net|net/.*|os/exec|os/user|plugin|syscall|crypto/rand)$`)

// varying maps other packages to the functions whose results vary from call to call.
var varying = map[string]*regexp.Regexp{
	"os":           regexp.MustCompile(`^(Getenv|LookupEnv|Environ|ExpandEnv|Hostname|Getpid|StartProcess|Stdin)$`),
	"time":         regexp.MustCompile(`^(Now|Since|Until|Tick|NewTicker)$`),
	"math/rand":    regexp.MustCompile(`^[A-Z]\w*$`),
	"math/rand/v2": regexp.MustCompile(`^[A-Z]\w*$`),
}

// seeded matches the names, in packages of random numbers, that belong to generators with a seed.
var seeded = regexp.MustCompile(`^(New\w*|Rand|Source\w*|Zipf|PCG|ChaCha8)$`)

// Outside reports whether a package uses the network or runs other programs.
func Outside(path string) bool { return outside.MatchString(path) }

// Varies reports whether a Go file uses something whose results vary: the network, other programs, the environment, the
// clock, or random numbers without a seed.
func Varies(text string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		return true
	}
	names := map[string]string{} // the paths of imports, by name
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := ImportName(spec)
		if outside.MatchString(path) || name == "." && varying[path] != nil {
			return true
		}
		names[name] = path
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, is := n.(*ast.SelectorExpr); is {
			if name, is := selector.X.(*ast.Ident); is && name.Obj == nil {
				path, what := names[name.Name], selector.Sel.Name
				uses := varying[path] != nil && varying[path].MatchString(what)
				found = found || uses && !(strings.HasPrefix(path, "math/rand") && seeded.MatchString(what))
			}
		}
		return true
	})
	return found
}
