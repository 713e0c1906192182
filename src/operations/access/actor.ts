// Who does something: a caller with a token, or the operator at the machine's command line, who can
// read the database anyway and therefore may do everything.
import type { Caller } from '../../domain/access/caller.ts';

export const OPERATOR = 'operator';
export type Actor = Caller | typeof OPERATOR;
