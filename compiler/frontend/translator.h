// SPDX-License-Identifier: MIT
/// SPIR-V of one entry point -> IR, functions inlined at each call. One class, one .cpp per concern:
///   structure.cpp   blocks and merges -> nested nodes        memory.cpp     variables, access chains, loads, stores
///   calls.cpp       functions
///   arithmetic.cpp  core instructions                        glsl.cpp       GLSL.std.450
///   texture.cpp     images                                   interface.cpp  inputs, outputs, descriptors
/// On chips with memory (Target) instead: addresses.cpp  access by byte, atomics   images.cpp  images and samplers
///   pointers.cpp    pointers chosen at run time       pointer_origins.cpp  what they can point into
///   physical.cpp    addresses as pointers             dot_product.cpp  dot products of integers
///   narrow.cpp, half.cpp, wide.cpp  numbers of 8, 16 and 64 bits
///   resources.cpp   descriptors                              subgroups.cpp  subgroups, barriers
/// Every SPIR-V variable (also inputs, outputs and OpPhi results) becomes an indexable temporary of the IR; the passes turn those into
/// SSA values. A SPIR-V value is a list of leaves: scalars or vectors, matrices by column, arrays and structs in member order.
#pragma once
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "compiler/frontend/frontend.h"
#include "compiler/frontend/spirv.h"
#include "compiler/ir/builder.h"

namespace pumice::compiler::frontend {

using ir::Operand;
using Leaves = Vec<Operand>;

/// Temporaries that hold a value of some type: structs by member, everything below by (array index, column).
struct TempTree {
  Id type = 0;
  Vec<TempTree> members;  ///< struct
  uint32_t temp = 0;      ///< otherwise
};

/// An index that is known at run time only: `value` in 0..max.
struct DynamicIndex {
  Operand value;
  uint32_t max = 0;
  uint32_t stride = 1;  ///< uniform memory: bytes
};

/// A descriptor of a chip with memory: element of a row of Module::resources, and bytes from there to the one meant.
struct Descriptor {
  uint32_t row = 0, element = 0;
  Operand index;
  uint32_t number = 0;  ///< among Pointer::choices
};

struct Pointer {
  /// From buffer on: of chips with memory.
  enum class Kind : uint8_t { temp, uniform, push, texture, sampler, buffer, pushed, shared, image };
  Kind kind = Kind::temp;
  Id type = 0;  ///< what it points to
  Id variable = 0;
  // temp
  const TempTree* tree = nullptr;
  uint32_t element = 0;
  // uniform, push: byte offset; texture, sampler: array element. row: of the module's table; sampler: of samplers_
  uint32_t row = 0, offset = 0;
  uint32_t component_stride = 4, column_stride = 16;  ///< inside of a matrix
  bool in_matrix = false, row_major = false;
  bool block_array = false;  ///< uniform: `type` is an array of blocks
  Vec<uint32_t> rows;        ///< uniform: not empty: one of these blocks, by `block`, instead of `row`
  Operand block;
  Vec<DynamicIndex> dynamic;  ///< temp: at most one
  // a lane of the vector pointed to before
  int lane = -1;
  Operand dynamic_lane;
  uint32_t vector_lanes = 0;  ///< lanes of that vector
  // buffer, pushed, shared: byte `offset` + `address`; buffer, image: the descriptor
  Descriptor descriptor;
  Operand address;
  Vec<Descriptor> choices;  ///< buffer: not empty: the one of these whose number is `choice`, instead of `descriptor`
  Operand choice;
  uint32_t stride = 0;    ///< of the array that the pointer was last stepped into
  bool null = false;      ///< points nowhere: loads are 0, stores are left out
  bool storage = false;   ///< a storage buffer
  bool physical = false;  ///< buffer: address and `high` are those of the chip's memory
  Operand high;           ///< physical: word 63:32 of the address; none: 0
  bool laid_out = false;  ///< shared: a block, as the module's decorations say
  bool coherent = false;  ///< or volatile
  bool addressed() const { return kind >= Kind::buffer; }
  /// The workgroup's memory without gaps, which the module says nothing about.
  bool own_layout() const { return kind == Kind::shared && !laid_out; }
  bool laid_out_as(const Pointer& b) const;
};

constexpr const char* kOtherLayout = "the choice between pointers whose memory is laid out differently";

/// A loaded image, sampler or sampled image: one row of the module's textures (sampler: of samplers_), or one of several by an index known
/// at run time, 0..rows.size()-1. The unit of a lookup is fixed on this chip, so every one of them is looked up.
struct ImageRef {
  bool sampler = false;
  Vec<uint32_t> rows;
  Operand index;
  // Chips with memory: the image (or combined image sampler), and a sampler of its own.
  Descriptor image;
  std::optional<Descriptor> sampled_with;
};

/// OpImageTexelPointer.
struct TexelPointer {
  ImageRef image;
  Operand texel;  ///< ir::image_lanes()
};

/// Where control ends up behind a list of nodes: see structure.cpp.
struct Flow {
  bool falls = false;  ///< the end of the region is reached normally
  Set<Id> pending;     ///< targets further out whose flag may be set: code in between must be guarded
  Set<Id> crossing;    ///< targets outside of the current loop: flag set and loop left
  void join(const Flow& o) {
    falls |= o.falls;
    note(o);
  }
  void note(const Flow& o) {
    pending.insert(o.pending.begin(), o.pending.end());
    crossing.insert(o.crossing.begin(), o.crossing.end());
  }
};

class Translator {
 public:
  Translator(const SpirvModule& spirv, ir::Module& out, const Target& target)
      : spv_(spirv),
        m_(out),
        b_(out, out.body),
        target_(target),
        memory_(out.memory),
        halves_(out.memory && spirv.has_halves()),
        constants_(out, entry_),
        values_(spirv.index_count()),
        next_pseudo_(spirv.bound()) {}
  /// Throws Unsupported when there is no going on. Instructions that are refused are left out and added to `refused`: a module is
  /// translated when both is well.
  void run(std::vector<Unsupported>& refused);

