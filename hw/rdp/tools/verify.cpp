// SPDX-License-Identifier: MIT
/// pumice-rdp verify FOLDER: every vector of every *.rdpv file, to the byte; on the reference, on the SIMD path with one
/// thread and with several, unless an option chooses one of them.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "hw/rdp/tools/tool.h"
#include "hw/rdp/tools/vectors.h"

namespace pumice::hw::rdp {

namespace {

struct Way {
  const char* option;
  Execution execution;
  unsigned threads;
};
constexpr Way kWays[] = {{"--reference", Execution::reference, 1},
                         {"--simd", Execution::simd, 1},
                         {"--simd-avx2", Execution::simd_avx2, 1},
                         {"--simd-base", Execution::simd_base, 1},
                         {"--threads", Execution::simd, 4}};

/// First difference in any of the ways, with its name.
std::string check(const Vector& v, const std::string& option) {
  for (const Way& w : kWays) {
    if ((!option.empty() && option != w.option) || !available(w.execution)) continue;
    const std::string d = check_vector(v, w.execution, w.threads);
    if (!d.empty()) return d + " (" + (w.option + 2) + ")";
  }
  return {};
}

}  // namespace

int verify(const std::vector<std::string>& args) {
  const std::string option = args.size() == 2 ? args[1] : "";
  const bool known = option.empty() || std::any_of(std::begin(kWays), std::end(kWays), [&](const Way& w) { return option == w.option; });
  if (args.empty() || args[0] == "--help" || args.size() > 2 || !known) {
    const bool help = args.size() == 1 && args[0] == "--help";
    std::fprintf(help ? stdout : stderr,
                 "usage: pumice-rdp verify FOLDER [--reference | --simd | --simd-avx2 | --simd-base | --threads]\n");
    return help ? 0 : 2;
  }
  std::error_code ec;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(args[0], ec))
    if (entry.path().extension() == ".rdpv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "pumice-rdp: no *.rdpv in %s\n", args[0].c_str());
    return 2;
  }
  for (const Way& w : kWays) {
    if (available(w.execution) || (!option.empty() && option != w.option)) continue;
    std::printf("%s: skipped, this processor lacks the instruction set\n", w.option + 2);
    if (!option.empty()) return 77;
  }
  unsigned passed = 0, failed = 0;
  bool damaged = false;
  for (const auto& file : files) {
    std::vector<Vector> vectors;
    std::string error;
    if (!read_vectors(file.string(), vectors, error)) {
      std::printf("%s\n", error.c_str());
      damaged = true;
      continue;
    }
    std::vector<std::string> lines;
    for (const Vector& v : vectors) {
      const std::string d = check(v, option);
      if (d.empty())
        ++passed;
      else
        lines.push_back("  " + v.name + ": " + d);
    }
    failed += static_cast<unsigned>(lines.size());
    if (lines.empty()) continue;
    std::printf("%s: %zu of %zu failed\n", file.stem().c_str(), lines.size(), vectors.size());
    for (const std::string& l : lines) std::printf("%s\n", l.c_str());
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed || damaged ? 1 : 0;
}

}  // namespace pumice::hw::rdp
