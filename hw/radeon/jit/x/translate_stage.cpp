// SPDX-License-Identifier: MIT
/// Slots for which a stage has its own code (stage_code.h): LDA, LDV, SYS, EXP, OUTPUT, KILL (hw/radeon/ref/us/memory.cpp, group.cpp).
#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

lane::Value StageCode::Group::bits(const Number& n) const {
  if (n.nan == Nan::exact) return n.v;
  return b.select(b.is_nan(n.v), b.constant_bits(n.nan == Nan::us ? us::kUsNan : num::kQuietNan), n.v);
}

StageCode::Numbers StageCode::zeros(Group& g) {
  Numbers n;
  n.fill({g.b.constant_bits(0)});
  return n;
}

StageCode::Group Translator::group() {
  return {.b = b_, .exists = exists_, .active = active_, .helpers = read_mask(helpers()), .wanted = wanted_, .done = done_, .loop = {}};
}

void Translator::begin_stage() {
  exported_ = {};
  StageCode::Group g = group();
  stage_code_->begin(g);
  exists_ = g.exists, active_ = g.active, helpers().now = g.helpers, wanted_ = g.wanted, loop_ = g.loop;
}

void Translator::end_stage() {
  Exports e;
  for (uint32_t i = 0; i < hw::x::slot::count; ++i) {
    e.mask[i] = exported_[i];
    for (uint32_t c = 0; c < 4; ++c)
      e.value[i][c] = exported_[i] >> c & 1u ? read_cell(kExports + 4 * i + c) : cell_[kExports + 4 * i + c].now;
  }
  StageCode::Group g = group();
  stage_code_->end(g, e);
}

std::vector<Translator::Export> Translator::exports_of(const Instruction& x) {
  std::vector<Export> out;
  if (x.type == Type::OUTPUT) {
    const uint32_t mask = x.rgb.output | x.alpha.output << 3;
    for (uint32_t c = 0; c < 4; ++c)
      if (mask >> c & 1u) out.push_back({kExports + 4 * (hw::x::slot::color + (c < 3 ? x.rgb : x.alpha).target) + c, c});
    if (x.depth_write) out.push_back({kExports + 4 * hw::x::slot::depth, 3});
  } else if (x.type == Type::TEXTURE && x.tex.inst == TexOp::X && x.tex.x.op == XOp::EXP && x.tex.x.immediate < hw::x::slot::count) {
    const uint32_t mask = x.rgb.write | x.alpha.write << 3;
    for (uint32_t c = 0; c < 4; ++c)
      if (mask >> c & 1u) out.push_back({kExports + 4 * x.tex.x.immediate + c, c});
  }
  return out;
}

void Translator::export_to(const Export& e, const Values& from, Mask where) {
  exported_[(e.cell - kExports) / 4] |= uint8_t(1u << (e.cell - kExports) % 4);
  write_cell(e.cell, from[e.channel], where);
}

/// False: not a slot of the stage.
bool Translator::ask_stage(const Instruction& x) {
  const isa::us_r500::Extended& e = x.tex.x;
  constexpr uint32_t kLane = 48;
  switch (e.op) {
    case XOp::LDA:
    case XOp::LDV:
    case XOp::SYS: {
      if (e.op == XOp::SYS && (e.immediate == kLane || e.immediate == hw::x::kClock)) return false;
      StageCode::Group g = group();
      Values v;
      if (e.op == XOp::LDA)
        v = stage_code_->attribute(g, e.immediate);
      else if (e.op == XOp::LDV)
        v = stage_code_->varying(g, e.immediate, e.sub, read_port(x.tex.source));
      else
        v = stage_code_->system(g, e.immediate);
      write_port(x, v);
      return true;
    }
    case XOp::EXP: export_value(x); return true;
    case XOp::KILL: kill(b_.mask_and(acting(x), b_.ine(bits(read_port(x.tex.source)[0]), zero()))); return true;
    default: return false;
  }
}

void Translator::export_value(const Instruction& x) {
  if (x.tex.x.immediate >= hw::x::slot::count) {
    problem_ = "export slot above 63";
    return;
  }
  const Values v = read_port(x.tex.source);
  const Mask where = acting(x);
  for (const Export& e : exports_of(x)) export_to(e, v, where);
}

void Translator::export_output(const Instruction& x, const Values& result, const std::array<Mask, 4>& on) {
  for (const Export& e : exports_of(x)) export_to(e, result, b_.mask_and(on[e.channel], active_));
}

/// The lanes continue as helpers.
void Translator::kill(Mask lanes) { write_mask(helpers(), b_.mask_or(read_mask(helpers()), lanes), all_); }

/// Any component with its sign bit set; NaN does not kill.
void Translator::strict_kill(const Instruction& x) {
  const Values v = read_port(x.tex.source);
  const std::array<Mask, 4> on = enabled_channels(x);
  Mask lanes = none_;
  for (uint32_t c = 0; c < 4; ++c) {
    const Value bits_of = v[c].v;
    const Mask negative = b_.mask_andnot(b_.is_nan(bits_of), b_.ilt(bits_of, zero()));
    lanes = b_.mask_or(lanes, b_.mask_and(b_.mask_and(active_, on[c]), negative));
  }
  kill(lanes);
}

}  // namespace pumice::hw::fast::extended
