"""What nn_against_torch.py compares besides: texts whose last line is an expression with the same value in both."""

MODEL = """\
class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("table", torch.zeros(2, size))
        self.register_buffer("mask", torch.ones(2), persistent=False)
        self.inner = nn.Linear(size, size)
        self.scale = nn.Parameter(torch.ones(size))
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(self.inner(x)) * self.scale
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.blocks = nn.ModuleList([Block(4) for _ in range(2)])
        self.parts = nn.ModuleDict(dict(norm=nn.LayerNorm(4), head=nn.Linear(4, 5, bias=False)))
        self.parts.head.weight = self.embed.weight
        self.again = self.blocks[0]
        self.missing = None
        self.register_buffer("nothing", None)
        self.register_parameter("none", None)
    def forward(self, x):
        x = self.embed(x)
        for block in self.blocks:
            x = block(x)
        return self.parts["head"](self.parts.norm(x))
model = Model()
"""

FEATURES = (
    [
        ("Module", MODEL + text)
        for text in [
            "[name for name, _ in model.named_parameters()]",
            "[name for name, _ in model.named_parameters(recurse=False)]",
            "[name for name, _ in model.blocks.named_parameters(prefix='here')]",
            "[list(each.shape) for each in model.parameters()]",
            "sum(each.numel() for each in model.parameters())",
            "next(model.parameters()) is model.embed.weight",
            "[name for name, _ in model.named_modules()]",
            "[type(each).__name__ for each in model.modules()]",
            "[name for name, _ in model.named_children()]",
            "len(list(model.children()))",
            "[name for name, _ in model.named_buffers()]",
            "[list(each.shape) for each in model.buffers()]",
            "list(model.state_dict())",
            "list(model.state_dict().keys()) == list(model.state_dict())",
            "seen = []\nmodel.apply(lambda module: seen.append(type(module).__name__))\nseen",
            "[model.training, model.eval().training, model.blocks[1].drop.training, model.train().blocks[0].training]",
            "model.train(False)\n[each.training for each in model.modules()]",
            "model.requires_grad_(False)\n[each.requires_grad for each in model.parameters()]",
            "model.to('cpu') is model and model.float() is model.double() and model.cpu() is model.half()",
            "model.get_submodule('blocks.1.inner') is model.blocks[1].inner",
            "model.get_submodule('') is model",
            "model.get_parameter('blocks.1.scale') is model.blocks[1].scale",
            "model.add_module('late', nn.Linear(2, 2))\n[name for name, _ in model.named_children()]",
            "model.blocks[0].table = torch.ones(3)\n[list(each.shape) for each in model.buffers()]",
            "model.blocks[1] = nn.Identity()\nlist(model.state_dict())",
            "model.missing = nn.Linear(1, 1)\nlist(model.state_dict())[-2:]",
            (
                "isinstance(model, nn.Module) and not isinstance(model.embed.weight, nn.Module) and"
                " isinstance(model.embed.weight, nn.Parameter)"
            ),
            (
                "other = Model()\nother.load_state_dict(model.state_dict())\nbool((other.blocks[1].inner.weight =="
                " model.blocks[1].inner.weight).all())"
            ),
            (
                "state ="
                " model.state_dict()\nmodel.blocks[1].inner.weight.data.fill_(3)\nfloat(state['blocks.1.inner.weight'].sum())"
            ),
            "[len(model._modules), len(model.blocks[0]._parameters), list(model.blocks[0]._buffers)]",
            "list(model._modules)",
            "hasattr(model, 'blocks') and not hasattr(model, 'block')",
            "model.embed.weight is model.parts['head'].weight",
        ]
    ]
    + [
        ("Sequential", "model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2), nn.Tanh())\n" + text)
        for text in [
            "[len(model), type(model[1]).__name__, type(model[-1]).__name__]",
            "[type(each).__name__ for each in model]",
            "list(model[1:].state_dict())",
            "[type(model[:2]).__name__, len(model[::2])]",
            "model.append(nn.Sigmoid())\n[name for name, _ in model.named_children()]",
            "model.insert(1, nn.Sigmoid())\n[type(each).__name__ for each in model]",
            "model[0] = nn.Identity()\nlist(model.state_dict())",
            "model[-2] = nn.Identity()\nlist(model.state_dict())",
            "del model[0]\n[name + type(each).__name__ for name, each in model.named_children()]",
            "model.add_module('last', nn.Softmax(dim=1))\n[name for name, _ in model.named_children()]",
            "list(nn.Sequential(model, nn.Sequential(nn.Linear(1, 1))).state_dict())",
            "list(nn.Sequential(*[nn.Linear(1, 1, bias=False) for _ in range(3)]).state_dict())",
        ]
    ]
    + [
        ("ModuleList", "model = nn.ModuleList([nn.Linear(i + 1, 2) for i in range(4)])\n" + text)
        for text in [
            "[len(model), model[-1].in_features, model[1].in_features]",
            "[each.in_features for each in model]",
            "[each.in_features for each in model[1:3]]",
            "list(model[1:].state_dict())",
            "[each.in_features for each in reversed(list(model))]",
            "model.append(nn.Linear(9, 1))\n[each.in_features for each in model]",
            "model.extend([nn.Linear(9, 1), nn.Linear(8, 1)])\n[name for name, _ in model.named_children()]",
            "model += [nn.Linear(9, 1)]\n[each.in_features for each in model]",
            "[each.in_features for each in model + [nn.Linear(9, 1)]]",
            "model.insert(1, nn.Linear(9, 1))\n[each.in_features for each in model]",
            "model[-1] = nn.Linear(9, 1)\n[each.in_features for each in model]",
            "del model[1]\n[name + str(each.in_features) for name, each in model.named_children()]",
            "[model.pop(1).in_features, len(model)]",
            "model[0] in model",
            "[i * each.in_features for i, each in enumerate(model)]",
            "[a.in_features + b.in_features for a, b in zip(model, model[1:])]",
            "len(nn.ModuleList())",
            (
                "shared = nn.Linear(1, 1)\ntwice = nn.ModuleList([shared, shared])\n[len(twice),"
                " len(list(twice.parameters())), len(twice.state_dict())]"
            ),
        ]
    ]
    + [
        ("ModuleDict", "model = nn.ModuleDict({'a': nn.Linear(3, 2), 'b': nn.Tanh()})\n" + text)
        for text in [
            "[len(model), list(model), list(model.keys()), 'a' in model, 'c' in model]",
            "[type(each).__name__ for each in model.values()]",
            "[name + type(each).__name__ for name, each in model.items()]",
            (
                "model['c'] = nn.ReLU()\nmodel.update({'d': nn.Linear(1, 1), 'a': nn.Identity()})\n[name +"
                " type(each).__name__ for name, each in model.items()]"
            ),
            "model.update([('x', nn.ReLU()), ('y', nn.ReLU())])\nlist(model)",
            "[type(model.pop('a')).__name__, list(model)]",
            "del model['a']\nlist(model.state_dict())",
            "model.clear()\nlen(model)",
            "model.c = nn.ReLU()\nlist(model)",
            "[type(model.a).__name__, type(model['b']).__name__]",
            "list(nn.ModuleDict([['x', nn.Linear(1, 1)], ['y', nn.ReLU()]]).state_dict())",
        ]
    ]
    + [
        ("ParameterList", "model = nn.ParameterList([nn.Parameter(torch.ones(i + 1)) for i in range(3)])\n" + text)
        for text in [
            "[len(model), list(model.state_dict()), model[-1].numel()]",
            "[each.numel() for each in model]",
            (
                "model.append(nn.Parameter(torch.ones(7)))\nmodel.extend([nn.Parameter(torch.ones(8))])\n[name for"
                " name, _ in model.named_parameters()]"
            ),
            "model.append(torch.ones(7))\n[isinstance(each, nn.Parameter) for each in model]",
            "[each.numel() for each in model[1:]]",
            "model[0] = nn.Parameter(torch.ones(9))\n[each.numel() for each in model]",
        ]
    ]
    + [
        (
            "ParameterDict",
            "model = nn.ParameterDict({'a': nn.Parameter(torch.ones(2)), 'b': nn.Parameter(torch.ones(3))})\n" + text,
        )
        for text in [
            "[len(model), list(model), list(model.state_dict()), 'a' in model]",
            "[each.numel() for each in model.values()]",
            "model['c'] = nn.Parameter(torch.ones(4))\n[name + str(each.numel()) for name, each in model.items()]",
            "[model.pop('a').numel(), list(model.keys())]",
            "[model.a.numel(), model['b'].numel(), model.get('z')]",
            "model.update({'d': nn.Parameter(torch.ones(1))})\nlist(model)",
        ]
    ]
    + [
        (
            "init",
            (
                f"w = torch.empty({shape})\nresult = nn.init.{call}\n[result is w, [round(float(x), 6) for x in"
                " w.flatten()]]"
            ),
        )
        for shape, call in [
            ("3, 4", "ones_(w)"),
            ("3, 4", "zeros_(w)"),
            ("3, 4", "eye_(w)"),
            ("4, 3", "eye_(w)"),
            ("3, 4", "constant_(w, 0.25)"),
        ]
    ]
    + [
        ("init", text)
        for text in [
            (
                "[nn.init.calculate_gain(name) for name in ['linear', 'sigmoid', 'tanh', 'relu', 'leaky_relu', 'selu',"
                " 'conv2d']]"
            ),
            "nn.init.calculate_gain('leaky_relu', 0.3)",
            "p = nn.Linear(30, 40).weight\nnn.init.trunc_normal_(p, mean=1.0)\np.requires_grad",
            "p = nn.Linear(3, 4).weight\nnn.init.ones_(p)\n[p.requires_grad, float(p.sum())]",
        ]
    ]
    + [
        ("utils", text)
        for text in [
            (
                "model = nn.Linear(2, 3)\nvector = torch.arange(9.0)\nnn.utils.vector_to_parameters(vector,"
                " model.parameters())\n[[float(x) for x in each.flatten()] for each in model.parameters()]"
            ),
            "model = nn.Linear(2, 3)\nlist(nn.utils.parameters_to_vector(model.parameters()).shape)",
            "[list(each.shape) for each in nn.utils.rnn.pad_sequence([torch.ones(3, 2), torch.ones(1, 2)])]",
        ]
    ]
    + [
        ("training", text)
        for text in [
            "[float(x) for x in nn.Dropout(1.0)(torch.ones(3))]",
            "[float(x) for x in nn.Dropout(1.0).eval()(torch.ones(3))]",
            "x = torch.ones(1000, 10)\nround(float(nn.Dropout(0.25)(x).mean()), 1)",
            "x = torch.ones(40, 50, 7)\ny = nn.Dropout1d(0.5)(x)\nbool((y == y[:, :, :1]).all())",
            (
                "x = torch.tensor([[1.0, 2.0], [3.0, 8.0]])\n"
                "[round(float(each), 3) for each in nn.BatchNorm1d(2)(x).flatten()]"
            ),
            (
                "x = torch.tensor([[1.0, 2.0], [3.0, 8.0]])\nmodel = nn.BatchNorm1d(2)\nmodel(x)\nmodel(3 * x)\n"
                "[[round(float(x), 3) for x in each.flatten()] for each in model.buffers()]"
            ),
            (
                "x = torch.tensor([[1.0, 2.0], [3.0, 8.0]])\nmodel = nn.BatchNorm1d(2, momentum=None)\nmodel(x)\n"
                "model(3 * x)\nmodel.eval()\n[round(float(each), 3) for each in model(x).flatten()]"
            ),
            (
                "model = nn.RNN(3, 4, 2, dropout=1.0)\nmodel.bias_ih_l1.data.fill_(0)\nmodel.bias_hh_l1.data.fill_(0)\n"
                "model.weight_hh_l1.data.fill_(0)\nfloat(model(torch.ones(5, 2, 3))[0].abs().sum())"
            ),
            "float(nn.MultiheadAttention(8, 2, dropout=1.0)(*[torch.ones(3, 2, 8)] * 3)[0].abs().sum())",
        ]
    ]
    + [
        ("settings", text)
        for text in [
            "[nn.Linear(3, 4).in_features, nn.Linear(3, 4).out_features]",
            (
                "[nn.Embedding(5, 3, padding_idx=-1).padding_idx, nn.Embedding(5, 3).embedding_dim, nn.Embedding(5,"
                " 3).num_embeddings]"
            ),
            "[float(x) for x in nn.Embedding(5, 3, padding_idx=-2).weight[3]]",
            "[nn.LayerNorm(3).normalized_shape, nn.LayerNorm([2, 3]).normalized_shape, nn.LayerNorm(3).eps]",
            (
                "[nn.Embedding.from_pretrained(torch.ones(3, 2)).weight.requires_grad,"
                " nn.Embedding.from_pretrained(torch.ones(3, 2), freeze=False).weight.requires_grad]"
            ),
            (
                "[nn.GRU(3, 4, 2).num_layers, nn.LSTM(3, 4).hidden_size, nn.RNN(3, 4).batch_first, nn.LSTM(3, 4,"
                " bidirectional=True).bidirectional]"
            ),
            (
                "[nn.MultiheadAttention(8, 2).num_heads, nn.MultiheadAttention(8, 2).head_dim, nn.MultiheadAttention(8,"
                " 2).embed_dim]"
            ),
            (
                "[nn.Conv2d(3, 4, 5).kernel_size, nn.Conv1d(3, 4, 5, 2).stride, nn.Conv2d(3, 4, 5, padding=(1,"
                " 2)).padding, nn.Conv2d(4, 8, 1, groups=2).weight.shape[1]]"
            ),
            "nn.LSTM(3, 4, bidirectional=True)._flat_weights_names",
            (
                "layer = nn.TransformerEncoderLayer(8, 2, 16)\nmodel = nn.TransformerEncoder(layer, 2)\n"
                "a, b = [each.linear1.weight for each in model.layers]\n"
                "[bool((a == b).all()), bool((a == layer.linear1.weight).all()), a is b, a is layer.linear1.weight]"
            ),
            "[nn.Dropout(0.3).p, nn.Softmax(dim=1).dim, nn.CrossEntropyLoss(ignore_index=0).ignore_index]",
            (
                "nn.Transformer.generate_square_subsequent_mask(3).tolist() == nn.Transformer(8, 2, 1, 1,"
                " 8).generate_square_subsequent_mask(3).tolist()"
            ),
            (
                "model = nn.LSTM(3, 4)\nmodel.flatten_parameters()\nmodel.reset_parameters()\n[list(each.shape) for"
                " each in model.parameters()]"
            ),
        ]
    ]
)

