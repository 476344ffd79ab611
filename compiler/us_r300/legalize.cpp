// SPDX-License-Identifier: MIT
/// Operands in the forms that the R3xx has (us-isa B4): an RGB operand reads rgb, gbr, brg, abg or one channel three times, of one register
/// or constant. An operation with another one is split: what is left of it reads fewer channels; operands of dot products, which need all
/// of them at once, are copied first.
#include <algorithm>
#include <cmath>

#include "compiler/isa/error.h"
#include "compiler/us_r300/lir.h"
#include "hw/db/us_r300_form.h"

namespace pumice::compiler::us_r300 {
namespace {

using us::Op;
using us::VSource;
using us::VUnit;
namespace swz = us::swz;

constexpr uint8_t kCopy = 7;  ///< of the R5xx's OMOD; us_r300/compile.cpp takes it away

using Slots = isa::Small<unsigned, 4>;

class Legalizer {
 public:
  Legalizer(us::Lir& lir, isa::ConstantFile& constants) : lir_(lir), constants_(constants) {}

  void run() {
    pin();
    Vec<Op> all;
    std::swap(all, lir_.ops);
    lir_.ops.reserve(all.size() * 2);
    for (Op& op : all) {
      if (op.kind == Op::Kind::alu) {
        operation(op);
        continue;
      }
      if (op.dst >= 0) op.dst_lane = {0, 1, 2, 3};  // all of the register is written
      lir_.ops.push_back(op);
    }
  }

 private:
  /// The lanes of a vector are in the order of the channels. Single lanes go anywhere: every unit can read any one channel.
  void pin() {
    for (isa::VirtualRegister& r : lir_.registers) {
      std::array<uint8_t, 4> channels = r.channels;
      for (unsigned l = 0; l < r.lanes && r.lanes > 1; l++) {
        const uint8_t c = us::pinned_channel(r, l);
        if (c > 3 || !(r.channels[l] >> c & 1)) throw isa::Unsupported("internal: a vector has more than three lanes of the RGB unit");
        channels[l] = static_cast<uint8_t>(1u << c);
      }
      r.channels = channels;
    }
  }

  uint8_t channel(uint32_t reg, uint8_t lane) const {
    const uint8_t c = us::pinned_channel(lir_.registers[reg], lane);
    return c == 0xFF ? uint8_t{0} : c;
  }
  /// Where result k of the RGB unit goes, and with it what is computed for it.
  unsigned position(const VUnit& u, unsigned k) const {
    if (u.dot) return k;
    return u.dst >= 0 ? channel(static_cast<uint32_t>(u.dst), u.dst_lane[k]) : u.dst_lane[k];
  }

  /// Whether the RGB unit can read these slots of the source at once.
  bool readable(const VUnit& u, const VSource& s, const Slots& slots) const {
    if (s.kind == VSource::Kind::literal) return true;
    ::pumice::isa::us_r500::Operand o;
    unsigned mask = 0;
    for (unsigned k : slots) {
      const unsigned p = position(u, k);
      o.swizzle[p] = s.kind == VSource::Kind::reg && s.lane[k] < 4 ? channel(s.index, s.lane[k]) : s.lane[k];
      mask |= 1u << p;
    }
    return ::pumice::isa::us_r300::detail::select_code(o, false, mask) >= 0;
  }
  bool readable(const VUnit& u, const Slots& slots) const {
    return std::all_of(u.source.begin(), u.source.begin() + u.sources, [&](const VSource& s) { return readable(u, s, slots); });
  }

  /// A literal in its cheapest form: 0, 0.5 or 1, one number, numbers at the channels that read them. One sign for all.
  void place_literal(const VUnit& u, VSource& s, const Slots& slots, bool alpha) {
    if (s.kind != VSource::Kind::literal) return;
    const std::array<float, 4> row = lir_.literals[s.index];
    bool positive = false, negative = false;
    for (unsigned k : slots) {
      if (row[k] != 0) (std::signbit(row[k]) ? negative : positive) = true;
    }
    const bool turned = negative && !positive;
    const auto value = [&](unsigned k) { return row[k] == 0 ? 0.0f : turned ? -row[k] : row[k]; };
    const float first = value(*slots.begin());
    s.negate = turned;
    if (std::all_of(slots.begin(), slots.end(), [&](unsigned k) { return value(k) == first; })) {
      if (first == 0.0f || first == 0.5f || first == 1.0f) {
        s.kind = VSource::Kind::none;
        s.lane.fill(first == 0.0f ? swz::zero : first == 0.5f ? swz::half : swz::one);
        return;
      }
      const isa::ConstantFile::Immediate at = constants_.immediate({&first, 1});
      s.kind = VSource::Kind::constant;
      s.index = at.slot;
      s.lane.fill(at.lane[0]);
      return;
    }
    std::array<float, 4> values{};
    unsigned mask = 0;
    for (unsigned k : slots) {
      const unsigned p = alpha ? 3 : position(u, k);
      values[p] = value(k);
      mask |= 1u << p;
    }
    s.kind = VSource::Kind::constant;
    s.index = constants_.aligned(values, mask);
    for (unsigned k : slots) s.lane[k] = static_cast<uint8_t>(position(u, k));
  }
  void place_literals(VUnit& u, const Slots& slots, bool alpha) {
    for (unsigned i = 0; i < u.sources; i++) place_literal(u, u.source[i], slots, alpha);
  }

