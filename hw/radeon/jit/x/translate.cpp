// SPDX-License-Identifier: MIT
/// Cells, beginning and end of a translated program.
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Type;
using lane::kArgs;

std::optional<Translation> Translator::run() {
  if (!find_structure()) return {};
  if (has_flow_)
    find_uniform(code_, temps_, stage_ == hw::x::Stage::compute, structure_);
  else
    structure_.uniform.assign(code_.size(), true);
  liveness_ = Liveness(code_, structure_, temps_);
  texture_uses_ = texture_uses(code_), image_uses_ = image_uses(code_);
  if (form_.constants_at && !(!has_flow_ && texture_uses_.empty() && image_uses_.empty())) {
    refuse(0, "bindings differ by lane");
    return {};
  }
  for (const Instruction& x : code_) {
    const isa::us_r500::XOp op = x.tex.x.op;
    if (x.type != Type::TEXTURE || x.tex.inst != isa::us_r500::TexOp::X) continue;
    using isa::us_r500::XOp;
    writes_memory_ |= form_.slot || op == XOp::STB || op == XOp::ATB || op == XOp::STI || op == XOp::ATI;
  }
  do {
    again_ = false;
    if (!attempt()) return {};
  } while (again_);
  lane::remove_dead(b_.program());
  if (lane::pair_variables(b_.program())) lane::remove_dead(b_.program());
  if (loop_.id >= 0) lane::hoist(b_.program(), loop_);
  out_.program = std::move(b_.program());
  return std::move(out_);
}

