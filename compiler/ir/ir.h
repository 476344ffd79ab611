// SPDX-License-Identifier: MIT
/// The compiler's intermediate form between SPIR-V and microcode: SSA over vectors of 1..4 lanes with structured control flow.
///
/// Values. A value has 1..4 lanes of one type (types.h). The front end makes f32, i32, u32 and bool, and operations never mix their
/// classes. On chips that know floats only run_passes() begins with lower_integers: the module is `floats_only` afterwards, its integers
/// are floats that hold exact integers (|v| <= 2^24), its booleans 0.0 or 1.0, and their types serve diagnostics, exactness checks and
/// sel/if/kill_if alone. Integers and booleans have no source modifiers.
///
/// Control flow. A program is a list of nodes executed in order:
///   block  straight-line instructions
///   if     `cond` (one boolean lane): then_list or else_list; afterwards `results` exist (the phis after the if)
///   loop   `params` (the phis at the head) start as `args`; body until a break; afterwards `results` exist (the phis after the loop)
///   jump   only as the last node of a list: yield leaves an if arm, break and continue the innermost loop (from any depth of ifs)
/// Instead of phi instructions every edge carries its values: yield's args become the if's results, break's args the loop's
/// results, continue's args the loop's params, position by position. So "the phi copies of an edge" are simply
/// (destination list)[i] = jump.args[i], all at once (a parallel copy); see edges.h. An if arm or loop body whose end is reached without a
/// jump behaves as if yield / continue without arguments stood there (legal only if nothing is expected). If an arm always
/// jumps out of the loop, only the other arm yields; if both do, the if has no results and ends its list.
/// A value may be used where its definition dominates: later in its own list and in lists nested there. Values computed inside
/// an arm or body leave it through results only.
///
/// After run_passes() (compiler/passes/passes.h) the module is in chip form, which back ends may rely on:
///   no `high` op, on chips without integers no `typed` op either (those with have other loops and constants, too: the rules of these
///   below are for chips without); rcp, rsq, exp2, log2, sin, cos, *_cycles have one result lane; tex
///   without dref; a vertex program has no kill_if, ddx, ddy, tex, and no control flow but counted loops (ir/counted.h); a fragment program
///   indexes constants by the counter of a loop only (ir/induction.h); each output is stored in the outermost list only, after everything
///   else, at most once.
/// On chips with memory (ChipLimits::memory, docs/r5x.md) all stages are the same and rules are few: core, exact, typed and ext operations
/// but for load_uniform of buffers (immediate rows stay), load_push, load_param, tex; *_temp never with an index; rcp .. cos_cycles of
/// one lane, sin and cos as *_cycles only; floor is an operation; any control flow; any stage may load, store and sample. Locations of
/// varyings are their slots (0..31) once compile() has linked the stages.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/short_text.h"
#include "compiler/compiler.h"
#include "compiler/ir/ops.h"
#include "compiler/ir/types.h"
#include "compiler/memory.h"

