"""What is shown and pressed: messages, buttons, and the custom ids behind them."""
