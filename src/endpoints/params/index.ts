// `p.*`: the shared input types of the specification, one function each.
import { json } from './json.ts';
import { manyOf, objects, repoPaths, resourcePath, resourcePaths, strings } from './lists.ts';
import { boolean, decimal, integer, page, recordId } from './numbers.ts';
import { email, oneOf, sha, shaPrefix, string, url, userEmail } from './text.ts';
import { date, dateTime } from './time.ts';

export const p = {
  boolean,
  date,
  dateTime,
  decimal,
  email,
  integer,
  json,
  manyOf,
  objects,
  oneOf,
  page,
  recordId,
  repoPaths,
  resourcePath,
  resourcePaths,
  sha,
  shaPrefix,
  string,
  strings,
  url,
  userEmail,
} as const;
