#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tools' manual pages, from their own help, with help2man: man_pages.sh BUILD_FOLDER OUT_FOLDER VERSION. The tools must run on this machine.
set -euo pipefail
build=$1 out=$2 version=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# page NAME TOOL SUMMARY [COMMAND...]: the tool's help, and that of its commands which have one.
page() {
  local name=$1 tool=$2 summary=$3
  shift 3
  {
    "$tool" --help | sed '1s/^usage:/Usage:/;1G'
    local command
    for command in "$@"; do
      printf '\n*Command %s*\n\n' "$command"
      "$tool" "$command" --help | sed -E 's/^usage: (.*)/\1\n/'
    done
  } >"$work/help"
  printf '#!/bin/sh\ncat "%s"\n' "$work/help" >"$work/$name"
  chmod +x "$work/$name"
  help2man --no-info --section 1 --version-string "$version" --source "pumice $version" --name "$summary" --output "$out/$name.1" "$work/$name"
}

page pumice-compile "$build/compiler/tools/pumice-compile" "print what a shader becomes on a Radeon R5xx"
page pumice-trace "$build/hw/radeon/trace/launch/pumice-trace" "run an application and record what the Pumice Vulkan driver does"
page pumice-replay "$build/hw/radeon/trace/tools/pumice-replay" "play, list and compare recordings of the Pumice Vulkan driver"
page pumice-inspect "$build/hw/radeon/trace/page/pumice-inspect" "make a page of a recording of the Pumice Vulkan driver"
page pumice-asm "$build/hw/radeon/asm/tools/pumice-asm" "assemble microcode and register words of Radeons R3xx and R5xx"
page pumice-dis "$build/hw/radeon/asm/tools/pumice-dis" "print what words of microcode and registers of Radeons R3xx and R5xx mean"
# Not built where SPIRV-Cross is missing (tools/run).
if [ -x "$build/tools/run/pumice-run" ]; then
  page pumice-run "$build/tools/run/pumice-run" "run a shader on the models of Radeons R3xx and R5xx beside an independent evaluation"
fi
page pumice-rdp "$build/hw/rdp/tools/pumice-rdp" "render, list and check RDP command lists" play bench verify
