// SPDX-License-Identifier: MIT
/// Which cases a fuzz test runs and how one of them is run again. For all of them alike: PUMICE_FUZZ_FIRST=<seed> and PUMICE_FUZZ_COUNT=<n>
/// choose other cases than the usual ones; a soak is a large count.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace pumice {

struct FuzzRange {
  uint32_t first, count;
  bool usual;  ///< the default seeds: what all cases together must reach can be checked
  uint32_t end() const { return first + count; }
  bool one() const { return count == 1; }
};

inline FuzzRange fuzz_range(uint32_t count, uint32_t first = 0) {
  const char *from = std::getenv("PUMICE_FUZZ_FIRST"), *many = std::getenv("PUMICE_FUZZ_COUNT");
  const auto number = [](const char* text, uint32_t otherwise) {
    return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 0)) : otherwise;
  };
  return {number(from, first), number(many, count), !from && !many};
}

/// The command that runs the case `seed` of the current test again, on a line of its own.
inline std::string rerun(uint32_t seed) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::error_code unknown;
  return "\nrerun: PUMICE_FUZZ_FIRST=" + std::to_string(seed) + " PUMICE_FUZZ_COUNT=1 " +
         std::filesystem::read_symlink("/proc/self/exe", unknown).string() + " --gtest_filter='" + test->test_suite_name() + "." +
         test->name() + "'\n";
}

}  // namespace pumice
