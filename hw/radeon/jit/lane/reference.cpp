// SPDX-License-Identifier: MIT
#include "hw/radeon/jit/lane/reference.h"

#include <algorithm>
#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/jit/lane/buffer_access.h"
#include "hw/radeon/jit/lane/evaluate.h"

namespace pumice::hw::fast::lane {
namespace {

using Words = std::array<uint32_t, kLanes>;  ///< of masks: 0 or 1

template <class T>
T read(const char* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

class Reference {
 public:
  Reference(const Program& program, void* args)
      : program_(program),
        pointers_(program.pointers.size()),
        scratch_(program.scratch / sizeof(Lanes) + 1),
        words_(program.nodes.size()),
        variables_(size_t(program.variables + program.mask_variables)),
        scalars_(size_t(program.scalars)),
        labels_(size_t(program.labels)) {
    pointers_[0] = static_cast<char*>(args);
    for (size_t i = 1; i < pointers_.size(); ++i) {
      const auto& p = program.pointers[i];
      if (p.parent == kScratch)
        pointers_[i] = reinterpret_cast<char*>(scratch_.data()) + p.offset;
      else if (p.parent == kMoving)
        pointers_[i] = static_cast<char*>(args) + p.offset;
      else if (p.parent == kKnown)
        pointers_[i] = static_cast<char*>(const_cast<void*>(program.addresses[p.offset]));
      else
        pointers_[i] = read<char*>(pointers_[p.parent] + p.offset);
    }
    for (size_t i = 0; i < program.nodes.size(); ++i)
      if (program.nodes[i].op == Op::label) labels_[program.nodes[i].imm] = i;
  }

  void run() {
    for (next_ = 0; next_ < program_.nodes.size();) {
      const Node& n = program_.nodes[next_];
      Words& out = words_[next_++];
      switch (n.op) {
#define PUMICE_LANE_ROW(name, ...) \
  case Op::name: elementwise(n, out); break;
        PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) \
  case Op::name: load_buffer<type>(n, out); break;
        PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) \
  case Op::name: store_buffer<type>(n); break;
        PUMICE_LANE_STORES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, ...)                          \
  case Op::name:                                                                                \
    atomic(n, out, [](uint32_t old, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t c) { \
      [[maybe_unused]] const int32_t iold = int32_t(old), ib = int32_t(b);                      \
      return scalar;                                                                            \
    });                                                                                         \
    break;
        PUMICE_LANE_ATOMICS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, ...) \
  case Op::name: doubles(n, out); break;
        PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, function) \
  case Op::name: function(n, out); break;
        PUMICE_LANE_OTHERS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
      }
    }
  }

 private:
  const Words& of(int32_t id) const { return words_[size_t(id)]; }
  char* at(const Node& n) const { return pointers_[n.p] + n.imm; }
  LaneMask mask(int32_t id) const {
    uint32_t m = 0;
    for (uint32_t l = 0; l < kLanes; ++l) m |= of(id)[l] << l;
    return LaneMask(m);
  }
  static void spread(uint32_t m, Words& out) {
    for (uint32_t l = 0; l < kLanes; ++l) out[l] = m >> l & 1u;
  }

  void elementwise(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) {
      uint32_t v[3] = {};
      for_operands(n, [&](int k, int32_t id) { v[k] = of(id)[l]; });
      out[l] = evaluate(n.op, n.imm, v[0], v[1], v[2]);
    }
  }

  // ---- Numbers of binary64: lanes l and l + 1 for an even l ----------------------------------------------------------------------

  uint64_t number(int32_t id, size_t l) const { return id < 0 ? 0 : uint64_t{of(id)[l + 1]} << 32 | of(id)[l]; }
  static void put(Words& out, size_t l, uint64_t number) { out[l] = uint32_t(number), out[l + 1] = uint32_t(number >> 32); }
  void doubles(const Node& n, Words& out) {
    const OrdinaryFloats ordinary;
    for (size_t l = 0; l < kLanes; l += 2) put(out, l, evaluate_double(n.op, number(n.a, l), number(n.b, l), number(n.c, l)));
  }
  void widen(const Node& n, Words& out) {
    const OrdinaryFloats ordinary;
    const size_t first = n.op == Op::widen_high ? 2 : 0;
    for (size_t l = 0; l < kLanes; l += 2) put(out, l, std::bit_cast<uint64_t>(widened(of(n.a)[(l & ~size_t{3}) + first + l % 4 / 2])));
  }
  void narrow(const Node& n, Words& out) {
    const OrdinaryFloats ordinary;
    for (size_t l = 0; l < kLanes; ++l)
      out[l] = narrowed(std::bit_cast<double>(number(l % 4 < 2 ? n.a : n.b, (l & ~size_t{3}) + l % 2 * 2)));
  }

  // ---- Buffers -------------------------------------------------------------------------------------------------------------------

  BufferView view(const Node& n) const {
    const auto& b = program_.buffers[n.imm];
    if (b.is_block()) return block_view_of(b, pointers_[b.p], pointers_[size_t(b.rows_p)]);
    return view_of(b, pointers_[b.p], b.index >= 0 ? scalars_[size_t(b.index)] : 0);
  }
  template <class T>
  void load_buffer(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(n.c)[l] ? load_lane<T>(view(n), of(n.a)[l] + displacement(n)) : 0;
  }
  template <class T>
  void store_buffer(const Node& n) {
    for (size_t l = 0; l < kLanes; ++l)
      if (of(n.c)[l]) store_lane<T>(view(n), of(n.a)[l] + displacement(n), of(n.b)[l]);
  }
  void load_rows(const Node& n, Words& out) { load_buffer<uint32_t>(n, out); }
  void load_rows_16(const Node& n, Words& out) { load_buffer<uint16_t>(n, out); }
  void load_rows_8(const Node& n, Words& out) { load_buffer<uint8_t>(n, out); }
  void store_rows(const Node& n, Words&) { store_buffer<uint32_t>(n); }
  void store_rows_16(const Node& n, Words&) { store_buffer<uint16_t>(n); }
  void store_rows_8(const Node& n, Words&) { store_buffer<uint8_t>(n); }
  void load_part(const Node& n, Words& out) {
    const Part part = part_of(n.op);
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint32_t p = part.pixel(l);
      out[l] = of(n.c)[p] ? load_lane<uint32_t>(view(n), of(n.a)[p] + part.byte(l)) : 0;
    }
  }
  void store_part(const Node& n, Words&) {
    const Part part = part_of(n.op);
    for (uint32_t l = 0; l < kLanes; ++l)
      if (const uint32_t p = part.pixel(l); of(n.c)[p]) store_lane<uint32_t>(view(n), of(n.a)[p] + part.byte(l), of(n.b)[l]);
  }
  template <class F>
  void atomic(const Node& n, Words& out, F f) {
    const bool masked = operation(n.op).signature.c == Role::mask;
    for (size_t l = 0; l < kLanes; ++l)
      out[l] = masked && !of(n.c)[l] ? 0 : atomic_lane(view(n), of(n.a)[l], [&](uint32_t old) { return f(old, of(n.b)[l], of(n.c)[l]); });
  }

  void atomic_64(const Node& n, Words&) {
    atomic_lanes_64(
        Atomic64(n.b), view(n), pointers_[n.p], [&](uint32_t l) { return of(n.c)[l] != 0; }, [&](uint32_t l) { return of(n.a)[l]; });
  }

  // ---- The rest ------------------------------------------------------------------------------------------------------------------

  void constant(const Node& n, Words& out) { out.fill(n.imm); }
  void splat(const Node& n, Words& out) { out.fill(read<uint32_t>(at(n))); }
  void mask_constant(const Node& n, Words& out) { spread(n.imm, out); }
  void lanes(const Node& n, Words& out) { out = n.op == Op::table ? program_.tables[n.imm] : read<Words>(at(n)); }
  void splat_at(const Node& n, Words& out) {
    const auto& range = program_.ranges[size_t(n.b)];
    const uint32_t index = uint32_t(scalars_[size_t(n.a)]);
    out.fill(index < range.count ? read<uint32_t>(at(n) + uint64_t{range.stride} * index) : 0);
  }
  void from_scalar(const Node& n, Words& out) { out.fill(uint32_t(scalars_[size_t(n.a)])); }
  void gather(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(n.c)[l] ? read<uint32_t>(at(n) + of(n.a)[l]) : 0;
  }
  void gather_first(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = read<uint32_t>(at(n) + of(n.a)[l]);
  }
  void gather_second(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = read<uint32_t>(at(n) + of(n.c)[l]);
  }
  void gather_beside(const Node& n, Words& out) {
    const size_t first = n.op == Op::gather_high ? 2 : 0;
    for (size_t l = 0; l < kLanes; ++l) out[l] = read<uint32_t>(at(n) + of(l % 2 ? n.c : n.a)[(l & ~size_t{3}) + first + l % 4 / 2]);
  }
  void look_up(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = read<uint32_t>(at(n) + 4 * (of(n.a)[l] & ((1u << n.b) - 1)));
  }
  void mask_load(const Node& n, Words& out) { spread(read<uint32_t>(at(n)), out); }
  void quad(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(n.a)[(l & ~size_t{3}) + n.imm];
  }
  void zip(const Node& n, Words& out) {
    const size_t first = n.op == Op::zip_high ? 2 : 0;
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(l % 2 ? n.b : n.a)[(l & ~size_t{3}) + first + l % 4 / 2];
  }
  void unzip(const Node& n, Words& out) {
    const size_t first = n.op == Op::unzip_odd ? 1 : 0;
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(l % 4 < 2 ? n.a : n.b)[(l & ~size_t{3}) + first + l % 2 * 2];
  }
  void shuffle_bytes(const Node& n, Words& out) {
    const auto byte = [&](size_t quad, uint32_t number) {
      return number > 127 ? 0 : of(n.a)[quad + number % 16 / 4] >> number % 4 * 8 & 255u;
    };
    for (size_t l = 0; l < kLanes; ++l) {
      const uint32_t from = program_.tables[n.imm][l];
      out[l] = 0;
      for (uint32_t k = 0; k < 32; k += 8) out[l] |= byte(l & ~size_t{3}, from >> k & 255u) << k;
    }
  }
  void permute(const Node& n, Words& out) {
    for (size_t l = 0; l < kLanes; ++l) out[l] = of(n.a)[of(n.b)[l] % kLanes];
  }
  Words& variable(const Node& n) {
    return variables_[n.imm + (n.op == Op::mask_get || n.op == Op::mask_set ? size_t(program_.variables) : 0)];
  }
  void get(const Node& n, Words& out) { out = variable(n); }
  void set(const Node& n, Words&) { variable(n) = of(n.a); }
  void store(const Node& n, Words&) { std::memcpy(at(n), of(n.a).data(), sizeof(Words)); }
  void scatter(const Node& n, Words&) {
    for (size_t l = 0; l < kLanes; ++l)
      if (of(n.c)[l]) std::memcpy(at(n) + of(n.a)[l], &of(n.b)[l], 4);
  }
  void mask_store(const Node& n, Words&) {
    const uint32_t m = mask(n.a);
    std::memcpy(at(n), &m, n.b == 1 ? 2 : 4);
  }
  void store_word(const Node& n, Words&) { std::memcpy(at(n), &n.a, 4); }
  void call(const Node& n, Words&) {
    const auto& c = program_.calls[n.imm];
    char* const object = pointers_[c.object];
    const void* const f = c.function ? c.function : read<const void*>(object + c.offset);
    reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<uintptr_t>(f))(object, pointers_[c.argument] + c.argument_offset);
  }
  int32_t& scalar(const Node& n) { return scalars_[n.imm]; }
  void scalar_set(const Node& n, Words&) { scalar(n) = n.a; }
  void scalar_load(const Node& n, Words&) {
    const auto& f = program_.fields[size_t(n.a)];
    uint32_t v = read<uint32_t>(pointers_[n.p] + f.offset) >> f.shift;
    if (f.bits < 32) v = f.is_signed ? uint32_t(int32_t(v << (32 - f.bits)) >> (32 - f.bits)) : v & ((1u << f.bits) - 1);
    scalar(n) = int32_t(v);
  }
  void add(const Node& n, int32_t more) { scalar(n) = int32_t(uint32_t(scalar(n)) + uint32_t(more)); }
  void scalar_add(const Node& n, Words&) { add(n, n.a); }
  void scalar_sum(const Node& n, Words&) { add(n, scalars_[size_t(n.a)]); }
  void scalar_move(const Node& n, Words&) { scalar(n) = scalars_[size_t(n.a)]; }
  void advance(const Node& n, Words&) { pointers_[n.p] += n.imm; }
  void jump_if(bool taken, const Node& n) {
    if (taken) next_ = labels_[n.imm];
  }
  void label(const Node&, Words&) {}
  void jump(const Node& n, Words&) { jump_if(true, n); }
  void jump_mask(const Node& n, Words&) { jump_if((mask(n.a) != 0) == (n.op == Op::jump_any), n); }
  void jump_scalar(const Node& n, Words&) { jump_if((scalars_[size_t(n.a)] == 0) == (n.op == Op::jump_scalar_zero), n); }
  void jump_spent(const Node& n, Words&) {
    const auto& b = program_.budgets[size_t(n.a)];
    jump_if(__atomic_sub_fetch(reinterpret_cast<int64_t*>(pointers_[n.p] + b.offset), int64_t{b.amount}, __ATOMIC_RELAXED) < 0, n);
  }

  const Program& program_;
  std::vector<char*> pointers_;
  std::vector<Lanes> scratch_;
  std::vector<Words> words_;  ///< by node
  std::vector<Words> variables_;
  std::vector<int32_t> scalars_;
  std::vector<size_t> labels_;
  size_t next_ = 0;
};

}  // namespace

void interpret_reference(const Program& program, void* args) { Reference(program, args).run(); }

}  // namespace pumice::hw::fast::lane
