// SPDX-License-Identifier: MIT
/// XM slots (docs/r5x.md s.4, hw/radeon/ref/us/memory.cpp), and the call for slots that the reference's code executes.
#include <algorithm>

#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Extended;
using isa::us_r500::Selector;
using isa::us_r500::SubOp;
using isa::us_r500::TexOp;
using isa::us_r500::XOp;
using isa::us_r500::XWidth;
using lane::kArgs;

namespace {

uint32_t component_bytes(const Extended& x) { return XWidth(x.width) == XWidth::BYTE ? 1 : XWidth(x.width) == XWidth::HALF ? 2 : 4; }
uint32_t components(const Extended& x) { return component_bytes(x) == 4 ? x.components + 1u : 1u; }

/// Number of sets (X_*_SET).
constexpr uint32_t kSets = 9;
/// Pointers of a routine: GroupArgs, views, and the constants of as many views.
constexpr size_t kMostPointers = 200;

}  // namespace

bool uses_descriptor(XOp op) {
  switch (op) {
    case XOp::LDB:
    case XOp::LDC:
    case XOp::STB:
    case XOp::ATB:
    case XOp::LENB: return true;
    default: return info(op).image || info(op).fetches || op == XOp::QSIZE || op == XOp::QLEVELS || op == XOp::QLOD;
  }
}

SlotTemps temps_of(const isa::us_r500::Instruction& x) {
  SlotTemps t;
  const auto add = [&](uint8_t temp) {
    if (std::find(t.temp.begin(), t.temp.begin() + t.count, temp) == t.temp.begin() + t.count) t.temp[t.count++] = temp;
  };
  const isa::us_r500::Texture& tex = x.tex;
  const XOp op = tex.x.op;
  const uint32_t sources = tex.inst == TexOp::X ? info(op).sources : info(tex.inst).sources;
  if (sources > 0) add(tex.source.temp);
  if (sources > 1) add(tex.dx.temp);
  if (sources > 2 || (tex.inst == TexOp::X && tex.x.offset)) add(tex.dy.temp);
  if (tex.inst != TexOp::X || !uses_descriptor(op)) return t;
  if (tex.x.descriptor.indirect) add(tex.x.descriptor.temp);
  const Selector sampler = isa::us_r500::selector_of(tex.x.immediate);
  if ((info(op).fetches || op == XOp::QLOD) && sampler.indirect) add(sampler.temp);
  return t;
}

void Translator::tex(uint32_t pc, const Instruction& x) {
  if (x.tex.inst == TexOp::NOP) return;
  const bool is_extended = x.tex.inst == TexOp::X;
  // Compute programs have no helpers.
  if (stage_ == hw::x::Stage::compute && (!is_extended || info(x.tex.x.op).kills)) {
    problem_ = "strict texture slot or KILL in a compute program";
    return;
  }
  if (is_extended && x.tex.x.op == XOp::BARRIER) return barrier();
  if (is_extended && x.tex.x.op == XOp::FENCE) return b_.call(callbacks_.fence, kArgs, kArgs, 0);
  if (stage_code_ && (is_extended ? ask_stage(x) : x.tex.inst == TexOp::TEXKILL)) return is_extended ? void() : strict_kill(x);
  if (is_extended && (memory(pc, x) || across(x) || wide(x) || texture(x) || image(x) || problem_)) return;
  call_slot(pc, x);
}

uint32_t Translator::view(const Selector& descriptor, bool push, bool writes) {
  auto found =
      std::find_if(out_.views.begin(), out_.views.end(), [&](const ViewUse& v) { return v.push == push && v.descriptor == descriptor; });
  if (found == out_.views.end()) found = out_.views.insert(found, {.descriptor = descriptor, .push = push});
  found->writes |= writes;
  return uint32_t(found - out_.views.begin());
}

