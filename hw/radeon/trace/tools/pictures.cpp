// SPDX-License-Identifier: MIT
/// See pictures.h.
#include "hw/radeon/trace/tools/pictures.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::trace {

constexpr uint32_t kMostPixels = Pictures::kMostPixels;

namespace {

bool write_png(const std::string& path, uint32_t width, uint32_t height, const std::vector<uint8_t>& rgba) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  image.flags = PNG_IMAGE_FLAG_FAST;
  return png_image_write_to_file(&image, path.c_str(), 0, rgba.data(), 0, nullptr);
}

uint8_t to_byte(float v) { return static_cast<uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f)); }

}  // namespace

/// The first sample of the first layer; integers as if 255 were the most.
Pictures::Image Pictures::image_of(const xt::Image& image, uint32_t width, uint32_t height) const {
  Image out{.width = width, .height = height, .rgba = std::vector<uint8_t>(size_t{4} * width * height)};
  const formats::Info& f = formats::info(image.format);
  const xt::Decoding how = xt::decoding_of(f, false);
  const xt::Level level = xt::level_of(image, 0);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      std::array<uint8_t, 16> bytes{};
      memory_->read(xt::address_of(image, level, image.first_layer, x, y, 0, 0), bytes.data(), f.bytes);
      const xt::Bits4 c = xt::finish_texel(how, xt::decode_texel(f, false, bytes.data(), 0, 0));
      for (uint32_t i = 0; i < 4; ++i)
        out.rgba[(size_t{y} * width + x) * 4 + i] =
            how.integer ? static_cast<uint8_t>(std::min(c[i], 255u)) : to_byte(std::bit_cast<float>(c[i]));
      if (!how.present[3] || how.integer) out.rgba[(size_t{y} * width + x) * 4 + 3] = 255;
    }
  memory_->take_fault();
  return out;
}

Pictures::Image Pictures::image_of(const TargetView& view, uint32_t width, uint32_t height) const {
  if (view.image) return image_of(*view.image, width, height);
  Image out{.width = width, .height = height, .rgba = std::vector<uint8_t>(size_t{4} * width * height)};
  const rb3d::Target& t = view.target;
  const surface::PixelAccess pixels = t.pixels.sample(0, view.samples);
  // Which channel of the shader went into component i, as index of r, g, b, a.
  const uint32_t sel[4] = {t.out.C0_SEL(), t.out.C1_SEL(), t.out.C2_SEL(), t.out.C3_SEL()};
  constexpr uint8_t kChannel[4] = {3, 0, 1, 2};  // ALPHA, RED, GREEN, BLUE
  bool stored[4] = {};
  for (uint32_t f = 0; f < t.format.field_count; ++f) stored[t.format.field[f].component] = true;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      rb3d::PixelBits bits{};
      pixels.read(*memory_, x, y, bits.data());
      const rb3d::Components c = rb3d::unpack(t.format, bits);
      uint8_t* rgba = &out.rgba[(size_t{y} * width + x) * 4];
      rgba[3] = 255;
      for (uint32_t i = 0; i < 4; ++i)
        if (stored[i]) rgba[kChannel[sel[i]]] = to_byte(c[i]);
    }
  memory_->take_fault();
  return out;
}

void Pictures::show(const Image& image) {
  if (options_.print)
    std::printf("%s  %ux%u  digest %016llx\n", image.what.c_str(), image.width, image.height,
                static_cast<unsigned long long>(digest_of(image.rgba.data(), image.rgba.size())));
  if (options_.directory.empty()) return;
  const std::string path = options_.directory + "/" + image.name + ".png";
  if (write_png(path, image.width, image.height, image.rgba)) return;
  if (!failed_) std::fprintf(stderr, "pumice-replay: %s cannot be written\n", path.c_str());
  failed_ = true;
}

