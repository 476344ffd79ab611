// SPDX-License-Identifier: MIT
#include "icd/draw.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "icd/atoms.h"
#include "icd/triangles.h"

namespace pumice::icd {
namespace {

constexpr uint32_t kMaxIndex = (1u << 24) - 1;
constexpr uint32_t kSmallIdentity = 1u << 16;

uint32_t primitive_code(VkPrimitiveTopology t) {
  using V = regs::VAP_VF_CNTL;
  switch (t) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return V::PRIM_TYPE__POINT_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return V::PRIM_TYPE__LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP: return V::PRIM_TYPE__LINE_STRIP;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP: return V::PRIM_TYPE__TRIANGLE_STRIP;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN: return V::PRIM_TYPE__TRIANGLE_FAN;
    default: return V::PRIM_TYPE__TRIANGLE_LIST;
  }
}

bool restartable(VkPrimitiveTopology t) {
  return t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP || t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
}

/// What 3D_LOAD_VBPNTR says of an array.
struct ArrayPointer {
  hw::GpuAddress address;
  uint32_t stride;  ///< bytes
};

template <class PointerOf>
ArrayPacket array_packet(std::span<const VertexArray> arrays, const PointerOf& pointer_of) {
  ArrayPacket p;
  assert(arrays.size() <= hw::most::vertex_arrays);
  p.dword[p.dwords++] = regs::VAP_VTX_NUM_ARRAYS{}.VTX_NUM_ARRAYS(static_cast<uint32_t>(arrays.size())).raw;
  for (size_t i = 0; i < arrays.size(); i += 2) {
    regs::VAP_VTX_AOS_ATTR attr;
    uint32_t address[2] = {0, 0};
    for (size_t k = 0; k < 2 && i + k < arrays.size(); ++k) {
      const VertexArray& a = arrays[i + k];
      const ArrayPointer to = pointer_of(a);
      address[k] = address32(to.address);
      if (k == 0)
        attr.VTX_AOS_COUNT0(a.dwords).VTX_AOS_STRIDE0(to.stride / 4);
      else
        attr.VTX_AOS_COUNT1(a.dwords).VTX_AOS_STRIDE1(to.stride / 4);
    }
    p.dword[p.dwords++] = attr.raw;
    p.dword[p.dwords++] = address[0];
    if (i + 1 < arrays.size()) p.dword[p.dwords++] = address[1];
  }
  return p;
}

/// What draws need to know of the arrays; after each change of them.
void sum_up(DrawState& s, const hw::Capabilities& chip) {
  s.translate = s.per_instance = s.corners = s.from_memory = false;
  s.last = kMaxIndex;
  bool identity = false;
  for (const VertexArray& a : s.arrays) {
    s.translate |= a.translate != nullptr;
    s.per_instance |= a.per_instance;
    identity |= a.identity;
    s.corners |= a.corner != 0;
    s.from_memory |= !a.per_instance && !a.identity && a.stride;
    if (!a.per_instance && !a.identity && a.stride) s.last = std::min(s.last, a.last);
  }
  s.packet.dwords = 0;
  if (chip.has_index_offset && !s.per_instance && !identity)
    s.packet = array_packet(s.arrays, [](const VertexArray& a) { return ArrayPointer{a.address, a.stride}; });
}

/// 3D_LOAD_VBPNTR for one instance.
void emit_arrays(RadeonDevice& device, Cs& cs, const DrawState& s, const DrawCall& call, uint32_t instance) {
  constexpr pm4::Op kOp = pm4::Op::N3D_LOAD_VBPNTR;
  if (s.packet.dwords) return cs.state_packet(kOp, regs::VAP_VTX_NUM_ARRAYS::offset, s.packet.payload());
  const uint64_t reach =
      call.indexed ? (s.wide || call.vertex_offset > 0 ? kMaxIndex : kSmallIdentity - 1) : uint64_t{call.first} + call.count;
  // Without VAP_INDEX_OFFSET the arrays begin at vertex `offset`.
  const int64_t offset = cs.chip().has_index_offset ? 0 : call.indexed ? call.vertex_offset : call.first;
  const ArrayPacket packet = array_packet(s.arrays, [&](const VertexArray& a) {
    ArrayPointer to{a.address, a.stride};
    if (a.identity)
      to.address =
          device.identity_floats(a.per_instance ? instance + 1 : static_cast<uint32_t>(std::min<uint64_t>(reach + 1, kMaxIndex + 1)));
    if (a.per_instance) {
      const uint32_t at = a.identity ? std::min(instance, kMaxIndex) : std::min(instance, a.last);
      return ArrayPointer{to.address + uint64_t{at} * to.stride, 0};
    }
    to.address += static_cast<uint64_t>(offset * static_cast<int64_t>(to.stride));
    return to;
  });
  cs.state_packet(kOp, regs::VAP_VTX_NUM_ARRAYS::offset, packet.payload());
}

void emit_primitives(Cs& cs, const DrawState& s, const DrawCall& call, uint32_t count) {
  using V = regs::VAP_VF_CNTL;
  V vf;
  vf.PRIM_TYPE(primitive_code(s.topology));
  if (count > 0xFFFF) {  // only where the chip has it: others are split
    cs.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(count & 0xFFFFFF));
    vf.USE_ALT_NUM_VERTS(1);
  } else {
    vf.NUM_VERTICES(count);
  }
  if (!call.indexed) {
    vf.PRIM_WALK(V::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY);
    cs.packet(pm4::Op::N3D_DRAW_VBUF_2, {vf.raw});
    return;
  }
  vf.PRIM_WALK(V::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY).INDEX_SIZE(s.wide ? V::INDEX_SIZE__N32_BIT : V::INDEX_SIZE__N16_BIT);
  const uint32_t address = address32(s.index_address + uint64_t{call.first} * (s.wide ? 4 : 2));
  // A 16-bit list that begins in the middle of a dword drops its first half.
  const uint32_t skip = s.wide ? 0 : address / 2 % 2;
  const uint32_t dwords = s.wide ? count : (count + skip + 1) / 2;
  cs.packet(pm4::Op::N3D_DRAW_INDX_2, {vf.raw});
  cs.packet(pm4::Op::INDX_BUFFER,
            {regs::PM4_INDX_BUFFER_DW0{}.DST_REG(regs::VAP_PORT_IDX::offset / 4).SKIP(skip).ONE_REG_WR(1).raw, address & ~3u, dwords});
}

