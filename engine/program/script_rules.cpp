#include "engine/program/script_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/program/packages.h"

namespace unroll::program {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array python_functions = {"abs"sv,          "all"sv,
                                         "any"sv,          "bin"sv,
                                         "bool"sv,         "callable"sv,
                                         "chr"sv,          "complex"sv,
                                         "dict"sv,         "divmod"sv,
                                         "enumerate"sv,    "filter"sv,
                                         "float"sv,        "format"sv,
                                         "frozenset"sv,    "hasattr"sv,
                                         "hash"sv,         "hex"sv,
                                         "id"sv,           "int"sv,
                                         "isinstance"sv,   "issubclass"sv,
                                         "iter"sv,         "len"sv,
                                         "list"sv,         "map"sv,
                                         "max"sv,          "min"sv,
                                         "next"sv,         "object"sv,
                                         "oct"sv,          "ord"sv,
                                         "pow"sv,          "print"sv,
                                         "property"sv,     "range"sv,
                                         "repr"sv,         "reversed"sv,
                                         "round"sv,        "set"sv,
                                         "slice"sv,        "sorted"sv,
                                         "staticmethod"sv, "str"sv,
                                         "sum"sv,          "super"sv,
                                         "tuple"sv,        "zip"sv,
                                         "classmethod"sv,  "NotImplemented"sv,
                                         "Ellipsis"sv,     "Exception"sv,
                                         "Warning"sv,      "BaseException"sv,
                                         "StopIteration"sv};

constexpr std::array guarded_functions = {"delattr"sv, "getattr"sv, "setattr"sv, "type"sv};

constexpr std::array dangerous_functions = {"breakpoint"sv, "compile"sv, "eval"sv,       "exec"sv, "globals"sv,
                                            "help"sv,       "locals"sv,  "memoryview"sv, "open"sv, "vars"sv};

// Without the underscores.
constexpr std::array special_methods = {
    "init"sv,  "call"sv,      "len"sv,     "getitem"sv,  "setitem"sv,  "delitem"sv,   "contains"sv,     "iter"sv,
    "next"sv,  "reversed"sv,  "enter"sv,   "exit"sv,     "repr"sv,     "str"sv,       "bool"sv,         "int"sv,
    "float"sv, "index"sv,     "hash"sv,    "eq"sv,       "ne"sv,       "lt"sv,        "le"sv,           "gt"sv,
    "ge"sv,    "add"sv,       "radd"sv,    "iadd"sv,     "sub"sv,      "rsub"sv,      "isub"sv,         "mul"sv,
    "rmul"sv,  "imul"sv,      "truediv"sv, "rtruediv"sv, "itruediv"sv, "floordiv"sv,  "rfloordiv"sv,    "mod"sv,
    "rmod"sv,  "pow"sv,       "rpow"sv,    "matmul"sv,   "rmatmul"sv,  "imatmul"sv,   "neg"sv,          "pos"sv,
    "abs"sv,   "invert"sv,    "and"sv,     "rand"sv,     "or"sv,       "ror"sv,       "xor"sv,          "rxor"sv,
    "round"sv, "post_init"sv, "doc"sv,     "name"sv,     "qualname"sv, "constants"sv, "init_subclass"sv};

constexpr std::array hidden_attributes = {
    // running functions, and through them all variables
    "gi_frame"sv, "gi_code"sv, "gi_yieldfrom"sv, "cr_frame"sv, "cr_code"sv, "cr_await"sv, "cr_origin"sv, "ag_frame"sv,
    "ag_code"sv, "ag_await"sv, "f_back"sv, "f_builtins"sv, "f_code"sv, "f_globals"sv, "f_locals"sv, "f_trace"sv,
    "tb_frame"sv, "tb_next"sv, "func_globals"sv, "func_code"sv, "mro"sv,
    // texts that read attributes; what is .format of a text that stands there is looked into
    "format"sv, "format_map"sv,
    // files
    "tofile"sv, "dump"sv, "dumps"sv, "from_file"sv, "_write_file"sv, "share_memory"sv, "share_memory_"sv,
    // memory, and what is not typed
    "ctypes"sv, "storage"sv, "untyped_storage"sv, "typed_storage"sv, "_storage"sv, "_typed_storage"sv,
    "_untyped_storage"sv, "from_buffer"sv, "set_"sv, "setfield"sv, "getfield"sv, "_reduce_ex_internal"sv,
    "_make_subclass"sv, "_make_wrapper_subclass"sv, "module_load"sv,
    // enumerations of what a module of Python contains, or of names that no class may define
    "_convert_"sv, "_create_"sv, "_member_map_"sv, "_value2member_map_"sv,
    // the compiler of PyTorch, and libraries of other languages
    "compile"sv, "load_library"sv, "_C"sv};

// Members of the lab's packages that in Python give more than a computation: they change attributes by computed names,
// run a text, or hand internals to a program's own methods.
constexpr std::array left_out = {"abc.ABCMeta"sv,
                                 "contextlib.contextmanager"sv,
                                 "dataclasses.make_dataclass"sv,
                                 "enum.EnumMeta"sv,
                                 "functools.wraps"sv,
                                 "functools.update_wrapper"sv,
                                 "inspect.stack"sv,
                                 "io.open"sv,
                                 "torch.compile"sv,
                                 "torch.hub"sv,
                                 "torch.jit"sv,
                                 "torch.load"sv,
                                 "torch.ops"sv,
                                 "torch.save"sv,
                                 "torch.set_default_tensor_type"sv,
                                 "types.SimpleNamespace"sv,
                                 "typing.get_type_hints"sv,
                                 "numpy.load"sv,
                                 "numpy.save"sv,
                                 "numpy.frombuffer"sv,
                                 "torch.frombuffer"sv,
                                 "torch.from_file"sv};

// Those whose members the lab knows only as words: a script has nothing of them.
constexpr std::array packages_left_out = {
    "__future__"sv, "argparse"sv, "ctypes"sv,  "importlib"sv, "inspect"sv,     "io"sv,     "json"sv,     "logging"sv,
    "operator"sv,   "os"sv,       "pathlib"sv, "pickle"sv,    "re"sv,          "shutil"sv, "struct"sv,   "subprocess"sv,
    "sys"sv,        "tempfile"sv, "tqdm"sv,    "types"sv,     "unicodedata"sv, "urllib"sv, "builtins"sv, "unroll"sv};

bool contains(const auto& list, std::string_view name) { return std::ranges::find(list, name) != std::end(list); }

const std::set<std::string, std::less<>>& members_of(std::string_view package) {
  static std::map<std::string, std::set<std::string, std::less<>>, std::less<>> all;
  const auto known = all.find(package);
  if (known != all.end()) return known->second;
  std::set<std::string, std::less<>>& members = all[std::string(package)];
  if (const std::optional<Value> found = find_package(package))
    for (std::string& each : names_in(*found->as<Package>())) members.insert(std::move(each));
  return members;
}

}  // namespace

bool is_python_function(std::string_view name) {
  return contains(python_functions, name) || name.ends_with("Error") || name.ends_with("Warning");
}

bool is_guarded(std::string_view name) { return contains(guarded_functions, name); }

bool is_dangerous(std::string_view name) { return contains(dangerous_functions, name) || is_guarded(name); }

bool is_special_method(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__") &&
         contains(special_methods, name.substr(2, name.size() - 4));
}

bool is_hidden(std::string_view name) { return contains(hidden_attributes, name); }

bool is_package_of_script(std::string_view package) {
  const std::string_view first = package.substr(0, package.find('.'));
  return !contains(packages_left_out, first) && !contains(left_out, package) && find_package(package).has_value();
}

bool is_member_of_script(std::string_view package, std::string_view member) {
  if (!is_package_of_script(package) || member.starts_with('_') || is_hidden(member)) return false;
  return !contains(left_out, std::string(package) + "." + std::string(member)) && members_of(package).contains(member);
}

}  // namespace unroll::program
