// SPDX-License-Identifier: MIT
/// See test.h. Fixed-point depth compares codes, float depth values.
#include "hw/radeon/ref/xz/test.h"

#include "hw/common/numerics/arithmetic.h"
#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::xz {
namespace {

template <class T>
bool compare(uint32_t func, T a, T b) {
  switch (func) {
    case 0: return false;
    case 1: return a < b;
    case 2: return a == b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a != b;
    case 6: return a >= b;
    default: return true;
  }
}

uint32_t operate(uint32_t op, uint32_t stored, uint32_t reference) {
  switch (op) {
    case 0: return stored;
    case 1: return 0;
    case 2: return reference;
    case 3: return stored < 255 ? stored + 1 : 255;
    case 4: return stored > 0 ? stored - 1 : 0;
    case 5: return ~stored & 255;
    case 6: return (stored + 1) & 255;
    default: return (stored - 1) & 255;
  }
}

}  // namespace

bool test(Memory& memory, const DepthTarget& target, const Sample& s) {
  if (target.passes_all()) return true;
  const xt::Image& image = target.image;
  if (s.x >= image.width || s.y >= image.height) return false;
  const formats::Info& f = formats::info(image.format);
  const uint64_t address = xt::address_of(image, xt::level_of(image, 0), image.first_layer + s.layer, s.x, s.y, 0, s.sample);
  std::array<uint8_t, 16> stored{}, fresh{};
  if (!memory.read(address, stored.data(), f.bytes)) return false;

  const xt::Bits4 old_depth = xt::decode_texel(f, false, stored.data(), 0, 0);  // a code where fixed
  const uint32_t old_stencil = target.has_stencil ? xt::decode_texel(f, true, stored.data(), 0, 0)[0] : 0;
  if (target.bounds_test) {
    const float z = num::from_bits(xt::finish_texel(xt::decoding_of(f, false), old_depth)[0]);
    if (!(num::flush_denormal(z) >= num::flush_denormal(target.bounds_min) &&
          num::flush_denormal(z) <= num::flush_denormal(target.bounds_max)))
      return false;
  }

  const StencilFace& face = target.face[s.back_facing];
  const uint32_t reference = s.own_reference ? s.reference : face.reference;
  const bool stencil_pass = !target.stencil_test || compare(face.func, reference & face.compare_mask, old_stencil & face.compare_mask);
  bool depth_pass = true;
  fresh = stored;
  if (target.has_depth) xt::encode_texel(f, false, {num::bits(num::flush_denormal(s.z)), 0, 0, 0}, fresh.data());
  if (stencil_pass && target.depth_test) {
    const float incoming = num::from_bits(xt::decode_texel(f, false, fresh.data(), 0, 0)[0]), old = num::from_bits(old_depth[0]);
    depth_pass = compare(target.depth_func, incoming, num::flush_denormal(old));  // codes are exact as floats
  }
  const bool pass = stencil_pass && depth_pass;
  if (!(pass && target.depth_write)) fresh = stored;
  if (target.stencil_test) {
    const uint32_t op = !stencil_pass ? face.fail : depth_pass ? face.pass : face.depth_fail;
    const uint32_t result = operate(op, old_stencil, reference);
    xt::encode_texel(f, true, {(old_stencil & ~uint32_t{face.write_mask}) | (result & face.write_mask), 0, 0, 0}, fresh.data());
  }
  memory.write(address, fresh.data(), f.bytes);
  return pass;
}

}  // namespace pumice::hw::xz
