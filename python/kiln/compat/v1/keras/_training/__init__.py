"""How models are trained, evaluated and asked for predictions."""
