// SPDX-License-Identifier: MIT
/// See following_draws.h.
#include "hw/radeon/cp/following_draws.h"

#include <algorithm>

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

/// Whether numbers of vertices stay without wrapping.
bool may_move(const FollowingDraw& draw, uint32_t distance) {
  constexpr uint32_t kFar = 1u << 30;
  return distance == 0 || (distance < kFar && draw.base_vertex < kFar && !(draw.index_dwords && draw.vf_cntl.INDEX_SIZE()));
}

}  // namespace

bool MovedBuffers::write(uint32_t offset, std::span<const uint32_t> values) {
  for (uint32_t at = (offset - regs::r5x::X_VTX_BUFFER_LO::offset) / 4; const uint32_t value : values) {
    const uint32_t number = at / 4, word = at++ % 4;
    if (word == kWords) return false;  // the stride
    auto* const end = buffers_.begin() + count_;
    auto* b = std::find_if(buffers_.begin(), end, [&](const Buffer& x) { return x.number == number; });
    if (b == end) {
      if (count_ == kMost) return false;
      b->number = number;
      for (uint32_t k = 0; k < kWords; ++k) b->before[k] = state_.raw(regs::r5x::X_VTX_BUFFER_LO::at(number) + 4 * k);
      b->now = b->kept = b->before;
      ++count_;
    }
    b->now[word] = value;
  }
  return true;
}

std::optional<uint32_t> MovedBuffers::distance() const {
  if (!count_) return 0;
  std::optional<uint32_t> all;
  for (const Buffer& b : std::span(buffers_).first(count_)) {
    const auto address = [](const std::array<uint32_t, kWords>& w) {
      return GpuAddress{w[0]} | GpuAddress{regs::r5x::X_VTX_BUFFER_HI{w[1]}.ADDRESS()} << 32;
    };
    const uint64_t by = address(b.now) - address(b.before), stride = state_.raw(regs::r5x::X_VTX_BUFFER_STRIDE::at(b.number));
    if (by > b.before[2] || b.now[2] != b.before[2] - by) return {};
    if (by && (stride == 0 || by % stride != 0)) return {};
    const auto vertices = static_cast<uint32_t>(by ? by / stride : 0);
    if (all && *all != vertices) return {};
    all = vertices;
  }
  return all.value_or(0);
}

bool MovedBuffers::keep(uint32_t distance) {
  if (has_moved_ && kept_ != count_) return false;
  has_moved_ |= distance != 0;
  kept_ = count_;
  for (Buffer& b : std::span(buffers_).first(count_)) b.kept = b.now;
  return true;
}

uint32_t MovedBuffers::kept_mask() const {
  uint32_t mask = 0;
  for (const Buffer& b : std::span(buffers_).first(has_moved_ ? kept_ : 0)) mask |= 1u << b.number;
  return mask;
}

uint32_t find_following(Words done, Words next, const ChipState& state, MovedBuffers& moved, FollowingDraws& out) {
  out.clear();
  const Form form = form_of(done);
  if (!form.dwords || form.vf_cntl.USE_ALT_NUM_VERTS()) return 0;
  const uint32_t begin = form.dwords == 2 ? kCounted : kIndexed;
  uint32_t base_vertex = state.get<regs::r5x::X_DRAW_BASE_VERTEX>().raw, number = state.get<regs::r5x::X_DRAW_NUMBER>().raw;
  uint32_t used = 0;
  size_t known = 0;  // bindings of the draws that were found
  bool moves = false;
  while (out.draws.size() < kMostFollowing) {
    uint32_t at = used;
    bool plain = true;
    while (plain && next.size() > at) {
      const bool bindings = writes_bindings(next[at]);
      if (!bindings && !writes_vertex_buffers(next[at])) break;
      const regs::PM4_TYPE0_HEADER header{next[at]};
      const uint32_t count = header.COUNT() + 1, offset = header.BASE_INDEX() * 4;
      plain = next.size() > at + count && (bindings || moved.write(offset, next.subspan(at + 1, count)));
      for (uint32_t i = 0; plain && bindings && i < count; ++i) out.bindings.push_back({offset + 4 * i, next[at + 1 + i]});
      at += 1 + count;
    }
    if (!plain) break;
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
    const std::optional<uint32_t> distance = moved.distance();
    if (!distance || !may_move(draw, *distance) || ((moves || *distance) && !out.bindings.empty()) || !moved.keep(*distance)) break;
    moves |= *distance != 0;
    draw.moved = *distance;
    draw.bindings = static_cast<uint32_t>(out.bindings.size() - known), known = out.bindings.size();
    used = draw.end = at + form.dwords;
    out.draws.push_back(draw);
  }
  out.bindings.resize(known);
  return used;
}

}  // namespace pumice::hw
