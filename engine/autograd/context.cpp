#include "engine/autograd/context.h"

namespace unroll {
namespace {

Context of_the_program;
Context* current_context = &of_the_program;

}  // namespace

Context& Context::current() { return *current_context; }

CurrentContext::CurrentContext(Context& context) : previous_(*std::exchange(current_context, &context)) {}
CurrentContext::~CurrentContext() { current_context = &previous_; }

}  // namespace unroll
