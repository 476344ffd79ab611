// SPDX-License-Identifier: MIT
/// Types, constants and the main sequence of the translator, see translator.h.
#include "compiler/frontend/translator.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "compiler/frontend/frontend.h"
#include "compiler/frontend/legalize.h"
#include "compiler/ir/scalar.h"
#include "compiler/lines.h"
#include "compiler/stages.h"

namespace pumice::compiler::frontend {

using ir::Op;

namespace {
constexpr unsigned kMaxLeaves = 1u << 16;  // of one value: stops absurd arrays early
constexpr size_t kMaxRefusals = 100;
constexpr size_t kMaxValues = 1u << 20;  // stops absurd shaders (calls of calls of calls)

/// Signs are mixed freely.
bool same_kind(ir::Type a, ir::Type b) { return ir::info(a).cls == ir::info(b).cls && ir::info(a).bits == ir::info(b).bits; }
}  // namespace

void Translator::fail(const Inst& in, const std::string& construct, const std::string& why) const {
  std::string text = construct + " (" + opcode_name(in.op) + (in.result ? ", " + spv_.name(in.result) : "") + "): " + why;
  throw Unsupported{text};
}

// ---------------------------------------------------------------------------------------------------------------- types

bool Translator::is_leaf(Id type) const {
  const spv::Op op = spv_.def(type).op;
  return op == spv::OpTypeBool || op == spv::OpTypeInt || op == spv::OpTypeFloat || op == spv::OpTypeVector ||
         (memory_ && op == spv::OpTypePointer);
}

Translator::LeafType Translator::leaf_type(Id type) const {
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeBool: return {ir::Type::boolean, 1};
    case spv::OpTypeInt:
      if (t[0] != 32 && !(memory_ && (t[0] == 8 || t[0] == 16 || t[0] == 64)))
        throw Unsupported{std::to_string(t[0]) + "-bit integers (OpTypeInt): the chip computes in 32-bit " +
                          (memory_ ? "numbers" : "floats") + " only"};
      if (t[0] == 64) return m_.wide = true, LeafType{t[1] ? ir::Type::i64 : ir::Type::u64, 1};
      return {t[1] ? ir::Type::i32 : ir::Type::u32, 1};
    case spv::OpTypeFloat:
      if (t[0] == 64 && memory_) return m_.wide = true, LeafType{ir::Type::f64, 1};
      if (t[0] != 32 && !(memory_ && t[0] == 16))
        throw Unsupported{std::to_string(t[0]) + "-bit floats (OpTypeFloat): the chip computes in 32-bit " +
                          (memory_ ? "numbers" : "floats") + " only"};
      return {ir::Type::f32, 1};
    case spv::OpTypeVector: return {leaf_type(t[0]).type, t[1]};
    case spv::OpTypePointer:
      if (const unsigned words = memory_ ? pointer_words(type) : 0) return {ir::Type::u32, words, true};
      throw Unsupported{memory_ ? "a pointer to the invocation's own memory as a value" : opcode_name(t.op) + " is not a numeric type"};
    default: throw Unsupported{opcode_name(t.op) + " is not a numeric type"};
  }
}

unsigned Translator::member_count(Id type) const {
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeVector:
    case spv::OpTypeMatrix: return t[1];
    case spv::OpTypeArray: return spv_.constant_u32(t[1]);
    case spv::OpTypeStruct: return unsigned(t.size());
    case spv::OpTypeRuntimeArray:
      throw Unsupported{"arrays of run-time length (OpTypeRuntimeArray): the chip has no buffers to read them from"};
    default: throw Unsupported{opcode_name(t.op) + " has no members"};
  }
}

Id Translator::member_type(Id type, uint32_t i) const {
  const Inst& t = spv_.def(type);
  return t.op == spv::OpTypeStruct ? t[i] : t[0];
}

unsigned Translator::leaf_count(Id type) const {
  if (is_leaf(type)) return 1;
  uint64_t n = 0;
  if (spv_.def(type).op == spv::OpTypeStruct) {
    for (unsigned i = 0; i < member_count(type); ++i) n += leaf_count(member_type(type, i));
  } else {
    n = uint64_t(member_count(type)) * leaf_count(member_type(type, 0));
  }
  if (n > kMaxLeaves) throw Unsupported{"a value of more than " + std::to_string(kMaxLeaves) + " vectors"};
  return unsigned(n);
}

