// SPDX-License-Identifier: MIT
/// The lane interpreter on the vectors of simd.h.
#if !defined(__AVX2__)  // native code serves the others
#include "hw/fast/lane/interpret.h"
#include "hw/fast/simd/math.h"

namespace pumice::hw::fast::PUMICE_SIMD {

void run_lanes(const lane::ProgramView& program, const lane::Workspace& work, void* args);

namespace {

using lane::Node;
using lane::Op;

template <class T>
T read(const char* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
int32_t field(const char* base, const lane::Program::Field& f) {
  const uint32_t v = read<uint32_t>(base + f.offset) >> f.shift;
  if (f.bits >= 32) return int32_t(v);
  return f.is_signed ? int32_t(v << (32 - f.bits)) >> (32 - f.bits) : int32_t(v & ((1u << f.bits) - 1));
}

}  // namespace

void run_lanes(const lane::ProgramView& program, const lane::Workspace& work, void* args) {
  work.pointer[0] = static_cast<char*>(args);
  for (int32_t i = 1; i < program.pointer_count; ++i) {
    const auto& source = program.pointers[i];
    work.pointer[i] =
        source.parent == lane::kScratch ? work.scratch + source.offset : read<char*>(work.pointer[source.parent] + source.offset);
  }
  for (int32_t i = 0; i < program.count; ++i) {
    const Node& n = program.nodes[i];
    const auto a = [&] { return load(work.value[n.a]); };
    const auto b = [&] { return load(work.value[n.b]); };
    const auto c = [&] { return load(work.value[n.c]); };
    const auto ma = [&] { return work.mask[n.a]; };
    const auto mb = [&] { return work.mask[n.b]; };
    const auto result = [&](F16 v) { store(work.value[i], v); };
    const auto bits_result = [&](U16 v) { store(work.value[i], as_float(v)); };
    const auto mask_result = [&](Mask m) { work.mask[i] = bits_of(m); };
    char* const p = work.pointer[n.p];
    switch (n.op) {
      case Op::constant: bits_result(splat(n.imm)); break;
      case Op::table: bits_result(load_unaligned<U16>(program.tables[n.imm])); break;
      case Op::splat: bits_result(splat(read<uint32_t>(p + n.imm))); break;
      case Op::lanes: bits_result(load_unaligned<U16>(p + n.imm)); break;
      case Op::splat_at: {
        const auto& range = program.ranges[n.b];
        const int64_t index = work.scalar[n.a];
        const bool inside = index >= 0 && index < int64_t(range.count);
        bits_result(splat(inside ? read<uint32_t>(p + n.imm + index * range.stride) : 0u));
        break;
      }
      case Op::from_scalar: bits_result(splat(uint32_t(work.scalar[n.a]))); break;
      case Op::gather: bits_result(gather31(p, as_int(a()), mask_from(work.mask[n.c]))); break;
      case Op::add: result(a() + b()); break;
      case Op::sub: result(a() - b()); break;
      case Op::mul: result(a() * b()); break;
      case Op::div: result(a() / b()); break;
      case Op::fma: {
        const F16 x = n.imm & 1 ? as_float(as_uint(a()) ^ 0x80000000u) : a(), y = b();
        const F16 z = n.imm & 2 ? as_float(as_uint(c()) ^ 0x80000000u) : c();
        result(fma(x, y, z));
        break;
      }
      case Op::sqrt: result(sqrt(a())); break;
      case Op::min: result(min(a(), b())); break;
      case Op::max: result(max(a(), b())); break;
      case Op::floor: result(floor(a())); break;
      case Op::round_even: result(SimdMath::round_even(a())); break;
      case Op::scale: result(SimdMath::scale(a(), b())); break;
      case Op::bit_and: bits_result(as_uint(a()) & as_uint(b())); break;
      case Op::bit_or: bits_result(as_uint(a()) | as_uint(b())); break;
      case Op::bit_xor: bits_result(as_uint(a()) ^ as_uint(b())); break;
      case Op::bit_andnot: bits_result(~as_uint(a()) & as_uint(b())); break;
      case Op::shl: bits_result(as_uint(a()) << n.imm); break;
      case Op::shr: bits_result(as_uint(a()) >> n.imm); break;
      case Op::sar: bits_result(as_uint(as_int(a()) >> int32_t(n.imm))); break;
      case Op::iadd: bits_result(as_uint(a()) + as_uint(b())); break;
      case Op::isub: bits_result(as_uint(a()) - as_uint(b())); break;
      case Op::to_float: result(to_float(as_int(a()))); break;
      case Op::to_int: bits_result(as_uint(truncate(a()))); break;
      case Op::quad: result(quad_lane(a(), n.imm)); break;
      case Op::select: result(select(mask_from(work.mask[n.c]), a(), b())); break;
      case Op::get: result(load(work.variable[n.imm])); break;
      case Op::mask_constant: work.mask[i] = LaneMask(n.imm); break;
      case Op::mask_load: work.mask[i] = LaneMask(read<uint32_t>(p + n.imm)); break;
      case Op::lt: mask_result(lt(a(), b())); break;
      case Op::le: mask_result(le(a(), b())); break;
      case Op::eq: mask_result(eq(a(), b())); break;
      case Op::ne: mask_result(ne(a(), b())); break;
      case Op::unordered: mask_result(ne(a(), a()) | ne(b(), b())); break;
      case Op::ieq: mask_result(eq(as_int(a()), as_int(b()))); break;
      case Op::ilt: mask_result(lt(as_int(a()), as_int(b()))); break;
      case Op::mask_and: work.mask[i] = ma() & mb(); break;
      case Op::mask_or: work.mask[i] = ma() | mb(); break;
      case Op::mask_xor: work.mask[i] = ma() ^ mb(); break;
      case Op::mask_andnot: work.mask[i] = LaneMask(~ma() & mb()); break;
      case Op::mask_get: work.mask[i] = work.mask_variable[n.imm]; break;
      case Op::set: store(work.variable[n.imm], a()); break;
      case Op::mask_set: work.mask_variable[n.imm] = ma(); break;
      case Op::store: store_unaligned(p + n.imm, a()); break;
      case Op::scatter:
        for (int l = 0; l < kLanes; ++l)
          if (work.mask[n.c] >> l & 1) std::memcpy(p + __builtin_bit_cast(uint32_t, work.value[n.a].v[l]), &work.value[n.b].v[l], 4);
        break;
      case Op::mask_store: {
        const uint32_t m = ma();
        std::memcpy(p + n.imm, &m, n.b == 1 ? 2 : 4);
        break;
      }
      case Op::store_word: std::memcpy(p + n.imm, &n.a, sizeof n.a); break;
      case Op::call: {
        const auto& call = program.calls[n.imm];
        char* const object = work.pointer[call.object];
        const void* const f = call.function ? call.function : read<const void*>(object + call.offset);
        reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<uintptr_t>(f))(object,
                                                                                 work.pointer[call.argument] + call.argument_offset);
        break;
      }
      case Op::scalar_set: work.scalar[n.imm] = n.a; break;
      case Op::scalar_load: work.scalar[n.imm] = field(p, program.fields[n.a]); break;
      case Op::scalar_add: work.scalar[n.imm] = int32_t(uint32_t(work.scalar[n.imm]) + uint32_t(n.a)); break;
      case Op::scalar_sum: work.scalar[n.imm] = int32_t(uint32_t(work.scalar[n.imm]) + uint32_t(work.scalar[n.a])); break;
      case Op::scalar_move: work.scalar[n.imm] = work.scalar[n.a]; break;
      case Op::label: break;
      case Op::jump: i = program.label_at[n.imm]; break;
      case Op::jump_any:
        if (ma()) i = program.label_at[n.imm];
        break;
      case Op::jump_none:
        if (!ma()) i = program.label_at[n.imm];
        break;
      case Op::jump_scalar_zero:
        if (work.scalar[n.a] == 0) i = program.label_at[n.imm];
        break;
      case Op::jump_scalar_nonzero:
        if (work.scalar[n.a] != 0) i = program.label_at[n.imm];
        break;
      case Op::jump_spent: {
        const auto& budget = program.budgets[n.a];
        // Another thread may set the budget to 0 meanwhile, to end the program.
        const int64_t left = __atomic_sub_fetch(reinterpret_cast<int64_t*>(p + budget.offset), int64_t{budget.amount}, __ATOMIC_RELAXED);
        if (left < 0) i = program.label_at[n.imm];
        break;
      }
    }
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
#endif
