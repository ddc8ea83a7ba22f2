"""numpy, imported on first use: its import takes longer than tagging a megabyte.

    from perceptag.numeric.lazy import np

Only modules that `perceptag tag` imports need this. There ``np`` may not be used while the module is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            import numpy

            return getattr(numpy, name)

    np = _Numpy()

__all__ = ["np"]
