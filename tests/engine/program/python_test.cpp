// Python's own values and functions: containers, texts, comparisons, types. (tests/pytorch/values_against_python.py
// compares several hundred expressions with Python.)
#include "engine/program/dictionary.h"
#include "tests/engine/support/programs.h"

namespace {

using program::Dictionary;
using program::Value;

bool holds(const std::string& expression) {
  const Value value = evaluated(expression);
  REQUIRE(value.is<bool>());
  return *value.as<bool>();
}

std::string sentence(const std::string& expression) { return refused("def f():\n    return " + expression + "\n"); }

}  // namespace

TEST_CASE("a dictionary keeps the order of its keys, and 1, 1.0 and True are one key") {
  Dictionary all;
  all.set(std::int64_t{1}, std::string("a"));
  all.set("name", std::int64_t{2});
  all.set(1.0, std::string("b"));
  all.set(true, std::string("c"));
  CHECK(all.size() == 2);
  CHECK(*all.find(std::int64_t{1})->as<std::string>() == "c");
  CHECK(program::whole_of(*all.find("name")) == 2);
  CHECK(all.keys()[0].is<std::int64_t>());  // the first key that came
  CHECK(all.erase(1.0));
  CHECK_FALSE(all.erase(1.0));
  CHECK(all.size() == 1);
}

TEST_CASE("a dictionary stays in order while keys come and go") {
  Dictionary all;
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < 1000; ++i) all.set(i * 7 % 1000, i);
  for (std::int64_t i = 0; i < 1000; ++i) {
    if (i * 7 % 1000 % 3 != 0)
      CHECK(all.erase(i * 7 % 1000));
    else
      expected.push_back(i * 7 % 1000);
  }
  const std::vector<Value> keys = all.keys();
  REQUIRE(keys.size() == expected.size());
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(program::whole_of(keys[i]) == expected[i]);
  for (const std::int64_t key : expected) CHECK(all.find(key));
}

TEST_CASE("what is compared by its contents is no key if it can change") {
  CHECK(program::is_hashable(program::tuple_of({std::int64_t{1}, std::string("a")})));
  CHECK_FALSE(program::is_hashable(program::list_of({})));
  CHECK_FALSE(program::is_hashable(program::tuple_of({program::list_of({})})));
  CHECK(sentence("{[1]: 2}").find("and this is a list of 1") != std::string::npos);
  CHECK(sentence("{[1]}").find("and this is a list of 1") != std::string::npos);
  CHECK(holds("{(1, (2, 'a')): 3}[(1.0, (2, 'a'))] == 3"));
}

TEST_CASE("containers are compared by what is in them, with tensors refused") {
  CHECK(holds("[1, (2, {'a': [3]})] == [1.0, (2, {'a': [3]})]"));
  CHECK_FALSE(holds("{1, 2} == {1, 3}"));
  CHECK(holds("{1, 2} <= {3, 2, 1}"));
  CHECK(holds("[1, [2, 3]] < [1, [2, 4]]"));
  CHECK(holds("'b' in {'a': 1, 'b': 2}"));
  CHECK(holds("2.0 in range(3)"));
  CHECK(sentence("[tensor(1.0)] == [tensor(1.0)]").find("lists with tensors") != std::string::npos);
  CHECK(sentence("[1] < ['a']").find("have no order") != std::string::npos);
  CHECK(sentence("1 is 1").find("compare them with ==") != std::string::npos);
  CHECK(holds("tensor([1, 2]).float() is not None"));
}

TEST_CASE("comparisons of what is nested deeply or contains itself end") {
  CHECK(
      *value_of("def f():\n    a, b = [], []\n    for i in range(20000):\n        a, b = [a], [b]\n    return a == b\n")
           .as<bool>());
  CHECK(refused("def f():\n    a, b = {}, {}\n    a['x'], b['x'] = a, b\n    return a == b\n").find("20,000,000") !=
        std::string::npos);
}

TEST_CASE("sorting keeps the order of equal items, and asks __lt__") {
  CHECK(text_in("str(sorted([(2, 'a'), (1, 'b'), (2, 'c')], key=lambda p: p[0], reverse=True))") ==
        "[(2, 'a'), (2, 'c'), (1, 'b')]");
  CHECK(value_of("class A:\n    def __init__(self, n):\n        self.n = n\n    def __lt__(self, other):\n"
                 "        return True\ndef f():\n    return ''.join([str(a.n) for a in sorted([A(1), A(2), A(3)])])\n")
            .as<std::string>()
            ->size() == 3);
}

TEST_CASE("types are asked for with isinstance, also several") {
  CHECK(holds("isinstance(True, int) and not isinstance(1, bool)"));
  CHECK(holds("isinstance(1.0, (int, (float, str)))"));
  CHECK(holds("isinstance(None, int | None)"));
  CHECK(holds("type([]) is list and type(tensor(1.0)).__name__ == 'Tensor'"));
  CHECK(sentence("isinstance(1, 2)").find("the number 2 is no type") != std::string::npos);
}

TEST_CASE("an unknown method gets the nearest known one") {
  CHECK(sentence("[1].apend(2)").ends_with("a list of 1 has no attribute apend. Did you mean append?"));
  CHECK(sentence("'a'.spilt()").ends_with("the text \"a\" has no attribute spilt. Did you mean split?"));
  CHECK(sentence("{}.itmes()").find("Did you mean items?") != std::string::npos);
}
