#include "engine/program/forward_form.h"

#include <algorithm>
#include <array>

#include "engine/program/sizes.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

using namespace std::literals;

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool any_expression(const Block& block, const auto& fits) {
  bool found = false;
  for_each_within(block, [&](const Expression& each) { found = found || fits(each); });
  return found;
}

const Call* call_of_method(const Expression& expression, std::string_view method) {
  const auto* call = std::get_if<Call>(&expression.node);
  const auto* attribute = call ? std::get_if<Attribute>(&call->callee->node) : nullptr;
  return attribute && attribute->name == method ? call : nullptr;
}

bool is_whole_number(const Expression& expression, std::int64_t number) {
  if (const auto* sign = std::get_if<Unary>(&expression.node))
    return sign->kind == Unary::Kind::negative && is_whole_number(*sign->operand, -number);
  const auto* constant = std::get_if<Constant>(&expression.node);
  const auto* value = constant ? constant->value.as<std::int64_t>() : nullptr;
  return value && *value == number;
}

bool returns_several(const Function& forward) {
  bool found = false;
  for_each_within(forward.body, {}, [&](const Statement& each) {
    const auto* back = std::get_if<Return>(&each.node);
    found = found || (back && back->value && std::holds_alternative<Sequence>(back->value->node));
  });
  return found;
}

// x.view(-1, V): a row for each token of the batch.
bool is_flattened(const Expression& expression) {
  if (const auto* several = std::get_if<Sequence>(&expression.node))
    return !several->items.empty() && is_flattened(*several->items[0]);
  const Call* call = call_of_method(expression, "view");
  if (!call) call = call_of_method(expression, "reshape");
  return call && call->arguments.size() == 2 && is_whole_number(*call->arguments[0].value, -1);
}

bool flattens(const ClassDefinition& model) {
  bool found = false;
  for_each_within(model.body, {}, [&](const Statement& each) {
    const auto* back = std::get_if<Return>(&each.node);
    const auto* assign = std::get_if<Assign>(&each.node);
    const Expression* value = back ? back->value.get() : assign ? assign->value.get() : nullptr;
    found = found || (value && is_flattened(*value));
  });
  return found;
}

// Without targets it computes the logits of the last token alone: x[:, [-1], :].
bool keeps_last_only(const Function& forward) {
  return any_expression(forward.body, [](const Expression& each) {
    const auto* list = std::get_if<Sequence>(&each.node);
    return list && !list->is_tuple && list->items.size() == 1 && is_whole_number(*list->items[0], -1);
  });
}

// for t in range(1, n): the first output stays zero, since the first target is given.
bool begins_at_one(const Function& forward) {
  bool found = false;
  for_each_within(forward.body, {}, [&](const Statement& each) {
    const auto* loop = std::get_if<For>(&each.node);
    const auto* call = loop ? std::get_if<Call>(&loop->iterable->node) : nullptr;
    found = found || (call && call->arguments.size() == 2 && is_whole_number(*call->arguments[0].value, 1));
  });
  return found;
}

bool swaps_time_and_batch(const Function& forward) {
  return any_expression(forward.body, [](const Expression& each) {
    const Call* transposed = call_of_method(each, "transpose");
    const Call* permuted = call_of_method(each, "permute");
    return call_of_method(each, "t") ||
           (transposed && transposed->arguments.size() == 2 && is_whole_number(*transposed->arguments[0].value, 0)) ||
           (permuted && permuted->arguments.size() == 3 && is_whole_number(*permuted->arguments[0].value, 1));
  });
}

// A class with a layer of torch.nn that reads (T, B, …) unless it is told batch_first=True, and whose forward does not
// swap the two.
bool is_time_first(const FileNames& names, const ClassDefinition& type) {
  static const std::array time_first = {"torch.nn.RNN"sv,
                                        "torch.nn.GRU"sv,
                                        "torch.nn.LSTM"sv,
                                        "torch.nn.Transformer"sv,
                                        "torch.nn.TransformerEncoderLayer"sv,
                                        "torch.nn.TransformerDecoderLayer"sv};
  const auto is_such = [&](const Expression& expression) {
    const std::optional<std::string> path = names.path_of(expression);
    return path && std::ranges::find(time_first, *path) != time_first.end();
  };
  const Function* forward = method_of(type, "forward");
  if (!forward || swaps_time_and_batch(*forward)) return false;
  for (const Argument& base : type.bases)
    if (is_such(*base.value)) return true;
  return any_expression(type.body, [&](const Expression& each) {
    const auto* call = std::get_if<Call>(&each.node);
    if (!call || !is_such(*call->callee)) return false;
    return std::ranges::none_of(call->arguments, [](const Argument& given) { return given.name == "batch_first"; });
  });
}

