// SPDX-License-Identifier: MIT
/// See print.h.
#include "compiler/tools/print.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "compiler/pvs/machine.h"
#include "compiler/tools/print_common.h"
#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"

namespace pumice::compiler::tool {
namespace {

std::string named(const std::map<uint32_t, std::string>& names, uint32_t location) {
  const auto at = names.find(location);
  return at == names.end() || at->second.empty() ? "" : "  ; " + at->second;
}
std::string slots_of(const NamedBlock* block, const ConstantRange& r) { return block ? slots_text(*block, r) : ""; }

void print(const std::vector<ConstantRange>& ranges, const Names& names) {
  constexpr const char* kConvert[] = {"", ", from int", ", from uint"};
  for (const ConstantRange& r : ranges) {
    std::printf("  c%u..c%u  ", r.first_slot, r.first_slot + r.count - 1);
    switch (r.source) {
      case ConstantRange::Source::immediate:
        for (float v : r.immediate) std::printf(" %g", static_cast<double>(v));
        std::printf("\n");
        break;
      case ConstantRange::Source::uniform_block:
        std::printf("uniform block set %u binding %u element %u, bytes %u..%s%s\n", r.binding.set, r.binding.binding, r.binding.element,
                    r.offset, kConvert[static_cast<int>(r.convert)], slots_of(names.find(r.binding), r).c_str());
        break;
      case ConstantRange::Source::push_constant:
        std::printf("push constants, bytes %u..%s%s\n", r.offset, kConvert[static_cast<int>(r.convert)], slots_text(names.push, r).c_str());
        break;
      case ConstantRange::Source::driver: std::printf("%s\n", kParameters[static_cast<int>(r.parameter)]); break;
    }
  }
}

void print(const char* stage, const Statistics& s) {
  std::printf("  %s: %u slots (%u alu, %u tex, %u flow), %u paired, %u temps, %u constants\n", stage, s.slots, s.alu, s.tex, s.flow,
              s.paired, s.temps, s.constants);
}

/// The program, beside its GLSL if that is wanted.
void print_code(const std::string& microcode, const Names& names, const PrintOptions& options) {
  std::printf("%s\n", (options.glsl ? beside(names.glsl, microcode) : microcode).c_str());
}

template <size_t N>
void print_words(const std::vector<std::array<uint32_t, N>>& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    std::printf("  %4zu:", i);
    for (const uint32_t w : code[i]) std::printf(" %08" PRIX32, w);
    std::printf("\n");
  }
}

void print_vertex(const VertexProgram& v, const PrintOptions& options) {
  const Names& names = options.of(Stage::vertex);
  std::printf("vertex program\n");
  for (const VertexInput& i : v.inputs)
    std::printf("  i%u = %s %u%s, %u components%s%s\n", i.reg, kInputKinds[static_cast<int>(i.kind)], i.location, kCorners[i.corner],
                i.components, i.is_integer ? ", integer" : "",
                i.kind == VertexInput::Kind::attribute ? named(names.inputs, i.location).c_str() : "");
  std::printf("  o0 = position%s\n", v.writes_point_size ? ", o1 = point size" : "");
  print(v.constants, names);
  print_code(pvs::disassemble(v.code), names, options);
  if (options.words) print_words(v.code);
}

void print_fragment(const Program& p, const PrintOptions& options) {
  const Names& names = options.of(Stage::fragment);
  const FragmentProgram& f = p.fragment;
  std::printf("fragment program\n");
  for (const Varying& v : p.varyings)
    std::printf("  r%u = texcoord set %u, %u components%s%s%s%s\n", v.us_temp, v.texcoord, v.components,
                kVaryingKinds[static_cast<int>(v.kind)], v.flat ? ", flat" : "", v.no_perspective ? ", noperspective" : "",
                v.location ? named(names.inputs, *v.location).c_str() : "");
  const bool slopes = std::any_of(p.varyings.begin(), p.varyings.end(), [](const Varying& v) { return v.kind >= Varying::Kind::slope_x; });
  if (slopes && !options.vertex)
    std::printf("  slopes, of which derivatives are made, are the vertex program's: no vertex shader is given, so they are zero\n");
  if (f.frag_coord_xy_temp) std::printf("  r%u = window x, y\n", *f.frag_coord_xy_temp);
  if (f.front_facing_temp) std::printf("  r%u = back face flag\n", *f.front_facing_temp);
  if (f.point_coord_temp) std::printf("  r%u = point coordinate\n", *f.point_coord_temp);
  for (const TextureUse& t : f.textures) {
    const auto binding = [](const char* what, const TextureBinding& b) {
      std::printf("%sset %u binding %u element %u", what, b.set, b.binding, b.element);
    };
    std::printf("  tex%u = ", t.unit);
    binding("", t.pair.image);
    if (t.pair.sampler && !(*t.pair.sampler == t.pair.image)) binding(", sampler ", *t.pair.sampler);
    const NamedBlock* name = names.find(t.pair.image);
    std::printf("%s%s\n", t.pair.sampler ? "" : ", no sampler", name ? bytes_text(*name).c_str() : "");
  }
  print(f.constants, names);
  for (uint32_t n = 0; n < 4; ++n)
    if (const std::string name = named(names.outputs, n); f.color_outputs >> n & 1u && !name.empty())
      std::printf("  out%u%s\n", n, name.c_str());
  if (!f.levels.empty()) {
    print_code(us_r300::disassemble(f.levels), names, options);
    if (!options.words) return;
    print_words(f.levels.alu);
    std::vector<std::array<uint32_t, 1>> tex;
    for (const uint32_t w : f.levels.tex) tex.push_back({w});
    print_words(tex);
    return;
  }
  print_code(us::disassemble(f.code), names, options);
  if (options.words) print_words(f.code);
}

constexpr const char* kDescriptors[] = {"uniform buffer",         "storage buffer",       "sampled image",
                                        "storage image",          "input attachment",     "sampler",
                                        "combined image sampler", "uniform texel buffer", "storage texel buffer"};

/// Programs of chips with memory.
void print_x(Stage stage, const XProgram& x, const PrintOptions& options) {
  const Names& names = options.of(stage);
  std::printf("%s program\n  control 0x%08" PRIX32 ", %u bytes of scratch memory\n", kStageNames[size_t(stage)], x.control,
              x.scratch_bytes);
  for (const auto& [location, name] : names.inputs)
    std::printf("  %s %u  ; %s\n", stage == Stage::vertex ? "attribute" : "input", location, name.c_str());
  for (const auto& [location, name] : names.outputs) std::printf("  output %u  ; %s\n", location, name.c_str());
  if (x.push_bytes) std::printf("  push constants, %u bytes%s\n", x.push_bytes, bytes_text(names.push).c_str());
  for (size_t i = 0; i < x.literals.size(); ++i) {
    std::printf("  c%zu =", i);
    for (const uint32_t w : x.literals[i]) std::printf(" %08" PRIX32, w);
    std::printf("\n");
  }
  for (const XDescriptor& d : x.descriptors) {
    std::printf("  %s set %u binding %u", kDescriptors[static_cast<int>(d.kind)], d.set, d.binding);
    if (d.all_elements)
      std::printf(", all elements");
    else if (d.element)
      std::printf(" element %u", d.element);
    const NamedBlock* name = names.find({d.set, d.binding, 0});
    std::printf("%s%s%s\n", d.read ? ", read" : "", d.written ? ", written" : "", name ? bytes_text(*name).c_str() : "");
  }
  print_code(us::disassemble(x.code), names, options);
  if (options.words) print_words(x.code);
}

}  // namespace

void print_text(const Program& program, const PrintOptions& options) {
  if (each_x(program, options, [&](Stage stage, const XProgram& x) { print_x(stage, x, options); })) {
    std::printf("statistics\n");
    each_x(program, options, [](Stage stage, const XProgram& x) { print(kStageNames[size_t(stage)], x.stats); });
    return;
  }
  if (options.vertex) print_vertex(program.vertex, options);
  if (options.fragment) print_fragment(program, options);
  std::printf("statistics\n");
  if (options.vertex) print("vertex", program.vertex.stats);
  if (options.fragment) print("fragment", program.fragment.stats);
}

std::string text_of(const Diagnostic& d) {
  if (!d.line) return d.text;
  return d.file + ":" + std::to_string(d.line) + ":" + (d.column ? std::to_string(d.column) + ":" : "") + " " + d.text;
}

}  // namespace pumice::compiler::tool
