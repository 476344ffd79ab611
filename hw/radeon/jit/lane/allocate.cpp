// SPDX-License-Identifier: MIT
/// Registers and stack slots of the emitter.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"
#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

bool Emitter::resets_registers(const Node& n) const {
  const Operation& op = lane::operation(n.op);
  return wide_ ? op.is(trait::ends_run) : op.is(trait::whole) || meets_halves(program_, n);
}

void Emitter::analyse() {
  find_inner_constants();
  const auto& nodes = program_.nodes;
  const size_t count = nodes.size();
  run_of_.resize(count);
  find_groups();
  find_all_strides();
  const std::vector<uint8_t> cuts = find_cuts();
  int32_t run = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool resets = resets_registers(nodes[i]);
    if ((resets && !is_joined(i)) || cuts[i]) ++run;
    run_of_[i] = run;
    if (resets && !is_joined(i + 1)) ++run;
  }
  use_begin_.assign(count + 1, 0);
  last_use_.assign(count, 0);
  crosses_.assign(count, 0);
  for (size_t i = 0; i < count; ++i)
    for_uses(nodes[i], [&](int32_t v) {
      ++use_begin_[size_t(v) + 1];
      if (run_of_[size_t(v)] != run_of_[i] && !is_remade(v)) crosses_[size_t(v)] = 1;
    });
  for (size_t i = 0; i < count; ++i) use_begin_[i + 1] += use_begin_[i];
  uses_.resize(use_begin_[count]);
  std::vector<uint32_t> fill(use_begin_.begin(), use_begin_.end() - 1);
  for (size_t i = 0; i < count; ++i) for_uses(nodes[i], [&](int32_t v) { uses_[fill[size_t(v)]++] = uint32_t(i); });
  find_kept_reads();
  find_made_once();
}

void Emitter::find_kept_reads() {
  const auto& nodes = program_.nodes;
  kept_reads_.assign(nodes.size(), 0);
  if (wide_ && pins_.values == 0 && pins_.masks == 0) return;
  std::vector<int32_t> set_at(pins_.pin.size(), INT32_MAX);  // the first after the node, in the order of the code
  int32_t label_at = INT32_MAX;                              // likewise: code that jumps there may have set it
  for (int32_t i = int32_t(nodes.size()) - 1; i >= 0; --i) {
    const Node& n = nodes[size_t(i)];
    const bool is_mask = n.op == Op::mask_get || n.op == Op::mask_set;
    if (n.op == Op::label) label_at = i;
    if (n.op != Op::get && n.op != Op::set && !is_mask) continue;
    const int32_t alias = int32_t(n.imm) + (is_mask ? program_.variables : 0);
    if (n.op == Op::set || n.op == Op::mask_set) {
      set_at[size_t(alias)] = i;
      continue;
    }
    if ((wide_ && !is_pinned(alias)) || !crosses_[size_t(i)]) continue;
    const int32_t end = std::min(set_at[size_t(alias)], label_at);
    const auto keeps = [&](uint32_t use) { return int32_t(use) <= end && !(!wide_ && resets_registers(nodes[use])); };
    const auto *begin = uses_.data() + use_begin_[size_t(i)], *last = uses_.data() + use_begin_[size_t(i) + 1];
    if (!std::all_of(begin, last, keeps)) continue;  // operations of both halves read slots
    kept_reads_[size_t(i)] = 1;
    crosses_[size_t(i)] = 0;
  }
}

/// AVX2: what is the same in all lanes is made once; the second half reads the first one's. Not what a variable counts: each half has its
/// own, whose rounds would wait for the slot.
void Emitter::find_made_once() {
  const auto& nodes = program_.nodes;
  made_.assign(nodes.size(), Made::twice);
  if (wide_) return;
  const std::vector<uint8_t> uniform = find_uniform(program_);
  const auto is_set = [&](uint32_t use) { return nodes[use].op == Op::set || nodes[use].op == Op::mask_set; };
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!uniform[i]) continue;
    const auto *begin = uses_.data() + use_begin_[i], *end = uses_.data() + use_begin_[i + 1];
    bool is_small = instructions(nodes[i].op) == 1;
    for_operands(nodes[i], [&](int, int32_t v) { is_small &= !uniform[size_t(v)]; });
    if (!crosses_[i] && std::all_of(begin, end, [&](uint32_t use) { return made_[use] != Made::twice; }))
      made_[i] = Made::once;
    else if (!is_small || std::none_of(begin, end, is_set))
      made_[i] = Made::shared;
  }
}

Emitter::Mem Emitter::slot_of(int32_t v) const {
  const int32_t at = place_[size_t(v)].slot;
  return is_shared(v) ? x86::ptr(x86::rsp, at) : slot(at);
}

