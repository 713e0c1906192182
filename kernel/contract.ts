// What the kernels and the engine agree on: the codes of lines, and where each number lies in memory. Nothing but plain
// constants, which AssemblyScript and TypeScript read alike. The kernels import this file; the engine has a copy of it,
// src/engine/kernel-contract.ts, which `npm run generate` writes and `npm run generate:check` compares.

// Operations of a line. The engine holds them against the rows of src/domain/commits/line-model.ts.
export const NOOP = 0;
export const ADDED = 1;
export const DELETED = 2;
export const MOVED = 3;
export const UPDATED = 4;
export const FIND_REPLACED = 5;
export const COPY_PASTED = 6;
/** How many codes there are. The kernels state how many they handle and do not compile when it is another number. */
export const OPERATION_CODES = 7;
export const OP_MASK = 7;
/** In addition to the operation: the line is part of a doc comment; it carries no score. */
export const DOC_COMMENT = 8;
export const UNSCORED = 16;

// Columns of a file's row of numbers.
export const CATEGORY_COLUMN = 0;
export const LANGUAGE_COLUMN = 1;
export const ADDED_START_COLUMN = 2;
export const ADDED_COLUMN = 3;
export const REMOVED_START_COLUMN = 4;
export const REMOVED_COLUMN = 5;
/** The lines of each operation, by its code: of no-ops the added ones. A pair counts once, at its added line. */
export const FIRST_OPERATION_COLUMN = 6;
export const NOOP_REMOVED_COLUMN = FIRST_OPERATION_COLUMN + OPERATION_CODES;
export const CALLS_COLUMN = NOOP_REMOVED_COLUMN + 1;
export const ERROR_MASKS_COLUMN = CALLS_COLUMN + 1;
export const FILE_COLUMN_COUNT = ERROR_MASKS_COLUMN + 1;

/** The lowest bit of a line's hash: set when the line can make a duplicate block. */
export const SIGNIFICANT = 1;

// What the classifying kernel is given of each file, in words of four bytes. The multiplier takes two of them.
export const GIVEN_STATUS = 0;
export const GIVEN_STYLE = 1;
export const GIVEN_CATEGORY = 2;
export const GIVEN_LANGUAGE = 3;
export const GIVEN_REMOVED = 4;
export const GIVEN_ADDED = 5;
/** HUNK_WORDS a hunk. */
export const GIVEN_HUNK_WORDS = 6;
/** What is to be added to the places of its lines; NO_TEXT: their bytes were dropped. */
export const GIVEN_REMOVED_SHIFT = 7;
export const GIVEN_ADDED_SHIFT = 8;
export const GIVEN_PATH_HASH = 9;
export const GIVEN_MULTIPLIER = 10;
/** 1 for a data format: equal lines are its structure, never copies. */
export const GIVEN_IS_DATA = 12;
/** Even, because the multiplier lies on eight bytes. */
export const GIVEN_WORDS = 14;
export const NO_TEXT = -2147483648;
export const WHOLE_ADDED = 1;
export const WHOLE_DELETED = 2;

// A hunk: its first removed line and their number, its first added line and their number.
export const HUNK_REMOVED_FIRST = 0;
export const HUNK_REMOVED_COUNT = 1;
export const HUNK_ADDED_FIRST = 2;
export const HUNK_ADDED_COUNT = 3;
export const HUNK_WORDS = 4;

// Behind the rows of files stand the hunks, then these arrays of line places, then the text. Each array has in front of
// it so many words per removed line and per added line.
export const REMOVED_STARTS_AFTER_REMOVED = 0;
export const REMOVED_STARTS_AFTER_ADDED = 0;
export const REMOVED_ENDS_AFTER_REMOVED = 1;
export const REMOVED_ENDS_AFTER_ADDED = 0;
export const ADDED_STARTS_AFTER_REMOVED = 2;
export const ADDED_STARTS_AFTER_ADDED = 0;
export const ADDED_ENDS_AFTER_REMOVED = 2;
export const ADDED_ENDS_AFTER_ADDED = 1;
export const TEXT_AFTER_REMOVED = 2;
export const TEXT_AFTER_ADDED = 2;

