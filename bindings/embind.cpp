// The binding table: what JavaScript can call, in the order of session.h.
#include <emscripten/bind.h>

#include "bindings/convert.h"
#include "bindings/session.h"
#include "engine/kernels/parallel.h"
#include "engine/train/recipes.h"

using emscripten::class_;
using emscripten::value_object;
using namespace unroll;

namespace {

// Converts JavaScript's plain values for the session's calls. A failed conversion refuses the call.
struct BoundSession : Session {
  Reply<ModelInfo> load_config(const ConfigObject& config) {
    return converted<ModelInfo>("load", [&] { return load(to_config(config)); });
  }
  Reply<SizeInfo> estimate_of(const ConfigObject& config) {
    return converted<SizeInfo>("estimate", [&] { return estimate(to_config(config)); });
  }
  Reply<RunInfo> run_inputs(const NamedTensorList& inputs) {
    return converted<RunInfo>("run", [&] { return run(to_named_tensors(inputs)); });
  }
  Reply<std::vector<float>> values_of(const Number& id) {
    return converted<std::vector<float>>("values", [&] { return values(to_whole_number("id", id)); });
  }
  Reply<std::vector<float>> probabilities_of(const Number& id) {
    return converted<std::vector<float>>("probabilities", [&] { return probabilities(to_whole_number("id", id)); });
  }
  Reply<std::vector<float>> gradients_of(const Number& id) {
    return converted<std::vector<float>>("gradients", [&] { return gradients(to_whole_number("id", id)); });
  }
  Reply<RunInfo> edit_value(const Text& name, const Number& index, const Number& value) {
    return converted<RunInfo>("edit", [&] {
      return edit(to_text("name", name), to_whole_number("index", index),
                  static_cast<float>(to_number("value", value)));
    });
  }
  Reply<RunInfo> undo_edit_of(const Text& name, const Number& index) {
    return converted<RunInfo>("undoEdit",
                              [&] { return undo_edit(to_text("name", name), to_whole_number("index", index)); });
  }
  Reply<RunInfo> set_edits_to(const EditList& edits) {
    return converted<RunInfo>("setEdits", [&] { return set_edits(to_edits(edits)); });
  }
  Reply<GradientCheck> check_gradient_of(const Text& name, const Number& index) {
    return converted<GradientCheck>(
        "checkGradient", [&] { return check_gradient(to_text("name", name), to_whole_number("index", index)); });
  }
  Reply<TrainInfo> train_for(const Number& steps) {
    return converted<TrainInfo>("train", [&] { return train(to_whole_number("steps", steps)); });
  }
  Reply<ModelInfo> restore_bytes(const ByteArray& bytes) {
    return converted<ModelInfo>("restore", [&] { return restore(to_bytes(bytes)); });
  }
  Reply<std::vector<PairInfo>> pairs_of(const Text& split, const Number& start, const Number& count) {
    return converted<std::vector<PairInfo>>("pairs", [&] {
      return pairs(to_text("split", split), to_whole_number("start", start), to_whole_number("count", count));
    });
  }
  Reply<PairInfo> read_texts(const Text& source, const Text& target) {
    return converted<PairInfo>("read", [&] { return read(to_text("source", source), to_text("target", target)); });
  }
  Reply<GenerationInfo> generate_with(const Text& source, const ConfigObject& options) {
    return converted<GenerationInfo>("generate",
                                     [&] { return generate(to_text("source", source), to_config(options)); });
  }
  Reply<GenerationCost> cost_of(const Number& positions) {
    return converted<GenerationCost>("generationCost",
                                     [&] { return generation_cost(to_whole_number("positions", positions)); });
  }
  Reply<EvaluationInfo> evaluate_some(const Text& split, const Number& limit, const Number& length) {
    return converted<EvaluationInfo>("evaluate", [&] {
      return evaluate(to_text("split", split), to_whole_number("limit", limit), to_whole_number("length", length));
    });
  }