uint32_t index_at(RadeonDevice& device, const DrawState& s, uint64_t i) {
  const std::byte* p = device.host(s.index_address) + i * (s.wide ? 4 : 2);
  uint32_t v = 0;
  std::memcpy(&v, p, s.wide ? 4 : 2);
  return v;
}

/// The draw as a list of triangles whose vertices have the attributes of the two others too.
void emit_triangles(RadeonDevice& device, Cs& cs, DrawState s, const DrawCall& call, uint32_t count) {
  std::vector<uint32_t> vertices = triangle_list(s.topology, count);
  for (uint32_t& v : vertices) {
    const int64_t number =
        call.indexed ? int64_t{index_at(device, s, uint64_t{call.first} + v)} + call.vertex_offset : int64_t{call.first} + v;
    v = static_cast<uint32_t>(std::clamp<int64_t>(number, 0, s.last));
  }
  if (vertices.empty()) return;
  for (VertexArray& a : s.arrays) spread(device, cs, a, vertices);
  sum_up(s, cs.chip());
  s.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  DrawCall list = call;
  list.indexed = false;
  list.count = static_cast<uint32_t>(vertices.size());
  list.first = 0;
  emit_draw(device, cs, s, list);
}

/// Rewrites the arrays that the fetch unit cannot read, for vertices low..high and all instances of the call.
void rewrite_arrays(RadeonDevice& device, Cs& cs, DrawState& s, const DrawCall& call, uint32_t low, uint32_t high) {
  for (VertexArray& a : s.arrays) {
    if (!a.translate) continue;
    uint32_t first = a.per_instance ? call.first_instance : low;
    uint32_t last = a.per_instance ? call.first_instance + std::max(call.instances, 1u) - 1 : high;
    last = std::min(last, a.last);
    first = std::min(first, last);
    const uint32_t stride = a.dwords * 4;
    Cs::Data data = cs.data(uint64_t{last - first + 1} * stride);
    // Addresses are those of vertex 0; when that would lie below zero the copy begins there after all.
    if (data.address < uint64_t{first} * stride) {
      first = 0;
      data = cs.data(uint64_t{last + 1} * stride);
    }
    const uint32_t bytes = layout_of(*a.translate).bytes;
    for (uint32_t v = first; v <= last; ++v) {
      const std::byte* in = device.host(a.address) + uint64_t{v} * a.stride;
      std::byte* out = data.host + uint64_t{v - first} * stride;
      if (a.convert) {
        const std::array<float, 4> f = unpack_pixel(*a.translate, reinterpret_cast<const uint8_t*>(in));
        std::memcpy(out, f.data(), sizeof f);
      } else {
        std::memset(out, 0, stride);
        std::memcpy(out, in, bytes);
      }
    }
    a.address = data.address - uint64_t{first} * stride;
    a.stride = stride;
    a.last = last;
    a.translate = nullptr;
  }
  sum_up(s, cs.chip());
}

/// A draw of more vertices than VAP_VF_CNTL counts, instance by instance.
void emit_pieces(RadeonDevice& device, Cs& cs, const DrawState& s, const DrawCall& call, uint32_t count) {
  // Whole primitives in each: a multiple of 1, 2 and 3, and even, which keeps the winding of strips.
  constexpr uint32_t kPiece = 65532;
  const VkPrimitiveTopology t = s.topology;
  const uint32_t shared = t == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ? 1 : t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ? 2 : 0;
  if (t == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) {
    report_once(&device, VK_ERROR_FEATURE_NOT_PRESENT, "a triangle fan of %u vertices; VAP_VF_CNTL counts to 65535", count);
    return;
  }
  for (uint32_t i = 0; i < call.instances; ++i)
    for (uint32_t at = 0; at + shared < count; at += kPiece) {
      DrawCall part = call;
      part.first = call.first + at;
      part.count = std::min(count - at, kPiece + shared);
      part.instances = 1;
      part.first_instance = call.first_instance + i;
      emit_draw(device, cs, s, part);
    }
}

}  // namespace

