// SPDX-License-Identifier: MIT
#include "icd/r5x/meta.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <string_view>

#include "icd/meta_blit.h"
#include "icd/meta_blit3d.h"
#include "icd/meta_blit3d_int.h"
#include "icd/meta_blit3d_uint.h"
#include "icd/meta_blit_int.h"
#include "icd/meta_blit_uint.h"
#include "icd/meta_bytes.h"
#include "icd/meta_dwords.h"
#include "icd/meta_resolve.h"
#include "icd/meta_resolve_int.h"
#include "icd/meta_resolve_uint.h"
#include "icd/r5x/registers.h"
#include "icd/transfer_2d.h"

namespace pumice::icd::r5x {
namespace {

/// Fills below this are rectangles of the 2D engine.
constexpr uint64_t kSmallFill = 16 << 10;

struct Source {
  const char* name;
  std::span<const uint32_t> spirv;
  bool buffers;  ///< two storage buffers, else a sampled and a storage image
};

Source source_of(MetaProgram which) {
  switch (which) {
    case MetaProgram::dwords: return {"dwords.comp", meta_dwords, true};
    case MetaProgram::bytes: return {"bytes.comp", meta_bytes, true};
    case MetaProgram::blit: return {"blit.comp", meta_blit, false};
    case MetaProgram::blit_int: return {"blit.comp INTS", meta_blit_int, false};
    case MetaProgram::blit_uint: return {"blit.comp UINTS", meta_blit_uint, false};
    case MetaProgram::blit3d: return {"blit.comp VOLUME", meta_blit3d, false};
    case MetaProgram::blit3d_int: return {"blit.comp VOLUME INTS", meta_blit3d_int, false};
    case MetaProgram::blit3d_uint: return {"blit.comp VOLUME UINTS", meta_blit3d_uint, false};
    case MetaProgram::resolve: return {"resolve.comp", meta_resolve, false};
    case MetaProgram::resolve_int: return {"resolve.comp INTS", meta_resolve_int, false};
    case MetaProgram::resolve_uint: return {"resolve.comp UINTS", meta_resolve_uint, false};
    case MetaProgram::count_: break;
  }
  return {"", {}, false};
}

/// Descriptors of the programs: two, 64 bytes apart.
constexpr uint32_t kSecond = 64, kSetBytes = 128;

compiler::PipelineSource pipeline_source(const Source& s, const compiler::ChipLimits* chip) {
  using Kind = compiler::DescriptorLayout::Kind;
  compiler::PipelineSource out;
  compiler::ShaderSource& shader = out.add(compiler::Stage::compute);
  shader.spirv = s.spirv;
  shader.name = s.name;
  out.chip = chip;
  out.check = false;
  out.resources.push_back({0, 0, s.buffers ? Kind::storage_buffer : Kind::combined, 1, 0, kSecond, false});
  out.resources.push_back({0, 1, s.buffers ? Kind::storage_buffer : Kind::storage_image, 1, kSecond, kSecond, false});
  return out;
}

/// Runs a program with local size 8x8 over width x height elements.
void run(CommandBuffer& c, MetaProgram which, std::span<const uint32_t> first, std::span<const uint32_t> second,
         std::span<const uint32_t> sampler, std::span<const uint32_t> push, uint32_t width, uint32_t height) {
  if (!width || !height) return;
  const MetaPrograms::Loaded* p = device_of(c).meta_programs->find(which);
  if (!p) return c.fail(VK_ERROR_FEATURE_NOT_PRESENT);
  Cs& cs = c.cs;
  const Cs::Data set = cs.data(kSetBytes, 64);
  std::memset(set.host, 0, kSetBytes);
  std::memcpy(set.host, first.data(), first.size_bytes());
  if (!sampler.empty()) std::memcpy(set.host + kCombinedSampler, sampler.data(), sampler.size_bytes());
  std::memcpy(set.host + kSecond, second.data(), second.size_bytes());
  const Cs::Data pushed = cs.data(push.size_bytes(), 16);
  std::memcpy(pushed.host, push.data(), push.size_bytes());

  state_address<xr::X_CS_CODE_LO, xr::X_CS_CODE_HI>(cs, p->code.address);
  state_raw<xr::X_CS_CODE_SIZE>(cs, p->code.size);
  state_raw<xr::X_CS_CODE_RSRC>(cs, p->code.rsrc);
  const auto& local = p->program.local_size;
  cs.state(xr::X_CS_LOCAL_SIZE{}.X(local[0] - 1).Y(local[1] - 1).Z(local[2] - 1));
  cs.state(xr::X_CS_LDS_SIZE{}.BYTES(p->program.lds_bytes));
  state_address<xr::X_CS_SET_LO, xr::X_CS_SET_HI>(cs, set.address, 0);
  state_address<xr::X_CS_PUSH_LO, xr::X_CS_PUSH_HI>(cs, pushed.address);
  state_raw<xr::X_CS_PUSH_SIZE>(cs, static_cast<uint32_t>(push.size_bytes()));
  if (c.clears_attachments) c.on_condition(7);
  cs.packet(pm4::Op::X_DISPATCH, {(width + local[0] - 1) / local[0], (height + local[1] - 1) / local[1], 1, 0, 0, 0});
  BindPoint& b = c.bind[VK_PIPELINE_BIND_POINT_COMPUTE];
  b.pipeline_dirty = b.sets_dirty = b.push_dirty = true;
}

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }
uint32_t low(hw::GpuAddress a) { return static_cast<uint32_t>(a); }
uint32_t high(hw::GpuAddress a) { return static_cast<uint32_t>(a >> 32); }
uint32_t word(int32_t v) { return static_cast<uint32_t>(v); }

BufferWords surface_words(const Elements2D& e, uint32_t width, uint32_t height, uint32_t element) {
  const uint64_t bytes = uint64_t{height - 1} * e.pitch + uint64_t{width - 1} * e.step + element;
  return {static_cast<uint32_t>(e.address), static_cast<uint32_t>(e.address >> 32) & 0xFFFF, static_cast<uint32_t>(bytes), 0};
}

MetaProgram by_class(Numeric n, MetaProgram floats, MetaProgram ints, MetaProgram uints) {
  return n == Numeric::sint ? ints : n == Numeric::uint ? uints : floats;
}

}  // namespace

