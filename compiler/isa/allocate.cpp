// SPDX-License-Identifier: MIT
/// Two lanes conflict if there is a point where both occupy their channels (liveness.h).
#include "compiler/isa/allocate.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/isa/liveness.h"

namespace pumice::compiler::isa {
namespace {

/// By channel of the register file (register * 4 + channel), which points are taken.
class File {
 public:
  explicit File(size_t points) : row_((points + 63) / 64) {}
  void add_row() { words_.resize(words_.size() + row_); }
  size_t rows() const { return words_.size() / row_; }
  void set(size_t row, size_t i) { words_[row * row_ + i / 64] |= uint64_t{1} << (i % 64); }
  bool test(size_t row, size_t i) const { return words_[row * row_ + i / 64] >> (i % 64) & 1; }
  bool meets(size_t row, const LaneBits& lane) const {
    const uint64_t* w = &words_[row * row_ + lane.first];
    for (size_t i = 0; i < lane.words.size(); i++) {
      if (w[i] & lane.words[i]) return true;
    }
    return false;
  }
  void merge(size_t row, const LaneBits& lane) {
    for (size_t i = 0; i < lane.words.size(); i++) words_[row * row_ + lane.first + i] |= lane.words[i];
  }

 private:
  size_t row_;
  Vec<uint64_t> words_;
};

class Placer {
 public:
  Placer(const Vec<VirtualRegister>& registers, size_t points, Occupancy busy, const Vec<Hint>& hints, uint32_t spread)
      : registers_(registers),
        spread_(spread),
        busy_(std::move(busy)),
        file_(points),
        first_hint_(registers.size()),
        placed_(registers.size()) {
    // Backwards, so that each register's list is in the order of the hints.
    hints_.reserve(hints.size() * 2 + 1);
    const auto add = [&](const Lane& a, const Lane& b) {
      hints_.push_back({{a, b}, first_hint_[a.reg]});
      first_hint_[a.reg] = static_cast<uint32_t>(hints_.size() - 1);
    };
    for (size_t i = hints.size(); i-- > 0;) {
      add(hints[i].b, hints[i].a);
      add(hints[i].a, hints[i].b);
    }
    result_.of.resize(registers.size());
  }

  void place(uint32_t v) {
    if (!placed_[v]) place_now(v);
  }
  Allocation result() { return std::move(result_); }

 private:
  void place_now(uint32_t v) {
    placed_[v] = true;
    for (unsigned l = 0; l < registers_[v].lanes; l++) lane_[l] = busy_.of(v * 4 + l);
    for (uint32_t i = first_hint_[v]; i; i = hints_[i].next) {
      const Hint& h = hints_[i].hint;
      if (!placed_[h.b.reg] || h.b.reg == v || registers_[v].at_entry) continue;
      const Placement& p = result_.of[h.b.reg];
      if (try_register(v, p.reg, h.a.lane, p.channel[h.b.lane])) return;
    }
    if (!registers_[v].at_entry) {
      for (uint32_t i = 0; i < spread_; i++) {
        const uint32_t reg = (turn_ + i) % spread_;
        if (!try_register(v, reg, 0, 0xFF)) continue;
        turn_ = reg + 1;
        return;
      }
    }
    for (uint32_t reg = 0;; reg++) {
      const bool fresh = file_.rows() <= reg * 4u;
      if (try_register(v, reg, 0, 0xFF)) return;
      if (fresh) throw std::logic_error("register allocation: the lanes of a value exclude each other");
    }
  }

  bool try_register(uint32_t v, uint32_t reg, unsigned fixed_lane, unsigned fixed_channel) {
    while (file_.rows() < (reg + 1) * 4u) file_.add_row();
    std::array<uint8_t, 4> channel{};
    if (!assign(v, reg, 0, 0, fixed_lane, fixed_channel, channel)) return false;
    const VirtualRegister& r = registers_[v];
    for (unsigned l = 0; l < r.lanes; l++) file_.merge(reg * 4 + channel[l], lane_[l]);
    if (r.at_entry) {
      for (unsigned c = 0; c < 4; c++) file_.set(reg * 4 + c, 0);
    }
    result_.of[v] = {reg, channel};
    result_.used = std::max(result_.used, reg + 1);
    return true;
  }

  bool assign(uint32_t v, uint32_t reg, unsigned lane, unsigned taken, unsigned fixed_lane, unsigned fixed_channel,
              std::array<uint8_t, 4>& channel) {
    const VirtualRegister& r = registers_[v];
    if (lane == r.lanes || lane == channel.size()) return true;
    for (unsigned c = 0; c < 4; c++) {
      if (taken >> c & 1 || !(r.channels[lane] >> c & 1)) continue;
      if (lane == fixed_lane && fixed_channel != 0xFF && c != fixed_channel) continue;
      if (file_.meets(reg * 4 + c, lane_[lane])) continue;
      if (r.at_entry && file_.test(reg * 4 + c, 0)) continue;
      channel[lane] = static_cast<uint8_t>(c);
      if (assign(v, reg, lane + 1, taken | 1u << c, fixed_lane, fixed_channel, channel)) return true;
    }
    return false;
  }

  const Vec<VirtualRegister>& registers_;
  uint32_t spread_, turn_ = 0;
  Occupancy busy_;
  File file_;
  struct ListedHint {
    Hint hint{};
    uint32_t next = 0;
  };
  Vec<ListedHint> hints_{ListedHint{}};  ///< entry 0 ends a list
  Vec<uint32_t> first_hint_;             ///< by register
  Vec<uint8_t> placed_;
  std::array<LaneBits, 4> lane_{};  ///< of the register being placed: where it is busy
  Allocation result_;
};

}  // namespace

Allocation allocate(const Vec<VirtualRegister>& registers, const Vec<Point>& points, const Vec<Hint>& hints, uint32_t spread) {
  Placer placer(registers, points.size() + 1, occupancy(registers, points), hints, spread);
  // Registers filled from outside first (they get the low numbers), then in the order of first occurrence.
  for (uint32_t v = 0; v < registers.size(); v++) {
    if (registers[v].at_entry) placer.place(v);
  }
  for (const Point& p : points) {
    for (const Lane& l : p.reads) placer.place(l.reg);
    for (const Lane& l : p.writes) placer.place(l.reg);
  }
  return placer.result();
}

}  // namespace pumice::compiler::isa