# How a tensor of this shape is filled. PyTorch's own numbers: the lab's files draw as many, in the same order.
DRAWN = [
    ("3, 4", "nn.init.uniform_(w)"),
    ("3, 4", "nn.init.uniform_(w, -2.0, 1.0)"),
    ("3, 4", "nn.init.normal_(w)"),
    ("3, 4", "nn.init.normal_(w, 1.0, 0.02)"),
    ("3, 4", "nn.init.normal_(w, mean=0, std=0.02)"),
    ("3, 4", "nn.init.xavier_uniform_(w)"),
    ("5, 4, 3", "nn.init.xavier_uniform_(w, gain=2.0)"),
    ("3, 4", "nn.init.xavier_normal_(w)"),
    ("3, 4", "nn.init.xavier_normal_(w, nn.init.calculate_gain('relu'))"),
    ("3, 4", "nn.init.kaiming_uniform_(w)"),
    ("3, 4", "nn.init.kaiming_uniform_(w, a=5**0.5)"),
    ("3, 4, 2, 2", "nn.init.kaiming_uniform_(w, mode='fan_out', nonlinearity='relu')"),
    ("3, 4", "nn.init.kaiming_normal_(w)"),
    ("3, 4", "nn.init.kaiming_normal_(w, nonlinearity='tanh')"),
    ("3, 4", "nn.init.kaiming_normal_(w, 0.2, 'fan_out')"),
    ("3, 4", "nn.init.orthogonal_(w)"),
    ("4, 3", "nn.init.orthogonal_(w)"),
    ("4, 4", "nn.init.orthogonal_(w, gain=2.0)"),
    ("3, 2, 2", "nn.init.orthogonal_(w)"),
    ("12, 12", "nn.init.orthogonal_(w)"),
    ("3, 4", "nn.Linear(4, 3).weight"),
    ("3", "nn.Linear(4, 3).bias"),
]

