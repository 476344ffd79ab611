// SPDX-License-Identifier: MIT
/// Words to text and back, to the bit: 1,000,000 random words of each instruction set, and each code of each field.
#include <gtest/gtest.h>

#include <random>

#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {
namespace {

constexpr int kWords = 1'000'000;

struct Us {
  using Words = isa::us_r500::Words;
  static std::string text(const Words& w) { return us_text(w); }
  static Assembled<Words> words(std::string_view t) { return us_words(t); }
  static const auto& format(const Words& w) { return isa::us_r500::format(isa::us_r500::unpack(w)); }
};
struct UsR300 {
  using Words = isa::us_r300::Words;
  static std::string text(const Words& w) { return us_r300_text(w); }
  static Assembled<Words> words(std::string_view t) { return us_r300_words(t); }
  static const auto& format(const Words& w) { return isa::us_r300::format(isa::us_r300::unpack(w)); }
};
struct UsR300Tex {
  using Words = isa::us_r300_tex::Words;
  static std::string text(const Words& w) { return us_r300_tex_text(w); }
  static Assembled<Words> words(std::string_view t) { return us_r300_tex_words(t); }
  static const auto& format(const Words& w) { return isa::us_r300_tex::format(isa::us_r300_tex::unpack(w)); }
};
struct Pvs {
  using Words = isa::pvs::Words;
  static std::string text(const Words& w) { return pvs_text(w); }
  static Assembled<Words> words(std::string_view t) { return pvs_words(t); }
  static const auto& format(const Words& w) { return isa::pvs::format(isa::pvs::unpack(w)); }
};

template <class Isa>
class RoundTrip : public ::testing::Test {
 protected:
  void expect_back(const typename Isa::Words& w) {
    const std::string text = Isa::text(w);
    const auto back = Isa::words(text);
    if (back.ok() && back.words == w) return;
    ADD_FAILURE() << text << "\n" << std::string(back.column, ' ') << "^ " << back.error;
    ++failures;
  }
  int failures = 0;
};
using Isas = ::testing::Types<Us, UsR300, UsR300Tex, Pvs>;
TYPED_TEST_SUITE(RoundTrip, Isas);

TYPED_TEST(RoundTrip, OfRandomWords) {
  std::mt19937 random(1);
  for (int i = 0; i < kWords && this->failures < 5; ++i) {
    typename TypeParam::Words w;
    for (uint32_t& x : w) x = uint32_t(random());
    this->expect_back(w);
  }
}

TYPED_TEST(RoundTrip, OfEachCodeOfEachField) {
  std::mt19937 random(2);
  for (int base = 0; base < 40; ++base) {
    typename TypeParam::Words w{};
    if (base >= 4)
      for (uint32_t& x : w) x = uint32_t(random());
    else
      w[0] = uint32_t(base);  // each type of a slot, all else 0
    const auto& format = TypeParam::format(w);
    for (const auto& f : format.fields) {
      const uint32_t codes = f.width > 9 ? 512 : 1u << f.width;
      for (uint32_t v = 0; v < codes && this->failures < 5; ++v) {
        auto changed = w;
        const uint32_t mask = (f.width == 32 ? ~0u : (1u << f.width) - 1) << f.low;
        changed[f.word] = (changed[f.word] & ~mask) | ((v << f.low) & mask);
        this->expect_back(changed);
      }
    }
  }
}

/// Every word and register of every chip by its fields, US R3xx among them.
TEST(RoundTripOfWords, OfRandomWords) {
  std::mt19937 random(3);
  int failures = 0;
  for (const Profile profile : {Profile::r300, Profile::r500, Profile::r5x}) {
    const decode::Tables& tables = decode::tables(profile);
    const auto expect_back = [&](const decode::Entry& e, uint32_t v) {
      const std::string text = word_text(tables, e, v);
      const auto back = word_value(tables, text);
      if (back.ok() && back.words.value == v && back.words.entry && std::string_view(back.words.entry->name) == std::string_view(e.name))
        return;
      ADD_FAILURE() << text << " " << back.error;
      ++failures;
    };
    for (const decode::Entry& e : tables.entries) {
      for (int i = 0; i < 1000 && failures < 5; ++i) expect_back(e, i == 0 ? 0 : i == 1 ? ~0u : uint32_t(random()));
      for (const decode::Field& f : tables.fields_of(e))
        for (uint32_t v = 0; v < 64 && v <= f.max() && failures < 5; ++v) expect_back(e, v << f.low);
    }
  }
}

TEST(RoundTripOfWords, OfAMillionUsR300Instructions) {
  const decode::Tables& tables = decode::tables(Profile::r300);
  std::vector<const decode::Entry*> words;
  for (const decode::Entry& e : tables.entries)
    if (std::string_view(e.name).starts_with("US_ALU_") || std::string_view(e.name) == "US_TEX_INST") words.push_back(&e);
  ASSERT_GE(words.size(), 5u);
  std::mt19937 random(4);
  for (int i = 0; i < kWords; ++i) {
    const decode::Entry& e = *words[size_t(i) % words.size()];
    const uint32_t v = uint32_t(random());
    const auto back = word_value(tables, word_text(tables, e, v));
    ASSERT_TRUE(back.ok()) << word_text(tables, e, v) << " " << back.error;
    ASSERT_EQ(back.words.value, v) << word_text(tables, e, v);
  }
}

}  // namespace
}  // namespace pumice::hw::assembly
