"""The host's view of a running bot: metrics, and whether it is alive and ready."""
