"""Programs of the developers' half of the corpus beside those that the corpus's runner has: which, and how they are shortened.

An entry names the program, substitutions (a regular expression and its replacement; those with three members name a file) and
data that is made in place of a download. The texts of the programs are in their repositories alone.
"""

AYMERIC, EXAMPLES = "aymericdamien+TensorFlow-Examples", "examples"
NLP = "graykode+nlp-tutorial"
ZERO = "hunkim+DeepLearningZeroToAll"
MORVAN = "MorvanZhou+Tensorflow-Tutorial"
MORVAN_RL = "MorvanZhou+Reinforcement-learning-with-tensorflow"
WISEODD = "wiseodd+generative-models"
AGENTS = "awjuliani+DeepRL-Agents"
EASY = "easy-tensorflow+easy-tensorflow"
AGERON = "ageron+handson-ml"
ASTORFI = "astorfi+TensorFlow-World"

# TensorFlow begins iterations of a loop before those before them have ended, and random numbers that depend on nothing else
# come in the order in which threads get there.
IN_ORDER = r"(tf\.nn\.dynamic_rnn\([^\n]*dtype=tf\.float32)", r"\1, parallel_iterations=1"

# Estimators take no seed from their graph, and threads shuffle their input.
SEEDED = (
    (r"Estimator\(model_fn\)", "Estimator(model_fn, config=tf.estimator.RunConfig(tf_random_seed=1))"),
    ("shuffle=True", "shuffle=False"),
)


def to(name, value):
    """The assignment of a number to a name has this one."""
    return rf"(?m)^(\s*{name}\s*=\s*)[\d.]+", rf"\g<1>{value}"


def times(old, new):
    """A loop that runs less often."""
    return rf"range\({old}\)", f"range({new})"


def every(name, old, new):
    """Prints more often."""
    return rf"{name}\s*%\s*{old}\b", f"{name} % {new}"


def register(runner):
    """Gives the corpus's runner the entries."""

    def add(name, repository, path, *changes, **more):
        changes = [change if len(change) == 3 else (None, *change) for change in changes]
        runner.p(name, repository, path, subs=changes, **more)

    amend(runner)
    for family in (examples, language, zero_to_all, tutorials, reinforcement, generative, agents, easy, books, others):
        family(add, runner)


def amend(runner):
    """Changes entries of the runner's own that do not run to their end, or that no two runs on TensorFlow agree on."""
    entries = {entry["id"]: entry for entry in runner.P}

    def change(name, *changes):
        entries[name]["subs"] += [change if len(change) == 3 else (None, *change) for change in changes]

    change("aym-tensorboard", to("learning_rate", 0.001), to("training_epochs", 2))
    change("aym-save-restore", times(7, 3))
    change("aym-estimator-cnn", *SEEDED, to("num_steps", 10))
    change("gray-seq2seq-attention", IN_ORDER, times(300, 30), ("% 50", "% 5"))
    change("morvan-a3c", (r"N_WORKERS = .*", "N_WORKERS = 1"))
    change("morvan-dqn-cartpole", times(90, 70))
    change("seqtag-crf", ("model/general_utils.py", r"' - %ds' % \(now - self.start\)", "''"))
    change("gpt2-driver", times(30, 6), ("sample.py", "probs <= p,", "probs <= p + 1e-4,"))  # p is 1: else rounding decides
    change("ageron-09", ("relu1, relu2,", "relu1, tf.maximum(z2, 0.),"))
    words = (r"\[5241, .*?\]", "data[:9]"), ("vocabulary_size = 2000", "vocabulary_size = 250"), to("num_steps", 101)
    plots = (r"n_iter=5000", "max_iter=250"), to("plot_only", 50), (r"(?s)import tensorflow as tf\nreset_graph\(\)\n\nn_steps = 50.*", "")
    change("ageron-14", *words, *plots, IN_ORDER)
    entries["w2v-linguishi"]["args"][0] = "--voc_size=250"


