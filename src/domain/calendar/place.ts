/** Zone and language of a luxon date. Without a language luxon asks Node for the user's, and Node loads the dates of it. */
export const placeOf = (zone: string): { zone: string; locale: string } => ({ zone, locale: 'en-US' });
