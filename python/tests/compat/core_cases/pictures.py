"""Files of images."""


def files(tf):
    text = tf.placeholder(tf.string, [])
    image = tf.image.decode_jpeg(text, channels=3, name="jpeg")
    tf.image.decode_jpeg(text)
    tf.image.decode_and_crop_jpeg(text, [0, 0, 2, 2], channels=1)
    tf.image.decode_bmp(text)
    tf.image.decode_gif(text)
    tf.image.decode_image(text)
    tf.image.decode_image(text, channels=3, dtype=tf.float32, expand_animations=False)
    tf.image.decode_image(text, dtype=tf.int32, name="image")
    tf.image.encode_jpeg(image, format="rgb", quality=90)
    tf.image.extract_jpeg_shape(text)
    tf.io.extract_jpeg_shape(text, tf.int64)
    assert image.shape.as_list() == [None, None, 3]
    return None


def a_pixel_of_a_jpeg(tf):
    image = tf.io.decode_jpeg(tf.placeholder(tf.string, []), channels=3)
    tf.image.resize_images(image, [2, 2])
    tf.image.encode_jpeg(tf.zeros([2, 2, 3], tf.uint8), quality=3)
    return None
