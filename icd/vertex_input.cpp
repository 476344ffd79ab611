// SPDX-License-Identifier: MIT
#include "icd/vertex_input.h"

#include <algorithm>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

using P = regs::VAP_PROG_STREAM_CNTL;
constexpr uint32_t kMaxStride = 127 * 4;  // 7 bits of dwords

const VkVertexInputAttributeDescription* attribute_at(const FixedState& f, uint32_t location) {
  for (const auto& a : f.attributes)
    if (a.location == location) return &a;
  return nullptr;
}
const VkVertexInputBindingDescription* binding_at(const FixedState& f, uint32_t binding) {
  for (const auto& b : f.bindings)
    if (b.binding == binding) return &b;
  return nullptr;
}

uint32_t type_dwords(uint8_t type) {
  switch (type) {
    case P::DATA_TYPE_0__FLOAT_2:
    case P::DATA_TYPE_0__SHORT_4:
    case P::DATA_TYPE_0__FLT16_4: return 2;
    case P::DATA_TYPE_0__FLOAT_3: return 3;
    case P::DATA_TYPE_0__FLOAT_4: return 4;
    default: return 1;
  }
}

/// Whether the fetch unit can read the attribute in place as far as the pipeline says; buffer offsets are checked at the draw.
bool fits_static(const hw::Capabilities& chip, const FormatInfo& f, const VkVertexInputAttributeDescription& a,
                 const VkVertexInputBindingDescription& b) {
  if (!chip.has_half_vertex_formats && (f.psc == P::DATA_TYPE_0__FLT16_2 || f.psc == P::DATA_TYPE_0__FLT16_4)) return false;
  return f.psc != kTranslated && b.stride % 4 == 0 && b.stride <= kMaxStride && a.offset % 4 == 0;
}

}  // namespace

std::vector<StreamElement> stream_elements(const FixedState& f, const compiler::Program& program, const hw::Capabilities& chip) {
  std::vector<StreamElement> out;
  for (const compiler::VertexInput& in : program.vertex.inputs) {
    StreamElement e;
    e.reg = in.reg;
    e.type = P::DATA_TYPE_0__FLOAT_1;
    e.select = {0, 4, 4, 5};
    const VkVertexInputAttributeDescription* a = in.kind == compiler::VertexInput::Kind::attribute ? attribute_at(f, in.location) : nullptr;
    if (a) {
      const FormatInfo* format = find_format(a->format);
      const VkVertexInputBindingDescription* b = binding_at(f, a->binding);
      if (format && format->psc != kNoCode && b) {
        if (fits_static(chip, *format, *a, *b)) {
          e.type = format->psc;
          e.is_signed = format->numeric == Numeric::snorm || format->numeric == Numeric::sint || format->numeric == Numeric::sscaled;
          e.normalize = format->numeric == Numeric::unorm || format->numeric == Numeric::snorm;
          const Layout l = layout_of(*format);
          for (uint8_t i = 0; i < l.count; ++i) {
            const char c = l.component[i].channel;
            e.select[c == 'r' ? 0 : c == 'g' ? 1 : c == 'b' ? 2 : 3] = i;
          }
        } else {
          e.type = P::DATA_TYPE_0__FLOAT_4;
          e.select = {0, 1, 2, 3};
        }
      }
    }
    out.push_back(e);
  }
  // VAP needs one element at least.
  if (out.empty()) {
    StreamElement e;
    e.select = {0, 4, 4, 5};
    out.push_back(e);
  }
  return out;
}

std::vector<VertexArray> vertex_arrays(RadeonDevice& device, const GfxState& g, const compiler::Program& program) {
  const FixedState& f = g.pipeline->fixed;
  std::vector<VertexArray> out;
  const auto zero = [&] {
    VertexArray v;
    v.address = device.constants_page() + 64;
    v.last = (1u << 24) - 1;
    return v;
  };
  for (const compiler::VertexInput& in : program.vertex.inputs) {
    VertexArray v = zero();
    v.corner = in.corner;
    if (in.kind != compiler::VertexInput::Kind::attribute) {
      v.identity = true;
      v.stride = 4;
      v.per_instance = in.kind == compiler::VertexInput::Kind::instance_index;
      out.push_back(v);
      continue;
    }
    const auto* a = attribute_at(f, in.location);
    const FormatInfo* format = a ? find_format(a->format) : nullptr;
    const auto* b = a ? binding_at(f, a->binding) : nullptr;
    if (!format || format->psc == kNoCode || !b || a->binding >= g.vertex.size() || !g.vertex[a->binding].buffer) {
      v.dwords = 4;  // an attribute without a binding reads zeros
      out.push_back(v);
      continue;
    }
    const GfxState::VertexBuffer& vb = g.vertex[a->binding];
    const uint64_t offset = vb.offset + a->offset;
    v.address = vb.buffer->address + static_cast<hw::GpuAddress>(offset);
    v.stride = b->stride;
    v.per_instance = b->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    const bool fits = fits_static(hw::capabilities(*device.chip.profile), *format, *a, *b);
    if (!fits || v.address % 4) v.translate = format;
    v.convert = !fits;
    v.dwords = fits ? type_dwords(format->psc) : 4;
    const uint64_t need = layout_of(*format).bytes;
    const uint64_t have = vb.buffer->size > offset ? vb.buffer->size - offset : 0;
    if (have < need) {
      const uint32_t dwords = v.dwords;
      v = zero();
      v.dwords = dwords;
      v.corner = in.corner;
    } else if (v.stride) {
      v.last = static_cast<uint32_t>(std::min<uint64_t>((have - need) / v.stride, (1u << 24) - 1));
    }
    out.push_back(v);
  }
  if (out.empty()) out.push_back(zero());
  return out;
}

}  // namespace pumice::icd
