// Changes settings of V8 over and over while two threads compile and run code, as an analysis does while its threads start.
// Arguments: for how many milliseconds; the settings, as JSON.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, Worker } from 'node:worker_threads';

const THREADS = 2;
const CHANGES_AT_ONCE = 500;
/** What threads keep for a while, so that objects grow old and whole heaps are collected. */
const KEPT = 400;
const OBJECTS = 20_000;
const kept = [];
const [ms, settings] = process.argv.slice(2);

if (isMainThread) changeSettings(Date.now() + Number(ms), JSON.parse(settings));
else for (let round = 0; ; round++) runNewCode(round);

function changeSettings(end, all) {
  for (let i = 0; i < THREADS; i++) new Worker(new URL(import.meta.url)).unref();
  const change = () => {
    for (let i = 0; i < CHANGES_AT_ONCE; i++) for (const setting of all) setFlagsFromString(setting);
    if (Date.now() < end) setImmediate(change);
    else process.exit(0);
  };
  change();
}

/** Patterns and functions that V8 has not seen, used often enough to be compiled anew. */
function runNewCode(round) {
  const names = Array.from({ length: 5 + (round % 40) }, (_, i) => `(?:.*/)?name${i}x${round}(?:/.*)?`);
  const pattern = new RegExp(`^(?:${names.join('|')})$`);
  const lengthOf = new Function(
    'text',
    `let sum = ${round}; for (const sign of text) sum += sign.length; return [sum, text + sum];`,
  );
  kept[round % KEPT] = Array.from({ length: OBJECTS }, (_, i) => ({ i, round }));
  if (round % 50 === 0) runInNewContext('typeof gc');
  for (let i = 0; i < 4; i++) {
    pattern.test(`a/b/name3x${round}`);
    'abc/def'.replace(pattern, `${lengthOf('some text')}`);
  }
}
