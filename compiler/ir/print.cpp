// SPDX-License-Identifier: MIT
/// Text form of a module; grammar in ir.h.
#include <bit>
#include <cmath>
#include <cstdio>

#include "compiler/ir/ir.h"
#include "compiler/ir/names.h"
#include "compiler/lines.h"
#include "compiler/stages.h"

namespace pumice::compiler::ir {
namespace {

class Printer {
 public:
  Printer(const Module& module, bool lines) : m_(module), lines_(lines) {}

  std::string run() {
    out_ = std::string("shader ") + std::string(row(m_.stage).name) + " \"" + m_.name + "\"" + (m_.floats_only ? " floats_only" : "") +
           (m_.early_fragment_tests ? " early_fragment_tests" : "") + "\n";
    if (m_.push_size) out_ += "push size=" + num(m_.push_size) + "\n";
    for (size_t i = 0; i < m_.inputs.size(); ++i) {
      const Input& in = m_.inputs[i];
      out_ += "input " + num(i) + place(in.builtin, in.location, in.component) + " " + type(in.type, in.comps);
      out_ += std::string(in.flat ? " flat" : "") + (in.no_perspective ? " noperspective" : "") + (in.centroid ? " centroid" : "") +
              (in.sample ? " sample" : "") + (in.corner ? " corner=" + num(in.corner) : "") + "\n";
    }
    for (size_t i = 0; i < m_.outputs.size(); ++i) {
      const Output& o = m_.outputs[i];
      out_ +=
          "output " + num(i) + place(o.builtin, o.location, o.component) + " " + type(o.type, o.comps) + (o.second ? " second" : "") + "\n";
    }
    for (size_t i = 0; i < m_.uniforms.size(); ++i) {
      const UniformBlock& u = m_.uniforms[i];
      out_ += "uniform " + num(i);
      if (u.immediate.empty()) {
        out_ += u.push ? " push" : " set=" + num(u.set) + " binding=" + num(u.binding) + " element=" + num(u.element);
        out_ += " size=" + num(u.size) + (u.view == Type::f32 ? "" : " " + type(u.view, 1));
      } else {
        out_ += " immediate";
        for (float f : u.immediate) out_ += " " + number(f);
      }
      out_ += "\n";
    }
    for (size_t i = 0; i < m_.textures.size(); ++i) {
      const Texture& t = m_.textures[i];
      const auto binding = [](const TextureBinding& b) {
        return " set=" + num(b.set) + " binding=" + num(b.binding) + " element=" + num(b.element);
      };
      out_ += "texture " + num(i) + binding(t.pair.image);
      if (!t.pair.sampler)
        out_ += " no_sampler";
      else if (!(*t.pair.sampler == t.pair.image))
        out_ += " sampler" + binding(*t.pair.sampler);
      out_ += " " + std::string(kDimNames[size_t(t.dim)]) + (t.shadow ? " shadow" : "") + (t.input_attachment ? " input_attachment" : "") +
              (t.level0_offsets ? " level0_offsets" : "") + (t.unnormalized ? " unnormalized" : "") + "\n";
    }
    for (size_t i = 0; i < m_.temps.size(); ++i)
      out_ += "temp " + num(i) + " elements=" + num(m_.temps[i].elements) + " " + type(m_.temps[i].type, m_.temps[i].comps) + "\n";
    memory();
    list(m_.body, 0);
    return std::move(out_);
  }

