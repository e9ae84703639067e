// SPDX-License-Identifier: BSD-3-Clause
#include "run/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "io/nearest.hpp"
#include "io/schema/result.hpp"
#include "io/schema/schema.hpp"
#include "material/library.hpp"
#include "run/machine_info.hpp"
#include "run/manual.hpp"
#include "run/share.hpp"
#include "run/templates.hpp"

namespace curlew::run {
namespace {

constexpr std::string_view positional = "INPUT";  // CLI11's name for what the user knows as info.input_name

/// "matrix-market" of "-m,--matrix-market".
std::string long_name(const std::string& names) {
  const auto at = names.find("--");
  const auto start = at == std::string::npos ? names.find_first_not_of('-') : at + 2;
  return names.substr(start, names.find(',', start) - start);
}

std::string footer(const AppInfo& info) {
  return fmt::format(
      "Example:\n  {}\n\nExit status: 0 done, 1 numerical failure, 2 bad input, 3 no resources, 130 "
      "interrupted.\n",
      info.example);
}

/// CLI11's message as one line, with the nearest existing option.
std::string one_line(const CLI::App& app, const AppInfo& info, const CLI::ParseError& error) {
  std::string text = error.what();
  if (text.starts_with(positional)) text.replace(0, positional.size(), info.input_name);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto at = text.find("--");
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || at == std::string::npos)
    return text + (dynamic_cast<const CLI::RequiredError*>(&error) && !template_kinds(info.name).empty()
                       ? " (--new writes one; see --help)"
                       : " (see --help)");
  std::vector<std::string> known;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string given = text.substr(at, text.find_first_of(" =", at) - at);
  return fmt::format("unknown option {} (nearest: {}; see --help)", given, io::nearest_word(given, known));
}

/// Once, however many processes there are.
void show(const AppInfo& info, const std::string& text) {
  if (is_first(info.processes)) fmt::print("{}", text);
}

/// "text" or "json" after an option that lists names; empty if the option is not given.
std::string listing(std::string_view option, int argc, char** argv) {
  const auto at = std::find(argv, argv + argc, option);
  if (at == argv + argc) return "";
  const std::string_view format = at + 1 < argv + argc ? at[1] : "text";
  if (format != "text" && format != "json")
    throw InputError(fmt::format("{} {}: must be text or json", option, format));
  return std::string(format);
}

/// True for `--keys`, `--results` and `--materials`, each with `json` or without: prints keys of configs,
/// results of the program, or the library of materials.
bool print_names(const AppInfo& info, int argc, char** argv) {
  namespace schema = io::schema;
  if (info.output_file) return false;
  if (const auto format = listing("--keys", argc, argv); !format.empty()) {
    show(info, format == "json" ? schema::as_json_schema(info.name) : schema::as_text(info.name));
    return true;
  }
  if (const auto format = listing("--materials", argc, argv); !format.empty()) {
    show(info, format == "json" ? material::materials_as_json() : material::materials_as_text());
    return true;
  }
  const auto format = listing("--results", argc, argv);
  if (format.empty()) return false;
  show(info, format == "json" ? schema::results_as_json(info.name) : schema::results_as_text(info.name));
  return true;
}

/// True for `--new KIND`: writes a config with its geometry into the folder given by -o, or the current one.
bool write_new(const AppInfo& info, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto at = std::find(words.begin(), words.end(), "--new");
  if (at == words.end() || info.output_file) return false;
  if (at + 1 == words.end() || (at + 1)->starts_with('-')) {
    for (const auto& [kind, title] : template_kinds(info.name))
      show(info, fmt::format("{:<27} {}\n", kind, title));
    return true;
  }
  if (!is_first(info.processes)) return true;
  std::string folder = ".";
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "-o" || words[i] == "--output") folder = words[i + 1];
  const auto files = write_template(info.name, *(at + 1), folder);
  fmt::print("written: {}\nnext: {} {}\n", fmt::join(files, ", "), info.name, files[0]);
  return true;
}

/// Help texts of the options, for the manual page and for completion.
std::vector<OptionHelp> option_helps(const CLI::App& app) {
  std::vector<OptionHelp> helps;
  for (const auto* option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    OptionHelp help{{}, "", option->get_description()};
    for (const auto& name : option->get_snames()) help.names.push_back("-" + name);
    for (const auto& name : option->get_lnames()) help.names.push_back("--" + name);
    if (option->get_items_expected() > 0)
      help.value = option->get_option_text().empty() ? "VALUE" : option->get_option_text();
    helps.push_back(std::move(help));
  }
  return helps;
}

/// True for --man, --completion and --machine.
bool print_manual(const CLI::App& app, const AppInfo& info, int argc, char** argv) {
  const auto given = [&](std::string_view option) {
    return std::find(argv, argv + argc, option) != argv + argc;
  };
  if (given("--man"))
    show(info, man_page(info, option_helps(app)));
  else if (given("--completion"))
    show(info,
         given("zsh") ? zsh_completion(info, option_helps(app)) : bash_completion(info, option_helps(app)));
  else if (given("--machine"))
    show(info, machine_info(info.name));
  else
    return false;
  return true;
}