unsigned Translator::first_leaf(Id type, uint32_t i) const {
  if (spv_.def(type).op != spv::OpTypeStruct) return i * leaf_count(member_type(type, 0));
  unsigned n = 0;
  for (uint32_t k = 0; k < i; ++k) n += leaf_count(member_type(type, k));
  return n;
}

void Translator::append_leaf_types(Id type, Vec<LeafType>& out) const {
  if (is_leaf(type)) {
    out.push_back(leaf_type(type));
    return;
  }
  for (unsigned i = 0; i < member_count(type); ++i) append_leaf_types(member_type(type, i), out);
}

// --------------------------------------------------------------------------------------------------------------- values

Operand Translator::constant_lanes(const ir::Lanes& x, unsigned comps, ir::Type type) {
  ir::Lanes lanes;
  for (unsigned i = 0; i < comps; ++i) lanes.bits[i] = x.bits[i];
  Operand& cached = constant_cache_[{type, comps, lanes.bits}];
  if (!cached) cached = constants_.append({.op = ir::Op::constant, .constant = lanes}, type, comps);
  return cached;
}

Operand Translator::constant(float x, unsigned comps, ir::Type type) { return constant_word(std::bit_cast<uint32_t>(x), comps, type); }

Operand Translator::constant_word(uint32_t word, unsigned comps, ir::Type type) {
  // One lane serves all: operands of one lane are broadcast.
  Operand o = ir::is_wide(type) ? wide_constant({word}, 1, type) : constant_lanes(ir::Lanes(std::array{word, 0u, 0u, 0u}), 1, type);
  o.comps = uint8_t(comps);
  return o;
}

Operand Translator::number(const Operand& o) {
  if (o.type == ir::Type::f32) return o;
  return b_.op_typed(o.type == ir::Type::u32 ? ir::Op::u2f : ir::Op::i2f, ir::Type::f32, {o});
}

void Translator::note_origin(const Inst& in, const Operand& value) {
  m_.origins.push_back({value.source.value, opcode_name(in.op) + (in.result ? ", " + spv_.name(in.result) : ""), in.operands.data()});
}

Leaves Translator::constant_leaves(Id id) {
  const Inst& in = spv_.def(id);
  leaf_count(in.type);  // refuses absurd arrays
  if (in.op == spv::OpConstantComposite && !is_leaf(in.type)) {
    Leaves all;
    for (uint32_t part : in.operands) {
      const Leaves l = leaves(part);
      all.insert(all.end(), l.begin(), l.end());
    }
    return all;
  }
  if (in.op == spv::OpUndef || in.op == spv::OpConstantNull) {
    Vec<LeafType> types;
    append_leaf_types(in.type, types);
    Leaves all;
    for (const LeafType& t : types) all.push_back(t.pointer ? null_leaf(t.comps) : constant_word(0, t.comps, t.type));
    return all;
  }
  const LeafType t = leaf_type(in.type);
  if (ir::is_wide(t.type)) {
    const auto number = [](const Inst& c) { return c.op == spv::OpConstant ? uint64_t{c[1]} << 32 | c[0] : 0; };
    std::array<uint64_t, 4> x{};
    if (in.op != spv::OpConstantComposite) return {wide_constant({number(in)}, 1, t.type)};
    for (unsigned i = 0; i < t.comps; ++i) x[i] = number(spv_.def(in[i]));
    return {wide_constant(x, t.comps, t.type)};
  }
  ir::Lanes x;
  auto scalar = [&](const Inst& c) -> uint32_t {
    if (c.op == spv::OpConstant && spv_.def(c.type).op == spv::OpTypeFloat && spv_.def(c.type)[0] == 16)
      return ir::eval_unpack(Op::unpack_half2x16, c[0])[0];
    return c.op == spv::OpConstant ? c[0] : c.op == spv::OpConstantTrue;
  };
  if (in.op == spv::OpConstantComposite)
    for (unsigned i = 0; i < t.comps; ++i) x.bits[i] = scalar(spv_.def(in[i]));
  else
    x.bits[0] = scalar(in);
  return {constant_lanes(x, t.comps, t.type)};
}

Leaves Translator::leaves(Id id) {
  Leaves& known = values_[spv_.index(id)];
  if (!known.empty()) return known;
  if (spv_.is_constant(id)) return known = constant_leaves(id);
  const Inst& in = spv_.def(id);
  if (memory_ && in.type && is_pointer(in.type)) return {pointer_leaf(pointer(id), in.type)};
  fail(in, "a value used before it is computed", "the control flow is not understood");
}

