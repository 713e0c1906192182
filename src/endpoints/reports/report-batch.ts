// Several statistics of one scope and range in one call: what a page of tiles needs.
import { z } from 'zod';
import { SEGMENT_ALIASES, SEGMENT_IDS } from '../../domain/segments.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { REPORT_FIELDS } from './report-fields.ts';
import { REPORT_PARAMS } from './report-params.ts';

const MOST_REPORTS = 60;

export const readReports = endpoint({
  route: 'GET /reports/batch',
  action: 'action_get_resource',
  group: 'Reports',
  summary: 'Chart data of several statistics over time',
  description:
    'The answers of GET /reports for each statistic of segment_by, in that order and as often as it is named; the other parameters are for all of them. A refusal of one refuses the call.',
  access: { resource: 'member' },
  params: {
    ...REPORT_PARAMS,
    segment_by: p.manyOf(SEGMENT_IDS, { aliases: SEGMENT_ALIASES, maxItems: MOST_REPORTS }).describe('The statistics.'),
  },
  returns: r.envelope({ reports: z.array(z.object(REPORT_FIELDS)) }),
  fails: ['not_found', 'unprocessable'],
  revalidates: true,
  async run({ params: { segment_by: segments, ...params }, grant, ops, warn }) {
    const found = await ops.reports.runSeveral(grant, params, segments);
    for (const { warnings, segment_em } of new Set(found)) {
      for (const warning of warnings) warn(`${segment_em}: ${warning}`);
    }
    const reports = found.map(({ warnings, range, ...report }) => report);
    return { response_detail: reports.length === 1 ? '1 report' : `${reports.length} reports`, reports };
  },
});
