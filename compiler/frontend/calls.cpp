// SPDX-License-Identifier: MIT
/// Function calls: the callee is translated in place, once for each call, as a region of its own that OpReturn leaves.
#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

namespace {
constexpr size_t kMaxCalls = 64;  // inside of each other: protects the stack
}  // namespace

/// Makes the function's blocks and variables new.
void Translator::enter(const Function& f) {
  for (Id label : f.labels) {
    visited_.erase(label);
    headers_.erase(label);
    broken_loops_.erase(label);
    flags_.erase(label);
    for (const Inst& phi : spv_.block(label).phis) tree_of_.erase(phi.result);
  }
  for (const Inst& v : f.variables) {
    tree_of_.erase(v.result);
    declare_variable(v);
  }
}

Flow Translator::call(const Inst& in) {
  const Function& f = spv_.function(in[0]);
  for (const Call& c : calls_)
    if (c.function == in[0]) fail(in, "a function that calls itself", "functions are inlined on this chip");
  if (calls_.size() >= kMaxCalls) fail(in, "calls nested deeper than " + std::to_string(kMaxCalls), "functions are inlined on this chip");
  if (f.labels.empty() || f.parameters.size() + 1 != in.size() || f.inst.type != in.type)
    fail(in, "a call that does not fit its function", "the SPIR-V is not valid");
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const Inst& p = f.parameters[i];
    const Id argument = in[i + 1];
    if (spv_.def(argument).type != p.type) fail(in, "an argument of another type", "the SPIR-V is not valid");
    if (spv_.def(p.type).op == spv::OpTypePointer) {
      const Pointer of = pointer(argument);
      pointers_[p.result] = of;
    } else if (const auto image = images_.find(argument); image != images_.end()) {
      const ImageRef of = image->second;
      images_[p.result] = of;
    } else {
      set(p, leaves(argument));
    }
  }
  Call frame{in[0], next_pseudo_++, nullptr, in.type};
  const bool returns = spv_.def(in.type).op != spv::OpTypeVoid;
  if (returns) frame.result = &tree_of(next_pseudo_++, in.type);
  check_depth();
  ir::NodeList& outer = b_.list();
  reset_flag(frame.end);
  calls_.push_back(frame);
  constructs_.push_back({Construct::Kind::region, frame.end});
  enter(f);
  Flow flow = region(f.labels[0]);
  constructs_.pop_back();
  calls_.pop_back();
  b_.set_list(outer);
  if (flow.pending.erase(frame.end)) flow.falls = true;
  if (returns && flow.falls) {
    Leaves value;
    load_tree(*frame.result, in.type, 0, {}, value);
    set(in, value);
  }
  return flow;
}

}  // namespace pumice::compiler::frontend
