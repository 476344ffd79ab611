// SPDX-License-Identifier: MIT
/// Reference against fast executor, bit for bit, over random register states and geometry (case.cpp). Which
/// cases: tests/fuzz.h.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <deque>

#include "tests/fuzz.h"
#include "tests/hw/fast/draw/case.h"
#include "tests/hw/fast/draw/config.h"

namespace pumice::hw::test {
namespace {

struct Machine {
  Chip chip;
  Arena arena{chip};
  const char* name;
  Machine(const char* n, const GpuConfig& c) : chip(c), name(n) {}
  bool run(uint32_t seed) {
    chip.reset();
    arena.fill(chip, seed);
    return chip.run(random_case(seed, arena));
  }
};

std::string first_difference(Machine& a, Machine& b) {
  const auto differ = [&](const char* what, uint32_t at, size_t dwords) -> std::string {
    const uint32_t *x = a.chip.memory(at), *y = b.chip.memory(at);
    if (std::memcmp(x, y, dwords * 4) == 0) return {};
    size_t i = 0, n = 0;
    while (x[i] == y[i]) ++i;
    for (size_t k = i; k < dwords; ++k) n += x[k] != y[k];
    char text[160];
    std::snprintf(text, sizeof text, "%s dword %zu: %08x, not %08x; %zu dwords differ", what, i, y[i], x[i], n);
    return text;
  };
  for (uint32_t i = 0; i < Arena::kColors; ++i)
    if (std::string d = differ(("colour " + std::to_string(i)).c_str(), a.arena.color[i], Arena::kDwords * 4); !d.empty()) return d;
  if (std::string d = differ("depth", a.arena.depth, Arena::kDwords); !d.empty()) return d;
  return differ("zpass results", a.arena.results, 64);
}

/// Of everything a case wrote, for comparison between machines (tests/cross).
void digest(Machine& m, uint64_t& d) {
  const auto add = [&](uint32_t at, size_t dwords) {
    const uint32_t* words = m.chip.memory(at);
    for (size_t i = 0; i < dwords; ++i) d = (d ^ words[i]) * 0x100000001B3u;
  };
  for (uint32_t i = 0; i < Arena::kColors; ++i) add(m.arena.color[i], Arena::kDwords * 4);
  add(m.arena.depth, Arena::kDwords);
  add(m.arena.results, 64);
}

TEST(FastDraw, RandomStatesAndGeometry) {
  Machine reference("ref", config(ExecutorKind::ref));
  std::deque<Machine> fast;
  for (const auto& [name, c] :
       {std::pair{"fast 1", config(ExecutorKind::fast, 1)}, std::pair{"fast 2 avx2", config(ExecutorKind::fast, 2, CpuChoice::avx2)},
        std::pair{"fast 7 portable", config(ExecutorKind::fast, 7, CpuChoice::portable)},
        std::pair{"fast 2", config(ExecutorKind::fast, 2)}, std::pair{"check", config(ExecutorKind::check, 2)}})
    if (runs_here(name, c)) fast.emplace_back(name, c);
  Machine untouched("nothing drawn", config(ExecutorKind::ref));
  uint32_t changed = 0;
  uint64_t written = 0xCBF29CE484222325u;
  const FuzzRange range = fuzz_range(1000, 1);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    const bool lives = reference.run(seed);
    Machine& m = fast[seed % fast.size()];
    ASSERT_EQ(m.run(seed), lives) << m.name << rerun(seed);
    ASSERT_EQ(first_difference(reference, m), "") << m.name << rerun(seed);
    digest(reference, written);
    untouched.arena.fill(untouched.chip, seed);
    changed += !first_difference(reference, untouched).empty();
  }
  std::printf("digest of %u cases: %016llx\n", range.count, static_cast<unsigned long long>(written));
  if (range.usual) {
    EXPECT_GE(changed * 10, range.count * 8) << "most cases must draw something";
  }
}

}  // namespace
}  // namespace pumice::hw::test
