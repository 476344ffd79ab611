// SPDX-License-Identifier: MIT
/// The facade of the chip: everything a driver may use. As with a real board there are four connections only:
/// shared memory, register reads and writes, the ring write pointer (a register), and an interrupt line.
/// Follows cp-pm4 s.1 for the registers behind mmio_read/mmio_write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "hw/extents.h"
#include "hw/types.h"

namespace pumice::hw {

/// The names of executors and instruction sets, as used in options of the driver and of tools.
template <class T>
struct ExecutionWord {
  const char* word;
  T value;
};
inline constexpr ExecutionWord<ExecutorKind> kExecutorWords[] = {
    {"fast", ExecutorKind::fast}, {"ref", ExecutorKind::ref}, {"check", ExecutorKind::check}};
inline constexpr ExecutionWord<CpuChoice> kCpuWords[] = {
    {"portable", CpuChoice::portable}, {"avx2", CpuChoice::avx2}, {"avx512", CpuChoice::avx512}};
/// Maximum number of threads of an executor.
inline constexpr uint32_t kMaxThreads = 256;

/// Sets executor and cpu (the names above) and threads (1 to kMaxThreads) from strings; an empty string changes nothing.
/// Returns an error text (also if this processor lacks the instruction set), empty on success. Invalid values are not set.
/// lacking: true when the strings are valid but this processor lacks the instruction set.
std::string set_execution(Execution& config, const std::string& executor, const std::string& threads, const std::string& cpu,
                          bool* lacking = nullptr);

/// A command stream as text: each packet prefixed with its dword position, and one line per register write or other effect, with names
/// from the profile's register table. Truncated packets are marked.
std::string dump_stream(Profile profile, std::span<const uint32_t> words);

class Gpu {
 public:
  /// Returns null when the address space (Capabilities::address_bits) cannot be reserved or config.cpu is not available(), and, with a
  /// report, when config.profile is not a valid chip.
  static std::unique_ptr<Gpu> create(const GpuConfig& config);
  virtual ~Gpu() = default;

  /// Backs [address, address+size) with zeroed memory. Both are multiples of page_size(). False when out of host memory,
  /// when the range is partly backed already, or when it leaves the chip's address space.
  virtual bool map(GpuAddress address, uint64_t size) = 0;
  /// As map(), but the memory is that of the file `fd` (a memfd) from its beginning, shared with all who map it: what it holds is kept.
  /// The descriptor may be closed afterwards; the file must not become shorter than `size`. False also when the file cannot be mapped.
  virtual bool map_file(GpuAddress address, uint64_t size, int fd) = 0;
  /// Removes the backing; later accesses fault. The chip must be idle with respect to the range.
  virtual void unmap(GpuAddress address, uint64_t size) = 0;
  /// The host's view of address. Valid for the backed bytes that follow it, stable until unmap().
  virtual std::byte* host_pointer(GpuAddress address) = 0;
  static constexpr uint64_t page_size() { return kPageBytes; }

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
