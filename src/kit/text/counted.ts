/** A number with its noun: "1 row", "2 rows", "1 person", "2 people". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
