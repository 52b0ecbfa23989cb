// The allowed dependencies, checked on the includes and imports of every file.
#include <filesystem>

#include "tests/engine/support/sources.h"
#include "tests/engine/support/test.h"

namespace {

namespace fs = std::filesystem;

// Each layer may use itself and the ones after it.
const std::vector<std::string> layers = {"io", "train",  "data", "models",   "generate", "program",
                                         "nn", "linalg", "ops",  "autograd", "kernels",  "tensor"};

int place_of(const std::string& layer) { return static_cast<int>(std::ranges::find(layers, layer) - layers.begin()); }

std::vector<std::string> own_includes(const std::string& path) {
  return matches(source_text(path), R"re((?:^|\n)\s*#\s*include\s*"([^"]+)")re");
}
std::vector<std::string> system_includes(const std::string& path) {
  return matches(source_text(path), R"re((?:^|\n)\s*#\s*include\s*<([^>]+)>)re");
}
std::vector<std::string> imports(const std::string& path) {
  return matches(source_text(path), R"re((?:\bfrom|\bimport|\bimport\s*\()\s*['"]([^'"]+)['"])re");
}

std::string layer_of(const std::string& path) { return path.substr(7, path.find('/', 7) - 7); }

// The names in lines that begin like "constexpr type name = value, other = value;".
std::vector<std::string> constants(const std::string& path) {
  std::vector<std::string> names;
  for (const std::string& line :
       matches(source_text(path), R"re((?:^|\n)((?:inline )?const(?:expr)? [^;({]*(?:=|\{|\[)))re"))
    for (const std::string& name : matches(line, R"re((\w+)(?:\[\])? ?(?:=|\{|\[))re")) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("includes and imports are found") {
  CHECK(own_includes("engine/nn/layers/convolution.h") ==
        std::vector<std::string>{"engine/nn/parameters.h", "engine/ops/ops.h"});
  CHECK(system_includes("engine/nn/layers/convolution.h") == std::vector<std::string>{"string", "vector"});
  CHECK(std::ranges::count(imports("web/vite.config.ts"), "vite") == 1);
}

TEST_CASE("dependencies inside the engine point one way") {
  const std::vector<std::string> files = source_files("engine", {".h", ".cpp"});
  REQUIRE(files.size() > 40);
  for (const std::string& file : files) {
    const int own = place_of(layer_of(file));
    CHECK_MESSAGE(own < static_cast<int>(layers.size()), file << " is in no layer");
    for (const std::string& include : own_includes(file)) {
      INFO(file, " includes ", include);
      REQUIRE(include.starts_with("engine/"));
      CHECK(place_of(layer_of(include)) >= own);
    }
  }
}

// A folder is compiled as one file: if two constants share a name, the compiler may silently take the wrong one.
TEST_CASE("no constant shares its name with another in its folder or in a header") {
  CHECK(constants("engine/models/sequence_model.h") ==
        std::vector<std::string>{"max_rows", "max_positions", "min_vocabulary", "max_vocabulary"});
  std::map<std::string, std::string> in_headers;
  for (const std::string& file : source_files("engine", {".h"}))
    for (const std::string& name : constants(file)) in_headers[name] = file;
  CHECK(in_headers.size() > 20);
  std::map<std::string, std::string> known;
  for (const std::string& file : source_files("engine", {".cpp"}))
    for (const std::string& name : constants(file)) {
      const std::string in_folder = fs::path(file).parent_path().generic_string() + "/" + name;
      CHECK_MESSAGE(!in_headers.contains(name), name << " of " << file << " is in " << in_headers[name] << " too");
      CHECK_MESSAGE(!known.contains(in_folder), name << " of " << file << " is in " << known[in_folder] << " too");
      known[in_folder] = file;
    }
}

TEST_CASE("the engine uses no browser, clock, console or files, and threads in one place") {
  const std::set<std::string> foreign = {"chrono", "iostream", "fstream", "filesystem", "thread", "ctime",
                                         "time.h", "random",   "sstream", "ostream",    "istream"};
  for (const std::string& file : source_files("engine", {".h", ".cpp"})) {
    for (const std::string& include : system_includes(file)) {
      INFO(file, " includes ", include);
      CHECK_FALSE((foreign.contains(include) && !(include == "thread" && file == "engine/kernels/parallel.cpp")));
      CHECK_FALSE(include.starts_with("emscripten"));
    }
    INFO(file);
    CHECK(without_comments(source_text(file)).find("__EMSCRIPTEN__") == std::string::npos);
  }
}

TEST_CASE("the engine computes exp, log and the like itself: library versions differ between machines") {
  const std::string foreign = R"re(std::((?:exp|log|pow|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|erf)\w*)\s*\()re";
  for (const std::string& file : source_files("engine", {".h", ".cpp"})) {
    if (file == "engine/kernels/functions.cpp") continue;  // for the double build, which only checks gradients
    for (const std::string& function : matches(without_comments(source_text(file)), foreign))
      FAIL_CHECK(file << " calls std::" << function << ": use engine/kernels/functions.h");
  }
  CHECK(matches(without_comments(source_text("engine/kernels/functions.cpp")), foreign).size() >= 7);
}

TEST_CASE("the bindings use the engine and themselves; only they use Emscripten") {
  for (const std::string& file : source_files("bindings", {".h", ".cpp"}))
    for (const std::string& include : own_includes(file)) {
      INFO(file, " includes ", include);
      CHECK((include.starts_with("engine/") || include.starts_with("bindings/")));
    }
}

TEST_CASE(
    "the page imports nothing from outside except the engine's generated types, its sentences and its tables of "
    "models and rungs") {
  const std::vector<std::string> files = source_files("web", {".ts", ".mjs"});
  REQUIRE(files.size() > 20);
  for (const std::string& file : files)
    for (const std::string& import : imports(file)) {
      if (!import.starts_with(".")) continue;  // a package, or a module that the build generates
      const std::string path = (fs::path(file).parent_path() / import).lexically_normal().generic_string();
      INFO(file, " imports ", path);
      CHECK((path.starts_with("web/") || path.starts_with("engine/messages/") || path == "bindings/engine" ||
             path == "bindings/engine.d.ts" || path == "engine/models/kinds.json" ||
             path == "engine/models/rungs.json"));
    }
}

TEST_CASE("lessons are data: they import nothing and contain no code") {
  for (const std::string& file : source_files("lessons", {""})) {
    const bool code = std::ranges::any_of(std::vector<std::string>{".ts", ".js", ".mjs", ".cpp", ".h", ".html", ".css"},
                                          [&](const std::string& ending) { return file.ends_with(ending); });
    CHECK_MESSAGE(!code, file << " is code");
    if (file.ends_with(".md"))
      for (const std::string& line : matches(source_text(file), R"((?:^|\n)(import|export)\s)"))
        FAIL_CHECK(file << " has a line that begins with " << line);
  }
}
