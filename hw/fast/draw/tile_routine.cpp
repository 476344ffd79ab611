// SPDX-License-Identifier: MIT
/// Chooses among the instruction sets' copies of tile_simd.cpp.
#include "hw/fast/draw/worker.h"

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

}  // namespace pumice::hw::fast
