#!/bin/sh
# Installs Chromium for the browser test, where it is missing and may be installed. Where it may not, it says so and
# succeeds all the same: the test then skips, or fails if CI=true.
set -u

sh "$(dirname "$0")/npm.sh"

for name in chromium chromium-browser google-chrome; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done

give_up() {
	echo "no Chromium for the browser test ($1); put one on PATH as 'chromium' to run it" >&2
	exit 0
}

command -v apt-get >/dev/null 2>&1 || give_up "no apt-get here"
if [ "$(id -u)" -eq 0 ]; then
	as_root=env
elif sudo -n true 2>/dev/null; then
	as_root='sudo -n env'
else
	give_up "installing it takes root or sudo without a password"
fi

echo "installing Chromium for the browser test"
log=$(mktemp) || give_up "no temporary file"
trap 'rm -f "$log"' EXIT
# The lists may be recent enough already, so that a failed update is no reason to stop.
$as_root apt-get update -qq >"$log" 2>&1
$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >>"$log" 2>&1 ||
	give_up "apt-get failed: $(tail -n 1 "$log")"
