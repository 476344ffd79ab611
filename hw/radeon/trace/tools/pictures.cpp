// SPDX-License-Identifier: MIT
/// See pictures.h.
#include "hw/radeon/trace/tools/pictures.h"

#include <png.h>

#include <algorithm>

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

}  // namespace

void Pictures::show(const std::string& name, const std::string& what, const Picture& image) {
  if (options_.print)
    std::printf("%s  %ux%u  digest %016llx\n", what.c_str(), image.width, image.height,
                static_cast<unsigned long long>(digest_of(image.rgba.data(), image.rgba.size())));
  if (options_.directory.empty()) return;
  const std::string path = options_.directory + "/" + name + ".png";
  if (write_png(path, image.width, image.height, image.rgba)) return;
  if (!failed_) std::fprintf(stderr, "pumice-replay: %s cannot be written\n", path.c_str());
  failed_ = true;
}

void Pictures::label(const PictureLabel& label) {
  const uint32_t width = label.width_height & 0xFFFF, height = label.width_height >> 16;
  const uint64_t number = frames_++;
  const bool shown = options_.any() && !options_.draw && (!options_.frame || *options_.frame == number);
  if (!shown || !width || !height || uint64_t{width} * height > kMostPixels) return;
  const Picture image = picture_of(*memory_, Rows{label.address, uint64_t{4} * width, label.pitch_bytes, height}, label.order == 0);
  char name[32];
  std::snprintf(name, sizeof name, "frame-%06llu", static_cast<unsigned long long>(number));
  show(name, "frame " + std::to_string(number), image);
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
  const auto show_target = [&](const Picture& image, const char* what, uint64_t address) {
    char text[96];
    const bool one = options_.draw != 0;
    std::snprintf(text, sizeof text, "%s-%06llu-%02u", one ? "draw" : "step",
                  static_cast<unsigned long long>(one ? options_.draw : step.number), number++);
    const std::string name = text;
    std::snprintf(text, sizeof text, "step %llu  draws %llu-%llu  %s at 0x%08llx", static_cast<unsigned long long>(step.number),
                  static_cast<unsigned long long>(step.first_draw), static_cast<unsigned long long>(step.last_draw), what,
                  static_cast<unsigned long long>(address));
    show(name, text, image);
  };
  for (const TargetView& v : drawn_) {
    const uint32_t width = std::min(v.x1, v.target.pixels.layout.pitch_px), height = v.y1;
    if ((step.whole || options_.draw) && width && height && uint64_t{width} * height <= kMostPixels)
      show_target(picture_of(*memory_, v, {0, 0, width, height}, options_.part), "target", v.target.pixels.base);
  }
  if (drawn_.empty() && step.whole && !options_.draw)
    for (const Rows& rows : filled_) show_target(picture_of(*memory_, rows, false), "filled", rows.address);
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
