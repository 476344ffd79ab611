// SPDX-License-Identifier: MIT
/// See wide_lanes.h. The frequent operations on vectors: words of lanes are brought beside each other by quads, as zip_low
/// and zip_high of the lane IR do; the rest lane by lane with the reference's arithmetic.
#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/extended/wide_lanes.h"
#include "hw/radeon/ref/us/wide.h"

namespace pumice::hw::fast::extended::PUMICE_SIMD {
namespace {

using hw::us::wide::WideOp;

// What one register has: the compiler takes larger vectors apart into scalars.
#if defined(__AVX2__)
constexpr int kBytes = 32;
#define ZIP_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define ZIP_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define UNZIP_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define UNZIP_ODD 1, 3, 9, 11, 5, 7, 13, 15
#else
constexpr int kBytes = 16;
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#define UNZIP_EVEN 0, 2, 4, 6
#define UNZIP_ODD 1, 3, 5, 7
#endif
typedef double Reals __attribute__((vector_size(kBytes)));
typedef int64_t Numbers __attribute__((vector_size(kBytes)));
typedef uint32_t Words __attribute__((vector_size(kBytes)));
/// Lanes of a Words.
constexpr int kStep = kBytes / 4;

/// Numbers of kStep lanes.
struct Wide {
  Reals half[2];
};

Words words_at(const Lanes& row, int lane) {
  Words w;
  __builtin_memcpy(&w, row.v + lane, sizeof w);
  return w;
}
Wide load(const Lanes* row, int lane) {
  const Words a = words_at(row[0], lane), b = words_at(row[1], lane);
  return {{std::bit_cast<Reals>(__builtin_shufflevector(a, b, ZIP_LOW)), std::bit_cast<Reals>(__builtin_shufflevector(a, b, ZIP_HIGH))}};
}
void store(Numbers first, Numbers second, Lanes* row, int lane) {
  const Words a = std::bit_cast<Words>(first), b = std::bit_cast<Words>(second);
  const Words even = __builtin_shufflevector(a, b, UNZIP_EVEN), odd = __builtin_shufflevector(a, b, UNZIP_ODD);
  __builtin_memcpy(row[0].v + lane, &even, sizeof even);
  __builtin_memcpy(row[1].v + lane, &odd, sizeof odd);
}

Numbers pick(Numbers mask, Numbers a, Numbers b) { return (mask & a) | (~mask & b); }
/// With the NaN that operations return.
Numbers number(Reals x) { return pick(Numbers(x == x), Numbers(x), Numbers{} + int64_t(hw::us::wide::kNan)); }
Numbers truth(Numbers mask) { return mask & 0xFFFFFFFF; }

template <class F>
void each(GroupArgs& args, uint32_t c, F f) {
  for (int l = 0; l < kLanes; l += kStep) {
    const Wide x = load(&args.temp[0][c], l), y = load(&args.temp[1][c], l), z = load(&args.temp[2][c], l);
    store(f(x.half[0], y.half[0], z.half[0]), f(x.half[1], y.half[1], z.half[1]), &args.out[c], l);
  }
}

void one_by_one(GroupArgs& args, WideOp op, uint32_t c) {
  for (uint32_t l = 0; l < kLanes; ++l) {
    const auto operand = [&](uint32_t n) {
      const auto word = [&](uint32_t i) { return uint64_t{std::bit_cast<uint32_t>(args.temp[n][c + i].v[l])}; };
      return word(1) << 32 | word(0);
    };
    const uint64_t r = hw::us::wide::evaluate(op, operand(0), operand(1), operand(2));
    args.out[c].v[l] = std::bit_cast<float>(uint32_t(r)), args.out[c + 1].v[l] = std::bit_cast<float>(uint32_t(r >> 32));
  }
}

void compute(GroupArgs& args, WideOp op, uint32_t c) {
  switch (op) {
    case WideOp::DADD: return each(args, c, [](Reals a, Reals b, Reals) { return number(a + b); });
    case WideOp::DMUL: return each(args, c, [](Reals a, Reals b, Reals) { return number(a * b); });
    case WideOp::DDIV: return each(args, c, [](Reals a, Reals b, Reals) { return number(a / b); });
    case WideOp::DLT: return each(args, c, [](Reals a, Reals b, Reals) { return truth(a < b); });
    case WideOp::DGE: return each(args, c, [](Reals a, Reals b, Reals) { return truth(a >= b); });
    case WideOp::DEQ: return each(args, c, [](Reals a, Reals b, Reals) { return truth(a == b); });
    case WideOp::DMIN:
      return each(args, c, [](Reals a, Reals b, Reals) {
        return pick(a != a, number(b), pick((b != b) | (a < b), number(a), number(b)));
      });
    case WideOp::DMAX:
      return each(args, c, [](Reals a, Reals b, Reals) {
        return pick(a != a, number(b), pick((b != b) | (a > b), number(a), number(b)));
      });
#if defined(__FMA__)
    case WideOp::DFMA:
      return each(args, c, [](Reals a, Reals b, Reals d) {
        Reals sum;
        for (int i = 0; i < kStep / 2; ++i) sum[i] = __builtin_fma(a[i], b[i], d[i]);
        return number(sum);
      });
#endif
    default: return one_by_one(args, op, c);
  }
}

}  // namespace

void wide_lanes(GroupArgs* args, GroupArgs*) {
  const OrdinaryFloats ordinary;
  // Arithmetic must not move out of it.
  void (*volatile call)(GroupArgs&, WideOp, uint32_t) = compute;
  for (uint32_t c = 0; c <= (args->wide >> 8) * 2; c += 2) call(*args, WideOp(args->wide & 255u), c);
}

}  // namespace pumice::hw::fast::extended::PUMICE_SIMD
