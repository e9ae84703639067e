// SPDX-License-Identifier: BSD-3-Clause
#include "run/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "curlew/build.hpp"
#include "io/schema/schema.hpp"
#include "run/templates.hpp"

namespace curlew::run {
namespace {

namespace schema = io::schema;

/// Text for roff: hyphens that can be copied, no request at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

/// A path as --set takes it: the first entry of lists, names of the user left to type.
std::string settable(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.substr(i, 2) == "[]") {
      out += ".0";
      ++i;
    } else if (path[i] != '*') {
      out += path[i];
    }
  }
  return out;
}

std::string function_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return "_curlew_" + name;
}

}  // namespace

std::string man_page(const AppInfo& info, const std::vector<OptionHelp>& options) {
  std::string text = fmt::format(".TH {} 1 \"\" \"curlew {}\" \"curlew\"\n.SH NAME\n{} \\- {}\n",
                                 roff(info.name), CURLEW_VERSION, roff(info.name), roff(info.summary));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n.I {}\n[\n.I options\n]\n.SH OPTIONS\n", roff(info.name),
                      roff(info.input_name));
  for (const auto& option : options)
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(fmt::format("{}", fmt::join(option.names, ", "))),
                        option.value.empty() ? "" : " " + roff(option.value), roff(option.help));
  if (schema::knows_program(info.name)) {
    text += ".SH KEYS OF THE CONFIG\n";
    for (const auto* key : schema::keys_of(info.name)) {
      text += fmt::format(".TP\n.B {}\n{}: {}", roff(key->path), roff(schema::name_of(key->type)),
                          roff(key->help));
      if (!key->unit.empty()) text += fmt::format(" [{}]", roff(key->unit));
      if (!key->range.empty()) text += fmt::format(", {}", roff(key->range));
      if (!key->fallback.empty() && key->fallback != "required")
        text += fmt::format(", default {}", roff(key->fallback));
      text += key->fallback == "required" ? ", required\n" : "\n";
    }
  }
  text += ".SH EXIT STATUS\n0 done, 1 numerical failure, 2 bad input, 3 no resources, 130 interrupted.\n";
  return text + fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(info.example));
}

std::string bash_completion(const AppInfo& info, const std::vector<OptionHelp>& options) {
  std::vector<std::string> names, valued, keys, kinds;
  for (const auto& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.value.empty()) valued.insert(valued.end(), option.names.begin(), option.names.end());
  }
  if (schema::knows_program(info.name)) {
    for (const auto* key : schema::keys_of(info.name)) {
      const std::string path = settable(key->path);
      keys.push_back(path.ends_with('.') ? path : path + "=");
    }
    for (const auto& kind : template_kinds(info.name)) kinds.push_back(kind.first);
  }
  const std::string function = function_name(info.name);
  return fmt::format(R"(# bash completion of {name}
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  case $before in
    --set|--sweep) COMPREPLY=($(compgen -W "{keys}" -- "$word")); compopt -o nospace 2>/dev/null; return 0;;
    --device) COMPREPLY=($(compgen -W "auto cpu cuda" -- "$word")); return;;
    --precision) COMPREPLY=($(compgen -W "single double" -- "$word")); return;;
    --keys|--results|--materials) COMPREPLY=($(compgen -W "json" -- "$word")); return;;
    --new) COMPREPLY=($(compgen -W "{kinds}" -- "$word")); return;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "{options}" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
  fi
  return 0
}}
complete -F {function} {name}
)",
                     fmt::arg("name", info.name), fmt::arg("function", function),
                     fmt::arg("keys", fmt::format("{}", fmt::join(keys, " "))),
                     fmt::arg("kinds", fmt::format("{}", fmt::join(kinds, " "))),
                     fmt::arg("options", fmt::format("{}", fmt::join(names, " "))));
}

}  // namespace curlew::run
