// SPDX-License-Identifier: MIT
#include "compiler/pvs/lir.h"

#include <algorithm>

#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

isa::Point access(const Op& op) {
  isa::Point p;
  if (op.kind != Op::Kind::alu) return p;
  for (unsigned i = 0; i < op.sources; i++) {
    if (op.source[i].kind != VSource::Kind::reg) continue;
    for (unsigned k = 0; k < slots_read(op); k++) {
      if (op.source[i].lane[k] < 4) p.reads.push_back({op.source[i].index, op.source[i].lane[k]});
    }
  }
  for (unsigned k = 0; op.dst_kind == Op::Dst::reg && k < op.slots; k++) p.writes.push_back({op.dst, op.dst_lane[k]});
  return p;
}

/// Keeps the slots for which keep(slot) holds.
template <class Keep>
void trim(Op& op, const Keep& keep) {
  unsigned to = 0;
  for (unsigned k = 0; k < op.slots; k++) {
    if (!keep(k)) continue;
    op.dst_lane[to] = op.dst_lane[k];
    if (!op.replicated) {
      for (VSource& s : op.source) {
        s.lane[to] = s.lane[k];
        s.negate = static_cast<uint8_t>((s.negate & ~(1u << to)) | (s.negate >> k & 1u) << to);
      }
    }
    to++;
  }
  for (unsigned k = to; k < op.slots && !op.replicated; k++) {
    for (VSource& s : op.source) s.lane[k] = swz::zero, s.negate &= static_cast<uint8_t>(~(1u << k));
  }
  op.slots = static_cast<uint8_t>(to);
}

}  // namespace

Vec<isa::Point> points(const Lir& lir) {
  Vec<isa::Point> out;
  Vec<uint32_t> loops;
  for (const Op& op : lir.ops) {
    out.push_back(access(op));
    const uint32_t next = static_cast<uint32_t>(out.size());
    if (next < lir.ops.size()) out.back().next.push_back(next);
    if (op.kind == Op::Kind::loop) loops.push_back(next);
    if (op.kind == Op::Kind::endloop) {
      out.back().next.push_back(loops.back());
      loops.pop_back();
    }
  }
  return out;
}

void remove_dead(Lir& lir) {
  Vec<uint8_t> needed(lir.registers.size());
  bool address_needed = false, changed = true;
  const auto useful = [&](Op& op) {
    if (op.kind != Op::Kind::alu) return true;
    if (op.dst_kind == Op::Dst::reg) trim(op, [&](unsigned k) { return needed[op.dst] >> op.dst_lane[k] & 1; });
    return op.slots != 0 && (op.dst_kind != Op::Dst::address || address_needed);
  };
  while (changed) {  // backward sweeps: one suffices without loops
    changed = false;
    for (size_t i = lir.ops.size(); i-- > 0;) {
      Op op = lir.ops[i];
      if (op.kind != Op::Kind::alu || !useful(op)) continue;
      for (const VSource& s : op.source) address_needed |= s.kind == VSource::Kind::relative;
      for (const isa::Lane& l : access(op).reads) {
        const uint8_t bit = static_cast<uint8_t>(1u << l.lane);
        changed |= !(needed[l.reg] & bit);
        needed[l.reg] |= bit;
      }
    }
  }
  Vec<Op> kept;
  for (Op& op : lir.ops) {
    if (useful(op)) kept.push_back(op);
  }
  lir.ops = std::move(kept);
}

