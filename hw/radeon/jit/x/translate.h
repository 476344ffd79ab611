// SPDX-License-Identifier: MIT
/// Extended programs (docs/r5x.md, hw/radeon/ref/us is the specification) to the lane IR. All lanes of a group share a program counter, so
/// flow control that nests becomes jumps where the reference jumps and lane masks between them. Literals are constants of the routine.
/// Buffers that the program names in its code are views; everything else (descriptors by number, images, textures, values of the stage)
/// is left to the reference's code through a call.
///
/// A barrier ends the routine: variables are saved to GroupArgs::state, and the next call resumes after the barrier.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/jit/us/flow_masks.h"
#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/jit/x/image.h"
#include "hw/radeon/jit/x/liveness.h"
#include "hw/radeon/jit/x/scratch.h"
#include "hw/radeon/jit/x/stage_code.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

/// Keys of the descriptors that the code names.
struct DescriptorKeys {
  std::span<const TextureKey> textures;  ///< by number of texture_uses()
  std::span<const ImageKey> images;      ///< by number of image_uses()
  std::span<const uint8_t> open;         ///< of literals.h, by literal; empty: all are known
};

/// An entry of GroupArgs::views.
struct ViewUse {
  isa::us_r500::Selector descriptor;
  bool push = false;       ///< the push constants: no descriptor
  bool writes = false;     ///< stores or atomics
  uint32_t constants = 0;  ///< bytes that View::constants must have
  bool operator==(const ViewUse&) const = default;
};

/// A dword of View::constants.
struct ConstantDword {
  uint32_t view = 0, offset = 0;
  bool operator==(const ConstantDword&) const = default;
};

struct Translation {
  lane::Program program;
  std::vector<ViewUse> views;
  std::vector<ConstantDword> constant_rows;  ///< GroupForm::constants_at
  uint32_t barriers = 0;
  uint32_t state_bytes = 0;  ///< of GroupArgs::state
  bool calls = false;        ///< has slots that the reference's code executes
  ScratchStores scratch;     ///< of all paths
};

/// Whether slots of the operation name a descriptor, or let a register choose one.
bool uses_descriptor(isa::us_r500::XOp op);

/// The temps that a texture slot reads, each once.
struct SlotTemps {
  std::array<uint8_t, 5> temp{};
  uint32_t count = 0;
};
SlotTemps temps_of(const isa::us_r500::Instruction& x);

/// How the invocations of a group of 16 lie in their workgroup.
enum class GroupRows : uint8_t {
  any,
  one,  ///< x counts on from lane to lane, y and z are the same for all
  two   ///< x is the lane modulo 8, y counts on with lane 8, z is the same for all
};
/// The rows of groups in a workgroup of that size.
GroupRows rows_of(const std::array<uint32_t, 3>& local_size);

struct GroupForm {
  bool full = true;  ///< all 16 lanes exist and begin active
  GroupRows rows = GroupRows::any;
  /// Not 0: lanes may belong to draws with other bindings. The constants of each come from rows in front of the program, at this offset of
  /// its arguments. Only programs without flow control whose bindings are constants at known offsets, at most kMostConstantRows dwords.
  uint32_t constants_at = 0;
  /// A program of one slot: registers and masks as in Callbacks::slot, results to GroupArgs::out.
  bool slot = false;
};
inline constexpr uint32_t kMostConstantRows = 64;

class Translator final : private us::FlowMasks {
 public:
  /// `keys`: of the descriptors that the code names; where a key is missing, the reference's
  /// code executes the slots. `stage_code`: code of the stage; if null, the stage is called (Callbacks::slot).
  Translator(const hw::x::Program& program, uint32_t temps, uint32_t scratch, hw::x::Stage stage, GroupForm form,
             const Callbacks& callbacks, const DescriptorKeys& keys = {}, StageCode* stage_code = nullptr)
      : code_(program.code),
        literals_(program.literals),
        temps_(temps),
        scratch_(scratch),
        stage_(stage),
        form_(form),
        callbacks_(callbacks),
        textures_(keys.textures),
        images_(keys.images),
        open_(keys.open),
        stage_code_(stage_code) {}
  /// The routine, or nullopt and why().
  std::optional<Translation> run();
  const std::string& why() const { return why_; }

 private:
  /// Cells: the temps, then what the program exports.
  static constexpr uint32_t kTemps = 128, kExports = 4 * kTemps, kCells = kExports + 4 * hw::x::slot::count;
  struct Cell {
    Number now;
    bool known = true;      ///< `now` is usable here
    bool dirty = false;     ///< differs from the variable
    bool variable = false;  ///< written after flow control
    bool bits_seen = true;  ///< the bits of a NaN in the variable may be seen
    lane::Variable place;
  };
  struct MaskCell {
    Mask now;
    bool known = true, dirty = true;
    lane::MaskVariable place;
  };
  /// A mask that is used after labels: a variable where a barrier may come in between.
  struct Kept {
    Mask mask;
    lane::MaskVariable place;
  };
  /// A point where paths join: cells whose values differ between the paths are in variables there.
  struct Meeting {
    lane::Label label;
    uint32_t pc = 0;                  ///< its slot
    std::vector<uint32_t> cells;      ///< written inside of the construct, and read later
    std::vector<uint32_t> forgotten;  ///< written inside of the construct, and not read
    std::vector<uint32_t> masks;      ///< of masks_
  };
  struct If {
    Kept before, otherwise;
    Meeting at_else, at_end;
    bool has_else = false, leaves = false;
  };
  struct Loop {
    Kept before, entered;
    lane::MaskVariable left, continued;
    Meeting begin, next, exit;
    size_t ifs = 0;  ///< open outside of it
    uint32_t slots = 0;
    bool breaks = false, continues = false;  ///< breaks: of some of the lanes
  };
  using Values = std::array<Number, 4>;

