// SPDX-License-Identifier: MIT
/// Vertices from memory: every stream data type, arrays (3D_LOAD_VBPNTR + 3D_DRAW_VBUF_2), index buffers (INDX_BUFFER), index offset and
/// clamps, unbacked addresses. Expected values from pipeline s.2.1, s.2.2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"

namespace pumice::hw::test {
namespace {

using Psc = regs::VAP_PROG_STREAM_CNTL;
using Vf = regs::VAP_VF_CNTL;
using Vector = std::array<float, 4>;

constexpr std::array<float, 4> kCorners[] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {1, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}};

/// `arrays` {address, dwords, stride} from 0 on.
struct Array {
  uint32_t address;
  uint32_t dwords, stride;
};
Packets load_arrays(const std::vector<Array>& arrays) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(arrays.size())};
  for (size_t i = 0; i < arrays.size(); i += 2) {
    regs::VAP_VTX_AOS_ATTR attr;
    attr.VTX_AOS_COUNT0(arrays[i].dwords).VTX_AOS_STRIDE0(arrays[i].stride);
    if (i + 1 < arrays.size()) attr.VTX_AOS_COUNT1(arrays[i + 1].dwords).VTX_AOS_STRIDE1(arrays[i + 1].stride);
    words.push_back(attr.raw);
    words.push_back(arrays[i].address);
    if (i + 1 < arrays.size()) words.push_back(arrays[i + 1].address);
  }
  Packets p;
  p.command(pm4::Op::N3D_LOAD_VBPNTR, words);
  return p;
}
Packets draw_arrays(uint32_t type, uint32_t count) {
  Packets p;
  const uint32_t cntl = Vf().PRIM_TYPE(type).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(count).raw;
  p.command(pm4::Op::N3D_DRAW_VBUF_2, {&cntl, 1});
  return p;
}

struct Format {
  const char* name;
  uint32_t type, dwords;
  std::vector<uint32_t> bits;  ///< widths of the fields from bit 0 of dword 0; empty: floats
  std::array<int, 4> order;    ///< field of x, y, z, w; -1: 0, -2: 1
};
const Format kFormats[] = {
    {"FLOAT_1", Psc::DATA_TYPE_0__FLOAT_1, 1, {}, {0, -1, -1, -2}},
    {"FLOAT_2", Psc::DATA_TYPE_0__FLOAT_2, 2, {}, {0, 1, -1, -2}},
    {"FLOAT_3", Psc::DATA_TYPE_0__FLOAT_3, 3, {}, {0, 1, 2, -2}},
    {"FLOAT_4", Psc::DATA_TYPE_0__FLOAT_4, 4, {}, {0, 1, 2, 3}},
    {"BYTE", Psc::DATA_TYPE_0__BYTE, 1, {8, 8, 8, 8}, {0, 1, 2, 3}},
    {"D3DCOLOR", Psc::DATA_TYPE_0__D3DCOLOR, 1, {8, 8, 8, 8}, {2, 1, 0, 3}},
    {"SHORT_2", Psc::DATA_TYPE_0__SHORT_2, 1, {16, 16}, {0, 1, -1, -2}},
    {"SHORT_4", Psc::DATA_TYPE_0__SHORT_4, 2, {16, 16, 16, 16}, {0, 1, 2, 3}},
    {"VECTOR_3_TTT", Psc::DATA_TYPE_0__VECTOR_3_TTT, 1, {10, 10, 10}, {0, 1, 2, -2}},
    {"VECTOR_3_EET", Psc::DATA_TYPE_0__VECTOR_3_EET, 1, {11, 11, 10}, {0, 1, 2, -2}},
};

double fixed(uint32_t code, uint32_t n, bool is_signed, bool normalise, uint32_t method) {
  const double value = is_signed && code >> (n - 1) ? double(code) - double(1u << n) : double(code);
  const double top = double((1u << n) - 1), half = double((1u << (n - 1)) - 1);
  if (!normalise) return value;
  if (!is_signed) return value / top;
  return method == 2 ? (2 * value + 1) / top : method == 1 ? std::max(value / half, -1.0) : value / half;
}

