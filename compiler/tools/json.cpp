// SPDX-License-Identifier: MIT
/// Programs as one JSON object, see print.h.
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "compiler/pvs/machine.h"
#include "compiler/tools/print_common.h"
#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"

namespace pumice::compiler::tool {
namespace {

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

void json_name(Json& j, const std::map<uint32_t, std::string>& names, uint32_t location) {
  const auto at = names.find(location);
  if (at != names.end()) j.text("name", at->second);
}

/// Blocks and images by name, members with their offsets, and the GLSL.
void json_names(Json& j, const Names& n, bool glsl) {
  const auto block = [&](const NamedBlock& b) {
    j.text("name", b.name);
    j.begin("members", '[');
    for (const BlockMember& m : b.members) {
      j.begin(nullptr, '{');
      j.text("name", m.name);
      j.number("offset", uint64_t{m.offset});
      j.number("bytes", uint64_t{m.bytes});
      j.end('}');
    }
    j.end(']');
  };
  j.begin("bindings", '[');
  for (const auto& [at, b] : n.bindings) {
    j.begin(nullptr, '{');
    j.number("set", uint64_t{at.first});
    j.number("binding", uint64_t{at.second});
    block(b);
    j.end('}');
  }
  j.end(']');
  if (!n.push.members.empty()) {
    j.begin("push_constants", '{');
    block(n.push);
    j.end('}');
  }
  if (!glsl) return;
  std::string text;
  for (const std::string& line : n.glsl) text += line + "\n";
  j.text("glsl", text);
}

void json_vertex(Json& j, const VertexProgram& v, const PrintOptions& options) {
  const Names& names = options.of(Stage::vertex);
  j.begin("vertex", '{');
  j.begin("inputs", '[');
  for (const VertexInput& i : v.inputs) {
    j.begin(nullptr, '{');
    j.number("register", uint64_t{i.reg});
    j.text("kind", kInputKinds[static_cast<int>(i.kind)]);
    j.number("location", uint64_t{i.location});
    j.number("components", uint64_t{i.components});
    j.flag("integer", i.is_integer);
    if (i.corner) j.number("corner", uint64_t{i.corner});
    if (i.kind == VertexInput::Kind::attribute) json_name(j, names.inputs, i.location);
    j.end('}');
  }
  j.end(']');
  j.number("outputs", uint64_t{v.outputs});
  j.flag("point_size", v.writes_point_size);
  json(j, v.constants);
  json(j, v.code);
  j.text("disassembly", pvs::disassemble(v.code));
  json(j, v.stats);
  json_names(j, names, options.glsl);
  j.end('}');
}

void json_fragment(Json& j, const Program& p, const PrintOptions& options) {
  const Names& names = options.of(Stage::fragment);
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
    if (v.kind == Varying::Kind::slope_x || v.kind == Varying::Kind::slope_y) j.text("slope", v.kind == Varying::Kind::slope_x ? "x" : "y");
    if (v.location) json_name(j, names.inputs, *v.location);
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
  json_names(j, names, options.glsl);
  j.end('}');
}

void json_x(Json& j, Stage stage, const XProgram& x, const PrintOptions& options) {
  j.begin(kStageNames[size_t(stage)], '{');
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
  json_names(j, options.of(stage), options.glsl);
  j.end('}');
}

}  // namespace

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
  const bool x = program && each_x(*program, options, [&](Stage stage, const XProgram& p) { json_x(j, stage, p, options); });
  if (program && !x && options.vertex) json_vertex(j, program->vertex, options);
  if (program && !x && options.fragment) json_fragment(j, *program, options);
  j.end('}');
  std::printf("\n");
}

}  // namespace pumice::compiler::tool
