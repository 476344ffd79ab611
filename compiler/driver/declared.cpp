// SPDX-License-Identifier: MIT
/// See declared.h: for each stage slots, more and the digest, then write_source().
#include "compiler/driver/declared.h"

#include <algorithm>

#include "compiler/chip.h"

namespace pumice::compiler {
namespace {

constexpr size_t kNameBytes = 8 + std::tuple_size_v<Digest>;

template <class A, class B>
CodeName named(const A& code, const B& more) {
  if (code.empty()) return {};
  std::vector<uint32_t> words;
  for (const auto& slot : code) words.insert(words.end(), slot.begin(), slot.end());
  for (const auto& x : more) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(x)>>)
      words.push_back(x);
    else
      words.insert(words.end(), x.begin(), x.end());
  }
  return code_name(uint32_t(code.size()), uint32_t(more.size()), words);
}

}  // namespace

CodeName code_name(uint32_t slots, uint32_t more, std::span<const uint32_t> words) { return {slots, more, digest(words)}; }

std::array<CodeName, kStages> code_names(const Program& p) {
  std::array<CodeName, kStages> out;
  const std::vector<uint32_t> none;
  for (size_t i = 0; i < kStages; ++i)
    if (p.x[i]) out[i] = named(p.x[i]->code, p.x[i]->literals);
  if (p.vertex.code.empty()) return out;
  out[size_t(Stage::vertex)] = named(p.vertex.code, none);
  const FragmentProgram& f = p.fragment;
  out[size_t(Stage::fragment)] = f.levels.empty() ? named(f.code, none) : named(f.levels.alu, f.levels.tex);
  return out;
}

std::vector<uint8_t> write_declared(const PipelineSource& source, const CodeDigests& modules, const std::array<CodeName, kStages>& code) {
  std::vector<uint8_t> out;
  const auto word = [&](uint32_t v) {
    for (int i = 0; i < 4; ++i) out.push_back(uint8_t(v >> 8 * i));
  };
  for (const CodeName& c : code) {
    word(c.slots), word(c.more);
    out.insert(out.end(), c.digest.begin(), c.digest.end());
  }
  const std::vector<uint8_t> rest = write_source(source, modules);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

std::optional<Declared> read_declared(std::span<const uint8_t> bytes) {
  if (bytes.size() < kStages * kNameBytes) return {};
  Declared d;
  const auto word = [&] {
    uint32_t v = 0;
    for (int i = 0; i < 4; ++i) v |= uint32_t{bytes[size_t(i)]} << 8 * i;
    bytes = bytes.subspan(4);
    return v;
  };
  for (CodeName& c : d.code) {
    c.slots = word(), c.more = word();
    std::copy_n(bytes.begin(), c.digest.size(), c.digest.begin());
    bytes = bytes.subspan(c.digest.size());
  }
  for (const ChipLimits* chip : {&kR300, &kR500, &kR5x}) {
    std::optional<PipelineSource> source = read_source(bytes, *chip, d.modules);
    if (!source) continue;
    d.source = std::move(*source);
    return d;
  }
  return {};
}

}  // namespace pumice::compiler
