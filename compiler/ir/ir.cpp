// SPDX-License-Identifier: MIT
/// Tables and small helpers of the IR, see ir.h.
#include "compiler/ir/ir.h"

#include <algorithm>

namespace pumice::compiler::ir {
size_t op_count() { return std::size(detail::kOps); }

namespace {
auto mark_after(const Module& m, ValueId value) {
  return std::upper_bound(m.marks.begin(), m.marks.end(), value, [](ValueId v, const Mark& mark) { return v < mark.first; });
}
const uint32_t* marked(const Module& m, ValueId value) {
  if (!value) return nullptr;
  const auto after = mark_after(m, value);
  return after == m.marks.begin() ? nullptr : after[-1].at;
}

/// The last mark up to the instruction; true: it has been reached.
bool last_mark(const Module& m, const NodeList& nodes, const Instruction* in, const uint32_t*& at) {
  for (const Node& node : nodes) {
    for (const Instruction& x : node.instructions) {
      if (const uint32_t* here = origin(m, x)) at = here;
      if (&x == in) return true;
    }
    if (last_mark(m, node.then_list, in, at) || last_mark(m, node.else_list, in, at)) return true;
  }
  return false;
}
}  // namespace

MarkRange mark_range(const Module& m, ValueId value) {
  const auto after = mark_after(m, value);
  if (after == m.marks.begin()) return {0, after == m.marks.end() ? ~0u : after->first, nullptr};
  return {after[-1].first, after == m.marks.end() ? ~0u : after->first, after[-1].at};
}

void add_mark(Module& m, ValueId first, const uint32_t* at) {
  if (!m.marks.empty() && m.marks.back().at != at) m.marks.push_back({first, at});
}

const uint32_t* origin(const Module& module, const Instruction& in) {
  const uint32_t* at = marked(module, in.result);
  for (unsigned i = 0; i < in.source_count && !at; ++i) at = marked(module, in.source[i].value);
  return at;
}

const uint32_t* nearest_origin(const Module& module, const Instruction& in) {
  const uint32_t* at = nullptr;
  last_mark(module, module.body, &in, at);
  return at;
}

const uint32_t* first_origin(const Module& module, const NodeList& nodes) {
  for (const Node& node : nodes) {
    // What passes have made reads values of elsewhere.
    for (const Instruction& in : node.instructions)
      if (const uint32_t* at = marked(module, in.result)) return at;
    if (const uint32_t* at = first_origin(module, node.then_list)) return at;
    if (const uint32_t* at = first_origin(module, node.else_list)) return at;
  }
  return nullptr;
}

unsigned coord_lanes(TextureUse::Dim dim) {
  switch (dim) {
    case TextureUse::Dim::d1: return 1;
    case TextureUse::Dim::d2: return 2;
    case TextureUse::Dim::d3:
    case TextureUse::Dim::cube: return 3;
  }
  return 4;
}

unsigned sample_lanes(const Resource& r) { return r.texels ? 1 : coord_lanes(r.dim) + r.arrayed; }
unsigned image_lanes(const Resource& r) {
  if (r.multisampled) return 4;
  return r.dim == TextureUse::Dim::cube ? 3 : sample_lanes(r);
}

namespace {
unsigned ext_source_lanes(const Module& m, const Instruction& in, unsigned i) {
  if (int(i) == in.index_source()) return (in.access().flags & Access::kSamplerIndexed) && (in.access().flags & Access::kIndexed) ? 2 : 1;
  switch (in.op) {
    case Op::store_buffer:
    case Op::store_shared:
    case Op::store_scratch: return i == 1 ? unsigned(std::bit_width(unsigned{in.mask})) : 1;
    case Op::atomic_buffer:
    case Op::atomic_shared: return i == 0 ? 1 : m.comps(in.result);
    case Op::interpolate: return in.access().sub == 4 ? 2 : 1;
    case Op::load_image: return i == 0 ? image_lanes(m.resources[in.index]) : 1;
    case Op::atomic_image: return i == 0 ? image_lanes(m.resources[in.index]) : m.comps(in.result);
    case Op::store_image: return i == 0 ? image_lanes(m.resources[in.index]) : 4;
    case Op::sample: return i == 0 ? sample_lanes(m.resources[in.index]) : 4;
    case Op::sample_lod: return coord_lanes(m.resources[in.index].dim);
    case Op::shuffle: return i == 0 ? m.comps(in.result) : 1;
    case Op::wide_op: return m.comps(in.result);
    default: return 1;
  }
}
}  // namespace

unsigned other_source_lanes(const Module& module, const Instruction& in, unsigned i) {
  if (is_ext(in.op)) return ext_source_lanes(module, in, i);
  switch (in.op) {
    case Op::store_output: return module.outputs[in.index].comps;
    case Op::store_temp: return i == 0 ? module.temps[in.index].comps : 1;
    case Op::tex: {
      const unsigned coord = coord_lanes(module.textures[in.index].dim);
      if (in.dref && i + 1u == in.source_count) return 1;
      return i == 0 || in.tex_kind == TexKind::grad ? coord : 1;
    }
    case Op::pack_snorm4x8:
    case Op::pack_unorm4x8: return 4;
    case Op::pack_snorm2x16:
    case Op::pack_unorm2x16:
    case Op::pack_half2x16: return 2;
    default: return 1;
  }
}

Source read_lane(ValueId value, unsigned lane) {
  Source s{value};
  s.swizzle.fill(uint8_t(lane));
  return s;
}

}  // namespace pumice::compiler::ir
