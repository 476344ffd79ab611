// SPDX-License-Identifier: MIT
/// Rules of selection (us-isa A4, A5): add = MAD a,1,b; mov = MAX a,a with OMOD 7 (bit exact); comparisons from the sign of a difference
/// with CMP; sel = CND; floor = a - FRC a; derivatives = MDH/MDV with B = -1 on a register read lane by lane; kill = TEXKILL of -1/+1.
#include "compiler/us_r500/select.h"

#include <cmath>

#include "compiler/ir/edges.h"
#include "compiler/isa/error.h"
#include "compiler/isa/places.h"
#include "compiler/us_r500/loops.h"
#include "hw/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using isa::kNoLane;
using isa::Place;
using R = regs::US_ALU_RGBA_INST;
using A = regs::US_ALU_ALPHA_INST;
using T = regs::US_TEX_INST;
constexpr uint8_t kCopy = A::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;

/// The same componentwise operation in both units.
struct Code {
  uint8_t rgb, alpha;
};
constexpr Code kMad{R::RGB_OP__MAD, A::ALPHA_OP__MAD}, kMin{R::RGB_OP__MIN, A::ALPHA_OP__MIN}, kMax{R::RGB_OP__MAX, A::ALPHA_OP__MAX},
    kCnd{R::RGB_OP__CND, A::ALPHA_OP__CND}, kCmp{R::RGB_OP__CMP, A::ALPHA_OP__CMP}, kFrc{R::RGB_OP__FRC, A::ALPHA_OP__FRC};

isa::Operand literal(float value) {
  isa::Operand o;
  o.place.kind = Place::Kind::immediate;
  o.place.value.fill(value);
  o.place.lane = {0, 1, 2, 3};
  return o;
}
isa::Operand whole(const Place& place) { return {place, {0, 1, 2, 3}, false, false}; }
isa::Operand negated(isa::Operand o) {
  o.negate = !o.negate;
  return o;
}
isa::Operand negated_abs(isa::Operand o) {
  o.abs = true;
  o.negate = true;
  return o;
}

class Selector {
 public:
  Selector(const ir::Module& module, isa::ConstantFile& constants, const SelectOptions& options)
      : module_(module),
        constants_(constants),
        options_(options),
        places_(module, {kRgbChannels, kRgbChannels, kRgbChannels, kAlphaChannel}, lir_.registers) {}

  Lir run() {
    list(module_.body);
    return std::move(lir_);
  }

 private:
  // --- operands -----------------------------------------------------------------------------------------------------------
  float immediate_lane(const isa::Operand& o, unsigned lane) const {
    float v = o.place.value[o.place.lane[o.swizzle[lane]]];
    if (o.abs) v = std::fabs(v);
    return o.negate ? -v : v;
  }

  /// The operand as a source of a unit whose slot i works on value lane lanes[i].
  VSource source(const isa::Operand& o, const std::vector<uint8_t>& lanes) {
    VSource s;
    if (o.place.kind == Place::Kind::immediate) return immediate(o, lanes);
    if (o.place.kind == Place::Kind::unset) throw isa::Unsupported("internal: a value is read before it is written");
    s.kind = o.place.kind == Place::Kind::reg ? VSource::Kind::reg : VSource::Kind::constant;
    s.index = o.place.index;
    s.abs = o.abs;
    s.negate = o.negate;
    for (size_t i = 0; i < lanes.size(); i++) {
      s.lane[i] = o.place.lane[o.swizzle[lanes[i]]];
      if (s.lane[i] > 3) throw isa::Unsupported("internal: an unplaced lane is read");
    }
    return s;
  }

  /// Cheapest form of literals: swizzle constants 0, 0.5, 1, then one inline float, then the constant file. One sign for all lanes.
  VSource immediate(const isa::Operand& o, const std::vector<uint8_t>& lanes) {
    VSource s;
    bool positive = false, negative = false;
    std::vector<float> values;
    for (uint8_t l : lanes) {
      const float v = immediate_lane(o, l);
      values.push_back(v);
      if (v != 0) (std::signbit(v) ? negative : positive) = true;
    }
    const bool mixed = positive && negative;
    s.negate = negative && !mixed;
    std::vector<float> rest;
    std::vector<size_t> rest_slot;
    int code = -1;
    bool one_code = true;
    for (size_t i = 0; i < values.size(); i++) {
      const float m = s.negate ? -values[i] : values[i];
      if (m == 0.0f)
        s.lane[i] = swz::zero;
      else if (m == 0.5f)
        s.lane[i] = swz::half;
      else if (m == 1.0f)
        s.lane[i] = swz::one;
      else {
        rest.push_back(m);
        rest_slot.push_back(i);
        const int c = m > 0 ? inline_code(m) : -1;
        if (c < 0 || (code >= 0 && c != code)) one_code = false;
        code = c;
      }
    }
    if (rest.empty()) return s;
    if (one_code) {
      s.kind = VSource::Kind::inline_float;
      s.index = static_cast<uint32_t>(code);
      for (size_t i : rest_slot) s.lane[i] = 3;
      return s;
    }
    const isa::ConstantFile::Immediate imm = constants_.immediate(rest);
    s.kind = VSource::Kind::constant;
    s.index = imm.slot;
    for (size_t i = 0; i < rest.size(); i++) s.lane[rest_slot[i]] = imm.lane[i];
    return s;
  }