void add_shared_options(CLI::App& app, const AppInfo& info, Options& options, std::string& precision,
                        std::string& share) {
  app.add_option(std::string(positional), options.input, "the input file")
      ->required()
      ->option_text(info.input_name);
  app.add_option("-o,--output", options.output,
                 info.output_file
                     ? "file to write"
                     : "folder of the results (default: results/NAME, of a sweep results/NAME_sweep)")
      ->option_text(info.output_file ? "FILE" : "DIR");
  app.add_option("--device", options.device, "auto, cpu or cuda (default: auto)")->option_text("NAME");
  app.add_option("--threads", options.threads, "CPU threads, 0 for all (default: 0)")->option_text("N");
  app.add_option("--precision", precision, "single or double (default: double)")
      ->check(CLI::IsMember({"single", "double"}))
      ->option_text("NAME");
  app.add_flag_callback(
      "--man", [] {}, "print the manual page, and end");
  app.add_flag_callback(
      "--completion", [] {}, "print a completion script for bash, and end; --completion zsh for zsh");
  app.add_flag_callback(
      "--machine", [] {}, "print version, machine, GPU and libraries, for bug reports, and end");
  app.add_flag("--dry-run", options.dry_run,
               "check everything, print sizes, memory and time, without solving");
  if (!info.output_file) {
    app.add_option("--set", options.sets, "set a key of the config; repeatable")
        ->option_text("KEY=VALUE")
        ->allow_extra_args(false)
        ->trigger_on_parse(false);
    app.add_option("--sweep", options.sweeps, "run over values of a key; repeatable, for all combinations")
        ->option_text("KEY=a:b:n|v1,v2,...")
        ->allow_extra_args(false);
    app.add_option("--jobs", options.jobs,
                   "frequencies, or points of a sweep, computed at once (default: as cores and memory allow)")
        ->option_text("N")
        ->check(CLI::Range(1, 1024));
    app.add_option("--array", share,
                   "run share I of N of a sweep, or of the frequencies; continues after what is done")
        ->option_text("I/N");
    app.add_flag("--join", options.join, "join the results of all --array tasks, as one run writes them");
    app.add_flag_callback(
        "--keys", [] {}, "print the keys of a config, and end: --keys, or --keys json for a JSON Schema");
    app.add_flag_callback(
        "--results", [] {}, "print what the program writes, with units, and end; --results json as JSON");
    app.add_flag_callback(
        "--materials", [] {},
        "print the library of materials, with sources, and end; --materials json as JSON");
    app.add_flag_callback(
        "--new", [] {},
        "write a config and its geometry to start from, and end: --new KIND [-o DIR]; --new alone lists the "
        "kinds");
    app.add_flag_callback(
        "--lint", [&options] { options.dry_run = options.lint = true; },
        "as --dry-run, with status 1 where a mistake is likely");
    app.add_flag_callback(
        "--no-report", [&options] { options.report = false; }, "write no report.html");
    app.add_option("--family", options.family)->group("");
    app.add_flag("--resume", options.resume,
                 "skip what is done: points of a sweep, frequencies, passes, iterations");
  }
}

}  // namespace

std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0) {
    throw InputError(fmt::format("{} {}: must be {}", option, text,
                                 option == "--sweep" ? "key=a:b:n or key=v1,v2,..." : "key=value"));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<Options> parse_options(const AppInfo& info, int argc, char** argv) {
  if (print_names(info, argc, argv) || write_new(info, argc, argv)) return std::nullopt;
  Options options;
  std::string precision = "double", share;
  CLI::App app(info.summary, info.name);
  add_shared_options(app, info, options, precision, share);
  int verbose = 0, quiet = 0;
  app.add_flag("-v,--verbose", verbose, "log everything");
  app.add_flag("-q,--quiet", quiet, "log errors only");
  app.set_version_flag("--version", fmt::format("{} (curlew) {}", info.name, CURLEW_VERSION));
  app.footer(footer(info));
  for (const auto& own : info.options) {
    const std::string name = long_name(own.names);
    if (own.takes_value) {
      app.add_option(own.names, options.own[name], own.help)
          ->option_text(own.value_name)
          ->allow_extra_args(false);
    } else {
      app.add_flag_callback(
          own.names, [&options, name] { options.own[name] = {"true"}; }, own.help);
    }
  }

  if (print_manual(app, info, argc, argv)) return std::nullopt;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    if (is_first(info.processes)) app.exit(e);
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    throw InputError(one_line(app, info, e));
  }
  if (verbose > 0 && quiet > 0) throw InputError("-v and -q exclude each other");
  if (verbose > 0) options.verbosity = log::Verbosity::verbose;
  if (quiet > 0) options.verbosity = log::Verbosity::quiet;
  if (!share.empty()) options.share = parse_share(share);
  if (int(options.share.has_value()) + int(options.join) + int(options.jobs > 1) > 1)
    throw InputError("--array, --join and --jobs exclude each other");
  options.command.assign(argv + 1, argv + argc);
  if (precision == "single") options.precision = Precision::single_precision;
  std::erase_if(options.own, [](const auto& entry) { return entry.second.empty(); });
  return options;
}

}  // namespace curlew::run
