// The page as it is built. The build runs below vitest here, whose NODE_ENV is `test`: Vite would take that
// for a build for development, half as large again and several times slower.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'dist/web/assets';

test('the page is built for production, whatever NODE_ENV the build is started with', () => {
  const scripts = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
  const forDevelopment = scripts.filter((file) => readFileSync(`${FOLDER}/${file}`, 'utf8').includes('jsxDEV'));
  expect(scripts.length).toBeGreaterThan(5);
  expect(forDevelopment).toEqual([]);
});
