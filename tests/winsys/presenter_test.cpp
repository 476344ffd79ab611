// SPDX-License-Identifier: MIT
/// The presenter's thread, on a window that does as the test says.
#include "winsys/presenter.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <vector>

namespace pumice::winsys {
namespace {

/// What happened, and what the window is to do; shared by the test and the presenter's thread.
class Script {
 public:
  Script() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~Script() { close(event_); }

  template <class F>
  auto with(F f) {
    std::lock_guard lock(mutex_);
    struct Tell {
      Script& s;
      ~Tell() { s.changed_.notify_all(), eventfd_write(s.event_, 1); }
    } tell{*this};
    return f();
  }
  template <class F>
  bool wait(F f) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), f);
  }
  int event() const { return event_; }

  // Under the mutex, by with() and wait():
  std::vector<uint32_t> shown, done;
  std::vector<PresentStatus> statuses;
  std::vector<uint32_t> to_release;
  std::vector<uint32_t> to_collect;  ///< goes to to_release in collect()
  bool ready = true, keeps = false, no_memory = false, collects = false;
  PresentStatus status = PresentStatus::ok;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const int event_;
};

class Window final : public Surface {
 public:
  explicit Window(Script& script) : s_(script) {}
  Extent extent() override { return {1, 1}; }
  bool lost() override { return false; }
  bool waits() const override { return true; }
  Shown present(const Frame& frame) override {
    s_.with([&] { s_.shown.push_back(frame.image); });
    return s_.with([&]() -> Shown {
      if (std::exchange(s_.no_memory, false)) throw std::bad_alloc();
      return {s_.status, !s_.keeps};
    });
  }
  bool collects() const override {
    return s_.with([&] { return s_.collects; });
  }
  bool collect(bool block) override {
    if (block) s_.wait([&] { return !s_.to_collect.empty(); });
    return s_.with([&] {
      if (s_.to_collect.empty()) return false;
      s_.to_release.push_back(s_.to_collect.back());
      s_.to_collect.pop_back();
      return true;
    });
  }
  bool ready() override {
    return s_.with([&] { return s_.ready; });
  }
  void wait(int wake) override {
    pollfd p[] = {{wake, POLLIN, 0}, {s_.event(), POLLIN, 0}};
    poll(p, 2, -1);
    eventfd_t n;
    eventfd_read(s_.event(), &n);
  }
  Released released() override {
    return s_.with([&]() -> Released {
      if (s_.to_release.empty()) return {};
      const uint32_t image = s_.to_release.back();
      s_.to_release.pop_back();
      return {image, s_.status};
    });
  }

 private:
  Script& s_;
};

class PresenterTest : public ::testing::Test {
 protected:
  void begin(const PresentRules& rules) {
    presenter = std::make_unique<Presenter>(std::make_unique<Window>(s), rules, [this](uint32_t image, PresentStatus status) {
      s.with([&] {
        s.done.push_back(image);
        s.statuses.push_back(status);
      });
    });
  }
  void push(uint32_t image) { presenter->push({.image = image}); }

  using List = std::vector<uint32_t>;
  Script s;
  std::unique_ptr<Presenter> presenter;
};

TEST_F(PresenterTest, EachFrameInOrder) {
  begin({});
  for (uint32_t i = 0; i < 20; ++i) push(i);
  ASSERT_TRUE(s.wait([&] { return s.done.size() == 20; }));
  for (uint32_t i = 0; i < 20; ++i) EXPECT_EQ(s.shown[i], i);
  EXPECT_EQ(s.shown, s.done);
}

TEST_F(PresenterTest, TheNewestReplacesTheOneThatWaits) {
  begin({.newest = true});
  push(0);
  EXPECT_EQ(s.shown, List{0});
  s.with([&] { s.ready = false; });
  push(1);
  push(2);
  push(3);
  EXPECT_TRUE(s.wait([&] { return s.done == List({0, 1, 2}); })) << "replaced frames come back at once";
  s.with([&] { s.ready = true; });
  EXPECT_TRUE(s.wait([&] { return s.done == List({0, 1, 2, 3}); }));
  EXPECT_EQ(s.shown, List({0, 3}));
}

TEST_F(PresenterTest, AFrameThatNeedNotWaitIsWithTheWindowAtOnce) {
  begin({.paced = true});
  push(5);
  EXPECT_EQ(s.shown, List{5});
}

TEST_F(PresenterTest, APacedFrameWaitsAndTheQueueDoesNot) {
  s.with([&] { s.ready = false; });
  begin({.paced = true});
  for (uint32_t i = 0; i < 3; ++i) push(i);
  s.with([&] { s.to_release = {7}; });  // the thread has seen that the window is not ready when it has come to this
  ASSERT_TRUE(s.wait([&] { return s.done == List{7}; }));
  EXPECT_EQ(s.shown, List{});
  s.with([&] { s.ready = true; });
  ASSERT_TRUE(s.wait([&] { return s.shown == List({0, 1, 2}); }));
}

