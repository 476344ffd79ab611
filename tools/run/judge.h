// SPDX-License-Identifier: MIT
/// An evaluation of shaders that shares nothing with this project: SPIRV-Cross' C++ of the modules, built by the host's compiler, glm for
/// the functions.
#pragma once
#include <memory>
#include <span>

#include "tools/run/inputs.h"

namespace pumice::run {

class Judge {
 public:
  /// One library of all modules that have C++; those that the compiler refuses get `no_judge`. Null with `error`: no compiler, or nothing
  /// could be loaded.
  static std::unique_ptr<Judge> build(std::span<Module> modules, std::string& error);
  ~Judge();
  Judge(const Judge&) = delete;
  /// All invocations of module `n` of build(), which has no `no_judge`. Outputs that it never writes are 0, of gl_Position (0,0,0,1). With
  /// `error`: it crashed or did not end.
  Results run(size_t n, const Inputs& inputs, std::string& error) const;

 private:
  Judge() = default;
  void* library_ = nullptr;
  void (*sample_as_)(int width, int height, int linear, int wrap) = nullptr;  ///< of the runtime: Sampling
  std::vector<void*> functions_;
};

}  // namespace pumice::run
