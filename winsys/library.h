// SPDX-License-Identifier: MIT
/// A shared library opened at run time, so that the driver itself links against no window system.
#pragma once
#include <dlfcn.h>

#include <string>

namespace pumice::winsys {

class Library {
 public:
  /// Opens `file` (a soname). ok() is false when it is missing; error() then says why.
  explicit Library(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) {
      const char* text = dlerror();
      error_ = text ? text : std::string("cannot open ") + file;
    }
  }
  ~Library() {
    if (handle_) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool ok() const { return handle_ && error_.empty(); }
  const std::string& error() const { return error_; }

  /// Sets `function` to the symbol; a missing one makes ok() false.
  template <class F>
  void get(F*& function, const char* symbol) {
    if (!handle_) return;
    function = reinterpret_cast<F*>(dlsym(handle_, symbol));
    if (!function) error_ = std::string("missing symbol ") + symbol;
  }
  /// Sets `object` to a data symbol (xcb_shm_id and the like).
  template <class T>
  void get_data(T*& object, const char* symbol) {
    if (!handle_) return;
    object = static_cast<T*>(dlsym(handle_, symbol));
    if (!object) error_ = std::string("missing symbol ") + symbol;
  }

 private:
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace pumice::winsys
