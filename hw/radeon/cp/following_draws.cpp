// SPDX-License-Identifier: MIT
/// See following_draws.h.
#include "hw/radeon/cp/following_draws.h"

namespace pumice::hw {

namespace {

using Words = std::span<const uint32_t>;
using Vf = regs::VAP_VF_CNTL;
using namespace following;

/// The packets that a draw has, if it is one of those that can be followed.
struct Form {
  Vf vf_cntl;
  uint32_t dwords = 0, destination = 0;  ///< destination: first dword of INDX_BUFFER
};

Form form_of(Words done) {
  const size_t n = done.size();
  if (n >= 2 && done[n - 2] == kCounted) {
    const Vf vf{done[n - 1]};
    if (vf.PRIM_WALK() == Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY) return {vf, 2, 0};
  }
  if (n >= 6 && done[n - 4] == kIndices && done[n - 6] == kIndexed) {
    const regs::PM4_INDX_BUFFER_DW0 to{done[n - 3]};
    const Vf vf{done[n - 5]};
    if (!to.SKIP() && vf.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY) return {vf, 6, to.raw};
  }
  return {};
}

}  // namespace

uint32_t find_following(Words done, Words next, uint32_t base_vertex, uint32_t number, std::vector<FollowingDraw>& out) {
  out.clear();
  const Form form = form_of(done);
  if (!form.dwords || form.vf_cntl.USE_ALT_NUM_VERTS()) return 0;
  const uint32_t begin = form.dwords == 2 ? kCounted : kIndexed;
  uint32_t used = 0;
  while (out.size() < kMostFollowing) {
    uint32_t at = used;
    if (next.size() >= at + 3 && next[at] == kBoth) base_vertex = next[at + 1], number = next[at + 2], at += 3;
    if (next.size() >= at + 2 && next[at] == kBaseVertex) base_vertex = next[at + 1], at += 2;
    if (next.size() >= at + 2 && next[at] == kNumber) number = next[at + 1], at += 2;
    if (next.size() < at + form.dwords || next[at] != begin) break;
    const Vf vf{next[at + 1]};
    const uint32_t vertices = vf.NUM_VERTICES();
    if (Vf{vf}.NUM_VERTICES(0).raw != Vf{form.vf_cntl}.NUM_VERTICES(0).raw || !vertices || vertices > kMostFollowingVertices) break;
    FollowingDraw draw{.vf_cntl = vf, .base_vertex = base_vertex, .number = number, .at = at};
    if (form.dwords == 6) {
      if (next[at + 2] != kIndices || next[at + 3] != form.destination) break;
      draw.indices = next[at + 4] & ~3u, draw.index_dwords = next[at + 5];
      if (draw.index_dwords != (vf.INDEX_SIZE() ? vertices : (vertices + 1) / 2)) break;
    }
    out.push_back(draw);
    used = at + form.dwords;
  }
  return used;
}

}  // namespace pumice::hw
