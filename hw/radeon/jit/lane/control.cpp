// SPDX-License-Identifier: MIT
/// The frame of a routine, control flow, calls and constants.
#include <algorithm>

#include "hw/radeon/jit/lane/emitter.h"

namespace pumice::hw::fast::lane {

using namespace asmjit;
namespace I = x86::Inst;

Emitter::Emitter(Program program, const Pins& pins, Cpu cpu, CpuExtras extras, CodeHolder& code)
    : program_(std::move(program)),
      pins_(pins),
      code_(code),
      as_(&code),
      wide_(cpu == Cpu::avx512),
      extras_(extras),
      vectors_(wide_ ? 30 : 14) {}

Emitter::Gp Emitter::pointer(uint8_t p, Gp temporary) {
  if (p == 0) return x86::rbx;
  if (pointer_register_[p] >= 0) return x86::gpq(uint32_t(pointer_register_[p]));
  const auto& source = program_.pointers[p];
  if (source.parent == kScratch) {
    as_.lea(temporary, x86::ptr(x86::rsp, scratch_at_ + int32_t(source.offset)));
    return temporary;
  }
  if (source.parent == kKnown) {
    as_.mov(temporary, reinterpret_cast<uint64_t>(program_.addresses[source.offset]));
    return temporary;
  }
  const Gp parent = pointer(source.parent, temporary);
  emit(I::kIdMov, temporary, x86::qword_ptr(parent, int32_t(source.offset)));
  return temporary;
}

Emitter::Mem Emitter::constant_bits(uint32_t bits) {
  size_t i = 0;
  while (i < constants_.size() && constants_[i] != bits) ++i;
  if (i == constants_.size()) constants_.push_back(bits);
  return x86::ptr(pool_, -int32_t((i + 1) * (wide_ ? 4 : 32)));
}
Emitter::Mem Emitter::constant_memory(int32_t v) {
  const Node& n = program_.nodes[size_t(v)];
  if (n.op == Op::mask_constant) {  // AVX2
    std::array<uint32_t, kLanes> lanes;
    for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = n.imm >> l & 1u ? ~0u : 0u;
    tables_.push_back(lanes);
    return x86::ptr(pool_, int32_t(64 * (tables_.size() - 1)) + 32 * half_);
  }
  int32_t& at = constant_at_[size_t(v)];
  if (at == 0) {
    constants_.push_back(n.imm);
    at = int32_t(constants_.size());
  }
  return x86::ptr(pool_, -at * (wide_ ? 4 : 32));
}
Emitter::Mem Emitter::table_of(const std::array<uint32_t, kLanes>& lanes) {
  const auto found = std::find(tables_.begin(), tables_.end(), lanes);
  const auto index = uint32_t(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back(lanes);
  return table_memory(index);
}
void Emitter::fill(Reg x, uint32_t bits) { emit(wide_ ? I::kIdVbroadcastss : I::kIdVmovaps, x, constant_bits(bits)); }
Emitter::Mem Emitter::table_memory(uint32_t index) { return x86::ptr(pool_, int32_t(64 * index) + 32 * half_); }

void Emitter::prologue() {
  // Moving pointers (two at most) and those that are used most, four in all, stay in registers.
  std::vector<uint32_t> used(program_.pointers.size(), 0);
  for (const Node& n : program_.nodes) {
    const bool is_access = lane::operation(n.op).signature.imm == Role::buffer;
    ++used[is_access ? program_.buffers[n.imm].p : n.p];
    if (is_access && lane::operation(n.op).is(trait::pointer)) ++used[n.p];
    if (is_access && program_.buffers[n.imm].is_block()) ++used[size_t(program_.buffers[n.imm].rows_p)];
  }
  pointer_register_.assign(program_.pointers.size(), -1);
  emit(I::kIdPush, x86::rbp);
  emit(I::kIdMov, x86::rbp, x86::rsp);
  for (const Gp& r : {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15}) as_.push(r);
  as_.and_(x86::rsp, -64);
  as_.lea(x86::rsp, x86::ptr(x86::rsp, 0x12345678));
  frame_patch_ = as_.offset() - 4;
  emit(I::kIdMov, x86::rbx, x86::rdi);
  int8_t r = 12;
  for (size_t p = 1; p < used.size(); ++p) {
    if (program_.pointers[p].parent != kMoving) continue;
    as_.lea(x86::gpq(uint32_t(r)), x86::ptr(x86::rbx, int32_t(program_.pointers[p].offset)));
    pointer_register_[p] = r++;
  }
  for (; r < 16; ++r) {
    size_t best = 0;
    for (size_t p = 1; p < used.size(); ++p)
      if (pointer_register_[p] < 0 && used[p] > (best ? used[best] : 1)) best = p;
    if (!best) break;
    const Gp temporary = pointer(uint8_t(best), x86::rax);
    emit(I::kIdMov, x86::gpq(uint32_t(r)), temporary);
    pointer_register_[best] = r;
  }
}

void Emitter::epilogue() {
  if (keeps_denormals_) set_float_mode(false);
  as_.lea(x86::rsp, x86::ptr(x86::rbp, -40));
  for (const Gp& r : {x86::r15, x86::r14, x86::r13, x86::r12, x86::rbx, x86::rbp}) as_.pop(r);
  as_.vzeroupper();
  as_.ret();
}

/// Constants lie before the label, in falling order, tables after it.
void Emitter::pools() {
  const size_t width = wide_ ? 4 : 32;
  const size_t constants = (constants_.size() * width + 63) / 64 * 64;
  as_.align(AlignMode::kZero, 64);
  std::vector<uint32_t> data(constants / 4 + tables_.size() * kLanes, 0);
  for (size_t i = 0; i < constants_.size(); ++i)
    for (size_t l = 0; l < width / 4; ++l) data[(constants - (i + 1) * width) / 4 + l] = constants_[i];
  for (size_t t = 0; t < tables_.size(); ++t)
    for (size_t l = 0; l < kLanes; ++l) data[constants / 4 + t * kLanes + l] = tables_[t][l];
  if (constants) as_.embed(data.data(), constants);
  as_.bind(pool_);
  if (!tables_.empty()) as_.embed(data.data() + constants / 4, tables_.size() * 64);
}

void Emitter::bits_to_eax(int32_t mask) {
  const Node& n = program_.nodes[size_t(mask)];
  if (n.op == Op::mask_constant) {
    emit(I::kIdMov, x86::eax, imm(n.imm));
  } else if (wide_) {
    emit(I::kIdKmovw, x86::eax, k(in_register(mask)));
  } else {
    const int32_t s = place_[size_t(mask)].slot, second = is_shared(mask) ? s : s + 32;
    emit(I::kIdVmovaps, scratch(0), x86::ptr(x86::rsp, s));
    emit(I::kIdVmovaps, scratch(1), x86::ptr(x86::rsp, second));
    emit(I::kIdVmovmskps, x86::eax, scratch(0));
    emit(I::kIdVmovmskps, x86::ecx, scratch(1));
    emit(I::kIdShl, x86::ecx, imm(8));
    emit(I::kIdOr, x86::eax, x86::ecx);
  }
}

void Emitter::mask_store(int32_t, const Node& n) {
  bits_to_eax(n.a);
  if (n.b == 1)
    emit(I::kIdMov, x86::word_ptr(pointer(n.p, x86::rcx), int32_t(n.imm)), x86::ax);
  else
    emit(I::kIdMov, x86::dword_ptr(pointer(n.p, x86::rcx), int32_t(n.imm)), x86::eax);
  release_dead(n);
}
void Emitter::store_word(int32_t, const Node& n) { emit(I::kIdMov, x86::dword_ptr(pointer(n.p, x86::rax), int32_t(n.imm)), imm(n.a)); }

/// Around a call, or back.
void Emitter::save_variables(bool back) {
  for (half_ = 0; half_ < (wide_ ? 1 : 2); ++half_)
    for (int32_t v = 0; v < int32_t(pins_.pin.size()); ++v) {
      if (!is_pinned(v)) continue;
      const Mem memory = slot(variable_slot_[size_t(v)]);
      const bool is_mask = v >= program_.variables;
      const Operand reg = is_mask ? Operand(k(pin_of(v))) : Operand(vec(pin_of(v))), m = memory;
      emit(is_mask ? I::kIdKmovw : I::kIdVmovaps, back ? reg : m, back ? m : reg);
    }
  half_ = 0;
}

void Emitter::call(int32_t, const Node& n) {
  save_variables(false);
  const Program::Call& c = program_.calls[n.imm];
  const Gp object = pointer(c.object, x86::rdi);
  if (object != x86::rdi) emit(I::kIdMov, x86::rdi, object);
  const Gp argument = pointer(c.argument, x86::rsi);
  as_.lea(x86::rsi, x86::ptr(argument, int32_t(c.argument_offset)));
  as_.vzeroupper();
  if (c.function)
    emit(I::kIdMov, x86::rax, imm(uint64_t(reinterpret_cast<uintptr_t>(c.function))));
  else
    emit(I::kIdMov, x86::rax, x86::qword_ptr(x86::rdi, int32_t(c.offset)));
  as_.call(x86::rax);
  save_variables(true);
}

void Emitter::scalar_set(int32_t, const Node& n) { emit(I::kIdMov, scalar(int32_t(n.imm)), imm(n.a)); }
void Emitter::scalar_load(int32_t, const Node& n) {
  const auto& f = program_.fields[size_t(n.a)];
  emit(I::kIdMov, x86::eax, x86::dword_ptr(pointer(n.p, x86::rax), int32_t(f.offset)));
  const uint32_t up = f.bits >= 32 ? 0 : 32 - f.bits - f.shift, down = up + f.shift;
  if (up) emit(I::kIdShl, x86::eax, imm(up));
  if (down) emit(f.is_signed ? I::kIdSar : I::kIdShr, x86::eax, imm(down));
  emit(I::kIdMov, scalar(int32_t(n.imm)), x86::eax);
}
void Emitter::scalar_add(int32_t, const Node& n) { emit(I::kIdAdd, scalar(int32_t(n.imm)), imm(n.a)); }
void Emitter::scalar_sum(int32_t, const Node& n) {
  emit(I::kIdMov, x86::eax, scalar(n.a));
  emit(I::kIdAdd, scalar(int32_t(n.imm)), x86::eax);
}
void Emitter::scalar_move(int32_t, const Node& n) {
  emit(I::kIdMov, x86::eax, scalar(n.a));
  emit(I::kIdMov, scalar(int32_t(n.imm)), x86::eax);
}

void Emitter::advance(int32_t, const Node& n) { emit(I::kIdAdd, pointer(n.p, x86::rax), imm(n.imm)); }

void Emitter::label(int32_t, const Node& n) { as_.bind(labels_[n.imm]); }
void Emitter::jump(int32_t, const Node& n) { as_.jmp(labels_[n.imm]); }
void Emitter::jump_mask(int32_t, const Node& n) {
  const bool any = n.op == Op::jump_any;
  const asmjit::Label target = labels_[n.imm];
  const Node& m = program_.nodes[size_t(n.a)];
  if (m.op == Op::mask_constant) {
    if ((m.imm != 0) == any) as_.jmp(target);
    return;
  }
  if (wide_) {
    const int8_t r = in_register(n.a);
    emit(I::kIdKortestw, k(r), k(r));
  } else if (tested_ != n.a) {
    const int32_t s = place_[size_t(n.a)].slot;
    emit(I::kIdVmovaps, scratch(0), x86::ptr(x86::rsp, s));
    if (!is_shared(n.a)) emit(I::kIdVorps, scratch(0), scratch(0), x86::ptr(x86::rsp, s + 32));
    emit(I::kIdVtestps, scratch(0), scratch(0));
  }
  tested_ = -1;
  release_dead(n);
  if (any)
    as_.jnz(target);
  else
    as_.jz(target);
}
void Emitter::jump_scalar(int32_t, const Node& n) {
  emit(I::kIdCmp, scalar(n.a), imm(0));
  if (n.op == Op::jump_scalar_zero)
    as_.jz(labels_[n.imm]);
  else
    as_.jnz(labels_[n.imm]);
}
void Emitter::jump_spent(int32_t, const Node& n) {
  const auto& budget = program_.budgets[size_t(n.a)];
  emit(I::kIdSub, x86::qword_ptr(pointer(n.p, x86::rax), int32_t(budget.offset)), imm(int32_t(budget.amount)));
  as_.js(labels_[n.imm]);
}

void Emitter::run() {
  analyse();
  const int32_t count = int32_t(program_.nodes.size());
  place_.assign(size_t(count), {});
  constant_at_.assign(size_t(count), 0);
  for (auto& o : owner_) o.fill(-1);
  tables_ = program_.tables;
  for (int32_t v = 0; v < program_.variables + program_.mask_variables; ++v) variable_slot_.push_back(64 * v);
  aliases_.resize(variable_slot_.size());
  scalars_at_ = 64 * int32_t(variable_slot_.size());
  scratch_at_ = scalars_at_ + (program_.scalars * 4 + 63) / 64 * 64;
  lanes_at_ = scratch_at_ + int32_t(program_.scratch);
  // Rows for what goes lane by lane.
  int32_t rows = 1;
  for (const Node& n : program_.nodes) {
    if (lane::operation(n.op).signature.imm == Role::buffer) rows = std::max(rows, 4);
    if (n.op == Op::atomic_64) rows = std::max(rows, 5);
    if (n.op == Op::gather_first || n.op == Op::gather_low) rows = 6, ++texel_rows_;
  }
  frame_ = lanes_at_ + 64 * rows;
  pool_ = as_.newLabel();
  for (int32_t l = 0; l < program_.labels; ++l) labels_.push_back(as_.newLabel());
  prologue();
  for (int32_t i = 0; i < count;) {
    int32_t end = i + 1;
    while (end < count && run_of_[size_t(end)] == run_of_[size_t(i)]) ++end;
    if (lane::operation(program_.nodes[size_t(i)].op).is(wide_ ? trait::ends_run : trait::whole))
      operation(i);
    else
      emit_run(i, end);
    i = end;
  }
  epilogue();
  row_code();
  pools();
  const int32_t frame = -(frame_ + 64);
  uint8_t* const patch = code_.textSection()->buffer().data() + frame_patch_;
  for (int b = 0; b < 4; ++b) patch[b] = uint8_t(uint32_t(frame) >> (8 * b));
}

}  // namespace pumice::hw::fast::lane
