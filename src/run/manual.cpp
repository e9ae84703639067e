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

/// A path as --set takes it: the first entry of lists, names chosen by the user omitted.
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

/// Keys for --set and --sweep.
std::vector<std::string> settable_keys(const AppInfo& info) {
  std::vector<std::string> keys;
  if (!schema::knows_program(info.name)) return keys;
  for (const auto* key : schema::keys_of(info.name)) {
    const std::string path = settable(key->path);
    keys.push_back(path.ends_with('.') ? path : path + "=");
  }
  return keys;
}

/// Kinds for --new.
std::vector<std::string> kinds_of(const AppInfo& info) {
  std::vector<std::string> kinds;
  if (!schema::knows_program(info.name)) return kinds;
  for (const auto& kind : template_kinds(info.name)) kinds.push_back(kind.first);
  return kinds;
}

/// Help inside the brackets and single quotes of a specification of zsh's _arguments.
std::string zsh_help(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

/// Completions of zsh after an option.
std::string zsh_words(const OptionHelp& option) {
  const auto is = [&](std::string_view name) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  };
  if (is("--set") || is("--sweep")) return ":key:_curlew_keys";
  if (is("--new")) return ":kind:_curlew_kinds";
  if (is("--device")) return ":device:(auto cpu cuda)";
  if (is("--precision")) return ":precision:(single double)";
  if (is("--output")) return ":output:_files";
  return option.value.empty() ? "" : ":" + zsh_help(option.value) + ":_files";
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
  std::vector<std::string> names;
  for (const auto& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  const auto keys = settable_keys(info), kinds = kinds_of(info);
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

std::string zsh_completion(const AppInfo& info, const std::vector<OptionHelp>& options) {
  std::string specifications;
  for (const auto& option : options)
    for (const auto& name : option.names)
      specifications += fmt::format(" \\\n  '*{}[{}]{}'", name, zsh_help(option.help), zsh_words(option));
  return fmt::format(
      R"(#compdef {name}
# zsh completion of {name}: a file _{name} in a folder of $fpath
_curlew_keys() {{ compadd -S '' -- {keys} }}
_curlew_kinds() {{ compadd -- {kinds} }}
_arguments{specifications} \
  '1:{input}:_files'
)",
      fmt::arg("name", info.name), fmt::arg("keys", fmt::format("{}", fmt::join(settable_keys(info), " "))),
      fmt::arg("kinds", fmt::format("{}", fmt::join(kinds_of(info), " "))),
      fmt::arg("specifications", specifications), fmt::arg("input", zsh_help(info.input_name)));
}

}  // namespace curlew::run
