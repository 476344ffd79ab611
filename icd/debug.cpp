// SPDX-License-Identifier: MIT
#include "icd/debug.h"

#include <unistd.h>
#include <atomic>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "common/nearest.h"

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
    {Debug::watchdog, "watchdog",
     "a draw may run 16 million shader instructions only, an event be waited for 4 s: finds endless ones at once"},
    {Debug::zmask, "zmask", "depth attachments without other uses are microtiled and cleared by the Z mask"},
};

std::vector<std::string> debug_words() {
  std::vector<std::string> names;
  for (const Word& w : kWords) names.push_back(w.name);
  return names;
}

template <class T>
std::vector<std::string> words_of(const T& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.push_back(row.word);
  return names;
}
template <class T, class Value>
bool find_word(const T& table, std::string_view word, Value& out) {
  for (const auto& row : table)
    if (word == row.word) {
      out = row.value;
      return true;
    }
  return false;
}

template <class T>
bool parse_number(std::string_view text, T least, T most, T& out) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < least || value > most) return false;
  out = value;
  return true;
}
bool parse_flag(std::string_view text, bool& out) {
  out = text == "1";
  return text == "0" || text == "1";
}

constexpr uint64_t kMostMiB = 1ull << 40;  // of a trace: in bytes it fits 64 bits

/// A row: its help, how its value is read (false: no good), and what is said of a value that is no good.
struct Variable {
  const char* name;
  const char* text;
  bool (*read)(std::string_view value, Environment& e);
  std::string (*expected)() = nullptr;  ///< null: every value is good
  const char* instead = "";
};
const Variable kVariables[] = {
    {"PUMICE_DEBUG", "comma separated words of the table above", [](std::string_view, Environment&) { return true; }},
    {"PUMICE_CHIP", "which chips are physical devices: r5x (default), r500, r300, rdp, all (the most capable first)",
     [](std::string_view v, Environment& e) { return e.chip = v, true; }},  // the chip table checks it
    {"PUMICE_RDRAM", "MiB of RDRAM of an RDP device: 1 to 16 (default 8)",
     [](std::string_view v, Environment& e) { return parse_number(v, 1u, 16u, e.rdram_mib); }, [] { return std::string("1 to 16 (MiB)"); },
     "using 8"},
    {"PUMICE_COMPUTE", "1: the queue family of a chip without compute reports it; compute pipelines are refused (default 0)",
     [](std::string_view v, Environment& e) { return parse_flag(v, e.compute); }, [] { return std::string("0 or 1"); }, "using 0"},
    {"PUMICE_CAPTURE", "folder: every presented frame becomes frame-NNNNNN.png there",
     [](std::string_view v, Environment& e) { return e.capture = v, true; }},
    {"PUMICE_CAPTURE_FRAMES", "a-b, or a number: only these presented frames",
     [](std::string_view v, Environment& e) { return winsys::parse_frames(v, e.capture_frames); },
     [] { return std::string("a-b or a number, with a <= b"); }, "capturing all frames"},
    {"PUMICE_LOG", "file: what the application asks for and what it gets, a JSON object per line, for ./pumice doctor",
     [](std::string_view v, Environment& e) { return e.log = v, true; }},
    {"PUMICE_EXEC", "what draws: fast, ref (the scalar reference), check (both, stops at the first difference)",
     [](std::string_view v, Environment& e) { return find_word(hw::kExecutorWords, v, e.exec); },
     [] { return alternatives(words_of(hw::kExecutorWords)); }, "using fast"},
    {"PUMICE_THREADS",
     "threads of the fast executor (default: one per processor) and of an RDP (default: one); results do not depend on it",
     [](std::string_view v, Environment& e) { return parse_number(v, 1u, hw::kMaxThreads, e.threads); },
     [] { return "a number from 1 to " + std::to_string(hw::kMaxThreads); }, "using the default"},
    {"PUMICE_CPU", "instruction set of the fast executor: portable, avx2, avx512 (default: the best there is); nor on it",
     [](std::string_view v, Environment& e) { return find_word(hw::kCpuWords, v, e.cpu); },
     [] { return alternatives(words_of(hw::kCpuWords)); }, "using the best there is"},
    {"PUMICE_TRACE",
     "file: records what the chip does, for pumice-replay (RDP: pumice-rdp play); further devices get file.1, file.2, .. (docs/trace.md)",
     [](std::string_view v, Environment& e) { return e.trace = v, true; }},
    {"PUMICE_TRACE_LIMIT", "MiB: a recording ends when it is this large (default: no limit)",
     [](std::string_view v, Environment& e) {
       uint64_t mib = 0;
       if (!parse_number(v, uint64_t{1}, kMostMiB, mib)) return false;
       e.trace_limit = mib << 20;
       return true;
     },
     [] { return std::string("a number of MiB, at least 1"); }, "the recording has no limit"},
    {"PUMICE_PERF_MAP", "1: names generated routines for perf in /tmp/perf-PID.map",
     [](std::string_view v, Environment& e) { return parse_flag(v, e.perf_map); }, [] { return std::string("0 or 1"); }, "using 0"},
    {"PUMICE_GDB_JIT", "1: names generated routines for gdb", [](std::string_view v, Environment& e) { return parse_flag(v, e.gdb_jit); },
     [] { return std::string("0 or 1"); }, "using 0"},
};
/// Of other programs of this project, which may run in the same environment.
constexpr const char* kOthers[] = {"PUMICE_BUILD_DIR", "PUMICE_FUZZ_FIRST", "PUMICE_FUZZ_COUNT"};