DrawState draw_state(RadeonDevice& device, const GfxState& g) {
  DrawState s;
  s.arrays = vertex_arrays(device, g, *g.program);
  sum_up(s, hw::capabilities(*device.chip.profile));
  s.program = g.program;
  s.draw_constants = reads_draw_constants(*g.program);
  s.topology = g.pipeline->fixed.topology;
  s.restart = g.pipeline->fixed.restart && restartable(s.topology);
  if (g.index.buffer) {
    s.index_address = g.index.buffer->address + static_cast<hw::GpuAddress>(g.index.offset);
    s.index_bytes = g.index.buffer->bytes(g.index.offset, VK_WHOLE_SIZE);
    s.wide = g.index.wide;
  }
  return s;
}

bool needs_host(const DrawState& s, const DrawCall& call) {
  return (call.indexed && s.restart) || s.translate || (s.corners && (call.indexed || s.from_memory));
}

void emit_draw(RadeonDevice& device, Cs& cs, const DrawState& s, const DrawCall& call) {
  const hw::Capabilities& chip = cs.chip();
  uint32_t count = call.count;
  if (call.indexed) {
    // Indices past the buffer's end do not exist (robustBufferAccess would let us read zeros).
    const uint64_t have = s.index_bytes / (s.wide ? 4 : 2);
    count = call.first < have ? static_cast<uint32_t>(std::min<uint64_t>(count, have - call.first)) : 0;
  }
  count = std::min(count, kMaxIndex);
  if (!count || !call.instances) return;
  if (s.corners) return emit_triangles(device, cs, s, call, count);
  if (constexpr uint32_t kMost = 0xFFFF; !chip.has_alt_num_verts && count > kMost) return emit_pieces(device, cs, s, call, count);
  const int32_t offset = call.indexed ? call.vertex_offset : static_cast<int32_t>(call.first);
  if (chip.has_index_offset) {
    cs.state(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(s.last));
    cs.state(regs::VAP_INDEX_OFFSET{}.INDEX_OFFSET(static_cast<uint32_t>(offset) & 0x1FFFFFF));
  } else {
    cs.state(regs::VAP_VF_MAX_VTX_INDX{}.MAX_INDX(static_cast<uint32_t>(std::clamp<int64_t>(int64_t{s.last} - offset, 0, kMaxIndex))));
  }
  for (uint32_t i = 0; i < call.instances; ++i) {
    const uint32_t instance = call.first_instance + i;
    if (i == 0 || s.per_instance) emit_arrays(device, cs, s, call, instance);
    if (s.draw_constants) emit_draw_constants(cs, *s.program, instance, offset);
    emit_primitives(cs, s, call, count);
  }
}

void emit_draw_on_host(RadeonDevice& device, Cs& cs, DrawState s, const DrawCall& call) {
  DrawCall c = call;
  if (c.indexed) {
    const uint64_t have = s.index_bytes / (s.wide ? 4 : 2);
    c.count = c.first < have ? static_cast<uint32_t>(std::min<uint64_t>(c.count, have - c.first)) : 0;
  }
  if (!c.count || !c.instances) return;
  const uint32_t restart = s.wide ? 0xFFFFFFFFu : 0xFFFFu;
  if (s.translate) {
    int64_t low = c.first, high = int64_t{c.first} + c.count - 1;
    if (c.indexed) {
      low = kMaxIndex, high = 0;
      for (uint32_t i = 0; i < c.count; ++i) {
        const uint32_t v = index_at(device, s, uint64_t{c.first} + i);
        if (s.restart && v == restart) continue;
        low = std::min<int64_t>(low, int64_t{v} + c.vertex_offset);
        high = std::max<int64_t>(high, int64_t{v} + c.vertex_offset);
      }
    }
    low = std::clamp<int64_t>(low, 0, kMaxIndex);
    high = std::clamp<int64_t>(high, low, kMaxIndex);
    rewrite_arrays(device, cs, s, c, static_cast<uint32_t>(low), static_cast<uint32_t>(high));
  }
  if (!c.indexed || !s.restart) return emit_draw(device, cs, s, c);
  // A strip or fan per run between restart indices.
  uint32_t begin = 0;
  for (uint32_t i = 0; i <= c.count; ++i) {
    if (i < c.count && index_at(device, s, uint64_t{c.first} + i) != restart) continue;
    DrawCall part = c;
    part.first = c.first + begin;
    part.count = i - begin;
    if (part.count) emit_draw(device, cs, s, part);
    begin = i + 1;
  }
}

}  // namespace pumice::icd