  bool attempt();
  void begin();
  bool slot(uint32_t pc, const Instruction& x);
  void begin_slot();
  void end_slot();

  // translate.cpp: cells.
  Number read_temp(uint32_t temp, uint32_t channel);
  Number read_cell(uint32_t cell);
  void write_temp(uint32_t temp, uint32_t channel, Number n, Mask on, Mask running);
  void write_cell(uint32_t cell, Number n, Mask where);
  Mask read_mask(MaskCell& m);
  void write_mask(MaskCell& m, Mask value, Mask where);
  void write_predicate(uint32_t channel, Mask value, Mask on);
  /// The mask of a write: `running` if the cell must be preserved in lanes that do not run the slot, else any.
  Mask where(uint32_t cell, Mask on, Mask running) { return liveness_.matters(pc_, cell) ? b_.mask_and(on, running) : on; }
  bool live_at(uint32_t pc, uint32_t cell) const;
  bool bits_seen_at(uint32_t pc, uint32_t cell) const;
  Meeting meeting(uint32_t pc, uint32_t begin, uint32_t end);
  void set_for(const Meeting& m, bool stays = true, const Meeting* also = nullptr);
  void arrive(const Meeting& m);
  Mask read_predicate(uint32_t channel) override { return read_mask(predicate(channel)); }
  Mask boolean(uint32_t address) override;
  /// The lanes whose results are needed, where others execute along with them.
  Mask wanted() { return active_ == all_ ? wanted_ : active_; }
  Mask live(const Instruction& x) const { return x.write_inactive ? exists_ : active_; }
  Mask acting(const Instruction& x) { return b_.mask_and(active_, enabled(x.rgb_predicate, x.rgb_predicate_invert, 0)); }
  Values read_port(const isa::us_r500::Port& port);
  void write_port(const Instruction& x, const Values& value);
  Value bits(Number n) { return exact(n); }
  Value zero() { return b_.constant_bits(0); }
  Value truth(Mask m) { return b_.select(m, b_.constant_bits(~0u), zero()); }

  // translate_xi.cpp
  bool alu(uint32_t pc, const Instruction& x);
  Number source(const isa::us_r500::Address& address, uint32_t channel) override;
  Number extended_operation(uint32_t channel) override;
  Value integer(const isa::us_r500::Operand& o, uint32_t swizzle, bool has_modifier);
  Mask test_result(const isa::us_r500::Unit& unit, uint32_t op, Number n);

  // translate_memory.cpp
  void tex(uint32_t pc, const Instruction& x);
  bool memory(uint32_t pc, const Instruction& x);
  struct Place {
    lane::Buffer buffer;
    Builder::Memory kind = Builder::Memory::changes;
    int32_t view = -1;
    bool scratch = false;
    Value within{};  ///< no active lane is outside, and this offset is not either
  };
  /// Operands of a slot, and the lanes that it concerns.
  struct Access {
    Value source;
    std::array<Value, 4> value, compare;
    Mask lanes;
  };
  std::optional<Place> place_of(const isa::us_r500::Extended& e, bool writes);
  uint32_t view(const isa::us_r500::Selector& descriptor, bool push, bool writes);
  Access access_of(const Instruction& x);
  Mask in_scratch(Value offset, Mask lanes);
  Value scratch_place(Value offset);
  void note_scratch(Value offset, uint32_t bytes, Mask lanes);
  Values access(const isa::us_r500::Extended& e, const Place& place, const Access& a);
  Values load(const isa::us_r500::Extended& e, const Place& place, const Access& a);
  Value constant(uint32_t view, uint32_t offset);
  void store(const isa::us_r500::Extended& e, const Place& place, const Access& a);
  static std::optional<lane::Op> atomic_op(const isa::us_r500::Extended& e);
  Value invocation(uint32_t n);
  static std::optional<lane::Atomic64> atomic_64_op(const isa::us_r500::Extended& e);
  static bool has_atomic(const isa::us_r500::Extended& e);
  Values atomic(const isa::us_r500::Extended& e, const Place& place, const Access& a);
  Value offset_of(const isa::us_r500::Extended& e, const Place& place, Value source);