Operand Translator::operand(Id id) {
  if (const Leaves& known = values_[spv_.index(id)]; known.size() == 1) return known[0];
  const Leaves l = leaves(id);
  if (l.size() != 1) throw Unsupported{"a scalar or vector is needed where " + spv_.name(id) + " stands"};
  return l[0];
}

bool Translator::fits(const Operand& value, Id type) const {
  const LeafType t = leaf_type(type);
  return value.source.value && value.comps == t.comps && same_kind(value.type, t.type);
}

void Translator::set(const Inst& in, const Operand& value) {
  if (!is_leaf(in.type) || !fits(value, in.type)) fail(in, "a result of another type", "the SPIR-V is not valid");
  if (memory_ && is_pointer(in.type)) {
    const Pointer p = pointer_from(in.result, value);
    pointers_[in.result] = p;
    return;
  }
  values_[spv_.index(in.result)] = {halves_ ? held(in, value) : value};
}

void Translator::set(const Inst& in, Leaves value) {
  if (value.size() == 1 && is_leaf(in.type)) return set(in, Operand(value[0]));
  Vec<LeafType> types;
  bool ok = value.size() == leaf_count(in.type);
  if (ok) append_leaf_types(in.type, types);
  for (size_t i = 0; ok && i < value.size(); ++i) {
    ok = value[i].source.value && value[i].comps == types[i].comps && same_kind(value[i].type, types[i].type);
  }
  if (!ok) fail(in, "a result of another type", "the SPIR-V is not valid");
  if (halves_)
    for (Operand& leaf : value) leaf = held(in, leaf);
  values_[spv_.index(in.result)] = std::move(value);
}

Operand Translator::lanes_to(const Inst& in, std::span<const Operand> lanes) {
  if (!is_leaf(in.type) || lanes.size() != leaf_type(in.type).comps) fail(in, "a vector of another size", "the SPIR-V is not valid");
  return b_.vec(lanes);
}

Leaves Translator::columns(Id matrix) {
  if (spv_.type_of(matrix).op != spv::OpTypeMatrix) throw Unsupported{"a matrix is needed where " + spv_.name(matrix) + " stands"};
  return leaves(matrix);
}

// ----------------------------------------------------------------------------------------------------------- sequence

void Translator::mark(const uint32_t* at) {
  const auto next = ir::ValueId(m_.values.size());
  if (m_.marks.back().first == next)
    m_.marks.back().at = at;
  else
    m_.marks.push_back({next, at});
}

void Translator::instruction(const Inst& in) {
  mark(in.operands.data());
  try {
    translate(in);
  } catch (const Unsupported& e) {
    refuse(in, e.text);
  } catch (const std::out_of_range&) {
    refuse(in, "the SPIR-V is not valid: an index beyond what it indexes");
  }
}

/// The translation goes on as if the result were zero, so that one run finds everything that is refused.
void Translator::refuse(const Inst& in, const std::string& text) {
  if (refusals_->size() >= kMaxRefusals) throw Unsupported{text, in.operands.data()};
  const bool follows = std::any_of(in.operands.begin(), in.operands.end(), [&](Id id) { return poisoned_.count(id) != 0; });
  if (!follows && std::none_of(refusals_->begin(), refusals_->end(), [&](const Unsupported& u) { return u.text == text; }))
    refusals_->push_back({text, in.operands.data()});
  if (!in.result) return;
  poisoned_.insert(in.result);
  if (!in.type) return;
  const spv::Op type = spv_.def(in.type).op;
  if (type != spv::OpTypePointer && type != spv::OpTypeImage && type != spv::OpTypeSampler && type != spv::OpTypeSampledImage &&
      type != spv::OpTypeVoid) {
    Vec<LeafType> types;
    try {
      append_leaf_types(in.type, types);
    } catch (const Unsupported&) {
      return;
    }
    Leaves zero;
    for (const LeafType& t : types) zero.push_back(constant_word(0, t.comps, t.type));
    values_[spv_.index(in.result)] = std::move(zero);
  }
}

