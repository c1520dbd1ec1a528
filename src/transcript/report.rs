//! Transcripts as lines of text, for the command line.
