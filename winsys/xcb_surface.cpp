// SPDX-License-Identifier: MIT
/// Frames to an X window. From a server on this machine: images in files are MIT-SHM segments that it reads itself (ShmAttachFd), others
/// are copied into a segment. Else in strips by xcb_put_image.
///
/// A reply to a request behind it says that the server has read a frame, not a ShmCompletion event: that one would go to the application's
/// event queue.
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "winsys/rows.h"
#include "winsys/shared_file.h"
#include "winsys/winsys.h"
#include "winsys/xcb_api.h"

namespace pumice::winsys {
namespace {

struct FreeDeleter {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using Reply = std::unique_ptr<T, FreeDeleter>;

class XcbSurface final : public Surface {
 public:
  XcbSurface(xcb_connection_t* connection, xcb_window_t window) : connection_(connection), window_(window) {}

  ~XcbSurface() override {
    while (collect(true)) {
    }
    if (!xcb_.library.ok() || xcb_.xcb_connection_has_error(connection_)) {
      drop_segment(false);
      return;
    }
    drop_segment(true);
    for (const Image& i : images_)
      if (i.segment) shm_.xcb_shm_detach(connection_, i.segment);
    if (gc_) xcb_.xcb_free_gc(connection_, gc_);
    xcb_.xcb_flush(connection_);
  }

  const XcbApi& api() const { return xcb_; }

  Extent extent() override {
    const auto geometry = reply(xcb_.xcb_get_geometry(connection_, window_));
    return geometry ? Extent{geometry->width, geometry->height} : Extent{};
  }

  bool lost() override { return !reply(xcb_.xcb_get_geometry(connection_, window_)); }

  bool waits() const override { return true; }
  void configure(const PresentRules& rules) override { rules_ = rules; }

  bool share(const Frame& frame, const SharedFile& file) override {
    // A row is a whole number of pixels, and their number a CARD16.
    if (frame.red_first || frame.pitch_bytes % 4 || frame.pitch_bytes / 4 > UINT16_MAX || !has_shm(kShmWithFiles) || !local()) return false;
    if (file.bytes() < size_t{frame.pitch_bytes} * frame.extent.height) return false;
    if (images_.size() <= frame.image) images_.resize(frame.image + 1);
    const int fd = file.duplicate();  // xcb closes it
    if (fd < 0) return false;
    const xcb_shm_seg_t segment = xcb_.xcb_generate_id(connection_);
    const Reply<xcb_generic_error_t> error(
        xcb_.xcb_request_check(connection_, shm_.xcb_shm_attach_fd_checked(connection_, segment, fd, 1)));
    if (error || xcb_.xcb_connection_has_error(connection_)) return false;
    images_[frame.image] = {segment, frame.pitch_bytes, frame.extent};
    return true;
  }

  Shown present(const Frame& frame) override {
    if (!begin()) return {PresentStatus::surface_lost};
    Sent sent{frame.image, frame.extent, {}, {}};
    if (const Image* image = shared(frame)) {
      sent.puts.push_back(put_segment(image->segment, image->pitch_bytes / 4, frame.extent));
    } else {
      while (collect(true)) {  // there is one copy
      }
      if (use_shm(frame.extent))
        sent.puts.push_back(put_copy(frame));
      else
        put_strips(frame, sent.puts);
    }
    // Its reply comes after the server has read the picture, and says whether that fitted.
    sent.geometry = xcb_.xcb_get_geometry(connection_, window_);
    xcb_.xcb_flush(connection_);
    std::lock_guard lock(mutex_);
    sent_.push_back(std::move(sent));
    return {PresentStatus::ok, false};
  }

  bool ready() override {
    std::lock_guard lock(mutex_);
    // Several may be under way, in order, if there is room for each and each is to be seen.
    return sent_.empty() || (!rules_.newest && !images_.empty());
  }

  void wait(int wake) override {
    if (!collect(true)) Surface::wait(wake);
  }

  bool collects() const override { return true; }