/// nullopt: the reference's code executes the slot.
std::optional<Translator::Place> Translator::place_of(const Extended& e, bool writes) {
  switch (e.op) {
    case XOp::LDL:
    case XOp::STL:
    case XOp::ATL: return Place{.buffer = b_.buffer(kArgs, offsetof(GroupArgs, local), true)};  // a workgroup runs on one thread
    case XOp::LDP:
    case XOp::STP: return Place{.buffer = b_.buffer(kArgs, offsetof(GroupArgs, scratch)), .scratch = true};
    case XOp::LDK: return Place{.buffer = b_.buffer(kArgs, offsetof(GroupArgs, literals)), .kind = Builder::Memory::unchanging};
    default: break;
  }
  if (e.op != XOp::LDU && (e.descriptor.indirect || e.descriptor.set >= kSets)) return {};
  const uint32_t n = view(e.op == XOp::LDU ? Selector{} : e.descriptor, e.op == XOp::LDU, writes);
  const bool unchanging = e.op == XOp::LDU || e.op == XOp::LDC;
  return Place{.buffer = b_.buffer(views_, n * uint32_t(sizeof(View))),
               .kind = unchanging ? Builder::Memory::unchanging : Builder::Memory::changes,
               .view = int32_t(n)};
}

/// Offset of the first component, limited so that those of the others do not wrap; limited offsets are outside of every buffer.
Translator::Value Translator::offset_of(const Extended& e, const Place& place, Value source) {
  const Value offset = b_.iadd(source, b_.constant_bits(e.immediate));
  return components(e) == 1 || place.within ? offset : b_.umin(offset, b_.constant_bits(0xFFFFFFF0u));
}

/// The same dword for all lanes: an operand in memory. Or each lane's own.
Translator::Value Translator::constant(uint32_t view, uint32_t offset) {
  ViewUse& use = out_.views[view];
  use.constants = std::max(use.constants, offset + 4);
  if (!form_.constants_at) {
    const uint32_t member = view * uint32_t(sizeof(View)) + uint32_t(offsetof(View, constants));
    return b_.splat(b_.pointer(views_, member), offset);
  }
  std::vector<ConstantDword>& rows = out_.constant_rows;
  const ConstantDword dword{view, offset};
  auto found = std::find(rows.begin(), rows.end(), dword);
  if (found == rows.end()) {
    if (rows.size() == kMostConstantRows) problem_ = "too many constants";
    found = rows.insert(found, dword);
  }
  return b_.lanes(kArgs, form_.constants_at + uint32_t(found - rows.begin()) * uint32_t(sizeof(Lanes)));
}

Translator::Values Translator::load(const Extended& e, const Place& place, const Access& a) {
  const uint32_t bytes = component_bytes(e);
  Values out;
  out.fill({zero()});
  Value offset = offset_of(e, place, a.source);
  Mask lanes = place.kind == Builder::Memory::unchanging ? all_ : a.lanes;  // one for all, so that they are one access
  if (place.within && lanes != all_ && components(e) > 2) {
    // As one access it would read the buffer's begin for other lanes.
    offset = b_.select(lanes, offset, place.within);
    lanes = all_;
  }
  const lane::Node& known = b_.node(offset);
  const bool is_known = known.op == lane::Op::constant;
  const uint32_t at = known.imm & ~3u;
  for (uint32_t c = 0; c < components(e); ++c) {
    if (e.op == XOp::LDK && is_known && bytes == 4) {
      const uint64_t dword = at / 4 + c;
      out[c] = {b_.constant_bits(dword / 4 < literals_.size() ? literals_[dword / 4][dword % 4] : 0)};
      continue;
    }
    constexpr uint32_t kMostConstants = 1u << 16;
    if (place.view >= 0 && place.kind == Builder::Memory::unchanging && is_known && bytes == 4 && at < kMostConstants &&
        b_.program().pointers.size() < kMostPointers) {
      out[c] = {constant(uint32_t(place.view), at + 4 * c)};
      continue;
    }
    if (place.view >= 0 && form_.constants_at) problem_ = "a buffer that differs by lane";
    Value o = c ? b_.iadd(offset, b_.constant_bits(4 * c)) : offset;
    Mask m = lanes;
    if (place.scratch) m = in_scratch(o, m), o = scratch_place(o);
    Value v;
    switch (XWidth(e.width)) {
      case XWidth::BYTE: v = e.is_signed ? b_.load_i8(place.buffer, o, m, place.kind) : b_.load_u8(place.buffer, o, m, place.kind); break;
      case XWidth::HALF: v = e.is_signed ? b_.load_i16(place.buffer, o, m, place.kind) : b_.load_u16(place.buffer, o, m, place.kind); break;
      default: v = b_.load_32(place.buffer, o, m, place.kind);
    }
    out[c] = {v};
  }
  return out;
}

