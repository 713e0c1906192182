// A request that creates something has this where a number makes it new; the load generator puts in one of as
// many digits that no request had before.
export const RUNNING_NUMBER = '#########';

export const formatRunningNumber = (number: number): string => String(number).padStart(RUNNING_NUMBER.length, '0');
