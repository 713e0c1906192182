// Open questions about the lines of one file: "who wrote lines [start, start + count)?", each tied to the
// removed lines in question. Four integers an interval in one array: no object per line or interval.

export const INTERVAL_INTS = 4;

/** Intervals are unordered and may overlap: two branches may have removed the same line. */
export class IntervalList {
  /** start, count, remover, offset; they are the lines [offset, offset + count) that the remover took away. */
  data: Int32Array;
  /** Integers in use. */
  length = 0;

  constructor(capacity = 2) {
    this.data = new Int32Array(capacity * INTERVAL_INTS);
  }

  /** Adds an interval, joined to the last one when it continues it. */
  push(start: number, count: number, remover: number, offset: number): void {
    const data = this.data;
    const last = this.length - INTERVAL_INTS;
    if (last >= 0 && data[last + 2] === remover) {
      const lastCount = data[last + 1]!;
      if (data[last]! + lastCount === start && data[last + 3]! + lastCount === offset) {
        data[last + 1] = lastCount + count;
        return;
      }
    }
    if (this.length === data.length) {
      this.data = new Int32Array(Math.max(8, data.length * 2));
      this.data.set(data);
    }
    this.data[this.length] = start;
    this.data[this.length + 1] = count;
    this.data[this.length + 2] = remover;
    this.data[this.length + 3] = offset;
    this.length += INTERVAL_INTS;
  }

  append(other: IntervalList): void {
    this.appendInts(other.data, other.length);
  }

  /** Appends whole intervals, the first `length` integers of `data`. */
  appendInts(data: Int32Array, length: number): void {
    const needed = this.length + length;
    if (needed > this.data.length) {
      const larger = new Int32Array(Math.max(needed, this.data.length * 2));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(data.subarray(0, length), this.length);
    this.length = needed;
  }

  /** Frees what a list that has become short no longer needs. */
  giveBackRoom(): void {
    if (this.data.length > 64 && this.length * 4 < this.data.length) this.data = this.data.slice(0, this.length);
  }

  /** For tests: `start+count→remover:offset`, in order of start. */
  dump(): string {
    const parts: [number, string][] = [];
    for (let at = 0; at < this.length; at += INTERVAL_INTS) {
      const [start, count, remover, offset] = this.data.subarray(at, at + INTERVAL_INTS);
      parts.push([start!, `${start}+${count}→${remover}:${offset}`]);
    }
    parts.sort((a, b) => a[0] - b[0]);
    return parts.map(([, text]) => text).join(' ');
  }
}
