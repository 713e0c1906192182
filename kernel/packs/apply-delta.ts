// Makes a version of a file from another one by git's delta: the sizes of both, then pieces that are copied from
// the base or given.

let at: usize = 0;

const SHORT_PIECE: usize = 256;

/** How many bytes of the last version made are known to be those of its base, at its beginning and at its end. */
export let sameHead: i32 = 0;
export let sameTail: i32 = 0;

function readSize(): i32 {
  let size: i32 = 0;
  let bits: i32 = 0;
  let byte: u8;
  do {
    byte = load<u8>(at++);
    size |= (<i32>byte & 0x7f) << bits;
    bits += 7;
  } while (byte & 0x80 && bits < 31);
  return size;
}

/** The size of what the delta makes; -1 when it is for a base of another size. */
export function deltaResult(delta: usize, baseLength: i32): i32 {
  at = delta;
  return readSize() === baseLength ? readSize() : -1;
}

/** False when the delta makes no sense. `to` has room for exactly `size` bytes. */
export function applyDelta(delta: usize, deltaLength: i32, base: usize, baseLength: i32, to: usize, size: i32): bool {
  at = delta;
  readSize();
  readSize();
  const deltaEnd = delta + <usize>deltaLength;
  const end = to + <usize>size;
  sameHead = 0;
  sameTail = 0;
  let isFirst = true;
  while (at < deltaEnd) {
    const byte = load<u8>(at++);
    if (byte & 0x80) {
      let start: u32 = 0;
      let count: u32 = 0;
      if (byte & 0x01) start = load<u8>(at++);
      if (byte & 0x02) start |= (<u32>load<u8>(at++)) << 8;
      if (byte & 0x04) start |= (<u32>load<u8>(at++)) << 16;
      if (byte & 0x08) start |= (<u32>load<u8>(at++)) << 24;
      if (byte & 0x10) count = load<u8>(at++);
      if (byte & 0x20) count |= (<u32>load<u8>(at++)) << 8;
      if (byte & 0x40) count |= (<u32>load<u8>(at++)) << 16;
      if (count === 0) count = 0x10000;
      if (<u64>start + count > <u64>baseLength || to + count > end) return false;
      copyPiece(to, base + start, count, end);
      to += count;
      if (isFirst && start === 0) sameHead = count;
      sameTail = <i32>(start + count) === baseLength ? count : 0;
      isFirst = false;
    } else {
      if (byte === 0 || to + byte > end || at + byte > deltaEnd) return false;
      copyPiece(to, at, byte, end);
      at += byte;
      to += byte;
      sameTail = 0;
      isFirst = false;
    }
  }
  return to === end && at === deltaEnd;
}

/** Sixteen bytes at a time where they do not reach past the end: a call for so few takes longer than the copy. */
function copyPiece(to: usize, from: usize, count: usize, end: usize): void {
  const most = (count + 15) & ~15;
  if (count > SHORT_PIECE || to + most > end) {
    memory.copy(to, from, count);
    return;
  }
  for (let done: usize = 0; done < count; done += 16) v128.store(to + done, v128.load(from + done));
}
