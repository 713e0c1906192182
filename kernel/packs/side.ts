// One version in a comparison.

@unmanaged
export class Side {
  /** Address of the first byte. */
  at: usize;
  length: i32;
  /** Lines of the file, and how many of them are looked at: a common tail is left out. */
  lines: i32;
  count: i32;
  starts: usize;
  changed: usize;
}

export function lineStart(side: Side, line: i32): i32 {
  return load<i32>(side.starts + ((<usize>line) << 2));
}

export function lineAt(side: Side, line: i32): usize {
  return side.at + <usize>lineStart(side, line);
}

export function lineLength(side: Side, line: i32): i32 {
  return lineStart(side, line + 1) - lineStart(side, line);
}

export function isChanged(side: Side, line: i32): bool {
  return load<u8>(side.changed + line) !== 0;
}

export function setChanged(side: Side, line: i32, value: u8): void {
  store<u8>(side.changed + line, value);
}

/** How many lines begin at or before `offset`, the end of a text that ends with a line feed included. */
export function linesBegunAt(side: Side, offset: i32): i32 {
  const endsWithFeed = side.length === 0 || load<u8>(side.at + <usize>side.length - 1) === 10;
  let low: i32 = 0;
  let high: i32 = endsWithFeed ? side.lines + 1 : side.lines;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineStart(side, middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
