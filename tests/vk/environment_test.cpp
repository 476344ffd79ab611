// SPDX-License-Identifier: MIT
/// The table of environment variables: what it says, to the letter.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/nearest.h"
#include "icd/debug.h"

namespace pumice::icd {
namespace {

struct Reading {
  Environment env;
  std::vector<std::string> said;
};

Reading read(std::vector<const char*> variables) {
  variables.push_back(nullptr);
  Reading r;
  r.env = read_environment(variables.data(), r.said);
  return r;
}
using Lines = std::vector<std::string>;

TEST(Environment, NothingSetIsTheDefaults) {
  const Reading r = read({"HOME=/root", "PUMICE_EXEC=", "VK_PUMICE_FOO=1"});
  EXPECT_EQ(r.said, Lines{});
  EXPECT_EQ(r.env.exec, hw::ExecutorKind::fast);
  EXPECT_EQ(r.env.cpu, hw::CpuChoice::best);
  EXPECT_EQ(r.env.threads, 0u);
  EXPECT_EQ(r.env.rdram_mib, 8u);
  EXPECT_EQ(r.env.trace_limit, 0u);
  EXPECT_EQ(r.env.debug, 0u);
  EXPECT_FALSE(r.env.compute);
}

TEST(Environment, GoodValuesAreTakenInSilence) {
  const Reading r =
      read({"PUMICE_EXEC=check", "PUMICE_THREADS=256", "PUMICE_CPU=avx2", "PUMICE_RDRAM=16", "PUMICE_CHIP=all", "PUMICE_CAPTURE=/tmp/x",
            "PUMICE_CAPTURE_FRAMES=2-7", "PUMICE_TRACE=a.pmt", "PUMICE_TRACE_LIMIT=3", "PUMICE_PERF_MAP=1", "PUMICE_GDB_JIT=0",
            "PUMICE_COMPUTE=1", "PUMICE_LOG=/tmp/l", "PUMICE_DEBUG=reports,zmask", "PUMICE_BUILD_DIR=/b", "PUMICE_FUZZ_COUNT=1"});
  EXPECT_EQ(r.said, Lines{});
  EXPECT_EQ(r.env.exec, hw::ExecutorKind::check);
  EXPECT_EQ(r.env.threads, 256u);
  EXPECT_EQ(r.env.cpu, hw::CpuChoice::avx2);
  EXPECT_EQ(r.env.rdram_mib, 16u);
  EXPECT_EQ(r.env.chip, "all");
  EXPECT_EQ(r.env.capture, "/tmp/x");
  EXPECT_EQ(r.env.capture_frames.first, 2u);
  EXPECT_EQ(r.env.capture_frames.last, 7u);
  EXPECT_EQ(r.env.trace, "a.pmt");
  EXPECT_EQ(r.env.trace_limit, 3u << 20);
  EXPECT_TRUE(r.env.perf_map);
  EXPECT_FALSE(r.env.gdb_jit);
  EXPECT_TRUE(r.env.compute);
  EXPECT_EQ(r.env.log, "/tmp/l");
  EXPECT_TRUE(r.env.on(Debug::reports) && r.env.on(Debug::zmask) && !r.env.on(Debug::quiet));
}

TEST(Environment, ABadValueIsNamedWithWhatIsExpectedAndWhatHolds) {
  const struct {
    const char* variable;
    const char* said;
  } cases[] = {
      {"PUMICE_EXEC=foo", "PUMICE_EXEC=foo: expected fast, ref or check; using fast"},
      {"PUMICE_CPU=sse2", "PUMICE_CPU=sse2: expected portable, avx2 or avx512; using the best there is"},
      {"PUMICE_THREADS=0", "PUMICE_THREADS=0: expected a number from 1 to 256; using the default"},
      {"PUMICE_THREADS=257", "PUMICE_THREADS=257: expected a number from 1 to 256; using the default"},
      {"PUMICE_THREADS=4x", "PUMICE_THREADS=4x: expected a number from 1 to 256; using the default"},
      {"PUMICE_RDRAM=99", "PUMICE_RDRAM=99: expected 1 to 16 (MiB); using 8"},
      {"PUMICE_RDRAM=-1", "PUMICE_RDRAM=-1: expected 1 to 16 (MiB); using 8"},
      {"PUMICE_TRACE_LIMIT=0", "PUMICE_TRACE_LIMIT=0: expected a number of MiB, at least 1; the recording has no limit"},
      {"PUMICE_TRACE_LIMIT=99999999999999999999",
       "PUMICE_TRACE_LIMIT=99999999999999999999: expected a number of MiB, at least 1; the recording has no limit"},
      {"PUMICE_CAPTURE_FRAMES=5-2", "PUMICE_CAPTURE_FRAMES=5-2: expected a-b or a number, with a <= b; capturing all frames"},
      {"PUMICE_PERF_MAP=yes", "PUMICE_PERF_MAP=yes: expected 0 or 1; using 0"},
      {"PUMICE_GDB_JIT=2", "PUMICE_GDB_JIT=2: expected 0 or 1; using 0"},
      {"PUMICE_COMPUTE=on", "PUMICE_COMPUTE=on: expected 0 or 1; using 0"},
      {"PUMICE_FOO=1", "PUMICE_FOO: no such variable; PUMICE_DEBUG=help lists them"},
      {"PUMICE_=1", "PUMICE_: no such variable; PUMICE_DEBUG=help lists them"},
      {"PUMICE_THREAD=3", "PUMICE_THREAD: no such variable, did you mean PUMICE_THREADS?"},
      {"PUMICE_EXCE=ref", "PUMICE_EXCE: no such variable, did you mean PUMICE_EXEC?"},
      {"PUMICE_CAPTURE_FRAME=1", "PUMICE_CAPTURE_FRAME: no such variable, did you mean PUMICE_CAPTURE_FRAMES?"},
      {"PUMICE_DEBUG=reports,packts", "PUMICE_DEBUG: unknown word 'packts', did you mean packets?"},
      {"PUMICE_DEBUG=everything", "PUMICE_DEBUG: unknown word 'everything'; PUMICE_DEBUG=help lists them"},
  };
  for (const auto& c : cases) EXPECT_EQ(read({c.variable}).said, Lines{c.said}) << c.variable;
  const Reading r = read({"PUMICE_THREADS=0", "PUMICE_RDRAM=99", "PUMICE_EXEC=foo", "PUMICE_COMPUTE=2"});
  EXPECT_EQ(r.said.size(), 4u);  // each for itself
  EXPECT_EQ(r.env.threads, 0u);
  EXPECT_EQ(r.env.rdram_mib, 8u);
  EXPECT_EQ(r.env.exec, hw::ExecutorKind::fast);
  EXPECT_FALSE(r.env.compute);
}

TEST(Nearest, CountsEditsAndGivesUpFarAway) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("abcd", "acbd"), 1u);  // swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  const std::vector<std::string> words = {"fast", "ref", "check"};
  EXPECT_EQ(nearest("fsat", words), "fast");
  EXPECT_EQ(nearest("chek", words), "check");
  EXPECT_EQ(nearest("foo", words), "");
}

}  // namespace
}  // namespace pumice::icd
