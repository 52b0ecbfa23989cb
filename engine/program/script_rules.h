// Names an exported script may use.
//
// A script for PyTorch contains the text of a program, which may come from a stranger's link, and Python knows more
// than the lab does: open, eval, a path from any object to all of Python. So a program leaves the lab only if it can do
// nothing there but compute. The rule has five parts, which script_names.cpp checks in every line, also in those that
// the lab has never run:
//
//  1. A name is bound by the program where it is used, or it is a function of Python in `is_python_function`, an
//     exception, a constant of the program, or a name of the lab, which the script defines (script_prelude.h). Outside
//     of functions, a name that is not bound yet means what Python has under it; so no variable there may have the name
//     of a function that is dangerous (`is_dangerous`) or one of the script's own.
//  2. What is imported is among the packages and members in script_rules.cpp, which are some of those that the lab has
//     (packages.h). A package is no value: each use of it is `package.member`, and the member is looked up
//     here. So a package cannot come to be called by another name, and no attribute of any value is a package.
//  3. An attribute may have any name but those that lead out of computing (`is_hidden`): frames, files, memory. Of
//  those
//     that begin with two underscores it is one of the methods that classes define (`is_special_method`), or __name__.
//     x.__dict__ becomes a dictionary that takes no other keys; x.__class__ is read for its __name__ only.
//  4. A class defines of such methods the same. Others answer to Python itself: numpy would read memory at an address
//     that __array_interface__ gives, and @dataclass runs what is written in __annotations__. For the same reason
//     getattr, setattr and delattr check the names that they are given, and type takes one argument.
//  5. What the parser has not kept cannot be checked: functions with yield or async, match. Types are never evaluated,
//     as the script begins with `from __future__ import annotations`.
//
// A line that breaks the rule and stands in a function or a branch is written as a comment, with a `raise` before it:
// what the lab has run does without it, or the program would not have run (script_text.h). Elsewhere the program is
// refused with the sentence of that line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unroll::program {

// Of Python, and harmless: len, isinstance, ValueError.
bool is_python_function(std::string_view name);
// Of Python; the script has one of its own, which checks the names of attributes.
bool is_guarded(std::string_view name);
// Of Python, and no variable outside of functions may be called like this.
bool is_dangerous(std::string_view name);

// "__len__", which a class may define, and which may be called.
bool is_special_method(std::string_view name);
// "f_globals", "tofile".
bool is_hidden(std::string_view name);
// All of these, with spaces between them.
std::string_view hidden_names();

// Whether a script may import this package, "torch.nn.functional", and use this member of it.
bool is_package_of_script(std::string_view package);
bool is_member_of_script(std::string_view package, std::string_view member);
// All members but smaller packages, which getattr(package, name) may find.
std::vector<std::string> members_of_script(std::string_view package);

// Whether the words of a list, which spaces separate, have this one.
bool has_word(std::string_view words, std::string_view word);

}  // namespace unroll::program
