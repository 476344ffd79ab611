// SPDX-License-Identifier: MIT
/// An Xlib window is an xcb window on the display's own connection (libX11-xcb), which is also safe from another thread.
#include <X11/Xlib-xcb.h>

#include "winsys/library.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

xcb_connection_t* connection_of(void* display, std::string& error) {
  Library library("libX11-xcb.so.1");
  decltype(::XGetXCBConnection)* get_connection = nullptr;
  library.get(get_connection, "XGetXCBConnection");
  if (!library.ok() || !display) {
    error = "xlib surface: " + (library.ok() ? std::string("no display") : library.error());
    return nullptr;
  }
  return get_connection(static_cast<Display*>(display));
}

}  // namespace

std::unique_ptr<Surface> create_xlib_surface(void* display, unsigned long window, std::string& error) {
  xcb_connection_t* connection = connection_of(display, error);
  return connection ? create_xcb_surface(connection, static_cast<uint32_t>(window), error) : nullptr;
}

bool xlib_visual_supported(void* display, unsigned long visual) {
  std::string error;
  xcb_connection_t* connection = connection_of(display, error);
  return connection && xcb_visual_supported(connection, static_cast<uint32_t>(visual));
}

}  // namespace pumice::winsys
