// Loaded into the processes of the fault test: their wall clock is off by the milliseconds that a file holds.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE;
const RealDate = Date;
let offset = 0;

if (file !== undefined) {
  setInterval(() => {
    try {
      offset = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      offset = 0;
    }
  }, 50).unref();
  globalThis.Date = class ShiftedDate extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(RealDate.now() + offset);
      else super(...given);
    }
    static now() {
      return RealDate.now() + offset;
    }
  };
}
