// What an expression begins with: names, constants, and lists, tuples, sets, dictionaries and comprehensions.
#include "engine/program/bindings.h"
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

ExpressionPtr Parser::atom() {
  const Place place = next().place;
  if (next_is(TokenKind::name)) return make(place, Name{symbol_of(take().text)});
  if (next_is(TokenKind::number)) return std::make_unique<const Expression>(number_literal(take()));
  if (next_is(TokenKind::text)) return text();
  if (next_is(TokenKind::keyword)) return keyword_atom();
  if (take_if("...")) return make(place, Ellipsis{});
  if (next_is("(")) return in_parentheses();
  if (next_is("[")) return in_brackets();
  if (next_is("{")) return in_braces();
  refuse();
}

ExpressionPtr Parser::keyword_atom() {
  const Place place = next().place;
  if (take_if("None")) return make(place, Constant{None{}});
  if (take_if("True")) return make(place, Constant{true});
  if (take_if("False")) return make(place, Constant{false});
  refuse();
}

ExpressionPtr Parser::in_parentheses() {
  const Place place = take().place;
  ExpressionPtr inner = next_is(")") ? make(place, Sequence{{}, true}) : parenthesised(place);
  expect(")", phrase("an_open_parenthesis"));
  return inner;
}

// (a) is a; (a,) and (a, b) are tuples; (a for b in c) is a generator.
ExpressionPtr Parser::parenthesised(const Place& place) {
  if (next_is("yield")) return yield_expression();
  const std::size_t walruses = walruses_.size();
  const Place star = next().place;
  ExpressionPtr first = starred_or_named();
  if (begins_clause())
    return comprehension(place, {Comprehension::Kind::generator, {}, {}, std::move(first), {}}, walruses);
  if (!next_is(",")) {
    if (std::holds_alternative<Starred>(first->node)) fail_at(star, "star_alone");
    return first;
  }
  Sequence tuple{{}, true};
  tuple.items.push_back(std::move(first));
  while (take_if(",") && !ends_expressions()) tuple.items.push_back(starred_or_named());
  return make(place, std::move(tuple));
}

ExpressionPtr Parser::in_brackets() {
  const Place place = take().place;
  const std::size_t walruses = walruses_.size();
  Sequence list{{}, false};
  while (!next_is("]")) {
    list.items.push_back(starred_or_named());
    if (list.items.size() == 1 && begins_clause()) {
      Comprehension node{Comprehension::Kind::list, {}, {}, std::move(list.items[0]), {}};
      ExpressionPtr all = comprehension(place, std::move(node), walruses);
      expect("]", phrase("a_list"));
      return all;
    }
    if (!take_if(",")) break;
  }
  expect("]", phrase("a_list"));
  return make(place, std::move(list));
}

// {} is a dictionary, {a} a set, and what is after the first item decides which of them this is.
ExpressionPtr Parser::in_braces() {
  const Place place = take().place;
  const std::size_t walruses = walruses_.size();
  ExpressionPtr all;
  if (next_is("}") || next_is("**")) {
    all = dict_display(place, nullptr, walruses);
  } else {
    const bool is_plain = !next_is("*") && !is_sign(after_next(), ":=");
    ExpressionPtr first = starred_or_named();
    const bool is_dict = is_plain && next_is(":");
    all = is_dict ? dict_display(place, std::move(first), walruses) : set_display(place, std::move(first), walruses);
  }
  expect("}", phrase("a_dictionary_or_set"));
  return all;
}

ExpressionPtr Parser::set_display(const Place& place, ExpressionPtr first, std::size_t walruses) {
  if (begins_clause()) return comprehension(place, {Comprehension::Kind::set, {}, {}, std::move(first), {}}, walruses);
  SetDisplay set;
  set.items.push_back(std::move(first));
  while (take_if(",") && !next_is("}")) set.items.push_back(starred_or_named());
  return make(place, std::move(set));
}

ExpressionPtr Parser::dict_display(const Place& place, ExpressionPtr first_key, std::size_t walruses) {
  DictDisplay dict;
  while (!next_is("}")) {
    if (take_if("**")) {
      dict.items.emplace_back(nullptr, unpacked());
    } else {
      ExpressionPtr key = first_key ? std::move(first_key) : expression();
      expect(":", phrase("a_dictionary"));
      ExpressionPtr value = expression();
      if (dict.items.empty() && begins_clause())
        return comprehension(place, {Comprehension::Kind::dict, {}, std::move(key), std::move(value), {}}, walruses);
      dict.items.emplace_back(std::move(key), std::move(value));
    }
    if (!take_if(",")) break;
  }
  return make(place, std::move(dict));
}

bool Parser::begins_clause() const { return next_is("for") || (next_is("async") && is_sign(after_next(), "for")); }

ExpressionPtr Parser::comprehension(const Place& place, Comprehension node, std::size_t walruses) {
  if (std::holds_alternative<Starred>(node.item->node)) fail_at(node.item->place, "star_in_comprehension");
  bool is_async = false;
  auto scope = std::make_shared<Scope>();
  while (begins_clause()) {
    is_async |= take_if("async");
    node.clauses.push_back(clause(*scope));
  }
  check_walruses(*scope, walruses);
  if (is_async) return make(place, Unsupported{"async_is_not_in_language", "async for"});
  node.scope = std::move(scope);
  return make(place, std::move(node));
}

Comprehension::Clause Parser::clause(Scope& scope) {
  const Level level(*this);
  take();
  Comprehension::Clause clause{loop_targets(), {}, {}};
  for_each_bound(*clause.target, [&](Symbol symbol, const Place&) { scope.add_local(symbol); });
  expect("in", "for"sv);
  const std::size_t walruses = walruses_.size();
  clause.iterable = disjunction();
  if (walruses_.size() > walruses) fail_at(walruses_.back().second, "walrus_in_iterable");
  while (take_if("if")) clause.conditions.push_back(disjunction());
  return clause;
}

// A walrus binds in the function around, so it cannot mean a variable of the comprehension.
void Parser::check_walruses(const Scope& scope, std::size_t first) const {
  for (std::size_t i = first; i < walruses_.size(); ++i) {
    const auto& [symbol, place] = walruses_[i];
    if (scope.place_of_local.contains(symbol)) fail_at(place, "walrus_of_comprehension", program_.names[symbol]);
  }
}

}  // namespace unroll::program
