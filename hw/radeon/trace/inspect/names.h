// SPDX-License-Identifier: MIT
/// What the shaders' authors call what a program names by number, and the source lines behind its slots: remarks ("  ; c0 = sun.tint,
/// a.frag:7") behind lines about them. hw/radeon/trace/names finds them; without names there are no remarks.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/pvs/machine.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::hw {
struct DrawContext;
}

namespace pumice::hw::trace {

struct NamedMember {
  std::string name;
  uint32_t offset = 0, bytes = 0;
};
/// A buffer, image or sampler of an extended program, or the push constants.
struct NamedBlock {
  std::string name;
  std::vector<NamedMember> members;
  uint32_t set = 0, offset = 0, stride = 0, count = 1;  ///< where its descriptors lie
  bool is_combined = false;                             ///< image, sampler 32 bytes behind it
  /// "sun.tint" for the byte; the name of the block where no member has it.
  std::string at(uint32_t byte) const;
};

struct StageNames {
  std::vector<std::string> lines;             ///< of each slot: "a.frag:7"
  std::map<uint32_t, std::string> constants;  ///< strict chips: slots
  std::map<uint32_t, std::string> inputs;     ///< PVS registers, first temps of fragment programs; extended: attributes, varyings
  std::map<uint32_t, std::string> outputs;    ///< PVS registers, colour targets; extended: numbers of EXP
  std::map<uint32_t, std::string> textures;   ///< strict chips: units
  std::vector<NamedBlock> descriptors;        ///< extended
  NamedBlock push;                            ///< extended
  std::vector<std::string> glsl;              ///< what SPIRV-Cross makes of the module
  std::vector<uint32_t> words;                ///< the module

  const NamedBlock* descriptor(uint32_t set, uint32_t byte) const;
};

/// By x::Stage.
using ProgramNames = std::array<StageNames, 3>;

/// Learns from the packets of a recording.
class NameSource {
 public:
  virtual ~NameSource() = default;
  virtual void packet(std::span<const uint32_t> words) = 0;
  /// Of the programs that a draw (else: a dispatch) runs; null: not declared. Lives until the next packet.
  virtual const ProgramNames* names(const DrawContext& ctx, bool draw) = 0;
};

/// "  ; tint" behind a line about number n; "" without a name.
std::string name_remark(const std::map<uint32_t, std::string>& names, uint32_t n);
/// What slot `number` names, and its source line. Null: "".
std::string slot_remark(const StageNames* names, const isa::us_r500::Instruction& x, uint32_t number);
std::string slot_remark(const StageNames* names, const compiler::pvs::Instruction& x, uint32_t number);

}  // namespace pumice::hw::trace
