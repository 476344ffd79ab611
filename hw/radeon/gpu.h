// SPDX-License-Identifier: MIT
/// The facade of the chip: everything a driver may touch. As with a real board there are four wires only:
/// memory both sides see, register reads and writes, the ring write pointer (a register), and an interrupt line.
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

/// The words for executors and instruction sets, of switches of the driver and of tools.
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

/// Sets executor and cpu (the words above) and threads (1 to kMaxThreads) from words; an empty word changes nothing.
/// Returns what is wrong with them (also that this processor lacks the instruction set), empty when nothing is. What is wrong is not set.
/// lacking: true when the words are good but this processor lacks the instruction set.
std::string set_execution(GpuConfig& config, const std::string& executor, const std::string& threads, const std::string& cpu,
                          bool* lacking = nullptr);

/// A command stream in words: each packet with its dword position in front, and a line for each register it writes or thing it does, as
/// the profile's register table names them. Says so where a packet is cut off.
std::string dump_stream(Profile profile, std::span<const uint32_t> words);

class Gpu {
 public:
  /// Returns null when the address space (Capabilities::address_bits) cannot be reserved or config.cpu is not available(), and, with a report,
  /// when config.profile is no chip.
  static std::unique_ptr<Gpu> create(const GpuConfig& config);
  virtual ~Gpu() = default;

  /// Backs [address, address+size) with zeroed memory. Both are multiples of page_size(). False when out of host memory,
  /// when the range is partly backed already, or when it leaves the chip's address space.
  virtual bool map(GpuAddress address, uint64_t size) = 0;
  /// Takes the backing away again; later accesses fault. The chip must be idle with respect to the range.
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