# Which distribution these are drawn from: mean and deviation, and of some the largest and smallest number.
DISTRIBUTIONS = [
    "nn.init.uniform_(torch.empty(200, 300), -2.0, 1.0)",
    "nn.init.normal_(torch.empty(200, 300), 1.0, 0.02)",
    "nn.init.trunc_normal_(torch.empty(200, 300), std=0.02)",
    "nn.init.trunc_normal_(torch.empty(200, 300), a=-1.0, b=0.5)",
    "nn.init.xavier_uniform_(torch.empty(200, 300), gain=2.0)",
    "nn.init.xavier_normal_(torch.empty(200, 100, 3))",
    "nn.init.kaiming_uniform_(torch.empty(200, 300), a=5**0.5)",
    "nn.init.kaiming_normal_(torch.empty(200, 300), 0.2, 'fan_out')",
    "nn.init.orthogonal_(torch.empty(40, 50))",
    "nn.Linear(300, 200).weight",
    "nn.Linear(20, 20000).bias",
    "nn.Embedding(300, 200).weight",
    "nn.Embedding(300, 200, padding_idx=4).weight[4]",
    "nn.GRU(30, 100).weight_ih_l0",
    "nn.LSTM(30, 100, bidirectional=True).weight_hh_l0_reverse",
    "nn.RNNCell(30, 400).bias_hh",
    "nn.MultiheadAttention(64, 2).in_proj_weight",
    "nn.MultiheadAttention(64, 2).in_proj_bias",
    "nn.MultiheadAttention(128, 2, kdim=200).k_proj_weight",
    "nn.Transformer(64, 2, 1, 1, 128).decoder.layers[0].linear1.weight",
    "nn.Conv2d(30, 50, 5, groups=2).weight",
    "nn.Bilinear(20, 40, 50).weight",
]