/// The lanes whose offset is inside of their memory.
Translator::Mask Translator::in_scratch(Value offset, Mask lanes) {
  return b_.mask_and(lanes, b_.ult(offset, b_.constant_bits(scratch_.bytes)));
}
/// The place of an offset in the memory of the group.
Translator::Value Translator::scratch_place(Value offset) {
  std::array<uint32_t, kLanes> begin;
  for (uint32_t l = 0; l < kLanes; ++l) begin[l] = ScratchLayout::kLane0 + l * scratch_.stride;
  return b_.iadd(offset, b_.table(begin));
}

/// Before a store of `bytes` bytes: see scratch.h.
void Translator::note_scratch(Value offset, uint32_t bytes, Mask lanes) {
  if (const lane::Node& known = b_.node(offset); known.op == lane::Op::constant) {
    if (known.imm < scratch_.bytes) out_.scratch.add(known.imm & ~3u, std::min(bytes, scratch_.bytes - (known.imm & ~3u)));
    return;
  }
  const lane::Pointer row = b_.pointer(kArgs, offsetof(GroupArgs, scratch));
  const Value reached =
      b_.select(in_scratch(offset, lanes), b_.iadd(b_.bit_and(offset, b_.constant_bits(~3u)), b_.constant_bits(bytes)), zero());
  b_.store(row, 0, b_.umax(b_.lanes_now(row, 0), reached));
}

void Translator::store(const Extended& e, const Place& place, const Access& a) {
  const Value offset = offset_of(e, place, a.source);
  if (place.scratch) note_scratch(offset, 4 * components(e), a.lanes);
  for (uint32_t c = 0; c < components(e); ++c) {
    Value o = c ? b_.iadd(offset, b_.constant_bits(4 * c)) : offset;
    Mask m = a.lanes;
    if (place.scratch) m = in_scratch(o, m), o = scratch_place(o);
    switch (XWidth(e.width)) {
      case XWidth::BYTE: b_.store_8(place.buffer, o, a.value[c], m); break;
      case XWidth::HALF: b_.store_16(place.buffer, o, a.value[c], m); break;
      default: b_.store_32(place.buffer, o, a.value[c], m);
    }
  }
}

