package tex

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"modernc.org/quickjs"
)

// katexVersion is the release of katex.min.js, from the npm package katex.
const katexVersion = "0.16.44"

//go:embed katex/katex.min.js
var katexSource string

// driver limits the depth of recursion in KaTeX's parser, because deep recursion overflows Go's stack and crashes the
// process. It reaches the parser through KaTeX's interface for defining TeX functions. driver also defines render, the
// only function that Go calls. Every call gets its own copy of the macros, because \gdef changes it, and a formula's
// result must not depend on the formulas before it. The answer is "+" followed by MathML, or "-" followed by the UTF-16
// offset of the fault (-1 if unknown), a space and the message.
const driver = `
let depth = 0, bounded = false;
katex.__defineFunction({
	type: "internal", names: ["\\bound@"], props: {numArgs: 0},
	handler({parser}) {
		const methods = Object.getPrototypeOf(parser);
		for (const name of bounded ? [] : ["parseExpression", "parseGroup"]) {
			const parse = methods[name];
			methods[name] = function (...given) {
				if (depth === 200) {
					throw new katex.ParseError("nested more than 100 levels deep: split the formula", this.nextToken);
				}
				depth++;
				try {
					return parse.apply(this, given);
				} finally {
					depth--;
				}
			};
		}
		bounded = true;
		throw new katex.ParseError("there is no such function");
	},
});
function render(tex, display) {
	try {
		return "+" + katex.renderToString(tex, {
			output: "mathml",
			displayMode: display,
			throwOnError: true,
			trust: false,
			maxSize: 100,
			macros: Object.assign({}, macros),
			strict: (code) => code === "unknownSymbol" || code === "unicodeTextInMathMode" ? "ignore" : "error",
		});
	} catch (e) {
		return "-" + (e.position === undefined ? -1 : e.position) + " " + (e.rawMessage || e.message);
	}
}
render("\\bound@", false);`

// program returns KaTeX compiled to bytecode. All machines of the process share it.
var program = sync.OnceValues(func() ([]byte, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	defer vm.Close()
	return vm.Compile(katexSource, quickjs.EvalGlobal)
})

// machine is a JavaScript engine with KaTeX loaded. It serves one goroutine at a time.
type machine struct{ vm *quickjs.VM }

// memoryLimit stops formulas that expand without end; ordinary formulas need a few megabytes.
const memoryLimit = 512 << 20

func newMachine(macros map[string]string) (*machine, error) {
	code, err := program()
	if err != nil {
		return nil, fmt.Errorf("compile KaTeX: %w", err)
	}
	table, err := json.Marshal(macros) // JSON is a subset of JavaScript, and encoding/json sorts the keys
	if err != nil {
		return nil, err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start a JavaScript engine: %w", err)
	}
	vm.SetMemoryLimit(memoryLimit)
	if _, err = vm.EvalBytecode(code); err == nil {
		_, err = vm.Eval("const macros = "+string(table)+" || {};"+driver, quickjs.EvalGlobal)
	}
	if err != nil {
		vm.Close()
		return nil, fmt.Errorf("load KaTeX: %w", err)
	}
	return &machine{vm}, nil
}

func (m *machine) close() { m.vm.Close() }

// render returns KaTeX's MathML. For a fault in the formula, the error is a *SyntaxError.
func (m *machine) render(tex string, display bool) (string, error) {
	answer, err := m.vm.Call("render", tex, display)
	if err != nil {
		return "", fmt.Errorf("run KaTeX: %w", err)
	}
	text, _ := answer.(string)
	switch {
	case strings.HasPrefix(text, "+"):
		return text[1:], nil
	case strings.HasPrefix(text, "-"):
		pos, msg, _ := strings.Cut(text[1:], " ")
		offset, err := strconv.Atoi(pos)
		if err != nil {
			offset = -1
		}
		return "", &SyntaxError{Offset: byteOffset(tex, offset), Msg: msg}
	}
	return "", fmt.Errorf("run KaTeX: unexpected answer %.40q", text)
}

// byteOffset converts an offset in UTF-16 units, as used by JavaScript, to an offset in bytes. An unknown offset
// becomes 0.
func byteOffset(s string, units int) int {
	for i, r := range s {
		if units <= 0 {
			return i
		}
		units--
		if r > 0xffff {
			units--
		}
	}
	if units < 0 {
		return 0
	}
	return len(s)
}
