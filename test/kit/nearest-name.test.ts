import { describe, expect, it } from 'vitest';
import { editDistance, nearestName } from '../../src/kit/text/nearest-name.ts';

describe('nearest name', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('the distance from "%s" to "%s" is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  it.each([
    ['STRATA_PROT', 'STRATA_PORT'],
    ['strata_host', 'STRATA_HOST'],
    ['resource_pth', 'resource_path'],
  ])('%s is taken for %s', (typed, name) => {
    expect(nearestName(typed, ['STRATA_PORT', 'STRATA_HOST', 'resource_path'])).toBe(name);
  });

  it('a name that resembles nothing gets no suggestion', () => {
    expect(nearestName('zebra', ['port', 'host', 'data'])).toBeNull();
  });
});