  // --- emission -----------------------------------------------------------------------------------------------------------
  Op& emit(Op op) {
    lir_.ops.push_back(std::move(op));
    return lir_.ops.back();
  }

  bool alpha_lane(const Place& dst, unsigned lane) {
    uint8_t& channels = lir_.registers[dst.index].channels[dst.lane[lane]];
    // A lane any unit may write (a texture result) becomes one of the unit that writes it now.
    if (channels & kRgbChannels) channels &= kRgbChannels;
    return !(channels & kRgbChannels);
  }

  struct Modify {
    bool clamp = false;
    uint8_t omod = 0;
    bool derivative = false;
  };

  /// Componentwise operation on all placed lanes of dst: at most one RGB and some alpha operations.
  void cw(Code code, const Place& dst, std::initializer_list<isa::Operand> operands, Modify m) {
    std::vector<uint8_t> rgb, alpha;
    for (uint8_t l = 0; l < 4; l++) {
      if (dst.lane[l] == kNoLane) continue;
      (alpha_lane(dst, l) ? alpha : rgb).push_back(l);
    }
    if (rgb.size() > 3) {  // a texture result that an edge copy writes too: lane 3 moves to the alpha channel
      lir_.registers[dst.index].channels[dst.lane[rgb.back()]] = kAlphaChannel;
      alpha.push_back(rgb.back());
      rgb.pop_back();
    }
    const auto unit = [&](uint8_t op, const std::vector<uint8_t>& lanes) {
      VUnit u;
      u.op = op;
      u.sources = static_cast<uint8_t>(operands.size());
      u.slots = static_cast<uint8_t>(lanes.size());
      size_t i = 0;
      for (const isa::Operand& o : operands) u.source[i++] = source(o, lanes);
      u.dst = static_cast<int32_t>(dst.index);
      for (size_t k = 0; k < lanes.size(); k++) u.dst_lane[k] = dst.lane[lanes[k]];
      u.clamp = m.clamp;
      u.omod = m.omod;
      u.derivative = m.derivative;
      return u;
    };
    if (!rgb.empty()) {
      Op op;
      op.rgb = unit(code.rgb, rgb);
      emit(op);
      rgb_load_++;
    }
    for (uint8_t l : alpha) {
      Op op;
      op.alpha = unit(code.alpha, {l});
      emit(op);
      alpha_load_++;
    }
  }

  void move(const Place& dst, const isa::Operand& o, bool clamp = false) {
    if (clamp) {
      cw(kMad, dst, {o, literal(1), literal(0)}, {.clamp = true});
    } else {
      cw(kMax, dst, {o, o}, {.omod = kCopy});
    }
  }

  Place temp_like(const Place& dst) {
    std::vector<uint8_t> channels;
    Place p;
    p.kind = Place::Kind::reg;
    for (unsigned l = 0; l < 4; l++) {
      if (dst.lane[l] == kNoLane) continue;
      p.lane[l] = static_cast<uint8_t>(channels.size());
      const bool alpha = alpha_lane(dst, l);
      channels.push_back(alpha ? kAlphaChannel : kRgbChannels);
    }
    // Two alpha lanes cannot share a register; cw() copes with lanes of one register only.
    unsigned alphas = 0;
    for (uint8_t& c : channels) {
      if (c == kAlphaChannel && alphas++) c = kRgbChannels;
    }
    p.index = lir_.new_register(channels);
    return p;
  }

  /// Class for a scalar that either unit could compute: keep both equally busy.
  uint8_t scalar_class() const { return rgb_load_ <= alpha_load_ ? kRgbChannels : kAlphaChannel; }

