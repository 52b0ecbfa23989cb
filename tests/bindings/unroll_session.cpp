// A native session over standard input and output: a line {"call": "load", "args": [...]} is answered by a line with
// the reply, in JavaScript's terms. Tests compare it with the WebAssembly build.
#include <iostream>
#include <string>

#include "tests/bindings/json.h"

namespace {

using namespace unroll;

using Call = Json (*)(Session& session, const Json& args);

std::string text_at(const Json& args, int i) { return args.at(i).get<std::string>(); }
int int_at(const Json& args, int i) { return args.at(i).get<int>(); }

const std::map<std::string, Call> calls = {
    {"load", [](Session& s, const Json& args) { return to_json(s.load(config_from(args.at(0)))); }},
    {"estimate", [](Session& s, const Json& args) { return to_json(s.estimate(config_from(args.at(0)))); }},
    {"run", [](Session& s, const Json& args) { return to_json(s.run(tensors_from(args.at(0)))); }},
    {"trace", [](Session& s, const Json&) { return to_json(s.trace()); }},
    {"values", [](Session& s, const Json& args) { return to_json(s.values(int_at(args, 0))); }},
    {"probabilities", [](Session& s, const Json& args) { return to_json(s.probabilities(int_at(args, 0))); }},
    {"gradients", [](Session& s, const Json& args) { return to_json(s.gradients(int_at(args, 0))); }},
    {"edit",
     [](Session& s, const Json& args) {
       return to_json(s.edit(text_at(args, 0), int_at(args, 1), static_cast<float>(number_from(args.at(2)))));
     }},
    {"undoEdit", [](Session& s, const Json& args) { return to_json(s.undo_edit(text_at(args, 0), int_at(args, 1))); }},
    {"setEdits", [](Session& s, const Json& args) { return to_json(s.set_edits(edits_from(args.at(0)))); }},
    {"checkGradient",
     [](Session& s, const Json& args) { return to_json(s.check_gradient(text_at(args, 0), int_at(args, 1))); }},
    {"train", [](Session& s, const Json& args) { return to_json(s.train(int_at(args, 0))); }},
    {"save", [](Session& s, const Json&) { return to_json(s.save()); }},
    {"restore", [](Session& s, const Json& args) { return to_json(s.restore(bytes_from(args.at(0)))); }},
    {"task", [](Session& s, const Json&) { return to_json(s.task()); }},
    {"pairs",
     [](Session& s, const Json& args) { return to_json(s.pairs(text_at(args, 0), int_at(args, 1), int_at(args, 2))); }},
    {"read", [](Session& s, const Json& args) { return to_json(s.read(text_at(args, 0), text_at(args, 1))); }},
    {"generate",
     [](Session& s, const Json& args) { return to_json(s.generate(text_at(args, 0), config_from(args.at(1)))); }},
    {"generationCost", [](Session& s, const Json& args) { return to_json(s.generation_cost(int_at(args, 0))); }},
    {"evaluate",
     [](Session& s, const Json& args) {
       return to_json(s.evaluate(text_at(args, 0), int_at(args, 1), int_at(args, 2)));
     }},
    {"evaluateMore", [](Session& s, const Json&) { return to_json(s.evaluate_more()); }},
};

Json refusal(const std::string& message) {
  return {{"ok", false}, {"code", "E_INPUT"}, {"message", message}, {"detail", "request"}};
}

Json answer(Session& session, const std::string& line) {
  try {
    const Json request = Json::parse(line);
    const auto call = calls.find(request.at("call").get<std::string>());
    if (call == calls.end())
      return refusal("call is " + request.at("call").dump() + ", which a session does not have.");
    return call->second(session, request.value("args", Json::array()));
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace

int main() {
  unroll::Session session;
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(session, line) << std::endl;
}
