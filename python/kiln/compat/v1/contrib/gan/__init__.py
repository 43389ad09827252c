"""tf.contrib.gan: generative adversarial networks.

| looking for | it is in |
| --- | --- |
| GANModel, GANLoss and their kin | `namedtuples.py` |
| gan_model, infogan_model, acgan_model, cyclegan_model, stargan_model | `_models.py` |
| gan_loss, cyclegan_loss, stargan_loss | `_losses.py` |
| gan_train_ops, gan_train, hooks | `_train.py` |
| losses of models; of tensors in `losses/wargs.py` | `losses/` |
| features of generators and discriminators | `features/` |
| summaries and scores | `eval/` |
| GANEstimator | `estimator/` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.gan._losses import cyclegan_loss, gan_loss, stargan_loss
from kiln.compat.v1.contrib.gan._models import (
    acgan_model,
    cyclegan_model,
    gan_model,
    infogan_model,
    stargan_model,
)
from kiln.compat.v1.contrib.gan.namedtuples import (
    ACGANModel,
    CycleGANLoss,
    CycleGANModel,
    GANLoss,
    GANModel,
    GANTrainOps,
    GANTrainSteps,
    InfoGANModel,
    StarGANModel,
)

__getattr__, __dir__ = _forwarding(
    __name__,
    " ".join(
        f"{name}=contrib.gan._train.{name}"
        for name in (
            "RunTrainOpsHook gan_train gan_train_ops get_joint_train_hooks "
            "get_sequential_train_hooks get_sequential_train_steps"
        ).split()
    ),
)
