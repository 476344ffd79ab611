// SPDX-License-Identifier: MIT
/// The one function of libpumice_legalizer.so, which the driver loads when a shader needs SPIRV-Tools: few shaders do, and its tables
/// (19,000 relocations, 120 static constructors) cost every process half a millisecond when they are part of the driver. Plain data goes in
/// and out, since each library has a C++ runtime of its own.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

struct PumiceLegalizerConstant {
  uint32_t id;
  uint32_t size;  ///< bytes
  const uint8_t* bytes;
};

struct PumiceLegalizerCall {
  const uint32_t* words;
  size_t word_count;
  const PumiceLegalizerConstant* constants;
  size_t constant_count;
  void* user;
  /// One of the two is called, once, before the function returns. They must not throw.
  void (*done)(void* user, const uint32_t* words, size_t count);
  void (*failed)(void* user, const char* text);
};

using PumiceLegalize = void (*)(const PumiceLegalizerCall*);
}

namespace pumice::compiler::frontend {
/// Changes with the structures above.
inline constexpr const char* kLegalizeSymbol = "pumice_legalize_1";
inline constexpr const char* kLegalizerLibrary = "libpumice_legalizer.so";
}  // namespace pumice::compiler::frontend
