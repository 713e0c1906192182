import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateSurvival, type LineCohort } from '../../../src/domain/ai/survival.ts';

describe('survival of lines', () => {
  test('is the product over the ages at which lines died, worked out by hand', () => {
    // 100 lines, 10 dead at 1 day, 9 of 90 at 3 days, 6 of 81 at 7
    const cohorts: LineCohort[] = [
      {
        followedDays: 30,
        lines: 100,
        ends: [
          { age: 1, died: 10 },
          { age: 3, died: 9 },
          { age: 7, died: 6 },
        ],
      },
    ];
    expect(estimateSurvival(cohorts, [3, 7, 14])).toEqual([
      { age_days: 3, at_risk: 90, died: 9, survival_percent: 81 },
      { age_days: 7, at_risk: 81, died: 6, survival_percent: 75 },
      { age_days: 14, at_risk: 75, died: 0, survival_percent: 75 },
    ]);
  });

  test('counts lines that were followed for less only until then, and says nothing beyond', () => {
    const cohorts: LineCohort[] = [
      { followedDays: 2, lines: 50, ends: [{ age: 1, died: 25 }] },
      { followedDays: 8, lines: 50, ends: [{ age: 7, died: 10 }] },
    ];
    expect(estimateSurvival(cohorts, [1, 7, 21])).toEqual([
      { age_days: 1, at_risk: 100, died: 25, survival_percent: 75 },
      { age_days: 7, at_risk: 50, died: 10, survival_percent: 60 },
      { age_days: 21, at_risk: 0, died: 0, survival_percent: null },
    ]);
  });

  test('is 0 at all ages after the last line has died, though none is at risk any more', () => {
    const gone = { followedDays: 200, lines: 10, ends: [{ age: 40, died: 10 }] };
    const points = estimateSurvival([gone], [3, 21, 90]);
    expect(points.map(({ survival_percent }) => survival_percent)).toEqual([100, 100, 0]);
  });

  test('equals an estimate that follows every line by itself', () => {
    const cohort = fc.record({
      followedDays: fc.integer({ min: 0, max: 30 }),
      ages: fc.array(fc.record({ age: fc.integer({ min: 0, max: 30 }) }), { maxLength: 20 }),
      standing: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(cohort, { minLength: 1, maxLength: 6 }), (given) => {
        const seen = given.map(({ followedDays, ages, standing }) => ({
          followedDays,
          ages: ages.filter(({ age }) => age <= followedDays),
          standing,
        }));
        const lines = seen.flatMap(({ followedDays, ages, standing }) => [
          ...ages.map(({ age }) => ({ until: age, isDead: true })),
          ...Array.from({ length: standing }, () => ({ until: followedDays, isDead: false })),
        ]);
        let survival = 1;
        let isFollowed = true;
        for (let age = 0; age <= 14; age++) {
          const atRisk = lines.filter(({ until }) => until >= age).length;
          if (atRisk > 0) survival *= 1 - lines.filter(({ until, isDead }) => until === age && isDead).length / atRisk;
          else if (survival > 0) isFollowed = false;
        }
        const cohorts = seen.map(({ followedDays, ages, standing }) => ({
          followedDays,
          lines: ages.length + standing,
          ends: ages.map(({ age }) => ({ age, died: 1 })),
        }));
        const [point] = estimateSurvival(cohorts, [14]);
        expect(point!.survival_percent !== null).toBe(isFollowed);
        if (point!.survival_percent === null) return;
        // It is rounded to a tenth: half of one off where the estimate lies between two, which `toBeCloseTo` does not allow.
        const off = Math.abs(point!.survival_percent - 100 * survival);
        expect(off).toBeLessThanOrEqual(0.05 + 1e-9);
      }),
    );
  });
});
