// SPDX-License-Identifier: MIT
/// The sparse address space: mapping rules, zeroes, faults.
#include "hw/radeon/memory/memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <span>
#include <thread>

#include "hw/extents.h"

namespace pumice::hw {
namespace {

constexpr uint64_t kPage = kPageBytes;

struct MapCase {
  uint64_t address, size;
  bool good;
};
class Map : public testing::TestWithParam<MapCase> {};
INSTANTIATE_TEST_SUITE_P(Ranges, Map,
                         testing::Values(MapCase{kPage, kPage, true}, MapCase{0, kPage, false}, MapCase{kPage, 0, false},
                                         MapCase{kPage, 100, false}, MapCase{kPage + 4, kPage, false}, MapCase{0xFFFFF000, kPage, true},
                                         MapCase{0xFFFFF000, 2 * kPage, false}, MapCase{kPage, (1ull << 32) - kPage, true},
                                         MapCase{kPage, 1ull << 32, false}, MapCase{0xF000, 2 * kPage, false},
                                         MapCase{0x10000, kPage, false}, MapCase{0x11000, kPage, true}));
TEST_P(Map, Rules) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory);
  const auto [address, size, good] = GetParam();
  const bool neighbour = address >= 0xF000 && address <= 0x11000;
  ASSERT_TRUE(!neighbour || memory->map(0x10000, kPage));
  EXPECT_EQ(memory->map(address, size), good);
  if (good) {
    EXPECT_TRUE(memory->backed(address, size));
    EXPECT_FALSE(memory->map(address, kPage)) << "twice";
  }
}

TEST(Memory, AFailedMapBacksNothing) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0x10000, kPage));
  EXPECT_FALSE(memory->map(0xE000, 4 * kPage));
  EXPECT_FALSE(memory->backed(0xE000, 1));
  EXPECT_FALSE(memory->backed(0x11000, 1));
}

TEST(Memory, UnmapGivesZeroesBack) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0x10000, 2 * kPage));
  memory->store<uint32_t>(0x10FFE, 0x12345678);
  EXPECT_EQ(memory->load<uint32_t>(0x10FFE), 0x12345678u);
  memory->unmap(0x10000, kPage);
  EXPECT_EQ(memory->load<uint32_t>(0x10FFE), 0u);
  EXPECT_EQ(memory->load<uint16_t>(0x11000), 0x1234u);
  ASSERT_TRUE(memory->map(0x10000, kPage));
  EXPECT_EQ(memory->load<uint32_t>(0x10FFE), 0x12340000u);
}

class File {
 public:
  explicit File(uint64_t size) : fd(memfd_create("memory_test", MFD_CLOEXEC)) { EXPECT_EQ(ftruncate(fd, static_cast<off_t>(size)), 0); }
  ~File() { close(fd); }
  const int fd;
};

TEST(Memory, AFileIsSharedAndStaysWhenItIsUnmapped) {
  auto memory = Memory::create();
  File file(2 * kPage);
  uint32_t word = 5;
  ASSERT_EQ(pwrite(file.fd, &word, 4, kPage), 4);
  const uint64_t version = memory->map_version();
  ASSERT_TRUE(memory->map_file(0x10000, 2 * kPage, file.fd));
  EXPECT_NE(memory->map_version(), version);
  EXPECT_TRUE(memory->backed(0x10000, 2 * kPage));
  EXPECT_FALSE(memory->map(0x11000, kPage)) << "twice";
  EXPECT_EQ(memory->load<uint32_t>(0x10000 + kPage), 5u) << "what the file holds";
  memory->store<uint32_t>(0x10004, 7);
  ASSERT_EQ(pread(file.fd, &word, 4, 4), 4);
  EXPECT_EQ(word, 7u);
  memory->unmap(0x10000, 2 * kPage);
  EXPECT_EQ(memory->load<uint32_t>(0x10004), 0u);
  EXPECT_TRUE(memory->take_fault().count);
  ASSERT_EQ(pread(file.fd, &word, 4, 4), 4);
  EXPECT_EQ(word, 7u);
  ASSERT_TRUE(memory->map(0x10000, 2 * kPage));
  EXPECT_EQ(memory->load<uint32_t>(0x10004), 0u) << "the file is no part of it any more";
  memory->store<uint32_t>(0x10004, 9);
  ASSERT_EQ(pread(file.fd, &word, 4, 4), 4);
  EXPECT_EQ(word, 7u);
}

TEST(Memory, AFileThatCannotBeMappedBacksNothing) {
  auto memory = Memory::create();
  File file(kPage);
  EXPECT_FALSE(memory->map_file(0x10000, kPage, -1));
  const int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_FALSE(memory->map_file(0x10000, kPage, directory));
  close(directory);
  EXPECT_FALSE(memory->map_file(0x10004, kPage, file.fd));
  EXPECT_FALSE(memory->backed(0x10000, 1));
  EXPECT_TRUE(memory->map(0x10000, kPage));
  EXPECT_FALSE(memory->map_file(0x10000, kPage, file.fd)) << "twice";
}

TEST(Memory, FaultsReadZeroDropWritesAndKeepTheFirst) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0x10000, kPage));
  EXPECT_EQ(memory->take_fault().count, 0u);
  uint64_t v = ~0ull;
  EXPECT_FALSE(memory->read(0x10FFC, &v, 8));
  EXPECT_EQ(v, 0u);
  v = ~0ull;
  EXPECT_FALSE(memory->write(0x10FFC, &v, 8));
  EXPECT_EQ(memory->load<uint32_t>(0x10FFC), 0u);
  const Memory::Fault fault = memory->take_fault();
  EXPECT_EQ(fault.address, 0x10FFCu);
  EXPECT_EQ(fault.size, 8u);
  EXPECT_EQ(fault.count, 2u);
  EXPECT_FALSE(fault.is_write);
  EXPECT_EQ(memory->take_fault().count, 0u);
}

