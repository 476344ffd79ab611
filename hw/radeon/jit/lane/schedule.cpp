// SPDX-License-Identifier: MIT
/// List scheduling: in a stretch between two nodes that stay where they are, the ready operation on the longest path to the end goes
/// first. A window bounds how far operations move. When registers run out, the source order
/// continues; a stretch that would spill many more values than in source order keeps the source order.
#include "hw/radeon/jit/lane/schedule.h"

#include <algorithm>
#include <span>

namespace pumice::hw::fast::lane {
namespace {

constexpr int32_t kPerCycle = 2;       ///< vector operations begun in a cycle
constexpr int32_t kGathersApart = 16;  ///< nodes between gathers that are looked at
constexpr int32_t kNodesPerSpill = 5;  ///< one additional spill over source order is allowed per this many nodes (README.md)

/// Whether the result takes a register. Variables are read in place.
bool takes_register(const Node& n) { return type_of(n.op) != Type::none && !is_remade(n) && n.op != Op::get && n.op != Op::mask_get; }
/// The properties of nodes that scheduling uses.
struct Item {
  int32_t operands[3] = {};
  uint8_t count = 0;
  uint8_t latency = 1;
  bool is_free = false, is_fixed = false, takes_register = false, is_mask = false, ends_run = false;
};
std::vector<Item> items_of(const Program& program, const ScheduleLimits& limits) {
  std::vector<Item> items(program.nodes.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const Node& n = program.nodes[i];
    Item& item = items[i];
    for_operands(n, [&](int, int32_t v) { item.operands[item.count++] = v; });
    item.latency = operation(n.op).latency;
    item.is_free = is_remade(n), item.is_fixed = is_fixed(n), item.takes_register = takes_register(n);
    item.is_mask = limits.masks && type_of(n.op) == Type::mask;
    item.ends_run =
        operation(n.op).is(trait::ends_run) || (limits.halves && (operation(n.op).is(trait::whole) || meets_halves(program, n)));
  }
  return items;
}

/// The live values during a pass over nodes. Registers are empty at the start of a run.
class Pressure {
 public:
  struct State {
    int32_t alive[2] = {};
    int64_t spills = 0;
  };
  Pressure(const std::vector<Item>& items, const ScheduleLimits& limits) : items_(items), limits_(limits), left_(items.size(), 0) {
    int32_t begin = 0;
    for (int32_t i = 0; i < int32_t(items.size()); ++i) {
      const Item& item = items[size_t(i)];
      if (item.ends_run) begin = i;
      for (int k = 0; k < item.count; ++k) left_[size_t(item.operands[k])] += item.operands[k] >= begin;
    }
  }
  void pass(int32_t i) {
    const Item& item = items_[size_t(i)];
    if (item.ends_run) begin_ = i, state_.alive[0] = state_.alive[1] = 0;
    const int32_t before = excess();
    for (int k = 0; k < item.count; ++k) {
      const int32_t v = item.operands[k];
      if (v >= begin_ && --left_[size_t(v)] == 0) state_.alive[items_[size_t(v)].is_mask] -= items_[size_t(v)].takes_register;
    }
    if (left_[size_t(i)] > 0) state_.alive[item.is_mask] += item.takes_register;
    state_.spills += std::max(0, excess() - before);
  }
  const State& state() const { return state_; }
  /// Back to the state before these nodes, among which no run ends.
  void undo(std::span<const int32_t> nodes, const State& before) {
    for (const int32_t i : nodes) {
      const Item& item = items_[size_t(i)];
      for (int k = 0; k < item.count; ++k) left_[size_t(item.operands[k])] += item.operands[k] >= begin_;
    }
    state_ = before;
  }
  bool full(int32_t beyond) const {
    return state_.alive[0] >= limits_.values + beyond || (limits_.masks && state_.alive[1] >= limits_.masks);
  }
  int64_t spills() const { return state_.spills; }

 private:
  int32_t excess() const { return std::max(0, state_.alive[0] - limits_.values) + std::max(0, state_.alive[1] - limits_.masks); }

