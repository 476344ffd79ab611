// SPDX-License-Identifier: MIT
/// Draws primitives on several threads, with the result of drawing them one after another.
///
/// Primitives are collected; then every thread draws all of them, but only the scanlines it owns. Lines of one image are
/// disjoint memory, so nothing is shared between threads and the order within a line is the order of the commands.
/// Whatever breaks that (another image, overlapping images, columns beyond the width, 8-bit images whose
/// ninth bits belong to pairs) is drawn alone.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hw/rdp/draw.h"
#include "hw/rdp/fast/painter.h"

namespace pumice::hw::rdp {

class Scheduler {
 public:
  explicit Scheduler(Rdram& ram) : ram_(ram) {}
  ~Scheduler() { stop(); }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  void set_threads(unsigned n);
  Execution execution = Execution::simd;

  /// Takes a primitive with the state and TMEM it is to be drawn with. Returns what would hang the chip.
  Fault draw(const std::shared_ptr<const State>& state, const std::shared_ptr<const Tmem>& tmem, const Primitive& primitive);
  /// Everything is in memory afterwards.
  void flush();
  /// The same, if something waits that may write to these bytes.
  void flush_range(uint64_t first, uint64_t end);

 private:
  struct Job {
    std::shared_ptr<const State> state;
    std::shared_ptr<const Tmem> tmem;
    Primitive primitive;
  };
  /// Bytes, end exclusive.
  struct Range {
    uint64_t first = 0, end = 0;
    bool overlaps(const Range& o) const { return first < o.end && o.first < end; }
  };
  /// The images that all waiting primitives draw to.
  struct Images {
    uint32_t address = 0, size = 0, width = 0, z_address = 0;
    bool operator==(const Images&) const = default;
  };

  static constexpr size_t kMaxJobs = 256;
  static Images images_of(const State& s) { return {s.color_image.address, s.color_image.size, s.color_image.width, s.z_address}; }
  bool separable(const State& s, const Primitive& p, int last_line) const;
  void run(unsigned index, unsigned count);
  void worker(unsigned index);
  void stop();

  Rdram& ram_;
  std::vector<Job> jobs_;
  Images images_;
  Range color_, depth_;  // what waiting primitives may touch
  uint64_t lines_ = 0;

  std::vector<fast::Painter> painters_{1};  // one for each thread, the caller's first
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  uint64_t generation_ = 0;
  unsigned running_ = 0;
  bool quit_ = false;
};

}  // namespace pumice::hw::rdp
