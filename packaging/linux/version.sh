# shellcheck shell=bash disable=SC2034
# What the packages are called and dated; to be sourced from the root of the checkout.
version=$(sed -n '/^\[package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# Before the release, for dpkg and rpm: 1.0.0~rc.1 sorts below 1.0.0.
sorted_version=${version/-/\~}
deb_version=$sorted_version-1
# The licence of the program with all that is linked into it, as packaging/release/licences has it in its text.
licence_in() { sed -n 's/^.*, in the words of SPDX: //p' "$1"; }
maintainer=$(sed -n 's/^Maintainer: //p' packaging/linux/control.in)
# The time of the last change, so that the same source makes the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Cargo.toml)}
export SOURCE_DATE_EPOCH
date=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%F)