  // --- instructions -------------------------------------------------------------------------------------------------------
  void instruction(const ir::Instruction& x) {
    const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
    const auto dst = [&]() -> const Place& { return places_.dest(x.result, scalar_class()); };
    const Modify m{.clamp = x.saturate};
    switch (x.op) {
      case ir::Op::constant: {
        Place& p = places_.at(x.result);
        p.kind = Place::Kind::immediate;
        p.value = x.constant;
        p.lane = {0, 1, 2, 3};
        break;
      }
      case ir::Op::mov: mov(x); break;
      case ir::Op::vec: vec(x); break;
      case ir::Op::add: cw(kMad, dst(), {src(0), literal(1), src(1)}, m); break;
      case ir::Op::mul: cw(kMad, dst(), {src(0), src(1), literal(0)}, m); break;
      case ir::Op::mad: cw(kMad, dst(), {src(0), src(1), src(2)}, m); break;
      case ir::Op::min: cw(kMin, dst(), {src(0), src(1)}, m); break;
      case ir::Op::max: cw(kMax, dst(), {src(0), src(1)}, m); break;
      case ir::Op::fract: cw(kFrc, dst(), {src(0)}, m); break;
      case ir::Op::floor: {
        const Place d = dst(), t = temp_like(d);
        cw(kFrc, t, {src(0)}, {});
        cw(kMad, d, {src(0), literal(1), negated(whole(t))}, m);
        break;
      }
      case ir::Op::rcp: scalar(x, A::ALPHA_OP__RCP); break;
      case ir::Op::rsq: scalar(x, A::ALPHA_OP__RSQ); break;
      case ir::Op::exp2: scalar(x, A::ALPHA_OP__EX2); break;
      case ir::Op::log2: scalar(x, A::ALPHA_OP__LN2); break;
      case ir::Op::sin_cycles: scalar(x, A::ALPHA_OP__SIN); break;
      case ir::Op::cos_cycles: scalar(x, A::ALPHA_OP__COS); break;
      case ir::Op::dot2: dot(x, 2); break;
      case ir::Op::dot3: dot(x, 3); break;
      case ir::Op::dot4: dot(x, 4); break;
      case ir::Op::slt:
      case ir::Op::sge:
      case ir::Op::seq:
      case ir::Op::sne: compare(x); break;
      case ir::Op::sel: {
        Modify s = m;
        if (!s.clamp) s.omod = kCopy;
        cw(kCnd, dst(), {src(1), src(2), src(0)}, s);
        break;
      }
      case ir::Op::ddx: derivative(x, {R::RGB_OP__MDH, A::ALPHA_OP__MDH}); break;
      case ir::Op::ddy: derivative(x, {R::RGB_OP__MDV, A::ALPHA_OP__MDV}); break;
      case ir::Op::load_input: load_input(x); break;
      case ir::Op::load_uniform:
      case ir::Op::load_push:
      case ir::Op::load_param: {
        if (x.source_count) throw isa::Unsupported("a fragment program cannot index constants by data");
        Place& p = places_.at(x.result);
        p.kind = Place::Kind::constant;
        p.index = constants_.slot(x);
        p.lane = {0, 1, 2, 3};
        break;
      }
      case ir::Op::tex: texture(x); break;
      case ir::Op::kill_if: kill(x); break;
      case ir::Op::store_output: store(x); break;
      default: throw isa::Unsupported("internal: operation " + std::string(ir::info(x.op).name) + " reached the fragment back end");
    }
  }

  void mov(const ir::Instruction& x) {
    const isa::Operand o = places_.read(x.source[0]);
    Place& p = places_.at(x.result);
    // Without modifiers the value is another name for lanes of the source; not for loop variables, whose register changes.
    if (!x.saturate && !o.abs && !o.negate && p.kind == Place::Kind::unset && !places_.loop_param(x.source[0].value) &&
        !volatile_registers(o.place)) {
      p = o.place;
      for (unsigned l = 0; l < 4; l++) p.lane[l] = o.place.lane[o.swizzle[l]];
      return;
    }
    move(places_.dest(x.result, scalar_class()), o, x.saturate);
  }

  /// Registers of loop variables, also when reached through another name.
  bool volatile_registers(const Place& p) const {
    if (p.kind != Place::Kind::reg) return false;
    for (uint32_t r : loop_registers_) {
      if (r == p.index) return true;
    }
    return false;
  }

  void vec(const ir::Instruction& x) {
    const Place d = places_.dest(x.result, kAlphaChannel);
    struct Group {
      isa::Operand operand;
      Place dst;
    };
    std::vector<Group> groups;
    for (unsigned i = 0; i < x.source_count; i++) {
      if (d.lane[i] == kNoLane || !(places_.used_lanes(x.result) >> i & 1)) continue;
      isa::Operand o = places_.read(x.source[i]);
      const uint8_t from = o.place.lane[o.swizzle[0]];
      if (o.place.kind == Place::Kind::reg && o.place.index == d.index && from == d.lane[i] && !o.abs && !o.negate) continue;
      if (o.place.kind == Place::Kind::immediate) {  // immediates of one vec share one group: value lane i holds lane i
        const float v = immediate_lane(o, 0);
        o = literal(0);
        o.place.value[i] = v;
      }
      Group* group = nullptr;
      for (Group& g : groups) {
        if (g.operand.place.kind == o.place.kind && g.operand.place.index == o.place.index && g.operand.abs == o.abs &&
            g.operand.negate == o.negate)
          group = &g;
      }
      if (!group) {
        groups.push_back({o, d});
        group = &groups.back();
        group->dst.lane.fill(kNoLane);
        if (o.place.kind != Place::Kind::immediate) group->operand.place.lane.fill(0);
        group->operand.swizzle = {0, 1, 2, 3};
      }
      group->dst.lane[i] = d.lane[i];
      if (o.place.kind == Place::Kind::immediate) {
        group->operand.place.value[i] = o.place.value[i];
      } else {
        group->operand.place.lane[i] = from;
      }
    }
    for (const Group& g : groups) move(g.dst, g.operand);
  }

