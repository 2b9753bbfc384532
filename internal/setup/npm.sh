#!/bin/sh
# Installs npm packages for tests into the user's cache folder, in the versions that a folder's package-lock.json pins:
#
#     npm.sh FOLDER WHAT FILE...
#
# WHAT describes the packages in messages. A complete installation has each FILE in node_modules. If the installation
# fails, the script prints a message but exits with 0. The test then skips, or fails if CI=true.
set -u

here=$(cd "$1" && pwd) || exit 2
what=$2
shift 2

give_up() {
	echo "no $what ($1)" >&2
	exit 0
}

whole() {
	for file; do
		[ -e "$target/node_modules/$file" ] || return 1
	done
}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || give_up "there is no home folder"
sum=$(cksum <"$here/package-lock.json") || give_up "package-lock.json cannot be read"
# The test looks for a folder with this name.
target=${XDG_CACHE_HOME:-$HOME/.cache}/siegebook/npm-$(echo "$sum" | tr ' ' '-')
whole "$@" && exit 0

sh "$(dirname "$0")/install.sh" node || give_up "no node and npm on PATH"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || give_up "node is older than 20: $(node --version)"

echo "installing $what"
mkdir -p "$(dirname "$target")" || give_up "the cache folder cannot be created"
work=$(mktemp -d "$target.XXXXXX") || give_up "the cache folder cannot be written"
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$work" &&
	(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >"$work/log" 2>&1) ||
	give_up "npm failed: $(grep -m 1 . "$work/log" 2>/dev/null)"
# An incomplete folder never has the final name.
rm -rf "$target"
mv "$work" "$target" || give_up "$target cannot be moved into place"