/// nullopt: an operation that the lane IR does not have.
std::optional<lane::Op> Translator::atomic_op(const Extended& e) {
  if (component_bytes(e) != 4 || e.components) return {};
  if (e.is_float) {
    switch (SubOp(e.sub)) {
      case SubOp::ADD: return lane::Op::atomic_fadd;
      case SubOp::SMIN: return lane::Op::atomic_fmin;
      case SubOp::SMAX: return lane::Op::atomic_fmax;
      case SubOp::MUL: return lane::Op::atomic_fmul;
      default: return {};
    }
  }
  switch (SubOp(e.sub)) {
    case SubOp::ADD: return lane::Op::atomic_add;
    case SubOp::SMIN: return lane::Op::atomic_imin;
    case SubOp::SMAX: return lane::Op::atomic_imax;
    case SubOp::UMIN: return lane::Op::atomic_umin;
    case SubOp::UMAX: return lane::Op::atomic_umax;
    case SubOp::AND: return lane::Op::atomic_and;
    case SubOp::OR: return lane::Op::atomic_or;
    case SubOp::XOR: return lane::Op::atomic_xor;
    case SubOp::EXCHANGE: return lane::Op::atomic_exchange;
    case SubOp::COMPARE_EXCHANGE: return lane::Op::atomic_compare_exchange;
    case SubOp::MUL: return lane::Op::atomic_imul;
    default: return {};
  }
}
std::optional<lane::Atomic64> Translator::atomic_64_op(const Extended& e) {
  static_assert(uint32_t(SubOp::COMPARE_EXCHANGE) == uint32_t(lane::Atomic64::compare_exchange) &&
                uint32_t(SubOp::MUL) == uint32_t(lane::Atomic64::mul));
  if (e.is_float || component_bytes(e) != 4 || e.components != 1 || e.sub > uint32_t(SubOp::MUL)) return {};
  return lane::Atomic64(e.sub);
}
bool Translator::has_atomic(const Extended& e) { return atomic_op(e) || atomic_64_op(e); }

/// The operands of the ports that the accesses read, in the lanes that they concern.
Translator::Access Translator::access_of(const Instruction& x) {
  const Extended& e = x.tex.x;
  const bool is_atomic = info(e.op).stores && info(e.op).loads;
  Access a{.source = bits(read_port(x.tex.source)[0]), .value = {}, .compare = {}, .lanes = {}};
  if (!info(e.op).stores) {
    a.lanes = live(x);
    return a;
  }
  const uint32_t count = components(e);
  const Values value = read_port(x.tex.dx);
  for (uint32_t c = 0; c < count; ++c) a.value[c] = bits(value[c]);
  if (is_atomic && SubOp(e.sub) == SubOp::COMPARE_EXCHANGE) {
    const Values compare = read_port(x.tex.dy);
    for (uint32_t c = 0; c < count; ++c) a.compare[c] = bits(compare[c]);
  }
  // Scratch belongs to the lane alone; helpers may write it.
  a.lanes = e.op == XOp::STP ? acting(x) : b_.mask_andnot(read_mask(helpers()), acting(x));
  return a;
}

Translator::Values Translator::atomic(const Extended& e, const Place& place, const Access& a) {
  const Value offset = b_.iadd(a.source, b_.constant_bits(e.immediate));
  Values out;
  out.fill({zero()});
  if (const auto wide = atomic_64_op(e)) {
    const auto old = b_.atomic(*wide, place.buffer, offset, {a.value[0], a.value[1]}, {a.compare[0], a.compare[1]}, a.lanes);
    out[0] = {old[0]}, out[1] = {old[1]};
  } else if (const lane::Op op = *atomic_op(e); op == lane::Op::atomic_compare_exchange) {
    out[0] = {b_.atomic_compare_exchange(place.buffer, offset, a.compare[0], a.value[0], a.lanes)};
  } else {
    out[0] = {b_.atomic(op, place.buffer, offset, a.value[0], a.lanes)};
  }
  return out;
}

GroupRows rows_of(const std::array<uint32_t, 3>& local_size) {
  const auto [x, y, z] = local_size;
  if (x % kLanes == 0 || (y == 1 && z == 1)) return GroupRows::one;
  return x == 8 && y % 2 == 0 ? GroupRows::two : GroupRows::any;
}