  void scalar(const ir::Instruction& x, uint8_t op) {
    const Place d = places_.dest(x.result, kAlphaChannel);
    for (unsigned l = 0; l < 4; l++) {
      if (d.lane[l] == kNoLane) continue;
      isa::Operand o = places_.read(x.source[0]);
      if (op == A::ALPHA_OP__RSQ) o.abs = true, o.negate = false;
      Op out;
      VUnit a;
      a.op = op;
      a.sources = 1;
      a.source[0] = source(o, {static_cast<uint8_t>(l)});
      finish_scalar(out, a, d, l, R::RGB_OP__SOP, x.saturate);
    }
  }

  /// One-lane result of the alpha unit (or of a dot product): to alpha directly, or to RGB through SOP (or the dot product itself).
  void finish_scalar(Op& out, VUnit a, const Place& d, unsigned lane, uint8_t rgb_op, bool clamp) {
    const bool to_alpha = alpha_lane(d, lane);
    VUnit r = out.rgb.value_or(VUnit{});
    r.op = rgb_op;
    r.dot = rgb_op != R::RGB_OP__SOP;
    VUnit& writer = to_alpha ? a : r;
    writer.dst = static_cast<int32_t>(d.index);
    writer.slots = 1;
    writer.dst_lane[0] = d.lane[lane];
    writer.clamp = clamp;
    if (!to_alpha || out.rgb) out.rgb = r;
    out.alpha = a;
    alpha_load_++;
    if (out.rgb) rgb_load_++;
    emit(out);
  }

  void dot(const ir::Instruction& x, unsigned n) {
    const Place d = places_.dest(x.result, kRgbChannels);
    if (d.lane[0] == kNoLane) return;
    Op out;
    VUnit r;
    r.sources = 2;
    for (unsigned i = 0; i < 2; i++) {
      const isa::Operand o = places_.read(x.source[i]);
      r.source[i] = n == 2 ? source(o, {0, 1}) : source(o, {0, 1, 2});  // missing terms read the swizzle constant 0
    }
    r.dot = true;
    r.op = n == 4 ? R::RGB_OP__DP4 : R::RGB_OP__DP3;
    if (n < 4 && !alpha_lane(d, 0)) {
      r.dst = static_cast<int32_t>(d.index);
      r.slots = 1;
      r.dst_lane[0] = d.lane[0];
      r.clamp = x.saturate;
      out.rgb = r;
      rgb_load_++;
      emit(out);
      return;
    }
    VUnit a;
    a.op = A::ALPHA_OP__DP;
    if (n == 4) {
      a.sources = 2;
      for (unsigned i = 0; i < 2; i++) {
        a.source[i] = source(places_.read(x.source[i]), {3});
        // Literals may have got another sign or constant slot than the RGB lanes; modifiers are per unit, so that is fine.
      }
    }
    out.rgb = r;
    finish_scalar(out, a, d, 0, r.op, x.saturate);
  }

  static bool is_literal_zero(const isa::Operand& o, const std::array<uint8_t, 4>& lanes) {
    if (o.place.kind != Place::Kind::immediate) return false;
    for (unsigned l = 0; l < 4; l++) {
      if (lanes[l] != kNoLane && o.place.value[o.place.lane[o.swizzle[l]]] != 0.0f) return false;
    }
    return true;
  }

  /// a - b and its sign. NaN: CMP takes B, so >= and == give 0 and != gives 1 by themselves. < uses sat(b - a) > 0, where a NaN
  /// saturates to 0; integers and booleans are never NaN and take the short form.
  void compare(const ir::Instruction& x) {
    const Place d = places_.dest(x.result, scalar_class());
    const isa::Operand a = places_.read(x.source[0]), b = places_.read(x.source[1]);
    const bool exact = module_.value(x.source[0].value).type != ir::Type::f32;
    isa::Operand c;
    if (x.op == ir::Op::slt && !exact) {
      const Place t = temp_like(d);
      cw(kMad, t, {b, literal(1), negated(a)}, {.clamp = true});
      cw(kCmp, d, {literal(0), literal(1), negated(whole(t))}, {});
      return;
    }
    if (is_literal_zero(b, d.lane)) {
      c = a;
    } else if (is_literal_zero(a, d.lane)) {
      c = negated(b);
    } else {
      const Place t = temp_like(d);
      cw(kMad, t, {a, literal(1), negated(b)}, {});
      c = whole(t);
    }
    switch (x.op) {
      case ir::Op::slt: cw(kCmp, d, {literal(0), literal(1), c}, {}); break;
      case ir::Op::sge: cw(kCmp, d, {literal(1), literal(0), c}, {}); break;
      case ir::Op::seq: cw(kCmp, d, {literal(1), literal(0), negated_abs(c)}, {}); break;
      default: cw(kCmp, d, {literal(0), literal(1), negated_abs(c)}, {}); break;
    }
  }

