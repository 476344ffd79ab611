// SPDX-License-Identifier: MIT
/// See names.h: the declared program compiled once more, and SPIRV-Cross's reflection of its modules.
#include <unordered_map>

#include "compiler/tools/names.h"
#include "compiler/tools/print_common.h"
#include "hw/radeon/trace/inspect/text.h"
#include "hw/radeon/trace/names/declarations.h"
#include "hw/radeon/trace/names/names.h"

namespace pumice::hw::trace {

using compiler::ConstantRange;
using compiler::Stage;
using compiler::tool::Names;

namespace {

constexpr uint32_t kDynamicSet = 8;  ///< X_*_SET[8]: descriptors of dynamic buffers

NamedBlock block_of(const compiler::tool::NamedBlock& from) {
  NamedBlock b;
  b.name = from.name;
  for (const auto& m : from.members) b.members.push_back({m.name, m.offset, m.bytes});
  return b;
}

/// What the 16 bytes from `first` on hold: "scene.tint", ".xyz scene.sun.direction, .w scene.sun.strength".
std::string slot_text(const NamedBlock& block, uint32_t first) {
  std::string text;
  for (const NamedMember& m : block.members) {
    const uint32_t from = std::max(m.offset, first), to = std::min(m.offset + m.bytes, first + 16);
    if (from >= to) continue;
    const uint32_t lane = (from - first) / 4, lanes = (to - from + 3) / 4;
    const std::string channels = lanes == 4 ? "" : std::string("xyzw").substr(lane, lanes);
    text += (text.empty() ? "" : " and ") + block.at(from) + (channels.empty() ? "" : " in " + channels);
  }
  return text.empty() ? block.name : text;
}

void constants(StageNames& out, const std::vector<ConstantRange>& ranges, const Names& names) {
  const NamedBlock push = block_of(names.push);
  for (const ConstantRange& r : ranges) {
    const auto* found = names.find(r.binding);
    const NamedBlock block = found ? block_of(*found) : NamedBlock();
    for (uint32_t i = 0; i < r.count; ++i) {
      std::string& name = out.constants[r.first_slot + i];
      switch (r.source) {
        case ConstantRange::Source::immediate: break;
        case ConstantRange::Source::uniform_block: name = slot_text(block, r.offset + 16 * i); break;
        case ConstantRange::Source::push_constant: name = slot_text(push, r.offset + 16 * i); break;
        case ConstantRange::Source::driver:
          name = compiler::tool::kParameters[size_t(r.parameter)];
          if (r.parameter == ConstantRange::Parameter::texture_size && !block.name.empty()) name += " of " + block.name;
          break;
      }
    }
  }
}

void strict(ProgramNames& out, const compiler::Program& p, const std::array<Names, compiler::kStages>& names) {
  StageNames &v = out[size_t(Stage::vertex)], &f = out[size_t(Stage::fragment)];
  const Names &vn = names[size_t(Stage::vertex)], &fn = names[size_t(Stage::fragment)];
  const auto name = [](const std::map<uint32_t, std::string>& of, uint32_t location) {
    const auto at = of.find(location);
    return at == of.end() ? std::string() : at->second;
  };
  constants(v, p.vertex.constants, vn);
  for (const compiler::VertexInput& i : p.vertex.inputs)
    v.inputs[i.reg] =
        (i.kind == compiler::VertexInput::Kind::attribute ? name(vn.inputs, i.location) : compiler::tool::kInputKinds[size_t(i.kind)]) +
        compiler::tool::kCorners[i.corner];
  v.outputs[0] = "gl_Position";
  if (p.vertex.writes_point_size) v.outputs[1] = "gl_PointSize";
  constants(f, p.fragment.constants, fn);
  for (const compiler::Varying& x : p.varyings) {
    if (!x.location) continue;
    const char* kind = compiler::tool::kVaryingKinds[size_t(x.kind)];
    v.outputs[1 + p.vertex.writes_point_size + x.texcoord] = name(vn.outputs, *x.location) + kind;
    f.inputs[x.us_temp] = name(fn.inputs, *x.location) + kind;
  }
  if (p.fragment.frag_coord_xy_temp) f.inputs[*p.fragment.frag_coord_xy_temp] = "gl_FragCoord.xy";
  if (p.fragment.front_facing_temp) f.inputs[*p.fragment.front_facing_temp] = "gl_FrontFacing, inverted";
  if (p.fragment.point_coord_temp) f.inputs[*p.fragment.point_coord_temp] = "gl_PointCoord";
  for (const compiler::TextureUse& t : p.fragment.textures)
    if (const auto* b = fn.find(t.pair.image)) f.textures[t.unit] = b->name;
  f.outputs = fn.outputs;
}

void extended(ProgramNames& out, const compiler::Program& p, const compiler::PipelineSource& source,
              const std::array<Names, compiler::kStages>& names) {
  using Kind = compiler::DescriptorLayout::Kind;
  const auto& fragment = p.x[size_t(Stage::fragment)];
  for (size_t i = 0; i < compiler::kStages; ++i) {
    StageNames& s = out[i];
    const Names& n = names[i];
    s.push = block_of(n.push);
    for (const compiler::DescriptorLayout& l : source.resources) {
      const auto* found = n.find({l.set, l.binding, 0});
      if (!found) continue;
      NamedBlock& b = s.descriptors.emplace_back(block_of(*found));
      b.set = l.dynamic ? kDynamicSet : l.set, b.offset = l.offset, b.stride = l.stride, b.count = l.count;
      b.is_combined = l.kind == Kind::combined;
    }
    if (i == size_t(Stage::vertex)) {
      s.inputs = n.inputs;
      s.outputs[x::slot::position] = "gl_Position";
      s.outputs[x::slot::point_size] = "gl_PointSize";
    }
    if (i == size_t(Stage::fragment)) s.outputs = n.outputs;
  }
  if (!fragment) return;
  // Varyings are numbered by the fragment program.
  for (uint32_t n = 0; n < fragment->locations.size(); ++n) {
    if (fragment->locations[n] == compiler::XProgram::kNoLocation) continue;
    const auto copy = [&](const std::map<uint32_t, std::string>& from, std::map<uint32_t, std::string>& to, uint32_t at) {
      if (const auto found = from.find(fragment->locations[n]); found != from.end()) to[at] = found->second;
    };
    copy(names[size_t(Stage::fragment)].inputs, out[size_t(Stage::fragment)].inputs, n);
    copy(names[size_t(Stage::vertex)].outputs, out[size_t(Stage::vertex)].outputs, x::slot::varying + n);
  }
}

class Recorded final : public NameSource {
 public:
  void packet(std::span<const uint32_t> words) override {
    if (declarations_.packet(words)) known_.clear();
  }
  const ProgramNames* names(const DrawContext& ctx, bool draw) override {
    const compiler::Declared* d = declarations_.find(ctx, draw);
    if (!d) return nullptr;
    const auto [at, fresh] = known_.try_emplace(d);
    if (fresh) at->second = make(*d);
    return &at->second;
  }

