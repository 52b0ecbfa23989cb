#include "engine/program/mutation.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

// Calls take for each storage that has the same memory, apart from this one.
void for_each_twin(const Storage& storage, const auto& take) {
  if (!storage.twins) return;
  for (const std::weak_ptr<Storage>& each : *storage.twins)
    if (const std::shared_ptr<Storage> twin = each.lock(); twin && twin.get() != &storage) take(*twin);
}

bool is_alone(const TypedTensor& x) {
  bool has_twin = false;
  for_each_twin(*x.storage, [&](const Storage&) { has_twin = true; });
  return x.storage.use_count() == 1 && !has_twin;
}

// Whether the live tape knows of what these values were computed. (A constant is recorded where it gets a name.)
bool is_computed(const Tensor& tensor) {
  const Tape* tape = Tape::live();
  const int id = tape ? tape->find(tensor) : -1;
  if (id < 0) return false;
  const Node& node = tape->nodes()[static_cast<std::size_t>(id)];
  return node.phase != Phase::leaf || node.needs_gradient || std::string_view(node.op.name) != "constant";
}

// The values of the whole storage of a tensor that is not stale.
const Tensor& base_of(const TypedTensor& x) { return x.view ? x.storage->values : x.tensor; }

// The storage has new values, and all tensors of it are stale.
void publish(Storage& storage, const Tensor& values, bool takes_gradient) {
  storage.values = values;
  ++storage.version;
  storage.takes_gradient = storage.takes_gradient || takes_gradient;
  for_each_twin(storage, [&](Storage& twin) {
    twin.values = values.reshaped(values.shape());  // without a mark: recorded nowhere
    ++twin.version;
  });
}

// The values that a tensor reads from its storage.
void read(TypedTensor& x, const Place& place) {
  const CallSite site = site_of(place);
  const Shape shape = x.tensor.shape();
  const Tensor& values = x.storage->values;
  x.tensor =
      x.view ? unroll::take({values, site}, {places_in(*x.view, shape, place), site}) : reshape({values, site}, shape);
  x.version = x.storage->version;
  x.takes_gradient = x.takes_gradient || x.storage->takes_gradient;
}

// Whether nobody but x and its storage has the memory of the storage's values.
bool owns_memory(const TypedTensor& x) {
  const Tensor& values = x.storage->values;
  if (!values) return x.tensor.is_unique();
  return x.view ? values.is_unique() : values.is_unique_pair(x.tensor);
}

void for_each_place(const Target& target, const auto& take) {
  if (!target.places) return for_each_place(target.view, target.shape, take);
  for (std::size_t i = 0; i < target.places.size(); ++i) take(i, static_cast<std::size_t>(target.places.data()[i]));
}

// Writes into the memory of x, or into a copy of it that takes its place.
void put_in_memory(TypedTensor& x, const Target& target, const Tensor& values) {
  Storage& storage = *x.storage;
  const Shape shape = x.tensor.shape();
  const Tensor base = owns_memory(x) ? base_of(x) : base_of(x).copy();
  const std::size_t step = values.size() == 1 ? 0 : 1;
  for_each_place(target, [&](std::size_t i, std::size_t at) { base.data()[at] = values.data()[i * step]; });
  if (is_alone(x) && !x.view) {
    storage.values = {};
  } else {
    publish(storage, base, false);
  }
  if (x.view) return;
  x.tensor = base.shape() == shape ? base : Tensor(base.reshaped(shape));
  x.version = storage.version;
}

