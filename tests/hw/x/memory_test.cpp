// SPDX-License-Identifier: MIT
/// XM: widths, bounds, null descriptors, memory that is not backed, push constants, literals, local memory, scratch, atomics.
#include <cstring>

#include "hw/radeon/decode/us/numbers.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

class XMemory : public XRig {
 protected:
  void SetUp() override {
    in = allocate(4096), out = allocate(4096);
    buffer(1, out, 4096);
  }
  /// Runs `middle` with r0.x = 4 * lane, r1.x = lane; then lane l stores r2 to out[4 l ..].
  void lanes(std::vector<Instruction> middle, const std::vector<Bits4>& literals = {}, uint32_t scratch = 0) {
    std::fill_n(dwords(out), 256, 0xCCCCCCCCu);
    std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
        xi(XiOp::SHL, 0, kX, r(1), n(2)),
    };
    code.insert(code.end(), middle.begin(), middle.end());
    code.push_back(xi(XiOp::SHL, 15, kX, r(1), n(4)));
    code.push_back(X{.op = XOp::STB, .source = 15, .src2 = 2, .components = 4, .descriptor = at(1)});
    program(code, literals, 16, scratch);
    run();
  }
  Bits4 result(uint32_t lane) const {
    const uint32_t* o = const_cast<XMemory*>(this)->dwords(out) + 4 * lane;
    return {o[0], o[1], o[2], o[3]};
  }
  uint64_t in = 0, out = 0;
};

TEST_F(XMemory, WidthsAndSigns) {
  uint8_t* bytes = reinterpret_cast<uint8_t*>(dwords(in));
  for (uint32_t i = 0; i < 64; ++i) bytes[i] = uint8_t(0x70 + 5 * i);
  buffer(0, in, 64);
  const struct {
    XWidth width;
    bool sign;
  } kForms[] = {{XWidth::BYTE, false}, {XWidth::BYTE, true}, {XWidth::HALF, false}, {XWidth::HALF, true}, {XWidth::DWORD, false}};
  for (const auto& f : kForms) {
    // Byte offset 3 * lane: low bits count as 0.
    lanes({xi(XiOp::IMUL, 3, kX, r(1), n(3)),
           X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 3, .descriptor = at(0), .width = f.width, .is_signed = f.sign}});
    ASSERT_TRUE(reports.empty()) << reports[0];
    for (uint32_t l = 0; l < 16; ++l) {
      const uint32_t size = f.width == XWidth::BYTE ? 1 : f.width == XWidth::HALF ? 2 : 4, first = 3 * l / size * size;
      uint32_t want = 0;
      for (uint32_t k = 0; k < size; ++k) want |= uint32_t(bytes[first + k]) << 8 * k;
      if (f.sign && want >> (8 * size - 1) & 1) want -= 1u << 8 * size;
      EXPECT_EQ(result(l), (Bits4{want, 0, 0, 0})) << l << " width " << int(f.width) << " signed " << f.sign;
    }
  }
}

