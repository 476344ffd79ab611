// SPDX-License-Identifier: MIT
/// One description of a Program's fields (fields()) serves both directions; valid() then judges what no single field shows.
#include "compiler/driver/serialize.h"

#include <algorithm>
#include <bit>

#include "compiler/chip.h"
#include "compiler/pvs/machine.h"
#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler {
namespace {

constexpr uint32_t kElements = 1 << 16;  // of a descriptor binding; far more than any layout has

class Writer {
 public:
  std::vector<uint8_t> bytes;

  void word(uint32_t v) {
    const uint8_t b[4] = {uint8_t(v), uint8_t(v >> 8), uint8_t(v >> 16), uint8_t(v >> 24)};
    bytes.insert(bytes.end(), b, b + 4);
  }
  void number(uint32_t v, uint32_t) { word(v); }
  void number(uint8_t v, uint32_t) { bytes.push_back(v); }
  void flag(bool v) { bytes.push_back(v); }
  template <class E>
  void choice(E v, E) {
    bytes.push_back(static_cast<uint8_t>(v));
  }
  void real(float v) { word(std::bit_cast<uint32_t>(v)); }
  template <class T, class F>
  void list(const std::vector<T>& v, uint32_t, F element) {
    word(static_cast<uint32_t>(v.size()));
    for (const T& e : v) element(e);
  }
  template <class T, class F>
  void maybe(const std::optional<T>& v, F element) {
    flag(v.has_value());
    if (v) element(*v);
  }
  template <class T>
  void text(const T& s) {
    word(static_cast<uint32_t>(s.size()));
    bytes.insert(bytes.end(), s.begin(), s.end());
  }
};

/// After the first mistake every field reads zero and `good` stays false.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> b) : bytes_(b) {}
  bool good = true;
  bool at_end() const { return bytes_.empty(); }

  void word(uint32_t& v) {
    v = 0;
    for (int i = 0; i < 4; ++i) v |= uint32_t{byte()} << (8 * i);
  }
  template <class T>
  void number(T& v, uint32_t last) {
    if constexpr (sizeof(T) == 1)
      v = byte();
    else
      word(v);
    if (v > last) fail(v);
  }
  void flag(bool& v) {
    const uint8_t b = byte();
    if (b > 1) good = false;
    v = b == 1;
  }
  template <class E>
  void choice(E& v, E last) {
    uint8_t b = byte();
    if (b > static_cast<uint8_t>(last)) fail(b);
    v = static_cast<E>(b);
  }
  void real(float& v) {
    uint32_t w = 0;
    word(w);
    v = std::bit_cast<float>(w);
  }
  template <class T, class F>
  void list(std::vector<T>& v, uint32_t most, F element) {
    uint32_t count = 0;
    number(count, most);
    if (count > bytes_.size()) fail(count);  // an element has a byte at least
    v.resize(count);
    for (size_t i = 0; i < v.size() && good; ++i) element(v[i]);
  }
  template <class T, class F>
  void maybe(std::optional<T>& v, F element) {
    bool there = false;
    flag(there);
    v.reset();
    if (there) element(v.emplace());
  }
  /// Of a list of bytes, or of an array of exactly as many.
  template <class T>
  void text(T& s) {
    uint32_t size = 0;
    word(size);
    if (size > bytes_.size()) fail(size);
    if constexpr (requires { s.resize(size); })
      s.resize(size);
    else
      good &= size == s.size();
    if (!good) return;
    std::copy_n(bytes_.begin(), size, s.begin());
    bytes_ = bytes_.subspan(size);
  }

 private:
  template <class T>
  void fail(T& v) {
    good = false;
    v = 0;
  }
  uint8_t byte() {
    if (bytes_.empty() || !good) {
      good = false;
      return 0;
    }
    const uint8_t b = bytes_[0];
    bytes_ = bytes_.subspan(1);
    return b;
  }
  std::span<const uint8_t> bytes_;
};

template <class A, class B>
void binding(A& a, B& b) {
  a.word(b.set);
  a.word(b.binding);
  a.number(b.element, kElements);
}

template <class A, class P>
void pair(A& a, P& p) {
  binding(a, p.image);
  a.maybe(p.sampler, [&](auto& s) { binding(a, s); });
}

