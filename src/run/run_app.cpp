// SPDX-License-Identifier: BSD-3-Clause
#include "run/run_app.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <system_error>

#include "base/blas_kernels.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/restart.hpp"
#include "base/temporary_folder.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "io/schema/check.hpp"
#include "io/schema/schema.hpp"
#include "lint/lint.hpp"
#include "material/library.hpp"
#include "report/report.hpp"
#include "run/file_identity.hpp"
#include "run/folder_lock.hpp"
#include "run/run_state.hpp"
#include "run/share.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// Time limit after Ctrl-C or SIGTERM for code that does not check the flag: schedulers wait 30 s before they
/// kill.
constexpr int seconds_to_answer = 10;

bool is_other_input(const AppInfo& info, const std::string& input) {
  const std::string extension = fs::path(input).extension().string();
  return std::find(info.other_inputs.begin(), info.other_inputs.end(), extension) != info.other_inputs.end();
}

io::Config load_config(const AppInfo& info, const Options& options, bool has_config) {
  const bool has_keys = !info.output_file;
  const auto extension = fs::path(options.input).extension().string();
  if (extension == ".toml" && info.input_name.find(extension) == std::string::npos)
    throw InputError(fmt::format("{}: is a config, must be {}", options.input, info.input_name));
  if (!has_config && (!options.sweeps.empty() || (!has_keys && !options.sets.empty())))
    throw InputError(
        fmt::format("{} needs a config, {} is none", has_keys ? "--sweep" : "--set", options.input));
  if (has_config &&
      std::set<std::string>{".geo", ".step", ".stp", ".brep", ".msh", ".stl"}.contains(extension))
    throw InputError(fmt::format(
        "{}: is a geometry, must be a config (.toml) whose [mesh] file names it: --new writes one",
        options.input));
  io::Config config = has_config ? io::Config::load(options.input) : io::Config();
  for (const auto& text : options.sets) {
    const auto [path, value] = split_assignment(text, "--set");
    config.set(path, value);
  }
  return config;
}

std::string output_of(const AppInfo& info, const Options& options) {
  if (!options.output.empty() || info.output_file) return options.output;
  const char* kind =
      options.sweeps.empty() ? "" : "_sweep";  // beside a single run, whose files it would replace
  return (fs::path("results") / fs::path(options.input).stem()).string() + kind;
}

/// The table, summary and report of a sweep would replace those of a single run.
void require_no_single_run(const std::string& folder) {
  const std::string path = (fs::path(folder) / "summary.json").string();
  if (!fs::is_regular_file(path)) return;
  const auto summary = nlohmann::json::parse(io::read_text_file(path), nullptr, false);
  if (summary.is_object() && summary.value("status", "") == "done" && !summary.contains("sweep"))
    throw InputError(
        fmt::format("--output {}: contains the results of a single run, which the sweep would replace: name "
                    "another folder",
                    folder));
}

/// Makes the folder and its run.log, so that an unwritable folder is found before hours of work. If the name
/// is that of a file, the option is wrong; other errors are those of the disk.
void open_folder(const std::string& folder, const std::string& owner, bool resumes, bool& is_new,
                 std::optional<FolderLock>& lock) {
  std::error_code fault;
  is_new = !fs::exists(folder, fault);
  fs::create_directories(folder, fault);
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw InputError(fmt::format("--output {}: is a file, must be a folder", folder));
  if (fault == std::errc::not_a_directory)
    throw InputError(fmt::format("--output {}: a folder of the path is a file", folder));
  if (fault)
    throw ResourceError(fmt::format("--output {}: the folder cannot be made ({})", folder, fault.message()));
  lock.emplace(folder, owner, resumes);
  io::remove_stale_parts(folder);
  const std::string log_file = (fs::path(folder) / "run.log").string();
  ::unlink(log_file.c_str());  // do not follow links or wait for pipes
  std::FILE* probe = std::fopen(log_file.c_str(), "wbx");
  if (probe == nullptr)
    throw ResourceError(fmt::format("--output {}: cannot be written ({})", folder, std::strerror(errno)));
  std::fclose(probe);
  log::set_file(log_file);
}

