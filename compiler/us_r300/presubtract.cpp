// SPDX-License-Identifier: MIT
/// Presubtracted sources (us-isa A3, B4): 1 - s0, s1 - s0 and s1 + s0 cost nothing where one operation reads them, at addresses 0 and 1 and
/// in the channel that the sources are in. Of one lane only: of vectors every channel would have to agree.
#include <algorithm>

#include "compiler/us_r300/lir.h"

namespace pumice::compiler::us_r300 {
namespace {

using us::Op;
using us::VSource;
using us::VUnit;
namespace swz = us::swz;

enum SrcpOp : uint8_t { kDifference = 1, kSum = 2, kOneMinus = 3 };

/// What one lane is: row and sign.
struct Form {
  us::Lir::Presubtract row;
  bool negate = false;
};

class Presubtracter {
 public:
  Presubtracter(us::Lir& lir, bool sums)
      : lir_(lir),
        sums_(sums),
        writers_(lir.registers.size()),
        readers_(lir.registers.size()),
        pinned_(lir.registers.size()),
        writer_(lir.registers.size()) {
    for (const Op& op : lir.ops) {
      isa::Point p;
      access(op, p, &lir);
      for (const isa::Lane& l : p.writes) {
        count(writers_[l.reg], l.lane == 0);
        writer_[l.reg] = static_cast<size_t>(&op - lir.ops.data());
      }
      Vec<uint32_t> seen;
      for (const isa::Lane& l : p.reads) {
        if (std::find(seen.begin(), seen.end(), l.reg) != seen.end()) continue;
        seen.push_back(l.reg);
        count(readers_[l.reg], true);
      }
    }
  }

  void run() {
    for (size_t i = 0; i < lir_.ops.size(); i++) {
      const std::optional<Form> form = form_of(lir_.ops[i]);
      if (!form) continue;
      const auto reg = static_cast<uint32_t>(only(lir_.ops[i])->dst);
      for (size_t k = i + 1; k < lir_.ops.size(); k++) {
        if (!reads(lir_.ops[k], reg)) continue;
        if (fold(lir_.ops[k], reg, *form)) dead_.push_back(i);
        break;
      }
    }
    size_t kept = 0;
    for (size_t i = 0; i < lir_.ops.size(); i++) {
      if (std::find(dead_.begin(), dead_.end(), i) == dead_.end()) lir_.ops[kept++] = lir_.ops[i];
    }
    lir_.ops.resize(kept);
  }

 private:
  static void count(uint8_t& n, bool more) { n = static_cast<uint8_t>(std::min(n + more, 2)); }
  static const VUnit* only(const Op& op) {
    if (op.kind != Op::Kind::alu || op.rgb.has_value() == op.alpha.has_value()) return nullptr;
    return op.rgb ? &*op.rgb : &*op.alpha;
  }
  static bool is_one(const VSource& s) { return s.kind == VSource::Kind::none && s.lane[0] == swz::one && !s.negate; }
  bool stays(const VSource& s) const {  // and is one lane of something
    if (s.abs || s.relative || s.lane[0] > 3) return false;
    if (s.kind == VSource::Kind::constant) return true;
    return s.kind == VSource::Kind::reg && (lir_.registers[s.index].at_entry ? writers_[s.index] == 0 : writers_[s.index] == 1);
  }

  std::optional<Form> form_of(const Op& op) const {
    const VUnit* u = only(op);
    if (!u || u->op != us::AluOp::MAD || u->clamp || u->omod || u->dot || u->dst < 0 || u->slots != 1) return {};
    const auto reg = static_cast<uint32_t>(u->dst);
    if (lir_.registers[reg].lanes != 1 || writers_[reg] != 1 || readers_[reg] != 1) return {};
    const bool first = is_one(u->source[0]);
    if (!first && !is_one(u->source[1])) return {};
    const VSource &x = u->source[first ? 1 : 0], &y = u->source[2];
    Form f;
    const auto plain = [](VSource s) {
      s.negate = false;
      return s;
    };
    if (is_one(x) && stays(y) && y.negate) {
      f.row = {kOneMinus, {plain(y), VSource{}}};
    } else if (is_one(y) && stays(x) && x.negate) {
      f.row = {kOneMinus, {plain(x), VSource{}}};
    } else if (stays(x) && stays(y)) {
      if (x.negate != y.negate)
        f.row = {kDifference, {plain(x.negate ? x : y), plain(x.negate ? y : x)}};
      else if (!sums_)
        return {};
      else
        f.row = {kSum, {plain(x), plain(y)}}, f.negate = x.negate;
    } else {
      return {};
    }
    return f;
  }

