// `lab train`: trains a model on a task natively and reports its results on the test split.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "bindings/native/file.h"
#include "bindings/native/program_file.h"
#include "engine/kernels/parallel.h"
#include "engine/models/program/learner_program.h"
#include "engine/tensor/error.h"
#include "engine/train/evaluate.h"
#include "engine/train/recipes.h"
#include "engine/train/task_trainer.h"
#include "tests/engine/support/settings.h"

namespace {

using namespace unroll;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct Options {
  std::string task, model, program, json, pytorch;  // program: its file
  double seed = 1;
  double seconds = HUGE_VAL;  // stop after these
  int threads = 1;
  Config changes;  // to the recipe
};

struct Report {
  TrainingStep last;
  double seconds = 0;  // of training only
  Evaluation reached;
  double true_perplexity = 0;  // 0 if unknown
  std::string script;          // see LearnerModel::pytorch
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "lab train: %s\n", message.c_str());
  std::exit(2);
}

std::string contents(const std::string& path) {
  if (std::optional<std::string> text = contents_of(path)) return *std::move(text);
  refuse("there is no file " + path + " that can be read");
}

Report train(const Options& options) {
  set_threads(options.threads);
  Config config = recipe(options.task, options.model);
  config.set("seed", options.seed);
  for (const auto& [name, value] : options.changes.fields()) config.set(name, value);
  if (!options.program.empty())
    config.set("program", program_of_file(contents(options.program), options.program,
                                          config.any_text("kind") == "program_seq2seq"));
  const std::shared_ptr<const Task> task = task_from_config(config);
  set_vocabularies(config, *task);
  const std::unique_ptr<Model> model = make_model(config);
  Trainer optimiser(*model, config);
  TaskTrainer trainer(*task, *model, optimiser, config);
  config.reject_unknown();
  const int steps = config.integer("steps", 1000, 1, 1'000'000);

  Report report;
  const auto start = Clock::now();
  for (double shown = 1; report.last.step < steps && report.seconds < options.seconds;) {
    report.last = trainer.step();
    report.seconds = seconds_since(start);
    if (report.seconds < shown) continue;
    std::fprintf(stderr, "\rstep %d of %d, loss %.3f, accuracy %.3f", report.last.step, steps, report.last.loss,
                 report.last.accuracy);
    shown = report.seconds + 1;
  }
  std::fputc('\r', stderr);
  if (const auto* learners = dynamic_cast<const LearnerModel*>(model.get())) report.script = learners->pytorch();
  report.true_perplexity = task->true_perplexity();
  report.reached = evaluate(dynamic_cast<Generator&>(*model), *task, Split::test);
  return report;
}

int thread_count(const char* text) {
  char* end = nullptr;
  const long count = std::strtol(text, &end, 10);
  if (end == text || *end || count < 1 || count > max_threads)
    refuse("--threads is \"" + std::string(text) + "\": use a whole number from 1 to " + std::to_string(max_threads));
  return static_cast<int>(count);
}

double number(const std::string& option, const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end || !(value >= 0 && value <= 1e9))
    refuse(option + " is \"" + text + "\": use a number from 0 to 1e9");
  return value;
}

void set_changed(Config& changes, const std::string& text) {
  if (text.find('=') == std::string::npos) refuse("--set is \"" + text + "\": use NAME=VALUE");
  set_field(changes, text);
}

Options parse(int count, char** arguments) {
  Options options;
  options.task = arguments[1];
  options.model = arguments[2];
  const std::map<std::string, std::function<void(const char*)>> readers = {
      {"--seed", [&](const char* text) { options.seed = number("--seed", text); }},
      {"--seconds", [&](const char* text) { options.seconds = number("--seconds", text); }},
      {"--threads", [&](const char* text) { options.threads = thread_count(text); }},
      {"--json", [&](const char* text) { options.json = text; }},
      {"--pytorch", [&](const char* text) { options.pytorch = text; }},
      {"--program", [&](const char* text) { options.program = text; }},
      {"--set", [&](const char* text) { set_changed(options.changes, text); }}};
  for (int i = 3; i < count; i += 2) {
    const std::string option = arguments[i];
    if (i + 1 == count) refuse(option + " needs a value");
    const auto reader = readers.find(option);
    if (reader == readers.end())
      refuse("there is no option \"" + option +
             "\": use --seed, --seconds, --threads, --program, --set, --json or --pytorch");
    reader->second(arguments[i + 1]);
  }
  return options;
}

