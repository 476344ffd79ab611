// SPDX-License-Identifier: MIT
/// The facade of the chip: everything a driver may touch. As with a real board there are four wires only:
/// memory both sides see, register reads and writes, the ring write pointer (a register), and an interrupt line.
/// Follows cp-pm4 s.1 for the registers behind mmio_read/mmio_write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace pumice::hw {

/// Which documents the model obeys. A strict profile (r300, r500) rejects whatever its documents do not have.
enum class Profile : uint8_t { r300, r500, r5x };

/// A byte address in the chip's 32-bit address space. Page 0 is never backed.
using GpuAddress = uint32_t;

enum class ReportKind : uint8_t {
  vm_fault,      ///< access to memory that is not backed: read as zero, write dropped
  bad_packet,    ///< malformed or unknown packet: skipped
  bad_register,  ///< write to an address that holds no register on this profile, or a reserved encoding used
  trace,         ///< recording (GpuConfig::trace) cannot begin or has ended early; the chip goes on
  lockup,        ///< the watchdog stopped an endless program or wait; the chip is hung until soft_reset()
};

/// One thing that went wrong, in words that name the packet, register or instruction that did it.
struct Report {
  ReportKind kind;
  std::string text;
};

/// Who executes draws. Results are the same to the bit.
enum class ExecutorKind : uint8_t {
  fast,   ///< hw/fast; machines other than x86-64 have the reference only
  ref,    ///< the scalar reference blocks
  check,  ///< both, draw by draw: the first difference is reported as a lockup that names draw, pixel and surface
};
/// Which instruction set the fast executor uses.
enum class CpuChoice : uint8_t { best, portable, avx2, avx512 };

/// The words for them, of switches of the driver and of tools.
template <class T>
struct ExecutionWord {
  const char* word;
  T value;
};
inline constexpr ExecutionWord<ExecutorKind> kExecutorWords[] = {
    {"fast", ExecutorKind::fast}, {"ref", ExecutorKind::ref}, {"check", ExecutorKind::check}};
inline constexpr ExecutionWord<CpuChoice> kCpuWords[] = {
    {"portable", CpuChoice::portable}, {"avx2", CpuChoice::avx2}, {"avx512", CpuChoice::avx512}};
/// Most threads of an executor.
inline constexpr uint32_t kMaxThreads = 256;

struct GpuConfig {
  Profile profile = Profile::r500;
  /// Called on the chip's thread. May be empty. Must not call back into the Gpu.
  std::function<void(const Report&)> on_report;
  /// Called on the chip's thread when GEN_INT_STATUS fires an enabled interrupt. May be empty.
  std::function<void()> on_interrupt;
  /// Upper bound of shader instructions (US and PVS together, per draw) before the watchdog calls it a lockup.
  uint64_t instruction_limit = 1ull << 34;
  ExecutorKind executor = ExecutorKind::fast;
  /// Threads of the fast executor that draw, the chip's own among them; 0: one a processor.
  uint32_t threads = 0;
  /// What the machine lacks is replaced by the best it has.
  CpuChoice cpu = CpuChoice::best;
  /// Generated routines tell their names to perf (/tmp/perf-PID.map) and to gdb (its JIT interface).
  bool names_for_perf = false, names_for_gdb = false;
  /// File to record into (docs/trace.md); empty: none. Where somebody else is recording, the name gets a number.
  std::string trace;
  uint32_t trace_number = 0;  ///< the first to try: 1 is `trace`.1; 0 is no number
  uint64_t trace_limit = 0;   ///< bytes; 0: none
};

/// A NOP packet with this payload says that a picture is finished; recordings name it (docs/trace.md, "Labels").
struct PictureLabel {
  static constexpr uint32_t kMagic = 0x4C435042;  ///< "BPCL"
  uint32_t magic = kMagic;
  GpuAddress address = 0;  ///< of a linear surface with four bytes a pixel
  uint32_t pitch_bytes = 0;
  uint32_t width_height = 0;  ///< width | height << 16
  uint32_t order = 0;         ///< of the bytes in a pixel; 0: B G R A, 1: R G B A
};

/// Sets executor and cpu (the words above) and threads (1 to kMaxThreads) from words; an empty word changes nothing.
/// Returns what is wrong with them, empty when nothing is.
std::string set_execution(GpuConfig& config, const std::string& executor, const std::string& threads, const std::string& cpu);

/// A command stream in words: each packet with its dword position in front, and a line for each register it writes or thing it does, as
/// the profile's register table names them. Says so where a packet is cut off.
std::string dump_stream(Profile profile, std::span<const uint32_t> words);

class Gpu {
 public:
  /// Returns null when the 4 GiB of address space cannot be reserved.
  static std::unique_ptr<Gpu> create(const GpuConfig& config);
  virtual ~Gpu() = default;

  /// Backs [address, address+size) with zeroed memory. Both are multiples of page_size(). False when out of host memory,
  /// when the range is partly backed already, or when it leaves the 32-bit space.
  virtual bool map(GpuAddress address, uint64_t size) = 0;
  /// Takes the backing away again; later accesses fault. The chip must be idle with respect to the range.
  virtual void unmap(GpuAddress address, uint64_t size) = 0;
  /// The host's view of address. Valid for the backed bytes that follow it, stable until unmap().
  virtual std::byte* host_pointer(GpuAddress address) = 0;
  static constexpr uint64_t page_size() { return 4096; }

  /// Register access from the host, dword aligned byte offset 0..0xFFFC. Writes to the CP's ring registers take effect at once;
  /// other writes are for an idle chip. Thread safe.
  virtual uint32_t mmio_read(uint32_t offset) = 0;
  virtual void mmio_write(uint32_t offset, uint32_t value) = 0;

  /// True after a lockup; the ring is not consumed any more.
  virtual bool hung() const = 0;
  /// RBBM_SOFT_RESET of everything: registers to reset values, ring pointers to 0, hung() false. Waits for the chip's thread to stop.
  virtual void soft_reset() = 0;
};

}  // namespace pumice::hw
