#include "engine/program/packages.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/objects.h"
#include "engine/program/package_members.h"
#include "engine/program/syntax.h"

namespace unroll::program {
namespace {

// What a file of the library has: names that it imports from other files, and the others that it defines.
struct Listing {
  std::map<std::string, std::pair<std::string, std::string>> imported;  // name → package and name there
  std::set<std::string> defined;
};

constexpr std::string_view own_prefix = "unroll.";

// "unroll.nn.linear" is the file "nn/linear".
std::string file_of(std::string_view package) {
  std::string file(package.substr(own_prefix.size()));
  std::ranges::replace(file, '.', '/');
  return file;
}

Listing read_listing(const Program* program) {
  Listing listing;
  const auto name_of = [&](Symbol symbol) { return program->names[symbol]; };
  for (const Statement& statement : program->body) {
    if (const auto* import = std::get_if<Import>(&statement.node)) {
      for (const Import::Bound& each : import->names)
        if (each.package.starts_with(own_prefix)) listing.imported[name_of(each.symbol)] = {each.package, each.member};
    } else if (const auto* function = std::get_if<Define>(&statement.node)) {
      listing.defined.insert(function->function->name);
    } else if (const auto* type = std::get_if<DefineClass>(&statement.node)) {
      listing.defined.insert(type->definition->name);
    } else if (const auto* assignment = std::get_if<Assign>(&statement.node)) {
      for (const ExpressionPtr& target : assignment->targets)
        if (const auto* name = std::get_if<Name>(&target->node)) listing.defined.insert(name_of(name->symbol));
    }
  }
  return listing;
}

// Each file is run only when something of it is asked for.
const Listing& listing_of(const std::string& file) {
  static std::map<std::string, Listing> all;
  const auto found = all.find(file);
  if (found != all.end()) return found->second;
  const Program* program = library_program(file + ".py");
  return all.emplace(file, program ? read_listing(program) : Listing()).first->second;
}

// The names of packages are kept, as values point to them.
const std::string& kept(std::string_view text) {
  static std::set<std::string, std::less<>> all;
  const auto found = all.find(text);
  return found != all.end() ? *found : *all.emplace(text).first;
}

std::optional<Value> find_in_file(Interpreter& interpreter, const std::string& file, const std::string& name) {
  const Listing& listing = listing_of(file);
  const auto imported = listing.imported.find(name);
  if (imported != listing.imported.end()) {
    const auto& [package, member] = imported->second;
    return find_member(interpreter, Package{&kept(package)}, member);
  }
  return listing.defined.contains(name) ? interpreter.find_in_library(file, name) : std::nullopt;
}

bool is_package_name(std::string_view name) {
  if (contents_of(name)) return true;
  return name.starts_with(own_prefix) && library_text(file_of(name) + ".py");
}

}  // namespace

const Program* library_program(const std::string& file) {
  static std::map<std::string, std::unique_ptr<const Program>> all;
  const auto found = all.find(file);
  if (found != all.end()) return found->second.get();
  const char* text = library_text(file);
  return text ? all.emplace(file, parse(text, library_name(file))).first->second.get() : nullptr;
}

Value word_of(Word::Kind kind, const std::string& text, Type type) { return Word{kind, kept(text).c_str(), type}; }

std::optional<Value> find_package(std::string_view name) {
  if (!is_package_name(name)) return std::nullopt;
  return Package{&kept(name)};
}

std::optional<Value> find_member(Interpreter& interpreter, const Package& package, const std::string& name) {
  const std::string& package_name = *package.name;
  if (!contents_of(package_name)) return find_in_file(interpreter, file_of(package_name), name);
  const PackageContents& contents = *contents_of(package_name);
  if (name == "__name__") return package_name;
  if (contents.file)
    if (const std::optional<Value> found = find_in_file(interpreter, contents.file, name)) return found;
  if (contents.own)
    if (const std::optional<Value> found = contents.own(name)) return found;
  // Of a package that is refused as a whole, what has any name is a function: tqdm.tqdm.
  const std::string whole = package_name + "." + name;
  const PackageContents* smaller = contents_of(whole);
  if (smaller && !smaller->name.empty()) return find_package(whole);
  // (hasattr(time, "__file__") is not a use of it.)
  if (contents.refusal && !name.starts_with("__")) return refused_member(contents.refusal, whole);
  return std::nullopt;
}

std::vector<std::string> names_in(const Package& package) {
  std::set<std::string> all;
  const auto add_file = [&](const std::string& file) {
    for (const auto& [name, from] : listing_of(file).imported) all.insert(name);
    for (const std::string& name : listing_of(file).defined) all.insert(name);
  };
  if (!contents_of(*package.name)) {
    add_file(file_of(*package.name));
  } else {
    const PackageContents& contents = *contents_of(*package.name);
    if (contents.names)
      for (std::string& name : contents.names()) all.insert(std::move(name));
    if (contents.file) add_file(contents.file);
  }
  std::erase_if(all, [](const std::string& name) { return name.starts_with('_'); });
  return {all.begin(), all.end()};
}

}  // namespace unroll::program
