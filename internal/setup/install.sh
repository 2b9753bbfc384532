#!/bin/sh
# Installs the named programs with apt-get if they are missing. They are programs that are not written in Go.
#
#	install.sh chromium firefox jupyter python qemu slurm node coq
#
# If the script is not allowed to install programs, it prints one line that names what is missing, and fails. SBIN is an
# additional folder to search for daemons.
set -u

fail() {
	echo "$missing missing ($1): install $packages" >&2
	exit 1
}

# version NAME prints the version of the first program with this name on the PATH that reports its version. Some
# programs are shims that do not run.
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
	chromium) # without windows, it draws the same pages in five sixths of the time
		found=
		for program in chromium-headless-shell chromium chromium-browser google-chrome; do
			command -v $program >/dev/null && found=yes
		done
		[ -n "$found" ] || need Chromium chromium-headless-shell ;;
	firefox)
		command -v firefox-esr >/dev/null || command -v firefox >/dev/null || need Firefox firefox-esr ;;
	jupyter) # the tests drive the page of Notebook 6
		case $(version jupyter-notebook) in
		6.*) [ -n "$(version jupyter-nbconvert)" ] || need 'Jupyter nbconvert' jupyter-nbconvert ;;
		*) need 'Jupyter Notebook 6' 'jupyter-notebook jupyter-nbconvert' ;;
		esac ;;
	coq) # a gigabyte, including OCaml to run the programs that Coq extracts
		command -v coqc >/dev/null && command -v ocamlopt >/dev/null || need Coq 'coq ocaml-nox' ;;
	node)
		command -v node >/dev/null && command -v npm >/dev/null || need 'node and npm' 'nodejs npm' ;;
	python) # the checker of claims
		[ -n "$(version python3)" ] || need 'Python 3' python3 ;;
	notebook) # any program that opens notebooks in a page
		[ -n "$(version jupyter-notebook)$(version jupyter-lab)" ] || need 'Jupyter' jupyter-notebook ;;
	qemu) # runs programs for another processor
		command -v qemu-aarch64 >/dev/null || need QEMU qemu-user ;;
	slurm) # its daemons may be in a folder that only root has on the PATH
		for program in slurmctld slurmd sbatch munged; do
			PATH=$PATH:${SBIN:-/usr/sbin:/sbin} command -v $program >/dev/null || {
				need Slurm 'slurmctld slurmd slurm-client munge'
				break
			}
		done ;;
	*)
		echo "install.sh: unknown program $name" >&2
		exit 2 ;;
	esac
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || fail 'this system has no apt-get'
if [ "$(id -u)" -eq 0 ]; then
	as_root=env
elif sudo -n true 2>/dev/null; then
	as_root='sudo -n env'
else
	fail 'installing requires root, or sudo without a password'
fi

echo "installing $missing"
log=$(mktemp) || fail 'cannot create a temporary file'
trap 'rm -f "$log"' EXIT
# Another apt-get may be running. An update does not wait for it, so the script tries again. An installation waits for
# up to ten minutes, because of the option below.
tries=0
until $as_root LC_ALL=C apt-get update -qq >"$log" 2>&1; do
	case $(cat "$log") in
	*'Could not get lock'*) [ "$tries" -lt 120 ] || break ;;
	*) break ;; # the package lists may be recent enough
	esac
	tries=$((tries + 1))
	sleep 5
done
# shellcheck disable=SC2086 # several packages
$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends $packages >>"$log" 2>&1 ||
	fail "apt-get failed: $(tail -n 1 "$log")"
