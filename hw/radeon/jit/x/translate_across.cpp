// SPDX-License-Identifier: MIT
/// Operations over the lanes of a group that take part (hw/radeon/ref/us/across.cpp) and barriers. A group of
/// fragments is a quad.
#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Extended;
using isa::us_r500::SubOp;
using isa::us_r500::XOp;
using lane::kArgs;

uint32_t Translator::group_lanes() const { return stage_ == hw::x::Stage::fragment ? 4 : kLanes; }

Translator::Value Translator::table_of(uint32_t (*entry)(uint32_t lane, uint32_t argument), uint32_t argument) {
  std::array<uint32_t, kLanes> t;
  for (uint32_t l = 0; l < kLanes; ++l) t[l] = entry(l, argument);
  return b_.table(t);
}

Translator::Value Translator::lane_numbers() {
  return table_of([](uint32_t l, uint32_t lanes) { return l % lanes; }, group_lanes());
}

Translator::Value Translator::from_lane(Value v, Value number) {
  if (group_lanes() == kLanes) return b_.permute(v, number);
  return b_.permute(v, b_.bit_or(number, table_of([](uint32_t l, uint32_t) { return l & ~3u; })));
}

Translator::Value Translator::moved(Value v, uint32_t distance, Value otherwise) {
  const Value from = table_of([](uint32_t l, uint32_t d) { return (l - d) % kLanes; }, distance);
  return b_.select(b_.ult(lane_numbers(), b_.constant_bits(distance)), otherwise, b_.permute(v, from));
}

Translator::Value Translator::exchanged(Value v, uint32_t distance) {
  return b_.permute(v, table_of([](uint32_t l, uint32_t d) { return l ^ d; }, distance));
}

Translator::Mask Translator::taking_part() {
  if (stage_ != hw::x::Stage::fragment) return active_;
  const Mask covered = b_.mask_andnot(read_mask(helpers()), active_);
  Value any = b_.select(covered, b_.constant_bits(1), zero());
  for (uint32_t d = 1; d < 4; d *= 2) any = b_.bit_or(any, exchanged(any, d));
  return b_.mask_or(covered, b_.mask_and(active_, b_.ieq(any, zero())));
}

/// Floats in the order of the lanes. Lanes that take no part have no result of scans.
us::Number Translator::combined_floats(const Instruction& x, Value source, Mask part) {
  const Extended& e = x.tex.x;
  const auto combine = [&](Value a, Value b) -> Value {
    switch (SubOp(e.sub)) {
      case SubOp::ADD: return b_.add(a, b);
      case SubOp::MUL: return b_.mul(a, b);
      case SubOp::SMIN: return b_.select(b_.is_nan(b), b_.flush(a), b_.minimum(a, b));
      default: return b_.select(b_.is_nan(b), b_.flush(a), b_.maximum(a, b));
    }
  };
  const bool least = SubOp(e.sub) == SubOp::SMIN, most = SubOp(e.sub) == SubOp::SMAX;
  us::Number sum{b_.constant(SubOp(e.sub) == SubOp::MUL ? 1.0f
                             : least                    ? num::from_bits(num::kInf)
                             : most                     ? -num::from_bits(num::kInf)
                                                        : 0.0f)};
  us::Number out{zero()};
  const Value takes_part = b_.select(part, b_.constant_bits(1), zero());
  Mask begun = none_;
  for (uint32_t l = 0; l < group_lanes(); ++l) {
    const Value value = from_lane(source, b_.constant_bits(l));
    const Mask counts = b_.ine(from_lane(takes_part, b_.constant_bits(l)), zero());
    const us::Number before = sum;
    sum = select(counts, select(begun, {combine(sum.v, value), us::Nan::us}, {value}), sum);
    begun = b_.mask_or(begun, counts);
    if (e.op != XOp::REDUCE)
      out = select(b_.mask_and(part, b_.ieq(lane_numbers(), b_.constant_bits(l))), e.op == XOp::SCANX ? before : sum, out);
  }
  return e.op == XOp::REDUCE ? sum : out;
}