/// x, y, z of the invocation and its index, told from lane 0's where they follow: addresses made of them have a stride (lane/strides.h).
Translator::Value Translator::invocation(uint32_t n) {
  const lane::Pointer all = b_.pointer(kArgs, offsetof(GroupArgs, invocation));
  const uint32_t at = n * uint32_t(sizeof(Lanes));
  const auto from_first = [&](auto behind) {
    std::array<uint32_t, kLanes> table;
    for (uint32_t l = 0; l < kLanes; ++l) table[l] = behind(l);
    return b_.iadd(b_.splat(all, at), b_.table(table));
  };
  const GroupRows rows = form_.rows;
  if (n == 3 || (n == 0 && rows == GroupRows::one)) return from_first([](uint32_t l) { return l; });
  if (rows == GroupRows::any) return b_.lanes(all, at);
  if (rows == GroupRows::one || n == 2) return b_.splat(all, at);
  return n == 0 ? from_first([](uint32_t l) { return l % 8; }) : from_first([](uint32_t l) { return l / 8; });
}

bool Translator::system(const Instruction& x) {
  Values out;
  out.fill({zero()});
  const uint32_t number = x.tex.x.immediate;
  const auto shared = [&](size_t at, uint32_t count) {
    for (uint32_t n = 0; n < count; ++n) out[n] = {b_.splat(kArgs, uint32_t(at) + 4 * n)};
  };
  if (number == 48) {
    out[0] = {lane_numbers()};
  } else if (number == hw::x::kClock) {
    b_.call(callbacks_.clock, kArgs, kArgs, 0);
    for (uint32_t n = 0; n < 2; ++n) out[n] = {b_.lanes_now(kArgs, uint32_t(offsetof(GroupArgs, out) + n * sizeof(Lanes)))};
    out_.calls = true;
  } else if (stage_ != hw::x::Stage::compute) {
    return false;
  } else {
    switch (number) {
      case 32:
        for (uint32_t n = 0; n < 3; ++n) out[n] = {invocation(n)};
        break;
      case 33: shared(offsetof(GroupArgs, workgroup), 3); break;
      case 34: shared(offsetof(GroupArgs, workgroups), 3); break;
      case 35: out[0] = {invocation(3)}; break;
      case 36: shared(offsetof(GroupArgs, subgroup), 2); break;
      default: return false;
    }
  }
  write_port(x, out);
  return true;
}

/// False: the reference's code executes the slot.
bool Translator::memory(uint32_t pc, const Instruction& x) {
  const Extended& e = x.tex.x;
  const bool writes = e.op == XOp::STB || e.op == XOp::ATB;
  switch (e.op) {
    case XOp::SYS: return system(x);
    case XOp::LENB: {
      if (e.descriptor.indirect || e.descriptor.set >= kSets) return false;
      if (form_.constants_at) problem_ = "a buffer that differs by lane";
      const uint32_t at = view(e.descriptor, false, false) * uint32_t(sizeof(View)) + uint32_t(offsetof(lane::BufferView, size));
      write_port(x, {Number{b_.splat(views_, at)}, {zero()}, {zero()}, {zero()}});
      return true;
    }
    case XOp::LDB:
    case XOp::LDC:
    case XOp::LDU:
    case XOp::LDL:
    case XOp::LDP:
    case XOp::LDK:
    case XOp::STB:
    case XOp::STL:
    case XOp::STP:
    case XOp::ATB:
    case XOp::ATL: break;
    default: return false;
  }
  if ((e.op == XOp::ATB || e.op == XOp::ATL) && !has_atomic(e)) return false;
  if (form_.constants_at && (writes || is_by_address(e))) problem_ = "accesses beside constants";
  if (is_by_address(e)) return by_address(pc, x), true;
  const std::optional<Place> place = place_of(e, writes);
  if (!place) return false;
  const Values out = access(e, *place, access_of(x));
  if (info(e.op).loads) write_port(x, out);
  return true;
}

/// Results of loads and atomic operations.
Translator::Values Translator::access(const Extended& e, const Place& place, const Access& a) {
  if (info(e.op).loads) return info(e.op).stores ? atomic(e, place, a) : load(e, place, a);
  store(e, place, a);
  return {};
}

