// What a session does with interventions. A module without them (has_interventions) needs none of it, and the linker
// drops it there.
#include "engine/ops/interventions.h"

#include <algorithm>

#include "bindings/guards.h"
#include "bindings/session.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t most_interventions = 64;

InterventionKind kind_of(const std::string& name) {
  const auto found = std::ranges::find(intervention_kinds, name);
  if (found == intervention_kinds.end()) fail(ErrorCode::input, "no_such_intervention", name, intervention_kinds);
  return static_cast<InterventionKind>(found - intervention_kinds.begin());
}

bool same(const InterventionInfo& a, const InterventionInfo& b) {
  return a.kind == b.kind && a.tensor == b.tensor && a.training == b.training && a.source == b.source &&
         a.target == b.target;
}

// Tensors with a name of their own that the model computes or is given; what backward and the update make has none.
bool can_be_replaced(const Tape& tape, const Node& node) {
  return node.named && node.phase != Phase::backward && tape.scopes()[node.scope].phase != Phase::update;
}

// "decoder.t3/s" for "t3.decoder/s": as it writes, a model opens the scope of a position around the decoder's.
std::string name_in_run(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (name[0] != 't' || dot == std::string::npos || name.compare(dot, 8, ".decoder") != 0) return name;
  return "decoder." + name.substr(0, dot) + name.substr(dot + 8);
}

// The same interventions while the model writes.
class WhileWriting : public Intervener {
 public:
  explicit WhileWriting(Interventions all) : all_(std::move(all)) {}
  Tensor replaced(const std::string& name, const Tensor& x, CallSite where) const override {
    return all_.replaced(name_in_run(name), x, where);
  }
  bool stops_gradient(std::string_view) const override { return false; }

 private:
  Interventions all_;
};

}  // namespace

struct Session::InterventionWork {
  std::vector<InterventionInfo> infos;
  Interventions all, training;  // those that act in runs, and while the model trains
  WhileWriting writing;
};

const Intervener* Session::intervener() const {
  return has_interventions && intervention_work_ ? &intervention_work_->all : nullptr;
}

const Intervener* Session::writing_intervener(bool as_in_runs) const {
  for (const Intervention& each : intervention_work_->all.list()) {
    if (each.kind == InterventionKind::from) fail(ErrorCode::input, "written_with_other_run", each.target.name);
    const bool in_part = std::ranges::any_of(each.target.at, [](const auto& index) { return index.has_value(); });
    if (in_part && !as_in_runs) fail(ErrorCode::input, "written_without_part", each.target.name);
  }
  return &intervention_work_->writing;
}

// Throws unless the intervention is possible in the present trace, for every tensor that it names there.
void Session::check(const InterventionInfo& info) {
  const InterventionKind kind = kind_of(info.kind);
  const InterventionTarget target = target_of(info.tensor);
  bool any = false;
  for (const Node& node : tape_.nodes()) {
    if (!can_be_replaced(tape_, node) || !target.matches(node.name)) continue;
    any = true;
    const Shape& shape = node.value.shape();
    const bool is_parameter = node.role == Role::parameter;
    if (!target.fits(shape)) fail(ErrorCode::input, "intervention_outside", info.tensor, node.name, shape);
    if (kind == InterventionKind::frozen && !is_parameter) fail(ErrorCode::input, "frozen_is_no_parameter", node.name);
    if (kind == InterventionKind::hidden && node.role != Role::score && node.name.find("mask") == std::string::npos)
      fail(ErrorCode::input, "hidden_is_no_score", node.name);
    if (kind == InterventionKind::mean && (shape.rank() < 2 || shape[-2] < 2))
      fail(ErrorCode::input, "mean_of_one_row", node.name, shape);
    if (!info.training || kind == InterventionKind::frozen || kind == InterventionKind::detach) continue;
    if (kind == InterventionKind::from || is_parameter)
      fail(ErrorCode::input, "intervention_not_in_training", info.kind, node.name);
  }
  if (!any) fail(ErrorCode::input, "intervention_in_nothing", info.tensor);
}

