#!/bin/sh
# Opens a folder of notebooks, or one notebook, with the project's kernel. It runs at the top of the repository. It uses
# an installed Jupyter. If there is none, it installs Debian's Jupyter, if it may.
#
#	jupyter.sh notebooks
#	jupyter.sh /path/of/mine.ipynb
set -eu

# front_end prints the name of a page for notebooks, and the first program jupyter on the PATH that has this page. Some
# programs are shims that do not run, and some have no page.
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
	echo "no working 'jupyter notebook' is on the PATH: install jupyter-notebook, and check what 'jupyter notebook --version' prints" >&2
	exit 1
fi
page=${found%% *} jupyter=${found#* }

# The kernel looks for gopls on the PATH, and in the folder of go install. make setup, with gopls.sh, puts it into the
# user's cache.
what=$(cat "$(dirname "$0")/../jupyter/gopls.txt")
PATH=$PATH:${XDG_CACHE_HOME:-${HOME:-}/.cache}/siegebook/gopls-${what##*@}
if ! command -v gopls >/dev/null 2>&1 && ! [ -x "$("${GO:-go}" env GOPATH)/bin/gopls" ]; then
	echo "without gopls, cells have no completion and no help on names (Tab, Shift+Tab): run go install $what" >&2
fi
echo "compiling the kernel's installer" >&2
"${GO:-go}" run -ldflags=-s ./cmd/gokernel install
set -- "$page" "$@"
[ "$(id -u)" -ne 0 ] || set -- "$@" --allow-root
exec "$jupyter" "$@"