// Some values of x are new. (A single one goes to all places.)
void set_part(Interpreter& interpreter, TypedTensor& x, const Target& target, const TypedTensor& values,
              const Place& place) {
  const bool takes_gradient = values.takes_gradient && interpreter.records();
  x.takes_gradient = x.takes_gradient || takes_gradient;
  x.storage->takes_gradient = x.storage->takes_gradient || takes_gradient;
  const std::size_t count = target.shape.size();
  if (!is_computed(base_of(x)) && !is_computed(values.tensor)) {
    interpreter.account().values(count + (owns_memory(x) ? 0 : base_of(x).size()), place);
    return put_in_memory(x, target, values.tensor);
  }
  interpreter.account().values(2 * base_of(x).size() + 2 * count, place);
  interpreter.account().operation(place);
  const CallSite site = site_of(place);
  const Tensor places = target.places ? target.places : places_in(target.view, target.shape, place);
  const Tensor all = put({base_of(x), site}, {places, site}, {values.tensor, site});
  if (x.view || !is_alone(x)) {
    publish(*x.storage, all, takes_gradient);
    if (!x.view) read(x, place);
  } else {
    x.storage->values = {};
    x.tensor = reshape({all, site}, x.tensor.shape());
  }
}

// All values of x are new.
void set_whole(Interpreter& interpreter, TypedTensor& x, const TypedTensor& values, const Place& place) {
  Storage& storage = *x.storage;
  const bool takes_gradient = values.takes_gradient && interpreter.records();
  if (is_alone(x) && is_contiguous(x)) {
    x.view.reset();
    storage.values = {};
  } else if (x.view) {
    set_part(interpreter, x, {values.tensor.shape(), *x.view}, values, place);
  } else {
    publish(storage, values.tensor, takes_gradient);
  }
  x.takes_gradient = x.takes_gradient || takes_gradient;
  x.tensor = values.tensor;
  x.version = storage.version;
}

bool lies_at(const TypedTensor& x, const View& view) {
  const View own = view_of(x);
  return own.offset == view.offset && own.strides == view.strides;
}

// Two values at one place would leave it open which of them stays.
void check_duplicates(const Target& target, const TypedTensor& values, const Place& place) {
  if (!target.places || (values.tensor.size() == 1 && !values.takes_gradient)) return;
  std::vector<Scalar> places(target.places.values().begin(), target.places.values().end());
  std::ranges::sort(places);
  if (std::ranges::adjacent_find(places) != places.end()) fail_at(place, "replaced_place_twice");
}

// As in PyTorch, x += y keeps the sizes of x and its type.
void check_fits(const TypedTensor& x, const TypedTensor& changed, const std::string& name, const Place& place) {
  if (name.empty() && changed.tensor.shape() != x.tensor.shape())
    fail_at(place, "replacement_does_not_fit", sizes(changed.tensor.shape()), sizes(x.tensor.shape()));
  if (name.empty() && changed.type < x.type)
    fail_at(place, "replacement_would_be_cut", name_of(changed.type), name_of(x.type));
  if (changed.tensor.shape() != x.tensor.shape())
    fail_at(place, "tensor_changes_sizes", operand_name(name), sizes(x.tensor.shape()), sizes(changed.tensor.shape()));
  if (changed.type < x.type)
    fail_at(place, "tensor_changes_type", operand_name(name), name_of(x.type), name_of(changed.type));
}

}  // namespace

bool is_stale(const TypedTensor& x) { return x.version != x.storage->version; }

void refresh(Interpreter& interpreter, TypedTensor& x, const Place& place) {
  if (!is_stale(x)) return;
  interpreter.account().values(2 * x.tensor.size() + 1, place);
  interpreter.account().operation(place);
  read(x, place);
}

TypedTensor& tensor_in(const Value& value, const Place& place) {
  const auto* tensor = value.as<Value::Tensors>();
  if (!tensor) fail_at(place, "items_are_not_assignable", described(value));
  return **tensor;
}

void refresh(const Value& value, const Place& place) {
  const auto* tensor = value.as<Value::Tensors>();
  if (tensor && is_stale(**tensor)) read(**tensor, place);
}

void refresh_all(const Value& value, const Place& place) {
  any_within(value, [&](const Value& each) {
    refresh(each, place);
    return false;
  });
}

