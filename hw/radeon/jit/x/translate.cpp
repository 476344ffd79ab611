// SPDX-License-Identifier: MIT
/// Cells, beginning and end of a translated program.
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Type;
using lane::kArgs;

std::optional<Translation> Translator::run() {
  if (!find_structure()) return {};
  texture_uses_ = texture_uses(code_), image_uses_ = image_uses(code_);
  for (const Instruction& x : code_) {
    const isa::us_r500::XOp op = x.tex.x.op;
    if (x.type != Type::TEXTURE || x.tex.inst != isa::us_r500::TexOp::X) continue;
    using isa::us_r500::XOp;
    writes_memory_ |= op == XOp::STB || op == XOp::ATB || op == XOp::STI || op == XOp::ATI;
  }
  do {
    again_ = false;
    if (!attempt()) return {};
  } while (again_);
  lane::remove_dead(b_.program());
  out_.program = std::move(b_.program());
  return std::move(out_);
}

bool Translator::attempt() {
  b_ = {};
  out_ = {};
  ifs_.clear(), loops_.clear(), resume_.clear();
  problem_ = nullptr;
  begin();
  for (uint32_t pc = 0; pc < code_.size(); ++pc) {
    const bool ok = slot(pc, code_[pc]);
    if (problem_) return refuse(pc, problem_);
    if (!ok) return false;
    // Code beyond this is rather interpreted than compiled for seconds.
    if (b_.program().nodes.size() > 100'000) return refuse(pc, "too many operations");
  }
  if (stage_code_)
    end_stage();
  else if (stage_ != hw::x::Stage::compute)
    b_.store(kArgs, offsetof(GroupArgs, helpers), read_mask(helpers_));
  b_.jump(done_);
  b_.place(stop_);
  b_.store_word(kArgs, offsetof(GroupArgs, stopped), 1);
  b_.place(done_);
  return true;
}

bool Translator::slot(uint32_t pc, const Instruction& x) {
  switch (x.type) {
    case Type::FLOW_CONTROL: flow(pc, x); return true;
    case Type::TEXTURE: tex(pc, x); return true;
    default: return alu(pc, x);
  }
}

void Translator::begin() {
  all_ = b_.mask_constant(0xFFFF), none_ = b_.mask_constant(0);
  exists_ = full_ ? all_ : b_.mask_load(kArgs, offsetof(GroupArgs, exists));
  active_ = full_ ? all_ : b_.mask_load(kArgs, offsetof(GroupArgs, active));
  alu_result_ = none_, wanted_ = all_;
  views_ = b_.pointer(kArgs, offsetof(GroupArgs, views));
  state_ = b_.pointer(kArgs, offsetof(GroupArgs, state));
  const Number nothing{zero()};
  for (uint32_t i = 0; i < cell_.size(); ++i) {
    cell_[i] = {.now = nothing, .dirty = variable_[i], .variable = variable_[i]};
    if (variable_[i]) cell_[i].place = b_.variable();
  }
  if (stage_ == hw::x::Stage::vertex)
    for (const uint32_t one : {4 * hw::x::slot::position + 3, 4 * hw::x::slot::point_size}) cell_[kExports + one].now = {b_.constant(1.0f)};
  for (MaskCell& p : predicate_) p = {.now = none_, .place = b_.mask_variable()};
  helpers_ = {.now = stage_ == hw::x::Stage::compute ? none_ : b_.mask_load(kArgs, offsetof(GroupArgs, helpers)),
              .place = b_.mask_variable()};
  stop_ = b_.make_label(), done_ = b_.make_label();
  b_.store_word(kArgs, offsetof(GroupArgs, waits), 0);
  b_.store_word(kArgs, offsetof(GroupArgs, stopped), 0);
  if (stage_code_) begin_stage();
  if (!has_barrier_) return;
  const lane::Scalar resume = b_.scalar();
  b_.load(resume, kArgs, {.offset = offsetof(GroupArgs, resume)});
  for (const Instruction& x : code_) {
    if (x.type != Type::TEXTURE || x.tex.inst != isa::us_r500::TexOp::X || x.tex.x.op != isa::us_r500::XOp::BARRIER) continue;
    resume_.push_back(b_.make_label());
    b_.add_to(resume, -1);
    b_.jump_zero(resume, resume_.back());
  }
}

// ---- Cells -----------------------------------------------------------------------------------------------------------------------

Number Translator::read_temp(uint32_t temp, uint32_t channel) {
  if (temp >= temps_) {
    problem_ = "temp outside the frame";
    return {zero()};
  }
  return read_cell(temp * 4 + channel);
}

Number Translator::read_cell(uint32_t cell) {
  Cell& c = cell_[cell];
  if (!c.known) c.now = {b_.get(c.place), bits_matter_[cell] ? Nan::exact : Nan::us}, c.known = true;
  return c.now;
}

void Translator::write_temp(uint32_t temp, uint32_t channel, Number n, Mask where) {
  if (temp >= temps_) {
    problem_ = "destination outside the frame";
    return;
  }
  write_cell(temp * 4 + channel, n, where);
}

void Translator::write_cell(uint32_t cell, Number n, Mask where) {
  if (where == none_) return;
  Cell& c = cell_[cell];
  c.now = where == all_ ? n : select(where, n, read_cell(cell));
  c.known = c.dirty = true;
}

Translator::Mask Translator::read_mask(MaskCell& m) {
  if (!m.known) m.now = b_.get(m.place), m.known = true;
  return m.now;
}

void Translator::write_mask(MaskCell& m, Mask value, Mask where) {
  m.now = where == all_ ? value : b_.mask_or(b_.mask_and(where, value), b_.mask_andnot(where, read_mask(m)));
  m.known = m.dirty = true;
}

/// Variables become what the cells are.
void Translator::boundary() {
  for (uint32_t i = 0; i < cell_.size(); ++i) {
    Cell& c = cell_[i];
    if (!c.variable || !c.dirty) continue;
    // All ways that meet must agree about what a NaN counts as.
    if (!bits_matter_[i] && c.now.nan != Nan::us && !never_nan(c.now.v)) bits_matter_[i] = true, again_ = true;
    b_.set(c.place, bits_matter_[i] ? exact(c.now) : c.now.v);
    c.dirty = false;
  }
  const auto mask = [&](MaskCell& m) {
    if (m.dirty) b_.set(m.place, m.now);
    m.dirty = false;
  };
  for (MaskCell& p : predicate_) mask(p);
  mask(helpers_);
}

/// Behind a label: cells are what the variables are.
void Translator::forget() {
  for (Cell& c : cell_)
    if (c.variable) c.known = false;
  for (MaskCell& p : predicate_) p.known = false;
  helpers_.known = false;
}

Translator::Mask Translator::enabled(uint32_t select, bool invert, uint32_t channel) {
  if (select == 0 || select > 5) return all_;
  const Mask p = read_mask(predicate_[select == 1 ? channel : select - 2]);
  return invert ? b_.mask_not(p) : p;
}

std::array<Translator::Mask, 4> Translator::enabled_channels(const Instruction& x) {
  std::array<Mask, 4> on;
  for (uint32_t c = 0; c < 3; ++c) on[c] = enabled(x.rgb_predicate, x.rgb_predicate_invert, c);
  on[3] = enabled(x.alpha_predicate, x.alpha_predicate_invert, 3);
  return on;
}

/// aL stays 0: there are no loops that count.
Translator::Values Translator::read_port(const isa::us_r500::Port& port) {
  Values v;
  for (uint32_t c = 0; c < 4; ++c) v[c] = read_temp(port.temp, port.swizzle[c]);
  return v;
}

void Translator::write_port(const Instruction& x, const Values& value) {
  const uint32_t mask = x.rgb.write | x.alpha.write << 3;
  const std::array<Mask, 4> on = enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) write_temp(x.tex.dest.temp, c, value[x.tex.dest.swizzle[c]], b_.mask_and(on[c], live(x)));
}

}  // namespace pumice::hw::fast::extended
