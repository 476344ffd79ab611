// SPDX-License-Identifier: MIT
/// Shader modules with identical code share one copy: engines often create a module per pipeline, and a device keeps the code of recently
/// compiled programs. A lookup by hash is cheaper than a fresh copy, whose pages the kernel has to fault in and zero.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace pumice::icd {

class ShaderCode;

/// Thread safe.
class ShaderCodes {
 public:
  /// One that is in use, if it is among the last, else a new one.
  std::shared_ptr<const ShaderCode> get(std::span<const uint32_t> words);

 private:
  static constexpr size_t kPlaces = 64;
  std::mutex mutex_;
  std::array<std::weak_ptr<const ShaderCode>, kPlaces> places_;  ///< by hash
};

}  // namespace pumice::icd
