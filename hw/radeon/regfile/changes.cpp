// SPDX-License-Identifier: MIT
/// See changes.h. Ranges as in the register manual; registers that only command or count are in no group.
#include "hw/radeon/regfile/changes.h"

#include "hw/db/regs_r500.h"

namespace pumice::hw {

uint8_t Changes::of(uint32_t offset) {
  switch (offset) {
    case regs::VAP_VF_CNTL::offset:  // part of the draw itself
    case regs::GA_US_VECTOR_INDEX::offset:
    case regs::GA_US_VECTOR_DATA::offset:
    case regs::GA_IDLE::offset:
    case regs::VAP_PVS_VECTOR_INDX_REG::offset:
    case regs::RB3D_DSTCACHE_CTLSTAT::offset:
    case regs::ZB_ZCACHE_CTLSTAT::offset:
    case regs::ZB_ZMASK_WRINDEX::offset:
    case regs::ZB_ZMASK_DWORD::offset:
    case regs::ZB_ZMASK_RDINDEX::offset:
    case regs::ZB_HIZ_OFFSET::offset:
    case regs::ZB_HIZ_WRINDEX::offset:
    case regs::ZB_HIZ_DWORD::offset:
    case regs::ZB_HIZ_RDINDEX::offset:
    case regs::ZB_HIZ_PITCH::offset:
    case regs::ZB_ZPASS_DATA::offset:
    case regs::ZB_ZPASS_ADDR::offset: return 0;
    case regs::VAP_OUT_VTX_FMT_0::offset:
    case regs::VAP_OUT_VTX_FMT_1::offset:
    case regs::VAP_CLIP_CNTL::offset: return kVertex | kRaster;
    case regs::US_FC_BOOL_CONST::offset: return kConstants;
    case regs::RB3D_COLOR_CLEAR_VALUE_AR::offset:
    case regs::RB3D_COLOR_CLEAR_VALUE_GB::offset: return kOutput;
    default: break;
  }
  if (offset >= regs::US_OUT_FMT::offset && offset <= regs::US_OUT_FMT::at(regs::US_OUT_FMT::count - 1)) return kOutput | kShader;
  if (offset < 0x1D00 || offset >= 0x5000) return 0;  // CP, bus, 2D
  if (offset < 0x4000) return kVertex;
  if (offset < 0x4100) return kRaster | kOutput | kShader | kVertex;  // GB
  if (offset < 0x4200) return kTexture | kRaster | kShader;           // TX_ENABLE and neighbours
  if (offset < 0x4300) return kRaster | kOutput | kVertex;            // GA, SU: fog, point size, provoking vertex
  if (offset < 0x4400) return kRaster | kOutput | kShader;            // SC, RS
  if (offset < 0x4600) return kTexture;
  if (offset < 0x4BC0) return kShader;
  if (offset < 0x4C00) return kOutput | kShader;  // FG
  if (offset < 0x4E00) return kConstants;
  return kOutput;  // RB3D, ZB
}

}  // namespace pumice::hw
