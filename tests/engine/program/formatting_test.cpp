// Values as texts: the expected ones are Python's and PyTorch's own. (tests/pytorch/values_against_python.py compares
// many more.)
#include "engine/program/formatting.h"

#include <cmath>

#include "engine/tensor/decimals.h"
#include "tests/engine/support/programs.h"

namespace {

std::string printed(const std::string& expression) { return text_in("str(" + expression + ")"); }

}  // namespace

TEST_CASE("decimals are rounded exactly, and half of a digit to even") {
  CHECK(fixed_text(0.125, 2) == "0.12");
  CHECK(fixed_text(0.375, 2) == "0.38");
  CHECK(fixed_text(2.5, 0) == "2");
  CHECK(fixed_text(0.5, 0) == "0");
  CHECK(fixed_text(999.9996, 3) == "1000.000");
  CHECK(fixed_text(1e22, 1) == "10000000000000000000000.0");
  CHECK(fixed_text(5e-324, 3) == "0.000");
  CHECK(fixed_text(-0.0, 1) == "-0.0");
  CHECK(scientific_text(5e-324, 20) == "4.94065645841246544177e-324");
  CHECK(scientific_text(1.7976931348623157e308, 3) == "1.798e+308");
  CHECK(scientific_text(0, 2) == "0.00e+00");
  CHECK(general_text(0.0001, 6) == "0.0001");
  CHECK(general_text(0.00001, 6) == "1e-05");
  CHECK(general_text(1234567, 6) == "1.23457e+06");
  CHECK(general_text(999999.5, 6) == "1e+06");
  CHECK(rounded_to(2.675, 2) == 2.67);
  CHECK(rounded_to(1250, -2) == 1200);
  CHECK(rounded_to(-0.4, 0) == 0);
  CHECK(std::signbit(rounded_to(-0.4, 0)));
  CHECK(whole_text(std::numeric_limits<std::int64_t>::min(), 16) == "-8000000000000000");
}

TEST_CASE("values are written as Python writes them") {
  CHECK(printed("[1, 2.5, 'it\\'s', None, (True,), {}, {'a': ()}]") ==
        "[1, 2.5, \"it's\", None, (True,), {}, {'a': ()}]");
  CHECK(text_in("repr('tab\\t, line\\n and é')") == "'tab\\t, line\\n and é'");
  CHECK(printed("range(0, 10, 3)") == "range(0, 10, 3)");
  CHECK(printed("int") == "<class 'int'>");
  CHECK(text_in("f'{3.14159:.2f} {42:05d} {1234567:,} {0.1234:.1%} {\"x\":>4}|{255:#x} {1e20} {5:+}'") ==
        "3.14 00042 1,234,567 12.3%    x|0xff 1e+20 +5");
  CHECK(text_in("'%.2fM of %s: %5d %r %%' % (12.3456, 'a', 7, 'b')") == "12.35M of a:     7 'b' %");
  CHECK(text_in("'{1} {0:>5.1f} {name!r}'.format(2.25, 'a', name='b')") == "a   2.2 'b'");
}

TEST_CASE("what contains itself, and what is nested deeply, is written without recursion") {
  CHECK(*value_of("def f():\n    d = {}\n    d['d'] = [d]\n    return str(d)\n").as<std::string>() == "{'d': [{...}]}");
  const std::string deep =
      *value_of("def f():\n    a = []\n    for i in range(20000):\n        a = [a]\n    return str(a)\n")
           .as<std::string>();
  CHECK(deep.size() == 40002);
  CHECK(refused("def f():\n    a = [1]\n    for i in range(60):\n        a = [a, a]\n    return str(a)\n")
            .find("20,000,000") != std::string::npos);
}

TEST_CASE("instances are written by their methods, and dataclasses by their fields") {
  CHECK(*value_of("class A:\n    def __repr__(self):\n        return 'an A'\nclass B:\n    pass\n"
                  "def f():\n    return str([A(), A()]) + f'{A()!r:>6}'\n")
             .as<std::string>() == "[an A, an A]  an A");
  CHECK(*value_of("from dataclasses import dataclass\n@dataclass\nclass C:\n    n: int\n    name: str = 'x'\n"
                  "def f():\n    return f'{C(3)}'\n")
             .as<std::string>() == "C(n=3, name='x')");
}

TEST_CASE("tensors are written as PyTorch writes them") {
  CHECK(printed("tensor([1.0, 2.5])") == "tensor([1.0000, 2.5000])");
  CHECK(printed("tensor([1.0, 2.0])") == "tensor([1., 2.])");
  CHECK(printed("tensor([[1, 20], [3, 4]])") == "tensor([[ 1, 20],\n        [ 3,  4]])");
  CHECK(printed("tensor([1.0, 10000.0])") == "tensor([1.0000e+00, 1.0000e+04])");
  CHECK(printed("tensor([0.5, -inf])") == "tensor([0.5000,   -inf])");
  CHECK(printed("tensor([1, 2]) > 1") == "tensor([False,  True])");
  CHECK(printed("tensor(1.5)") == "tensor(1.5000)");
  CHECK(printed("zeros(2, 0)") == "tensor([], size=(2, 0))");
  CHECK(printed("zeros(2, 1, 2)") == "tensor([[[0., 0.]],\n\n        [[0., 0.]]])");
  CHECK(printed("arange(2000)") == "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
  CHECK(text_in("f'{tensor(1.23456):.2f}'") == "1.23");
  CHECK(text_in("f'{tensor(1.5)} {tensor(3)} {tensor(1) > 0} {tensor([3])}'") == "1.5 3 True tensor([3])");
  CHECK(text_in("'{} {!r}'.format(tensor(1.5), tensor(1.5))") == "1.5 tensor(1.5000)");
}

TEST_CASE("a form that does not fit is refused") {
  CHECK(refused("def f():\n    return '%d %d' % (1,)\n") ==
        "line 2, column 20: the form \"%d %d\" has more places than there are values.");
  CHECK(refused("def f():\n    return '%d' % 'a'\n") ==
        "line 2, column 17: %d takes a number, and this is the text \"a\".");
  CHECK(refused("def f():\n    return f'{1:>99999999}'\n").find("is no format") != std::string::npos);
  CHECK(refused("def f():\n    return f\"{'a':.2f}\"\n").find("the format \".2f\" is not for the text \"a\"") !=
        std::string::npos);
}