const MetaPrograms::Loaded* MetaPrograms::find(MetaProgram which) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<Loaded>& at = loaded_[static_cast<size_t>(which)];
  if (at) return at.get();
  const Source s = source_of(which);
  compiler::Result r = compiler::compile(pipeline_source(s, device_.chip.compiler_chip));
  std::optional<compiler::XProgram> x;
  if (r.program) x = std::move(r.program->x[static_cast<size_t>(compiler::Stage::compute)]);
  if (!x) {
    report(&device_, VK_ERROR_FEATURE_NOT_PRESENT, "the driver's own %s: %s", s.name,
           r.diagnostics.empty() ? "no program" : r.diagnostics[0].text.c_str());
    return nullptr;
  }
  auto loaded = std::make_unique<Loaded>();
  loaded->code = device_.code->load(*x);
  loaded->program = std::move(*x);
  at = std::move(loaded);
  return at.get();
}

ImageWords plane_words(const Plane& p, VkFormat format) {
  ImageWords w{};
  w[0] = static_cast<uint32_t>(p.address);
  w[1] = (static_cast<uint32_t>(p.address >> 32) & 0xFFFF) | chip_format(format) << 16 | 1u << 24 |
         static_cast<uint32_t>(std::countr_zero(p.samples)) << 27;
  w[2] = (p.width - 1) | (p.height - 1) << 16;
  w[4] = 0u << 12 | 1u << 15 | 2u << 18 | 3u << 21;
  w[5] = p.pitch_bytes;
  return w;
}

namespace {
/// Bytes that X_FILL_ROWS repeats.
constexpr size_t kPattern = 16;

/// Of parts of rows the surface is not named: the chip may fill what lies between the rows of a surface.
void fill_by_pattern(Cs& cs, const Plane& p, hw::GpuAddress at, uint32_t row_bytes, uint32_t rows, std::span<const uint8_t> pixel,
                     bool unstored = false) {
  constexpr uint32_t kUnstored = uint32_t{1} << 31;
  const uint32_t surface = row_bytes == p.width * pixel.size() ? p.surface : 0;
  uint32_t pattern[kPattern / sizeof(uint32_t)];
  for (size_t i = 0; i < kPattern; i += pixel.size()) std::memcpy(reinterpret_cast<std::byte*>(pattern) + i, pixel.data(), pixel.size());
  cs.packet(pm4::Op::X_FILL_ROWS, {low(at), high(at), row_bytes, rows | (unstored ? kUnstored : 0), p.pitch_bytes, pattern[0], pattern[1],
                                   pattern[2], pattern[3], surface});
}
}  // namespace

