// SPDX-License-Identifier: MIT
/// Chips with memory: loads of neighbouring words from one address become one load of up to four (a struct's members, elements of an
/// unrolled loop). The first in the block takes the others' words; loads of memory that may be written stay behind what may write it.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr size_t kReach = 256;  // instructions looked at behind a load

class Merger {
 public:
  explicit Merger(Module& m) : m_(m) {}
  bool run() {
    list(m_.body);
    return changed_;
  }

 private:
  static bool is_load(const Instruction& in) {
    const bool loads = in.op == Op::load_const || in.op == Op::load_buffer || in.op == Op::load_pushed || in.op == Op::load_shared ||
                       in.op == Op::load_scratch;
    return loads && in.access().width == 0 && !(in.access().flags & Access::kCoherent);
  }
  /// Something that loads of `op` must not move across.
  static bool stops(Op op, Op load) {
    if (load == Op::load_const || load == Op::load_pushed) return false;
    if (op == Op::barrier || op == Op::fence) return true;
    switch (load) {
      case Op::load_shared: return op == Op::store_shared || op == Op::atomic_shared;
      case Op::load_scratch: return op == Op::store_scratch;
      default: return has_effect(op);
    }
  }
  static bool same_source(const Source& a, const Source& b) { return a.value == b.value && a.swizzle[0] == b.swizzle[0]; }
  bool same_place(const Instruction& a, const Instruction& b) const {
    if (a.op != b.op || a.index != b.index || a.source_count != b.source_count || a.constant.bits != b.constant.bits) return false;
    if (info(m_.value(a.result).type).cls != info(m_.value(b.result).type).cls) return false;
    for (unsigned i = 0; i < a.source_count; ++i)
      if (!same_source(a.source[i], b.source[i])) return false;
    return true;
  }

  void block(Vec<Instruction>& all) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (!is_load(all[i])) continue;
      uint32_t low = all[i].offset, high = low + 4 * m_.comps(all[i].result);
      if (high < low || high - low == 16) continue;
      Vec<size_t> group{i};
      // Neighbours above and below, as long as the window is four words: each round finds what touches it.
      for (bool grown = true; grown && high - low < 16;) {
        grown = false;
        for (size_t k = i + 1; k < std::min(all.size(), i + kReach) && !stops(all[k].op, all[i].op); ++k) {
          const Instruction& other = all[k];
          if (!is_load(other) || !same_place(all[i], other) || std::find(group.begin(), group.end(), k) != group.end()) continue;
          const uint32_t first = other.offset, last = first + 4 * m_.comps(other.result);
          if (last < first || first > high || last < low) continue;
          const uint32_t l = std::min(low, first), h = std::max(high, last);
          if (h - l > 16) continue;
          low = l;
          high = h;
          group.push_back(k);
          grown = true;
        }
      }
      if (group.size() < 2) continue;
      Instruction wide = all[i];
      wide.offset = low;
      wide.result = m_.new_value(m_.value(all[i].result).type, (high - low) / 4);
      for (size_t k : group) {
        Instruction mov{.op = Op::mov, .source_count = 1, .result = all[k].result};
        mov.source[0].value = wide.result;
        const unsigned lane = (all[k].offset - low) / 4, comps = m_.comps(all[k].result);
        for (unsigned c = 0; c < 4; ++c) mov.source[0].swizzle[c] = uint8_t(lane + std::min(c, comps - 1));
        all[k] = mov;
      }
      all.insert(all.begin() + long(i), wide);
      changed_ = true;
    }
  }

  void list(NodeList& nodes) {
    for (Node& node : nodes) {
      if (node.kind == Node::Kind::block) block(node.instructions);
      list(node.then_list);
      list(node.else_list);
    }
  }

  Module& m_;
  bool changed_ = false;
};

}  // namespace

bool merge_loads(Context& c) { return c.module.memory && Merger(c.module).run(); }

}  // namespace pumice::compiler::passes
