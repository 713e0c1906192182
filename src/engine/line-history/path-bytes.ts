// Paths cross the engine as text: UTF-8, or git's quoted form for bytes that are not UTF-8. Trees hold
// bytes. Inside this folder a path is its bytes as latin1 text, so that each unit is one byte.

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};
const LETTERS = Object.fromEntries(Object.entries(ESCAPES).map(([letter, char]) => [char, letter]));

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `"caf\303\251\377"` is unquoted only when its bytes are not UTF-8: any other text names itself. */
export function pathToBytes(path: string): string {
  if (path.length >= 2 && path.startsWith('"') && path.endsWith('"')) {
    const raw = path
      .slice(1, -1)
      .replace(/\\([0-3][0-7]{2}|[abtnvfr"\\])/g, (_, code: string) =>
        code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : ESCAPES[code]!,
      );
    if (/^[\x00-\xff]*$/.test(raw) && !isUtf8(raw)) return raw;
  }
  return Buffer.from(path, 'utf8').toString('latin1');
}

export function bytesToPath(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1');
  try {
    return strictUtf8.decode(buffer);
  } catch {
    const quoted = bytes.replace(/[\x00-\x1f"\\\x7f-\xff]/g, (char) => {
      const letter = LETTERS[char];
      return letter === undefined ? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}` : `\\${letter}`;
    });
    return `"${quoted}"`;
  }
}

function isUtf8(bytes: string): boolean {
  try {
    strictUtf8.decode(Buffer.from(bytes, 'latin1'));
    return true;
  } catch {
    return false;
  }
}