  /// MDH and MDV ignore swizzles: lane by lane the channel of the source is the channel of the result (A5). Registers filled by the
  /// rasterizer are read in place, everything else is copied to a register with pinned channels.
  void derivative(const ir::Instruction& x, Code code) {
    isa::Operand o = places_.read(x.source[0]);
    const unsigned n = module_.comps(x.result);
    Place from = o.place;
    bool in_place = from.kind == Place::Kind::reg && lir_.registers[from.index].at_entry && !o.abs && !o.negate;
    unsigned seen = 0;
    for (unsigned l = 0; l < n && in_place; l++) {
      const uint8_t lane = from.lane[o.swizzle[l]];
      if (seen >> lane & 1) in_place = false;
      seen |= 1u << lane;
    }
    std::vector<uint8_t> channels;
    Place d;
    d.kind = Place::Kind::reg;
    for (unsigned l = 0; l < n; l++) {
      channels.push_back(in_place ? static_cast<uint8_t>(1u << from.lane[o.swizzle[l]])
                         : n == 1 ? static_cast<uint8_t>(scalar_class() == kAlphaChannel ? 8 : 1)
                                  : static_cast<uint8_t>(1u << l));
      d.lane[l] = static_cast<uint8_t>(l);
    }
    if (!in_place) {
      from = d;
      from.index = lir_.new_register(channels);
      move(from, o);
      o = whole(from);
    }
    d.index = lir_.new_register(channels);
    cw(code, d, {o, literal(-1), o}, {.clamp = x.saturate, .derivative = true});
    Place& p = places_.at(x.result);
    if (p.kind == Place::Kind::unset) {
      p = d;
    } else {
      move(p, whole(d));
    }
  }

  // --- inputs and outputs -------------------------------------------------------------------------------------------------
  uint32_t entry_register() {
    const uint32_t r = lir_.new_register({1, 2, 4, 8});
    lir_.registers[r].at_entry = true;
    return r;
  }
  Place entry(std::optional<uint32_t>& slot) {
    if (!slot) slot = entry_register();
    Place p;
    p.kind = Place::Kind::reg;
    p.index = *slot;
    p.lane = {0, 1, 2, 3};
    return p;
  }

  void load_input(const ir::Instruction& x) {
    const ir::Input& in = module_.inputs[x.index];
    switch (in.builtin) {
      case ir::Builtin::none: {
        FixedRegisters::Location* found = nullptr;
        for (FixedRegisters::Location& l : lir_.inputs.locations) {
          if (l.location == in.location) found = &l;
        }
        if (!found) {
          lir_.inputs.locations.push_back({in.location, entry_register(), in.flat, in.no_perspective});
          found = &lir_.inputs.locations.back();
        }
        Place& p = places_.at(x.result);
        p.kind = Place::Kind::reg;
        p.index = found->reg;
        for (unsigned l = 0; l < in.comps; l++) p.lane[l] = static_cast<uint8_t>(in.component + l);
        break;
      }
      case ir::Builtin::point_coord: places_.at(x.result) = entry(lir_.inputs.point_coord); break;
      case ir::Builtin::front_facing: {
        // The rasterizer writes 1.0 for back faces.
        const Place flag = entry(lir_.inputs.front_facing);
        Place& d = places_.dest(x.result, scalar_class());
        cw(kMad, d, {negated(whole(flag)), literal(1), literal(1)}, {});
        break;
      }
      case ir::Builtin::frag_coord: frag_coord(x); break;
      default: throw isa::Unsupported("a fragment shader cannot read this built-in input");
    }
  }

