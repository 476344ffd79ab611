// SPDX-License-Identifier: MIT
/// The second half of the pixel pipeline (docs/reference/rdp.md section 9.1, steps 5 to 7).
#include "hw/rdp/ref/pixel.h"

namespace pumice::hw::rdp {

void finish_pixel(const DrawTarget& target, const SpanSetup& setup, PixelOut& p, int cycles) {
  const State& state = target.state;
  const SetOtherModes& m = state.modes;
  const uint32_t index = pixel_index(state.color_image, p.x, p.y);

  BlendInputs in;
  in.memory = read_pixel(state, target.ram, p.x, p.y);
  const DepthResult depth = compare_depth(state, target.ram, index, p.z, setup.dz, setup.dz_code, in.memory.coverage, p.coverage);
  if (!depth.pass) return target.tell(p.x, p.y, Fate::failed_depth);
  if (m.alpha_compare_en() && p.compare_alpha < (m.dither_alpha_en() ? p.noise_threshold : state.blend_color[3]))
    return target.tell(p.x, p.y, Fate::failed_alpha);
  if (m.antialias_en() ? p.coverage == 0 : !p.coverage_bit) return target.tell(p.x, p.y, Fate::without_coverage);
  target.tell(p.x, p.y, Fate::written);

  in.pixel = {p.combined.color[0], p.combined.color[1], p.combined.color[2]};
  in.pixel_alpha = p.combined.color[3];
  in.shade_alpha = p.combined.shade_alpha;
  in.shift_a = depth.shift_a;
  in.shift_b = depth.shift_b;
  // Memory inputs of the first of two stages are the previous pixel's on the chip; here this pixel's (UNCONFIRMED).
  if (cycles == 2) in.pixel = blend_first(state, state.blend[0], in);
  in.shade_alpha = p.last_shade_alpha;
  Rgb rgb = blend_last(state, state.blend[cycles - 1], in, depth);
  for (int c = 0; c < 3; ++c) rgb[c] = dither_channel(rgb[c], p.dither.rgb[c]);
  write_pixel(state, target.ram, p.x, p.y, rgb, final_coverage(state, depth.blend_en, p.coverage, in.memory.coverage));
  if (m.z_update_en()) write_depth(state, target.ram, index, p.z, setup.dz_code);
}

}  // namespace pumice::hw::rdp
