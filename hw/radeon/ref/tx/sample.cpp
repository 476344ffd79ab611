// SPDX-License-Identifier: MIT
/// tx::sample: the registers of a unit, then the lookup. In an object file of its own: tests of other blocks replace it.
#include "hw/radeon/ref/tx/lookup.h"

namespace pumice::hw::tx {

uint8_t sample(DrawContext& ctx, const Request& request, std::array<Vec4, 4>& out) {
  const uint32_t unit = request.unit & 15u;
  if (!(ctx.state.get<regs::TX_ENABLE>().raw >> unit & 1u)) {
    out.fill({0, 0, 0, 1});
    return 0;
  }
  Complaints complaints;
  const Texture tex = read_registers(ctx.state, unit, complaints);
  if (complaints) report(ctx, unit, complaints);
  return lookup(ctx.memory, ctx.state.filter4, tex, request, out, ctx.inspector);
}

}  // namespace pumice::hw::tx
