// SPDX-License-Identifier: MIT
/// The stage's part of vertex programs: attributes from fetched dwords, system values, exports to rows (docs/r5x.md s.5).
#pragma once
#include "hw/radeon/fast/extended/routine.h"
#include "hw/radeon/fast/extended/vertex_args.h"

namespace pumice::hw::fast::extended {

class VertexCode final : public StageCode {
 public:
  /// `used`: attributes that the program reads (a mask). `varyings`: mask of those that are read; others need not be computed.
  VertexCode(const ChipState& state, uint32_t used, uint32_t varyings);
  /// False: a format without a code generator.
  bool usable() const { return usable_; }
  /// The state that the code depends on, besides the program.
  const Routines::Words& key() const { return key_; }

  struct Attribute {
    uint8_t format = 0;
    uint8_t bytes = 0;  ///< 0: nothing is fetched, it is 0, 0, 0, 1
    uint8_t row = 0;    ///< its dwords are VertexArgs::fetched[row..]
  };
  const Attribute& attribute_of(uint32_t number) const { return attribute_[number]; }

  // StageCode
  Numbers attribute(Group& g, uint32_t number) override;
  Numbers system(Group& g, uint32_t number) override;
  void end(Group& g, const Exports& exports) override;

 private:
  const uint32_t varyings_;
  std::array<Attribute, kAttributes> attribute_{};
  Routines::Words key_;
  bool usable_ = true;
};

}  // namespace pumice::hw::fast::extended
