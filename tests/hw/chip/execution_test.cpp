// SPDX-License-Identifier: MIT
/// Executor, threads and instruction set by words: what is set, and what is refused by name.
#include <gtest/gtest.h>

#include "hw/radeon/gpu.h"

namespace pumice::hw::test {
namespace {

TEST(Execution, WordsAreSet) {
  GpuConfig config{Profile::r500};
  bool lacking = true;
  EXPECT_EQ(set_execution(config, "check", "3", "portable", &lacking), "");
  EXPECT_FALSE(lacking);
  EXPECT_EQ(config.executor, ExecutorKind::check);
  EXPECT_EQ(config.threads, 3u);
  EXPECT_EQ(config.cpu, CpuChoice::portable);
}

TEST(Execution, BadWordsAreRefusedByNameAndNotSet) {
  GpuConfig config{Profile::r500};
  config.threads = 2;
  bool lacking = true;
  EXPECT_EQ(set_execution(config, "slow", "0", "sse2", &lacking),
            "executor 'slow' is none of  fast ref check; instruction set 'sse2' is none of  portable avx2 avx512; "
            "'0' is no number of threads from 1 to 256; ");
  EXPECT_FALSE(lacking);
  EXPECT_EQ(config.executor, GpuConfig(Profile::r500).executor);
  EXPECT_EQ(config.threads, 2u);
  EXPECT_EQ(config.cpu, CpuChoice::best);
}

/// lacking_cpu.py runs this where glibc hides AVX2 and AVX-512; elsewhere there may be nothing to refuse.
TEST(Execution, LackingInstructionSetsAreRefusedByName) {
  uint32_t refused = 0;
  for (const auto& row : kCpuWords) {
    GpuConfig config{Profile::r500};
    bool lacking = false;
    const std::string wrong = set_execution(config, "fast", "1", row.word, &lacking);
    EXPECT_EQ(lacking, !available(row.value)) << row.word;
    if (!lacking) {
      EXPECT_EQ(wrong, "");
      EXPECT_EQ(config.cpu, row.value);
      continue;
    }
    ++refused;
    EXPECT_EQ(wrong, "this processor cannot run '" + std::string(row.word) + "'; ");
    EXPECT_EQ(config.cpu, CpuChoice::best) << "not set";
    config.cpu = row.value;
    EXPECT_EQ(Gpu::create(config), nullptr) << "never another instruction set under this one's name: " << row.word;
  }
  if (refused == 0) GTEST_SKIP() << "this processor has all of them";
}

}  // namespace
}  // namespace pumice::hw::test