/// The masks of a slot for the reference's code.
void Translator::prepare_call(uint32_t pc, const Instruction& x, Mask wanted, Mask helpers, const std::array<Mask, 4>& predicates) {
  b_.store(kArgs, offsetof(GroupArgs, call_active), wanted);
  if (x.rgb_predicate || x.alpha_predicate)
    for (uint32_t c = 0; c < 4; ++c) b_.store(kArgs, uint32_t(offsetof(GroupArgs, predicate) + 4 * c), predicates[c]);
  if (stage_ != hw::x::Stage::compute) b_.store(kArgs, offsetof(GroupArgs, helpers), helpers);
  b_.store_word(kArgs, offsetof(GroupArgs, slot), int32_t(pc));
}

namespace {

/// Of Callbacks::slot.
uint32_t place_of_temp(uint32_t n, uint32_t c) { return uint32_t(offsetof(GroupArgs, temp) + (4 * n + c) * sizeof(Lanes)); }
uint32_t place_of_result(uint32_t c) { return uint32_t(offsetof(GroupArgs, out) + c * sizeof(Lanes)); }

}  // namespace

/// What prepare_call() and call_slot() have stored.
void Translator::begin_slot() {
  const Instruction& x = code_.front();
  active_ = b_.mask_load(kArgs, offsetof(GroupArgs, call_active));
  const SlotTemps temps = temps_of(x);
  for (uint32_t n = 0; n < temps.count; ++n)
    for (uint32_t c = 0; c < 4; ++c) cell_[temps.temp[n] * 4 + c].now = {b_.lanes(kArgs, place_of_temp(n, c)), Nan::exact};
  if (!x.rgb_predicate && !x.alpha_predicate) return;
  for (uint32_t c = 0; c < 4; ++c) predicate(c).now = b_.mask_load(kArgs, uint32_t(offsetof(GroupArgs, predicate) + 4 * c));
}

void Translator::end_slot() {
  const Instruction& x = code_.front();
  const uint32_t mask = x.rgb.write | x.alpha.write << 3;
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1u) b_.store(kArgs, place_of_result(c), bits(read_temp(x.tex.dest.temp, c)));
}

/// Runs the reference's code on the same registers. For OUTPUT slots the results are already in place.
void Translator::call_slot(uint32_t pc, const Instruction& x) {
  const bool is_tex = x.type == isa::us_r500::Type::TEXTURE;
  out_.calls = true;
  if (is_tex) {
    for (const isa::us_r500::Port* p : {&x.tex.source, &x.tex.dx, &x.tex.dy, &x.tex.dest})
      if (p->temp >= temps_) problem_ = "temp outside the frame";
    const SlotTemps t = temps_of(x);
    for (uint32_t n = 0; n < t.count; ++n)
      for (uint32_t c = 0; c < 4; ++c) b_.store(kArgs, place_of_temp(n, c), bits(read_temp(t.temp[n], c)));
  }
  std::array<Mask, 4> predicates;
  if (x.rgb_predicate || x.alpha_predicate)
    for (uint32_t c = 0; c < 4; ++c) predicates[c] = read_mask(predicate(c));
  prepare_call(pc, x, wanted(), read_mask(helpers()), predicates);
  b_.call(callbacks_.slot, kArgs, kArgs, 0);
  if (!is_tex) return;
  const bool kills = x.tex.inst != TexOp::X || info(x.tex.x.op).kills;
  if (kills && stage_ != hw::x::Stage::compute) write_mask(helpers(), b_.mask_load_now(kArgs, offsetof(GroupArgs, helpers)), all_);
  const uint32_t mask = x.rgb.write | x.alpha.write << 3;
  const bool writes = x.tex.inst != TexOp::X ? info(x.tex.inst).fetches : info(x.tex.x.op).loads;
  if (!writes) return;
  const std::array<Mask, 4> on = enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(mask >> c & 1u)) continue;
    const Value v = b_.lanes_now(kArgs, place_of_result(c));
    write_temp(x.tex.dest.temp, c, {v}, on[c], live(x));
  }
}

}  // namespace pumice::hw::fast::extended