void print_help() {
  std::fprintf(stderr, "pumice: PUMICE_DEBUG words:\n");
  for (const Word& w : kWords) std::fprintf(stderr, "  %-10s %s\n", w.name, w.text);
  std::fprintf(stderr, "pumice: variables:\n");
  for (const Variable& v : kVariables) std::fprintf(stderr, "  %-22s %s\n", v.name, v.text);
}

void read_words(std::string_view words, Environment& e, std::vector<std::string>& said) {
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(',', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const auto w = std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& x) { return word == x.name; });
    if (w != std::end(kWords)) {
      e.debug |= 1u << static_cast<unsigned>(w->flag);
      continue;
    }
    const std::vector<std::string> known = debug_words();
    const std::string_view near = nearest(word, known);
    said.push_back("PUMICE_DEBUG: unknown word '" + std::string(word) + "'" +
                   (near.empty() ? "; PUMICE_DEBUG=help lists them" : ", did you mean " + std::string(near) + "?"));
  }
}

/// Nothing for a name that is known.
void check_name(std::string_view name, std::vector<std::string>& said) {
  constexpr std::string_view kPrefix = "PUMICE_";
  std::vector<std::string> known;  // without the prefix, which would make all of them similar
  for (const Variable& v : kVariables) known.emplace_back(std::string_view(v.name).substr(kPrefix.size()));
  for (const std::string_view other : kOthers) known.emplace_back(other.substr(kPrefix.size()));
  const std::string_view rest = name.substr(kPrefix.size());
  if (std::find(known.begin(), known.end(), rest) != known.end()) return;
  const std::string_view near = nearest(rest, known);
  said.push_back(std::string(name) + ": no such variable" +
                 (near.empty() ? "; PUMICE_DEBUG=help lists them" : ", did you mean " + std::string(kPrefix) + std::string(near) + "?"));
}

}  // namespace

std::string bad_value(const std::string& name, const std::string& value, const std::string& expected, const std::string& instead) {
  return name + "=" + value + ": expected " + expected + "; " + instead;
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

Environment read_environment(const char* const* variables, std::vector<std::string>& said) {
  Environment e;
  for (; variables && *variables; ++variables) {
    const std::string_view line(*variables);
    if (!line.starts_with("PUMICE_")) continue;
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = line.substr(0, equals), value = line.substr(std::min(equals + 1, line.size()));
    check_name(name, said);
    if (value.empty()) continue;
    for (const Variable& v : kVariables)
      if (name == v.name) {
        Environment with = e;
        if (v.read(value, with))
          e = std::move(with);
        else
          said.push_back(bad_value(v.name, std::string(value), v.expected(), v.instead));
      }
    if (name == "PUMICE_DEBUG") read_words(value, e, said);
  }
  return e;
}

/// Out of line: environment() is called per submission and should have no frame for it.
[[gnu::noinline]] static Environment read_and_report() {
  std::vector<std::string> said;
  Environment read = read_environment(environ, said);
  if (!read.on(Debug::quiet))
    for (const std::string& line : said) std::fprintf(stderr, "pumice: %s\n", line.c_str());
  if (read.on(Debug::help)) print_help();
  return read;
}

uint32_t next_recording() {
  static std::atomic<uint32_t> recordings = 0;
  return recordings++;
}

const Environment& environment() {
  static const Environment e = read_and_report();
  return e;
}

}  // namespace pumice::icd
