// Arrays of four-byte numbers in memory.

export function word(array: usize, index: i32): i32 {
  return load<i32>(array + ((<usize>index) << 2));
}

export function setWord(array: usize, index: i32, value: i32): void {
  store<i32>(array + ((<usize>index) << 2), value);
}
