#include "engine/models/model_size.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/context.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double bytes_each = 4;  // per float, in every build

Message megabytes(double bytes) { return phrase("megabytes", std::ceil(bytes / 1e6)); }

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
    fail(ErrorCode::config, "parameters_too_large_for_field", FieldName{field.name}, requested, megabytes(bytes),
         field.max);
  const double most = Context::current().parameter_bytes;
  if (bytes > most)
    fail(ErrorCode::config, "parameters_too_large", megabytes(bytes), megabytes(most), FieldName{field.name},
         std::string_view(field.others));
}

bool fits(double activations) { return bytes_each * activations <= max_activation_bytes; }

void check_batches(const Config& config, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::config, "batch_too_large", config.integer("batch", 64, 1, 256), megabytes(bytes),
         megabytes(max_activation_bytes));
}

void check_activations(const std::string& input, const Shape& shape, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::shape, "input_too_large", input, shape, megabytes(bytes), megabytes(max_activation_bytes));
}

}  // namespace unroll
