// SPDX-License-Identifier: MIT
/// See print.h.
#include "compiler/tools/print.h"

#include <cinttypes>
#include <cstdio>
#include <utility>

#include "compiler/pvs/machine.h"
#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"

namespace pumice::compiler::tool {
namespace {

constexpr const char* kParameters[] = {"viewport transform", "texture size", "instance index", "base vertex", "viewport of the window"};
constexpr const char* kInputKinds[] = {"attribute", "gl_VertexIndex", "gl_InstanceIndex"};

void print(const std::vector<ConstantRange>& ranges) {
  constexpr const char* kConvert[] = {"", ", from int", ", from uint"};
  for (const ConstantRange& r : ranges) {
    std::printf("  c%u..c%u  ", r.first_slot, r.first_slot + r.count - 1);
    switch (r.source) {
      case ConstantRange::Source::immediate:
        for (float v : r.immediate) std::printf(" %g", static_cast<double>(v));
        std::printf("\n");
        break;
      case ConstantRange::Source::uniform_block:
        std::printf("uniform block set %u binding %u element %u, bytes %u..%s\n", r.binding.set, r.binding.binding, r.binding.element,
                    r.offset, kConvert[static_cast<int>(r.convert)]);
        break;
      case ConstantRange::Source::push_constant:
        std::printf("push constants, bytes %u..%s\n", r.offset, kConvert[static_cast<int>(r.convert)]);
        break;
      case ConstantRange::Source::driver: std::printf("%s\n", kParameters[static_cast<int>(r.parameter)]); break;
    }
  }
}

void print(const char* stage, const Statistics& s) {
  std::printf("  %s: %u slots (%u alu, %u tex, %u flow), %u paired, %u temps, %u constants\n", stage, s.slots, s.alu, s.tex, s.flow,
              s.paired, s.temps, s.constants);
}

template <size_t N>
void print_words(const std::vector<std::array<uint32_t, N>>& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    std::printf("  %4zu:", i);
    for (const uint32_t w : code[i]) std::printf(" %08" PRIX32, w);
    std::printf("\n");
  }
}

void print_vertex(const VertexProgram& v, bool words) {
  std::printf("vertex program\n");
  for (const VertexInput& i : v.inputs)
    std::printf("  i%u = %s %u, %u components%s\n", i.reg, kInputKinds[static_cast<int>(i.kind)], i.location, i.components,
                i.is_integer ? ", integer" : "");
  std::printf("  o0 = position%s\n", v.writes_point_size ? ", o1 = point size" : "");
  print(v.constants);
  std::printf("%s\n", pvs::disassemble(v.code).c_str());
  if (words) print_words(v.code);
}

void print_fragment(const Program& p, bool words) {
  const FragmentProgram& f = p.fragment;
  std::printf("fragment program\n");
  for (const Varying& v : p.varyings)
    std::printf("  r%u = texcoord set %u, %u components%s%s\n", v.us_temp, v.texcoord, v.components, v.flat ? ", flat" : "",
                v.no_perspective ? ", noperspective" : "");
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
    std::printf("%s\n", t.pair.sampler ? "" : ", no sampler");
  }
  print(f.constants);
  if (!f.levels.empty()) {
    std::printf("%s\n", us_r300::disassemble(f.levels).c_str());
    if (!words) return;
    print_words(f.levels.alu);
    std::vector<std::array<uint32_t, 1>> tex;
    for (const uint32_t w : f.levels.tex) tex.push_back({w});
    print_words(tex);
    return;
  }
  std::printf("%s\n", us::disassemble(f.code).c_str());
  if (words) print_words(f.code);
}

constexpr const char* kStageNames[kStages] = {"vertex", "fragment", "compute"};
constexpr const char* kDescriptors[] = {"uniform buffer",         "storage buffer",       "sampled image",
                                        "storage image",          "input attachment",     "sampler",
                                        "combined image sampler", "uniform texel buffer", "storage texel buffer"};

/// Programs of chips with memory.
void print_x(const char* stage, const XProgram& x, bool words) {
  std::printf("%s program\n  control 0x%08" PRIX32 ", %u bytes of scratch memory\n", stage, x.control, x.scratch_bytes);
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
    std::printf("%s%s\n", d.read ? ", read" : "", d.written ? ", written" : "");
  }
  std::printf("%s\n", us::disassemble(x.code).c_str());
  if (words) print_words(x.code);
}

// --- JSON ---

