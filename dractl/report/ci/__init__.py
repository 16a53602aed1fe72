"""Reports in the formats that CI systems read."""
