//! Settings that are one of a few words.

/// An enum whose members have names in files and on the command line; the first is the usual one.
macro_rules! choice {
    ($(#[$doc:meta])+ $name:ident { $($(#[$member_doc:meta])+ $member:ident = $word:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$member_doc])+ $member,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$member,)+];

            /// Their names, in the same order.
            pub const NAMES: &[&str] = &[$($word,)+];

            /// The name in files and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)+
                }
            }

            /// The one of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

pub(super) use choice;
