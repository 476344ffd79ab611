// SPDX-License-Identifier: MIT
/// Presents to the compositor of compositor.h, which keeps what it is given.
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <wayland-client.h>

#include <cstring>
#include <vector>

#include "tests/winsys/compositor.h"
#include "winsys/presenter.h"
#include "winsys/shared_file.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

class WaylandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    display = wl_display_connect_to_fd(compositor.client_socket());
    ASSERT_NE(display, nullptr);
    wl_registry* registry = wl_display_get_registry(display);
    static const wl_registry_listener listener = {.global =
                                                      [](void* self, wl_registry* r, uint32_t name, const char* interface, uint32_t) {
                                                        if (std::strcmp(interface, wl_compositor_interface.name) == 0)
                                                          static_cast<WaylandTest*>(self)->globals = static_cast<wl_compositor*>(
                                                              wl_registry_bind(r, name, &wl_compositor_interface, 4));
                                                      },
                                                  .global_remove = [](void*, wl_registry*, uint32_t) {}};
    wl_registry_add_listener(registry, &listener, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    ASSERT_NE(globals, nullptr);
    window = wl_compositor_create_surface(globals);
    surface = create_wayland_surface(display, window, error);
    ASSERT_TRUE(surface) << error;
    wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  }
  void TearDown() override {
    surface.reset();
    wl_surface_destroy(window);
    wl_compositor_destroy(globals);
    wl_display_disconnect(display);
    close(wake);
  }

  /// An image of a swapchain in memory that the compositor can map.
  struct Image {
    Image(uint32_t index, uint32_t width, uint32_t height, uint32_t pitch)
        : file(size_t{pitch} * height), mapping(file), frame{mapping.data(), pitch, {width, height}, false, index} {}
    void fill(uint8_t seed) {
      for (size_t i = 0; i < file.bytes(); ++i) mapping.data()[i] = static_cast<uint8_t>(i * 7 + i / 1024 + seed);
    }
    std::vector<uint8_t> bytes() const { return {mapping.data(), mapping.data() + file.bytes()}; }
    SharedFile file;
    SharedMapping mapping;
    Frame frame;
  };

  uint32_t wait_for_release() {
    for (;;) {
      const uint32_t image = surface->released().image;
      if (image != kNoImage || surface->lost()) return image;
      surface->wait(wake);
    }
  }

  Compositor compositor;
  wl_display* display = nullptr;
  wl_compositor* globals = nullptr;
  wl_surface* window = nullptr;
  std::unique_ptr<Surface> surface;
  std::string error;
  int wake = -1;
};

TEST_F(WaylandTest, SharedImagesAreReadInPlace) {
  EXPECT_TRUE(wayland_display_supported(display));
  EXPECT_EQ(surface->extent().width, 0xFFFFFFFFu);
  Image image(0, 30, 20, 160);
  image.fill(1);
  ASSERT_TRUE(surface->share(image.frame, image.file));
  const Shown shown = surface->present(image.frame);
  EXPECT_EQ(shown.status, PresentStatus::ok);
  EXPECT_FALSE(shown.read);
  ASSERT_TRUE(compositor.wait_for_commits(1));
  const Commit c = compositor.commit(0);
  EXPECT_EQ(c.width, 30u);
  EXPECT_EQ(c.height, 20u);
  EXPECT_EQ(c.stride, 160u);
  EXPECT_EQ(c.format, uint32_t{WL_SHM_FORMAT_XRGB8888});
  EXPECT_TRUE(c.damaged);
  EXPECT_EQ(c.rows, image.bytes());
  image.fill(99);
  EXPECT_EQ(compositor.memory(0), image.bytes()) << "a copy was made";
}

TEST_F(WaylandTest, OthersAreCopiedToTheSamePicture) {
  for (const bool red_first : {false, true}) {
    Image image(red_first, 30, 20, 160);
    image.fill(3);
    Frame frame = image.frame;
    frame.red_first = red_first;
    ASSERT_EQ(surface->present(frame).status, PresentStatus::ok);
    ASSERT_TRUE(compositor.wait_for_commits(1 + red_first));
    const Commit c = compositor.commit(red_first);
    ASSERT_EQ(c.stride, 120u);
    for (uint32_t y = 0; y < 20; ++y)
      for (uint32_t i = 0; i < 120; ++i)
        ASSERT_EQ(c.rows[y * 120 + i], image.mapping.data()[y * 160 + (red_first && i % 2 == 0 ? i ^ 2 : i)]) << y << ' ' << i;
  }
}

