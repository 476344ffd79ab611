// SPDX-License-Identifier: MIT
/// What a device remembers of its compilations: the same source, by content, finds its program; the one not used for longest goes.
#include "icd/recent_programs.h"

#include <gtest/gtest.h>

#include "icd/shader_codes.h"

namespace pumice::icd {
namespace {

RecentPrograms::CodePtr code(uint32_t seed, size_t words = 100) {
  std::vector<uint32_t> w(words);
  for (size_t i = 0; i < words; ++i) w[i] = seed + static_cast<uint32_t>(i);
  return std::make_shared<const ShaderCode>(w);
}
RecentPrograms::ProgramPtr program() { return std::make_shared<const compiler::Program>(); }
using Source = RecentPrograms::Source;

TEST(RecentPrograms, FindsTheSameSourceByContent) {
  RecentPrograms recent(8, 1 << 20);
  const auto p = program(), q = program(), r = program();
  recent.add(Source(code(1), code(2), {1, 2, 3}), p);
  recent.add(Source(code(1), nullptr, {1, 2, 3}), q);
  recent.add(Source(code(1), code(2), {1, 2}), r);
  EXPECT_EQ(recent.find(Source(code(1), code(2), {1, 2, 3})), p);
  EXPECT_EQ(recent.find(Source(code(1), nullptr, {1, 2, 3})), q);
  EXPECT_EQ(recent.find(Source(code(1), code(2), {1, 2})), r);
  for (const Source& other : {Source(code(2), code(1), {1, 2, 3}), Source(code(1), code(3), {1, 2, 3}), Source(code(1), code(2), {}),
                              Source(code(1, 99), code(2), {1, 2, 3}), Source(code(2), nullptr, {1, 2, 3})})
    EXPECT_EQ(recent.find(other), nullptr);
  recent.add(Source(code(1), code(2), {1, 2, 3}), q);
  EXPECT_EQ(recent.find(Source(code(1), code(2), {1, 2, 3})), q);
}

TEST(RecentPrograms, EqualHashesAreNotEnough) {
  RecentPrograms recent(8, 1 << 20);
  Source a(code(1), nullptr, {1}), b(code(2), nullptr, {1});
  b.hash = a.hash;
  recent.add(a, program());
  EXPECT_EQ(recent.find(b), nullptr);
}

TEST(RecentPrograms, ForgetsTheOneNotUsedForLongest) {
  RecentPrograms few(2, 1 << 20), small(100, 3 * 404);  // each source is 401 bytes
  for (RecentPrograms* recent : {&few, &small}) {
    const size_t room = recent == &few ? 2 : 3;
    for (uint32_t i = 0; i < room; ++i) recent->add(Source(code(i), nullptr, {1}), program());
    EXPECT_NE(recent->find(Source(code(0), nullptr, {1})), nullptr);
    recent->add(Source(code(50), nullptr, {1}), program());
    EXPECT_EQ(recent->find(Source(code(1), nullptr, {1})), nullptr);
    EXPECT_NE(recent->find(Source(code(0), nullptr, {1})), nullptr);
    EXPECT_NE(recent->find(Source(code(50), nullptr, {1})), nullptr);
  }
}

TEST(ShaderCodes, TheSameWordsAreOneWhileTheyAreInUse) {
  ShaderCodes codes;
  const std::vector<uint32_t> a{1, 2, 3}, b{1, 2, 4}, longer{1, 2, 3, 0};
  auto one = codes.get(a);
  const auto other = codes.get(b);
  EXPECT_EQ(one->words, a);
  EXPECT_EQ(one->hash, ShaderCode(a).hash);
  EXPECT_EQ(codes.get(std::vector(a)), one);
  EXPECT_NE(other, one);
  EXPECT_EQ(other->words, b);
  EXPECT_EQ(codes.get(longer)->words, longer);
  const std::weak_ptr<const ShaderCode> gone = one;
  one.reset();
  EXPECT_TRUE(gone.expired());
  EXPECT_EQ(codes.get(a)->words, a);
}

TEST(ShaderCode, DigestIsThatOfTheWords) {
  const auto c = code(7);
  EXPECT_EQ(c->digest(), compiler::digest(std::span(c->words)));
  EXPECT_EQ(&c->digest(), &c->digest());
}

}  // namespace
}  // namespace pumice::icd
