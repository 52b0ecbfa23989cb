// unroll_conform DIR: runs every case below DIR on the engine. Prints a line per failure or skip, then the counts.
// Exits with 1 on any failure, or if there are no cases.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/conform/case.h"

namespace {

namespace fs = std::filesystem;
using namespace unroll::conform;

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
};

std::vector<fs::path> cases_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".json" && entry.path().filename() != "INDEX.json")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void print_failure(const std::string& name, const Findings& findings) {
  std::cout << "FAIL " << name << ": " << findings[0];
  if (findings.size() > 1) std::cout << " (and " << findings.size() - 1 << " more)";
  std::cout << '\n';
}

void run(const fs::path& file, const std::string& name, Counts& counts) {
  Findings findings;
  try {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("it cannot be read");
    run_case(Json::parse(stream), findings);
  } catch (const Skip& skip) {
    ++counts.skipped;
    std::cout << "SKIP " << name << ": " << skip.what() << '\n';
    return;
  } catch (const std::exception& error) {
    findings.push_back(error.what());
  }
  ++(findings.empty() ? counts.passed : counts.failed);
  if (!findings.empty()) print_failure(name, findings);
}

int complain(const std::string& text) {
  std::cerr << "conform: " << text << '\n';
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return complain("name one folder of cases: unroll_conform DIR");
  const fs::path folder = words[1];
  if (!fs::is_directory(folder)) return complain(folder.string() + " is no folder: name one with cases (*.json)");
  const std::vector<fs::path> files = cases_below(folder);
  if (files.empty()) return complain(folder.string() + " has no cases: there is no *.json in it");

  Counts counts;
  for (const fs::path& file : files) run(file, fs::relative(file, folder).string(), counts);
  std::cout << counts.passed << " passed, " << counts.failed << " failed, " << counts.skipped << " skipped\n";
  return counts.failed > 0;
}
