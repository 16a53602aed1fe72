"""CEL device selectors: parse, evaluate; the door is dractl.cel.compile."""
