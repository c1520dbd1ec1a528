//! `-p`: the prompt from the command line and from stdin, one answer on stdout.

use std::io::{self, IsTerminal, Read};

use crate::app::effect::Effect;
use crate::chat::moment::Millis;
use crate::cli::invocation::{Invocation, Print};
use crate::io::clock::Clock;
use crate::io::outside::Haste;
use crate::io::terminal::signals::Signals;
use crate::print::answer::{Ask, answer};
use crate::run::launch::say_on_stderr;
use crate::run::session::{Resume, Session, StartError, prepare};
use crate::run::without_screen::WithoutScreen;
use crate::world::World;

/// The most that is read from stdin, in bytes.
const MOST_INPUT: u64 = 10 * 1024 * 1024;
/// Servers are waited for a little longer than their own start limit.
const PATIENCE: Millis = Millis::from_secs(35);

pub(super) async fn ask(
    invocation: &Invocation,
    print: &Print,
    clock: Clock,
) -> Result<u8, StartError> {
    let stdin = io::stdin();
    let piped = (!stdin.is_terminal()).then(|| stdin.lock());
    let prompt = match whole_prompt(print.prompt.as_deref(), piped)? {
        Ok(prompt) => prompt,
        Err(why) => {
            say_on_stderr(&format!("keytide: {why}"));
            return Ok(2);
        }
    };
    let Session {
        mut app,
        outside,
        demo,
        servers,
        resume,
        ..
    } = prepare(invocation, clock).await?;
    let mut world = WithoutScreen::new(outside, Signals::listen()?, demo);
    world.perform(Effect::StartServers);
    if let Resume::Transcript { id, fork } = resume {
        let at = world.now();
        app.resume_from(id, fork, at)
            .into_iter()
            .for_each(|effect| world.perform(effect));
    }
    let ask = Ask {
        prompt,
        format: print.format,
        servers,
        patience: PATIENCE,
    };
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let code = answer(&mut app, &mut world, &ask, &mut out, &mut err).await;
    world
        .shut_down(Haste::of(*code.as_ref().unwrap_or(&129)))
        .await;
    Ok(code?)
}

/// Joins the prompt and what is piped in, or says why there is nothing to ask.
fn whole_prompt(
    prompt: Option<&str>,
    input: Option<impl Read>,
) -> io::Result<Result<String, &'static str>> {
    let mut parts: Vec<String> = prompt.map(str::to_owned).into_iter().collect();
    if let Some(input) = input {
        let mut bytes = Vec::new();
        input.take(MOST_INPUT + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST_INPUT {
            return Ok(Err(
                "stdin holds more than 10 MB; send less, or point a tool at the file.",
            ));
        }
        parts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let whole = parts.join("\n\n");
    let whole = whole.trim();
    if whole.is_empty() {
        return Ok(Err("there is no prompt; write it after -p, or pipe it in."));
    }
    Ok(Ok(whole.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(prompt: Option<&str>, input: Option<&[u8]>) -> Result<String, &'static str> {
        whole_prompt(prompt, input).unwrap()
    }

    #[test]
    fn what_is_piped_in_follows_the_prompt() {
        assert_eq!(joined(Some("sum up"), None), Ok("sum up".into()));
        assert_eq!(
            joined(Some("sum up"), Some(b"one\ntwo\n")),
            Ok("sum up\n\none\ntwo".into())
        );
        assert_eq!(joined(None, Some(b"only this\n")), Ok("only this".into()));
        assert_eq!(joined(Some("sum up"), Some(b"")), Ok("sum up".into()));
    }

    #[test]
    fn without_any_words_it_is_said_where_to_write_them() {
        for (prompt, input) in [(None, None), (Some(" "), None), (None, Some(&b"\n"[..]))] {
            assert!(joined(prompt, input).unwrap_err().contains("-p"));
        }
    }

    #[test]
    fn ten_megabytes_fit_and_one_byte_more_is_refused_with_a_reason() {
        let most = vec![b'a'; usize::try_from(MOST_INPUT).unwrap()];
        assert_eq!(
            joined(None, Some(&most)).map(|text| text.len()),
            Ok(most.len())
        );
        let more = [&most[..], b"a"].concat();
        assert!(joined(None, Some(&more)).unwrap_err().contains("10 MB"));
    }
}
