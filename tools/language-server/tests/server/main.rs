//! The server as an editor sees it: messages in, messages out.

mod ask;
mod editor;
mod exchange;
mod extension;
mod graph_text;
mod hostile;
mod script;
