// SPDX-License-Identifier: MIT
/// Types used by all folders of hw/: the chips, addresses, reports, and how a chip is configured. Includes the table of chips only.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "hw/db/chips.h"

namespace pumice::hw {

/// A byte address in a chip's address space, whose width is the chip's (32 bits of strict chips). Page 0 is never backed.
using GpuAddress = uint64_t;

/// Memory is backed in pages of so many bytes.
inline constexpr uint64_t kPageBytes = 4096;

enum class ReportKind : uint8_t {
  vm_fault,      ///< access to memory that is not backed: read as zero, write dropped
  bad_packet,    ///< malformed or unknown packet: skipped
  bad_chip,      ///< GpuConfig::profile is no chip: none is made
  bad_register,  ///< write to an address that holds no register on this profile, or a reserved encoding used
  trace,         ///< recording (GpuConfig::trace) cannot begin or has ended early; the chip goes on
  lockup,        ///< the watchdog stopped an endless program or wait; the chip is hung until soft_reset()
};

/// One thing that went wrong, in words that name the packet, register or instruction that did it.
struct Report {
  ReportKind kind;
  std::string text;
};

/// The draw executor. Results are the same to the bit.
enum class ExecutorKind : uint8_t {
  fast,   ///< hw/radeon/fast; machines other than x86-64 have the reference only
  ref,    ///< the scalar reference blocks
  check,  ///< both, draw by draw: the first difference is reported as a lockup that names draw, pixel and surface
};
/// Which instruction set the fast executor uses.
enum class CpuChoice : uint8_t { best, portable, avx2, avx512 };
/// Whether this processor has it and its code is built (hw/common/simd/choose.h). There is no silent fallback to another one.
bool available(CpuChoice cpu);

/// Who hears of what goes wrong.
struct Listener {
  /// Called on the chip's thread. May be empty. Must not call back into the Gpu.
  std::function<void(const Report&)> on_report;
};

/// How a chip, whichever it is, is executed.
struct Execution : Listener {
  ExecutorKind executor = ExecutorKind::fast;
  /// Threads of the fast executor that draw, the chip's own among them; 0: one per processor.
  uint32_t threads = 0;
  /// Must be available().
  CpuChoice cpu = CpuChoice::best;
  /// Report the names of generated routines to perf (/tmp/perf-PID.map) and to gdb (its JIT interface).
  bool names_for_perf = false, names_for_gdb = false;
};

struct GpuConfig : Execution {
  /// There is no default chip: everyone names theirs.
  explicit GpuConfig(Profile chip, const Execution& how = {}) : Execution(how), profile(chip) {}
  Profile profile;
  /// Called on the chip's thread when GEN_INT_STATUS fires an enabled interrupt. May be empty.
  std::function<void()> on_interrupt;
  /// Blocks of a program that small primitives cover in part, before code is made that draws those of several primitives together; and
  /// draws of a vertex program with other constants each, before code is made that shades vertices of several together.
  uint32_t collect_after = 512;
  /// Primitives of a large draw that one thread makes at least; 2 or more.
  uint32_t part_primitives = 512;
  /// Upper bound of shader instructions (US and PVS together, per draw) before the watchdog calls it a lockup.
  uint64_t instruction_limit = 1ull << 34;
  /// How long a WAIT_MEM may wait before the watchdog calls it a lockup; 0: as long as it takes.
  std::chrono::milliseconds wait_limit{0};
  /// File to record into (docs/trace.md); empty: none. If another recording uses the file, a number is appended.
  std::string trace;
  uint32_t trace_number = 0;  ///< the first to try: 1 is `trace`.1; 0 is no number
  uint64_t trace_limit = 0;   ///< bytes; 0: none
};

/// A NOP packet with this payload says that a picture is finished; recordings name it (docs/trace.md, "Labels").
struct PictureLabel {
  static constexpr uint32_t kMagic = 0x4C435042;  ///< "BPCL"
  uint32_t magic = kMagic;
  uint32_t address = 0;  ///< of a linear surface with four bytes per pixel; 32 bits, as all packet fields
  uint32_t pitch_bytes = 0;
  uint32_t width_height = 0;  ///< width | height << 16
  uint32_t order = 0;         ///< of the bytes within a pixel; 0: B G R A, 1: R G B A
};

/// A NOP packet whose payload begins with this and goes on with bytes declares a shader module or a pipeline's program, in pieces that
/// follow one another (docs/trace.md, "Labels").
struct ModuleLabel {
  static constexpr uint32_t kMagic = 0x444D5042;  ///< "BPMD"
  enum class Kind : uint32_t { module = 1, program = 2 };
  uint32_t magic = kMagic;
  Kind kind = Kind::module;
  uint32_t bytes = 0;  ///< of the whole
  uint32_t first = 0;  ///< byte of this piece
};

}  // namespace pumice::hw
