// The memory of the duplicate index: a heap for what comes and goes, the lines of files above all.

/** Four sizes between a power of two and the next: by size, the first of those given back. */
const FREED = memory.data(512);
const LEAST_BYTES: usize = 16;
const GROWN_BY: usize = 1 << 20;
const LARGE_BYTES: usize = 1 << 16;

let top: usize = (__heap_base + 15) & ~15;
/** A large piece that was given back, to be cut into smaller ones. */
let spareFrom: usize = 0;
let spareTo: usize = 0;

function reach(to: usize): void {
  const size = (<usize>memory.size()) << 16;
  if (to > size && memory.grow(<i32>((to - size + GROWN_BY) >> 16)) < 0) unreachable();
}

/** Of those sizes the least that is enough. */
function rounded(bytes: usize): usize {
  if (bytes <= LEAST_BYTES) return LEAST_BYTES;
  const step = max(LEAST_BYTES, (<usize>1) << (29 - clz(<i32>bytes - 1)));
  return (bytes + step - 1) & ~(step - 1);
}

/** Of a rounded size: its power of two, and how many quarters above. */
function freedAt(size: usize): usize {
  const power = 31 - clz(<i32>size);
  const quarter = (<i32>size >> (power - 2)) & 3;
  return FREED + <usize>((power * 4 + quarter) << 2);
}

export function allocate(bytes: usize): usize {
  const size = rounded(bytes);
  const freed = freedAt(size);
  const first = load<usize>(freed);
  if (first !== 0) {
    store<usize>(freed, load<usize>(first));
    return first;
  }
  if (size <= spareTo - spareFrom) {
    spareFrom += size;
    return spareFrom - size;
  }
  const at = top;
  top += size;
  reach(top);
  return at;
}

/** `bytes` as it was allocated with. */
export function release(at: usize, bytes: usize): void {
  const size = rounded(bytes);
  if (size >= LARGE_BYTES && size > spareTo - spareFrom) {
    spareFrom = at;
    spareTo = at + size;
    return;
  }
  const freed = freedAt(size);
  store<usize>(at, load<usize>(freed));
  store<usize>(freed, at);
}
