// SPDX-License-Identifier: MIT
/// vkCmdDraw* and vkCmdDispatch*. The chip draws all instances of a packet and splits at restart indices (X_DRAW_*). Indirect draws are
/// host steps: the queue's thread reads the arguments when the chip has reached them.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "icd/r5x/command_buffer.h"
#include "icd/r5x/registers.h"

namespace pumice::icd {

using namespace r5x;

namespace {

/// The most vertices per packet: VAP_ALT_NUM_VERTICES has 24 bits, INDX_BUFFER 23 bits of dwords. A multiple of the vertices per primitive
/// of every list type.
constexpr uint32_t kMostVertices = 12 << 19;

struct DrawCall {
  bool indexed = false;
  uint32_t count = 0, instances = 1, first = 0, first_instance = 0;
  int32_t vertex_offset = 0;
  uint32_t number = 0;
};

/// The parameters of a draw besides registers; a copy, so that a host step can draw later.
struct DrawSource {
  VkPrimitiveTopology topology;
  bool restart;
  uint32_t index_size;  ///< bytes
  uint32_t view_mask = 0;
  hw::GpuAddress index_address = 0;
  uint64_t index_bytes = 0;
  bool zero_indices = false;     ///< behind the end of the index buffer, instead of none
  hw::GpuAddress condition = 0;  ///< the dword that must not be 0; 0: none
};

DrawSource source_of(const CommandBuffer& c) {
  const GraphicsState& p = c.bind[VK_PIPELINE_BIND_POINT_GRAPHICS].pipeline->graphics;
  DrawSource s{c.draw.primitives.topology, c.draw.primitives.restart, c.draw.index.bytes, p.view_mask};
  if (const Buffer* b = c.draw.index.buffer) {
    s.index_address = b->address + c.draw.index.offset;
    s.index_bytes = b->bytes(c.draw.index.offset, VK_WHOLE_SIZE);
    s.zero_indices = r5x_of(c.device).zero_indices;
  }
  if (c.conditional) s.condition = r5x_of(c.device).condition();
  return s;
}

uint32_t primitive_code(VkPrimitiveTopology t) {
  using V = regs::VAP_VF_CNTL;
  switch (t) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return V::PRIM_TYPE__POINT_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY: return V::PRIM_TYPE__LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY: return V::PRIM_TYPE__LINE_STRIP;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY: return V::PRIM_TYPE__TRIANGLE_STRIP;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN: return V::PRIM_TYPE__TRIANGLE_FAN;
    default: return V::PRIM_TYPE__TRIANGLE_LIST;
  }
}

bool has_adjacency(VkPrimitiveTopology t) {
  return t >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY && t <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

bool is_list(VkPrimitiveTopology t) {
  switch (t) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY: return true;
    default: return false;
  }
}

void emit_packet(Cs& cs, const DrawSource& s, const DrawCall& call, uint32_t view) {
  const uint32_t count = call.count;
  state_raw<xr::X_DRAW_INSTANCES>(cs, call.instances);
  state_raw<xr::X_DRAW_FIRST_INSTANCE>(cs, call.first_instance);
  state_raw<xr::X_DRAW_BASE_VERTEX>(cs, call.indexed ? static_cast<uint32_t>(call.vertex_offset) : call.first);
  state_raw<xr::X_DRAW_NUMBER>(cs, call.number);
  cs.state(xr::X_DRAW_VIEW{}.NUMBER(view));
  const hw::GpuAddress first_index = s.index_address + uint64_t{call.first} * s.index_size;
  const bool bytes = call.indexed && s.index_size == 1;
  const uint32_t skip_bytes = bytes ? static_cast<uint32_t>(first_index % 4) : 0;
  cs.state(
      xr::X_DRAW_CTRL{}.RESTART(call.indexed && s.restart).ADJACENCY(has_adjacency(s.topology)).BYTE_INDICES(bytes).SKIP_BYTES(skip_bytes));
  using V = regs::VAP_VF_CNTL;
  V vf;
  vf.PRIM_TYPE(primitive_code(s.topology));
  if (count > 0xFFFF) {
    cs.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(count & 0xFFFFFF));
    vf.USE_ALT_NUM_VERTS(1);
  } else {
    vf.NUM_VERTICES(count);
  }
  if (!call.indexed) {
    vf.PRIM_WALK(V::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY);
    if (s.condition) if_dword(cs, s.condition, false, 2);
    cs.packet(pm4::Op::N3D_DRAW_VBUF_2, {vf.raw});
    return;
  }
  const bool wide = s.index_size == 4;
  vf.PRIM_WALK(V::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY).INDEX_SIZE(wide ? V::INDEX_SIZE__N32_BIT : V::INDEX_SIZE__N16_BIT);
  const uint32_t address = address32(first_index);
  // A 16-bit list that begins in the middle of a dword drops its first half.
  const uint32_t skip = wide || bytes ? 0 : address / 2 % 2;
  const uint32_t dwords = wide ? count : bytes ? (count + skip_bytes + 3) / 4 : (count + skip + 1) / 2;
  if (s.condition) if_dword(cs, s.condition, false, 6);
  cs.packet(pm4::Op::N3D_DRAW_INDX_2, {vf.raw});
  cs.packet(pm4::Op::INDX_BUFFER,
            {regs::PM4_INDX_BUFFER_DW0{}.DST_REG(regs::VAP_PORT_IDX::offset / 4).SKIP(skip).ONE_REG_WR(1).raw, address & ~3u, dwords});
}

