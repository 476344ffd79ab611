#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the packages of ./pumice package in a bare Debian 12 (a chroot made with debootstrap), draws vkcube with nothing set, compiles
# draw.c against the RDP library, removes the packages and looks for what is left: try_packages.sh [FOLDER]. Needs root.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=${1:-$top/out/packages}
[ "$(id -u)" = 0 ] || { echo "try_packages: needs root for chroot" >&2; exit 2; }
ls "$packages"/*.deb >/dev/null 2>&1 || { echo "try_packages: no packages in $packages; ./pumice package makes them" >&2; exit 2; }
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >/dev/null
m=$(mktemp -d /var/tmp/pumice-try-XXXXXX)
leave() {
  [ -z "${KEEP:-}" ] || { echo "kept at $m" >&2; return; }
  umount -l "$m/proc" "$m/dev" 2>/dev/null || true
  ! grep -q " $m/" /proc/mounts && rm -rf --one-file-system "$m"
}
trap leave EXIT
mirror=$(awk '/^URIs:/{print $2; exit} /^deb /{for(i=2;i<=NF;i++) if ($i ~ /^http/) {print $i; exit}}' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true)
debootstrap --variant=minbase --include=ca-certificates bookworm "$m" "$mirror" >"$m.log" 2>&1 || { tail -5 "$m.log" >&2; exit 1; }
rm -f "$m.log"
cp /etc/resolv.conf /etc/hosts "$m/etc/" 2>/dev/null || true
rm -f "$m/etc/apt/sources.list"
cp /etc/apt/sources.list "$m/etc/apt/" 2>/dev/null || true
cp /etc/apt/sources.list.d/*.sources "$m/etc/apt/sources.list.d/" 2>/dev/null || true
mount -t proc proc "$m/proc"
mount --rbind /dev "$m/dev" && mount --make-rslave "$m/dev"
mkdir -p "$m/packages"
cp "$packages"/*.deb "$m/packages/"

cat >"$m/try.sh" <<'TRY'
set -euo pipefail
quiet() { "$@" >/tmp/log 2>&1 || { code=$?; tail -20 /tmp/log; echo "failed with $code: $*"; exit 1; }; }
names=$(for p in /packages/*.deb; do dpkg-deb -f "$p" Package; done)
quiet apt-get update
# Everything that the packages and this script want, so that only the packages make a difference afterwards.
quiet apt-get install -y --no-install-recommends vulkan-tools xvfb xauth libpng-dev gcc libc6-dev pkg-config libvulkan-dev \
  $(for p in /packages/*.deb; do dpkg-deb -f "$p" Depends; done | tr ',' '\n' | sed 's/[(|].*//; s/^ *//' | grep -v pumice | sort -u)
files() { find / -xdev \( -path /proc -o -path /dev -o -path /tmp -o -path /packages -o -path /var -o -path /root -o -path /etc/ld.so.cache \) -prune -o -print | sort; }
files >/tmp/before
quiet apt-get install -y --no-install-recommends /packages/*.deb
vulkaninfo --summary 2>/dev/null | grep -E 'deviceName|driverVersion|apiVersion' | tail -3
quiet xvfb-run -a -s '-screen 0 640x480x24' vkcube --c 30
grep Pumice /tmp/log
large() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ] || { echo "$1 is missing or too small"; exit 1; }; }
quiet env PUMICE_CAPTURE=/tmp/frames PUMICE_CAPTURE_FRAMES=20 xvfb-run -a -s '-screen 0 640x480x24' vkcube --c 30
large /tmp/frames/frame-000020.png 2000
cd /tmp
quiet cc /usr/share/doc/pumice/examples/draw.c $(pkg-config --cflags --libs pumice-rdp libpng) -o draw
quiet ./draw --png draw.png
large draw.png 2000
pkg-config --print-requires pumice-vulkan
tools=$(dpkg -L pumice-tools | sed -n 's|^/usr/bin/||p')
[ "$(wc -w <<<"$tools")" -ge 3 ] || { echo "pumice-tools has too few tools: $tools"; exit 1; }
for tool in $tools; do
  quiet "$tool" --help
  large "/usr/share/man/man1/$tool.1.gz" 300
done
quiet apt-get purge -y $names
files >/tmp/after
diff /tmp/before /tmp/after && echo "nothing is left"
TRY
env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$m" /bin/bash /try.sh
