# forward gets the source (B, S) and the target so far (B, T), padded with PAD.
# It returns logits (B, T, TARGET_VOCABULARY): at each position, scores of the next
# token. This model knows which words the source has, and not where they stand.
D = 32

def forward(source, target_in):
    is_word = (source != PAD).float()[:, :, None]
    x = embedding(source, parameter("source_words", (SOURCE_VOCABULARY, D)))
    mean = (x * is_word).sum(1, keepdim=True) / is_word.sum(1, keepdim=True)
    y = embedding(target_in, parameter("target_words", (TARGET_VOCABULARY, D)))
    return tanh(y + mean) @ parameter("out", (D, TARGET_VOCABULARY))
