"""The history of the schema. No model is imported in a revision: it must mean the same in ten years."""
