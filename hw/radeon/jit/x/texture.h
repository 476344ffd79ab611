// SPDX-License-Identifier: MIT
/// Textures that a program names in its code: the part of their descriptors that is compiled in (TextureKey), and the part read at run time
/// (TextureView). The lookups themselves: texture_code.h.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "hw/common/simd/lanes.h"
#include "hw/db/isa_us_r500.h"
#include "hw/radeon/decode/xt/descriptor.h"

namespace pumice::hw::fast::extended {

/// Descriptors of an XT slot, none of which a register chooses.
struct TextureUse {
  isa::us_r500::Selector image, sampler;
  bool has_sampler = false;
  bool operator==(const TextureUse&) const = default;
};

/// nullopt: not an XT slot, or a register selects a descriptor.
std::optional<TextureUse> texture_use(const isa::us_r500::Instruction& x);
/// The uses of a program, each once, in the order of their first slots.
std::vector<TextureUse> texture_uses(std::span<const isa::us_r500::Instruction> code);

/// The properties that a routine is compiled for. Properties without effect keep their defaults, so that more textures share a routine.
struct TextureKey {
  bool native = false;  ///< else the reference's code executes the slots
  uint8_t format = 0;   ///< 0: null descriptor
  bool stencil = false;
  xt::Dim dim = xt::Dim::d2;
  std::array<uint8_t, 4> swizzle{};
  bool mips = false;  ///< the view has more levels than one
  uint8_t samples_log2 = 0;
  std::array<bool, 3> power_of_two{};  ///< extents, where the address mode repeats
  bool mag_linear = false, min_linear = false;
  bool mip_off = false, mip_linear = false;
  bool bias = false;   ///< of the sampler
  uint8_t probes = 0;  ///< most probes of an anisotropic lookup; 0: not anisotropic
  bool seams = false;  ///< of cubes
  xt::Reduction reduction = xt::Reduction::average;
  std::array<xt::Address, 3> address{};
  xt::Compare compare = xt::Compare::never;
  xt::Border border = xt::Border::transparent_black;
  auto operator<=>(const TextureKey&) const = default;
  /// Its part of a routine's key, in dwords.
  std::array<uint32_t, 3> words() const;
};

inline constexpr uint32_t kTextureLevels = 16;
static_assert(kTextureLevels == kLanes);

/// An entry of GroupArgs::textures. Tables are by level of the view.
struct alignas(64) TextureView {
  const void* base = nullptr;  ///< first layer and level 0 of the image; 4-byte aligned
  uint32_t layer_pitch = 0;    ///< bytes; for cubes the distance between whole cubes
  uint32_t layers = 0;         ///< of the view; faces of cubes count as layers
  float last_layer = 0;        ///< largest layer coordinate; whole cubes
  float min_lod = 0, max_lod = 0;
  float bias = 0;
  float top = 0;  ///< last level of the view
  uint32_t top_level = 0;
  uint32_t face_pitch = 0;
  uint32_t size_layers = 0;  ///< of QSIZE
  float border[4] = {};      ///< codes, of Border::custom
  // Of images whose blocks are kept (block_cache.h):
  uint32_t first_slot = 0;           ///< of the block at `base`
  uint32_t first_block = 0;          ///< its number among the blocks of all textures
  alignas(64) Lanes extent[3];       ///< factor of coordinates: 1 for unnormalized ones
  Lanes steps[3];                    ///< the same in steps of weights, of 256
  Lanes inverse[3];                  ///< 1 / size
  Lanes last[3];                     ///< size - 1, integers; 0 where the dimension lacks the axis
  Lanes pitch, slice_pitch, offset;  ///< bytes
};

/// `sampler` may be null.
TextureKey texture_key(const xt::Image& image, const xt::Sampler* sampler);
/// `base`: host address of the image's base. Only of native keys.
void fill_view(TextureView& view, const xt::Image& image, const xt::Sampler* sampler, const void* base);

}  // namespace pumice::hw::fast::extended