TEST(Fetch, EveryDataType) {
  Chip chip;
  Sheet sheet(chip);
  const uint32_t positions = chip.allocate(16), data = chip.allocate(4096);
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 4; ++c) chip.memory(positions)[4 * i + c] = bits(kCorners[i][c]);
  const uint32_t patterns[][4] = {{0x80000001, 0x7FFF8001, 0xDEADBEEF, 0x12345678},
                                  {0, 0, 0, 0},
                                  {~0u, ~0u, ~0u, ~0u},
                                  {0x7F7F8080, 0x8000FFFF, 0x3F800000, 0xBF000000},
                                  {0x200FF400, 0x9249, 0x42280000, 0x40490FDB}};
  struct Case {
    const Format* format;
    uint32_t pattern, is_signed, normalise, method;
  };
  std::vector<Case> cases;
  uint32_t at = 0;
  for (const Format& f : kFormats)
    for (uint32_t pattern = 0; pattern < std::size(patterns); ++pattern)
      for (uint32_t mode = 0; mode < 6; ++mode) {
        const Case c = {&f, pattern, mode == 1 || mode >= 3, mode >= 2, mode == 4 ? 1u : mode == 5 ? 2u : 0u};
        if (f.bits.empty() && mode) continue;
        for (uint32_t i = 0; i < 4; ++i)
          chip.memory(data)[at + i] = f.bits.empty() && pattern < 3 ? bits(pattern + i * 0.5f) : patterns[pattern][i];
        Packets p = load_arrays({{positions, 4, 4}, {data + at * 4, f.dwords, 0}});
        p.set(Psc()
                  .DATA_TYPE_0(Psc::DATA_TYPE_0__FLOAT_4)
                  .DATA_TYPE_1(f.type)
                  .DST_VEC_LOC_1(1)
                  .LAST_VEC_1(1)
                  .SIGNED_1(c.is_signed)
                  .NORMALIZE_1(c.normalise));
        p.set(regs::VAP_PSC_SGN_NORM_CNTL().SGN_NORM_METHOD_1(c.method));
        sheet.add(p, draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
        cases.push_back(c);
        at += 4;
      }
  ASSERT_TRUE(sheet.run());
  at = 0;
  for (uint32_t i = 0; i < cases.size(); ++i, at += 4) {
    const Case& c = cases[i];
    for (uint32_t k = 0; k < 4; ++k) {
      const int field = c.format->order[k];
      float want = field == -1 ? 0.0f : 1.0f;
      if (field >= 0 && c.format->bits.empty()) want = flush(from_bits(chip.memory(data)[at + static_cast<uint32_t>(field)]));
      if (field >= 0 && !c.format->bits.empty()) {
        uint32_t low = 0;
        for (int b = 0; b < field; ++b) low += c.format->bits[static_cast<size_t>(b)];
        const uint32_t n = c.format->bits[static_cast<size_t>(field)];
        want = static_cast<float>(
            fixed(chip.memory(data)[at + low / 32] >> (low % 32) & ((1u << n) - 1), n, c.is_signed, c.normalise, c.method));
      }
      EXPECT_TRUE(same(sheet.value(i, k), want))
          << c.format->name << " pattern " << c.pattern << " signed " << c.is_signed << " normalised " << c.normalise << " method "
          << c.method << " component " << k << ": " << sheet.value(i, k) << ", not " << want;
    }
  }
  EXPECT_TRUE(chip.reports().empty());
}

