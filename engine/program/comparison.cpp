#include "engine/program/comparison.h"

#include <algorithm>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/objects.h"

namespace unroll::program {
namespace {

using Pair = std::pair<Value, Value>;

bool is_compared_by_place(const Value& value) { return value.is<TypedTensor>() || is_number(value); }

struct Methods {
  const char *left, *right;  // a < b is a.__lt__(b), or else b.__gt__(a)
};
constexpr Methods methods_of_relations[] = {{"__eq__", "__eq__"}, {"__ne__", "__ne__"}, {"__lt__", "__gt__"},
                                            {"__le__", "__ge__"}, {"__gt__", "__lt__"}, {"__ge__", "__le__"}};

bool is_no_answer(const Value& value) {
  const auto* word = value.as<Word>();
  return word && std::string_view(word->text) == "NotImplemented";
}

// By the methods of an instance; nothing if it has none of them, or they know no answer.
std::optional<Value> compared_by_method(Interpreter& interpreter, Relation relation, const Value& left,
                                        const Value& right, const Place& place) {
  const Methods& methods = methods_of_relations[static_cast<int>(relation)];
  const auto answer = [&](const Value& object, const char* name, const Value& other) -> std::optional<Value> {
    const auto method = interpreter.special(object, name);
    if (!method) return std::nullopt;
    Value result = interpreter.call(*method, {other}, place);
    return is_no_answer(result) ? std::nullopt : std::optional(std::move(result));
  };
  if (auto result = answer(left, methods.left, right)) return result;
  return answer(right, methods.right, left);
}

// Pairs of values that are equal if both are. What lists and dictionaries contain is compared later, without recursion.
class Equality {
 public:
  Equality(Interpreter& interpreter, const Place& place) : interpreter_(interpreter), place_(place) {}

  bool holds(const Value& left, const Value& right) {
    if (!may_hold(left, right)) return false;
    while (!pending_.empty()) {
      const Pair next = std::move(pending_.back());
      pending_.pop_back();
      if (!parts_may_be_equal(next.first, next.second)) return false;
    }
    return true;
  }

 private:
  // As in Python, an object equals itself without a look at what it contains.
  bool may_hold(const Value& a, const Value& b) {
    if (is_number(a) && is_number(b)) return compare_numbers(Relation::equal, a, b);
    if (identity_of(a) && identity_of(a) == identity_of(b)) return true;
    if ((a.is<TypedTensor>() && is_compared_by_place(b)) || (b.is<TypedTensor>() && is_compared_by_place(a)))
      fail_at(place_, "lists_with_tensors_compared");
    if (a.is<Instance>() || b.is<Instance>()) return instances_may_be_equal(a, b);
    if (a.content().index() != b.content().index()) return false;
    if (const auto* text = a.as<std::string>()) {
      interpreter_.account().items(text->size(), place_);
      return *text == *b.as<std::string>();
    }
    if (items_of(a)) return items_of(a)->size() == items_of(b)->size() && put_off(a, b);
    if (const auto* dict = a.as<Dict>()) return (*dict)->size() == (*b.as<Dict>())->size() && put_off(a, b);
    if (const auto* set = a.as<Set>()) return set->items->size() == b.as<Set>()->items->size() && put_off(a, b);
    return same_key(a, b);
  }

  bool put_off(const Value& a, const Value& b) {
    pending_.emplace_back(a, b);
    return true;
  }

  bool instances_may_be_equal(const Value& a, const Value& b) {
    if (const auto result = compared_by_method(interpreter_, Relation::equal, a, b, place_))
      return interpreter_.truth(*result, place_);
    if (!a.is<Instance>() || !b.is<Instance>()) return false;
    const InstanceBody &left = **a.as<Instance>(), &right = **b.as<Instance>();
    return left.type == right.type && left.type->is_dataclass && put_off(a, b);
  }

  bool parts_may_be_equal(const Value& a, const Value& b) {
    if (const std::vector<Value>* items = items_of(a)) {
      interpreter_.account().items(items->size(), place_);
      for (std::size_t i = 0; i < items->size() && i < items_of(b)->size(); ++i)
        if (!may_hold(Value((*items)[i]), Value((*items_of(b))[i]))) return false;
      return items_of(a)->size() == items_of(b)->size();
    }
    if (a.is<Instance>()) return fields_may_be_equal(**a.as<Instance>(), **b.as<Instance>());
    const Dictionary &left = a.is<Dict>() ? **a.as<Dict>() : *a.as<Set>()->items,
                     &right = b.is<Dict>() ? **b.as<Dict>() : *b.as<Set>()->items;
    interpreter_.account().items(2 * left.size(), place_);
    for (const auto& [key, value] : left.entries()) {
      const Value* other = right.find(key);
      if (!other || !may_hold(value, Value(*other))) return false;
    }
    return true;
  }

