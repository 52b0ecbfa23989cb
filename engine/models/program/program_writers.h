// Whole models that the learner writes, which learn a task and write: of texts, or from a source.
#pragma once

#include "engine/models/program/first_nan.h"
#include "engine/models/program/learner_program.h"
#include "engine/models/sequence_model.h"

namespace unroll {

// Both get token ids, padded with PAD, and return logits (B, T, V); PAD, BOS, EOS and the sizes of the vocabularies are
// constants of the program. Writing passes the whole prefix for each token. The first two runs, of batches of two
// sizes, must make the same parameters.

// forward(ids (B, T)) → logits (B, T, VOCABULARY). Config: program, vocabulary.
class ProgramLm : public LanguageModel, public LearnerModel {
 public:
  explicit ProgramLm(const Config& config);
  Tensor loss() override;
  void explain_divergence() override { explain_divergence_of(*this); }
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;

  std::string pytorch() const override;

 private:
  int vocabulary_;
  LearnerProgram program_;
};

// forward(source (B, S), target_in (B, T)) → logits (B, T, TARGET_VOCABULARY). Config: program, source_vocabulary,
// target_vocabulary.
class ProgramSeq2Seq : public EncoderDecoderModel, public LearnerModel {
 public:
  explicit ProgramSeq2Seq(const Config& config);
  Tensor loss() override;
  void explain_divergence() override { explain_divergence_of(*this); }
  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;

  std::string pytorch() const override;

 private:
  int source_vocabulary_, target_vocabulary_;
  LearnerProgram program_;
};

}  // namespace unroll
