// SPDX-License-Identifier: MIT
/// See pieces.h.
#include "hw/radeon/fast/extended/pieces.h"

#include <algorithm>

#include "hw/db/regs_r5x.h"

namespace pumice::hw::fast::extended {

using Vf = regs::VAP_VF_CNTL;

bool Pieces::can_cut(Vf vf, const ChipState& state) {
  const uint32_t type = vf.PRIM_TYPE();
  return (type == Vf::PRIM_TYPE__TRIANGLE_LIST || type == Vf::PRIM_TYPE__TRIANGLE_STRIP) &&
         !state.get<regs::r5x::X_DRAW_CTRL>().ADJACENCY();
}

Pieces::Pieces(xv::Sequence& sequence, Vf vf, uint32_t instances) : strips_(vf.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLE_STRIP) {
  sequence.for_each_run([&](std::span<const uint32_t> run) {
    if (const uint32_t n = primitives(run)) runs_.push_back(run), left_ += n;
    return true;
  });
  left_ *= instances;
}

uint32_t Pieces::primitives(std::span<const uint32_t> run) const {
  const auto vertices = static_cast<uint32_t>(run.size());
  return strips_ ? std::max(vertices, 2u) - 2 : vertices / 3;
}

void Pieces::take(uint32_t most, std::vector<Piece>& to) {
  while (most > 0 && left_ > 0) {
    const std::span<const uint32_t> run = runs_[run_];
    const uint32_t rest = primitives(run) - in_run_;
    uint32_t n = std::min(rest, most);
    if (strips_ && n < rest && n % 2 != 0 && --n == 0) return;
    const size_t first = strips_ ? in_run_ : size_t{3} * in_run_, numbers = strips_ ? n + 2 : size_t{3} * n;
    to.push_back({run.subspan(first, numbers), instance_, number_});
    most -= n, left_ -= n, in_run_ += n, number_ += n;
    if (in_run_ < primitives(run)) continue;
    in_run_ = 0;
    if (++run_ < runs_.size()) continue;
    run_ = number_ = 0;
    ++instance_;
  }
}

}  // namespace pumice::hw::fast::extended