  /// x, y: the rasterizer's pixel corner + 0.5. z, w: from the clip position, which the linker passes as one more varying.
  void frag_coord(const ir::Instruction& x) {
    const uint8_t used = places_.used_lanes(x.result);
    const Place d = places_.dest(x.result, kAlphaChannel);
    const auto lanes = [&](unsigned mask) {
      Place p = d;
      for (unsigned l = 0; l < 4; l++) {
        if (!(mask & used & 1u << l)) p.lane[l] = kNoLane;
      }
      return p;
    };
    if (used & 3) cw(kMad, lanes(3), {whole(entry(lir_.inputs.frag_coord_xy)), literal(1), literal(0.5f)}, {});
    if (!(used & 12)) return;
    const Place position = entry(lir_.inputs.position);
    Place w;
    w.kind = Place::Kind::reg;
    if (used & 8) {
      w = d;
      w.lane.fill(d.lane[3]);
    } else {
      w.index = lir_.new_register({kAlphaChannel});
      w.lane.fill(0);
    }
    Op rcp;
    VUnit a;
    a.op = A::ALPHA_OP__RCP;
    a.sources = 1;
    a.source[0] = source(whole(position), {3});
    Place one = w;
    one.lane = {w.lane[0], kNoLane, kNoLane, kNoLane};
    finish_scalar(rcp, a, one, 0, R::RGB_OP__SOP, false);
    if (!(used & 4)) return;
    ir::Instruction viewport;
    viewport.op = ir::Op::load_param;
    viewport.parameter = ConstantRange::Parameter::viewport_transform;
    Place c;
    c.kind = Place::Kind::constant;
    c.index = constants_.slot(viewport);
    c.lane = {0, 0, 0, 1};
    const Place z = lanes(4);
    const Place t = temp_like(z);
    isa::Operand scale = whole(c), offset = whole(c);
    offset.swizzle = {3, 3, 3, 3};
    cw(kMad, t, {whole(position), whole(w), literal(0)}, {});
    cw(kMad, z, {whole(t), scale, offset}, {});
  }

  void store(const ir::Instruction& x) {
    const ir::Output& out = module_.outputs[x.index];
    const isa::Operand o = places_.read(x.source[0]);
    Op op;
    if (out.builtin == ir::Builtin::frag_depth) {
      VUnit a;
      a.op = A::ALPHA_OP__MAX;
      a.omod = kCopy;
      a.sources = 2;
      a.source[0] = a.source[1] = source(o, {0});
      a.depth = true;
      op.alpha = a;
      emit(op);
      lir_.writes_depth = true;
      return;
    }
    if (out.builtin != ir::Builtin::none) throw isa::Unsupported("a fragment shader cannot write this built-in output");
    if (out.location >= kTargets)
      throw isa::Unsupported("colour output location " + std::to_string(out.location) + ", the chip has 4 render targets");
    if (!(options_.color_attachments >> out.location & 1)) return;
    std::vector<uint8_t> rgb;
    uint8_t alpha = kNoLane;
    VUnit u;
    for (uint8_t l = 0; l < out.comps; l++) {
      if (!(x.mask >> l & 1)) continue;
      const unsigned channel = out.component + l;
      if (channel == 3) {
        alpha = l;
      } else {
        u.dst_lane[rgb.size()] = static_cast<uint8_t>(channel);
        rgb.push_back(l);
      }
    }
    u.omod = kCopy;
    u.sources = 2;
    u.target = static_cast<int32_t>(out.location);
    if (!rgb.empty()) {
      u.op = R::RGB_OP__MAX;
      u.slots = static_cast<uint8_t>(rgb.size());
      u.source[0] = u.source[1] = source(o, rgb);
      op.rgb = u;
      emit(op);
      op.rgb.reset();
    }
    if (alpha != kNoLane) {
      u.op = A::ALPHA_OP__MAX;
      u.slots = 1;
      u.dst_lane[0] = 3;
      u.source[0] = u.source[1] = source(o, {alpha});
      op.alpha = u;
      emit(op);
    }
    lir_.color_outputs |= 1u << out.location;
  }

  // --- textures -----------------------------------------------------------------------------------------------------------
  /// A port reading `lanes` (operand, lane) from one register; copies them together when they are not.
  struct PortLane {
    isa::Operand operand;
    uint8_t lane;
  };
  VSource port(const std::vector<PortLane>& lanes, const std::vector<unsigned>& ports, Place home) {
    bool direct = true;
    for (const PortLane& l : lanes) {
      const isa::Operand& o = l.operand;
      direct &= o.place.kind == Place::Kind::reg && o.place.index == lanes[0].operand.place.index && !o.abs && !o.negate;
    }
    VSource s;
    s.kind = VSource::Kind::reg;
    if (direct) {
      s.index = lanes[0].operand.place.index;
      s.lane.fill(lanes[0].operand.place.lane[lanes[0].operand.swizzle[lanes[0].lane]]);
      for (size_t i = 0; i < lanes.size(); i++) s.lane[ports[i]] = lanes[i].operand.place.lane[lanes[i].operand.swizzle[lanes[i].lane]];
      return s;
    }
    if (home.kind != Place::Kind::reg) {
      std::vector<uint8_t> channels;
      for (size_t i = 0; i < lanes.size(); i++) channels.push_back(i < 3 ? kRgbChannels : kAlphaChannel);
      home.kind = Place::Kind::reg;
      home.index = lir_.new_register(channels);
      for (size_t i = 0; i < lanes.size(); i++) home.lane[i] = static_cast<uint8_t>(i);
    }
    // Move runs of lanes of one operand together.
    for (size_t i = 0; i < lanes.size();) {
      Place dst = home;
      dst.lane.fill(kNoLane);
      isa::Operand o = lanes[i].operand;
      size_t k = i;
      std::array<uint8_t, 4> swizzle{};
      while (k < lanes.size() && lanes[k].operand.place.kind == o.place.kind && lanes[k].operand.place.index == o.place.index &&
             lanes[k].operand.abs == o.abs && lanes[k].operand.negate == o.negate && (o.place.kind != Place::Kind::immediate || k == i)) {
        const isa::Operand& q = lanes[k].operand;
        const uint8_t from = q.place.lane[q.swizzle[lanes[k].lane]];
        const bool there = q.place.kind == Place::Kind::reg && q.place.index == home.index && from == home.lane[k] && !q.abs && !q.negate;
        if (!there) dst.lane[k] = home.lane[k];
        swizzle[k] = from;
        k++;
      }
      if (o.place.kind == Place::Kind::immediate) {
        o = literal(immediate_lane(o, lanes[i].lane));
      } else {
        o.place.lane = {0, 1, 2, 3};
        o.swizzle = swizzle;
      }
      move(dst, o);
      i = k;
    }
    s.index = home.index;
    s.lane.fill(home.lane[0]);
    for (size_t i = 0; i < lanes.size(); i++) s.lane[ports[i]] = home.lane[i];
    return s;
  }

