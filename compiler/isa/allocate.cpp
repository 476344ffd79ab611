// SPDX-License-Identifier: MIT
/// Liveness is a backward bit-set iteration per lane. A lane occupies a channel at point p if it is live after p or written at p
/// (even when nobody reads it, the write must not hit another value). Two lanes conflict if they share such a point.
#include "compiler/isa/allocate.h"

#include <algorithm>
#include <stdexcept>

namespace pumice::compiler::isa {
namespace {

class Bits {
 public:
  explicit Bits(size_t n = 0) : words_((n + 63) / 64) {}
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  bool test(size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  bool meets(const Bits& o) const {
    for (size_t i = 0; i < words_.size(); i++) {
      if (words_[i] & o.words_[i]) return true;
    }
    return false;
  }
  void merge(const Bits& o) {
    for (size_t i = 0; i < words_.size(); i++) words_[i] |= o.words_[i];
  }
  bool any() const {
    return std::any_of(words_.begin(), words_.end(), [](uint64_t w) { return w != 0; });
  }

 private:
  std::vector<uint64_t> words_;
};

/// For every lane the points where it occupies its channel. Point 0 of the result is the entry; instruction i is point i + 1.
std::vector<Bits> occupancy(const std::vector<VirtualRegister>& registers, const std::vector<Point>& points) {
  const size_t lanes = registers.size() * 4, n = points.size();
  std::vector<Bits> result(lanes, Bits(n + 1));
  std::vector<Bits> live_in(n, Bits(lanes));
  const auto id = [](const Lane& l) { return l.reg * 4 + l.lane; };
  // A worklist per read: walk backwards from each read to the writes that may reach it.
  std::vector<std::vector<uint32_t>> before(n);
  for (uint32_t p = 0; p < n; p++) {
    for (uint32_t s : points[p].next) {
      if (s < n) before[s].push_back(p);
    }
  }
  const auto written_at = [&](size_t p, const Lane& lane) {
    return std::find(points[p].writes.begin(), points[p].writes.end(), lane) != points[p].writes.end();
  };
  std::vector<uint32_t> work;
  for (uint32_t p = 0; p < n; p++) {
    for (const Lane& lane : points[p].reads) {
      const uint32_t v = id(lane);
      if (live_in[p].test(v)) continue;
      live_in[p].set(v);
      work.assign(1, p);
      while (!work.empty()) {
        const uint32_t q = work.back();
        work.pop_back();
        if (q == 0) result[v].set(0);
        for (uint32_t b : before[q]) {
          result[v].set(b + 1);
          if (written_at(b, lane) || live_in[b].test(v)) continue;
          live_in[b].set(v);
          work.push_back(b);
        }
      }
    }
    for (const Lane& lane : points[p].writes) result[id(lane)].set(p + 1);
  }
  return result;
}

class Placer {
 public:
  Placer(const std::vector<VirtualRegister>& registers, size_t points, std::vector<Bits> busy, const std::vector<Hint>& hints,
         uint32_t spread)
      : registers_(registers),
        points_(points),
        spread_(spread),
        busy_(std::move(busy)),
        hints_of_(registers.size()),
        placed_(registers.size()) {
    for (const Hint& h : hints) {
      hints_of_[h.a.reg].push_back(h);
      hints_of_[h.b.reg].push_back({h.b, h.a});
    }
    result_.of.resize(registers.size());
  }

  void place(uint32_t v) {
    if (placed_[v]) return;
    placed_[v] = true;
    for (const Hint& h : hints_of_[v]) {
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
      const bool fresh = file_.size() <= reg * 4u;
      if (try_register(v, reg, 0, 0xFF)) return;
      if (fresh) throw std::logic_error("register allocation: the lanes of a value exclude each other");
    }
  }
  Allocation result() { return std::move(result_); }

 private:
  bool try_register(uint32_t v, uint32_t reg, unsigned fixed_lane, unsigned fixed_channel) {
    while (file_.size() < (reg + 1) * 4u) file_.emplace_back(points_);
    std::array<uint8_t, 4> channel{};
    if (!assign(v, reg, 0, 0, fixed_lane, fixed_channel, channel)) return false;
    const VirtualRegister& r = registers_[v];
    for (unsigned l = 0; l < r.lanes; l++) file_[reg * 4 + channel[l]].merge(busy_[v * 4 + l]);
    if (r.at_entry) {
      for (unsigned c = 0; c < 4; c++) file_[reg * 4 + c].set(0);
    }
    result_.of[v] = {reg, channel};
    result_.used = std::max(result_.used, reg + 1);
    return true;
  }

  bool assign(uint32_t v, uint32_t reg, unsigned lane, unsigned taken, unsigned fixed_lane, unsigned fixed_channel,
              std::array<uint8_t, 4>& channel) {
    const VirtualRegister& r = registers_[v];
    if (lane == r.lanes) return true;
    const bool idle = !busy_[v * 4 + lane].any() && !r.at_entry;
    for (unsigned c = 0; c < 4; c++) {
      if (taken >> c & 1 || !(r.channels[lane] >> c & 1)) continue;
      if (lane == fixed_lane && fixed_channel != 0xFF && c != fixed_channel) continue;
      if (!idle && file_[reg * 4 + c].meets(busy_[v * 4 + lane])) continue;
      if (r.at_entry && file_[reg * 4 + c].test(0)) continue;
      channel[lane] = static_cast<uint8_t>(c);
      if (assign(v, reg, lane + 1, taken | 1u << c, fixed_lane, fixed_channel, channel)) return true;
    }
    return false;
  }

  const std::vector<VirtualRegister>& registers_;
  size_t points_;
  uint32_t spread_, turn_ = 0;
  std::vector<Bits> busy_, file_;
  std::vector<std::vector<Hint>> hints_of_;
  std::vector<bool> placed_;
  Allocation result_;
};

}  // namespace

Allocation allocate(const std::vector<VirtualRegister>& registers, const std::vector<Point>& points, const std::vector<Hint>& hints,
                    uint32_t spread) {
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
