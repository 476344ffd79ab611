// SPDX-License-Identifier: MIT
/// Liveness is a backward bit-set iteration per lane.
#include "compiler/isa/liveness.h"

namespace pumice::compiler::isa {
namespace {

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

}  // namespace

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

}  // namespace pumice::compiler::isa
