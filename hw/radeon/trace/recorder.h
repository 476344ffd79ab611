// SPDX-License-Identifier: MIT
/// Records what a chip executes (docs/trace.md): an observer that keeps a shadow of the replayer's memory, and before the chip reads
/// memory writes the differences from the shadow into the trace.
#pragma once
#include <algorithm>
#include <mutex>

#include "hw/radeon/cp/observer.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/trace/ranges.h"
#include "hw/radeon/trace/touched.h"
#include "hw/radeon/trace/writer.h"

namespace pumice::hw::trace {

/// Addresses of the file have 32 bits. Drivers of chips with wider ones place everything below (icd: packets of the R5xx reach no further).
inline constexpr uint64_t kMostSpace = 1ull << 32;

class Recorder final : public Observer {
 public:
  /// Null, after a report, when the file cannot be written or cannot hold the chip's addresses.
  static std::unique_ptr<Recorder> create(const GpuConfig& config, Memory& memory);
  ~Recorder() override;

  /// Host side, any thread.
  bool map(GpuAddress address, uint64_t size);
  bool map_file(GpuAddress address, uint64_t size, int fd);
  void unmap(GpuAddress address, uint64_t size);

  void begin_packet(const Where& where, std::span<const uint32_t> packet) override;
  void begin_register(uint32_t offset, uint32_t value) override;
  void end_step(bool stopped) override;
  void reads(const Rows& rows) override;
  void writes(const Rows& rows) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void dispatch(const DrawContext& ctx) override;
  uint64_t clock(uint64_t now) override;
  void settled() override;
  void signals() override;
  void waited(GpuAddress address) override;
  void reset(bool everything) override;

 private:
  Recorder(const GpuConfig& config, Memory& memory) : config_(config), memory_(memory), space_(std::min(memory.space(), kMostSpace)) {}
  /// A change of the memory map, not yet in the trace because a step is under way that may still use what was there.
  struct Change {
    Kind kind;
    uint32_t address, pages;
  };
  void announce();  ///< touched_
  // All with mutex_ held.
  void begin_step();
  void check(const Rows& rows);
  void compare(uint64_t begin, uint64_t end);
  void record_bytes(uint64_t begin, uint64_t end);
  void absorb();
  void write_changes();
  void change(Kind kind, GpuAddress address, uint64_t size);
  void record(Kind kind, std::span<const uint32_t> numbers, std::span<const std::byte> bytes = {});
  void stop();

  const GpuConfig& config_;
  Memory& memory_;
  const uint64_t space_;  ///< of the address space, what the file can name
  std::mutex mutex_;
  std::unique_ptr<Writer> writer_;  ///< null: the recording has ended
  std::byte* shadow_ = nullptr;     ///< the address space as the replayer has it
  uint32_t depth_ = 0;              ///< steps under way, one inside the other
  Ranges checked_;                  ///< in this step: equal in the shadow, or the chip's
  Ranges pending_;                  ///< written by the chip, not yet in the shadow
  Ranges unknown_;                  ///< what a stopped step may have written
  Digest digest_;                   ///< of what this step wrote
  std::vector<Change> changes_;
  std::vector<Rows> seen_reads_, seen_writes_;  ///< the last ones, to pass over at once
  Touched touched_;
};

}  // namespace pumice::hw::trace