  void texture(const ir::Instruction& x) {
    const ir::Texture& t = module_.textures[x.index];
    if (x.index >= kUnits) throw isa::Unsupported("texture number " + std::to_string(x.index + 1) + ", the chip has 16 texture units");
    const unsigned n = ir::coord_lanes(t.dim);
    const auto coordinates = [&](unsigned i) {
      std::vector<PortLane> lanes;
      for (uint8_t l = 0; l < n; l++) lanes.push_back({places_.read(x.source[i]), l});
      return lanes;
    };
    std::vector<unsigned> ports;
    for (unsigned i = 0; i < n; i++) ports.push_back(i);
    Op op;
    op.kind = Op::Kind::tex;
    op.unit = static_cast<uint8_t>(x.index);
    std::vector<PortLane> lanes = coordinates(0);
    bool q = true;
    switch (x.tex_kind) {
      case ir::TexKind::implicit: op.inst = T::INST__LD, q = false; break;
      case ir::TexKind::bias: op.inst = T::INST__LODBIAS; break;
      case ir::TexKind::lod: op.inst = T::INST__LOD; break;
      case ir::TexKind::grad: op.inst = T::INST__DXDY, q = false; break;
      case ir::TexKind::proj: op.inst = T::INST__PROJ; break;
      case ir::TexKind::fetch: op.inst = T::INST__LOD, op.unscaled = true; break;
    }
    std::vector<unsigned> coord_ports = ports;
    if (q) {
      lanes.push_back({places_.read(x.source[1]), 0});
      coord_ports.push_back(3);
    }
    op.coord = port(lanes, coord_ports, places_.coordinate(x));
    if (x.tex_kind == ir::TexKind::grad) {
      op.dx = port(coordinates(1), ports, {});
      op.dy = port(coordinates(2), ports, {});
    }
    Place& p = places_.at(x.result);
    if (p.kind == Place::Kind::unset) {
      p.kind = Place::Kind::reg;
      p.index = lir_.new_register({15, 15, 15, 15});
      p.lane = {0, 1, 2, 3};
    }
    op.dst = static_cast<int32_t>(p.index);
    op.dst_lane = p.lane;
    emit(op);
  }

  void kill(const ir::Instruction& x) {
    Place t;
    t.kind = Place::Kind::reg;
    t.index = lir_.new_register({scalar_class()});
    t.lane = {0, kNoLane, kNoLane, kNoLane};
    cw(kCnd, t, {literal(-1), literal(1), places_.read(x.source[0])}, {});
    Op op;
    op.kind = Op::Kind::tex;
    op.inst = T::INST__TEXKILL;
    op.coord.kind = VSource::Kind::reg;
    op.coord.index = t.index;
    op.coord.lane.fill(0);
    emit(op);
    lir_.kills = true;
  }

  // --- control flow -------------------------------------------------------------------------------------------------------
  void flow(Op::Kind kind, unsigned pop = 0) {
    Op op;
    op.kind = kind;
    op.pop = static_cast<uint8_t>(pop);
    emit(op);
  }

