// SPDX-License-Identifier: MIT
/// The environment switches of the driver, all of them, read and checked once by one table. PUMICE_DEBUG=help prints it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/radeon/gpu.h"
#include "winsys/winsys.h"

namespace pumice::icd {

/// Words of PUMICE_DEBUG.
enum class Debug : uint8_t { help, quiet, reports, packets, submit, compiler, stats, leaks, watchdog, zmask, count_ };

/// The members hold the defaults.
struct Environment {
  uint32_t debug = 0;                              ///< PUMICE_DEBUG: a bit per Debug
  std::string chip;                                ///< PUMICE_CHIP: a chip's name or "all"; empty = the default chip
  uint32_t rdram_mib = 8;                          ///< PUMICE_RDRAM: of an RDP; a console with the Expansion Pak has 8
  std::string capture;                             ///< PUMICE_CAPTURE: folder for presented frames
  winsys::FrameRange capture_frames;               ///< PUMICE_CAPTURE_FRAMES
  hw::ExecutorKind exec = hw::ExecutorKind::fast;  ///< PUMICE_EXEC
  uint32_t threads = 0;                            ///< PUMICE_THREADS; 0 = the chip's default
  hw::CpuChoice cpu = hw::CpuChoice::best;         ///< PUMICE_CPU
  bool compute = false;                            ///< PUMICE_COMPUTE
  bool perf_map = false;                           ///< PUMICE_PERF_MAP
  bool gdb_jit = false;                            ///< PUMICE_GDB_JIT
  std::string trace;                               ///< PUMICE_TRACE: file to record into
  uint64_t trace_limit = 0;                        ///< PUMICE_TRACE_LIMIT in bytes; 0 = none
  std::string log;                                 ///< PUMICE_LOG: file for journal.h

  bool on(Debug flag) const { return (debug >> static_cast<unsigned>(flag)) & 1; }
};

/// From "NAME=VALUE" strings, the last one null. `said` gets a line for each variable that is no good, which then counts as not set.
Environment read_environment(const char* const* variables, std::vector<std::string>& said);

/// "NAME=VALUE: expected EXPECTED; INSTEAD".
std::string bad_value(const std::string& name, const std::string& value, const std::string& expected, const std::string& instead);
/// "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

/// This process's: read at first use and never changed afterwards; what is wrong is said on stderr.
const Environment& environment();
/// 0, 1, ..: devices of this process, consecutive or concurrent, do not share a file of PUMICE_TRACE.
uint32_t next_recording();

}  // namespace pumice::icd
