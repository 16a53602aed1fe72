"""The types of the API objects in the shape that the checks work on, one module an API group."""