 private:
  // Types.
  struct LeafType {
    ir::Type type;
    unsigned comps;
    bool pointer = false;
  };
  LeafType leaf_type(Id type) const;  ///< of a scalar, a vector, or a pointer that is a value
  bool is_leaf(Id type) const;
  unsigned leaf_count(Id type) const;
  unsigned member_count(Id type) const;  ///< of a composite: members, elements, columns, lanes
  Id member_type(Id type, uint32_t i) const;
  unsigned first_leaf(Id type, uint32_t i) const;  ///< leaves before member i
  void append_leaf_types(Id type, Vec<LeafType>& out) const;

  // Values.
  Leaves leaves(Id id);
  Operand operand(Id id);  ///< of a value with one leaf
  /// Checks that the value has the instruction's type (the module is not validated).
  void set(const Inst& in, Leaves value);
  void set(const Inst& in, const Operand& value);
  bool fits(const Operand& value, Id type) const;
  Operand lanes_to(const Inst& in, std::span<const Operand> lanes);  ///< a vector of the instruction's type
  Leaves columns(Id matrix);
  Leaves constant_leaves(Id id);
  Operand constant(float x, unsigned comps = 1, ir::Type type = ir::Type::f32);
  Operand constant_lanes(const ir::Lanes& x, unsigned comps, ir::Type type);
  /// On one lane, read by `comps`; a truth value is 0 or 1.
  Operand constant_word(uint32_t word, unsigned comps, ir::Type type);
  Operand truth(bool x) { return constant_word(x, 1, ir::Type::boolean); }
  Operand integer(uint32_t x, const Operand& like) { return constant_word(x, 1, like.type); }
  // wide.cpp: numbers of 64 bits
  Operand wide_constant(const std::array<uint64_t, 4>& x, unsigned comps, ir::Type type);
  /// A float of the type of `like`.
  Operand real(float x, const Operand& like) {
    return like.type == ir::Type::f64 ? wide_constant({std::bit_cast<uint64_t>(double(x))}, 1, ir::Type::f64) : constant(x);
  }
  Operand joined(const Operand& low, const Operand& high, ir::Type type) { return b_.op_typed(ir::Op::wide_join, type, {low, high}); }
  Operand low_words(const Operand& x) { return b_.op_typed(ir::Op::wide_low, ir::Type::u32, {x}); }
  Operand high_words(const Operand& x) { return b_.op_typed(ir::Op::wide_high, ir::Type::u32, {x}); }
  Operand from_words(std::span<const Operand> words, ir::Type type);
  Vec<Operand> to_words(const Operand& x);
  Operand resized(const Operand& x, Id type, bool is_signed);
  Operand bitcast_wide(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits);
  Operand index_operand(Id id);
  Operand exponent_word(const Operand& x);
  Operand word_of(const Operand& x) { return ir::is_wide(x.type) ? low_words(x) : x; }
  Leaves carried(const Inst& in, Operand a, Operand b);
  Operand wide_scan(ir::Op op, ir::Atomic with, const Operand& value);
  void add_wide_input(const Inst& variable, const LeafType& leaf, ir::Input input, uint32_t& location, Leaves& out);
  void store_wide_output(const LeafType& leaf, ir::Output output, uint32_t& location, const Operand& value);

