#include "engine/models/model_size.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/context.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double bytes_each = 4;  // per float, in every build

Message megabytes(double bytes) { return phrase(std::ceil(bytes / 1e6), " MB"); }

}  // namespace

int read_size(const Config& config, int fallback, SizeField field) {
  const auto given = config.fields().find(field.name);
  const double* requested = given == config.fields().end() ? nullptr : std::get_if<double>(&given->second);
  if (requested && *requested > field.max) return static_cast<int>(std::min(*requested, 1e6));
  return config.integer(field.name, fallback, 1, field.max);
}

void check_model_size(const Config& config, double parameters, SizeField field) {
  const double bytes = bytes_each * parameters;
  const int requested = read_size(config, 1, field);
  if (requested > field.max)
    fail(ErrorCode::config, FieldName{field.name}, " is ", requested, ", which takes ", megabytes(bytes),
         " for the parameters alone: use 1 to ", field.max, ".");
  const double most = Context::current().parameter_bytes;
  if (bytes > most)
    fail(ErrorCode::config, "The parameters of this model take ", megabytes(bytes), ", and ", megabytes(most),
         " is the most: lower ", FieldName{field.name}, ", ", std::string_view(field.others), " or a vocabulary.");
}

bool fits(double activations) { return bytes_each * activations <= max_activation_bytes; }

void check_batches(const Config& config, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::config, "batch is ", config.integer("batch", 64, 1, 256),
         ", for which a training step takes about ", megabytes(bytes), ", and ", megabytes(max_activation_bytes),
         " is the most: use a smaller batch or a smaller model.");
}

void check_activations(const std::string& input, const Shape& shape, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::shape, input, " is ", shape, ", for which a training step takes about ", megabytes(bytes), ", and ",
         megabytes(max_activation_bytes), " is the most: use fewer rows or shorter ones.");
}

}  // namespace unroll
