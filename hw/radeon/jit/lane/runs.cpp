// SPDX-License-Identifier: MIT
/// Runs of operations between labels, calls and jumps, or pieces of them: AVX2 emits them for one half after the other, or for both
/// operation by operation.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"
#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

/// AVX2: long runs are cut, so that both halves of a piece are in the processor's window together and one goes on while the other waits for
/// itself; both of a short one are anyway. A piece ends where the fewest values are alive, as these get slots.
std::vector<uint8_t> Emitter::find_cuts() const {
  constexpr int32_t kShortest = 60, kLongest = 120, kFits = 140;  // instructions
  constexpr int32_t kMostAlive = 32;
  const auto& nodes = program_.nodes;
  const auto count = int32_t(nodes.size());
  std::vector<uint8_t> cuts(nodes.size(), 0);
  if (wide_) return cuts;
  std::vector<int32_t> last(nodes.size(), -1);
  for (int32_t i = 0; i < count; ++i) for_operands(nodes[size_t(i)], [&](int, int32_t v) { last[size_t(v)] = i; });
  for (int32_t begin = 0; begin < count; ++begin) {
    int32_t end = begin;
    while (end < count && !resets_registers(nodes[size_t(end)])) ++end;
    int32_t work = 0;
    for (int32_t i = begin; i < end; ++i) work += is_remade(i) ? 0 : instructions(nodes[size_t(i)].op);
    if (work < kFits) {
      begin = end;
      continue;
    }
    int32_t alive = 0, length = 0, best = -1, fewest = kMostAlive, length_there = 0;
    const auto cut = [&] {
      cuts[size_t(best)] = 1;
      length -= length_there;
      best = -1, fewest = kMostAlive;
    };
    for (int32_t i = begin; i < end; ++i) {
      if (best >= 0 && length >= kLongest) cut();
      if (length >= kShortest && alive <= fewest && !is_joined(size_t(i)) && !follows(nodes[size_t(i) - 1], nodes[size_t(i)]))
        best = i, fewest = alive, length_there = length;
      if (is_remade(i)) continue;
      length += instructions(nodes[size_t(i)].op);
      int32_t seen[3], k = 0;
      for_operands(nodes[size_t(i)], [&](int, int32_t v) {
        if (v < begin || last[size_t(v)] != i || is_remade(v) || std::find(seen, seen + k, v) != seen + k) return;
        seen[k++] = v;
        --alive;
      });
      if (type_of(nodes[size_t(i)].op) != Type::none && last[size_t(i)] > i && last[size_t(i)] < end) ++alive;
    }
    if (best >= 0 && length - length_there >= kShortest) cut();
    begin = end;
  }
  return cuts;
}

void Emitter::emit_run(int32_t begin, int32_t end) {
  run_end_ = end - 1;
  mask_of_jump_ = mask_of_jump(end);
  if (!wide_ && fits_twice(begin, end)) return emit_side_by_side(begin, end);
  for (half_ = 0; half_ < (wide_ ? 1 : 2); ++half_) {
    gathered_ = begin;
    for (int32_t i = begin; i < end; ++i)
      if (half_ == 0 || !(crosses_[size_t(i)] || is_shared(i))) place_[size_t(i)] = {};
    for (int32_t i = begin; i < end; ++i) operation(i);
    if (half_ == 1) test_for_jump(nullptr);
    free_slots_of(begin, end);
    forget_registers();
  }
  half_ = 0;
}

/// AVX2: the mask of a jump behind the run, where it was made in it, and for the jump alone.
int32_t Emitter::mask_of_jump(int32_t end) const {
  if (wide_ || end >= int32_t(program_.nodes.size())) return -1;
  const Node& n = program_.nodes[size_t(end)];
  if (n.op != Op::jump_any && n.op != Op::jump_none) return -1;
  const bool is_here = run_of_[size_t(n.a)] == run_of_[size_t(end) - 1] && made_[size_t(n.a)] == Made::twice;
  const bool is_made = !is_remade(n.a) && program_.nodes[size_t(n.a)].op != Op::mask_get;
  const bool is_alone = use_begin_[size_t(n.a) + 1] == use_begin_[size_t(n.a)] + 1;
  return is_here && is_made && is_alone ? n.a : -1;
}
/// It stays in its registers (half 0, without `other`: in its slot) and is tested here: a store and two loads less, for which the jump
/// would wait.
void Emitter::test_for_jump(const Place* other) {
  const int32_t mask = mask_of_jump_;
  if (mask < 0 || !has_register(mask)) return;
  const Place& p = place_[size_t(mask)];
  if (other && other->reg < 0) {  // the jump reads slots
    if (!p.stored) store_to_slot(mask);
    return;
  }
  emit(I::kIdVorps, scratch(0), vec(p.reg), other ? Operand(vec(other->reg)) : Operand(x86::ptr(x86::rsp, p.slot)));
  emit(I::kIdVtestps, scratch(0), scratch(0));
  tested_ = mask;
}

