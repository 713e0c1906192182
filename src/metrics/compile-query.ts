// Question → SQL text. A question names a measure, what to group by and how dates are put together; the
// answer is one statement with named parameters (`:name`). The same question asked for records drops the
// aggregation and reads the twin that has one row per record, so that what explains a point is what made it.
import type { IntervalName } from '../domain/segments.ts';
import { type AnyFact, FACTS, hasColumn, relationText } from './facts.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from './measures.ts';
import { RELATIONS } from './relations.ts';
import type { Scope } from './scope.ts';
import type { Split } from './segment-row.ts';

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
}

export const FOLDED = '~other';

const COHORTS = `cohorts as (
  select y.root_id, y.week,
    case when y.interactions = 0 then 'Non-user' when y.interactions <= 2 * y.days then 'Sparse'
      when y.interactions < 5 * y.days then 'Periodic' when y.interactions <= 10 * y.days then 'Regular'
      else 'Power' end as cohort
  from (
    select x.root_id, date_trunc('week', x.day::timestamp)::date as week, sum(x.interactions) as interactions,
      count(distinct x.day) as days
    from (
      select p.root_id, u.used_on as day,
        case when u.prompted_suggest_count is null and u.tab_accept_count is null then ceil(coalesce(u.lines_added, 0) / 20.0)
          else coalesce(u.prompted_suggest_count, 0) + coalesce(u.tab_accept_count, 0) end as interactions
      from ai_usages u join people p on p.id = u.committer_id
      where u.entity_id = :entity and u.used_on between :cohorts_from::date and :cohorts_to::date
      union all
      select p.root_id, d.authored_on, 0
      from daily_commits d join people p on p.id = d.committer_id
      where d.entity_id = :entity and d.authored_on between :cohorts_from::date and :cohorts_to::date) x
    group by 1, 2) y)`;

const people = (scope: Scope): string => `people as (
  select x.id, x.root_committer_id as root_id
  from committers x join committers r on r.entity_id = x.entity_id and r.id = x.root_committer_id
  where x.entity_id = :entity and r.processing_status = 'processing_stats'${
    scope.personIds === null ? '' : ' and r.id = any(:people::bigint[])'
  })`;

const seats = (scope: Scope): string => `seats as (
  select m.team_id, x.root_committer_id as root_id, range_agg(daterange(m.from_on, m.until_on)) as days, q.repo_ids
  from team_members m
  join teams t on t.entity_id = m.entity_id and t.id = m.team_id and not t.is_default
  join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
  left join (
    select n.team_id, array_agg(s.id) as repo_ids
    from team_repos n
    join organizations o on o.entity_id = n.entity_id and o.slug = n.organization_slug
    join repos s on s.entity_id = o.entity_id and s.organization_id = o.id and s.slug = n.repo_slug
    where n.entity_id = :entity group by n.team_id) q on q.team_id = m.team_id
  where m.entity_id = :entity and m.role_em = 'committer_role'${scope.teamId === null ? '' : ' and m.team_id = :team::bigint'}
  group by m.team_id, x.root_committer_id, q.repo_ids)`;

function bucketOf(day: string, bucket: Bucket, scope: Scope): string {
  switch (bucket) {
    case 'daily':
      return day;
    case 'weekly':
      return scope.weekStartsOnSunday
        ? `date_trunc('week', (${day} + 1)::timestamp)::date - 1`
        : `date_trunc('week', ${day}::timestamp)::date`;
    case 'monthly':
      return `date_trunc('month', ${day}::timestamp)::date`;
    case 'iso week':
      return `date_trunc('week', ${day}::timestamp)::date`;
    case 'whole':
      return ':from::date';
  }
}

