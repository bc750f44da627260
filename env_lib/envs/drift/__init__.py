"""drift: keep scripts alive while the libraries that they use move on."""