namespace pumice::compiler::ir {

enum class Op : uint8_t {
#define X(name, sources, shape, pure, level, from, to) name,
  PUMICE_IR_OPS(X)
#undef X
};

struct OpInfo {
  enum class Shape : uint8_t { cw, dot2, dot3, dot4, other };
  enum class Level : uint8_t { core, high, exact, typed, ext };
  enum class Class : uint8_t { none, flt, int_, bit, word, bits, any, own };
  ShortText<17> name;
  int sources;
  Shape shape;
  bool pure;
  Level level;
  Class from, to;
};
namespace detail {
constexpr OpInfo::Class class_of(std::string_view name) {
  constexpr std::string_view kNames[] = {"none", "flt", "int", "bit", "word", "bits", "any", "own"};
  size_t i = 0;
  while (kNames[i] != name) ++i;
  return OpInfo::Class(i);
}
inline constexpr OpInfo kOps[] = {
#define X(name, sources, shape, pure, level, from, to) \
  {#name, sources, OpInfo::Shape::shape, pure, OpInfo::Level::level, class_of(#from), class_of(#to)},
    PUMICE_IR_OPS(X)
#undef X
};
}  // namespace detail
inline const OpInfo& info(Op op) { return detail::kOps[size_t(op)]; }
/// The typed operations are the last of the table but for those of chips with memory.
inline bool is_typed(Op op) { return op >= Op::iadd && op < Op::nmin; }
inline bool is_ext(Op op) { return op >= Op::nmin; }
/// Of chips with memory: names a row of Module::resources, or of inputs.
inline bool names_resource(Op op) {
  return (op >= Op::load_const && op <= Op::buffer_size) || (op >= Op::load_image && op <= Op::sample_lod);
}
inline bool names_row(Op op) { return names_resource(op) || op == Op::interpolate; }
namespace detail {
inline constexpr auto kEffects = [] {
  std::array<bool, std::size(kOps)> r{};
  for (size_t i = 0; i < r.size(); ++i) r[i] = kOps[i].to == OpInfo::Class::none;
  for (Op op : {Op::atomic_buffer, Op::atomic_shared, Op::atomic_image}) r[size_t(op)] = true;
  return r;
}();
}  // namespace detail
/// Does something besides giving a result: never dropped.
inline bool has_effect(Op op) { return detail::kEffects[size_t(op)]; }
size_t op_count();

using ValueId = uint32_t;  ///< index into Module::values; 0 is "no value"
struct Value {
  Type type = Type::f32;
  uint8_t comps = 1;
};

/// The lanes of a constant as stored in a register, interpreted according to the value's type (booleans are 0 or 1). Constants of 64
/// bits are joined of two (Op::wide_join).
struct Lanes {
  std::array<uint32_t, 4> bits{};
  constexpr Lanes() = default;
  constexpr Lanes(const std::array<float, 4>& x) : bits(std::bit_cast<std::array<uint32_t, 4>>(x)) {}
  constexpr explicit Lanes(const std::array<uint32_t, 4>& words) : bits(words) {}
  constexpr float operator[](size_t lane) const { return std::bit_cast<float>(bits[lane]); }
  constexpr std::array<float, 4> floats() const { return std::bit_cast<std::array<float, 4>>(bits); }
};

/// A read of a value: lane i is values[value][swizzle[i]], then |.| if abs, then -(.) if negate. How many lanes an
/// instruction reads is source_lanes(); the swizzle entries beyond repeat the last read one.
struct Source {
  ValueId value = 0;
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
  bool abs = false, negate = false;
};

/// How tex and sample find their texels. Of tex: coord has coord_lanes(dim) lanes; q is one lane.
enum class TexKind : uint8_t {
  implicit,  ///< coord
  bias,      ///< coord, q = LOD bias
  lod,       ///< coord, q = LOD
  grad,      ///< coord, dx, dy (lanes as coord)
  proj,      ///< coord, q: coord / q
  fetch,     ///< coord in texels of level 0 (integer + 0.5, unnormalised), q = LOD
  gather,    ///< sample only
};

/// SUB of docs/r5x.md, section 4. Of floats only add, smin, smax, exchange and mul.
enum class Atomic : uint8_t { add, smin, smax, umin, umax, band, bor, bxor, exchange, compare_exchange, mul };

/// What operations of chips with memory need besides. It lies where other instructions have their constant, so that an instruction is no
/// larger.
///
/// sample, by tex_kind (and dref), as XT of docs/r5x.md has it: src2.x is the bias (bias), the level (lod; fetch: an integer), the
/// reference is src2.y; fetch: src2.z is the sample (int); grad: src2.xyz, src3.xyz are the gradients, src2.w the reference; gather:
/// component `sub`. With kOffset src3.w holds texel offsets, one signed byte each. Lanes that mean nothing read what lane of the same value
/// the front end chose. coord of fetch is of integers, layer included. implicit and bias: fragment stage only.
struct Access {
  enum Flags : uint8_t {
    kSigned = 1,          ///< loads of 8 and 16 bits are sign extended
    kCoherent = 2,        ///< coherent or volatile
    kIndexed = 4,         ///< [index] has the distance of the resource's descriptor
    kSamplerIndexed = 8,  ///< [index] has the distance of the sampler's descriptor
    kOffset = 16,
  };
  uint32_t element = 0;          ///< of the resource's array
  uint32_t sampler_element = 0;  ///< of the sampler's array
  uint16_t sampler = 0;          ///< row of the sampler in Module::resources + 1; 0: a combined image sampler's own, or none
  uint8_t width = 0;             ///< 0: 32 bits; 8, 16: bits of the one component in memory
  uint8_t sub = 0;               ///< Atomic, or see the operation
  uint8_t flags = 0;
  std::array<uint8_t, 3> none{};
};

struct Instruction {
  Op op = Op::mov;
  uint8_t source_count = 0;
  uint8_t mask = 0xF;     ///< store_output, store_temp: lanes written
  bool saturate = false;  ///< clamp the result to [0,1] (NaN -> 0); only on cw and dot core ops up to dot4, f32 results
  bool precise = false;   ///< NoContraction: must not become part of a mad
  TexKind tex_kind = TexKind::implicit;
  bool dref = false;  ///< tex: compares; the last source is the reference, the result one lane
  ConstantRange::Parameter parameter = ConstantRange::Parameter::viewport_transform;
  ValueId result = 0;
  uint32_t index = 0;      ///< input, block, texture, output, temp: index into the module's tables
  uint32_t offset = 0;     ///< load_*: vec4 slot; *_temp: element
  uint32_t max_index = 0;  ///< largest value a dynamic index source may have
  Lanes constant{};
  std::array<Source, 4> source{};

