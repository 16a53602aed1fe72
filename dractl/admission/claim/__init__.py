"""Rules for ResourceClaim and ResourceClaimTemplate: requests, allocation, status."""
