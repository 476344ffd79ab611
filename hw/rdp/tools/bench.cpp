// SPDX-License-Identifier: MIT
/// pumice-rdp bench: nanoseconds per pixel of typical workloads: reference, SIMD on one thread, SIMD on all cores.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <thread>

#include "hw/rdp/rdp.h"
#include "hw/rdp/tools/tool.h"
#include "hw/rdp/tools/workloads.h"

namespace pumice::hw::rdp {
namespace {

constexpr const char* kUsage =
    "usage: pumice-rdp bench [SECONDS] [options]     SECONDS of each number, 0.3 unless told\n"
    "  --markdown     as a table of docs/rdp.md\n"
    "  --only TEXT    workloads whose name contains TEXT\n"
    "  --sets         the SIMD path on one thread by instruction set instead: base, AVX2, the best\n"
    "  --cpu          processor time of all threads instead of time (for a machine that does other work, too)\n"
    "  --simd         no other way than SIMD on one thread (for profiles)\n";

struct Way {
  const char* name;
  Execution execution;
  unsigned threads;
};

struct Options {
  double seconds = 0.3;
  bool markdown = false, sets = false, simd = false, cpu = false;
  std::string only;
};

std::optional<Options> parse(const std::vector<std::string>& args) {
  Options o;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    if (a == "--markdown")
      o.markdown = true;
    else if (a == "--sets")
      o.sets = true;
    else if (a == "--cpu")
      o.cpu = true;
    else if (a == "--simd")
      o.simd = true;
    else if (a == "--only" && i + 1 < args.size())
      o.only = args[++i];
    else if (!a.starts_with("-") && std::atof(a.c_str()) > 0)
      o.seconds = std::atof(a.c_str());
    else
      return std::nullopt;
  }
  return o;
}

/// Nanoseconds; of the clock or of the process.
double now(bool cpu) {
  if (cpu) return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One way to draw, with memory of its own.
struct Runner {
  std::vector<uint8_t> memory = workload_memory();
  Rdp rdp{memory, ByteOrder::host_words};
  double best = 1e30;

  explicit Runner(const Way& w) {
    rdp.set_execution(w.execution);
    rdp.set_threads(w.threads);
  }
  /// Nanoseconds; depth is cleared outside the time.
  void run(const Words& setup, const Words& clear, const Words& draw, bool cpu) {
    rdp.enqueue(setup);
    rdp.enqueue(clear);
    rdp.sync();
    const double start = now(cpu);
    rdp.enqueue(draw);
    rdp.sync();
    best = std::min(best, now(cpu) - start);
  }
};

/// Best of many runs of each way, in turns, so that what else the machine does meets all of them.
std::vector<double> measure(const std::vector<Way>& ways, const Words& setup, const Words& clear, const Words& draw, const Options& o) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::unique_ptr<Runner>> runners;
  for (const Way& w : ways) runners.push_back(std::make_unique<Runner>(w));
  constexpr int kTurns = 10;
  for (int turn = 0; turn < kTurns; ++turn)
    for (auto& r : runners) {
      const auto stop = Clock::now() + std::chrono::duration<double>(o.seconds / kTurns);
      do r->run(setup, clear, draw, o.cpu);
      while (Clock::now() < stop);
    }
  std::vector<double> best;
  for (auto& r : runners) best.push_back(r->best);
  return best;
}

/// Numbers, and how many times faster than the first way.
void print_row(const Options& o, const std::string& name, const char* size, const std::vector<double>& ns) {
  std::printf(o.markdown ? "| %s | %s |" : "%-44s %-8s", name.c_str(), size);
  for (size_t i = 0; i < ns.size(); ++i) {
    std::printf(o.markdown ? " %.2f |" : " %10.2f", ns[i]);
    if (i) std::printf(o.markdown ? " %.1f |" : " %7.1f", ns[0] / ns[i]);
  }
  std::printf("\n");
}

void print_head(const Options& o, const std::vector<Way>& ways) {
  std::printf(o.markdown ? "| workload | size |" : "%-44s %-8s", "workload", "size");
  for (size_t i = 0; i < ways.size(); ++i) {
    std::printf(o.markdown ? " %s |" : " %10s", ways[i].name);
    if (i) std::printf(o.markdown ? " ratio |" : " %7s", "ratio");
  }
  std::printf("\n");
  if (!o.markdown) return;
  for (size_t i = 0; i < 2 * ways.size() + 1; ++i) std::printf("|---");
  std::printf("|\n");
}

}  // namespace

int bench(const std::vector<std::string>& args) {
  const std::optional<Options> parsed = parse(args);
  if (!parsed) {
    const bool help = args.size() == 1 && args[0] == "--help";
    std::fputs(kUsage, help ? stdout : stderr);
    return help ? 0 : 2;
  }
  const Options& o = *parsed;
  const unsigned cores = std::max(2u, std::thread::hardware_concurrency());
  const std::string all = std::to_string(cores) + " threads";
  std::vector<Way> ways{{"reference", Execution::reference, 1}, {"SIMD", Execution::simd, 1}, {all.c_str(), Execution::simd, cores}};
  if (o.sets)
    ways = {{"reference", Execution::reference, 1},
            {"base", Execution::simd_base, 1},
            {"AVX2", Execution::simd_avx2, 1},
            {"best", Execution::simd, 1}};
  std::erase_if(ways, [](const Way& w) {
    if (!available(w.execution)) std::printf("%s: skipped, this processor lacks the instruction set\n", w.name);
    return !available(w.execution);
  });
  if (o.simd) ways = {{"SIMD", Execution::simd, 1}};
  std::printf("ns per pixel, best of %.2g s\n%s", o.seconds, o.markdown ? "\n" : "");
  print_head(o, ways);
  constexpr Screen kScreens[] = {{320, 240}, {640, 480}};
  for (const Screen s : kScreens)
    for (const Workload& l : workloads()) {
      if (!o.only.empty() && std::string(l.name).find(o.only) == std::string::npos) continue;
      if (!l.every_size && s.width != kScreens[0].width) continue;
      Words draw;
      l.build(draw, s);
      std::vector<double> ns = measure(ways, workload_setup(s), workload_clear(s), draw, o);
      for (double& n : ns) n /= l.count ? l.count(s) : s.width * s.height;
      const std::string size = std::to_string(s.width) + "x" + std::to_string(s.height);
      print_row(o, l.name, l.every_size ? size.c_str() : "", ns);
    }
  if (!o.only.empty() && std::string("frame").find(o.only) == std::string::npos) return 0;

  Words frame;
  build_frame(frame);
  const std::vector<double> ns = measure(ways, workload_setup({640, 480}), {}, frame, o);
  std::printf("%sframe of %u textured, z-buffered, anti-aliased pixels with both clears, frames/s:", o.markdown ? "\n" : "", kFramePixels);
  for (size_t i = 0; i < ns.size(); ++i) std::printf("%s %s %.0f", i ? "," : "", ways[i].name, 1e9 / ns[i]);
  std::printf("\n");
  return 0;
}

}  // namespace pumice::hw::rdp
