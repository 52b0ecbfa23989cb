// The operations of cases with gradients, by family.
#pragma once

#include <string>

#include "engine/autograd/operand.h"
#include "tests/conform/case.h"

namespace unroll::conform {

// activations.cpp
Tensor activate(const std::string& name, Operand x);  // throws Skip for a name the engine lacks
Results activation(const Arguments& arguments);
Results softmaxes(const Arguments& arguments);

// layers.cpp
Results linear(const Arguments& arguments);
Results embedding(const Arguments& arguments);
Results layernorm(const Arguments& arguments);
Results rmsnorm(const Arguments& arguments);
Results feed_forward(const Arguments& arguments);
Results swiglu(const Arguments& arguments);

// losses.cpp
Results cross_entropy_loss(const Arguments& arguments);
Results squared_error(const Arguments& arguments);

// scores.cpp, attention.cpp
Tensor hidden_where(const Tensor& marks, bool mark);  // additive: −∞ where the mark is (true) or is not (false), else 0
Results attention_score(const Arguments& arguments);
Results dot_product_attention(const Arguments& arguments);
Results local_attention(const Arguments& arguments);
Results alibi(const Arguments& arguments);
Results linear_attention(const Arguments& arguments);

// pictures.cpp
Results conv2d(const Arguments& arguments);
Results max_pooling(const Arguments& arguments);
Results channel_attention(const Arguments& arguments);
Results block_attention(const Arguments& arguments);
Results grid_attention(const Arguments& arguments);
Results attention_in_convnet(const Arguments& arguments);
Results caption_attention(const Arguments& arguments);

// transformers.cpp
Results encoder_layers(const Arguments& arguments);
Results decoder_layer(const Arguments& arguments);
Results transformer(const Arguments& arguments);

// gpt.cpp
Results gpt(const Arguments& arguments);

// multi_head.cpp, positions.cpp
Results multi_head(const Arguments& arguments);
Results grouped_query(const Arguments& arguments);
Results rotary_positions(const Arguments& arguments);
Results sinusoidal(const Arguments& arguments);

}  // namespace unroll::conform
