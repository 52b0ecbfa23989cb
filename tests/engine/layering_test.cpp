// What may know what, read from the includes and imports of every file.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/engine/support/sources.h"

using namespace unroll;

namespace {

// Each layer knows itself and the ones after it.
const std::vector<std::string> layers = {"train", "models", "nn", "ops", "autograd", "tensor"};

int place_of(const std::string& layer) { return static_cast<int>(std::ranges::find(layers, layer) - layers.begin()); }

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator each(text.begin(), text.end(), pattern), end; each != end; ++each)
    found.push_back(each->str(1));
  return found;
}

std::vector<std::string> own_includes(const std::string& path) {
  return matches(source_text(path), std::regex(R"re((?:^|\n)\s*#\s*include\s*"([^"]+)")re"));
}
std::vector<std::string> system_includes(const std::string& path) {
  return matches(source_text(path), std::regex(R"re((?:^|\n)\s*#\s*include\s*<([^>]+)>)re"));
}
std::vector<std::string> imports(const std::string& path) {
  return matches(source_text(path), std::regex(R"re((?:\bfrom|\bimport|\bimport\s*\()\s*['"]([^'"]+)['"])re"));
}

std::string layer_of(const std::string& path) { return path.substr(7, path.find('/', 7) - 7); }

}  // namespace

TEST_CASE("inside the engine dependencies point one way") {
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

TEST_CASE("the engine knows no browser, no clock, no console and no files") {
  const std::set<std::string> foreign = {"chrono", "iostream", "fstream", "filesystem", "thread", "ctime",
                                         "time.h", "random",   "sstream", "ostream",    "istream"};
  for (const std::string& file : source_files("engine", {".h", ".cpp"})) {
    for (const std::string& include : system_includes(file)) {
      INFO(file, " includes ", include);
      CHECK_FALSE(foreign.contains(include));
      CHECK_FALSE(include.starts_with("emscripten"));
    }
    INFO(file);
    CHECK(without_comments(source_text(file)).find("__EMSCRIPTEN__") == std::string::npos);
  }
}

TEST_CASE("the bindings know the engine and themselves; only they know Emscripten") {
  for (const std::string& file : source_files("bindings", {".h", ".cpp"}))
    for (const std::string& include : own_includes(file)) {
      INFO(file, " includes ", include);
      CHECK((include.starts_with("engine/") || include.starts_with("bindings/")));
    }
}

TEST_CASE("the page takes nothing of the engine but its generated types") {
  for (const std::string& file : source_files("web", {".ts", ".mjs", ".js", ".html"}))
    for (const std::string& import : imports(file)) {
      INFO(file, " imports ", import);
      const bool of_engine = import.find("bindings/") != std::string::npos || import.find("../engine/") == 0;
      const bool of_source = import.ends_with(".cpp") || import.ends_with(".h");
      CHECK_FALSE(of_source);
      if (of_engine && import.find("bindings/") != std::string::npos)
        CHECK((import.ends_with("bindings/engine.d.ts") || import.ends_with("bindings/engine")));
    }
}

TEST_CASE("lessons are data: they import nothing and hold no code") {
  for (const std::string& file : source_files("lessons", {""})) {
    const bool code = std::ranges::any_of(std::vector<std::string>{".ts", ".js", ".mjs", ".cpp", ".h", ".html", ".css"},
                                          [&](const std::string& ending) { return file.ends_with(ending); });
    CHECK_MESSAGE(!code, file << " is code");
    if (file.ends_with(".md"))
      for (const std::string& line : matches(source_text(file), std::regex(R"((?:^|\n)(import|export)\s)")))
        FAIL_CHECK(file << " has a line that begins with " << line);
  }
}
