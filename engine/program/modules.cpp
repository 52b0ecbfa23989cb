#include "engine/program/modules.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "engine/program/interpreter.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

std::string joined(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }

// Calls `found` for each attribute that is a tensor, with its path; tensors of a module come before its modules'.
class Walk {
 public:
  using Found = std::function<void(const std::string& path, const Value::Tensors& tensor)>;

  // Passes each module so many times at most, if it has so many paths.
  Walk(Found found, int times) : found_(std::move(found)), times_(times) {}

  // Without recursion: a program can nest modules deeply.
  void through(const std::string& path, const Instance& outermost) {
    std::vector<std::pair<std::string, Instance>> left = {{path, outermost}};
    while (!left.empty()) {
      const auto [here, module] = std::move(left.back());
      left.pop_back();
      if (++passed_[module.get()] > times_) continue;
      if (passed_[module.get()] == 1) module->path = here;
      const std::size_t waiting = left.size();
      for (const auto& [key, value] : module->attributes->entries()) {
        const std::string* name = key.as<std::string>();
        if (!name) continue;
        if (const auto* tensor = std::get_if<Value::Tensors>(&value.content())) found_(joined(here, *name), *tensor);
        if (const auto* inner = value.as<Instance>(); inner && is_module(**inner))
          left.emplace_back(joined(here, *name), *inner);
      }
      std::reverse(left.begin() + static_cast<std::ptrdiff_t>(waiting), left.end());
    }
  }

 private:
  Found found_;
  int times_;
  std::unordered_map<const InstanceBody*, int> passed_;
};

void collect_inner(const Instance& module, std::unordered_set<const InstanceBody*>& inner) {
  std::vector<Instance> left = {module};
  while (!left.empty()) {
    const Instance next = std::move(left.back());
    left.pop_back();
    for (const Value& value : next->attributes->values())
      if (const auto* each = value.as<Instance>(); each && is_module(**each) && inner.insert(each->get()).second)
        left.push_back(*each);
  }
}

bool holds_tensors(const Instance& module) {
  std::unordered_set<const InstanceBody*> all = {module.get()};
  collect_inner(module, all);
  const auto is_tensor = [](const Value& each) { return each.is<TypedTensor>(); };
  return std::ranges::any_of(
      all, [&](const InstanceBody* each) { return std::ranges::any_of(each->attributes->values(), is_tensor); });
}

// Those that `wanted` picks, each tensor once unless `all_paths` are asked for.
std::vector<ModuleTensor> tensors_of(const Interpreter& interpreter,
                                     const std::function<bool(const TypedTensor&)>& wanted, bool all_paths = false) {
  std::vector<ModuleTensor> all;
  std::unordered_set<const TypedTensor*> taken;
  const auto take = [&](const std::string& path, const Value::Tensors& tensor) {
    refresh(tensor, {});
    if (wanted(*tensor) && (taken.insert(tensor.get()).second || all_paths)) all.push_back({path, tensor});
  };
  const auto models = models_of(interpreter);
  Walk walk(take, all_paths ? 8 : 1);
  for (const auto& [name, model] : models) walk.through(models.size() == 1 ? "" : name, model);
  // After the modules: `for p in model.parameters()` leaves the last one in a variable, which does not name it.
  for (const auto& [name, value] : interpreter.globals())
    if (const auto* tensor = std::get_if<Value::Tensors>(&value.content()); tensor && (*tensor)->is_parameter)
      take(name, *tensor);
  return all;
}

}  // namespace

bool is_module(const ClassBody& type) {
  return std::ranges::any_of(type.order, [](const ClassBody* each) {
    return each->name == "Module" && std::string_view(each->definition->program->file) == "nn/module.py";
  });
}

std::vector<std::pair<std::string, Instance>> models_of(const Interpreter& interpreter) {
  std::vector<std::pair<std::string, Instance>> all;
  std::unordered_set<const InstanceBody*> inner;
  for (const auto& [name, value] : interpreter.globals()) {
    const auto* instance = value.as<Instance>();
    if (!instance || !is_module(**instance)) continue;
    all.emplace_back(name, *instance);
    collect_inner(*instance, inner);
  }
  std::unordered_set<const InstanceBody*> taken;
  std::erase_if(all, [&](const auto& each) {
    return inner.contains(each.second.get()) || !taken.insert(each.second.get()).second;
  });
  // criterion = nn.CrossEntropyLoss() beside a model is none.
  const auto has_tensors = [](const auto& each) { return holds_tensors(each.second); };
  if (std::ranges::any_of(all, has_tensors)) std::erase_if(all, std::not_fn(has_tensors));
  return all;
}

std::vector<ModuleTensor> parameters_of(const Interpreter& interpreter) {
  return tensors_of(interpreter, [](const TypedTensor& each) { return each.is_parameter; });
}

std::vector<ModuleTensor> parameters_by_all_paths(const Interpreter& interpreter) {
  return tensors_of(
      interpreter, [](const TypedTensor& each) { return each.is_parameter; }, true);
}

std::vector<ModuleTensor> buffers_of(const Interpreter& interpreter) {
  return tensors_of(interpreter, [](const TypedTensor& each) { return !each.is_parameter; });
}

}  // namespace unroll::program
