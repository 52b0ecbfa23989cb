// A native session over standard input and output: a line {"call": "load", "args": [...]} is answered by a line with
// the reply, in JavaScript's terms. Tests compare it with the WebAssembly build.
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "bindings/programs.h"
#include "tests/bindings/json.h"

namespace {

using namespace unroll;

using Calls = std::map<std::string, std::function<Json(Session&, const Json& args)>>;

template <typename T>
T argument(const Json& args, std::size_t i) {
  T value;
  read_json(args.at(i), value);
  return value;
}

struct Table {
  Calls& calls;

  template <typename Call, typename... Names>
  void operator()(const char* name, Call call, Names...) const {
    add(name, call, signature_of(call), std::index_sequence_for<Names...>());
  }

 private:
  template <typename Call, typename T, typename... A, std::size_t... i>
  void add(const char* name, Call call, Signature<T, A...>, std::index_sequence<i...>) const {
    calls[name] = [=](Session& session, const Json& args) {
      return to_json(ask(session, call, argument<A>(args, i)...));
    };
  }
};

Calls all_calls() {
  Calls calls;
  describe_session(Table{calls});
  describe_programs(Table{calls});
  return calls;
}

Json refusal(const std::string& message) {
  return {{"ok", false}, {"code", "E_INPUT"}, {"message", message}, {"detail", "request"}};
}

Json answer(const Calls& calls, Session& session, const std::string& line) {
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
  const Calls calls = all_calls();
  unroll::Session session;
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(calls, session, line) << std::endl;
}
