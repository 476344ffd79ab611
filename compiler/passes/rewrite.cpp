// SPDX-License-Identifier: MIT
/// See rewrite.h.
#include "compiler/passes/rewrite.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pumice::compiler::passes {

using namespace ir;

const Vec<ValueId>& destinations(const Node& jump, const Node& to) { return jump.jump == Node::Jump::continue_ ? to.params : to.results; }

namespace {
void count_uses_in(const NodeList& nodes, Vec<uint32_t>& uses) {
  for (const Node& node : nodes) {
    for (const Instruction& in : node.instructions)
      for (const Source& source : in.sources()) ++uses[source.value];
    if (node.kind == Node::Kind::branch) ++uses[node.cond.value];
    for (const Source& source : node.args) ++uses[source.value];
    count_uses_in(node.then_list, uses);
    count_uses_in(node.else_list, uses);
  }
}
}  // namespace

Vec<uint32_t> count_uses(const Module& module) {
  Vec<uint32_t> uses(module.values.size());
  count_uses_in(module.body, uses);
  return uses;
}

Vec<Instruction> definitions(Module& module) {
  Vec<Instruction> defs(module.values.size());
  any_instruction(module.body, [&](const Instruction& in) {
    if (in.result) defs[in.result] = in;
    return false;
  });
  return defs;
}

const Instruction Definitions::kNone{};

void Definitions::walk(const NodeList& nodes) {
  for (const Node& node : nodes) {
    if (uses_) {
      uint32_t* uses = uses_->data();
      for (const Instruction& in : node.instructions) {
        at_[in.result] = &in;
        // The number of sources is not jumped over: it is another one each time.
        for (unsigned i = 0; i < 4; ++i) ++uses[in.source_value(i)];
      }
      if (sorts_)
        for (const Instruction& in : node.instructions) (*sorts_)[in.result] = sort_of(in.op);
    } else {
      for (const Instruction& in : node.instructions)
        if (in.result) at_[in.result] = &in;
    }
    if (uses_ && node.kind != Node::Kind::block) {
      if (node.kind == Node::Kind::branch) ++(*uses_)[node.cond.value];
      for (const Source& source : node.args) ++(*uses_)[source.value];
    }
    if (!node.then_list.empty()) walk(node.then_list);
    if (!node.else_list.empty()) walk(node.else_list);
  }
}

namespace {
/// `before`: what was replaced stays until all is done, Definitions point to it.
bool replace_in(Module& module, NodeList& nodes, const std::function<std::optional<Operand>(const Instruction&, Builder&)>& replace,
                Vec<Vec<Instruction>>& before) {
  bool changed = false;
  for (Node& node : nodes) {
    if (node.kind == Node::Kind::block) {
      NodeList out(1);
      Builder b(module, out);
      bool here = false;
      for (size_t i = 0; i < node.instructions.size(); ++i) {
        const Instruction& in = node.instructions[i];
        const auto fresh = ValueId(module.values.size());
        const std::optional<Operand> r = replace(in, b);
        if (!r) {
          if (here) out.back().instructions.push_back(in);
          continue;
        }
        if (!here) {
          // The first: what came before it stays as it is, what was appended for it comes behind.
          auto& list = out.back().instructions;
          list.reserve(node.instructions.size() + list.size() + 8);
          list.insert(list.begin(), node.instructions.begin(), node.instructions.begin() + long(i));
        }
        here = true;
        if (module.values.size() > fresh) add_mark(module, fresh, origin(module, in));
        if (!in.result) continue;
        Instruction mov{.op = Op::mov, .source_count = 1, .result = in.result};
        mov.saturate = in.saturate;
        mov.source[0] = r->source;
        out.back().instructions.push_back(mov);
      }
      if (here) before.push_back(std::exchange(node.instructions, std::move(out.back().instructions)));
      changed |= here;
    }
    changed |= replace_in(module, node.then_list, replace, before);
    changed |= replace_in(module, node.else_list, replace, before);
  }
  return changed;
}
}  // namespace