  /// Operations of chips with memory only.
  Access access() const { return std::bit_cast<Access>(constant.bits); }
  void set_access(const Access& a) { constant.bits = std::bit_cast<std::array<uint32_t, 4>>(a); }
  /// Position of [index], -1 without.
  int index_source() const { return is_ext(op) && (access().flags & (Access::kIndexed | Access::kSamplerIndexed)) ? source_count - 1 : -1; }

  /// The value that source i < 4 reads, 0 beyond the last: computed, because how many there are differs from one instruction to the next.
  ValueId source_value(unsigned i) const { return source[i].value & (0u - static_cast<uint32_t>(i < source_count)); }
  std::span<Source> sources() { return {source.data(), source_count}; }
  std::span<const Source> sources() const { return {source.data(), source_count}; }
};

struct Node {
  using MovesAsBytes = void;  ///< plain data and lists
  enum class Kind : uint8_t { block, branch, loop, jump };
  enum class Jump : uint8_t { yield, break_, continue_ };
  Kind kind = Kind::block;
  Vec<Instruction> instructions;  ///< block
  Source cond;                    ///< branch: lane 0, a truth value, no modifiers
  Vec<Node> then_list;            ///< branch: the arm for true; loop: the body
  Vec<Node> else_list;            ///< branch: the arm for false
  Vec<ValueId> params;            ///< loop: phis at the head
  Vec<ValueId> results;           ///< branch, loop: phis after it
  Vec<Source> args;               ///< loop: initial params; jump: values of its edge
  Jump jump = Jump::yield;        ///< jump
};
using NodeList = Vec<Node>;

enum class Builtin : uint8_t {
  none,
  frag_coord,      ///< fragment in, f32x4
  front_facing,    ///< fragment in, boolean
  point_coord,     ///< fragment in, f32x2
  vertex_index,    ///< vertex in, i32 (the index fetched, base vertex included)
  instance_index,  ///< vertex in, i32
  position,        ///< vertex out, f32x4
  point_size,      ///< vertex out, f32
  frag_depth,      ///< fragment out, f32
  // Chips with memory (docs/r5x.md, section 5: SYS and EXP). Integers are i32 or u32, as the shader declares them.
  sample_id,        ///< fragment in, int
  sample_position,  ///< fragment in, f32x2
  sample_mask,      ///< fragment in: coverage, and out: int
  primitive_id,     ///< fragment in, int
  layer,            ///< fragment in, vertex out, int
  viewport_index,   ///< fragment in, vertex out, int
  helper,           ///< fragment in, boolean: at the start
  tested_mask,      ///< fragment in: coverage that early tests left, int
  base_vertex,      ///< vertex in, int
  base_instance,    ///< vertex in, int
  draw_index,       ///< vertex in, int
  view_index,       ///< vertex and fragment in, int
  local_id,         ///< compute in, int x3
  group_id,         ///< compute in, int x3
  group_count,      ///< compute in, int x3
  local_index,      ///< compute in, int
  subgroup,         ///< compute in, int x2: number of the subgroup in its workgroup, subgroups in it
  lane,             ///< any stage in, int: of the subgroup
  stencil_ref,      ///< fragment out, int
  clip_distance,    ///< vertex out (EXP 20, 21), fragment in: f32x1..4; location 0: distances 0..3, 1: 4..7
  cull_distance,    ///< the same (EXP 22, 23)
  // Chips without derivatives: what the varying at `location` changes by from pixel to pixel, divided by the clip position's w.
  slope_x,  ///< fragment in, vertex out, f32x1..4
  slope_y,
};

/// Has a location: a variable, or what belongs to one.
inline bool is_located(Builtin b) { return b == Builtin::none || b == Builtin::slope_x || b == Builtin::slope_y; }

struct Input {
  Builtin builtin = Builtin::none;
  uint32_t location = 0;
  uint8_t component = 0;  ///< lane 0 of the value is this lane of the location
  uint8_t comps = 4;
  Type type = Type::f32;
  bool flat = false, no_perspective = false;
  bool centroid = false, sample = false;  ///< chips with memory
  uint8_t corner = 0;                     ///< vertex: of the n-th vertex after this one in the triangle (chips without derivatives)
  const uint32_t* at = nullptr;           ///< the variable's operands in Module::words, as of all rows
};

struct Output {
  Builtin builtin = Builtin::none;
  uint32_t location = 0;
  uint8_t component = 0, comps = 4;
  Type type = Type::f32;
  uint8_t second = 0;  ///< fragment: 1: second source of blending (dual source)
  const uint32_t* at = nullptr;
};

/// A block of vec4 slots: a uniform buffer, or (if `immediate` is not empty) constants of the shader itself, e.g. a constant array
/// indexed dynamically: set, binding, element are then meaningless and size = immediate.size() * 4.
/// Memory is words, and a load gives them the type of its result. Once the module is floats_only, a row shows its memory either as floats
/// or, with view i32 or u32, as integers already converted to floats; a block with members of both sorts has a row for each. Integers
/// among the push constants are such a row too.
struct UniformBlock {
  uint32_t set = 0, binding = 0, element = 0;
  uint32_t size = 0;  ///< bytes the shader declares
  std::vector<float> immediate;
  Type view = Type::f32;
  bool push = false;  ///< the push constants: set, binding, element are meaningless
  const uint32_t* at = nullptr;
};

struct Texture {
  TexturePair pair;
  TextureUse::Dim dim = TextureUse::Dim::d2;
  bool shadow = false, input_attachment = false;
  bool level0_offsets = false;  ///< coordinates were moved by texels of level 0, so a lookup must not choose another level
  bool unnormalized = false;    ///< of the sampler: coordinates count texels
  const uint32_t* at = nullptr;
};

/// A binding of the shader on chips with memory.
struct Resource {
  DescriptorLayout layout;
  TextureUse::Dim dim = TextureUse::Dim::d2;  ///< images
  bool texels = false;                        ///< a texel buffer: one coordinate
  bool arrayed = false, multisampled = false;
  Type type = Type::f32;  ///< images: of a texel's lanes: f32, i32, u32
  bool wide = false;      ///< images of 64-bit integers: texels are pairs of words
  bool written = false;   ///< stores or atomics are among the module's instructions: nothing of it is unchanging
  const uint32_t* at = nullptr;
};

/// An indexable temporary of `elements` values.
struct Temp {
  uint32_t elements = 1;
  uint8_t comps = 4;
  Type type = Type::f32;
};

/// What a value was in SPIR-V, for passes that may refuse it: "OpBitCount, %7".
struct Origin {
  ValueId value = 0;
  std::string text;
  const uint32_t* at = nullptr;  ///< the instruction's operands in Module::words
};

/// Values from `first` up to the next mark's were made for the instruction with these operands in Module::words (null: by passes).
struct Mark {
  ValueId first = 0;
  const uint32_t* at = nullptr;
};

struct Module {
  Stage stage = Stage::fragment;
  bool floats_only = false;  ///< integers and booleans are floats: lower_integers has run
  std::string name;
  bool early_fragment_tests = false;
  uint32_t push_size = 0;  ///< bytes
  Vec<Input> inputs;
  Vec<Output> outputs;
  Vec<UniformBlock> uniforms;
  Vec<Texture> textures;
  Vec<Temp> temps;
  Vec<Resource> resources;                      ///< chips with memory, instead of uniforms and textures
  std::array<uint32_t, 3> local_size{1, 1, 1};  ///< compute
  uint32_t shared_bytes = 0;                    ///< of a workgroup
  uint32_t scratch_bytes = 0;                   ///< of an invocation; a multiple of 16
  enum class DepthMode : uint8_t { any, greater, less, unchanged } depth_mode = DepthMode::any;
  bool per_sample = false;          ///< fragment: an invocation per sample
  bool signed_zeros = false;        ///< chips with memory: f32 keep the sign of zeros (SignedZeroInfNanPreserve)
  bool memory = false;              ///< of a chip with memory: has operations of level ext, resources
  bool wide = false;                ///< has values of 64 bits: lower_wide has not run
  Vec<Value> values{Value{}};       ///< [0] is no value
  Vec<Origin> origins;              ///< of values that not every chip can compute, in ascending order
  Vec<Mark> marks;                  ///< in ascending order
  const uint32_t* entry = nullptr;  ///< the entry point's OpFunction in `words`
  std::span<const uint32_t> words;  ///< the SPIR-V that this was made of, for the source lines of diagnostics; the shader's or `legalized`
  std::vector<uint32_t> legalized;
  NodeList body;