bool Translator::attempt() {
  b_ = {};
  out_ = {};
  ifs_.clear(), loops_.clear(), resume_.clear(), refills_.clear(), elsewhere_.clear();
  problem_ = nullptr;
  begin();
  for (uint32_t pc = 0; pc < code_.size(); ++pc) {
    pc_ = pc;
    const bool ok = slot(pc, code_[pc]);
    if (problem_) return refuse(pc, problem_);
    if (!ok) return false;
    // Larger programs are interpreted, as compilation would take seconds.
    if (b_.program().nodes.size() > 100'000) return refuse(pc, "too many operations");
  }
  if (form_.slot)
    end_slot();
  else if (stage_code_)
    end_stage();
  else if (stage_ != hw::x::Stage::compute)
    b_.store(kArgs, offsetof(GroupArgs, helpers), read_mask(helpers()));
  b_.jump(done_);
  refill();
  access_elsewhere();
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
  exists_ = form_.full ? all_ : b_.mask_load(kArgs, offsetof(GroupArgs, exists));
  active_ = form_.full ? all_ : b_.mask_load(kArgs, offsetof(GroupArgs, active));
  alu_result_ = none_, wanted_ = all_;
  views_ = b_.pointer(kArgs, offsetof(GroupArgs, views));
  state_ = b_.pointer(kArgs, offsetof(GroupArgs, state));
  b_.program().kept = state_.id;
  const Number nothing{zero()};
  for (uint32_t i = 0; i < cell_.size(); ++i) {
    cell_[i] = {.now = nothing, .dirty = variable_[i], .variable = variable_[i]};
    if (variable_[i]) cell_[i].place = b_.variable();
  }
  if (stage_ == hw::x::Stage::vertex)
    for (const uint32_t one : {4 * hw::x::slot::position + 3, 4 * hw::x::slot::point_size}) cell_[kExports + one].now = {b_.constant(1.0f)};
  for (MaskCell& p : masks_) p = {.now = none_, .place = b_.mask_variable()};
  b_.program().stores_in_turn = stage_ == hw::x::Stage::compute;
  helpers() = {.now = stage_ == hw::x::Stage::compute ? none_ : b_.mask_load(kArgs, offsetof(GroupArgs, helpers)),
               .place = b_.mask_variable()};
  stop_ = b_.make_label(), done_ = b_.make_label();
  b_.store_word(kArgs, offsetof(GroupArgs, waits), 0);
  b_.store_word(kArgs, offsetof(GroupArgs, stopped), 0);
  if (stage_code_) begin_stage();
  if (form_.slot) begin_slot();
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
  if (!c.known) c.now = {b_.get(c.place), bits_matter_[cell] && c.bits_seen ? Nan::exact : Nan::us}, c.known = true;
  return c.now;
}

void Translator::write_temp(uint32_t temp, uint32_t channel, Number n, Mask on, Mask running) {
  if (temp >= temps_) {
    problem_ = "destination outside the frame";
    return;
  }
  write_cell(temp * 4 + channel, n, where(temp * 4 + channel, on, running));
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

void Translator::write_predicate(uint32_t channel, Mask value, Mask on) {
  write_mask(predicate(channel), value, where(liveness_.predicate(channel), on, active_));
}

// ---- Joins of paths --------------------------------------------------------------------------------------------------------------

/// The exports of a program are read at its end.
bool Translator::live_at(uint32_t pc, uint32_t cell) const { return cell >= kExports || liveness_.live(pc, cell); }
bool Translator::bits_seen_at(uint32_t pc, uint32_t cell) const { return cell >= kExports || liveness_.exact(pc, cell); }

/// For the slots begin..end-1. After a barrier every cell is in a variable.
Translator::Meeting Translator::meeting(uint32_t pc, uint32_t begin, uint32_t end) {
  Meeting m{.label = {}, .pc = pc};
  std::array<bool, kCells> written{};
  std::array<bool, kMasks> written_mask{};
  for (uint32_t i = begin; i < end; ++i) {
    const Instruction& x = code_[i];
    if (x.type == Type::FLOW_CONTROL) continue;
    const bool is_tex = x.type == Type::TEXTURE;
    if (is_tex && x.tex.inst == isa::us_r500::TexOp::X && x.tex.x.op == isa::us_r500::XOp::BARRIER) {
      written.fill(true), written_mask.fill(true);
      break;
    }
    for (uint32_t c = 0; c < 4; ++c) {
      const isa::us_r500::Unit& unit = c < 3 ? x.rgb : x.alpha;
      const uint32_t bit = c < 3 ? c : 0, temp = is_tex ? x.tex.dest.temp : unit.dest;
      if (unit.write >> bit & 1u) written[temp * 4 + c] = true;
      if (!is_tex && (unit.output >> bit & 1u)) written_mask[c] = true;
    }
    if (stage_code_)
      for (const Export& e : exports_of(x)) written[e.cell] = true;
    if (is_tex && stage_ != hw::x::Stage::compute && (x.tex.inst != isa::us_r500::TexOp::X || info(x.tex.x.op).kills))
      written_mask[Liveness::kPredicates] = true;
  }
  for (uint32_t i = 0; i < kCells; ++i) {
    if (!written[i] || !cell_[i].variable) continue;
    (live_at(pc, i) ? m.cells : m.forgotten).push_back(i);
  }
  for (uint32_t i = 0; i < kMasks; ++i)
    if (written_mask[i]) m.masks.push_back(i);
  return m;
}

/// On a path to a join. Unless it `stays`, the path also continues elsewhere, where the variables may keep their values.
/// `also`: another join that is reached from here with the same variables.
void Translator::set_for(const Meeting& m, bool stays, const Meeting* also) {
  for (const uint32_t i : m.cells) {
    Cell& c = cell_[i];
    if (!c.dirty) continue;
    // All paths to the join must agree on the form of a NaN.
    const bool seen = bits_seen_at(m.pc, i) || bits_seen_at(pc_ + 1, i) || (also && bits_seen_at(also->pc, i));
    if (seen && !bits_matter_[i] && c.now.nan != Nan::us && !never_nan(c.now.v)) bits_matter_[i] = true, again_ = true;
    b_.set(c.place, seen && bits_matter_[i] ? exact(c.now) : c.now.v);
    c.dirty = !stays, c.bits_seen = seen;
  }
  for (const uint32_t i : m.masks) {
    MaskCell& c = masks_[i];
    if (c.dirty) b_.set(c.place, c.now);
    c.dirty = c.dirty && !stays;
  }
}

void Translator::arrive(const Meeting& m) {
  b_.place(m.label);
  // Cells read from their variables inside of the construct are read again.
  for (Cell& c : cell_) c.known = c.known && (c.dirty || !c.variable);
  for (MaskCell& c : masks_) c.known = c.known && c.dirty;
  for (const uint32_t i : m.cells) cell_[i].known = cell_[i].dirty = false, cell_[i].bits_seen = bits_seen_at(m.pc, i);
  for (const uint32_t i : m.forgotten) cell_[i].now = {zero()}, cell_[i].known = cell_[i].dirty = true;
  for (const uint32_t i : m.masks) masks_[i].known = masks_[i].dirty = false;
}

/// aL stays 0: counting loops are not supported.
Translator::Values Translator::read_port(const isa::us_r500::Port& port) {
  Values v;
  for (uint32_t c = 0; c < 4; ++c) v[c] = read_temp(port.temp, port.swizzle[c]);
  return v;
}

void Translator::write_port(const Instruction& x, const Values& value) {
  const uint32_t mask = x.rgb.write | x.alpha.write << 3;
  const std::array<Mask, 4> on = enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) write_temp(x.tex.dest.temp, c, value[x.tex.dest.swizzle[c]], on[c], live(x));
}

}  // namespace pumice::hw::fast::extended