template <class A, class S>
void statistics(A& a, S& s) {
  for (auto* v : {&s.slots, &s.temps, &s.constants, &s.alu, &s.tex, &s.flow, &s.paired, &s.levels}) a.word(*v);
}

template <class A, class R>
void constants(A& a, R& ranges, uint32_t slots) {
  a.list(ranges, slots, [&](auto& r) {
    a.choice(r.source, ConstantRange::Source::driver);
    a.choice(r.convert, ConstantRange::Convert::from_uint);
    a.number(r.first_slot, slots - 1);
    a.number(r.count, slots);
    binding(a, r.binding);
    a.word(r.offset);
    a.list(r.immediate, slots * 4, [&](auto& v) { a.real(v); });
    a.choice(r.parameter, ConstantRange::Parameter::viewport_window);
  });
}

template <class A, class X>
void x_program(A& a, X& x, const ChipLimits& chip) {
  a.list(x.code, chip.fragment.slots, [&](auto& words) {
    for (auto& w : words) a.word(w);
  });
  a.list(x.literals, chip.fragment.literals, [&](auto& words) {
    for (auto& w : words) a.word(w);
  });
  a.number(x.temps, chip.fragment.temps);
  a.word(x.scratch_bytes);
  a.word(x.lds_bytes);
  for (auto& n : x.local_size) a.word(n);
  a.word(x.control);
  a.list(x.varyings, chip.interpolators, [&](auto& w) { a.word(w); });
  a.word(x.attributes);
  a.number(x.color_outputs, (1u << chip.fragment.targets) - 1);
  a.word(x.push_bytes);
  a.list(x.descriptors, UINT32_MAX, [&](auto& d) {
    a.word(d.set);
    a.word(d.binding);
    a.choice(d.kind, DescriptorLayout::Kind::storage_texels);
    a.flag(d.all_elements);
    a.word(d.element);
    a.flag(d.read);
    a.flag(d.written);
  });
  statistics(a, x.stats);
}

/// Everything of a Program, in order. A is Writer (p const) or Reader.
template <class A, class P>
void fields(A& a, P& p, const ChipLimits& chip) {
  if (chip.memory) {
    for (auto& stage : p.x) a.maybe(stage, [&](auto& x) { x_program(a, x, chip); });
    return;
  }
  const ChipLimits::Vertex& vertex = chip.vertex;
  const ChipLimits::Fragment& fragment = chip.fragment;
  auto& v = p.vertex;
  a.list(v.code, vertex.slots, [&](auto& words) {
    for (auto& w : words) a.word(w);
  });
  a.number(v.temps, vertex.temps);
  constants(a, v.constants, vertex.constants);
  a.list(v.inputs, vertex.inputs, [&](auto& i) {
    a.choice(i.kind, VertexInput::Kind::instance_index);
    a.word(i.location);
    a.number(i.reg, vertex.inputs - 1);
    a.number(i.components, 4);
    a.flag(i.is_integer);
    a.number(i.corner, 2);
  });
  a.number(v.outputs, vertex.outputs);
  a.flag(v.writes_point_size);
  a.word(v.flow_opc);
  for (auto& entry : v.flow)
    for (auto& w : entry) a.word(w);
  statistics(a, v.stats);

  auto& f = p.fragment;
  a.list(f.code, fragment.slots, [&](auto& words) {
    for (auto& w : words) a.word(w);
  });
  if (fragment.levels) {
    auto& l = f.levels;
    a.list(l.alu, fragment.slots, [&](auto& words) {
      for (auto& w : words) a.word(w);
    });
    a.list(l.tex, fragment.tex_slots, [&](auto& w) { a.word(w); });
    a.word(l.config);
    a.word(l.offset);
    for (auto& w : l.level) a.word(w);
  }
  a.number(f.temps, fragment.temps);
  a.flag(f.full_flow_control);
  for (auto& w : f.int_constants) a.word(w);
  constants(a, f.constants, fragment.constants);
  a.list(f.textures, fragment.texture_units, [&](auto& t) {
    pair(a, t.pair);
    a.number(t.unit, fragment.texture_units - 1);
    a.choice(t.dim, TextureUse::Dim::cube);
    a.flag(t.input_attachment);
    a.flag(t.shadow);
    a.flag(t.level0_offsets);
  });
  for (auto* temp : {&f.frag_coord_xy_temp, &f.front_facing_temp, &f.point_coord_temp})
    a.maybe(*temp, [&](auto& t) { a.number(t, fragment.temps - 1); });
  a.number(f.color_outputs, (1u << fragment.targets) - 1);
  a.flag(f.writes_depth);
  a.flag(f.kills);
  a.flag(f.early_tests);
  statistics(a, f.stats);

  a.list(p.varyings, chip.interpolators, [&](auto& y) {
    a.number(y.texcoord, chip.interpolators - 1);
    a.number(y.components, 4);
    a.number(y.us_temp, fragment.temps - 1);
    a.flag(y.flat);
    a.flag(y.no_perspective);
    a.choice(y.kind, Varying::Kind::slope_y);
  });
}

