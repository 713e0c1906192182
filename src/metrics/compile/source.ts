// Question → the rows it is about: the fact with its joins and conditions, and the texts for the date, the
// bucket and the two dimensions. What is done with the rows is compile-query's part.
import type { IntervalName } from '../../domain/segments.ts';
import { type AnyFact, FACTS, relationText } from '../catalogue/facts.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from '../catalogue/measures.ts';
import { RELATIONS } from '../catalogue/relations.ts';
import type { Split } from '../catalogue/segment-row.ts';
import type { ScopeShape } from '../scope.ts';
import { AGENTS, DEFAULT_TEAMS, isoWeek, peopleText, seatsText } from './people.ts';

export type Bucket = IntervalName | 'whole' | 'iso week';
/** Repo paths and providers are named differently as aggregation and as split; here they are one. */
export type Dimension = Split;

export interface Question {
  readonly measure: MeasureName;
  readonly bucket: Bucket;
  readonly group: Dimension | null;
  readonly split: Dimension | null;
  /** Folds the other groups or splits into one. */
  readonly foldsGroups: boolean;
  readonly foldsSplits: boolean;
  readonly wants: 'cells' | 'records';
  /** What a statistic divides by people is the work of people, see `isPerPerson`. */
  readonly by: 'people' | null;
}

export interface SourceText {
  readonly measure: AnyMeasure;
  readonly fact: AnyFact;
  /** Table or relation that is read. */
  readonly name: string;
  readonly ctes: readonly string[];
  readonly from: string;
  readonly joins: readonly string[];
  readonly where: readonly string[];
  readonly day: string;
  readonly bucket: string;
  /** ISO week that decides the cohort. */
  readonly week: string;
  readonly usesCohorts: boolean;
  /** Only the cohort needs to know who is who: people can be joined to what the rows were put together to. */
  readonly joinsPeopleLate: boolean;
  readonly group: string;
  readonly split: string;
  /** What tells the groups and splits apart: an id is put together faster than its digits. Null where there is one. */
  readonly groupKey: string | null;
  readonly splitKey: string | null;
}

export const FOLDED = '~other';
/** What the commits are called that tell the branch: a query that narrows by it names them. */
export const ON_DEFAULT_BRANCH = 'of_default_branch';
const COHORT = `coalesce(k.cohort, 'Non-user')`;

export const foldedText = (text: string, folds: boolean, kept: 'kept_groups' | 'kept_splits'): string =>
  folds ? `case when ${text} = any(:${kept}::text[]) then ${text} else '${FOLDED}' end` : text;

/**
 * `moment` is given where the date is that of a moment. Its place among the instants at which the intervals begin
 * is found by a few comparisons, where a zone would have to be looked up for each row.
 */
function bucketOf(day: string, bucket: Bucket, shape: ScopeShape, moment: string | null = null): string {
  if (bucket === 'whole') return ':from::date';
  if (bucket === 'iso week') return isoWeek(day);
  if (moment !== null) return `(:interval_keys::date[])[width_bucket(${moment}, :interval_starts::timestamptz[])]`;
  switch (bucket) {
    case 'daily':
      return day;
    case 'weekly':
      return shape.weekStartsOnSunday ? `${isoWeek(`(${day} + 1)`)} - 1` : isoWeek(day);
    case 'monthly':
      return `date_trunc('month', ${day}::timestamp)::date`;
  }
}

