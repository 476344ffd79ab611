// SPDX-License-Identifier: MIT
/// See pack.h.
#include "hw/radeon/trace/page/pack.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>

#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

Bytes deflated(std::span<const uint8_t> bytes) {
  uLongf size = compressBound(uLong(bytes.size()));
  Bytes out(size);
  // Into a buffer of this size it cannot fail but for memory.
  if (compress2(out.data(), &size, bytes.data(), uLong(bytes.size()), 6) != Z_OK) throw std::bad_alloc();
  out.resize(size);
  return out;
}

std::string base64(std::span<const uint8_t> bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t v = 0;
    for (size_t k = 0; k < 3; ++k) v = v << 8 | (k < n ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[v >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

Bytes png(const Picture& picture, uint32_t most) {
  const uint32_t step = std::max(1u, (std::max(picture.width, picture.height) + most - 1) / most);
  Picture small = picture;
  if (step > 1) {
    small.width = std::max(1u, picture.width / step), small.height = std::max(1u, picture.height / step);
    small.rgba.resize(size_t{4} * small.width * small.height);
    for (uint32_t y = 0; y < small.height; ++y)
      for (uint32_t x = 0; x < small.width; ++x)
        std::copy_n(&picture.rgba[4 * (size_t{y} * step * picture.width + size_t{x} * step)], 4,
                    &small.rgba[4 * (size_t{y} * small.width + x)]);
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = small.width;
  image.height = small.height;
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  if (!png_image_write_to_memory(&image, nullptr, &size, 0, small.rgba.data(), 0, nullptr)) return {};
  Bytes out(size);
  if (!png_image_write_to_memory(&image, out.data(), &size, 0, small.rgba.data(), 0, nullptr)) return {};
  out.resize(size);
  return out;
}

void Json::comma() {
  if (!first_) text_ += ',';
  first_ = false;
}
Json& Json::open(char bracket) {
  comma();
  text_ += bracket;
  first_ = true;
  return *this;
}
Json& Json::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}
Json& Json::key(std::string_view name) {
  value(name);
  text_ += ':';
  first_ = true;
  return *this;
}
Json& Json::value(std::string_view text) {
  comma();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (text_ += '\\') += c;
    else if (c == '<' || static_cast<unsigned char>(c) < 32)  // the text stands inside of HTML
      text_ += format("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      text_ += c;
  }
  text_ += '"';
  return *this;
}
Json& Json::value(int64_t number) {
  comma();
  text_ += std::to_string(number);
  return *this;
}
Json& Json::value(const std::vector<std::string>& lines) {
  open('[');
  for (const std::string& l : lines) value(l);
  return close(']');
}

}  // namespace pumice::hw::trace
