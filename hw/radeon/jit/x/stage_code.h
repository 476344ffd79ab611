// SPDX-License-Identifier: MIT
/// Code of a stage around and inside an extended program (docs/r5x.md s.5), the counterpart of the reference's StageLink. With it a stage
/// needs no calls.
#pragma once
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/jit/us/arithmetic.h"

namespace pumice::hw::fast::extended {

using us::Nan;
using us::Number;

/// The exports of a program after its end. Lanes that did not export hold 0 (position: 0, 0, 0, 1; point size: 1).
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
    lane::Mask wanted;  ///< set by begin(): the lanes that flow control considers; others execute only where all lanes do
    lane::Label done;   ///< the end of the routine
    lane::Label loop;   ///< set by begin() if it begins a loop over the program: its label
    /// The bits, with NaN in the reference's form.
    lane::Value bits(const Number& n) const;
  };
  virtual ~StageCode() = default;
  /// Before the first slot. The masks are those of GroupArgs and may be changed; labels may be placed (a loop over the program, say).
  /// Called once per attempt to translate the program: values kept from an earlier attempt are invalid.
  virtual void begin(Group&) {}
  /// LDA, LDV, SYS except 48. `active`: the lanes that execute the slot; the result is undefined in others. `helpers` has the discarded
  /// lanes.
  virtual Numbers attribute(Group& g, uint32_t /*number*/) { return zeros(g); }
  virtual Numbers varying(Group& g, uint32_t /*number*/, uint32_t /*mode*/, const Numbers& /*where*/) { return zeros(g); }
  virtual Numbers system(Group& g, uint32_t /*number*/) { return zeros(g); }
  /// After the last slot, unless the budget ran out. Discarded lanes (KILL) are `helpers`.
  virtual void end(Group& g, const Exports& exports) = 0;

 protected:
  static Numbers zeros(Group& g);
};

}  // namespace pumice::hw::fast::extended
