// SPDX-License-Identifier: MIT
/// See setup.h.
#include "hw/radeon/decode/fg/setup.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/sc/samples.h"

namespace pumice::hw::fg {

Setup decode(const ChipState& state) {
  const Capabilities& chip = state.chip();
  const auto blend = state.get<regs::FG_FOG_BLEND>();
  Setup s;
  s.function = blend.FN();
  s.constant_factor = s.function == regs::FG_FOG_BLEND::FN__CONSTANT_FG_FOG_FACTOR;
  const uint32_t source = state.get<regs::GB_SELECT>().FOG_SELECT();
  s.fog_refused = blend.ENABLE() && !s.constant_factor && source > regs::GB_SELECT::FOG_SELECT__Z;
  s.fog_of_z = s.constant_factor || source == regs::GB_SELECT::FOG_SELECT__Z;
  s.fog = blend.ENABLE() && !s.fog_refused;
  s.scale = state.get_float<regs::GA_FOG_SCALE>(), s.bias = state.get_float<regs::GA_FOG_OFFSET>();
  s.factor = state.get<regs::FG_FOG_FACTOR>().FACTOR() / kFixed10;
  s.color = {state.get<regs::FG_FOG_COLOR_R>().RED() / kFixed10, state.get<regs::FG_FOG_COLOR_G>().GREEN() / kFixed10,
             state.get<regs::FG_FOG_COLOR_B>().BLUE() / kFixed10};

  const auto cntl = state.get<regs::FG_ALPHA_FUNC>();
  const uint32_t wide = state.get<regs::FG_ALPHA_VALUE>().AF_VAL();
  s.alpha_test = cntl.AF_EN(), s.alpha_to_mask = cntl.AM_EN();
  s.samples = sc::sample_count(state);
  const bool threes = cntl.AM_CFG() == regs::FG_ALPHA_FUNC::AM_CFG__N3_OR_6_SAMPLES;
  s.steps = s.samples > 3 ? (threes ? 6 : 4) : (threes ? 3 : 2);
  s.compare = cntl.AF_FUNC();
  if (chip.has_wide_alpha_test && cntl.FP16_ENABLE()) {
    s.precision = Setup::Precision::half;
    s.reference = num::half_to_float(uint16_t(wide));
  } else if (!chip.has_wide_alpha_test || cntl.AF_EN_8BIT()) {
    s.precision = Setup::Precision::bits8;
    s.reference = float(cntl.AF_VAL());
  } else {
    s.precision = Setup::Precision::bits10;
    s.reference = float(wide & 0x3FF);
  }
  // The offset of 2 is taken as two steps of the 10-bit alpha and reaches the tests only (UNCONFIRMED).
  if (chip.has_alpha_offset && cntl.ALP_OFF_EN()) s.offset = 2.0f / kFixed10;
  return s;
}

}  // namespace pumice::hw::fg
