#include "engine/program/script_rules.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "engine/program/packages.h"

namespace unroll::program {
namespace {

constexpr std::string_view allowed_python_functions =
    "abs all any ascii bin bool callable chr classmethod complex dict divmod enumerate filter float format frozenset "
    "hasattr hash hex id int isinstance issubclass iter len list map max min next object oct ord pow print property "
    "range repr reversed round set slice sorted staticmethod str sum super tuple zip NotImplemented Ellipsis "
    "Exception BaseException Warning StopIteration KeyboardInterrupt SystemExit";

constexpr std::string_view guarded_functions = "delattr getattr setattr type";

constexpr std::string_view dangerous_functions =
    "breakpoint compile eval exec globals help locals memoryview open vars";

// Without the underscores on both sides.
constexpr std::string_view special_methods =
    "init call len getitem setitem delitem contains iter next reversed enter exit repr str bool int float index hash "
    "eq ne lt le gt ge add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv mod rmod "
    "pow rpow matmul rmatmul imatmul neg pos abs invert and rand or ror xor rxor round post_init init_subclass doc "
    "name qualname constants";

constexpr std::string_view hidden_attributes =
    // running functions, and through them all variables; what classes are derived from
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await f_back f_builtins "
    "f_code f_globals f_locals f_trace tb_frame tb_next func_globals func_code mro "
    // texts that read attributes: only a text that stands right there may be formatted
    "format format_map "
    // files
    "tofile dump dumps from_file _write_file share_memory share_memory_ "
    // memory without types
    "ctypes storage untyped_storage typed_storage _storage _typed_storage _untyped_storage from_buffer set_ setfield "
    "getfield _reduce_ex_internal _make_subclass _make_wrapper_subclass module_load "
    // enumerations of what a module of Python contains, or with names that no class may define
    "_convert_ _create_ _member_map_ _value2member_map_ "
    // the compiler of PyTorch, and libraries of other languages
    "compile load_library _C";

// Each package, and which of its members a script may use: those that the lab has, or these.
constexpr std::string_view of_lab = "";
constexpr std::pair<std::string_view, std::string_view> packages[] = {
    {"torch", of_lab},
    {"torch.nn", of_lab},
    {"torch.nn.functional", of_lab},
    {"torch.nn.init", of_lab},
    {"torch.nn.parameter", of_lab},
    {"torch.nn.modules", of_lab},
    {"torch.nn.utils", of_lab},
    {"torch.nn.utils.rnn", of_lab},
    {"torch.linalg", "norm svdvals"},
    {"torch.cuda", "is_available device_count"},
    {"torch.autograd", "Variable"},
    {"torch.utils", " "},
    {"torch.utils.checkpoint", "checkpoint"},
    {"math", of_lab},
    {"random", of_lab},
    {"numpy", of_lab},
    {"numpy.random", of_lab},
    {"copy", "copy deepcopy"},
    {"dataclasses", "dataclass field fields asdict astuple replace is_dataclass"},
    {"typing",
     "Any Callable ClassVar Dict Final FrozenSet Generic Iterable Iterator List Literal Mapping NamedTuple NoReturn "
     "Optional Sequence Set Tuple Type TypeVar Union TYPE_CHECKING"},
    {"numbers", "Number Real Integral"},
    {"collections", "Counter OrderedDict defaultdict deque namedtuple"},
    {"collections.abc", "Callable Iterable Iterator Mapping Sequence"},
    {"functools", "cache cached_property lru_cache partial reduce total_ordering"},
    {"itertools",
     "accumulate chain combinations count cycle dropwhile groupby islice permutations product repeat starmap takewhile "
     "zip_longest"},
    {"operator", "add eq floordiv ge gt itemgetter le lt matmul mod mul ne neg pow sub truediv"},
    {"enum", "Enum IntEnum auto unique"},
    {"abc", "ABC abstractmethod"},
    {"contextlib", "nullcontext"},
    {"warnings", "filterwarnings simplefilter warn"},
    {"string", "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits printable punctuation whitespace"},
    {"einops", "einsum pack rearrange reduce repeat unpack"},
    {"einops.layers", " "},
    {"einops.layers.torch", "Rearrange Reduce"}};

// Members of the lab's packages that are more than a computation in PyTorch or NumPy: files, compilers, modules.
constexpr std::string_view left_out =
    "classes compile default_generator distributed frombuffer fromfile fromstring hub jit load loadtxt memmap "
    "multiprocessing ops package random.Random random.SystemRandom save savetxt savez set_default_tensor_type sys "
    "torch.nn.modules.functional torch.nn.modules.init torch.nn.modules.utils torch.random vectorize";

const std::string_view* members_named(std::string_view package) {
  const auto* found = std::ranges::find(packages, package, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(packages) ? nullptr : &found->second;
}

const std::set<std::string, std::less<>>& members_of_lab(std::string_view package) {
  static std::map<std::string, std::set<std::string, std::less<>>, std::less<>> all;
  const auto known = all.find(package);
  if (known != all.end()) return known->second;
  std::set<std::string, std::less<>>& members = all[std::string(package)];
  if (const std::optional<Value> found = find_package(package))
    for (std::string& each : names_in(*found->as<Package>())) members.insert(std::move(each));
  return members;
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return !word.empty();
  }
  return false;
}

bool is_python_function(std::string_view name) {
  return has_word(allowed_python_functions, name) || name.ends_with("Error") || name.ends_with("Warning");
}

bool is_guarded(std::string_view name) { return has_word(guarded_functions, name); }

bool is_dangerous(std::string_view name) { return has_word(dangerous_functions, name) || is_guarded(name); }

bool is_special_method(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__") &&
         has_word(special_methods, name.substr(2, name.size() - 4));
}

bool is_hidden(std::string_view name) { return has_word(hidden_attributes, name); }

std::string_view hidden_names() { return hidden_attributes; }

bool is_package_of_script(std::string_view package) { return members_named(package) != nullptr; }

bool is_member_of_script(std::string_view package, std::string_view member) {
  const std::string_view* members = members_named(package);
  if (!members || member.starts_with('_') || is_hidden(member)) return false;
  const std::string path = std::string(package) + "." + std::string(member);
  if (has_word(left_out, member) || has_word(left_out, path)) return false;
  return *members == of_lab ? members_of_lab(package).contains(member) : has_word(*members, member);
}

std::vector<std::string> members_of_script(std::string_view package) {
  const std::string_view* listed = members_named(package);
  if (!listed) return {};
  std::set<std::string, std::less<>> all = members_of_lab(package);
  for (std::size_t at = 0; at < listed->size();
       at = listed->find(' ', at) == std::string_view::npos ? listed->size() : listed->find(' ', at) + 1)
    all.emplace(listed->substr(at, listed->find(' ', at) - at));
  std::vector<std::string> members;
  for (const std::string& each : all)
    if (is_member_of_script(package, each) && !is_package_of_script(std::string(package) + "." + each))
      members.push_back(each);
  return members;
}

}  // namespace unroll::program
