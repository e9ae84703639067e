// SPDX-License-Identifier: BSD-3-Clause
// Output of programs for a shell: manual page, completion, configs to start from.
#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace curlew::test {
namespace {

/// Long options that --help lists.
std::set<std::string> options_of(const std::string& help) {
  static const std::regex pattern("(?:^|\n) *(?:-[a-z], ?)?(--[a-z][a-z-]*)");
  std::set<std::string> names;
  for (std::sregex_iterator at(help.begin(), help.end(), pattern), end; at != end; ++at)
    names.insert((*at)[1]);
  return names;
}

class Manual : public ProgramTest, public testing::WithParamInterface<const char*> {};

TEST_P(Manual, PageAndCompletionHaveEveryOption) {
  const std::string program = GetParam();
  const auto options = options_of(run(program + " --help").out);
  const std::string page = run(program + " --man").out;
  const std::string completed =
      run("bash -c 'source <(" + program + " --completion) && COMP_WORDS=(" + program +
          " --) COMP_CWORD=1 && _curlew_${0//-/_} && echo ${COMPREPLY[@]}' " + program)
          .out;

  EXPECT_GT(options.size(), 8U);
  for (const std::string& option : options) {
    EXPECT_NE(page.find(std::regex_replace(option, std::regex("-"), "\\-")), std::string::npos) << option;
    EXPECT_NE((" " + completed).find(" " + option), std::string::npos) << option << " in " << completed;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Manual, testing::Values("fem-solve", "mom2d", "em-mesh"),
                         [](const auto& test) {
                           std::string name = test.param;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

class Shell : public ProgramTest {};

TEST_F(Shell, PageHasEveryKeyAndCompletionOffersThem) {
  const std::string page = run("fem-solve --man").out;
  const auto complete = [&](const std::string& before, const std::string& word) {
    return run("bash -c 'source <(fem-solve --completion) && COMP_WORDS=(fem-solve " + before + " \"" + word +
               "\") COMP_CWORD=2 && _curlew_fem_solve && echo ${COMPREPLY[@]}'")
        .out;
  };

  EXPECT_NE(page.find("\n.B mesh.wavelength_fraction\n"), std::string::npos);
  EXPECT_EQ(complete("--set", "mesh.si"), "mesh.size=\n");
  EXPECT_EQ(complete("--sweep", "port.0.mo"), "port.0.modes=\n");
  EXPECT_EQ(complete("--new", "patch_f"), "patch_fr4\n");
  EXPECT_EQ(complete("--device", "c"), "cpu cuda\n");
}

/// zsh itself reads the script and offers words behind --device; its own sums of words need a terminal.
TEST_F(Shell, ZshReadsItsCompletion) {
  if (std::system("command -v zsh >/dev/null 2>&1") != 0) GTEST_SKIP() << "zsh is not there";
  const std::string script = run("fem-solve --completion zsh").out;
  EXPECT_EQ(script.substr(0, 19), "#compdef fem-solve\n");
  const std::string offered =
      run("zsh -fc 'compadd() { print -r -- $* }; _files() {}; _arguments() { print -rl -- $* }; "
          "source <(fem-solve --completion zsh); _curlew_keys; _curlew_kinds'")
          .out;
  EXPECT_NE(offered.find("*--device[auto, cpu or cuda (default\\: auto)]:device:(auto cpu cuda)"),
            std::string::npos)
      << offered;
  EXPECT_NE(offered.find(" mesh.size= "), std::string::npos);
  EXPECT_NE(offered.find(" patch_fr4 "), std::string::npos);
}

TEST_F(Shell, MachineNamesBuildMachineAndLibraries) {
  const std::string info = run("fem-solve --machine").out;
  for (const char* line : {"program: fem-solve (curlew) ", "\nbuild: ", "\nprocessor: ", "\nGPU: ",
                           "\nlibrary: libopenblas", "\nlibrary: libhdf5"})
    EXPECT_NE(info.find(line), std::string::npos) << line << " in\n" << info;
}

TEST_F(Shell, NewWritesAConfigThatRuns) {
  const Ended fem = run("(fem-solve --new patch && fem-solve patch_fr4.toml --dry-run)"),
              mom = run("(mom2d --new d_shape -o here && mom2d here/d_shape.toml --dry-run)");
  EXPECT_EQ(fem.status, 0) << fem.err;
  EXPECT_NE(fem.out.find("written: patch_fr4.toml, patch_fr4.geo\n"), std::string::npos) << fem.out;
  EXPECT_EQ(mom.status, 0) << mom.err;
  EXPECT_TRUE(exists("here/d_shape.geo"));

  const Ended again = run("fem-solve --new patch");
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.err,
            "fem-solve: --new patch: ./patch_fr4.toml is there already: -o DIR writes elsewhere\n");
  const std::string next = "(rm patch_fr4.toml && fem-solve --new patch)";  // another config of that geometry
  EXPECT_EQ(run(next).status, 0);
  EXPECT_EQ(run("(echo >> patch_fr4.geo && " + next + ")").status, 2);
  const Ended unknown = run("mom2d --new horn");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err.find("mom2d: --new horn: mom2d has circle, "), 0U) << unknown.err;
}

TEST_F(Shell, EveryKindBringsTheFilesThatItNames) {
  const Ended kinds = run("fem-solve --new");
  std::istringstream lines(kinds.out);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(' ')));
  ASSERT_GT(names.size(), 10U);
  std::string all = "true";
  for (const auto& name : names) all += " && fem-solve --new " + name + " -o " + name;
  ASSERT_EQ(run("(" + all + ")").status, 0);

  for (const auto& name : names) {
    const std::string config = io::read_text_file(path(name + "/" + name + ".toml"));
    std::smatch match;
    if (std::regex_search(config, match, std::regex("\nfile = \"([^\"]*)\""))) {
      EXPECT_TRUE(exists(name + "/" + match[1].str())) << name;
    }
  }
}

}  // namespace
}  // namespace curlew::test
