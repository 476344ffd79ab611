// SPDX-License-Identifier: MIT
/// Which cells (components of temps, predicates) of an extended program may still be read, lane by lane: a lane that waits (for ELSE, ENDIF
/// or the end of a loop) resumes where its construct ends, and cells not read from there on may be overwritten while it waits. For each
/// cell also whether the bits of a NaN in it are observable.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/radeon/jit/x/cell_reads.h"
#include "hw/radeon/jit/x/structure.h"

namespace pumice::hw::fast::extended {

class Liveness : public CellReads {
 public:
  Liveness() = default;
  Liveness(std::span<const isa::us_r500::Instruction> code, const Structure& structure, uint32_t temps);

  /// Whether slot `pc` must preserve the cell's value in lanes that do not run it.
  bool matters(uint32_t pc, uint32_t cell) const { return waits(waits_live_, pc, cell) || get(crossed_.data(), cell); }
  /// Whether some lane's value may be read at or after slot `pc` (which may be the end).
  bool live(uint32_t pc, uint32_t cell) const { return get(row(live_, pc), cell) || matters(pc, cell); }
  /// ... and the bits of a NaN in it are observable.
  bool exact(uint32_t pc, uint32_t cell) const {
    return get(row(exact_, pc), cell) || waits(waits_exact_, pc, cell) || get(crossed_.data(), cell);
  }

 private:
  using Row = uint64_t;
  using Rows = std::vector<Row>;

  static bool get(const Row* r, uint32_t cell) { return r[cell / 64] >> (cell % 64) & 1u; }
  static void add(Row* r, uint32_t cell) { r[cell / 64] |= Row{1} << (cell % 64); }
  static void remove(Row* r, uint32_t cell) { r[cell / 64] &= ~(Row{1} << (cell % 64)); }
  const Row* row(const Rows& rows, size_t n) const { return rows.data() + n * words_; }
  Row* row(Rows& rows, size_t n) const { return rows.data() + n * words_; }
  bool waits(const Rows& rows, uint32_t pc, uint32_t cell) const { return get(row(rows, waiting_[pc]), cell); }

  void through(const isa::us_r500::Instruction& x, Row* live, Row* exact) const;

  uint32_t words_ = 0;
  Rows live_, exact_;              ///< before each slot, of lanes that run it
  std::vector<uint32_t> waiting_;  ///< the row of waits_* of each slot
  Rows waits_live_, waits_exact_;  ///< of lanes that wait
  Rows crossed_;                   ///< cells that lanes read from each other
};

}  // namespace pumice::hw::fast::extended
