package values

// functions holds the sums of functions, by the full name of the function.
var functions = map[string]function{}

type function struct {
	sum   string
	reads bool
}

// Function records what the values of a function depend on, for package show: a hash, or a "!" and the reason why the
// values cannot be kept. reads means that the function may also depend on files.
func Function(name, sum string, reads bool) bool {
	functions[name] = function{sum, reads}
	return true
}

// FunctionSum returns the sum of a function, and whether it may depend on files. It returns "" if Function was not
// called for the function.
func FunctionSum(name string) (sum string, reads bool) {
	f := functions[name]
	return f.sum, f.reads
}
