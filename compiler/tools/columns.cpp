// SPDX-License-Identifier: MIT
/// See columns.h.
#include "compiler/tools/columns.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace pumice::compiler::tool {
namespace {

template <class Each>
void each_line(std::string_view text, Each each) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    each(std::string(text.substr(at, end - at)));
    at = end + 1;
  }
}

/// "a.frag:7"
bool is_place(std::string_view s) {
  const size_t colon = s.rfind(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < s.size() &&
         s.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

/// A line of a log, whose remark (";  a.frag:7, a.frag:9") is taken off and names its places.
Column::Line logged(const std::string& text) {
  const size_t remark = text.rfind("  ; ");
  if (remark == std::string::npos) return {text, {}};
  std::vector<std::string> places;
  for (size_t at = remark + 4; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    places.push_back(text.substr(at, end - at));
    if (!is_place(places.back())) return {text, {}};
    at = end + 2;
  }
  return {text.substr(0, remark), places};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%TITLE%</title><style>
body { font: 13px sans-serif; margin: 8px; background: #fff; color: #111 }
.sheet { display: flex; gap: 6px; overflow-x: auto; margin-bottom: 16px }
.column { flex: none; max-width: 60em; border: 1px solid #bbb }
.column.off { display: none }
.column h3 { margin: 0; padding: 2px 6px; background: #e8e8e8; font-size: 13px }
.column pre { margin: 0; padding: 2px 0; height: 78vh; overflow: auto; font: 12px monospace }
.column pre div { padding: 0 6px; min-height: 1.2em; white-space: pre }
.column pre div[data-p] { cursor: pointer }
.column pre div.on { background: #ffe28a }
.pick label { margin-right: 10px; white-space: nowrap }
</style></head><body>
)";
constexpr const char* kScript = R"(<script>
"use strict";
// A click on a line marks what comes from its source lines in all columns of the sheet, and shows the first of each.
for (const sheet of document.querySelectorAll(".sheet")) {
  const lines = [...sheet.querySelectorAll("div[data-p]")];
  sheet.addEventListener("click", e => {
    const line = e.target.closest("div[data-p]");
    if (!line) return;
    const places = new Set(line.dataset.p.split("|"));
    const seen = new Set([line.parentNode]);
    for (const l of lines) {
      const on = l.dataset.p.split("|").some(p => places.has(p));
      l.classList.toggle("on", on);
      if (!on || seen.has(l.parentNode)) continue;
      seen.add(l.parentNode);
      l.parentNode.scrollTop = l.offsetTop - l.parentNode.offsetTop - 60;
    }
  });
}
// "#a.frag:7" behind the address marks that line.
const wanted = decodeURIComponent(location.hash.slice(1));
if (wanted) [...document.querySelectorAll("div[data-p]")].find(l => l.dataset.p.split("|").includes(wanted))?.click();
for (const box of document.querySelectorAll(".pick input"))
  box.addEventListener("change", () => document.getElementById(box.value).classList.toggle("off", !box.checked));
</script></body></html>
)";

}  // namespace

Column source_column(const std::string& file, const std::string& text) {
  Column out{"source", {}};
  each_line(text, [&](const std::string& line) {
    const std::string number = std::to_string(out.lines.size() + 1);
    out.lines.push_back({std::string(4 - std::min<size_t>(number.size(), 4), ' ') + number + "  " + line, {file + ":" + number}});
  });
  return out;
}

std::string source_in(const std::string& spirv) {
  const size_t at = spirv.find("OpSource "), begin = at == std::string::npos ? at : spirv.find('"', at);
  if (begin == std::string::npos || spirv.find('\n', at) < begin) return {};
  std::string text;
  for (size_t i = begin + 1; i < spirv.size() && spirv[i] != '"'; ++i) {
    if (spirv[i] == '\\' && i + 1 < spirv.size()) ++i;
    text += spirv[i];
  }
  constexpr std::string_view kFirst = "#line 1\n";  // behind what glslang says of itself
  const size_t first = text.find(kFirst);
  if (first != std::string::npos) text.erase(0, first + kFirst.size());
  // glslang repeats the text of a single string.
  const size_t half = text.size() / 2;
  if (half && text.size() % 2 == 0 && std::string_view(text).substr(half) == std::string_view(text).substr(0, half)) text.resize(half);
  return text;
}

Column spirv_column(const std::string& spirv) {
  Column out{"SPIR-V", {}};
  std::map<std::string, std::string> files;  // OpString by id
  std::string place;
  bool in_source = false;
  each_line(spirv, [&](const std::string& line) {
    if (in_source) {
      in_source = !(line.ends_with('"') && !line.ends_with("\\\""));
      return;
    }
    const size_t op = line.find("Op");
    if (const size_t string = line.find(" = OpString \""); string != std::string::npos) {
      const size_t id = line.find('%'), from = string + 13;
      files[line.substr(id, string - id)] = line.substr(from, line.rfind('"') - from);
    } else if (op != std::string::npos && line.compare(op, 9, "OpSource ") == 0 && line.find('"') != std::string::npos) {
      in_source = !line.ends_with('"');
      out.lines.push_back({line.substr(0, line.find('"')) + "...", {}});
      return;
    } else if (op != std::string::npos && line.compare(op, 7, "OpLine ") == 0) {
      const size_t id = op + 7, number = line.find(' ', id) + 1;
      place = files[line.substr(id, number - 1 - id)] + ":" + line.substr(number, line.find(' ', number) - number);
      return;
    } else if (line.find("OpFunctionEnd") != std::string::npos || line.find("OpNoLine") != std::string::npos) {
      place.clear();
    }
    out.lines.push_back({line, place.empty() ? std::vector<std::string>() : std::vector{place}});
  });
  return out;
}

std::vector<Sheet> log_sheets(const std::string& log) {
  std::vector<Sheet> out;
  Column* column = nullptr;
  const auto begin = [&](const std::string& title) {
    if (out.empty()) out.emplace_back();
    column = &out.back().columns.emplace_back(Column{title, {}});
  };
  each_line(log, [&](const std::string& line) {
    if (line.starts_with("--- IR of ")) {
      out.push_back({line.substr(10), {}});
      column = nullptr;  // printed once more as "from SPIR-V"
    } else if (const size_t of = line.find(" of "); line.starts_with("--- ") && of != std::string::npos) {
      begin(line.substr(4, of - 4));
    } else if (line.starts_with("; from ")) {
      begin("IR from SPIR-V");
    } else if (line.starts_with("; after ")) {
      begin("IR after " + line.substr(8));
    } else if (column && !line.empty()) {
      column->lines.push_back(logged(line));
    }
  });
  return out;
}

std::string page_of(const std::vector<Sheet>& sheets, const std::string& title, const std::vector<std::string>& notes) {
  std::string out = kHead;
  out.replace(out.find("%TITLE%"), 7, escaped(title));
  for (const std::string& n : notes) out += "<p>" + escaped(n) + "</p>\n";
  size_t number = 0;
  for (const Sheet& s : sheets) {
    out += "<h2>" + escaped(s.title) + "</h2>\n<p class=\"pick\">";
    std::string columns;
    for (size_t i = 0; i < s.columns.size(); ++i) {
      const Column& c = s.columns[i];
      const std::string id = "c" + std::to_string(number++);
      // The IR as it comes and as the back end gets it; what is between them is a click away.
      const bool pass = c.title.ends_with(" operations") ||
                        (c.title.starts_with("IR after ") && i + 1 < s.columns.size() && s.columns[i + 1].title.starts_with("IR after "));
      out += "<label><input type=\"checkbox\" value=\"" + id + "\"" + (pass ? "" : " checked") + ">" + escaped(c.title) + "</label>";
      columns += "<div class=\"column" + std::string(pass ? " off" : "") + "\" id=\"" + id + "\"><h3>" + escaped(c.title) + "</h3><pre>";
      for (const Column::Line& l : c.lines) {
        std::string places;
        for (const std::string& p : l.places) places += (places.empty() ? "" : "|") + p;
        columns += (places.empty() ? "<div>" : "<div data-p=\"" + escaped(places) + "\">") + escaped(l.text) + "</div>";
      }
      columns += "</pre></div>\n";
    }
    out += "</p>\n<div class=\"sheet\">\n" + columns + "</div>\n";
  }
  return out + kScript;
}

}  // namespace pumice::compiler::tool
