// The settings of an entity: one row each, with what is accepted, the default, and what a change does
// to what is stored. The command line, the database and the documentation read this table.
import { z } from 'zod';
import { isStorable } from '../../kit/text/is-storable.ts';
import { nearestName } from '../../kit/text/nearest-name.ts';
import { DEFAULT_WEIGHT_SETTINGS } from '../ai/evidence.ts';
import { AI_PROVIDERS } from '../ai/models.ts';
import { USAGE_SOURCE_ORDER } from '../ai/usage-sources.ts';
import { isCalendarDate } from '../calendar/calendar-date.ts';
import { HOLIDAY_YEARS, isHolidayCalendar, isHolidayYear } from '../calendar/holidays.ts';
import { CATEGORIES, CATEGORY_IDS, type CategoryKey, LINE_STATISTICS_CATEGORIES } from '../commits/line-model.ts';
import { StrataError } from '../errors.ts';
import { PROCESSING_STATUSES } from '../people/processing-status.ts';
import { BRANCH_PATTERN_RULE, isBranchPattern } from '../repos/branch-patterns.ts';
import { RELEASE_TAG_PATTERN } from '../repos/release-tags.ts';

/**
 * What a change of the setting does to what is stored: nothing; credits by reported use follow at once; releases, defects and
 * links follow by a job; a job works everything out anew; only commits imported afterwards follow it; only repos whose import begins afterwards do; every repo is
 * refreshed.
 */
export type Rebuild = 'none' | 'credits' | 'derivation' | 'rollups' | 'analysis' | 'first_import' | 'refresh';

interface EntitySetting<T> {
  readonly schema: z.ZodType<T>;
  readonly accepts: string;
  readonly default: T;
  readonly description: string;
  readonly rebuild: Rebuild;
  /** The smallest thing that may have a value of its own. */
  readonly level: 'entity' | 'repo';
}