  const std::vector<Item>& items_;
  const ScheduleLimits limits_;
  std::vector<int32_t> left_;  ///< uses to come, in the run of the definition
  int32_t begin_ = 0;
  State state_;
};

class Scheduler {
 public:
  Scheduler(const Program& program, const ScheduleLimits& limits)
      : nodes_(program.nodes),
        items_(items_of(program, limits)),
        window_(std::max(1, limits.window)),
        beyond_(limits.beyond),
        pressure_(items_, limits) {}

  std::vector<int32_t> order() {
    const size_t count = items_.size();
    height_.assign(count, 0), ready_at_.assign(count, 0), missing_.assign(count, 0), done_.assign(count, 0);
    users_begin_.assign(count + 2, 0);
    for (const Item& item : items_)
      for (int k = 0; k < item.count; ++k) ++users_begin_[size_t(item.operands[k]) + 2];
    for (size_t i = 2; i < count + 2; ++i) users_begin_[i] += users_begin_[i - 1];
    users_.resize(users_begin_[count + 1]);
    for (size_t i = 0; i < count; ++i)
      for (int k = 0; k < items_[i].count; ++k) users_[users_begin_[size_t(items_[i].operands[k]) + 1]++] = int32_t(i);
    for (size_t i = count; i-- > 0;) {
      height_[i] += items_[i].latency;
      for (int k = 0; k < items_[i].count; ++k) {
        int32_t& height = height_[size_t(items_[i].operands[k])];
        height = std::max(height, height_[i]);
      }
    }
    find_chains();
    order_.reserve(count);
    for (int32_t begin = 0, i = 0; i <= int32_t(count); ++i) {
      if (i < int32_t(count) && !items_[size_t(i)].is_fixed) continue;
      stretch(begin, i);
      if (i < int32_t(count)) keep(i);
      begin = i + 1;
    }
    return std::move(order_);
  }

 private:
  void find_chains() {
    const auto count = int32_t(nodes_.size());
    first_.resize(nodes_.size()), next_.assign(nodes_.size(), -1);
    for (int32_t i = 0; i < count; ++i) first_[size_t(i)] = i;
    for (int32_t i = 0; i < count; ++i) {
      switch (nodes_[size_t(i)].op) {
        case Op::gather:
        case Op::gather_first:
        case Op::gather_second:
        case Op::gather_low:
        case Op::load_32: break;
        default: continue;
      }
      for (int32_t k = i + 1; k < std::min(count, i + kGathersApart) && !items_[size_t(k)].is_fixed; ++k) {
        if (!follows(nodes_[size_t(i)], nodes_[size_t(k)]) || first_[size_t(k)] != k) continue;
        if (nodes_[size_t(k)].op == Op::load_32 && nodes_[size_t(k)].p >= nodes_[size_t(first_[size_t(i)])].p + 4) break;  // one access
        next_[size_t(i)] = k, first_[size_t(k)] = first_[size_t(i)];
        break;
      }
    }
  }
  /// The node and those that are emitted with it, in their order.
  template <class F>
  void for_chain(int32_t i, F f) {
    for (int32_t k = first_[size_t(i)]; k >= 0; k = next_[size_t(k)]) f(k);
  }

  void keep(int32_t i) {
    order_.push_back(i);
    pressure_.pass(i);
  }

  void stretch(int32_t begin, int32_t end) {
    if (end - begin < 3) {
      for (int32_t i = begin; i < end; ++i) keep(i);
      return;
    }
    source_.clear();
    for (int32_t i = begin; i < end; ++i)
      if (first_[size_t(i)] == i) for_chain(i, [&](int32_t k) { source_.push_back(k); });
    const Pressure::State entry = pressure_.state();
    for (const int32_t i : source_) pressure_.pass(i);
    const int64_t spills = pressure_.spills();
    pressure_.undo(source_, entry);
    const size_t at = order_.size();
    for (const int32_t beyond : {beyond_, 0}) {
      list(begin, end, beyond);
      if (pressure_.spills() <= spills + (end - begin) / kNodesPerSpill) return;
      pressure_.undo(std::span(order_).subspan(at), entry);
      order_.resize(at);
      if (beyond == 0) break;
    }
    for (const int32_t i : source_) keep(i);
  }