void fill_pixels(Cs& cs, const Plane& p, const VkRect2D& r, std::span<const uint8_t> pixel) {
  const auto bytes = static_cast<uint32_t>(pixel.size());
  const hw::GpuAddress at = p.address + uint64_t{word(r.offset.y)} * p.row_bytes() + word(r.offset.x) * bytes;
  const uint32_t row_bytes = r.extent.width * bytes, rows = r.extent.height * p.samples;
  if (uint64_t{row_bytes} * rows < kSmallFill || kPattern % bytes) return fill_rows(cs, {at, p.pitch_bytes}, row_bytes, rows, pixel);
  // The chip may hold this back until something is drawn there.
  fill_by_pattern(cs, p, at, row_bytes, rows, pixel);
}

void fill_unstored(Cs& cs, const Plane& p, std::span<const uint8_t> pixel) {
  const uint32_t row_bytes = p.width * static_cast<uint32_t>(pixel.size()), rows = p.height * p.samples;
  if (uint64_t{row_bytes} * rows < kSmallFill || kPattern % pixel.size()) return;
  fill_by_pattern(cs, p, p.address, row_bytes, rows, pixel, true);
}

void say_host_wrote(Cs& cs, hw::GpuAddress address, uint64_t bytes) {
  constexpr uint32_t kSurface = 1;  // any number will do
  const auto size = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
  cs.packet(pm4::Op::X_FILL_ROWS, {low(address), high(address), size, 0, 0, 0, 0, 0, 0, kSurface});
}

void clear_pixels(CommandBuffer& c, const Plane& p, const VkRect2D& r, std::span<const uint8_t> pixel) {
  if (!c.clears_attachments || !c.conditional) return fill_pixels(c.cs, p, r, pixel);
  const auto bytes = static_cast<uint32_t>(pixel.size());
  const hw::GpuAddress at = p.address + uint64_t{word(r.offset.y)} * p.row_bytes() + word(r.offset.x) * bytes;
  const uint32_t rows = r.extent.height * p.samples;
  if (kPattern % bytes == 0) {
    c.on_condition(11);
    return fill_by_pattern(c.cs, p, at, r.extent.width * bytes, rows, pixel);
  }
  for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t value = 0;
    std::memcpy(&value, pixel.data() + i, sizeof value);
    fill_dwords(c, {at + i, p.pitch_bytes, bytes}, r.extent.width, rows, 0, value);
  }
}

AspectPlace place_of(const FormatInfo& f, VkImageAspectFlags aspect) {
  const bool stencil = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
  switch (f.format) {
    case VK_FORMAT_D16_UNORM: return {0, 2, 2, 0, 0, true};
    case VK_FORMAT_S8_UINT: return {0, 1, 1, 0, 0, true};
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT: return stencil ? AspectPlace{0, 4, 1, 0, 0xFFFFFF00, false} : AspectPlace{0, 4, 4, 8, 0xFF, false};
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return stencil ? AspectPlace{4, 8, 1, 0, 0, false} : AspectPlace{0, 8, 4, 0, 0, false};
    default: return {0, 4, 4, 0, 0, true};
  }
}

namespace {
/// A pixel; where depth and stencil have words of their own, one each.
std::array<uint32_t, 2> depth_words(const FormatInfo& f, const VkClearDepthStencilValue& value) {
  const float z = std::clamp(value.depth, 0.0f, 1.0f);
  const auto code = [z](double most) { return static_cast<uint32_t>(std::floor(static_cast<double>(z) * most + 0.5)); };
  const uint32_t stencil = value.stencil & 0xFF;
  switch (f.format) {
    case VK_FORMAT_D16_UNORM: return {code(65535.0), stencil};
    case VK_FORMAT_S8_UINT: return {stencil, stencil};
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT: return {code(16777215.0) << 8 | stencil, stencil};
    default: return {bits(value.depth), stencil};
  }
}
}  // namespace

std::array<uint8_t, 8> depth_pixel(const FormatInfo& f, const VkClearDepthStencilValue& value) {
  return std::bit_cast<std::array<uint8_t, 8>>(depth_words(f, value));
}

void clear_depth_pixels(CommandBuffer& c, const FormatInfo& f, const Plane& p, const VkRect2D& r, VkImageAspectFlags aspects,
                        const VkClearDepthStencilValue& value) {
  if (!aspects) return;
  if (aspects == aspects_of(f)) return clear_pixels(c, p, r, {depth_pixel(f, value).data(), layout_of(f).bytes});
  const std::array<uint32_t, 2> words = depth_words(f, value);
  const AspectPlace place = place_of(f, aspects);
  const hw::GpuAddress at = p.address + uint64_t{word(r.offset.y)} * p.row_bytes() + word(r.offset.x) * place.step + place.offset;
  c.barrier();
  fill_dwords(c, {at, p.pitch_bytes, place.step}, r.extent.width, r.extent.height * p.samples, place.keep,
              place.offset ? words[1] : words[0]);
  c.barrier();
}