const row = <T>(
  schema: z.ZodType<T>,
  accepts: string,
  initial: NoInfer<T>,
  rebuild: Rebuild,
  description: string,
  level: 'entity' | 'repo' = 'entity',
): EntitySetting<T> => ({ schema, accepts, default: initial, rebuild, description, level });

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => ({
  schema: z.enum(values),
  accepts: `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name); // an offset such as +02:00 has no daylight-saving rules
  } catch {
    return false;
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Without a clock, the years whose holidays are known. */
const DATES = `from ${HOLIDAY_YEARS.first} to ${HOLIDAY_YEARS.last} as \`YYYY-MM-DD\``;
const date = z.string().refine((text) => isCalendarDate(text) && isHolidayYear(Number(text.slice(0, 4))));

const BUSINESS_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-(([01]\d|2[0-3]):([0-5]\d)|24:00)$/;
const businessHours = z.string().refine((text) => {
  const [start, end] = text.split('-');
  return BUSINESS_HOURS.test(text) && start! < end!;
});

const categoryKeys = CATEGORIES.map(({ key }) => key) as [CategoryKey, ...CategoryKey[]];
const categoryRules = z
  .array(
    z.strictObject({
      pattern: z.string().min(1).max(500),
      category: z.enum(categoryKeys),
      multiplier: z.number().min(0).max(10).default(1),
    }),
  )
  .max(500);

const opexOverrides = z
  .array(
    z.strictObject({
      match: z.enum(['issue_key', 'issue_type', 'label', 'commit_prefix']),
      value: z.string().min(1).max(200),
      class: z.enum(['opex', 'capex']),
    }),
  )
  .max(500);

const criticalFields = z
  .array(
    z.strictObject({
      field: z.enum(['type', 'status', 'priority', 'project', 'label']),
      value: z.string().min(1).max(200),
    }),
  )
  .max(200);

const names = z.array(z.string().min(1).max(250)).max(50);

const weight = z.number().min(0).max(1).multipleOf(0.001);

const usageSource = oneOf(USAGE_SOURCE_ORDER);
const processingStatus = oneOf(PROCESSING_STATUSES);
const weekStart = oneOf(['monday', 'sunday']);
const telemetryPeople = oneOf(['named', 'personal_tokens']);
const statsAccess = oneOf(['open', 'team', 'private']);

export const ENTITY_SETTINGS = {
  time_zone: row(
    z.string().refine(isTimeZone),
    'the name of a time zone, such as `Europe/Berlin`',
    'UTC',
    'rollups',
    'Zone in which dates, weeks and business hours of the entity are reckoned.',
  ),
  week_start: row(weekStart.schema, weekStart.accepts, 'monday', 'none', 'First day of the week in weekly charts.'),
  business_hours: row(
    businessHours,
    'start and end as `HH:MM-HH:MM`, the start before the end',
    '09:00-17:00',
    'rollups',
    'Working hours of a weekday; business time counts only these.',
  ),
  holiday_calendar: row(
    z.string().refine(isHolidayCalendar),
    'a country such as `US`, a country and region such as `DE-BY`, or `none`',
    'US',
    'rollups',
    'Public holidays that do not count as business days.',
  ),
  extra_holidays: row(
    z.array(date).max(2000),
    `a list of dates ${DATES}`,
    [],
    'rollups',
    'Further days off for everybody, added to the calendar.',
  ),
  default_processing_status: row(
    processingStatus.schema,
    processingStatus.accepts,
    'processing_stats',
    'none',
    'Status that a newly found developer gets.',
  ),
  branches: row(
    z.array(z.string().max(250).refine(isBranchPattern)).max(200),
    BRANCH_PATTERN_RULE,
    [],
    'refresh',
    'Branches whose commits count. Empty: all that share a commit with the default branch, which always counts; patterns to count name the only ones that do, also where they share none.',
    'repo',
  ),
  release_tag_pattern: row(
    z.string().max(200).refine(isPattern),
    'a regular expression of at most 200 characters; empty for no releases from tags',
    RELEASE_TAG_PATTERN,
    'rollups',
    'Git tags whose name matches become releases.',
    'repo',
  ),
  release_branches: row(
    z.array(z.string().min(1).max(250)).max(50),
    'a list of branch names',
    [],
    'none',
    'A push to one of these branches is a release, from the moment this is set.',
  ),
  release_branch_prefixes: row(
    z.array(z.string().min(1).max(250)).max(50),
    'a list of beginnings of branch names, such as `release/`',
    [],
    'none',
    'A push to a branch whose name begins so is a release, from the moment this is set.',
  ),
  release_message_pattern: row(
    z.string().max(200).refine(isPattern),
    'a regular expression of at most 200 characters; empty for no such releases',
    '',
    'none',
    'A commit of the default branch whose message matches is a release, from the moment this is set.',
  ),
  release_pull_request_branches: row(
    names,
    'a list of branch names',
    [],
    'derivation',
    'A pull request that was merged into one of these branches is a release, at the time of its merge.',
  ),
  release_pull_request_pattern: row(
    z.string().max(200).refine(isPattern),
    'a regular expression of at most 200 characters; empty for all',
    '',
    'derivation',
    'Of pull requests merged into `release_pull_request_branches`, those whose title or label matches, in any case.',
  ),
  release_workflows: row(
    names,
    'a list of names or file paths of workflows, pipelines or builds',
    [],
    'derivation',
    'A run of one of these that succeeded on the default branch, a release branch or a tag is a release, at the time of its end.',
  ),
  release_environments: row(
    names,
    'a list of names of environments',
    ['production', 'prod', 'live'],
    'derivation',
    'A successful deployment to one of these environments is a release, at the time at which it succeeded; in any case.',
  ),
  category_rules: row(
    categoryRules,
    `a JSON list of \`{"pattern": glob, "category": key, "multiplier": 0 to 10}\` with a key of ${categoryKeys.join(', ')}`,
    [],
    'analysis',
    'Path patterns that decide the category of a file before the built-in rules do; the first match wins.',
  ),
  line_statistics_categories: row(
    z.array(z.enum(categoryKeys)).min(1).max(CATEGORIES.length),
    `a list of categories, at least one of ${categoryKeys.join(', ')}`,
    [...LINE_STATISTICS_CATEGORIES],
    'credits',
    'Categories of files whose lines are in line statistics: changed, churned, copied, duplicate and AI-credited lines. Diff Delta and counts of commits are of all files.',
  ),
  bug_issue_types: row(
    z.array(z.string().min(1).max(100)).max(50),
    'a list of issue types',
    ['Bug', 'Hotfix', 'Defect'],
    'derivation',
    'Issue types that count as bugs, compared without regard to case.',
  ),
  points_field_names: row(
    names,
    'a list of names of number fields, the first before the others',
    ['Story Points', 'Points', 'Estimate'],
    'derivation',
    'Number fields of GitHub’s projects whose values are story points, compared without regard to case; the first that has a value counts.',
  ),
  critical_defect_priorities: row(
    names,
    'a list of priorities',
    ['Highest', 'Blocker', 'Urgent', 'P0', '1'],
    'derivation',
    'A bug of one of these priorities is a critical defect, from the time at which it was opened.',
  ),
  critical_defect_fields: row(
    criticalFields,
    'a JSON list of `{"field": "type"|"status"|"priority"|"project"|"label", "value": text}`',
    [],
    'derivation',
    'An issue with one of these values is a critical defect, also if it is not a bug.',
  ),
  critical_defect_terms: row(
    names,
    'a list of words or phrases',
    [],
    'derivation',
    'An issue with one of these in its title is a critical defect, and so is a pull request with one in its title or branch; in any case.',
  ),
  opex_overrides: row(
    opexOverrides,
    'a JSON list of `{"match": "issue_key"|"issue_type"|"label"|"commit_prefix", "value": text, "class": "opex"|"capex"}`',
    [],
    'rollups',
    'Work that counts as running cost or as investment whatever the built-in rules say.',
  ),
  ai_weight_took_part: row(
    weight,
    'a number from 0 to 1 with at most three decimals',
    DEFAULT_WEIGHT_SETTINGS.ai_weight_took_part,
    'none',
    'Part of the lines of a commit credited to AI when the commit says that AI took part: a co-author, `Generated-by`, “Generated with …”.',
  ),
  ai_weight_assisted: row(
    weight,
    'a number from 0 to 1 with at most three decimals',
    DEFAULT_WEIGHT_SETTINGS.ai_weight_assisted,
    'none',
    'Part of the lines of a commit credited to AI when the commit says `Assisted-by` a model.',
  ),
  ai_usage_source_order: row(
    z
      .array(usageSource.schema)
      .refine((list) => new Set(list).size === USAGE_SOURCE_ORDER.length && list.length === USAGE_SOURCE_ORDER.length),
    `a list of all of ${USAGE_SOURCE_ORDER.join(', ')}, the first before the others`,
    [...USAGE_SOURCE_ORDER],
    'credits',
    'Which source counts where several report the use of a provider’s tools by one person on one day; they are never added.',
  ),
  ai_seat_prices: row(
    z.partialRecord(z.enum(AI_PROVIDERS), z.number().min(0).max(1_000_000)),
    `a JSON object of monthly prices in cents by provider, such as \`{"vendorA_assistant": 1900}\`, for ${AI_PROVIDERS.join(', ')}`,
    {},
    'none',
    'What a seat of a provider costs in a month. It is spread over the days on which the seat is held and shown apart from metered cost.',
  ),
  ai_telemetry_people: row(
    telemetryPeople.schema,
    telemetryPeople.accepts,
    'named',
    'none',
    'Whose use telemetry is: of whomever it names, which a client sets and can forge; or of the owner of a personal ingest token alone, and what shared tokens send counts for the entity and for nobody.',
  ),
  stats_access: row(
    statsAccess.schema,
    statsAccess.accepts,
    'open',
    'none',
    'Who sees whose statistics: everybody all; own teams; or oneself, managers of one’s teams and admins.',
  ),
  small_group_floor: row(
    z.number().int().min(0).max(100),
    'a whole number from 0 to 100',
    0,
    'none',
    'Groups with fewer contributors are not shown on their own; 0 shows all.',
  ),
  seat_limit: row(
    z.number().int().min(0).max(1_000_000).nullable(),
    'a whole number from 0 to 1000000, or `null` for no limit',
    null,
    'none',
    'Most developers whose activity may be processed.',
  ),
  seat_expires_on: row(
    date.nullable(),
    `a date ${DATES}, or \`null\` for never`,
    null,
    'none',
    'Day after which seats no longer count as paid.',
  ),
  processing_starts_on: row(
    date.nullable(),
    `a date ${DATES}, or \`null\` for the whole import window`,
    null,
    'first_import',
    'Commits made before this day, by the date of their committer, are not processed, whatever `--since` says.',
  ),
  import_window_days: row(
    z.number().int().min(1).max(36_500),
    'a whole number from 1 to 36500',
    365,
    'first_import',
    'How far back an import goes, in days before it starts.',
  ),
};

export type EntitySettingKey = keyof typeof ENTITY_SETTINGS;
export type EntitySettings = { readonly [K in EntitySettingKey]: (typeof ENTITY_SETTINGS)[K]['default'] };

export const ENTITY_SETTING_KEYS = Object.keys(ENTITY_SETTINGS) as [EntitySettingKey, ...EntitySettingKey[]];

export const isEntitySettingKey = (name: string): name is EntitySettingKey => Object.hasOwn(ENTITY_SETTINGS, name);

export function requireEntitySettingKey(name: string): EntitySettingKey {
  if (isEntitySettingKey(name)) return name;
  const nearest = nearestName(name, ENTITY_SETTING_KEYS);
  throw new StrataError(
    'invalid_parameter',
    `"${name}" is not a setting of an entity${nearest === null ? '' : `, did you mean ${nearest}`}; accepted are ${ENTITY_SETTING_KEYS.join(', ')}`,
    { errors: { key: [`"${name}" is unknown`] } },
  );
}

export const REPO_SETTING_KEYS = ENTITY_SETTING_KEYS.filter((key) => ENTITY_SETTINGS[key].level === 'repo');

/** Throws for a setting that a repo cannot have a value of its own for. */
export function requireRepoSettingKey(key: EntitySettingKey): void {
  if (REPO_SETTING_KEYS.includes(key)) return;
  const message = `${key} is set for an entity only; accepted for a repo are ${REPO_SETTING_KEYS.join(', ')}`;
  throw new StrataError('invalid_parameter', message, { errors: { key: [message] } });
}

/** Of values stored for a repo, those that it may have; what else is there counts for nothing. */
export const repoSettingsOf = (stored: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(stored ?? {}).filter(([key]) => REPO_SETTING_KEYS.some((accepted) => accepted === key)),
  );

/** Checks one value and fills in what it leaves out. Throws a StrataError that says what is accepted. */
export function checkEntitySetting(key: EntitySettingKey, value: unknown): unknown {
  const { schema, accepts } = ENTITY_SETTINGS[key];
  const result = schema.safeParse(value);
  if (result.success && hasStorableTexts(result.data)) return result.data;
  const where = result.success ? 'NUL or half a surrogate pair' : result.error.issues[0]?.path.join('.');
  const message = `${key} cannot be ${JSON.stringify(value)}${where ? ` (see ${where})` : ''}; accepted is ${accepts}`;
  throw new StrataError('invalid_parameter', message, { errors: { [key]: [message] } });
}

function hasStorableTexts(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasStorableTexts);
}

/**
 * A value as typed on a command line: JSON where it is JSON that fits, else the text, else a comma list. What is written as a
 * JSON list or object is meant as one, and not as a list of that text.
 */
export function parseEntitySetting(key: EntitySettingKey, text: string): unknown {
  const { schema } = ENTITY_SETTINGS[key];
  const value = tryJson(text);
  const list = typeof value === 'object' ? undefined : text.split(',').map((item) => item.trim());
  for (const candidate of [value, text, list]) {
    if (candidate !== undefined && schema.safeParse(candidate).success) return checkEntitySetting(key, candidate);
  }
  return checkEntitySetting(key, value ?? text);
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stored values over the defaults. A stored value that a newer version no longer accepts gives the default. */
export function effectiveEntitySettings(stored: Readonly<Record<string, unknown>>): EntitySettings {
  const entries = ENTITY_SETTING_KEYS.map((key) => {
    const { schema, default: initial } = ENTITY_SETTINGS[key];
    const result = Object.hasOwn(stored, key) ? schema.safeParse(stored[key]) : undefined;
    return [key, result?.success ? result.data : initial];
  });
  // Each value was made by its own row's schema or is its row's default.
  return Object.fromEntries(entries) as EntitySettings;
}

/** Ids of the kinds of code whose lines are in line statistics. */
export const lineCategoryIds = (settings: Pick<EntitySettings, 'line_statistics_categories'>): readonly number[] =>
  settings.line_statistics_categories.map((key) => CATEGORY_IDS[key]);
