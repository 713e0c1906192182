// The entity that an administrative call is about.
import { p } from '../params/index.ts';

export const GROUP = 'Administration';

export const entity = () =>
  p.resourcePath('entity').optional().describe('The entity; the caller’s own when absent.').ourName();