 private:
  ProgramNames make(const compiler::Declared& d) const {
    ProgramNames out;
    compiler::PipelineSource source = d.source;
    source.want_log = true;
    for (size_t i = 0; i < compiler::kStages; ++i)
      if (auto& shader = source.shaders[i]) {
        shader->spirv = declarations_.module(d.modules.of[i]);
        if (shader->spirv.empty()) return out;
      }
    const compiler::Result result = compiler::compile(source);
    // By another version of the compiler the slots would be others.
    if (!result.program || compiler::code_names(*result.program) != d.code) return out;
    std::array<Names, compiler::kStages> names;
    for (size_t i = 0; i < compiler::kStages; ++i)
      if (const auto& shader = source.shaders[i]) {
        std::string error;
        names[i] = compiler::tool::names_of(shader->spirv, shader->entry_point, Stage(i), error);
        out[i].lines = result.lines[i];
        out[i].glsl = names[i].glsl;
        out[i].words.assign(shader->spirv.begin(), shader->spirv.end());
      }
    if (source.chip->memory)
      extended(out, *result.program, source, names);
    else
      strict(out, *result.program, names);
    return out;
  }

  Declarations declarations_;
  std::unordered_map<const compiler::Declared*, ProgramNames> known_;
};

}  // namespace

std::unique_ptr<NameSource> make_names() { return std::make_unique<Recorded>(); }

}  // namespace pumice::hw::trace