def examples(add, runner):
    def example(name, path, *changes, **more):
        add(f"aym-{name}", AYMERIC, f"{EXAMPLES}/{path}.py", *changes, **more)

    example("basic-operations", "1_Introduction/basic_operations")
    example("linear-regression", "2_BasicModels/linear_regression", to("training_epochs", 100), to("display_step", 10))
    example("nearest-neighbor", "2_BasicModels/nearest_neighbor")
    example(
        "word2vec",
        "2_BasicModels/word2vec",
        to("min_occurrence", 2),
        to("num_steps", 60),
        to("display_step", 10),
        to("eval_step", 30),
        (r"(?m)^(eval_words = .*)$", r""),
        (r"(?m)^(word2id = dict\(\))$", r"\1\neval_words = [w for w, _ in count[1:7]]"),
        data=[runner.text8("text8.zip", words=30000)],
    )
    example("autoencoder", "3_NeuralNetworks/autoencoder", to("num_steps", 60), to("display_step", 10))
    example("bidirectional-rnn", "3_NeuralNetworks/bidirectional_rnn", to("training_steps", 40), to("display_step", 5))
    example("cnn-raw", "3_NeuralNetworks/convolutional_network_raw", to("num_steps", 10), to("display_step", 2))
    example("gan", "3_NeuralNetworks/gan", to("num_steps", 60), every("i", 1000, 10))
    example("mlp", "3_NeuralNetworks/multilayer_perceptron", to("training_epochs", 3))
    example("estimator-nn", "3_NeuralNetworks/neural_network", to("num_steps", 20), *SEEDED)
    example("vae", "3_NeuralNetworks/variational_autoencoder", to("num_steps", 60), every("i", 1000, 10))
    example("tensorboard-basic", "4_Utils/tensorboard_basic", to("training_epochs", 3), ("/tmp/tensorflow_logs", "logs"))
    example(
        "multigpu-cnn",
        "6_MultiGPU/multigpu_cnn",
        to("num_steps", 4),
        to("batch_size", 24),
        to("display_step", 1),
        (r"tf\.Session\(\)", "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))"),
        (r' \+ ", %i Examples/sec" % int\(len\(batch_x\)/te\)', ""),
        (r"mnist\.test\.(images|labels)", r"mnist.test.\1[:48]"),
    )


def language(add, runner):
    def lesson(name, path, old, new, step, *changes):
        add(f"gray-{name}", NLP, path, times(old, new), (r"(?<=% )\d+ ==|(?<=%)\d+ ==", f"{step} =="), *changes)

    lesson("nnlm", "1-1.NNLM/NNLM-Tensor.py", 5000, 300, 50)
    lesson("word2vec-nce", "1-2.Word2Vec/Word2Vec-Tensor(NCE_loss).py", 5000, 300, 50)
    lesson("textrnn", "3-1.TextRNN/TextRNN-Tensor.py", 5000, 300, 50)
    lesson("textlstm", "3-2.TextLSTM/TextLSTM-Tensor.py", 1000, 200, 20)
    lesson("bilstm", "3-3.Bi-LSTM/Bi-LSTM-Tensor.py", 10000, 200, 20)
    lesson("seq2seq", "4-1.Seq2Seq/Seq2Seq-Tensor.py", 5000, 200, 20, IN_ORDER)


def zero_to_all(add, runner):
    def lab(name, path, *changes):
        add(f"hunkim-{name}", ZERO, path, *changes, root="")

    lab("linear-feed", "lab-02-2-linear_regression_feed.py", times(2001, 401))
    lab("gradient", "lab-03-X-minimizing_cost_tf_gradient.py")
    lab("file-input", "lab-04-3-file_input_linear_regression.py", times(2001, 401))
    lab("diabetes", "lab-05-2-logistic_regression_diabetes.py", times(10001, 1001))
    lab("zoo", "lab-06-2-softmax_zoo_classifier.py", times(2001, 401), every("step", 100, 20))
    lab("learning-rate", "lab-07-1-learning_rate_and_evaluation.py")
    lab("xor-tensorboard", "lab-09-4-xor_tensorboard.py", times(10001, 1001))
    lab("xor-back-prop", "lab-09-x-xor-nn-back_prop.py", times(10001, 1001), every("i", 1000, 100))
    lab("dropout", "lab-10-5-mnist_nn_dropout.py", to("training_epochs", 3))
    lab("higher-level", "lab-10-7-mnist_nn_higher_level_API.py", to("training_epochs", 3))
    lab("selu", "lab-10-8-mnist_nn_selu(wip).py", to("training_epochs", 3))
    lab("cnn-class", "lab-11-3-mnist_cnn_class.py", to("training_epochs", 1))
    lab("cnn-low-memory", "lab-11-X-mnist_cnn_low_memory.py", to("training_epochs", 1))
    lab("hello-rnn", "lab-12-1-hello-rnn.py")
    lab("stock", "lab-12-5-rnn_stock_prediction.py", to("iterations", 50))
    lab("mnist-tensorboard", "lab-13-2-mnist_tensorboard.py", to("training_epochs", 3))
    lab("nb-tensors", "lab-08-tensor_manipulation.ipynb")
    lab("nb-batchnorm", "lab-10-6-mnist_nn_batchnorm.ipynb", to("epoch_n", 2), to("N", 640), ("AdamOptimizer, lr=0.01", "GradientDescentOptimizer, lr=0.1"))
    lab("nb-cnn-basics", "lab-11-0-cnn_basics.ipynb")
    cells = r"\[cell\] \* 3", "[tf.nn.rnn_cell.LSTMCell(num_units=5, state_is_tuple=True) for _ in range(3)]"
    lab("nb-rnn-basics", "lab-12-0-rnn_basics.ipynb", cells)


