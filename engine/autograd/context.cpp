#include "engine/autograd/context.h"

namespace unroll {
namespace {

Context of_the_program;
Context* current_context = &of_the_program;

}  // namespace

// Not inlined: they are called in hundreds of places, and the page loads them first.
[[gnu::noinline]] Context& Context::current() { return *current_context; }

[[gnu::noinline]] CurrentContext::CurrentContext(Context& context)
    : previous_(*std::exchange(current_context, &context)) {}
[[gnu::noinline]] CurrentContext::~CurrentContext() { current_context = &previous_; }

}  // namespace unroll
