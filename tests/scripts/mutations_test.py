#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/mutations on a project of one file: what is caught, survives, does not build, does not end, and is put back.

usage: mutations_test.py SOURCE_DIR
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = """#include <unistd.h>
static int unseen(void) { return 4; }
int main(void) { return 2 * 3 == 6 && unseen() > 0 ? 0 : (int)sleep(0) + 1; }
"""
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(one C)
enable_testing()
function(curlew_test name)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/src/a.c)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
add_subdirectory(tests)
"""
ENTRIES = {"factor": ("main", "2 * 3", "2 + 3"), "hidden": ("unseen", "return 4", "return 5"), "broken": ("main", ">\n0", "> no"),
           "endless": ("main", "int main(void) {", "int main(void) { sleep(100);")}


def entry(name, function, pattern, replacement, test="a_test"):
    return (f"[[mutation]]\nname = \"{name}\"\nwrong = \"{name}\"\nfunction = \"{function}\"\npattern = '''{pattern}'''\n"
            f"replacement = '''{replacement}'''\ntests = [\"{test}\"]\n")


def expect(condition, *words):
    if not condition:
        sys.exit("mutations_test: " + " ".join(str(w) for w in words))


class Project:
    def __init__(self, folder):
        self.folder = folder
        for name in ("scripts", "src", "tests"):
            (folder / name).mkdir()
        for name in ("mutations", "cpp_definitions.py"):
            shutil.copy(f"{sys.argv[1]}/scripts/{name}", folder / "scripts")
        for name, text in {"src/a.c": SOURCE, "CMakeLists.txt": CMAKE, ".gitignore": "/build/\n",
                           "tests/CMakeLists.txt": "curlew_test(a_test)\n"}.items():
            (folder / name).write_text(text)
        self.list("".join(entry(name, *texts) for name, texts in ENTRIES.items()))
        subprocess.run(["cmake", "-S", folder, "-B", folder / "build"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        self.commit()

    def list(self, text):
        (self.folder / "tests" / "mutations.toml").write_text(text)

    def commit(self):
        as_somebody = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "add", "-A"], cwd=self.folder, check=True)
        subprocess.run(["git", *as_somebody, "commit", "-qm", "one"], cwd=self.folder, check=True)

    def command(self, *options):
        return [sys.executable, self.folder / "scripts" / "mutations", "--build", self.folder / "build", *options]

    def run(self, status, says, *options):
        done = subprocess.run(self.command(*options), capture_output=True, text=True)
        expect(done.returncode == status and says in done.stdout + done.stderr, options, "ended with", done.returncode,
               done.stdout, done.stderr)
        expect((self.folder / "src" / "a.c").read_text() == SOURCE, options, "left a changed file")


def stop_in_the_middle(project):
    child = subprocess.Popen(project.command("--only", "endless", "--no-baseline"), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    source = project.folder / "src" / "a.c"
    end = time.monotonic() + 60
    while source.read_text() == SOURCE and time.monotonic() < end:
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGINT)
    expect(child.wait(60) == 130, "Ctrl-C ended with", child.returncode)
    expect(source.read_text() == SOURCE, "Ctrl-C left a changed file")


CPP = """#include "a{b"  // {
namespace room {
constexpr double least = 0.5, /* { */ most{2};
template <class T = int, int n = 3>
struct Box : Base<T> {
  explicit Box(int a, const T& o = {}) : a_{a}, b_(f(a)) { use("}"); }
  ~Box() { a_ = '{'; }
  [[nodiscard]] auto operator()(int i) const -> std::vector<T> { return [i](int k) { return i + k; }; }
  int a_ = 1;
};
template <class T>
void Box<T>::add(T x) {
  if (g(x)) { a_ += x; }
}
int declared(int = 3);
}
"""


def definitions_by_name():
    sys.path.insert(0, sys.argv[1] + "/scripts")
    from cpp_definitions import definitions, occurrences
    known = definitions(CPP)
    expect([one.name for one in known] ==
           ["least", "Box::Box", "Box::~Box", "Box::operator()", "Box::a_", "Box::add"], known)
    for name, pattern, count in [("Box", "f(a)", 1), ("~Box", "a_", 1), ("add", "a_ +=\nx", 1), ("Box::add", "a_", 1),
                                 ("dd", "a_", 0), ("least", "0.5", 1), ("least", "5", 0), ("operator()", "i", 3)]:
        expect(len(occurrences(CPP, known, name, pattern)) == count, name, pattern)


definitions_by_name()
with tempfile.TemporaryDirectory() as name:
    one = Project(pathlib.Path(name))
    one.run(0, "", "--check")
    one.run(0, "2 hidden: hidden", "--list")
    one.run(0, "| factor | a.c | a_test: ", "--only", "1")
    one.run(1, "0 of 1 caught\nsurvived: 2 hidden", "--only", "hid")
    one.run(2, "does not build: 3 broken", "--only", "1-3")
    one.run(0, "a_test: no end after 1 s", "--only", "4", "--timeout", "1")
    one.run(2, "no mutation has that number or name", "--only", "9")
    one.run(2, "is no build folder", "--build", str(one.folder))
    stop_in_the_middle(one)
    (one.folder / "new").write_text("")
    one.run(2, "not committed", "--only", "1")
    for bad, says in [(entry("a", "main", "2 * 4", "1"), "stands 0 times in main, not once"),
                      (entry("a", "unseen", "2 * 3", "1"), "stands 0 times in unseen, not once"),
                      (entry("a", "main", ">", "1").replace("tests", 'room = "b"\ntests'), "stands 0 times in main, not once"),
                      (entry("a", "main", "0", "1"), "stands 3 times in main (src/a.c), not once"),
                      (entry("a", "main", "2 * 3", "2 * 3"), "it changes nothing"),
                      (entry("a", "main", "2 * 3", "1", "b_test"), "no CMakeLists.txt has curlew_test(b_test"),
                      (entry("a", "main", "2 * 3", "1") * 2, "a: the name stands twice"),
                      (entry("a", "main", "2 * 3", "1").replace("wrong", "right"), "has the keys"),
                      ("[[mutation", "mutations.toml")]:
        one.list(bad)
        one.run(2, says, "--check")
    one.list(entry("a", "main", "2 * 3", "1"))
    (one.folder / "src" / "a.c").write_text(SOURCE.replace("== 6", "== 7"))
    SOURCE = (one.folder / "src" / "a.c").read_text()
    one.commit()
    one.run(2, "fails on the unchanged sources", "--only", "1")