export function compileSource(question: Question, shape: ScopeShape): SourceText {
  const measure: AnyMeasure = MEASURES[question.measure];
  const fact: AnyFact = FACTS[measure.fact];
  const moment = measure.during === undefined ? `f.${measure.at ?? measure.between?.[1]}` : 'i.at';
  const day = fact.day !== undefined ? `f.${fact.day}` : `(${moment} at time zone :zone)::date`;
  const dimensions = [question.group, question.split];
  const usesTeams = dimensions.includes('team') || shape.namesTeam;
  const usesCohorts = dimensions.includes('ai_cohort');
  const usesRepos = shape.namesRepos || dimensions.includes('repo') || usesTeams;
  const wantsRecords = question.wants === 'records';
  // Daily sums are of all branches: which of their commits are on the default one only the twin knows.
  const readsTwin = wantsRecords || (shape.isDefaultBranchOnly && fact.twin !== undefined);
  const isOfDays = fact.isWithoutReposOfUtc !== true || shape.otherDayOfTools === 0;
  const other = readsTwin ? fact.twin : usesRepos || !isOfDays ? undefined : fact.withoutRepos;
  const name = other ?? fact.source;
  const tellsPeopleApart =
    usesTeams ||
    shape.namesPeople ||
    shape.isAboutPeople ||
    dimensions.includes('committer') ||
    measure.distinct?.includes('person') === true ||
    measure.withoutUsage === true;
  // Rows of commits that count are of people who count: they need not be looked up where nobody is told apart.
  const joinsPeopleLate =
    usesCohorts && !tellsPeopleApart && fact.isOfCounted === true && !wantsRecords && measure.between === undefined;
  const countsAnybody = fact.isOfCounted === true || measure.byAnyone === true;
  const usesPeople =
    fact.committer !== undefined && !joinsPeopleLate && (tellsPeopleApart || usesCohorts || !countsAnybody);

  const joins: string[] = [];
  const where: string[] = fact.isOfRange === true ? [] : ['f.entity_id = :entity'];

  if (usesPeople) {
    // What belongs to nobody is in no cohort: not to be known as a user is not to be a non-user.
    const countsUnknown = measure.byAnyone === true || measure.byUnknown === true || fact.team !== undefined;
    const allowsNobody = countsUnknown && !shape.isAboutPeople && !usesCohorts;
    joins.push(`${allowsNobody || fact.team ? 'left join' : 'join'} people p on p.id = f.${fact.committer}`);
    if (allowsNobody && (measure.byAnyone !== true || shape.namesPeople)) {
      where.push(`(p.id is not null or f.${fact.committer} is null)`);
    }
    if (!allowsNobody && fact.team !== undefined) {
      // What is the team's own comes with the team; who asks for people as well asks for theirs alone.
      const isOfTeam = shape.namesTeam && !usesCohorts && !shape.asksForPeople;
      // Where people are left out, so is what they have in the team.
      const isOfNobody = shape.namesPeople ? ` and f.${fact.committer} is null` : '';
      where.push(isOfTeam ? `(p.id is not null or f.${fact.team} = :team::bigint${isOfNobody})` : 'p.id is not null');
    }
  } else if (shape.asksForPeople && fact.people !== undefined) {
    where.push(
      `f.record_id in (select v.record_id from (${RELATIONS[fact.people].sql}) v join people p on p.id = v.committer_id)`,
    );
  }

  let team = 't.team_id';
  if (usesTeams && usesPeople) {
    const isIn = `${repoTest(fact)}t.days @> ${day}`;
    const seat = `t.root_id = p.root_id and ${likely(isIn)}`;
    if (fact.team === undefined) joins.push(`join seats t on ${seat}`);
    else {
      joins.push(`left join seats t on f.${fact.team} is null and ${seat}`);
      team = `coalesce(f.${fact.team}, t.team_id)`;
      // The team of everybody is no team to be told apart from others.
      where.push(
        shape.namesTeam ? `${team} = :team::bigint` : `${team} is not null and ${team} <> all(${DEFAULT_TEAMS})`,
      );
    }
  } else if (usesTeams && fact.people !== undefined) {
    joins.push(`join (
      select x.record_id, x.team_id, range_agg(x.days) as days from (
        select v.record_id, t.team_id, d.days from (${RELATIONS[fact.people].sql}) v
        join people p on p.id = v.committer_id
        join seats t on t.root_id = p.root_id and t.repo_ids is null cross join unnest(t.days) as d (days)
        union all
        select v.record_id, t.team_id, '(,)'::daterange
        from ${relationText(fact.repos ?? fact.source)} v join seats t on v.repo_id = any(t.repo_ids)) x
      group by 1, 2
    ) t on t.record_id = f.record_id and ${likely(`t.days @> ${day}`)}`);
  }

  if (dimensions.includes('repo') && fact.repos !== undefined) {
    const isNamed = shape.namesRepos ? ' and s.repo_id = any(:repos::bigint[])' : '';
    joins.push(`join (
      select distinct s.record_id, s.repo_id${fact.recordType === undefined ? '' : ', s.record_type'}
      from ${relationText(fact.repos)} s where s.repo_id is not null${isNamed}) g on ${sameRecord('g', fact)}`);
  }

  where.push(...conditionsOf(measure, fact, shape));
  if (fact.countedIn !== undefined && name !== fact.withoutRepos) {
    where.push(countedOnce(fact, shape, usesTeams && usesPeople && fact.team === undefined));
  }
  const by = measure.by ?? (measure.distinct?.includes('person') === true ? 'people' : question.by);
  if (fact.committer !== undefined && by !== null) {
    where.push(`(f.${fact.committer} = any(${AGENTS})) is ${by === 'people' ? 'not true' : 'true'}`);
  }
  const dated = datesOf(question, measure, fact, day, shape);
  joins.unshift(...dated.joins);
  where.push(...dated.where);
  if (measure.distinct?.includes('person')) where.push('p.id is not null');

  const groupColumn = columnOf(question.group, fact, team);
  const splitColumn = columnOf(question.split, fact, team);
  for (const [dimension, column] of [
    [question.group, groupColumn],
    [question.split, splitColumn],
  ] as const) {
    if (dimension === 'committer' || dimension === 'repo') where.push(`${column} is not null`);
  }
  const group = foldedText(textOf(groupColumn), question.foldsGroups, 'kept_groups');
  const split = foldedText(textOf(splitColumn), question.foldsSplits, 'kept_splits');
  const namesPeople = usesCohorts || [...joins, ...where].some((text) => /\bpeople\b/.test(text));
  return {
    measure,
    fact,
    name,
    ctes: [...(namesPeople ? [peopleText(shape)] : []), ...(usesTeams ? [seatsText(shape)] : [])],
    from: `from ${relationText(name)} f`,
    joins,
    where,
    day,
    bucket: dated.bucket,
    week: isoWeek(fact.cohortDay === undefined ? day : `f.${fact.cohortDay}`),
    usesCohorts,
    joinsPeopleLate,
    group,
    split,
    groupKey: question.foldsGroups ? group : groupColumn,
    splitKey: question.foldsSplits ? split : splitColumn,
  };
}

