"""tf.keras.preprocessing.image: image files as arrays, batches of changed images.

Reading files needs Pillow, turning and moving images needs SciPy.
"""

from kiln.compat.v1.keras.preprocessing.image._data_frames import (
    DataFrameIterator as DataFrameIterator,
)
from kiln.compat.v1.keras.preprocessing.image._files import (
    array_to_img as array_to_img,
    img_to_array as img_to_array,
    load_img as load_img,
    save_img as save_img,
)
from kiln.compat.v1.keras.preprocessing.image._generator import (
    ImageDataGenerator as ImageDataGenerator,
)
from kiln.compat.v1.keras.preprocessing.image._iterators import (
    DirectoryIterator as DirectoryIterator,
    Iterator as Iterator,
    NumpyArrayIterator as NumpyArrayIterator,
)
from kiln.compat.v1.keras.preprocessing.image._transforms import (
    apply_affine_transform as apply_affine_transform,
    apply_brightness_shift as apply_brightness_shift,
    apply_channel_shift as apply_channel_shift,
    random_brightness as random_brightness,
    random_channel_shift as random_channel_shift,
    random_rotation as random_rotation,
    random_shear as random_shear,
    random_shift as random_shift,
    random_zoom as random_zoom,
)
