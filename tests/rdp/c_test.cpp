// SPDX-License-Identifier: MIT
/// The C interface and its C++ wrapper, from outside: only installed headers.
#include <gtest/gtest.h>
#include <pumice/rdp.hpp>

#include <vector>

namespace {

constexpr uint64_t kFillMode = 0x2F30000000000000, kSyncFull = 0x2900000000000000;

TEST(RdpC, RefusesAWrongDescription) {
  pumice_rdp_info info{};
  EXPECT_EQ(pumice_rdp_create(nullptr), nullptr);
  EXPECT_EQ(pumice_rdp_create(&info), nullptr);  // no version
  info.version = PUMICE_RDP_VERSION;
  info.rdram_size = 8;
  EXPECT_EQ(pumice_rdp_create(&info), nullptr);  // no memory
  pumice_rdp_destroy(nullptr);
}

TEST(RdpC, FillsSyncsAndTracksHiddenBits) {
  std::vector<uint8_t> memory(0x100);
  int syncs = 0;
  std::string fault;
  pumice::Rdp rdp(memory, PUMICE_RDP_HOST_WORDS, {[&] { ++syncs; }, [&](std::string_view t, uint64_t) { fault = t; }});
  ASSERT_TRUE(static_cast<bool>(rdp));
  // 16-bit image of four pixels at 0, colour 1234|1235, one row.
  const uint64_t list[] = {kFillMode, 0x3F10000300000000, 0x2D00000000010004, 0x3700000012341235, 0x3600800000000000, kSyncFull};
  rdp.enqueue(list);
  rdp.sync();
  EXPECT_EQ(syncs, 1);
  EXPECT_EQ(fault, "");
  EXPECT_EQ(memory[0 ^ 3], 0x12);
  EXPECT_EQ(memory[3 ^ 3], 0x35);
  EXPECT_EQ(pumice_rdp_get_hidden(rdp.get(), 2), 3u);
  EXPECT_EQ(pumice_rdp_get_hidden(rdp.get(), 0), 0u);
  memory[3 ^ 3] = 0;
  rdp.cpu_wrote(2, 2);
  EXPECT_EQ(pumice_rdp_get_hidden(rdp.get(), 2), 0u);
  pumice_rdp_set_hidden(rdp.get(), 2, 1);
  EXPECT_EQ(pumice_rdp_get_hidden(rdp.get(), 2), 1u);
  EXPECT_EQ(pumice_rdp_get_hidden(rdp.get(), 0x1000), 0u);

  const uint64_t hang[] = {0x3F00000300000000, 0x3600800000000000};
  rdp.enqueue(hang);
  EXPECT_EQ(fault, "fill mode into a 4-bit image");
  rdp.write_register(0x00, 0x40);
  EXPECT_EQ(rdp.read_register(0x00), 0x40u);
}

}  // namespace
