#!/bin/sh
# Opens a folder of notebooks, or one notebook, with the project's kernel. Run it in the top folder of the repository.
# It uses an installed Jupyter. If there is none, it installs Debian's Jupyter if it is allowed to.
#
#	jupyter.sh notebooks
#	jupyter.sh /path/of/mine.ipynb
set -eu

# front_end prints the name of a front end, notebook or lab, and the path of the first program jupyter on the PATH that
# has it. Some programs are shims that do not run, and some have no front end.
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

# The kernel looks for gopls on the PATH and in the folder of go install. make setup runs gopls.sh, which installs gopls
# in the user's cache folder.
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