TEST_F(XMemory, StoresOfEachWidth) {
  buffer(0, in, 4096);
  std::fill_n(dwords(in), 128, 0xAAAAAAAAu);
  lanes({xi(XiOp::IADD, 3, kXyzw, r(1).x(), c(0)), X{.op = XOp::STB, .source = 1, .src2 = 3, .descriptor = at(0), .width = XWidth::BYTE},
         xi(XiOp::SHL, 4, kX, r(1), n(1)),
         X{.op = XOp::STB, .source = 4, .src2 = 3, .immediate = 64, .descriptor = at(0), .width = XWidth::HALF},
         xi(XiOp::IMUL, 4, kX, r(1), n(12)),
         X{.op = XOp::STB, .source = 4, .src2 = 3, .components = 3, .immediate = 128, .descriptor = at(0)}},
        {{0x12345600, 0x100, 0x200, 0x300}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  const uint8_t* bytes = reinterpret_cast<uint8_t*>(dwords(in));
  for (uint32_t l = 0; l < 16; ++l) {
    EXPECT_EQ(bytes[l], l);
    EXPECT_EQ(bytes[64 + 2 * l] | bytes[65 + 2 * l] << 8, 0x5600 + int(l));
    EXPECT_EQ(dwords(in)[32 + 3 * l], 0x12345600 + l);
    EXPECT_EQ(dwords(in)[32 + 3 * l + 2], 0x200 + l);
  }
  EXPECT_EQ(bytes[16], 0xAA);
  EXPECT_EQ(bytes[96], 0xAA);
  EXPECT_EQ(dwords(in)[32 + 48], 0xAAAAAAAAu);
}

TEST_F(XMemory, ComponentsOutsideReadZeroAndStoreNothing) {
  for (uint32_t i = 0; i < 64; ++i) dwords(in)[i] = 1000 + i;
  buffer(0, in, 40);  // ten dwords
  lanes({X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(0)}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l)
    for (uint32_t k = 0; k < 4; ++k) EXPECT_EQ(result(l)[k], l + k < 10 ? 1000 + l + k : 0) << l << "." << k;
  // Negative offsets are large ones.
  lanes(
      {xi(XiOp::IADD, 3, kX, r(0), -n(8)), X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 3, .components = 2, .descriptor = at(0)}});
  EXPECT_EQ(result(0), (Bits4{0, 0, 0, 0}));
  EXPECT_EQ(result(2), (Bits4{1000, 1001, 0, 0}));
  EXPECT_EQ(result(11), (Bits4{1009, 0, 0, 0}));
  lanes({xi(XiOp::MOV, 3, kXyzw, n(7)), X{.op = XOp::STB, .source = 0, .src2 = 3, .components = 4, .descriptor = at(0)},
         X{.op = XOp::LENB, .dest = 2, .mask = kXyzw, .descriptor = at(0)}});
  for (uint32_t i = 0; i < 20; ++i) EXPECT_EQ(dwords(in)[i], i < 10 ? 7 : 1000 + i) << i;
  EXPECT_EQ(result(5), (Bits4{40, 0, 0, 0}));
}

TEST_F(XMemory, NullAndUnbackedDescriptors) {
  buffer(0, 0, 0);
  lanes({xi(XiOp::MOV, 2, kXyzw, n(9)), X{.op = XOp::LDB, .dest = 2, .mask = 7, .source = 0, .components = 4, .descriptor = at(0)},
         X{.op = XOp::STB, .source = 0, .src2 = 1, .descriptor = at(0)},
         X{.op = XOp::ATB, .dest = 2, .mask = kX, .source = 0, .src2 = 1, .descriptor = at(0)}});
  EXPECT_TRUE(reports.empty()) << reports[0];  // null is no fault
  EXPECT_EQ(result(3), (Bits4{0, 0, 0, 9}));
  // Memory behind the descriptor: a fault, once, that names the slot.
  buffer(0, in + 4096, 64);
  lanes({xi(XiOp::MOV, 2, kXyzw, n(9)), X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(0)}});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("US instruction 3: memory of a buffer"), std::string::npos) << reports[0];
  EXPECT_EQ(result(3), (Bits4{0, 0, 0, 0}));
  // The descriptor itself.
  lanes({X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 0, .descriptor = {0, false, 0, 0, 256}}});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("US instruction 2: the descriptor"), std::string::npos) << reports[0];
  EXPECT_EQ(result(3), (Bits4{0, 0, 0, 0}));
}

/// Three components at addresses whose last one is before a gap, in the largest range without gaps and in another one: native code loads
/// them as four elsewhere.
TEST_F(XMemory, ThreeComponentsBeforeAGap) {
  buffer(0, in, 4096);
  const Selector all{.set = x::kWholeMemory};
  for (const uint32_t pages : {2u, 1u}) {
    const uint64_t end = allocate_low(pages * kPageBytes) + pages * kPageBytes;
    for (uint32_t k = 1; k <= 8; ++k) dwords(end - 4 * k)[0] = 100 * pages + k;
    for (const uint32_t from : {12u, 16u}) {
      for (uint32_t l = 0; l < 16; ++l) dwords(in)[l] = uint32_t(end) - (l % 3 ? from : 32);
      lanes({X{.op = XOp::LDB, .dest = 3, .mask = kX, .source = 0, .descriptor = at(0)},
             X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 3, .components = 3, .descriptor = all}});
      ASSERT_TRUE(reports.empty()) << reports[0];
      for (uint32_t l = 0; l < 16; ++l) {
        const uint32_t first = 100 * pages + (l % 3 ? from : 32) / 4;
        EXPECT_EQ(result(l), (Bits4{first, first - 1, first - 2, 0})) << l << " from " << from;
      }
    }
  }
}

TEST_F(XMemory, EachLaneMayChooseItsDescriptor) {
  for (uint32_t i = 0; i < 64; ++i) dwords(in)[i] = i;
  for (uint32_t l = 0; l < 16; ++l) buffer(16 + l, in + 16 * l, 4);
  lanes({xi(XiOp::SHL, 5, kX, r(1), n(4)), xi(XiOp::MOV, 6, 4, r(5).x()),  // r6.z = 16 * lane
         X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 7, .components = 2, .descriptor = {0, true, 6, 2, 16}}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l), (Bits4{4 * l, 0, 0, 0}));
}