TEST(Memory, AddressesNearTheEndOfTheNumbers) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0xFFFFF000, kPage));
  for (const uint64_t address : {0xFFFFFFFFull, 1ull << 32, ~0ull, ~0ull - 3}) EXPECT_FALSE(memory->backed(address, 4)) << address;
  EXPECT_FALSE(memory->backed(0xFFFFF000, ~0ull));
  EXPECT_TRUE(memory->backed(0xFFFFFFFC, 4));
  EXPECT_TRUE(memory->backed(~0ull, 0));
}

// What of a wide address a narrow chip would see if its upper half were dropped is backed here: it must not be taken for it.
TEST(Memory, StrictChipsRefuseWhatLiesBeyond32Bits) {
  for (const Profile profile : {Profile::r300, Profile::r500}) {
    ASSERT_EQ(capabilities(profile).address_bits, 32u);
    auto memory = Memory::create(capabilities(profile).address_bits);
    ASSERT_EQ(memory->space(), 1ull << 32);
    ASSERT_TRUE(memory->map(0x10000, kPage));
    memory->store<uint32_t>(0x10000, 7);
    constexpr GpuAddress kBeyond = (1ull << 32) + 0x10000;
    EXPECT_FALSE(memory->map(kBeyond, kPage));
    EXPECT_FALSE(memory->backed(kBeyond, 4));
    EXPECT_EQ(memory->load<uint32_t>(kBeyond), 0u);
    memory->store<uint32_t>(kBeyond, 9);
    EXPECT_EQ(memory->load<uint32_t>(0x10000), 7u);
    const Memory::Fault fault = memory->take_fault();
    EXPECT_EQ(fault.count, 2u);
    EXPECT_EQ(fault.address, kBeyond);
    memory->unmap(kBeyond, kPage);
    EXPECT_TRUE(memory->backed(0x10000, kPage));
  }
}

TEST(Memory, WiderThan32Bits) {
  constexpr uint32_t kBits = 40;
  auto memory = Memory::create(kBits);
  ASSERT_TRUE(memory);
  constexpr GpuAddress kFar[] = {(1ull << 32) - kPage, 1ull << 32, 5ull << 32, (1ull << kBits) - kPage};
  for (const GpuAddress at : kFar) {
    ASSERT_TRUE(memory->map(at, kPage)) << at;
    EXPECT_FALSE(memory->map(at, kPage)) << "twice";
    memory->store<uint64_t>(at, at);
  }
  for (const GpuAddress at : kFar) EXPECT_EQ(memory->load<uint64_t>(at), at);
  EXPECT_TRUE(memory->backed(kFar[0], 2 * kPage)) << "across 4 GiB";
  memory->store<uint64_t>((1ull << 32) - 4, ~0ull);
  EXPECT_EQ(memory->load<uint32_t>(1ull << 32), ~0u);
  EXPECT_FALSE(memory->backed(0, 4)) << "addresses are not cut to 32 bits";
  EXPECT_FALSE(memory->map(1ull << kBits, kPage));
  EXPECT_FALSE(memory->map((1ull << kBits) - 2 * kPage, 2 * kPage)) << "the last page is taken";
  EXPECT_FALSE(memory->backed((1ull << kBits) - 4, 8));
  EXPECT_TRUE(memory->copy(5ull << 32, kFar[3], 8));
  EXPECT_EQ(memory->load<uint64_t>(5ull << 32), kFar[3]);
  memory->unmap(5ull << 32, kPage);
  EXPECT_FALSE(memory->backed(5ull << 32, 1));
}

/// An empty span has no pointer: for UBSan.
TEST(Memory, NothingNeedsNoPointer) {
  auto memory = Memory::create();
  EXPECT_TRUE(memory->read(64, std::span<uint8_t>().data(), 0));
  EXPECT_TRUE(memory->write(64, std::span<const uint8_t>().data(), 0));
  EXPECT_EQ(memory->take_fault().count, 0u);
}

TEST(Memory, WidthsThatAreNone) {
  for (const uint32_t bits : {0u, 12u, 17u, kMaxAddressBits + 1, 64u}) EXPECT_FALSE(Memory::create(bits)) << bits;
  auto small = Memory::create(18);
  ASSERT_TRUE(small);
  EXPECT_TRUE(small->map(kPage, (1 << 18) - kPage));
  EXPECT_FALSE(small->backed(1 << 18, 1));
}

TEST(Memory, CopyChecksBothSides) {
  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0x10000, kPage));
  memory->store<uint32_t>(0x10000, 0x04030201);
  EXPECT_TRUE(memory->copy(0x10001, 0x10000, 4));
  EXPECT_EQ(memory->load<uint32_t>(0x10000), 0x03020101u);
  EXPECT_FALSE(memory->copy(0x10FFD, 0x10000, 4));
  EXPECT_TRUE(memory->take_fault().is_write);
  EXPECT_FALSE(memory->copy(0x10000, 0x10FFD, 4));
  EXPECT_FALSE(memory->take_fault().is_write);
  EXPECT_EQ(memory->load<uint32_t>(0x10000), 0x03020101u);
}

TEST(Memory, MapsFromSeveralThreads) {
  auto memory = Memory::create();
  std::vector<std::thread> threads;
  std::atomic<int> won = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (uint32_t page = 1; page <= 200; ++page) won += memory->map(page * 0x1000, 0x1000);
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(won, 200) << "each page once";
}

}  // namespace
}  // namespace pumice::hw