# Both must refuse these.
REFUSED = [
    "nn.Linear(3, 4)(torch.zeros(2, 4))",
    "nn.LayerNorm(5)(torch.zeros(2, 1))",
    "nn.LayerNorm((2, 5))(torch.zeros(5))",
    "nn.BatchNorm1d(3)(torch.zeros(2, 3, 4, 5))",
    "nn.BatchNorm2d(3)(torch.zeros(2, 3, 4))",
    "nn.BatchNorm1d(3)(torch.zeros(1, 3))",
    "nn.BatchNorm1d(3)(torch.zeros(2, 4))",
    "nn.GroupNorm(4, 6)",
    "nn.Embedding(3, 2)(torch.tensor([3]))",
    "nn.Embedding(3, 2)(torch.tensor([0.5]))",
    "nn.Embedding(3, 2, padding_idx=3)",
    "nn.Dropout(1.5)(torch.zeros(3))",
    "nn.CrossEntropyLoss()(torch.zeros(6, 5), torch.zeros(4).long())",
    "nn.CrossEntropyLoss()(torch.zeros(2, 7, 5), torch.zeros(2, 7).long())",
    "nn.CrossEntropyLoss()(torch.zeros(6, 5), torch.full((6,), 5))",
    "nn.CrossEntropyLoss(reduction='avg')(torch.zeros(6, 5), torch.zeros(6).long())",
    "nn.NLLLoss()(torch.zeros(6, 5), torch.zeros(6, 1).long())",
    "nn.BCELoss()(torch.zeros(6, 1), torch.zeros(6))",
    "nn.BCEWithLogitsLoss()(torch.zeros(6, 1), torch.zeros(6))",
    "nn.GRU(3, 4)(torch.zeros(5, 2, 4))",
    "nn.GRU(3, 4)(torch.zeros(1, 5, 2, 3))",
    "nn.GRU(3, 4)(torch.zeros(5, 2, 3), torch.zeros(1, 1, 4))",
    "nn.GRU(3, 4, 2)(torch.zeros(5, 2, 3), torch.zeros(1, 2, 4))",
    "nn.GRU(3, 4, bidirectional=True)(torch.zeros(5, 2, 3), torch.zeros(1, 2, 4))",
    "nn.LSTM(3, 4)(torch.zeros(5, 2, 3), torch.zeros(1, 2, 4))",
    "nn.LSTM(3, 4)(torch.zeros(5, 2, 3), (torch.zeros(1, 2, 4), torch.zeros(1, 2, 3)))",
    "nn.GRUCell(3, 4)(torch.zeros(2, 3), torch.zeros(1, 4))",
    "nn.LSTMCell(3, 4)(torch.zeros(2, 3), (torch.zeros(2, 4), torch.zeros(2, 5)))",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(4, 2, 3), torch.tensor([2, 4]))",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(4, 2, 3), torch.tensor([4, 0]))",
    "nn.MultiheadAttention(8, 3)",
    "nn.MultiheadAttention(8, 2)(torch.zeros(3, 2, 8), torch.zeros(5, 2, 8), torch.zeros(4, 2, 8))",
    "nn.MultiheadAttention(8, 2)(torch.zeros(3, 1, 8), torch.zeros(5, 2, 8), torch.zeros(5, 2, 8))",
    "nn.MultiheadAttention(8, 2)(torch.zeros(3, 2, 4), torch.zeros(5, 2, 8), torch.zeros(5, 2, 8))",
    "x = torch.zeros(3, 2, 8)\nnn.MultiheadAttention(8, 2)(x, x, x, attn_mask=torch.zeros(1, 3))",
    "x = torch.zeros(3, 2, 8)\nnn.MultiheadAttention(8, 2)(x, x, x, attn_mask=torch.zeros(2, 3, 3))",
    "x = torch.zeros(3, 2, 8)\nnn.MultiheadAttention(8, 2)(x, x, x, torch.zeros(3, 2) > 0)",
    "nn.Conv1d(3, 4, 2)(torch.zeros(2, 4, 9))",
    "nn.Conv1d(3, 4, 5)(torch.zeros(2, 3, 4))",
    "nn.Conv1d(3, 4, 2, groups=2)",
    "nn.MaxPool2d(5)(torch.zeros(2, 3, 4, 6))",
    "nn.Flatten()(torch.zeros(3))",
    "nn.GLU()(torch.zeros(2, 3))",
    "nn.ModuleList([nn.Linear(1, 1)])[1]",
    "nn.ModuleList([nn.Linear(1, 1)])(torch.zeros(1, 1))",
    "nn.ModuleDict({'a': nn.Linear(1, 1)})['b']",
    "nn.ModuleDict({'keys': nn.Linear(1, 1)})",
    "nn.Linear(2, 2).load_state_dict({'weight': torch.zeros(2, 2)})",
    "nn.Linear(2, 2).load_state_dict({'weight': torch.zeros(2, 3), 'bias': torch.zeros(2)})",
    "nn.Linear(2, 2).get_submodule('inner')",
    "nn.Linear(2, 2).scale",
    "nn.Module()(torch.zeros(1))",
    "nn.init.xavier_uniform_(torch.zeros(3))",
    "nn.init.calculate_gain('gelu')",
]
