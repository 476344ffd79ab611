#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes Debian packages of this tree with Debian's tools: make_packages.sh OUT_FOLDER. ./pumice package installs what it needs and runs it.
# Version: meson.build. debian/changelog comes from CHANGELOG.md; DEBFULLNAME and DEBEMAIL name the maintainer, else git's user.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$(realpath -m "$1")
version=$(sed -nE "s/^  version: '(.*)',$/\1/p" "$top/meson.build")
name=${DEBFULLNAME:-$(git -C "$top" config user.name 2>/dev/null || echo Pumice)}
mail=${DEBEMAIL:-$(git -C "$top" config user.email 2>/dev/null || echo "pumice@$(hostname -f 2>/dev/null || echo localhost)")}
work=$out/work  # always the same place: it is in the debug symbols, and the key of ccache
rm -rf "$work"
trap 'rm -rf "$work"' EXIT

tree=$work/pumice-$version
mkdir -p "$tree" "$out"
tar -C "$top" --exclude=./build\* --exclude=./out --exclude=./.git --exclude=__pycache__ -cf - . | tar -C "$tree" -xf -
cp -r "$tree/packaging/debian" "$tree/debian"
sed -i "s/@MAINTAINER@/$name <$mail>/" "$tree/debian/control"
# The section of this version of CHANGELOG.md, a bullet an entry.
python3 - "$top/CHANGELOG.md" "$version" "$name <$mail>" >"$tree/debian/changelog" <<'PY'
import email.utils, re, sys, textwrap
path, version, maintainer = sys.argv[1:]
match = re.search(rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", open(path, encoding="utf-8").read(), re.S | re.M)
if not match:
    sys.exit(f"{path} has no section for {version}, the version of meson.build")
print(f"pumice ({version}) unstable; urgency=medium\n")
for entry in re.findall(r"^- (.*(?:\n  .*)*)", match[1], re.M):
    print(textwrap.fill(" ".join(entry.split()), 78, initial_indent="  * ", subsequent_indent="    "))
print(f"\n -- {maintainer}  {email.utils.formatdate(localtime=True)}")
PY
cd "$tree"
# debhelper builds with a HOME of its own, where ccache would begin with an empty cache.
if command -v ccache >/dev/null; then export CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}; fi
DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -b -us -uc
rm -f "$out"/*.deb
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out/"
