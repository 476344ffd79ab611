// SPDX-License-Identifier: MIT
/// Every register, word and field of all chips: the typed headers, the decode tables and the register file agree.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/regfile/register_file.h"

namespace pumice::hw {
namespace {

/// What the typed header's accessors of a field do with a few values.
struct TypedField {
  const char* name;
  std::array<uint32_t, 4> values;             ///< 0, 1, a third of the largest value, the largest value
  std::array<uint32_t, 4> in_zeros, in_ones;  ///< the word after the field was set, by value
  std::array<uint32_t, 4> out;                ///< what was read back
};
struct TypedEntry {
  const char* name;
  uint32_t reset;
  uint32_t first, last;  ///< offset of the first and the last element, or 0
  std::vector<TypedField> fields;
};

template <class R, bool mapped>
TypedEntry entry() {
  if constexpr (mapped)
    return {R::name, R::reset, R::at(0), R::at(R::count - 1), {}};
  else
    return {R::name, R::reset, 0, 0, {}};
}

/// Evaluated by the compiler: functions of thousands of fields would take it a minute.
template <class Set, class Get>
consteval TypedField field(const char* name, Set set, Get get) {
  const uint32_t max = get(~0u);
  TypedField f = {.name = name, .values = {0, 1, max / 3, max}, .in_zeros = {}, .in_ones = {}, .out = {}};
  for (size_t i = 0; i < f.values.size(); ++i) {
    f.in_zeros[i] = set(0u, f.values[i]);
    f.in_ones[i] = set(~0u, f.values[i]);
    f.out[i] = get(f.in_ones[i]);
    if (get(f.in_zeros[i]) != f.out[i]) throw "the same field reads differently in zeros and ones";
  }
  return f;
}
[[gnu::noinline]] void add(std::vector<TypedEntry>& list, TypedEntry (*make)()) { list.push_back(make()); }
[[gnu::noinline]] void add(std::vector<TypedEntry>& list, const TypedField& field) { list.back().fields.push_back(field); }
#define ENTRY(type, mapped) add(list, entry<type, mapped>);
#define FIELD(type, text, accessor)                                                                                                   \
  {                                                                                                                                   \
    static constexpr TypedField f = field(                                                                                            \
        text, [](uint32_t raw, uint32_t v) { return type{raw}.accessor(v).raw; }, [](uint32_t raw) { return type{raw}.accessor(); }); \
    add(list, f);                                                                                                                     \
  }

std::vector<TypedEntry> typed(Profile profile) {
  std::vector<TypedEntry> list;
  switch (profile) {
    case Profile::r300: {
#include "roundtrip_r300.inc"
    } break;
    case Profile::r5x: {
#include "roundtrip_r5x.inc"
    } break;
    case Profile::r500: {
#include "roundtrip_r500.inc"
    } break;
  }
  return list;
}

class Database : public testing::TestWithParam<Profile> {
 protected:
  const decode::Tables& tables = decode::tables(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Profiles, Database, testing::Values(Profile::r300, Profile::r500, Profile::r5x));

TEST_P(Database, TypedHeadersAndTablesAgree) {
  const auto list = typed(GetParam());
  ASSERT_EQ(list.size(), tables.entries.size());
  for (size_t i = 0; i < list.size(); ++i) {
    const TypedEntry& t = list[i];
    const decode::Entry& e = tables.entries[i];
    SCOPED_TRACE(t.name);
    ASSERT_STREQ(t.name, e.name);
    EXPECT_EQ(t.reset, e.reset);
    if (e.kind == decode::Kind::reg) {
      EXPECT_EQ(t.first, static_cast<uint32_t>(e.offset));
      EXPECT_EQ(t.last, static_cast<uint32_t>(e.offset) + (e.count - 1) * e.stride);
    }
    const auto fields = tables.fields_of(e);
    ASSERT_EQ(t.fields.size(), fields.size());
    for (size_t f = 0; f < fields.size(); ++f) {
      SCOPED_TRACE(t.fields[f].name);
      ASSERT_STREQ(t.fields[f].name, fields[f].name);
      const TypedField& field = t.fields[f];
      EXPECT_EQ(field.values.back(), fields[f].max());
      EXPECT_EQ(field.out, field.values);
      for (size_t v = 0; v < field.values.size(); ++v)
        for (const auto& [around, raw] : {std::pair(0u, field.in_zeros[v]), std::pair(~0u, field.in_ones[v])}) {
          EXPECT_EQ(fields[f].extract(raw), field.values[v]);
          EXPECT_EQ((raw ^ around) & ~(fields[f].max() << fields[f].low), 0u) << "bits of other fields changed";
        }
    }
  }
}

TEST_P(Database, NamesAndDescriptions) {
  for (const decode::Entry& e : tables.entries) {
    if (e.kind != decode::Kind::reg) continue;
    const uint32_t last = static_cast<uint32_t>(e.offset) + (e.count - 1) * e.stride;
    const std::string expected = e.count == 1 ? std::string(e.name) : std::string(e.name) + "[" + std::to_string(e.count - 1) + "]";
    EXPECT_EQ(decode::name(tables, last), expected);
    for (const decode::Field& f : tables.fields_of(e)) {
      const std::string text = decode::describe(tables, last, f.max() << f.low);
      EXPECT_NE(text.find(std::string(f.name) + "="), std::string::npos) << text;
    }
  }
  EXPECT_EQ(decode::name(tables, 0x0008), "0x0008");
  EXPECT_EQ(tables.at(0x10000), nullptr);
  EXPECT_STREQ(decode::packet_name(tables, 0x10), "NOP");
  EXPECT_STREQ(decode::packet_name(tables, 0xFF), "unknown");
}

struct File {
  explicit File(Profile profile) : state(std::make_unique<ChipState>(profile)) {
    registers = std::make_unique<RegisterFile>(*state, [this](uint32_t offset, uint32_t, const char*) { bad.push_back(offset); });
    registers->reset();
  }
  std::unique_ptr<ChipState> state;
  std::vector<uint32_t> bad;
  std::unique_ptr<RegisterFile> registers;
};

TEST_P(Database, RegisterFileFollowsTheAccessRules) {
  File file(GetParam());
  std::set<uint32_t> exists;
  for (const decode::Entry& e : tables.entries) {
    if (e.kind != decode::Kind::reg) continue;
    for (uint32_t i = 0; i < e.count; ++i) {
      const uint32_t offset = static_cast<uint32_t>(e.offset) + i * e.stride;
      SCOPED_TRACE(decode::name(tables, offset));
      exists.insert(offset);
      const uint32_t before = file.state->raw(offset);  // the reset value, or what an alias wrote
      EXPECT_TRUE(before == e.reset || before >> 24 == 0xA5);
      const uint32_t value = 0xA5000000u ^ offset;
      file.registers->write(offset, value);
      EXPECT_EQ(file.bad.size(), e.access == decode::Access::ro);
      file.bad.clear();
      EXPECT_EQ(file.state->raw(offset), e.access == decode::Access::ro ? e.reset : value);
      EXPECT_EQ(file.registers->read(offset), e.access == decode::Access::rw ? value : e.access == decode::Access::ro ? e.reset : 0u);
    }
  }
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
      if (exists.contains(offset)) continue;
      file.registers->write(offset, ~0u);
      EXPECT_EQ(file.state->raw(offset), 0u);
      EXPECT_EQ(file.registers->read(offset), 0u);
    }
    EXPECT_EQ(file.bad.size(), pass == 0 ? 0x4000 - exists.size() : 0u) << "once an address";
    file.bad.clear();
  }
  file.registers->reset();
  for (const decode::Entry& e : tables.entries)
    EXPECT_TRUE(e.kind != decode::Kind::reg || file.state->raw(static_cast<uint32_t>(e.offset)) == e.reset) << e.name;
}

TEST_P(Database, AliasesAreOneRegister) {
  File file(GetParam());
  const std::pair<uint32_t, uint32_t> pairs[] = {{regs::SE_VPORT_XSCALE::offset, regs::VAP_VPORT_XSCALE::offset},
                                                 {regs::SE_VPORT_ZOFFSET::offset, regs::VAP_VPORT_ZOFFSET::offset},
                                                 {regs::DSTCACHE_CTLSTAT::offset, regs::RB2D_DSTCACHE_CTLSTAT::offset}};
  for (const auto& [a, b] : pairs) {
    file.registers->write(a, 3);
    EXPECT_EQ(file.registers->read(b), 3u);
    file.registers->write(b, 4);
    EXPECT_EQ(file.registers->read(a), 4u);
  }
}

}  // namespace
}  // namespace pumice::hw
