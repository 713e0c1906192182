// The numbers by which the compiled kernel and the rest of the engine speak about lines. Both read this file: it
// holds nothing but plain constants, all that AssemblyScript and TypeScript have in common.

/** Operations of a line. */
export const NOOP = 0;
export const ADDED = 1;
export const DELETED = 2;
export const MOVED = 3;
export const UPDATED = 4;
export const FIND_REPLACED = 5;
export const COPY_PASTED = 6;
export const OP_MASK = 7;
/** Beside the operation: the line is part of a doc comment; it carries no score. */
export const DOC_COMMENT = 8;
export const UNSCORED = 16;

/** Columns of a file's row of numbers. */
export const CATEGORY_COLUMN = 0;
export const LANGUAGE_COLUMN = 1;
export const ADDED_START_COLUMN = 2;
export const ADDED_COLUMN = 3;
export const REMOVED_START_COLUMN = 4;
export const REMOVED_COLUMN = 5;
export const LINES_ADDED_COLUMN = 6;
export const LINES_MOVED_COLUMN = 7;
export const LINES_UPDATED_COLUMN = 8;
export const LINES_FIND_REPLACED_COLUMN = 9;
export const LINES_COPY_PASTED_COLUMN = 10;
export const NOOP_ADDED_COLUMN = 11;
export const LINES_DELETED_COLUMN = 12;
export const NOOP_REMOVED_COLUMN = 13;
export const CALLS_COLUMN = 14;
export const FILE_COLUMN_COUNT = 15;

/** The lowest bit of a line's hash: set when the line can make a duplicate block. */
export const SIGNIFICANT = 1;

// What the kernel is told of each file, in words of four bytes. The multiplier takes two of them.
export const GIVEN_STATUS = 0;
export const GIVEN_STYLE = 1;
export const GIVEN_CATEGORY = 2;
export const GIVEN_LANGUAGE = 3;
export const GIVEN_REMOVED = 4;
export const GIVEN_ADDED = 5;
/** Four words a hunk. */
export const GIVEN_HUNK_WORDS = 6;
/** What is to be added to the places of its lines; NO_TEXT: their bytes were dropped. */
export const GIVEN_REMOVED_SHIFT = 7;
export const GIVEN_ADDED_SHIFT = 8;
/** Of its path. */
export const GIVEN_PATH_HASH = 9;
export const GIVEN_MULTIPLIER = 10;
export const GIVEN_WORDS = 12;
export const NO_TEXT = -2147483648;
export const WHOLE_ADDED = 1;
export const WHOLE_DELETED = 2;

// A comment style: bytes that can begin a comment, then lists of marks, each a length and its bytes, ended by a 0.
export const STYLE_HEADS = 0;
export const STYLE_STARS = 256;
export const STYLE_DOCSTRINGS = 257;
export const STYLE_CALLS = 258;
export const STYLE_OPEN = 260;
export const STYLE_CLOSE = 276;
export const STYLE_DOC_OPEN = 292;
export const STYLE_DOC_LINE = 324;
export const STYLE_LINE = 356;
export const STYLE_BYTES = 388;
export const MOST_STYLES = 64;

/** Tables of words. */
export const BARE_KEYWORDS = 0;
export const DEFINITION_WORDS = 1;
export const NOT_CALLED = 2;
export const DEFINING_WORDS = 3;
export const WORD_TABLES = 4;

// The constants of Diff Delta that are needed before the age of a line is known.
export const SCORE_POINT = 0;
export const SCORE_ADDED = 1;
export const SCORE_UPDATED = 2;
export const SCORE_DELETED = 3;
export const SCORE_FIND_REPLACED = 4;
export const SCORE_WHOLE_FILE = 5;
export const SCORE_DOC_COMMENT = 6;
export const SCORE_BULK_FROM = 7;
export const SCORE_FULL_LENGTH = 8;
export const SCORE_SHORT_FLOOR = 9;
export const SCORE_NUMBERS = 10;