  bool collect(bool block) override {
    std::unique_lock one_at_a_time(collect_mutex_, std::defer_lock);
    if (block)
      one_at_a_time.lock();
    else if (!one_at_a_time.try_lock())
      return false;  // another thread is about to
    const Sent* first = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (sent_.empty()) return false;
      first = &sent_.front();
    }
    Reply<xcb_get_geometry_reply_t> geometry;
    if (block) {
      geometry = reply(first->geometry);
    } else {
      void* answer = nullptr;
      xcb_generic_error_t* error = nullptr;
      if (!xcb_.xcb_poll_for_reply(connection_, first->geometry.sequence, &answer, &error)) return false;
      std::free(error);
      geometry.reset(static_cast<xcb_get_geometry_reply_t*>(answer));
    }
    // A destroyed window is reported by this code; the application's event queue and error handler must not receive the error.
    for (const xcb_void_cookie_t put : first->puts) std::free(xcb_.xcb_request_check(connection_, put));
    PresentStatus status = PresentStatus::surface_lost;
    if (geometry) {
      const bool fits = geometry->width == first->extent.width && geometry->height == first->extent.height;
      status = fits ? PresentStatus::ok : PresentStatus::out_of_date;
    }
    std::lock_guard lock(mutex_);
    released_.push_back({first->image, status});
    sent_.pop_front();
    return true;
  }

  Released released() override {
    std::lock_guard lock(mutex_);
    if (released_.empty()) return {};
    const Released r = released_.front();
    released_.pop_front();
    return r;
  }

 private:
  /// A frame that the server has not been seen to have read.
  struct Sent {
    uint32_t image;
    Extent extent;
    std::vector<xcb_void_cookie_t> puts;
    xcb_get_geometry_cookie_t geometry;
  };

  /// An image that the server reads in place.
  struct Image {
    xcb_shm_seg_t segment = 0;  ///< 0: it does not
    uint32_t pitch_bytes = 0;
    Extent extent;
  };

  /// What frames need; false: the window is gone.
  bool begin() {
    if (gc_) return true;
    const auto geometry = reply(xcb_.xcb_get_geometry(connection_, window_));
    if (!geometry || (geometry->depth != 24 && geometry->depth != 32)) return false;
    depth_ = geometry->depth;  // a window keeps it
    const xcb_gcontext_t gc = xcb_.xcb_generate_id(connection_);
    const uint32_t no_exposures = 0;
    const Reply<xcb_generic_error_t> error(xcb_.xcb_request_check(
        connection_, xcb_.xcb_create_gc_checked(connection_, gc, window_, XCB_GC_GRAPHICS_EXPOSURES, &no_exposures)));
    if (error || xcb_.xcb_connection_has_error(connection_)) return false;  // the window went meanwhile
    gc_ = gc;
    return true;
  }

  const Image* shared(const Frame& frame) const {
    if (frame.image >= images_.size()) return nullptr;
    const Image& i = images_[frame.image];
    const bool same = i.segment && i.pitch_bytes == frame.pitch_bytes && i.extent.width == frame.extent.width &&
                      i.extent.height == frame.extent.height && !frame.red_first;
    return same ? &i : nullptr;
  }