/// What is left of slots that only this run needs.
void Emitter::free_slots_of(int32_t begin, int32_t end) {
  for (int32_t i = begin; i < end; ++i) {
    Place& p = place_[size_t(i)];
    if (p.slot < 0 || keeps_slot(i)) continue;
    if (p.alias < 0) free_slots_.push_back(p.slot);
    p.slot = -1, p.stored = false, p.alias = -1;
  }
}

/// Whether the run is mostly one chain, which waits for itself, and half the registers are enough for its values.
bool Emitter::fits_twice(int32_t begin, int32_t end) const {
  // Nodes, fewer fit into the processor's window twice anyway; cycles that a node waits on average; registers that one operation may need.
  constexpr int32_t kShortest = 60, kWaits = 1, kFewest = 6;
  const auto& nodes = program_.nodes;
  const int32_t registers = own_vectors() / 2;
  if (end - begin < kShortest || registers < kFewest || resets_registers(nodes[size_t(begin)])) return false;
  const auto has_register_of = [&](int32_t v) {
    const Op op = nodes[size_t(v)].op;
    return v >= begin && type_of(op) != Type::none && !is_remade(v) && op != Op::get && op != Op::mask_get;
  };
  int32_t alive = 0, longest = 0, work = 0;
  std::vector<int32_t> ready(size_t(end - begin), 0);  // cycle of the result
  for (int32_t i = begin; i < end; ++i) {
    int32_t seen[3], count = 0;
    int32_t& at = ready[size_t(i - begin)];
    for_operands(nodes[size_t(i)], [&](int, int32_t v) {
      if (v >= begin) at = std::max(at, ready[size_t(v - begin)]);
      if (!has_register_of(v) || next_use(v, i) < end || std::find(seen, seen + count, v) != seen + count) return;
      seen[count++] = v;
      --alive;
    });
    if (!is_remade(i)) ++work, at += lane::operation(nodes[size_t(i)].op).latency;
    longest = std::max(longest, at);
    if (has_register_of(i) && next_use(i, i) < end && ++alive >= registers) return false;
  }
  return work >= kShortest && longest >= kWaits * work;
}

void Emitter::change_halves() {
  place_.swap(other_.place);
  aliases_.swap(other_.aliases);
  std::swap(owner_, other_.owner);
  std::swap(gathered_, other_.gathered);
  half_ ^= 1;
}

void Emitter::emit_side_by_side(int32_t begin, int32_t end) {
  side_by_side_ = true;
  gathered_ = other_.gathered = begin;
  other_.place.resize(place_.size());
  other_.aliases.resize(aliases_.size());
  for (auto& owner : other_.owner) owner.fill(-1);
  for (int32_t i = begin; i < end; ++i) {
    place_[size_t(i)] = other_.place[size_t(i)] = {};
    for_operands(program_.nodes[size_t(i)], [&](int, int32_t v) {
      if (v < begin) other_.place[size_t(v)] = place_[size_t(v)];
    });
  }
  for (int32_t i = begin; i < end; ++i) {
    operation(i);
    if (crosses_[size_t(i)] || is_shared(i)) other_.place[size_t(i)].slot = place_[size_t(i)].slot;  // one for both
    if (is_shared(i)) other_.place[size_t(i)].stored = true;
    change_halves();
    operation(i);
    change_halves();
  }
  if (const int32_t mask = mask_of_jump_; mask >= 0) {
    const Place p = place_[size_t(mask)];
    if (p.reg >= 0) test_for_jump(&other_.place[size_t(mask)]);
    change_halves();
    if (tested_ < 0 && has_register(mask) && !place_[size_t(mask)].stored) store_to_slot(mask);
    change_halves();
  }
  for (int half = 0; half < 2; ++half) {
    free_slots_of(begin, end);
    forget_registers();
    change_halves();
  }
  side_by_side_ = false;
}

}  // namespace pumice::hw::fast::lane
