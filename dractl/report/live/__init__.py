"""What a cluster shows as text and documents: devices, claims, drains and replays."""