/// The source with a copy of the draw's indices and zeros behind them; `call` begins with the first then.
DrawSource with_zeros(Cs& cs, const DrawSource& s, DrawCall& call) {
  const uint64_t all = s.index_bytes / s.index_size, left = call.first < all ? all - call.first : 0;
  call.count = static_cast<uint32_t>(std::min<uint64_t>(call.count, left + kMostVertices));  // the rest is the same vertex again
  const uint64_t bytes = uint64_t{call.count} * s.index_size, from = uint64_t{call.first} * s.index_size, have = left * s.index_size;
  const Cs::Data copy = cs.data(bytes + sizeof(uint32_t));
  std::memset(copy.host, 0, bytes);
  if (have) {
    barrier(cs);
    cs.packet(pm4::Op::X_COPY,
              {static_cast<uint32_t>(s.index_address + from), static_cast<uint32_t>((s.index_address + from) >> 32),
               static_cast<uint32_t>(copy.address), static_cast<uint32_t>(copy.address >> 32), static_cast<uint32_t>(have)});
    barrier(cs);
  }
  DrawSource out = s;
  out.index_address = copy.address, out.index_bytes = bytes;
  call.first = 0;
  return out;
}

void emit_one_view(Cs& cs, const DrawSource& s, const DrawCall& call, uint32_t view);

/// Draws that are not one packet, or have indices past the buffer's end.
void emit_rare(Cs& cs, const DrawSource& s, DrawCall call, uint32_t view) {
  if (call.indexed) {
    // Indices past the buffer's end do not exist, or are 0.
    const uint64_t have = s.index_bytes / s.index_size;
    if (s.zero_indices && uint64_t{call.first} + call.count > have) {
      const DrawSource padded = with_zeros(cs, s, call);
      return emit_one_view(cs, padded, call, view);
    }
    call.count = call.first < have ? static_cast<uint32_t>(std::min<uint64_t>(call.count, have - call.first)) : 0;
  }
  if (!call.instances) return;
  cs.state(regs::VAP_INDEX_OFFSET{});
  // Lists of more vertices than a packet takes are drawn in pieces. (The rest of a strip or fan is left out: check().)
  const uint32_t all = is_list(s.topology) ? call.count : std::min(call.count, kMostVertices);
  if (all > kMostVertices && call.instances > 1) {  // an instance is whole before the next one begins
    const uint32_t instances = std::exchange(call.instances, 1);
    for (uint32_t i = 0; i < instances; ++i, ++call.first_instance) emit_one_view(cs, s, call, view);
    return;
  }
  for (uint32_t done = 0; done < all; done += call.count, call.first += call.count) {
    call.count = std::min(all - done, kMostVertices);
    emit_packet(cs, s, call, view);
  }
}