/// Writes values with the commas between them.
class Json {
 public:
  void begin(const char* key, char bracket) {
    name(key);
    std::putchar(bracket);
    first_ = true;
  }
  void end(char bracket) {
    std::putchar(bracket);
    first_ = false;
  }
  void number(const char* key, uint64_t v) {
    name(key);
    std::printf("%" PRIu64, v);
  }
  void number(const char* key, float v) {
    name(key);
    // JSON has neither infinities nor NaN.
    if (v - v != 0)
      std::printf("null");
    else
      std::printf("%.9g", static_cast<double>(v));
  }
  void flag(const char* key, bool v) {
    name(key);
    std::fputs(v ? "true" : "false", stdout);
  }
  void text(const char* key, const std::string& v) {
    name(key);
    std::putchar('"');
    for (const char c : v) {
      if (c == '"' || c == '\\')
        std::printf("\\%c", c);
      else if (static_cast<unsigned char>(c) < 0x20)
        std::printf("\\u%04x", static_cast<unsigned>(c));
      else
        std::putchar(c);
    }
    std::putchar('"');
  }

 private:
  void name(const char* key) {
    if (!first_) std::putchar(',');
    first_ = false;
    if (key) std::printf("\"%s\":", key);
  }
  bool first_ = true;
};

template <size_t N>
void json(Json& j, const std::vector<std::array<uint32_t, N>>& code) {
  j.begin("words", '[');
  for (const auto& slot : code) {
    j.begin(nullptr, '[');
    for (const uint32_t w : slot) j.number(nullptr, uint64_t{w});
    j.end(']');
  }
  j.end(']');
}

void json(Json& j, const char* key, const TextureBinding& b) {
  j.begin(key, '{');
  j.number("set", uint64_t{b.set});
  j.number("binding", uint64_t{b.binding});
  j.number("element", uint64_t{b.element});
  j.end('}');
}

void json(Json& j, const std::vector<ConstantRange>& ranges) {
  constexpr const char* kSources[] = {"immediate", "uniform block", "push constants", "driver"};
  constexpr const char* kConvert[] = {"none", "int", "uint"};
  j.begin("constants", '[');
  for (const ConstantRange& r : ranges) {
    j.begin(nullptr, '{');
    j.number("first", uint64_t{r.first_slot});
    j.number("count", uint64_t{r.count});
    j.text("source", kSources[static_cast<int>(r.source)]);
    if (r.source == ConstantRange::Source::uniform_block) json(j, "block", r.binding);
    if (r.source == ConstantRange::Source::uniform_block || r.source == ConstantRange::Source::push_constant) {
      j.number("offset", uint64_t{r.offset});
      j.text("convert", kConvert[static_cast<int>(r.convert)]);
    }
    if (r.source == ConstantRange::Source::driver) j.text("parameter", kParameters[static_cast<int>(r.parameter)]);
    if (r.source == ConstantRange::Source::immediate) {
      j.begin("values", '[');
      for (const float v : r.immediate) j.number(nullptr, v);
      j.end(']');
    }
    j.end('}');
  }
  j.end(']');
}

void json(Json& j, const Statistics& s) {
  j.begin("statistics", '{');
  const std::pair<const char*, uint32_t> all[] = {{"slots", s.slots},         {"alu", s.alu},       {"tex", s.tex},
                                                  {"flow", s.flow},           {"paired", s.paired}, {"temps", s.temps},
                                                  {"constants", s.constants}, {"levels", s.levels}};
  for (const auto& [key, v] : all) j.number(key, uint64_t{v});
  j.end('}');
}

void json_vertex(Json& j, const VertexProgram& v) {
  j.begin("vertex", '{');
  j.begin("inputs", '[');
  for (const VertexInput& i : v.inputs) {
    j.begin(nullptr, '{');
    j.number("register", uint64_t{i.reg});
    j.text("kind", kInputKinds[static_cast<int>(i.kind)]);
    j.number("location", uint64_t{i.location});
    j.number("components", uint64_t{i.components});
    j.flag("integer", i.is_integer);
    j.end('}');
  }
  j.end(']');
  j.number("outputs", uint64_t{v.outputs});
  j.flag("point_size", v.writes_point_size);
  json(j, v.constants);
  json(j, v.code);
  j.text("disassembly", pvs::disassemble(v.code));
  json(j, v.stats);
  j.end('}');
}

