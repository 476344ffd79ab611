// SPDX-License-Identifier: MIT
/// The command stream writer: PM4 packets (cp-pm4 s.2, s.3) into chunks of GPU memory. A packet never straddles two chunks; a stream is the
/// list of steps, each an indirect buffer or a host step, which the queue thread runs when the chip has reached it.
#pragma once
#include <bit>
#include <bitset>
#include <cassert>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "hw/db/chips.h"
#include "hw/db/groups.h"
#include "hw/db/regs_r500.h"
#include "icd/gpu_heap.h"

namespace pumice::icd {

class RadeonDevice;
class Cs;

/// An address in the format of strict chips' registers and packets: their heap ends at 32 bits.
inline uint32_t address32(hw::GpuAddress address) {
  assert(address >> 32 == 0);
  return static_cast<uint32_t>(address);
}

/// What a host step may use: `cs` takes packets that run right after it.
struct HostContext {
  RadeonDevice& device;
  Cs& cs;
};

struct Step {
  hw::GpuAddress address = 0;
  uint32_t dwords = 0;
  std::function<void(HostContext&)> host;  ///< set: a host step, address and dwords mean nothing
};

/// Chunks of GPU memory for streams, kept for reuse. Thread safe.
class ChunkPool {
 public:
  static constexpr uint32_t kBytes = 64 << 10;
  ChunkPool(GpuHeap& heap, const hw::Capabilities& of) : chip(of), heap_(heap) {}
  GpuRange take(uint64_t bytes);
  void give(std::vector<GpuRange>& ranges);

  const hw::Capabilities& chip;  ///< whose streams these are

 private:
  GpuHeap& heap_;
  std::mutex mutex_;
  std::vector<GpuRange> free_;
};

class Cs {
 public:
  explicit Cs(ChunkPool& pool) : pool_(pool) {}
  ~Cs() { reset(); }
  Cs(const Cs&) = delete;
  Cs& operator=(const Cs&) = delete;

  const hw::Capabilities& chip() const { return pool_.chip; }
  /// Gives all memory back; the stream is empty afterwards.
  void reset();
  /// Closes the running indirect buffer. Call before reading steps().
  void close();
  const std::vector<Step>& steps() const { return steps_; }
  void host_step(std::function<void(HostContext&)> f);
  /// Runs the steps of another, closed stream at this point. The other must outlive this.
  void append(std::span<const Step> steps);

  /// The next `dwords` stay in one indirect buffer (packets that count the dwords behind them).
  void keep_together(uint32_t dwords);
  /// Room for a packet of `dwords`.
  uint32_t* reserve(uint32_t dwords);

  /// Type-0 packets. `set` always writes; `state` skips a register that already holds the value.
  template <class R>
  void set(R value, uint32_t i = 0) {
    write(R::at(i), value.raw);
  }
  template <class R>
  void state(R value, uint32_t i = 0) {
    const uint32_t index = R::at(i) / 4;
    if (stated_) stated_->push_back({index, value.raw});
    if (known_[index] && shadow_[index] == value.raw) return;
    write(R::at(i), value.raw);
  }
  template <class R>
  void set_float(float value, uint32_t i = 0) {
    write(R::at(i), std::bit_cast<uint32_t>(value));
  }
  template <class R>
  void state_float(float value, uint32_t i = 0) {
    R r;
    r.raw = std::bit_cast<uint32_t>(value);
    state(r, i);
  }
  void write(uint32_t offset, uint32_t value);
  /// Consecutive registers from `offset`.
  void run(uint32_t offset, std::span<const uint32_t> values);
  /// Every value into the same port.
  void port(uint32_t offset, std::span<const uint32_t> values);
  void packet(pm4::Op op, std::span<const uint32_t> payload);
  void packet(pm4::Op op, std::initializer_list<uint32_t> payload) {
    packet(op, std::span<const uint32_t>(payload.begin(), payload.size()));
  }

  /// A packet that only writes consecutive registers from `offset`; skipped when they already hold the values.
  void state_packet(pm4::Op op, uint32_t offset, std::span<const uint32_t> payload);

  /// A register index and its required value.
  struct Stated {
    uint32_t index, value;
  };
  /// Records the arguments of state() calls into `list` until note(nullptr).
  void note(std::vector<Stated>* list) { stated_ = list; }
  /// state() for every entry. `epoch` is kept by the caller per list: when its registers were last all known, 0 initially.
  void state_all(const std::vector<Stated>& list, uint64_t& epoch);

  /// Streams `dwords` dwords of GPU memory into a port when the packet runs (INDX_BUFFER, cp-pm4 s.5.3).
  void load_port(uint32_t offset, hw::GpuAddress from, uint32_t dwords);
  /// GUI DMA, or the 2D engine where there is none.
  void copy(hw::GpuAddress from, hw::GpuAddress to, uint64_t bytes);
  /// Of the packet of a copy() of a few bytes.
  uint32_t small_copy_dwords() const { return chip().has_gui_dma ? 4 : 7; }

  /// Memory that lives as long as the stream, for data its packets point at.
  struct Data {
    hw::GpuAddress address;
    std::byte* host;
  };
  Data data(uint64_t bytes, uint32_t align = 32);

  /// Marks the end of a barrier; at_barrier(): nothing was written since.
  void note_barrier() { barrier_ = place(); }
  bool at_barrier() const { return barrier_ == place(); }

  /// Forgets what registers hold: after foreign streams ran.
  void forget() {
    known_.reset();
    ++epoch_;
  }

 private:
  struct Bump {
    hw::GpuAddress address = 0;
    std::byte* host = nullptr;
    uint32_t at = 0, size = 0;
  };
  struct Place {
    hw::GpuAddress address;
    size_t steps;
    bool operator==(const Place&) const = default;
  };
  Place place() const { return {code_.address + code_.at, steps_.size()}; }
  Bump take(uint64_t bytes);

  ChunkPool& pool_;
  std::vector<GpuRange> ranges_;
  std::vector<Step> steps_;
  Bump code_, data_;
  uint32_t segment_ = 0;          ///< byte offset in code_ where the running indirect buffer began
  std::optional<Place> barrier_;  ///< the end of the last barrier
  uint64_t epoch_ = 1;            ///< nothing known was forgotten in it
  std::vector<Stated>* stated_ = nullptr;
  std::bitset<hw::kRegistersEnd / 4> known_;
  /// Values of known_ registers; the others are not written, so that a stream needs pages for those registers only that it sets.
  std::unique_ptr<uint32_t[]> shadow_ = std::make_unique_for_overwrite<uint32_t[]>(hw::kRegistersEnd / 4);
};

}  // namespace pumice::icd