  void list(int32_t begin, int32_t end, int32_t beyond) {
    ready_.clear(), waiting_.clear();
    for (int32_t i = begin; i < end; ++i) missing_[size_t(i)] = ready_at_[size_t(i)] = 0, done_[size_t(i)] = 0;
    int32_t left = 0;
    for (int32_t i = begin; i < end; ++i) {
      const Item& item = items_[size_t(i)];
      if (item.is_free) {
        keep(i);
        done_[size_t(i)] = 1;
        continue;
      }
      ++left;
      for (int k = 0; k < item.count; ++k) missing_[size_t(i)] += item.operands[k] >= begin && !items_[size_t(item.operands[k])].is_free;
    }
    int32_t oldest = begin, seen = begin;  // of oldest..seen, all whose operands are done are in waiting_ or ready_
    slot_ = 0;
    for (; left > 0; --left, ++slot_) {
      while (done_[size_t(oldest)]) ++oldest;  // its operands are older, so done
      for (; seen < end && seen < oldest + window_; ++seen)
        if (!done_[size_t(seen)] && missing_[size_t(seen)] == 0) waiting_.push_back(seen);
      const int32_t taken = pressure_.full(beyond) ? oldest : take(oldest);
      for_chain(taken, [&](int32_t v) {
        if (v != first_[size_t(v)]) --left;
        go(v, seen, end);
      });
    }
  }

  void go(int32_t v, int32_t seen, int32_t end) {
    const int32_t now = slot_ / kPerCycle;
    done_[size_t(v)] = 1;
    keep(v);
    const int32_t at = std::max(now, ready_at_[size_t(v)]) + items_[size_t(v)].latency;
    for (uint32_t u = users_begin_[size_t(v)]; u < users_begin_[size_t(v) + 1]; ++u) {
      const int32_t user = users_[u];
      if (user >= end) break;
      ready_at_[size_t(user)] = std::max(ready_at_[size_t(user)], at);
      if (--missing_[size_t(user)] == 0 && user < seen) waiting_.push_back(user);
    }
  }

  /// Among nodes whose operands are ready, or will be first: the longer path to the end, then the older one.
  int32_t take(int32_t oldest) {
    for (;;) {
      int32_t first = INT32_MAX;  // cycle in which one of the waiting is ready
      for (size_t k = 0; k < waiting_.size();) {
        const int32_t v = waiting_[k];
        if (!done_[size_t(v)]) {
          if (ready_at_[size_t(v)] > slot_ / kPerCycle) {
            first = std::min(first, ready_at_[size_t(v)]);
            ++k;
            continue;
          }
          ready_.push_back(uint64_t(height_[size_t(v)]) << 32 | (UINT32_MAX - uint32_t(v)));
          std::push_heap(ready_.begin(), ready_.end());
        }
        waiting_[k] = waiting_.back();
        waiting_.pop_back();
      }
      while (!ready_.empty()) {
        const int32_t v = int32_t(UINT32_MAX - uint32_t(ready_.front()));
        std::pop_heap(ready_.begin(), ready_.end());
        ready_.pop_back();
        if (!done_[size_t(v)]) return v;  // it may have gone as the oldest
      }
      if (first == INT32_MAX) return oldest;
      slot_ = first * kPerCycle;
    }
  }

