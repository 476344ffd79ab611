// SPDX-License-Identifier: MIT
/// Frames to a Wayland surface: wl_shm buffers over the swapchain's own images, or over copies of them where those are not in files. The
/// role of the surface (xdg-shell or another) is the application's. Events come through a queue of our own, so the application's event loop
/// neither sees nor needs to run for them. A paced surface waits for the frame callback of its last frame.
#include <poll.h>

#include <cerrno>
#include <deque>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "winsys/rows.h"
#include "winsys/shared_file.h"
#include "winsys/wayland_api.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

/// A display as this file sees it: a queue of its own and the wl_shm bound to it.
class Globals {
 public:
  Globals(const WaylandApi& api, wl_display* display) : wl_(api), display_(display), queue_(wl_.wl_display_create_queue(display)) {
    if (!queue_) throw std::bad_alloc();
    auto* wrapper = static_cast<wl_display*>(wl_.wl_proxy_create_wrapper(display));
    if (!wrapper) return;
    wl_.wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper), queue_);
    auto* registry = wl_.make<wl_registry>(wrapper, WL_DISPLAY_GET_REGISTRY, wl_.wl_registry_interface);
    wl_.wl_proxy_wrapper_destroy(wrapper);
    if (!registry) return;
    static constexpr wl_registry_listener kListener = {.global = global, .global_remove = [](void*, wl_registry*, uint32_t) {}};
    wl_.listen(registry, kListener, this);
    wl_.wl_display_roundtrip_queue(display, queue_);
    wl_.destroy(registry);
  }
  ~Globals() {
    if (shm_) wl_.destroy(shm_);
    wl_.wl_event_queue_destroy(queue_);
  }
  Globals(const Globals&) = delete;
  Globals& operator=(const Globals&) = delete;

  wl_event_queue* queue() const { return queue_; }
  /// Null: the compositor has none, or the connection is lost.
  wl_shm* shm() const { return shm_; }

 private:
  static void global(void* self, wl_registry* registry, uint32_t name, const char* interface, uint32_t) {
    auto& g = *static_cast<Globals*>(self);
    if (g.shm_ || std::string_view(interface) != g.wl_.wl_shm_interface->name) return;
    const uint32_t version = 1;
    auto* proxy = g.wl_.wl_proxy_marshal_flags(reinterpret_cast<wl_proxy*>(registry), WL_REGISTRY_BIND, g.wl_.wl_shm_interface, version, 0,
                                               name, interface, version, nullptr);
    g.shm_ = reinterpret_cast<wl_shm*>(proxy);
    // The two formats used are those that every compositor has.
    static constexpr wl_shm_listener kListener = {.format = [](void*, wl_shm*, uint32_t) {}};
    if (g.shm_) g.wl_.listen(g.shm_, kListener, nullptr);
  }

  const WaylandApi& wl_;
  wl_display* display_;
  wl_event_queue* queue_;
  wl_shm* shm_ = nullptr;
};

class WaylandSurface final : public Surface {
 public:
  WaylandSurface(wl_display* display, wl_surface* surface) : display_(display), application_surface_(surface) {}

  ~WaylandSurface() override {
    if (!wl_.library.ok()) return;
    if (callback_) wl_.destroy(callback_);
    for (Image& i : images_) drop(i);
    if (surface_) wl_.wl_proxy_wrapper_destroy(surface_);
    if (globals_ && !lost()) wl_.wl_display_flush(display_);
  }

  const WaylandApi& api() const { return wl_; }

  Extent extent() override { return {0xFFFFFFFFu, 0xFFFFFFFFu}; }
  bool lost() override { return wl_.wl_display_get_error(display_) != 0; }
  bool waits() const override { return true; }
  void configure(const PresentRules& rules) override {
    rules_ = rules;
    begin();  // before another thread waits
  }

  bool share(const Frame& frame, const SharedFile& file) override {
    if (frame.red_first || file.bytes() < size_t{frame.pitch_bytes} * frame.extent.height || !begin()) return false;
    Image& image = slot(frame.image);
    drop(image);
    return make_buffer(image, frame, frame.pitch_bytes, file);
  }

  bool ready() override {
    dispatch();
    return !rules_.paced || !callback_ || lost();
  }

  Shown present(const Frame& frame) override {
    if (!begin()) return {PresentStatus::surface_lost};
    Image& image = slot(frame.image);
    if (!image.buffer || !same_shape(image.shape, frame)) make_copy(image, frame);
    if (image.copy.data()) copy_rows(frame, 0, frame.extent.height, image.copy.data(), size_t{frame.extent.width} * 4);
    wl_.send(surface_, WL_SURFACE_ATTACH, image.buffer, 0, 0);
    if (wl_.wl_proxy_get_version(reinterpret_cast<wl_proxy*>(surface_)) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION)
      wl_.send(surface_, WL_SURFACE_DAMAGE_BUFFER, 0, 0, static_cast<int32_t>(frame.extent.width),
               static_cast<int32_t>(frame.extent.height));
    else
      wl_.send(surface_, WL_SURFACE_DAMAGE, 0, 0, INT32_MAX, INT32_MAX);
    if (rules_.paced) {
      if (callback_) wl_.destroy(callback_);
      callback_ = wl_.make<wl_callback>(surface_, WL_SURFACE_FRAME, wl_.wl_callback_interface);
      static constexpr wl_callback_listener kListener = {.done = [](void* self, wl_callback* c, uint32_t) {
        auto& s = *static_cast<WaylandSurface*>(self);
        s.wl_.destroy(c);
        s.callback_ = nullptr;
      }};
      if (callback_) wl_.listen(callback_, kListener, this);
    }
    wl_.send(surface_, WL_SURFACE_COMMIT);
    wl_.wl_display_flush(display_);
    if (lost()) return {PresentStatus::surface_lost};
    image.state = State::held;
    return {PresentStatus::ok, false};
  }

