// Filters that a statistic took are claimed, others are not; what the page does not know is not shown as chosen.
import { describe, expect, test } from 'vitest';
import type { Report } from '../../web/src/api/queries.ts';
import type { Params } from '../../web/src/api/schema.ts';
import { appliedParams, appliedView, isOfAllProviders } from '../../web/src/report/filters/applied-filters.ts';
import { describeScope } from '../../web/src/report/filters/describe-scope.ts';
import { parseKnownView } from '../../web/src/report/filters/known-view.ts';
import type { PageContext } from '../../web/src/report/page-context.ts';
import { parseView } from '../../web/src/url/view.ts';

const names = { ai_provider: { vendorA_assistant: 'Vendor A Assistant' } } as unknown as PageContext['names'];
const page = { entity: { name: 'Acme' } as PageContext['entity'], names };
const ignoring = { context: { ineffective_parameters: ['ai_provider'] } } as unknown as Report;
const taking = { context: {} } as unknown as Report;
const view = parseView('?team=core&ai=vendorA_assistant');

describe('an AI provider that a statistic does not tell apart', () => {
  test('is said, and claimed neither by pictures nor by files and lines for a terminal', () => {
    expect(isOfAllProviders(view, ignoring)).toBe(true);
    expect(describeScope(appliedView(view, ignoring), page)).toBe('all repos of Acme · team core');
    const params = { resource_path: 'acme', ai_provider: 'vendorA_assistant' } as Params<'GET /reports'>;
    expect(appliedParams(params, ignoring)).toEqual({ resource_path: 'acme' });
  });

  test('and one that it took is', () => {
    expect(isOfAllProviders(view, taking)).toBe(false);
    expect(describeScope(appliedView(view, taking), page)).toBe('all repos of Acme · team core · Vendor A Assistant');
    const params = { resource_path: 'acme', ai_provider: 'vendorA_assistant' } as Params<'GET /reports'>;
    expect(appliedParams(params, taking)).toBe(params);
  });

  test('nothing is said where none is chosen, or as long as the answer is under way', () => {
    expect(isOfAllProviders(parseView('?team=core'), ignoring)).toBe(false);
    expect(isOfAllProviders(view, undefined)).toBe(false);
  });
});

test('an unknown AI provider is taken out of the view, as other unknown values are', () => {
  expect(parseKnownView('?range=30d&ai=foo', names)).toEqual(parseView('?range=30d'));
  expect(parseKnownView('?ai=toString', names).ai).toBeNull();
  expect(parseKnownView('?ai=vendorA_assistant', names).ai).toBe('vendorA_assistant');
});
