package gosource

import "go/ast"

// Reached returns the names that syntax nodes of a file may use when they run, including names used by the functions,
// values, types and methods that they use. It does not follow specs for which skip returns true. It considers only
// names, so it may return too many names.
func Reached(file *ast.File, begin []ast.Node, skip func(ast.Spec) bool) map[string]bool {
	of := map[string][]ast.Node{}
	add := func(node ast.Node) {
		for _, name := range Declared(node) {
			of[name] = append(of[name], node)
		}
	}
	for _, decl := range file.Decls {
		if d, is := decl.(*ast.GenDecl); is {
			for _, spec := range d.Specs {
				if !skip(spec) {
					add(spec)
				}
			}
		} else {
			add(decl)
		}
	}
	reached := map[string]bool{}
	for nodes := begin; len(nodes) > 0; {
		node := nodes[0]
		nodes = nodes[1:]
		ast.Inspect(node, func(n ast.Node) bool {
			if name, is := n.(*ast.Ident); is && !reached[name.Name] {
				reached[name.Name] = true
				nodes = append(nodes, of[name.Name]...)
			}
			return true
		})
	}
	return reached
}

// Declared returns the names through which a declaration or a spec is reached: the names that it declares and, for a
// method, the names in the type of its receiver.
func Declared(node ast.Node) (names []string) {
	switch n := node.(type) {
	case *ast.FuncDecl:
		names = append(names, n.Name.Name)
		if n.Recv != nil {
			ast.Inspect(n.Recv, func(n ast.Node) bool {
				if name, is := n.(*ast.Ident); is {
					names = append(names, name.Name)
				}
				return true
			})
		}
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			names = append(names, Declared(spec)...)
		}
	case *ast.TypeSpec:
		names = append(names, n.Name.Name)
	case *ast.ValueSpec:
		for _, name := range n.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