void write_outputs_directly(Lir& lir) {
  struct Use {
    unsigned reads = 0, writes = 0;  ///< lane reads; operations that write
    int mov = -1;                    ///< the copy to an output
  };
  Vec<Use> use(lir.registers.size());
  const auto is_output_copy = [](const Op& op) {
    return op.kind == Op::Kind::alu && op.dst_kind == Op::Dst::output && op.engine == Engine::vector &&
           op.op == regs::PVS_INST_DST::PVS_DST_OPCODE__ADD && !op.replicated && !op.saturate && op.source[0].kind == VSource::Kind::reg &&
           op.source[1].kind == VSource::Kind::none && op.source[0].negate == 0 && !op.source[0].abs;
  };
  for (size_t i = 0; i < lir.ops.size(); i++) {
    const isa::Point p = access(lir.ops[i]);
    for (const isa::Lane& l : p.reads) use[l.reg].reads++;
    if (lir.ops[i].kind == Op::Kind::alu && lir.ops[i].dst_kind == Op::Dst::reg) use[lir.ops[i].dst].writes++;
    if (is_output_copy(lir.ops[i])) use[lir.ops[i].source[0].index].mov = static_cast<int>(i);
  }
  Vec<bool> dead(lir.ops.size());
  for (size_t i = 0; i < lir.ops.size(); i++) {
    Op& op = lir.ops[i];
    if (op.kind != Op::Kind::alu || op.dst_kind != Op::Dst::reg) continue;
    const Use& u = use[op.dst];
    if (u.mov < 0 || u.reads != lir.ops[static_cast<size_t>(u.mov)].slots) continue;
    const Op mov = lir.ops[static_cast<size_t>(u.mov)];
    // Every lane goes to exactly one output channel.
    std::array<uint8_t, 4> channel{0xFF, 0xFF, 0xFF, 0xFF};
    bool plain = true;
    for (unsigned k = 0; k < mov.slots; k++) {
      uint8_t lane = mov.source[0].lane[k];
      if (lane > 3 || channel[lane] != 0xFF)
        plain = false;
      else
        channel[lane] = mov.dst_lane[k];
    }
    for (unsigned k = 0; k < op.slots; k++) plain &= channel[op.dst_lane[k]] != 0xFF;
    if (!plain) continue;
    // All writers of the register change together; they come before the copy.
    const uint32_t reg = op.dst;
    for (size_t k = i; k < lir.ops.size(); k++) {
      Op& w = lir.ops[k];
      if (w.kind != Op::Kind::alu || w.dst_kind != Op::Dst::reg || w.dst != reg) continue;
      w.dst_kind = Op::Dst::output;
      w.dst = mov.dst;
      for (unsigned n = 0; n < w.slots; n++) w.dst_lane[n] = channel[w.dst_lane[n]];
    }
    dead[static_cast<size_t>(u.mov)] = true;
  }
  Vec<Op> kept;
  for (size_t i = 0; i < lir.ops.size(); i++) {
    if (!dead[i]) kept.push_back(lir.ops[i]);
  }
  lir.ops = std::move(kept);
}

std::string print(const Lir& lir) {
  std::string text;
  for (const Op& op : lir.ops) {
    if (op.kind != Op::Kind::alu) {
      text += op.kind == Op::Kind::endloop ? "endloop\n"
                                           : "loop " + std::to_string(op.rounds) + " aL step " + std::to_string(op.index_step) + "\n";
      continue;
    }
    text += std::string(op.engine == Engine::math ? "me" : "ve") + std::to_string(op.op) + (op.saturate ? ".sat " : " ");
    text += (op.dst_kind == Op::Dst::reg ? "v" : op.dst_kind == Op::Dst::output ? "o" : "a") + std::to_string(op.dst) + ".";
    for (unsigned k = 0; k < op.slots; k++) text += "xyzw"[op.dst_lane[k] & 3];
    for (unsigned i = 0; i < op.sources; i++) {
      const VSource& s = op.source[i];
      constexpr const char* kFile[] = {"", "v", "in", "c", "c[a0]+", "c[aL]+"};
      text += std::string(", ") + (s.abs ? "|" : "") + kFile[static_cast<int>(s.kind)] +
              (s.kind == VSource::Kind::none ? "" : std::to_string(s.index) + ".");
      for (unsigned k = 0; k < slots_read(op); k++) text += std::string(s.negate >> k & 1 ? "-" : "") + "xyzw01??"[s.lane[k] & 7];
      if (s.abs) text += "|";
    }
    text += "\n";
  }
  return text;
}

}  // namespace pumice::compiler::pvs
