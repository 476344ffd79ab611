// SPDX-License-Identifier: MIT
/// PSC: every data type and normalisation, swizzle, write enables, skips, arrays, byte swaps.
#include "hw/radeon/ref/vap/fetch.h"

#include <cmath>

#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

using vap::PvsInputs;

constexpr uint32_t kSigned = 1 << 14, kNorm = 1 << 15;

class Fetch : public VapTest {
 protected:
  PvsInputs convert(const std::vector<uint32_t>& stream) {
    PvsInputs in;
    const auto layout = vap::decode_layout(state);
    complaint = layout.complaint;
    vap::convert_stream(layout, stream, in);
    return in;
  }
  PvsInputs fetch(uint32_t index) {
    PvsInputs in;
    vap::VertexStream stream;
    const auto layout = vap::decode_layout(state);
    vap::fetch_stream(layout, *memory, index, index, stream);
    vap::convert_stream(layout, std::span(stream).first(layout.stream_dwords), in);
    return in;
  }
  std::string complaint;
};

TEST_F(Fetch, EveryTypeAndNormalisation) {
  struct Row {
    uint32_t type, flags, method;
    std::vector<uint32_t> data;
    Vec4 want;
  };
  const uint32_t one = num::bits(1.0f), two = num::bits(2.0f), three = num::bits(3.0f), four = num::bits(4.0f);
  const Row rows[] = {
      {Psc::DATA_TYPE_0__FLOAT_1, 0, 0, {two}, {2, 0, 0, 1}},
      {Psc::DATA_TYPE_0__FLOAT_2, 0, 0, {two, three}, {2, 3, 0, 1}},
      {Psc::DATA_TYPE_0__FLOAT_3, 0, 0, {two, three, four}, {2, 3, 4, 1}},
      {Psc::DATA_TYPE_0__FLOAT_4, 0, 0, {two, three, four, one}, {2, 3, 4, 1}},
      {Psc::DATA_TYPE_0__BYTE, 0, 0, {0xFF800201}, {1, 2, 128, 255}},
      {Psc::DATA_TYPE_0__BYTE, kNorm, 0, {0xFF800200}, {0, 2 / 255.0f, 128 / 255.0f, 1}},
      {Psc::DATA_TYPE_0__BYTE, kSigned, 0, {0x7F80FF01}, {1, -1, -128, 127}},
      {Psc::DATA_TYPE_0__BYTE, kSigned | kNorm, 0, {0x7F800001}, {1 / 127.0f, 0, -128 / 127.0f, 1}},
      {Psc::DATA_TYPE_0__BYTE, kSigned | kNorm, 1, {0x7F818001}, {1 / 127.0f, -1, -1, 1}},
      {Psc::DATA_TYPE_0__BYTE, kSigned | kNorm, 2, {0x7F80FF00}, {1 / 255.0f, -1 / 255.0f, -1, 1}},
      {Psc::DATA_TYPE_0__D3DCOLOR, kNorm, 0, {0x33FF0066}, {1, 0, 0x66 / 255.0f, 0.2f}},
      {Psc::DATA_TYPE_0__SHORT_2, 0, 0, {0xFFFF0001}, {1, 65535, 0, 1}},
      {Psc::DATA_TYPE_0__SHORT_2, kSigned, 0, {0xFFFF8000}, {-32768, -1, 0, 1}},
      {Psc::DATA_TYPE_0__SHORT_4, kSigned | kNorm, 2, {0x80007FFF, 0x0000FFFF}, {1, -1, -1 / 65535.0f, 1 / 65535.0f}},
      {Psc::DATA_TYPE_0__SHORT_4, kNorm, 2, {0x8000FFFF, 0}, {1, 32768 / 65535.0f, 0, 0}},
      {Psc::DATA_TYPE_0__VECTOR_3_TTT, 0, 0, {0xC0000000u | 1023u << 20 | 1 << 10 | 5}, {5, 1, 1023, 1}},
      {Psc::DATA_TYPE_0__VECTOR_3_TTT, kSigned | kNorm, 1, {512u << 20 | 511 << 10 | 0}, {0, 1, -1, 1}},
      {Psc::DATA_TYPE_0__VECTOR_3_EET, 0, 0, {1023u << 22 | 2047 << 11 | 1024}, {1024, 2047, 1023, 1}},
      {Psc::DATA_TYPE_0__VECTOR_3_EET, kSigned, 0, {512u << 22 | 2047 << 11 | 1024}, {-1024, -1, -512, 1}},
      {Psc::DATA_TYPE_0__FLT16_2, 0, 0, {0xC0003C00}, {1, -2, 0, 1}},
      {Psc::DATA_TYPE_0__FLT16_4, 0, 0, {0x00013C00, 0x7BFF8400}, {1, 0x1p-24f, -0x1p-14f, 65504}},
  };
  uint32_t seen = 1u << Psc::DATA_TYPE_0__FLOAT_8;  // below
  for (const Row& r : rows) {
    element(0, r.type, 3, true, r.flags);
    state.set(regs::VAP_PSC_SGN_NORM_CNTL{}.SGN_NORM_METHOD_0(r.method));
    const auto in = convert(r.data);
    EXPECT_EQ(in[3], r.want) << "row " << &r - rows;
    EXPECT_EQ(complaint, "");
    seen |= 1u << r.type;
  }
  EXPECT_EQ(seen, (2u << Psc::DATA_TYPE_0__FLT16_4) - 1);

  element(0, Psc::DATA_TYPE_0__FLOAT_8, 15, true);
  const auto in = convert({one, two, three, four, four, three, two, one});
  EXPECT_EQ(in[15], (Vec4{1, 2, 3, 4}));  // the second half's destination does not exist
  element(0, Psc::DATA_TYPE_0__FLOAT_8, 4, true);
  EXPECT_EQ(convert({one, two, three, four, four, three, two, one})[5], (Vec4{4, 3, 2, 1}));
}