void move_bytes(CommandBuffer& c, const Elements2D& from, const Elements2D& to, uint32_t width, uint32_t height) {
  if (!width || !height) return;
  const uint32_t push[] = {width, height, from.pitch, from.step, to.pitch, to.step};
  run(c, MetaProgram::bytes, surface_words(from, width, height, 1), surface_words(to, width, height, 1), {}, push, width, height);
}

void move_dwords(CommandBuffer& c, const Elements2D& from, const Elements2D& to, uint32_t width, uint32_t height, uint32_t keep,
                 int shift) {
  if (!width || !height) return;
  const uint32_t push[] = {width, height, from.pitch / 4, from.step / 4, to.pitch / 4, to.step / 4, keep, word(shift), 0, 0};
  run(c, MetaProgram::dwords, surface_words(from, width, height, 4), surface_words(to, width, height, 4), {}, push, width, height);
}

void fill_dwords(CommandBuffer& c, const Elements2D& to, uint32_t width, uint32_t height, uint32_t keep, uint32_t value) {
  if (!width || !height) return;
  const uint32_t push[] = {width, height, 0, 0, to.pitch / 4, to.step / 4, keep, 0, 1, value};
  run(c, MetaProgram::dwords, BufferWords{}, surface_words(to, width, height, 4), {}, push, width, height);
}

namespace {
/// The kind of X_RESOLVE that makes pixels of a format; -1: none does.
int resolve_kind(const FormatInfo& f) {
  const Layout l = layout_of(f);
  const auto all = [&](uint32_t bits) {
    return std::all_of(l.component.begin(), l.component.begin() + l.count, [&](const auto& c) { return c.bits == bits; }) &&
           l.bytes * 8 == bits * l.count;
  };
  if (f.numeric == Numeric::unorm && all(8) && l.count != 3) return 0;
  if (f.numeric == Numeric::srgb && all(8) && l.count == 4) return 1;
  if (f.numeric == Numeric::sfloat && all(16) && l.count != 3) return 2;
  return -1;
}
}  // namespace

void resolve_pixels(CommandBuffer& c, const FormatInfo& from_format, const FormatInfo& to_format, const Plane& from, const Plane& to,
                    const VkRect2D& r, VkOffset2D to_offset) {
  if (const int kind = resolve_kind(from_format); kind >= 0 && from_format.format == to_format.format) {
    const uint32_t bytes = layout_of(from_format).bytes;
    const auto at = [&](const Plane& p, VkOffset2D o) {
      return p.address + uint64_t{word(o.y)} * p.row_bytes() + word(o.x) * uint64_t{bytes};
    };
    const hw::GpuAddress source = at(from, r.offset), destination = at(to, to_offset);
    const bool aligned = ((source | destination | from.pitch_bytes | to.pitch_bytes) & 3) == 0;
    const auto log2 = static_cast<uint32_t>(std::countr_zero(from.samples));
    if (aligned && r.extent.width && r.extent.height) {
      const bool whole = r.extent.width == from.width && r.extent.width == to.width;
      c.cs.packet(pm4::Op::X_RESOLVE,
                  {low(source), high(source), from.pitch_bytes, low(destination), high(destination), to.pitch_bytes,
                   (r.extent.width - 1) | (r.extent.height - 1) << 16, log2 | static_cast<uint32_t>(kind) << 4 | bytes << 8,
                   whole ? from.surface : 0, whole ? to.surface : 0});
      return;
    }
  }
  const uint32_t push[] = {word(r.offset.x), word(r.offset.y), word(to_offset.x), word(to_offset.y),
                           r.extent.width,   r.extent.height,  from.samples};
  run(c, by_class(from_format.numeric, MetaProgram::resolve, MetaProgram::resolve_int, MetaProgram::resolve_uint),
      plane_words(from, from_format.format), plane_words(to, to_format.format), SamplerWords{}, push, r.extent.width, r.extent.height);
}
void resolve_pixels(CommandBuffer& c, const FormatInfo& f, const Plane& from, const Plane& to, const VkRect2D& r, VkOffset2D to_offset) {
  resolve_pixels(c, f, f, from, to, r, to_offset);
}

