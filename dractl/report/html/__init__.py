"""Results as one HTML page: views as typed data, and the templates that draw them."""