/** `also` are further measures over the same rows; the n-th is answered as `value_n`. */
export function compileQuery(question: Question, scope: Scope, also: readonly MeasureName[] = []): string {
  const measure: AnyMeasure = MEASURES[question.measure];
  const fact: AnyFact = FACTS[measure.fact];
  const wantsRecords = question.wants === 'records';
  const source = wantsRecords && fact.twin !== undefined ? fact.twin : fact.source;
  const column = (name: string): string => `f.${name}`;
  const moment = measure.during === undefined ? `f.${measure.at ?? measure.between?.[1]}` : 'i.at';
  const day = fact.day !== undefined ? column(fact.day) : `(${moment} at time zone :zone)::date`;
  const dimensions = [question.group, question.split];
  const usesTeams = dimensions.includes('team') || scope.teamId !== null;
  const usesCohorts = dimensions.includes('ai_cohort');
  const usesPeople = fact.committer !== undefined;

  const joins: string[] = [];
  const where: string[] = ['f.entity_id = :entity'];
  const ctes: string[] = [people(scope)];
  if (usesTeams) ctes.push(seats(scope));
  if (usesCohorts) ctes.push(COHORTS);

  if (usesPeople) {
    const allowsNobody = (measure.byAnyone === true || fact.team !== undefined) && !scope.isAboutPeople;
    joins.push(`${allowsNobody || fact.team ? 'left join' : 'join'} people p on p.id = f.${fact.committer}`);
    if (allowsNobody && (measure.byAnyone !== true || scope.personIds !== null)) {
      where.push(`(p.id is not null or f.${fact.committer} is null)`);
    }
    if (!allowsNobody && fact.team !== undefined) {
      where.push(scope.teamId === null ? 'p.id is not null' : `(p.id is not null or f.${fact.team} = :team::bigint)`);
    }
  } else if (scope.isAboutPeople && fact.people !== undefined && scope.teamId === null) {
    where.push(
      `f.record_id in (select v.record_id from (${RELATIONS[fact.people].sql}) v join people p on p.id = v.committer_id)`,
    );
  }

  let team = 't.team_id';
  if (usesTeams && usesPeople) {
    const repos = fact.repo === undefined ? '' : ` and (t.repo_ids is null or f.${fact.repo} = any(t.repo_ids))`;
    const seat = `t.root_id = p.root_id and t.days @> ${day}${repos}`;
    if (fact.team === undefined) joins.push(`join seats t on ${seat}`);
    else {
      joins.push(`left join seats t on f.${fact.team} is null and ${seat}`);
      team = `coalesce(f.${fact.team}, t.team_id)`;
      where.push(scope.teamId === null ? `${team} is not null` : `${team} = :team::bigint`);
    }
  } else if (usesTeams && fact.people !== undefined) {
    joins.push(`join (
      select v.record_id, t.team_id from (${RELATIONS[fact.people].sql}) v
      join people p on p.id = v.committer_id join seats t on t.root_id = p.root_id and t.repo_ids is null
      union
      select v.record_id, t.team_id from ${relationText(fact.source)} v join seats t on v.repo_id = any(t.repo_ids)
    ) t on t.record_id = f.record_id`);
  }
  if (usesCohorts) {
    const cohortDay = fact.cohortDay === undefined ? day : column(fact.cohortDay);
    joins.push(
      `left join cohorts k on k.root_id = p.root_id and k.week = date_trunc('week', ${cohortDay}::timestamp)::date`,
    );
  }

  if (scope.repoIds !== null) {
    if (fact.repo !== undefined) {
      const inRepos = `f.${fact.repo} = any(:repos::bigint[])`;
      where.push(
        fact.organization === undefined
          ? inRepos
          : `(${inRepos} or (f.${fact.repo} is null and f.${fact.organization} = any(:organizations::bigint[])))`,
      );
    }
    if (fact.reposOfIssue === true) {
      where.push(`exists (select 1 from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
        where n.entity_id = f.entity_id and n.issue_id = f.record_id and c.repo_id = any(:repos::bigint[]))`);
    }
  }
  if (scope.aiProvider !== null && fact.provider !== undefined) where.push(`f.${fact.provider} = :provider::text`);
  for (const [name, wanted] of Object.entries(measure.where ?? {})) {
    if (typeof wanted === 'boolean') where.push(wanted ? `f.${name}` : `not f.${name}`);
    else if (typeof wanted === 'number') where.push(`f.${name} = ${wanted}`);
    else where.push(`f.${name} in (${wanted.join(', ')})`);
  }

  let bucket = bucketOf(day, question.bucket, scope);
  if (measure.clipped === true && measure.between !== undefined) {
    const [begin, end] = measure.between;
    where.push(`f.${begin} < :to_at::timestamptz and f.${end} > :from_at::timestamptz`);
    bucket = ':from::date';
  } else if (measure.during !== undefined) {
    const [begin, end] = measure.during;
    joins.unshift(`join unnest(:interval_keys::date[], :interval_ats::timestamptz[]) as i (key, at)
      on f.${begin} <= i.at and (f.${end} is null or f.${end} > i.at)`);
    bucket = 'i.key';
  } else if (measure.windowDays !== undefined) {
    joins.push(`join unnest(:interval_keys::date[], :interval_ends::date[]) as i (key, ends)
      on ${day} > i.ends - ${measure.windowDays} and ${day} <= i.ends`);
    where.push(`${day} > :from::date - ${measure.windowDays} and ${day} <= :to::date`);
    bucket = 'i.key';
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
    where.push(`extract(isodow from ${day}) < 6 and ${day} <> all(:holidays::date[])`);
  }
  if (measure.distinct?.includes('person')) where.push('p.id is not null');
  if (measure.withoutUsage === true) {
    where.push(`not exists (
      select 1 from ai_usages u join people o on o.id = u.committer_id
      where u.entity_id = :entity and o.root_id = p.root_id and u.used_on between :from::date and :to::date
        and ${bucketOf('u.used_on', question.bucket, scope)} = ${bucket})`);
  }

  const dimension = (name: Dimension | null, folds: boolean, kept: string): string => {
    const text = dimensionOf(name, fact, team);
    return folds ? `case when ${text} = any(:${kept}::text[]) then ${text} else '${FOLDED}' end` : text;
  };
  const group = dimension(question.group, question.foldsGroups, 'kept_groups');
  const split = dimension(question.split, question.foldsSplits, 'kept_splits');
  for (const [name, text] of [
    [question.group, group],
    [question.split, split],
  ] as const) {
    if (name === 'committer' || name === 'repo') where.push(`${text} is not null`);
  }

  const record = wantsRecords ? [`f.${fact.twin === undefined ? fact.record : 'record_id'} as record_id`] : [];
  // Rows of a relation that stand for records of several kinds say which.
  if (wantsRecords && hasColumn(source, 'record_type')) record.push('f.record_type');
  const keys = [...record, `${bucket} as bucket`, `${group} as grp`, `${split} as split`];
  if (measure.between !== undefined) {
    const [begin, end] = measure.between;
    where.push(`f.${begin} is not null and f.${end} is not null`);
    keys.push(`extract(epoch from f.${begin}) * 1000 as begins_ms`, `extract(epoch from f.${end}) * 1000 as ends_ms`);
    return assemble(ctes, keys, source, joins, where, '');
  }
  keys.push(`${quantityOf(measure, day)} as value`);
  for (const [index, name] of also.entries()) keys.push(`${quantityOf(MEASURES[name], day)} as value_${index + 1}`);
  if (wantsRecords && measure.distinct !== undefined) {
    keys.push(`array_agg(distinct ${memberText(measure.distinct, day)}) as members`);
  }
  const places = Array.from({ length: record.length + 3 }, (_, index) => index + 1).join(', ');
  return assemble(ctes, keys, source, joins, where, `group by ${places}`);
}

