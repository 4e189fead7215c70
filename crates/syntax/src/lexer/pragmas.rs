//! `#pragma pack`: the one pragma that changes what a program means, by the layout of its structs.
//! All others are ignored.

/// What `#pragma pack` has asked for so far.
#[derive(Default)]
pub(super) struct Packing {
    /// The largest alignment of members in bytes, 0 if there is no limit.
    current: u32,
    pushed: Vec<u32>,
}

impl Packing {
    pub fn current(&self) -> Option<u32> {
        (self.current > 0).then_some(self.current)
    }

    /// Takes the text of a pragma, and does what it says if it is `pack(…)`.
    pub fn pragma(&mut self, text: &[u8]) {
        let Some(rest) = text.trim_ascii().strip_prefix(b"pack") else { return };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"(") else { return };
        let inside = rest.split(|&byte| byte == b')').next().unwrap_or_default();
        let mut limit = None;
        let mut action = Action::Set;
        for word in inside.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            match word {
                b"push" => action = Action::Push,
                b"pop" => action = Action::Pop,
                b"show" => return,
                _ => limit = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()).or(limit),
            }
        }
        self.act(action, limit);
    }

    fn act(&mut self, action: Action, limit: Option<u32>) {
        match action {
            Action::Set => self.current = limit.unwrap_or(0),
            Action::Push => {
                self.pushed.push(self.current);
                self.current = limit.unwrap_or(self.current);
            }
            Action::Pop => {
                let previous = self.pushed.pop().unwrap_or(0);
                self.current = limit.unwrap_or(previous);
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Action {
    Set,
    Push,
    Pop,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_is_set_pushed_and_popped() {
        let mut packing = Packing::default();
        for (text, expected) in [
            ("pack(2)", Some(2)),
            (" pack ( push , 1 ) ", Some(1)),
            ("pack(push)", Some(1)),
            ("pack(push, name, 4)", Some(4)),
            ("once", Some(4)),
            ("pack(show)", Some(4)),
            ("pack(pop)", Some(1)),
            ("pack(pop, name)", Some(1)),
            ("pack(pop)", Some(2)),
            ("pack()", None),
            ("pack(pop)", None),
            ("packed(1)", None),
        ] {
            packing.pragma(text.as_bytes());
            assert_eq!(packing.current(), expected, "{text}");
        }
    }
}