  static bool reads(const Op& op, uint32_t reg) {
    isa::Point p;
    access(op, p);
    return std::any_of(p.reads.begin(), p.reads.end(), [&](const isa::Lane& l) { return l.reg == reg; });
  }

  /// The channels that a source may be in: its own, or those that its register may still get.
  unsigned channels(const VSource& s) const {
    if (s.kind == VSource::Kind::none) return 15;
    if (s.kind == VSource::Kind::constant) return 1u << s.lane[0];
    return lir_.registers[s.index].channels[s.lane[0]] | (may_move(s.index) ? 15u : 0u);
  }
  /// What writes the one lane may change the unit.
  bool may_move(uint32_t reg) const {
    return !pinned_[reg] && writers_[reg] == 1 && !lir_.registers[reg].at_entry && either_unit(lir_, lir_.ops[writer_[reg]]);
  }
  void pin(const VSource& s, unsigned channel) {
    if (s.kind != VSource::Kind::reg) return;
    uint8_t& channels = lir_.registers[s.index].channels[s.lane[0]];
    if (!(channels >> channel & 1)) change_unit(lir_, lir_.ops[writer_[s.index]]);
    channels = static_cast<uint8_t>(1u << channel);
    pinned_[s.index] = 1;
  }

  /// The operation reads the row instead of the register, if it can.
  bool fold(Op& op, uint32_t reg, const Form& form) {
    if (op.kind != Op::Kind::alu || op.rgb.has_value() == op.alpha.has_value()) return false;
    const unsigned sources = channels(form.row.source[0]) & channels(form.row.source[1]);
    const VUnit& before = op.rgb ? *op.rgb : *op.alpha;
    const bool moves = either_unit(lir_, op) && may_move(static_cast<uint32_t>(before.dst));
    const auto own = [](bool alpha) { return alpha ? 8u : 7u; };
    const bool change = !(sources & own(!op.rgb));
    if (change && !(moves && (sources & own(op.rgb.has_value())))) return false;
    const unsigned common = sources & own(!op.rgb != change);
    const VUnit& u = before;
    if (u.dot || u.derivative) return false;
    // Two of three addresses are taken.
    Vec<uint64_t> others;
    for (unsigned i = 0; i < u.sources; i++) {
      const VSource& s = u.source[i];
      if (s.kind == VSource::Kind::presubtracted) return false;
      if (s.kind == VSource::Kind::none || (s.kind == VSource::Kind::reg && s.index == reg)) continue;
      const uint64_t key = uint64_t{s.index} << 8 | static_cast<uint64_t>(s.kind);
      if (std::find(others.begin(), others.end(), key) == others.end()) others.push_back(key);
    }
    if (others.size() > (form.row.op == kOneMinus ? 2u : 1u)) return false;
    if (change) change_unit(lir_, op);
    VUnit& reader = op.rgb ? *op.rgb : *op.alpha;
    unsigned channel = 0;
    while (!(common >> channel & 1)) channel++;
    for (const VSource& s : form.row.source) pin(s, channel);
    const auto row = static_cast<uint32_t>(lir_.presubtracts.size());
    lir_.presubtracts.push_back(form.row);
    for (unsigned i = 0; i < reader.sources; i++) {
      VSource& s = reader.source[i];
      if (s.kind != VSource::Kind::reg || s.index != reg) continue;
      s.kind = VSource::Kind::presubtracted;
      s.index = row;
      s.lane.fill(static_cast<uint8_t>(channel));
      // Absolute comes first.
      if (form.negate && !s.abs) s.negate = !s.negate;
    }
    return true;
  }

  us::Lir& lir_;
  const bool sums_;                 ///< chains of sums would all go to one unit
  Vec<uint8_t> writers_, readers_;  ///< 0, 1, more
  Vec<uint8_t> pinned_;             ///< sources of rows have their channel
  Vec<size_t> writer_;              ///< its number in Lir::ops
  Vec<size_t> dead_;
};

}  // namespace

void presubtract(us::Lir& lir, bool sums) { Presubtracter(lir, sums).run(); }

}  // namespace pumice::compiler::us_r300
