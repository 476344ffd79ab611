// SPDX-License-Identifier: MIT
#include "tests/winsys/compositor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pumice::winsys {

struct Compositor::State {
  struct Buffer;
  /// Reports that the client destroyed a buffer.
  struct Watch {
    wl_listener listener;  // first: the library hands out its address
    Buffer* buffer;
  };
  struct Buffer {
    wl_resource* resource = nullptr;  ///< null: destroyed
    bool held = false;
    Watch watch;
  };
  struct Kept {
    Commit commit;
    Buffer* buffer;
  };

  wl_display* display = wl_display_create();
  wl_client* client = nullptr;
  wl_event_source* orders_source = nullptr;
  int client_end = -1, order_fd = -1;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  // Under the mutex:
  std::deque<std::function<void()>> orders;  ///< for the compositor's thread
  std::deque<Kept> kept;
  // Of the compositor's thread:
  std::deque<Buffer> buffers;
  std::vector<wl_resource*> pending_callbacks, callbacks;
  wl_resource* attached = nullptr;
  bool damaged = false, free_running = false, stop = false;

  static State& of(wl_resource* r) { return *static_cast<State*>(wl_resource_get_user_data(r)); }

  Buffer& buffer_of(wl_resource* r) {
    for (Buffer& b : buffers)
      if (b.resource == r) return b;
    Buffer& b = buffers.emplace_back();
    b.resource = r;
    b.watch.buffer = &b;
    b.watch.listener.notify = [](wl_listener* l, void*) { reinterpret_cast<Watch*>(l)->buffer->resource = nullptr; };
    wl_resource_add_destroy_listener(r, &b.watch.listener);
    return b;
  }

  static std::vector<uint8_t> rows_of(wl_resource* resource) {
    wl_shm_buffer* shm = wl_shm_buffer_get(resource);
    wl_shm_buffer_begin_access(shm);
    const auto* data = static_cast<const uint8_t*>(wl_shm_buffer_get_data(shm));
    std::vector<uint8_t> rows(data, data + size_t(wl_shm_buffer_get_stride(shm)) * static_cast<size_t>(wl_shm_buffer_get_height(shm)));
    wl_shm_buffer_end_access(shm);
    return rows;
  }

  void send_release(Buffer& b) {
    if (b.resource && b.held) wl_buffer_send_release(b.resource);
    b.held = false;
  }
  void send_refresh() {
    for (wl_resource* c : callbacks) {
      wl_callback_send_done(c, 0);
      wl_resource_destroy(c);
    }
    callbacks.clear();
  }

  void committed() {
    const bool wants_refresh = !pending_callbacks.empty();
    callbacks.insert(callbacks.end(), pending_callbacks.begin(), pending_callbacks.end());
    pending_callbacks.clear();
    if (!attached) return;
    Buffer& b = buffer_of(attached);
    wl_shm_buffer* shm = wl_shm_buffer_get(attached);
    Kept k{{static_cast<uint32_t>(wl_shm_buffer_get_width(shm)), static_cast<uint32_t>(wl_shm_buffer_get_height(shm)),
            static_cast<uint32_t>(wl_shm_buffer_get_stride(shm)), wl_shm_buffer_get_format(shm), rows_of(attached), damaged, wants_refresh,
            b.held},
           &b};
    attached = nullptr;
    damaged = false;
    if (free_running)
      for (Buffer& other : buffers)
        if (&other != &b) send_release(other);
    b.held = true;
    if (free_running) send_refresh();
    {
      std::lock_guard lock(mutex);
      kept.push_back(std::move(k));
    }
    changed.notify_all();
  }

  void obey() {
    std::unique_lock lock(mutex);
    while (!orders.empty()) {
      const auto order = std::move(orders.front());
      orders.pop_front();
      lock.unlock();
      order();
      lock.lock();
    }
  }
  /// Runs it on the compositor's thread; returns when it has.
  void order(std::function<void()> what) {
    bool done = false;
    std::unique_lock lock(mutex);
    orders.push_back([&] {
      what();
      std::lock_guard inner(mutex);
      done = true;
      changed.notify_all();
    });
    eventfd_write(order_fd, 1);
    changed.wait(lock, [&] { return done; });
  }
};

namespace {

void destroy_resource(wl_client*, wl_resource* r) { wl_resource_destroy(r); }
void nothing_region(wl_client*, wl_resource*, wl_resource*) {}
void nothing_number(wl_client*, wl_resource*, int32_t) {}

}  // namespace

