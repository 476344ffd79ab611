// SPDX-License-Identifier: MIT
/// PUMICE_LOG=FILE: the application's requests and whether they were granted or refused, for `./pumice doctor` (icd/doctor.py).
/// Each line is a JSON object {"pid", "topic", "asked", "got", "ok"}, appended immediately; a process writes each line only once.
#pragma once
#include <string_view>

namespace pumice::icd {

/// Whether there is a log. Callers that make long texts look at it first.
bool journal_wanted();
/// `topic` is one of those of doctor.py.
void journal(const char* topic, std::string_view asked, std::string_view got, bool ok);

}  // namespace pumice::icd
