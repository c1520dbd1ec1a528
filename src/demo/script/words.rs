//! The scripted model's sentences, in both languages.

/// One language's sentences. `{}` stands for what is filled in.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) help: &'static str,
    pub(super) markdown: &'static str,
    pub(super) only_add: &'static str,
    asking: [&'static str; 2],
    thought: [&'static str; 2],
    missing: &'static str,
    sum: &'static str,
    weather: &'static str,
    stored: &'static str,
    done: [&'static str; 2],
    denied: [&'static str; 2],
    because: [&'static str; 2],
    cancelled: [&'static str; 2],
    failed: [&'static str; 2],
}

pub(super) static ENGLISH: Words = Words {
    help: include_str!("../../../assets/demo/help.en.md"),
    markdown: include_str!("../../../assets/demo/markdown.en.md"),
    only_add: "I have no tool for that: of all arithmetic, `add` is the only one that I was given. \
               Ask me to add two numbers.",
    asking: [
        "I need a tool for that. The call waits at the gate: `y` runs it, `n` denies it.",
        "I need tools for that, and ask for them all at once. Each call waits at the gate for its \
         own key: `y` runs it, `n` denies it.",
    ],
    thought: [
        "The person asks for something that one of my tools can find out. I will ask for it and \
         wait for the decision.",
        "The person asks for several things that do not depend on each other. I can ask for all of \
         the tools at once, and answer when every result is there.",
    ],
    missing: "I would need {} for that, but I was not given it. Is the demo server running?",
    sum: "The sum is **{}**.",
    weather: "{}",
    stored: "{} You saw a mark in place of the password; the server got the true value.",
    done: ["`", "` says: {}"],
    denied: [
        "You denied `",
        "`, so it did not run and nothing was changed.",
    ],
    because: [
        "You denied `",
        "`, so it did not run. Your reason: \"{}\". I take that into account.",
    ],
    cancelled: [
        "`",
        "` was stopped before it was done; whether it had any effect is unknown.",
    ],
    failed: ["`", "` failed: \"{}\" I will not try again on my own."],
};

pub(super) static CHINESE: Words = Words {
    help: include_str!("../../../assets/demo/help.zh.md"),
    markdown: include_str!("../../../assets/demo/markdown.zh.md"),
    only_add: "我没有这样的工具:算术方面我只有 `add`(加法)。可以让我把两个数相加。",
    asking: [
        "这需要一个工具。调用停在闸门前:`y` 运行,`n` 拒绝。",
        "这需要几个工具,我一次全部请求。每个调用都在闸门前等待各自的按键:`y` 运行,`n` 拒绝。",
    ],
    thought: [
        "用户的问题可以用我的一个工具回答。我先请求调用,再等待用户决定。",
        "用户问了几件互不相关的事。我可以一次请求所有工具,等结果都到了再回答。",
    ],
    missing: "这需要 {},但没有人给我这个工具。演示服务器启动了吗?",
    sum: "相加的结果是 **{}**。",
    weather: "{}",
    stored: "{} 你看到的是密码的标记,服务器收到的是真实的值。",
    done: ["`", "` 返回:{}"],
    denied: ["你拒绝了 `", "`,所以它没有运行,什么都没有改变。"],
    because: [
        "你拒绝了 `",
        "`,所以它没有运行。你的理由是:“{}”。我会照此处理。",
    ],
    cancelled: ["`", "` 还没完成就被停止了;它有没有产生影响,我不知道。"],
    failed: ["`", "` 失败了:“{}” 我不会自行重试。"],
};

impl Words {
    pub(super) fn asking(&self, calls: usize) -> &'static str {
        number(self.asking, calls)
    }

    pub(super) fn thought(&self, calls: usize) -> &'static str {
        number(self.thought, calls)
    }

    pub(super) fn no_tool(&self, missing: &[&str]) -> String {
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        self.missing.replacen("{}", &names.join(", "), 1)
    }

    pub(super) fn sum(&self, result: &str) -> String {
        self.sum.replacen("{}", result, 1)
    }

    pub(super) fn weather(&self, result: &str) -> String {
        self.weather.replacen("{}", result, 1)
    }

    pub(super) fn stored(&self, result: &str) -> String {
        self.stored.replacen("{}", result, 1)
    }

    pub(super) fn done(&self, tool: &str, result: &str) -> String {
        about(self.done, tool, result)
    }

    pub(super) fn denied(&self, tool: &str) -> String {
        about(self.denied, tool, "")
    }

    pub(super) fn denied_because(&self, tool: &str, reason: &str) -> String {
        about(self.because, tool, reason)
    }

    pub(super) fn cancelled(&self, tool: &str) -> String {
        about(self.cancelled, tool, "")
    }

    pub(super) fn failed(&self, tool: &str, result: &str) -> String {
        about(self.failed, tool, result)
    }
}

fn number([one, many]: [&'static str; 2], count: usize) -> &'static str {
    if count == 1 { one } else { many }
}

fn about([before, after]: [&str; 2], tool: &str, result: &str) -> String {
    format!("{before}{tool}{}", after.replacen("{}", result, 1))
}