bool replace_instructions(Module& module, const std::function<std::optional<Operand>(const Instruction&, Builder&)>& replace) {
  Vec<Vec<Instruction>> before;
  const bool changed = replace_in(module, module.body, replace, before);
  if (changed) add_mark(module, ValueId(module.values.size()), nullptr);
  return changed;
}

std::optional<Lanes> fold_words_of(const Module& module, const Instruction& in, const std::array<Lanes, 4>& s) {
  Lanes r;
  if (packs(in.op)) return Lanes(std::array{eval_pack(in.op, s[0].bits), 0u, 0u, 0u});
  if (unpacks(in.op)) return Lanes(eval_unpack(in.op, s[0].bits[0]));
  if (in.op != Op::vec && (info(in.op).shape != OpInfo::Shape::cw || !is_exactly_foldable(in.op))) return std::nullopt;
  const bool boolean = module.value(in.result).type == Type::boolean;
  for (unsigned i = 0; i < module.comps(in.result); ++i) {
    uint32_t& lane = r.bits[i];
    if (in.op == Op::vec) {
      lane = s[i].bits[0];
    } else if (in.op == Op::mov) {
      lane = s[0].bits[i];
    } else if (in.op == Op::sel) {
      lane = s[s[0].bits[i] ? 1 : 2].bits[i];
    } else if (is_typed(in.op) || is_ext(in.op)) {
      lane = eval_word(in.op, {s[0].bits[i], s[1].bits[i], s[2].bits[i], s[3].bits[i]});
      if (boolean) lane &= 1;
    } else {  // a comparison of floats
      lane = eval_scalar(in.op, s[0][i], s[1][i], s[2][i]) != 0.0f;
    }
  }
  return r;
}

std::optional<std::array<float, 4>> fold_constants_of(const Module& module, const Instruction& in,
                                                      const std::array<std::array<float, 4>, 4>& s) {
  const OpInfo& op = info(in.op);
  const unsigned comps = module.comps(in.result);
  std::array<float, 4> r{};
  if (in.op == Op::vec) {
    for (unsigned i = 0; i < comps; ++i) r[i] = s[i][0];
  } else if (op.shape == OpInfo::Shape::cw) {
    if (!is_exactly_foldable(in.op)) return std::nullopt;
    for (unsigned i = 0; i < comps; ++i) {
      // Copies keep denormals and NaN bits, as the chip's do.
      if (in.op == Op::mov)
        r[i] = s[0][i];
      else if (in.op == Op::sel)
        r[i] = s[0][i] != 0.0f ? s[1][i] : s[2][i];
      else
        r[i] = eval_scalar(in.op, s[0][i], s[1][i], s[2][i]);
    }
  } else if (op.shape != OpInfo::Shape::other) {
    r[0] = eval_dot(s[0].data(), s[1].data(), source_lanes(module, in, 0));
  } else {
    return std::nullopt;
  }
  if (in.saturate)
    for (float& f : r) f = saturate(f);
  // Arithmetic of integers beyond 2^24 is left for check_exactness to see.
  const Type type = module.value(in.result).type;
  const bool copies = in.op == Op::mov || in.op == Op::vec || in.op == Op::sel || in.op == Op::min || in.op == Op::max;
  if (is_whole(type) && !copies) {
    constexpr float kExact = 16777216.0f;
    for (unsigned i = 0; i < comps; ++i)
      for (float f : {r[i], s[0][i], s[1][i], s[2][i]})
        if (std::fabs(f) > kExact) return std::nullopt;
  }
  return r;
}

unsigned count_instructions(const NodeList& nodes) {
  unsigned n = 0;
  for (const Node& node : nodes)
    n += unsigned(node.instructions.size()) + count_instructions(node.then_list) + count_instructions(node.else_list);
  return n;
}

bool leaves_loop(const NodeList& nodes) {
  for (const Node& node : nodes) {
    if (node.kind == Node::Kind::jump && node.jump != Node::Jump::yield) return true;
    if (node.kind == Node::Kind::branch && (leaves_loop(node.then_list) || leaves_loop(node.else_list))) return true;
  }
  return false;
}

}  // namespace pumice::compiler::passes
