// Names, paths and messages come from anybody who can push. What a terminal would obey is shown instead: a cursor that
// moves up, a title that changes, text that hides.

/** The colours of our own output; nothing else that begins with an escape gets through. */
const OWN_COLOURS = /^\u001b\[(?:0|1|2|36|1;36)m/;
/** But for the end of a line as CSV has it. */
const OBEYED = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const harmless = (text: string): string =>
  text.replace(OBEYED, (character, at: number) => {
    if (OWN_COLOURS.test(text.slice(at, at + 7))) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
