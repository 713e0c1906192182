// The text of a file that somebody names, or of standard input.
import { readFileSync } from 'node:fs';
import { StrataError } from '../domain/errors.ts';
import { decodeUtf8, describeNotUtf8 } from '../kit/text/utf8.ts';

const STANDARD_INPUT = 0;

/** `refusal` says that a file which is named cannot be read. */
export function readTextFile(file: string | undefined, refusal: string): string {
  const bytes = readBytes(file, refusal);
  const text = decodeUtf8(bytes);
  if (text !== null) return text;
  const name = file === undefined ? 'standard input' : JSON.stringify(file);
  throw new StrataError('invalid_parameter', `${name} ${describeNotUtf8(bytes)}; save it as UTF-8`);
}

function readBytes(file: string | undefined, refusal: string): Buffer {
  try {
    return readFileSync(file ?? STANDARD_INPUT);
  } catch (cause) {
    throw file === undefined ? cause : new StrataError('invalid_parameter', refusal, { cause });
  }
}
