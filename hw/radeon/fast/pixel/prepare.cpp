// SPDX-License-Identifier: MIT
/// Registers to a State: decoding by the reference's own decoders, surfaces on the host, routines by key.
#include <bit>
#include <utility>

#include "hw/common/simd/choose.h"
#include "hw/radeon/decode/surface/span.h"
#include "hw/radeon/decode/tx/format.h"
#include "hw/radeon/fast/pixel/routines.h"

namespace pumice::hw::fast::output {
namespace {

/// The byte range of the surface that pixels of a rectangle may occupy, relative to its base.
struct Range {
  uint64_t begin = 0, end = 0;
};

Range range_of(const surface::Layout& layout, const Rect& r) {
  const surface::Span s = surface::span_of(layout, uint32_t(r.x0), uint32_t(r.y0), uint32_t(r.x1), uint32_t(r.y1));
  return {s.begin, s.end};
}

/// Surfaces of one draw, to detect shared memory.
class Surfaces {
 public:
  /// `samples` per pixel: `access` is the surface of sample 0.
  void add(const surface::PixelAccess& access, const Rect& r, uint32_t samples) {
    Range range = range_of(access.layout, r);
    const uint64_t pitch = access.layout.pitch_px / samples;
    // A tiled row is padded to whole tiles, so only the pitch determines whether rows overlap.
    shared_ |= pitch < uint32_t(r.x1);
    range.end += (samples - 1) * pitch * access.layout.bytes_per_pixel;
    // Byte swaps may move bytes inside a dword.
    const Range added = {(access.base + range.begin) & ~3ull, (access.base + range.end + 3) & ~3ull};
    for (int i = 0; i < count_; ++i) shared_ |= added.begin < range_[i].end && range_[i].begin < added.end;
    range_[count_++] = added;
  }
  /// Tiles of the Z mask that share their bits, likewise.
  void add(const zb::FastFill& fill, const Rect& r) { shared_ |= uint64_t{fill.row} << (fill.shift + 2) < static_cast<uint32_t>(r.x1); }
  void add(const rb3d::ColorMask& mask, const Rect& r) {
    const Range range = {mask.dword_of(uint32_t(r.x0), uint32_t(r.y0)), mask.dword_of(uint32_t(r.x1 - 1), uint32_t(r.y1 - 1)) + 1};
    shared_ |= uint64_t{mask.row} * 16 < uint32_t(r.x1);
    for (int i = 0; i < masks_; ++i) shared_ |= range.begin < mask_[i].end && mask_[i].begin < range.end;
    mask_[masks_++] = range;
  }
  void refuse() { shared_ = true; }
  bool shared() const { return shared_; }

