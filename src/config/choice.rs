//! The macro that defines the settings whose value is one of a few words.

/// Defines an enum whose members have names in files and on the command line. The first member is the default.
macro_rules! choice {
    ($(#[$doc:meta])+ $name:ident { $($(#[$member_doc:meta])+ $member:ident = $word:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$member_doc])+ $member,)+
        }

        impl $name {
            /// All values, in the order of the definition.
            pub const ALL: &[Self] = &[$(Self::$member,)+];

            /// The names, in the order of [`ALL`](Self::ALL).
            pub const NAMES: &[&str] = &[$($word,)+];

            /// Returns the name in files and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)+
                }
            }

            /// Returns the member of this name; `None` if there is none.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.name() == name)
            }
        }
    };
}

pub(super) use choice;