TEST_F(Fetch, ReservedTypesComplain) {
  for (uint32_t type : {13, 14, 15}) {
    element(0, type, 0, true);
    EXPECT_EQ(convert({1, 2, 3, 4})[0], vap::kDefaultVector);
    EXPECT_NE(complaint, "");
  }
  element(0, Psc::DATA_TYPE_0__FLT16_2, 0, true);
  state.profile = Profile::r300;
  convert({0});
  EXPECT_NE(complaint, "");
}

TEST_F(Fetch, SwizzleWriteEnableSkipAndDefaults) {
  const uint32_t wzyx = 3 | 2 << 3 | 1 << 6 | 0 << 9;
  element(0, Psc::DATA_TYPE_0__FLOAT_2, 0, false, 0, 2);  // 2 dwords, 2 skipped
  element(1, Psc::DATA_TYPE_0__FLOAT_4, 1, false, 0, 0, wzyx | 0xF000);
  element(2, Psc::DATA_TYPE_0__FLOAT_1, 2, true, 0, 0, (4 | 5 << 3 | 0 << 6 | 0 << 9) | 0x7000);
  element(3, Psc::DATA_TYPE_0__FLOAT_1, 3, true);  // after LAST_VEC
  std::vector<uint32_t> s;
  for (int i = 1; i <= 10; ++i) s.push_back(num::bits(float(i)));
  const auto in = convert(s);
  EXPECT_EQ(in[0], (Vec4{1, 2, 0, 1}));
  EXPECT_EQ(in[1], (Vec4{8, 7, 6, 5}));
  EXPECT_EQ(in[2], (Vec4{0, 1, 9, 1}));
  EXPECT_EQ(in[3], vap::kDefaultVector);
  EXPECT_EQ(convert({s[0]})[0], (Vec4{1, 0, 0, 1}));  // a stream that is too short reads as zero
}

TEST_F(Fetch, ArraysConcatenateStrideZeroRepeats) {
  const uint32_t a = kVertexAddress, b = kVertexAddress + 0x100;
  for (uint32_t i = 0; i < 32; ++i) memory->store<float>(a + 4 * i, float(i)), memory->store<float>(b + 4 * i, float(100 + i));
  element(0, Psc::DATA_TYPE_0__FLOAT_3, 0, false);
  element(1, Psc::DATA_TYPE_0__FLOAT_2, 1, true);
  array(0, a, 2, 5);  // elements may span arrays: the PSC sees one stream
  array(1, b, 3, 0);
  arrays(2);
  const auto in = fetch(3);
  EXPECT_EQ(in[0], (Vec4{15, 16, 100, 1}));
  EXPECT_EQ(in[1], (Vec4{101, 102, 0, 1}));
}

TEST_F(Fetch, SwapModes) {
  memory->store<uint32_t>(kVertexAddress, 0x11223344);
  element(0, Psc::DATA_TYPE_0__BYTE, 0, true);
  const Vec4 want[] = {{0x44, 0x33, 0x22, 0x11}, {0x33, 0x44, 0x11, 0x22}, {0x11, 0x22, 0x33, 0x44}, {0x22, 0x11, 0x44, 0x33}};
  for (uint32_t mode = 0; mode < 4; ++mode) {
    state.set(regs::VAP_CNTL_STATUS{}.VC_SWAP(mode));
    EXPECT_EQ(fetch(0)[0], want[mode]) << mode;
  }
}

TEST_F(Fetch, UnbackedMemoryReadsZeroAndFaults) {
  const uint32_t end = kVertexAddress + kVertexBytes;
  memory->store<float>(end - 8, 5.0f);
  memory->store<float>(end - 4, 6.0f);
  array(0, end - 8, 4, 4);
  EXPECT_EQ(fetch(0)[0], (Vec4{5, 6, 0, 0}));
  EXPECT_EQ(memory->take_fault().count, 2u);
  EXPECT_EQ(fetch(0xFFFFFF)[0], Vec4{});
  EXPECT_NE(memory->take_fault().count, 0u);
}

}  // namespace
}  // namespace pumice::hw::test