bool valid(const std::vector<ConstantRange>& ranges, uint32_t slots) {
  for (const ConstantRange& r : ranges) {
    if (r.count == 0 || r.count > slots - r.first_slot || r.offset % 4) return false;
    if (r.immediate.size() != (r.source == ConstantRange::Source::immediate ? size_t{r.count} * 4 : 0)) return false;
    if (r.source == ConstantRange::Source::driver && r.count > (r.parameter == ConstantRange::Parameter::texture_size ? 2u : 1u))
      return false;
  }
  return true;
}

/// Loops only, as the back end makes them, and transfers inside the program.
bool valid_flow(const VertexProgram& v) {
  for (uint32_t i = 0; i < v.flow.size(); ++i) {
    const uint32_t op = v.flow_opc >> (2 * i) & 3;
    if (op == 0) {
      if (v.flow[i] != std::array<uint32_t, 3>{}) return false;
      continue;
    }
    if (op != regs::VAP_PVS_FLOW_CNTL_OPC::PVS_FC_OPC_0__LOOP) return false;
    const regs::VAP_PVS_FLOW_CNTL_ADDRS_LW lower{v.flow[i][0]};
    const regs::VAP_PVS_FLOW_CNTL_ADDRS_UW upper{v.flow[i][1]};
    const uint32_t act = lower.PVS_FC_ACT_ADRS_0(), last = upper.PVS_FC_LAST_INST_0(), back = upper.PVS_FC_RTN_INST_0();
    if (act >= v.code.size() || last >= v.code.size() || back != act + 1 || back > last) return false;
  }
  return true;
}

/// The code is judged by the chip, which reports what is illegal and runs nothing outside of its memory.
bool valid(const XProgram& x) {
  constexpr uint32_t kMaxScratch = (1u << 20) * 16;
  if (x.code.empty() || x.temps == 0 || x.scratch_bytes % 16 || x.scratch_bytes >= kMaxScratch || x.lds_bytes > kMostLocalMemory)
    return false;
  return std::all_of(x.local_size.begin(), x.local_size.end(), [](uint32_t n) { return n >= 1 && n <= kMostInvocations; });
}

bool valid(const Program& p, const ChipLimits& chip) {
  if (chip.memory) {
    const auto has = [&](Stage s) { return p.x[size_t(s)].has_value(); };
    if (has(Stage::compute) == has(Stage::vertex) || (has(Stage::compute) && has(Stage::fragment))) return false;
    return std::all_of(p.x.begin(), p.x.end(), [](const auto& x) { return !x || valid(*x); });
  }
  const VertexProgram& v = p.vertex;
  const FragmentProgram& f = p.fragment;
  if (!valid(v.constants, chip.vertex.constants) || !valid(f.constants, chip.fragment.constants)) return false;
  uint32_t registers = 0;
  for (const VertexInput& i : v.inputs) {
    if (i.components == 0 || (registers >> i.reg & 1)) return false;
    registers |= 1u << i.reg;
  }
  uint32_t units = 0;
  for (const TextureUse& t : f.textures) {
    if (units >> t.unit & 1) return false;
    units |= 1u << t.unit;
  }
  // The linker counts sets and output registers up without gaps; the point coordinate is one more set.
  if (p.varyings.size() + f.point_coord_temp.has_value() > chip.interpolators) return false;
  if (v.outputs != 1 + v.writes_point_size + p.varyings.size()) return false;
  for (uint32_t i = 0; i < p.varyings.size(); ++i)
    if (p.varyings[i].texcoord != i || p.varyings[i].components == 0) return false;
  if (f.temps == 0 || !valid_flow(v)) return false;
  ChipLimits::Vertex granted = chip.vertex;
  granted.outputs = v.outputs;
  if (!pvs::check({v.code, granted}).empty()) return false;
  if (chip.fragment.levels) return f.code.empty() && us_r300::check({f.levels, f.temps, &chip}).empty();
  return us::check({f.code, f.temps, f.full_flow_control, &chip}).empty();
}

}  // namespace

