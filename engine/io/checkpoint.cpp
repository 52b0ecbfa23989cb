#include "engine/io/checkpoint.h"

#include <algorithm>
#include <charconv>

#include "engine/io/safetensors.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr const char* format = "unroll-1";
constexpr int max_steps_taken = 1'000'000'000;
const std::string state_prefix = "optimiser.";

int whole_number(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// Early checkpoints lack the optimiser's kind: for them, only the shapes of the state are checked.
bool matches_optimiser(const NamedTensors& content, const Optimiser& optimiser) {
  const auto kind = content.metadata.find("optimiser");
  return kind == content.metadata.end() || kind->second == optimiser.kind();
}

std::vector<Tensor> values_of(const std::vector<Parameter>& parameters) {
  std::vector<Tensor> values;
  for (const Parameter& parameter : parameters) values.push_back(parameter.value);
  return values;
}

[[noreturn]] void reject(const std::string& name, const Tensor& tensor, const MessageArgument& wanted) {
  fail(ErrorCode::format, "checkpoint_tensor_differs", name, tensor.shape(), wanted);
}

// The first tensors of the file must be the model's parameters, in their order.
void check_parameters(const NamedTensors& content, const std::vector<Parameter>& parameters) {
  if (content.tensors.size() < parameters.size())
    fail(ErrorCode::format, "checkpoint_tensor_count_differs", content.tensors.size(), parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [name, tensor] = content.tensors[i];
    if (name != parameters[i].name || tensor.shape() != parameters[i].value.shape())
      reject(name, tensor, parameters[i].name);
  }
}

// The optimiser's state: all tensors after the parameters.
std::vector<Tensor> optimiser_state(std::size_t parameters, const NamedTensors& content) {
  std::vector<Tensor> state;
  for (std::size_t i = parameters; i < content.tensors.size(); ++i) {
    const auto& [name, tensor] = content.tensors[i];
    if (!name.starts_with(state_prefix)) reject(name, tensor, phrase("nothing"));
    state.push_back(tensor);
  }
  return state;
}

// False if the shapes differ.
bool copy_if_it_fits(const Tensor& from, Tensor to) {
  if (from.shape() != to.shape()) return false;
  std::ranges::copy(from.values(), to.data());
  return true;
}

struct ReadCheckpoint {
  NamedTensors content;
  int steps;
};

ReadCheckpoint read_checkpoint(std::span<const std::uint8_t> bytes) {
  NamedTensors content = read_safetensors(bytes);
  const int steps = whole_number(content.metadata["steps"]);
  if (content.metadata["format"] != format || steps < 0 || steps > max_steps_taken)
    fail(ErrorCode::format, "file_is_no_checkpoint");
  return {std::move(content), steps};
}

}  // namespace

std::vector<std::uint8_t> save_checkpoint(const Model& model, const Optimiser& optimiser) {
  NamedTensors content;
  content.metadata = {
      {"format", format}, {"optimiser", std::string(optimiser.kind())}, {"steps", std::to_string(optimiser.steps)}};
  for (const Parameter& parameter : model.parameters().all())
    content.tensors.emplace_back(parameter.name, parameter.value);
  for (std::size_t i = 0; i < optimiser.state().size(); ++i)
    content.tensors.emplace_back(state_prefix + std::to_string(i), optimiser.state()[i]);
  return write_safetensors(content);
}

void restore_checkpoint(std::span<const std::uint8_t> bytes, Model& model, Optimiser& optimiser) {
  const auto [content, steps] = read_checkpoint(bytes);
  const std::vector<Parameter>& parameters = model.parameters().all();
  check_parameters(content, parameters);
  std::vector<Tensor> state = optimiser_state(parameters.size(), content);
  if (!matches_optimiser(content, optimiser) || !optimiser.accepts_state(values_of(parameters), state, steps))
    fail(ErrorCode::format, "checkpoint_of_other_optimiser");

  for (std::size_t i = 0; i < parameters.size(); ++i)
    std::ranges::copy(content.tensors[i].second.values(), parameters[i].value.data());
  optimiser.restore_state(std::move(state), steps);
}

CarriedOver carry_over(std::span<const std::uint8_t> bytes, Model& model, Optimiser& optimiser) {
  const auto [content, steps] = read_checkpoint(bytes);
  const auto is_state = [](const auto& each) { return each.first.starts_with(state_prefix); };
  const auto first_state = std::ranges::find_if(content.tensors, is_state);
  const std::span old(content.tensors.begin(), first_state), old_state(first_state, content.tensors.end());
  const std::vector<Parameter>& parameters = model.parameters().all();
  optimiser.prepare(values_of(parameters));
  std::vector<Tensor> state = optimiser.state();
  const std::size_t slots = parameters.empty() ? 0 : state.size() / parameters.size();
  const bool has_state = matches_optimiser(content, optimiser) && old_state.size() == slots * old.size();

  CarriedOver names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto found = std::ranges::find(old, parameters[i].name, [](const auto& each) { return each.first; });
    const bool is_kept = found != old.end() && copy_if_it_fits(found->second, parameters[i].value);
    (is_kept ? names.kept : names.drawn).push_back(parameters[i].name);
    if (!is_kept) continue;
    const auto at = static_cast<std::size_t>(found - old.begin());
    for (std::size_t slot = 0; has_state && slot < slots; ++slot)
      copy_if_it_fits(old_state[at * slots + slot].second, state[i * slots + slot]);
  }
  optimiser.restore_state(std::move(state), steps);
  for (const auto& [name, _] : old)
    if (std::ranges::find(names.kept, name) == names.kept.end()) names.dropped.push_back(name);
  return names;
}

}  // namespace unroll