 private:
  /// Of chips with memory.
  void memory() {
    if (m_.memory) out_ += "memory\n";
    for (size_t i = 0; i < m_.resources.size(); ++i) {
      const Resource& r = m_.resources[i];
      const DescriptorLayout& l = r.layout;
      out_ += "resource " + num(i) + " " + std::string(kResourceNames[size_t(l.kind)]) + " set=" + num(l.set) +
              " binding=" + num(l.binding) + " count=" + num(l.count) + " offset=" + num(l.offset) + " stride=" + num(l.stride) +
              (l.dynamic ? " dynamic" : "") + " " + std::string(kDimNames[size_t(r.dim)]) + (r.texels ? " texels" : "") +
              (r.arrayed ? " array" : "") + (r.multisampled ? " ms" : "") + " " + type(r.type, 1) + (r.written ? " written" : "") + "\n";
    }
    const auto& size = m_.local_size;
    if (size != std::array{1u, 1u, 1u}) out_ += "local_size " + num(size[0]) + " " + num(size[1]) + " " + num(size[2]) + "\n";
    if (m_.shared_bytes) out_ += "shared_bytes " + num(m_.shared_bytes) + "\n";
    if (m_.scratch_bytes) out_ += "scratch_bytes " + num(m_.scratch_bytes) + "\n";
    if (m_.depth_mode != Module::DepthMode::any) out_ += "depth_mode " + num(unsigned(m_.depth_mode)) + "\n";
    if (m_.per_sample) out_ += "per_sample\n";
    if (m_.signed_zeros) out_ += "signed_zeros\n";
  }
  std::string access(const Instruction& in) const {
    const Access a = in.access();
    std::string text;
    const auto key = [&](const char* name, uint32_t v) {
      if (v) text += " " + std::string(name) + "=" + num(v);
    };
    key("offset", in.offset);
    key("element", a.element);
    key("sampler", a.sampler);
    key("sampler_element", a.sampler_element);
    key("width", a.width);
    key("sub", a.sub);
    for (unsigned i = 0; i < std::size(kAccessNames); ++i)
      if (a.flags >> i & 1) text += " " + std::string(kAccessNames[i]);
    if (info(in.op).to == OpInfo::Class::none && in.source_count > 1 && in.op != Op::store_image) text += " mask=" + mask(in.mask);
    return text;
  }

  static std::string num(uint64_t v) { return std::to_string(v); }
  static std::string type(Type t, unsigned comps) { return std::string(info(t).text) + (comps > 1 ? "x" + num(comps) : ""); }
  static std::string place(Builtin builtin, uint32_t location, uint32_t component) {
    const std::string name = builtin == Builtin::none ? "" : " " + std::string(kBuiltinNames[size_t(builtin)]);
    return is_located(builtin) ? name + " location=" + num(location) + " component=" + num(component) : name;
  }
  static std::string number(float f) {
    char text[32];
    if (std::isnan(f))
      std::snprintf(text, sizeof text, "0x%08x", std::bit_cast<uint32_t>(f));
    else
      std::snprintf(text, sizeof text, "%.9g", double(f));
    return text;
  }
  std::string constant(const Instruction& in, unsigned lane) const {
    const Type t = m_.value(in.result).type;
    if (!is_typed(t)) return number(in.constant[lane]);
    return info(t).number == Number::sint_ ? std::to_string(int32_t(in.constant.bits[lane])) : num(in.constant.bits[lane]);
  }
  std::string define(ValueId id) const { return "%" + num(id) + ":" + type(m_.values[id].type, m_.values[id].comps); }
  std::string source(const Source& s, unsigned lanes) const {
    std::string text = s.negate ? "-" : "";
    if (s.abs) text += "|";
    text += "%" + num(s.value) + ".";
    for (unsigned i = 0; i < lanes; ++i) text += "xyzw"[s.swizzle[i] & 3];
    if (s.abs) text += "|";
    return text;
  }
  static std::string mask(unsigned bits) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i)
      if (bits >> i & 1) text += "xyzw"[i];
    return text;
  }
  void indent(int depth) { out_.append(size_t(depth) * 2, ' '); }

  std::string dynamic(const Instruction& in, unsigned i) const {
    if (in.source_count <= i) return "";
    return " [" + source(in.source[i], 1) + " max=" + num(in.max_index) + "]";
  }

