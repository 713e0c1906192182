// Entity tags: by them a client that has a version of an answer learns that it is still the same. They are weak ones: packed
// or not, an answer has the same.
import { createHash } from 'node:crypto';

export const tagOf = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Whether the client has this version already. */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.split(',').some((each) => each.trim() === '*' || opaque(each) === opaque(tag)) === true;

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
