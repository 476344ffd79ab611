// SPDX-License-Identifier: MIT
/// Memory of programs: code and literals of pipelines, in chunks that many share. Thread safe.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "icd/gpu_heap.h"

namespace pumice::icd::r5x {

class CodeHeap;

/// Free pieces of memory: address, bytes.
using CodePieces = std::map<hw::GpuAddress, uint64_t>;

/// A program in memory as X_*_CODE describes it; frees its memory.
class CodeRange {
 public:
  CodeRange() = default;
  CodeRange(CodeRange&& o) noexcept
      : address(std::exchange(o.address, 0)),
        size(o.size),
        rsrc(o.rsrc),
        heap_(std::exchange(o.heap_, nullptr)),
        piece_(std::move(o.piece_)) {}
  CodeRange& operator=(CodeRange&& o) noexcept {
    std::swap(address, o.address);
    std::swap(size, o.size);
    std::swap(rsrc, o.rsrc);
    std::swap(heap_, o.heap_);
    std::swap(piece_, o.piece_);
    return *this;
  }
  ~CodeRange();

  hw::GpuAddress address = 0;
  uint32_t size = 0, rsrc = 0;  ///< words of X_*_CODE_SIZE and _RSRC

 private:
  friend class CodeHeap;
  CodeHeap* heap_ = nullptr;
  CodePieces::node_type piece_;  ///< its entry in the free list: returning it allocates nothing
};

class CodeHeap {
 public:
  explicit CodeHeap(GpuHeap& heap) : heap_(heap) {}
  /// Throws OutOfDeviceMemory.
  CodeRange load(const compiler::XProgram& program);
  /// Whether memory that held another program has been written since the last call, or this is the first: the chip must drop
  /// programs cached by address before it runs a new one.
  bool take_reused() { return reused_.exchange(false, std::memory_order_acq_rel); }

 private:
  friend class CodeRange;
  static constexpr uint32_t kChunk = 256 << 10, kUnit = 64;
  void free(CodePieces::node_type piece);

  GpuHeap& heap_;
  std::mutex mutex_;
  std::vector<GpuRange> chunks_;
  CodePieces fresh_, used_before_;  ///< never written; written before
  std::atomic<bool> reused_ = true;
};

}  // namespace pumice::icd::r5x
