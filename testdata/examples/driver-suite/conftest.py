from hypothesis import settings

# The first example loads dractl, which takes longer than hypothesis allows an example to take.
settings.register_profile("driver", deadline=None)
settings.load_profile("driver")
