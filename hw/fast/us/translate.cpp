// SPDX-License-Identifier: MIT
/// Cells, interpolation, beginning and end of a translated program.
#include "hw/fast/us/translate.h"

#include <cstddef>

#include "hw/numerics/float_bits.h"

namespace pumice::hw::fast::us {

using Cmn = regs::US_CMN_INST;
using lane::kArgs;
using lane::Op;

namespace {

constexpr uint32_t kUsNan = 0x7FFFFFFFu;
uint32_t color_offset(uint32_t target, uint32_t channel) {
  return uint32_t(offsetof(ShadeArgs, color) + (target * 4 + channel) * sizeof(Lanes));
}

}  // namespace

bool Translator::refuse(uint32_t pc, const char* text) {
  why_ = "slot " + std::to_string(pc) + ": " + text;
  return false;
}

std::optional<lane::Program> Translator::run() {
  if (s_.profile != Profile::r500) {
    why_ = "R3xx";
    return {};
  }
  if (reach_.leaves) {
    why_ = "leaves the window of US_CODE_RANGE";
    return {};
  }
  do {
    again_ = false;
    if (!attempt()) return {};
  } while (again_);
  lane::remove_dead(b_.program());
  return std::move(b_.program());
}

bool Translator::is_uniform(const lane::Program& program) {
  for (const lane::Node& n : program.nodes) {
    if (n.op == Op::lanes || n.op == Op::call || n.op == Op::table || n.op == Op::mask_load) return false;
    if (n.op == Op::splat && n.p == kArgs.id) return false;
  }
  return true;
}

// ---- Numbers ---------------------------------------------------------------------------------------------------------------------

bool Translator::never_nan(Value v) const {
  const lane::Node& n = b_.node(v);
  const auto sound = [&](int32_t id) {
    const lane::Node& c = b_.node({id});
    return (c.op == Op::constant && !num::is_nan(num::from_bits(c.imm))) || c.op == Op::min || c.op == Op::max || c.op == Op::to_float;
  };
  switch (n.op) {
    case Op::constant: return !num::is_nan(num::from_bits(n.imm));
    case Op::to_float: return true;
    case Op::min:
    case Op::max: return b_.node({n.b}).op == Op::constant ? never_nan({n.b}) : never_nan({n.a}) && never_nan({n.b});
    case Op::select: return sound(n.a) && sound(n.b) && never_nan({n.a}) && never_nan({n.b});
    default: return false;
  }
}

Translator::Value Translator::exact(Number n) {
  if (n.nan == Nan::exact || never_nan(n.v)) return n.v;
  return b_.select(b_.is_nan(n.v), b_.constant_bits(n.nan == Nan::us ? kUsNan : num::kQuietNan), n.v);
}

Number Translator::select(Mask m, Number a, Number b) {
  if (a.nan == b.nan) return {b_.select(m, a.v, b.v), a.nan};
  if (b.nan == Nan::exact && never_nan(b.v)) return {b_.select(m, a.v, b.v), a.nan};
  if (a.nan == Nan::exact && never_nan(a.v)) return {b_.select(m, a.v, b.v), b.nan};
  return {b_.select(m, exact(a), exact(b)), Nan::exact};
}

// ---- Cells -----------------------------------------------------------------------------------------------------------------------

Number Translator::read_cell(uint32_t cell) {
  Cell& c = cell_[cell];
  if (!c.known && c.source) {
    c.now = interpolate(*c.source);
    c.source = nullptr, c.known = true;
  } else if (!c.known) {
    c.now = {b_.get(c.variable), bits_matter_[cell] ? Nan::exact : Nan::us};
    c.known = true;
  }
  return c.now;
}

void Translator::write_cell(uint32_t cell, Number n, Mask where) {
  Cell& c = cell_[cell];
  c.used = true;
  written_.set(cell);
  if (where == none_) return;
  c.now = where == all_ ? n : select(where, n, read_cell(cell));
  c.known = c.dirty = true;
  c.source = nullptr;
}

Translator::Mask Translator::read_mask(MaskCell& m) {
  if (!m.known) m.now = b_.get(m.variable), m.known = true;
  return m.now;
}

void Translator::write_mask(MaskCell& m, Mask value, Mask where) {
  m.now = where == all_ ? value : b_.mask_or(b_.mask_and(where, value), b_.mask_andnot(where, read_mask(m)));
  m.known = m.dirty = true;
}

void Translator::boundary() {
  const bool first = !in_flow_;
  in_flow_ = true;
  for (uint32_t i = 0; i < kCells; ++i) {
    Cell& c = cell_[i];
    if (!variable_cells_[i]) continue;
    if (first) c.variable = b_.variable();
    if (!first && !c.dirty) continue;
    const Number n = read_cell(i);
    // All ways that meet must agree about what a NaN counts as.
    if (!bits_matter_[i] && n.nan != Nan::us && !never_nan(n.v)) bits_matter_.set(i), again_ = true;
    b_.set(c.variable, bits_matter_[i] ? exact(n) : n.v);
    c.dirty = false;
  }
  const auto mask = [&](MaskCell& m) {
    if (first) m.variable = b_.mask_variable();
    if (first || m.dirty) b_.set(m.variable, read_mask(m));
    m.dirty = false;
  };
  for (MaskCell& p : predicate_) mask(p);
  mask(killed_);
}

void Translator::forget() {
  for (uint32_t i = 0; i < kCells; ++i)
    if (variable_cells_[i]) cell_[i].known = false;
  for (MaskCell& p : predicate_) p.known = false;
  killed_.known = false;
}

Number Translator::interpolate(const RsSource& source) {
  using Kind = RsSource::Kind;
  const auto lane_table = [&](int (*f)(int)) {
    std::array<uint32_t, kLanes> t;
    for (int l = 0; l < kLanes; ++l) t[size_t(l)] = uint32_t(f(l));
    return b_.table(t);
  };
  switch (source.kind) {
    case Kind::zero: return {b_.constant(0.0f)};
    case Kind::one: return {b_.constant(1.0f)};
    case Kind::pixel_x: return {b_.to_float(b_.iadd(b_.splat(kArgs, offsetof(ShadeArgs, x)), lane_table(lane_x)))};
    case Kind::pixel_y: return {b_.to_float(b_.iadd(b_.splat(kArgs, offsetof(ShadeArgs, y)), lane_table(lane_y)))};
    case Kind::back_facing: return {b_.to_float(b_.splat(kArgs, offsetof(ShadeArgs, back_facing)))};
    case Kind::interpolant: break;
  }
  const lane::Pointer offset = b_.pointer(kArgs, offsetof(ShadeArgs, offset));
  Value v = b_.add(b_.splat(kArgs, uint32_t(offsetof(ShadeArgs, base) + 4 * source.index)), b_.lanes(offset, 64 * source.index));
  if (layout_.perspective && source.perspective) {
    const Value w = b_.div(b_.constant(1.0f), b_.add(b_.splat(kArgs, offsetof(ShadeArgs, base_w)),
                                                     b_.lanes(b_.pointer(kArgs, offsetof(ShadeArgs, offset_w)), 0)));
    const Value factor = b_.splat(b_.pointer(kArgs, offsetof(ShadeArgs, factor)), 4 * source.index);
    v = b_.mul(v, b_.select(b_.ieq(factor, b_.constant_bits(0)), b_.constant(1.0f), w));
  }
  return {v, Nan::rs};
}

void Translator::start_cells() {
  const Value zero = b_.constant(0.0f);
  for (Cell& c : cell_) c = {.now = {zero}, .known = true};
  for (uint32_t i = 0; i < layout_.count; ++i)
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t cell = kTemps + (layout_.reg[i].address & 127u) * 4 + c;
      cell_[cell].source = &layout_.reg[i].channel[c];
      cell_[cell].known = false;
      if (has_flow_) read_cell(cell);  // before any branch
    }
  predicate_.fill({.now = none_});
  killed_ = {.now = none_};
}

