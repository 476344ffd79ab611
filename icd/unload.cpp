// SPDX-License-Identifier: MIT
/// The end of a library that has a C++ runtime of its own: that keeps 72 KB for exceptions without memory, and loaders load and unload the
/// driver with each instance.
namespace __gnu_cxx {
void __freeres();
}

namespace {
[[gnu::destructor]] void unload() { __gnu_cxx::__freeres(); }
}  // namespace
