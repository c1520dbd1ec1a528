//! Stories about the whole state: facts down the page, requests to the world as the answer.

mod browsing;
mod bursts;
mod gates;
mod halts;
mod leaving;
mod observer;
mod reasons;
mod records;
mod stage;
mod storms;
mod talking;
mod timing;
