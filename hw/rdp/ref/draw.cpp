// SPDX-License-Identifier: MIT
/// See draw.h.
#include "hw/rdp/ref/draw.h"

#include "hw/rdp/ref/span.h"

namespace pumice::hw::rdp {
Fault check_draw(const State& state) {
  const SetOtherModes& m = state.modes;
  const uint32_t size = state.color_image.size;
  if (state.cycle_type() == kFill) {
    if (size == k4b) return Fault::fill_4bit_image;
    if (m.image_read_en() || m.z_compare_en()) return Fault::fill_with_read;
    if (m.z_update_en() && !m.z_source_sel()) return Fault::fill_with_z;
  } else if (state.cycle_type() == kCopy) {
    if (size == k32b) return Fault::copy_32bit_image;
    if (size == k4b) return Fault::copy_4bit_image;
  }
  return Fault::none;
}

const char* fault_text(Fault fault) {
  switch (fault) {
    case Fault::fill_4bit_image: return "fill mode into a 4-bit image";
    case Fault::fill_with_read: return "fill mode with image_read_en or z_compare_en";
    case Fault::fill_with_z: return "fill mode with z_update_en and pixel z";
    case Fault::copy_32bit_image: return "copy mode into a 32-bit image";
    case Fault::copy_4bit_image: return "copy mode into a 4-bit image";
    case Fault::load_4bit_image: return "load from a 4-bit image";
    case Fault::load_tlut_lines: return "load_tlut over more than one line";
    case Fault::load_tlut_image_size: return "load_tlut from an image that is not 16-bit";
    default: return "none";
  }
}

void draw_span(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next) {
  if (!span.valid || span.count == 0) return;
  switch (target.state.cycle_type()) {
    case kOneCycle: one_cycle_span(target, primitive, setup, span, next); break;
    case kTwoCycle: two_cycle_span(target, primitive, setup, span, next); break;
    case kCopy: copy_span(target, primitive, setup, span); break;
    default: fill_span(target, primitive, span); break;
  }
}

}  // namespace pumice::hw::rdp
