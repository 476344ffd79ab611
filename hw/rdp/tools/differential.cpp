// SPDX-License-Identifier: MIT
/// Differential fuzzing, and `pumice-rdp fuzz`.
#include "hw/rdp/tools/differential.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "hw/rdp/rdp.h"
#include "hw/rdp/tools/random_list.h"
#include "hw/rdp/tools/tool.h"

namespace pumice::hw::rdp {
namespace {

struct Result {
  std::vector<uint8_t> memory, hidden;
};

Result run(const RandomList& list, Execution execution, unsigned threads) {
  Result r{list.memory, {}};
  Rdp rdp(r.memory);
  rdp.set_execution(execution);
  rdp.set_threads(threads);
  rdp.enqueue(list.words);
  rdp.sync();
  r.hidden.resize(rdp.rdram().size() / 2);
  for (uint32_t i = 0; i < r.hidden.size(); ++i) r.hidden[i] = static_cast<uint8_t>(rdp.rdram().hidden(i));
  return r;
}

std::string difference(const char* way, const Result& a, const Result& b) {
  char text[100];
  for (size_t i = 0; i < a.memory.size(); ++i)
    if (a.memory[i] != b.memory[i]) {
      std::snprintf(text, sizeof text, "%s: byte 0x%05zX is %02X, reference %02X", way, i, b.memory[i], a.memory[i]);
      return text;
    }
  for (size_t i = 0; i < a.hidden.size(); ++i)
    if (a.hidden[i] != b.hidden[i]) {
      std::snprintf(text, sizeof text, "%s: hidden bits of 0x%05zX are %X, reference %X", way, 2 * i, b.hidden[i], a.hidden[i]);
      return text;
    }
  return {};
}

}  // namespace

std::string differential(uint64_t seed, bool damage) {
  const RandomList list = random_list(seed, damage);
  const Result reference = run(list, Execution::reference, 1);
  std::string d = difference("simd", reference, run(list, Execution::simd, 1));
  if (d.empty()) d = difference("simd_avx2", reference, run(list, Execution::simd_avx2, 1));
  if (d.empty()) d = difference("simd_base", reference, run(list, Execution::simd_base, 1));
  return d.empty() ? difference("threads", reference, run(list, Execution::simd, 3)) : d;
}

int fuzz(const std::vector<std::string>& args) {
  if (args.size() > 2) {
    std::fprintf(stderr, "usage: pumice-rdp fuzz [FIRST_SEED [COUNT]]   COUNT 0: until something differs\n");
    return 2;
  }
  const uint64_t first = args.empty() ? 0 : std::strtoull(args[0].c_str(), nullptr, 0);
  const uint64_t count = args.size() < 2 ? 50000 : std::strtoull(args[1].c_str(), nullptr, 0);
  uint64_t failures = 0;
  for (uint64_t i = 0; count == 0 || i < count; ++i) {
    for (bool damage : {false, true}) {
      const std::string d = differential(first + i, damage);
      if (d.empty()) continue;
      std::printf("seed %" PRIu64 "%s: %s\n", first + i, damage ? " damaged" : "", d.c_str());
      if (++failures >= 20 || count == 0) return 1;
    }
  }
  std::printf("%" PRIu64 " seeds, %" PRIu64 " differences\n", count, failures);
  return failures ? 1 : 0;
}

}  // namespace pumice::hw::rdp
