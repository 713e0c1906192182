// A word that nobody can know before: for marks in what others write, not for secrets.

export const randomWord = (): string => Math.random().toString(36).slice(2).padEnd(8, 'x');
