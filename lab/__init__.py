"""What measures and trains. A checkout has it; the product imports nothing of it, and the wheel leaves it out."""
