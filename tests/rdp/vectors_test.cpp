// SPDX-License-Identifier: MIT
/// The vector reader and check themselves: they must be able to fail.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "hw/rdp/tools/vectors.h"

namespace pumice::hw::rdp {
namespace {

Vector fill_vector() {
  Vector v;
  v.name = "fill";
  v.flags = Vector::kExpected;
  v.rdram_size = 0x100;
  v.commands = {SetOtherModes().cycle_type(kFill).raw[0], SetColorImage().size(k16b).width(3).raw[0], SetScissor().xl(16).yl(4).raw[0],
                SetFillColor().color(0x12341235).raw[0], FillRectangle().xl(8).yl(0).raw[0]};
  v.outputs = {{0, 0, 6, {0x12, 0x34, 0x12, 0x35, 0x12, 0x34}}, {1, 0, 3, {0, 3, 0}}};
  return v;
}

TEST(RdpVectors, CheckSeesEveryKindOfDifference) {
  EXPECT_EQ(check_vector(fill_vector()), "");
  Vector bytes = fill_vector(), hidden = fill_vector(), outside = fill_vector();
  bytes.outputs[0].data[5] = 0;
  EXPECT_NE(check_vector(bytes), "");
  hidden.outputs[1].data[1] = 2;
  EXPECT_NE(check_vector(hidden), "");
  outside.outputs[0].length = 4;
  outside.outputs[0].data.resize(4);
  EXPECT_NE(check_vector(outside), "");
}

TEST(RdpVectors, DamagedFilesAreRefused) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("pumice-rdp-" + std::to_string(getpid()) + ".rdpv");
  std::string good = "RDPVEC01";
  const auto put = [&](uint32_t v) {
    for (int s = 24; s >= 0; s -= 8) good += static_cast<char>(v >> s);
  };
  put(1);
  put(0);
  put(2 + 1 + 2 + 4 + 4 + 4 + 8 + 4);
  good += std::string("\0\1a\0\1", 5);
  put(0x100);
  put(0);
  put(1);
  put(0x29000000);
  put(0);
  put(0);
  for (size_t cut = 0; cut <= good.size(); ++cut) {
    std::ofstream(path, std::ios::binary).write(good.data(), static_cast<std::streamsize>(cut));
    std::vector<Vector> vectors;
    std::string error;
    EXPECT_EQ(read_vectors(path.string(), vectors, error), cut == good.size()) << cut;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace pumice::hw::rdp
