"""tf.contrib.gan.losses: losses of models. wargs: the same ones of tensors."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.gan.losses import wargs as wargs
from kiln.compat.v1.contrib.gan.losses._of_models import (
    acgan_discriminator_loss as acgan_discriminator_loss,
    acgan_generator_loss as acgan_generator_loss,
    combine_adversarial_loss as combine_adversarial_loss,
    cycle_consistency_loss as cycle_consistency_loss,
    least_squares_discriminator_loss as least_squares_discriminator_loss,
    least_squares_generator_loss as least_squares_generator_loss,
    minimax_discriminator_loss as minimax_discriminator_loss,
    minimax_generator_loss as minimax_generator_loss,
    modified_discriminator_loss as modified_discriminator_loss,
    modified_generator_loss as modified_generator_loss,
    mutual_information_penalty as mutual_information_penalty,
    stargan_discriminator_loss_wrapper as stargan_discriminator_loss_wrapper,
    stargan_generator_loss_wrapper as stargan_generator_loss_wrapper,
    stargan_gradient_penalty_wrapper as stargan_gradient_penalty_wrapper,
    wasserstein_discriminator_loss as wasserstein_discriminator_loss,
    wasserstein_generator_loss as wasserstein_generator_loss,
    wasserstein_gradient_penalty as wasserstein_gradient_penalty,
)

__getattr__, __dir__ = _forwarding(__name__, "")
