package jupyter

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// goKind is what is known about the type of a value from its declaration alone.
type goKind struct {
	name string // a predeclared type, the type of a composite literal, or "" where any expression may stand
	was  string // the value that stands there
}

// kindOf returns the kind of a declared type or, without one, of a value.
func kindOf(declared, value ast.Expr) goKind {
	if declared != nil {
		return goKind{name: types.ExprString(declared)}
	}
	return goKind{name: kindOfValue(value)}
}

func kindOfValue(value ast.Expr) string {
	switch value := value.(type) {
	case *ast.BasicLit:
		return map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.STRING: "string", token.CHAR: "rune"}[value.Kind]
	case *ast.Ident:
		if value.Name == "true" || value.Name == "false" {
			return "bool"
		}
	case *ast.ParenExpr:
		return kindOfValue(value.X)
	case *ast.UnaryExpr:
		return kindOfValue(value.X)
	case *ast.BinaryExpr:
		if left, right := kindOfValue(value.X), kindOfValue(value.Y); left == right {
			return left
		}
	case *ast.CompositeLit:
		return types.ExprString(value.Type)
	}
	return ""
}

// The predeclared integer types and their sizes in bits; those of unsigned ones are negative.
var integers = map[string]int{
	"int": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "rune": 32,
	"uint": -64, "uint8": -8, "uint16": -16, "uint32": -32, "uint64": -64, "uintptr": -64, "byte": -8,
}

// write returns a value as Go source, if it is one of the kind.
func (k goKind) write(value string) (string, error) {
	value = strings.TrimSpace(value)
	if bits := integers[k.name]; bits != 0 && !(k.name == "rune" && strings.HasPrefix(value, "'")) {
		return k.writeInteger(value, bits)
	}
	switch k.name {
	case "float32", "float64":
		return k.writeFloat(value)
	case "bool":
		if value != "true" && value != "false" {
			return "", errors.New("want true or false")
		}
		return value, nil
	case "string":
		if value == "" || !strings.ContainsRune("\"`", rune(value[0])) {
			return strconv.Quote(value), nil
		}
		if _, err := strconv.Unquote(value); err != nil {
			return "", fmt.Errorf("not a Go string: close the quotes, or write it without any")
		}
		return value, nil
	}
	return k.writeExpression(value)
}

func (k goKind) writeInteger(value string, bits int) (string, error) {
	n, ok := new(big.Int).SetString(value, 0)
	if !ok {
		return "", fmt.Errorf("want a whole number of type %s, like %s", k.name, k.example("20"))
	}
	low, high := new(big.Int), new(big.Int)
	if bits > 0 {
		high.Lsh(big.NewInt(1), uint(bits-1))
		low.Neg(high)
	} else {
		high.Lsh(big.NewInt(1), uint(-bits))
	}
	if high.Sub(high, big.NewInt(1)); n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return "", fmt.Errorf("outside of the range of %s: use a number from %d to %d", k.name, low, high)
	}
	return value, nil
}

func (k goKind) writeFloat(value string) (string, error) {
	bits := 64
	if k.name == "float32" {
		bits = 32
	}
	f, err := strconv.ParseFloat(value, bits)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", fmt.Errorf("want a finite number of type %s, like %s", k.name, k.example("1.5"))
	}
	if !strings.ContainsAny(value, ".eEpP") {
		value += ".0" // or the variable's type would become int
	}
	return value, nil
}

// writeExpression admits any Go expression, and for a composite literal one of the same type.
func (k goKind) writeExpression(value string) (string, error) {
	expr, err := parser.ParseExpr(value)
	if err != nil {
		return "", fmt.Errorf("not a Go expression (%s)", oneLine(goError(err, 0, 1)))
	}
	_, literal := expr.(*ast.CompositeLit)
	if got := kindOfValue(expr); got != "" && got != k.name && (literal && k.name != "" || strings.ContainsAny(k.name, "[]{}*")) {
		return "", fmt.Errorf("want a value of type %s, like %s", k.name, k.example(k.name+"{}"))
	}
	return value, nil
}

// example returns the value that stands there, to show what one looks like.
func (k goKind) example(otherwise string) string {
	if k.was != "" {
		return k.was
	}
	return otherwise
}

// goError returns the first message of Go's parser, about a source that begins shift lines further down than the text
// of the user, which ends at the line last.
func goError(err error, shift, last int) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("line %d: %s", min(list[0].Pos.Line-shift, last), list[0].Msg)
	}
	return err.Error()
}
