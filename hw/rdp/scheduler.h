// SPDX-License-Identifier: MIT
/// Draws primitives on several threads, with the result of drawing them one after another.
///
/// Primitives are collected. Then the screen is cut into bands of scanlines; every thread takes a band, draws all primitives in it,
/// and takes the next one. Lines of one image are disjoint memory, so nothing is shared between bands and the order within a
/// line is the order of the commands. Whatever breaks that (another image, overlapping images, columns beyond the width, 8-bit
/// images whose ninth bits belong to pairs) is drawn alone.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hw/rdp/draw_lines.h"
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
  PixelWatcher* watcher = nullptr;  ///< of the reference, with one thread

  /// Takes a primitive with the state and TMEM it is to be drawn with. Returns what would hang the chip.
  Fault draw(const std::shared_ptr<const State>& state, const std::shared_ptr<const Tmem>& tmem, const Primitive& primitive);
  /// Everything is in memory afterwards.
  void flush();
  /// The same, if something waits that may write to these bytes.
  void flush_range(uint64_t first, uint64_t end);

 private:
  struct Job {
    const State* state;
    const Tmem* tmem;
    LineRange lines;  // that it may touch
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

  static constexpr size_t kMaxJobs = 1024;
  static Images images_of(const State& s) { return {s.color_image.address, s.color_image.size, s.color_image.width, s.z_address}; }
  static bool separable(const State& s, const Primitive& p, int last_line);
  void draw_bands(fast::Painter& painter);
  void worker(unsigned index);
  void stop();

  Rdram& ram_;
  std::vector<Job> jobs_;
  /// What jobs point to.
  std::vector<std::shared_ptr<const State>> states_;
  std::vector<std::shared_ptr<const Tmem>> tmems_;
  Images images_;
  Range color_, depth_;  // what waiting primitives may touch
  LineRange lines_{INT32_MAX, -1};
  uint64_t line_count_ = 0;

  std::vector<fast::Painter> painters_{1};  // one for each thread, the caller's first
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  /// Bands of the flush under way; a thread that wakes up late finds none left, or the flush closed.
  int band_first_ = 0, band_height_ = 1, bands_ = 0;
  std::atomic<int> next_band_ = 0;
  uint64_t generation_ = 0;
  bool open_ = false, quit_ = false;
  unsigned running_ = 0;
};

}  // namespace pumice::hw::rdp
