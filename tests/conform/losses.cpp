// cross_entropy, mse.
#include "engine/ops/ops.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {

Results cross_entropy_loss(const Arguments& arguments) {
  const std::string reduction = arguments.option<std::string>("reduction", "mean");
  if (reduction != "mean" && reduction != "sum") throw Skip("the engine has no reduction \"" + reduction + "\"");
  const CrossEntropyOptions options{.ignored = arguments.option("ignore_index", -100),
                                    .label_smoothing = arguments.option("label_smoothing", 0.0),
                                    .reduction = reduction == "sum" ? Reduction::sum : Reduction::mean};
  return {{"loss", cross_entropy(arguments.input("logits"), arguments.input("target"), options)}};
}

Results squared_error(const Arguments& arguments) {
  return {{"loss", mean_squared_error(arguments.input("x"), arguments.input("y"))}};
}

}  // namespace unroll::conform
