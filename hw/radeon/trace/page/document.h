// SPDX-License-Identifier: MIT
/// The page as a file: the template with what a recorder kept.
#pragma once
#include "hw/radeon/trace/page/recorder.h"

namespace pumice::hw::trace {

/// False: the file cannot be written.
bool write_page(const std::string& path, const std::string& title, Profile profile, const PageRecorder& recorder,
                const PageOptions& options);

}  // namespace pumice::hw::trace