void write_resolved(const io::Config& config, Run& run) {
  const std::string text = fmt::format(
      "# {} {}: {} with options applied and all defaults filled in.\n# exp(+jwt), SI units unless a key says "
      "otherwise; "
      "paths are relative to the folder of that file.\n{}",
      run.provenance().program, CURLEW_VERSION, run.input(), config.to_toml());
  io::write_text_file(run.output("resolved.toml"), text);
}

void warn_of(const std::vector<std::string>& findings, Run& run) {
  for (const auto& text : findings) run.warn(text);
}

void tell_of_blas(Run& run) {
  const BlasKernels kernels = blas_kernels();
  if (kernels.name.empty()) return;
  log::debug("BLAS: kernels {}, {}", kernels.name, kernels.reason);
  if (kernels.slow)
    run.warn(
        fmt::format("OpenBLAS uses its kernels for {}, older than this processor: factorisations take up to "
                    "four times as long; OPENBLAS_CORETYPE=Haswell or SkylakeX may help",
                    kernels.name));
}

/// Files that an earlier run wrote, by its summary, and this one does not: they would look like results of
/// this run.
std::vector<fs::path> outdated_files(const RunState& state) {
  const fs::path folder(state.output), summary_file = folder / "summary.json";
  if (!fs::is_regular_file(summary_file) || !state.stopped.empty()) return {};
  const auto summary = nlohmann::json::parse(io::read_text_file(summary_file.string()), nullptr, false);
  if (!summary.is_object() || summary.value("program", "") != state.info->name) return {};
  std::vector<fs::path> outdated;
  for (const auto& file : summary.value("files", nlohmann::json::array())) {
    const auto path = folder / fs::path(file.is_string() ? file.get<std::string>() : "").filename();
    const bool is_ours =
        std::ranges::any_of(state.files, [&](const auto& ours) { return fs::path(ours.path()) == path; });
    const bool is_read = std::ranges::any_of(state.dependencies, [&](const auto& read) {
      return fs::path(read.path).filename() == path.filename();
    });
    if (!is_ours && !is_read && fs::is_regular_file(path)) outdated.push_back(path);
  }
  return outdated;
}

/// Moves the files to the output folder. An older summary is removed first, since it would describe a mixture
/// if the process is killed here.
void commit(RunState& state) {
  std::error_code ignored;
  if (!state.info->output_file) {
    for (const auto& path : outdated_files(state)) fs::remove(path, ignored);
    fs::remove(fs::path(state.output) / "summary.json", ignored);
  }
  for (auto& file : state.files) file.commit();
  if (state.stopped.empty())
    for (const auto& path : state.needless) fs::remove(path, ignored);
}

