// SPDX-License-Identifier: MIT
/// Window systems: presentation of finished frames. Libraries (libxcb, libX11, libwayland-client) are opened at run time; the driver links
/// none of them. A frame is a linear image of four bytes per pixel in host memory. Independent of Vulkan and of the chip.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pumice::winsys {

class SharedFile;

struct Extent {
  uint32_t width = 0, height = 0;
};

enum class PresentStatus : uint8_t { ok, suboptimal, out_of_date, surface_lost };

inline constexpr uint32_t kNoImage = UINT32_MAX;

/// A frame to show. `pixels` holds height rows of `pitch_bytes`, each pixel B,G,R,A in memory order (R,G,B,A if red_first).
struct Frame {
  const uint8_t* pixels = nullptr;
  uint32_t pitch_bytes = 0;
  Extent extent;
  bool red_first = false;
  uint32_t image = 0;  ///< which of the swapchain's images it is
};

/// How the frames of a swapchain are to be shown.
struct PresentRules {
  bool paced = false;   ///< at most one frame per refresh, where the window system reports refreshes
  bool newest = false;  ///< a frame that waits is replaced by the next one
  bool opaque = true;   ///< alpha is ignored, where the window system looks at it
};

struct Shown {
  PresentStatus status = PresentStatus::ok;
  bool read = true;  ///< false: the window system still reads the image; released() will name it
};

struct Released {
  uint32_t image = kNoImage;
  PresentStatus status = PresentStatus::ok;  ///< what showing it told of the window
};

/// One window (or the headless stand-in). Calls on one surface are serialised by the caller.
class Surface {
 public:
  virtual ~Surface() = default;
  /// Current size; nullopt-like {0xFFFFFFFF,0xFFFFFFFF} when the swapchain decides (headless, Wayland).
  virtual Extent extent() = 0;
  virtual bool lost() = 0;

  /// Before the first frame.
  virtual void configure(const PresentRules&) {}
  /// The image frame.image lies in the file, from its beginning, in the shape that `frame` says (its pixels are not looked at). True:
  /// the window system reads it there; frames of this image, with this shape, are not copied.
  virtual bool share(const Frame& /*frame*/, const SharedFile&) { return false; }

  /// Hands a frame to the window system. The image must have been released if it was shown before. Throws bad_alloc.
  virtual Shown present(const Frame& frame) = 0;

  /// Whether the window system reads images after present() has returned, so that the functions below are needed (Presenter calls them).
  virtual bool waits() const { return false; }
  /// Whether present() would not wait, and a paced surface's refresh has come since its last frame.
  virtual bool ready() { return true; }
  /// Waits until the window system has said something; if there is nothing that it will say, until the descriptor `wake` is readable. May
  /// run while another thread calls the other functions.
  virtual void wait(int wake);
  /// An image that the window system has read since present() returned, each once.
  virtual Released released() { return {}; }
  /// Whether a thread that needs an image can find out itself what has been read, by collect(): then wait() is needed only while frames
  /// wait to be presented.
  virtual bool collects() const { return false; }
  /// Whether the window system has read another frame, which released() will name; `block`: waits for it if there is one. Any thread.
  virtual bool collect(bool /*block*/) { return false; }
};

/// connection is xcb_connection_t*, window an xcb_window_t. Null when libxcb cannot be opened (error says why).
std::unique_ptr<Surface> create_xcb_surface(void* connection, uint32_t window, std::string& error);
/// display is Display*, window a Window.
std::unique_ptr<Surface> create_xlib_surface(void* display, unsigned long window, std::string& error);
/// display is wl_display*, surface a wl_surface*.
std::unique_ptr<Surface> create_wayland_surface(void* display, void* surface, std::string& error);
std::unique_ptr<Surface> create_headless_surface();
/// Whether a swapchain can be shown on this display, a wl_display*.
bool wayland_display_supported(void* display);
/// Whether the visual (xcb_visualid_t / VisualID) of this display can show a BGRA8 frame.
bool xcb_visual_supported(void* connection, uint32_t visual);
bool xlib_visual_supported(void* display, unsigned long visual);

/// Frames first to last, both included.
struct FrameRange {
  uint64_t first = 0, last = UINT64_MAX;
};
/// "a-b" with a <= b, or one number. False: it is neither, and `range` is as it was.
bool parse_frames(std::string_view text, FrameRange& range);

/// PUMICE_CAPTURE: every presented frame as DIR/frame-000000.png, counting up; PUMICE_CAPTURE_FRAMES=a-b limits it.
class Capture {
 public:
  /// Creates the directory. Null: it cannot, and `error` says "DIRECTORY: why".
  static std::unique_ptr<Capture> create(const std::string& directory, FrameRange frames, std::string& error);
  virtual ~Capture() = default;
  /// Thread safe; the frame is written before it returns. False when the file cannot be written: `error` says "FILE: why".
  virtual bool frame(const Frame& frame, std::string& error) = 0;
};

}  // namespace pumice::winsys
