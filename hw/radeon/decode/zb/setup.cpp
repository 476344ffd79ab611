// SPDX-License-Identifier: MIT
/// See setup.h.
#include "hw/radeon/decode/zb/setup.h"

#include <algorithm>

#include "hw/radeon/decode/sc/samples.h"

namespace pumice::hw::zb {
namespace {

StencilFace decode_face(const ChipState& state, bool back_facing) {
  const auto cntl = state.get<regs::ZB_CNTL>();
  const auto f = state.get<regs::ZB_ZSTENCILCNTL>();
  StencilFace face;
  if (back_facing && cntl.STENCIL_FRONT_BACK()) {
    face = {.func = f.STENCILFUNC_BF(), .fail = f.STENCILFAIL_BF(), .zfail = f.STENCILZFAIL_BF(), .zpass = f.STENCILZPASS_BF()};
  } else {
    face = {.func = f.STENCILFUNC(), .fail = f.STENCILFAIL(), .zfail = f.STENCILZFAIL(), .zpass = f.STENCILZPASS()};
  }
  // R3xx has one reference for both faces.
  if (back_facing && cntl.STENCIL_REFMASK_FRONT_BACK() && state.chip().has_stencil_refmask_per_face) {
    const auto r = state.get<regs::ZB_STENCILREFMASK_BF>();
    face.reference = r.STENCILREF(), face.mask = r.STENCILMASK(), face.write_mask = r.STENCILWRITEMASK();
  } else {
    const auto r = state.get<regs::ZB_STENCILREFMASK>();
    face.reference = r.STENCILREF(), face.mask = r.STENCILMASK(), face.write_mask = r.STENCILWRITEMASK();
  }
  return face;
}

/// Microtiled and multisampled depth; 8x8 tiles require macrotiles as well.
FastFill decode_fast_fill(const ChipState& state, const Setup& s) {
  FastFill f;
  const auto bw = state.get<regs::ZB_BW_CNTL>();
  const bool micro = s.depth.layout.micro == 1 || s.depth.layout.micro == 2;
  if (!bw.FAST_FILL() || (!micro && s.samples == 1) || !state.rams) return f;
  const bool large = state.chip().has_z_peq_size && state.get<regs::GB_Z_PEQ_CONFIG>().Z_PEQ_SIZE() && s.depth.layout.macro_tiled;
  f.ram = state.rams->words(OnChipRam::zmask).get();
  f.dwords = OnChipRams::dwords(OnChipRam::zmask);
  f.first = state.get<regs::ZB_ZMASK_OFFSET>().ZMASK_OFFSET() << 4;
  f.shift = large ? 3 : 2;
  const uint32_t across = f.side() * 4;
  f.row = ((regs::ZB_HIZ_PITCH{state.raw(regs::ZB_ZMASK_PITCH::offset)}.HIZ_PITCH() << 4) + across - 1) / across;
  f.clear = s.clear;
  f.expands_all = !bw.WR_COMP_ENABLE() && s.z_write;
  return f;
}

/// UNCONFIRMED: needs SC's estimates (SC_HYPERZ_EN.HZ_EN).
Hiz decode_hiz(const ChipState& state, const Setup& s) {
  Hiz h;
  const auto bw = state.get<regs::ZB_BW_CNTL>();
  if (!bw.HIZ_ENABLE() || !state.get<regs::SC_HYPERZ_EN>().HZ_EN() || !s.z_test || !state.rams) return h;
  h.ram = state.rams->words(OnChipRam::hiz).get();
  h.dwords = OnChipRams::dwords(OnChipRam::hiz);
  h.first = state.get<regs::ZB_HIZ_OFFSET>().HIZ_OFFSET();
  h.row = state.get<regs::ZB_HIZ_PITCH>().HIZ_PITCH() * 2;
  h.minimum = bw.HIZ_MIN() == regs::ZB_BW_CNTL::HIZ_MIN__MINIMUM;
  const bool strict_r3xx = !state.chip().has_hiz_floats;
  h.exponent = strict_r3xx ? 0 : std::min(bw.HIZ_FP_EXP_BITS(), 5u);
  h.leading_zeros = bw.HIZ_FP_INVERT();
  const bool equal = s.z_func == 3 && !strict_r3xx && bw.HIZ_EQUAL_REJECT_ENABLE();
  h.rejects = equal || (h.minimum ? s.z_func == 4 || s.z_func == 5 : s.z_func == 1 || s.z_func == 2);
  return h;
}

}  // namespace

Microtile microtile(const surface::Layout& layout) {
  if (layout.micro != 1 && layout.micro != 2) return {};
  if (layout.bytes_per_pixel == 2) return layout.micro == 2 ? Microtile{4, 4} : Microtile{8, 2};
  return {4, 2};
}

uint32_t Hiz::code(uint32_t z24) const { return encode_small_float(z24, 8, exponent, leading_zeros); }

void grow_to_tiles(const FastFill& fill, int64_t& x0, int64_t& y0, int64_t& x1, int64_t& y1) {
  if (!fill.ram) return;
  const int64_t rest = fill.side() - 1;
  x0 &= ~rest, y0 &= ~rest;
  x1 = (x1 + rest) & ~rest, y1 = (y1 + rest) & ~rest;
}

Setup decode(const ChipState& state) {
  const auto cntl = state.get<regs::ZB_CNTL>();
  const auto pitch = state.get<regs::ZB_DEPTHPITCH>();
  const auto xy = state.get<regs::ZB_DEPTHXY_OFFSET>();
  const uint32_t format = state.get<regs::ZB_FORMAT>().DEPTHFORMAT();
  Setup s;
  s.cb_clear = state.get<regs::ZB_BW_CNTL>().ZB_CB_CLEAR() == regs::ZB_BW_CNTL::ZB_CB_CLEAR__LINE_WRITE_ONLY;
  s.enabled = cntl.Z_ENABLE() || cntl.STENCIL_ENABLE() || s.cb_clear;
  s.reserved_format = format > uint32_t(DepthFormat::z24s8);
  // Depth-only passes switch the colour blocks off this way (R5xx).
  s.samples = sc::sample_count(state);
  s.zero_output = state.get<regs::ZB_ZSTENCILCNTL>().ZERO_OUTPUT_MASK() && state.chip().has_zero_output_mask;
  if (s.reserved_format) return s;
  s.format = DepthFormat(format);
  s.z_test = cntl.Z_ENABLE() && !s.cb_clear;
  s.z_write = (cntl.Z_ENABLE() && cntl.ZWRITEENABLE()) || s.cb_clear;
  s.stencil = cntl.STENCIL_ENABLE() && !s.cb_clear && s.format == DepthFormat::z24s8;  // 16-bit formats hold no stencil: the test passes
  s.signed_compare = cntl.ZSIGNED_COMPARE();
  s.sign_magnitude = s.signed_compare && cntl.ZSIGNED_MAGNITUDE() && state.chip().has_sign_magnitude_depth;
  // The two guides give INVERT opposite meanings; both chips follow the R5xx one, as the Mesa driver does.
  s.invert_13e3 = state.get<regs::ZB_FORMAT>().INVERT();
  s.z_func = state.get<regs::ZB_ZSTENCILCNTL>().ZFUNC();
  // The facing flag that picks a face comes through SU, which can hold it at 0.
  const bool faces = state.get<regs::GB_ENABLE>().STENCIL_AUTO() != regs::GB_ENABLE::STENCIL_AUTO__FORCE_FLAG_TO_0;
  if (s.stencil) s.face[0] = decode_face(state, false), s.face[1] = decode_face(state, faces);
  s.depth.base = uint64_t(state.get<regs::ZB_DEPTHOFFSET>().DEPTHOFFSET()) << 5;
  s.depth.layout = {.pitch_px = pitch.DEPTHPITCH() << 2,
                    .bytes_per_pixel = s.format == DepthFormat::z24s8 ? 4u : 2u,
                    .macro_tiled = pitch.DEPTHMACROTILE() != 0,
                    .micro = uint8_t(pitch.DEPTHMICROTILE())};
  s.depth.endian = uint8_t(pitch.DEPTHENDIAN());
  s.x_offset = int32_t(xy.DEPTHX_OFFSET() << 1 & ~31u);  // bits 4:0 must be zero
  s.y_offset = int32_t(xy.DEPTHY_OFFSET() << 1 & ~31u);
  s.sample_tiles = s.samples > 1 && s.depth.layout.tiled();
  s.clear = state.get<regs::ZB_DEPTHCLEARVALUE>().raw & (s.depth.layout.bytes_per_pixel == 2 ? 0xFFFFu : ~0u);
  if (s.enabled && !s.sample_tiles && !s.cb_clear) s.fast_fill = decode_fast_fill(state, s), s.hiz = decode_hiz(state, s);
  return s;
}

}  // namespace pumice::hw::zb
