// SPDX-License-Identifier: MIT
/// Levels of texture indirection (us-isa B1). A level executes lookups, then arithmetic: a lookup stands in the first level behind those
/// that compute its coordinates, arithmetic in the first that has its operands; outputs are written in the last.
#include <algorithm>

#include "compiler/us_r300/lir.h"

namespace pumice::compiler::us_r300 {
namespace {

using us::Op;

/// Levels of the last write and read of a lane, by lookups and by arithmetic, plus one; 0: none.
struct Use {
  uint32_t tex_write = 0, alu_write = 0, tex_read = 0, alu_read = 0;
};

bool is_output(const Op& op) {
  const auto writes = [](const std::optional<us::VUnit>& u) { return u && (u->target >= 0 || u->depth); };
  return writes(op.rgb) || writes(op.alpha);
}

}  // namespace

Vec<Part> divide(us::Lir& lir, uint32_t most_lookups) {
  Vec<Use> uses(lir.registers.size() * 4);
  Vec<size_t> last_writer(lir.registers.size() * 4);
  Vec<uint32_t> level(lir.ops.size());
  Vec<uint32_t> lookups;  // by level
  uint32_t last = 0;
  for (size_t i = 0; i < lir.ops.size(); i++) {
    isa::Point p;
    access(lir.ops[i], p, &lir);
    const bool tex = lir.ops[i].kind == Op::Kind::tex;
    uint32_t at = 0;  // the level
    const auto in = [&](uint32_t level_plus_one) {
      if (level_plus_one) at = std::max(at, level_plus_one - 1);
    };
    const auto behind = [&](uint32_t level_plus_one) { at = std::max(at, level_plus_one); };
    for (const isa::Lane& l : p.reads) {
      const Use& u = uses[l.reg * 4 + l.lane];
      // Results of a lookup are there when the arithmetic of its level begins.
      tex ? behind(u.tex_write) : in(u.tex_write);
      tex ? behind(u.alu_write) : in(u.alu_write);
    }
    for (const isa::Lane& l : p.writes) {
      const Use& u = uses[l.reg * 4 + l.lane];
      in(u.tex_read);
      in(u.tex_write);
      tex ? behind(u.alu_read) : in(u.alu_read);
      tex ? behind(u.alu_write) : in(u.alu_write);
    }
    if (tex) {
      while (at < lookups.size() && lookups[at] == most_lookups) at++;
      if (lookups.size() <= at) lookups.resize(at + 1);
      lookups[at]++;
    }
    for (const isa::Lane& l : p.reads) {
      Use& u = uses[l.reg * 4 + l.lane];
      uint32_t& r = tex ? u.tex_read : u.alu_read;
      r = std::max(r, at + 1);
    }
    for (const isa::Lane& l : p.writes) {
      Use& u = uses[l.reg * 4 + l.lane];
      (tex ? u.tex_write : u.alu_write) = at + 1;
      last_writer[l.reg * 4 + l.lane] = i;
    }
    level[i] = at;
    last = std::max(last, at);
  }
  // Outputs wait for the last level where what they read stays.
  for (size_t i = 0; i < lir.ops.size(); i++) {
    if (!is_output(lir.ops[i])) continue;
    isa::Point p;
    access(lir.ops[i], p, &lir);
    if (std::all_of(p.reads.begin(), p.reads.end(), [&](const isa::Lane& l) { return last_writer[l.reg * 4 + l.lane] <= i; }))
      level[i] = last;
  }
  Vec<uint32_t> order;
  Vec<Part> parts;
  for (uint32_t l = 0; l <= last; l++) {
    Part part{order.size(), 0, 0};
    const auto take = [&](bool tex) {
      for (uint32_t i = 0; i < lir.ops.size(); i++) {
        if ((lir.ops[i].kind == Op::Kind::tex) != tex) continue;
        if (level[i] == l) order.push_back(i);
      }
    };
    take(true);
    part.arithmetic = order.size();
    take(false);
    part.end = order.size();
    parts.push_back(part);
  }
  Vec<Op> sorted;
  sorted.reserve(lir.ops.size());
  for (uint32_t i : order) sorted.push_back(lir.ops[i]);
  lir.ops = std::move(sorted);
  return parts;
}

}  // namespace pumice::compiler::us_r300
