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
from kiln.compat.v1.contrib.gan._losses import (
    cyclegan_loss as cyclegan_loss,
    gan_loss as gan_loss,
    stargan_loss as stargan_loss,
)
from kiln.compat.v1.contrib.gan._models import (
    acgan_model as acgan_model,
    cyclegan_model as cyclegan_model,
    gan_model as gan_model,
    infogan_model as infogan_model,
    stargan_model as stargan_model,
)
from kiln.compat.v1.contrib.gan.namedtuples import (
    ACGANModel as ACGANModel,
    CycleGANLoss as CycleGANLoss,
    CycleGANModel as CycleGANModel,
    GANLoss as GANLoss,
    GANModel as GANModel,
    GANTrainOps as GANTrainOps,
    GANTrainSteps as GANTrainSteps,
    InfoGANModel as InfoGANModel,
    StarGANModel as StarGANModel,
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
