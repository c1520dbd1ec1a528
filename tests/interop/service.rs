//! Another program that listens on loopback while a test runs.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::support::wait;

/// The program; it is stopped when this is dropped.
#[derive(Debug)]
pub struct Service {
    child: Child,
    /// Where it listens.
    pub port: u16,
}

impl Service {
    /// Starts a program that gets its port from `command` and waits until it listens.
    pub fn start(command: impl FnOnce(u16) -> Command) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let port = free
            .local_addr()
            .expect("a bound socket has an address")
            .port();
        drop(free);
        let mut command = command(port);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = command.spawn().expect("the other program starts");
        let service = Self { child, port };
        wait::until("the other program listens", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        service
    }

    /// Fetches a path with plain HTTP and returns the whole answer.
    pub fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let request = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
        std::io::Write::write_all(&mut stream, request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