void write_summary(const RunState& state, const nlohmann::ordered_json& summary) {
  io::write_text_file((fs::path(state.output) / "summary.json").string(),
                      summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

/// Results are written already: errors of the page do not fail the run.
void write_report(const RunState& state, const io::Config& config, const nlohmann::ordered_json& summary) {
  if (!state.options->report) return;
  try {
    report::write_report(state.output, summary, {title_of(config), config.text(), state.tables, state.lines});
  } catch (const std::exception& e) {
    log::warn("warning: report.html was not written, the other files are complete: {}", e.what());
  }
}

/// After a failure: no parts; the summary says what happened. After wrong input a new folder is removed.
void clean_up(RunState& state, const Outcome& outcome, bool folder_is_new) {
  state.files.clear();
  if (state.options->dry_run || state.info->output_file) return;
  std::error_code ignored;
  if (outcome.status == exit_input) {
    log::set_file("");
    if (folder_is_new) {
      fs::remove(fs::path(state.output) / "run.log", ignored);
      fs::remove(state.output, ignored);  // only if empty
    }
    return;
  }
  try {
    write_summary(state, make_summary(state, outcome));
  } catch (const ResourceError&) {  // the disk may have failed: the error is reported anyway
  }
}

Outcome run_all(const AppInfo& info, const Options& options, const AppBody& body) {
  const bool decided_elsewhere = options.threads == 0 && std::getenv("OMP_NUM_THREADS") != nullptr;
  if (!decided_elsewhere) set_num_threads(options.threads);
  const Device device = select_device(options.device);
  const bool has_config = !info.output_file && !is_other_input(info, options.input);
  const io::Config config = load_config(info, options, has_config);
  config.allow({"title"});
  const Context context{info, options, body, device, has_config};
  std::optional<TemporaryFolder> hidden;
  if (!is_first(info.processes))
    hidden.emplace(fmt::format("{}-process-{}", info.name, info.processes->rank()));
  const std::string output = hidden ? hidden->path() + "/results" : output_of(info, options);
  if (info.has_own_jobs && (options.share || options.join))
    throw InputError(fmt::format("--array and --join are not for {}: it has --jobs", info.name));
  if (!options.sweeps.empty() && !options.dry_run) require_no_single_run(output);
  if (options.share) return execute_share(context, config, output);
  if (options.join) return execute_join(context, config, output);
  if (options.jobs > 1 && device == Device::cuda && !options.dry_run && !info.has_own_jobs)
    return execute_jobs(context, config, output);
  if (!options.sweeps.empty()) return execute_sweep(context, config, output);
  Run run(make_state(context, config, output));
  nlohmann::json summary;
  if (is_resumed_done(context, config, run.state(), summary)) {
    log::info("{}: done before, skipped", output);
    io::remove_stale_parts(output);
    return {};
  }
  const Outcome outcome = execute(context, config, run, "", summary);
  if ((outcome.status == exit_done || outcome.error == run.state().failure) && !options.dry_run) {
    print_tables(run.state());
    if (!info.output_file) log::info("results in {}", output);
  }
  return outcome;
}

/// If a standard stream is closed, the next opened file would get its number, and messages would go into
/// results. The placeholder cannot be read or written, like a closed stream.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)  // open takes the lowest number that is free
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// OpenBLAS allocates a buffer of this size per thread and retries forever, in threads that start before main
/// and delay its end: if a memory limit prevents it, the program must exit immediately.
void require_room_for_blas() {
  constexpr std::size_t buffer = (std::size_t(128) << 20) + (std::size_t(1) << 16);
  void* const trial = mmap(nullptr, buffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (trial != MAP_FAILED) {
    munmap(trial, buffer);
    return;
  }
  log::error(
      "the limit on memory (ulimit) leaves less than 128 MiB for each thread, which programs need to start");
  std::_Exit(exit_resource);
}

/// Whether a message begins with a file or an option. Checks of a model know neither.
bool names_place(const std::string& message) {
  std::error_code fault;
  return message.starts_with("--") || fs::exists(message.substr(0, message.find(':')), fault);
}

}  // namespace

std::string title_of(const io::Config& config) {
  return config.kind("title") == io::Config::Kind::string ? config.get<std::string>("title") : "";
}

Outcome outcome_of_exception() {
  const auto ended = [](int status, std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');  // one line, even for messages of libraries
    return Outcome{status, std::move(text)};
  };
  try {
    throw;
  } catch (const InputError& e) {
    return ended(exit_input, e.what());
  } catch (const NumericalError& e) {
    return ended(exit_numerical, e.what());
  } catch (const ResourceError& e) {
    return ended(exit_resource, e.what());
  } catch (const Interrupted& e) {
    return ended(exit_interrupted, e.what());
  } catch (const std::filesystem::filesystem_error& e) {  // such as a name that is too long
    return ended(exit_input, fmt::format("{}: {}", e.path1().string(), e.code().message()));
  } catch (const std::system_error& e) {  // such as a full disk under a library
    return ended(exit_resource, e.what());
  } catch (const std::bad_alloc&) {
    return ended(
        exit_resource,
        fmt::format("out of memory: {:.2f} GiB are available now; --dry-run prints what each stage needs",
                    gib(available_memory())));
  } catch (const std::exception& e) {
    return ended(exit_numerical, fmt::format("internal error: {}", e.what()));
  }
}

bool is_resumed_done(const Context& context, const io::Config& config, const RunState& state,
                     nlohmann::json& summary) {
  if (!context.options.resume || context.info.output_file) return false;
  const auto* processes = context.info.processes;
  const bool own = is_done(state, summary);
  if (!(processes != nullptr ? processes->decide(own) : own)) {
    const bool changed = summary.is_object() && (summary.value("status", "") == "done" ||
                                                 summary.value("inputs_hash", "") != state.inputs_hash);
    if (changed)
      log::info("{}: the input or a result has changed since that run: what depends on it is computed again",
                state.output);
    return false;
  }
  const fs::path folder(state.output), said = folder / "summary.json";
  if (!fs::exists(folder / "report.html") && fs::exists(said))  // of other processes the folder is empty
    write_report(state, config, nlohmann::ordered_json::parse(io::read_text_file(said.string())));
  return true;
}

void throw_again(const Outcome& outcome) {
  switch (outcome.status) {
    case exit_input:
      throw InputError(outcome.error);
    case exit_resource:
      throw ResourceError(outcome.error);
    case exit_interrupted:
      throw Interrupted();
    default:
      throw NumericalError(outcome.error);
  }
}

std::unique_ptr<RunState> make_state(const Context& context, const io::Config& config,
                                     const std::string& output) {
  auto state = std::make_unique<RunState>();
  const Options& options = *(state->options = &context.options);
  state->info = &context.info;
  state->device = context.device;
  state->has_config = context.has_config;
  state->output = output;
  state->family_sizes = options.family;
  state->is_first_of_family = !fs::exists(options.family);
  state->started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const std::string inputs = config.inputs_toml();
  const bool as_written = options.sets.empty() && options.sweeps.empty();
  state->provenance = {context.info.name, options.input, as_written ? config.text() : inputs};
  std::string identity = fmt::format("{} {} {} {}\n{}", context.info.name, CURLEW_VERSION,
                                     build_identity(context.info.name), int(options.precision), inputs);
  for (const auto& [name, values] : options.own)
    identity += fmt::format("--{} {}\n", name, fmt::join(values, " "));
  std::error_code fault;
  if (!context.info.output_file)
    for (const auto& file : context.has_config ? named_files(config) : std::vector{options.input}) {
      if (!fs::is_regular_file(file, fault)) continue;
      state->dependencies.push_back({file, file_identity(file)});
      identity += state->dependencies.back().hash + "\n";
    }
  state->inputs_hash = hash_text(identity);
  return state;
}

Outcome execute(const Context& context, const io::Config& given, Run& run, const std::string& label,
                nlohmann::json& summary) {
  io::Config config = given;  // a view: the document is shared
  RunState& state = run.state();
  const bool dry_run = context.options.dry_run, has_folder = !context.info.output_file;
  bool folder_is_new = false;
  Outcome outcome;
  std::optional<FolderLock> lock;
  try {
    if (context.has_config) config.check_schema(context.info.name);
    if (has_folder) {
      config.evaluate(context.info.name);
      material::apply_library(config, context.info.name);
    }
    if (has_folder && !dry_run)
      open_folder(state.output, context.info.name + " " + context.options.input, context.options.resume,
                  folder_is_new, lock);
    if (!dry_run) tell_of_blas(run);
    if (context.has_config) warn_of(lint::likely_mistakes(config, context.info.name), run);
    context.body(config, run);
    if (state.share && !dry_run)
      throw InputError("--array: this run has no list of frequencies to share; give a --sweep");
    config.check_unknown_keys();
    if (io::schema::is_checking() && io::schema::knows_program(context.info.name)) check_results(state);
    if (dry_run) {
      const auto count = state.warnings.size();
      if (context.options.lint && count == 0) run.line("no likely mistakes found");
      print_plan(state);
      if (context.options.lint && count > 0)
        outcome = {exit_numerical, fmt::format("{} likely mistake{}", count, count == 1 ? "" : "s")};
    } else {
      if (has_folder && context.has_config) write_resolved(config, run);
      if (!state.failure.empty()) outcome = {exit_numerical, state.failure};
      if (!state.stopped.empty()) outcome = {exit_interrupted, state.stopped};
      auto made = make_summary(state, outcome);
      check_interrupt();
      const InterruptHold hold;  // results are moved together
      commit(state);
      if (has_folder) {
        write_report(state, config, made);
        write_summary(state, made);
      }
      if (!state.stopped.empty()) log::error("{}{}", label, outcome.error);
      summary = std::move(made);
      if (!state.failure.empty()) log::error("{}{}", label, state.failure);
    }
  } catch (const ShareDone&) {
    state.files.clear();
  } catch (...) {
    outcome = outcome_of_exception();
    if (outcome.status == exit_input && context.has_config && !names_place(outcome.error))
      outcome.error = fmt::format("{}: {}", config.file(), outcome.error);
    const bool may_resume = outcome.status == exit_interrupted && !context.info.output_file;
    log::error("{}{}{}", label, outcome.error, may_resume ? ": --resume continues from what is saved" : "");
    lock.reset();
    clean_up(state, outcome, folder_is_new);
    summary = make_summary(state, outcome);
  }
  log::set_file("");
  return outcome;
}

namespace {
/// An allocation failure inside a parallel loop ends the program without an exception: no bug.
[[noreturn]] void end_without_memory() {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread reports it
  if (std::current_exception() != nullptr) {
    const Outcome outcome = outcome_of_exception();
    log::error("{}", outcome.error);
    io::remove_all_parts();
    if (outcome.status == exit_resource) std::_Exit(exit_resource);
  }
  std::abort();
}
}  // namespace

int run_app(const AppInfo& info, int argc, char** argv, const AppBody& body) {
  restart_with_right_settings(argv);
  occupy_standard_streams();
  log::start(info.name, log::Verbosity::normal);
  std::set_terminate(end_without_memory);
  require_room_for_blas();
  try {
    auto options = parse_options(info, argc, argv);
    if (!options) return exit_done;
    if (!is_first(info.processes)) options->verbosity = log::Verbosity::quiet;
    log::start(info.name, options->verbosity);
    spdlog::default_logger()->set_error_handler(
        [](const std::string&) {});  // a full disk is reported once, as an error
    spdlog::default_logger()->flush_on(spdlog::level::debug);
    if (options->precision == Precision::single_precision && !info.has_single_precision) {
      log::warn("--precision single: {} computes in double precision", info.name);
      options->precision = Precision::double_precision;
    }
    Progress::set_enabled(options->verbosity != log::Verbosity::quiet);
    at_forced_exit(io::remove_all_parts);
    install_interrupt_handler();
    limit_interrupts(
        seconds_to_answer,
        fmt::format("{}: interrupted: it did not stop within {} s and was ended{}\n", info.name,
                    seconds_to_answer, info.output_file ? "" : "; --resume continues from saved solutions"));
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes an error of the write, with status 3
    return run_all(info, *options, body).status;
  } catch (...) {
    const Outcome outcome = outcome_of_exception();
    log::error("{}", outcome.error);
    return outcome.status;
  }
}

}  // namespace curlew::run
