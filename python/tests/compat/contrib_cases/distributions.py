"""Cases of tf.distributions, and of the normal distributions of vectors."""


def _asked(distribution, value, *more):
    names = ("mean", "stddev", "variance", "mode", "entropy", *more)
    found = [getattr(distribution, name)() for name in names]
    of_value = [distribution.prob(value), distribution.log_prob(value)]
    return [*found, *of_value, distribution.batch_shape_tensor(), distribution.event_shape_tensor()]


def _cumulative(distribution, value):
    return [distribution.cdf(value), distribution.log_cdf(value), distribution.survival_function(value)]


def normal(tf, contrib):
    made = contrib.distributions.Normal(loc=[0.0, 1.0], scale=[1.0, 2.0])
    drawn = made.sample(3, seed=4)
    return [drawn, made.quantile(0.25), *_cumulative(made, [0.5, -1.0]), *_asked(made, [0.5, -1.0])]


def normal_checked(tf, contrib):
    made = contrib.distributions.Normal(tf.constant(0.0), 2.0, validate_args=True, name="mine")
    gradient = tf.gradients(made.sample([2, 3], seed=1), [made.scale])
    return [*gradient, made.log_survival_function(1.0), tf.constant(str(made.batch_shape))]


def normal_of_integers(tf, contrib):
    return contrib.distributions.Normal(loc=1, scale=2).mean()


def uniform(tf, contrib):
    made = contrib.distributions.Uniform(low=-1.0, high=[1.0, 3.0])
    return [made.sample(2, seed=4), made.range(), made.prob(0.5), made.mean(), made.entropy(), made.cdf(2.0)]


def bernoulli(tf, contrib):
    made = contrib.distributions.Bernoulli(logits=[0.3, -1.0])
    return [made.sample(3, seed=4), made.probs, *_asked(made, [1, 0])]


def bernoulli_of_probabilities(tf, contrib):
    made = contrib.distributions.Bernoulli(probs=[0.3, 0.5], dtype=tf.float32, validate_args=True)
    return [made.sample(seed=4), made.logits, *_asked(made, [1.0, 0.0])]


def bernoulli_of_both(tf, contrib):
    return contrib.distributions.Bernoulli(logits=0.1, probs=0.3)


def categorical(tf, contrib):
    made = contrib.distributions.Categorical(logits=[[0.1, 1.0, -2.0], [0.0, 0.0, 3.0]])
    found = [made.sample(4, seed=3), made.entropy(), made.mode(), made.prob([1, 2]), made.log_prob(1)]
    return [*found, made.cdf([1, 2]), made.event_size, made.probs]


def categorical_of_probabilities(tf, contrib):
    made = contrib.distributions.Categorical(probs=[0.2, 0.3, 0.5])
    return [made.sample([2, 2], seed=3), made.logits, made.log_prob([0, 1, 2]), made.entropy()]


def beta(tf, contrib):
    made = contrib.distributions.Beta([1.5, 2.0], 3.0)
    return [made.total_concentration, made.cdf([0.2, 0.3]), *_asked(made, [0.2, 0.3])]


def gamma(tf, contrib):
    made = contrib.distributions.Gamma(concentration=[1.5, 2.0], rate=3.0)
    return [made.cdf([0.2, 0.3]), *_asked(made, [0.2, 0.3])]


def exponential(tf, contrib):
    made = contrib.distributions.Exponential(rate=[0.5, 2.0])
    return [made.sample(2, seed=4), *_cumulative(made, 0.5), *_asked(made, 0.5)]


def laplace(tf, contrib):
    made = contrib.distributions.Laplace(0.5, [1.0, 2.0])
    return [made.sample(2, seed=4), *_cumulative(made, 0.25), *_asked(made, 0.25)]


def dirichlet(tf, contrib):
    made = contrib.distributions.Dirichlet([[1.5, 2.0, 3.0]])
    value = [[0.2, 0.3, 0.5]]
    found = [made.mean(), made.variance(), made.entropy(), made.covariance()]
    return [*found, made.prob(value), made.log_prob(value)]


def _divergences(contrib, a, b):
    return [contrib.distributions.kl_divergence(a, b), a.cross_entropy(b)]


def divergence_of_normals(tf, contrib):
    of = contrib.distributions.Normal
    return _divergences(contrib, of(0.0, 1.0), of([1.0, 2.0], 3.0))


def divergence_of_bernoullis(tf, contrib):
    of = contrib.distributions.Bernoulli
    return _divergences(contrib, of(0.4), of(probs=[0.1, 0.8]))


def divergence_of_categoricals(tf, contrib):
    of = contrib.distributions.Categorical
    return _divergences(contrib, of([0.4, 1.0]), of(probs=[0.1, 0.9]))


def divergence_of_betas(tf, contrib):
    of = contrib.distributions.Beta
    return _divergences(contrib, of(1.5, 2.0), of([1.0, 2.5], 2.0))


def divergence_of_gammas(tf, contrib):
    of = contrib.distributions.Gamma
    return _divergences(contrib, of(1.5, 2.0), of([1.0, 2.5], 2.0))


def divergence_of_dirichlets(tf, contrib):
    of = contrib.distributions.Dirichlet
    return _divergences(contrib, of([1.5, 2.0]), of([1.0, 2.5]))


def divergence_of_two_kinds(tf, contrib):
    of = contrib.distributions
    return of.kl_divergence(of.Normal(0.0, 1.0), of.Uniform(0.0, 1.0))


def multivariate_normal(tf, contrib):
    of = contrib.distributions.MultivariateNormalDiag
    made = of([0.0, 1.0], scale_diag=[[1.0, 2.0], [0.5, 3.0]])
    multiplied = of(loc=[0.5, 1.0], scale_identity_multiplier=[2.0, 3.0, 4.0])
    alone = of(scale_diag=[1.0, 2.0], scale_identity_multiplier=0.5)
    found = [each for one in (made, multiplied) for each in _asked(one, one.mean() + 0.5)]
    return [*found, made.covariance(), alone.log_prob([1.0, 1.0]), alone.stddev()]


def multivariate_normal_divergence(tf, contrib):
    of = contrib.distributions.MultivariateNormalDiag
    return _divergences(contrib, of([0.0, 1.0], [1.0, 2.0]), of([1.0, 1.0], [2.0, 0.5]))


# These are made of other ops than in TensorFlow.
multivariate_normal.values_only = multivariate_normal_divergence.values_only = True
