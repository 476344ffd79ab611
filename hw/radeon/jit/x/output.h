// SPDX-License-Identifier: MIT
/// Colour output of extended draws in the lane IR (docs/r5x.md, section 7): blending, logic operations, write masks, to the bit as
/// hw/radeon/ref/xb. One sample of 16 lanes.
#pragma once
#include <optional>

#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/jit/x/format.h"

namespace pumice::hw::fast::extended::output {

using format::Color;
using format::Raw;
using lane::Builder;

/// The state that the code depends on; addresses, extents and constants are read at run time.
struct Key {
  uint8_t format = 0;  ///< 0: nothing is written
  uint8_t write_mask = 0;
  bool blend = false, logic = false;
  uint8_t logic_op = 0;
  xb::BlendEquation color, alpha;
  bool operator==(const Key&) const = default;
};
/// Normalized: keys of equal code are equal.
Key key_of(const xb::Target& target);
inline bool writes(const Key& k) { return k.format != 0; }
/// The operands that combine() reads: the stored texel (also to keep masked components), the second source, the blend constant.
bool reads_stored(const Key& k);
bool reads_second(const Key& k);
bool reads_constant(const Key& k);

/// The texel to store for `source` (raw bits, integers or floats by the format's class, NaN bits exact). Operands that the key does not
/// read may be empty. `constant`: X_CB_CONSTANT as it is in the registers.
Raw combine(Builder& b, const Key& k, const Raw& stored, const Color& source, const Color& second, const Color& constant);
/// The same in memory: loads where needed, combines, stores. `offset`: bytes of each lane's sample in the buffer; lanes of `m` must lie
/// inside the target.
void write_target(Builder& b, const Key& k, lane::Buffer buffer, lane::Value offset, lane::Mask m, const Color& source, const Color& second,
                  const Color& constant, format::Layout layout = format::Layout::any);

}  // namespace pumice::hw::fast::extended::output
