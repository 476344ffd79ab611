// SPDX-License-Identifier: MIT
/// Executes a module for one vertex, one fragment or a 2x2 quad: the oracle that passes and back ends are tested against.
#pragma once
#include <functional>

#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

using Vec4 = std::array<float, 4>;

/// One texture lookup request. dx, dy: as given (grad) or the quad's differences (implicit, bias, proj: of coord / q).
struct TexelRequest {
  uint32_t texture = 0;
  TexKind kind = TexKind::implicit;
  Vec4 coord{}, dx{}, dy{};
  float q = 0, reference = 0;
  bool dref = false;
};

/// One operation on an image of a chip with memory: what the instruction reads, as words.
struct ImageRequest {
  const Instruction* instruction = nullptr;
  uint32_t index = 0;  ///< [index], of the resource
  std::array<uint32_t, 4> coord{}, two{}, three{};
};

/// Inputs and outputs of integer types are given as numbers, of booleans as 0 and 1, so that a module and what lower_integers makes of it
/// run in the same environment; uniforms and push constants as they lie in memory (of a row with an integer view: as numbers).
struct Environment {
  /// inputs[invocation][input row]; 1 invocation, or 4: top left, top right, bottom left, bottom right.
  std::vector<std::vector<Vec4>> inputs{1};
  std::vector<std::vector<float>> uniforms;  ///< per uniform row (immediate rows may be left empty); beyond the end reads 0
  std::vector<float> push;
  /// The number that a load of an integer reads (view: its type; push constants are a row too); without, words of the rows above.
  std::function<float(const UniformBlock& row, uint32_t word)> integer;
  std::function<Vec4(const TexelRequest&)> texel;
  std::function<Vec4(ConstantRange::Parameter, uint32_t index, uint32_t offset)> parameter;
  /// Chips with memory: words by row of Module::resources and element of its array, and what images give.
  std::vector<std::vector<std::vector<uint32_t>>> buffers;
  std::function<std::array<uint32_t, 4>(const ImageRequest&)> image;
  uint64_t step_limit = 1'000'000;  ///< instructions executed
};

struct Invocation {
  std::vector<Vec4> outputs;             ///< per output row
  std::vector<uint8_t> outputs_written;  ///< lane masks
  bool killed = false;
};

struct Evaluation {
  std::string error;  ///< not empty: step limit reached
  std::vector<Invocation> invocations;
  std::vector<std::vector<std::vector<uint32_t>>> buffers;  ///< what the environment's have become
};

/// The module must be valid.
Evaluation evaluate(const Module& module, const Environment& environment);

}  // namespace pumice::compiler::ir
