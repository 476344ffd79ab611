// SPDX-License-Identifier: MIT
/// Window systems: presentation of finished frames. Libraries (libxcb, libX11) are opened at run time; the driver links none of them.
/// A frame is a linear BGRA8 image in host memory. Independent of Vulkan and of the chip.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pumice::winsys {

struct Extent {
  uint32_t width = 0, height = 0;
};

enum class PresentStatus : uint8_t { ok, suboptimal, out_of_date, surface_lost };

/// A frame to show. `pixels` holds height rows of `pitch_bytes`, each pixel B,G,R,A in memory order.
struct Frame {
  const uint8_t* pixels = nullptr;
  uint32_t pitch_bytes = 0;
  Extent extent;
};

/// One window (or the headless stand-in). Calls on one surface are serialised by the caller.
class Surface {
 public:
  virtual ~Surface() = default;
  /// Current size; nullopt-like {0xFFFFFFFF,0xFFFFFFFF} when the swapchain decides (headless).
  virtual Extent extent() = 0;
  virtual PresentStatus present(const Frame& frame) = 0;
  virtual bool lost() = 0;
};

/// connection is xcb_connection_t*, window an xcb_window_t. Null when libxcb cannot be opened (error says why).
std::unique_ptr<Surface> create_xcb_surface(void* connection, uint32_t window, std::string& error);
/// display is Display*, window a Window.
std::unique_ptr<Surface> create_xlib_surface(void* display, unsigned long window, std::string& error);
std::unique_ptr<Surface> create_headless_surface();
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