void Translator::translate(const Inst& in) {
  if (m_.values.size() > kMaxValues) throw Unsupported{"a shader of more than " + std::to_string(kMaxValues) + " operations"};
  b_.precise = in.result && spv_.decoration(in.result, spv::DecorationNoContraction).has_value();
  if (spv_.has_addresses() && memory_ && physical(in)) return;
  if (memory_ && (addresses(in) || images(in) || compare_pointers(in))) return;
  if (memory(in) || composite(in) || arithmetic(in) || conversion(in) || integer(in) || logic(in) || matrix(in) || texture(in)) return;
  if (in.op == spv::OpExtInst) {
    if (in[0] == spv_.glsl_std_450() && glsl(in)) return;
    if (spv_.def(in[0]).op == spv::OpExtInstImport && literal_string(spv_.def(in[0]).operands).starts_with("NonSemantic")) return;
    fail(in, "extended instruction " + std::to_string(in[1]), "it is not supported");
  }
  if (memory_ && (subgroups(in) || dot_product(in))) return;
  if (in.op == spv::OpDemoteToHelperInvocation) return kill(truth(true));
  fail(in, "an unsupported instruction",
       memory_ ? "it belongs to a capability that is not offered" : "the chip has only float arithmetic, texture reads and uniforms");
}

void Translator::run(std::vector<Unsupported>& refused) {
  refusals_ = &refused;
  m_.marks.push_back({0, nullptr});
  for (const Inst& in : spv_.constant_operations()) instruction(in);
  m_.entry = spv_.def(spv_.entry_function()).operands.data();
  declare_interface();
  const Function& main = spv_.function(spv_.entry_function());
  if (!main.parameters.empty()) throw Unsupported{"an entry point with parameters", m_.entry};
  calls_.push_back({spv_.entry_function(), 0});
  constructs_.push_back({Construct::Kind::region, 0, 0, 0});
  enter(main);
  region(main.labels[0]);
  constructs_.pop_back();
  calls_.pop_back();
  b_.set_list(m_.body);
  store_outputs();
  if (memory_) finish_resources();
  m_.body.insert(m_.body.begin(), std::make_move_iterator(entry_.begin()), std::make_move_iterator(entry_.end()));
  repair_scopes(m_);
  mark(nullptr);
}

}  // namespace pumice::compiler::frontend

namespace pumice::compiler {

bool build_ir(const ShaderSource& source, Stage stage, ir::Module& out, std::vector<Diagnostic>& diagnostics, Frontend frontend,
              const Target& target) {
  const bool memory = target.chip && target.chip->memory;
  if (memory) frontend = Frontend::direct;  // what it refuses SPIRV-Tools do not change
  if (frontend == Frontend::any) {
    std::vector<Diagnostic> ignored;
    return build_ir(source, stage, out, ignored, Frontend::direct) || build_ir(source, stage, out, diagnostics, Frontend::legalized);
  }
  out = ir::Module{};
  out.stage = stage;
  out.name = source.name;
  out.memory = memory;
  std::vector<uint32_t> legalized;
  std::span<const uint32_t> words = source.spirv;
  auto report = [&](const std::string& text, const uint32_t* at = nullptr) {
    Diagnostic d{shader_name(stage, source.name) + ": " + text, {}, 0, 0};
    if (const auto line = line_at(words, at)) d.file = line->file, d.line = line->line, d.column = line->column;
    diagnostics.push_back(std::move(d));
    return false;
  };
  std::string error;
  if (frontend == Frontend::legalized && !frontend::legalize(source, legalized, error)) return report(error);
  if (frontend == Frontend::legalized) words = legalized;
  std::vector<frontend::Unsupported> refused;
  bool whole = false;
  try {
    const frontend::SpirvModule spirv(words, source.entry_point, row(stage).model, source.specializations);
    frontend::Translator(spirv, out, target).run(refused);
    whole = true;
  } catch (const frontend::Unsupported& e) {
    // What follows from something refused before is no news.
    if (refused.empty()) refused.push_back({e.text, e.at ? e.at : out.marks.empty() ? nullptr : out.marks.back().at});
  } catch (const std::out_of_range&) {
    if (refused.empty()) refused.push_back({"the SPIR-V is not valid: an index beyond what it indexes"});
  }
  const bool good = refused.empty();
  for (const frontend::Unsupported& r : refused) report(r.text, r.at);
  if (whole) {
    const std::string broken = ir::validate(out);
    whole = broken.empty();
    if (good && !whole) report("internal error of the frontend: " + broken);
  }
  if (!whole) {
    out = ir::Module{};
    return false;
  }
  out.words = words;
  out.legalized = std::move(legalized);  // the words stay where they are
  return good;
}

}  // namespace pumice::compiler