// The answer: the rows of files, then these arrays, the widest elements first. Each array has in front of it so many
// bytes per added line and per removed line.
export const ADDED_HASHES_AFTER_ADDED = 0;
export const ADDED_HASHES_AFTER_REMOVED = 0;
export const REMOVED_HASHES_AFTER_ADDED = 4;
export const REMOVED_HASHES_AFTER_REMOVED = 0;
export const PARTNERS_AFTER_ADDED = 4;
export const PARTNERS_AFTER_REMOVED = 4;
export const ADDED_SCORES_AFTER_ADDED = 4;
export const ADDED_SCORES_AFTER_REMOVED = 8;
export const REMOVED_SCORES_AFTER_ADDED = 8;
export const REMOVED_SCORES_AFTER_REMOVED = 8;
export const AS_NEW_AFTER_ADDED = 8;
export const AS_NEW_AFTER_REMOVED = 12;
export const SOURCES_AFTER_ADDED = 8;
export const SOURCES_AFTER_REMOVED = 16;
export const ADDED_OPS_AFTER_ADDED = 12;
export const ADDED_OPS_AFTER_REMOVED = 16;
export const REMOVED_OPS_AFTER_ADDED = 13;
export const REMOVED_OPS_AFTER_REMOVED = 16;
export const ANSWER_BYTES_PER_ADDED = 13;
export const ANSWER_BYTES_PER_REMOVED = 17;

/** Words of the hash that identifies a patch. */
export const IDENTITY_WORDS = 4;

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
/**
 * Which of the texts that hide an error may begin somewhere, by three bytes: for each of them sixteen sets of texts by its
 * low four bits and sixteen by its high ones, a bit each (texts may share one). Then these texts.
 */
export const STYLE_MASK_FILTER = 388;
export const STYLE_MASKS = 484;
export const STYLE_BYTES = 996;
export const FILTERED_BYTES = 3;
export const MOST_STYLES = 64;

// Tables of words.
export const BARE_KEYWORDS = 0;
export const DEFINITION_WORDS = 1;
export const NOT_CALLED = 2;
export const DEFINING_WORDS = 3;
/** A line that begins with one of them names what a file needs. */
export const IMPORT_WORDS = 4;
export const WORD_TABLES = 5;

// The constants of Diff Delta that are needed before the age of a line is known.
export const SCORE_POINT = 0;
export const SCORE_WHOLE_FILE = 1;
export const SCORE_DOC_COMMENT = 2;
export const SCORE_BULK_FROM = 3;
export const SCORE_FULL_LENGTH = 4;
export const SCORE_SHORT_FLOOR = 5;
/** Effective lines of one operation that a commit has in full. */
export const SCORE_COMMIT_BULK_FROM = 6;
/** Lines on which one replacement counts in full. */
export const SCORE_REPLACED_BULK_FROM = 7;
/** What a reformatting leaves of the scores, and a revert. */
export const SCORE_REFORMATTING = 8;
export const SCORE_REVERT = 9;
/** The base score of each operation, by its code; 0 for those that carry none. */
export const FIRST_SCORE_BASE = 10;
export const SCORE_NUMBERS = FIRST_SCORE_BASE + OPERATION_CODES;

// What a commit's message says of it.
export const PLAIN_COMMIT = 0;
export const SAYS_REFORMATTING = 1;
export const SAYS_REVERT = 2;

// What the duplicates kernel is given of each file that a commit touches, in words of four bytes.
/** What the kernel knows the file by; 0: it does not. */
export const TOUCHED_FILE = 0;
/** Where its hunks lie, and how many words they are. */
export const TOUCHED_HUNKS = 1;
export const TOUCHED_HUNK_WORDS = 2;
/** Its first added line within the commit, and how many there are. */
export const TOUCHED_ADDED_START = 3;
export const TOUCHED_ADDED = 4;
/** 1 when its path belongs into the index. */
export const TOUCHED_IS_INDEXED = 5;

