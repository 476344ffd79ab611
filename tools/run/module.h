// SPDX-License-Identifier: MIT
/// A shader as SPIRV-Cross sees it: interface, uniforms, textures, and the same shader as C++. Nothing here knows this project's compiler.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pumice::run {

enum class Stage : uint8_t { vertex, fragment };
enum class Number : uint8_t { real, integer, natural };  ///< float, int, uint

/// An input or output with a location. `name` is the shader's, `cpp` the C++'s.
struct Variable {
  std::string name, cpp;
  uint32_t location = 0, components = 4, columns = 1;  ///< a column takes a location
  Number number = Number::real;
};

/// A number, vector or matrix of a uniform block.
struct Leaf {
  std::string path;  ///< behind the block's name: "k[2].x" without the block
  uint32_t offset = 0, components = 1, columns = 1, stride = 0;
  bool row_major = false;
  Number number = Number::real;
};

struct Block {
  std::string name, cpp;
  uint32_t set = 0, binding = 0, bytes = 0;
  bool push = false;
  std::vector<Leaf> leaves;
};

struct Texture {
  std::string name;
  uint32_t set = 0, binding = 0;
  bool shadow = false;  ///< compares
};

struct Module {
  std::string file;
  std::vector<uint32_t> words;
  std::string entry = "main";
  Stage stage = Stage::fragment;
  std::vector<Variable> inputs, outputs;  ///< by location
  std::vector<Block> blocks;
  std::vector<Texture> textures;
  std::set<uint32_t> functions;                              ///< of GLSL.std.450, by number
  bool point_size = false, depth = false, position = false;  ///< written
  std::string cpp;                                           ///< by SPIRV-Cross
  std::string no_judge;                                      ///< why there is no C++, or none that can be fed; empty: there is
};

/// Fills all but `file` and `words`. False with a text: nothing can be done with the module.
bool reflect(Module& module, std::string& error);

}  // namespace pumice::run
