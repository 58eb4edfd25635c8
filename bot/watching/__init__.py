"""What a host sees of a running bot: metrics, and whether it is alive and ready."""
