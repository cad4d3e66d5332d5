//! Every word and sign of the language stands once, in one table that the lexer, the parser's messages and token dumps share.

use super::tree::NumberKind;

/// One token: what it is and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// The token's text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

macro_rules! kinds {
    (keywords { $($keyword:ident $word:literal)* } signs { $($sign:ident $text:literal)* }) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind {
            Name,
            Number(NumberKind),
            /// With its prefix: `rb"…"`.
            Str,
            /// The end of a logical line. Its range is the indentation of the next one.
            Newline,
            Indent,
            Dedent,
            End,
            $($keyword,)*
            $($sign,)*
        }

        /// Python's keywords.
        pub(super) const KEYWORDS: &[(&str, Kind)] = &[$(($word, Kind::$keyword),)*];

        /// Signs, longer ones first.
        pub(super) const SIGNS: &[(&str, Kind)] = &[$(($text, Kind::$sign),)*];

        impl Kind {
            /// For messages: `` `+=` ``, `a name`.
            pub fn describe(self) -> &'static str {
                match self {
                    Kind::Name => "a name",
                    Kind::Number(_) => "a number",
                    Kind::Str => "a string",
                    Kind::Newline => "the end of the line",
                    Kind::Indent => "an indented block",
                    Kind::Dedent => "the end of the block",
                    Kind::End => "the end of the text",
                    $(Kind::$keyword => concat!("`", $word, "`"),)*
                    $(Kind::$sign => concat!("`", $text, "`"),)*
                }
            }
        }
    };
}

kinds! {
    keywords {
        And "and" As "as" Assert "assert" Async "async" Await "await" Break "break" Class "class" Continue "continue" Def "def" Del "del"
        Elif "elif" Else "else" Except "except" False "False" Finally "finally" For "for" From "from" Global "global" If "if"
        Import "import" In "in" Is "is" Lambda "lambda" None "None" Nonlocal "nonlocal" Not "not" Or "or" Pass "pass" Raise "raise"
        Return "return" True "True" Try "try" While "while" With "with" Yield "yield"
    }
    signs {
        Dots "..." PowAssign "**=" FloorDivAssign "//=" LShiftAssign "<<=" RShiftAssign ">>="
        Pow "**" FloorDiv "//" LShift "<<" RShift ">>" Arrow "->" Walrus ":=" Eq "==" Ne "!=" Le "<=" Ge ">="
        AddAssign "+=" SubAssign "-=" MulAssign "*=" DivAssign "/=" ModAssign "%=" MatMulAssign "@=" AndAssign "&=" OrAssign "|=" XorAssign "^="
        LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
        Dot "." Comma "," Colon ":" Semicolon ";" Assign "=" At "@"
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%" Ampersand "&" Bar "|" Caret "^" Tilde "~" Lt "<" Gt ">"
    }
}

impl Kind {
    /// Is it a word of the language? After a `.` such a word is a name.
    pub fn is_keyword(self) -> bool {
        KEYWORDS.iter().any(|(_, kind)| *kind == self)
    }
}