CodeDigests code_digests(const PipelineSource& source) {
  CodeDigests out;
  for (size_t i = 0; i < kStages; ++i)
    if (const ShaderSource* shader = source.shader(Stage(i))) out.of[i] = digest(shader->spirv);
  return out;
}

namespace {
constexpr uint32_t kList = 1 << 20;  ///< far more entries than any pipeline has

/// Everything that compile() reads but the words, in order. A is Writer (s const) or Reader; `chip` is that of both.
template <class A, class S, class Code>
void source_fields(A& a, S& s, const ChipLimits& chip, Code* code) {
  size_t number = 0;
  for (auto& shader : s.shaders) {
    auto* const digest = code ? &code->of[number] : nullptr;
    ++number;
    a.maybe(shader, [&](auto& x) {
      if (digest) a.text(*digest);
      a.text(x.entry_point);
      a.list(x.specializations, kList, [&](auto& c) {
        a.word(c.constant_id);
        a.text(c.bytes);
      });
    });
  }
  a.list(s.textures, kList, [&](auto& t) {
    pair(a, t.first);
    for (auto* wrap : {&t.second.wrap_s, &t.second.wrap_t, &t.second.wrap_r}) a.choice(*wrap, TextureFacts::Wrap::mirrored_repeat);
    a.number(t.second.compare_op, 7);
    a.flag(t.second.several_levels);
    a.flag(t.second.unnormalized);
  });
  a.word(s.color_attachments);
  a.flag(s.point_topology);
  if (!chip.memory) return;
  a.list(s.resources, kList, [&](auto& l) {
    for (auto* v : {&l.set, &l.binding, &l.count, &l.offset, &l.stride}) a.word(*v);
    a.choice(l.kind, DescriptorLayout::Kind::any);
    a.flag(l.dynamic);
  });
}

std::vector<uint8_t> bytes_of(const PipelineSource& source, const CodeDigests* code) {
  Writer w;
  w.bytes.reserve(256);
  w.word(kCompilerVersion);
  w.number(source.chip->id, 0);
  source_fields(w, source, *source.chip, code);
  return std::move(w.bytes);
}
}  // namespace

Digest source_key(const PipelineSource& source, const CodeDigests& code) { return digest(bytes_of(source, &code)); }
std::vector<uint8_t> source_bytes(const PipelineSource& source) { return bytes_of(source, nullptr); }
std::vector<uint8_t> write_source(const PipelineSource& source, const CodeDigests& code) { return bytes_of(source, &code); }

std::optional<PipelineSource> read_source(std::span<const uint8_t> bytes, const ChipLimits& chip, CodeDigests& code) {
  Reader r(bytes);
  uint32_t version = 0;
  uint8_t id = 0;
  r.word(version);
  r.number(id, UINT8_MAX);
  PipelineSource out;
  out.chip = &chip;
  source_fields(r, out, chip, &code);
  if (!r.good || !r.at_end() || version != kCompilerVersion || id != chip.id) return {};
  return out;
}

std::vector<uint8_t> write_program(const Program& program, const ChipLimits& chip) {
  Writer w;
  fields(w, program, chip);
  return std::move(w.bytes);
}

std::optional<Program> read_program(std::span<const uint8_t> bytes, const ChipLimits& chip) {
  Reader r(bytes);
  Program p;
  fields(r, p, chip);
  if (!r.good || !r.at_end() || !valid(p, chip)) return {};
  return p;
}

}  // namespace pumice::compiler