/// False: the reference's code executes it, in the order of the lanes where that matters.
bool Translator::across(const Instruction& x) {
  const Extended& e = x.tex.x;
  const uint32_t lanes = group_lanes();
  Values out;
  out.fill({zero()});
  switch (e.op) {
    case XOp::BALLOT: {
      const Mask set = b_.mask_and(taking_part(), b_.ine(bits(read_port(x.tex.source)[0]), zero()));
      if (lanes < kLanes) {
        Value v = b_.select(set, table_of([](uint32_t l, uint32_t) { return 1u << (l & 3u); }), zero());
        for (uint32_t d = 1; d < lanes; d *= 2) v = b_.bit_or(v, exchanged(v, d));
        out[0] = {v};
        break;
      }
      b_.store(kArgs, offsetof(GroupArgs, lanes_set), set);
      const lane::Scalar number = b_.scalar();
      b_.load(number, kArgs, {.offset = offsetof(GroupArgs, lanes_set)});
      out[0] = {b_.from_scalar(number)};
      break;
    }
    case XOp::SHUFFLE: {
      const Values v = read_port(x.tex.source);
      const Value from = bits(read_port(x.tex.dx)[0]);
      const Mask inside = b_.ult(from, b_.constant_bits(lanes));
      const Value number = lanes < kLanes ? b_.bit_and(from, b_.constant_bits(lanes - 1)) : from;
      for (uint32_t c = 0; c < 4; ++c) out[c] = {b_.select(inside, from_lane(bits(v[c]), number), zero())};
      break;
    }
    case XOp::FIRST: {
      const Values v = read_port(x.tex.source);
      Value lowest = b_.select(taking_part(), lane_numbers(), b_.constant_bits(kLanes));
      for (uint32_t d = 1; d < lanes; d *= 2) lowest = b_.umin(lowest, exchanged(lowest, d));
      const Mask any = b_.ult(lowest, b_.constant_bits(kLanes));
      const Value number = b_.select(any, lowest, zero());
      for (uint32_t c = 0; c < 4; ++c) out[c] = {b_.select(any, from_lane(bits(v[c]), number), zero())};
      break;
    }
    case XOp::REDUCE:
    case XOp::SCANI:
    case XOp::SCANX: {
      uint32_t identity = 0;
      Value (Builder::*combine)(Value, Value) = nullptr;
      switch (SubOp(e.sub)) {
        case SubOp::ADD: combine = &Builder::iadd; break;
        case SubOp::SMIN: combine = &Builder::imin, identity = 0x7FFFFFFFu; break;
        case SubOp::SMAX: combine = &Builder::imax, identity = 0x80000000u; break;
        case SubOp::UMIN: combine = &Builder::umin, identity = ~0u; break;
        case SubOp::UMAX: combine = &Builder::umax; break;
        case SubOp::AND: combine = &Builder::bit_and, identity = ~0u; break;
        case SubOp::OR: combine = &Builder::bit_or; break;
        case SubOp::XOR: combine = &Builder::bit_xor; break;
        case SubOp::MUL: combine = &Builder::imul, identity = 1; break;
        default: return false;
      }
      const bool sums_floats = SubOp(e.sub) == SubOp::MUL || SubOp(e.sub) <= SubOp::SMAX;
      if (e.is_float && !sums_floats) return false;
      const Values source = read_port(x.tex.source);
      const Mask part = taking_part();
      const uint32_t mask = x.rgb.write | x.alpha.write << 3;
      for (uint32_t c = 0; c < 4; ++c) {
        bool used = false;
        for (uint32_t k = 0; k < 4; ++k) used |= (mask >> k & 1u) && x.tex.dest.swizzle[k] == c;
        if (!used) continue;
        if (e.is_float) {
          out[c] = combined_floats(x, bits(source[c]), part);
          continue;
        }
        const Value nothing = b_.constant_bits(identity);
        Value v = b_.select(part, bits(source[c]), nothing);
        for (uint32_t d = 1; d < lanes; d *= 2) v = (b_.*combine)(v, e.op == XOp::REDUCE ? exchanged(v, d) : moved(v, d, nothing));
        if (e.op == XOp::REDUCE) {
          out[c] = {v};
          continue;
        }
        if (e.op == XOp::SCANX) v = moved(v, 1, nothing);
        out[c] = {b_.select(part, v, zero())};
      }
      break;
    }
    default: return false;
  }
  write_port(x, out);
  return true;
}

/// Values used after the barrier are saved to memory and restored when the group resumes.
void Translator::barrier() {
  const uint32_t number = ++out_.barriers;
  Meeting all = meeting(pc_ + 1, pc_, pc_ + 1);
  all.label = resume_[number - 1];
  set_for(all);
  std::vector<lane::Variable> values;
  std::vector<lane::MaskVariable> masks;
  // One location per cell for all barriers: code for AVX2 may store the lower lanes of one before it loads the upper lanes of another.
  std::vector<uint32_t> places;
  uint32_t cells = 0;
  for (uint32_t i = 0, n = 0; i < kCells; ++i) {
    if (!cell_[i].variable) continue;
    if (n < all.cells.size() && all.cells[n] == i) values.push_back(cell_[i].place), places.push_back(cells * uint32_t(sizeof(Lanes))), ++n;
    ++cells;
  }
  for (const uint32_t i : all.masks) masks.push_back(masks_[i].place);
  const auto kept = [&](const Kept& k) {
    if (k.place.id >= 0) masks.push_back(k.place);
  };
  for (const If& i : ifs_) kept(i.before), kept(i.otherwise);
  for (const Loop& l : loops_) {
    kept(l.before), kept(l.entered);
    if (l.breaks) masks.push_back(l.left);
    if (l.continues) masks.push_back(l.continued);
  }
  const Kept active = keep(active_), result = keep(alu_result_);
  kept(active), kept(result);

  const auto masks_at = uint32_t(cells * sizeof(Lanes));
  out_.state_bytes = std::max(out_.state_bytes, uint32_t(masks_at + 4 * masks.size()));
  for (uint32_t i = 0; i < values.size(); ++i) b_.store(state_, places[i], b_.get(values[i]));
  for (uint32_t i = 0; i < masks.size(); ++i) b_.store(state_, masks_at + 4 * i, b_.get(masks[i]));
  b_.store_word(kArgs, offsetof(GroupArgs, waits), int32_t(number));
  b_.jump(done_);
  arrive(all);
  for (uint32_t i = 0; i < values.size(); ++i) b_.set(values[i], b_.lanes_now(state_, places[i]));
  for (uint32_t i = 0; i < masks.size(); ++i) b_.set(masks[i], b_.mask_load_now(state_, masks_at + 4 * i));
  active_ = value(active), alu_result_ = value(result);
}

}  // namespace pumice::hw::fast::extended
