/** NUL cannot be stored by PostgreSQL, and a lone surrogate is not text in any encoding. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