  void instruction(const Instruction& in) {
    if (in.result) out_ += define(in.result) + " = ";
    out_ += info(in.op).name;
    if (in.saturate) out_ += ".sat";
    if (in.precise) out_ += ".precise";
    switch (in.op) {
      case Op::constant:
        for (unsigned i = 0; i < m_.comps(in.result); ++i) out_ += " " + constant(in, i);
        return;
      case Op::load_input: out_ += " " + num(in.index); return;
      case Op::load_uniform: out_ += " " + num(in.index) + " offset=" + num(in.offset) + dynamic(in, 0); return;
      case Op::load_push: out_ += " offset=" + num(in.offset) + dynamic(in, 0); return;
      case Op::load_param:
        out_ += " " + std::string(kParameterNames[size_t(in.parameter)]) + " " + num(in.index) + " offset=" + num(in.offset);
        return;
      case Op::load_temp: out_ += " " + num(in.index) + " offset=" + num(in.offset) + dynamic(in, 0); return;
      case Op::store_temp:
        out_ += " " + num(in.index) + " offset=" + num(in.offset) + dynamic(in, 1) + " " + source(in.source[0], source_lanes(m_, in, 0)) +
                " mask=" + mask(in.mask);
        return;
      case Op::store_output:
        out_ += " " + num(in.index) + " " + source(in.source[0], source_lanes(m_, in, 0)) + " mask=" + mask(in.mask);
        return;
      case Op::tex: out_ += " " + num(in.index) + " " + std::string(kTexKindNames[size_t(in.tex_kind)]) + (in.dref ? " dref" : ""); break;
      default: break;
    }
    if (names_row(in.op)) out_ += " " + num(in.index);
    if (in.op == Op::sample) out_ += " " + std::string(kTexKindNames[size_t(in.tex_kind)]) + (in.dref ? " dref" : "");
    for (unsigned i = 0; i < in.source_count; ++i) out_ += " " + source(in.source[i], source_lanes(m_, in, i));
    if (is_ext(in.op)) out_ += access(in);
  }

  void defines(std::span<const ValueId> ids) {
    if (ids.empty()) return;
    out_ += " -> ";
    for (size_t i = 0; i < ids.size(); ++i) out_ += (i ? ", " : "") + define(ids[i]);
  }

  void jump(const Node& node, std::span<const ValueId> to) {
    out_ += kJumpNames[size_t(node.jump)];
    for (size_t i = 0; i < node.args.size(); ++i) out_ += (i ? ", " : " ") + source(node.args[i], i < to.size() ? m_.comps(to[i]) : 1);
    out_ += "\n";
  }

  /// As a remark, which parse() skips.
  void place_of(const Instruction& in) {
    const uint32_t* at = lines_ ? origin(m_, in) : nullptr;
    if (!at) return;
    // Instructions of one place come together; finding its line walks over the module.
    if (at != at_) {
      const auto line = line_at(m_.words, at);
      remark_ = line ? "  ; " + line->file + ":" + std::to_string(line->line) : "";
      at_ = at;
    }
    out_ += remark_;
  }

  void list(const NodeList& nodes, int depth, const Node* branch = nullptr, const Node* loop = nullptr) {
    for (const Node& node : nodes) {
      switch (node.kind) {
        case Node::Kind::block:
          for (const Instruction& in : node.instructions) indent(depth), instruction(in), place_of(in), out_ += "\n";
          break;
        case Node::Kind::branch:
          indent(depth), out_ += "if " + source(node.cond, 1);
          defines(node.results);
          out_ += " {\n";
          list(node.then_list, depth + 1, &node, loop);
          if (!node.else_list.empty()) {
            indent(depth), out_ += "} else {\n";
            list(node.else_list, depth + 1, &node, loop);
          }
          indent(depth), out_ += "}\n";
          break;
        case Node::Kind::loop:
          indent(depth), out_ += "loop";
          for (size_t i = 0; i < node.params.size(); ++i)
            out_ += (i ? ", " : " ") + define(node.params[i]) + " = " +
                    (i < node.args.size() ? source(node.args[i], m_.comps(node.params[i])) : "?");
          defines(node.results);
          out_ += " {\n";
          list(node.then_list, depth + 1, nullptr, &node);
          indent(depth), out_ += "}\n";
          break;
        case Node::Kind::jump:
          indent(depth);
          if (node.jump == Node::Jump::yield)
            jump(node, branch ? branch->results : Vec<ValueId>{});
          else if (node.jump == Node::Jump::break_)
            jump(node, loop ? loop->results : Vec<ValueId>{});
          else
            jump(node, loop ? loop->params : Vec<ValueId>{});
          break;
      }
    }
  }

  const Module& m_;
  const bool lines_;
  const uint32_t* at_ = nullptr;
  std::string remark_;  ///< of at_
  std::string out_;
};

}  // namespace

std::string print(const Module& module) { return Printer(module, false).run(); }
std::string print_with_lines(const Module& module) { return Printer(module, true).run(); }

}  // namespace pumice::compiler::ir
