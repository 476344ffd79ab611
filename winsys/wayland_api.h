// SPDX-License-Identifier: MIT
/// The part of libwayland-client that the Wayland surface uses, resolved at run time, and the requests it sends. The header's own inline
/// requests would need the library at link time.
#pragma once
#include <wayland-client.h>

#include "winsys/library.h"

namespace pumice::winsys {

#define PUMICE_WAYLAND_FUNCTIONS(X)    \
  X(wl_display_cancel_read)            \
  X(wl_display_create_queue)           \
  X(wl_display_dispatch_queue_pending) \
  X(wl_display_flush)                  \
  X(wl_display_get_error)              \
  X(wl_display_get_fd)                 \
  X(wl_display_prepare_read_queue)     \
  X(wl_display_read_events)            \
  X(wl_display_roundtrip_queue)        \
  X(wl_event_queue_destroy)            \
  X(wl_proxy_add_listener)             \
  X(wl_proxy_create_wrapper)           \
  X(wl_proxy_destroy)                  \
  X(wl_proxy_get_version)              \
  X(wl_proxy_marshal_flags)            \
  X(wl_proxy_set_queue)                \
  X(wl_proxy_wrapper_destroy)

#define PUMICE_WAYLAND_INTERFACES(X) \
  X(wl_buffer_interface)             \
  X(wl_callback_interface)           \
  X(wl_registry_interface)           \
  X(wl_shm_interface)                \
  X(wl_shm_pool_interface)

struct WaylandApi {
  Library library{"libwayland-client.so.0"};
#define X(f) decltype(::f)* f = nullptr;
  PUMICE_WAYLAND_FUNCTIONS(X)
#undef X
#define X(i) const wl_interface* i = nullptr;
  PUMICE_WAYLAND_INTERFACES(X)
#undef X
  WaylandApi() {
#define X(f) library.get(f, #f);
    PUMICE_WAYLAND_FUNCTIONS(X)
#undef X
#define X(i) library.get_data(i, #i);
    PUMICE_WAYLAND_INTERFACES(X)
#undef X
  }

  /// A request without a new object.
  template <class Object, class... Args>
  void send(Object* object, uint32_t opcode, Args... args) const {
    auto* proxy = reinterpret_cast<wl_proxy*>(object);
    wl_proxy_marshal_flags(proxy, opcode, nullptr, wl_proxy_get_version(proxy), 0, args...);
  }
  /// The request that destroys the object on both sides.
  template <class Object>
  void send_destroy(Object* object, uint32_t opcode) const {
    auto* proxy = reinterpret_cast<wl_proxy*>(object);
    wl_proxy_marshal_flags(proxy, opcode, nullptr, wl_proxy_get_version(proxy), WL_MARSHAL_FLAG_DESTROY);
  }
  /// A request that makes an object of the parent's version; null without memory. Its arguments follow the new object in the protocol.
  template <class New, class Object, class... Args>
  New* make(Object* object, uint32_t opcode, const wl_interface* interface, Args... args) const {
    auto* proxy = reinterpret_cast<wl_proxy*>(object);
    return reinterpret_cast<New*>(wl_proxy_marshal_flags(proxy, opcode, interface, wl_proxy_get_version(proxy), 0, nullptr, args...));
  }
  template <class Object, class Listener>
  void listen(Object* object, const Listener& listener, void* data) const {
    // The library takes the listener as an array of functions and does not write to it.
    auto* functions = reinterpret_cast<void (**)(void)>(const_cast<Listener*>(&listener));
    wl_proxy_add_listener(reinterpret_cast<wl_proxy*>(object), functions, data);
  }
  template <class Object>
  void destroy(Object* object) const {
    wl_proxy_destroy(reinterpret_cast<wl_proxy*>(object));
  }
};

}  // namespace pumice::winsys
