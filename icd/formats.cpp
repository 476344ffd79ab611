// SPDX-License-Identifier: MIT
#include "icd/formats.h"

#include <algorithm>
#include <bit>

#include "hw/db/formats.h"
#include "hw/db/regs_r500.h"

namespace pumice::icd {
namespace {

using T = regs::TX_FORMAT1;
using C = regs::RB3D_COLORPITCH;
using O = regs::US_OUT_FMT;
using P = regs::VAP_PROG_STREAM_CNTL;
using enum Numeric;

constexpr uint8_t kNo = kNoCode;

#define ROW(format, numeric, layout, tx, target, out, slots, psc, flags) \
  { VK_FORMAT_##format, #format, numeric, layout, tx, target, out, slots, psc, flags }

/// A format that only r5x has.
#define EXT(format, numeric, layout, flags) ROW(format, numeric, layout, kNo, kNo, 0, "", kNo, flags)

// Integer formats appear as vertex formats only: the sampler and the blender of a strict chip know no integers (vulkan-on-r5xx a2).
// Formats without an identical stored layout in RB3D (alpha not in C3) are sampled only.
constexpr FormatInfo kFormats[] = {
    ROW(R4G4_UNORM_PACK8, unorm, "g4r4", T::TXFORMAT__N4_4, kNo, 0, "", kNo, kFilter),
    ROW(R4G4B4A4_UNORM_PACK16, unorm, "a4b4g4r4", T::TXFORMAT__N4_4_4_4, kNo, 0, "", kNo, kFilter),
    ROW(B4G4R4A4_UNORM_PACK16, unorm, "a4r4g4b4", T::TXFORMAT__N4_4_4_4, kNo, 0, "", kNo, kFilter),
    ROW(R5G6B5_UNORM_PACK16, unorm, "b5g6r5", T::TXFORMAT__N5_6_5, C::COLORFORMAT__RGB565, O::OUT_FMT__C4_8, "012", kNo, kFilter | kBlend),
    ROW(B5G6R5_UNORM_PACK16, unorm, "r5g6b5", T::TXFORMAT__N5_6_5, C::COLORFORMAT__RGB565, O::OUT_FMT__C4_8, "012", kNo, kFilter | kBlend),
    EXT(R5G5B5A1_UNORM_PACK16, unorm, "a1b5g5r5", kFilter | kBlend),
    EXT(B5G5R5A1_UNORM_PACK16, unorm, "a1r5g5b5", kFilter | kBlend),
    ROW(A1R5G5B5_UNORM_PACK16, unorm, "b5g5r5a1", T::TXFORMAT__N1_5_5_5, C::COLORFORMAT__ARGB1555, O::OUT_FMT__C4_8, "0123", kNo,
        kFilter | kBlend),

    ROW(R8_UNORM, unorm, "r8", T::TXFORMAT__N8, C::COLORFORMAT__I8, O::OUT_FMT__C4_8, "2", P::DATA_TYPE_0__BYTE, kFilter | kBlend),
    ROW(R8_SNORM, snorm, "r8", T::TXFORMAT__N8, kNo, 0, "", P::DATA_TYPE_0__BYTE, kFilter),
    ROW(R8_USCALED, uscaled, "r8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8_SSCALED, sscaled, "r8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8_UINT, uint, "r8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8_SINT, sint, "r8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),

    EXT(R8_SRGB, srgb, "r8", kFilter | kBlend),
    ROW(R8G8_UNORM, unorm, "r8g8", T::TXFORMAT__N8_8, C::COLORFORMAT__UV88, O::OUT_FMT__C4_8, "20", P::DATA_TYPE_0__BYTE, kFilter | kBlend),
    ROW(R8G8_SNORM, snorm, "r8g8", T::TXFORMAT__N8_8, kNo, 0, "", P::DATA_TYPE_0__BYTE, kFilter),
    ROW(R8G8_USCALED, uscaled, "r8g8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8_SSCALED, sscaled, "r8g8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8_UINT, uint, "r8g8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8_SINT, sint, "r8g8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),

    EXT(R8G8_SRGB, srgb, "r8g8", kFilter | kBlend),
    EXT(R8G8B8_UNORM, unorm, "r8g8b8", kFilter | kBlend),
    EXT(R8G8B8_SNORM, snorm, "r8g8b8", kFilter | kBlend),
    EXT(R8G8B8_USCALED, uscaled, "r8g8b8", 0),
    EXT(R8G8B8_SSCALED, sscaled, "r8g8b8", 0),
    EXT(R8G8B8_UINT, uint, "r8g8b8", 0),
    EXT(R8G8B8_SINT, sint, "r8g8b8", 0),
    EXT(R8G8B8_SRGB, srgb, "r8g8b8", kFilter | kBlend),
    EXT(B8G8R8_UNORM, unorm, "b8g8r8", kFilter | kBlend),
    EXT(B8G8R8_SNORM, snorm, "b8g8r8", kFilter | kBlend),
    EXT(B8G8R8_USCALED, uscaled, "b8g8r8", 0),
    EXT(B8G8R8_SSCALED, sscaled, "b8g8r8", 0),
    EXT(B8G8R8_UINT, uint, "b8g8r8", 0),
    EXT(B8G8R8_SINT, sint, "b8g8r8", 0),
    EXT(B8G8R8_SRGB, srgb, "b8g8r8", kFilter | kBlend),
    ROW(R8G8B8A8_UNORM, unorm, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_8, "0123", P::DATA_TYPE_0__BYTE,
        kFilter | kBlend),
    ROW(R8G8B8A8_SNORM, snorm, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, kNo, 0, "", P::DATA_TYPE_0__BYTE, kFilter),
    ROW(R8G8B8A8_USCALED, uscaled, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8B8A8_SSCALED, sscaled, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8B8A8_UINT, uint, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8B8A8_SINT, sint, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(R8G8B8A8_SRGB, srgb, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_10_GAMMA, "0123", kNo, kFilter),

    ROW(B8G8R8A8_UNORM, unorm, "b8g8r8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_8, "0123", P::DATA_TYPE_0__BYTE,
        kFilter | kBlend),
    EXT(B8G8R8A8_SNORM, snorm, "b8g8r8a8", kFilter | kBlend),
    EXT(B8G8R8A8_USCALED, uscaled, "b8g8r8a8", 0),
    EXT(B8G8R8A8_SSCALED, sscaled, "b8g8r8a8", 0),
    EXT(B8G8R8A8_UINT, uint, "b8g8r8a8", 0),
    EXT(B8G8R8A8_SINT, sint, "b8g8r8a8", 0),
    ROW(B8G8R8A8_SRGB, srgb, "b8g8r8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_10_GAMMA, "0123", kNo, kFilter),

    ROW(A8B8G8R8_UNORM_PACK32, unorm, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_8, "0123",
        P::DATA_TYPE_0__BYTE, kFilter | kBlend),
    ROW(A8B8G8R8_SNORM_PACK32, snorm, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, kNo, 0, "", P::DATA_TYPE_0__BYTE, kFilter),
    ROW(A8B8G8R8_USCALED_PACK32, uscaled, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(A8B8G8R8_SSCALED_PACK32, sscaled, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(A8B8G8R8_UINT_PACK32, uint, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(A8B8G8R8_SINT_PACK32, sint, "r8g8b8a8", kNo, kNo, 0, "", P::DATA_TYPE_0__BYTE, 0),
    ROW(A8B8G8R8_SRGB_PACK32, srgb, "r8g8b8a8", T::TXFORMAT__N8_8_8_8, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C4_10_GAMMA, "0123", kNo,
        kFilter),

    ROW(A2R10G10B10_UNORM_PACK32, unorm, "b10g10r10a2", T::TXFORMAT__N2_10_10_10, C::COLORFORMAT__ARGB2101010, O::OUT_FMT__C4_10, "0123",
        kNo, kFilter | kBlend),
    EXT(A2R10G10B10_SNORM_PACK32, snorm, "b10g10r10a2", kFilter | kBlend),
    EXT(A2R10G10B10_USCALED_PACK32, uscaled, "b10g10r10a2", 0),
    EXT(A2R10G10B10_SSCALED_PACK32, sscaled, "b10g10r10a2", 0),
    EXT(A2R10G10B10_UINT_PACK32, uint, "b10g10r10a2", 0),
    EXT(A2R10G10B10_SINT_PACK32, sint, "b10g10r10a2", 0),
    ROW(A2B10G10R10_UNORM_PACK32, unorm, "r10g10b10a2", T::TXFORMAT__N2_10_10_10, C::COLORFORMAT__ARGB2101010, O::OUT_FMT__C4_10, "0123",
        kTranslated, kFilter | kBlend),

    EXT(A2B10G10R10_SNORM_PACK32, snorm, "r10g10b10a2", kFilter | kBlend),
    EXT(A2B10G10R10_USCALED_PACK32, uscaled, "r10g10b10a2", 0),
    EXT(A2B10G10R10_SSCALED_PACK32, sscaled, "r10g10b10a2", 0),
    EXT(A2B10G10R10_UINT_PACK32, uint, "r10g10b10a2", 0),
    EXT(A2B10G10R10_SINT_PACK32, sint, "r10g10b10a2", 0),
    ROW(R16_UNORM, unorm, "r16", T::TXFORMAT__N16, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, kFilter),
    ROW(R16_SNORM, snorm, "r16", T::TXFORMAT__N16, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, kFilter),
    ROW(R16_USCALED, uscaled, "r16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16_SSCALED, sscaled, "r16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16_UINT, uint, "r16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16_SINT, sint, "r16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16_SFLOAT, sfloat, "r16", T::TXFORMAT__N16F, C::COLORFORMAT__UV88, O::OUT_FMT__C_16_FP, "0", P::DATA_TYPE_0__FLT16_2, 0),
    ROW(R16G16_UNORM, unorm, "r16g16", T::TXFORMAT__N16_16, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, kFilter),
    ROW(R16G16_SNORM, snorm, "r16g16", T::TXFORMAT__N16_16, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, kFilter),
    ROW(R16G16_USCALED, uscaled, "r16g16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16G16_SSCALED, sscaled, "r16g16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16G16_UINT, uint, "r16g16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16G16_SINT, sint, "r16g16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_2, 0),
    ROW(R16G16_SFLOAT, sfloat, "r16g16", T::TXFORMAT__N16F_16F, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C2_16_FP, "01",
        P::DATA_TYPE_0__FLT16_2, 0),
    EXT(R16G16B16_UNORM, unorm, "r16g16b16", kFilter | kBlend),
    EXT(R16G16B16_SNORM, snorm, "r16g16b16", kFilter | kBlend),
    EXT(R16G16B16_USCALED, uscaled, "r16g16b16", 0),
    EXT(R16G16B16_SSCALED, sscaled, "r16g16b16", 0),
    EXT(R16G16B16_UINT, uint, "r16g16b16", 0),
    EXT(R16G16B16_SINT, sint, "r16g16b16", 0),
    EXT(R16G16B16_SFLOAT, sfloat, "r16g16b16", kFilter | kBlend),
    ROW(R16G16B16A16_UNORM, unorm, "r16g16b16a16", T::TXFORMAT__N16_16_16_16, C::COLORFORMAT__ARGB16161616, O::OUT_FMT__C4_16, "0123",
        P::DATA_TYPE_0__SHORT_4, kFilter),
    ROW(R16G16B16A16_SNORM, snorm, "r16g16b16a16", T::TXFORMAT__N16_16_16_16, kNo, 0, "", P::DATA_TYPE_0__SHORT_4, kFilter),
    ROW(R16G16B16A16_USCALED, uscaled, "r16g16b16a16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_4, 0),
    ROW(R16G16B16A16_SSCALED, sscaled, "r16g16b16a16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_4, 0),
    ROW(R16G16B16A16_UINT, uint, "r16g16b16a16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_4, 0),
    ROW(R16G16B16A16_SINT, sint, "r16g16b16a16", kNo, kNo, 0, "", P::DATA_TYPE_0__SHORT_4, 0),
    ROW(R16G16B16A16_SFLOAT, sfloat, "r16g16b16a16", T::TXFORMAT__N16F_16F_16F_16F, C::COLORFORMAT__ARGB16161616, O::OUT_FMT__C4_16_FP,
        "0123", P::DATA_TYPE_0__FLT16_4, kBlend),

    ROW(R32_UINT, uint, "r32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32_SINT, sint, "r32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32_SFLOAT, sfloat, "r32", T::TXFORMAT__N32F, C::COLORFORMAT__ARGB8888, O::OUT_FMT__C_32_FP, "0", P::DATA_TYPE_0__FLOAT_1, 0),
    ROW(R32G32_UINT, uint, "r32g32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32_SINT, sint, "r32g32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32_SFLOAT, sfloat, "r32g32", T::TXFORMAT__N32F_32F, C::COLORFORMAT__ARGB16161616, O::OUT_FMT__C2_32_FP, "02",
        P::DATA_TYPE_0__FLOAT_2, 0),
    ROW(R32G32B32_UINT, uint, "r32g32b32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32B32_SINT, sint, "r32g32b32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32B32_SFLOAT, sfloat, "r32g32b32", kNo, kNo, 0, "", P::DATA_TYPE_0__FLOAT_3, 0),
    ROW(R32G32B32A32_UINT, uint, "r32g32b32a32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32B32A32_SINT, sint, "r32g32b32a32", kNo, kNo, 0, "", kTranslated, 0),
    ROW(R32G32B32A32_SFLOAT, sfloat, "r32g32b32a32", T::TXFORMAT__N32F_32F_32F_32F, C::COLORFORMAT__ARGB32323232, O::OUT_FMT__C4_32_FP,
        "0123", P::DATA_TYPE_0__FLOAT_4, 0),
    // Their components are texels of two words to the chip; the compiler puts them together.
    EXT(R64_UINT, uint, "r32g32", kWords),
    EXT(R64_SINT, sint, "r32g32", kWords),
    EXT(R64G64_UINT, uint, "r32g32", kWords),
    EXT(R64G64_SINT, sint, "r32g32", kWords),
    EXT(R64G64B64_UINT, uint, "r32g32", kWords),
    EXT(R64G64B64_SINT, sint, "r32g32", kWords),
    EXT(R64G64B64A64_UINT, uint, "r32g32", kWords),
    EXT(R64G64B64A64_SINT, sint, "r32g32", kWords),

    EXT(B10G11R11_UFLOAT_PACK32, ufloat, "r11g11b10", kFilter | kBlend),
    EXT(E5B9G9R9_UFLOAT_PACK32, ufloat, "r9g9b9e5", kFilter),
    ROW(D16_UNORM, depth, "d16", T::TXFORMAT__N16, kNo, 0, "", kNo, kDepth),
    ROW(X8_D24_UNORM_PACK32, depth, "x8d24", T::TXFORMAT__N24_8, kNo, 0, "", kNo, kDepth),
    EXT(D32_SFLOAT, depth, "d32", kDepth),
    EXT(S8_UINT, depth, "s8", kStencil),
    ROW(D24_UNORM_S8_UINT, depth, "s8d24", T::TXFORMAT__N24_8, kNo, 0, "", kNo, kDepth | kStencil),

    EXT(D32_SFLOAT_S8_UINT, depth, "d32s8x24", kDepth | kStencil),
    ROW(BC1_RGB_UNORM_BLOCK, unorm, "b8g8r8x40", T::TXFORMAT__DXT1, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC1_RGB_SRGB_BLOCK, srgb, "b8g8r8x40", T::TXFORMAT__DXT1, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC1_RGBA_UNORM_BLOCK, unorm, "b8g8r8a40", T::TXFORMAT__DXT1, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC1_RGBA_SRGB_BLOCK, srgb, "b8g8r8a40", T::TXFORMAT__DXT1, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC2_UNORM_BLOCK, unorm, "b32g32r32a32", T::TXFORMAT__DXT3, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC2_SRGB_BLOCK, srgb, "b32g32r32a32", T::TXFORMAT__DXT3, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC3_UNORM_BLOCK, unorm, "b32g32r32a32", T::TXFORMAT__DXT5, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC3_SRGB_BLOCK, srgb, "b32g32r32a32", T::TXFORMAT__DXT5, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC4_UNORM_BLOCK, unorm, "r64", T::TXFORMAT__ATI1N, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC4_SNORM_BLOCK, snorm, "r64", T::TXFORMAT__ATI1N, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC5_UNORM_BLOCK, unorm, "g64r64", T::TXFORMAT__ATI2N, kNo, 0, "", kNo, kFilter | kCompressed),
    ROW(BC5_SNORM_BLOCK, snorm, "g64r64", T::TXFORMAT__ATI2N, kNo, 0, "", kNo, kFilter | kCompressed),
    EXT(BC6H_UFLOAT_BLOCK, ufloat, "b32g32r32a32", kFilter | kCompressed),
    EXT(BC6H_SFLOAT_BLOCK, sfloat, "b32g32r32a32", kFilter | kCompressed),
    EXT(BC7_UNORM_BLOCK, unorm, "b32g32r32a32", kFilter | kCompressed),
    EXT(BC7_SRGB_BLOCK, srgb, "b32g32r32a32", kFilter | kCompressed),
    EXT(ETC2_R8G8B8_UNORM_BLOCK, unorm, "r64", kFilter | kCompressed),
    EXT(ETC2_R8G8B8_SRGB_BLOCK, srgb, "r64", kFilter | kCompressed),
    EXT(ETC2_R8G8B8A1_UNORM_BLOCK, unorm, "r64", kFilter | kCompressed),
    EXT(ETC2_R8G8B8A1_SRGB_BLOCK, srgb, "r64", kFilter | kCompressed),
    EXT(ETC2_R8G8B8A8_UNORM_BLOCK, unorm, "a64r64", kFilter | kCompressed),
    EXT(ETC2_R8G8B8A8_SRGB_BLOCK, srgb, "a64r64", kFilter | kCompressed),
    EXT(EAC_R11_UNORM_BLOCK, unorm, "r64", kFilter | kCompressed),
    EXT(EAC_R11_SNORM_BLOCK, snorm, "r64", kFilter | kCompressed),
    EXT(EAC_R11G11_UNORM_BLOCK, unorm, "r64g64", kFilter | kCompressed),
    EXT(EAC_R11G11_SNORM_BLOCK, snorm, "r64g64", kFilter | kCompressed),
    EXT(ASTC_4x4_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_4x4_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_5x4_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_5x4_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_5x5_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_5x5_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_6x5_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_6x5_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_6x6_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_6x6_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_8x5_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_8x5_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_8x6_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_8x6_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_8x8_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_8x8_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_10x5_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_10x5_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_10x6_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_10x6_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_10x8_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_10x8_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_10x10_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_10x10_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_12x10_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_12x10_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(ASTC_12x12_UNORM_BLOCK, unorm, "r128", kFilter | kCompressed),
    EXT(ASTC_12x12_SRGB_BLOCK, srgb, "r128", kFilter | kCompressed),
    EXT(A4R4G4B4_UNORM_PACK16, unorm, "b4g4r4a4", kFilter | kBlend),
    EXT(A4B4G4R4_UNORM_PACK16, unorm, "r4g4b4a4", kFilter | kBlend),
};

constexpr int channel_index(char c) {
  switch (c) {
    case 'r':
    case 'd': return 0;
    case 'g': return 1;
    case 'b': return 2;
    case 'a': return 3;
    default: return -1;
  }
}

}  // namespace

const FormatInfo* find_format(VkFormat format) {
  const FormatInfo* f =
      std::lower_bound(std::begin(kFormats), std::end(kFormats), format, [](const FormatInfo& a, VkFormat b) { return a.format < b; });
  return f != std::end(kFormats) && f->format == format ? f : nullptr;
}

Layout layout_of(const FormatInfo& f) {
  Layout l;
  uint32_t shift = 0;
  for (size_t at = 0; at < f.layout.size();) {
    Component c;
    c.channel = f.layout[at++];
    uint32_t bits = 0;
    while (at < f.layout.size() && f.layout[at] >= '0' && f.layout[at] <= '9')
      bits = bits * 10 + static_cast<uint32_t>(f.layout[at++] - '0');
    c.bits = static_cast<uint8_t>(bits);
    c.shift = static_cast<uint8_t>(shift);
    shift += bits;
    l.component[l.count++] = c;
  }
  l.bytes = static_cast<uint8_t>(shift / 8);
  return l;
}

/// Vulkan numbers formats of 64-bit components in a row: unsigned, signed and float of one component, then of two, three and four.
static bool has_64_bits(VkFormat format) { return format >= VK_FORMAT_R64_UINT && format <= VK_FORMAT_R64G64B64A64_SFLOAT; }

uint32_t texels_of_element(VkFormat format) {
  constexpr uint32_t kNumerics = VK_FORMAT_R64G64_UINT - VK_FORMAT_R64_UINT;
  return has_64_bits(format) ? static_cast<uint32_t>(format - VK_FORMAT_R64_UINT) / kNumerics + 1 : 1;
}

uint32_t chip_format(VkFormat format) {
  if (has_64_bits(format)) return hw::formats::R32G32_UINT;
  switch (format) {
    case VK_FORMAT_A4R4G4B4_UNORM_PACK16: return hw::formats::A4R4G4B4_UNORM_PACK16;
    case VK_FORMAT_A4B4G4R4_UNORM_PACK16: return hw::formats::A4B4G4R4_UNORM_PACK16;
    default: return static_cast<uint32_t>(format);
  }
}

VkExtent2D block_of(const FormatInfo& f) {
  if (!(f.flags & kCompressed)) return {1, 1};
  const hw::formats::Info& info = hw::formats::info(chip_format(f));
  return {info.block_width, info.block_height};
}

VkImageAspectFlags aspects_of(const FormatInfo& f) {
  if (!is_depth_stencil(f)) return VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageAspectFlags aspects = 0;
  if (f.flags & kDepth) aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if (f.flags & kStencil) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  return aspects;
}

VkFormatProperties r5x_properties_of(const FormatInfo& f) {
  const Layout l = layout_of(f);
  constexpr VkFormatFeatureFlags kTransfer = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT_KHR | VK_FORMAT_FEATURE_TRANSFER_DST_BIT_KHR;
  if (is_depth_stencil(f)) {
    VkFormatFeatureFlags image = kTransfer | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
                                 VK_FORMAT_FEATURE_BLIT_DST_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    // Depths, and comparisons with them.
    if (f.flags & kDepth) image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    return {image, image, 0};
  }
  if (f.flags & kWords) {
    if (texels_of_element(f.format) > 1) return {0, 0, VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT};
    constexpr VkFormatFeatureFlags kImage = kTransfer | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
    return {kImage, kImage,
            VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT |
                VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT};
  }
  const bool integer = f.numeric == Numeric::uint || f.numeric == Numeric::sint;
  const bool scaled = f.numeric == Numeric::uscaled || f.numeric == Numeric::sscaled;
  const bool shared_exponent = f.format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, compressed = f.flags & kCompressed;
  const bool packed16 = l.bytes <= 2 && l.component[0].bits % 8 != 0, srgb = f.numeric == Numeric::srgb;
  VkFormatFeatureFlags image = 0, buffer = 0;
  // Texels of 3 and 6 bytes are for buffers alone.
  const bool whole = std::has_single_bit(l.bytes), texel96 = l.bytes == 12;
  if (!scaled && (whole || texel96)) {
    image |= kTransfer | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT;
    if (!integer) image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    if (!compressed && !shared_exponent) {
      image |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
      if (!integer) image |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
      if (whole && !packed16) image |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
    }
  }
  if (!compressed) {
    if (!srgb) buffer |= VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
    if (!scaled) buffer |= VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    if (!scaled && whole && !packed16 && !shared_exponent) buffer |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  }
  if (f.format == VK_FORMAT_R32_UINT || f.format == VK_FORMAT_R32_SINT || f.format == VK_FORMAT_R32_SFLOAT) {
    image |= VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
    buffer |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
  }
  return {image, image, buffer};
}

namespace {
VkFormatProperties strict_properties(const FormatInfo& f) {
  VkFormatFeatureFlags image = 0, buffer = 0;
  if (f.tx != kNoCode) {
    image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT_KHR | VK_FORMAT_FEATURE_TRANSFER_DST_BIT_KHR;
    if (!is_depth_stencil(f)) image |= VK_FORMAT_FEATURE_BLIT_SRC_BIT;
    if (f.flags & kFilter) image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  }
  if (f.target != kNoCode) image |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
  if (f.flags & kBlend) image |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  if (f.flags & kDepth) image |= VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (f.psc != kNoCode) buffer |= VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
  // Every image is stored linear, so both tilings can do the same.
  return {image, image, buffer};
}
}  // namespace

VkFormatProperties properties_of(const FormatInfo& f) { return is_strict(f) ? strict_properties(f) : VkFormatProperties{}; }

VkFormatProperties r300_properties_of(const FormatInfo& f) {
  if (!is_strict(f)) return {};
  FormatInfo known = f;
  if (f.tx != kNoCode && f.tx > 31) known.tx = kNoCode;
  if (f.target == C::COLORFORMAT__ARGB2101010 || f.target == C::COLORFORMAT__ARGB10101010 || f.target == C::COLORFORMAT__UV1010) {
    known.target = kNoCode;
    known.flags &= static_cast<uint8_t>(~kBlend);
  }
  return strict_properties(known);
}

std::array<uint8_t, 4> texture_select(const FormatInfo& f) {
  std::array<uint8_t, 4> select{4, 4, 4, 5};
  if (f.format == VK_FORMAT_X8_D24_UNORM_PACK32 || f.format == VK_FORMAT_D24_UNORM_S8_UINT) {
    select[0] = 0;  // TX numbers the depth of 24_8 as component 0 although it sits above the stencil bits (pipeline s.6.4)
    return select;
  }
  const Layout l = layout_of(f);
  for (uint8_t i = 0; i < l.count; ++i)
    if (const int c = channel_index(l.component[i].channel); c >= 0) select[static_cast<size_t>(c)] = i;
  return select;
}

std::array<uint8_t, 4> target_channels(const FormatInfo& f) {
  const Layout l = layout_of(f);
  // Slots that are not stored carry alpha: the blender takes the source alpha from C3 even when the target keeps none.
  std::array<uint8_t, 4> channel{3, 3, 3, 3};
  for (uint8_t i = 0; i < l.count && i < f.out_slots.size(); ++i)
    channel[static_cast<size_t>(f.out_slots[i] - '0')] = static_cast<uint8_t>(channel_index(l.component[i].channel));
  return channel;
}

uint32_t target_mask(const FormatInfo& f, VkColorComponentFlags api) {
  const std::array<uint8_t, 4> channel = target_channels(f);
  uint32_t mask = 0, stored = 0;
  for (char slot : f.out_slots) {
    const uint32_t c = static_cast<uint32_t>(slot - '0');
    stored |= 1u << c;
    if (api >> channel[c] & 1) mask |= 1u << c;
  }
  // Mask bits of slots that hold no stored component follow the others: off only when all are off.
  if (mask) mask |= ~stored & 0xF;
  return mask;
}

}  // namespace pumice::icd
