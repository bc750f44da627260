"""supervise: learn an organisation's unwritten policy while overseeing worker agents."""
