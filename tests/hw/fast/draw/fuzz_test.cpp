// SPDX-License-Identifier: MIT
/// Reference against fast executor, bit for bit, over random register states and geometry (case.cpp). One case alone:
///   PUMICE_FUZZ_FIRST=<seed> PUMICE_FUZZ_COUNT=1 test_fast_draw --gtest_filter='FastDraw.*'
/// A soak: PUMICE_FUZZ_COUNT=1000000.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/hw/fast/draw/case.h"

namespace pumice::hw::test {
namespace {

uint32_t number(const char* name, uint32_t otherwise) {
  const char* v = std::getenv(name);
  return v ? static_cast<uint32_t>(std::strtoul(v, nullptr, 10)) : otherwise;
}

GpuConfig config(ExecutorKind kind, uint32_t threads = 1, CpuChoice cpu = CpuChoice::best) {
  GpuConfig c;
  c.executor = kind;
  c.threads = threads;
  c.cpu = cpu;
  c.instruction_limit = 1ull << 26;
  return c;
}

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
  const auto differ = [&](const char* what, GpuAddress at, size_t dwords) -> std::string {
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
  const auto add = [&](GpuAddress at, size_t dwords) {
    const uint32_t* words = m.chip.memory(at);
    for (size_t i = 0; i < dwords; ++i) d = (d ^ words[i]) * 0x100000001B3u;
  };
  for (uint32_t i = 0; i < Arena::kColors; ++i) add(m.arena.color[i], Arena::kDwords * 4);
  add(m.arena.depth, Arena::kDwords);
  add(m.arena.results, 64);
}

TEST(FastDraw, RandomStatesAndGeometry) {
  Machine reference("ref", config(ExecutorKind::ref));
  Machine fast[] = {{"fast 1", config(ExecutorKind::fast, 1)},
                    {"fast 2 avx2", config(ExecutorKind::fast, 2, CpuChoice::avx2)},
                    {"fast 7 portable", config(ExecutorKind::fast, 7, CpuChoice::portable)},
                    {"fast 2", config(ExecutorKind::fast, 2)},
                    {"check", config(ExecutorKind::check, 2)}};
  Machine untouched("nothing drawn", config(ExecutorKind::ref));
  uint32_t changed = 0;
  uint64_t written = 0xCBF29CE484222325u;
  const uint32_t first = number("PUMICE_FUZZ_FIRST", 1), count = number("PUMICE_FUZZ_COUNT", 1000);
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const bool lives = reference.run(seed);
    Machine& m = fast[seed % std::size(fast)];
    const std::string again =
        "PUMICE_FUZZ_FIRST=" + std::to_string(seed) + " PUMICE_FUZZ_COUNT=1 test_fast_draw --gtest_filter='FastDraw.*'";
    ASSERT_EQ(m.run(seed), lives) << m.name << "\n" << again;
    ASSERT_EQ(first_difference(reference, m), "") << m.name << "\n" << again;
    digest(reference, written);
    untouched.arena.fill(untouched.chip, seed);
    changed += !first_difference(reference, untouched).empty();
  }
  std::printf("digest of %u cases: %016llx\n", count, static_cast<unsigned long long>(written));
  EXPECT_GE(changed * 10, count * 8) << "most cases must draw something";
}

}  // namespace
}  // namespace pumice::hw::test
