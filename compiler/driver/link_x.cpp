// SPDX-License-Identifier: MIT
#include "compiler/driver/link_x.h"

#include <algorithm>
#include <string>

#include "compiler/isa/error.h"

namespace pumice::compiler {
namespace {

bool is_varying(ir::Builtin b) { return b == ir::Builtin::none || b == ir::Builtin::clip_distance || b == ir::Builtin::cull_distance; }

}  // namespace

VaryingSlots link_inputs(ir::Module& fragment, const ChipLimits& chip) {
  VaryingSlots slots;
  for (const ir::Input& in : fragment.inputs)
    if (is_varying(in.builtin)) slots.emplace_back(in.builtin, in.location);
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  if (slots.size() > chip.interpolators) {
    const auto beyond = std::find_if(fragment.inputs.begin(), fragment.inputs.end(),
                                     [&](const ir::Input& in) { return std::pair(in.builtin, in.location) == slots[chip.interpolators]; });
    throw isa::Unsupported("reads " + std::to_string(slots.size()) + " interpolated vectors, the " + std::string(chip.name) + " has " +
                               std::to_string(chip.interpolators),
                           beyond->at);
  }
  for (ir::Input& in : fragment.inputs) {
    if (!is_varying(in.builtin)) continue;
    in.location = uint32_t(std::find(slots.begin(), slots.end(), std::pair(in.builtin, in.location)) - slots.begin());
    in.builtin = ir::Builtin::none;
  }
  return slots;
}

void link_outputs(ir::Module& vertex, const VaryingSlots& slots) {
  constexpr uint32_t kNone = ~0u;
  Vec<uint32_t> slot_of, copy_of;  // by output row: the slot; the row of the same value as a varying
  const size_t rows = vertex.outputs.size();
  slot_of.reserve(rows), copy_of.reserve(rows);
  bool copies = false;
  for (size_t i = 0; i < rows; ++i) {
    const ir::Output& o = vertex.outputs[i];
    const auto at = std::find(slots.begin(), slots.end(), std::pair(o.builtin, o.location));
    const bool read = is_varying(o.builtin) && at != slots.end();
    slot_of.push_back(read ? uint32_t(at - slots.begin()) : kNone);
    copy_of.push_back(kNone);
    if (!read) continue;
    if (o.builtin == ir::Builtin::none) {
      vertex.outputs[i].location = slot_of[i];
    } else {
      copy_of[i] = uint32_t(vertex.outputs.size());
      copies = true;
      ir::Output copy = o;
      copy.builtin = ir::Builtin::none;
      copy.location = slot_of[i];
      vertex.outputs.push_back(copy);
    }
  }
  // The front end stores outputs in the outermost list.
  const auto stores = [&](const ir::Instruction& in) { return in.op == ir::Op::store_output && in.index < rows; };
  for (ir::Node& node : vertex.body) {
    Vec<ir::Instruction>& list = node.instructions;
    erase_if(list, [&](const ir::Instruction& in) {
      return stores(in) && vertex.outputs[in.index].builtin == ir::Builtin::none && slot_of[in.index] == kNone;
    });
    for (size_t i = 0; copies && i < list.size(); ++i) {
      if (!stores(list[i]) || copy_of[list[i].index] == kNone) continue;
      ir::Instruction copy = list[i];
      copy.index = copy_of[copy.index];
      list.insert(list.begin() + ++i, std::move(copy));
    }
  }
}

}  // namespace pumice::compiler
