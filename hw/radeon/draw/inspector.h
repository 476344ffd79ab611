// SPDX-License-Identifier: MIT
/// Reports of the scalar reference about a draw while it computes it: DrawContext::inspector. Null, which it is everywhere but in
/// pumice-replay, costs a test per step. The objects are those that the reference works on: valid during the call, and only to be read.
#pragma once
#include <span>

#include "hw/radeon/draw/draw.h"

namespace pumice::isa::us_r500 {
struct Instruction;
}

namespace pumice::hw {

namespace sc {
struct Scan;
}
namespace us {
struct Thread;
}

/// One vertex instruction that has been executed.
struct PvsStep {
  uint32_t pc = 0;                ///< slot
  int32_t loop_index = 0;         ///< aL
  bool skipped = false;           ///< by its predicate
  std::array<Vec4, 3> operand{};  ///< after swizzle and modifiers; those beyond what the operation has mean nothing
  bool dual = false;              ///< a math operation beside it, with
  Vec4 dual_operand{}, dual_value{};
  uint32_t file = 0;  ///< PVS_INST_DST.PVS_DST_REG_TYPE
  int32_t index = 0;  ///< of the destination, address register added
  uint8_t mask = 0;   ///< components that it writes
  Vec4 value{};       ///< of the destination afterwards
};

/// The level of detail of one pixel's fetch.
struct LookupStep {
  uint32_t pixel = 0;  ///< of the quad
  Vec4 coordinate{};   ///< after projection; cube: the direction
  float lambda = 0;
  uint32_t level0 = 0, level1 = 0;
  float weight1 = 0;    ///< of level1
  uint32_t probes = 1;  ///< of the anisotropic filter
  uint32_t filter = 0;  ///< TX_FILTER0.MIN_FILTER code
};

/// A texel that a fetch read.
struct TexelStep {
  uint32_t level = 0;
  int32_t x = 0, y = 0, layer = 0;  ///< layer: cube face or slice
  bool border = false;              ///< the border colour instead
  double weight = 0;                ///< in the result of the filter
  Vec4 value{};                     ///< C0..C3 as numbers
};

enum class PixelStage : uint8_t { depth, shader, fog_alpha, color };

class Inspector {
 public:
  virtual ~Inspector() = default;

  /// A vertex is shaded: its stream of dwords after the fetch, the program's inputs; each instruction; the outputs.
  virtual void vertex(const DrawContext&, uint32_t /*number*/, std::span<const uint32_t> /*stream*/, std::span<const Vec4> /*inputs*/) {}
  virtual void vertex_step(const PvsStep&) {}
  virtual void vertex_done(const DrawContext&, std::span<const Vec4> /*outputs*/) {}

  /// A primitive enters GA; then each of its shapes that SC may cover pixels of.
  virtual void primitive(const DrawContext&, const Primitive&) {}
  virtual void shape(const DrawContext&, const Shape&, const sc::Scan&) {}

  /// RS has filled the registers of a quad. The stages of that quad follow.
  virtual void quad(const DrawContext&, const PixelQuad&) {}
  /// mask: pixels, by sample, that enter and leave the stage. `z`: depth stage only, what is tested, of its sample.
  virtual void begins(const DrawContext&, PixelStage, const PixelQuad&, std::span<const uint8_t> /*mask*/, uint32_t /*sample*/,
                      const std::array<float, 4>* /*z*/) {}
  virtual void ends(const DrawContext&, PixelStage, const PixelQuad&, std::span<const uint8_t> /*mask*/, uint32_t /*sample*/) {}

  /// Around each US instruction.
  virtual void instruction(us::Thread&, const isa::us_r500::Instruction&) {}
  virtual void executed(us::Thread&, const isa::us_r500::Instruction&) {}
  /// Inside of a texture instruction: pixel after pixel its level of detail, then its texels.
  virtual void lookup(const LookupStep&) {}
  virtual void texel(const TexelStep&) {}
};

}  // namespace pumice::hw
