// SPDX-License-Identifier: MIT
/// Colour compare of the 2D engine (cp-pm4 s.3: CNTL_TRANS_BITBLT): pixels that keep the destination.
///
/// The document names the three dwords of the packet; addresses, functions and what they select are those of public drivers of these chips
/// (README: UNCONFIRMED): a copy with a transparent colour compares the source with function 4.
#pragma once
#include <cstdint>
#include <string>

#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw {

class Compare2d {
 public:
  using Control = regs::CLR_CMP_CNTL;

  Compare2d() = default;
  Compare2d(const ChipState& state, uint32_t pixel_mask) {
    const auto control = state.get<Control>();
    const auto master = state.get<regs::DP_GUI_MASTER_CNTL>();
    if (master.CLR_CMP_CNTL_DIS()) return;
    const uint32_t which = control.CLR_CMP_SRC();
    if (which != Control::CLR_CMP_SRC__DESTINATION) source_ = control.CLR_CMP_FCN_SRC();
    if (which != Control::CLR_CMP_SRC__SOURCE) destination_ = control.CLR_CMP_FCN_DST();
    mask_ = pixel_mask & (master.WR_MSK_DIS() ? 0xFFFFFFFFu : state.raw(regs::CLR_CMP_MASK::offset));
    source_color_ = state.raw(regs::CLR_CMP_CLR_SRC::offset);
    destination_color_ = state.raw(regs::CLR_CMP_CLR_DST::offset);
    reserved_which_ = which == 3 && (source_ || destination_);
  }

  bool active() const { return source_ || destination_; }
  bool reads_destination() const { return destination_ > Control::CLR_CMP_FCN_DST__TRUE; }
  /// What no document describes of it; empty: nothing. `has_source`: the operation has source pixels.
  std::string refusal(bool has_source) const {
    if (reserved_which_) return "CLR_CMP_CNTL.CLR_CMP_SRC 3 is reserved";
    if (!known(source_)) return "CLR_CMP_CNTL.CLR_CMP_FCN_SRC " + std::to_string(source_) + ": no document says what it computes";
    if (!known(destination_)) return "CLR_CMP_CNTL.CLR_CMP_FCN_DST " + std::to_string(destination_) + ": no document says what it computes";
    if (!has_source && source_ > Control::CLR_CMP_FCN_SRC__TRUE)
      return "CLR_CMP_CNTL.CLR_CMP_FCN_SRC " + std::to_string(source_) + " compares a source, the operation has none";
    return {};
  }
  bool keeps(uint32_t source, uint32_t destination) const {
    return holds(source_, source ^ source_color_) || holds(destination_, destination ^ destination_color_);
  }

 private:
  static bool known(uint32_t function) {
    return function <= Control::CLR_CMP_FCN_SRC__TRUE || function == Control::CLR_CMP_FCN_SRC__EQUAL ||
           function == Control::CLR_CMP_FCN_SRC__NOT_EQUAL;
  }
  bool holds(uint32_t function, uint32_t difference) const {
    switch (function) {
      case Control::CLR_CMP_FCN_SRC__TRUE: return true;
      case Control::CLR_CMP_FCN_SRC__EQUAL: return (difference & mask_) == 0;
      case Control::CLR_CMP_FCN_SRC__NOT_EQUAL: return (difference & mask_) != 0;
      default: return false;
    }
  }

  uint32_t source_ = 0, destination_ = 0, source_color_ = 0, destination_color_ = 0, mask_ = 0;
  bool reserved_which_ = false;
};

}  // namespace pumice::hw
