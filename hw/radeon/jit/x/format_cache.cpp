// SPDX-License-Identifier: MIT
/// See format_cache.h.
#include "hw/radeon/jit/x/format_cache.h"

#include <array>
#include <cstring>
#include <memory>

#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::fast::extended::format {

namespace {

using Words = std::array<uint32_t, 4>;

/// The last blocks of a thread, found by their bytes, so that nothing can be out of date.
template <uint8_t kFormat>
class Cache {
 public:
  const xt::Bits4& texel(const Words& block, uint32_t at) {
    Entry& e = entries_[(block[0] * 0x9E3779B1u ^ block[1] * 0x85EBCA77u ^ block[2] * 0xC2B2AE3Du ^ block[3] * 0x27D4EB2Fu) >> kShift];
    const uint32_t bit = 1u << at;
    if (e.block != block) e.block = block, e.known = 0;
    if (!(e.known & bit)) {
      e.known |= bit;
      e.texel[at] = xt::decode_texel(formats::info(kFormat), false, reinterpret_cast<const uint8_t*>(block.data()), at % 4, at / 4);
    }
    return e.texel[at];
  }

 private:
  static constexpr uint32_t kShift = 25;  ///< 128 entries
  struct Entry {
    Words block{};
    uint32_t known = 0;  ///< texels
    std::array<xt::Bits4, 16> texel;
  };
  std::array<Entry, 1u << (32 - kShift)> entries_;
};

template <uint8_t kFormat>
void decode(BlockTexels* t, BlockTexels*) {
  // Not in place: libraries that are loaded late have little room for what belongs to threads.
  thread_local const auto own = std::make_unique<Cache<kFormat>>();
  Cache<kFormat>& cache = *own;
  for (uint32_t l = 0; l < kLanes; ++l) {
    Words block;
    for (uint32_t i = 0; i < 4; ++i) std::memcpy(&block[i], &t->raw[i].v[l], 4);
    uint32_t at;
    std::memcpy(&at, &t->texel.v[l], 4);
    const xt::Bits4& c = cache.texel(block, at & 15u);
    for (uint32_t i = 0; i < 4; ++i) std::memcpy(&t->out[i].v[l], &c[i], 4);
  }
}

template <uint8_t kFormat>
const void* address() {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(decode<kFormat>));
}

}  // namespace

const void* block_decoder(const formats::Info& f) {
  if (f.code == formats::Code::bc7)
    return f.cls == formats::Class::srgb ? address<formats::BC7_SRGB_BLOCK>() : address<formats::BC7_UNORM_BLOCK>();
  return f.cls == formats::Class::sfloat ? address<formats::BC6H_SFLOAT_BLOCK>() : address<formats::BC6H_UFLOAT_BLOCK>();
}

}  // namespace pumice::hw::fast::extended::format
