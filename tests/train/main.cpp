// `lab train`: trains a task natively and reports what it reached.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/models/attention_model.h"
#include "engine/tensor/error.h"
#include "engine/train/trainer.h"

namespace {

using unroll::Config;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string task, model, json;
  double seed = 1, seconds = 10;
};

struct Report {
  int steps = 0;
  double seconds = 0, loss = 0;
};

// A model of the same form with other weights gives the target: training must find how it attends.
Report train_teacher(const Options& options) {
  Config config{{"words", 8.0},         {"size", 6.0},          {"key_size", 4.0},
                {"value_size", 3.0},    {"seed", options.seed}, {"optimiser", std::string("adam")},
                {"learning_rate", 0.02}};
  Config other = config;
  other.set("seed", options.seed + 1);
  unroll::AttentionModel student(config), teacher(other);
  teacher.set_input("X", student.inputs()[0].value);
  teacher.loss();
  student.set_input("target", teacher.output());

  unroll::Trainer trainer(student, config);
  const auto start = Clock::now();
  Report report;
  do {
    report.loss = trainer.step();
    ++report.steps;
    report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  } while (report.loss > 1e-4 && report.seconds < options.seconds);
  return report;
}

const std::map<std::pair<std::string, std::string>, std::function<Report(const Options&)>> runs = {
    {{"teacher", "attention"}, train_teacher},
};

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "lab train: %s\n", message.c_str());
  std::exit(2);
}

double number(const std::string& option, const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end || !(value >= 0 && value <= 1e9))
    refuse(option + " is \"" + text + "\": use a number from 0 to 1e9");
  return value;
}

Options parse(int count, char** arguments) {
  Options options;
  if (count > 1) options.task = arguments[1];
  if (count > 2) options.model = arguments[2];
  for (int i = 3; i < count; i += 2) {
    const std::string option = arguments[i];
    if (i + 1 == count) refuse(option + " has no value");
    if (option == "--seed")
      options.seed = number(option, arguments[i + 1]);
    else if (option == "--seconds")
      options.seconds = number(option, arguments[i + 1]);
    else if (option == "--json")
      options.json = arguments[i + 1];
    else
      refuse("there is no option \"" + option + "\": use --seed, --seconds or --json");
  }
  return options;
}

void write_json(const Options& options, const Report& report) {
  const nlohmann::ordered_json json = {
      {"task", options.task},   {"model", options.model},    {"seed", static_cast<std::uint64_t>(options.seed)},
      {"steps", report.steps},  {"seconds", report.seconds}, {"loss", report.loss},
      {"exact_match", nullptr}, {"bleu", nullptr},           {"aer", nullptr},
      {"perplexity", nullptr}};
  std::ofstream file(options.json);
  if (!(file << json.dump(2) << '\n')) refuse("--json is \"" + options.json + "\", which cannot be written");
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  const auto run = runs.find({options.task, options.model});
  if (run == runs.end()) {
    std::puts("What can be trained (TASK MODEL):");
    for (const auto& [name, each] : runs) std::printf("  %s %s\n", name.first.c_str(), name.second.c_str());
    return options.task.empty() ? 0 : 2;
  }
  try {
    const Report report = run->second(options);
    std::printf("%s %s, seed %.0f: loss %.3g after %d steps, %.2f s\n", options.task.c_str(), options.model.c_str(),
                options.seed, report.loss, report.steps, report.seconds);
    if (!options.json.empty()) write_json(options, report);
  } catch (const unroll::Error& error) {
    refuse(error.what());
  }
}
