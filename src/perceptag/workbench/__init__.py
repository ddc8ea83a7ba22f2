"""The workbench: a project is labelled in the page of the server, and a model learns from every label at once."""