Compositor::Compositor() : state_(std::make_unique<State>()) {
  State& s = *state_;
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  s.client_end = ends[1];
  wl_display_init_shm(s.display);

  static const struct wl_region_interface region = {.destroy = destroy_resource,
                                                    .add = [](wl_client*, wl_resource*, int32_t, int32_t, int32_t, int32_t) {},
                                                    .subtract = [](wl_client*, wl_resource*, int32_t, int32_t, int32_t, int32_t) {}};
  static const auto damage = [](wl_client*, wl_resource* r, int32_t x, int32_t y, int32_t w, int32_t h) {
    State::of(r).damaged = x <= 0 && y <= 0 && w > 0 && h > 0;
  };
  static const struct wl_surface_interface surface = {
      .destroy = destroy_resource,
      .attach = [](wl_client*, wl_resource* r, wl_resource* buffer, int32_t, int32_t) { State::of(r).attached = buffer; },
      .damage = damage,
      .frame = [](wl_client* c, wl_resource* r,
                  uint32_t id) { State::of(r).pending_callbacks.push_back(wl_resource_create(c, &wl_callback_interface, 1, id)); },
      .set_opaque_region = nothing_region,
      .set_input_region = nothing_region,
      .commit = [](wl_client*, wl_resource* r) { State::of(r).committed(); },
      .set_buffer_transform = nothing_number,
      .set_buffer_scale = nothing_number,
      .damage_buffer = damage,
      .offset = [](wl_client*, wl_resource*, int32_t, int32_t) {}};
  static const struct wl_compositor_interface compositor = {
      .create_surface =
          [](wl_client* c, wl_resource* r, uint32_t id) {
            wl_resource* made = wl_resource_create(c, &wl_surface_interface, wl_resource_get_version(r), id);
            wl_resource_set_implementation(made, &surface, wl_resource_get_user_data(r), nullptr);
          },
      .create_region =
          [](wl_client* c, wl_resource*, uint32_t id) {
            wl_resource_set_implementation(wl_resource_create(c, &wl_region_interface, 1, id), &region, nullptr, nullptr);
          }};
  wl_global_create(s.display, &wl_compositor_interface, 4, &s, [](wl_client* c, void* self, uint32_t version, uint32_t id) {
    wl_resource_set_implementation(wl_resource_create(c, &wl_compositor_interface, static_cast<int>(version), id), &compositor, self,
                                   nullptr);
  });
  s.client = wl_client_create(s.display, ends[0]);
  s.order_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  s.orders_source = wl_event_loop_add_fd(
      wl_display_get_event_loop(s.display), s.order_fd, WL_EVENT_READABLE,
      [](int fd, uint32_t, void* self) {
        eventfd_t n;
        eventfd_read(fd, &n);
        static_cast<State*>(self)->obey();
        return 0;
      },
      &s);
  s.thread = std::thread([&s] {
    while (!s.stop) {
      wl_display_flush_clients(s.display);
      wl_event_loop_dispatch(wl_display_get_event_loop(s.display), -1);
    }
  });
}

Compositor::~Compositor() {
  state_->order([this] { state_->stop = true; });
  state_->thread.join();
  wl_event_source_remove(state_->orders_source);
  wl_display_destroy_clients(state_->display);
  wl_display_destroy(state_->display);
  close(state_->order_fd);
  if (state_->client_end >= 0) close(state_->client_end);
}

int Compositor::client_socket() { return std::exchange(state_->client_end, -1); }

bool Compositor::wait_for_commits(size_t n) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::chrono::seconds(30), [&] { return state_->kept.size() >= n; });
}

size_t Compositor::commits() {
  std::lock_guard lock(state_->mutex);
  return state_->kept.size();
}

Commit Compositor::commit(size_t n) {
  std::lock_guard lock(state_->mutex);
  return state_->kept.at(n).commit;
}

std::vector<uint8_t> Compositor::memory(size_t n) {
  std::vector<uint8_t> rows;
  state_->order([&] {
    if (wl_resource* r = state_->kept.at(n).buffer->resource) rows = State::rows_of(r);
  });
  return rows;
}

void Compositor::release(size_t n) {
  state_->order([&] { state_->send_release(*state_->kept.at(n).buffer); });
}

void Compositor::run_freely() {
  state_->order([&] {
    state_->free_running = true;
    state_->send_refresh();
    for (State::Buffer& b : state_->buffers) state_->send_release(b);
  });
}

void Compositor::refresh() {
  state_->order([&] { state_->send_refresh(); });
}

void Compositor::hang_up() {
  state_->order([&] { wl_client_destroy(std::exchange(state_->client, nullptr)); });
}

size_t Compositor::buffers() {
  size_t n = 0;
  state_->order(
      [&] { n = static_cast<size_t>(std::count_if(state_->buffers.begin(), state_->buffers.end(), [](auto& b) { return b.resource; })); });
  return n;
}

}  // namespace pumice::winsys
