// SPDX-License-Identifier: MIT
/// The environment switches of the driver, all of them, read once. PUMICE_DEBUG=help prints this table.
#pragma once
#include <cstdint>
#include <string>

namespace pumice::icd {

/// Words of PUMICE_DEBUG.
enum class Debug : uint8_t { help, quiet, reports, packets, submit, compiler, stats, leaks, watchdog, zmask, count_ };

struct Environment {
  uint32_t debug = 0;          ///< bit per Debug
  std::string chip;            ///< PUMICE_CHIP: r500, rdp, all; empty = the default
  std::string rdram;           ///< PUMICE_RDRAM: MiB of an RDP
  std::string capture;         ///< PUMICE_CAPTURE: directory for presented frames
  std::string capture_frames;  ///< PUMICE_CAPTURE_FRAMES: a-b
  std::string exec;            ///< PUMICE_EXEC: fast, ref, check
  std::string threads;         ///< PUMICE_THREADS: a number, 0 or empty = one a processor
  std::string cpu;             ///< PUMICE_CPU: portable, avx2, avx512

  bool perf_map = false;    ///< PUMICE_PERF_MAP
  bool gdb_jit = false;     ///< PUMICE_GDB_JIT
  std::string trace;        ///< PUMICE_TRACE: file to record into
  std::string trace_limit;  ///< PUMICE_TRACE_LIMIT: MiB

  bool on(Debug flag) const { return (debug >> static_cast<unsigned>(flag)) & 1; }
};

/// Read at first use and never changed afterwards; unknown words are named on stderr.
const Environment& environment();

}  // namespace pumice::icd
