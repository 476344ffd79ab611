// SPDX-License-Identifier: MIT
/// Emits dirty state as registers, one function per hardware block (files atom_<block>.cpp). Cs::state() skips registers that already hold
/// the value, so an atom simply states all of its registers.
#pragma once
#include "icd/command_buffer.h"

namespace pumice::icd {

/// Flushes colour and depth caches, invalidates texture tags, waits for idle engines (cp-pm4 s.6). Nothing where the stream ends with that.
void emit_barrier(Cs& cs);
/// The "unpipelined" registers of the current targets, with the flush they need.
void emit_targets(CommandBuffer& c);

/// Emits all state for a draw except vertex arrays and indices. False: nothing can be drawn (no program for these textures; reported).
bool flush_state(CommandBuffer& c);

void atom_vap(Cs& cs, const GfxState& g);
void atom_program(Cs& cs, const GfxState& g);  ///< PVS and US microcode, immediates; atom_us.cpp
void atom_ga(Cs& cs, const GfxState& g);
void atom_su(Cs& cs, const GfxState& g);
void atom_sc(Cs& cs, const GfxState& g);
void atom_rs(Cs& cs, const GfxState& g);
void atom_us(Cs& cs, const GfxState& g);
void atom_fg(Cs& cs, const GfxState& g);
void atom_zb(Cs& cs, const GfxState& g);
void atom_rb3d(Cs& cs, const GfxState& g);
void atom_tx(Cs& cs, const GfxState& g);
/// Uniform blocks, push constants and driver values into the constant files.
void atom_constants(Cs& cs, const GfxState& g);
/// Driver values that change from draw to draw inside one vkCmdDraw.
bool reads_draw_constants(const compiler::Program& program);
void emit_draw_constants(Cs& cs, const compiler::Program& program, uint32_t instance, int32_t base_vertex);

/// Shared with the driver's own draws (meta.cpp).
void emit_pvs_code(Cs& cs, std::span<const std::array<uint32_t, 4>> code);
void emit_us_code(Cs& cs, std::span<const std::array<uint32_t, 6>> code);
void emit_us_window(Cs& cs, uint32_t slots, uint32_t temps, bool full_flow);
void emit_pvs_window(Cs& cs, uint32_t slots);
/// Of the R3xx (atom_us_r300.cpp): the program and its levels; constants, given as bits of floats; texcoord sets of the packet, in order,
/// to temps.
void emit_us_levels(Cs& cs, const compiler::FragmentLevels& program, uint32_t temps);
void emit_us_levels_constants(Cs& cs, uint32_t first, std::span<const uint32_t> floats);
struct RoutedSet {
  uint32_t components, temp;
};
void emit_rs_sets(Cs& cs, std::span<const RoutedSet> sets);
void emit_rs_levels(Cs& cs, const compiler::Program& program);
void emit_us_constants(Cs& cs, uint32_t first, std::span<const uint32_t> dwords);
void emit_pvs_constants(Cs& cs, uint32_t first, std::span<const uint32_t> dwords);
/// Registers with constant values, common to all draws of the driver.
void emit_fixed_registers(Cs& cs);
void emit_stream(Cs& cs, std::span<const StreamElement> elements);
/// The chip's texcoord set of varying i of `count`. The vertex program writes its outputs in varying order, but sets 8 and 9 travel as
/// colours 2 and 3, which come before all sets in output memory (pvs-isa s.11): with more than eight varyings the first ones take those
/// places.
inline uint32_t chip_set(uint32_t i, size_t count) {
  const uint32_t extra = count > 8 ? static_cast<uint32_t>(count) - 8 : 0;
  return i < extra ? 8 + i : i - extra;
}
void emit_output_format(Cs& cs, bool point_size, std::span<const compiler::Varying> varyings);
/// US_OUT_FMT of target `i`; format null: unused.
void emit_out_format(Cs& cs, uint32_t i, const FormatInfo* format);
/// GB multisampling state, unpipelined: 1, 2 or 4 samples per pixel.
void emit_samples(Cs& cs, uint32_t samples);
/// RB3D and ZB surfaces.
void emit_color_surface(Cs& cs, uint32_t i, const FormatInfo& f, const Plane& p);
/// Draws become resolves of target 0 into `p` until RB3D_AARESOLVE_CTL is zero again.
void emit_resolve(Cs& cs, const FormatInfo& f, const Plane& p);
/// Colour mask enable for the targets, and the other RB3D state common to all of them.
void emit_color_control(Cs& cs, bool mask);
/// Where the mask of target `i` lies.
void emit_color_mask(Cs& cs, uint32_t i, const Plane& p, uint32_t first);
/// Sets GfxState::color_mask for the subpass that begins.
void choose_color_masks(const hw::Capabilities& chip, GfxState& g, VkSubpassContents contents);
/// All pixels that the mask covers become its clear value.
void emit_fast_color_clear(Cs& cs, const ColorMask& m);
/// `fast_fill`: the Z mask is valid for this surface.
void emit_depth_surface(Cs& cs, const FormatInfo& f, const Plane& p, bool fast_fill);
/// Whether an area is the whole surface.
bool covers(const VkRect2D& area, const Plane& p);
/// How many rows of pixels of a clear of the whole surface may go to the Z mask, from the first on.
uint32_t zmask_rows(const Plane& p);
/// These rows become the value, through the Z mask.
void emit_fast_depth_clear(Cs& cs, const FormatInfo& f, const Plane& p, const VkClearDepthStencilValue& value);
/// VAP_GB_*_CLIP_ADJ: the clipper does not clip triangles that stay inside the guard band.
float guard_band(const hw::Capabilities& chip, bool fills_triangles, uint32_t samples, float scale, float offset);
/// The pixels that a viewport leaves of a scissor for triangles that are not clipped to it.
struct ScissorBox {
  int32_t x0, y0, x1, y1;
};
ScissorBox scissor_in_viewport(const VkRect2D& scissor, const VkViewport& viewport, bool fills_triangles, uint32_t samples);
void emit_scissor(Cs& cs, int32_t x0, int32_t y0, int32_t x1, int32_t y1);  ///< [x0, x1) x [y0, y1)

/// Registers of one texture unit.
struct TextureUnit {
  const FormatInfo* format = nullptr;
  hw::GpuAddress address = 0;
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t pitch_texels = 0;  ///< 0: the chip derives it
  uint32_t first_level = 0, last_level = 0;
  std::array<uint8_t, 4> select{0, 1, 2, 3};
  bool cube = false, volume = false;
  regs::TX_FILTER0 filter0;
  regs::TX_FILTER1 filter1;
  uint32_t border = 0;
};
void emit_texture(Cs& cs, uint32_t unit, const TextureUnit& t);

}  // namespace pumice::icd