void take_first_sample(CommandBuffer& c, const FormatInfo& from_format, const FormatInfo& to_format, const Plane& from, const Plane& to,
                       const VkRect2D& r, VkImageAspectFlags aspects) {
  const uint32_t x = word(r.offset.x), y = word(r.offset.y);
  const auto at = [&](const Plane& p, uint32_t step) { return p.address + uint64_t{y} * p.row_bytes() + x * step; };
  if (from_format.format == to_format.format && aspects == aspects_of(from_format)) {
    const uint32_t bytes = layout_of(from_format).bytes;
    return move_rows(c.cs, {at(from, bytes), from.row_bytes()}, {at(to, bytes), to.row_bytes()}, r.extent.width * bytes, r.extent.height);
  }
  for (const VkImageAspectFlagBits aspect : {VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
    if (!(aspects & aspect)) continue;
    const AspectPlace a = place_of(from_format, aspect), b = place_of(to_format, aspect);
    const Elements2D read{at(from, a.step) + a.offset, from.row_bytes(), a.step},
        written{at(to, b.step) + b.offset, to.row_bytes(), b.step};
    if (a.bytes == 4)
      move_dwords(c, read, written, r.extent.width, r.extent.height, b.keep, 0);
    else
      for (uint32_t i = 0; i < a.bytes; ++i)
        move_bytes(c, {read.address + i, read.pitch, read.step}, {written.address + i, written.pitch, written.step}, r.extent.width,
                   r.extent.height);
    c.barrier();
  }
}

void blit_plane(CommandBuffer& c, const MetaBlit& b) {
  VkSamplerCreateInfo s{};
  s.magFilter = s.minFilter = b.linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  s.addressModeU = s.addressModeV = s.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  std::array<uint32_t, 4> most{};
  const Layout l = layout_of(*b.to_format);
  for (uint32_t i = 0; i < l.count; ++i)
    if (const size_t at = std::string_view("rgba").find(l.component[i].channel); at != std::string_view::npos)
      most[at] = static_cast<uint32_t>((uint64_t{1} << (l.component[i].bits - (b.to_format->numeric == Numeric::sint))) - 1);
  const uint32_t push[] = {word(b.rect.offset.x),
                           word(b.rect.offset.y),
                           b.rect.extent.width,
                           b.rect.extent.height,
                           bits(b.origin[0]),
                           bits(b.origin[1]),
                           bits(b.origin[2]),
                           0,
                           bits(b.step[0]),
                           bits(b.step[1]),
                           bits(b.step[2]),
                           0,
                           most[0],
                           most[1],
                           most[2],
                           most[3],
                           b.keep[0],
                           b.keep[1]};
  const MetaProgram which = b.volume ? by_class(b.numeric, MetaProgram::blit3d, MetaProgram::blit3d_int, MetaProgram::blit3d_uint)
                                     : by_class(b.numeric, MetaProgram::blit, MetaProgram::blit_int, MetaProgram::blit_uint);
  run(c, which, b.from, plane_words(b.to, b.to_format->format), sampler_words(s), push, b.rect.extent.width, b.rect.extent.height);
}

void move_rows(Cs& cs, const Rows& from, const Rows& to, uint32_t row_bytes, uint32_t rows) {
  const bool straight = rows == 1 || (from.pitch == row_bytes && to.pitch == row_bytes);
  if (straight || !row_bytes || !rows) return copy_rows(cs, from, to, row_bytes, rows);
  cs.packet(pm4::Op::X_COPY_ROWS,
            {low(from.address), high(from.address), from.pitch, low(to.address), high(to.address), to.pitch, row_bytes, rows});
}

bool scale_plane(CommandBuffer& c, const MetaScale& m) {
  constexpr uint32_t kTexel = 4;
  const VkExtent2D size = m.rect.extent;
  if (!size.width || !size.height) return true;
  const hw::GpuAddress to = m.to.address + uint64_t{word(m.rect.offset.y)} * m.to.pitch_bytes + uint64_t{word(m.rect.offset.x)} * kTexel;
  const auto bytes = [&](const Plane& p, uint32_t width, uint32_t height) { return uint64_t{height - 1} * p.pitch_bytes + width * kTexel; };
  if (m.from.address < to + bytes(m.to, size.width, size.height) && to < m.from.address + bytes(m.from, m.from.width, m.from.height))
    return false;
  c.cs.packet(pm4::Op::X_SCALE,
              {low(m.from.address), high(m.from.address), m.from.pitch_bytes, (m.from.width - 1) | (m.from.height - 1) << 16, low(to),
               high(to), m.to.pitch_bytes, (size.width - 1) | (size.height - 1) << 16, bits(m.s), bits(m.s_step), bits(m.t), bits(m.t_step),
               uint32_t{m.linear} | uint32_t{m.swap} << 1});
  return true;
}

}  // namespace pumice::icd::r5x
