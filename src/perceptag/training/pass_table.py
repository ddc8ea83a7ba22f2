"""What training shows while it runs: a table with a line for each pass."""

from __future__ import annotations

from perceptag.training.train import PassReport, Training


class PassTable:
    """Makes a table of the passes of a training run, line by line."""

    def __init__(self, training: Training) -> None:
        recipe, label_set = training.task.recipe, training.task.label_set
        self.epochs = recipe.epochs
        self.kept = recipe.kinds_of_weights[0]
        self.score = "accuracy" if label_set.outer == "none" else "F1"
        self.unit = "documents" if recipe.unit == "document" else "sentences"
        self.has_dev = training.task.dev is not None
        self.has_likelihood = training.trainer.log_likelihood is not None

    def head(self) -> str:
        """The names of the columns."""
        scores = f"  {f'dev {self.score}, last':>18}  {self.kept:>8}" if self.has_dev else ""
        likelihood = f"  {'log-likelihood':>14}" if self.has_likelihood else ""
        return f"{'pass':>4}  {f'wrong {self.unit}':>22}{likelihood}{scores}  {'seconds':>8}"

    def line(self, report: PassReport) -> str:
        """One pass."""
        wrong = f"{report.mistakes} of {report.sequences} ({100 * report.mistakes / report.sequences:.1f} %)"
        scores = ""
        if report.dev_last is not None and report.dev_kept is not None:
            scores = f"  {report.dev_last:18.2f}  {report.dev_kept:8.2f}"
        likelihood = f"  {report.log_likelihood:14.2f}" if report.log_likelihood is not None else ""
        best = "  best" if self.has_dev and report.is_best else ""
        return f"{report.epoch:4}  {wrong:>22}{likelihood}{scores}  {report.seconds:8.2f}{best}"
