// SPDX-License-Identifier: MIT
/// Results of loops that need no copies: those that are a variable of the loop at every break. The result is then another name of the
/// variable's register, for lanes that have left keep what they had in it.
///
/// Only where all lanes leave together: lanes that stay would have to leave the registers of the others alone, so that each write of the
/// variable waits for the test (an escape-time fractal ran 1.5 times as long); a copy before the test waits for nothing.
#include <algorithm>
#include <functional>

#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

namespace {

/// Calls visit(args) for the jumps of that kind of the loop whose body (or arm of a branch in it) `list` is.
void for_jumps(const ir::NodeList& list, ir::Node::Jump kind, const std::function<void(const Vec<ir::Source>&)>& visit) {
  for (const ir::Node& n : list) {
    if (n.kind == ir::Node::Kind::jump && n.jump == kind) visit(n.args);
    if (n.kind != ir::Node::Kind::branch) continue;
    for_jumps(n.then_list, kind, visit);
    for_jumps(n.else_list, kind, visit);
  }
}

/// Whether the ways out of a loop and to its next round are the same for all lanes that are in it.
class Together {
 public:
  Together(const ir::Node& loop, const isa::Places& places) : loop_(loop), places_(places) {}
  bool leaves() const { return jumps_are_uniform(loop_.then_list, true); }

 private:
  /// `uniform`: all lanes come here. Jumps of loops inside are their own.
  bool jumps_are_uniform(const ir::NodeList& list, bool uniform) const {
    return std::all_of(list.begin(), list.end(), [&](const ir::Node& n) {
      if (n.kind == ir::Node::Kind::jump) return uniform || n.jump == ir::Node::Jump::yield;
      if (n.kind != ir::Node::Kind::branch) return true;
      const bool arms = uniform && is_uniform(n.cond, 0);
      return jumps_are_uniform(n.then_list, arms) && jumps_are_uniform(n.else_list, arms);
    });
  }
  bool is_uniform(const ir::Source& s, int depth) const {
    constexpr int kDeepest = 8;  // bounds the work, too: sources are walked as a tree
    if (depth > kDeepest) return false;
    if (const auto at = std::find(loop_.params.begin(), loop_.params.end(), s.value); at != loop_.params.end())
      return variable_is_uniform(static_cast<size_t>(at - loop_.params.begin()), depth);
    const ir::Instruction* def = places_.definition(s.value);
    if (!def) return false;
    switch (def->op) {
      case ir::Op::constant: return true;
      case ir::Op::load_pushed:
      case ir::Op::load_push:
      case ir::Op::load_uniform: break;
      case ir::Op::ddx:
      case ir::Op::ddy: return false;
      default:
        if (ir::info(def->op).shape != ir::OpInfo::Shape::cw || !ir::info(def->op).pure) return false;
    }
    return std::all_of(def->source.begin(), def->source.begin() + def->source_count,
                       [&](const ir::Source& from) { return is_uniform(from, depth + 1); });
  }
  /// A variable that is being looked at counts as uniform: what else it depends on decides.
  bool variable_is_uniform(size_t i, int depth) const {
    if (i >= 64) return false;
    if (open_ >> i & 1) return true;
    open_ |= uint64_t{1} << i;
    bool uniform = is_uniform(loop_.args[i], depth + 1);
    for_jumps(loop_.then_list, ir::Node::Jump::continue_,
              [&](const Vec<ir::Source>& args) { uniform = uniform && is_uniform(args[i], depth + 1); });
    open_ &= ~(uint64_t{1} << i);
    return uniform;
  }

  const ir::Node& loop_;
  const isa::Places& places_;
  mutable uint64_t open_ = 0;
};

}  // namespace

void Selector::name_results(const ir::Node& loop) {
  if (loop.results.empty() || !Together(loop, places_).leaves()) return;
  for (size_t r = 0; r < loop.results.size(); ++r) {
    Place& place = places_.at(loop.results[r]);
    if (place.kind != Place::Kind::unset) continue;
    ir::ValueId variable = 0;
    bool same = true;
    for_jumps(loop.then_list, ir::Node::Jump::break_, [&](const Vec<ir::Source>& args) {
      const ir::Source& s = args[r];
      same &= reads_whole(module_, s) && (!variable || variable == s.value);
      variable = s.value;
    });
    same &= std::find(loop.params.begin(), loop.params.end(), variable) != loop.params.end();
    if (same && module_.comps(variable) == module_.comps(loop.results[r])) place = places_.at(variable);
  }
}

}  // namespace pumice::compiler::us::select_detail