// What it answers of each file, in words.
/** Added or copy/pasted lines in a duplicate block. */
export const DUPLICATE_LINES = 0;
/** Those of them that were copied from older code. */
export const DUPLICATE_COPIED = 1;
export const DUPLICATE_WORDS = 2;

// How a comparison of two files ends: with their hunks, or with the reason why there are none.
export const COMPARED = 0;
/** The same, with lines of which only the beginning is kept. */
export const COMPARED_CUT = 1;
export const BINARY = -1;
/** Too large: the git program makes the commit's diff. */
export const LEFT_TO_GIT = -2;
/** No room for what was found, in addition to what earlier comparisons found. */
export const NO_ROOM = -3;
/** The git program may find other common lines: its hunks are needed. */
export const UNSURE = -4;

// A row for an entry in which two trees differ, in words of four bytes: where the next row begins, modes and ids in both
// trees, all 0 where there is none, and behind them the name.
export const TREE_END = 0;
export const TREE_NAME_LENGTH = 1;
export const TREE_OLD_MODE = 2;
export const TREE_NEW_MODE = 3;
export const TREE_OLD_ID = 4;
export const TREE_NEW_ID = 9;
export const TREE_NAME = 14;
export const TREE_ID_BYTES = 20;

// What is listed of two trees: all files in which they differ; those that the new one lacks; those at marked paths.
export const LIST_ALL = 0;
export const LIST_GONE = 1;
export const LIST_MARKED = 2;
/** The answer when that cannot be told; NO_ROOM stands for too many paths. Others are numbers of files. */
export const LIST_FAILED = -1;
/** Longer lists are git's. */
export const MOST_LISTED_FILES = 50000;

// A row for a file that is listed, in words of four bytes: the number of its path, modes and ids as in a row of trees, and
// where both lie, −1 where that is unknown or nothing is there. A location takes two words.
export const LISTED_PATH = 0;
export const LISTED_OLD_MODE = 1;
export const LISTED_NEW_MODE = 2;
export const LISTED_OLD_ID = 4;
export const LISTED_NEW_ID = 9;
export const LISTED_OLD_AT = 14;
export const LISTED_NEW_AT = 16;
/** Even, because locations lie on eight bytes. */
export const LISTED_WORDS = 18;

// A row for a change whose files are compared, in words: what is to be done, where both files lie, and what was found: the
// answer, from where to where the rest lies, and whether the new file carries a generator's mark.
export const CHANGE_SORT = 0;
export const CHANGE_ANSWER = 1;
export const CHANGE_OLD_AT = 2;
export const CHANGE_NEW_AT = 4;
export const CHANGE_HUNKS_FROM = 6;
export const CHANGE_HUNKS_TO = 7;
export const CHANGE_REMOVED_FROM = 8;
export const CHANGE_REMOVED_TO = 9;
export const CHANGE_ADDED_FROM = 10;
export const CHANGE_ADDED_TO = 11;
export const CHANGE_BYTES_FROM = 12;
export const CHANGE_BYTES_TO = 13;
export const CHANGE_MARK = 14;
/** Even, because locations lie on eight bytes. */
export const CHANGE_WORDS = 16;

// What is to be done with a change: nothing is compared, all of the file is new or gone, or both versions are compared.
export const CHANGE_NOTHING = 0;
export const CHANGE_ADDED = 1;
export const CHANGE_DELETED = 2;
export const CHANGE_COMPARED = 3;

// How much was gathered of a commit, in words: those of its hunks, its lines, and the bytes of their text.
export const GATHERED_HUNK_WORDS = 0;
export const GATHERED_REMOVED = 1;
export const GATHERED_ADDED = 2;
export const GATHERED_TEXT = 3;

/** Nothing is known of a generator's mark: no two versions were compared, or the file is too large. */
export const MARK_UNKNOWN = -1;
/** Such a mark stands within so many lines and bytes of a file. */
export const MARK_LINES = 12;
export const MARK_BYTES = 2000;
/** Files larger than this are not looked into as a whole. */
export const MOST_FILE_BYTES = 2097152;

/** A location is the number of a pack times this, plus the offset in it: exact in a double up to 512 packs of 16 TB. */
export const LOCATIONS_PER_PACK = 17592186044416;
