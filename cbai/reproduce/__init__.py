"""The paper's tables and figures, computed again and compared with its own numbers."""

from cbai.reproduce.experiments import EXPERIMENTS, Experiment, Printed, Setting
from cbai.reproduce.run import run

__all__ = ["EXPERIMENTS", "Experiment", "Printed", "Setting", "run"]
