// The vocabulary of the line model: operations, ages, categories and AI contributor kinds, as rows. The engine produces
// these values, storage has a column for each, the metrics read them, and all of them derive their lists from here.
// CONTRIBUTING.md says what a further row asks for.

interface OperationRow {
  readonly label: string;
  /** What it does to the lines of a repo, and so at which lines it is counted: of a pair, at the added one. */
  readonly counted: 'added' | 'removed' | 'pair';
  /** Its place among the operations that carry Diff Delta, in the order of the wire; null when it carries none. */
  readonly delta_place: number | null;
  /** Its lines are charged to the age of the code that they replaced; and among them, lines of young code are churn. */
  readonly is_aged: boolean;
  readonly is_churn: boolean;
}

/** What happened to a changed line. The order is the wire order of `line_operation_counts`. */
export const OPERATION_ROWS = {
  added: { label: 'Added', counted: 'added', delta_place: 0, is_aged: false, is_churn: false },
  deleted: { label: 'Deleted', counted: 'removed', delta_place: 2, is_aged: true, is_churn: true },
  moved: { label: 'Moved', counted: 'pair', delta_place: null, is_aged: false, is_churn: false },
  updated: { label: 'Updated', counted: 'pair', delta_place: 1, is_aged: true, is_churn: true },
  find_replaced: { label: 'Find/Replaced', counted: 'pair', delta_place: 3, is_aged: true, is_churn: false },
  copy_pasted: { label: 'Copy/Pasted', counted: 'added', delta_place: null, is_aged: false, is_churn: false },
} as const satisfies Readonly<Record<string, OperationRow>>;

type Rows = typeof OPERATION_ROWS;
export type Operation = keyof Rows;
type OperationWhere<Part> = { [O in Operation]: Rows[O] extends Part ? O : never }[Operation];
/** Operations that carry Diff Delta. */
export type ScoredOperation = OperationWhere<{ delta_place: number }>;
/** Operations whose score depends on the age of what they replaced. */
export type AgedOperation = OperationWhere<{ is_aged: true }>;
/** Operations that take lines of an origin away, or along. */
export type FlowOperation = OperationWhere<{ counted: 'removed' | 'pair' }>;

export const OPERATIONS = Object.keys(OPERATION_ROWS) as readonly Operation[];
const place = (operation: Operation): number => OPERATION_ROWS[operation].delta_place ?? Number.POSITIVE_INFINITY;
const byPlace = (a: Operation, b: Operation): number => place(a) - place(b);

export const SCORED_OPERATIONS = OPERATIONS.filter(
  (operation): operation is ScoredOperation => OPERATION_ROWS[operation].delta_place !== null,
).toSorted(byPlace);
export const AGED_OPERATIONS = OPERATIONS.filter(
  (operation): operation is AgedOperation => OPERATION_ROWS[operation].is_aged,
).toSorted(byPlace);
export const CHURN_OPERATIONS = AGED_OPERATIONS.filter((operation) => OPERATION_ROWS[operation].is_churn);
export const FLOW_OPERATIONS = OPERATIONS.filter(
  (operation): operation is FlowOperation => OPERATION_ROWS[operation].counted !== 'added',
);

/** Operations that write the text of a line, and those that end one; a move does neither. */
export const WRITING_OPERATIONS = OPERATIONS.filter(
  (operation) => operation !== 'moved' && OPERATION_ROWS[operation].counted !== 'removed',
);
export const ENDING_OPERATIONS = FLOW_OPERATIONS.filter((operation) => operation !== 'moved');

/**
 * The churn window: a line rewritten or deleted at an age below this is churn. It is also the limit of the youngest age.
 * Stored facts carry the window that they were derived under; a repo with another one is derived anew by a job.
 */
export const CHURN_DAYS = 14;

/** Whole weeks are named as weeks, other windows as days. */
const isInWeeks = CHURN_DAYS % 7 === 0;
const churnCount = isInWeeks ? CHURN_DAYS / 7 : CHURN_DAYS;
const churnUnit = `${isInWeeks ? 'week' : 'day'}${Number(churnCount) === 1 ? '' : 's'}`;
const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** As texts name it: "two weeks". */
export const CHURN_WINDOW = `${NUMBER_WORDS[churnCount] ?? churnCount} ${churnUnit}`;

interface AgeRow {
  /** As stored; a name, which stays when a limit moves. */
  readonly key: string;
  readonly label: string;
  /** For tables on a terminal. */
  readonly short_label: string;
  /** Exclusive. */
  readonly belowDays: number;
}

/** Age of the code a line replaced, the youngest first. `new` is code that replaced nothing. */
export const AGE_BUCKETS = [
  { key: 'new', label: 'New code', short_label: 'new code', belowDays: 0 },
  {
    key: 'lt_2w',
    label: `Less than ${CHURN_WINDOW}`,
    short_label: `under ${churnCount} ${churnUnit}`,
    belowDays: CHURN_DAYS,
  },
  { key: 'lt_1m', label: 'Less than one month', short_label: 'under a month', belowDays: 30 },
  { key: 'lt_1y', label: 'Less than one year', short_label: 'under a year', belowDays: 365 },
  { key: 'lt_2y', label: 'One to two years', short_label: '1 to 2 years', belowDays: 730 },
  { key: 'gte_2y', label: 'More than two years', short_label: 'over 2 years', belowDays: Number.POSITIVE_INFINITY },
] as const satisfies readonly AgeRow[];
export type AgeBucket = (typeof AGE_BUCKETS)[number]['key'];
/** Ages of code that was replaced. */
export type ReplacedAge = Exclude<AgeBucket, 'new'>;
export const REPLACED_AGES = AGE_BUCKETS.filter(
  (bucket): bucket is Extract<(typeof AGE_BUCKETS)[number], { key: ReplacedAge }> => bucket.key !== 'new',
);
/** The age of churn. */
export const YOUNGEST_AGE: ReplacedAge = REPLACED_AGES[0]!.key;
/** Ages of code that replaced something and is younger than so many days, which are the limit of an age. */
export const agesBelow = (days: number): readonly ReplacedAge[] =>
  REPLACED_AGES.filter(({ belowDays }) => belowDays <= days).map(({ key }) => key);