  /// Descriptors go through Unix sockets only; xcb closes the connection otherwise.
  bool local() const {
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    return getsockname(xcb_.xcb_get_file_descriptor(connection_), reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
           name.ss_family == AF_UNIX;
  }

  static constexpr uint32_t kShmWithFiles = 2;

  /// MIT-SHM 1.`minor` or later.
  bool has_shm(uint32_t minor) {
    if (!shm_.library.ok()) return false;
    if (!shm_version_) {
      const auto* extension = xcb_.xcb_get_extension_data(connection_, shm_.id);
      Reply<xcb_shm_query_version_reply_t> version;
      if (extension && extension->present)
        version.reset(shm_.xcb_shm_query_version_reply(connection_, shm_.xcb_shm_query_version(connection_), nullptr));
      shm_version_ = version ? version->major_version << 16 | version->minor_version : 0u;
    }
    return *shm_version_ >= (1u << 16 | minor);
  }

  Reply<xcb_get_geometry_reply_t> reply(xcb_get_geometry_cookie_t cookie) {
    xcb_generic_error_t* error = nullptr;
    Reply<xcb_get_geometry_reply_t> r(xcb_.xcb_get_geometry_reply(connection_, cookie, &error));
    std::free(error);
    return r;
  }

  bool use_shm(Extent extent) {
    const size_t bytes = size_t{extent.width} * extent.height * 4;
    if (shm_bytes_ >= bytes && shm_memory_) return true;
    if (shm_unavailable_) return false;
    drop_segment(true);
    if (attach(bytes)) return true;
    shm_unavailable_ = true;  // a remote server, or segments exhausted: strips from now on
    return false;
  }

  bool attach(size_t bytes) {
    if (!has_shm(0)) return false;
    const int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (id < 0) return false;
    void* memory = shmat(id, nullptr, 0);
    if (memory == reinterpret_cast<void*>(-1)) {
      shmctl(id, IPC_RMID, nullptr);
      return false;
    }
    const xcb_shm_seg_t segment = xcb_.xcb_generate_id(connection_);
    Reply<xcb_generic_error_t> error(
        xcb_.xcb_request_check(connection_, shm_.xcb_shm_attach_checked(connection_, segment, static_cast<uint32_t>(id), 1)));
    shmctl(id, IPC_RMID, nullptr);  // the segment exists until the last detach
    if (error) {
      shmdt(memory);
      return false;
    }
    shm_segment_ = segment;
    shm_memory_ = static_cast<uint8_t*>(memory);
    shm_bytes_ = bytes;
    return true;
  }

  void drop_segment(bool tell_server) {
    if (!shm_memory_) return;
    if (tell_server) shm_.xcb_shm_detach(connection_, shm_segment_);
    shmdt(shm_memory_);
    shm_memory_ = nullptr;
    shm_bytes_ = 0;
  }

  xcb_void_cookie_t put_copy(const Frame& frame) {
    copy_rows(frame, 0, frame.extent.height, shm_memory_, size_t{frame.extent.width} * 4);
    return put_segment(shm_segment_, frame.extent.width, frame.extent);
  }

  /// The rows of the segment have `row_pixels` each, of which the first are shown.
  xcb_void_cookie_t put_segment(xcb_shm_seg_t segment, uint32_t row_pixels, Extent extent) {
    const auto w = static_cast<uint16_t>(extent.width), h = static_cast<uint16_t>(extent.height);
    return shm_.xcb_shm_put_image_checked(connection_, window_, gc_, static_cast<uint16_t>(row_pixels), h, 0, 0, w, h, 0, 0, depth_,
                                          XCB_IMAGE_FORMAT_Z_PIXMAP, 0, segment, 0);
  }

  void put_strips(const Frame& frame, std::vector<xcb_void_cookie_t>& puts) {
    const size_t row = size_t{frame.extent.width} * 4;
    // The limit is in 4-byte units and includes the request's header.
    const size_t limit = size_t{xcb_.xcb_get_maximum_request_length(connection_)} * 4 - 64;
    const uint32_t rows = static_cast<uint32_t>(std::clamp<size_t>(limit / row, 1, frame.extent.height));
    strip_.resize(row * rows);
    for (uint32_t y = 0; y < frame.extent.height; y += rows) {
      const uint32_t n = std::min(rows, frame.extent.height - y);
      copy_rows(frame, y, n, strip_.data(), row);
      puts.push_back(xcb_.xcb_put_image_checked(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, gc_,
                                                static_cast<uint16_t>(frame.extent.width), static_cast<uint16_t>(n), 0,
                                                static_cast<int16_t>(y), 0, depth_, static_cast<uint32_t>(row * n), strip_.data()));
    }
  }

  XcbApi xcb_;
  XcbShmApi shm_;
  xcb_connection_t* connection_;
  xcb_window_t window_;
  xcb_gcontext_t gc_ = 0;
  uint8_t depth_ = 0;
  std::optional<uint32_t> shm_version_;  ///< major << 16 | minor; 0: none
  std::vector<Image> images_;
  xcb_shm_seg_t shm_segment_ = 0;  ///< for frames that are copied
  uint8_t* shm_memory_ = nullptr;
  size_t shm_bytes_ = 0;
  bool shm_unavailable_ = false;
  std::vector<uint8_t> strip_;
  PresentRules rules_;
  std::mutex collect_mutex_;  ///< taken before mutex_
  std::mutex mutex_;
  // Under mutex_; the first of sent_ stays as it is while collect_mutex_ is held:
  std::deque<Sent> sent_;
  std::deque<Released> released_;
};

}  // namespace

std::unique_ptr<Surface> create_xcb_surface(void* connection, uint32_t window, std::string& error) {
  auto surface = std::make_unique<XcbSurface>(static_cast<xcb_connection_t*>(connection), window);
  if (!surface->api().library.ok()) {
    error = "xcb surface: " + surface->api().library.error();
    return nullptr;
  }
  return surface;
}

}  // namespace pumice::winsys
