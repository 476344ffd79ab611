// SPDX-License-Identifier: MIT
/// Sources and results of ALU and OUT instructions; between them arithmetic.cpp.
#include "hw/radeon/jit/us/translate.h"

#include <algorithm>

namespace pumice::hw::fast::us {

using isa::us_r500::Address;
using isa::us_r500::Type;

Number Translator::source(const Address& src, uint32_t channel) {
  switch (src.file) {
    case Address::File::constant: {
      constants_end_ = std::max(constants_end_, src.relative ? 256u : src.value + 1u);
      if (!src.relative || !uses_al_) return {b_.splat(constants_, src.value * 16u + channel * 4)};
      if (quads_) {
        const Value index = b_.iadd(al_value(), b_.constant_bits(src.value));
        const Mask out = b_.mask_or(b_.ilt(index, b_.constant_bits(0)), b_.ilt(b_.constant_bits(255), index));
        bail(b_.mask_and(out, here_));
        return {b_.gather(constants_, b_.iadd(b_.shl(index, 4), b_.constant_bits(4 * channel)), here_)};
      }
      const lane::Scalar index = b_.scalar();
      b_.move(index, al_);
      b_.add_to(index, int32_t(src.value));
      return {b_.splat_at(constants_, index, channel * 4, 16, most::us_constants)};
    }
    case Address::File::inline_float:
      if (src.relative) problem_ = "relative inline constant";
      return {b_.constant(isa::us_r500::inline_float_value(src.value))};
    case Address::File::temp: break;
  }
  return read_temp(src.value, src.relative, channel);
}

void Translator::write_results(const Instruction& x, const std::array<Number, 4>& result) {
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3, omask = x.rgb.output | x.alpha.output << 3;
  const bool is_out = x.type == Type::OUTPUT;
  if (x.write_inactive && has_flow_ && !quads_) problem_ = "WRITE_INACTIVE with flow control";
  const Mask live = x.write_inactive ? here_ : active_;
  const std::array<Mask, 4> on = enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c) {
    const isa::us_r500::Unit& unit = c < 3 ? x.rgb : x.alpha;
    const Mask where = b_.mask_and(on[c], active_);
    if (wmask >> c & 1u) write_temp(unit.dest, unit.dest_relative, c, result[c], b_.mask_and(on[c], live));
    if (!(omask >> c & 1u)) continue;
    if (is_out)
      write_cell(kColors + unit.target * 4u + c, result[c], where);
    else
      write_mask(predicate_[c], test(unit.target, result[c].v), where);
  }
  if (is_out && x.depth_write) write_cell(kDepth, result[3], b_.mask_and(on[3], active_));
  if (x.result_write) {
    const Mask set = test(x.result_op, result[x.result_alpha ? 3 : 0].v);
    alu_result_ = active_ == all_ ? set : b_.mask_or(b_.mask_and(active_, set), b_.mask_andnot(active_, alu_result_));
  }
}

bool Translator::alu(uint32_t pc, const Instruction& x) {
  std::array<Number, 4> result;
  if (!results(pc, x, result)) return false;
  write_results(x, result);
  return true;
}

}  // namespace pumice::hw::fast::us
