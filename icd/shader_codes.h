// SPDX-License-Identifier: MIT
/// Modules with the same words share them: engines make a module for each pipeline, and a device remembers what it compiled. A copy for
/// each costs more than looking for an equal one: memory that nobody has used before is zeroed by the kernel, page by page.
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
