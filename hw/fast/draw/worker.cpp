// SPDX-License-Identifier: MIT
/// See worker.h.
#include "hw/fast/draw/worker.h"

#include <algorithm>

namespace pumice::hw::fast {

namespace portable {
void run_tile(Worker& w, const Bin& bin, int32_t tile_x, int32_t tile_y);
}
namespace avx2 {
void run_tile(Worker& w, const Bin& bin, int32_t tile_x, int32_t tile_y);
}
namespace avx512 {
void run_tile(Worker& w, const Bin& bin, int32_t tile_x, int32_t tile_y);
}

TileRoutine tile_routine(Cpu cpu) {
  switch (cpu) {
    case Cpu::avx512: return avx512::run_tile;
    case Cpu::avx2: return avx2::run_tile;
    default: return portable::run_tile;
  }
}

// instructions_left is written by Pool::interrupt() as well, from another thread, to end a program that runs on and on.

void end_draw(Worker& w) {
  if (!w.draw) return;
  const int64_t left = __atomic_load_n(&w.args.instructions_left, __ATOMIC_RELAXED);
  if (left != w.budget) w.draw->instructions_left.fetch_sub(w.budget - left, std::memory_order_relaxed);
  w.draw = nullptr;
}

void begin_draw(Worker& w, const Draw& draw) {
  end_draw(w);
  w.draw = &draw;
  w.budget = std::max<int64_t>(draw.instructions_left.load(std::memory_order_relaxed), 0);
  __atomic_store_n(&w.args.instructions_left, w.budget, __ATOMIC_RELAXED);
  w.args.constant = draw.constant;
  w.args.flow_constant = draw.flow_constant;
  w.args.unit = draw.unit;
  w.args.offset = w.offset;
  w.args.offset_w = &w.offset_w;
  w.args.user = &w;
}

void stop_draw(Worker& w) {
  if (w.stop->load(std::memory_order_relaxed)) return;
  uint64_t none = 0;
  w.lost_draw->compare_exchange_strong(none, w.draw->number, std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast
