// SPDX-License-Identifier: MIT
/// Code of a stage around and inside an extended program (docs/r5x.md s.5): what StageLink is to the reference. With it nothing of the
/// stage is a call.
#pragma once
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/jit/us/arithmetic.h"

namespace pumice::hw::fast::extended {

using us::Nan;
using us::Number;

/// What a program has exported, when it has ended. Lanes that did not export hold 0 (position: 0, 0, 0, 1; point size: 1).
struct Exports {
  std::array<uint8_t, hw::x::slot::count> mask{};  ///< components that the program exports somewhere
  std::array<std::array<Number, 4>, hw::x::slot::count> value{};
};

class StageCode {
 public:
  using Numbers = std::array<Number, 4>;
  /// The group while its code is made.
  struct Group {
    lane::Builder& b;
    lane::Mask exists, active, helpers;
    lane::Mask wanted;  ///< set by begin(): flow control runs for these alone; others run along where all lanes do
    lane::Label done;   ///< the end of the routine
    /// Bits with NaN as the reference has it.
    lane::Value bits(const Number& n) const;
  };
  virtual ~StageCode() = default;
  /// Before the first slot. The masks are those of GroupArgs and may be changed; labels may be placed (a loop over the program, say).
  /// Called once for every attempt to translate the program: what was kept from another one means nothing.
  virtual void begin(Group&) {}
  /// LDA, LDV, SYS but for 48. `active` is the lanes that ask; others may get anything. `helpers` has the discarded lanes.
  virtual Numbers attribute(Group& g, uint32_t /*number*/) { return zeros(g); }
  virtual Numbers varying(Group& g, uint32_t /*number*/, uint32_t /*mode*/, const Numbers& /*where*/) { return zeros(g); }
  virtual Numbers system(Group& g, uint32_t /*number*/) { return zeros(g); }
  /// Behind the last slot, unless the budget ran out. Discarded lanes (KILL) are `helpers`.
  virtual void end(Group& g, const Exports& exports) = 0;

 protected:
  static Numbers zeros(Group& g);
};

}  // namespace pumice::hw::fast::extended
