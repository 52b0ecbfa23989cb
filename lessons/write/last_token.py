def forward(source, target_in):
    V = TARGET_VOCABULARY
    return embedding(target_in, parameter("next", (V, V)))
