#include "tests/bindings/json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace unroll {
namespace {

Json to_json(const std::vector<TensorInfo>& tensors) {
  Json list = Json::array();
  for (const TensorInfo& each : tensors) list.push_back({{"name", each.name}, {"shape", each.shape}});
  return list;
}

Json to_json(const TraceNode& node) {
  return {{"id", node.id},           {"name", node.name},        {"op", node.op},       {"rule", node.rule},
          {"formula", node.formula}, {"role", node.role},        {"phase", node.phase}, {"shape", node.shape},
          {"inputs", node.inputs},   {"scope", node.scope},      {"file", node.file},   {"line", node.line},
          {"origin", node.origin},   {"gradient", node.gradient}};
}

Json to_json(const TraceScope& scope) {
  return {{"id", scope.id},     {"name", scope.name},   {"parent", scope.parent}, {"file", scope.file},
          {"line", scope.line}, {"first", scope.first}, {"last", scope.last},     {"phase", scope.phase}};
}

Config::Value value_from(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>();
  if (value.is_array()) {
    std::vector<double> numbers;
    for (const Json& each : value) numbers.push_back(number_from(each));
    return numbers;
  }
  if (value.is_string()) return value.get<std::string>();
  throw std::runtime_error("a field of the config is neither text, number, boolean nor list");
}

}  // namespace

// A float needs at most 9 significant digits, a double 17: nlohmann/json writes the shortest text that reads back
// equal.
Json to_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

Json to_json(const std::vector<float>& values) {
  Json list = Json::array();
  for (float value : values) list.push_back(to_json(static_cast<double>(value)));
  return list;
}

Json to_json(const std::vector<std::uint8_t>& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : bytes) text += {digits[byte >> 4], digits[byte & 15]};
  return text;
}

Json to_json(const ModelInfo& info) {
  return {{"kind", info.kind},
          {"seed", info.seed},
          {"steps", info.steps},
          {"inputs", to_json(info.inputs)},
          {"parameters", to_json(info.parameters)}};
}

Json to_json(const SizeInfo& info) {
  return {{"parameters", to_json(info.parameters)}, {"stepBytes", to_json(info.step_bytes)}};
}

Json to_json(const RunInfo& info) {
  return {{"loss", to_json(info.loss)}, {"output", info.output}, {"forward", info.forward},
          {"backward", info.backward},  {"update", info.update}, {"trace", info.trace}};
}

Json to_json(const Trace& trace) {
  Json nodes = Json::array(), scopes = Json::array();
  for (const TraceNode& node : trace.nodes) nodes.push_back(to_json(node));
  for (const TraceScope& scope : trace.scopes) scopes.push_back(to_json(scope));
  return {{"nodes", nodes}, {"scopes", scopes}};
}

Json to_json(const GradientCheck& check) {
  return {{"analytic", to_json(check.analytic)},
          {"numeric", to_json(check.numeric)},
          {"difference", to_json(check.difference)}};
}

Json to_json(const TrainInfo& info) {
  return {{"step", info.step},
          {"loss", to_json(info.loss)},
          {"accuracy", to_json(info.accuracy)},
          {"examples", info.examples},
          {"tokens", info.tokens}};
}

Json to_json(const TaskInfo& info) {
  return {{"name", info.name},
          {"separator", info.separator},
          {"form", info.form},
          {"sourceWords", info.source_words},
          {"targetWords", info.target_words},
          {"train", info.train},
          {"validation", info.validation},
          {"test", info.test},
          {"truePerplexity", to_json(info.true_perplexity)}};
}

Json to_json(const PairInfo& info) {
  return {{"source", info.source}, {"target", info.target}, {"alignment", info.alignment}, {"heldOut", info.held_out}};
}

Json to_json(const std::vector<PairInfo>& pairs) {
  Json list = Json::array();
  for (const PairInfo& pair : pairs) list.push_back(to_json(pair));
  return list;
}

Json to_json(const GenerationInfo& info) {
  Json tree = Json::array();
  for (const TreeNode& node : info.tree)
    tree.push_back({{"parent", node.parent},
                    {"token", node.token},
                    {"logProbability", to_json(node.log_probability)},
                    {"score", to_json(node.score)},
                    {"probability", to_json(node.probability)},
                    {"sequenceProbability", to_json(node.sequence_probability)},
                    {"state", node.state}});
  return {{"source", info.source},
          {"tokens", info.tokens},
          {"logProbabilities", info.log_probabilities},
          {"probabilities", to_json(info.probabilities)},
          {"probability", info.probability},
          {"weights", to_json(info.weights)},
          {"ended", info.ended},
          {"tree", tree},
          {"best", info.best}};
}

Json to_json(const GenerationCost& cost) {
  return {{"cacheBytes", cost.cache_bytes},
          {"multiplyAdds", cost.multiply_adds},
          {"multiplyAddsUncached", cost.multiply_adds_uncached}};
}

Json to_json(const EvaluationInfo& info) {
  Json by_length = Json::array();
  for (const LengthInfo& each : info.by_length)
    by_length.push_back({{"length", each.length}, {"pairs", each.pairs}, {"exact", each.exact}});
  return {{"done", info.done},
          {"pairs", info.pairs},
          {"exactMatch", to_json(info.exact_match)},
          {"bleu", to_json(info.bleu)},
          {"brevityPenalty", to_json(info.brevity_penalty)},
          {"perplexity", to_json(info.perplexity)},
          {"precisions", info.precisions},
          {"alignmentErrorRate", to_json(info.alignment_error_rate)},
          {"attentionMass", to_json(info.attention_mass)},
          {"pronounAccuracy", to_json(info.pronoun_accuracy)},
          {"byLength", by_length}};
}

double number_from(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("a number is expected where " + value.dump() + " is");
}

Config config_from(const Json& object) {
  Config config;
  for (const auto& [name, value] : object.items()) config.set(name, value_from(value));
  return config;
}

std::vector<NamedTensor> tensors_from(const Json& list) {
  std::vector<NamedTensor> tensors;
  for (const Json& each : list) {
    NamedTensor tensor{each.at("name").get<std::string>(), each.at("shape").get<std::vector<int>>(), {}};
    for (const Json& value : each.at("values")) tensor.values.push_back(static_cast<float>(number_from(value)));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<ValueEdit> edits_from(const Json& list) {
  std::vector<ValueEdit> edits;
  for (const Json& each : list)
    edits.push_back({each.at("name").get<std::string>(), each.at("index").get<int>(),
                     static_cast<float>(number_from(each.at("value")))});
  return edits;
}

std::vector<std::uint8_t> bytes_from(const Json& text) {
  const auto& digits = text.get_ref<const std::string&>();
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&digits[2 * i], &digits[2 * i] + 2, bytes[i], 16);
  return bytes;
}

}  // namespace unroll
