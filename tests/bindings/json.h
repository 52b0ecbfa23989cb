// Replies of the session as JSON, with the names that JavaScript sees. Numbers that JSON lacks are "nan", "inf" and
// "-inf"; bytes are a text of two hexadecimal digits each, as a list of them would be slow to read.
#pragma once

#include <nlohmann/json.hpp>

#include "bindings/session.h"

namespace unroll {

using Json = nlohmann::json;

Json to_json(double number);
Json to_json(const std::vector<float>& values);
Json to_json(const std::vector<std::uint8_t>& bytes);
Json to_json(const ModelInfo& info);
Json to_json(const SizeInfo& info);
Json to_json(const RunInfo& info);
Json to_json(const Trace& trace);
Json to_json(const GradientCheck& check);
Json to_json(const TrainInfo& info);
Json to_json(const TaskInfo& info);
Json to_json(const PairInfo& info);
Json to_json(const std::vector<PairInfo>& pairs);
Json to_json(const GenerationInfo& info);
Json to_json(const GenerationCost& cost);
Json to_json(const EvaluationInfo& info);

template <typename T>
Json to_json(const Reply<T>& reply) {
  if (reply.ok) return {{"ok", true}, {"value", to_json(reply.value)}};
  return {{"ok", false},
          {"code", reply.code},
          {"message", reply.message},
          {"pattern", reply.pattern},
          {"arguments", reply.arguments},
          {"detail", reply.detail}};
}

double number_from(const Json& value);  // a number or one of the three texts; throws std::runtime_error otherwise
Config config_from(const Json& object);
std::vector<NamedTensor> tensors_from(const Json& list);
std::vector<ValueEdit> edits_from(const Json& list);
std::vector<std::uint8_t> bytes_from(const Json& text);

}  // namespace unroll
