#include "engine/program/package_members.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>

#include "engine/program/library.h"
#include "engine/program/objects.h"
#include "engine/program/packages.h"

namespace unroll::program {
namespace {

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<Value> maybe(const Builtin* builtin) { return builtin ? std::optional<Value>(builtin) : std::nullopt; }

void add_names(std::vector<std::string>& names, std::span<const Builtin> part) {
  for (const Builtin& each : part) names.emplace_back(each.name);
}

// ── torch ────────────────────────────────────────────────────────────────────────────────────────────────────────────

// Operations on tensors that torch.nn.functional has, and torch has not.
constexpr std::string_view only_functional[] = {"adaptive_avg_pool2d",
                                                "avg_pool2d",
                                                "binary_cross_entropy",
                                                "cross_entropy",
                                                "elu",
                                                "elu_",
                                                "gelu",
                                                "glu",
                                                "gumbel_softmax",
                                                "hardsigmoid",
                                                "hardswish",
                                                "hardtanh",
                                                "huber_loss",
                                                "l1_loss",
                                                "leaky_relu",
                                                "linear",
                                                "logsigmoid",
                                                "mish",
                                                "mse_loss",
                                                "multi_head_attention_forward",
                                                "nll_loss",
                                                "normalize",
                                                "one_hot",
                                                "pad",
                                                "relu6",
                                                "scaled_dot_product_attention",
                                                "silu",
                                                "smooth_l1_loss",
                                                "softmin",
                                                "softplus",
                                                "softshrink",
                                                "softsign",
                                                "tanhshrink"};
// Operations that both have.
constexpr std::string_view also_functional[] = {"adaptive_avg_pool1d",
                                                "alpha_dropout",
                                                "avg_pool1d",
                                                "batch_norm",
                                                "bilinear",
                                                "binary_cross_entropy_with_logits",
                                                "celu",
                                                "conv1d",
                                                "conv2d",
                                                "conv_transpose1d",
                                                "conv_transpose2d",
                                                "cosine_embedding_loss",
                                                "cosine_similarity",
                                                "dropout",
                                                "embedding",
                                                "group_norm",
                                                "hardshrink",
                                                "instance_norm",
                                                "kl_div",
                                                "layer_norm",
                                                "log_softmax",
                                                "margin_ranking_loss",
                                                "max_pool1d",
                                                "max_pool2d",
                                                "pairwise_distance",
                                                "prelu",
                                                "relu",
                                                "relu_",
                                                "rms_norm",
                                                "selu",
                                                "sigmoid",
                                                "softmax",
                                                "tanh",
                                                "threshold",
                                                "triplet_margin_loss"};
// Methods of tensors that are no functions of torch. (Nor are those that change a tensor: add_.)
constexpr std::string_view only_methods[] = {
    "backward",     "bool",   "byte",        "contiguous", "cpu",       "cuda",     "data_ptr", "dim",
    "double",       "expand", "expand_as",   "float",      "half",      "bfloat16", "int",      "is_contiguous",
    "item",         "long",   "ndimension",  "nelement",   "new_empty", "new_full", "new_ones", "new_tensor",
    "new_zeros",    "numpy",  "repeat",      "reshape_as", "short",     "size",     "stride",   "to",
    "tolist",       "type",   "type_as",     "unfold",     "view",      "view_as",  "astype",   "copy",
    "masked_fill_", "nbytes", "element_size"};

bool is_of_torch(std::string_view name) {
  return !is_one_of(only_functional, name) && !is_one_of(only_methods, name) && !name.ends_with('_');
}

struct TypeWord {
  std::string_view name, text;
  Type type;
};
constexpr TypeWord type_words[] = {
    {"float32", "torch.float32", Type::real},   {"float", "torch.float32", Type::real},
    {"float64", "torch.float64", Type::real},   {"double", "torch.float64", Type::real},
    {"float16", "torch.float16", Type::real},   {"half", "torch.float16", Type::real},
    {"bfloat16", "torch.bfloat16", Type::real}, {"int64", "torch.int64", Type::integer},
    {"long", "torch.int64", Type::integer},     {"int32", "torch.int32", Type::integer},
    {"int", "torch.int32", Type::integer},      {"int16", "torch.int16", Type::integer},
    {"short", "torch.int16", Type::integer},    {"int8", "torch.int8", Type::integer},
    {"uint8", "torch.uint8", Type::integer},    {"bool", "torch.bool", Type::boolean},
};

std::optional<Value> type_word(std::string_view name) {
  const auto* found = std::ranges::find(type_words, name, &TypeWord::name);
  if (found == std::end(type_words)) return std::nullopt;
  return word_of(Word::Kind::type, std::string(found->text), found->type);
}

std::optional<Value> number_named(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  return std::nullopt;
}

std::optional<Value> of_torch(const std::string& name) {
  if (name == "no_grad" || name == "inference_mode") return word_of(Word::Kind::other, "no_grad");
  if (const std::optional<Value> word = type_word(name)) return word;
  if (const std::optional<Value> number = number_named(name)) return number;
  if (name == "__version__") return std::string("2.4.0");
  if (name == "strided" || name == "contiguous_format" || name == "preserve_format" || name == "channels_last")
    return word_of(Word::Kind::other, "torch." + name);
  if (name != "Parameter")
    if (const Builtin* type = find_in(tensor_types(), name)) return type;
  if (!is_of_torch(name)) return std::nullopt;
  const Builtin* function = find_tensor_function(name);
  return maybe(function ? function : find_method(name));
}

std::vector<std::string> names_of_torch() {
  std::vector<std::string> names{"inf", "nan", "pi", "e", "no_grad", "inference_mode", "strided", "contiguous_format"};
  for (const TypeWord& each : type_words) names.emplace_back(each.name);
  add_names(names, tensor_types());
  for (const Library* library : {&tensor_functions_by_name(), &methods()})
    for (const auto& [name, builtin] : *library)
      if (is_of_torch(name)) names.emplace_back(name);
  std::erase(names, "Parameter");
  return names;
}

bool is_functional(std::string_view name) {
  return is_one_of(only_functional, name) || is_one_of(also_functional, name);
}

std::optional<Value> of_functional(const std::string& name) {
  if (!is_functional(name)) return std::nullopt;
  const Builtin* function = find_tensor_function(name);
  return maybe(function ? function : find_method(name));
}

std::vector<std::string> names_of_functional() {
  std::vector<std::string> names;
  for (const Library* library : {&tensor_functions_by_name(), &methods()})
    for (const auto& [name, builtin] : *library)
      if (is_functional(name)) names.emplace_back(name);
  return names;
}

std::optional<Value> of_nn(const std::string& name) {
  return name == "Parameter" ? maybe(find_in(tensor_types(), name)) : std::nullopt;
}
std::vector<std::string> names_of_nn() { return {"Parameter"}; }

// norm and svdvals: what torch.linalg has of the same name and meaning.
std::optional<Value> of_linalg(const std::string& name) {
  return name == "svdvals" || name == "norm" ? maybe(find_tensor_function(name)) : std::nullopt;
}

// ── Python's own packages ────────────────────────────────────────────────────────────────────────────────────────────

std::optional<Value> of_math(const std::string& name) {
  if (const std::optional<Value> number = number_named(name)) return number;
  if (name == "tau") return 2 * std::numbers::pi;
  return maybe(find_in(math_functions(), name));
}
std::vector<std::string> names_of_math() {
  std::vector<std::string> names{"inf", "nan", "pi", "e", "tau"};
  add_names(names, math_functions());
  return names;
}

std::optional<Value> of_random(const std::string& name) { return maybe(find_in(random_functions(), name)); }
std::vector<std::string> names_of_random() {
  std::vector<std::string> names;
  add_names(names, random_functions());
  return names;
}

std::optional<Value> of_dataclasses(const std::string& name) { return maybe(find_in(dataclass_functions(), name)); }

std::optional<Value> of_engine(const std::string& name) { return maybe(find_in(engine_functions(), name)); }

std::optional<Value> of_builtins(const std::string& name) { return maybe(find_function(name)); }

// Names of typing stand in annotations, which nobody evaluates, and are passed on elsewhere.
std::optional<Value> of_typing(const std::string& name) {
  if (name == "TYPE_CHECKING") return false;
  if (name.starts_with("__")) return std::nullopt;
  return word_of(Word::Kind::other, "typing." + name);
}

std::optional<Value> of_numpy(const std::string& name) {
  if (const std::optional<Value> number = number_named(name)) return number;
  if (name == "newaxis") return Value();
  if (name == "bool_") return type_word("bool");
  if (name == "ndarray") return maybe(find_in(tensor_types(), "Tensor"));
  return type_word(name);
}

std::vector<std::string> names_of_numpy() {
  std::vector<std::string> names{"inf", "nan", "pi", "e", "newaxis", "bool_", "ndarray"};
  for (const TypeWord& each : type_words) names.emplace_back(each.name);
  return names;
}

constexpr const char* of_training = "member_is_of_training";
constexpr const char* of_system = "member_is_of_system";
constexpr const char* of_others = "member_is_not_here";

constexpr PackageContents all_packages[] = {
    {"torch", "torch", of_torch, names_of_torch},
    {"torch.nn", "nn/__init__", of_nn, names_of_nn},
    {"torch.nn.functional", "nn/functional", of_functional, names_of_functional},
    {"torch.nn.init", "nn/init"},
    {"torch.nn.parameter", nullptr, of_nn, names_of_nn},
    {"torch.nn.utils", "nn/utils"},
    {"torch.nn.utils.rnn", "nn/rnn_utils"},
    {"torch.nn.utils.parametrizations", "nn/utils"},
    {"torch.nn.attention", nullptr, nullptr, nullptr, of_others},
    {"torch.nn.parallel", nullptr, nullptr, nullptr, of_training},
    {"torch.linalg", nullptr, of_linalg},
    {"torch.cuda", "torch_cuda"},
    {"torch.cuda.amp", "torch_cuda"},
    {"torch.amp", "torch_cuda"},
    {"torch.backends", "torch_backends"},
    {"torch.backends.cuda", "torch_backends"},
    {"torch.backends.cudnn", "torch_backends"},
    {"torch.backends.mps", "torch_backends"},
    {"torch.autograd", "torch_autograd"},
    {"torch.autograd.functional", nullptr, nullptr, nullptr, of_others},
    {"torch.jit", "torch_jit"},
    {"torch.types", nullptr, of_typing},
    {"torch.distributions", nullptr, nullptr, nullptr, of_others},
    {"torch.fft", nullptr, nullptr, nullptr, of_others},
    {"torch.special", nullptr, nullptr, nullptr, of_others},
    {"torch.sparse", nullptr, nullptr, nullptr, of_others},
    {"torch.version", nullptr, nullptr, nullptr, of_system},
    {"torch.utils", nullptr, nullptr, nullptr, of_training},
    {"torch.utils.checkpoint", "torch_checkpoint"},
    {"torch.utils.data", "torch_data"},
    {"torch.utils.data.dataloader", "torch_data"},
    {"torch.utils.data.dataset", "torch_data"},
    {"torch.utils.tensorboard", nullptr, nullptr, nullptr, of_training},
    {"torch.optim", "torch_optim", nullptr, nullptr, of_training},
    {"torch.optim.lr_scheduler", "torch_optim", nullptr, nullptr, of_training},
    {"torch.distributed", nullptr, nullptr, nullptr, of_training},
    {"torch.multiprocessing", nullptr, nullptr, nullptr, of_training},
    {"torch.profiler", nullptr, nullptr, nullptr, of_training},
    {"torch.onnx", nullptr, nullptr, nullptr, of_system},

    {"builtins", "builtins", of_builtins},
    {"math", nullptr, of_math, names_of_math},
    {"cmath", nullptr, nullptr, nullptr, of_others},
    {"random", "random", of_random, names_of_random},
    {"copy", "copy"},
    {"dataclasses", "dataclasses", of_dataclasses},
    {"typing", "typing", of_typing},
    {"typing_extensions", "typing", of_typing},
    {"types", "types", of_typing},
    {"numbers", nullptr, of_typing},
    {"collections", "collections"},
    {"collections.abc", nullptr, of_typing},
    {"functools", "functools"},
    {"itertools", "itertools"},
    {"operator", "operator"},
    {"enum", "enum"},
    {"abc", "abc"},
    {"contextlib", "contextlib"},
    {"warnings", "warnings"},
    {"logging", "logging"},
    {"string", "string"},
    {"__future__", nullptr, of_typing},
    {"numpy", "numpy", of_numpy, names_of_numpy},
    {"numpy.random", "numpy_random"},
    {"einops", "einops"},
    {"einops.layers"},
    {"einops.layers.torch", "nn/einops_layers"},
    {"jaxtyping", nullptr, of_typing},
    {"torchtyping", nullptr, of_typing},
    {"beartype", "typing", of_typing},
    {"beartype.typing", "typing", of_typing},
    {"typeguard", "typing", of_typing},
    {"unroll.engine", nullptr, of_engine},
};

// Packages that programs import for what surrounds the model.
constexpr std::string_view training_packages[] = {"torchtext",
                                                  "torchvision",
                                                  "torchaudio",
                                                  "tqdm",
                                                  "transformers",
                                                  "datasets",
                                                  "tokenizers",
                                                  "tiktoken",
                                                  "sentencepiece",
                                                  "spacy",
                                                  "nltk",
                                                  "wandb",
                                                  "tensorboard",
                                                  "tensorboardX",
                                                  "lightning",
                                                  "pytorch_lightning",
                                                  "ignite",
                                                  "accelerate",
                                                  "evaluate",
                                                  "sacrebleu",
                                                  "huggingface_hub",
                                                  "safetensors",
                                                  "deepspeed",
                                                  "apex",
                                                  "bitsandbytes",
                                                  "torchmetrics",
                                                  "torchinfo",
                                                  "torchsummary",
                                                  "matplotlib",
                                                  "seaborn",
                                                  "plotly",
                                                  "pandas",
                                                  "sklearn",
                                                  "PIL",
                                                  "cv2",
                                                  "skimage",
                                                  "IPython",
                                                  "ipywidgets",
                                                  "d2l",
                                                  "fastai",
                                                  "peft",
                                                  "trl",
                                                  "comet_ml",
                                                  "mlflow",
                                                  "optuna",
                                                  "ray"};
constexpr std::string_view system_packages[] = {"os",           "sys",      "time",      "datetime",  "json",
                                                "csv",          "pickle",   "glob",      "shutil",    "subprocess",
                                                "pathlib",      "argparse", "re",        "regex",     "unicodedata",
                                                "io",           "struct",   "codecs",    "threading", "multiprocessing",
                                                "concurrent",   "queue",    "socket",    "tempfile",  "zipfile",
                                                "tarfile",      "gzip",     "hashlib",   "base64",    "uuid",
                                                "platform",     "signal",   "gc",        "psutil",    "traceback",
                                                "pprint",       "inspect",  "importlib", "ctypes",    "urllib",
                                                "requests",     "bs4",      "http",      "yaml",      "toml",
                                                "dotenv",       "fire",     "click",     "rich",      "termcolor",
                                                "colorama",     "hydra",    "omegaconf", "absl",      "getpass",
                                                "configparser", "textwrap", "timeit",    "asyncio",   "weakref",
                                                "atexit",       "locale",   "secrets",   "ast",       "dis",
                                                "site",         "sysconfig"};
constexpr std::string_view other_packages[] = {"scipy",
                                               "tensorflow",
                                               "keras",
                                               "jax",
                                               "flax",
                                               "haiku",
                                               "optax",
                                               "mxnet",
                                               "timm",
                                               "xformers",
                                               "flash_attn",
                                               "triton",
                                               "fairseq",
                                               "fvcore",
                                               "allennlp",
                                               "torchcrf",
                                               "torch_geometric",
                                               "dgl",
                                               "networkx",
                                               "heapq",
                                               "bisect",
                                               "statistics",
                                               "fractions",
                                               "decimal",
                                               "array",
                                               "cupy",
                                               "numba",
                                               "sympy",
                                               "more_itertools",
                                               "attr",
                                               "attrs",
                                               "pydantic",
                                               "fancy_einsum",
                                               "loguru",
                                               "rotary_embedding_torch",
                                               "mamba_ssm",
                                               "opt_einsum"};

const char* refusal_of(std::string_view package) {
  const std::string_view first = package.substr(0, package.find('.'));
  if (is_one_of(training_packages, first)) return of_training;
  if (is_one_of(system_packages, first)) return of_system;
  return is_one_of(other_packages, first) ? of_others : nullptr;
}

// ── Members that are refused where they are used ─────────────────────────────────────────────────────────────────────

[[noreturn]] Value refuse_use(const Arguments& a) {
  fail_at(a.place, a.callee.name.data(), *a.values(0)[0].as<std::string>());
}

// Each is named by the sentence that refuses it.
constexpr Builtin refusers[] = {{of_training, "*rest, **options", refuse_use, ""},
                                {of_system, "*rest, **options", refuse_use, ""},
                                {of_others, "*rest, **options", refuse_use, ""}};

}  // namespace

const PackageContents* contents_of(std::string_view package) {
  const auto* found = std::ranges::find(all_packages, package, &PackageContents::name);
  if (found != std::end(all_packages)) return found;
  // Where PyTorch's classes are defined: torch.nn.modules.linear.
  if (package.starts_with("torch.nn.modules")) return contents_of("torch.nn");
  static std::map<std::string, PackageContents, std::less<>> others;
  if (const auto known = others.find(package); known != others.end()) return &known->second;
  const char* refusal = refusal_of(package);
  if (!refusal) return nullptr;
  return &others.emplace(package, PackageContents{.name = "", .refusal = refusal}).first->second;
}

Value refused_member(const char* refusal, const std::string& name) {
  const Builtin* refuser = find_in(refusers, refusal);
  return Bound(std::make_shared<BoundBody>(BoundBody{Value(refuser), Value(name)}));
}

void refuse_if_member(const Value& value, const Place& place) {
  const auto* bound = value.as<Bound>();
  const auto* callee = bound ? (*bound)->callee.as<const Builtin*>() : nullptr;
  if (callee && std::ranges::any_of(refusers, [&](const Builtin& each) { return &each == *callee; }))
    fail_at(place, (*callee)->name.data(), *(*bound)->self.as<std::string>());
}

}  // namespace unroll::program