void emit_one_view(Cs& cs, const DrawSource& s, const DrawCall& call, uint32_t view) {
  const bool inside = !call.indexed || (uint64_t{call.first} + call.count) * s.index_size <= s.index_bytes;
  if (!inside || call.count == 0 || call.count > kMostVertices || call.instances == 0) [[unlikely]]
    return emit_rare(cs, s, call, view);
  cs.state(regs::VAP_INDEX_OFFSET{});
  emit_packet(cs, s, call, view);
}

void emit_draw(Cs& cs, const DrawSource& s, const DrawCall& call) {
  if (!s.view_mask) return emit_one_view(cs, s, call, 0);
  for (uint32_t views = s.view_mask; views; views &= views - 1) emit_one_view(cs, s, call, static_cast<uint32_t>(std::countr_zero(views)));
}

/// Strips and fans longer than a packet are cut, with an error.
VkResult check(const Object* about, const DrawSource& s, const DrawCall& call) {
  if (call.count <= kMostVertices || is_list(s.topology)) return VK_SUCCESS;
  return report_once(about, VK_ERROR_FEATURE_NOT_PRESENT, "vkCmdDraw: a strip or fan of %u vertices; the chip draws at most %u", call.count,
                     kMostVertices);
}

void record(CommandBuffer& c, const DrawCall& call) {
  if (!c.flush_draw()) return;
  const DrawSource s = source_of(c);
  c.fail(check(&c, s, call));
  emit_draw(c.cs, s, call);
}

/// VK_EXT_multi_draw: `call_of` takes what differs from an element of the list.
template <class Info, class CallOf>
void record_list(CommandBuffer& c, uint32_t count, const Info* list, uint32_t stride, DrawCall call, const CallOf& call_of) {
  if (!count || !c.flush_draw()) return;
  const DrawSource s = source_of(c);
  for (; call.number < count; ++call.number) {
    call_of(call, *reinterpret_cast<const Info*>(reinterpret_cast<const std::byte*>(list) + size_t{call.number} * stride));
    c.fail(check(&c, s, call));
    emit_draw(c.cs, s, call);
  }
}

template <class Command>
void draw_one(HostContext& h, const DrawSource& s, const std::byte* at, uint32_t number) {
  Command d;
  std::memcpy(&d, at, sizeof d);
  DrawCall call;
  call.instances = d.instanceCount, call.first_instance = d.firstInstance, call.number = number;
  if constexpr (std::is_same_v<Command, VkDrawIndexedIndirectCommand>) {
    call.indexed = true;
    call.count = d.indexCount, call.first = d.firstIndex, call.vertex_offset = d.vertexOffset;
  } else {
    call.count = d.vertexCount, call.first = d.firstVertex;
  }
  (void)check(&h.device, s, call);  // recording ended long ago
  emit_draw(h.cs, s, call);
}

/// `count_buffer` null: `draws` of them.
template <class Command>
void record_indirect(CommandBuffer& c, const Buffer& b, VkDeviceSize offset, const Buffer* count_buffer, VkDeviceSize count_offset,
                     uint32_t draws, uint32_t stride) {
  if (!c.flush_draw()) return;
  const hw::GpuAddress address = b.address + offset, count_address = count_buffer ? count_buffer->address + count_offset : 0;
  const uint64_t have = b.bytes(offset, VK_WHOLE_SIZE);
  c.barrier();  // what wrote the arguments
  c.cs.host_step([s = source_of(c), address, count_address, draws, stride, have](HostContext& h) {
    uint32_t n = draws;
    if (count_address) {
      std::memcpy(&n, h.device.host(count_address), sizeof n);
      n = std::min(n, draws);
    }
    for (uint32_t i = 0; i < n && uint64_t{i} * stride + sizeof(Command) <= have; ++i)
      draw_one<Command>(h, s, h.device.host(address) + uint64_t{i} * stride, i);
  });
  // The host step wrote registers that this stream's shadow does not track.
  c.cs.forget();
  c.forget_state();
}

