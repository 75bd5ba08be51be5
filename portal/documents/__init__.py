"""PDFs: the letter to a unit, the receipt of a complaint taken at the counter, the yearly report."""
