# SPDX-License-Identifier: BSD-3-Clause
"""Positions of the definitions in C++ sources, by name, whatever their file: functions (members, templates, constructors
with their lists) and constants of namespaces and classes. No macro may open a brace.
"""
import re
from dataclasses import dataclass

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\w+|::|->|[-+*/<>=!]=|&&|[^\w\s]')
NO_CODE = re.compile(r'(//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*)|R"(\w*)\(.*?\)\2"|"(?:[^"\\\n]|\\.)*"|'
                     r"(?<!\w)'(?:[^'\\\n]|\\.)+'", re.S | re.M)
CLASSES = {"struct", "class", "union", "enum"}


@dataclass
class Definition:
    name: str   # with the classes around it, without namespaces: Mirror::phase
    begin: int  # of its text
    end: int


def blanked(text, literals):
    """The text with blanks for comments and preprocessor lines, with `literals` for these too: of the same length."""
    return NO_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[1] is not None or literals else m[0], text)


def pattern_of(words):
    """A regular expression that finds tokens, wherever a source breaks its lines between them."""
    tokens = TOKEN.findall(words)
    ends = [(r"(?<![\w.])", r"(?![\w])") if token[0].isdigit() else (r"\b", r"\b") if re.match(r"\w", token) else ("", "")
            for token in tokens]
    return re.compile(r"\s*".join(first + re.escape(token) + last for token, (first, last) in zip(tokens, ends)))


def closing(tokens, i):
    """Index of the bracket that closes the one at i."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k][0] in "({[") - (tokens[k][0] in ")}]")
        if depth == 0:
            return k
    return len(tokens) - 1


def without_template(head):
    while head[:1] == ["template"]:
        depth = 0
        for k, word in enumerate(head):
            depth += (word == "<") - (word == ">")
            if k > 0 and depth == 0:
                break
        head = head[k + 1:]
    return head


def name_before(head, end):
    """The name that ends before head[end]: A::b, ~A, operator()."""
    begin = head.index("operator") if "operator" in head[:end] else end - 1
    if begin < 0 or not re.match(r"[A-Za-z_]", head[begin]):
        return ""
    name = "".join(head[begin:end])
    if head[begin - 1:begin] == ["~"]:
        begin, name = begin - 1, "~" + name
    while head[begin - 1:begin] == ["::"]:
        begin -= 2
        if head[begin] == ">":  # A<T>::b
            begin = max(k for k in range(begin) if head[k] == "<") - 1
        name = f"{head[begin]}::{name}"
    return name


def name_of(head):
    """What a head (brackets empty, no template) defines, "" for nothing that has a name."""
    if "=" in head and "operator" not in head and "(" not in head[:head.index("=")]:
        return name_before(head, head.index("="))
    if "(" not in head:
        return name_before(head, len(head))
    first = head.index("(")
    return name_before(head, first + 2 if head[first - 1] == "operator" else first)


def definitions(text):
    """All definitions of a source, in its order."""
    tokens = [(m[0], m.start()) for m in TOKEN.finditer(blanked(text, literals=True))]
    found, scopes, head, begin, i = [], [], [], 0, 0  # scopes: names of the open classes, "" for a namespace

    def define(end):
        if name := name_of(without_template(head)):
            found.append(Definition("::".join([*filter(None, scopes), name]), tokens[begin][1], tokens[end][1] + 1))

    while i < len(tokens):
        word = tokens[i][0]
        if not head:
            begin = i
        if word in "([":
            if word == "(" or head[-1:] == ["operator"]:
                head += [word, ")" if word == "(" else "]"]
            i = closing(tokens, i)
        elif word == "}":
            scopes, head = scopes[:-1], []
        elif word == ";":
            if "=" in head or "{" in head:
                define(i)
            head = []
        elif word == ":" and head[-1:] in (["public"], ["private"], ["protected"]):
            head = []
        elif word == "{":
            plain = without_template(head)
            first = plain.index("(") if "(" in plain else len(plain)
            in_list = ":" in plain[first:] and plain[-1] not in ")}"
            if "namespace" in plain or (plain[:1] == ["extern"] and first == len(plain)):
                scopes, head = [*scopes, ""], []
            elif first == len(plain) and CLASSES & set(plain):
                kind = next(k for k, w in enumerate(plain) if w in CLASSES)
                names = [w for w in plain[kind + 1:] if re.match(r"[A-Za-z_]", w) and w not in CLASSES]
                scopes, head = [*scopes, names[0] if names else ""], []
            elif "=" in plain[:first] and "operator" not in plain or in_list or first == len(plain):
                head += ["{", "}"]  # the value of a constant, or of a member in a constructor's list
                i = closing(tokens, i)
            else:
                i = closing(tokens, i)
                define(i)
                head = []
        else:
            head.append(word)
        i += 1
    return found


def occurrences(text, known, name, words):
    """[(begin, end)] of tokens in those of a text's known definitions that have a name, which classes may qualify."""
    pattern = pattern_of(words)
    code = blanked(text, literals=False)
    return [match.span() for one in known if one.name == name or one.name.endswith("::" + name)
            for match in pattern.finditer(code, one.begin, one.end)]
