"""How runs are made and kept: by their parameters, in a fair queue, with limits."""
