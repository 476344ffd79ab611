// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

class CaptureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/pumice-capture-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  static std::vector<uint8_t> read_rgb(const std::string& path, uint32_t& width, uint32_t& height) {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str())) return {};
    image.format = PNG_FORMAT_RGB;
    std::vector<uint8_t> rgb(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr);
    width = image.width;
    height = image.height;
    return rgb;
  }

  std::string directory, error;
};

TEST_F(CaptureTest, WritesPixelsInOrderAndIgnoresThePitchPadding) {
  auto capture = Capture::create(directory + "/new/folder", {}, error);
  ASSERT_TRUE(capture) << error;
  // Two pixels per row, 12 bytes pitch; B,G,R,A.
  const uint8_t pixels[] = {1, 2, 3, 9, 4, 5, 6, 9, 0xEE, 0xEE, 0xEE, 0xEE, 7, 8, 9, 9, 10, 11, 12, 9, 0xEE, 0xEE, 0xEE, 0xEE};
  ASSERT_TRUE(capture->frame({pixels, 12, {2, 2}}, error)) << error;
  uint32_t w = 0, h = 0;
  EXPECT_EQ(read_rgb(directory + "/new/folder/frame-000000.png", w, h), (std::vector<uint8_t>{3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10}));
  EXPECT_EQ(w, 2u);
  EXPECT_EQ(h, 2u);
}

TEST_F(CaptureTest, RangeSelectsFramesButTheNumbersCountAll) {
  const struct {
    const char* text;
    std::vector<int> written;
  } cases[] = {{"0-3", {0, 1, 2, 3}}, {"1-2", {1, 2}}, {"3", {3}}, {"7-9", {}}};
  const uint8_t pixel[] = {0, 0, 0, 0};
  for (const auto& c : cases) {
    const std::string folder = directory + "/r" + c.text;
    FrameRange range;
    ASSERT_TRUE(parse_frames(c.text, range)) << c.text;
    auto capture = Capture::create(folder, range, error);
    ASSERT_TRUE(capture) << c.text;
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(capture->frame({pixel, 4, {1, 1}}, error));
    std::vector<int> found;
    for (int i = 0; i < 4; ++i)
      if (std::filesystem::exists(folder + "/frame-00000" + std::to_string(i) + ".png")) found.push_back(i);
    EXPECT_EQ(found, c.written) << c.text;
  }
}

TEST_F(CaptureTest, BadSettingsAreNamed) {
  for (const char* text : {"", "a-b", "5-2", "1-", "-", "1-2-3", "1x"}) {
    FrameRange range{3, 4};
    EXPECT_FALSE(parse_frames(text, range)) << text;
    EXPECT_EQ(range.first, 3u) << text;
    EXPECT_EQ(range.last, 4u) << text;
  }
  // The caller puts the variable's name before it, once.
  EXPECT_FALSE(Capture::create("/proc/no/such/place", {}, error));
  EXPECT_EQ(error, "/proc/no/such/place: No such file or directory");
  EXPECT_FALSE(Capture::create("/etc/passwd", {}, error));
  EXPECT_EQ(error, "/etc/passwd: Not a directory");
}

TEST_F(CaptureTest, AVanishedFolderIsAnErrorNotACrash) {
  auto capture = Capture::create(directory + "/gone", {}, error);
  ASSERT_TRUE(capture);
  std::filesystem::remove_all(directory + "/gone");
  const uint8_t pixel[] = {0, 0, 0, 0};
  EXPECT_FALSE(capture->frame({pixel, 4, {1, 1}}, error));
  EXPECT_NE(error.find("frame-000000.png"), std::string::npos);
}

}  // namespace
}  // namespace pumice::winsys
