// SPDX-License-Identifier: MIT
/// See pixel.h: a draw's state made into a job.
#include "hw/radeon/fast/extended/pixel.h"

#include <algorithm>
#include <bit>

#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/fast/extended/pixel_job.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/xr/pixel.h"
#include "hw/radeon/ref/xr/raster.h"

namespace pumice::hw::fast::extended {

namespace r = regs::r5x;
using isa::us_r500::Instruction;
using isa::us_r500::SubOp;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

namespace {

constexpr uint32_t kSystemZ = 0, kFront = 1, kCoverage = 4, kPoint = 5, kPrimitive = 6, kHelper = 9, kTested = 10, kLane = 48,
                   kSystems = 11;

/// The inputs and system values that a fragment program reads.
struct Uses {
  std::array<uint8_t, hw::x::kVaryings> varying{};  ///< components
  uint32_t system = 0;                              ///< bit by number
  bool kills = false, stores = false, centroid = false, offsets = false;
  bool across = false;            ///< sees which lanes of its quad are helpers
  bool neighbours = false;        ///< sees values of other lanes; of implicit levels of textures it is not known here
  const char* problem = nullptr;  ///< reason why only the reference can execute it

  explicit Uses(const hw::x::Program& program) {
    for (const Instruction& x : program.code) {
      if (x.type != Type::TEXTURE) {
        neighbours |= x.type != Type::FLOW_CONTROL && (crosses(x.rgb) || crosses(x.alpha));
        continue;
      }
      if (x.tex.inst != TexOp::X) {
        kills |= x.tex.inst != TexOp::NOP;  // chroma keys kill as well
        neighbours |= x.tex.inst != TexOp::NOP;
        continue;
      }
      look(x);
    }
  }