 private:
  Range range_[5];
  int count_ = 0;
  Range mask_[rb3d::kTargets];  ///< dwords of the colour mask RAM
  int masks_ = 0;
  bool shared_ = false;
};

/// True when direct routines may be used for the surface.
bool host_surface(Memory& memory, const surface::PixelAccess& access, const Rect& r, HostSurface& out) {
  if (access.endian != 0 || r.x0 < 0 || r.y0 < 0 || !surface::rows_of_four(access.layout)) return false;
  const Range range = range_of(access.layout, r);
  if (!memory.backed(access.base + range.begin, range.end - range.begin)) return false;
  const bool micro = (access.layout.micro == 1 || access.layout.micro == 2) && access.layout.bytes_per_pixel <= 8;
  out.base = memory.host_pointer(access.base);
  out.layout = access.layout;
  out.pitch_bytes = uint64_t{access.layout.pitch_px} * access.layout.bytes_per_pixel;
  out.linear = !access.layout.macro_tiled && !micro;
  out.tile_row_bytes = 0;
  if (micro && !access.layout.macro_tiled) {
    // 4 bytes: tiles of 4x2; 2 bytes: 8x2.
    if (access.layout.bytes_per_pixel == 4) out.tile_row_bytes = uint64_t{(access.layout.pitch_px + 3) / 4} * surface::kMicrotileBytes;
    if (access.layout.bytes_per_pixel == 2 && access.layout.micro == 1)
      out.tile_row_bytes = uint64_t{(access.layout.pitch_px + 7) / 8} * surface::kMicrotileBytes;
  }
  return true;
}

/// Fills the Target except for the surface.
void describe(const State& s, Target& t) {
  const rb3d::PixelFormat& format = t.reference.format;
  const regs::US_OUT_FMT out = t.reference.out;
  const uint32_t select[4] = {out.C0_SEL(), out.C1_SEL(), out.C2_SEL(), out.C3_SEL()};  // A R G B
  const uint32_t code = s.rb3d.blendcntl.DISCARD_SRC_PIXELS();
  t.source = static_cast<uint8_t>(t.reference.source);
  t.bytes = format.bytes;
  t.blends = t.reference.blends(s.rb3d);
  t.blend_reads = t.blends && s.rb3d.blendcntl.READ_ENABLE();
  t.rop = t.reference.has_rop(s.rb3d);
  t.compare_color = s.rb3d.compare_colour && format.bytes <= 4;
  t.discard = static_cast<uint8_t>(!t.blends || code == 0 || code == 7 ? 0 : code > 3 ? (code - 3) | 4 : code);
  for (size_t i = 0; i < 4; ++i) {
    t.channel[i] = static_cast<uint8_t>((select[i] + 3) % 4);
    t.kind[i] = format.kind[i];
    t.read_from[i] = format.read_from[i];
    t.encode_gamma[i] = format.gamma && select[i] != regs::US_OUT_FMT::C0_SEL__ALPHA;
    t.constant[i] = t.reference.constant[i];
    t.discard_limit[i] = code > 3 ? s.rb3d.discard_gte[i] : s.rb3d.discard_lte[i];
    t.keep[i] = t.stored[i] = 0;
  }
  bool dithered = false;
  t.fields = format.field_count;
  for (size_t i = 0; i < format.field_count; ++i) {
    const rb3d::Field& f = format.field[i];
    const bool is_signed = f.kind == rb3d::Kind::snorm;
    const uint32_t bits = f.width == 32 ? 0xFFFFFFFFu : (1u << f.width) - 1, max = is_signed ? bits >> 1 : bits;
    t.field[i] = {.component = f.component,
                  .word = static_cast<uint8_t>(f.shift / 32),
                  .shift = static_cast<uint8_t>(f.shift % 32),
                  .width = f.width,
                  .kind = f.kind,
                  .dither = f.component == 3 ? s.rb3d.alpha_dither : s.rb3d.color_dither,
                  .max = max,
                  .scale = static_cast<float>(max),
                  .inverse = 1.0f / static_cast<float>(max)};
    t.stored[f.shift / 32] |= bits << f.shift % 32;
    if (!(t.reference.mask >> f.component & 1)) t.keep[f.shift / 32] |= bits << f.shift % 32;
    dithered |= (f.kind == rb3d::Kind::unorm || is_signed) && t.field[i].dither == rb3d::Dither::lut;
  }
  t.reads_destination = t.reference.reads_destination(s.rb3d);
  t.fillable = !t.reference.pairs && !t.reads_destination && !t.blends && !dithered;
}

/// Fills everything except the surfaces.
void describe(Resolving& r) {
  const rb3d::PixelFormat& format = r.reference.format;
  bool unorm = true, half = true, gamma = false, average = true;
  for (uint32_t i = 0; i < format.field_count; ++i) {
    unorm &= format.field[i].kind == rb3d::Kind::unorm;
    half &= format.field[i].kind == rb3d::Kind::fp16;
    gamma |= r.reference.gamma[i];
    average &= !r.reference.first[i];
    r.shift[i] = static_cast<uint8_t>(format.field[i].shift), r.width[i] = format.field[i].width, r.gamma[i] = r.reference.gamma[i];
  }
  r.samples = r.reference.samples, r.bytes = format.bytes, r.fields = format.field_count, r.period = format.bytes;
  if (r.bytes == 8 && r.fields == 4 && r.shift[2] == r.shift[0] + 32 && r.shift[3] == r.shift[1] + 32 && r.width[2] == r.width[0] &&
      r.width[3] == r.width[1])
    r.period = 4, r.fields = 2;  // both dwords have the same layout
  r.kind = Resolving::Kind::other;
  if (!average) return;
  if (half) r.kind = Resolving::Kind::half;
  if (unorm && r.period <= 4) r.kind = gamma ? Resolving::Kind::srgb : Resolving::Kind::unorm;
  if (gamma && (r.bytes != 4 || r.fields != 4)) r.kind = Resolving::Kind::other;
  r.srgb = hw::tx::srgb_table();
}

void prepare_resolve(State& s, const ChipState& state, const Rect& rect, const RoutineTable& routines, Surfaces& surfaces) {
  Resolving& r = s.resolving;
  r.reference = rb3d::decode_resolve(state);
  s.resolves = r.reference.format.valid();
  if (!s.resolves) {
    s.color_reports = 1u << uint32_t(Unsupported::resolve);
    return;
  }
  const surface::PixelAccess from = r.reference.from.sample(0, s.samples);
  surfaces.add(from, rect, s.samples);
  if (r.reference.mask.ram) s.cmask = state.rams->words(OnChipRam::cmask);
  surfaces.add(r.reference.to, rect, 1);
  describe(r);
  bool direct = host_surface(*s.memory, r.reference.to, rect, r.to) && r.to.linear;
  for (uint32_t i = s.samples; i > 0 && direct; --i)  // ends with sample 0's surface
    direct = host_surface(*s.memory, r.reference.from.sample(i - 1, s.samples), rect, r.from);
  r.row = direct ? routines.resolve(r) : nullptr;
}

void prepare_color(State& s, const ChipState& state, const Rect& rect, const RoutineTable& routines, Surfaces& surfaces, uint32_t sample) {
  s.target_count = 0;
  s.color_reports = 0;
  s.resolves = false;
  s.cmask = nullptr;
  if (rb3d::resolve_mode(state)) {
    if (sample == 0) prepare_resolve(s, state, rect, routines, surfaces);
    return;
  }
  s.rb3d = rb3d::decode_shared(state);
  if (!s.rb3d.valid_factors) s.color_reports |= 1u << uint32_t(Unsupported::blend_code);
  for (uint32_t i = 0; i < rb3d::kTargets; ++i) {
    Target& t = s.target[static_cast<size_t>(s.target_count)];
    if (!rb3d::decode_target(state, s.rb3d, i, t.reference)) continue;
    if (!t.reference.format.valid()) {
      s.color_reports |= 1u << uint32_t(Unsupported::color_format);
      continue;
    }
    if (t.reference.sample_tiles(s.rb3d)) {
      s.color_reports |= 1u << uint32_t(Unsupported::sample_tiles);
      continue;
    }
    describe(s, t);
    t.reference.pixels = t.reference.pixels.sample(sample, s.samples);
    t.color_mask = t.reference.color_mask;
    const Rect r = t.color_mask.ram ? whole_blocks(rect) : rect;
    if (sample == 0) surfaces.add(t.reference.pixels, r, s.samples);
    t.routine = !t.reference.pairs && host_surface(*s.memory, t.reference.pixels, r, t.host) ? routines.color(s, t) : nullptr;
    if (!t.routine) t.host.base = nullptr, t.routine = kReferenceRoutines.color(s, t);
    if (t.color_mask.ram) {
      s.cmask = state.rams->words(OnChipRam::cmask);
      if (sample == 0) surfaces.add(t.color_mask, r);
      if (!t.host.base) surfaces.refuse();
    }
    s.sources |= static_cast<uint8_t>(1u << t.source);
    if (t.reference.format.is_fp32()) s.exact_sources |= static_cast<uint8_t>(1u << t.source);
    s.reads_destination |= t.reads_destination;
    ++s.target_count;
  }
  s.rb3d.samples = 1;  // the reference's routines get this sample's surface
}

/// Pixels of the depth surface that a draw of `rect` may touch.
Rect depth_rect(const zb::Setup& zb, const Rect& rect) {
  int64_t x0 = int64_t{rect.x0} + zb.x_offset, y0 = int64_t{rect.y0} + zb.y_offset;
  int64_t x1 = int64_t{rect.x1} + zb.x_offset, y1 = int64_t{rect.y1} + zb.y_offset;
  zb::grow_to_tiles(zb.fast_fill, x0, y0, x1, y1);
  return {static_cast<int32_t>(x0), static_cast<int32_t>(y0), static_cast<int32_t>(x1), static_cast<int32_t>(y1)};
}

void prepare_depth(State& s, const Rect& rect, const RoutineTable& routines, Surfaces& surfaces, uint32_t sample) {
  s.depth = nullptr;
  s.depth_host = {};
  s.depth_writes = false;
  const bool refused = s.zb.enabled && (s.zb.reserved_format || s.zb.sample_tiles);
  if (!refused && !s.zb.enabled) return;
  if (!refused) {
    const Rect r = depth_rect(s.zb, rect);
    s.zb.depth = s.zb.depth.sample(sample, s.samples);
    s.zb.samples = 1;  // the reference's routines get this sample's surface
    if (sample == 0) surfaces.add(s.zb.depth, r, s.samples);
    if (s.zb.fast_fill.ram) surfaces.add(s.zb.fast_fill, r);
    s.depth_writes = s.zb.z_write || (s.zb.stencil && (s.zb.face[0].write_mask | s.zb.face[1].write_mask));
    if (s.zb.cb_clear || s.zb.hiz.ram) return void(s.depth = kReferenceRoutines.depth(s));  // Derived leaves such draws to the reference
    if (host_surface(*s.memory, s.zb.depth, r, s.depth_host)) {
      s.depth = routines.depth(s);
      if (s.zb.fast_fill.ram) s.depth_expanded = std::exchange(s.depth, routines.fast_fill_depth(s));
    } else if (s.zb.fast_fill.ram && s.samples > 1) {
      surfaces.refuse();  // the reference's routines would expand one sample's tiles
    }
  }
  if (!s.depth) s.depth_host.base = nullptr, s.depth = kReferenceRoutines.depth(s);
}

LaneMask zero_depth(const State& s, int32_t x, int32_t y, LaneMask mask, const Lanes&, bool back_facing) {
  static constexpr Lanes kZero{};
  return s.depth_of_zero(s, x, y, mask, kZero, back_facing);
}

}  // namespace

bool is_plain(const Target& t, rb3d::Kind kind) {
  if (t.rop || t.compare_color || t.discard) return false;
  for (int i = 0; i < t.fields; ++i) {
    const Target::Field& f = t.field[i];
    const bool integer = kind == rb3d::Kind::unorm;
    if (f.kind != kind || (integer && f.dither != rb3d::Dither::round && f.dither != rb3d::Dither(3))) return false;
  }
  return (t.keep[0] | t.keep[1] | t.keep[2] | t.keep[3]) == 0;
}

bool is_bytes(const Target& t) {
  for (int i = 0; i < 4; ++i)
    if (t.fields != 4 || t.field[i].component != i || t.field[i].shift != 8 * i || t.field[i].width != 8 || t.field[i].word != 0)
      return false;
  return t.bytes == 4;
}

bool stores_codes(const Target& t) {
  return is_bytes(t) && is_plain(t, rb3d::Kind::unorm) && !t.blends && t.host.base && t.host.linear &&
         !(t.encode_gamma[0] || t.encode_gamma[1] || t.encode_gamma[2] || t.encode_gamma[3]);
}

const RoutineTable& routine_table(Cpu cpu) { PUMICE_RETURN_FOR(cpu, output_routines()); }

namespace {

void prepare_sample(State& s, const ChipState& state, Memory& memory, const Rect& rect, Cpu cpu, Surfaces& surfaces, uint32_t sample) {
  const RoutineTable& routines = routine_table(cpu);
  s.memory = &memory;
  s.rect = rect;
  s.cpu = cpu;
  s.raised.store(0, std::memory_order_relaxed);
  s.sources = s.exact_sources = 0;
  s.reads_destination = false;

  s.zb = zb::decode(state);
  s.samples = s.zb.samples;
  s.sample = sample, s.of_samples = s.samples;
  s.depth_expanded = nullptr;
  s.zmask = s.zb.fast_fill.ram ? state.rams->words(OnChipRam::zmask) : nullptr;
  s.fg = fg::decode(state);
  if (rect.empty()) {
    s.target_count = 0, s.depth = nullptr, s.fog_alpha = nullptr, s.color_reports = 0;
    s.depth_writes = false, s.shared_memory = false;
  } else {
    prepare_depth(s, rect, routines, surfaces, sample);
    s.fog_alpha = nullptr;
    if (s.fg.kills() || s.fg.fog || s.fg.fog_refused) s.fog_alpha = routines.fog_alpha(s);
    if (!s.fog_alpha && (s.fg.kills() || s.fg.fog || s.fg.fog_refused)) s.fog_alpha = kReferenceRoutines.fog_alpha(s);
    prepare_color(s, state, rect, routines, surfaces, sample);
    s.shared_memory = surfaces.shared();
  }
  s.sample_mask = s.samples > 1 && s.fg.alpha_to_mask ? routines.sample_mask : nullptr;
  s.zero_output = s.zb.zero_output;
  s.kills = s.fg.kills();
  if (s.zero_output) s.sources = s.exact_sources = 0, s.reads_destination = false;
  if (s.kills) s.sources |= 1;
  s.early = state.get<regs::ZB_ZTOP>().ZTOP() == regs::ZB_ZTOP::ZTOP__EARLY_AFTER_SC;
  s.shader_depth = !s.early && state.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER;
  s.early_z_allowed = s.early || (!s.shader_depth && !s.kills);
  if (s.shader_depth && s.depth && state.get<regs::US_W_FMT>().W_FMT() == regs::US_W_FMT::W_FMT__ZERO)
    s.depth_of_zero = std::exchange(s.depth, zero_depth);
}

}  // namespace

void prepare(State& s, const ChipState& state, Memory& memory, const Rect& rect, Cpu cpu) {
  Surfaces surfaces;
  prepare_sample(s, state, memory, rect, cpu, surfaces, 0);
  s.others.reset(s.samples > 1 ? new State[s.samples - 1] : nullptr);
  s.of_sample[0] = &s;
  for (uint32_t i = 1; i < s.samples; ++i) {
    State& other = s.others[i - 1];
    s.of_sample[i] = &other;
    prepare_sample(other, state, memory, rect, cpu, surfaces, i);
    s.shared_memory |= other.shared_memory;
    other.samples = 1;
    other.of_sample[0] = &other;
  }
}

void take_reports(const State& state, const DrawContext& ctx) {
  uint32_t raised = state.raised.exchange(0, std::memory_order_relaxed);
  for (uint32_t i = 1; i < state.samples; ++i) raised |= state.of_sample[i]->raised.exchange(0, std::memory_order_relaxed);
  const auto say = [&](Unsupported what, const char* text) {
    if (raised >> uint32_t(what) & 1) ctx.report_once(what, ReportKind::bad_register, text);
  };
  say(Unsupported::fog_source, fg::kSourceText);
  say(Unsupported::zb_format, zb::kFormatText);
  say(Unsupported::color_format, rb3d::kFormatText);
  say(Unsupported::blend_code, rb3d::kFactorText);
  if (state.zb.enabled && state.zb.sample_tiles) say(Unsupported::sample_tiles, zb::kSampleTilesText);
  say(Unsupported::sample_tiles, rb3d::kSampleTilesText);
  say(Unsupported::resolve, rb3d::kResolveText);
}

}  // namespace pumice::hw::fast::output