  Operand shifted(ir::Op shift, const Operand& x, unsigned amount) { return b_.op(shift, {x, integer(amount, x)}); }
  /// An integer as a float, a float as it is.
  Operand number(const Operand& o);
  Operand retag(const Operand& o, ir::Type type) { return o.type == type ? o : b_.mov(o, type); }
  /// Notes what the value comes from, for passes of chips that cannot compute it.
  void note_origin(const Inst& in, const Operand& value);
  [[noreturn]] void fail(const Inst& in, const std::string& construct, const std::string& why) const;

  // structure.cpp
  struct Construct {
    enum class Kind : uint8_t { region, loop } kind;
    Id target;              ///< region: the block behind it; loop: the block behind it
    Id continue_block = 0;  ///< region of a loop body whose continue block does nothing: that block
    Id header = 0;
  };
  Flow region(Id block);
  std::optional<Id> finish_block(const Block& block, Flow& total);
  Flow arm(const Block* from, Id target, Id end, ir::NodeList& list);
  Flow leave(Id target, bool set_flag = true);
  bool leaveable(Id target) const;
  void check_depth() const;
  std::optional<Id> branch(const Block& block, Flow& total);
  std::optional<Id> selection(const Block& block, Id merge, Flow& total);
  std::optional<Id> switch_(const Block& block, Id merge, Flow& total);
  Vec<Id> fallthrough_order(const Vec<Id>& labels, Id merge) const;
  Operand default_condition(const Inst& terminator, Id default_label, const Operand& selector);
  std::optional<Id> loop(const Block& block, Flow& total);
  bool guard(const Set<Id>& targets);
  void store_phis(Id from, Id to);
  void reset_flag(Id target);
  Operand matches(const Operand& selector, uint64_t literal);
  void raise_flag(Id target) { store_flag(target, true); }
  void store_flag(Id target, bool value);
  uint32_t flag(Id target);
  ir::Node& append_node(ir::Node::Kind kind);
  void append_jump(ir::Node::Jump jump);
  void kill(const Operand& condition);
  std::optional<Id> decided_target(const Inst& terminator) const;
  struct Case {
    uint64_t literal;
    Id label;
  };
  Vec<Case> cases(const Inst& terminator) const;
  unsigned literal_words(const Inst& terminator) const;

  // calls.cpp
  void enter(const Function& function);
  Flow call(const Inst& in);

  // memory.cpp
  TempTree make_tree(Id type, uint32_t elements);
  const TempTree& tree_of(Id variable, Id type);
  Pointer pointer(Id id);
  Pointer accessed(const Inst& in, size_t at, size_t operands);
  void declare_variable(const Inst& in);
  void access_chain(const Inst& in);
  void step_into(Pointer& p, Id index);
  Leaves load(const Pointer& p);
  void store(const Pointer& p, const Leaves& value);
  void load_tree(const TempTree& tree, Id type, uint32_t element, const Vec<DynamicIndex>& dynamic, Leaves& out);
  void store_tree(const TempTree& tree, Id type, uint32_t element, const Vec<DynamicIndex>& dynamic, std::span<const Operand>& in);
  void load_memory(const Pointer& p, Id type, uint32_t offset, Leaves& out);
  Operand load_words(const Pointer& p, ir::Type type, uint32_t offset, uint32_t stride, unsigned comps);
  Operand at_least(const Operand& index, uint32_t i);
  Operand choose(std::span<const uint32_t> rows, const Operand& index, const std::function<Operand(uint32_t)>& of_row);
  Operand load_slot(const Pointer& p, ir::Type type, uint32_t slot, const Operand& dynamic, uint32_t max);
  Operand extract_dynamic(const Operand& vector, const Operand& index);
  Operand insert_dynamic(const Operand& vector, const Operand& value, const Operand& index);
  bool memory(const Inst& in);

