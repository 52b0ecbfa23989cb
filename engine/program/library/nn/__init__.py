"""torch.nn: every name that a program can take from it."""

from torch.nn import Parameter
from unroll.nn import functional, init, utils
from unroll.nn.activations import ELU, GELU, GLU, Hardsigmoid, Hardswish, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax
from unroll.nn.activations import Mish, PReLU, ReLU, ReLU6, SELU, SiLU, Sigmoid, Softmax, Softmin, Softplus, Softsign
from unroll.nn.activations import Tanh, Tanhshrink, Threshold
from unroll.nn.attention import MultiheadAttention
from unroll.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from unroll.nn.convolution import Conv1d, Conv2d
from unroll.nn.dropout import Dropout, Dropout1d, Dropout2d
from unroll.nn.embedding import Embedding
from unroll.nn.flatten import Flatten, Unflatten
from unroll.nn.linear import Bilinear, Identity, LazyLinear, Linear
from unroll.nn.losses import BCELoss, BCEWithLogitsLoss, CosineSimilarity, CrossEntropyLoss, HuberLoss, KLDivLoss
from unroll.nn.losses import L1Loss, MSELoss, NLLLoss, SmoothL1Loss
from unroll.nn.module import Module
from unroll.nn.normalization import BatchNorm1d, BatchNorm2d, GroupNorm, InstanceNorm1d, InstanceNorm2d, LayerNorm
from unroll.nn.normalization import RMSNorm
from unroll.nn.pooling import AdaptiveAvgPool1d, AdaptiveAvgPool2d, AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from unroll.nn.recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNBase, RNNCell
from unroll.nn.transformer import Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder
from unroll.nn.transformer import TransformerEncoderLayer
