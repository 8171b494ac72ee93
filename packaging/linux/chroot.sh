# shellcheck shell=bash disable=SC2154
# A clean Debian to try things in, for the scripts here; to be sourced from the root of the checkout by a script that
# `apart` has started anew: its mounts and processes are then its own, and end with it however it ends.
# Of the script: `name`, `work` (a folder), `root` (where the chroot is to be) and `fail`.
suite=bookworm
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shogibar-packaging

# Starts the script anew with mounts and processes of its own, and a folder for all that is temporary. However it
# ends, nothing of that is left.
apart() {
  [ -z "${SHOGIBAR_APART:-}" ] || return 0
  [ "$(id -u)" = 0 ] || { echo "$name: it makes a chroot, which takes root" >&2 && exit 2; }
  TMPDIR=$(mktemp -d)
  export TMPDIR SHOGIBAR_APART=yes
  trap 'kill -KILL "$!" 2>/dev/null || true; wait; rm -rf "$TMPDIR"' EXIT
  trap 'exit 130' INT TERM HUP
  setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@" &
  wait "$!"
  exit
}
# Installs what is missing of these packages of Debian.
have() {
  dpkg -s "$@" >/dev/null 2>&1 && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
# Debian as `debootstrap --variant=minbase` makes it, with these packages, in `root`, a folder in memory. It is made
# once a week, and kept as a tar beside the packages that were fetched.
debian() {
  local base fresh
  base=$cache/$suite-$(cksum <<<"$*" | cut -d' ' -f1).tar
  mkdir -p "$cache/archives" "$root"
  mount -t tmpfs -o mode=755 debian "$root"
  if [ -z "$(find "$base" -mtime -7 2>/dev/null)" ]; then
    debootstrap --variant=minbase "$suite" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$work/debootstrap.txt" ||
      fail "debootstrap ended with $?"
    settle
    [ $# = 0 ] || inside apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    fresh=$(mktemp "$cache/making.XXXXXX")
    tar --one-file-system -C "$root" -cf "$fresh" .
    mv "$fresh" "$base"
  else
    tar -C "$root" -xf "$base"
    settle
  fi
}
# What a chroot needs from outside, and no service that starts in it.
settle() {
  mount -t proc proc "$root/proc"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  mkdir -p "$root/var/cache/apt/archives"
  mount --bind "$cache/archives" "$root/var/cache/apt/archives"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$root/etc/apt/apt.conf.d/99outside" || true
  inside apt-get update -qq
}
# As root there.
inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# As somebody there, with a home that is theirs; what stands first and has a `=` is for the environment.
somebody() {
  chroot --userspec=1000:1000 "$root" /usr/bin/env -i --chdir=/home/somebody HOME=/home/somebody LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games "$@"
}
settle_somebody() { inside useradd --create-home --uid 1000 --shell /bin/bash somebody; }
