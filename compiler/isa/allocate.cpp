// SPDX-License-Identifier: MIT
/// Liveness is a backward bit-set iteration per lane. A lane occupies a channel at point p if it is live after p or written at p
/// (even if it is never read, the write must not clobber another value). Two lanes conflict if they share such a point.
#include "compiler/isa/allocate.h"

#include <algorithm>
#include <stdexcept>

namespace pumice::compiler::isa {
namespace {

/// Rows of bits, all of one length.
class Bits {
 public:
  Bits(size_t rows, size_t bits) : row_((bits + 63) / 64), words_(rows * row_) {}
  void add_row() { words_.resize(words_.size() + row_); }
  size_t rows() const { return words_.size() / row_; }
  void set(size_t row, size_t i) { words_[row * row_ + i / 64] |= uint64_t{1} << (i % 64); }
  /// Sets [from, to].
  void set(size_t row, size_t from, size_t to) {
    uint64_t* w = &words_[row * row_];
    const uint64_t first = ~uint64_t{0} << (from % 64), last = ~uint64_t{0} >> (63 - to % 64);
    if (from / 64 == to / 64) {
      w[from / 64] |= first & last;
      return;
    }
    w[from / 64] |= first;
    for (size_t i = from / 64 + 1; i < to / 64; i++) w[i] = ~uint64_t{0};
    w[to / 64] |= last;
  }
  bool test(size_t row, size_t i) const { return words_[row * row_ + i / 64] >> (i % 64) & 1; }
  bool meets(size_t row, const Bits& other, size_t other_row) const {
    const uint64_t *a = &words_[row * row_], *b = &other.words_[other_row * row_];
    for (size_t i = 0; i < row_; i++) {
      if (a[i] & b[i]) return true;
    }
    return false;
  }
  void merge(size_t row, const Bits& other, size_t other_row) {
    for (size_t i = 0; i < row_; i++) words_[row * row_ + i] |= other.words_[other_row * row_ + i];
  }
  bool any(size_t row) const {
    return std::any_of(&words_[row * row_], &words_[row * row_] + row_, [](uint64_t w) { return w != 0; });
  }

 private:
  size_t row_;
  Vec<uint64_t> words_;
};

size_t id(const Lane& l) { return size_t{l.reg} * 4 + l.lane; }

/// Where one point follows the other, a lane is busy from each write to the last read of what it wrote.
void straight_occupancy(const Vec<Point>& points, Bits& result) {
  Vec<uint32_t> last(result.rows());  // read so far, backwards: its point + 1
  for (uint32_t p = static_cast<uint32_t>(points.size()); p-- > 0;) {
    for (const Lane& lane : points[p].writes) {
      uint32_t& read = last[id(lane)];
      result.set(id(lane), p + 1, std::max(read ? read - 1 : 0, p + 1));
      read = 0;
    }
    for (const Lane& lane : points[p].reads) {
      if (!last[id(lane)]) last[id(lane)] = p + 1;
    }
  }
  for (size_t v = 0; v < last.size(); v++) {
    if (last[v]) result.set(v, 0, last[v] - 1);
  }
}

/// For every lane (a row) the points where it occupies its channel. Point 0 of the result is the entry; instruction i is point i + 1.
Bits occupancy(const Vec<VirtualRegister>& registers, const Vec<Point>& points) {
  const size_t lanes = registers.size() * 4, n = points.size();
  Bits result(lanes, n + 1);
  bool straight = true;
  for (uint32_t p = 0; p + 1 < n && straight; p++) straight = points[p].next.size() == 1 && points[p].next[0] == p + 1;
  if (straight && (n == 0 || points[n - 1].next.empty())) {
    straight_occupancy(points, result);
    return result;
  }
  Bits live_in(n, lanes + 1), written(n, lanes + 1);
  for (size_t p = 0; p < n; p++) {
    for (const Lane& lane : points[p].writes) written.set(p, id(lane));
  }
  // A worklist per read: walk backwards from each read to the writes that may reach it. The predecessors of a point are a list.
  struct Edge {
    uint32_t from, next;
  };
  Vec<uint32_t> first(n);
  Vec<Edge> edges{Edge{}};
  edges.reserve(n * 2);
  for (uint32_t p = static_cast<uint32_t>(n); p-- > 0;) {
    for (uint32_t s : points[p].next) {
      if (s >= n) continue;
      edges.push_back({p, first[s]});
      first[s] = static_cast<uint32_t>(edges.size() - 1);
    }
  }
  Vec<uint32_t> work;
  for (uint32_t p = 0; p < n; p++) {
    for (const Lane& lane : points[p].reads) {
      const size_t v = id(lane);
      if (live_in.test(p, v)) continue;
      live_in.set(p, v);
      work.assign(1, p);
      while (!work.empty()) {
        const uint32_t q = work.back();
        work.pop_back();
        if (q == 0) result.set(v, 0);
        for (uint32_t e = first[q]; e; e = edges[e].next) {
          const uint32_t b = edges[e].from;
          result.set(v, b + 1);
          if (written.test(b, v) | live_in.test(b, v)) continue;
          live_in.set(b, v);
          work.push_back(b);
        }
      }
    }
    for (const Lane& lane : points[p].writes) result.set(id(lane), p + 1);
  }
  return result;
}

class Placer {
 public:
  Placer(const Vec<VirtualRegister>& registers, size_t points, Bits busy, const Vec<Hint>& hints, uint32_t spread)
      : registers_(registers),
        spread_(spread),
        busy_(std::move(busy)),
        file_(0, points),
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
    for (unsigned l = 0; l < registers_[v].lanes; l++) idle_[l] = !busy_.any(v * 4 + l) && !registers_[v].at_entry;
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
    for (unsigned l = 0; l < r.lanes; l++) file_.merge(reg * 4 + channel[l], busy_, v * 4 + l);
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
      if (!idle_[lane] && file_.meets(reg * 4 + c, busy_, v * 4 + lane)) continue;
      if (r.at_entry && file_.test(reg * 4 + c, 0)) continue;
      channel[lane] = static_cast<uint8_t>(c);
      if (assign(v, reg, lane + 1, taken | 1u << c, fixed_lane, fixed_channel, channel)) return true;
    }
    return false;
  }

  const Vec<VirtualRegister>& registers_;
  uint32_t spread_, turn_ = 0;
  Bits busy_, file_;
  struct ListedHint {
    Hint hint{};
    uint32_t next = 0;
  };
  Vec<ListedHint> hints_{ListedHint{}};  ///< entry 0 ends a list
  Vec<uint32_t> first_hint_;             ///< by register
  Vec<uint8_t> placed_;
  std::array<bool, 4> idle_{};  ///< by lane of the register being placed: busy nowhere
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
