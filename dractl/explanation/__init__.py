"""Why a pod waits: causes by group of nodes, what conflicts, and which changes would help, each tried."""
