#!/bin/sh
# Installs programs that are not Go through apt-get: those of the named programs that are missing.
#
#	install.sh chromium firefox jupyter python qemu slurm node coq
#
# If it may not install them, it says in one line what is missing, and fails. SBIN lists further folders with daemons.
set -u

fail() {
	echo "$missing missing ($1): install $packages" >&2
	exit 1
}

# version NAME prints the version that the first working program of this name on PATH reports. Some programs of this
# name are shims that do not run.
version() {
	(
		IFS=:
		for dir in $PATH; do
			[ -x "$dir/$1" ] && "$dir/$1" --version 2>/dev/null </dev/null && exit
		done
	)
}

missing='' packages=''
need() {
	missing="${missing:+$missing and }$1" packages="${packages:+$packages }$2"
}

for name in "$@"; do
	case $name in
	chromium) # chromium-headless-shell has no windows, and draws the same pages in five sixths of the time
		found=
		for program in chromium-headless-shell chromium chromium-browser google-chrome; do
			command -v $program >/dev/null && found=yes
		done
		[ -n "$found" ] || need Chromium chromium-headless-shell ;;
	firefox)
		command -v firefox-esr >/dev/null || command -v firefox >/dev/null || need Firefox firefox-esr ;;
	jupyter) # the tests operate the page of Notebook 6
		case $(version jupyter-notebook) in
		6.*) [ -n "$(version jupyter-nbconvert)" ] || need 'Jupyter nbconvert' jupyter-nbconvert ;;
		*) need 'Jupyter Notebook 6' 'jupyter-notebook jupyter-nbconvert' ;;
		esac ;;
	coq) # a gigabyte, with the OCaml that runs the program that Coq extracts
		command -v coqc >/dev/null && command -v ocamlopt >/dev/null || need Coq 'coq ocaml-nox' ;;
	node)
		command -v node >/dev/null && command -v npm >/dev/null || need 'node and npm' 'nodejs npm' ;;
	python) # for the checker of claims
		[ -n "$(version python3)" ] || need 'Python 3' python3 ;;
	notebook) # any page that opens notebooks
		[ -n "$(version jupyter-notebook)$(version jupyter-lab)" ] || need 'Jupyter' jupyter-notebook ;;
	qemu) # runs programs for another processor
		command -v qemu-aarch64 >/dev/null || need QEMU qemu-user ;;
	slurm) # its daemons may be in folders where only root looks for programs
		for program in slurmctld slurmd sbatch munged; do
			PATH=$PATH:${SBIN:-/usr/sbin:/sbin} command -v $program >/dev/null || {
				need Slurm 'slurmctld slurmd slurm-client munge'
				break
			}
		done ;;
	*)
		echo "install.sh: $name is nothing that it knows" >&2
		exit 2 ;;
	esac
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || fail 'there is no apt-get here'
if [ "$(id -u)" -eq 0 ]; then
	as_root=env
elif sudo -n true 2>/dev/null; then
	as_root='sudo -n env'
else
	fail 'installing takes root, or sudo without a password'
fi

echo "installing $missing"
log=$(mktemp) || fail 'no temporary file'
trap 'rm -f "$log"' EXIT
# Another apt-get may be running. An update does not wait for it. An installation waits if it is told to: here for ten
# minutes.
tries=0
until $as_root LC_ALL=C apt-get update -qq >"$log" 2>&1; do
	case $(cat "$log") in
	*'Could not get lock'*) [ "$tries" -lt 120 ] || break ;;
	*) break ;; # the lists may be recent enough
	esac
	tries=$((tries + 1))
	sleep 5
done
# shellcheck disable=SC2086 # several packages
$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends $packages >>"$log" 2>&1 ||
	fail "apt-get failed: $(tail -n 1 "$log")"