TEST_F(XMemory, PushConstantsAndLiterals) {
  for (uint32_t i = 0; i < 64; ++i) dwords(in)[i] = 50 + i;
  set(regs::r5x::X_CS_PUSH_LO{uint32_t(in)});
  set(regs::r5x::X_CS_PUSH_HI{uint32_t(in >> 32)});
  set(regs::r5x::X_CS_PUSH_SIZE{32});
  lanes({X{.op = XOp::LDU, .dest = 2, .mask = kXyzw, .source = 0, .components = 2, .immediate = 4}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l), (Bits4{l < 7 ? 51 + l : 0, l < 6 ? 52 + l : 0, 0, 0})) << l;
  std::vector<Bits4> literals(300);
  for (uint32_t i = 0; i < literals.size(); ++i) literals[i] = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3};
  lanes({X{.op = XOp::LDK, .dest = 2, .mask = kXyzw, .source = 0, .components = 3, .immediate = 16 * 299 - 8}}, literals);
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l)
    for (uint32_t k = 0; k < 3; ++k) EXPECT_EQ(result(l)[k], 1194 + l + k < 1200 ? 1194 + l + k : 0) << l;
}

TEST_F(XMemory, LocalMemoryAndScratch) {
  set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(32));
  lanes({X{.op = XOp::STL, .source = 0, .src2 = 1}, xi(XiOp::IADD, 3, kX, n(60), -r(0)),
         X{.op = XOp::LDL, .dest = 2, .mask = kXyzw, .source = 3, .components = 2}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l)[0], l < 8 ? 0 : 15 - l) << l;  // 32 bytes: eight lanes stored
  EXPECT_EQ(result(8)[1], 0u);
  EXPECT_EQ(result(9)[1], 7u);
  // Scratch belongs to the lane and begins as zero.
  lanes({X{.op = XOp::LDP, .dest = 2, .mask = 8, .source = 4, .components = 4}, X{.op = XOp::STP, .source = 4, .src2 = 1, .immediate = 12},
         X{.op = XOp::LDP, .dest = 2, .mask = 7, .source = 4, .components = 4, .immediate = 8}},
        {}, 16);
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l), (Bits4{0, l, 0, 0})) << l;
}

/// What groups before it on the same thread have stored, at places that the code names and at others, of all widths, is not there.
TEST_F(XMemory, ScratchIsZeroWhereAGroupBegins) {
  constexpr uint32_t kGroups = 40, kLanes = 40;
  const uint64_t found = allocate(kGroups * kLanes * 16);
  buffer(0, found, kGroups * kLanes * 16);
  local_size(kLanes);
  // Small memories are cleared in one piece.
  for (const auto& [scratch, waits] : {std::pair{1024u, false}, {1024u, true}, {128u, false}, {128u, true}}) {
    std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
        X{.op = XOp::SYS, .dest = 2, .mask = kX, .immediate = 33},
        xi(XiOp::IMAD, 1, kX, r(2), n(kLanes), r(1)),
        // Within the lane's memory and, of the last ones, beyond its end.
        xi(XiOp::IMUL, 3, kX, r(1), n(13)),
        xi(XiOp::AND, 3, kX, r(3), n(uint8_t(scratch / 8 - 1))),
        xi(XiOp::SHL, 3, kX, r(3), n(3)),
        xi(XiOp::SHL, 4, kX, r(1), n(4)),
        X{.op = XOp::LDP, .dest = 5, .mask = 3, .source = 3, .components = 2},
        X{.op = XOp::LDP, .dest = 6, .mask = kX, .source = 15, .immediate = scratch / 2},
        X{.op = XOp::LDP, .dest = 7, .mask = kX, .source = 15, .immediate = scratch - 4},
        xi(XiOp::MOV, 5, 4, r(6).x(0)),
        xi(XiOp::MOV, 5, 8, r(7).x(0)),
        X{.op = XOp::STB, .source = 4, .src2 = 5, .components = 4, .descriptor = at(0)},
        xi(XiOp::MOV, 8, kXyzw, n(77)),
        X{.op = XOp::STP, .source = 3, .src2 = 8, .components = 4},
        X{.op = XOp::STP, .source = 3, .src2 = 8, .immediate = 19, .width = XWidth::BYTE},
        X{.op = XOp::STP, .source = 15, .src2 = 8, .components = 4, .immediate = scratch - 8},
        X{.op = XOp::STP, .source = 15, .src2 = 8, .immediate = scratch / 2 + 2, .width = XWidth::HALF},
    };
    if (waits) code.insert(code.begin() + 15, X{.op = XOp::BARRIER});
    program(code, {}, 16, scratch);
    std::fill_n(dwords(found), kGroups * kLanes * 4, ~0u);
    run({kGroups, 1, 1});
    ASSERT_TRUE(reports.empty()) << reports[0];
    for (uint32_t i = 0; i < kGroups * kLanes * 4; ++i)
      ASSERT_EQ(dwords(found)[i], 0u) << i << ", " << scratch << (waits ? ", barrier" : "");
  }
}