  ValueId new_value(Type type, unsigned comps) {
    values.push_back({type, uint8_t(comps)});
    return ValueId(values.size() - 1);
  }
  const Value& value(ValueId id) const { return values[id]; }
  uint8_t comps(ValueId id) const { return values[id].comps; }
  /// The type of comparisons.
  Type truth() const { return floats_only ? Type::bool_f32 : Type::boolean; }
};

/// The values that a mark covers.
struct MarkRange {
  ValueId first = 0, end = 0;
  const uint32_t* at = nullptr;
};
MarkRange mark_range(const Module& module, ValueId value);
/// Values from `first` on, of which no mark speaks yet, were made for `at`. Modules without marks get none.
void add_mark(Module& module, ValueId first, const uint32_t* at);

/// The SPIR-V instruction that this one comes from, for diagnostics: its own mark, else that of a value it reads. Null: not known.
const uint32_t* origin(const Module& module, const Instruction& in);
/// The same; of an instruction without either, the last one before it in the module that has a mark.
const uint32_t* nearest_origin(const Module& module, const Instruction& in);
/// Of the first instruction of these nodes that has one.
const uint32_t* first_origin(const Module& module, const NodeList& nodes);

unsigned coord_lanes(TextureUse::Dim dim);
/// Of a sample's coordinate: with the layer.
unsigned sample_lanes(const Resource& resource);
/// Of load_image, store_image, atomic_image: integer coordinates, layer (cubes: face + 6 * layer, as one); multisampled: 4, the sample
/// last.
unsigned image_lanes(const Resource& resource);
/// Number of lanes the instruction reads of its source i.
unsigned other_source_lanes(const Module& module, const Instruction& instruction, unsigned i);  ///< where the op's shape does not say
inline unsigned source_lanes(const Module& module, const Instruction& instruction, unsigned i) {
  switch (info(instruction.op).shape) {
    case OpInfo::Shape::cw: return module.comps(instruction.result);
    case OpInfo::Shape::dot2: return 2;
    case OpInfo::Shape::dot3: return 3;
    case OpInfo::Shape::dot4: return 4;
    case OpInfo::Shape::other: break;
  }
  return other_source_lanes(module, instruction, i);
}
/// Value read as it is, lanes 0..comps-1 (the last repeated).
inline Source read(const Module& module, ValueId value) {
  constexpr std::array<uint8_t, 4> kLanes[] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}};
  return {.value = value, .swizzle = kLanes[module.comps(value)]};
}
/// One lane of a value on all lanes.
Source read_lane(ValueId value, unsigned lane);

