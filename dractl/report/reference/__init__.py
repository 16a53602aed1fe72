"""Rules, fields and feature gates for people: pages and lists."""
