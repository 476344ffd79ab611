// SPDX-License-Identifier: MIT
/// A fragment program ends with copies of its results to the render targets. Where every operation that writes the copied register can
/// write the target's channels itself, the copies go.
#include <algorithm>

#include "compiler/us/lir.h"

namespace pumice::compiler::us {
namespace {

constexpr uint8_t kNowhere = 0xFF;

struct Register {
  bool read = false;          ///< by anything but plain copies to outputs
  int32_t target = -1;        ///< the one target they go to
  bool several = false;       ///< several targets, or one lane twice, or the wrong unit for the lane
  bool direct = false;        ///< what writes it writes the target now
  bool other_writer = false;  ///< written by a texture instruction
  std::array<uint8_t, 4> channel{kNowhere, kNowhere, kNowhere, kNowhere};
  unsigned copies = 0;  ///< operations that copy it to outputs
};

const VUnit& only_unit(const Op& op) { return op.rgb ? *op.rgb : *op.alpha; }

bool reads_lanes(const VSource& s, unsigned lanes) {
  return std::any_of(s.lane.begin(), s.lane.begin() + lanes, [](uint8_t l) { return l < 4; });
}

bool plain_output_copy(const Op& op) {
  // Few operations have a target at all.
  if (!((op.rgb && op.rgb->target >= 0) || (op.alpha && op.alpha->target >= 0))) return false;
  if (op.kind != Op::Kind::alu || (op.rgb && op.alpha)) return false;
  const VUnit& u = only_unit(op);
  const VSource& s = u.source[0];
  return u.omod == 7 && u.sources == 2 && s.kind == VSource::Kind::reg && s.index == u.source[1].index && !s.abs && !s.negate;
}

}  // namespace

void write_outputs_directly(Lir& lir) {
  if (std::none_of(lir.ops.begin(), lir.ops.end(), plain_output_copy)) return;
  Vec<Register> registers(lir.registers.size());
  const auto reads = [&](const VUnit& u, bool alpha) {
    for (unsigned i = 0; i < u.sources; i++) {
      if (u.source[i].kind == VSource::Kind::reg && reads_lanes(u.source[i], alpha ? 1 : u.dot ? 3 : u.slots))
        registers[u.source[i].index].read = true;
    }
  };
  for (const Op& op : lir.ops) {
    if (op.kind == Op::Kind::tex) {
      for (const VSource* s : {&op.coord, &op.dx, &op.dy}) {
        if (s->kind == VSource::Kind::reg && reads_lanes(*s, 4)) registers[s->index].read = true;
      }
      if (op.dst >= 0) registers[static_cast<size_t>(op.dst)].other_writer = true;
    }
    if (!plain_output_copy(op)) {
      if (op.rgb) reads(*op.rgb, false);
      if (op.alpha) reads(*op.alpha, true);
      continue;
    }
    const VUnit& u = only_unit(op);
    Register& r = registers[u.source[0].index];
    r.copies++;
    if (r.target >= 0 && r.target != u.target) r.several = true;
    r.target = u.target;
    for (unsigned k = 0; k < u.slots; k++) {
      const uint8_t lane = u.source[0].lane[k];
      if (lane > 3 || r.channel[lane] != kNowhere) {
        r.several = true;
        continue;
      }
      r.channel[lane] = u.dst_lane[k];
    }
  }
  bool any = false;
  for (uint32_t v = 0; v < registers.size(); v++) {
    Register& r = registers[v];
    bool possible = r.copies && !r.read && !r.several && !r.other_writer && !lir.registers[v].at_entry;
    if (!possible) continue;
    bool written = false;
    const auto each_writer = [&](const auto& visit) {
      for (Op& op : lir.ops) {
        if (op.rgb && op.rgb->dst == static_cast<int32_t>(v)) visit(*op.rgb, false);
        if (op.alpha && op.alpha->dst == static_cast<int32_t>(v)) visit(*op.alpha, true);
      }
    };
    each_writer([&](const VUnit& u, bool alpha) {
      written = true;
      for (unsigned k = 0; k < u.slots; k++) {
        const uint8_t c = r.channel[u.dst_lane[k]];
        if (c == kNowhere || (c == 3) != alpha || u.derivative) possible = false;
      }
    });
    if (!possible || !written) continue;
    each_writer([&](VUnit& u, bool) {
      u.dst = -1;
      u.target = r.target;
      for (unsigned k = 0; k < u.slots; k++) u.dst_lane[k] = r.channel[u.dst_lane[k]];
    });
    any = r.direct = true;
  }
  if (!any) return;
  erase_if(lir.ops, [&](const Op& op) { return plain_output_copy(op) && registers[only_unit(op).source[0].index].direct; });
}

}  // namespace pumice::compiler::us
