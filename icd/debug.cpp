// SPDX-License-Identifier: MIT
#include "icd/debug.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace pumice::icd {
namespace {

struct Word {
  Debug flag;
  const char* name;
  const char* text;
};
constexpr Word kWords[] = {
    {Debug::help, "help", "print this table"},
    {Debug::quiet, "quiet", "print nothing, not even errors"},
    {Debug::reports, "reports", "print every report of the driver and of the chip (default: errors, the first few of a kind)"},
    {Debug::packets, "packets", "every command stream that is submitted: its packets, and the registers they write, field by field"},
    {Debug::submit, "submit", "one line per submission, host step and present"},
    {Debug::compiler, "compiler", "print the compiler's log of every pipeline"},
    {Debug::stats, "stats",
     "print slots, temps and constants of every pipeline and who made its programs; at the end of a device pixels drawn by rows"},
    {Debug::leaks, "leaks", "name the number of objects still alive at vkDestroyDevice"},
    {Debug::watchdog, "watchdog", "a draw may run 16 million shader instructions only: finds endless shaders at once"},
    {Debug::zmask, "zmask", "depth attachments without other uses are microtiled and cleared by the Z mask"},
};

struct Variable {
  const char* name;
  const char* text;
};
constexpr Variable kVariables[] = {
    {"PUMICE_DEBUG", "comma separated words of the table above"},
    {"PUMICE_CHIP", "which chips are physical devices: r500 (default), rdp, all (both)"},
    {"PUMICE_RDRAM", "MiB of RDRAM of an RDP device: 1 to 16 (default 8)"},
    {"PUMICE_CAPTURE", "directory: every presented frame becomes frame-NNNNNN.png there"},
    {"PUMICE_CAPTURE_FRAMES", "a-b: only these presented frames"},
    {"PUMICE_EXEC", "who draws: fast, ref (the scalar reference), check (both, stops at the first difference)"},
    {"PUMICE_THREADS", "threads of the fast executor (default: one a processor) and of an RDP (default: one); results do not depend on it"},
    {"PUMICE_CPU", "instruction set of the fast executor: portable, avx2, avx512 (default: the best there is); nor on it"},
    {"PUMICE_TRACE", "file: records what the chip does, for pumice-replay; further devices get file.1, file.2, .. (docs/trace.md)"},
    {"PUMICE_TRACE_LIMIT", "MiB: a recording ends when it is this large (default: no limit)"},
    {"PUMICE_PERF_MAP", "1: names generated routines for perf in /tmp/perf-PID.map"},
    {"PUMICE_GDB_JIT", "1: names generated routines for gdb"},
};

std::string variable(const char* name) {
  const char* v = std::getenv(name);
  return v ? v : "";
}

void print_help() {
  std::fprintf(stderr, "pumice: PUMICE_DEBUG words:\n");
  for (const Word& w : kWords) std::fprintf(stderr, "  %-10s %s\n", w.name, w.text);
  std::fprintf(stderr, "pumice: variables:\n");
  for (const Variable& v : kVariables) std::fprintf(stderr, "  %-22s %s\n", v.name, v.text);
}

Environment read() {
  Environment e;
  e.chip = variable("PUMICE_CHIP");
  e.rdram = variable("PUMICE_RDRAM");
  e.capture = variable("PUMICE_CAPTURE");
  e.capture_frames = variable("PUMICE_CAPTURE_FRAMES");
  e.exec = variable("PUMICE_EXEC");
  e.threads = variable("PUMICE_THREADS");
  e.cpu = variable("PUMICE_CPU");
  e.perf_map = variable("PUMICE_PERF_MAP").starts_with('1');
  e.gdb_jit = variable("PUMICE_GDB_JIT").starts_with('1');
  e.trace = variable("PUMICE_TRACE");
  e.trace_limit = variable("PUMICE_TRACE_LIMIT");
  const std::string words = variable("PUMICE_DEBUG");
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(',', at), words.size());
    const std::string_view word = std::string_view(words).substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    bool known = false;
    for (const Word& w : kWords)
      if (word == w.name) {
        e.debug |= 1u << static_cast<unsigned>(w.flag);
        known = true;
      }
    if (!known) std::fprintf(stderr, "pumice: PUMICE_DEBUG: unknown word '%.*s' (try help)\n", static_cast<int>(word.size()), word.data());
  }
  if (e.on(Debug::help)) print_help();
  return e;
}

}  // namespace

const Environment& environment() {
  static const Environment e = read();
  return e;
}

}  // namespace pumice::icd
