"""Layers, made by `cargo xtask codegen` from frontend/prelude/layers/loss.td; do not edit."""
import warnings
import torch.nn.functional as F
from typing import Callable, Optional, Union
from torch import Tensor
from torch.nn.modules._layer import _reduction, _refuse
from torch.nn.modules.distance import PairwiseDistance
from torch.nn.modules.module import Module


class L1Loss(Module):
    """|x - y|."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(Module):
    """(x - y)^2."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Module):
    """(x - y)^2 / (2 beta) within beta, |x - y| - beta / 2 outside."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean", beta: float = 1.0) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Module):
    """(x - y)^2 / 2 within delta, delta (|x - y| - delta / 2) outside."""

    __constants__ = ["reduction", "delta"]
    reduction: str
    delta: float

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        _refuse(not isinstance(delta, (float, int)), TypeError, f"delta must be a float or int, got: {type(delta)}")
        super().__init__()
        self.reduction = reduction
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class PoissonNLLLoss(Module):
    """Minus the log of the Poisson probability of the target, for a rate or its log."""

    __constants__ = ["reduction", "log_input", "full", "eps"]
    reduction: str
    log_input: bool
    full: bool
    eps: float

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average=None,
        eps: float = 1e-08,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


class GaussianNLLLoss(Module):
    """Minus the log of the normal density of the target."""

    __constants__ = ["reduction", "full", "eps"]
    reduction: str
    full: bool
    eps: float

    def __init__(self, *, full: bool = False, eps: float = 1e-06, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Union[Tensor, float]) -> Tensor:
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class NLLLoss(Module):
    """Minus the log-probability of the class."""

    __constants__ = ["reduction", "ignore_index"]
    reduction: str
    ignore_index: int

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        ignore_index: int = -100,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """NLLLoss under its name of old."""

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        ignore_index: int = -100,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
            "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
            FutureWarning,
        )
        super().__init__(
            weight=weight,
            size_average=size_average,
            ignore_index=ignore_index,
            reduce=reduce,
            reduction=reduction,
        )


class CrossEntropyLoss(Module):
    """Minus the log of the class's softmax, or of classes by their probabilities."""

    __constants__ = ["reduction", "ignore_index", "label_smoothing"]
    reduction: str
    ignore_index: int
    label_smoothing: float

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        ignore_index: int = -100,
        reduce=None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class BCELoss(Module):
    """-(y log x + (1 - y) log(1 - x))."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.register_buffer("weight", weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Module):
    """BCELoss of sigmoid(x), positives weighted."""

    reduction: str

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
        pos_weight: Optional[Tensor] = None,
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input,
            target,
            weight=self.weight,
            reduction=self.reduction,
            pos_weight=self.pos_weight,
        )


class KLDivLoss(Module):
    """y (log y - x), x a log-probability."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean", log_target: bool = False) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class CTCLoss(Module):
    """Minus the log-probability of a sequence over all alignments with blanks."""

    __constants__ = ["reduction", "blank"]
    reduction: str
    blank: int

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        self.reduction = reduction
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor) -> Tensor:
        return F.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            blank=self.blank,
            reduction=self.reduction,
            zero_infinity=self.zero_infinity,
        )


class MarginRankingLoss(Module):
    """max(0, -y (x1 - x2) + margin)."""

    __constants__ = ["reduction", "margin"]
    reduction: str
    margin: float

    def __init__(self, margin: float = 0.0, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(Module):
    """1 - cos(x1, x2) for y = 1, max(0, cos(x1, x2) - margin) for y = -1."""

    __constants__ = ["reduction", "margin"]
    reduction: str
    margin: float

    def __init__(self, margin: float = 0.0, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(Module):
    """x for y = 1, max(0, margin - x) for y = -1."""

    __constants__ = ["reduction", "margin"]
    reduction: str
    margin: float

    def __init__(self, margin: float = 1.0, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(Module):
    """log(1 + exp(-y x))."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(Module):
    """max(0, 1 - (x[y] - x[i])) over the target's classes y and the other classes i."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean") -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(Module):
    """BCELoss of sigmoid(x), averaged over classes."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.register_buffer("weight", weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(Module):
    """max(0, margin - x[y] + x[i])^p over the classes i other than the target y."""

    __constants__ = ["reduction", "p", "margin"]
    reduction: str
    p: int
    margin: float

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Optional[Tensor] = None,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        _refuse(p != 1 and p != 2, ValueError, "only p == 1 and p == 2 supported")
        if weight is not None:
            _refuse(
                weight.dim() != 1,
                ValueError,
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead",
            )
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.p = p
        self.margin = margin
        self.register_buffer("weight", weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multi_margin_loss(
            input,
            target,
            p=self.p,
            margin=self.margin,
            weight=self.weight,
            reduction=self.reduction,
        )


class TripletMarginLoss(Module):
    """max(0, distance of anchor and positive - distance of anchor and negative + margin)."""

    __constants__ = ["reduction", "margin", "p", "eps", "swap"]
    reduction: str
    margin: float
    p: float
    eps: float
    swap: bool

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-06,
        swap: bool = False,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
    ) -> None:
        _refuse(
            margin <= 0,
            ValueError,
            f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead",
        )
        reduction = _reduction(size_average, reduce, reduction)
        super().__init__()
        self.reduction = reduction
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(Module):
    """max(0, distance of anchor and positive - distance of anchor and negative + margin)."""

    __constants__ = ["reduction", "margin", "swap"]
    reduction: str
    margin: float
    swap: bool

    def __init__(
        self,
        *,
        distance_function: Optional[Callable[[Tensor, Tensor], Tensor]] = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        _refuse(
            margin <= 0,
            ValueError,
            f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead",
        )
        distance_function = PairwiseDistance() if distance_function is None else distance_function
        super().__init__()
        self.reduction = reduction
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )
