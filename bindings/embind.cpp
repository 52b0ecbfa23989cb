// Embind's table: the calls of session.h and programs.h, and what the module says of itself.
#include <emscripten/bind.h>

#include "bindings/convert.h"
#include "bindings/programs.h"
#include "bindings/session.h"
#include "engine/kernels/parallel.h"
#include "engine/models/model.h"
#include "engine/program/packages.h"
#include "engine/train/recipes.h"

using emscripten::val;
using namespace unroll;

namespace {

template <typename>
using Value = val;  // one for each C++ parameter

template <typename T>
T converted(const Argument& argument, const val& value) {
  T result;
  from_js(argument.name, value, result);
  return result;
}

// Binds calls to JavaScript, which passes any values: those that cannot be converted are refused.
struct Table {
  emscripten::class_<Session>& session;

  template <typename Call, typename... Names>
  void operator()(const char* name, Call call, Names... names) const {
    bind(name, call, signature_of(call), names...);
  }

 private:
  template <typename Call, typename T, typename... A>
  void bind(const char* name, Call call, Signature<T, A...>, ArgumentOf<A>... names) const {
    session.function<val(Session&, Value<A>...)>(name, [=](Session& self, const Value<A>&... values) -> val {
      try {
        return to_js(ask(self, call, converted<A>(names, values)...));
      } catch (...) {
        return to_js(refusal<T>(name));
      }
    });
  }
};

val kinds_of_task() { return to_js(known_tasks()); }
val kinds_of_recipe() { return to_js(recipe_models()); }

}  // namespace

EMSCRIPTEN_BINDINGS(unroll) {
  emscripten::class_<Session> session("Session");
  session.constructor<>();
  describe_session(Table{session});
  if (has_linalg) describe_matrices(Table{session});
  if (has_interventions) describe_interventions(Table{session});
  if (has_programs) {
    describe_programs(Table{session});
    emscripten::function("addToLibrary", &program::add_to_library);
  }
  emscripten::function("taskNames", &kinds_of_task);
  emscripten::function("recipeModels", &kinds_of_recipe);
#ifdef __EMSCRIPTEN_PTHREADS__
  emscripten::function(
      "setThreads", +[](int count) { set_threads(count); });
#endif
  emscripten::function(
      "sourceHash", +[]() -> std::string { return UNROLL_SOURCE_HASH; });
}
