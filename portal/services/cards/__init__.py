"""Cards of permits: made by a town's clerk, opened by whoever scans them."""
