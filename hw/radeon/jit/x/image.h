// SPDX-License-Identifier: MIT
/// Images and texel buffers that a program names in its code, for LDI, STI, ATI and for FETCH and QSIZE of texel buffers: the part of their
/// descriptors that is compiled in (ImageKey), the part read at run time (ImageView), and the accesses as lane IR (ImageCode;
/// hw/radeon/ref/xt/lookup.cpp is the specification).
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/jit/x/format.h"

namespace pumice::hw::fast::extended {

/// A descriptor that no register chooses.
struct ImageUse {
  isa::us_r500::Selector descriptor;
  bool writes = false;  ///< by any slot of the program
};

/// nullopt: not a slot that ImageCode handles.
std::optional<isa::us_r500::Selector> image_use(const isa::us_r500::Instruction& x);
/// The uses of a program, each once, in the order of their first slots.
std::vector<ImageUse> image_uses(std::span<const isa::us_r500::Instruction> code);

/// The properties that a routine is compiled for.
struct ImageKey {
  bool native = false;  ///< else the reference's code executes the slots
  bool stencil = false;
  uint8_t format = 0;  ///< 0: null descriptor
  uint8_t samples_log2 = 0;
  xt::Dim dim = xt::Dim::d2;
  bool operator==(const ImageKey&) const = default;
  /// Its part of a routine's key.
  uint32_t word() const;
};

/// An entry of GroupArgs::images: the first level of the view. Pitches are bytes.
struct ImageView {
  lane::BufferView texels;
  uint32_t size[3] = {};
  uint32_t layers = 0;   ///< faces count as layers
  uint32_t element = 0;  ///< xt::Image::element
  uint32_t sample_pitch = 0, row_pitch = 0, slice_pitch = 0, layer_pitch = 0;
};

/// Native where the view's bytes fit into a buffer (4 GiB) and are aligned to the format's unit. Null descriptors are.
ImageKey image_key(const xt::Image& image);
/// Size of the view in bytes from its first texel, whose address goes to `begin`. For native keys only.
uint64_t image_bytes(const xt::Image& image, uint64_t& begin);
/// `base`: host address of `begin`.
ImageView image_view(const xt::Image& image, const void* base);

class ImageCode {
 public:
  using Builder = lane::Builder;
  using Value = lane::Value;
  using Mask = lane::Mask;
  using Values = std::array<Value, 4>;

  /// The view is at `views` + `at`. `memory`: whether the program changes memory.
  ImageCode(Builder& b, const ImageKey& key, lane::Pointer views, uint32_t at, Builder::Memory memory)
      : b_(b), k_(key), format_(formats::info(key.format)), views_(views), at_(at), memory_(memory), texels_(b.buffer(views, at)) {}

  /// As xt::load of lanes in `m`; 0 elsewhere and outside of the image.
  Values load(const Values& coord, Mask m);
  void store(const Values& coord, const Values& value, Mask m);
  /// As ATI on integers. Returns the previous value; 0 outside of the image and for formats that are not 32 bits.
  Value atomic(lane::Op op, const Values& coord, Value value, Value expected, Mask m);
  /// The same of 64 bits, low words first.
  std::array<Value, 2> atomic(lane::Atomic64 op, const Values& coord, std::array<Value, 2> value, std::array<Value, 2> expected, Mask m);
  /// As xt::fetch of a texel buffer.
  Values fetch(const Values& coord, Value level, Mask m);
  /// As xt::query_size of a texel buffer.
  Values query_size();

 private:
  struct Place {
    Value offset;
    Mask inside;
  };
  Value member(size_t at) { return b_.splat(views_, at_ + uint32_t(at)); }
  Value zero() { return b_.constant_bits(0); }
  Place locate(const Values& coord);

  Builder& b_;
  const ImageKey& k_;
  const formats::Info& format_;
  const lane::Pointer views_;
  const uint32_t at_;
  const Builder::Memory memory_;
  const lane::Buffer texels_;
};

}  // namespace pumice::hw::fast::extended