interface CategoryRow {
  /** What is stored; ids are never reused. */
  readonly id: number;
  readonly key: string;
  readonly label: string;
  /** Its lines may be the origin of a defect. */
  readonly can_cause_defects: boolean;
  /** Repeated blocks are looked for in it: not in what nobody wrote here, nor in what repeats itself by nature. */
  readonly has_duplicates: boolean;
  /** Somebody of the project wrote it. */
  readonly is_own_code: boolean;
  /** Its lines are in line statistics, unless an entity's setting says otherwise. */
  readonly is_in_line_statistics: boolean;
}
const code = { can_cause_defects: true, has_duplicates: true, is_own_code: true, is_in_line_statistics: true } as const;
/** Lines that come by thousands and that nobody writes one by one. */
const bulk = { can_cause_defects: false, has_duplicates: false, is_in_line_statistics: false } as const;

/** Kinds of code. */
export const CATEGORIES = [
  { ...code, id: 1, key: 'tests', label: 'Tests', can_cause_defects: false },
  { ...code, id: 2, key: 'test_fixtures', label: 'Test fixtures', can_cause_defects: false, has_duplicates: false },
  { ...code, id: 3, key: 'documentation', label: 'Documentation', can_cause_defects: false, has_duplicates: false },
  { ...code, id: 4, key: 'configuration', label: 'Configuration', can_cause_defects: false },
  { ...code, id: 5, key: 'database_migrations', label: 'Database migrations' },
  { ...code, id: 6, key: 'database_sql', label: 'Database/SQL' },
  { ...code, id: 7, key: 'styles', label: 'Styles' },
  { ...code, id: 8, key: 'views_templates', label: 'Views/Templates' },
  { ...code, id: 9, key: 'frontend', label: 'Frontend' },
  { ...code, id: 10, key: 'backend', label: 'Backend' },
  { ...code, id: 11, key: 'scripts_build', label: 'Scripts/Build' },
  {
    ...code,
    id: 12,
    key: 'dependency_config',
    label: 'Dependency config',
    can_cause_defects: false,
    has_duplicates: false,
  },
  { ...bulk, id: 13, key: 'autogenerated', label: 'Autogenerated', is_own_code: false },
  { ...bulk, id: 14, key: 'third_party', label: 'Third-party', is_own_code: false },
  { ...code, id: 15, key: 'other', label: 'Other', has_duplicates: false },
  { ...bulk, id: 16, key: 'localization', label: 'Localization', is_own_code: true },
  { ...bulk, id: 17, key: 'data', label: 'Data', is_own_code: true },
] as const satisfies readonly CategoryRow[];
export type CategoryKey = (typeof CATEGORIES)[number]['key'];
export type CategoryId = (typeof CATEGORIES)[number]['id'];

export const CATEGORY_IDS = Object.fromEntries(CATEGORIES.map(({ key, id }) => [key, id])) as Readonly<
  Record<CategoryKey, CategoryId>
>;
const KEY_BY_ID = new Map<number, CategoryKey>(CATEGORIES.map(({ id, key }) => [id, key]));
/** Of a stored id; a newer version may have stored one that this one does not know. */
export const categoryOfId = (id: number): CategoryKey => KEY_BY_ID.get(id) ?? 'other';

const idsWhere = (is: (row: (typeof CATEGORIES)[number]) => boolean): readonly CategoryId[] =>
  CATEGORIES.filter(is).map(({ id }) => id);
/** Kinds of code whose lines are in line statistics where the entity says nothing else. */
export const LINE_STATISTICS_CATEGORIES: readonly CategoryKey[] = CATEGORIES.filter(
  (row) => row.is_in_line_statistics,
).map(({ key }) => key);
export type LeftOutCategory = Extract<(typeof CATEGORIES)[number], { is_in_line_statistics: false }>['key'];
/** The others. */
export const LEFT_OUT_CATEGORIES = CATEGORIES.filter((row) => !row.is_in_line_statistics).map(
  ({ key }) => key,
) as LeftOutCategory[];
export const isLeftOut = (category: CategoryKey): category is LeftOutCategory =>
  LEFT_OUT_CATEGORIES.some((key) => key === category);
/** Kinds of code whose lines are not looked for as the origin of a defect. */
export const BLAMELESS_CATEGORY_IDS = idsWhere((row) => !row.can_cause_defects);
/** Kinds of code that nobody of the project wrote. */
export const FOREIGN_CATEGORY_IDS = idsWhere((row) => !row.is_own_code);

/** Who wrote something, as far as the evidence goes. No evidence is `unknown`, never `human`. */
export const CONTRIBUTOR_KINDS = ['human', 'ai', 'mixed', 'unknown'] as const;
export type ContributorKind = (typeof CONTRIBUTOR_KINDS)[number];

/** Where AI evidence came from, strongest first. `usage` is the fallback from reported tool usage. */
export const EVIDENCE_SOURCES = [
  'note',
  'agent_trace',
  'squashed_record',
  'author',
  'provider_commit',
  'squashed_count',
  'message',
  'generated_by',
  'co_author',
  'entire',
  'otlp_commit',
  'squashed_commit',
  'pr_label',
  'assisted_by',
  'usage',
] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];
