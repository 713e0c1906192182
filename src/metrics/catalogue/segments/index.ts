// The catalogue: every statistic that reports serve, by subject. A name of the specification without a row
// does not compile.
import type { SegmentId } from '../../../domain/segments.ts';
import type { SegmentRow } from '../segment-row.ts';
import { AI_CREDIT_SEGMENTS } from './ai-credit.ts';
import { AI_USAGE_SEGMENTS } from './ai-usage.ts';
import { CODE_SEGMENTS } from './code.ts';
import { COHORT_SEGMENTS } from './cohorts.ts';
import { COMMIT_SEGMENTS } from './commits.ts';
import { DELIVERY_SEGMENTS } from './delivery.ts';
import { ISSUE_SEGMENTS } from './issues.ts';
import { PULL_REQUEST_SEGMENTS } from './pull-requests.ts';

export const SEGMENTS: Readonly<Record<SegmentId, SegmentRow>> = {
  ...CODE_SEGMENTS,
  ...COMMIT_SEGMENTS,
  ...AI_CREDIT_SEGMENTS,
  ...AI_USAGE_SEGMENTS,
  ...COHORT_SEGMENTS,
  ...PULL_REQUEST_SEGMENTS,
  ...DELIVERY_SEGMENTS,
  ...ISSUE_SEGMENTS,
};

export const SUBJECTS = {
  code: CODE_SEGMENTS,
  commits: COMMIT_SEGMENTS,
  ai_credit: AI_CREDIT_SEGMENTS,
  ai_usage: AI_USAGE_SEGMENTS,
  ai_cohorts: COHORT_SEGMENTS,
  pull_requests: PULL_REQUEST_SEGMENTS,
  delivery: DELIVERY_SEGMENTS,
  issues: ISSUE_SEGMENTS,
} as const;
export type Subject = keyof typeof SUBJECTS;

export const subjectOf = (segment: SegmentId): Subject =>
  (Object.keys(SUBJECTS) as Subject[]).find((subject) => Object.hasOwn(SUBJECTS[subject], segment))!;
