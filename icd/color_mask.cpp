// SPDX-License-Identifier: MIT
/// Which multisampled colour attachments the chip's colour mask clears and compresses (pipeline s.9.4; hw/radeon/ref/rb3d/README.md,
/// "Colour mask"): those whose samples are not needed after the only subpass that draws to them. Its resolves read the mask; accesses to
/// memory do not. The mask is invalid between passes, so each pass begins with all of the RAM cleared.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "icd/atoms.h"

namespace pumice::icd {
namespace {

/// Of the RAM of a part with one pipe (pipeline s.1). A dword is 16x16 pixels.
constexpr uint32_t kRamDwords = hw::most::cmask_dwords;
constexpr uint32_t kSide = 16;
/// CMASK_OFFSET counts so many dwords.
constexpr uint32_t kStep = 16;
/// Targets beyond the RAM's end take no part; each has a place of its own there, as large as the largest surface.
constexpr uint32_t kBeyond = hw::most::target_extent / kSide * (hw::most::target_extent / kSide);

uint32_t row_dwords(const Plane& p) { return (p.width + kSide - 1) / kSide; }

/// Whether the packed pixel is what a rectangle of that colour would leave.
bool packs_exactly(const FormatInfo& f, const VkClearColorValue& value) {
  if (f.numeric == Numeric::sfloat)
    return std::all_of(value.float32, value.float32 + 4, [](float v) { return v == 0 || std::isnormal(v); });
  if (f.numeric == Numeric::srgb)  // by different curves
    return std::all_of(value.float32, value.float32 + 3, [](float v) {
      const float code = srgb_code(v);
      return std::fabs(code - std::floor(code) - 0.5f) > 0.03f;
    });
  return f.numeric == Numeric::unorm || f.numeric == Numeric::snorm;
}

bool only_here(const RenderPass& pass, uint32_t attachment, uint32_t subpass) {
  const auto& color = pass.subpasses[subpass].color;
  return pass.first_use[attachment] == subpass && pass.last_use[attachment] == subpass &&
         std::count_if(color.begin(), color.end(), [&](const VkAttachmentReference& r) { return r.attachment == attachment; }) == 1;
}

/// Whether the attachment's contents are neither loaded by the subpass nor used after it.
bool passes_by(const GfxState& g, const VkAttachmentReference& ref, const Plane& p) {
  if (ref.attachment == VK_ATTACHMENT_UNUSED || ref.attachment >= g.clear_values.size()) return false;
  const VkAttachmentDescription& a = g.pass->attachments[ref.attachment];
  return p.samples > 1 && a.loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR && a.storeOp == VK_ATTACHMENT_STORE_OP_DONT_CARE &&
         !(a.flags & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT) && only_here(*g.pass, ref.attachment, g.subpass) && covers(g.render_area, p);
}

}  // namespace

void choose_color_masks(const hw::Capabilities& chip, GfxState& g, VkSubpassContents contents) {
  g.color_mask = {};
  if (!chip.has_color_mask_expansion) return;  // the R3xx's clear value and compression differ
  if (contents != VK_SUBPASS_CONTENTS_INLINE || !g.framebuffer) return;  // secondary command buffers set the registers by themselves
  const Subpass& s = g.pass->subpasses[g.subpass];
  ColorMask& m = g.color_mask;
  uint32_t next = 0;
  bool small = false, large = false;  // the clear values of up to four and of eight bytes are taken
  for (uint32_t i = 0; i < s.color.size() && i < g.color.size(); ++i) {
    const Target& t = g.color[i];
    m.first[i] = kBeyond * (i + 1);
    if (!t.format || !passes_by(g, s.color[i], t.plane)) continue;
    const uint32_t bytes = layout_of(*t.format).bytes;
    const VkClearColorValue& value = g.clear_values[s.color[i].attachment].color;
    const uint32_t row = row_dwords(t.plane), rows = std::min((kRamDwords - next) / row, (t.plane.height + kSide - 1) / kSide);
    if (bytes > 8 || rows == 0 || !packs_exactly(*t.format, value)) continue;
    // There is one clear value for all targets.
    uint8_t pixel[16] = {};
    pack_pixel(*t.format, value, pixel);
    uint32_t word[2];
    std::memcpy(word, pixel, sizeof word);
    if (bytes == 8) {
      if (large && (m.clear_gb != word[0] || m.clear_ar != word[1])) continue;
      large = true, m.clear_gb = word[0], m.clear_ar = word[1];
    } else {
      if (small && m.clear != word[0]) continue;
      small = true, m.clear = word[0];
    }
    m.first[i] = next;
    m.rows[i] = std::min(rows * kSide, t.plane.height);
    m.on = true;
    next = std::min((next + row * ((t.plane.height + kSide - 1) / kSide) + kStep - 1) / kStep * kStep, kRamDwords);
  }
}

void emit_color_mask(Cs& cs, uint32_t i, const Plane& p, uint32_t first) {
  // The registers have the forms of the Z mask's.
  cs.state(regs::RB3D_CMASK_OFFSET{regs::ZB_ZMASK_OFFSET{}.ZMASK_OFFSET(first / kStep).raw}, i);
  cs.state(regs::RB3D_CMASK_PITCH{regs::ZB_HIZ_PITCH{}.HIZ_PITCH(row_dwords(p)).raw}, i);
}

void emit_color_control(Cs& cs, bool mask) {
  cs.state(regs::RB3D_CCTL{}
               .INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE(cs.chip().has_target_masks)
               .INDEPENDENT_COLORFORMAT_ENABLE(cs.chip().has_target_formats)
               .CMASK_ENABLE(mask)
               .AA_COMPRESSION_ENABLE(mask));
}

void emit_fast_color_clear(Cs& cs, const ColorMask& m) {
  cs.state(regs::RB3D_COLOR_CLEAR_VALUE{m.clear});
  cs.state(regs::RB3D_COLOR_CLEAR_VALUE_GB{m.clear_gb});
  cs.state(regs::RB3D_COLOR_CLEAR_VALUE_AR{m.clear_ar});
  // All of the RAM is cleared: no contents that queued draws use remain, so the chip need not wait for them.
  const uint32_t all[] = {0, kRamDwords, 0};
  cs.packet(pm4::Op::N3D_CLEAR_CMASK, all);
}

}  // namespace pumice::icd
