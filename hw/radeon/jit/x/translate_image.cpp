// SPDX-License-Identifier: MIT
/// Image and texel buffer slots whose descriptors the code names (docs/r5x.md s.4, hw/radeon/ref/us/image.cpp).
#include <algorithm>

#include "hw/radeon/jit/x/image.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::SubOp;
using isa::us_r500::XOp;

/// False: the reference's code executes the slot.
bool Translator::image(const Instruction& x) {
  const auto use = image_use(x);
  if (!use || images_.empty()) return false;
  const auto found = std::find_if(image_uses_.begin(), image_uses_.end(), [&](const ImageUse& u) { return u.descriptor == *use; });
  const auto number = size_t(found - image_uses_.begin());
  const ImageKey& key = images_[number];
  if (!key.native) return false;
  const isa::us_r500::Extended& e = x.tex.x;
  const bool is_texel_buffer = key.dim == xt::Dim::buffer;
  if ((e.op == XOp::FETCH || e.op == XOp::QSIZE) && !is_texel_buffer) return false;
  const std::optional<lane::Op> op = e.op == XOp::ATI ? atomic_op(e) : std::nullopt;
  const std::optional<lane::Atomic64> wide_op = e.op == XOp::ATI ? atomic_64_op(e) : std::nullopt;
  if (e.op == XOp::ATI && !op && !wide_op) return false;

  const lane::Pointer views = b_.pointer(lane::kArgs, offsetof(GroupArgs, images));
  ImageCode code(b_, key, views, uint32_t(number * sizeof(ImageView)),
                 writes_memory_ ? Builder::Memory::changes : Builder::Memory::unchanging);
  const auto integers = [&](const isa::us_r500::Port& port) {
    const Values from = read_port(port);
    ImageCode::Values v;
    for (uint32_t c = 0; c < 4; ++c) v[c] = bits(from[c]);
    return v;
  };
  const auto results = [&](const ImageCode::Values& v) {
    Values out;
    for (uint32_t c = 0; c < 4; ++c) out[c] = {v[c]};
    write_port(x, out);
  };
  ImageCode::Values coord = integers(x.tex.source);
  const auto effects = [&] { return b_.mask_andnot(read_mask(helpers()), acting(x)); };
  switch (e.op) {
    case XOp::LDI: results(code.load(coord, live(x))); break;
    case XOp::STI: code.store(coord, integers(x.tex.dx), effects()); break;
    case XOp::ATI: {
      ImageCode::Values expected;
      expected.fill(zero());
      if (SubOp(e.sub) == SubOp::COMPARE_EXCHANGE) expected = integers(x.tex.dy);
      const ImageCode::Values value = integers(x.tex.dx);
      if (wide_op) {
        const auto old = code.atomic(*wide_op, coord, {value[0], value[1]}, {expected[0], expected[1]}, effects());
        results({old[0], old[1], zero(), zero()});
      } else {
        results({code.atomic(*op, coord, value[0], expected[0], effects()), zero(), zero(), zero()});
      }
      break;
    }
    case XOp::FETCH:
      if (e.offset) coord[0] = b_.iadd(coord[0], b_.sar(b_.shl(integers(x.tex.dy)[3], 24), 24));
      results(code.fetch(coord, integers(x.tex.dx)[0], live(x)));
      break;
    default: results(code.query_size());
  }
  return true;
}

}  // namespace pumice::hw::fast::extended
