// SPDX-License-Identifier: MIT
/// Packet headers and 3D packets; the 2D packets are in packet_2d.cpp.
#include "hw/radeon/cp/packet.h"

#include <bit>

#include "hw/radeon/cp/packet_2d.h"

namespace pumice::hw {

namespace {

using Words = std::span<const uint32_t>;
using pm4::Op;

constexpr uint32_t kMemoryTestDwords = 4;
constexpr const char* kNoMeaning = "opcode without a meaning in this model";

std::string wanted(const char* what, size_t needed, size_t got) {
  return std::string(what) + " needs " + std::to_string(needed) + " payload dwords, the packet has " + std::to_string(got);
}

MemoryTest memory_test(Words p) { return {regs::PM4_WAIT_MEM_DW0{p[0]}.FUNCTION(), p[1] & ~3u, p[2], p[3]}; }

/// 5.1: the payload is written to consecutive registers from VAP_VTX_NUM_ARRAYS.
void load_vbpntr(uint32_t most_arrays, Words p, PacketVisitor& v) {
  const uint32_t arrays = regs::VAP_VTX_NUM_ARRAYS{p[0]}.VTX_NUM_ARRAYS();
  if (arrays > most_arrays) return v.bad("more than " + std::to_string(most_arrays) + " vertex arrays");
  const size_t needed = 1 + arrays / 2 * 3 + arrays % 2 * 2;
  if (p.size() != needed) return v.bad(wanted("the number of vertex arrays", needed, p.size()));
  v.registers(regs::VAP_VTX_NUM_ARRAYS::offset, false, p);
}

void index_buffer(Words p, PacketVisitor& v) {
  const regs::PM4_INDX_BUFFER_DW0 dw0{p[0]};
  v.index_buffer({dw0.DST_REG() * 4, dw0.ONE_REG_WR() != 0, dw0.SKIP(), p[1] & ~3u, p[2]});
}

/// 48 bits in two dwords.
GpuAddress wide(Words p, size_t at) { return uint64_t{p[at + 1] & 0xFFFFu} << 32 | p[at]; }

ScalePacket scale_packet(Words p) {
  ScalePacket out;
  out.source = wide(p, 0) & ~uint64_t{3}, out.source_pitch = p[2] & ~3u;
  out.width = (p[3] & 0xFFFF) + 1, out.height = (p[3] >> 16) + 1;
  out.destination = wide(p, 4) & ~uint64_t{3}, out.pitch = p[6] & ~3u;
  out.columns = (p[7] & 0xFFFF) + 1, out.rows = (p[7] >> 16) + 1;
  const auto number = [&](size_t at) { return std::bit_cast<float>(p[at]); };
  out.s = number(8), out.s_step = number(9), out.t = number(10), out.t_step = number(11);
  out.linear = p[12] & 1, out.swap = p[12] >> 1 & 1;
  return out;
}

void resolve(Words p, PacketVisitor& v) {
  ResolvePacket out;
  out.source = wide(p, 0) & ~uint64_t{3}, out.source_pitch = p[2] & ~3u;
  out.destination = wide(p, 3) & ~uint64_t{3}, out.pitch = p[5] & ~3u;
  out.width = (p[6] & 0xFFFF) + 1, out.height = (p[6] >> 16) + 1;
  out.samples_log2 = p[7] & 3;
  const uint32_t kind = p[7] >> 4 & 3;
  out.pixel_bytes = p[7] >> 8 & 15;
  out.source_surface = p[8], out.surface = p[9];
  if (!out.samples_log2) return v.bad("a resolve of one sample");
  if (kind >= static_cast<uint32_t>(ResolveInput::Kind::count_)) return v.bad("reserved kind " + std::to_string(kind));
  out.kind = static_cast<ResolveInput::Kind>(kind);
  const uint32_t bytes = out.pixel_bytes;
  const bool fits = out.kind == ResolveInput::Kind::srgb8  ? bytes == 4
                    : out.kind == ResolveInput::Kind::half ? bytes == 2 || bytes == 4 || bytes == 8
                                                           : bytes == 1 || bytes == 2 || bytes == 4;
  if (!fits) return v.bad("pixels of " + std::to_string(bytes) + " bytes are not of this kind");
  v.resolve(out);
}

void extended_write(Words p, PacketVisitor& v) {
  using Kind = WritePacket::Kind;
  if (p.size() < 3) return v.bad(wanted("the opcode", 3, p.size()));
  const auto kind = static_cast<Kind>(p[2]);
  if ((kind > Kind::samples && kind < Kind::first_count) || kind >= Kind::end) return v.bad("reserved kind " + std::to_string(p[2]));
  const size_t needed = kind == WritePacket::Kind::value ? 5 : 3;
  if (p.size() != needed) return v.bad(wanted("the kind", needed, p.size()));
  v.write({wide(p, 0), kind, needed == 5 ? uint64_t{p[4]} << 32 | p[3] : 0});
}

/// docs/r5x.md s.9.
void extended(Op op, Words p, PacketVisitor& v) {
  const auto exactly = [&](size_t n) {
    if (p.size() == n) return true;
    v.bad(wanted("the opcode", n, p.size()));
    return false;
  };
  switch (op) {
    case Op::X_DISPATCH:
      if (exactly(6)) v.dispatch({false, 0, {p[0], p[1], p[2]}, {p[3], p[4], p[5]}});
      return;
    case Op::X_DISPATCH_INDIRECT:
      if (exactly(2)) v.dispatch({true, wide(p, 0) & ~uint64_t{3}, {}, {}});
      return;
    case Op::X_COPY:
      if (exactly(5)) v.copy({wide(p, 0), wide(p, 2), p[4]});
      return;
    case Op::X_COPY_ROWS:
      if (exactly(8)) v.copy({wide(p, 0), wide(p, 3), p[6], p[2], p[5], p[7] & 0xFFFFFFu});
      return;
    case Op::X_FILL:
      if (exactly(4)) v.fill({wide(p, 0) & ~uint64_t{3}, uint64_t{p[2]} * 4, 0, 1, {p[3], p[3], p[3], p[3]}});
      return;
    case Op::X_FILL_ROWS:
      if (p.size() == 10 || exactly(9))
        v.fill({wide(p, 0), p[2], p[4], p[3] & 0xFFFFFFu, {p[5], p[6], p[7], p[8]}, p.size() == 10 ? p[9] : 0, (p[3] >> 31) != 0});
      return;
    case Op::X_SCALE:
      if (exactly(13)) v.scale(scale_packet(p));
      return;
    case Op::X_RESOLVE:
      if (exactly(10)) resolve(p, v);
      return;
    default: return extended_write(p, v);
  }
}

void command(Profile profile, Op op, Words p, PacketVisitor& v) {
  const auto at_least = [&](size_t n) {
    if (p.size() >= n) return true;
    v.bad(wanted("the opcode", n, p.size()));
    return false;
  };
  const auto exactly = [&](size_t n) {
    if (p.size() == n) return true;
    v.bad(wanted("the opcode", n, p.size()));
    return false;
  };
  const auto clear = [&](OnChipRam ram) {
    if (exactly(3)) v.clear_ram(ram, p[0], regs::PM4_3D_CLEAR_HIZ_COUNT{p[1]}.COUNT(), p[2]);
  };
  switch (op) {
    case Op::NOP: return v.label(p);
    case Op::WAIT_FOR_IDLE: return v.nothing();
    case Op::SET_SCISSORS:
      if (exactly(2)) v.registers(regs::SC_TOP_LEFT::offset, false, p);
      return;
    case Op::PRED_EXEC: {
      const regs::PM4_PRED_EXEC_DW0 dw0{p[0]};
      if (exactly(1)) v.pred_exec(dw0.DEVICE_SELECT(), dw0.COUNT());
      return;
    }
    case Op::WAIT_MEM:
    case Op::COND_EXEC: {
      if (!exactly(op == Op::WAIT_MEM ? kMemoryTestDwords : kMemoryTestDwords + 1)) return;
      const MemoryTest test = memory_test(p);
      if (test.function > regs::PM4_WAIT_MEM_DW0::FUNCTION__GREATER) return v.bad("reserved comparison");
      if (op == Op::WAIT_MEM) return v.wait_mem(test);
      return v.cond_exec(test, regs::PM4_COND_EXEC_COUNT{p[4]}.COUNT());
    }
    case Op::WAIT_SEMAPHORE:
      if (!exactly(1)) return;
      if (p[0] < kFirstSemaphore || p[0] > kLastSemaphore)
        return v.bad("semaphore " + decode::hex(p[0]) + " is not a word of ME RAM from " + decode::hex(kFirstSemaphore, 2) + " to " +
                     decode::hex(kLastSemaphore, 2));
      return v.wait_semaphore(p[0]);
    // The older forms begin with a VAP_VTX_FMT that the hardware drops.
    case Op::N3D_DRAW_VBUF:
    case Op::N3D_DRAW_IMMD:
    case Op::N3D_DRAW_INDX:
      if (at_least(2)) v.draw({regs::VAP_VF_CNTL{p[1]}, p.subspan(2)});
      return;
    case Op::N3D_DRAW_VBUF_2:
    case Op::N3D_DRAW_IMMD_2:
    case Op::N3D_DRAW_INDX_2:
    case Op::N3D_DRAW_128: return v.draw({regs::VAP_VF_CNTL{p[0]}, p.subspan(1)});
    case Op::N3D_LOAD_VBPNTR: return load_vbpntr(capabilities(profile).vertex_arrays, p, v);
    case Op::INDX_BUFFER:
      if (exactly(3)) index_buffer(p, v);
      return;
    case Op::N3D_CLEAR_ZMASK: return clear(OnChipRam::zmask);
    case Op::N3D_CLEAR_HIZ: return clear(OnChipRam::hiz);
    case Op::N3D_CLEAR_CMASK: return clear(OnChipRam::cmask);
    case Op::X_DISPATCH:
    case Op::X_DISPATCH_INDIRECT:
    case Op::X_COPY:
    case Op::X_COPY_ROWS:
    case Op::X_FILL:
    case Op::X_FILL_ROWS:
    case Op::X_SCALE:
    case Op::X_RESOLVE:
    case Op::X_WRITE:
      if (capabilities(profile).has_extended_shaders) return extended(op, p, v);
      return v.bad(kNoMeaning);
    case Op::CNTL_PAINT:
    case Op::CNTL_PAINT_MULTI:
    case Op::CNTL_BITBLT:
    case Op::CNTL_BITBLT_MULTI:
    case Op::CNTL_HOSTDATA_BLT:
    case Op::CNTL_POLYLINE:
    case Op::CNTL_POLYSCANLINES:
    case Op::CNTL_TRANS_BITBLT: return visit_2d(op, p, v);
    case Op::NEXT_CHAR:
    case Op::BITBLT_MULTI:
    case Op::PLY_NEXTSCAN: return visit_2d_next(op, p, v);
    default: return v.bad(kNoMeaning);
  }
}

}  // namespace

bool MemoryTest::holds(uint32_t value) const {
  using W = regs::PM4_WAIT_MEM_DW0;
  const uint32_t v = value & mask;
  switch (function) {
    case W::FUNCTION__LESS: return v < reference;
    case W::FUNCTION__LESS_EQUAL: return v <= reference;
    case W::FUNCTION__EQUAL: return v == reference;
    case W::FUNCTION__NOT_EQUAL: return v != reference;
    case W::FUNCTION__GREATER_EQUAL: return v >= reference;
    case W::FUNCTION__GREATER: return v > reference;
    default: return true;
  }
}

uint32_t packet_dwords(uint32_t header) {
  switch (regs::PM4_TYPE3_HEADER{header}.TYPE()) {
    case 1: return 3;
    case 2: return 1;
    default: return regs::PM4_TYPE3_HEADER{header}.COUNT() + 2;
  }
}

std::string packet_title(const decode::Tables& tables, uint32_t header) {
  switch (regs::PM4_TYPE3_HEADER{header}.TYPE()) {
    case 0: return "type 0 write of " + decode::name(tables, regs::PM4_TYPE0_HEADER{header}.BASE_INDEX() * 4);
    case 1: return "type 1 write";
    case 2: return "type 2 filler";
    default: break;
  }
  const auto opcode = static_cast<uint8_t>(regs::PM4_TYPE3_HEADER{header}.IT_OPCODE());
  return std::string("type 3 ") + decode::packet_name(tables, opcode) + " (" + decode::hex(opcode, 2) + ")";
}

void visit_packet(Profile profile, Words packet, PacketVisitor& v) {
  const uint32_t header = packet[0];
  const Words payload = packet.subspan(1, packet_dwords(header) - 1);
  switch (regs::PM4_TYPE3_HEADER{header}.TYPE()) {
    case 0: {
      const regs::PM4_TYPE0_HEADER h{header};
      return v.registers(h.BASE_INDEX() * 4, h.ONE_REG_WR() != 0, payload);
    }
    case 1: {
      const regs::PM4_TYPE1_HEADER h{header};
      v.registers(h.REG0_INDEX() * 4, false, payload.first(1));
      return v.registers(h.REG1_INDEX() * 4, false, payload.last(1));
    }
    case 2: return v.nothing();
    default: return command(profile, static_cast<Op>(regs::PM4_TYPE3_HEADER{header}.IT_OPCODE()), payload, v);
  }
}

}  // namespace pumice::hw
