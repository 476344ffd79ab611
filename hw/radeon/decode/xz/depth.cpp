// SPDX-License-Identifier: MIT
/// See depth.h.
#include "hw/radeon/decode/xz/depth.h"

#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"

namespace pumice::hw::xz {

namespace r = regs::r5x;

namespace {

template <class Stencil, class Masks>
StencilFace face(const ChipState& state) {
  const auto s = state.get<Stencil>();
  const auto m = state.get<Masks>();
  return {uint8_t(s.FUNC()),      uint8_t(s.SFAIL()),   uint8_t(s.ZPASS()), uint8_t(s.ZFAIL()),
          uint8_t(s.REFERENCE()), uint8_t(m.COMPARE()), uint8_t(m.WRITE())};
}

}  // namespace

DepthTarget decode(const ChipState& state) {
  DepthTarget t;
  const auto high = state.get<r::X_ZB_BASE_HI>();
  if (!state.get<r::X_CTRL>().ZB() || !high.ENABLE() || !formats::is_known(high.FORMAT())) return t;
  xt::Image& i = t.image;
  i.format = uint8_t(high.FORMAT());
  const formats::Info& f = formats::info(i.format);
  t.has_depth = f.find(formats::Channel::d);
  t.has_stencil = f.find(formats::Channel::s);
  t.enabled = t.has_depth || t.has_stencil;
  i.base = state.get<r::X_ZB_BASE_LO>().ADDRESS() | uint64_t{high.ADDRESS()} << 32;
  i.dim = xt::Dim::d2_array;
  i.pitch = state.get<r::X_ZB_PITCH>().BYTES();
  i.layer_pitch = uint64_t{state.get<r::X_ZB_LAYER_PITCH>().BYTES()} * r::X_ZB_LAYER_PITCH::BYTES__UNIT;
  i.first_layer = state.get<r::X_ZB_LAYER>().FIRST();
  const auto extent = state.get<r::X_ZB_EXTENT>();
  i.width = extent.WIDTH() + 1;
  i.height = extent.HEIGHT() + 1;
  const auto control = state.get<r::X_ZB_CONTROL>();
  i.samples_log2 = uint8_t(control.SAMPLES());
  t.depth_test = control.DEPTH_TEST() && t.has_depth;
  t.depth_write = t.depth_test && control.DEPTH_WRITE();
  t.depth_func = uint8_t(control.DEPTH_FUNC());
  t.stencil_test = control.STENCIL() && t.has_stencil;
  t.bounds_test = control.BOUNDS() && t.has_depth;
  t.face = {face<r::X_ZB_STENCIL_FRONT, r::X_ZB_MASKS_FRONT>(state), face<r::X_ZB_STENCIL_BACK, r::X_ZB_MASKS_BACK>(state)};
  t.bounds_min = state.get_float<r::X_ZB_BOUNDS_MIN>();
  t.bounds_max = state.get_float<r::X_ZB_BOUNDS_MAX>();
  return t;
}

}  // namespace pumice::hw::xz
