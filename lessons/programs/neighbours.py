# forward gets token ids (B, T) and returns logits (B, T, VOCABULARY): for each position, scores of the next token.
# This model sees one token at a time. What would it gain from those before?
D = 32

def forward(ids):
    E = parameter("E", (VOCABULARY, D))
    x = embedding(ids, E)
    return x @ parameter("out", (D, VOCABULARY))
