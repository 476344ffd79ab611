// SPDX-License-Identifier: MIT
/// The page as a file: the template with what a recording has.
#pragma once
#include "hw/radeon/trace/page/page_data.h"

namespace pumice::hw::trace {

/// False: the file cannot be written.
bool write_page(const std::string& path, const std::string& title, const PageData& data, const PageOptions& options);

}  // namespace pumice::hw::trace