// What the model computes for the other pair, of the tensors that the intervention names.
std::map<std::string, Tensor> Session::computed_for(const InterventionInfo& info) {
  if (info.source.empty()) fail(ErrorCode::input, "from_without_pair", info.tensor);
  const Rollback meanwhile(read_meanwhile(info.source, info.target));
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  model_->loss();
  const InterventionTarget target = target_of(info.tensor);
  std::map<std::string, Tensor> computed;
  for (const Node& node : tape.nodes())
    if (node.named && target.matches(node.name)) computed.emplace(node.name, node.value);
  return computed;
}

// Throws unless the other run has the values that the intervention takes from it.
void Session::check_other_run(const InterventionInfo& info) {
  const InterventionTarget target = target_of(info.tensor);
  for (const auto& [name, other] : computed_for(info)) {
    const int here = tape_.find(name);
    if (here < 0) continue;
    const Shape& shape = tape_.nodes()[here].value.shape();
    if (!values_at(target, other, shape))
      fail(ErrorCode::shape, "patch_shape_differs", name, shape, other.shape(), info.source);
  }
}

// Those in force already may wait for a trace with their tensors.
void Session::require_possible(const std::vector<InterventionInfo>& list) {
  for (const InterventionInfo& info : list) {
    const auto is_same = [&](const InterventionInfo& each) { return same(each, info); };
    if (intervention_work_ && std::ranges::any_of(intervention_work_->infos, is_same)) continue;
    check(info);
    if (info.kind == "from") check_other_run(info);
  }
}

std::shared_ptr<const Session::InterventionWork> Session::work_of(const std::vector<InterventionInfo>& list) {
  if (list.size() > most_interventions)
    fail(ErrorCode::input, "too_many_interventions", list.size(), most_interventions);
  if (list.empty()) return nullptr;
  std::vector<Intervention> all, training;
  for (const InterventionInfo& info : list) {
    const InterventionKind kind = kind_of(info.kind);
    all.push_back({kind, target_of(info.tensor), info.training, {}});
    if (kind == InterventionKind::from) all.back().other = computed_for(info);
    if (info.training || kind == InterventionKind::frozen) training.push_back(all.back());
  }
  const Interventions interventions(std::move(all));
  return std::make_shared<const InterventionWork>(
      InterventionWork{list, interventions, Interventions(std::move(training)), WhileWriting(interventions)});
}

// The other runs follow the parameters.
void Session::renew_interventions() {
  if (!intervention_work_) return;
  const auto is_from = [](const InterventionInfo& info) { return info.kind == "from"; };
  const std::vector<InterventionInfo> infos = intervention_work_->infos;
  if (std::ranges::any_of(infos, is_from)) put_in_force(work_of(infos));
}

void Session::put_in_force(std::shared_ptr<const InterventionWork> work) {
  intervention_work_ = std::move(work);
  tape_.set_intervener(intervener());
  if (!trainer_) return;
  const Interventions* training = intervention_work_ ? &intervention_work_->training : nullptr;
  const bool any = training && !training->list().empty();
  trainer_->set_intervener(any ? training : nullptr,
                           any && std::ranges::any_of(training->list(), &Intervention::needs_names));
}

Reply<RunInfo> Session::set_interventions(const std::vector<InterventionInfo>& list) {
  return attempt("setInterventions", [&] {
    refresh();
    require_possible(list);
    const std::shared_ptr<const InterventionWork> before = intervention_work_;
    put_in_force(work_of(list));
    Rollback refused([&] { put_in_force(before); });
    const RunInfo result = run_again();
    refused.keep();
    return result;
  });
}

Reply<OutcomeInfo> Session::outcome(const std::vector<InterventionInfo>& list, const std::string& source) {
  return attempt("outcome", [&] {
    refresh();
    require_possible(list);
    const std::shared_ptr<const InterventionWork> work = work_of(list);
    const Interventions none({});
    const Interventions& all = work ? work->all : none;
    const Rollback replaced(intervene_in(model_->parameters(), &all));
    const Rollback edited(edit_parameters(model_->parameters(), edits_));
    OutcomeInfo found;
    {
      Tape tape(Tape::Detail::trace, &edits_, &all);
      const RecordingGuard recording(&tape);
      const Rollback sampled(sample_as_in_next_step());
      found.loss = static_cast<double>(model_->loss().item());
    }
    tell_of_target(found);
    if (!source.empty()) found.written = written_under(all, source);
    return found;
  });
}

}  // namespace unroll
