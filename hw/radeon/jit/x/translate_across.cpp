// SPDX-License-Identifier: MIT
/// Operations over the active lanes of a group (hw/radeon/ref/us/across.cpp), and barriers.
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Extended;
using isa::us_r500::SubOp;
using isa::us_r500::XOp;
using lane::kArgs;

Translator::Value Translator::lane_numbers() {
  std::array<uint32_t, kLanes> t;
  for (uint32_t l = 0; l < kLanes; ++l) t[l] = l;
  return b_.table(t);
}

Translator::Value Translator::moved(Value v, uint32_t distance, Value otherwise) {
  std::array<uint32_t, kLanes> t;
  for (uint32_t l = 0; l < kLanes; ++l) t[l] = (l - distance) % kLanes;
  return b_.select(b_.ult(lane_numbers(), b_.constant_bits(distance)), otherwise, b_.permute(v, b_.table(t)));
}

Translator::Value Translator::exchanged(Value v, uint32_t distance) {
  std::array<uint32_t, kLanes> t;
  for (uint32_t l = 0; l < kLanes; ++l) t[l] = l ^ distance;
  return b_.permute(v, b_.table(t));
}

/// False: the reference's code executes it, in the order of the lanes where that matters.
bool Translator::across(const Instruction& x) {
  const Extended& e = x.tex.x;
  Values out;
  out.fill({zero()});
  switch (e.op) {
    case XOp::BALLOT: {
      const Mask set = b_.mask_and(active_, b_.ine(bits(read_port(x.tex.source)[0]), zero()));
      b_.store(kArgs, offsetof(GroupArgs, lanes_set), set);
      const lane::Scalar number = b_.scalar();
      b_.load(number, kArgs, {.offset = offsetof(GroupArgs, lanes_set)});
      out[0] = {b_.from_scalar(number)};
      break;
    }
    case XOp::SHUFFLE: {
      const Values v = read_port(x.tex.source);
      const Value from = bits(read_port(x.tex.dx)[0]);
      const Mask inside = b_.ult(from, b_.constant_bits(kLanes));
      for (uint32_t c = 0; c < 4; ++c) out[c] = {b_.select(inside, b_.permute(bits(v[c]), from), zero())};
      break;
    }
    case XOp::FIRST: {
      const Values v = read_port(x.tex.source);
      Value lowest = b_.select(active_, lane_numbers(), b_.constant_bits(kLanes));
      for (uint32_t d = 1; d < kLanes; d *= 2) lowest = b_.umin(lowest, exchanged(lowest, d));
      const Mask any = b_.ult(lowest, b_.constant_bits(kLanes));
      for (uint32_t c = 0; c < 4; ++c) out[c] = {b_.select(any, b_.permute(bits(v[c]), lowest), zero())};
      break;
    }
    case XOp::REDUCE:
    case XOp::SCANI:
    case XOp::SCANX: {
      if (e.is_float) return false;
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
      const Values source = read_port(x.tex.source);
      const uint32_t mask = x.rgb.write | x.alpha.write << 3;
      for (uint32_t c = 0; c < 4; ++c) {
        bool used = false;
        for (uint32_t k = 0; k < 4; ++k) used |= (mask >> k & 1u) && x.tex.dest.swizzle[k] == c;
        if (!used) continue;
        const Value nothing = b_.constant_bits(identity);
        Value v = b_.select(active_, bits(source[c]), nothing);
        for (uint32_t d = 1; d < kLanes; d *= 2) v = (b_.*combine)(v, e.op == XOp::REDUCE ? exchanged(v, d) : moved(v, d, nothing));
        if (e.op == XOp::REDUCE) {
          out[c] = {v};
          continue;
        }
        if (e.op == XOp::SCANX) v = moved(v, 1, nothing);
        out[c] = {b_.select(active_, v, zero())};
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
