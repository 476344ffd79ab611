// SPDX-License-Identifier: MIT
/// See normal.h.
#include "hw/radeon/trace/inspect/normal.h"

#include <algorithm>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/trace/format.h"

namespace pumice::hw::trace {

namespace {

struct AddressRegister {
  uint32_t first, count, stride, mask;
};
template <class R>
constexpr AddressRegister whole(uint32_t mask = ~0u) {
  return {R::offset, R::count, R::count > 1 ? R::at(R::count > 1 ? 1 : 0) - R::offset : 4, mask};
}
/// Registers that hold addresses of memory.
constexpr AddressRegister kAddresses[] = {
    whole<regs::CP_GUI_SRC_ADDR>(),
    whole<regs::CP_GUI_DST_ADDR>(),
    whole<regs::CP_IB_BASE>(),
    whole<regs::CP_IB2_BASE>(),
    whole<regs::SCRATCH_ADDR>(),
    whole<regs::SRC_PITCH_OFFSET>(0x3FFFFF),
    whole<regs::DST_PITCH_OFFSET>(0x3FFFFF),
    whole<regs::RB3D_COLOROFFSET>(),
    whole<regs::RB3D_AARESOLVE_OFFSET>(),
    whole<regs::TX_OFFSET>(0xFFFFFFE0),
    whole<regs::VAP_VTX_AOS_ADDR_EVEN>(),
    whole<regs::VAP_VTX_AOS_ADDR_ODD>(),
    whole<regs::ZB_DEPTHOFFSET>(),
    whole<regs::ZB_ZPASS_ADDR>(),
    whole<regs::r5x::X_VS_CODE_LO>(),
    whole<regs::r5x::X_FS_CODE_LO>(),
    whole<regs::r5x::X_CS_CODE_LO>(),
    whole<regs::r5x::X_GFX_SET_LO>(),
    whole<regs::r5x::X_GFX_PUSH_LO>(),
    whole<regs::r5x::X_CS_SET_LO>(),
    whole<regs::r5x::X_CS_PUSH_LO>(),
    whole<regs::r5x::X_VTX_BUFFER_LO>(),
    whole<regs::r5x::X_CB_BASE_LO>(),
    whole<regs::r5x::X_ZB_BASE_LO>(),
};

class Normaliser final : public PacketVisitor {
 public:
  explicit Normaliser(AddressNames& names) : names_(names) {}
  Digest digest;

  void nothing() override {}
  /// Labels name frames by address; their sizes are what matters.
  void label(std::span<const uint32_t> payload) override { digest.add_number(payload.size()); }
  void registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) override {
    digest.add_number(uint64_t{offset} << 1 | one_register);
    for (const uint32_t v : values) {
      digest.add_number(normal_value(names_, offset, v));
      if (!one_register) offset += 4;
    }
  }
  void draw(const DrawPacket& p) override {
    digest.add_number(p.vf_cntl.raw);
    digest.add(p.data.data(), p.data.size_bytes());
  }
  void index_buffer(const IndexBufferPacket& p) override { all(p.destination, p.one_register, p.skip, names_.of(p.address), p.dwords); }
  void clear_ram(OnChipRam ram, uint32_t start, uint32_t count, uint32_t value) override { all(uint64_t(ram), start, count, value); }
  void wait_mem(const MemoryTest& t) override { test(t); }
  void wait_semaphore(uint32_t word) override { all(word); }
  void cond_exec(const MemoryTest& t, uint32_t count) override { test(t), all(count); }
  void pred_exec(uint32_t devices, uint32_t count) override { all(devices, count); }
  void settings_2d(std::span<const RegisterValue> settings) override {
    for (const auto& [offset, value] : settings) all(offset, normal_value(names_, offset, value));
  }
  void paint(const Rect& r) override { rect(r); }
  void blit(const Blit& b) override { all(b.source_x, b.source_y), rect(b.destination); }
  void host_blit(const HostBlit& b) override {
    rect(b.destination);
    digest.add(b.data.data(), b.data.size_bytes());
  }
  void polyline(std::span<const Point2d> points) override {
    for (const Point2d& p : points) all(p.x, p.y);
  }
  void dispatch(const DispatchPacket& p) override { all(p.indirect, names_.of(p.address), p.groups[0], p.groups[1], p.groups[2]); }
  void copy(const CopyPacket& p) override { all(names_.of(p.source), names_.of(p.destination), p.bytes, p.source_pitch, p.pitch, p.rows); }
  void fill(const FillPacket& p) override {
    all(names_.of(p.destination), p.row_bytes, p.pitch, p.rows, p.pattern[0], p.pattern[1], p.pattern[2], p.pattern[3]);
  }
  void scale(const ScalePacket& p) override {
    all(names_.of(p.source), p.source_pitch, p.width, p.height, names_.of(p.destination), p.pitch, p.columns, p.rows, p.linear, p.swap);
    for (const float v : {p.s, p.s_step, p.t, p.t_step}) all(std::bit_cast<uint32_t>(v));
  }
  void resolve(const ResolvePacket& p) override {
    all(names_.of(p.source), p.source_pitch, names_.of(p.destination), p.pitch, p.width, p.height, p.pixel_bytes, p.samples_log2,
        uint64_t(p.kind));
  }
  void write(const WritePacket& p) override { all(names_.of(p.destination), uint64_t(p.kind), p.value); }
  void bad(const std::string& why) override { digest.add(why.data(), why.size()); }

 private:
  template <class... Numbers>
  void all(Numbers... n) {
    (digest.add_number(n), ...);
  }
  void test(const MemoryTest& t) { all(t.function, names_.of(t.address), t.reference, t.mask); }
  void rect(const Rect& r) { all(r.x, r.y, r.width, r.height); }

  AddressNames& names_;
};

}  // namespace

uint32_t address_bits(uint32_t offset) {
  for (const AddressRegister& r : kAddresses)
    if (offset >= r.first && offset < r.first + r.count * r.stride && (offset - r.first) % r.stride == 0) return r.mask;
  return 0;
}

bool declares_module(std::span<const uint32_t> packet) {
  const regs::PM4_TYPE3_HEADER header{packet[0]};
  return packet.size() > sizeof(ModuleLabel) / 4 && header.TYPE() == 3 && header.IT_OPCODE() == uint32_t(pm4::Op::NOP) &&
         packet[1] == ModuleLabel::kMagic;
}

uint64_t normal_packet(Profile profile, AddressNames& names, std::span<const uint32_t> words) {
  Normaliser n(names);
  n.digest.add_number(words[0]);
  visit_packet(profile, words, n);
  return n.digest.value();
}

}  // namespace pumice::hw::trace
