// SPDX-License-Identifier: MIT
/// Commands to text and back, to the bit: 1,000,000 random ones, each code of each opcode among them; errors with a place.
#include <gtest/gtest.h>

#include <random>

#include "hw/rdp/assembly.h"
#include "hw/rdp/cmd.h"

namespace pumice::hw::rdp {
namespace {

void expect_back(const std::vector<uint64_t>& words, int& failures) {
  const std::string text = command_text(words);
  const AssembledCommand back = command_from_text(text);
  if (back.ok() && back.words == words) return;
  ADD_FAILURE() << text << "\n" << std::string(back.column, ' ') << "^ " << back.error;
  ++failures;
}

std::vector<uint64_t> command(uint64_t first, std::mt19937_64& random) {
  std::vector<uint64_t> w(command_words(first));
  for (uint64_t& x : w) x = random();
  w[0] = first;
  return w;
}

TEST(Assembly, RandomCommandsComeBack) {
  std::mt19937_64 random(1);
  int failures = 0;
  for (int i = 0; i < 1'000'000 && failures < 5; ++i) {
    uint64_t first = random();
    if (i % 4 == 0) first &= random() & random();  // sparse
    expect_back(command((first & ~(uint64_t{0x3F} << 56)) | uint64_t(i & 0x3F) << 56, random), failures);
  }
}

TEST(Assembly, TakesWhatIsWritten) {
  const AssembledCommand fill = command_from_text("fill_rectangle xl=319.75 yl=239 xh=0.25");
  ASSERT_TRUE(fill.ok()) << fill.error;
  ASSERT_EQ(fill.words.size(), 1u);
  EXPECT_EQ(command_text(fill.words), "fill_rectangle xl=319.75 yl=239 xh=0.25");
  const AssembledCommand triangle =
      command_from_text("triangle shade depth yl=-1.25 xl=0.0000152587890625 | shade_coefficients red=1.5 | depth_coefficients");
  ASSERT_TRUE(triangle.ok()) << triangle.error;
  EXPECT_EQ(triangle.words.size(), command_words(triangle.words[0]));
}

TEST(Assembly, ErrorsHaveAPlace) {
  const auto expect = [](const char* line, const char* what, size_t column) {
    const AssembledCommand a = command_from_text(line);
    EXPECT_NE(a.error.find(what), std::string::npos) << line << ": " << a.error;
    EXPECT_EQ(a.column, column) << line;
  };
  expect("", "no command", 0);
  expect("fill", "no command fill", 4);
  expect("fill_rectangle size=1", "has no field size", 15);
  expect("fill_rectangle xl=5000", "xl cannot hold 5000", 18);
  expect("fill_rectangle xl=0.1", "xl cannot hold 0.1", 18);
  expect("fill_rectangle xl=a", "a value of xl", 18);
  expect("triangle shade", "'|' expected", 14);
  expect("triangle shade | depth_coefficients", "shade_coefficients expected", 35);
  expect("sync_pipe | more", "unexpected text", 10);
}

TEST(Assembly, DamagedTextIsNoCrash) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    std::string text = command_text(command(random(), random));
    for (int k = int(random() % 4); k >= 0; --k) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 5);
      else
        text[at] = char(random() % 3 ? 32 + random() % 96 : random() % 256);
      if (text.empty()) text = "x";
    }
    const AssembledCommand a = command_from_text(text);
    EXPECT_TRUE(a.ok() ? a.words.size() >= 1 : a.column <= text.size()) << text;
  }
}

}  // namespace
}  // namespace pumice::hw::rdp