/// Text form. print() and parse() are inverse (names of values are kept). Grammar by example:
///   shader fragment "name" [floats_only] [early_fragment_tests]
///   input 0 location=0 component=0 f32x3 [flat] [noperspective] [corner=1] | input 1 frag_coord f32x4
///   input 2 slope_x location=0 component=0 f32x3
///   push size=64                                 output 0 location=0 component=0 f32x4 | output 1 position f32x4
///   uniform 0 set=0 binding=0 element=0 size=64 [i32|u32]   uniform 1 push size=64 [i32|u32]   uniform 2 immediate 1 2 3 4
///   temp 0 elements=4 f32x2                        local_size 8 8 1 | shared_bytes 64 | scratch_bytes 32 | depth_mode 1 | per_sample
///   resource 0 combined set=0 binding=1 count=1 offset=64 stride=64 [dynamic] 2d [texels] [array] [ms] f32 [written]
///   texture 0 set=0 binding=1 element=0 [sampler set=0 binding=2 element=0 | no_sampler] 2d [shadow] [input_attachment]
///     [level0_offsets] [unnormalized]
///   %1:f32x4 = constant 1 0.5 -inf 0x7fc00000    %2:i32 = constant -3    %3:f32x2 = mul.sat.precise %1.xy -|%2.x|
///   %4:f32x4 = load_uniform 0 offset=4 [%9.x max=35]    %5:f32x4 = tex 0 grad %1.xy %2.xy %2.zw    store_output 0 %5.xyzw mask=xyz
///   if %7.x -> %8:f32x4 { ... yield %5.xyzw } else { ... }
///   %5:f32x3 = load_buffer 0 %4.x [%6.x] offset=16 element=1 width=8 sub=2 signed coherent indexed sampler_indexed offsets sampler=3
///   loop %10:i32 = %2.x, %11:f32x4 = %1.xyzw -> %12:f32x4 { ... break %11.xyzw ... continue %13.x, %11.xyzw }
/// One statement a line; `;` starts a comment.
std::string print(const Module& module);
/// The same with source lines as remarks, where the SPIR-V says: "; a.frag:7".
std::string print_with_lines(const Module& module);
bool parse(std::string_view text, Module& out, std::string& error);

/// Empty if the module obeys every rule above, else the first broken one with the place.
std::string validate(const Module& module);
/// Additionally the rules of chip form.
std::string validate_chip_form(const Module& module, const ChipLimits& chip);
/// These alone, of a valid module.
std::string chip_form_problem(const Module& module, const ChipLimits& chip);

}  // namespace pumice::compiler::ir
