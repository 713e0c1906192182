// Takes a folder's lock many times and checks that it is alone inside. Arguments: the lock's folder,
// a file that exists only while somebody is inside, how often.
import { closeSync, openSync, rmSync } from 'node:fs';
import { withFolderLock } from '../../dist/storage/embedded/folder-lock.js';

const [lock, inside, times] = process.argv.slice(2);
for (let turn = 0; turn < Number(times); turn++) {
  await withFolderLock(lock, async () => {
    closeSync(openSync(inside, 'wx')); // fails when another is inside
    await new Promise((resolve) => setTimeout(resolve, 1));
    rmSync(inside);
  });
}
console.log('done');
