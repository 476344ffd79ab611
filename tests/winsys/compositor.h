// SPDX-License-Identifier: MIT
/// A Wayland compositor inside the test, with one client on a socket pair: it shows nothing, keeps what was committed, and releases buffers
/// and sends refreshes when the test requests them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace pumice::winsys {

struct Commit {
  uint32_t width = 0, height = 0, stride = 0, format = 0;  ///< format: wl_shm's
  std::vector<uint8_t> rows;                               ///< height * stride bytes
  bool damaged = false;                                    ///< all of it
  bool wants_refresh = false;                              ///< a frame callback came with it
  bool same_buffer = false;                                ///< as an earlier commit that has not been released
};

class Compositor {
 public:
  Compositor();
  ~Compositor();

  /// The client's end, for wl_display_connect_to_fd, which closes it.
  int client_socket();
  /// Waits until `n` commits with a buffer have come; false after half a minute without.
  bool wait_for_commits(size_t n);
  size_t commits();
  /// As it was committed; from 0.
  Commit commit(size_t n);
  /// What its buffer's memory holds now.
  std::vector<uint8_t> memory(size_t n);
  /// wl_buffer.release for what commit `n` attached.
  void release(size_t n);
  /// From now on the buffer of each commit is released when the next one comes, and every commit is a refresh, as from a display that is
  /// infinitely fast.
  void run_freely();
  /// Answers all frame callbacks.
  void refresh();
  /// Ends the connection.
  void hang_up();
  /// How many wl_buffers the client has.
  size_t buffers();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pumice::winsys
