// Why a figure stands without a change: the days before are not all imported, and would look like a rise from nothing.
import { formatDay } from '../../text/dates.ts';

/** Where there is little room. */
export const NOT_COMPARED = 'not compared';

export const notCompared = (importedFrom: string): string =>
  `${NOT_COMPARED}: commits before ${formatDay(importedFrom)} are not all imported`;
