// SPDX-License-Identifier: MIT
/// Cells, interpolation, beginning and end of a translated program.
#include "hw/radeon/jit/us/translate.h"

#include <cstddef>

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::fast::us {

using isa::us_r500::Type;
using lane::kArgs;
using lane::Op;

namespace {

uint32_t color_offset(uint32_t target, uint32_t channel) {
  return uint32_t(offsetof(ShadeArgs, color) + (target * 4 + channel) * sizeof(Lanes));
}

}  // namespace

std::optional<lane::Program> Translator::run() {
  if (reach_.levels && reach_.leaves) {
    why_ = reach_.levels->problem;
    return {};
  }
  survey();
  for (quads_ |= reach_.leaves && has_flow_;; quads_ = true) {
    bool ok;
    do {
      again_ = false;
      ok = attempt();
    } while (ok && again_);
    if (ok) break;
    if (quads_ || !has_flow_) return {};
  }
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
    // All paths that meet must agree on which bits a NaN stands for.
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
  return fp24_ ? Number{to_fp24(v), Nan::us} : Number{v, Nan::rs};
}

// ---- Temps -----------------------------------------------------------------------------------------------------------------------

Translator::Value Translator::al_value() { return quads_ ? b_.get(q_.al) : b_.from_scalar(al_); }

Translator::Value Translator::relative_offset(uint32_t address) {
  Value& offset = relative_[address];
  if (offset) return offset;
  const Value index = b_.iadd(al_value(), b_.constant_bits(address));
  const Mask below = b_.ilt(index, b_.constant_bits(0)), above = b_.ilt(b_.constant_bits(frame_size_ - 1), index);
  bail(b_.mask_and(b_.mask_or(below, above), here_));
  std::array<uint32_t, kLanes> lanes;
  for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = 4 * l;
  return offset = b_.iadd(b_.shl(index, 8), b_.table(lanes));
}

Number Translator::read_temp(uint32_t address, bool relative, uint32_t channel) {
  if (relative && uses_al_) return {b_.gather_now(temp_memory_, b_.iadd(relative_offset(address), b_.constant_bits(64 * channel)), here_)};
  if (address >= frame_size_) {
    problem_ = "temp outside the frame";
    return {b_.constant(0.0f)};
  }
  if (temps_in_memory_) return {b_.lanes_now(temp_memory_, 256 * address + 64 * channel)};
  return read_cell(kTemps + address * 4 + channel);
}

void Translator::write_temp(uint32_t address, bool relative, uint32_t channel, Number n, Mask where) {
  if (relative && uses_al_) {
    const Value offset = b_.iadd(relative_offset(address), b_.constant_bits(64 * channel));
    return b_.scatter(temp_memory_, offset, exact(n), b_.mask_and(where, here_));
  }
  if (address >= frame_size_) {
    problem_ = "destination outside the frame";
  } else if (temps_in_memory_) {
    if (where == none_) return;
    const uint32_t place = 256 * address + 64 * channel;
    b_.store(temp_memory_, place, where == all_ ? exact(n) : b_.select(where, exact(n), b_.lanes_now(temp_memory_, place)));
  } else {
    write_cell(kTemps + address * 4 + channel, n, where);
  }
}

void Translator::bail(Mask m) {
  const lane::Node& n = b_.program().nodes[size_t(m.id)];
  if (n.op == Op::mask_constant && n.imm == 0) return;
  bails_ = true;
  b_.jump_any(m, bail_);
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
  if (!temps_in_memory_) return;
  temp_memory_ = b_.scratch(256 * frame_size_);
  for (uint32_t cell = 0; cell < 4 * frame_size_; ++cell) b_.store(temp_memory_, 64 * cell, exact(read_cell(kTemps + cell)));
}

// ---- A program -------------------------------------------------------------------------------------------------------------------

/// Properties of the reached slots.
void Translator::survey() {
  bool relative = false, relative_temp = false, moves_al = false;
  has_flow_ = false;
  for (uint32_t pc = reach_.lowest; pc < reach_.behind; ++pc) {
    if (!reach_.slot[pc]) continue;
    const Instruction& x = code_[pc];
    const auto temp = [&](bool is_relative) {
      relative |= is_relative;
      relative_temp |= is_relative;
    };
    switch (x.type) {
      case Type::FLOW_CONTROL:
        has_flow_ = true;
        moves_al |= info(x.flow.op).begins_loop && info(x.flow.op).moves_al;
        break;
      case Type::TEXTURE:
        temp(x.tex.source.relative || x.tex.dest.relative);
        if (x.tex.inst == isa::us_r500::TexOp::DXDY) temp(x.tex.dx.relative || x.tex.dy.relative);
        break;
      default:
        for (const isa::us_r500::Unit* u : {&x.rgb, &x.alpha}) {
          for (const isa::us_r500::Address& a : u->address) {
            relative |= a.relative;
            relative_temp |= a.relative && a.file != isa::us_r500::Address::File::constant;
          }
          temp(u->dest_relative);
        }
        break;
    }
  }
  uses_al_ = relative && moves_al;
  temps_in_memory_ = uses_al_ && relative_temp;
}

bool Translator::attempt() {
  b_ = {};
  ifs_.clear(), loops_.clear();
  written_.reset();
  in_flow_ = false;
  problem_ = nullptr;
  fp24_ = reach_.levels.has_value();
  frame_size_ = fp24_ ? us_r300::frame_size(s_) : s_.get<regs::US_PIXSIZE>().PIX_SIZE() + 1;
  zero_wins_ = !fp24_ && s_.get<regs::US_CONFIG>().ZERO_TIMES_ANYTHING_EQUALS_ZERO();
  constants_ = b_.pointer(kArgs, offsetof(ShadeArgs, constant));
  flow_constants_ = b_.pointer(kArgs, offsetof(ShadeArgs, flow_constant));
  all_ = b_.mask_constant(0xFFFF), none_ = b_.mask_constant(0);
  active_ = all_, alu_result_ = none_;
  bails_ = false;
  relative_.clear();
  if (!quads_ && !find_structure()) return false;
  if (uses_al_ && !quads_) {
    al_ = b_.scalar();
    b_.set(al_, 0);
  }
  start_cells();
  stop_ = b_.make_label(), bail_ = b_.make_label();
  b_.store_word(kArgs, offsetof(ShadeArgs, stopped), 0);

  // The quads with a covered pixel: only these run and sample textures.
  const Mask covered = b_.mask_load(kArgs, offsetof(ShadeArgs, covered));
  helpers_ = here_ = quads_with(covered);
  textures_ = false;
  uint32_t count = 0;
  for (uint32_t pc = reach_.lowest; pc < reach_.behind; ++pc)
    if (reach_.slot[pc]) {
      ++count;
      if (code_[pc].type == Type::TEXTURE) textures_ = true;
    }
  static_assert(offsetof(tx::SampleArgs, killed) == offsetof(tx::SampleArgs, active) + 2);  // the store of one dword clears it
  if (textures_) b_.store(kArgs, uint32_t(offsetof(ShadeArgs, sample) + offsetof(tx::SampleArgs, active)), helpers_);
  if (has_flow_ && !quads_) b_.jump_spent(kArgs, offsetof(ShadeArgs, instructions_left), count * 4, stop_);
  if (!(quads_ ? run_quads() : structured())) return false;
  finish();
  return true;
}

/// The slots in their order; flow control nests.
bool Translator::structured() {
  for (uint32_t pc = reach_.start; pc <= reach_.end; ++pc) {
    const Instruction& x = code_[pc];
    relative_.clear();
    bool ok;
    switch (x.type) {
      case Type::FLOW_CONTROL: ok = flow(pc, x); break;
      case Type::TEXTURE: ok = tex(pc, x); break;
      default: ok = alu(pc, x); break;
    }
    if (problem_) return refuse(pc, problem_);
    if (!ok) return false;
  }
  return true;
}

void Translator::finish() {
  // All of the channels of a target that is written.
  for (uint32_t t = 0; t < 4; ++t) {
    bool used = false;
    for (uint32_t k = 0; k < 4; ++k) used |= written_[kColors + t * 4 + k];
    if (!used) continue;
    for (uint32_t k = 0; k < 4; ++k) b_.store(kArgs, color_offset(t, k), exact(read_cell(kColors + t * 4 + k)));
  }
  if (written_[kDepth]) b_.store(kArgs, offsetof(ShadeArgs, depth), exact(read_cell(kDepth)));
  Mask killed = read_mask(killed_);
  if (textures_) killed = b_.mask_or(killed, b_.mask_load(kArgs, uint32_t(offsetof(ShadeArgs, sample) + offsetof(tx::SampleArgs, killed))));
  b_.store(kArgs, offsetof(ShadeArgs, killed), killed);
  if (!has_flow_) return;
  const lane::Label done = b_.make_label();
  b_.jump(done);
  b_.place(stop_);
  b_.store_word(kArgs, offsetof(ShadeArgs, stopped), 1);
  if (bails_) {
    b_.jump(done);
    b_.place(bail_);
    b_.call(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(interpret_)), kArgs, kArgs, 0);
  }
  b_.place(done);
}

}  // namespace pumice::hw::fast::us
