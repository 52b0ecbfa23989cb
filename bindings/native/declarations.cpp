// Writes bindings/engine.d.ts: the calls of session.h and programs.h and the data that cross with them, for TypeScript.
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

#include "bindings/programs.h"
#include "bindings/session.h"

namespace unroll {
namespace {

constexpr const char* head =
    "// Written by bindings/native/declarations.cpp. The calls and fields are explained in bindings/session.h and\n"
    "// bindings/programs.h, which list them.\n"
    "export type Config = Record<string, string | number | boolean | number[]>;\n"
    "export type Split = 'train' | 'validation' | 'test';\n"
    "/** A number, a text, names, a shape, the field that is refused, or a phrase. */\n"
    "export type MessageArgument =\n"
    "  number | string | string[] | { shape: number[] } | { field: string } | "
    "{ id: string; arguments: MessageArgument[] };\n";

// Of the fields of which TypeScript says more than C++.
const std::map<std::string, std::string> exact_types = {{"TaskInfo.form", "'pairs' | 'texts' | 'windows'"},
                                                        {"TraceColumns.numbers", "Int32Array"},
                                                        {"TreeNode.state", "'kept' | 'pruned' | 'finished'"}};

struct Declarations {
  std::string interfaces, calls;
  std::set<std::string> declared;
};

// "RunInfo" for unroll::RunInfo.
template <typename T>
std::string name_of() {
  const std::unique_ptr<char, void (*)(void*)> name{abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, nullptr),
                                                    std::free};
  return std::string(name.get()).substr(sizeof("unroll::") - 1);
}

std::string type_of(Declarations&, double) { return "number"; }
std::string type_of(Declarations&, bool) { return "boolean"; }
std::string type_of(Declarations&, const std::string&) { return "string"; }
std::string type_of(Declarations&, const Config&) { return "Config"; }
std::string type_of(Declarations&, const std::vector<float>&) { return "Float32Array"; }
std::string type_of(Declarations&, const std::vector<std::uint8_t>&) { return "Uint8Array"; }
std::string type_of(Declarations& declarations, int) { return type_of(declarations, 0.0); }
std::string type_of(Declarations& declarations, float) { return type_of(declarations, 0.0); }
std::string type_of(Declarations&, JsonText) { return "MessageArgument[]"; }
template <typename T>
std::string type_of(Declarations& declarations, const std::optional<T>&) {
  return type_of(declarations, T{}) + " | null";
}
template <typename T>
std::string type_of(Declarations& declarations, const std::vector<T>&) {
  return type_of(declarations, T{}) + "[]";
}

// Its interface is declared at the first use.
template <Described T>
std::string type_of(Declarations& declarations, const T& it) {
  const std::string name = name_of<T>();
  if (!declarations.declared.insert(name).second) return name;
  std::string text = "\nexport interface " + name + " {\n";
  fields(it, [&](const char* field, const auto& value) {
    const auto exact = exact_types.find(name + "." + field);
    text += "  " + std::string(field) + ": " +
            (exact == exact_types.end() ? type_of(declarations, value) : exact->second) + ";\n";
  });
  declarations.interfaces += text + "}\n";
  return name;
}

std::string parameter(const Argument& argument, const std::string& type) {
  const std::string readonly = type.ends_with("[]") ? "readonly " : "";
  return argument.name + (": " + (argument.type ? argument.type : readonly + type));
}

struct Table {
  Declarations& declarations;

  template <typename Call, typename... Names>
  void operator()(const char* name, Call call, Names... names) const {
    add(name, signature_of(call), names...);
  }

 private:
  template <typename T, typename... A>
  void add(const char* name, Signature<T, A...>, ArgumentOf<A>... names) const {
    std::string parameters;
    ((parameters += (parameters.empty() ? "" : ", ") + parameter(names, type_of(declarations, A{}))), ...);
    declarations.calls += "  " + std::string(name) + "(" + parameters + "): " + type_of(declarations, T{}) + ";\n";
  }
};

}  // namespace
}  // namespace unroll

int main() {
  unroll::Declarations declarations;
  unroll::describe_session(unroll::Table{declarations});
  declarations.calls += "\n  // Of a module with linear algebra.\n";
  unroll::describe_matrices(unroll::Table{declarations});
  declarations.calls += "\n  // Of a module with interventions.\n";
  unroll::describe_interventions(unroll::Table{declarations});
  declarations.calls += "\n  // Of a module with the language of programs.\n";
  unroll::describe_programs(unroll::Table{declarations});
  std::printf("%s%s\n/** What each call returns unless it is refused. */\nexport interface Calls {\n%s}\n",
              unroll::head, declarations.interfaces.c_str(), declarations.calls.c_str());
}