  void wait(int wake) override {
    if (!globals_ || lost()) return Surface::wait(wake);
    if (wl_.wl_display_prepare_read_queue(display_, globals_->queue()) != 0) return;  // there are some to be dispatched
    const bool full = wl_.wl_display_flush(display_) < 0 && errno == EAGAIN;
    pollfd p[] = {{wl_.wl_display_get_fd(display_), static_cast<short>(full ? POLLIN | POLLOUT : POLLIN), 0}, {wake, POLLIN, 0}};
    if (poll(p, 2, -1) > 0 && (p[0].revents & ~POLLOUT))
      wl_.wl_display_read_events(display_);
    else
      wl_.wl_display_cancel_read(display_);
  }

  Released released() override {
    dispatch();
    const bool all = lost();  // no event will come
    for (uint32_t i = 0; i < images_.size(); ++i) {
      if (images_[i].state != State::read && !(all && images_[i].state == State::held)) continue;
      images_[i].state = State::idle;
      return {i};
    }
    return {};
  }

 private:
  enum class State : uint8_t { idle, held, read };  ///< held: until the compositor releases the buffer

  struct Image {
    wl_buffer* buffer = nullptr;
    Frame shape;         ///< what the buffer holds
    SharedMapping copy;  ///< the buffer's memory where it is not the image itself
    State state = State::idle;
  };

  void dispatch() {
    if (globals_) wl_.wl_display_dispatch_queue_pending(display_, globals_->queue());
  }

  /// What frames need; false: there is no wl_shm, or the connection is lost.
  bool begin() {
    if (!globals_) {
      globals_.emplace(wl_, display_);
      surface_ = static_cast<wl_surface*>(wl_.wl_proxy_create_wrapper(application_surface_));
      if (surface_) wl_.wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(surface_), globals_->queue());
    }
    return globals_->shm() && surface_ && !lost();
  }

  Image& slot(uint32_t image) {
    while (images_.size() <= image) images_.emplace_back();
    return images_[image];
  }

  void drop(Image& image) {
    if (image.buffer) wl_.send_destroy(image.buffer, WL_BUFFER_DESTROY);
    image = {};
  }

  bool make_buffer(Image& image, const Frame& shape, uint32_t pitch_bytes, const SharedFile& file) {
    if (file.bytes() > INT32_MAX) return false;
    auto* pool = wl_.make<wl_shm_pool>(globals_->shm(), WL_SHM_CREATE_POOL, wl_.wl_shm_pool_interface, file.fd(),
                                       static_cast<int32_t>(file.bytes()));
    if (!pool) return false;
    image.buffer =
        wl_.make<wl_buffer>(pool, WL_SHM_POOL_CREATE_BUFFER, wl_.wl_buffer_interface, 0, static_cast<int32_t>(shape.extent.width),
                            static_cast<int32_t>(shape.extent.height), static_cast<int32_t>(pitch_bytes),
                            static_cast<uint32_t>(rules_.opaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888));
    wl_.send_destroy(pool, WL_SHM_POOL_DESTROY);  // the buffer keeps its memory
    if (!image.buffer) return false;
    static constexpr wl_buffer_listener kListener = {
        .release = [](void* data, wl_buffer*) { static_cast<Image*>(data)->state = State::read; }};
    wl_.listen(image.buffer, kListener, &image);
    image.shape = shape;
    return true;
  }

  void make_copy(Image& image, const Frame& frame) {
    drop(image);
    const uint32_t pitch = frame.extent.width * 4;
    const SharedFile file(uint64_t{pitch} * frame.extent.height);
    SharedMapping mapping(file);
    if (!mapping.data() || !make_buffer(image, frame, pitch, file)) throw std::bad_alloc();
    image.copy = std::move(mapping);
  }

  static bool same_shape(const Frame& a, const Frame& b) {
    return a.pitch_bytes == b.pitch_bytes && a.extent.width == b.extent.width && a.extent.height == b.extent.height &&
           a.red_first == b.red_first;
  }

  const WaylandApi wl_;
  wl_display* const display_;
  wl_surface* const application_surface_;
  PresentRules rules_;
  std::optional<Globals> globals_;
  wl_surface* surface_ = nullptr;    ///< a wrapper, whose frame callbacks come through our queue
  wl_callback* callback_ = nullptr;  ///< of the last paced frame, until the refresh
  std::deque<Image> images_;         ///< by index; buffers hold their addresses
};

}  // namespace

std::unique_ptr<Surface> create_wayland_surface(void* display, void* surface, std::string& error) {
  auto made = std::make_unique<WaylandSurface>(static_cast<wl_display*>(display), static_cast<wl_surface*>(surface));
  if (made->api().library.ok()) return made;
  error = "wayland surface: " + made->api().library.error();
  return nullptr;
}

bool wayland_display_supported(void* display) {
  const WaylandApi wl;
  return wl.library.ok() && display && Globals(wl, static_cast<wl_display*>(display)).shm();
}

}  // namespace pumice::winsys
