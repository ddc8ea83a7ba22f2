"""Rules as a model: a layer of a pipeline that is written, not learned."""
