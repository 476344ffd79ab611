// SPDX-License-Identifier: MIT
/// pumice-compile --html: source, SPIR-V, IR after each pass and microcode of each shader in columns beside each other; what comes from one
/// source line is marked in all of them together.
#pragma once
#include <string>
#include <vector>

namespace pumice::compiler::tool {

struct Column {
  struct Line {
    std::string text;
    std::vector<std::string> places;  ///< source lines: "a.frag:7"
  };
  std::string title;
  std::vector<Line> lines;
};
/// The columns of one shader.
struct Sheet {
  std::string title;
  std::vector<Column> columns;
};

/// Source text, its lines being places of `file`.
Column source_column(const std::string& file, const std::string& text);
/// The text that OpSource holds in a disassembly; empty: none.
std::string source_in(const std::string& spirv);
/// A disassembly with OpLine, without the text of OpSource.
Column spirv_column(const std::string& spirv);
/// Of Result::log: IR after each pass, operations, microcode. Sheets are named by shaders, as the log names them.
std::vector<Sheet> log_sheets(const std::string& log);

/// One self-contained page. `notes`: lines above everything.
std::string page_of(const std::vector<Sheet>& sheets, const std::string& title, const std::vector<std::string>& notes);

}  // namespace pumice::compiler::tool