  static Slots first_slots(unsigned n) {
    Slots s;
    for (unsigned k = 0; k < n; k++) s.push_back(k);
    return s;
  }

  void operation(Op& op) {
    if (op.alpha) place_literals(*op.alpha, first_slots(1), true);
    if (!op.rgb) return lir_.ops.push_back(op);
    VUnit& u = *op.rgb;
    if (u.dot) {
      for (unsigned i = 0; i < u.sources; i++) gather(u, i);
      return lir_.ops.push_back(op);
    }
    const Slots all = first_slots(u.slots);
    if (u.sources == 0 || readable(u, all)) {
      place_literals(u, all, false);
      return lir_.ops.push_back(op);
    }
    if (op.alpha) throw isa::Unsupported("internal: an operation of both units cannot be split");
    split(u, op);
  }

  /// The channels that a dot product reads of an operand.
  static Slots terms(const VUnit& u, unsigned i) {
    if (u.op != us::AluOp::D2A) return {0, 1, 2};
    return i == 2 ? Slots{2} : Slots{0, 1};
  }

  /// An operand of a dot product: copied, if it lies in another order.
  void gather(VUnit& u, unsigned i) {
    VSource& s = u.source[i];
    const Slots slots = terms(u, i);
    place_literal(u, s, slots, false);
    if (readable(u, s, slots)) return;
    Op copy;
    VUnit& c = copy.rgb.emplace();
    c.op = us::AluOp::MAX;
    c.omod = kCopy;
    c.sources = 2;
    c.slots = static_cast<uint8_t>(slots.size());
    c.source[0] = s;
    c.source[0].abs = c.source[0].negate = false;
    c.source[1] = c.source[0];
    c.dst = static_cast<int32_t>(lir_.new_register({1, 2, 4}));
    c.dst_lane = {0, 1, 2};
    operation(copy);
    s.kind = VSource::Kind::reg;
    s.index = static_cast<uint32_t>(c.dst);
    s.lane = {0, 1, 2, 2};
  }

  /// As few operations as there can be, each of slots that are readable together.
  void split(const VUnit& u, const Op& op) {
    isa::Small<Slots, 4> groups;
    unsigned left = (1u << u.slots) - 1;
    while (left) {
      Slots group;
      for (unsigned k = 0; k < u.slots; k++) {
        if (!(left >> k & 1)) continue;
        Slots more = group;
        more.push_back(k);
        if (!readable(u, more)) continue;
        group = more;
        left &= ~(1u << k);
      }
      if (group.empty()) throw isa::Unsupported("internal: an operand that no swizzle of the R3xx reads");
      groups.push_back(group);
    }
    const bool clobbers = reads_own_result(u);
    const int32_t through = clobbers ? static_cast<int32_t>(copy_of(u)) : -1;
    for (const Slots& group : groups) {
      Op part = op;
      VUnit& p = *part.rgb;
      place_literals(p, group, false);
      unsigned n = 0;
      const VUnit whole = p;
      for (unsigned k : group) {
        for (unsigned i = 0; i < p.sources; i++) p.source[i].lane[n] = whole.source[i].lane[k];
        p.dst_lane[n] = clobbers ? static_cast<uint8_t>(k) : whole.dst_lane[k];
        n++;
      }
      p.slots = static_cast<uint8_t>(n);
      if (clobbers) p.dst = through;
      lir_.ops.push_back(part);
    }
    if (!clobbers) return;
    Op back;
    VUnit& b = back.rgb.emplace();
    b.op = us::AluOp::MAX;
    b.omod = kCopy;
    b.sources = 2;
    b.slots = u.slots;
    b.dst = u.dst;
    b.dst_lane = u.dst_lane;
    b.source[0].kind = VSource::Kind::reg;
    b.source[0].index = static_cast<uint32_t>(through);
    b.source[0].lane = {0, 1, 2, 2};
    b.source[1] = b.source[0];
    lir_.ops.push_back(back);
  }

  static bool reads_own_result(const VUnit& u) {
    if (u.dst < 0) return false;
    return std::any_of(u.source.begin(), u.source.begin() + u.sources,
                       [&](const VSource& s) { return s.kind == VSource::Kind::reg && s.index == static_cast<uint32_t>(u.dst); });
  }
  /// A register with the result's channels.
  uint32_t copy_of(const VUnit& u) {
    isa::Small<uint8_t, 4> channels;
    for (unsigned k = 0; k < u.slots; k++) channels.push_back(static_cast<uint8_t>(1u << position(u, k)));
    return lir_.new_register(std::span(channels.begin(), channels.size()));
  }

  us::Lir& lir_;
  isa::ConstantFile& constants_;
};

}  // namespace

void legalize(us::Lir& lir, isa::ConstantFile& constants) { Legalizer(lir, constants).run(); }

}  // namespace pumice::compiler::us_r300
