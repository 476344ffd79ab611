// SPDX-License-Identifier: MIT
#include "tools/run/inputs.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace pumice::run {
namespace {

uint32_t place(const Leaf& leaf, uint32_t column, uint32_t component) {
  return leaf.offset + (leaf.row_major ? component * leaf.stride + column * 4 : column * leaf.stride + component * 4);
}

void store(std::vector<uint8_t>& bytes, const Leaf& leaf, uint32_t column, uint32_t component, double v) {
  const uint32_t at = place(leaf, column, component);
  uint32_t word = 0;
  const float real = float(v);
  if (leaf.number == Number::real)
    std::memcpy(&word, &real, 4);
  else
    word = uint32_t(int64_t(v));
  if (at + 4 <= bytes.size()) std::memcpy(&bytes[at], &word, 4);
}

class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed * 2654435761u + 2463534242u) {
    if (!state_) state_ = 1;
  }
  uint32_t next() {
    state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
    return state_ >> 8;
  }
  /// Odd multiples of a power of two: never on a whole number or a texel's border.
  float between(float low, float high) {
    const float unit = std::exp2(std::ceil(std::log2(std::max(high - low, 1e-30f)))) / 1024;
    const auto first = int32_t(std::ceil(low / unit)), last = int32_t(std::floor(high / unit));
    const int32_t n = first + int32_t(next() % uint32_t(std::max(last - first, 1)));
    return float((n | 1) > last ? (n | 1) - 2 : n | 1) * unit;
  }

 private:
  uint32_t state_;
};

}  // namespace

Inputs random_inputs(const Module& module, float low, float high, uint32_t seed) {
  Random random(seed);
  Inputs in;
  in.values.resize(in.invocations);
  for (auto& invocation : in.values)
    for (const Variable& v : module.inputs)
      for (uint32_t l = v.location; l < v.location + v.columns && l < kLocations; ++l)
        for (uint32_t c = 0; c < v.components; ++c)
          invocation[l][c] = v.number == Number::real ? random.between(low, high) : float(random.next() % 4);
  for (const Block& b : module.blocks) {
    in.blocks.emplace_back(b.bytes);
    for (const Leaf& leaf : b.leaves)
      for (uint32_t column = 0; column < leaf.columns; ++column)
        for (uint32_t c = 0; c < leaf.components; ++c)
          store(in.blocks.back(), leaf, column, c, leaf.number == Number::real ? random.between(low, high) : double(random.next() % 4));
  }
  return in;
}

Inputs smooth(const Module& module, const Inputs& inputs, uint32_t seed) {
  constexpr float kStep = 1.0f / 256;
  Random random(seed);
  Inputs out = inputs;
  const auto step = [&] { return float(int32_t(random.next() % 5) - 2) * kStep; };
  for (uint32_t quad = 0; quad < out.invocations; quad += 4)
    for (const Variable& v : module.inputs)
      for (uint32_t l = v.location; l < v.location + v.columns && v.number == Number::real; ++l)
        for (uint32_t c = 0; c < v.components; ++c) {
          const float first = out.values[quad][l][c], dx = step(), dy = step();
          for (uint32_t p = 1; p < 4; ++p) out.values[quad + p][l][c] = first + (p & 1 ? dx : 0) + (p & 2 ? dy : 0);
        }
  return out;
}

Inputs neighbour(const Module& module, const Inputs& inputs, float step, uint32_t seed) {
  Random random(seed);
  Inputs out = inputs;
  const auto moved = [&](float v) { return v + v * step * (float(random.next() % 2049) / 1024 - 1); };
  for (auto& invocation : out.values)
    for (const Variable& v : module.inputs)
      for (uint32_t l = v.location; l < v.location + v.columns && v.number == Number::real; ++l)
        for (uint32_t c = 0; c < v.components; ++c) invocation[l][c] = moved(invocation[l][c]);
  for (size_t b = 0; b < module.blocks.size(); ++b)
    for (const Leaf& leaf : module.blocks[b].leaves)
      for (uint32_t i = 0; i < leaf.columns * leaf.components && leaf.number == Number::real; ++i) {
        const uint32_t at = place(leaf, i / leaf.components, i % leaf.components);
        float v;
        if (at + 4 > out.blocks[b].size()) continue;
        std::memcpy(&v, &out.blocks[b][at], 4);
        v = moved(v);
        std::memcpy(&out.blocks[b][at], &v, 4);
      }
  return out;
}

bool read_inputs(const std::string& file, const Module& module, Inputs& inputs, std::string& error) {
  std::ifstream stream(file);
  if (!stream) {
    error = file + ": " + std::strerror(errno);
    return false;
  }
  std::string line;
  uint32_t number = 0;
  std::span<std::array<Vec4, kLocations>> chosen(inputs.values);
  while (std::getline(stream, line)) {
    ++number;
    const auto wrong = [&](const std::string& text) {
      error = file + ":" + std::to_string(number) + ": " + text;
      return false;
    };
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, word;
    if (!(words >> name)) continue;
    std::vector<double> values;
    while (words >> word) {
      char* end = nullptr;
      values.push_back(std::strtod(word.c_str(), &end));
      if (*end) return wrong("'" + word + "' is no number");
    }
    if (name == "invocation") {
      if (values.size() != 1 || values[0] < 0 || values[0] >= inputs.invocations)
        return wrong("expected 'invocation N', N from 0 to " + std::to_string(inputs.invocations - 1));
      chosen = std::span(inputs.values).subspan(size_t(values[0]), 1);
      continue;
    }
    bool found = false;
    const auto fits = [&](uint32_t wanted) { return values.size() == wanted; };
    for (const Variable& v : module.inputs) {
      if (v.name != name) continue;
      found = true;
      if (!fits(v.components * v.columns)) return wrong(name + " has " + std::to_string(v.components * v.columns) + " numbers");
      for (auto& invocation : chosen)
        for (size_t i = 0; i < values.size(); ++i) invocation[v.location + i / v.components][i % v.components] = float(values[i]);
    }
    for (size_t b = 0; b < module.blocks.size(); ++b)
      for (const Leaf& leaf : module.blocks[b].leaves) {
        if (leaf.path != name && module.blocks[b].name + "." + leaf.path != name) continue;
        found = true;
        if (!fits(leaf.components * leaf.columns))
          return wrong(name + " has " + std::to_string(leaf.components * leaf.columns) + " numbers");
        if (chosen.size() != inputs.values.size()) return wrong(name + " is a uniform: it stands before the first invocation");
        for (uint32_t i = 0; i < values.size(); ++i) store(inputs.blocks[b], leaf, i / leaf.components, i % leaf.components, values[i]);
      }
    if (!found) return wrong("the shader has no input or uniform '" + name + "'");
  }
  return true;
}

}  // namespace pumice::run