  /// Values made from now on come from the instruction with these operands.
  void mark(const uint32_t* at);
  /// Runs code about a variable; what it refuses is the variable's.
  template <class Code>
  void of_variable(const Inst& variable, const Code& code) {
    mark(variable.operands.data());
    try {
      code();
    } catch (const Unsupported& e) {
      refuse(variable, spv_.name(variable.result) + " (OpVariable): " + e.text);
    }
  }

  // interface.cpp
  void declare_interface();
  void declare(const Inst& variable, spv::StorageClass of);
  void declare_input(const Inst& variable);
  void declare_output(const Inst& variable);
  void store_outputs();
  void store_output(Id variable);
  void add_input_leaves(const Inst& variable, Id type, ir::Input input, uint32_t& location, Leaves& out);
  void declare_uniform(const Inst& variable);
  uint32_t type_size(Id type, bool row_major, uint32_t matrix_stride) const;
  void store_output_leaves(Id type, ir::Output output, uint32_t& location, std::span<const Operand>& values);
  void add_decorations(ir::Input& input, Id id, int member) const;
  void declare_texture(const Inst& variable);
  void declare_sampler(const Inst& variable, Id whole, uint32_t elements);
  bool input_builtin(uint32_t builtin, ir::Builtin& out) const;

  // resources.cpp
  void declare_resources();
  const DescriptorLayout* layout_of(const Inst& variable, DescriptorLayout::Kind kind);
  void declare_buffer(const Inst& variable);
  void declare_image(const Inst& variable);
  void declare_shared(const Inst& variable);
  void check_float_modes() const;
  void declare_modes();
  void finish_resources();

  // addresses.cpp
  bool addresses(const Inst& in);
  void step_into_address(Pointer& p, Id index);
  void step_into_descriptors(Pointer& p, Id index);
  void advance(Pointer& p, Id index, uint32_t stride);
  Leaves load_address(const Pointer& p);
  void load_address(const Pointer& p, Id type, uint32_t offset, Leaves& out);
  void store_address(const Pointer& p, Id type, uint32_t offset, std::span<const Operand>& in);
  Operand load_lanes(const Pointer& p, Id type, uint32_t offset);
  void store_lanes(const Pointer& p, Id type, uint32_t offset, const Operand& value);
  ir::Instruction access(const Pointer& p, ir::Op op, uint32_t offset, std::initializer_list<Operand> data, unsigned width);
  static void add_index(ir::Instruction& in, const Descriptor& d);
  void ordered_atomic(const Inst& in);
  void atomic(const Inst& in);
  Operand atomic_on(const Inst& in, ir::Atomic op, std::initializer_list<Operand> data);
  void array_length(const Inst& in);
  Pointer member_of(const Pointer& p, Id type, uint32_t i) const;
  struct Stride {
    uint32_t bytes, component;
  };
  uint32_t array_stride(const Pointer& p, Id type) const;
  uint32_t own_size(Id type) const;
  unsigned scalar_bytes(Id type) const;

  // dot_product.cpp
  bool dot_product(const Inst& in);
  Vec<Operand> dot_lanes(const Inst& in, Id id, bool is_signed);
  Operand saturated_sum(const Inst& in, const Operand& a, const Operand& b, bool is_signed);

  // physical.cpp
  bool physical(const Inst& in);
  bool is_physical(Id type) const;
  Pointer physical_pointer(Id type, const Operand& words);
  Operand physical_address(const Pointer& p);
  Operand physical_words(const Pointer& p);