Pictures::Image Pictures::image_of(const Rows& rows, bool bgra) const {
  Image out{.width = static_cast<uint32_t>(rows.bytes / 4), .height = static_cast<uint32_t>(rows.count), .rgba = {}};
  out.rgba.resize(size_t{4} * out.width * out.height);
  for (uint32_t y = 0; y < out.height; ++y) {
    uint8_t* row = &out.rgba[size_t{4} * out.width * y];
    memory_->read(rows.address + y * rows.pitch, row, size_t{4} * out.width);
    for (uint32_t x = 0; bgra && x < out.width; ++x) {
      std::swap(row[4 * x], row[4 * x + 2]);
      row[4 * x + 3] = 255;
    }
  }
  memory_->take_fault();
  return out;
}

void Pictures::label(const PictureLabel& label) {
  const uint32_t width = label.width_height & 0xFFFF, height = label.width_height >> 16;
  const uint64_t number = frames_++;
  const bool shown = options_.any() && !options_.draw && (!options_.frame || *options_.frame == number);
  if (!shown || !width || !height || uint64_t{width} * height > kMostPixels) return;
  Image image = image_of(Rows{label.address, uint64_t{4} * width, label.pitch_bytes, height}, label.order == 0);
  char name[32];
  std::snprintf(name, sizeof name, "frame-%06llu", static_cast<unsigned long long>(number));
  image.name = name;
  image.what = "frame " + std::to_string(number);
  show(image);
}

void Pictures::fills(const Rows& rows, uint32_t pixel_bytes) {
  const bool picture = pixel_bytes == 4 && rows.count > 1 && rows.pitch >= rows.bytes && rows.bytes / 4 * rows.count <= kMostPixels;
  if (options_.targets && options_.any() && picture && std::find(filled_.begin(), filled_.end(), rows) == filled_.end())
    filled_.push_back(rows);
}

void Pictures::draw(const DrawContext& ctx, const DrawInput&) {
  if (!options_.targets || !options_.any() || (options_.draw && options_.draw != ctx.draw)) return;
  for (TargetView v : color_targets(ctx.state)) {
    const auto known =
        std::find_if(drawn_.begin(), drawn_.end(), [&](const TargetView& o) { return o.target.pixels.base == v.target.pixels.base; });
    if (known != drawn_.end()) {
      v.x1 = std::max(v.x1, known->x1);
      v.y1 = std::max(v.y1, known->y1);
      drawn_.erase(known);
    }
    drawn_.push_back(v);
  }
}

void Pictures::step(const Step& step) {
  uint32_t number = 0;
  const auto show_target = [&](Image image, const char* what, uint64_t address) {
    char text[96];
    const bool one = options_.draw != 0;
    std::snprintf(text, sizeof text, "%s-%06llu-%02u", one ? "draw" : "step",
                  static_cast<unsigned long long>(one ? options_.draw : step.number), number++);
    image.name = text;
    std::snprintf(text, sizeof text, "step %llu  draws %llu-%llu  %s at 0x%08llx", static_cast<unsigned long long>(step.number),
                  static_cast<unsigned long long>(step.first_draw), static_cast<unsigned long long>(step.last_draw), what,
                  static_cast<unsigned long long>(address));
    image.what = text;
    show(image);
  };
  for (const TargetView& v : drawn_) {
    const uint32_t width = std::min(v.x1, v.target.pixels.layout.pitch_px), height = v.y1;
    if ((step.whole || options_.draw) && width && height && uint64_t{width} * height <= kMostPixels)
      show_target(image_of(v, width, height), "target", v.target.pixels.base);
  }
  if (drawn_.empty() && step.whole && !options_.draw)
    for (const Rows& rows : filled_) show_target(image_of(rows, false), "filled", rows.address);
  drawn_.clear();
  filled_.clear();
}

bool has_labels(Reader& reader) {
  for (const Record* r; (r = reader.peek()) && r->kind != Kind::close; reader.advance()) {
    if (r->kind != Kind::packet || r->words.size() < 3 || r->words[2] != PictureLabel::kMagic) continue;
    const regs::PM4_TYPE3_HEADER header{r->words[1]};
    if (header.TYPE() == 3 && header.IT_OPCODE() == static_cast<uint32_t>(pm4::Op::NOP)) return true;
  }
  return false;
}

}  // namespace pumice::hw::trace
