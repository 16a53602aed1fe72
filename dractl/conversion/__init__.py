"""Documents in another API version: which ones, how, what is lost, and the texts that come out."""