  // translate_address.cpp
  /// An access at addresses whose pages are not known to be backed, at the end of the code.
  struct Elsewhere {
    lane::Label label, back;
    const Instruction* x = nullptr;
    uint32_t pc = 0;
    Access access;
    std::array<lane::Variable, 4> result;  ///< of the destination's channels
    Mask wanted, helpers;
    std::array<Mask, 4> predicates;
  };
  static bool is_by_address(const isa::us_r500::Extended& e);
  Place whole_memory(bool writes);
  void by_address(uint32_t pc, const Instruction& x);
  void access_elsewhere();
  void access_elsewhere(const Elsewhere& e);
  void set_results(const Instruction& x, const Values& out, const std::array<lane::Variable, 4>& to);
  Mask backed(const isa::us_r500::Extended& e, const Place& memory, Value offset, Mask lanes);
  void prepare_call(uint32_t pc, const Instruction& x, Mask wanted, Mask helpers, const std::array<Mask, 4>& predicates);
  bool system(const Instruction& x);
  void call_slot(uint32_t pc, const Instruction& x);

  // translate_texture.cpp
  bool texture(const Instruction& x);

  // translate_image.cpp
  bool image(const Instruction& x);

  // translate_stage.cpp: with StageCode.
  StageCode::Group group();
  void begin_stage();
  void end_stage();
  bool ask_stage(const Instruction& x);
  void export_value(const Instruction& x);
  void export_output(const Instruction& x, const Values& result, const std::array<Mask, 4>& on);
  void kill(Mask lanes);
  void strict_kill(const Instruction& x);
  struct Export {
    uint32_t cell, channel;  ///< channel of the slot's result or source
  };
  static std::vector<Export> exports_of(const Instruction& x);
  void export_to(const Export& e, const Values& from, Mask where);

  // translate_across.cpp
  bool across(const Instruction& x);
  bool wide(const Instruction& x);
  struct Numbers64;
  template <class Word>
  bool wide_code(isa::us_r500::WideOp op, uint32_t sources, uint32_t c, const Word& word, Number* out);
  us::Number combined_floats(const Instruction& x, Value source, Mask part);
  uint32_t group_lanes() const;  ///< a quad is a group of fragments, its lanes are 0 to 3
  Mask taking_part();            ///< hw/radeon/ref/us: GroupThread::taking_part()
  Value table_of(uint32_t (*entry)(uint32_t lane, uint32_t argument), uint32_t argument = 0);
  Value lane_numbers();
  Value from_lane(Value v, Value number);                    ///< `number` of the group, in its range
  Value moved(Value v, uint32_t distance, Value otherwise);  ///< from the lane `distance` below; `otherwise` in the lowest lanes
  Value exchanged(Value v, uint32_t distance);               ///< from the lane whose number differs in that bit
  void barrier();

  // translate_flow.cpp
  bool find_structure();
  void mark_written(const Instruction& x);
  void flow(uint32_t pc, const Instruction& x);
  Kept keep(Mask m);
  Mask value(const Kept& k) { return k.place.id < 0 ? k.mask : b_.get(k.place); }
  Mask left_in(const Loop& l);
  void begin_if(uint32_t pc, const Instruction& x);
  void begin_else();
  void end_if();
  void begin_loop(uint32_t pc);
  void end_loop();
  void refill();
  void leave_loop(const Instruction& x, bool is_break);

  const std::span<const Instruction> code_;
  const std::vector<hw::x::Bits4>& literals_;
  const uint32_t temps_;
  const ScratchLayout scratch_;
  const hw::x::Stage stage_;
  const GroupForm form_;
  const Callbacks callbacks_;
  const std::span<const TextureKey> textures_;
  std::vector<TextureUse> texture_uses_;
  const std::span<const ImageKey> images_;
  std::vector<ImageUse> image_uses_;
  const std::span<const uint8_t> open_;
  bool writes_memory_ = false;  ///< has stores or atomics
  StageCode* const stage_code_;
  const char* problem_ = nullptr;
  std::array<bool, kCells> bits_matter_{};  ///< cells whose NaN bits depend on the path taken
  Structure structure_;
  Liveness liveness_;
  bool has_flow_ = false, has_barrier_ = false;
  std::array<bool, kCells> variable_{};

  // One attempt.
  bool again_ = false;
  uint32_t pc_ = 0;
  Translation out_;
  std::array<Cell, kCells> cell_;
  std::array<uint8_t, hw::x::slot::count> exported_;  ///< components
  static constexpr uint32_t kMasks = Liveness::kPredicates + 1;
  std::array<MaskCell, kMasks> masks_;  ///< predicates, then the helpers
  MaskCell& predicate(uint32_t channel) { return masks_[channel]; }
  MaskCell& helpers() { return masks_[Liveness::kPredicates]; }
  Mask exists_, wanted_;
  lane::Label stop_, done_, loop_;
  std::vector<lane::Label> resume_;
  lane::Pointer views_, state_;
  std::vector<If> ifs_;
  std::vector<Loop> loops_;
  std::vector<std::array<lane::Label, 2>> refills_;  ///< where to, and back
  std::vector<Elsewhere> elsewhere_;
};

}  // namespace pumice::hw::fast::extended