  // pointers.cpp, pointer_origins.cpp
  struct PointerOrigin {
    Pointer pointer;  ///< without address and buffer
    Vec<Id> roots;    ///< variables that it may point into
  };
  struct PointerTrail {
    Map<Id, std::optional<Pointer>> shapes;
    Vec<Id> roots;
    unsigned depth = 0;
  };
  bool is_pointer(Id type) const;
  bool holds_pointers(Id type);
  Id holder_of(Id id) const;
  Pointer null_pointer(Id type);
  Pointer select_pointer(const Operand& condition, const Pointer& a, const Pointer& b);
  Operand address_of(const Pointer& p);
  static Pointer chosen(const Pointer& p, uint32_t i);
  Operand is_chosen(const Pointer& p, uint32_t i);
  Operand of_chosen(const Pointer& p, const std::function<Operand(const Pointer&)>& access);
  void with_chosen(const Pointer& p, const std::function<void(const Pointer&)>& code);
  void find_pointer_flow();
  Vec<Id> pointer_sources(const Inst& in);
  std::optional<Pointer> pointer_shape(Id id, PointerTrail& trail);
  void held_shapes(Id id, Id wanted, Set<Id>& seen, PointerTrail& trail, std::optional<Pointer>& shape);
  static void join_shape(std::optional<Pointer>& shape, const std::optional<Pointer>& other);
  void step_shape(Pointer& p, Id index);
  unsigned pointer_words(Id type) const;
  Operand null_leaf(unsigned words);
  Operand by_choice(const Pointer& p, const std::function<Operand(const Descriptor&)>& of);
  Operand descriptor_bytes(const Descriptor& d);
  Operand pointer_leaf(const Pointer& p, Id type);
  Pointer pointer_from(Id id, const Operand& leaf);
  void store_temp_word(uint32_t temp, const Operand& word);
  Operand binding_word(const Pointer& p);
  Operand pointers_equal(const Pointer& a, const Pointer& b);
  Operand pointer_difference(const Inst& in, const Pointer& a, const Pointer& b);
  bool compare_pointers(const Inst& in);

  // images.cpp
  bool images(const Inst& in);
  ImageRef loaded_image(const Pointer& p) const;
  ImageRef image_ref(const Inst& in, Id id) const;
  Operand image_instruction(const ImageRef& ref, ir::Instruction in, std::initializer_list<Operand> sources, ir::Type type, unsigned comps);
  struct ImageOperands {
    Operand bias, lod, dx, dy, offset, sample;
    Leaves offsets;
    bool coherent = false;
  };
  ImageOperands image_operands(const Inst& in, size_t at);
  void sample_image(const Inst& in);
  void gather_image(const Inst& in);
  Operand wide_texel(const Operand& words, ir::Type type);
  Operand wide_element(const ImageRef& ref, const Operand& given, const ImageOperands& o, ir::Type type);
  void fetch_image(const Inst& in);
  void write_image(const Inst& in);
  void query_image(const Inst& in);
  Operand texel_of(const ImageRef& ref, const Operand& coord, const Operand& sample);
  Operand fetch_texel(const ImageRef& ref, const Operand& coord, const ImageOperands& o);
  Operand packed_offsets(const Operand& offset);
  Operand four(const std::array<Operand, 4>& lanes);
  void texel_pointer(const Inst& in);

  // subgroups.cpp
  bool subgroups(const Inst& in);
  uint32_t group_lanes() const { return m_.stage == Stage::fragment ? 4 : 16; }  ///< docs/r5x.md rule 4
  Operand builtin(ir::Builtin which, ir::Type type, unsigned comps);
  Operand lane_mask(spv::BuiltIn which);
  Leaves each_word(const Leaves& value, const std::function<Operand(const Operand&)>& of_word);
  Operand ballot_of(const Operand& truth);
  void barrier(const Inst& in);
  void group_arithmetic(const Inst& in);
  void clustered(const Inst& in, ir::Atomic op, uint32_t size);
  Operand shuffled(const Operand& value, const Operand& from);
  Leaves group_operand(const Inst& in, ir::Atomic op);
  Operand group_result(const Inst& in, ir::Atomic op, const Operand& r);
  void read_clock(const Inst& in);
  Operand identity_of(ir::Atomic op, const Operand& like);
  Operand combined(ir::Atomic op, const Operand& a, const Operand& b);

  // interface.cpp, on chips with memory
  bool extended_input(uint32_t builtin, const Inst& variable);
  void note_rows(const TempTree& tree, Id type, uint32_t element, uint32_t& row);
  Leaves interpolated(const Inst& in, const Pointer& p, unsigned sub, const Operand& at);

