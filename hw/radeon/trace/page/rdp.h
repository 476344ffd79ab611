// SPDX-License-Identifier: MIT
/// A recording of the RDP (hw/rdp/recorder.h) as a page: a draw for each primitive.
#pragma once
#include "hw/radeon/trace/page/page_data.h"

namespace pumice::hw::trace {

/// Whether the file begins as a dump of an RDP.
bool is_rdp(const std::string& path);
/// Plays it; why it cannot be, or empty. `draws`: primitives that it has.
std::string read_rdp(const std::string& path, const PageOptions& options, PageData& data, uint64_t& draws);

}  // namespace pumice::hw::trace