void json_fragment(Json& j, const Program& p) {
  const FragmentProgram& f = p.fragment;
  j.begin("fragment", '{');
  j.begin("varyings", '[');
  for (const Varying& v : p.varyings) {
    j.begin(nullptr, '{');
    j.number("temp", uint64_t{v.us_temp});
    j.number("texcoord", uint64_t{v.texcoord});
    j.number("components", uint64_t{v.components});
    j.flag("flat", v.flat);
    j.flag("noperspective", v.no_perspective);
    j.end('}');
  }
  j.end(']');
  j.begin("textures", '[');
  for (const TextureUse& t : f.textures) {
    j.begin(nullptr, '{');
    j.number("unit", uint64_t{t.unit});
    json(j, "image", t.pair.image);
    if (t.pair.sampler) json(j, "sampler", *t.pair.sampler);
    j.end('}');
  }
  j.end(']');
  j.number("color_outputs", uint64_t{f.color_outputs});
  j.flag("writes_depth", f.writes_depth);
  j.flag("kills", f.kills);
  json(j, f.constants);
  if (f.levels.empty()) {
    json(j, f.code);
    j.text("disassembly", us::disassemble(f.code));
  } else {
    json(j, f.levels.alu);
    j.begin("texture_words", '[');
    for (const uint32_t w : f.levels.tex) j.number(nullptr, uint64_t{w});
    j.end(']');
    j.begin("levels", '[');
    for (const us_r300::Level& l : us_r300::levels_of(f.levels)) {
      j.begin(nullptr, '{');
      j.number("tex", uint64_t{l.tex_count});
      j.number("alu", uint64_t{l.alu_count});
      j.end('}');
    }
    j.end(']');
    j.text("disassembly", us_r300::disassemble(f.levels));
  }
  json(j, f.stats);
  j.end('}');
}

void json_x(Json& j, const char* stage, const XProgram& x) {
  j.begin(stage, '{');
  j.number("control", uint64_t{x.control});
  j.number("temps", uint64_t{x.temps});
  j.number("scratch_bytes", uint64_t{x.scratch_bytes});
  j.number("lds_bytes", uint64_t{x.lds_bytes});
  j.begin("literals", '[');
  for (const auto& literal : x.literals) {
    j.begin(nullptr, '[');
    for (const uint32_t w : literal) j.number(nullptr, uint64_t{w});
    j.end(']');
  }
  j.end(']');
  json(j, x.code);
  j.text("disassembly", us::disassemble(x.code));
  json(j, x.stats);
  j.end('}');
}

/// The stages that were given; false of chips without memory.
template <class Each>
bool each_x(const Program& program, const PrintOptions& options, const Each& each) {
  const bool given[kStages] = {options.vertex, options.fragment, true};
  bool any = false;
  for (size_t i = 0; i < kStages; ++i) {
    any |= program.x[i].has_value();
    if (program.x[i] && given[i]) each(kStageNames[i], *program.x[i]);
  }
  return any;
}

}  // namespace

void print_text(const Program& program, const PrintOptions& options) {
  if (each_x(program, options, [&](const char* stage, const XProgram& x) { print_x(stage, x, options.words); })) {
    std::printf("statistics\n");
    each_x(program, options, [](const char* stage, const XProgram& x) { print(stage, x.stats); });
    return;
  }
  if (options.vertex) print_vertex(program.vertex, options.words);
  if (options.fragment) print_fragment(program, options.words);
  std::printf("statistics\n");
  if (options.vertex) print("vertex", program.vertex.stats);
  if (options.fragment) print("fragment", program.fragment.stats);
}

std::string text_of(const Diagnostic& d) {
  if (!d.line) return d.text;
  return d.file + ":" + std::to_string(d.line) + ":" + (d.column ? std::to_string(d.column) + ":" : "") + " " + d.text;
}

void print_json(const Program* program, const std::vector<Diagnostic>& diagnostics, const PrintOptions& options) {
  Json j;
  j.begin(nullptr, '{');
  j.flag("compiled", program != nullptr);
  j.begin("diagnostics", '[');
  for (const Diagnostic& d : diagnostics) {
    j.begin(nullptr, '{');
    j.text("text", d.text);
    if (d.line) {
      j.text("file", d.file);
      j.number("line", uint64_t{d.line});
      if (d.column) j.number("column", uint64_t{d.column});
    }
    j.end('}');
  }
  j.end(']');
  const bool x = program && each_x(*program, options, [&](const char* stage, const XProgram& p) { json_x(j, stage, p); });
  if (program && !x && options.vertex) json_vertex(j, program->vertex);
  if (program && !x && options.fragment) json_fragment(j, *program);
  j.end('}');
  std::printf("\n");
}

}  // namespace pumice::compiler::tool
