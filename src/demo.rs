//! The demo: a scripted model on loopback HTTP and an MCP server of our own.