 private:
  static bool crosses(const isa::us_r500::Unit& u) {
    return u.op == isa::us_r500::AluOp::XI ? isa::us_r500::info(u.xi()).neighbours : isa::us_r500::info(u.op).derivative;
  }
  void look(const Instruction& x) {
    const isa::us_r500::Extended& e = x.tex.x;
    across |= info(e.op).across;
    neighbours |= info(e.op).neighbours || info(e.op).across;
    switch (e.op) {
      case XOp::LDV: {
        const uint32_t mask = x.rgb.write | x.alpha.write << 3;
        for (uint32_t c = 0; c < 4; ++c)
          if ((mask >> c & 1u) && e.immediate < varying.size()) varying[e.immediate] |= uint8_t(1u << x.tex.dest.swizzle[c]);
        centroid |= uint32_t(e.sub) == 2;
        offsets |= uint32_t(e.sub) == 4;
        break;
      }
      case XOp::SYS:
        across |= e.immediate == kLane;
        neighbours |= e.immediate == kLane;
        if (e.immediate < kSystems) system |= 1u << e.immediate;
        break;
      case XOp::KILL: kills = true; break;
      case XOp::STB:
      case XOp::ATB:
      case XOp::STI:
      case XOp::ATI: stores = true; break;
      case XOp::BARRIER: problem = "a barrier in a fragment program"; break;
      default: break;
    }
  }
};

TargetConstants constants_of(const xt::Image& image) {
  TargetConstants c{};
  const uint64_t row = uint64_t{image.pitch} << image.samples_log2;
  const uint32_t bytes = formats::info(image.format).bytes;
  for (int l = 0; l < kLanes; ++l) c.offset.v[l] = std::bit_cast<float>(uint32_t(row * uint32_t(lane_y(l)) + bytes * uint32_t(lane_x(l))));
  for (uint32_t s = 0; s < kMostSamples; ++s) c.of_sample[s] = s * image.pitch, c.rows[s] = {uint32_t(row), s * image.pitch};
  return c;
}

/// False: not backed, or not aligned as routines need it.
bool surface_of(const Memory& memory, const xt::Image& image, uint32_t layers, Surface& out) {
  const formats::Info& f = formats::info(image.format);
  const uint64_t row = uint64_t{image.pitch} << image.samples_log2;
  if (image.base % 4 || image.pitch % 4 || image.layer_pitch % 4 || row > UINT32_MAX / 4 || f.compressed()) return false;
  const uint64_t begin = image.base + image.first_layer * image.layer_pitch;
  const uint64_t layer = (image.height - 1) * row + ((1u << image.samples_log2) - 1) * image.pitch + uint64_t{image.width} * f.bytes;
  if (!memory.backed(begin, (layers - 1) * image.layer_pitch + layer)) return false;
  out = {.base = begin,
         .layer_pitch = image.layer_pitch,
         .layer_bytes = layer,
         .layers = layers,
         .row_pitch = uint32_t(row),
         .pixel_bytes = f.bytes,
         .block_bytes = uint32_t(4 * row)};
  return true;
}

/// Whether blocks of a drawn area may be read and written back as a whole: no pixel beyond the area is in another row's memory, or beyond
/// what surface_of() checked.
bool has_whole_blocks(const Memory& memory, const xt::Image& image, const Surface& s, uint32_t width, uint32_t height) {
  const uint64_t row = ((uint64_t{std::min(width, image.width)} + 3) & ~uint64_t{3}) * s.pixel_bytes;
  const uint64_t beyond = std::max(row, uint64_t{image.width} * s.pixel_bytes) - uint64_t{image.width} * s.pixel_bytes;
  return std::has_single_bit(s.pixel_bytes) && row <= image.pitch && ((std::min(height, image.height) + 3) & ~3u) <= image.height &&
         memory.backed(s.base, (s.layers - 1) * s.layer_pitch + s.layer_bytes + beyond);
}

BlockDraw::Rejected rejected_by(uint32_t format, uint32_t func) {
  constexpr uint32_t kLess = 1, kLessEqual = 3, kGreater = 4, kGreaterEqual = 6;
  const formats::Info& f = formats::info(uint8_t(format));
  const formats::Component& d = *f.find(formats::Channel::d);
  const bool greater = func == kGreater || func == kGreaterEqual;
  if ((!greater && func != kLess && func != kLessEqual) || f.bytes > 4) return {};
  if (f.cls == formats::Class::sfloat) return {.known = true, .greater = greater, .is_float = true};
  // Codes are rounded, and so are products that are nearly as large as floats have integers.
  const uint32_t most = (1u << d.bits) - 1;
  return {.known = true, .greater = greater, .shift = d.shift, .mask = most, .scale = float(most), .margin = 3};
}

PixelKey::Face face_of(const xz::DepthTarget& d, bool back) {
  const xz::StencilFace& f = d.face[back];
  if (!d.stencil_test) return {};
  return {f.func, f.fail, f.pass, f.depth_fail};
}

}  // namespace

bool make_pixel_state(DrawContext& ctx, PixelState& made, std::string* why) {
  const auto refuse = [&](const char* text) {
    if (why) *why = text;
    return false;
  };
  const ChipState& state = ctx.state;
  if (!ctx.programs) return refuse("no programs");
  const auto program = ctx.programs->find(state, ctx.memory, hw::x::Stage::fragment);
  if (!program->problem.empty()) return refuse("the program cannot run");
  const Uses uses(*program);
  if (uses.problem) return refuse(uses.problem);
  const xr::Output output(state);
  PixelState& j = made;
  j.program = program;
  if (!program->literals.empty()) j.literals = {program->literals.data(), uint32_t(program->literals.size() * sizeof(hw::x::Bits4))};
  j.scratch = hw::x::resources(state, hw::x::Stage::fragment).scratch;
  PixelKey& k = j.key[0];

  const sc::Samples samples = xr::samples_of(state);
  j.samples = j.blocks.samples = samples.count;
  k.samples_log2 = uint8_t(std::countr_zero(samples.count));
  if (samples.count > 1)
    for (uint32_t s = 0; s < samples.count; ++s) {
      k.sample_x[s] = j.constants.sample_x[s] = float(samples.at[s].x - 8) / 16;
      k.sample_y[s] = j.constants.sample_y[s] = float(samples.at[s].y - 8) / 16;
    }
  k.per_sample = output.fs.PER_SAMPLE();
  k.writes_depth = output.fs.WRITES_DEPTH(), k.writes_stencil = output.fs.WRITES_STENCIL(), k.writes_mask = output.fs.WRITES_MASK();
  k.alpha_to_coverage = output.rs.ALPHA_TO_COVERAGE(), k.alpha_to_one = output.rs.ALPHA_TO_ONE(), k.depth_clamp = output.rs.DEPTH_CLAMP();
  k.unrestricted = output.rs.DEPTH_UNRESTRICTED();

  // Varyings.
  for (uint32_t n = 0; n < hw::x::kVaryings; ++n) {
    const auto how = state.get<r::X_RS_VARYING>(n);
    if (uses.varying[n]) k.centroid[n] = uint8_t(how.CENTROID() | how.SAMPLE() << 1);
    for (uint8_t c = 0; c < 4; ++c) {
      if (!(uses.varying[n] >> c & 1u)) continue;
      if (how.FLAT() >> c & 1u) {
        k.inputs.flat.push_back({uint8_t(n), c});
      } else {
        k.inputs.planes.push_back({uint8_t(n), c});
        k.linear.push_back(how.NOPERSPECTIVE() >> c & 1u);
      }
    }
  }
  if (uses.system >> kPoint & 1u)
    for (uint8_t c = 0; c < 2; ++c) k.inputs.planes.push_back({raster::PixelInputs::kPoint, c}), k.linear.push_back(1);
  k.linear.resize(k.inputs.stride());
  std::copy(k.linear.begin(), k.linear.end(), j.blocks.linear);

  // Targets.
  j.width = output.width, j.height = output.height, j.layers = output.layers;
  const xz::DepthTarget& d = output.depth;
  bool two_sided = false;
  if (!d.passes_all()) {
    if (d.image.samples_log2 != k.samples_log2) return refuse("depth target of another number of samples");
    uint32_t layers = j.layers;
    if (layers == ~0u) {  // without colour targets: as many layers as are backed
      layers = 1;
      for (uint32_t more = 1024; more; more /= 2)
        if (surface_of(ctx.memory, d.image, layers + more, j.blocks.depth_surface)) layers += more;
    }
    if (!surface_of(ctx.memory, d.image, layers, j.blocks.depth_surface)) return refuse("depth target that is not backed");
    j.constants.depth = constants_of(d.image);
    k.depth_format = d.image.format;
    j.blocks.depth = true;
    k.depth_test = d.depth_test, k.depth_write = d.depth_write, k.stencil_test = d.stencil_test, k.bounds_test = d.bounds_test;
    k.depth_func = d.depth_test ? d.depth_func : uint8_t{7};
    two_sided = face_of(d, false) != face_of(d, true);
    j.constants.bounds_min = d.bounds_min, j.constants.bounds_max = d.bounds_max;
    for (const bool back : {false, true})
      j.blocks.face[back] = {d.face[back].reference, d.face[back].compare_mask, d.face[back].write_mask};
  }
  for (uint32_t t = 0; t < xb::kTargets; ++t) {
    const xb::Target& target = output.target[t];
    k.target[t] = output::key_of(target);
    if (!output::writes(k.target[t])) continue;
    if (target.image.samples_log2 != k.samples_log2) return refuse("colour target of another number of samples");
    if (!surface_of(ctx.memory, target.image, target.image.layers, j.blocks.color[j.blocks.colors]))
      return refuse("colour target that is not backed");
    j.constants.color[t] = constants_of(target.image);
    j.blocks.color_number[j.blocks.colors++] = t;
    for (uint32_t c = 0; c < 4; ++c) j.constants.blend[c] = target.constant[c];
  }

  k.whole_blocks = true;
  if (j.blocks.depth) k.whole_blocks &= has_whole_blocks(ctx.memory, d.image, j.blocks.depth_surface, j.width, j.height);
  for (uint32_t i = 0; i < j.blocks.colors; ++i)
    k.whole_blocks &= has_whole_blocks(ctx.memory, output.target[j.blocks.color_number[i]].image, j.blocks.color[i], j.width, j.height);
  j.blocks.whole_blocks = k.whole_blocks;

  // Tests come first if the result is the same.
  const bool decides = uses.kills || k.writes_depth || k.writes_stencil || k.writes_mask || k.alpha_to_coverage;
  const bool looks = uses.stores || uses.across || uses.centroid || (uses.system & (1u << kCoverage | 1u << kHelper | 1u << kTested)) ||
                     std::any_of(k.centroid.begin(), k.centroid.end(), [](uint8_t c) { return c & 1u; });
  j.early = j.blocks.early = k.early = output.fs.EARLY_TESTS() || (!decides && !(looks && !d.passes_all()));
  const bool keeps = !k.stencil_test || (face_of(d, false).keeps() && face_of(d, true).keeps());
  k.rejects = !k.early && k.depth_format && keeps && !k.writes_depth && !k.writes_stencil && !looks && !(k.per_sample && samples.count > 1);
  j.blocks.counts_covered = k.early && !k.depth_format;
  j.blocks.runs_passed = output.fs.EARLY_TESTS() && !j.blocks.counts_covered;
  j.blocks.runs_per_sample = k.per_sample && samples.count > 1;
  j.blocks.counts_bits = !k.early && k.per_sample && samples.count > 1;
  j.uses_z = j.blocks.uses_z = k.depth_test || (uses.system >> kSystemZ & 1u);
  j.blocks.uses_w = !k.inputs.planes.empty() || (uses.system >> kSystemZ & 1u);
  j.uses_planes = j.blocks.uses_w;
  for (uint32_t v = 0; v < 16; ++v) {
    const xr::DepthRange range = xr::depth_range(state, v);
    j.blocks.z_range[v] = {range.low, range.high};
  }

  const size_t inputs = k.inputs.planes.size() + k.inputs.flat.size();
  const bool together = samples.count == 1 && !uses.stores && !uses.offsets && !(uses.system >> kPrimitive & 1u) && !j.scratch;
  j.collects = together && !uses.neighbours && !(uses.system >> kHelper & 1u) && inputs <= kMostCollected;
  constexpr uint64_t kMostBytes = uint64_t{1} << 31;  // of a layer: offsets of gathers are signed
  j.packs = together && inputs <= kMostPacked && (!j.blocks.depth || j.blocks.depth_surface.layer_bytes < kMostBytes) &&
            std::all_of(j.blocks.color, j.blocks.color + j.blocks.colors, [](const Surface& s) { return s.layer_bytes < kMostBytes; });
  const bool uniform = k.early && !k.depth_format && !k.per_sample && !k.alpha_to_coverage && !k.writes_mask && !uses.system &&
                       !uses.across && !uses.stores && k.inputs.planes.empty() && k.inputs.flat.empty();
  j.fills = uniform && j.blocks.colors && std::all_of(j.blocks.color_number, j.blocks.color_number + j.blocks.colors, [&](uint32_t t) {
              return !output::reads_stored(k.target[t]) && std::has_single_bit(formats::info(k.target[t].format).bytes);
            });

  static_assert(PixelTraits::kTargets == kColorTargets);
  if (samples.count == 1 && !decides && !k.depth_format)
    for (uint32_t i = 0; i < j.blocks.colors; ++i)
      if (!output::reads_stored(k.target[j.blocks.color_number[i]])) j.overwritten[j.overwrites++] = j.blocks.color[i].base;

  if (samples.count == 1 && k.whole_blocks && k.depth_test && keeps && (k.early || k.rejects) && !k.depth_clamp && !k.unrestricted)
    j.blocks.rejected = rejected_by(k.depth_format, k.depth_func);
  j.two_sided = two_sided;
  j.blocks.by_facing = two_sided || (uses.system >> kFront & 1u) || (k.stencil_test && j.blocks.face[0] != j.blocks.face[1]);
  j.group_budget = hw::us::group_budget(state);
  if (two_sided) j.key[1] = k;
  for (const bool back : {false, true}) {
    if (back && !two_sided) break;
    j.key[back].stencil = face_of(d, back);
    j.words[back] = j.key[back].words();
  }
  return true;
}

}  // namespace pumice::hw::fast::extended
