// SPDX-License-Identifier: MIT
/// Draws one primitive: the scalar reference. Chooses the pipeline by cycle type.
#pragma once
#include "hw/rdp/ref/edge.h"
#include "hw/rdp/ref/rdram.h"
#include "hw/rdp/ref/state.h"
#include "hw/rdp/ref/tmem.h"

namespace pumice::hw::rdp {

/// What the chip would hang on. The model drops the command, reports it and goes on.
enum class Fault : uint8_t {
  none,
  fill_4bit_image,
  fill_with_read,
  fill_with_z,
  copy_32bit_image,
  copy_4bit_image,
  load_4bit_image,
  load_tlut_lines,
  load_tlut_image_size
};

const char* fault_text(Fault fault);

/// What became of a pixel that a primitive covers. Copy mode's alpha compare counts as alpha.
enum class Fate : uint8_t { written, failed_depth, failed_alpha, without_coverage };

/// The reference's callbacks for each pixel, for tools that inspect a draw.
class PixelWatcher {
 public:
  virtual void pixel(int x, int y, Fate fate) = 0;

 protected:
  ~PixelWatcher() = default;
};

struct DrawTarget {
  const State& state;
  const Tmem& tmem;
  Rdram& ram;
  PixelWatcher* watcher = nullptr;
  void tell(int x, int y, Fate fate) const {
    if (watcher) watcher->pixel(x, y, fate);
  }
};

/// The scalar reference, or the SIMD path with the reference as fallback for unsupported modes. simd_base uses only the base instruction
/// set and simd_avx2 nothing beyond AVX2, for tests.
enum class Execution : uint8_t { reference, simd, simd_base, simd_avx2 };
/// Whether this processor can run it: what it cannot run must not be set.
bool available(Execution execution);

/// What drawing with this state would hang on.
Fault check_draw(const State& state);

/// Scanlines, both ends included.
struct LineRange {
  int first = 0, last = INT32_MAX;
};

/// One span by the scalar reference, in the pipeline of the cycle type.
void draw_span(const DrawTarget& target, const Primitive& primitive, const struct SpanSetup& setup, const Span& span, const Span& next);

/// The pipelines, each for one span. `next` is the following scanline of the primitive.
void fill_span(const DrawTarget& target, const Primitive& primitive, const Span& span);
void copy_span(const DrawTarget& target, const Primitive& primitive, const struct SpanSetup& setup, const Span& span);
void one_cycle_span(const DrawTarget& target, const Primitive& primitive, const struct SpanSetup& setup, const Span& span,
                    const Span& next);
void two_cycle_span(const DrawTarget& target, const Primitive& primitive, const struct SpanSetup& setup, const Span& span,
                    const Span& next);

}  // namespace pumice::hw::rdp
