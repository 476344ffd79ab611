// SPDX-License-Identifier: MIT
/// See hiz.h.
#include "hw/fast/draw/hiz.h"

namespace pumice::hw::fast {

HizUse hiz_use(const output::State& out, bool early_z) {
  using Func = regs::ZB_ZSTENCILCNTL;
  HizUse use;
  const zb::Setup& zb = out.zb;
  if (!out.depth) return use;
  const bool less = zb.z_func == Func::ZFUNC__LESS, less_or_equal = zb.z_func == Func::ZFUNC__LESS_OR_EQUAL;
  const bool shrinks = zb.z_test && (less || less_or_equal || zb.z_func == Func::ZFUNC__EQUAL || zb.z_func == Func::ZFUNC__NEVER);
  const bool plain = !zb.signed_compare && zb.format != zb::DepthFormat::z13e3;
  use.breaks = zb.z_write && !(shrinks && plain);
  use.tests = early_z && plain && !zb.stencil && zb.z_test && (less || less_or_equal) && out.depth_host.base;
  use.lowers = use.tests && zb.z_write;
  if (less_or_equal) use.slack = zb.format == zb::DepthFormat::z16 ? 2.0f / 65535 : 2.0f / 16777215;  // two codes
  return use;
}

}  // namespace pumice::hw::fast
