D, LONGEST = 64, 64

def forward(source, target_in):
    is_pad = (source == PAD)[:, None]
    x = embedding(source, parameter("source_words", (SOURCE_VOCABULARY, D)))
    y = embedding(target_in, parameter("target_words", (TARGET_VOCABULARY, D)))
    x = x + parameter("source place", (LONGEST, D))[:source.shape[1]]
    y = y + parameter("target place", (LONGEST, D))[:target_in.shape[1]]
    Q = y @ parameter("Q", (D, D))
    K = x @ parameter("K", (D, D))
    V = x @ parameter("V", (D, D))
    S = Q @ K.mT / sqrt(D)
    α = softmax(S.masked_fill(is_pad, -inf), dim=-1)
    return tanh(y + α @ V) @ parameter("out", (D, TARGET_VOCABULARY))