TEST_F(XMemory, Atomics) {
  buffer(0, in, 64);
  const struct {
    SubOp sub;
    bool real;
    uint32_t begin;
    uint32_t (*next)(uint32_t old, uint32_t lane);
  } kKinds[] = {
      {SubOp::ADD, false, 0xFFFFFFF0, [](uint32_t o, uint32_t l) { return o + l; }},
      {SubOp::SMIN, false, 8, [](uint32_t o, uint32_t l) { return int32_t(o) < int32_t(l) ? o : l; }},
      {SubOp::SMAX, false, 0xFFFFFFF0, [](uint32_t o, uint32_t l) { return int32_t(o) > int32_t(l) ? o : l; }},
      {SubOp::UMIN, false, 0xFFFFFFF0, [](uint32_t o, uint32_t l) { return o < l ? o : l; }},
      {SubOp::UMAX, false, 5, [](uint32_t o, uint32_t l) { return o > l ? o : l; }},
      {SubOp::AND, false, 0xFF, [](uint32_t o, uint32_t l) { return o & l; }},
      {SubOp::OR, false, 0x40, [](uint32_t o, uint32_t l) { return o | l; }},
      {SubOp::XOR, false, 0x40, [](uint32_t o, uint32_t l) { return o ^ l; }},
      {SubOp::EXCHANGE, false, 77, [](uint32_t, uint32_t l) { return l; }},
      {SubOp::COMPARE_EXCHANGE, false, 0, [](uint32_t o, uint32_t l) { return o == 3 ? l : o; }},
      {SubOp::MUL, false, 3, [](uint32_t o, uint32_t l) { return o * l; }},
      {SubOp::ADD, true, bits(0.1f), [](uint32_t o, uint32_t l) { return bits(flt(o) + flt(l)); }},
  };
  for (const bool local : {false, true}) {
    set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(64));
    for (const auto& k : kKinds) {
      dwords(in)[3] = k.begin;
      // Values are the lane's number + 3 (floats of it): so that the compare value, 3, comes up. All lanes on dword 3; in local memory it
      // is 0.
      std::vector<Instruction> code = {xi(XiOp::IADD, 3, kX, r(1), n(3)), xi(XiOp::MOV, 5, kX, n(12)), xi(XiOp::MOV, 6, kX, n(3))};
      if (k.real) code.push_back(xi(XiOp::U2F, 3, kX, r(3)));
      code.push_back(X{.op = local ? XOp::ATL : XOp::ATB,
                       .dest = 2,
                       .mask = kX,
                       .source = 5,
                       .src2 = 3,
                       .src3 = 6,
                       .descriptor = local ? Selector{} : at(0),
                       .is_float = k.real,
                       .sub = k.sub});
      lanes(code);
      ASSERT_TRUE(reports.empty()) << reports[0];
      uint32_t value = local ? 0 : k.begin;
      for (uint32_t l = 0; l < 16; ++l) {
        EXPECT_EQ(result(l)[0], value) << int(k.sub) << " " << k.real << " lane " << l;
        value = k.next(value, k.real ? bits(float(l + 3)) : l + 3);
      }
      if (!local) {
        EXPECT_EQ(dwords(in)[3], value) << int(k.sub) << " " << k.real;
      }
    }
  }
  // A buffer at an odd address.
  buffer(0, in + 1, 64);
  uint8_t* const odd = reinterpret_cast<uint8_t*>(dwords(in)) + 1 + 12;
  const uint32_t before = 1000;
  std::memcpy(odd, &before, 4);
  lanes({xi(XiOp::MOV, 5, kX, n(12)),
         X{.op = XOp::ATB, .dest = 2, .mask = kX, .source = 5, .src2 = 1, .descriptor = at(0), .sub = SubOp::ADD}});
  uint32_t after = 0;
  std::memcpy(&after, odd, 4);
  EXPECT_EQ(after, before + 120);
  EXPECT_EQ(result(15)[0], before + 105);
  buffer(0, in, 64);
  // Outside: nothing, and 0.
  dwords(in)[16] = 5;
  lanes({xi(XiOp::MOV, 5, kX, n(64)), xi(XiOp::MOV, 2, kX, n(1)),
         X{.op = XOp::ATB, .dest = 2, .mask = kX, .source = 5, .src2 = 1, .descriptor = at(0)}});
  EXPECT_EQ(dwords(in)[16], 5u);
  EXPECT_EQ(result(2)[0], 0u);
}

