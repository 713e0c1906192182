// An array of the database as text. Numbers and days need no quotes, so it is written here where there are thousands: the
// driver would look at each character.

export const arrayText = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join()}}`;
