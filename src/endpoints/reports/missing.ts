// A kind of data that is missing, with what to do about it.
import { z } from 'zod';
import { DATA_KINDS } from '../../domain/segments.ts';

export const missing = z
  .object({
    data_kind: z.enum(DATA_KINDS),
    title: z.string(),
    remedy: z.string().describe('What to do, in a sentence.'),
    curl: z.string().nullable().describe('A line for a terminal; null where no call sends such data.'),
    page: z.string().describe('Page of the dashboard below `/e/<entity>/`.'),
  })
  .meta({ id: 'MissingData' });