  const std::vector<Node>& nodes_;
  const std::vector<Item> items_;
  std::vector<int32_t> first_, next_;  ///< of the gathers that a node follows: they have the same operands
  const int32_t window_, beyond_;
  Pressure pressure_;
  int32_t slot_ = 0;               ///< the time, in operations begun
  std::vector<int32_t> height_;    ///< cycles from the beginning of the node to the end of the program
  std::vector<int32_t> ready_at_;  ///< cycle of the stretch in which the operands are there
  std::vector<int32_t> missing_;   ///< operands of the stretch that are not done
  std::vector<uint32_t> users_begin_;
  std::vector<int32_t> users_, order_, source_;
  std::vector<int32_t> waiting_;  ///< operands done, results not there yet, in the window
  std::vector<uint64_t> ready_;   ///< heap: height, then age
  std::vector<uint8_t> done_;
};

}  // namespace

bool follows(const Node& a, const Node& b) {
  if (a.a != b.a || a.c != b.c) return false;
  const auto gathers_of_row = [](Op op) { return op == Op::gather_first || op == Op::gather_second; };
  if (gathers_of_row(a.op) && gathers_of_row(b.op)) {
    if (a.op > b.op || a.b != b.b || a.p != b.p) return false;
    return a.op == b.op ? b.imm == a.imm + 4 : b.imm == 0 && a.imm <= 4;
  }
  if (a.op == Op::gather_low && b.op == Op::gather_high) return a.b == b.b && a.p == b.p && a.imm == b.imm;
  if (a.op != b.op) return false;
  if (a.op == Op::gather) return a.b == b.b && a.p == b.p && b.imm == a.imm + 4;
  if (a.imm != b.imm || b.p != a.p + 1) return false;
  return a.op == Op::store_32 || (a.op == Op::load_32 && a.b == b.b);
}

int32_t instructions(Op op) {
  switch (op) {
    case Op::uint_to_float: return 6;
    case Op::half_to_float:
    case Op::to_int_clamped: return 5;
    case Op::low_bits: return 3;
    case Op::shl_by:
    case Op::shr_by:
    case Op::sar_by: return 2;
    case Op::imul_high:
    case Op::umul_high: return 6;
    case Op::scale:
    case Op::to_uint_clamped: return 8;
    case Op::popcount:
    case Op::leading_zeros:
    case Op::bit_reverse: return 9;
    case Op::srgb_decode: return 12;
    case Op::idiv:
    case Op::udiv: return 24;
    case Op::look_up: return 16;
#define PUMICE_LANE_ROW(name, ...) case Op::name:
      PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    case Op::gather: return 8;
    default: return 1;
  }
}

bool meets_halves(const Program& program, const Node& n) {
  if (!is_apart(n)) return false;
  if (n.op == Op::permute) return !is_remade(program.nodes[size_t(n.a)]);
  return operation(n.op).signature.imm != Role::buffer || !program.buffers[n.imm].is_block();
}

ScheduleLimits schedule_limits(Cpu cpu) {
  if (cpu == Cpu::avx512) return {.window = 256, .values = 28, .beyond = 0, .masks = 6, .halves = false};
  return {.window = 128, .values = 12, .beyond = 8, .masks = 0, .halves = true};
}

std::vector<int32_t> schedule_order(const Program& program, const ScheduleLimits& limits) { return Scheduler(program, limits).order(); }

Program scheduled(const Program& program, const ScheduleLimits& limits) {
  const std::vector<int32_t> order = schedule_order(program, limits);
  Program result = program;
  std::vector<int32_t> to(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    Node n = program.nodes[size_t(order[i])];
    for_operands(n, [&](int, int32_t& v) { v = to[size_t(v)]; });
    to[size_t(order[i])] = int32_t(i);
    result.nodes[i] = n;
  }
  return result;
}

int64_t estimated_spills(const Program& program, const ScheduleLimits& limits, std::span<const int64_t> weight) {
  const std::vector<Item> items = items_of(program, limits);
  Pressure pressure(items, limits);
  int64_t spills = 0;
  for (int32_t i = 0; i < int32_t(items.size()); ++i) {
    const int64_t before = pressure.spills();
    pressure.pass(i);
    spills += (pressure.spills() - before) * (weight.empty() ? 1 : weight[size_t(i)]);
  }
  return spills;
}

}  // namespace pumice::hw::fast::lane
