// SPDX-License-Identifier: MIT
#include "compiler/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace pumice::compiler {
namespace {

constexpr std::array<uint64_t, 8> kInit = {0x6A09E667F3BCC908u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u,
                                           0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu, 0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u};
constexpr uint8_t kSigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

uint64_t load64(const uint8_t* p) {
  if constexpr (std::endian::native == std::endian::little) {
    uint64_t v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  uint64_t v = 0;
  for (int i = 7; i >= 0; --i) v = v << 8 | p[i];
  return v;
}

}  // namespace

Hasher::Hasher() : state_(kInit) {
  state_[0] ^= 0x01010000u ^ sizeof(Digest);  // fan-out 1, depth 1, no key
}

void Hasher::block(const uint8_t* bytes, bool last) {
  uint64_t m[16], v[16];
  for (int i = 0; i < 16; ++i) m[i] = load64(bytes + 8 * i);
  std::copy(state_.begin(), state_.end(), v);
  std::copy(kInit.begin(), kInit.end(), v + 8);
  v[12] ^= total_;
  if (last) v[14] = ~v[14];
  const auto mix = [&](int a, int b, int c, int d, uint64_t x, uint64_t y) __attribute__((always_inline)) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
  };
  // Each round written out with its own order of the words: half the time of loops.
  const auto rounds = [&]<size_t... kRound>(std::index_sequence<kRound...>) {
    const auto round = [&]<size_t kOrder>(std::integral_constant<size_t, kOrder>) {
      constexpr const uint8_t(&s)[16] = kSigma[kOrder];
      mix(0, 4, 8, 12, m[s[0]], m[s[1]]);
      mix(1, 5, 9, 13, m[s[2]], m[s[3]]);
      mix(2, 6, 10, 14, m[s[4]], m[s[5]]);
      mix(3, 7, 11, 15, m[s[6]], m[s[7]]);
      mix(0, 5, 10, 15, m[s[8]], m[s[9]]);
      mix(1, 6, 11, 12, m[s[10]], m[s[11]]);
      mix(2, 7, 8, 13, m[s[12]], m[s[13]]);
      mix(3, 4, 9, 14, m[s[14]], m[s[15]]);
    };
    (round(std::integral_constant<size_t, kRound % 10>{}), ...);
  };
  rounds(std::make_index_sequence<12>{});
  for (int i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

void Hasher::add(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    // Whole blocks from where they are; the last one waits in the buffer.
    if (used_ == 0 && bytes.size() > buffer_.size()) {
      total_ += buffer_.size();
      block(bytes.data(), false);
      bytes = bytes.subspan(buffer_.size());
      continue;
    }
    // A full buffer waits: it may be the last block.
    if (used_ == buffer_.size()) {
      total_ += used_;
      block(buffer_.data(), false);
      used_ = 0;
    }
    const size_t n = std::min(bytes.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, bytes.data(), n);
    used_ += n;
    bytes = bytes.subspan(n);
  }
}

Digest Hasher::finish() {
  std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.end(), uint8_t{0});
  total_ += used_;
  block(buffer_.data(), true);
  Digest out;
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint8_t>(state_[i / 8] >> (8 * (i % 8)));
  return out;
}

Digest digest(std::span<const uint8_t> bytes) {
  Hasher h;
  h.add(bytes);
  return h.finish();
}

Digest digest(std::span<const uint32_t> words) {
  Hasher h;
  if constexpr (std::endian::native == std::endian::little) {
    h.add({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4});
  } else {
    for (uint32_t w : words) {
      const uint8_t b[4] = {static_cast<uint8_t>(w), static_cast<uint8_t>(w >> 8), static_cast<uint8_t>(w >> 16),
                            static_cast<uint8_t>(w >> 24)};
      h.add(b);
    }
  }
  return h.finish();
}

}  // namespace pumice::compiler