TEST_F(PresenterTest, HurryShowsAllThatWaits) {
  s.with([&] { s.ready = false; });
  begin({.paced = true});
  for (uint32_t i = 0; i < 3; ++i) push(i);
  presenter->hurry();
  EXPECT_EQ(s.shown, List({0, 1, 2}));
  push(3);
  presenter->hurry();
  EXPECT_EQ(s.shown, List({0, 1, 2, 3}));
}

TEST_F(PresenterTest, TheEndShowsAllThatWaits) {
  s.with([&] { s.ready = false; });
  begin({.paced = true});
  for (uint32_t i = 0; i < 3; ++i) push(i);
  presenter.reset();
  EXPECT_EQ(s.shown, List({0, 1, 2}));
  EXPECT_EQ(s.done, List({0, 1, 2}));
}

TEST_F(PresenterTest, AKeptImageComesBackWhenItIsReleased) {
  s.with([&] { s.keeps = true; });
  begin({});
  push(0);
  push(1);
  ASSERT_TRUE(s.wait([&] { return s.shown == List({0, 1}); }));
  presenter->hurry();
  EXPECT_EQ(s.done, List{});
  s.with([&] { s.to_release = {0, 1}; });
  EXPECT_TRUE(s.wait([&] { return s.done == List({1, 0}); }));
}

TEST_F(PresenterTest, WhatTheWindowSaysArrives) {
  s.with([&] { s.status = PresentStatus::out_of_date; });
  begin({});
  push(0);
  ASSERT_TRUE(s.wait([&] { return s.done == List{0}; }));
  s.with([&] { s.keeps = true; });
  push(1);
  s.with([&] { s.to_release = {1}; });
  ASSERT_TRUE(s.wait([&] { return s.done == List({0, 1}); }));
  for (const PresentStatus status : s.statuses) EXPECT_EQ(status, PresentStatus::out_of_date);
}

TEST_F(PresenterTest, WhereTheWindowCollectsNoThreadIsNeeded) {
  s.with([&] { s.collects = s.keeps = true; });
  begin({});
  push(0);
  push(1);
  EXPECT_EQ(s.shown, List({0, 1}));
  EXPECT_FALSE(presenter->has_thread());
  EXPECT_FALSE(presenter->look(false));
  EXPECT_EQ(s.done, List{});
  s.with([&] { s.to_collect = {0}; });
  EXPECT_TRUE(presenter->look(false));
  EXPECT_EQ(s.done, List{0});
  s.with([&] { s.to_collect = {1}; });
  EXPECT_TRUE(presenter->look(true));
  EXPECT_EQ(s.done, List({0, 1}));
  EXPECT_FALSE(presenter->has_thread());
}

TEST_F(PresenterTest, WhereTheWindowCollectsAFrameThatWaitsStartsTheThread) {
  s.with([&] { s.collects = s.keeps = true; });
  begin({.newest = true});
  push(0);
  EXPECT_FALSE(presenter->has_thread());
  s.with([&] { s.ready = false; });
  push(1);
  EXPECT_TRUE(presenter->has_thread());
  EXPECT_EQ(s.shown, List{0});
  s.with([&] { s.to_release = {0}, s.ready = true; });
  EXPECT_TRUE(s.wait([&] { return s.shown == List({0, 1}) && s.done == List{0}; }));
}

TEST_F(PresenterTest, TheThreadCanBeAskedFor) {
  s.with([&] { s.collects = s.keeps = true; });
  begin({});
  push(0);
  presenter->start_thread();
  EXPECT_TRUE(presenter->has_thread());
  s.with([&] { s.to_release = {0}; });
  EXPECT_TRUE(s.wait([&] { return s.done == List{0}; }));
}

TEST_F(PresenterTest, WithoutAThreadTheEndIsTheEnd) {
  s.with([&] { s.collects = s.keeps = true; });
  begin({});
  push(0);
  presenter.reset();
  EXPECT_EQ(s.shown, List{0});
  begin({});
  presenter->abandon();
}

TEST_F(PresenterTest, WithoutMemoryAFrameIsDroppedAndTheNextIsShown) {
  s.with([&] { s.no_memory = true; });
  begin({});
  push(0);
  push(1);
  EXPECT_TRUE(s.wait([&] { return s.done == List({0, 1}); }));
  EXPECT_EQ(s.statuses[0], PresentStatus::ok);
}

}  // namespace
}  // namespace pumice::winsys
