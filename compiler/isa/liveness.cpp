// SPDX-License-Identifier: MIT
/// Liveness, lane by lane: where one point follows the other a walk backwards over the lane's accesses, else a walk backwards from each
/// read to the writes that may reach it.
#include "compiler/isa/liveness.h"

namespace pumice::compiler::isa {
namespace {

size_t id(const Lane& l) { return size_t{l.reg} * 4 + l.lane; }

/// The accesses of every lane in the order of points, at one point reads before writes.
class Accesses {
 public:
  struct Access {
    uint32_t point;
    bool write;
  };
  Accesses(size_t lanes, const Vec<Point>& points) : first_(lanes + 1) {
    const auto each = [&](const auto& visit) {
      for (uint32_t p = 0; p < points.size(); p++) {
        for (const Lane& l : points[p].reads) visit(id(l), Access{p, false});
        for (const Lane& l : points[p].writes) visit(id(l), Access{p, true});
      }
    };
    each([&](size_t lane, const Access&) { first_[lane + 1]++; });
    for (size_t i = 1; i < first_.size(); i++) first_[i] += first_[i - 1];
    all_.resize(first_.back());
    Vec<uint32_t> next = first_;
    each([&](size_t lane, const Access& a) { all_[next[lane]++] = a; });
  }
  std::span<const Access> of(size_t lane) const { return {all_.data() + first_[lane], first_[lane + 1] - first_[lane]}; }

 private:
  Vec<uint32_t> first_;
  Vec<Access> all_;
};

/// One row of bits under construction.
class Row {
 public:
  explicit Row(size_t bits) : words_((bits + 63) / 64) {}
  void set(size_t from, size_t to) {
    first_ = std::min(first_, from / 64);
    last_ = std::max(last_, to / 64);
    set_bits(words_.data(), from, to);
  }
  void set(size_t i) {
    first_ = std::min(first_, i / 64);
    last_ = std::max(last_, i / 64);
    words_[i / 64] |= uint64_t{1} << (i % 64);
  }
  void finish(size_t lane, Occupancy& out) {
    if (first_ > last_) return;
    out.take(lane, words_, first_, last_);
    first_ = ~size_t{0};
    last_ = 0;
  }

 private:
  Vec<uint64_t> words_;
  size_t first_ = ~size_t{0}, last_ = 0;
};

/// Where one point follows the other, a lane is busy from each write to the last read of what it wrote.
void straight(std::span<const Accesses::Access> accesses, Row& row) {
  uint32_t last = 0;  // read so far, backwards: its point + 1
  for (size_t i = accesses.size(); i-- > 0;) {
    const auto [p, write] = accesses[i];
    if (write) {
      row.set(p + 1, std::max(last ? last - 1 : 0, p + 1));
      last = 0;
    } else if (!last) {
      last = p + 1;
    }
  }
  if (last) row.set(0, last - 1);
}

/// straight() of all lanes in one walk over the points: the rows of few lanes and points fit into the cache.
Occupancy straight_rows(size_t lanes, size_t row, const Vec<Point>& points) {
  Occupancy out(lanes, row);
  Vec<uint32_t> last(lanes);
  for (uint32_t p = static_cast<uint32_t>(points.size()); p-- > 0;) {
    for (const Lane& lane : points[p].writes) {
      uint32_t& read = last[id(lane)];
      out.set_before(id(lane), p + 1, std::max(read ? read - 1 : 0, p + 1));
      read = 0;
    }
    for (const Lane& lane : points[p].reads)
      if (!last[id(lane)]) last[id(lane)] = p + 1;
  }
  for (size_t lane = 0; lane < lanes; lane++)
    if (last[lane]) out.set_before(lane, 0, last[lane] - 1);
  return out;
}

/// What may come before each point.
class Predecessors {
 public:
  explicit Predecessors(const Vec<Point>& points) : first_(points.size()) {
    edges_.reserve(points.size() * 2);
    for (uint32_t p = static_cast<uint32_t>(points.size()); p-- > 0;) {
      for (uint32_t s : points[p].next) {
        if (s >= points.size()) continue;
        edges_.push_back({p, first_[s]});
        first_[s] = static_cast<uint32_t>(edges_.size() - 1);
      }
    }
  }
  bool one(uint32_t point) const { return first_[point] && !edges_[first_[point]].next; }
  uint32_t first(uint32_t point) const { return edges_[first_[point]].from; }
  template <class Visit>
  void each(uint32_t point, const Visit& visit) const {
    for (uint32_t e = first_[point]; e; e = edges_[e].next) visit(edges_[e].from);
  }

 private:
  struct Edge {
    uint32_t from, next;
  };
  Vec<uint32_t> first_;
  Vec<Edge> edges_{Edge{}};
};

/// The general case: per point the last lane (+ 1) that was found live before it or that is written there.
class Walker {
 public:
  explicit Walker(const Vec<Point>& points) : before_(points), live_(points.size()), written_(points.size()) {}

  void walk(size_t lane, std::span<const Accesses::Access> accesses, Row& row) {
    const uint32_t mark = static_cast<uint32_t>(lane) + 1;
    for (const auto& [p, write] : accesses) {
      if (!write) continue;
      written_[p] = mark;
      row.set(p + 1);
    }
    for (const auto& [p, write] : accesses) {
      if (write || live_[p] == mark) continue;
      live_[p] = mark;
      work_.assign(1, p);
      while (!work_.empty()) {
        uint32_t q = work_.back();
        work_.pop_back();
        const auto enters = [&](uint32_t b) {
          row.set(b + 1);
          if ((written_[b] == mark) | (live_[b] == mark)) return false;
          live_[b] = mark;
          return true;
        };
        // Most points have one before them.
        bool goes_on = true;
        while (goes_on && q && before_.one(q)) goes_on = enters(before_.first(q)), q = before_.first(q);
        if (!goes_on) continue;
        if (q == 0) row.set(0);
        before_.each(q, [&](uint32_t b) {
          if (enters(b)) work_.push_back(b);
        });
      }
    }
  }

 private:
  Predecessors before_;
  Vec<uint32_t> live_, written_, work_;
};

}  // namespace

Occupancy occupancy(const Vec<VirtualRegister>& registers, const Vec<Point>& points) {
  const size_t lanes = registers.size() * 4, n = points.size();
  bool follows = true;
  for (uint32_t p = 0; p + 1 < n && follows; p++) follows = points[p].next.size() == 1 && points[p].next[0] == p + 1;
  follows &= n == 0 || points[n - 1].next.empty();
  constexpr size_t kFewWords = 1 << 13;
  const size_t words = n / 64 + 1;
  if (follows && lanes * words <= kFewWords) return straight_rows(lanes, words, points);
  const Accesses accesses(lanes, points);
  Occupancy out(lanes);
  Row row(n + 1);
  if (follows) {
    for (size_t lane = 0; lane < lanes; lane++) {
      straight(accesses.of(lane), row);
      row.finish(lane, out);
    }
    return out;
  }
  Walker walker(points);
  for (size_t lane = 0; lane < lanes; lane++) {
    walker.walk(lane, accesses.of(lane), row);
    row.finish(lane, out);
  }
  return out;
}

}  // namespace pumice::compiler::isa