  // arithmetic.cpp, composite.cpp, glsl.cpp, texture.cpp: true if the instruction was one of theirs.
  void instruction(const Inst& in);
  void translate(const Inst& in);
  void refuse(const Inst& in, const std::string& text);
  bool arithmetic(const Inst& in);
  Operand narrowed(const Operand& x, Id type, spv::Op op, bool toward_zero);
  unsigned integer_bits(Id type) const;
  Operand extended(const Operand& x, unsigned bits, bool is_signed);
  Operand integer_operand(Id id, bool is_signed);
  Operand wrapped(const Operand& r, Id type);
  bool glsl_narrow(const Inst& in, uint32_t f);
  Leaves wide_narrow(const Inst& in);
  // half.cpp
  bool is_half(Id type) const;
  Operand held(const Inst& in, const Operand& value);
  Operand product(const Inst& in, const Operand& a, const Operand& b);
  Operand packed_pair(const Operand& x, const Operand& y);
  Operand unpacked_pair(const Operand& word);
  Operand quantized(const Operand& x);
  Operand truncated(const Operand& x);
  Operand rounded_to_odd(const Operand& x);
  Operand bitcast(const Operand& x, Id from, Id type);

  Operand bits_as(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits);
  Operand bitcast_narrow(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits);
  Operand compare_with_nan(spv::Op op, const Operand& a, const Operand& b);
  bool conversion(const Inst& in);
  bool integer(const Inst& in);
  bool logic(const Inst& in);
  bool composite(const Inst& in);
  bool matrix(const Inst& in);
  bool glsl(const Inst& in);
  bool glsl_exact(const Inst& in, uint32_t function);
  bool glsl_integer(const Inst& in, uint32_t function);
  bool glsl_composite(const Inst& in, uint32_t function);
  bool texture(const Inst& in);
  ImageRef load_image(const Pointer& p);
  const ImageRef& image(const Inst& in, Id id, bool sampler = false);
  void combine(const Inst& in);
  /// What an image instruction does with one row of the module's textures.
  Operand sample(const Inst& in, uint32_t row);
  Operand gather(const Inst& in, uint32_t row);
  Operand query(const Inst& in, uint32_t row);
  Operand fetch(const Inst& in, uint32_t row);

  const SpirvModule& spv_;
  ir::Module& m_;
  ir::Builder b_;
  const Target& target_;
  const bool memory_;   ///< of the chip: ChipLimits::memory
  const bool halves_;   ///< it computes with floats of 16 bits (half.cpp)
  ir::NodeList entry_;  ///< constants, put before everything else
  ir::Builder constants_;
  Map<std::tuple<ir::Type, unsigned, std::array<uint32_t, 4>>, Operand> constant_cache_;
  Vec<Leaves> values_;  ///< by SpirvModule::index
  HashMap<Id, Pointer> pointers_;
  std::deque<TempTree> trees_;            ///< pointers into it stay
  HashMap<Id, const TempTree*> tree_of_;  ///< by variable, phi or call
  Vec<Construct> constructs_;
  Map<Id, uint32_t> flags_;
  struct Call {
    Id function = 0;
    Id end = 0;  ///< pseudo-block behind it, where OpReturn goes
    const TempTree* result = nullptr;
    Id type = 0;
  };
  Vec<Call> calls_;
  Id next_pseudo_ = 0;
  std::vector<Unsupported>* refusals_ = nullptr;
  Set<Id> poisoned_;  ///< results of refused instructions: what else goes wrong with them is no news
  Set<Id> visited_, headers_, broken_loops_;
  Set<Id> stored_variables_;  ///< output variables something is stored to
  Set<std::pair<Id, uint32_t>> stored_members_;
  Vec<Id> output_variables_;
  Map<Id, std::string> refused_;  ///< variables that may be declared but not used, and why
  HashMap<Id, ImageRef> images_;
  Vec<TextureBinding> samplers_;  ///< elements of separate sampler variables
  HashMap<Id, TexelPointer> texels_;
  HashMap<Id, PointerOrigin> pointer_origins_;  ///< by pointer that comes out of a value
  HashMap<Id, Vec<Id>> pointer_flow_;           ///< what is stored to a variable, passed as a parameter or returned by a function: pointers
  bool pointer_flow_known_ = false;
  int32_t whole_memory_ = -1;                                ///< row of Module::resources for physical pointers; -1: none yet
  bool physical_stores_ = false;                             ///< there are stores or atomics through such pointers
  HashMap<Id, bool> holds_pointers_;                         ///< by type
  Map<std::pair<uint32_t, uint32_t>, uint32_t> input_rows_;  ///< by temp and element: row of Module::inputs
};

/// Makes values visible where SPIR-V uses them: dominance in the graph is wider than the nesting of lists. Passes such values
/// through temporaries.
void repair_scopes(ir::Module& module);

}  // namespace pumice::compiler::frontend