def tutorials(add, runner):
    def tutorial(name, path, *changes):
        add(f"morvan-{name}", MORVAN, f"tutorial-contents/{path}.py", *changes)

    tutorial("save-reload", "303_save_reload")
    tutorial("optimizers", "304_optimizer", times(300, 60))
    tutorial("cnn", "401_CNN", times(600, 30), every("step", 50, 5), ("HAS_SK = True", "HAS_SK = False"))
    tutorial("rnn-classification", "402_RNN_classification", times(1200, 40), every("step", 50, 5))
    tutorial("autoencoder", "404_AutoEncoder", times(8000, 60), every("step", 100, 10))
    tutorial("dqn", "405_DQN_reinforcement_learning", to("MEMORY_CAPACITY", 200), times(400, 25))
    tutorial("conditional-gan", "406_conditional_GAN", times(7000, 60), every("step", 50, 10))
    tutorial("dropout", "501_dropout", times(500, 60))


def reinforcement(add, runner):
    def agent(name, path, *changes):
        add(f"rl-{name}", MORVAN_RL, f"contents/{path}.py", *changes)

    size, limited = to("MEMORY_SIZE", 300), (r"env\.unwrapped", "env")
    double = "total_steps - MEMORY_SIZE > 20000", "total_steps - MEMORY_SIZE > 100"
    dueling = "total_steps-MEMORY_SIZE > 15000", "total_steps-MEMORY_SIZE > 100"
    values = (r"(?m)^(plt\.grid\(\))$", r"\1\nprint([len(q) for q in VALUES], VALUES[0][-5:], VALUES[1][-5:])")
    both = values[0], values[1].replace("VALUES", "(q_natural, q_double)")
    costs = values[0], values[1].replace("VALUES", "(c_natural, c_dueling)")
    agent("double-dqn", "5.1_Double_DQN/run_Pendulum", size, double, both)
    agent("prioritized", "5.2_Prioritized_Replay_DQN/run_MountainCar", to("MEMORY_SIZE", 500), limited, times(20, 4))
    agent("dueling", "5.3_Dueling_DQN/run_Pendulum", size, dueling, costs)
    agent("policy-gradient", "7_Policy_gradient_softmax/run_CartPole", times(3000, 20), limited)
    agent("actor-critic", "8_Actor_Critic_Advantage/AC_CartPole", to("MAX_EPISODE", 15))
    agent("actor-critic-normal", "8_Actor_Critic_Advantage/AC_continue_Pendulum", to("MAX_EPISODE", 2))
    ddpg = to("MAX_EPISODES", 3), to("MEMORY_CAPACITY", 300)
    agent("ddpg", "9_Deep_Deterministic_Policy_Gradient_DDPG/DDPG", *ddpg)
    agent("ddpg-update", "9_Deep_Deterministic_Policy_Gradient_DDPG/DDPG_update", *ddpg)
    agent("curiosity", "Curiosity_Model/Curiosity", times(200, 2), limited)


def generative(add, runner):
    folder = r"\.\./\.\./MNIST_data", "d"

    def network(name, path, steps, every_steps, *changes):
        shorter = times(1000000, steps), every("it", 1000, every_steps)
        add(f"wiseodd-{name}", WISEODD, f"{path}_tensorflow.py", folder, *(changes or shorter))

    network("cgan", "GAN/conditional_gan/cgan", 60, 10)
    network("began", "GAN/boundary_equilibrium_gan/began", 60, 10)
    network("cogan", "GAN/coupled_gan/cogan", 40, 5)
    network("ebgan", "GAN/ebgan/ebgan", 60, 10)
    shorter = times(r"2\*n_iter", 30), every("it", 1000, 10), times("n_iter", 15), to("n_epoch", 3)
    network("magan", "GAN/magan/magan", 0, 0, *shorter)
    network("wgan", "GAN/wasserstein_gan/wgan", 0, 0, times(1000000, 30), every("it", 100, 5), every("it", 1000, 10))
    network("aae", "VAE/adversarial_autoencoder/aae", 60, 10)
    torch = r"from torch.autograd import Variable", ""
    network("cvae", "VAE/conditional_vae/cvae", 0, 0, times(1000000, 60), every("it", 1000, 10), torch)