const assemble = (
  ctes: readonly string[],
  keys: readonly string[],
  source: string,
  joins: readonly string[],
  where: readonly string[],
  tail: string,
): string =>
  tidy(
    [
      `with ${ctes.join(',\n')}`,
      `select ${keys.join(',\n  ')}`,
      `from ${relationText(source)} f`,
      ...joins,
      `where ${where.join('\n  and ')}`,
      tail,
    ].join('\n'),
  );

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

function dimensionOf(name: Dimension | null, fact: AnyFact, team: string): string {
  switch (name) {
    case null:
      return `''`;
    case 'team':
      return `(${team})::text`;
    case 'repo':
      return `f.${fact.repo}::text`;
    case 'committer':
      return 'p.root_id::text';
    case 'ai_cohort':
      return `coalesce(k.cohort, 'Non-user')`;
    case 'provider':
      return `f.${fact.provider}::text`;
    case 'model':
      return `f.${fact.model}::text`;
    default:
      return `f.${name}::text`;
  }
}

const member = (name: string, day: string): string =>
  name === 'person'
    ? 'p.root_id'
    : name === 'day'
      ? day
      : name === 'week'
        ? `date_trunc('week', ${day}::timestamp)::date`
        : `f.${name}`;

const memberText = (names: readonly string[], day: string): string =>
  names.map((name) => `${member(name, day)}::text`).join(` || ' ' || `);

function quantityOf(measure: AnyMeasure, day: string): string {
  if (measure.sum !== undefined) {
    const terms = Object.entries(measure.sum).map(([name, weight]) => {
      const value = `coalesce(f.${name}, 0)`;
      return weight === 1 ? `+ ${value}` : weight === -1 ? `- ${value}` : `+ ${weight} * ${value}`;
    });
    return `sum(${terms.join(' ').replace(/^\+ /, '')})`;
  }
  if (measure.distinct !== undefined) {
    const members = measure.distinct.map((name) => member(name, day));
    return members.length === 1 ? `count(distinct ${members[0]})` : `count(distinct (${members.join(', ')}))`;
  }
  return 'count(*)';
}
