// SPDX-License-Identifier: MIT
/// See writers.h.
#include "hw/radeon/trace/inspect/writers.h"

#include <algorithm>

namespace pumice::hw::trace {

namespace {

/// Notes the registers that a packet writes; INDX_BUFFER brings their values from memory.
class Noter final : public PacketVisitor {
 public:
  explicit Noter(const std::function<void(uint32_t)>& note) : note_(note) {}
  void nothing() override {}
  void label(std::span<const uint32_t>) override {}
  void registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) override {
    range(offset, one_register, values.size());
  }
  void draw(const DrawPacket&) override { note_(regs::VAP_VF_CNTL::offset); }
  void index_buffer(const IndexBufferPacket& p) override { range(p.destination, p.one_register, p.dwords); }
  void clear_ram(OnChipRam, uint32_t, uint32_t, uint32_t) override {}
  void wait_mem(const MemoryTest&) override {}
  void wait_semaphore(uint32_t) override {}
  void cond_exec(const MemoryTest&, uint32_t) override {}
  void pred_exec(uint32_t, uint32_t) override {}
  void settings_2d(std::span<const RegisterValue> settings) override {
    for (const RegisterValue& s : settings) note_(s.offset);
  }
  void paint(const Rect&) override {}
  void blit(const Blit&) override {}
  void host_blit(const HostBlit&) override {}
  void polyline(std::span<const Point2d>) override {}
  void dispatch(const DispatchPacket&) override {}
  void copy(const CopyPacket&) override {}
  void fill(const FillPacket&) override {}
  void scale(const ScalePacket&) override {}
  void resolve(const ResolvePacket&) override {}
  void write(const WritePacket&) override {}
  void bad(const std::string&) override {}

 private:
  void range(uint32_t offset, bool one_register, size_t n) {
    const size_t count = one_register ? std::min<size_t>(n, 1) : std::min<size_t>(n, kRegistersEnd / 4);
    for (size_t i = 0; i < count; ++i) note_(offset + uint32_t(4 * i));
  }
  const std::function<void(uint32_t)>& note_;
};

}  // namespace

void Writers::packet(const Where& where, std::span<const uint32_t> words) {
  ++packets_;
  const std::function<void(uint32_t)> note = [&](uint32_t offset) { last_[offset] = {packets_, where}; };
  Noter noter(note);
  visit_packet(profile_, words, noter);
}

std::string Writers::writer(std::initializer_list<uint32_t> offsets) const {
  Write last;
  for (const uint32_t offset : offsets)
    if (const auto found = last_.find(offset); found != last_.end() && found->second.number > last.number) last = found->second;
  return last.number ? last.where.text(profile_) : "the host";
}

void each_state_register(Profile profile, const std::function<void(uint32_t)>& see) {
  // VAP_VPORT_* at their old addresses.
  constexpr uint32_t kAlias = regs::SE_VPORT_XSCALE::offset, kAliasEnd = regs::SE_VPORT_ZOFFSET::offset;
  std::vector<uint32_t> offsets;
  for (const decode::Entry& e : decode::tables(profile).entries) {
    if (e.kind != decode::Kind::reg || e.offset < 0 || !e.groups || e.access == decode::Access::ro) continue;
    for (uint32_t i = 0; i < e.count; ++i) offsets.push_back(uint32_t(e.offset) + i * e.stride);
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  for (const uint32_t offset : offsets)
    if (offset < kRegistersEnd && (offset < kAlias || offset > kAliasEnd)) see(offset);
}

}  // namespace pumice::hw::trace
