// SPDX-License-Identifier: MIT
/// Reads a line of assembly from left to right. The first failure counts: everything after it does nothing.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace pumice::hw::text {

class Scanner {
 public:
  explicit Scanner(std::string_view text, size_t column = 0) : text_(text), column_(column) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  size_t column() const { return column_ + (ok() ? at_ : failed_at_); }
  bool fail(const std::string& why) {
    if (ok()) error_ = why, failed_at_ = at_;
    return false;
  }
  void take_failure(const Scanner& part) {
    if (!ok() || part.ok()) return;
    error_ = part.error_;
    failed_at_ = part.column() - column_;
  }

  bool at_end() const { return !ok() || at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return ok() ? text_.substr(at_) : std::string_view(); }
  void spaces() {
    while (peek() == ' ') ++at_;
  }
  /// Takes `literal` when it comes next.
  bool accept(std::string_view literal) {
    if (!rest().starts_with(literal) || literal.empty()) return false;
    at_ += literal.size();
    return true;
  }
  bool expect(std::string_view literal) { return accept(literal) || fail("'" + std::string(literal) + "' expected"); }
  /// As many characters as are in `set`.
  std::string_view take(std::string_view set) {
    const std::string_view left = rest();
    const size_t n = std::min(left.find_first_not_of(set), left.size());
    at_ += n;
    return left.substr(0, n);
  }
  /// Up to one of `set` or the end.
  std::string_view until(std::string_view set) {
    const std::string_view left = rest();
    const size_t n = std::min(left.find_first_of(set), left.size());
    at_ += n;
    return left.substr(0, n);
  }
  /// Decimal, or hexadecimal behind 0x; at most `most`.
  uint32_t number(uint32_t most = ~0u) {
    const bool hex = rest().starts_with("0x");
    const std::string_view digits = rest().substr(hex ? 2 : 0);
    uint32_t v = 0;
    const auto [end, what] = std::from_chars(digits.data(), digits.data() + digits.size(), v, hex ? 16 : 10);
    if (!ok()) return 0;
    if (what != std::errc() || v > most) {
      fail(what == std::errc() || what == std::errc::result_out_of_range ? "the number is at most " + std::to_string(most)
                                                                         : "a number expected");
      return 0;
    }
    at_ += size_t(end - digits.data()) + (hex ? 2 : 0);
    return v;
  }
  /// The next `n` characters as a scanner of their own.
  Scanner part(size_t n) {
    const Scanner p(rest().substr(0, n), column());
    at_ += ok() ? std::min(n, text_.size() - at_) : 0;
    return p;
  }

 private:
  const std::string_view text_;
  const size_t column_;
  size_t at_ = 0, failed_at_ = 0;
  std::string error_;
};

/// "  12: " of a listing.
inline void slot_number(Scanner& s) {
  s.spaces();
  const std::string_view left = s.rest();
  const size_t digits = std::min(left.find_first_not_of("0123456789"), left.size());
  if (digits == 0 || digits == left.size() || left[digits] != ':') return;
  s.part(digits + 1);
  s.spaces();
}

}  // namespace pumice::hw::text
