"""What a page costs: measured side by side in one run, never asserted."""
