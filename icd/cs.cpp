// SPDX-License-Identifier: MIT
#include "icd/cs.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

namespace pumice::icd {
namespace {

constexpr uint32_t kMaxPayload = 1 << 14;  // COUNT has 14 bits

uint32_t type0(uint32_t offset, uint32_t count, bool one_register) {
  return regs::PM4_TYPE0_HEADER{}.BASE_INDEX(offset / 4).ONE_REG_WR(one_register).COUNT(count - 1).raw;
}

}  // namespace

GpuRange ChunkPool::take(uint64_t bytes) {
  if (bytes <= kBytes) {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      GpuRange r = std::move(free_.back());
      free_.pop_back();
      return r;
    }
  }
  return GpuRange(heap_, std::max<uint64_t>(bytes, kBytes));
}

void ChunkPool::give(std::vector<GpuRange>& ranges) {
  {
    std::lock_guard lock(mutex_);
    try {  // destructors come here
      free_.reserve(free_.size() + ranges.size());
      for (GpuRange& r : ranges)
        if (r.size == kBytes) free_.push_back(std::move(r));
    } catch (const std::bad_alloc&) {  // what is not kept goes back to the heap
    }
  }
  ranges.clear();
}

void Cs::reset() {
  pool_.give(ranges_);
  steps_.clear();
  code_ = {};
  data_ = {};
  segment_ = 0;
  barrier_.reset();
  forget();
}

Cs::Bump Cs::take(uint64_t bytes) {
  GpuRange r = pool_.take(bytes);
  const Bump b{r.address, r.host, 0, static_cast<uint32_t>(r.size)};
  ranges_.push_back(std::move(r));
  return b;
}

void Cs::close() {
  if (code_.at > segment_) steps_.push_back({code_.address + segment_, (code_.at - segment_) / 4, {}});
  segment_ = code_.at;
}

void Cs::host_step(std::function<void(HostContext&)> f) {
  close();
  steps_.push_back({0, 0, std::move(f)});
}

void Cs::append(std::span<const Step> steps) {
  close();
  steps_.insert(steps_.end(), steps.begin(), steps.end());
  forget();
}

void Cs::keep_together(uint32_t dwords) {
  if (code_.at + dwords * 4 <= code_.size) return;
  close();
  code_ = take(uint64_t{dwords} * 4);
  segment_ = 0;
}

uint32_t* Cs::reserve(uint32_t dwords) {
  keep_together(dwords);
  auto* out = reinterpret_cast<uint32_t*>(code_.host + code_.at);
  code_.at += dwords * 4;
  return out;
}

void Cs::write(uint32_t offset, uint32_t value) {
  uint32_t* p = reserve(2);
  p[0] = type0(offset, 1, false);
  p[1] = value;
  known_.set(offset / 4);
  shadow_[offset / 4] = value;
}

void Cs::run(uint32_t offset, std::span<const uint32_t> values) {
  uint32_t* p = reserve(static_cast<uint32_t>(values.size()) + 1);
  p[0] = type0(offset, static_cast<uint32_t>(values.size()), false);
  std::copy(values.begin(), values.end(), p + 1);
  for (size_t i = 0; i < values.size(); ++i) {
    known_.set(offset / 4 + i);
    shadow_[offset / 4 + i] = values[i];
  }
}

void Cs::port(uint32_t offset, std::span<const uint32_t> values) {
  while (!values.empty()) {
    // Ports of the shader stores take whole vectors of 4 or 6 dwords: 12 divides the piece.
    const auto n = static_cast<uint32_t>(std::min<size_t>(values.size(), kMaxPayload / 12 * 12));
    uint32_t* p = reserve(n + 1);
    p[0] = type0(offset, n, true);
    std::copy_n(values.begin(), n, p + 1);
    values = values.subspan(n);
  }
}

void Cs::packet(pm4::Op op, std::span<const uint32_t> payload) {
  assert(!payload.empty() && payload.size() <= kMaxPayload);
  uint32_t* p = reserve(static_cast<uint32_t>(payload.size()) + 1);
  p[0] = regs::PM4_TYPE3_HEADER{}.IT_OPCODE(static_cast<uint32_t>(op)).COUNT(static_cast<uint32_t>(payload.size()) - 1).TYPE(3).raw;
  std::copy(payload.begin(), payload.end(), p + 1);
}

