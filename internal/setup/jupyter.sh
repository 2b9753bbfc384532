#!/bin/sh
# Opens a folder of notebooks with the project's kernel, from the top of the repository. Whoever has a Jupyter keeps it;
# elsewhere that of Debian is installed, where it may be.
#
#	jupyter.sh notebooks
set -eu

# front_end: the first program jupyter on PATH that has a page for notebooks, behind the name of the page. Some are shims
# that do not run, and some have no page.
front_end() {
	(
		IFS=:
		for dir in $PATH; do
			[ -x "$dir/jupyter" ] || continue
			for page in notebook lab; do
				"$dir/jupyter" $page --version >/dev/null 2>&1 </dev/null && echo "$page $dir/jupyter" && exit
			done
		done
	)
}

found=$(front_end || true)
if [ -z "$found" ]; then
	sh "$(dirname "$0")/install.sh" notebook
	found=$(front_end || true)
fi
if [ -z "$found" ]; then
	echo "there is no 'jupyter notebook' on PATH that runs: install jupyter-notebook, and look at what 'jupyter notebook --version' says" >&2
	exit 1
fi
page=${found%% *} jupyter=${found#* }

# Like the kernel, look at last where go install puts programs.
if ! command -v gopls >/dev/null 2>&1 && ! [ -x "$("${GO:-go}" env GOPATH)/bin/gopls" ]; then
	echo "without gopls cells have no completion and no help on names (Tab, Shift+Tab): go install $(cat "$(dirname "$0")/../jupyter/gopls.txt")" >&2
fi
"${GO:-go}" run ./cmd/genreport kernel install
set -- "$page" "$@"
[ "$(id -u)" -ne 0 ] || set -- "$@" --allow-root
exec "$jupyter" "$@"
