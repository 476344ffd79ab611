// SPDX-License-Identifier: MIT
/// Common subexpressions: a pure instruction equal to one that dominates it becomes a copy. Constants are compared by their bits, whichever
/// instructions they come from. Part of reduce.cpp.
#pragma once
#include <algorithm>
#include <bit>

#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

/// The instructions that dominate the current one, by hash; scopes end in the opposite order of their beginning.
class CommonFinder {
  using Instruction = ir::Instruction;
  using Source = ir::Source;
  using Op = ir::Op;

 public:
  CommonFinder(const ir::Module& m, const Definitions& defs, Vec<uint32_t>& uses)
      : m_(m), defs_(defs), uses_(uses), heads_(std::bit_ceil(m.values.size() / 2 + 1), kNone) {
    entries_.reserve(m.values.size() / 2);
  }
  /// True: the instruction was replaced.
  bool instruction(Instruction& in) {
    if (!in.result || (in.op == Op::mov && !in.saturate) || !info(in.op).pure) return false;
    const uint64_t h = hash(in);
    uint32_t& head = heads_[h & (heads_.size() - 1)];
    uint32_t at = head;
    while (at != kNone && !(entries_[at].hash == h && same(*entries_[at].instruction, in))) at = entries_[at].next;
    if (at == kNone) {
      entries_.push_back({h, &in, head});
      head = uint32_t(entries_.size() - 1);
      return false;
    }
    const ir::ValueId earlier = entries_[at].instruction->result;
    for (const Source& s : in.sources()) --uses_[s.value];
    ++uses_[earlier];
    in = Instruction{.op = Op::mov, .source_count = 1, .result = in.result};
    in.source[0] = read(m_, earlier);
    return true;
  }
  /// What was seen since mark() dominates no more.
  size_t mark() const { return entries_.size(); }
  void release(size_t mark) {
    while (entries_.size() > mark) {
      heads_[entries_.back().hash & (heads_.size() - 1)] = entries_.back().next;
      entries_.pop_back();
    }
  }

 private:
  static constexpr uint32_t kNone = ~0u;
  static uint64_t mix(uint64_t h, uint64_t x) { return (std::rotl(h, 23) ^ x) * 0x9E3779B97F4A7C15u; }
  struct Entry {
    uint64_t hash;
    const Instruction* instruction;
    uint32_t next;
  };

  static bool commutes(Op op) {
    return op == Op::add || op == Op::mul || op == Op::mad || op == Op::seq || op == Op::sne || (op >= Op::dot2 && op <= Op::dot4) ||
           op == Op::iadd || op == Op::imul || (op >= Op::iand && op <= Op::ixor) || op == Op::ieq || op == Op::ine;
  }
  static uint32_t bits(const Source& s, const Instruction& constant, unsigned lane) {
    return std::bit_cast<uint32_t>(ir::modify(constant.constant[s.swizzle[lane]], s));
  }

  /// The first `lanes` entries of the swizzle as one number.
  static uint32_t read_lanes(const Source& s, unsigned lanes) {
    return (uint32_t(s.swizzle[0]) | uint32_t(s.swizzle[1]) << 8 | uint32_t(s.swizzle[2]) << 16 | uint32_t(s.swizzle[3]) << 24) &
           uint32_t((uint64_t{1} << 8 * lanes) - 1);
  }

  bool same(const Source& a, const Source& b, unsigned lanes) const {
    const Instruction &x = defs_[a.value], &y = defs_[b.value];
    if (x.op == Op::constant && y.op == Op::constant) {
      for (unsigned i = 0; i < lanes; ++i)
        if (bits(a, x, i) != bits(b, y, i)) return false;
      return true;
    }
    return a.value == b.value && a.abs == b.abs && a.negate == b.negate && read_lanes(a, lanes) == read_lanes(b, lanes);
  }

  /// Of the first lane of source i; 0 beyond the last.
  uint64_t key_of(const Instruction& in, unsigned i) const {
    const Source& s = in.source[i];
    const ir::ValueId value = in.source_value(i);
    const Instruction& def = defs_[value];
    // bits(s, def, 0), if it is a constant.
    const uint32_t bits_read =
        (std::bit_cast<uint32_t>(def.constant[s.swizzle[0]]) & ~(uint32_t{s.abs} << 31)) ^ (uint32_t{s.negate} << 31);
    const uint64_t read = uint64_t{value} << 16 | uint64_t{s.swizzle[0]} << 8 | uint64_t{s.abs} << 1 | uint64_t{s.negate};
    const uint64_t constant = uint64_t{0} - static_cast<uint64_t>(def.op == Op::constant);
    const uint64_t key = ((bits_read & constant) | (read & ~constant)) * 0xD6E8FEB86659FD93u;
    return (key ^ key >> 32) & (uint64_t{0} - static_cast<uint64_t>(value != 0));
  }

  /// Sources in any order, of each the first lane.
  uint64_t hash(const Instruction& in) const {
    const ir::Value& v = m_.value(in.result);
    uint64_t h = mix(uint64_t(in.op) << 16 | uint64_t(v.type) << 8 | v.comps, uint64_t(in.index) << 32 | in.offset);
    if (in.op == Op::constant) {
      for (unsigned i = 0; i < 4; ++i) h = mix(h, i < v.comps ? std::bit_cast<uint32_t>(in.constant[i]) : 0);
      return h;
    }
    // Two at once, computed: few instructions have more.
    uint64_t sum = key_of(in, 0) + key_of(in, 1);
    if (in.source_count > 2) sum += key_of(in, 2) + key_of(in, 3);
    return mix(h, sum);
  }
  bool same(const Instruction& a, const Instruction& b) const {
    const ir::Value &v = m_.value(a.result), &w = m_.value(b.result);
    if (a.op != b.op || v.type != w.type || v.comps != w.comps || a.source_count != b.source_count || a.saturate != b.saturate ||
        a.precise != b.precise || a.dref != b.dref || a.tex_kind != b.tex_kind || a.parameter != b.parameter || a.index != b.index ||
        a.offset != b.offset || a.max_index != b.max_index || (is_ext(a.op) && a.constant.bits != b.constant.bits))
      return false;
    if (a.op == Op::constant)
      for (unsigned i = 0; i < v.comps; ++i)
        if (std::bit_cast<uint32_t>(a.constant[i]) != std::bit_cast<uint32_t>(b.constant[i])) return false;
    auto equal = [&](unsigned i, unsigned k) { return same(a.source[i], b.source[k], source_lanes(m_, a, i)); };
    unsigned first = 0;
    if (commutes(a.op)) {
      if (!(equal(0, 0) && equal(1, 1)) && !(equal(0, 1) && equal(1, 0))) return false;
      first = 2;
    }
    for (unsigned i = first; i < a.source_count; ++i)
      if (!equal(i, i)) return false;
    return true;
  }

  const ir::Module& m_;
  const Definitions& defs_;
  Vec<uint32_t>& uses_;
  Vec<uint32_t> heads_;
  Vec<Entry> entries_;
};

}  // namespace pumice::compiler::passes
