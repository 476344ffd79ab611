// SPDX-License-Identifier: MIT
/// The functions of libxcb and libxcb-shm that the xcb surface calls, one row each, resolved at run time.
#pragma once
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

#include "winsys/library.h"

namespace pumice::winsys {

#define PUMICE_XCB_FUNCTIONS(X)         \
  X(xcb_connection_has_error)           \
  X(xcb_create_gc_checked)              \
  X(xcb_depth_next)                     \
  X(xcb_depth_visuals_iterator)         \
  X(xcb_discard_reply)                  \
  X(xcb_flush)                          \
  X(xcb_free_gc)                        \
  X(xcb_generate_id)                    \
  X(xcb_get_extension_data)             \
  X(xcb_get_file_descriptor)            \
  X(xcb_get_geometry)                   \
  X(xcb_get_geometry_reply)             \
  X(xcb_get_maximum_request_length)     \
  X(xcb_get_setup)                      \
  X(xcb_poll_for_reply)                 \
  X(xcb_put_image_checked)              \
  X(xcb_request_check)                  \
  X(xcb_screen_allowed_depths_iterator) \
  X(xcb_screen_next)                    \
  X(xcb_setup_pixmap_formats)           \
  X(xcb_setup_pixmap_formats_length)    \
  X(xcb_setup_roots_iterator)           \
  X(xcb_visualtype_next)

#define PUMICE_XCB_SHM_FUNCTIONS(X) \
  X(xcb_shm_attach_checked)         \
  X(xcb_shm_attach_fd_checked)      \
  X(xcb_shm_detach)                 \
  X(xcb_shm_put_image_checked)      \
  X(xcb_shm_query_version)          \
  X(xcb_shm_query_version_reply)

struct XcbApi {
  Library library{"libxcb.so.1"};
#define X(f) decltype(::f)* f = nullptr;
  PUMICE_XCB_FUNCTIONS(X)
#undef X
  XcbApi() {
#define X(f) library.get(f, #f);
    PUMICE_XCB_FUNCTIONS(X)
#undef X
  }
};

/// Optional: without libxcb-shm frames go through xcb_put_image.
struct XcbShmApi {
  Library library{"libxcb-shm.so.0"};
#define X(f) decltype(::f)* f = nullptr;
  PUMICE_XCB_SHM_FUNCTIONS(X)
#undef X
  xcb_extension_t* id = nullptr;
  XcbShmApi() {
#define X(f) library.get(f, #f);
    PUMICE_XCB_SHM_FUNCTIONS(X)
#undef X
    library.get_data(id, "xcb_shm_id");
  }
};

}  // namespace pumice::winsys
