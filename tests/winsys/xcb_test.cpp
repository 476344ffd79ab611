// SPDX-License-Identifier: MIT
/// Presents to a real X server (the test runs under xvfb-run) and reads the window back.
#include <gtest/gtest.h>
#include <xcb/xcb.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "winsys/shared_file.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

class XcbTest : public ::testing::Test {
 protected:
  void SetUp() override {
    connection = xcb_connect(nullptr, nullptr);
    ASSERT_FALSE(xcb_connection_has_error(connection)) << "no X server: run this under xvfb-run";
    screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    window = xcb_generate_id(connection);
    const uint32_t override_redirect = 1;
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, kWidth, kHeight, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual, XCB_CW_OVERRIDE_REDIRECT, &override_redirect);
    xcb_map_window(connection, window);
    surface = create_xcb_surface(connection, window, error);
    ASSERT_TRUE(surface) << error;
  }
  void TearDown() override {
    surface.reset();
    xcb_disconnect(connection);
  }

  std::vector<uint8_t> picture(uint32_t width, uint32_t height, uint8_t seed) {
    std::vector<uint8_t> p(size_t{width} * height * 4);
    for (size_t i = 0; i < p.size(); ++i) p[i] = static_cast<uint8_t>(i * 7 + i / 1024 + seed);
    return p;
  }
  // The colour bytes of the window, alpha zeroed (a depth 24 window has none).
  std::vector<uint8_t> window_pixels(uint16_t width, uint16_t height) {
    auto* reply =
        xcb_get_image_reply(connection, xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0, width, height, ~0u), nullptr);
    if (!reply) return {};
    std::vector<uint8_t> p(xcb_get_image_data(reply), xcb_get_image_data(reply) + xcb_get_image_data_length(reply));
    std::free(reply);
    return opaque(p);
  }
  static std::vector<uint8_t> opaque(std::vector<uint8_t> p) {
    for (size_t i = 3; i < p.size(); i += 4) p[i] = 0;
    return p;
  }

  /// Presents and waits until the server has read it.
  PresentStatus show(const Frame& frame) {
    const Shown shown = surface->present(frame);
    if (shown.read) return shown.status;
    for (;;) {
      const Released r = surface->released();
      if (r.image != kNoImage) {
        EXPECT_EQ(r.image, frame.image);
        return r.status;
      }
      surface->wait(-1);
    }
  }

  static constexpr uint16_t kWidth = 320, kHeight = 200;
  xcb_connection_t* connection = nullptr;
  xcb_screen_t* screen = nullptr;
  xcb_window_t window = 0;
  std::unique_ptr<Surface> surface;
  std::string error;
};

TEST_F(XcbTest, TheWindowShowsTheFrame) {
  EXPECT_EQ(surface->extent().width, kWidth);
  EXPECT_EQ(surface->extent().height, kHeight);
  for (uint8_t seed : {0, 100}) {
    const auto p = picture(kWidth, kHeight, seed);
    ASSERT_EQ(show({p.data(), kWidth * 4, {kWidth, kHeight}}), PresentStatus::ok);
    EXPECT_EQ(window_pixels(kWidth, kHeight), opaque(p));
  }
}

/// Whether this server reads files. One without MIT-SHM is given to this program too (meson.build): there frames go in strips.
bool has_shm(xcb_connection_t* connection) {
  const std::string_view name = "MIT-SHM";
  auto* reply = xcb_query_extension_reply(connection, xcb_query_extension(connection, name.size(), name.data()), nullptr);
  const bool present = reply && reply->present;
  std::free(reply);
  return present;
}

TEST_F(XcbTest, SharedCopiedAndSwappedFramesAreTheSamePicture) {
  const uint32_t pitch = kWidth * 4 + 64;
  const SharedFile file(size_t{pitch} * kHeight);
  const SharedMapping mapping(file);
  ASSERT_NE(mapping.data(), nullptr);
  const Frame shared{mapping.data(), pitch, {kWidth, kHeight}, false, 2};
  ASSERT_EQ(surface->share(shared, file), has_shm(connection));
  for (uint8_t seed : {3, 50}) {
    const auto p = picture(pitch / 4, kHeight, seed);
    std::vector<uint8_t> swapped = p, wanted;
    for (size_t i = 0; i < p.size(); i += 4) std::swap(swapped[i], swapped[i + 2]);
    for (uint32_t y = 0; y < kHeight; ++y) wanted.insert(wanted.end(), &p[y * pitch], &p[y * pitch] + kWidth * 4);
    std::memcpy(mapping.data(), p.data(), p.size());
    const Frame frames[] = {shared, {p.data(), pitch, {kWidth, kHeight}, false, 0}, {swapped.data(), pitch, {kWidth, kHeight}, true, 1}};
    for (const Frame& frame : frames) {
      const uint32_t black = 0;
      xcb_change_window_attributes(connection, window, XCB_CW_BACK_PIXEL, &black);
      xcb_clear_area(connection, 0, window, 0, 0, 0, 0);
      ASSERT_EQ(show(frame), PresentStatus::ok);
      EXPECT_EQ(window_pixels(kWidth, kHeight), opaque(wanted)) << "image " << frame.image;
    }
  }
}

TEST_F(XcbTest, AFileThatIsTooSmallIsNotShared) {
  const SharedFile file(4096);
  EXPECT_FALSE(surface->share({nullptr, kWidth * 4, {kWidth, kHeight}}, file));
}

TEST_F(XcbTest, AResizedWindowIsOutOfDateAndThenTakesTheNewSize) {
  const auto p = picture(kWidth, kHeight, 1);
  const uint32_t size[] = {400, 300};
  xcb_configure_window(connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
  EXPECT_EQ(show({p.data(), kWidth * 4, {kWidth, kHeight}}), PresentStatus::out_of_date);
  EXPECT_EQ(surface->extent().width, 400u);
  const auto larger = picture(400, 300, 2);  // larger than the first segment
  ASSERT_EQ(show({larger.data(), 1600, {400, 300}}), PresentStatus::ok);
  EXPECT_EQ(window_pixels(400, 300), opaque(larger));
}

TEST_F(XcbTest, ADestroyedWindowIsLost) {
  EXPECT_FALSE(surface->lost());
  xcb_destroy_window(connection, window);
  const auto p = picture(kWidth, kHeight, 1);
  EXPECT_EQ(show({p.data(), kWidth * 4, {kWidth, kHeight}}), PresentStatus::surface_lost);
  EXPECT_TRUE(surface->lost());
}

TEST_F(XcbTest, AWindowThatGoesBetweenFramesIsLostWithoutErrorsInTheQueue) {
  const auto p = picture(kWidth, kHeight, 1);
  ASSERT_EQ(show({p.data(), kWidth * 4, {kWidth, kHeight}}), PresentStatus::ok);
  xcb_destroy_window(connection, window);
  EXPECT_EQ(show({p.data(), kWidth * 4, {kWidth, kHeight}}), PresentStatus::surface_lost);
  while (xcb_generic_event_t* event = xcb_poll_for_event(connection)) {
    EXPECT_NE(event->response_type, 0) << "an X error";
    std::free(event);
  }
}

TEST_F(XcbTest, OnlyBgraVisualsAreSupported) {
  EXPECT_TRUE(xcb_visual_supported(connection, screen->root_visual));
  EXPECT_FALSE(xcb_visual_supported(connection, 0xFFFFFFu));
}

}  // namespace
}  // namespace pumice::winsys
