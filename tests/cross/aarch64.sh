#!/bin/sh
# SPDX-License-Identifier: MIT
# The chips and their tests for aarch64, cross-built and run under qemu-user: the same bytes as on x86-64.
#   apt-get install g++-aarch64-linux-gnu qemu-user     (once, as root)
#   tests/cross/aarch64.sh [BUILD-FOLDER [MESON TEST ARGUMENTS]]
# gtest, zstd and libpng for aarch64 are fetched into the build folder; the system's package lists stay as they are.
set -e
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build-aarch64}
[ $# -gt 0 ] && shift
root=$build/root
if [ ! -e "$root/usr/include/gtest" ]; then
  mkdir -p "$build/apt/lists/partial" "$build/apt/cache/archives/partial" "$build/apt/debs" "$root"
  build=$(cd "$build" && pwd) root=$build/root
  apt="apt-get -qq -o APT::Architectures=arm64 -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root -o Dir::State::lists=$build/apt/lists -o Dir::Cache=$build/apt/cache"
  $apt update
  (cd "$build/apt/debs" && $apt download libgtest-dev:arm64 libzstd-dev:arm64 libpng-dev:arm64 libpng16-16:arm64 zlib1g-dev:arm64)
  for deb in "$build"/apt/debs/*.deb; do dpkg -x "$deb" "$root"; done
  ln -s aarch64-linux-gnu/libzstd.a "$root/usr/lib/"  # its pkg-config file names lib without a subfolder
fi
export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig"
[ -e "$build/build.ninja" ] || meson setup "$build" "$source" --cross-file "$source/tests/cross/aarch64.ini" -Ddriver=false -Dprefer_static=true
ninja -C "$build"
meson test -C "$build" --no-rebuild --timeout-multiplier 20 "$@"
# The reference itself on both machines: a build for this one beside, if there is one.
other=$source/build/tests/hw/fast/draw/test_fast_draw
if [ -x "$other" ]; then
  digest() { PUMICE_FUZZ_COUNT=300 "$@" --gtest_filter='FastDraw.*' | grep '^digest'; }
  here=$(digest "$other")
  there=$(digest qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/tests/hw/fast/draw/test_fast_draw")
  echo "x86-64:  $here"
  echo "aarch64: $there"
  [ "$here" = "$there" ]
fi