// A part self.generator that makes the logits, which forward leaves to its caller.
bool leaves_generator(const ClassDefinition& type) {
  const auto is_generator = [](const Expression& each) {
    const auto* attribute = std::get_if<Attribute>(&each.node);
    return attribute && attribute->name == "generator";
  };
  const Function *init = method_of(type, "__init__"), *forward = method_of(type, "forward");
  return init && any_expression(init->body, is_generator) && !any_expression(forward->body, is_generator);
}

bool is_target(std::string_view name) { return has(name, "tgt") || has(name, "trg") || has(name, "dec"); }
bool is_label(std::string_view name) { return has(name, "target") || has(name, "label") || name == "y"; }

class Form {
 public:
  Form(const FileNames& names, const ClassDefinition& model, const std::set<std::string>& paths)
      : names_(names), model_(model), forward_(*method_of(model, "forward")) {
    is_time_first_ = !swaps_time_and_batch(forward_);
    bool any = is_time_first(names, model);
    for (const auto& [_, type] : names.classes())
      any = any || is_time_first(names, *type);  // also of parts that are passed in
    is_time_first_ = is_time_first_ && any;
    uses_torch_masks_ =
        std::ranges::any_of(paths, [](const auto& path) { return path.starts_with("torch.nn.Transformer"); });
    for (std::size_t i = 2; i < forward_.parameters.size(); ++i) {
      const std::string name = name_of(i);
      const bool is_needed = !forward_.parameters[i].fallback;
      if (!has(name, "mask") && !has(name, "len") && (is_target(name) || (is_label(name) && is_needed))) pairs_ = true;
    }
  }

  std::optional<ForwardForm> text() {
    if (forward_.parameters.size() < 2) return std::nullopt;
    std::string arguments = is_time_first_ ? source() + ".T" : source();
    for (std::size_t i = 2; i < forward_.parameters.size(); ++i) {
      const ParameterName& parameter = forward_.parameters[i];
      if (parameter.kind == ParameterName::Kind::rest || parameter.kind == ParameterName::Kind::entries) continue;
      const std::optional<std::string> value = argument(name_of(i), static_cast<bool>(parameter.fallback));
      if (!value && !parameter.fallback) return std::nullopt;
      const std::string name = names_.program().names[parameter.symbol];
      if (value) arguments += ", " + (parameter.fallback ? name + "=" : "") + *value;
    }
    const std::string call = result("model(" + arguments + ")");
    return ForwardForm{pairs_, (pairs_ ? "def forward(source, target_in):\n" : "def forward(ids):\n") + before_ +
                                   "    return " + call + "\n"};
  }

 private:
  std::string name_of(std::size_t i) const { return folded(names_.program().names[forward_.parameters[i].symbol]); }
  std::string source() const { return pairs_ ? "source" : "ids"; }

  std::optional<std::string> argument(const std::string& name, bool has_default) {
    if (has(name, "mask")) return has_default && !pairs_ ? std::nullopt : std::optional(mask(name));
    if (has(name, "ratio") || has(name, "forcing")) return "1.0";
    if (has(name, "len")) return "(" + source() + " != PAD).sum(dim=1)";
    if (pairs_ && (is_target(name) || is_label(name))) return target();
    if (is_label(name)) return keeps_last_only(forward_) ? std::optional(source()) : std::nullopt;
    if (has(name, "hidden") || has(name, "state"))
      for (const char* each : {"init_hidden", "initHidden", "begin_state"})
        if (method_of(model_, each)) return "model."s + each + "(" + source() + ".size(0))";
    return std::nullopt;
  }

  // target_in begins with BOS, and so do the targets that such a loop takes: the last one is only compared.
  std::string target() {
    const std::string swapped = is_time_first_ ? ".T" : "";
    if (!begins_at_one(forward_)) return "target_in" + swapped;
    skips_first_ = true;
    before_ += "    target = torch.cat([target_in, target_in[:, -1:]], dim=1)\n";
    return "target" + swapped;
  }

