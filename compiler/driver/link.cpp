// SPDX-License-Identifier: MIT
#include "compiler/driver/link.h"

#include <algorithm>
#include <utility>

#include "compiler/isa/error.h"

namespace pumice::compiler {

namespace {
/// Where the first input variable without an interpolator is declared.
const uint32_t* first_beyond(const ir::Module& module, std::span<const us::FragmentInput> sorted, const ChipLimits& chip) {
  if (sorted.empty()) return nullptr;
  const uint32_t location = sorted[std::min<size_t>(chip.interpolators, sorted.size() - 1)].location;
  for (const ir::Input& in : module.inputs)
    if (in.builtin == ir::Builtin::none && in.location == location) return in.at;
  return nullptr;
}
}  // namespace

Linked link(const us::Compiled& fragment, const ir::Module& module, bool point_topology, const ChipLimits& chip) {
  Linked out;
  // A vertex shader without gl_Position leaves it undefined; (0,0,0,1) is as good as anything and deterministic.
  out.outputs.push_back({ir::Builtin::position, 0, 0, {0, 0, 0, 1}, 15});
  uint32_t reg = 1;
  if (point_topology) {
    out.outputs.push_back({ir::Builtin::point_size, 0, reg++, {1, 0, 0, 0}, 1});
    out.writes_point_size = true;
  }
  std::vector<us::FragmentInput> inputs = fragment.inputs;
  // Variables, then slopes.
  std::sort(inputs.begin(), inputs.end(),
            [](const auto& a, const auto& b) { return std::pair(a.builtin, a.location) < std::pair(b.builtin, b.location); });
  const bool slopes = !inputs.empty() && inputs.back().builtin != ir::Builtin::none;
  const size_t sets = inputs.size() + (fragment.position ? 1 : 0) + (fragment.program.point_coord_temp ? 1 : 0);
  if (sets > chip.interpolators) {
    throw isa::Unsupported("needs " + std::to_string(sets) + " interpolated vectors (gl_FragCoord.zw and gl_PointCoord take one each" +
                               (slopes ? "; derivatives one for each variable and direction, and one" : "") + "), the " +
                               std::string(chip.name) + " has " + std::to_string(chip.interpolators),
                           first_beyond(module, inputs, chip));
  }
  const auto varying = [&](const us::FragmentInput& in) {
    using Kind = Varying::Kind;
    Varying v;
    v.kind = in.builtin == ir::Builtin::position  ? Kind::position
             : in.builtin == ir::Builtin::slope_x ? Kind::slope_x
             : in.builtin == ir::Builtin::slope_y ? Kind::slope_y
                                                  : Kind::variable;
    v.texcoord = static_cast<uint32_t>(out.varyings.size());
    v.components = in.components;
    v.us_temp = in.temp;
    v.flat = in.flat;
    v.no_perspective = in.no_perspective;
    if (v.kind != Kind::position) v.location = in.location;
    out.varyings.push_back(v);
    out.outputs.push_back({in.builtin, in.location, reg++, {}, static_cast<uint8_t>((1u << in.components) - 1)});
  };
  for (const us::FragmentInput& in : inputs) varying(in);
  if (fragment.position) varying(*fragment.position);
  return out;
}

}  // namespace pumice::compiler
