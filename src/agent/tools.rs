//! The registry of tools: public names, and the list that a model is told.

pub mod alternatives;
pub mod api_schema;
pub mod naming;
pub mod subschemas;

use std::collections::HashSet;
use std::sync::Arc;

use crate::agent::tools::api_schema::api_schema;
use crate::agent::tools::naming::public_name;
use crate::chat::id::{ServerName, ToolName};
use crate::chat::listing::ListedTool;
use crate::chat::raw_json::RawJson;
use crate::chat::tool::ToolSpec;

/// Every tool that a model may be told of, by its public name.
///
/// Invariant: what was declared in a request ([`Toolbox::freeze`]) keeps its place and its
/// definition for the rest of the session; new tools come after it. A public name is made from the
/// server's and the tool's name and looked up here; it is never taken apart.
#[derive(Debug, Default)]
pub struct Toolbox {
    entries: Vec<Entry>,
    /// So many entries at the front were declared in a request.
    fixed: usize,
    specs: Arc<[ToolSpec]>,
}

/// A tool that can be called, or could be earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredTool {
    /// The server that has it.
    pub server: ServerName,
    /// The tool as its server lists it now; `listed.name` is what goes back to the server.
    pub listed: ListedTool,
    /// The server is there and lists it.
    pub available: bool,
}

#[derive(Debug)]
struct Entry {
    spec: ToolSpec,
    /// `None` while only an earlier session is known to have declared it.
    tool: Option<RegisteredTool>,
}

impl Toolbox {
    /// Takes in a server's list, which replaces its earlier one. Returns what the person should be
    /// told: tools that can't be offered, and definitions that changed after a model saw them.
    pub fn update(&mut self, server: &ServerName, tools: Vec<ListedTool>) -> Vec<String> {
        let mut problems = Vec::new();
        self.withdraw(server);
        let mut seen = HashSet::new();
        for tool in tools {
            if seen.insert(tool.name.clone()) {
                self.offer(server, tool, &mut problems);
            } else {
                problems.push(format!(
                    "The server `{server}` lists the tool `{}` twice; the first one counts.",
                    tool.name,
                ));
            }
        }
        self.settle();
        problems
    }

    /// Notes that a server is gone: its tools can't be called until it lists them again.
    pub fn lost(&mut self, server: &ServerName) {
        self.withdraw(server);
        self.settle();
    }

    /// Declares the tools of an earlier session, in the order in which they were sent then. They
    /// can't be called until a server lists them.
    pub fn seed(&mut self, specs: &[ToolSpec]) {
        for spec in specs {
            if self
                .entries
                .iter()
                .all(|entry| entry.spec.name != spec.name)
            {
                let spec = spec.clone();
                self.entries.push(Entry { spec, tool: None });
            }
        }
        self.fixed = self.entries.len();
        self.settle();
    }

    /// Returns the tools to declare, in an order that only grows at the end once it was sent.
    pub fn specs(&self) -> Arc<[ToolSpec]> {
        Arc::clone(&self.specs)
    }

    /// Notes that [`Toolbox::specs`] is being sent: from now on these stay as they are.
    pub fn freeze(&mut self) {
        self.fixed = self.entries.len();
    }

    /// Returns the tool behind a public name. `None` for a name that no server has listed.
    pub fn resolve(&self, name: &ToolName) -> Option<&RegisteredTool> {
        let entry = self.entries.iter().find(|entry| entry.spec.name == *name);
        entry.and_then(|entry| entry.tool.as_ref())
    }

    /// Tells whether a model was or will be told of this name.
    pub fn is_declared(&self, name: &ToolName) -> bool {
        self.entries.iter().any(|entry| entry.spec.name == *name)
    }

    /// Returns how many tools of a server can be called.
    pub fn available(&self, server: &ServerName) -> usize {
        let tools = self.entries.iter().filter_map(|entry| entry.tool.as_ref());
        tools
            .filter(|tool| tool.available && tool.server == *server)
            .count()
    }

    fn withdraw(&mut self, server: &ServerName) {
        for entry in &mut self.entries {
            if let Some(tool) = entry.tool.as_mut().filter(|tool| tool.server == *server) {
                tool.available = false;
            }
        }
    }

    fn offer(&mut self, server: &ServerName, listed: ListedTool, problems: &mut Vec<String>) {
        let schema = api_schema(listed.input_schema.as_ref());
        if let Err(reason) = &schema {
            problems.push(format!(
                "The tool `{}` of the server `{server}` is left out: its input schema {reason}.",
                listed.name,
            ));
        }
        let place = self.place_of(server, &listed.name);
        let tool = RegisteredTool {
            server: server.clone(),
            listed,
            available: true,
        };
        match (place, schema) {
            (Ok(index), schema) => self.renew(index, tool, schema.ok(), problems),
            (Err(name), Ok(schema)) => {
                let spec = spec_of(name, &tool.listed, schema);
                let tool = Some(tool);
                self.entries.push(Entry { spec, tool });
            }
            (Err(_), Err(_)) => {}
        }
    }

    /// Takes in a tool that is declared already. A definition that a model has seen stays.
    fn renew(
        &mut self,
        index: usize,
        tool: RegisteredTool,
        schema: Option<RawJson>,
        problems: &mut Vec<String>,
    ) {
        let fixed = index < self.fixed;
        let Some(entry) = self.entries.get_mut(index) else {
            return;
        };
        let Some(schema) = schema else {
            return;
        };
        let spec = spec_of(entry.spec.name.clone(), &tool.listed, schema);
        if fixed && spec != entry.spec {
            problems.push(format!(
                "The server `{}` has changed its tool `{}`; the model still knows the earlier definition.",
                tool.server, tool.listed.name,
            ));
        } else {
            entry.spec = spec;
        }
        entry.tool = Some(tool);
    }

    /// Finds the entry of a tool, or the public name for a new one.
    fn place_of(&self, server: &ServerName, tool: &str) -> Result<usize, ToolName> {
        let of_this = |known: &RegisteredTool| known.server == *server && known.listed.name == tool;
        let known = |entry: &Entry| entry.tool.as_ref().is_some_and(of_this);
        if let Some(index) = self.entries.iter().position(known) {
            return Ok(index);
        }
        let mut salt = 0;
        loop {
            let name = public_name(server, tool, salt);
            match self
                .entries
                .iter()
                .position(|entry| entry.spec.name == name)
            {
                None => return Err(name),
                Some(index) if self.is_vacant(index) => return Ok(index),
                Some(_) => salt += 1,
            }
        }
    }

    /// Tells whether only an earlier session has declared an entry.
    fn is_vacant(&self, index: usize) -> bool {
        self.entries
            .get(index)
            .is_some_and(|entry| entry.tool.is_none())
    }

    /// Puts what was not yet declared in order, drops what went away unseen, and renews the list.
    fn settle(&mut self) {
        let mut fresh = self.entries.split_off(self.fixed);
        fresh.retain(|entry| entry.tool.as_ref().is_some_and(|tool| tool.available));
        fresh.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        self.entries.append(&mut fresh);
        self.specs = self
            .entries
            .iter()
            .map(|entry| entry.spec.clone())
            .collect();
    }
}

fn sort_key(entry: &Entry) -> Option<(&ServerName, &str)> {
    let tool = entry.tool.as_ref()?;
    Some((&tool.server, tool.listed.name.as_str()))
}

fn spec_of(name: ToolName, listed: &ListedTool, input_schema: RawJson) -> ToolSpec {
    ToolSpec {
        name,
        description: listed.description.clone(),
        input_schema,
    }
}

#[cfg(test)]
mod tests;