const repoTest = ({ repo }: AnyFact): string =>
  repo === undefined ? '' : `(t.repo_ids is null or f.${repo} = any(t.repo_ids)) and `;

/**
 * The planner takes a condition on ranges and lists for one that hardly any row fulfils, expects one row, and then compares
 * each of thousands with all of what is joined next. Of a case it expects half.
 */
const likely = (condition: string): string => `case when ${condition} then true else false end`;

/** Ids are told apart by their kind where a fact has records of several. */
const sameRecord = (alias: string, fact: AnyFact): string =>
  [
    `${alias}.record_id = f.record_id`,
    ...(fact.recordType === undefined ? [] : [`${alias}.record_type = f.${fact.recordType}`]),
  ].join(' and ');

/**
 * What several repos hold counts in the first of them that the scope has. A team that has repos of its own is a scope
 * within the scope.
 */
function countedOnce(fact: AnyFact, { namesRepos }: ScopeShape, hasTeams: boolean): string {
  const repos = `f.${fact.countedIn}`;
  const isOwn = fact.isShared === undefined ? `${repos} = '{}'` : `not f.${fact.isShared}`;
  if (!hasTeams) return namesRepos ? `(${isOwn} or not (${repos} && :repos::bigint[]))` : isOwn;
  const isInScope = namesRepos ? 'h.repo_id = any(:repos::bigint[])' : 'true';
  return `(${isOwn} or not exists (
      select from unnest(${repos}) as h (repo_id) where ${isInScope} and (t.repo_ids is null or h.repo_id = any(t.repo_ids))))`;
}

/** Repos, provider, and what the measure itself asks for. */
function conditionsOf(measure: AnyMeasure, fact: AnyFact, shape: ScopeShape): string[] {
  const where: string[] = [];
  if (shape.namesRepos && fact.repo !== undefined) {
    where.push(`f.${fact.repo} = any(:repos::bigint[])`);
  }
  if (shape.namesRepos && fact.repos !== undefined) {
    where.push(`exists (select 1 from ${relationText(fact.repos)} s where ${sameRecord('s', fact)}
      and (s.repo_id = any(:repos::bigint[]) or s.repo_id is null and s.organization_id = any(:organizations::bigint[])))`);
  }
  if (shape.namesRepos && fact.reposOfIssue === true) {
    where.push(`exists (select 1 from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
      where n.entity_id = f.entity_id and n.issue_id = f.record_id and c.repo_id = any(:repos::bigint[]))`);
  }
  if (shape.namesProvider && fact.provider !== undefined) where.push(`f.${fact.provider} = :provider::text`);
  if (shape.isDefaultBranchOnly) where.push(...onDefaultBranch(fact));
  if (measure.files !== undefined) {
    where.push(`f.category ${measure.files === 'processed' ? '= any' : '<> all'}(:line_categories::smallint[])`);
  }
  for (const [name, wanted] of Object.entries(measure.where ?? {})) {
    if (typeof wanted === 'boolean') where.push(wanted ? `f.${name}` : `not f.${name}`);
    else if (typeof wanted === 'number') where.push(`f.${name} = ${wanted}`);
    else where.push(`f.${name} in (${wanted.join(', ')})`);
  }
  for (const name of measure.reports ?? []) where.push(`f.${name} is not null`);
  return where;
}

/** Nothing where the fact is not of commits. */
function onDefaultBranch(fact: AnyFact): string[] {
  const isOfCommit = fact.audit === 'commits' && fact.recordType === undefined;
  if (isOfCommit && (fact.twin !== undefined || fact.record === 'record_id')) {
    return [
      `exists (select 1 from commits ${ON_DEFAULT_BRANCH} where ${ON_DEFAULT_BRANCH}.entity_id = :entity
      and ${ON_DEFAULT_BRANCH}.id = f.record_id and ${ON_DEFAULT_BRANCH}.on_default_branch)`,
    ];
  }
  // Reported use is spread over all commits of a person's day: how much of it the default branch has is not known.
  return fact.isOfCounted === true ? ['false'] : [];
}

