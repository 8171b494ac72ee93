//! Macros that define the Japanese and the English text side by side.
//!
//! rustfmt does not change their contents: a text on its own line is Japanese above, English below.

/// Formats a sentence in the language `lang`: `say!(lang: "{name}は{count}手", "{name} has {count}" [count: "move"])`.
///
/// The texts use variables by name. Other values follow as `name = value`. In brackets are the English nouns of counts,
/// which become a part of them: `1 move`, `2 moves`. An irregular plural follows: `[count: "is" | "are"]`.
#[macro_export]
macro_rules! say {
    ($lang:ident: $ja:literal, $en:literal $([$($count:ident: $($form:literal)|+),+])? $(, $name:ident = $value:expr)*) => {
        match $lang {
            $crate::Lang::Ja => format!($ja $(, $name = $value)*),
            $crate::Lang::En => format!(
                $en $(, $name = $value)* $($(, $count = $crate::count::counted(&$count, &[$($form),+]))+)?
            ),
        }
    };
}

/// Defines functions that return one sentence each. The last parameter is the language.
#[macro_export]
macro_rules! sentences {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $function:ident($($param:tt: $kind:ty),+; $lang:ident) =>
            $ja:literal, $en:literal $([$($noun:tt)+])? $(, $name:ident = $value:expr)*;
    )+) => {
        $($(#[$doc])*
        $vis fn $function($($param: $kind,)+ $lang: $crate::Lang) -> String {
            $crate::say!($lang: $ja, $en $([$($noun)+])? $(, $name = $value)*)
        })+
    };
}

/// Defines an enum of fixed texts. The English text is the documentation of a member.
#[macro_export]
macro_rules! phrases {
    ($(#[$doc:meta])+ $vis:vis enum $phrases:ident {
        $($member:ident => $ja:literal, $en:literal;)+
    }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $phrases {
            $(#[doc = concat!("“", $en, "”.")] $member,)+
        }

        impl $phrases {
            /// Returns the text in a language.
            pub const fn text(self, lang: $crate::Lang) -> &'static str {
                match self {
                    $(Self::$member => lang.pick($ja, $en),)+
                }
            }
        }
    };
}

/// Defines an enum of sentences. The texts of a member use its fields by name. A member without texts has a block that
/// returns the sentence. The English text becomes a part of the member's documentation.
#[macro_export]
macro_rules! messages {
    ($(#[$doc:meta])+ $vis:vis enum $messages:ident in $lang:ident $(, $param:ident: $param_kind:ty)? {
        $(
            $(#[$member_doc:meta])*
            $member:ident $(($($field:ident: $kind:ty),+))? =>
                $($sentence:block)? $($ja:literal, $en:literal $([$($noun:tt)+])? $(, $name:ident = $value:expr)*)?;
        )+
    }) => {
        $(#[$doc])+
        $vis enum $messages {
            $($(#[$member_doc])* $(#[doc = concat!("\n“", $en, "”.")])? $member $(($($kind),+))?,)+
        }

        impl $messages {
            /// Returns the sentence in a language.
            pub fn sentence(&self, $lang: $crate::Lang $(, $param: $param_kind)?) -> String {
                match self {
                    $(Self::$member $(($($field),+))? => {
                        $($sentence)? $($crate::say!($lang: $ja, $en $([$($noun)+])? $(, $name = $value)*))?
                    })+
                }
            }
        }
    };
}