 private:
  template <typename T, typename Call>
  static Reply<T> converted(const char* name, Call call) {
    try {
      return call();
    } catch (...) {
      return refusal<T>(name);
    }
  }
};

Reply<Config> recipe_of(const Text& task, const Text& model) {
  return attempt("recipe", [&] { return recipe(to_text("task", task), to_text("model", model)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(unroll) {
  value_object<TensorInfo>("TensorInfo").field("name", &TensorInfo::name).field("shape", &TensorInfo::shape);
  value_object<ModelInfo>("ModelInfo")
      .field("kind", &ModelInfo::kind)
      .field("seed", &ModelInfo::seed)
      .field("steps", &ModelInfo::steps)
      .field("inputs", &ModelInfo::inputs)
      .field("parameters", &ModelInfo::parameters);
  value_object<SizeInfo>("SizeInfo")
      .field("parameters", &SizeInfo::parameters)
      .field("stepBytes", &SizeInfo::step_bytes);
  value_object<RunInfo>("RunInfo")
      .field("loss", &RunInfo::loss)
      .field("output", &RunInfo::output)
      .field("forward", &RunInfo::forward)
      .field("backward", &RunInfo::backward)
      .field("update", &RunInfo::update)
      .field("trace", &RunInfo::trace);
  value_object<GradientCheck>("GradientCheck")
      .field("analytic", &GradientCheck::analytic)
      .field("numeric", &GradientCheck::numeric)
      .field("difference", &GradientCheck::difference);
  value_object<TrainInfo>("TrainInfo")
      .field("step", &TrainInfo::step)
      .field("loss", &TrainInfo::loss)
      .field("accuracy", &TrainInfo::accuracy)
      .field("examples", &TrainInfo::examples)
      .field("tokens", &TrainInfo::tokens);
  value_object<TaskInfo>("TaskInfo")
      .field("name", &TaskInfo::name)
      .field("separator", &TaskInfo::separator)
      .field("form", &TaskInfo::form)
      .field("sourceWords", &TaskInfo::source_words)
      .field("targetWords", &TaskInfo::target_words)
      .field("train", &TaskInfo::train)
      .field("validation", &TaskInfo::validation)
      .field("test", &TaskInfo::test)
      .field("truePerplexity", &TaskInfo::true_perplexity);
  value_object<PairInfo>("PairInfo")
      .field("source", &PairInfo::source)
      .field("target", &PairInfo::target)
      .field("alignment", &PairInfo::alignment)
      .field("heldOut", &PairInfo::held_out);
  value_object<TreeNode>("TreeNode")
      .field("parent", &TreeNode::parent)
      .field("token", &TreeNode::token)
      .field("logProbability", &TreeNode::log_probability)
      .field("score", &TreeNode::score)
      .field("probability", &TreeNode::probability)
      .field("sequenceProbability", &TreeNode::sequence_probability)
      .field("state", &TreeNode::state);
  value_object<GenerationInfo>("GenerationInfo")
      .field("source", &GenerationInfo::source)
      .field("tokens", &GenerationInfo::tokens)
      .field("logProbabilities", &GenerationInfo::log_probabilities)
      .field("probabilities", &GenerationInfo::probabilities)
      .field("probability", &GenerationInfo::probability)
      .field("weights", &GenerationInfo::weights)
      .field("ended", &GenerationInfo::ended)
      .field("tree", &GenerationInfo::tree)
      .field("best", &GenerationInfo::best);
  value_object<GenerationCost>("GenerationCost")
      .field("cacheBytes", &GenerationCost::cache_bytes)
      .field("multiplyAdds", &GenerationCost::multiply_adds)
      .field("multiplyAddsUncached", &GenerationCost::multiply_adds_uncached);
  value_object<LengthInfo>("LengthInfo")
      .field("length", &LengthInfo::length)
      .field("pairs", &LengthInfo::pairs)
      .field("exact", &LengthInfo::exact);
  value_object<EvaluationInfo>("EvaluationInfo")
      .field("done", &EvaluationInfo::done)
      .field("pairs", &EvaluationInfo::pairs)
      .field("exactMatch", &EvaluationInfo::exact_match)
      .field("bleu", &EvaluationInfo::bleu)
      .field("brevityPenalty", &EvaluationInfo::brevity_penalty)
      .field("perplexity", &EvaluationInfo::perplexity)
      .field("precisions", &EvaluationInfo::precisions)
      .field("alignmentErrorRate", &EvaluationInfo::alignment_error_rate)
      .field("attentionMass", &EvaluationInfo::attention_mass)
      .field("pronounAccuracy", &EvaluationInfo::pronoun_accuracy)
      .field("byLength", &EvaluationInfo::by_length);

  register_array_types();
  register_reply<ModelInfo>("ModelInfo");
  register_reply<SizeInfo>("SizeInfo");
  register_reply<RunInfo>("RunInfo");
  register_reply<TraceColumns>("{ numbers: Int32Array, texts: string }");
  register_reply<GradientCheck>("GradientCheck");
  register_reply<TrainInfo>("TrainInfo");
  register_reply<TaskInfo>("TaskInfo");
  register_reply<std::vector<PairInfo>>("PairInfo[]");
  register_reply<PairInfo>("PairInfo");
  register_reply<GenerationInfo>("GenerationInfo");
  register_reply<GenerationCost>("GenerationCost");
  register_reply<EvaluationInfo>("EvaluationInfo");
  register_reply<Config>("Record<string, number | boolean | string | number[]>");
  register_reply<std::vector<float>>("Float32Array");
  register_reply<std::vector<std::uint8_t>>("Uint8Array");

  class_<Session>("SessionBase");
  class_<BoundSession, emscripten::base<Session>>("Session")
      .constructor<>()
      .function("load", &BoundSession::load_config)
      .function("estimate", &BoundSession::estimate_of)
      .function("run", &BoundSession::run_inputs)
      .function("trace", &BoundSession::trace_columns)
      .function("values", &BoundSession::values_of)
      .function("probabilities", &BoundSession::probabilities_of)
      .function("gradients", &BoundSession::gradients_of)
      .function("edit", &BoundSession::edit_value)
      .function("undoEdit", &BoundSession::undo_edit_of)
      .function("setEdits", &BoundSession::set_edits_to)
      .function("checkGradient", &BoundSession::check_gradient_of)
      .function("train", &BoundSession::train_for)
      .function("save", &BoundSession::save)
      .function("restore", &BoundSession::restore_bytes)
      .function("task", &BoundSession::task)
      .function("pairs", &BoundSession::pairs_of)
      .function("read", &BoundSession::read_texts)
      .function("generate", &BoundSession::generate_with)
      .function("generationCost", &BoundSession::cost_of)
      .function("evaluate", &BoundSession::evaluate_some)
      .function("evaluateMore", &BoundSession::evaluate_more);
  emscripten::function("taskNames", &known_tasks);
  emscripten::function("recipeModels", &recipe_models);
  emscripten::function("recipe", &recipe_of);
#ifdef __EMSCRIPTEN_PTHREADS__
  emscripten::function(
      "setThreads", +[](int count) { set_threads(count); });
#endif
  emscripten::function(
      "sourceHash", +[]() -> std::string { return UNROLL_SOURCE_HASH; });
}
