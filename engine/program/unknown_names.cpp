#include "engine/program/unknown_names.h"

#include <algorithm>
#include <numeric>

#include "engine/program/packages.h"

namespace unroll::program {
namespace {

// How many letters must be added, removed, replaced or swapped with their neighbour to make b of a (Damerau 1964).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] != b[j]), row[j] + 1, last[j + 1] + 1});
      const bool are_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (are_swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

// Names of PyTorch and Python that are not here, and what to write instead: a phrase.
constexpr std::pair<std::string_view, const char*> elsewhere[] = {
    {"complex", "instead_of_complex"},
    {"polar", "instead_of_complex"},
    {"view_as_complex", "instead_of_complex"},
    {"view_as_real", "instead_of_complex"},
    {"real", "instead_of_complex"},
    {"imag", "instead_of_complex"},
    {"angle", "instead_of_complex"},
    {"conj", "instead_of_complex"},
    {"fft", "instead_of_fourier"},
    {"ifft", "instead_of_fourier"},
    {"rfft", "instead_of_fourier"},
    {"irfft", "instead_of_fourier"},
    {"stft", "instead_of_fourier"},
    {"svd", "instead_of_svd"},
    {"inv", "instead_of_solving"},
    {"inverse", "instead_of_solving"},
    {"pinverse", "instead_of_solving"},
    {"pinv", "instead_of_solving"},
    {"solve", "instead_of_solving"},
    {"lstsq", "instead_of_solving"},
    {"qr", "instead_of_solving"},
    {"cholesky", "instead_of_solving"},
    {"eig", "instead_of_solving"},
    {"eigh", "instead_of_solving"},
    {"symeig", "instead_of_solving"},
    {"det", "instead_of_solving"},
    {"logdet", "instead_of_solving"},
    {"slogdet", "instead_of_solving"},
    {"matrix_exp", "instead_of_solving"},
    {"register_hook", "instead_of_hook"},
    {"register_forward_hook", "instead_of_hook"},
    {"register_forward_pre_hook", "instead_of_hook"},
    {"register_backward_hook", "instead_of_hook"},
    {"register_full_backward_hook", "instead_of_hook"},
    {"DataParallel", "instead_of_parallel"},
    {"DistributedDataParallel", "instead_of_parallel"},
    {"SyncBatchNorm", "instead_of_parallel"},
    {"weight_norm", "instead_of_weight_norm"},
    {"spectral_norm", "instead_of_weight_norm"},
    {"conv3d", "instead_of_images"},
    {"Conv3d", "instead_of_images"},
    {"conv_transpose1d", "instead_of_images"},
    {"conv_transpose2d", "instead_of_images"},
    {"ConvTranspose1d", "instead_of_images"},
    {"ConvTranspose2d", "instead_of_images"},
    {"grid_sample", "instead_of_images"},
    {"affine_grid", "instead_of_images"},
    {"interpolate", "instead_of_images"},
    {"Upsample", "instead_of_images"},
    {"PixelShuffle", "instead_of_images"},
    {"pixel_shuffle", "instead_of_images"},
    {"pixel_unshuffle", "instead_of_images"},
    {"Fold", "instead_of_images"},
    {"Unfold", "instead_of_images"},
    {"BatchNorm3d", "instead_of_images"},
    {"InstanceNorm3d", "instead_of_images"},
    {"LocalResponseNorm", "instead_of_images"},
    {"AdaptiveMaxPool1d", "instead_of_images"},
    {"AdaptiveMaxPool2d", "instead_of_images"},
    {"EmbeddingBag", "instead_of_embedding_bag"},
    {"embedding_bag", "instead_of_embedding_bag"},
    {"CTCLoss", "instead_of_loss"},
    {"ctc_loss", "instead_of_loss"},
    {"MarginRankingLoss", "instead_of_loss"},
    {"margin_ranking_loss", "instead_of_loss"},
    {"TripletMarginLoss", "instead_of_loss"},
    {"triplet_margin_loss", "instead_of_loss"},
    {"CosineEmbeddingLoss", "instead_of_loss"},
    {"cosine_embedding_loss", "instead_of_loss"},
    {"PoissonNLLLoss", "instead_of_loss"},
    {"poisson_nll_loss", "instead_of_loss"},
    {"GaussianNLLLoss", "instead_of_loss"},
    {"gaussian_nll_loss", "instead_of_loss"},
    {"HingeEmbeddingLoss", "instead_of_loss"},
    {"SoftMarginLoss", "instead_of_loss"},
    {"MultiMarginLoss", "instead_of_loss"},
    {"AdaptiveLogSoftmaxWithLoss", "instead_of_loss"},
    {"bincount", "instead_of_bincount"},
    {"histc", "instead_of_bincount"},
    {"unique", "instead_of_unique"},
    {"unique_consecutive", "instead_of_unique"},
    {"pin_memory", "instead_of_place_in_memory"},
    {"share_memory_", "instead_of_place_in_memory"},
    {"get_device", "instead_of_place_in_memory"},
    {"record_stream", "instead_of_place_in_memory"},
    {"data_ptr", "instead_of_data_ptr"},
    {"storage", "instead_of_data_ptr"},
    {"untyped_storage", "instead_of_data_ptr"},
    {"names", "instead_of_names_of_axes"},
    {"rename", "instead_of_names_of_axes"},
    {"refine_names", "instead_of_names_of_axes"},
    {"align_to", "instead_of_names_of_axes"},
    {"new", "instead_of_new"},
    {"resize_", "instead_of_new"},
    {"set_", "instead_of_new"},
    {"as_strided", "instead_of_as_strided"},
    {"sparse", "instead_of_sparse"},
    {"to_sparse", "instead_of_sparse"},
    {"to_dense", "instead_of_sparse"},
    {"open", "instead_of_outside"},
    {"input", "instead_of_outside"},
    {"breakpoint", "instead_of_outside"},
    {"help", "instead_of_outside"},
    {"exit", "instead_of_outside"},
    {"quit", "instead_of_outside"},
    {"__import__", "instead_of_outside"},
    {"__file__", "instead_of_outside"},
    {"exec", "instead_of_evaluation"},
    {"eval", "instead_of_evaluation"},
    {"globals", "instead_of_evaluation"},
    {"locals", "instead_of_evaluation"},
    {"dir", "instead_of_evaluation"},
    {"bytes", "instead_of_bytes"},
    {"bytearray", "instead_of_bytes"},
    {"memoryview", "instead_of_bytes"},
    {"encode", "instead_of_bytes"},
    {"decode", "instead_of_bytes"},
    {"vmap", "instead_of_vmap"},
    {"jacobian", "instead_of_vmap"},
    {"hessian", "instead_of_vmap"},
    {"jvp", "instead_of_vmap"},
    {"vjp", "instead_of_vmap"},
};

// The usual short names of packages.
constexpr std::pair<std::string_view, std::string_view> short_names[] = {
    {"F", "torch.nn.functional"}, {"nn", "torch.nn"},          {"init", "torch.nn.init"}, {"np", "numpy"},
    {"optim", "torch.optim"},     {"plt", "matplotlib.pyplot"}};

// In which a name is looked for that no import has bound.
constexpr std::string_view packages_to_import[] = {"torch",           "torch.nn",  "torch.nn.functional",
                                                   "dataclasses",     "functools", "copy",
                                                   "collections",     "itertools", "enum",
                                                   "einops",          "math",      "abc",
                                                   "operator",        "types",     "contextlib",
                                                   "torch.utils.data"};

}  // namespace

std::string nearest_of(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 40;
  std::string nearest;
  std::size_t least = std::min(name.size(), longest) / 3 + 1;
  if (name.size() > longest) return nearest;
  for (const std::string& each : names)
    if (const std::size_t off = each.size() > longest ? longest : distance(name, each); off < least)
      least = off, nearest = each;
  return nearest;
}

const char* instead_of(std::string_view name) {
  for (const auto& [each, instead] : elsewhere)
    if (each == name) return instead;
  return nullptr;
}

std::optional<Message> import_of(const std::string& name) {
  for (const auto& [each, package] : short_names)
    if (each == name) return phrase("import_of_package_as", package, each);
  if (find_package(name)) return phrase("import_of_package", name);
  for (const std::string_view each : packages_to_import) {
    const std::optional<Value> package = find_package(each);
    const std::vector<std::string> names = names_in(*package->as<Package>());
    if (std::ranges::find(names, name) != names.end()) return phrase("import_from_package", each, name);
  }
  return std::nullopt;
}

}  // namespace unroll::program
