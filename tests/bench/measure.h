// SPDX-License-Identifier: MIT
/// Timing for the benchmarks that talk Vulkan. They print "name<TAB>value<TAB>unit" lines for apps.py. The machine may be busy: throughput
/// is that of the fastest sample, latencies are the median and the 99th percentile.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace pumice::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Calls `once` for about `budget` seconds (at least 5 times, after two calls that do not count); sorted seconds of a call. PUMICE_BENCH_CALLS=n: n
/// calls whatever they take, for counting instructions with perf stat.
template <class F>
std::vector<double> sample(F once, double budget = 0.25) {
  once();
  once();
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  const char* calls = std::getenv("PUMICE_BENCH_CALLS");
  const size_t wanted_calls = calls ? std::strtoul(calls, nullptr, 10) : 0;
  while (wanted_calls ? times.size() < wanted_calls : times.size() < 5 || (seconds_since(begin) < budget && times.size() < 20000)) {
    const Clock::time_point start = Clock::now();
    once();
    times.push_back(seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  return times;
}

inline void print(std::string_view name, double value, const char* unit) {
  std::printf("%.*s\t%.4g\t%s\n", static_cast<int>(name.size()), name.data(), value, unit);
  std::fflush(stdout);
}

/// Whether the command line names this measurement, or none at all (then all run). Parts of names do.
inline bool wanted(int argc, char** argv, std::string_view name) {
  if (argc < 2) return true;
  for (int i = 1; i < argc; ++i)
    if (name.find(argv[i]) != std::string_view::npos) return true;
  return false;
}

}  // namespace pumice::bench