TEST(Fetch, HalvesAndEightFloats) {
  Chip chip;
  Sheet sheet(chip);
  const uint32_t positions = chip.allocate(16), data = chip.allocate(16);
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 4; ++c) chip.memory(positions)[4 * i + c] = bits(kCorners[i][c]);
  const auto element = [&](uint32_t type, uint32_t dwords, uint32_t from, uint32_t destination) {
    Packets p = load_arrays({{positions, 4, 4}, {from, dwords, 0}});
    p.set(Psc().DATA_TYPE_0(Psc::DATA_TYPE_0__FLOAT_4).DATA_TYPE_1(type).DST_VEC_LOC_1(destination).LAST_VEC_1(1));
    return p;
  };
  uint32_t* d = chip.memory(data);
  d[0] = 0x3C00C000;  // x = -2, y = 1
  d[1] = 0x00017C00;  // z = Inf, w = 2^-24
  for (uint32_t i = 0; i < 8; ++i) d[4 + i] = bits(i + 1.0f);
  sheet.add(element(Psc::DATA_TYPE_0__FLT16_2, 1, data, 1), draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
  sheet.add(element(Psc::DATA_TYPE_0__FLT16_4, 2, data, 1), draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
  sheet.add(element(Psc::DATA_TYPE_0__FLOAT_8, 8, data + 16, 1), draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
  Packets second = element(Psc::DATA_TYPE_0__FLOAT_8, 8, data + 16, 1);
  second.append(vertex_program({move_instruction(2, 0, 1, 0), move_instruction(2, 1, 1, 2)}));
  sheet.add(second, draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
  ASSERT_TRUE(sheet.run());
  const Vector want[] = {{-2, 1, 0, 1}, {-2, 1, HUGE_VALF, 0x1p-24f}, {1, 2, 3, 4}, {5, 6, 7, 8}};
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(sheet.value(i, c), want[i][c]) << i << " " << c;
}

/// Swizzles (with 0 and 1), write enables (unwritten components are 0,0,0,1), skipped dwords, endian swap.
TEST(Fetch, SwizzlesSkipsAndSwaps) {
  using Ext = regs::VAP_PROG_STREAM_CNTL_EXT;
  Chip chip;
  Sheet sheet(chip);
  const auto ext = [] { return Ext().SWIZZLE_SELECT_Y_0(1).SWIZZLE_SELECT_Z_0(2).SWIZZLE_SELECT_W_0(3).WRITE_ENA_0(15); };
  Packets swizzle;
  swizzle.set(ext().SWIZZLE_SELECT_X_1(3).SWIZZLE_SELECT_Y_1(5).SWIZZLE_SELECT_Z_1(4).SWIZZLE_SELECT_W_1(0).WRITE_ENA_1(15));
  sheet.add(swizzle, full_quad({7, 8, 9, 10}));
  Packets mask;
  mask.set(ext().SWIZZLE_SELECT_X_1(0).SWIZZLE_SELECT_Y_1(1).SWIZZLE_SELECT_Z_1(2).SWIZZLE_SELECT_W_1(3).WRITE_ENA_1(5));
  sheet.add(mask, full_quad({7, 8, 9, 10}));
  Packets skip = swizzle;
  skip.set(ext().SWIZZLE_SELECT_X_1(0).SWIZZLE_SELECT_Y_1(1).SWIZZLE_SELECT_Z_1(2).SWIZZLE_SELECT_W_1(3).WRITE_ENA_1(15));
  skip.set(Psc().DATA_TYPE_0(3).SKIP_DWORDS_0(2).DATA_TYPE_1(1).DST_VEC_LOC_1(1).LAST_VEC_1(1));
  sheet.add(skip, full_quad({7, 8, 9, 10}));
  ASSERT_TRUE(sheet.run());
  const Vector want[] = {{10, 1, 0, 7}, {7, 0, 9, 1}, {9, 10, 0, 1}};
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(sheet.value(i, c), want[i][c]) << i << " " << c;

  const uint32_t positions = chip.allocate(16), data = chip.allocate(16);
  const uint32_t value = bits(-3.1415927f);
  for (uint32_t mode = 0; mode < 4; ++mode) {
    const auto swap = [&](uint32_t v) {
      return mode == 1 ? (v & 0xFF00FF) << 8 | (v >> 8 & 0xFF00FF) : mode == 2 ? __builtin_bswap32(v) : mode == 3 ? v << 16 | v >> 16 : v;
    };
    for (int i = 0; i < 4; ++i)
      for (int c = 0; c < 4; ++c) chip.memory(positions)[4 * i + c] = swap(bits(kCorners[i][c]));
    chip.memory(data)[0] = swap(value);
    Packets p = load_arrays({{positions, 4, 4}, {data, 1, 0}});
    p.set(Psc().DATA_TYPE_0(3).DATA_TYPE_1(0).DST_VEC_LOC_1(1).LAST_VEC_1(1));
    p.set(regs::VAP_CNTL_STATUS().VC_SWAP(mode));
    Sheet swapped(chip);
    swapped.add(p, draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
    ASSERT_TRUE(swapped.run());
    EXPECT_EQ(swapped.bits(0)[0], value) << mode;
  }
}

/// The same two triangles in every way a driver can bring them.
TEST(Fetch, IndexBuffersGiveTheSamePicture) {
  Chip chip;
  const Target t = make_target(chip, 16, 16);
  const std::vector<TestVertex> v = {{{-0.9f, -0.8f, 0.5f, 1}, {1, 0, 0, 1}}, {{0.7f, -0.9f, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{0.1f, 0.3f, 0.5f, 1}, {0, 0, 1, 1}},   {{-0.7f, 0.1f, 0.5f, 1}, {1, 1, 0, 1}},
                                     {{0.8f, 0.2f, 0.5f, 1}, {0, 1, 1, 1}},   {{-0.1f, 0.9f, 0.5f, 1}, {1, 0, 1, 1}}};
  const auto picture = [&](const Packets& how) {
    std::fill_n(chip.memory(t.color), 256, 0u);
    Packets p = plain_state(t);
    p.append(how);
    EXPECT_TRUE(chip.run(p));
    return std::vector<uint32_t>(chip.memory(t.color), chip.memory(t.color) + 256);
  };
  const auto want = picture(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, v));
  EXPECT_GT(std::count_if(want.begin(), want.end(), [](uint32_t c) { return c != 0; }), 40);

  // In memory: two vertices of garbage first, then the six in the order 3 1 5 0 4 2, positions and attributes in arrays of their own.
  constexpr uint32_t kOrder[6] = {3, 1, 5, 0, 4, 2};
  uint32_t place[6];
  const uint32_t positions = chip.allocate(64), attributes = chip.allocate(64), indices = chip.allocate(64);
  for (uint32_t i = 0; i < 6; ++i) {
    place[kOrder[i]] = i + 2;
    for (uint32_t c = 0; c < 4; ++c) {
      chip.memory(positions)[4 * (i + 2) + c] = bits(v[kOrder[i]].position[c]);
      chip.memory(attributes)[5 * (i + 2) + c] = bits(v[kOrder[i]].attribute[c]);  // stride 5
    }
  }
  Packets arrays = load_arrays({{positions, 4, 4}, {attributes, 4, 5}});
  const auto indexed = [&](bool wide, bool inline_data, int offset) {
    Packets p = arrays;
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < 6; ++i) {
      const uint32_t index = place[i] - static_cast<uint32_t>(offset);
      if (wide)
        words.push_back(index);
      else if (i % 2)
        words.back() |= index << 16;
      else
        words.push_back(index & 0xFFFF);
    }
    const uint32_t bias = static_cast<uint32_t>(offset) & 0x1FFFFFF;
    p.write(regs::VAP_INDEX_OFFSET::offset, {&bias, 1});
    const uint32_t cntl = Vf().PRIM_TYPE(4).PRIM_WALK(1).INDEX_SIZE(wide).NUM_VERTICES(6).raw;
    std::vector<uint32_t> payload = {cntl};
    if (inline_data) payload.insert(payload.end(), words.begin(), words.end());
    p.command(pm4::Op::N3D_DRAW_INDX_2, payload);
    if (!inline_data) {
      std::copy(words.begin(), words.end(), chip.memory(indices));
      const uint32_t buffer[] = {regs::PM4_INDX_BUFFER_DW0().ONE_REG_WR(1).DST_REG(regs::VAP_PORT_IDX::offset / 4).raw, indices,
                                 static_cast<uint32_t>(words.size())};
      p.command(pm4::Op::INDX_BUFFER, buffer);
    }
    return p;
  };
  for (const bool wide : {false, true})
    for (const bool inline_data : {false, true})
      for (const int offset : {0, 2}) EXPECT_EQ(picture(indexed(wide, inline_data, offset)), want) << wide << inline_data << offset;
  EXPECT_EQ(picture(indexed(true, false, -100)), want) << "the offset is signed";
  EXPECT_TRUE(chip.reports().empty());

  // VBUF with the arrays moved two vertices on takes 3 1 5, 0 4 2.
  Packets sequential = load_arrays({{positions + 32, 4, 4}, {attributes + 40, 4, 5}});
  sequential.set(regs::VAP_INDEX_OFFSET());
  sequential.append(draw_arrays(Vf::PRIM_TYPE__TRIANGLE_LIST, 6));
  const std::vector<TestVertex> shuffled = {v[3], v[1], v[5], v[0], v[4], v[2]};
  EXPECT_EQ(picture(sequential), picture(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, shuffled)));

  // Clamps: every index above MAX is MAX.
  Packets clamped = indexed(false, true, 0);
  Packets limit;
  limit.set(regs::VAP_VF_MAX_VTX_INDX().MAX_INDX(3));
  limit.append(clamped);
  std::vector<TestVertex> expected;
  for (uint32_t i = 0; i < 6; ++i) expected.push_back(v[kOrder[std::min(place[i], 3u) - 2]]);
  EXPECT_EQ(picture(limit), picture(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, expected)));
}

TEST(Fetch, ArraysNobodyBacks) {
  Chip chip;
  Sheet sheet(chip);
  const uint32_t positions = chip.allocate(16);
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 4; ++c) chip.memory(positions)[4 * i + c] = bits(kCorners[i][c]);
  Packets p = load_arrays({{positions, 4, 4}, {0xFFFFFFF0, 4, 127}});
  sheet.add(p, draw_arrays(Vf::PRIM_TYPE__QUAD_LIST, 4));
  ASSERT_TRUE(sheet.run());
  for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(sheet.value(0, c), 0.0f);
  ASSERT_FALSE(chip.reports().empty());
  EXPECT_EQ(chip.reports()[0].kind, ReportKind::vm_fault);
  EXPECT_NE(chip.reports()[0].text.find("DRAW_VBUF_2"), std::string::npos) << chip.reports()[0].text;
}

}  // namespace
}  // namespace pumice::hw::test