  void copies(const std::vector<ir::ValueId>& destinations, const std::vector<ir::Source>& args) {
    if (destinations.empty()) return;
    for (ir::ValueId d : destinations) places_.dest(d, scalar_class());
    constexpr ir::ValueId kScratch = 0xFFFFFFFFu;
    Place scratch;
    const auto same = [](ir::ValueId a, ir::ValueId b) { return a == b; };
    for (const ir::Copy& c : ir::order_copies(module_, destinations, args, kScratch, same)) {
      if (c.destination == kScratch) {
        const unsigned lanes = module_.comps(c.source.value);
        std::vector<uint8_t> channels;
        scratch = Place{};
        scratch.kind = Place::Kind::reg;
        for (unsigned l = 0; l < lanes; l++) {
          channels.push_back(l < 3 ? kRgbChannels : kAlphaChannel);
          scratch.lane[l] = static_cast<uint8_t>(l);
        }
        scratch.index = lir_.new_register(channels);
        move(scratch, places_.read(c.source));
      } else if (c.source.value == kScratch) {
        move(places_.at(c.destination), isa::Operand{scratch, c.source.swizzle, c.source.abs, c.source.negate});
      } else {
        const Place d = places_.at(c.destination);
        isa::Operand o = places_.read(c.source);
        if (o.place.kind == Place::Kind::reg && o.place.index == d.index) {  // a shuffle of itself: not lane group by lane group
          const Place t = temp_like(d);
          move(t, o);
          o = whole(t);
        }
        move(d, o);
      }
    }
  }

  void condition(const isa::Operand& cond) {
    VUnit a;
    a.op = A::ALPHA_OP__MAX;
    a.sources = 2;
    a.source[0] = a.source[1] = source(cond, {0});
    a.condition = true;
    Op op;
    op.alpha = a;
    emit(op);
  }

  void list(const ir::NodeList& nodes) {
    for (size_t i = 0; i < nodes.size(); i++) {
      const ir::Node& n = nodes[i];
      switch (n.kind) {
        case ir::Node::Kind::block:
          for (const ir::Instruction& x : n.instructions) instruction(x);
          break;
        case ir::Node::Kind::branch: branch(n); break;
        case ir::Node::Kind::loop: loop(n); break;
        case ir::Node::Kind::jump: jump(n); break;
      }
    }
  }

  void branch(const ir::Node& n) {
    for (ir::ValueId r : n.results) places_.dest(r, scalar_class());
    condition(places_.read(n.cond));
    flow(Op::Kind::if_);
    depth_++;
    const std::vector<ir::ValueId>* outer = yield_to_;
    yield_to_ = &n.results;
    list(n.then_list);
    if (!n.else_list.empty()) {
      flow(Op::Kind::else_);
      list(n.else_list);
    }
    yield_to_ = outer;
    depth_--;
    flow(Op::Kind::endif);
  }

  struct LoopFrame {
    const ir::Node* node;
    unsigned depth;
    bool two_level;
    Place left;  ///< two-level loops: 1.0 in pixels that broke out
  };

  void loop(const ir::Node& n) {
    lir_.loops = true;
    for (ir::ValueId r : n.results) places_.dest(r, scalar_class());
    for (ir::ValueId p : n.params) loop_registers_.push_back(places_.dest(p, scalar_class()).index);
    copies(n.params, n.args);
    // The loop counter has 8 bits. A loop not known to end within 255 rounds gets a second level around it: 65025 rounds.
    LoopFrame frame{&n, depth_, !ends_within(module_, n, 255), {}};
    if (frame.two_level) {
      frame.left.kind = Place::Kind::reg;
      frame.left.index = lir_.new_register({kAlphaChannel});
      frame.left.lane = {0, kNoLane, kNoLane, kNoLane};
      move(frame.left, literal(0));
      flow(Op::Kind::loop);
    }
    flow(Op::Kind::loop);
    loops_.push_back(frame);
    list(n.then_list);
    loops_.pop_back();
    flow(Op::Kind::endloop);
    lir_.ops.back().may_exhaust = frame.two_level;
    if (frame.two_level) {
      condition(whole(frame.left));
      flow(Op::Kind::if_);
      flow(Op::Kind::break_, 1);
      flow(Op::Kind::endif);
      flow(Op::Kind::endloop);
    }
  }

  void jump(const ir::Node& n) {
    if (n.jump == ir::Node::Jump::yield) {
      if (yield_to_) copies(*yield_to_, n.args);
      return;
    }
    LoopFrame& f = loops_.back();
    if (n.jump == ir::Node::Jump::break_) {
      copies(f.node->results, n.args);
      if (f.two_level) move(f.left, literal(1));
      flow(Op::Kind::break_, depth_ - f.depth);
      return;
    }
    copies(f.node->params, n.args);
    // At the end of the body itself ENDLOOP follows anyway.
    if (depth_ > f.depth) flow(Op::Kind::continue_, depth_ - f.depth);
  }

  const ir::Module& module_;
  isa::ConstantFile& constants_;
  const SelectOptions& options_;
  Lir lir_;
  isa::Places places_;
  unsigned depth_ = 0;
  unsigned rgb_load_ = 0, alpha_load_ = 0;
  std::vector<LoopFrame> loops_;
  std::vector<uint32_t> loop_registers_;
  const std::vector<ir::ValueId>* yield_to_ = nullptr;
};

}  // namespace

Lir select(const ir::Module& module, isa::ConstantFile& constants, const SelectOptions& options) {
  return Selector(module, constants, options).run();
}

}  // namespace pumice::compiler::us
