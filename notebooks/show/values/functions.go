package values

// functions maps the full names of functions to the sums of the functions.
var functions = map[string]function{}

type function struct {
	sum   string
	reads bool
}

// Function records, for package show, what the values of a function depend on: sum is a hash, or a "!" and the reason
// why the values cannot be stored. reads means that the function may also depend on files.
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
