// SPDX-License-Identifier: MIT
/// Reports of the scalar reference about a draw or dispatch while it computes it: DrawContext::inspector. Null, which it is everywhere but
/// in pumice-replay and pumice-inspect, costs a test per step. The objects are those that the reference works on: valid during the call,
/// and only to be read.
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
template <size_t kCount>
struct GroupThread;
}  // namespace us
namespace xr {
struct QuadState;
class FragmentLink;
}  // namespace xr
namespace xv {
struct Shaded;
struct VertexId;
}  // namespace xv
namespace xz {
struct Sample;
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
  bool integer = false;             ///< the bits of `value` are integers
};

/// Invocations of a workgroup that execute a compute program together.
struct GroupStep {
  std::array<uint32_t, 3> workgroup{};  ///< its number
  std::array<uint32_t, 3> size{};       ///< invocations of a workgroup
  uint32_t first = 0, lanes = 0;        ///< index in the workgroup of lane 0; how many
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

  /// Extended draws (docs/r5x.md) have primitives and shapes as above, and these in place of the others. A vertex is shaded; its outputs.
  virtual void vertex(const DrawContext&, const xv::VertexId&) {}
  virtual void vertex_done(const DrawContext&, const xv::VertexId&, const xv::Shaded&) {}
  /// A quad of the shape with its covered samples; then its tests, programs and stores.
  virtual void quad(const DrawContext&, const xr::QuadState&) {}
  /// Around the test of one sample of pixel `pixel` of the quad.
  virtual void test_begins(const DrawContext&, uint32_t /*pixel*/, const xz::Sample&) {}
  virtual void test_ends(const DrawContext&, uint32_t /*pixel*/, const xz::Sample&, bool /*passed*/) {}
  /// Around the program, which runs for sample `sample` alone or, -1, for all. Bit p of `helpers`: pixel p takes part as a helper only.
  virtual void program_begins(const DrawContext&, int32_t /*sample*/, uint32_t /*helpers*/) {}
  virtual void program_ends(const DrawContext&, const xr::FragmentLink&) {}
  /// Around the stores to all targets of those samples of a pixel that are left.
  virtual void store_begins(const DrawContext&, uint32_t /*pixel*/, uint32_t /*samples*/, const xr::FragmentLink&) {}
  virtual void store_ends(const DrawContext&, uint32_t /*pixel*/, uint32_t /*samples*/, const xr::FragmentLink&) {}
  /// Around each slot of a program: of a quad, or of a vertex in lane 0.
  virtual void instruction(us::GroupThread<4>&, const isa::us_r500::Instruction&) {}
  virtual void executed(us::GroupThread<4>&, const isa::us_r500::Instruction&) {}

  /// Dispatches: around what a group of lanes executes without a stop. ends: at the end of its program, else at a barrier, or the watchdog
  /// stopped it.
  virtual void group_begins(const DrawContext&, const GroupStep&) {}
  virtual void group_ends(const DrawContext&, const GroupStep&, bool /*ends*/) {}
  virtual void instruction(us::GroupThread<16>&, const isa::us_r500::Instruction&) {}
  virtual void executed(us::GroupThread<16>&, const isa::us_r500::Instruction&) {}
};

}  // namespace pumice::hw
