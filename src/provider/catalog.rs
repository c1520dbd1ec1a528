//! What is known about models: window, output, prices, thinking, effort.
