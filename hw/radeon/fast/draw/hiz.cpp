// SPDX-License-Identifier: MIT
/// See hiz.h.
#include "hw/radeon/fast/draw/hiz.h"

#include "hw/db/formats.h"

namespace pumice::hw::fast {

HizUse hiz_use(const output::State& out, bool early_z) {
  using Func = regs::ZB_ZSTENCILCNTL;
  HizUse use;
  const zb::Setup& zb = out.zb;
  if (!out.depth) return use;
  const uint32_t func = zb.z_test ? zb.z_func : uint32_t{Func::ZFUNC__ALWAYS};
  const bool less = func == Func::ZFUNC__LESS, less_or_equal = func == Func::ZFUNC__LESS_OR_EQUAL;
  const bool greater = func == Func::ZFUNC__GREATER, greater_or_equal = func == Func::ZFUNC__GREATER_OR_EQUAL;
  const bool plain = !zb.signed_compare && zb.format != zb::DepthFormat::z13e3;
  const bool stays = !zb.z_write || (plain && (func == Func::ZFUNC__EQUAL || func == Func::ZFUNC__NEVER));
  use.keeps_far = stays || (plain && (less || less_or_equal));
  use.keeps_near = stays || (plain && (greater || greater_or_equal));
  use.tests = early_z && plain && !zb.stencil && (less || less_or_equal || greater || greater_or_equal) && out.depth_host.base &&
              !zb.fast_fill.expands_all;  // a skipped block would not expand its tile
  use.lowers = use.tests && zb.z_write;
  use.direction = greater || greater_or_equal ? -1.0f : 1.0f;
  if (less_or_equal || greater_or_equal) use.slack = zb.format == zb::DepthFormat::z16 ? 2.0f / 65535 : 2.0f / 16777215;  // two codes
  return use;
}

HizUse hiz_use(const xz::DepthTarget& target, bool early, bool any_depth) {
  HizUse use;
  if (target.passes_all() || !target.has_depth) return use;
  constexpr uint8_t kNever = 0, kLess = 1, kEqual = 2, kLessOrEqual = 3, kGreater = 4, kGreaterOrEqual = 6;
  const uint8_t func = target.depth_func;
  const bool less = func == kLess || func == kLessOrEqual, greater = func == kGreater || func == kGreaterOrEqual;
  const bool stays = !target.depth_write || func == kEqual || func == kNever;
  use.keeps_far = stays || less;
  use.keeps_near = stays || greater;
  // Stencil changes where depth fails.
  use.tests = early && target.depth_test && (less || greater) && !target.stencil_test && !target.bounds_test && !any_depth;
  use.lowers = use.tests && target.depth_write;
  use.direction = greater ? -1.0f : 1.0f;
  const formats::Info& format = formats::info(target.image.format);
  const auto bits = format.find(formats::Channel::d)->bits;
  use.unbounded = format.cls == formats::Class::sfloat;
  if (func == kLessOrEqual || func == kGreaterOrEqual) use.slack = bits == 16 ? 2.0f / 65535 : 2.0f / 8388607;  // two codes or more
  return use;
}

}  // namespace pumice::hw::fast
