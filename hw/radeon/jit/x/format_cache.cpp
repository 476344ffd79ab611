// SPDX-License-Identifier: MIT
/// See format_cache.h.
#include "hw/radeon/jit/x/format_cache.h"

#include <array>
#include <bitset>
#include <cstring>
#include <memory>

#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::fast::extended::format {

namespace {

/// A block by its format and bytes, so that entries cannot be stale.
struct Key {
  uint32_t format = 0;
  std::array<uint32_t, 4> bytes{};
  bool operator==(const Key&) const = default;
};

/// The last blocks of a thread of at most kTexels texels.
template <uint32_t kTexels, uint32_t kBits>
class Cache {
 public:
  const xt::Bits4& texel(const Key& key, uint32_t x, uint32_t y) {
    const auto& b = key.bytes;
    const uint32_t hash = (b[0] * 0x9E3779B1u ^ b[1] * 0x85EBCA77u ^ b[2] * 0xC2B2AE3Du ^ b[3] * 0x27D4EB2Fu) + key.format * 0x165667B1u;
    Entry& e = entries_[hash >> (32 - kBits)];
    if (e.key != key) e.key = key, e.known.reset();
    const formats::Info& f = formats::info(key.format);
    const uint32_t at = y * f.block_width + x;
    if (!e.known[at]) {
      e.known[at] = true;
      e.texel[at] = xt::decode_texel(f, false, reinterpret_cast<const uint8_t*>(b.data()), x, y);
    }
    return e.texel[at];
  }

 private:
  struct Entry {
    Key key;
    std::bitset<kTexels> known;
    std::array<xt::Bits4, kTexels> texel;
  };
  std::array<Entry, 1u << kBits> entries_;
};

struct Caches {
  Cache<16, 7> small;   ///< 4x4
  Cache<144, 5> large;  ///< up to 12x12
};

uint32_t bits(const Lanes& lanes, uint32_t l) {
  uint32_t v;
  std::memcpy(&v, &lanes.v[l], sizeof v);
  return v;
}

void decode(BlockTexels* t, BlockTexels*) {
  // On the heap: libraries loaded with dlopen have little static TLS.
  thread_local const auto caches = std::make_unique<Caches>();
  const formats::Info& f = formats::info(t->format);
  const bool is_small = f.block_width == 4 && f.block_height == 4;
  Key key{t->format, {}};
  for (uint32_t l = 0; l < kLanes; ++l) {
    for (uint32_t i = 0; i < f.bytes / 4u; ++i) key.bytes[i] = bits(t->raw[i], l);
    const uint32_t place = bits(t->place, l), x = (place & 255u) % f.block_width, y = (place >> 8) % f.block_height;
    const xt::Bits4& c = is_small ? caches->small.texel(key, x, y) : caches->large.texel(key, x, y);
    for (uint32_t i = 0; i < 4; ++i) std::memcpy(&t->out[i].v[l], &c[i], sizeof c[i]);
  }
}

}  // namespace

const void* block_decoder() { return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(decode)); }

}  // namespace pumice::hw::fast::extended::format