  bool fields_may_be_equal(const InstanceBody& a, const InstanceBody& b) {
    interpreter_.account().items(a.type->annotated.size(), place_);
    return std::ranges::all_of(a.type->annotated, [&](const std::string& name) {
      const Value *left = a.attributes->find(name), *right = b.attributes->find(name);
      return left && right ? may_hold(Value(*left), Value(*right)) : left == right;
    });
  }

  Interpreter& interpreter_;
  const Place& place_;
  std::vector<Pair> pending_;
};

bool is_subset(Interpreter& interpreter, const Dictionary& a, const Dictionary& b, const Place& place) {
  interpreter.account().items(a.size(), place);
  const std::vector<Value> keys = a.keys();
  return a.size() <= b.size() && std::ranges::all_of(keys, [&](const Value& key) { return b.find(key) != nullptr; });
}

bool is_less_or_greater(Relation relation) { return relation == Relation::less || relation == Relation::greater; }

// −1, 0 or 1.
template <typename Part>
int order_of_parts(const Part& a, const Part& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

bool relation_holds(Relation relation, int order) {
  if (relation == Relation::less) return order < 0;
  if (relation == Relation::less_or_equal) return order <= 0;
  return relation == Relation::greater ? order > 0 : order >= 0;
}

bool are_both_sequences(const Value& a, const Value& b) {
  return (a.is<List>() && b.is<List>()) || (a.is<Tuple>() && b.is<Tuple>());
}

// Of <, <=, > and >=. Lists and tuples are compared by the first items that differ, which may be lists again.
Value ordered(Interpreter& interpreter, Relation relation, Value left, Value right, const Place& place) {
  while (are_both_sequences(left, right)) {
    const std::vector<Value>&a = *items_of(left), &b = *items_of(right);
    std::size_t i = 0;
    while (i < std::min(a.size(), b.size()) && are_equal(interpreter, Value(a[i]), Value(b[i]), place)) ++i;
    interpreter.account().items(i + 1, place);
    if (i == std::min(a.size(), b.size())) return relation_holds(relation, order_of_parts(a.size(), b.size()));
    Value next = a[i], other = b[i];
    left = std::move(next), right = std::move(other);
  }
  if (is_number(left) && is_number(right)) return compare_numbers(relation, left, right);
  if (left.is<std::string>() && right.is<std::string>()) {
    interpreter.account().items(left.as<std::string>()->size(), place);
    return relation_holds(relation, order_of_parts(*left.as<std::string>(), *right.as<std::string>()));
  }
  if (left.is<Set>() && right.is<Set>()) {
    const bool grows = relation == Relation::less || relation == Relation::less_or_equal;
    const Dictionary &a = *(grows ? left : right).as<Set>()->items, &b = *(grows ? right : left).as<Set>()->items;
    return is_subset(interpreter, a, b, place) && (!is_less_or_greater(relation) || a.size() < b.size());
  }
  if (const auto result = compared_by_method(interpreter, relation, left, right, place)) return *result;
  fail_at(place, "values_have_no_order", described(left), described(right));
}

bool is_within_text(Interpreter& interpreter, const std::string& text, const Value& item, const Place& place) {
  const auto* part = item.as<std::string>();
  if (!part) fail_at(place, "text_contains_texts", described(item));
  interpreter.account().items(text.size() * std::min<std::size_t>(part->size(), 1000) / 16 + part->size(), place);
  return text.find(*part) != std::string::npos;
}

// As in PyTorch, whether any value of the tensor is equal.
bool is_within_tensor(Interpreter& interpreter, const TypedTensor& tensor, const Value& item, const Place& place) {
  const auto* other = item.as<TypedTensor>();
  if (!is_number(item) && !(other && other->tensor.size() == 1))
    fail_at(place, "tensor_contains_numbers", described(item));
  interpreter.account().values(tensor.tensor.shape(), place);
  const auto wanted = other ? other->tensor.item() : static_cast<Scalar>(number_of(item));
  return std::ranges::any_of(tensor.tensor.values(), [&](Scalar value) { return value == wanted; });
}

Tensor compared(Relation relation, const Operand& a, const Operand& b) {
  const auto opposite = [&](const Tensor& x) { return equal({x, a.where}, {0, a.where}); };
  // Of two relations that exclude each other. (With NaN neither holds.)
  const auto one_of = [&](const Tensor& x, const Tensor& y) { return add({x, a.where}, {y, a.where}); };
  if (relation == Relation::equal) return equal(forward_operand(a), forward_operand(b));
  if (relation == Relation::not_equal) return opposite(equal(forward_operand(a), forward_operand(b)));
  if (relation == Relation::less) return greater(forward_operand(b), forward_operand(a));
  if (relation == Relation::less_or_equal)
    return one_of(greater(forward_operand(b), forward_operand(a)), equal(forward_operand(a), forward_operand(b)));
  if (relation == Relation::greater) return greater(forward_operand(a), forward_operand(b));
  return one_of(greater(forward_operand(a), forward_operand(b)), equal(forward_operand(a), forward_operand(b)));
}

Shape compared_shape(const Value& value) {
  const auto* tensor = value.as<TypedTensor>();
  return tensor ? tensor->tensor.shape() : Shape();
}

Value compare_tensors(Interpreter& interpreter, Relation relation, const Value& left, const Value& right,
                      const Between& at) {
  const Shape first = compared_shape(left), second = compared_shape(right);
  if (const int axis = clash_of(first, second))
    fail_at(at.place, "operands_do_not_broadcast", operand_name(interpreter.spelled(at.left)), sizes(first),
            operand_name(interpreter.spelled(at.right)), sizes(second), phrase("a_comparison"), first[axis],
            second[axis]);
  const Operand a = operand_of(left, at.place), b = operand_of(right, at.place);
  interpreter.account().values(a.size() + b.size(), at.place);
  return result_of(interpreter, compared(relation, a, b), Type::boolean, at.place);
}

}  // namespace

bool are_equal(Interpreter& interpreter, const Value& left, const Value& right, const Place& place) {
  return Equality(interpreter, place).holds(left, right);
}

bool is_less(Interpreter& interpreter, const Value& left, const Value& right, const Place& place) {
  if (left.is<TypedTensor>() || right.is<TypedTensor>()) {
    const Expression unnamed{place, Constant{}};
    return interpreter.truth(compare(interpreter, Relation::less, left, right, {place, unnamed, unnamed}), place);
  }
  return interpreter.truth(ordered(interpreter, Relation::less, left, right, place), place);
}

bool contains(Interpreter& interpreter, const Value& items, const Value& item, const Place& place) {
  if (const auto* text = items.as<std::string>()) return is_within_text(interpreter, *text, item, place);
  if (const auto* tensor = items.as<TypedTensor>()) return is_within_tensor(interpreter, *tensor, item, place);
  if (items.is<Dict>() || items.is<Set>()) {
    if (!is_hashable(item)) fail_at(place, "value_is_no_key", described(item));
    return (items.is<Dict>() ? **items.as<Dict>() : *items.as<Set>()->items).find(item) != nullptr;
  }
  if (const std::optional<Value> method = interpreter.special(items, "__contains__"))
    return interpreter.truth(interpreter.call(*method, {item}, place), place);
  if (!items_of(items) && !items.is<Iterator>() && !items.is<Instance>() && !items.is<Class>())
    fail_at(place, "no_items_to_search", described(items));
  const std::vector<Value> all = interpreter.items(items, place);
  interpreter.account().items(all.size(), place);
  return std::ranges::any_of(all, [&](const Value& each) { return are_equal(interpreter, each, item, place); });
}

// Python keeps one object for some equal numbers and texts, and several for others: which is an accident.
bool is_same(const Value& left, const Value& right, const Place& place) {
  if (left.content().index() != right.content().index()) return false;
  if (left.is<std::int64_t>() || left.is<double>() || left.is<std::string>()) fail_at(place, "is_compares_objects");
  return identity_of(left) == identity_of(right) && same_key(left, right);
}

Value compare(Interpreter& interpreter, Relation relation, const Value& left, const Value& right, const Between& at) {
  if (relation == Relation::in || relation == Relation::not_in)
    return contains(interpreter, right, left, at.place) == (relation == Relation::in);
  if (relation == Relation::is || relation == Relation::is_not)
    return is_same(left, right, at.place) == (relation == Relation::is);
  if (is_number(left) && is_number(right)) return compare_numbers(relation, left, right);
  if (is_compared_by_place(left) && is_compared_by_place(right))
    return compare_tensors(interpreter, relation, left, right, at);
  if (relation != Relation::equal && relation != Relation::not_equal)
    return ordered(interpreter, relation, left, right, at.place);
  if (left.is<Instance>() || right.is<Instance>())
    if (const auto result = compared_by_method(interpreter, relation, left, right, at.place)) return *result;
  return are_equal(interpreter, left, right, at.place) == (relation == Relation::equal);
}

}  // namespace unroll::program
