// SPDX-License-Identifier: MIT
/// See target.h.
#include "hw/radeon/decode/xb/target.h"

#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"

namespace pumice::hw::xb {

namespace r = regs::r5x;

Target decode(const ChipState& state, uint32_t n) {
  Target t;
  const auto high = state.get<r::X_CB_BASE_HI>(n);
  if (!state.get<r::X_CTRL>().CB() || !high.ENABLE()) return t;
  xt::Image& i = t.image;
  i.format = uint8_t(high.FORMAT());
  const formats::Info& f = formats::info(i.format);
  t.enabled = formats::is_known(i.format) && !f.compressed();
  i.base = state.get<r::X_CB_BASE_LO>(n).ADDRESS() | uint64_t{high.ADDRESS()} << 32;
  i.dim = xt::Dim::d2_array;
  i.pitch = state.get<r::X_CB_PITCH>(n).BYTES();
  i.layer_pitch = uint64_t{state.get<r::X_CB_LAYER_PITCH>(n).BYTES()} * r::X_CB_LAYER_PITCH::BYTES__UNIT;
  const auto extent = state.get<r::X_CB_EXTENT>(n);
  i.width = extent.WIDTH() + 1;
  i.height = extent.HEIGHT() + 1;
  const auto layers = state.get<r::X_CB_LAYERS>(n);
  i.first_layer = layers.FIRST();
  i.layers = layers.COUNT() + 1;
  i.samples_log2 = uint8_t(state.get<r::X_CB_SAMPLES>(n).LOG2());
  const auto control = state.get<r::X_CB_CONTROL>(n);
  t.write_mask = uint8_t(control.WRITE_MASK());
  t.blend = control.BLEND() && !control.LOGIC() && !f.is_integer();
  t.logic = control.LOGIC() && f.cls != formats::Class::sfloat && f.cls != formats::Class::ufloat && f.cls != formats::Class::srgb;
  t.logic_op = uint8_t(control.LOGIC_OP());
  const auto blend = state.get<r::X_CB_BLEND>(n);
  t.color = {uint8_t(blend.COLOR_SRC()), uint8_t(blend.COLOR_DST()), uint8_t(blend.COLOR_OP())};
  t.alpha = {uint8_t(blend.ALPHA_SRC()), uint8_t(blend.ALPHA_DST()), uint8_t(blend.ALPHA_OP())};
  t.constant = {state.get_float<r::X_CB_CONSTANT_R>(), state.get_float<r::X_CB_CONSTANT_G>(), state.get_float<r::X_CB_CONSTANT_B>(),
                state.get_float<r::X_CB_CONSTANT_A>()};
  return t;
}

}  // namespace pumice::hw::xb