TEST_F(WaylandTest, AlphaCountsWhereItIsAskedFor) {
  surface->configure({.opaque = false});
  Image image(0, 8, 8, 32);
  ASSERT_TRUE(surface->share(image.frame, image.file));
  surface->present(image.frame);
  ASSERT_TRUE(compositor.wait_for_commits(1));
  EXPECT_EQ(compositor.commit(0).format, uint32_t{WL_SHM_FORMAT_ARGB8888});
}

TEST_F(WaylandTest, ImagesComeBackWhenTheCompositorHasReleasedThem) {
  Image a(0, 8, 8, 32), b(1, 8, 8, 32);
  ASSERT_TRUE(surface->share(a.frame, a.file));
  ASSERT_TRUE(surface->share(b.frame, b.file));
  surface->present(a.frame);
  surface->present(b.frame);
  ASSERT_TRUE(compositor.wait_for_commits(2));
  EXPECT_EQ(surface->released().image, kNoImage);
  compositor.release(1);
  EXPECT_EQ(wait_for_release(), 1u);
  EXPECT_EQ(surface->released().image, kNoImage);
  compositor.release(0);
  EXPECT_EQ(wait_for_release(), 0u);
  EXPECT_EQ(surface->released().image, kNoImage);
}

TEST_F(WaylandTest, APacedSurfaceWaitsForTheRefresh) {
  surface->configure({.paced = true});
  Image a(0, 8, 8, 32);
  ASSERT_TRUE(surface->share(a.frame, a.file));
  EXPECT_TRUE(surface->ready());
  surface->present(a.frame);
  ASSERT_TRUE(compositor.wait_for_commits(1));
  EXPECT_TRUE(compositor.commit(0).wants_refresh);
  EXPECT_FALSE(surface->ready());
  compositor.release(0);
  EXPECT_EQ(wait_for_release(), 0u);
  EXPECT_FALSE(surface->ready()) << "a release is no refresh";
  compositor.refresh();
  while (!surface->ready()) surface->wait(wake);
}

TEST_F(WaylandTest, OthersDoNot) {
  Image a(0, 8, 8, 32);
  ASSERT_TRUE(surface->share(a.frame, a.file));
  surface->present(a.frame);
  EXPECT_TRUE(surface->ready());
  ASSERT_TRUE(compositor.wait_for_commits(1));
  EXPECT_FALSE(compositor.commit(0).wants_refresh);
}

TEST_F(WaylandTest, WaitingEndsWhenItIsWoken) {
  Image a(0, 8, 8, 32);
  surface->present(a.frame);
  eventfd_write(wake, 1);
  surface->wait(wake);
  EXPECT_EQ(surface->released().image, kNoImage);
}

TEST_F(WaylandTest, ALostConnectionGivesEverythingBack) {
  surface->configure({.paced = true});
  Image a(0, 8, 8, 32), b(1, 8, 8, 32);
  ASSERT_TRUE(surface->share(a.frame, a.file));
  surface->present(a.frame);
  ASSERT_TRUE(compositor.wait_for_commits(1));
  compositor.hang_up();
  EXPECT_EQ(wait_for_release(), 0u);
  EXPECT_TRUE(surface->lost());
  EXPECT_TRUE(surface->ready());
  const Shown shown = surface->present(b.frame);
  EXPECT_EQ(shown.status, PresentStatus::surface_lost);
  EXPECT_TRUE(shown.read);
}

TEST_F(WaylandTest, TheLastFrameIsShownAndNothingIsLeftBehind) {
  Image images[] = {{0, 8, 8, 32}, {1, 8, 8, 32}, {2, 8, 8, 32}};
  for (Image& i : images) {
    i.fill(static_cast<uint8_t>(i.frame.image));
    ASSERT_TRUE(surface->share(i.frame, i.file));
  }
  surface->configure({.paced = true});
  {
    // No refresh ever comes: a window that is hidden.
    Presenter presenter(std::move(surface), {.paced = true}, [](uint32_t, PresentStatus) {});
    for (Image& i : images) presenter.push(i.frame);
  }
  ASSERT_TRUE(compositor.wait_for_commits(3));
  EXPECT_EQ(compositor.commit(2).rows, images[2].bytes());
  wl_display_roundtrip(display);
  EXPECT_EQ(compositor.buffers(), 0u);
}

}  // namespace
}  // namespace pumice::winsys
