#!/bin/sh
# Installs packages of npm for tests, at the versions of the package-lock.json in a folder, into the user's cache folder:
#
#     npm.sh FOLDER WHAT FILE...
#
# WHAT says what it is, for messages, and the FILEs are there, in node_modules, when it is whole. Where that cannot be
# done, it says so and succeeds all the same: the test then skips, or fails if CI=true.
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
# The test looks for the folder by the same name.
target=${XDG_CACHE_HOME:-$HOME/.cache}/siegebook/npm-$(echo "$sum" | tr ' ' '-')
whole "$@" && exit 0

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
	command -v apt-get >/dev/null 2>&1 || give_up "no node and npm on PATH, and no apt-get here"
	if [ "$(id -u)" -eq 0 ]; then
		as_root=env
	elif sudo -n true 2>/dev/null; then
		as_root='sudo -n env'
	else
		give_up "installing node takes root or sudo without a password"
	fi
	echo "installing node and npm for tests"
	log=$(mktemp) || give_up "no temporary file"
	trap 'rm -f "$log"' EXIT
	# The lists may be recent enough already, so that a failed update is no reason to stop.
	$as_root apt-get update -qq >"$log" 2>&1
	$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >>"$log" 2>&1 ||
		give_up "apt-get failed: $(tail -n 1 "$log")"
fi
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || give_up "node is older than 20: $(node --version)"

echo "installing $what"
mkdir -p "$(dirname "$target")" || give_up "the cache folder cannot be made"
work=$(mktemp -d "$target.XXXXXX") || give_up "the cache folder cannot be written"
trap 'rm -rf "$work" "${log:-}"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$work" &&
	(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >"$work/log" 2>&1) ||
	give_up "npm failed: $(grep -m 1 . "$work/log" 2>/dev/null)"
# A half-made folder never has the final name.
rm -rf "$target"
mv "$work" "$target" || give_up "$target cannot be put in place"