  std::string mask(const std::string& name) {
    const bool of_target = (is_target(name) || is_label(name)) && !has(name, "memory");
    const std::string ids = of_target ? "target_in" : source(), size = ids + ".size(1)";
    if (has(name, "pad") || has(name, "key")) return ids + " == PAD";
    const std::string square = "torch.ones(" + size + ", " + size + ")";
    const bool is_causal = of_target || !pairs_;
    if (uses_torch_masks_) {
      if (has(name, "memory")) return "None";
      return is_causal ? "torch.triu(" + square + ", diagonal=1).bool()"
                       : "torch.zeros(" + size + ", " + size + ").bool()";
    }
    if (!pairs_) return "torch.tril(" + square + ").bool()";
    const std::string known = "(" + ids + " != PAD).unsqueeze(-2)";
    return is_causal ? known + " & torch.tril(" + square + ").bool()" : known;
  }

  std::string result(std::string call) const {
    if (returns_several(forward_)) call += "[0]";
    if (leaves_generator(model_)) call = "model.generator(" + call + ")";
    const std::string last = pairs_ ? "target_in" : "ids", T = last + ".size(1)", B = last + ".size(0)";
    if (flattens(model_))
      call += is_time_first_ ? ".view(" + T + ", " + B + ", -1)" : ".view(" + B + ", " + T + ", -1)";
    if (skips_first_) call += is_time_first_ ? "[1:]" : "[:, 1:]";
    return is_time_first_ ? call + ".transpose(0, 1)" : call;
  }

  const FileNames& names_;
  const ClassDefinition& model_;
  const Function& forward_;
  bool is_time_first_ = false, uses_torch_masks_ = false, pairs_ = false, skips_first_ = false;
  std::string before_;  // lines of the body
};

}  // namespace

std::optional<ForwardForm> form_of(const FileNames& names, const ClassDefinition& model,
                                   const std::set<std::string>& paths) {
  if (!method_of(model, "forward")) return std::nullopt;
  return Form(names, model, paths).text();
}

// Both take a token and a hidden state, as the older form of PyTorch's tutorial does.
static std::string token_by_token(bool has_attention) {
  const std::string outputs = has_attention ? ", outputs" : "", weights = has_attention ? ", _" : "";
  std::string text =
      "def forward(source, target_in):\n"
      "    logits = []\n"
      "    for row in range(source.size(0)):\n"
      "        hidden, steps = encoder.initHidden(), []\n";
  if (has_attention) text += "        outputs = torch.zeros(decoder.max_length, encoder.hidden_size)\n";
  text +=
      "        for t in range(source.size(1)):\n"
      "            output, hidden = encoder(source[row, t], hidden)\n";
  if (has_attention) text += "            outputs[t] = output[0, 0]\n";
  return text +
         "        for t in range(target_in.size(1)):\n"
         "            output, hidden" +
         weights + " = decoder(target_in[row, t], hidden" + outputs + ")\n" +
         "            steps.append(output[0])\n"
         "        logits.append(torch.stack(steps))\n"
         "    return torch.stack(logits)\n";
}

std::optional<std::string> form_of_two(const FileNames& names, const ClassDefinition& encoder,
                                       const ClassDefinition& decoder, const std::string& longest) {
  const Function *reads = method_of(encoder, "forward"), *writes = method_of(decoder, "forward");
  if (reads && writes && reads->parameters.size() == 3 && method_of(encoder, "initHidden"))
    return token_by_token(writes->parameters.size() == 4);
  if (!reads || !writes || reads->parameters.size() != 2 || !returns_several(*reads)) return std::nullopt;
  std::string arguments;
  for (std::size_t i = 1; i < writes->parameters.size(); ++i) {
    const std::string name = folded(names.program().names[writes->parameters[i].symbol]);
    if (i > 1) arguments += ", ";
    if (has(name, "output"))
      arguments += "outputs";
    else if (has(name, "hidden") || has(name, "state"))
      arguments += "hidden";
    else if (is_label(name) || is_target(name))
      arguments += "targets";
    else
      return std::nullopt;
  }
  if (!has(arguments, "targets")) return std::nullopt;
  std::string text = "def forward(source, target_in):\n";
  if (!longest.empty()) text += "    global " + longest + "\n    " + longest + " = target_in.size(1)\n";
  text += "    outputs, hidden = encoder(source)\n";
  text +=
      "    targets = torch.cat([target_in[:, 1:], target_in[:, -1:]], dim=1)  # without BOS, with which it begins\n";
  return text + "    return decoder(" + arguments + ")" + (returns_several(*writes) ? "[0]" : "") + "\n";
}

}  // namespace unroll::program