/** Which dates are asked for, and which bucket each falls in. */
function datesOf(
  question: Question,
  measure: AnyMeasure,
  fact: AnyFact,
  day: string,
  shape: ScopeShape,
): { readonly joins: readonly string[]; readonly where: readonly string[]; readonly bucket: string } {
  const joins: string[] = [];
  const where: string[] = [];
  const moment = fact.day === undefined && measure.at !== undefined ? `f.${measure.at}` : null;
  let bucket = bucketOf(day, question.bucket, shape, moment);
  const isOpen = `coalesce(f.${fact.lastly}, 'infinity'::timestamptz) > :from_at::timestamptz`;
  if (measure.clipped === true && measure.between !== undefined) {
    const [begin, end] = measure.between;
    where.push(`f.${begin} < :to_at::timestamptz and f.${end} > :from_at::timestamptz`);
    if (fact.lastly !== undefined) where.push(isOpen);
    bucket = ':from::date';
  } else if (measure.during !== undefined) {
    const [begin, end] = measure.during;
    // Which of the moments lie in it is found by their places in the list: most items lie between two of them.
    const countBefore = (moment: string): string =>
      `width_bucket(${moment} - interval '1 microsecond', :interval_ats::timestamptz[])`;
    const first = `${countBefore(`f.${begin}`)} + 1`;
    const last = countBefore(`coalesce(f.${end}, 'infinity'::timestamptz)`);
    joins.push(`cross join lateral generate_series(${first}, ${last}) as n (place)
    cross join lateral (
      select (:interval_keys::date[])[n.place] as key, (:interval_ats::timestamptz[])[n.place] as at) i`);
    where.push(`${first} <= ${last}`);
    where.push(`f.${begin} < :to_at::timestamptz`);
    if (fact.lastly !== undefined) where.push(isOpen);
    bucket = 'i.key';
  } else if (measure.windowDays !== undefined) {
    where.push(`${day} > :from::date - ${measure.windowDays} and ${day} <= :to::date`);
    bucket = day;
    if (question.wants === 'records') {
      joins.push(`join unnest(:interval_keys::date[], :interval_ends::date[]) as i (key, ends)
        on ${day} > i.ends - ${measure.windowDays} and ${day} <= i.ends`);
      bucket = 'i.key';
    }
  } else if (fact.isOfRange === true) {
    // said by the relation
  } else if (fact.day !== undefined) {
    where.push(`${day} between :from::date and :to::date`);
    if (fact.near !== undefined) {
      where.push(`f.${fact.near} >= :from_at::timestamptz - interval '1 day'`);
      where.push(`f.${fact.near} < :to_at::timestamptz + interval '1 day'`);
    }
  } else {
    where.push(`f.${measure.at} >= :from_at::timestamptz and f.${measure.at} < :to_at::timestamptz`);
  }
  if (measure.onBusinessDays === true) {
    where.push(`(${day} - '0001-01-01'::date) % 7 < 5 and ${day} <> all(:holidays::date[])`);
  }
  if (measure.withoutUsage === true) {
    const isUsedOn = (used: string): string =>
      `${used} between :from::date and :to::date
        and ${bucketOf(used, question.bucket, shape)} = ${bucket}`;
    const other = shape.otherDayOfTools;
    // Whoever may have used something on the day is not said to have used nothing.
    const isUsed =
      other === 0
        ? isUsedOn('u.used_on')
        : `u.used_on between :from::date - 1 and :to::date + 1
        and (${isUsedOn('u.used_on')} or ${isUsedOn(`(u.used_on + ${other})`)})`;
    where.push(`not exists (
      select 1 from ai_usages u join people o on o.id = u.committer_id
      where u.entity_id = :entity and o.root_id = p.root_id and ${isUsed})`);
  }
  return { joins, where, bucket };
}

/** Of the dimension as it is stored; null where nothing is told apart. */
function columnOf(name: Dimension | null, fact: AnyFact, team: string): string | null {
  switch (name) {
    case null:
      return null;
    case 'team':
      return team;
    case 'repo':
      return fact.repos === undefined ? `f.${fact.repo}` : 'g.repo_id';
    case 'committer':
      return 'p.root_id';
    case 'ai_cohort':
      return COHORT;
    case 'provider':
      return `f.${fact.provider}`;
    case 'model':
      return `f.${fact.model}`;
    default:
      return `f.${name}`;
  }
}

const textOf = (column: string | null): string =>
  column === null ? `''` : column === COHORT ? column : `${column}::text`;
