// SPDX-License-Identifier: MIT
/// Where each IR value lives: lanes of a virtual register, of a constant slot or input register, or an immediate. Decides before selection
/// which values are computed directly in the lanes of the vector (or texture coordinate) they are collected in, so that no copy is needed.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/isa/allocate.h"

namespace pumice::compiler::isa {

inline constexpr uint8_t kNoLane = 0xFF;

struct Place {
  enum class Kind : uint8_t { unset, reg, constant, input, immediate } kind = Kind::unset;
  uint32_t index = 0;                                               ///< virtual register, constant slot or input register
  std::array<uint8_t, 4> lane{kNoLane, kNoLane, kNoLane, kNoLane};  ///< value lane -> lane of the register or slot
  std::array<float, 4> value{};                                     ///< immediate
  bool relative = false;                                            ///< constant: the loop counter is added to the slot
};

/// A place read through swizzle and modifiers.
struct Operand {
  Place place;
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
  bool abs = false, negate = false;
};

class Places {
 public:
  /// `channels`: where lane i of a vector may live. New registers are appended to `registers`.
  Places(const ir::Module& module, std::array<uint8_t, 4> channels, Vec<VirtualRegister>& registers);

  Place& at(ir::ValueId id) { return values_[id].place; }
  /// The place of a value about to be written; creates a register when it has none. `scalar` is the class of a one-lane value.
  Place& dest(ir::ValueId id, uint8_t scalar);
  Operand read(const ir::Source& source);
  bool loop_param(ir::ValueId id) const { return values_[id].loop_param; }
  uint8_t used_lanes(ir::ValueId id) const { return values_[id].used; }
  const ir::Instruction* definition(ir::ValueId id) const { return values_[id].def; }  ///< null: of a branch or loop
  /// Register reserved for the coordinate vector (S, T, R, Q) of a texture instruction, or no register.
  Place coordinate(const ir::Instruction& tex) const;

 private:
  struct Info {
    Place place;
    uint8_t used = 0;
    const ir::Instruction* def = nullptr;
    bool loop_param = false;
    ir::ValueId copied_to = 0;  ///< on chips with memory: result or parameter that an edge copies it to
  };
  uint32_t new_register(std::span<const uint8_t> channels);
  void use(const ir::Source& source, unsigned lanes);
  void scan(const ir::NodeList& list, const ir::Node* loop = nullptr, const ir::Node* branch = nullptr);
  void reserve(const ir::NodeList& list);
  struct Request {
    const ir::Source* source;
    unsigned lane;  ///< lane of the value's source that is read
    unsigned to;    ///< lane of the vector
  };
  void try_place(const Vec<Request>& requests, uint32_t reg);

  const ir::Module& module_;
  std::array<uint8_t, 4> channels_;
  Vec<VirtualRegister>& registers_;
  Vec<Info> values_;
  Vec<std::pair<const ir::Instruction*, Place>> coordinates_;
};

}  // namespace pumice::compiler::isa