// ---- A program -------------------------------------------------------------------------------------------------------------------

bool Translator::attempt() {
  b_ = {};
  ifs_.clear(), loops_.clear();
  written_.reset();
  in_flow_ = false;
  problem_ = nullptr;
  frame_size_ = s_.get<regs::US_PIXSIZE>().PIX_SIZE() + 1;
  zero_wins_ = s_.get<regs::US_CONFIG>().ZERO_TIMES_ANYTHING_EQUALS_ZERO();
  constants_ = b_.pointer(kArgs, offsetof(ShadeArgs, constant));
  flow_constants_ = b_.pointer(kArgs, offsetof(ShadeArgs, flow_constant));
  all_ = b_.mask_constant(0xFFFF), none_ = b_.mask_constant(0);
  active_ = all_, alu_result_ = none_;
  if (!find_structure()) return false;
  if (uses_al_) {
    al_ = b_.scalar();
    b_.set(al_, 0);
  }
  start_cells();
  stop_ = b_.make_label();
  b_.store_word(kArgs, offsetof(ShadeArgs, stopped), 0);

  // The quads with a covered pixel: they run, and textures look no further.
  const Mask covered = b_.mask_load(kArgs, offsetof(ShadeArgs, covered));
  const Value c = b_.select(covered, b_.constant_bits(~0u), b_.constant_bits(0));
  const Value any = b_.bit_or(b_.bit_or(b_.quad(c, 0), b_.quad(c, 1)), b_.bit_or(b_.quad(c, 2), b_.quad(c, 3)));
  const Mask helpers = b_.ilt(any, b_.constant_bits(0));
  if (has_flow_) active_ = helpers;
  uint32_t units = 0, count = 0;
  for (uint32_t pc = 0; pc < reach_.slot.size(); ++pc)
    if (reach_.slot[pc]) {
      ++count;
      if (Cmn{s_.us_code[pc][0]}.TYPE() == Cmn::TYPE__TEXTURE) ++units;
    }
  static_assert(offsetof(tx::SampleArgs, killed) == offsetof(tx::SampleArgs, active) + 2);  // which the dword clears
  if (units) b_.store(kArgs, uint32_t(offsetof(ShadeArgs, sample) + offsetof(tx::SampleArgs, active)), helpers);
  if (has_flow_) b_.jump_spent(kArgs, offsetof(ShadeArgs, instructions_left), count * 4, stop_);

  for (uint32_t pc = reach_.start; pc <= reach_.end; ++pc) {
    const Code& code = s_.us_code[pc];
    bool ok;
    switch (Cmn{code[0]}.TYPE()) {
      case Cmn::TYPE__FLOW_CONTROL: ok = flow(pc, code); break;
      case Cmn::TYPE__TEXTURE: ok = tex(pc, code); break;
      default: ok = alu(pc, code); break;
    }
    if (problem_) return refuse(pc, problem_);
    if (!ok) return false;
  }
  // All of the channels of a target that is written.
  for (uint32_t t = 0; t < 4; ++t) {
    bool used = false;
    for (uint32_t k = 0; k < 4; ++k) used |= written_[kColors + t * 4 + k];
    if (!used) continue;
    for (uint32_t k = 0; k < 4; ++k) b_.store(kArgs, color_offset(t, k), exact(read_cell(kColors + t * 4 + k)));
  }
  if (written_[kDepth]) b_.store(kArgs, offsetof(ShadeArgs, depth), exact(read_cell(kDepth)));
  Mask killed = read_mask(killed_);
  if (units) killed = b_.mask_or(killed, b_.mask_load(kArgs, uint32_t(offsetof(ShadeArgs, sample) + offsetof(tx::SampleArgs, killed))));
  b_.store(kArgs, offsetof(ShadeArgs, killed), killed);
  if (has_flow_) {
    const lane::Label done = b_.make_label();
    b_.jump(done);
    b_.place(stop_);
    b_.store_word(kArgs, offsetof(ShadeArgs, stopped), 1);
    b_.place(done);
  } else {
    b_.place(stop_);
  }
  return true;
}

}  // namespace pumice::hw::fast::us
