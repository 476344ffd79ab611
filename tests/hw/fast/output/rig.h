// SPDX-License-Identifier: MIT
/// Two chips with the same registers and the same bytes in memory: the reference blocks draw on one, hw/radeon/fast/pixel on the other.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/pixel/output.h"

namespace pumice::hw::fast::test {

using Rng = std::mt19937;

class Arena {
 public:
  /// Four colour surfaces and one of depth, 64 KiB each, with a page that is not backed behind every one.
  static constexpr uint32_t kBase = 0x100000, kStride = 0x20000, kSize = 0x10000;
  static constexpr int kSurfaces = 5, kDepth = 4;

  Arena() {
    for (int i = 0; i < kSurfaces; ++i) memory->map(at(i), kSize);
  }
  static uint32_t at(int i) { return kBase + static_cast<uint32_t>(i) * kStride; }
  std::byte* host(int i) { return memory->host_pointer(at(i)); }

  std::unique_ptr<Memory> memory = Memory::create();
};

struct Rig {
  Arena reference, fast;
  OnChipRams reference_rams, fast_rams;
  std::unique_ptr<ChipState> state_storage = std::make_unique<ChipState>(Profile::r500);
  ChipState& state = *state_storage;
  Listener config;
  std::vector<std::string> reports;
  std::vector<uint32_t> noise;

  Rig() {
    config.on_report = [this](const Report& r) { reports.push_back(r.text); };
    Rng rng(1);
    noise.resize(Arena::kSize / 4);
    for (uint32_t& w : noise) w = rng();
  }

  /// Bytes of both memories: noise, other bytes for every `variant`.
  void fill(uint32_t variant) {
    for (int i = 0; i < Arena::kSurfaces; ++i) {
      const size_t cut = ((variant + static_cast<uint32_t>(i) * 977) * 4) % Arena::kSize;
      for (Arena* a : {&reference, &fast}) {
        std::memcpy(a->host(i), reinterpret_cast<const std::byte*>(noise.data()) + cut, Arena::kSize - cut);
        std::memcpy(a->host(i) + Arena::kSize - cut, noise.data(), cut);
      }
    }
    Rng rng(variant);
    const bool all_cleared = rng() % 4 == 0;
    for (uint32_t i = 0; i < OnChipRams::dwords(OnChipRam::zmask); ++i) {
      const uint32_t word = all_cleared ? 0 : static_cast<uint32_t>(rng()) & static_cast<uint32_t>(rng());
      for (OnChipRams* r : {&reference_rams, &fast_rams}) r->write(OnChipRam::zmask, i, word);
    }
    reference.memory->take_fault(), fast.memory->take_fault();
  }
  bool same_tiles() const {
    const uint32_t* a = reference_rams.words(OnChipRam::zmask).get();
    return std::equal(a, a + OnChipRams::dwords(OnChipRam::zmask), fast_rams.words(OnChipRam::zmask).get());
  }
  /// -1, or the surface where they differ; `byte` says where in it.
  int difference(size_t& byte) {
    for (int i = 0; i < Arena::kSurfaces; ++i) {
      if (std::memcmp(reference.host(i), fast.host(i), Arena::kSize) == 0) continue;
      for (byte = 0; reference.host(i)[byte] == fast.host(i)[byte];) ++byte;
      return i;
    }
    return -1;
  }
};

/// One block as the executor would bring it.
struct Block {
  int32_t x = 0, y = 0;
  LaneMask mask = 0;
  bool back_facing = false;
  Lanes z;
  Lanes color[4][4];
};

struct Outcome {
  LaneMask mask = 0;
  uint64_t zpass = 0;
  bool operator==(const Outcome&) const = default;
};

/// fog, depth, colour by the reference, quad by quad.
inline Outcome run_reference(DrawContext& ctx, const Block& b) {
  Outcome out;
  auto q = std::make_unique<PixelQuad>();
  for (int n = 0; n < 4; ++n) {
    auto mask = static_cast<uint8_t>(b.mask >> 4 * n & 15);
    if (!mask) continue;
    q->quad.x = b.x + 2 * (n & 1), q->quad.y = b.y + 2 * (n >> 1), q->quad.back_facing = b.back_facing;
    for (size_t i = 0; i < 4; ++i) {
      const size_t lane = 4 * static_cast<size_t>(n) + i;
      q->quad.z[i] = b.z.v[lane];
      for (size_t t = 0; t < 4; ++t)
        for (size_t c = 0; c < 4; ++c) q->color[t][i][c] = b.color[t][c].v[lane];
    }
    mask = fg::run(ctx, *q, mask);
    if (mask) mask = zb::test_and_write(ctx, q->quad, mask, q->quad.z);
    if (mask) rb3d::write(ctx, *q, mask);
    out.mask = static_cast<LaneMask>(out.mask | mask << 4 * n);
  }
  return out;
}

/// The block by reference: how vectors are passed as values depends on the instruction set (GCC's -Wpsabi).
inline Outcome run_fast(const output::State& s, const Block& before) {
  const FlushDenormals flush;
  Outcome out;
  Block b = before;
  LaneMask mask = output::fog_alpha(s, b.mask, b.z, b.color);
  if (mask) mask = output::depth_stencil(s, b.x, b.y, mask, b.z, b.back_facing, out.zpass);
  output::color(s, b.x, b.y, mask, b.color);
  out.mask = mask;
  return out;
}

inline float any_float(Rng& rng) {
  switch (rng() % 16) {
    case 0: return std::bit_cast<float>(static_cast<uint32_t>(rng()));
    case 1: return std::bit_cast<float>(static_cast<uint32_t>(rng()) & 0x807FFFFFu);  // zero, denormals
    case 2: return std::bit_cast<float>(0x7F800000u | (static_cast<uint32_t>(rng()) & 0x80000001u));
    case 3: return -static_cast<float>(rng()) * 0x1p-32f;
    case 4: return static_cast<float>(rng()) * 0x1p-24f;
    case 5: return static_cast<float>(rng() % 3) * 0.5f;
    case 6: return static_cast<float>(rng() % 256) / 255.0f;
    case 7: return static_cast<float>(rng() % 511) / 510.0f;
    case 8: return std::bit_cast<float>((static_cast<uint32_t>(rng()) & 0x80FFFFFFu) | 0x00800000u);  // the smallest normal ones
    default: return static_cast<float>(rng()) * 0x1p-32f;
  }
}

}  // namespace pumice::hw::fast::test
