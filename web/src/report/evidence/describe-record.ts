// One line per record of any kind: what it is, whose, when, and how much it adds to the point.
import type { Audit } from '../../api/queries.ts';
import { countOf, formatValue } from '../../text/numbers.ts';
import { firstLine, wireWords } from '../../text/words.ts';

type Lists = Pick<Audit, Kind>;
export type Kind =
  | 'commits'
  | 'committers'
  | 'issues'
  | 'pull_requests'
  | 'teams'
  | 'tags'
  | 'releases'
  | 'critical_defects'
  | 'ai_usages'
  | 'reviews'
  | 'comments'
  | 'sprints';
type RecordOf<K extends Kind> = NonNullable<Lists[K]>[number];

export interface RecordLine {
  readonly title: string;
  readonly detail: readonly string[];
  /** Shown as code in front: a hash, a key. */
  readonly code: string | null;
  readonly moment: string | null;
}

type Describe = { readonly [K in Kind]: (record: RecordOf<K>) => RecordLine };

const nameOf = (person: { full_name: string | null; user_name: string } | null): string =>
  person === null ? 'unknown' : (person.full_name ?? person.user_name);

const DESCRIBE: Describe = {
  commits: ({ sha, message, contributor, repo_path, authored_at }) => ({
    title: firstLine(message) || 'no message',
    detail: [contributor.full_name, repo_path],
    code: sha.slice(0, 7),
    moment: authored_at,
  }),
  committers: ({ full_name, committer_user_name, last_commit_authored_at }) => ({
    title: full_name,
    detail: [committer_user_name],
    code: null,
    moment: last_commit_authored_at,
  }),
  issues: ({ key, title, type, status, opened_at }) => ({
    title,
    detail: [type, status],
    code: key,
    moment: opened_at,
  }),
  pull_requests: ({ number, title, contributor, repo_path, phase_em, opened_at }) => ({
    title,
    detail: [nameOf(contributor), repo_path, wireWords(phase_em).replace('phase ', '')],
    code: `#${number}`,
    moment: opened_at,
  }),
  teams: ({ name, developer_members: members }) => ({
    title: name,
    detail: [countOf(members.length, 'person', 'people')],
    code: null,
    moment: null,
  }),
  tags: ({ name, repo_path, tagged_at }) => ({ title: name, detail: [repo_path], code: null, moment: tagged_at }),
  releases: ({ name, repo_path, triggered_by, commit_count, released_at, is_baseline }) => ({
    title: name,
    detail: [
      repo_path,
      countOf(commit_count, 'commit'),
      is_baseline ? 'first known release, a baseline' : `by ${wireWords(triggered_by)}`,
    ],
    code: null,
    moment: released_at,
  }),
  critical_defects: ({ defect_key, severity, repo_paths, detected_at }) => ({
    title: defect_key,
    detail: [severity === null ? 'no severity' : `severity ${severity}`, ...repo_paths],
    code: null,
    moment: detected_at,
  }),
  ai_usages: ({ committer, team_slug, llm_model_name, date }) => ({
    title: committer === null ? (team_slug ?? 'unknown') : nameOf(committer),
    detail: [llm_model_name],
    code: null,
    moment: date,
  }),
  reviews: ({ reviewer, pull_request_number, repo_path, state_em, submitted_at }) => ({
    title: nameOf(reviewer),
    detail: [repo_path, wireWords(state_em)],
    code: `#${pull_request_number}`,
    moment: submitted_at,
  }),
  comments: ({ author, body, pull_request_number, repo_path, commented_at }) => ({
    title: firstLine(body),
    detail: [nameOf(author), repo_path],
    code: `#${pull_request_number}`,
    moment: commented_at,
  }),
  sprints: ({ name, team_slug, issue_count, story_points, starts_at }) => ({
    title: name,
    detail: [
      team_slug ?? 'no team',
      countOf(issue_count, 'issue'),
      `${formatValue(story_points, { unit: '', precision: 0 })} points`,
    ],
    code: null,
    moment: starts_at,
  }),
};

export interface Contributing {
  readonly contribution?: number | undefined;
  readonly excluded_because?: string | undefined;
}

export interface EvidenceRecord extends RecordLine {
  readonly contribution: number | null;
  readonly excludedBecause: string | null;
}

const KINDS = Object.keys(DESCRIBE) as Kind[];

/** The one list of the answer that is not empty of meaning: it is named after its kind. */
export const kindOf = (audit: Audit): Kind | null => KINDS.find((name) => Array.isArray(audit[name])) ?? null;

/** As the answer has it; described when it comes into sight, because there may be thousands. */
export interface UndescribedRecord extends Contributing {
  readonly kind: Kind;
  readonly record: RecordOf<Kind>;
}

export function readRecords(audit: Audit): UndescribedRecord[] {
  const kind = kindOf(audit);
  if (kind === null) return [];
  return (audit[kind] as readonly RecordOf<Kind>[]).map((record) => {
    const { contribution, excluded_because } = record as Contributing;
    return { kind, record, contribution, excluded_because };
  });
}

export function describeRecord({ kind, record, contribution, excluded_because }: UndescribedRecord): EvidenceRecord {
  const describe = DESCRIBE[kind] as (record: RecordOf<Kind>) => RecordLine;
  return { ...describe(record), contribution: contribution ?? null, excludedBecause: excluded_because ?? null };
}