void Cs::state_packet(pm4::Op op, uint32_t offset, std::span<const uint32_t> payload) {
  bool same = true;
  for (size_t i = 0; i < payload.size(); ++i) same &= known_[offset / 4 + i] && shadow_[offset / 4 + i] == payload[i];
  if (same) return;
  packet(op, payload);
  for (size_t i = 0; i < payload.size(); ++i) {
    known_.set(offset / 4 + i);
    shadow_[offset / 4 + i] = payload[i];
  }
}

void Cs::state_all(const std::vector<Stated>& list, uint64_t& epoch) {
  const bool all_known = epoch == epoch_;
  for (const Stated& s : list)
    if (!(all_known || known_[s.index]) || shadow_[s.index] != s.value) write(s.index * 4, s.value);
  epoch = epoch_;
}

void Cs::load_port(uint32_t offset, hw::GpuAddress from, uint32_t dwords) {
  packet(pm4::Op::INDX_BUFFER, {regs::PM4_INDX_BUFFER_DW0{}.DST_REG(offset / 4).ONE_REG_WR(1).raw, address32(from), dwords});
}

namespace {
/// The same by rectangles of bytes, one row high.
void copy_by_rectangles(Cs& cs, hw::GpuAddress from, hw::GpuAddress to, uint64_t bytes) {
  using Surface = regs::DST_PITCH_OFFSET;
  constexpr uint32_t kBase = Surface::OFFSET__UNIT, kPitch = 4096;  // surfaces begin at multiples of the one
  using Control = regs::DP_GUI_MASTER_CNTL;
  const Control control = Control{}
                              .SRC_PITCH_OFFSET_CNTL(1)
                              .DST_PITCH_OFFSET_CNTL(1)
                              .BRUSH_TYPE(Control::BRUSH_TYPE__NONE)
                              .DST_TYPE(Control::DST_TYPE__CI8)
                              .SRC_TYPE(Control::SRC_TYPE__COLOR)
                              .ROP3(Control::ROP3__SRCCOPY)
                              .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY)
                              .CLR_CMP_CNTL_DIS(1)
                              .WR_MSK_DIS(1);
  const auto surface = [](hw::GpuAddress a) { return Surface{}.OFFSET(address32(a) / kBase).PITCH(kPitch / Surface::PITCH__UNIT).raw; };
  const auto point = [](uint32_t x, uint32_t y) { return regs::PM4_2D_POINT_X_Y{}.X(x).Y(y).raw; };
  while (bytes) {
    const auto n = static_cast<uint32_t>(std::min<uint64_t>(bytes, kPitch));
    cs.packet(pm4::Op::CNTL_BITBLT_MULTI, {control.raw, surface(from), surface(to), point(static_cast<uint32_t>(from % kBase), 0),
                                           point(static_cast<uint32_t>(to % kBase), 0), point(n, 1)});
    from += n;
    to += n;
    bytes -= n;
  }
}
}  // namespace

void Cs::copy(hw::GpuAddress from, hw::GpuAddress to, uint64_t bytes) {
  if (!chip().has_gui_dma) return copy_by_rectangles(*this, from, to, bytes);
  constexpr uint64_t kPiece = 1u << 20;  // BYTE_COUNT has 21 bits
  while (bytes) {
    const auto n = static_cast<uint32_t>(std::min(bytes, kPiece));
    const uint32_t values[3] = {address32(from), address32(to), n};
    run(regs::CP_GUI_SRC_ADDR::offset, values);
    from += n;
    to += n;
    bytes -= n;
  }
}

Cs::Data Cs::data(uint64_t bytes, uint32_t align) {
  uint32_t at = (data_.at + align - 1) / align * align;
  if (at + bytes > data_.size) {
    data_ = take(bytes);
    at = 0;
  }
  data_.at = at + static_cast<uint32_t>(bytes);
  return {data_.address + at, data_.host + at};
}

}  // namespace pumice::icd