void check_changeable(Interpreter& interpreter, const TypedTensor& x, const Place& place) {
  const Storage& storage = *x.storage;
  const bool is_leaf = x.takes_gradient && (x.is_parameter || x.asks_gradient);
  if (x.is_given) fail_at(place, "input_is_not_changeable");
  if (interpreter.records() && (is_leaf || storage.of_leaf)) fail_at(place, "leaf_is_not_changeable");
  const bool flows = x.takes_gradient || storage.takes_gradient || storage.of_leaf;
  bool is_recorded_apart = !interpreter.records() && flows && base_of(x).mark().record != 0;
  for_each_twin(storage, [&](const Storage& twin) {
    is_recorded_apart = is_recorded_apart || (twin.values && needs_gradient(twin.values));
  });
  if (is_recorded_apart) fail_at(place, "recorded_values_are_not_changeable");
  const Tape* tape = Tape::live();
  if (storage.kept_by && tape && storage.kept_on == tape->serial())
    fail_at(place, "kept_values_are_not_changeable", std::string_view(storage.kept_by));
}

void check_not_expanded(const View& view, const Shape& shape, const Place& place) {
  if (is_expanded(shape, view.strides)) fail_at(place, "expanded_is_not_changeable");
}

void write(Interpreter& interpreter, const Value& target, const TypedTensor& values, const Place& place) {
  TypedTensor& x = tensor_in(target, place);
  refresh(interpreter, x, place);
  check_changeable(interpreter, x, place);
  check_not_expanded(view_of(x), x.tensor.shape(), place);
  check_fits(x, values, "", place);
  interpreter.account().values(values.tensor.shape(), place);
  set_whole(interpreter, x, values, place);
}

void write(Interpreter& interpreter, const Value& target, const Tensor& values, const Place& place) {
  write(interpreter, target, TypedTensor{values, tensor_in(target, place).type}, place);
}

Value update(Interpreter& interpreter, const Value& target, Operator operation, const Value& change,
             const Between& at) {
  if (operation == Operator::matmul) return combine(interpreter, operation, target, change, at);
  const TypedTensor& x = tensor_in(target, at.place);
  check_changeable(interpreter, x, at.place);
  check_not_expanded(view_of(x), x.tensor.shape(), at.place);
  const Value changed = keeping_nothing_of(x, [&] { return combine(interpreter, operation, target, change, at); });
  check_fits(x, *changed.as<TypedTensor>(), interpreter.spelled(at.left), at.place);
  write(interpreter, target, *changed.as<TypedTensor>(), at.place);
  return target;
}

void assign_item(Interpreter& interpreter, const Value& tensor, const std::vector<Subscripted>& subscripts,
                 const Value& value, const Place& place) {
  TypedTensor& x = tensor_in(tensor, place);
  refresh(interpreter, x, place);
  check_changeable(interpreter, x, place);
  const Target target = target_of(interpreter, x, subscripts, place);
  const auto* same = value.as<TypedTensor>();  // after x[i] += y, which has changed a view
  if (same && same->storage == x.storage && !target.places && lies_at(*same, target.view)) return;
  check_not_expanded(target.view, target.shape, place);
  const TypedTensor values = fitted(interpreter, value, x.type, target.shape, place);
  if (target.shape.size() == 0) return;
  check_duplicates(target, values, place);
  const bool is_whole = target.shape == x.tensor.shape() && values.tensor.shape() == target.shape && !target.places &&
                        lies_at(x, target.view);
  if (is_whole && is_computed(values.tensor))
    set_whole(interpreter, x, values, place);
  else
    set_part(interpreter, x, target, values, place);
}

void replace(TypedTensor& x, const Tensor& values) {
  x.tensor = values;
  x.view.reset();
  Storage& storage = *x.storage;
  storage.kept_by = nullptr;
  if (is_alone(x)) {
    storage.values = {};
  } else {
    publish(storage, values, false);
  }
  x.version = storage.version;
}

}  // namespace unroll::program
