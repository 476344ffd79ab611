// SPDX-License-Identifier: MIT
/// The one table of lane types. Columns: name, text, bits, register class, number.
///   class   what kind of register holds a lane: flt, int, bit. Operations take classes (ops.h); within one class types mix freely,
///           the signedness that matters is part of the operation.
///   number  what the lanes mean: real, sint, uint, truth
/// The three *_f32 types are what lower_integers makes of i32, u32 and bool on chips that know floats only: floats that hold exact
/// integers (|v| <= 2^24), and 0.0 or 1.0. i64, u64 and f64 exist on chips with memory until lower_wide makes pairs of words of them. The other
/// types that are not 32 bits wide (bool aside) have names and no operations yet: validate() refuses them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pumice::compiler::ir {

// clang-format off
#define PUMICE_IR_TYPES(X)              \
  X(f32,      "f32",  32, flt, real)    \
  X(i32,      "i32",  32, int, sint)    \
  X(u32,      "u32",  32, int, uint)    \
  X(boolean,  "bool",  1, bit, truth)   \
  X(int_f32,  "f32i", 32, flt, sint)    \
  X(uint_f32, "f32u", 32, flt, uint)    \
  X(bool_f32, "f32b", 32, flt, truth)   \
  X(f16,      "f16",  16, flt, real)    \
  X(f64,      "f64",  64, flt, real)    \
  X(i8,       "i8",    8, int, sint)    \
  X(u8,       "u8",    8, int, uint)    \
  X(i16,      "i16",  16, int, sint)    \
  X(u16,      "u16",  16, int, uint)    \
  X(i64,      "i64",  64, int, sint)    \
  X(u64,      "u64",  64, int, uint)
// clang-format on

enum class Type : uint8_t {
#define X(name, text, bits, cls, number) name,
  PUMICE_IR_TYPES(X)
#undef X
};

enum class TypeClass : uint8_t { flt_, int_, bit_ };
enum class Number : uint8_t { real_, sint_, uint_, truth_ };

struct TypeInfo {
  std::string_view text;
  uint8_t bits;
  TypeClass cls;
  Number number;
};
inline constexpr TypeInfo kTypes[] = {
#define X(name, text, bits, cls, number) {text, bits, TypeClass::cls##_, Number::number##_},
    PUMICE_IR_TYPES(X)
#undef X
};
constexpr const TypeInfo& info(Type type) { return kTypes[size_t(type)]; }

/// An exact integer in a float.
constexpr bool is_whole(Type t) { return t == Type::int_f32 || t == Type::uint_f32; }
/// What a condition may be: of a module with booleans, of one without.
constexpr bool is_truth(Type t) { return t == Type::boolean || t == Type::bool_f32; }
/// Made by lower_integers.
constexpr bool is_lowered(Type t) { return t == Type::int_f32 || t == Type::uint_f32 || t == Type::bool_f32; }
/// Gone after lower_wide.
constexpr bool is_wide(Type t) { return info(t).bits == 64; }
/// Gone after lower_integers.
constexpr bool is_typed(Type t) { return info(t).cls != TypeClass::flt_; }

}  // namespace pumice::compiler::ir
