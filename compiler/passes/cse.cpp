// SPDX-License-Identifier: MIT
/// Common subexpressions: a pure instruction equal to one that dominates it becomes a copy.
#include <algorithm>
#include <bit>
#include <map>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

using Key = std::vector<uint32_t>;

Key key_of(const Module& m, const Instruction& in) {
  const Value& v = m.value(in.result);
  Key key{
      uint32_t(in.op),       uint32_t(v.type),       v.comps,  uint32_t(in.saturate) | uint32_t(in.precise) << 1 | uint32_t(in.dref) << 2,
      uint32_t(in.tex_kind), uint32_t(in.parameter), in.index, in.offset,
      in.max_index};
  for (unsigned i = 0; i < v.comps && in.op == Op::constant; ++i) key.push_back(std::bit_cast<uint32_t>(in.constant[i]));
  std::vector<Key> sources;
  for (unsigned i = 0; i < in.source_count; ++i) {
    const Source& s = in.source[i];
    Key k{s.value, uint32_t(s.abs) | uint32_t(s.negate) << 1};
    for (unsigned lane = 0; lane < source_lanes(m, in, i); ++lane) k.push_back(s.swizzle[lane]);
    sources.push_back(k);
  }
  const bool commutes = in.op == Op::add || in.op == Op::mul || in.op == Op::mad || in.op == Op::seq || in.op == Op::sne ||
                        (in.op >= Op::dot2 && in.op <= Op::dot4);
  if (commutes && sources[1] < sources[0]) std::swap(sources[0], sources[1]);
  for (const Key& k : sources) key.insert(key.end(), k.begin(), k.end());
  return key;
}

class Eliminator {
 public:
  explicit Eliminator(Module& m) : m_(m) {}
  bool run() {
    list(m_.body);
    return changed_;
  }

 private:
  void list(NodeList& nodes) {
    std::vector<Key> scope;
    for (Node& node : nodes) {
      for (Instruction& in : node.instructions) {
        if (!in.result || !info(in.op).pure) continue;
        if (in.op == Op::mov) continue;
        Key key = key_of(m_, in);
        const auto [it, added] = known_.try_emplace(key, in.result);
        if (added) {
          scope.push_back(std::move(key));
          continue;
        }
        const ValueId earlier = it->second;
        in = Instruction{.op = Op::mov, .source_count = 1, .result = in.result};
        in.source[0] = read(m_, earlier);
        changed_ = true;
      }
      list(node.then_list);
      list(node.else_list);
    }
    for (const Key& key : scope) known_.erase(key);
  }

  Module& m_;
  std::map<Key, ValueId> known_;
  bool changed_ = false;
};

}  // namespace

bool eliminate_common(Context& c) { return Eliminator(c.module).run(); }

}  // namespace pumice::compiler::passes
