"""torch.backends: switches of other machines."""

class _Switches:
    """Switches that can be set, and change nothing."""

    def is_available(self):
        return False

    def is_built(self):
        return False


allow_tf32 = False
deterministic = True
benchmark = False
enabled = False
cuda = _Switches()
cudnn = _Switches()
mps = _Switches()
mkldnn = _Switches()
