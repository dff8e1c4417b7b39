"""Generator of the demo portal: invented news in invented places, with its ground truth."""