void Emitter::read_again(const Node& n) {
  for_operands(n, [&](int, int32_t v) {
    if (!kept_reads_[size_t(v)] || has_register(v)) return;
    const Node& read = program_.nodes[size_t(v)];
    const int32_t alias = int32_t(read.imm) + (read.op == Op::mask_get ? program_.variables : 0);
    Place& p = place_[size_t(v)];
    if (is_pinned(alias))
      p.reg = pin_of(alias);
    else if (p.slot < 0)
      p.slot = variable_slot_[size_t(alias)], p.stored = true;
    else
      return;
    p.alias = alias;
    aliases_[size_t(alias)].push_back(v);
  });
}

int32_t Emitter::next_use(int32_t v, int32_t after) const {
  const uint32_t *begin = uses_.data() + use_begin_[size_t(v)], *end = uses_.data() + use_begin_[size_t(v) + 1];
  uint32_t& last = last_use_[size_t(v)];  // found by the last call: most go on from there
  const uint32_t* u = begin + last;
  if (last && int32_t(u[-1]) > after) u = begin;
  while (u != end && int32_t(*u) <= after) ++u;
  last = uint32_t(u - begin);
  return u == end ? INT32_MAX : int32_t(*u);
}

int8_t Emitter::take(Class c) {
  const auto [first, last] = range_of(c);
  auto& owner = owner_[c];
  int best = -1;
  int64_t farthest = -1;
  for (int r = first; r < last; ++r) {
    if (locked_[c] >> r & 1u) continue;
    if (owner[size_t(r)] < 0) return int8_t(r);
    const int32_t v = owner[size_t(r)];
    const int64_t use = int64_t(next_use(v, now_ - 1)) + (is_remade(v) || place_[size_t(v)].stored ? 32 : 0);
    if (use > farthest) farthest = use, best = r;
  }
  evict(c, int8_t(best));
  return int8_t(best);
}

void Emitter::evict(Class c, int8_t reg) {
  const int32_t v = owner_[c][size_t(reg)];
  Place& p = place_[size_t(v)];
  if (!is_remade(v) && !p.stored && (crosses_[size_t(v)] || next_use(v, now_ - 1) <= run_end_))
    store_to_slot(v);  // operands of this operation count
  owner_[c][size_t(reg)] = -1;
  p.reg = -1;
}

void Emitter::store_to_slot(int32_t v) {
  Place& p = place_[size_t(v)];
  if (p.slot < 0) p.slot = new_slot();
  if (class_of(v) == kMask)
    emit(I::kIdKmovw, slot(p.slot), k(p.reg));
  else
    emit(I::kIdVmovaps, slot_of(v), vec(p.reg));
  p.stored = true;
}

int32_t Emitter::new_slot() {
  if (!free_slots_.empty()) {
    const int32_t s = free_slots_.back();
    free_slots_.pop_back();
    return s;
  }
  frame_ += 64;
  return frame_ - 64;
}

void Emitter::load(int32_t v, int8_t reg) {
  const Node& n = program_.nodes[size_t(v)];
  switch (n.op) {
    case Op::constant:
      if (n.imm == 0)
        emit(I::kIdVxorps, vec(reg).xmm(), vec(reg).xmm(), vec(reg).xmm());
      else if (wide_)
        emit(I::kIdVbroadcastss, vec(reg), constant_memory(v));
      else
        emit(I::kIdVmovaps, vec(reg), constant_memory(v));
      return;
    case Op::splat: emit(I::kIdVbroadcastss, vec(reg), at(n.p, n.imm)); return;
    case Op::table: emit(I::kIdVmovaps, vec(reg), table_memory(n.imm)); return;
    case Op::mask_constant:
      if (!wide_) {
        if (n.imm == 0)
          emit(I::kIdVxorps, vec(reg), vec(reg), vec(reg));
        else if (n.imm == 0xFFFF)
          emit(I::kIdVpcmpeqd, vec(reg), vec(reg), vec(reg));
        else
          emit(I::kIdVmovaps, vec(reg), constant_memory(v));
      } else if (n.imm == 0) {
        emit(I::kIdKxorw, k(reg), k(reg), k(reg));
      } else if (n.imm == 0xFFFF) {
        emit(I::kIdKxnorw, k(reg), k(reg), k(reg));
      } else {
        emit(I::kIdMov, x86::eax, imm(n.imm));
        emit(I::kIdKmovw, k(reg), x86::eax);
      }
      return;
    case Op::lanes:
      if (n.b < 0) {
        emit(I::kIdVmovups, vec(reg), at(n.p, n.imm + uint32_t(32 * half_)));
        return;
      }
      break;
    default: break;
  }
  if (class_of(v) == kMask)
    emit(I::kIdKmovw, k(reg), slot(place_[size_t(v)].slot));
  else
    emit(I::kIdVmovaps, vec(reg), slot_of(v));
}