def agents(add, runner):
    def notebook(name, path, *changes):
        add(f"deeprl-{name}", AGENTS, f"{path}.ipynb", *changes, root="")

    notebook("bandit", "Simple-Policy")
    notebook("contextual", "Contextual-Policy", to("total_episodes", 1000), every("i", 500, 50))
    shorter = to("num_episodes", 12), to("pre_train_steps", 400), every("i", 1000, 5)
    notebook("dueling-dqn", "Double-Dueling-DQN", *shorter, (r"len\(rList\) % 10 ", "len(rList) % 2 "), ("//100,100", "//4,4"))
    notebook("model", "Model-Network", ("episode_number <= 5000", "episode_number <= 60"), ("episode_number > 100", "episode_number > 30"))


def easy(add, runner):
    def lesson(name, folder, *changes):
        add(f"easy-{name}", EASY, f"{folder}/code/main.py" if "/" not in folder else f"{folder}/main.py", *changes)

    epochs, often = to("epochs", 2), to("display_freq", 2)
    rnn = "7_Recurrent_Neural_Network/code"
    lesson("linear", "2_Linear_Classifier", epochs, often)
    lesson("neural-network", "3_Neural_Network", epochs, often)
    lesson("tensorboard", "4_Tensorboard", epochs, often)
    lesson("autoencoder", "5_AutoEncoder", epochs, often)
    lesson("cnn", "6_Convolutional_Neural_Network", to("epochs", 1), often)
    steps = to("training_steps", 300), to("display_freq", 50)
    lesson("many-to-one", f"{rnn}/03_Many_to_One_with_Fixed_Sequence_Length", *steps)
    lesson("birnn", f"{rnn}/02_Bidirectional_RNN_for_Classification", to("epochs", 1), often)
    lesson("many-to-many", f"{rnn}/05_Many_to_Many", times(10000, 300), every("i", 1000, 50))
    add("easy-nb-graph", EASY, "1_TensorFlow_Basics/Tutorials/1_Graph_and_Session.ipynb")


def books(add, runner):
    def chapter(name, path, *changes):
        add(f"ageron-{name}", AGERON, f"{path}.ipynb", *changes, root="datasets")

    epochs = r"n_epochs = \d+", "n_epochs = 1"
    chapter("10", "10_introduction_to_artificial_neural_networks", epochs, ("tol=-np.infty", "tol=None"))
    chapter("11", "11_deep_learning", epochs, (r"(?s)from sklearn.base import.*", ""), to("batch_size", 200))
    chapter("12", "12_distributed_tensorflow")
    few = to("n_labeled_instances", 1000), (r"n_iterations = 1000", "n_iterations = 50"), (r"\[4, 4\]", "[1, 1]")
    chapter("15", "15_autoencoders", epochs, *few)
    chapter("autodiff", "extra_autodiff")
    shorter = r"mnist\.(train|validation|test)\.num_examples // batch_size", "2"
    script = (r"from __future__ .*", ""), (r"(?m)^.*IFrame.*$", "")
    chapter("capsnets", "extra_capsnets", epochs, to("batch_size", 10), shorter, *script)


def others(add, runner):
    def world(name, path, *changes, **more):
        add(f"astorfi-{name}", ASTORFI, f"codes/{path}", *changes, **more)

    plain = r"np\.power\((\d), (\d)\)", r"int(np.power(\1, \2))"  # what absl takes for a number

    world("linear-svm", "2-basics_in_machine_learning/linear_svm/code/linear_svm.py", every("step_idx", 100, 10), args=["--num_steps=60"])
    world("logistic", "2-basics_in_machine_learning/logistic_regression/code/logistic_regression.py", plain, args=["--batch_size=64"])
    world("variables", "1-basics/variables/code/variables.py")
    networks, size = "3-neural_networks", ["--batch_size=64"]
    world("mlp", f"{networks}/multi-layer-perceptron/code/train_mlp.py", plain, args=size + ["--num_epochs=2"])
    world("cnn", f"{networks}/convolutional-neural-network/code/train_classifier.py", plain, args=size)
    world("rnn", f"{networks}/recurrent-neural-networks/code/rnn.py", args=["--num_epoch=2"])
    epochs = to("nb_epochs", 3)
    scipy = "utils/process.py", r"from scipy.sparse.linalg.eigen.arpack import eigsh.*", ""
    add("gat-sparse", "PetarV-+GAT", "execute_cora_sparse.py", epochs, scipy)
    shorter = ("max_batches = 3001", "max_batches = 101"), ("batches_in_epoch = 1000", "batches_in_epoch = 25")
    add("ematvey-advanced", "ematvey+tensorflow-seq2seq-tutorials", "2-seq2seq-advanced.ipynb", *shorter, root="")
