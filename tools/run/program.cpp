// SPDX-License-Identifier: MIT
#include "tools/run/program.h"

#include <cstring>

#include "compiler/tools/source.h"

namespace pumice::run {
namespace {

std::string type_of(const Variable& v) {
  const std::string n = std::to_string(v.components);
  if (v.columns > 1) return "mat" + std::to_string(v.columns) + "x" + n;
  if (v.number == Number::real) return v.components == 1 ? "float" : "vec" + n;
  const std::string scalar = v.number == Number::integer ? "int" : "uint";
  return v.components == 1 ? scalar : (v.number == Number::integer ? "ivec" : "uvec") + n;
}

std::string place(uint32_t location) { return "layout(location = " + std::to_string(location) + ") "; }
const char* flat(const Variable& v) { return v.number == Number::real ? "" : "flat "; }

/// Passes what the fragment shader reads on.
std::string vertex_partner(const Module& m) {
  std::string head = "#version 450\n" + place(kPositionAttribute) + "in vec4 position;\n", body = "  gl_Position = position;\n";
  for (const Variable& v : m.inputs) {
    const std::string n = std::to_string(v.location);
    head +=
        place(v.location) + "in " + type_of(v) + " a" + n + ";\n" + place(v.location) + flat(v) + "out " + type_of(v) + " v" + n + ";\n";
    body += "  v" + n + " = a" + n + ";\n";
  }
  return head + "void main() {\n" + body + "}\n";
}

/// Reads all that the vertex shader writes.
std::string fragment_partner(const Module& m) {
  std::string head = "#version 450\n" + place(0) + "out vec4 color;\n", body = "  color = vec4(0.0);\n";
  for (const Variable& v : m.outputs) {
    head += place(v.location) + flat(v) + "in " + type_of(v) + " v" + std::to_string(v.location) + ";\n";
    for (uint32_t c = 0; c < v.columns; ++c) {
      const std::string name = "v" + std::to_string(v.location) + (v.columns > 1 ? "[" + std::to_string(c) + "]" : "");
      constexpr const char* kRest[] = {"", ", 0.0, 0.0, 0.0)", ", 0.0, 0.0)", ", 0.0)", ")"};
      body += "  color += vec4(" + name + kRest[v.components] + ";\n";
    }
  }
  return head + "void main() {\n" + body + "}\n";
}

double as_number(uint32_t word, compiler::ConstantRange::Convert convert) {
  using Convert = compiler::ConstantRange::Convert;
  if (convert == Convert::from_int) return int32_t(word);
  if (convert == Convert::from_uint) return word;
  float real;
  std::memcpy(&real, &word, 4);
  return real;
}

Vec4 parameter(compiler::ConstantRange::Parameter p, uint32_t i, const Sampling& sampling) {
  using Parameter = compiler::ConstantRange::Parameter;
  const auto width = float(sampling.width), height = float(sampling.height);
  switch (p) {
    // The partner's position is the window's, with w = 1.
    case Parameter::viewport_transform: return {1, 0, 0, 0};
    case Parameter::viewport_window: return {1, 0, 1, 0};
    case Parameter::texture_size: return i == 0 ? Vec4{1 / width, 1 / height, 1, 0} : Vec4{width, height, 1, 1};
    case Parameter::instance_index: return {kInstance, 0, 0, 0};
    case Parameter::base_vertex: return {};
  }
  return {};
}

}  // namespace

Compiled compile(const Module& m, const compiler::ChipLimits& chip, const Sampling& sampling) {
  Compiled out;
  const bool vertex = m.stage == Stage::vertex;
  std::string messages;
  const std::vector<uint32_t> partner =
      compiler::tool::compile_glsl("the partner", vertex ? fragment_partner(m) : vertex_partner(m), vertex ? "frag" : "vert", messages);
  if (partner.empty()) {
    out.refused = "no shader of the other stage fits: " + messages;
    return out;
  }
  compiler::PipelineSource source;
  source.chip = &chip;
  source.point_topology = m.point_size;
  for (const Variable& v : m.outputs)
    if (!vertex && v.location < chip.fragment.targets) source.color_attachments |= 1u << v.location;
  for (const Texture& t : m.textures) {
    if (chip.memory) break;
    using Wrap = compiler::TextureFacts::Wrap;
    const auto wrap = [&](uint32_t size) {
      return !wraps_in_program(sampling, size)         ? Wrap::hardware
             : sampling.wrap == Sampling::Wrap::repeat ? Wrap::repeat
                                                       : Wrap::mirrored_repeat;
    };
    source.textures.push_back(
        {compiler::combined({t.set, t.binding, 0}), {.wrap_s = wrap(sampling.width), .wrap_t = wrap(sampling.height)}});
  }
  compiler::ShaderSource& tested = source.add(vertex ? compiler::Stage::vertex : compiler::Stage::fragment);
  tested.spirv = m.words;
  tested.entry_point = m.entry;
  source.add(vertex ? compiler::Stage::fragment : compiler::Stage::vertex).spirv = partner;
  compiler::Result result = compiler::compile(source);
  out.program = std::move(result.program);
  if (out.program) return out;
  for (const compiler::Diagnostic& d : result.diagnostics)
    out.refused += (out.refused.empty() ? "" : "\n") + (d.line ? "line " + std::to_string(d.line) + ": " : std::string()) + d.text;
  return out;
}

std::vector<Vec4> constants(const std::vector<compiler::ConstantRange>& ranges, const Module& module, const Inputs& inputs) {
  using Source = compiler::ConstantRange::Source;
  std::vector<Vec4> file(256);
  for (const compiler::ConstantRange& r : ranges)
    for (uint32_t i = 0; i < r.count && r.first_slot + i < file.size(); ++i) {
      Vec4& to = file[r.first_slot + i];
      if (r.source == Source::driver) {
        to = parameter(r.parameter, i, inputs.sampling);
      } else if (r.source == Source::immediate) {
        for (uint32_t c = 0; c < 4 && i * 4 + c < r.immediate.size(); ++c) to[c] = r.immediate[i * 4 + c];
      } else {
        for (size_t b = 0; b < module.blocks.size(); ++b) {
          const Block& block = module.blocks[b];
          if (block.push != (r.source == Source::push_constant)) continue;
          if (!block.push && !(compiler::TextureBinding{block.set, block.binding, 0} == r.binding)) continue;
          const std::vector<uint8_t>& bytes = inputs.blocks[b];
          for (uint32_t c = 0; c < 4; ++c) {
            const size_t at = r.offset + i * 16 + c * 4;
            uint32_t word = 0;
            if (at + 4 <= bytes.size()) std::memcpy(&word, &bytes[at], 4);
            to[c] = float(as_number(word, r.convert));
          }
        }
      }
    }
  return file;
}

}  // namespace pumice::run
