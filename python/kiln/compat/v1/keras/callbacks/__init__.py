"""tf.keras.callbacks: what is told how training goes."""

from kiln.compat.v1.keras.callbacks._base import (
    BaseLogger as BaseLogger,
    Callback as Callback,
    History as History,
    LambdaCallback as LambdaCallback,
    ProgbarLogger as ProgbarLogger,
)
from kiln.compat.v1.keras.callbacks._control import (
    EarlyStopping as EarlyStopping,
    LearningRateScheduler as LearningRateScheduler,
    ReduceLROnPlateau as ReduceLROnPlateau,
    TerminateOnNaN as TerminateOnNaN,
)
from kiln.compat.v1.keras.callbacks._files import (
    CSVLogger as CSVLogger,
    ModelCheckpoint as ModelCheckpoint,
    TensorBoard as TensorBoard,
)
from kiln.compat.v1.keras.callbacks._list import CallbackList as CallbackList
from kiln.compat.v1.keras.callbacks._remote import RemoteMonitor as RemoteMonitor