TEST_F(XMemory, PredicatesAndSwizzlesOfTheDestination) {
  for (uint32_t i = 0; i < 64; ++i) dwords(in)[i] = i;
  buffer(0, in, 256);
  Instruction odd = xi(XiOp::AND, 0, 0, r(1).x(), n(1));  // predicate r = lane is odd
  odd.rgb.output = 1;
  Instruction load = X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(0)};
  load.tex.dest.swizzle = {3, 0, 0, 1};
  load.rgb_predicate = 2, load.alpha_predicate = 0;  // red for r, g, b; none for a
  Instruction store = X{.op = XOp::STB, .source = 0, .src2 = 1, .immediate = 128, .descriptor = at(0)};
  store.rgb_predicate = 2, store.rgb_predicate_invert = true;
  lanes({odd, load, store});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) {
    EXPECT_EQ(result(l), (l % 2 ? Bits4{l + 3, l, l, l + 1} : Bits4{0, 0, 0, l + 1})) << l;
    EXPECT_EQ(dwords(in)[32 + l], l % 2 ? 32 + l : l) << l;
  }
}

TEST_F(XMemory, ImagesAreLoadedStoredAndSampled) {
  // A 4x4 R32_UINT image of pitch 16 and, of the same memory, four texels wide as a texel buffer.
  const auto image = [&](uint32_t number, uint32_t format, uint32_t dim) {
    uint32_t* d = dwords(sets) + 4 * number;
    d[0] = uint32_t(in), d[1] = uint32_t(in >> 32) | format << 16 | dim << 24, d[2] = 3 | 3 << 16, d[3] = 0;
    d[4] = (0u | 1u << 3 | 2u << 6 | 3u << 9) << 12, d[5] = 16, d[6] = 1, d[7] = 0;
  };
  constexpr uint32_t kR32Uint = 98, kR32Float = 100;
  image(2, kR32Uint, 1);
  std::fill_n(dwords(in), 16, 0u);
  lanes({xi(XiOp::AND, 3, kX, r(1), n(3)), xi(XiOp::LSHR, 4, kX, r(1), n(2)), xi(XiOp::MOV, 3, 2, r(4).x()),
         xi(XiOp::IMUL, 5, kX, r(1), n(100)), X{.op = XOp::STI, .source = 3, .src2 = 5, .descriptor = at(2)},
         X{.op = XOp::ATI, .dest = 6, .mask = kX, .source = 3, .src2 = 1, .descriptor = at(2)},
         X{.op = XOp::LDI, .dest = 2, .mask = kXyzw, .source = 3, .descriptor = at(2)}, xi(XiOp::MOV, 2, 2, r(6).x())});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l), (Bits4{l * 101, l * 100, 0, 1})) << l;
  image(2, kR32Float, 1);
  for (uint32_t i = 0; i < 16; ++i) dwords(in)[i] = bits(float(i));
  std::fill_n(dwords(sets) + 20, 4, 0u);  // sampler 5: nearest, repeat, LOD 0
  lanes({xi(XiOp::AND, 3, kX, r(1), n(3)), xi(XiOp::LSHR, 4, kX, r(1), n(2)), xi(XiOp::MOV, 3, 2, r(4).x()), xi(XiOp::U2F, 3, 3, r(3)),
         alu(AluOp::MAD, 3, 3, r(3), c(0), c(1)),  // (texel + 1/2) / 4
         X{.op = XOp::SAMPLE, .dest = 2, .mask = kX, .source = 3, .immediate = 5u << 14, .descriptor = at(2)},
         X{.op = XOp::QSIZE, .dest = 2, .mask = 6, .source = 7, .src2 = 7, .descriptor = at(2)},
         X{.op = XOp::QLEVELS, .dest = 2, .mask = 8, .descriptor = at(2)}},
        {{bits(0.25f), bits(0.25f), 0, 0}, {bits(0.125f), bits(0.125f), 0, 0}});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) {
    EXPECT_EQ(result(l)[0], bits(float(l))) << l;
    EXPECT_EQ(result(l)[1], 4u);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