int8_t Emitter::in_register(int32_t v) {
  Place& p = place_[size_t(v)];
  const Class c = class_of(v);
  if (p.reg < 0) {
    const int8_t r = take(c);
    load(v, r);
    give(v, r);
  }
  locked_[c] |= 1u << p.reg;
  return p.reg;
}

bool Emitter::can_be_memory(int32_t v) const {
  if (has_register(v) || class_of(v) == kMask) return false;
  const Op op = program_.nodes[size_t(v)].op;
  if (!wide_ && (op == Op::splat || op == Op::mask_constant)) return false;
  if (op == Op::constant && program_.nodes[size_t(v)].imm == 0) return false;
  if (!is_remade(v) && !place_[size_t(v)].stored) return false;
  // What is not used again soon is not worth another value's register.
  const int32_t next = next_use(v, now_), soon = now_ + (side_by_side_ ? 8 : 24);
  return next > run_end_ || (next > soon && is_full());
}

bool Emitter::is_full() const {
  const auto [first, last] = range_of(kVector);
  const int32_t* const owner = owner_[kVector].data();
  return std::none_of(owner + first, owner + last, [](int32_t v) { return v < 0; });
}

Emitter::Mem Emitter::memory_of(int32_t v) {
  const Node& n = program_.nodes[size_t(v)];
  switch (n.op) {
    case Op::constant: return wide_ ? constant_memory(v)._1to16() : constant_memory(v);
    case Op::splat: return at(n.p, n.imm)._1to16();
    case Op::table: return table_memory(n.imm);
    case Op::lanes:
      if (n.b < 0) return at(n.p, n.imm + uint32_t(32 * half_));
      break;
    default: break;
  }
  return slot_of(v);
}

Operand Emitter::either(int32_t v) {
  if (can_be_memory(v)) return memory_of(v);
  return vec(in_register(v));
}

void Emitter::give(int32_t v, int8_t reg) {
  const Class c = class_of(v);
  owner_[c][size_t(reg)] = v;
  place_[size_t(v)].reg = reg;
}

void Emitter::drop(int32_t v) {
  Place& p = place_[size_t(v)];
  const Class c = class_of(v);
  if (p.reg >= 0) {
    owner_[c][size_t(p.reg)] = -1;
    locked_[c] &= ~(1u << p.reg);
    p.reg = -1;
  }
  if (p.slot >= 0 && !keeps_slot(v)) {
    // The operation may still read it from memory: not for what its result drives out of a register.
    if (p.alias < 0) released_slots_.push_back(p.slot);
    p.slot = -1, p.stored = false, p.alias = -1;
  }
}

void Emitter::end_operation() {
  locked_ = {};
  free_slots_.insert(free_slots_.end(), released_slots_.begin(), released_slots_.end());
  released_slots_.clear();
}

void Emitter::release_dead(const Node& n) {
  for_operands(n, [&](int, int32_t v) {
    if (dies(v)) drop(v);
  });
}

int8_t Emitter::result(int32_t v) {
  const int8_t r = take(class_of(v));
  give(v, r);
  locked_[class_of(v)] |= 1u << r;
  return r;
}

void Emitter::forget_registers() {
  for (auto& owner : owner_)
    for (int32_t& v : owner)
      if (v >= 0) place_[size_t(v)].reg = -1, v = -1;
  locked_ = {};
  for (size_t alias = 0; alias < aliases_.size(); ++alias) {
    if (is_pinned(int32_t(alias)))
      for (const int32_t v : aliases_[alias])
        if (Place& p = place_[size_t(v)]; p.alias == int32_t(alias)) p.reg = -1, p.alias = -1;
    aliases_[alias].clear();
  }
}

void Emitter::move(Class c, int8_t to, int8_t from) {
  if (to == from) return;
  if (c == kMask)
    emit(I::kIdKmovw, k(to), k(from));
  else
    emit(I::kIdVmovaps, vec(to), vec(from));
}

/// Values that are what the variable was get registers of their own.
void Emitter::variable_changes(int32_t alias) {
  for (const int32_t v : aliases_[size_t(alias)]) {
    Place& p = place_[size_t(v)];
    if (p.alias != alias) continue;
    const bool needed = next_use(v, now_) <= run_end_;
    if (is_pinned(alias)) {
      p.reg = -1, p.alias = -1;
      if (!needed) continue;
      const Class c = class_of(v);
      const int8_t r = take(c);
      move(c, r, pin_of(alias));
      give(v, r);
      continue;
    }
    if (needed && p.reg < 0) {
      const int8_t r = take(class_of(v));
      load(v, r);
      give(v, r);
    }
    p.alias = -1, p.slot = -1, p.stored = false;
  }
  aliases_[size_t(alias)].clear();
}

}  // namespace pumice::hw::fast::lane