void dispatch(CommandBuffer& c, std::initializer_list<uint32_t> groups) {
  if (!c.flush_bindings(VK_PIPELINE_BIND_POINT_COMPUTE)) return;
  c.on_condition(static_cast<uint32_t>(groups.size()) + 1);
  c.cs.packet(pm4::Op::X_DISPATCH, groups);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL r5x_CmdBeginConditionalRenderingEXT(VkCommandBuffer c, const VkConditionalRenderingBeginInfoEXT* info) {
  from<CommandBuffer>(c)->begin_condition(from<Buffer>(info->buffer)->address + info->offset,
                                          info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdEndConditionalRenderingEXT(VkCommandBuffer c) { from<CommandBuffer>(c)->end_condition(); }

VKAPI_ATTR void VKAPI_CALL r5x_CmdDraw(VkCommandBuffer c, uint32_t count, uint32_t instances, uint32_t first, uint32_t first_instance) {
  record(*from<CommandBuffer>(c), {false, count, instances, first, first_instance, 0, 0});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawIndexed(VkCommandBuffer c, uint32_t count, uint32_t instances, uint32_t first, int32_t vertex_offset,
                                              uint32_t first_instance) {
  record(*from<CommandBuffer>(c), {true, count, instances, first, first_instance, vertex_offset, 0});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawMultiEXT(VkCommandBuffer c, uint32_t count, const VkMultiDrawInfoEXT* list, uint32_t instances,
                                               uint32_t first_instance, uint32_t stride) {
  record_list(*from<CommandBuffer>(c), count, list, stride, {false, 0, instances, 0, first_instance, 0, 0},
              [](DrawCall& call, const VkMultiDrawInfoEXT& i) { call.first = i.firstVertex, call.count = i.vertexCount; });
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawMultiIndexedEXT(VkCommandBuffer c, uint32_t count, const VkMultiDrawIndexedInfoEXT* list,
                                                      uint32_t instances, uint32_t first_instance, uint32_t stride,
                                                      const int32_t* vertex_offset) {
  record_list(*from<CommandBuffer>(c), count, list, stride, {true, 0, instances, 0, first_instance, 0, 0},
              [&](DrawCall& call, const VkMultiDrawIndexedInfoEXT& i) {
                call.first = i.firstIndex, call.count = i.indexCount;
                call.vertex_offset = vertex_offset ? *vertex_offset : i.vertexOffset;
              });
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawIndirect(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, uint32_t draws, uint32_t stride) {
  record_indirect<VkDrawIndirectCommand>(*from<CommandBuffer>(c), *from<Buffer>(b), offset, nullptr, 0, draws, stride);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawIndexedIndirect(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, uint32_t draws, uint32_t stride) {
  record_indirect<VkDrawIndexedIndirectCommand>(*from<CommandBuffer>(c), *from<Buffer>(b), offset, nullptr, 0, draws, stride);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawIndirectCount(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, VkBuffer count_buffer,
                                                    VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  record_indirect<VkDrawIndirectCommand>(*from<CommandBuffer>(c), *from<Buffer>(b), offset, from<Buffer>(count_buffer), count_offset, most,
                                         stride);
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDrawIndexedIndirectCount(VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, VkBuffer count_buffer,
                                                           VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  record_indirect<VkDrawIndexedIndirectCommand>(*from<CommandBuffer>(c), *from<Buffer>(b), offset, from<Buffer>(count_buffer), count_offset,
                                                most, stride);
}

VKAPI_ATTR void VKAPI_CALL r5x_CmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z) {
  auto& c = *from<CommandBuffer>(handle);
  dispatch(c, {x, y, z, 0, 0, 0});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdDispatchBase(VkCommandBuffer handle, uint32_t first_x, uint32_t first_y, uint32_t first_z, uint32_t x,
                                               uint32_t y, uint32_t z) {
  auto& c = *from<CommandBuffer>(handle);
  dispatch(c, {x, y, z, first_x, first_y, first_z});
}
VKAPI_ATTR void VKAPI_CALL r5x_CmdSetDeviceMask(VkCommandBuffer, uint32_t) {}  // the group has one device, so the mask has no effect

VKAPI_ATTR void VKAPI_CALL r5x_CmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset) {
  auto& c = *from<CommandBuffer>(handle);
  if (!c.flush_bindings(VK_PIPELINE_BIND_POINT_COMPUTE)) return;
  const hw::GpuAddress at = from<Buffer>(buffer)->address + offset;
  c.on_condition(3);
  c.cs.packet(pm4::Op::X_DISPATCH_INDIRECT, {static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32)});
}

}  // namespace pumice::icd