// [{"length": 3, "pairs": 20, "exact": 19}, …]
Json by_length(const Evaluation& reached) {
  Json lengths = Json::array();
  for (const auto& [length, of] : reached.by_length)
    lengths.push_back({{"length", length}, {"pairs", of.pairs}, {"exact", of.exact}});
  return lengths;
}

Json if_known(bool is_known, double figure) { return is_known ? Json(figure) : nullptr; }

void write_json(const Options& options, const Report& report) {
  const Evaluation& reached = report.reached;
  const Json json = {{"task", options.task},
                     {"model", options.model},
                     {"seed", static_cast<std::uint64_t>(options.seed)},
                     {"steps", report.last.step},
                     {"seconds", report.seconds},
                     {"loss", report.last.loss},
                     {"exact_match", if_known(reached.generated, reached.exact_match)},
                     {"bleu", if_known(reached.generated, reached.bleu.score())},
                     {"aer", if_known(reached.alignment.links, reached.alignment.rate())},
                     {"attention_mass", if_known(reached.attention_mass.tokens, reached.attention_mass.mean())},
                     {"pronouns", if_known(reached.pronouns.pronouns, reached.pronouns.share())},
                     {"perplexity", reached.perplexity},
                     {"true_perplexity", if_known(report.true_perplexity, report.true_perplexity)},
                     {"by_length", by_length(reached)}};
  std::ofstream file(options.json);
  if (!(file << json.dump(2) << '\n')) refuse("--json is \"" + options.json + "\", but that file cannot be written");
}

// The model with its trained weights, on the last batch.
void write_script(const Options& options, const Report& report) {
  if (report.script.empty()) refuse("--pytorch exports learner's programs only: name one with --program");
  std::ofstream file(options.pytorch);
  if (!(file << report.script)) refuse("--pytorch is \"" + options.pytorch + "\", but that file cannot be written");
}

void print(const Options& options, const Report& report) {
  const Evaluation& reached = report.reached;
  std::printf("%s %s, seed %.0f: %d steps, %.1f s, loss %.4f; test: ", options.task.c_str(), options.model.c_str(),
              options.seed, report.last.step, report.seconds, report.last.loss);
  if (reached.generated) std::printf("exact match %.4f, BLEU %.4f, ", reached.exact_match, reached.bleu.score());
  std::printf("perplexity %.4f", reached.perplexity);
  if (report.true_perplexity) std::printf(" where the text itself has %.4f", report.true_perplexity);
  if (reached.alignment.links) std::printf(", alignment error rate %.4f", reached.alignment.rate());
  if (reached.pronouns.pronouns)
    std::printf(", pronouns %.4f of %d", reached.pronouns.share(), reached.pronouns.pronouns);
  if (reached.attention_mass.tokens) std::printf(", attention mass %.4f", reached.attention_mass.mean());
  std::puts("");
}

void list() {
  std::puts("What can be trained, each task with each model:");
  for (const auto& [title, names] : {std::pair("tasks: ", task_names()), std::pair("models:", recipe_models())}) {
    std::fputs(title, stdout);
    for (const std::string& name : names) std::printf(" %s", name.c_str());
    std::puts("");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 1) {
    list();
    return 0;
  }
  if (count == 2) refuse("a model is missing after the task: use one of " + join(recipe_models(), ", "));
  const Options options = parse(count, arguments);
  try {
    const Report report = train(options);
    print(options, report);
    if (!options.json.empty()) write_json(options, report);
    if (!options.pytorch.empty()) write_script(options, report);
  } catch (const Error& error) {
    refuse(error.what());
  }
}
