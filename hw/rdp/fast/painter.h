// SPDX-License-Identifier: MIT
/// The SIMD path as seen from outside: draws primitives, one after another. Keeps what it worked out for a state, and the lanes.
#pragma once
#include <memory>

#include "hw/rdp/fast/primitive.h"
#include "hw/rdp/ref/draw.h"

namespace pumice::hw::rdp::fast {

class Painter {
 public:
  /// False if the SIMD path does not know this mode.
  bool draw(const DrawTarget& target, const rdp::Primitive& primitive, Execution execution, LineRange lines);

 private:
  void prepare_mode(const DrawTarget& target);
  void prepare_combiner(const State& s);
  void prepare_texture(const State& s);
  void prepare_output(const DrawTarget& target);
  void prepare_edges(const State& s, const rdp::Primitive& p);
  void prepare_attributes(const State& s, const rdp::Primitive& p);

  uint64_t version_ = 0;
  const uint8_t* memory_ = nullptr;
  bool known_ = false;
  Mode mode_{};
  Shape shape_{};
  std::unique_ptr<Chunk> chunk_;
};

}  // namespace pumice::hw::rdp::fast
