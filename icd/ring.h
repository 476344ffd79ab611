// SPDX-License-Identifier: MIT
/// The ring of one chip (cp-pm4 s.1.2, s.6): start-up, indirect buffers, and the fences that end batches. Used by one thread at a time; see
/// queue.h for which.
#pragma once
#include <cstdint>
#include <span>

#include "icd/gpu_heap.h"

namespace pumice::icd {

class RadeonDevice;

class Ring {
 public:
  explicit Ring(RadeonDevice& device);

  /// Whether `buffers` indirect buffers and a fence fit now.
  bool has_room(size_t buffers) const;
  /// Queues an indirect buffer; waits for room. Runs at the next fence at the latest.
  void execute(hw::GpuAddress address, uint32_t dwords);
  /// Flushes the caches, then writes the next sequence number to memory and raises the interrupt. Returns the number. Waits if there is no
  /// room, which cannot happen after has_room(n) and n calls of execute().
  uint32_t fence();
  /// The number of the last fence.
  uint32_t last() const { return sequence_; }
  /// Whether the chip has passed the fence. From any thread.
  bool reached(uint32_t sequence) const;
  /// For recordings only: labels an image completed by the preceding work. Reaches the chip with the next fence at the latest.
  void label(const hw::PictureLabel& label);
  /// A fence, and its arrival. False: the device is lost.
  bool finish();
  /// The arrival of all fences.
  bool wait();

 private:
  uint32_t room() const;
  void push(std::span<const uint32_t> dwords);
  void ring_doorbell();

  RadeonDevice& device_;
  GpuRange ring_, scratch_;
  uint32_t wptr_ = 0, sequence_ = 0;
};

}  // namespace pumice::icd
