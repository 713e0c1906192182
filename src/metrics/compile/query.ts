// Question → SQL text with named parameters (`:name`). Cells are sums by bucket, group and split; the same
// question asked for records drops the sums and reads the twin that has one row per record, so that what
// explains a point is what made it.

import type { AnyFact } from '../catalogue/facts.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from '../catalogue/measures.ts';
import type { ScopeShape } from '../scope.ts';
import { cohortsText, isoWeek } from './people.ts';
import { compileSource, foldedText, type Question, type SourceText } from './source.ts';

/** `also` are further measures over the same rows; the n-th is answered as `value_n`. */
export function compileQuery(question: Question, shape: ScopeShape, also: readonly MeasureName[] = []): string {
  const source = compileSource(question, shape);
  const { measure, usesCohorts } = source;
  if (question.wants === 'records' || measure.between !== undefined) return compileRows(question, source);
  if (measure.distinct !== undefined || usesCohorts || measure.windowDays !== undefined) {
    return compileInTwoSteps(question, source, also);
  }
  return assemble(source.ctes, [...keysOf(source), ...valuesOf(source, also)], [...rowsOf(source), groupsOf(source)]);
}

const keysOf = ({ bucket, group, split }: SourceText): string[] => [
  `${bucket} as bucket`,
  `${group} as grp`,
  `${split} as split`,
];

const groupsOf = ({ groupKey, splitKey }: SourceText): string =>
  `group by ${[1, groupKey, splitKey].filter((key) => key !== null).join(', ')}`;

const rowsOf = ({ from, joins, where }: SourceText): string[] => [
  from,
  ...joins,
  ...(where.length === 0 ? [] : [`where ${where.join('\n  and ')}`]),
];

const valuesOf = ({ measure, fact }: SourceText, also: readonly MeasureName[]): string[] =>
  named([measure, ...also.map((name): AnyMeasure => MEASURES[name])].map((each) => sumOf(each, fact)));

const named = (texts: readonly string[]): string[] =>
  texts.map((text, index) => `${text} as value${index === 0 ? '' : `_${index}`}`);

/** One row for each record, or the items of each cell whose values are lengths of time. */
function compileRows(question: Question, source: SourceText): string {
  const { measure, fact, day, joins, usesCohorts, week } = source;
  const wantsRecords = question.wants === 'records';
  const keys = [
    ...(wantsRecords ? [`f.${fact.twin === undefined ? fact.record : 'record_id'} as record_id`] : []),
    ...(wantsRecords && fact.recordType !== undefined ? [`f.${fact.recordType} as record_type`] : []),
    ...keysOf(source),
  ];
  const places = keys.map((_, index) => index + 1).join(', ');
  const where = [...source.where];
  const columns = [...keys];
  if (measure.between !== undefined) {
    const [begin, end] = measure.between;
    where.push(`f.${begin} is not null and f.${end} is not null`);
    for (const [name, moment] of Object.entries({ begins: begin, ends: end })) {
      // One row for each cell, of moments as they are stored: rows and digits take longer to send than to find.
      columns.push(
        wantsRecords
          ? `(date_part('epoch', f.${moment}) * 1000)::bigint as ${name}_ms`
          : `string_agg(timestamptz_send(f.${moment}), '') as ${name}`,
      );
    }
  } else if (measure.distinct === undefined) {
    if (fact.mayLackAmounts === true && measure.sum !== undefined) where.push(saysSome(measure.sum));
    columns.push(`${sumOf(measure, {})} as value`);
  } else {
    const members = measure.distinct.map((name) => memberOf(name, day));
    columns.push(
      `count(distinct (${members.join(', ')})) as value`,
      `array_agg(distinct ${members.map((text) => `(${text})::text`).join(` || ' ' || `)}) as members`,
    );
  }
  const tail = measure.between !== undefined && wantsRecords ? [] : [`group by ${places}`];
  if (!usesCohorts) return assemble(source.ctes, columns, [...rowsOf({ ...source, where }), ...tail]);
  const reaches = fact.cohortDay !== undefined;
  const items = `items as (select distinct p.root_id, ${week} as week\n${rowsOf(source).join('\n')})`;
  const cohort = `left join cohorts k on k.root_id = p.root_id and k.week = ${week}`;
  return assemble([...source.ctes, ...(reaches ? [items] : []), cohortsText(reaches)], columns, [
    ...rowsOf({ ...source, joins: [...joins, cohort], where }),
    ...tail,
  ]);
}

/**
 * Puts the rows together by what is counted once, by person and week, or by day, before they meet cohorts or
 * windows: those then join a few thousand rows, whatever the size of the fact.
 */
function compileInTwoSteps(question: Question, source: SourceText, also: readonly MeasureName[]): string {
  const { measure, fact, usesCohorts, joinsPeopleLate, day, week } = source;
  const distinct = measure.distinct ?? [];
  const members = distinct.map((_, index) => `member_${index}`);
  const groupKey = question.group === 'ai_cohort' ? null : source.groupKey;
  const splitKey = question.split === 'ai_cohort' ? null : source.splitKey;
  const keys = [
    `${source.bucket} as bucket`,
    ...(groupKey === null ? [] : [`${groupKey} as grp`]),
    ...(splitKey === null ? [] : [`${splitKey} as split`]),
    ...(usesCohorts ? [joinsPeopleLate ? `f.${fact.committer} as person_id` : 'p.root_id', `${week} as week`] : []),
    ...distinct
      .map((name, index) => ({ member: memberOf(name, day), as: members[index] }))
      // a group of its own tells its members apart already
      .filter(({ member }) => usesCohorts || (member !== groupKey && member !== splitKey))
      .map(({ member, as }) => `${member} as ${as}`),
  ];
  const places = keys.map((_, index) => index + 1).join(', ');
  const inner = [...keys, ...(measure.distinct === undefined ? valuesOf(source, also) : [])];
  const items = `items as (
select ${inner.join(',\n  ')}
${rowsOf(source).join('\n')}
group by ${places})`;
  const reaches = fact.cohortDay !== undefined;
  const cohort = `coalesce(k.cohort, 'Non-user')`;
  const groupCohort = question.group === 'ai_cohort' ? foldedText(cohort, question.foldsGroups, 'kept_groups') : null;
  const splitCohort = question.split === 'ai_cohort' ? foldedText(cohort, question.foldsSplits, 'kept_splits') : null;
  const groups = [1, groupCohort ?? (groupKey && 'x.grp'), splitCohort ?? (splitKey && 'x.split')];
  const isWindow = measure.windowDays !== undefined;
  return assemble(
    [...source.ctes, items, ...(usesCohorts ? [cohortsText(reaches)] : [])],
    [
      `${isWindow ? 'i.key' : 'x.bucket'} as bucket`,
      `${groupCohort ?? (groupKey === null ? `''` : 'x.grp::text')} as grp`,
      `${splitCohort ?? (splitKey === null ? `''` : 'x.split::text')} as split`,
      ...named(totalsOf(measure, members, usesCohorts, also.length)),
    ],
    [
      'from items x',
      ...(isWindow
        ? [
            // Of the intervals only those whose windows hold the day: they lie side by side, between two places.
            `cross join lateral generate_series(
    width_bucket(x.bucket - 1, :interval_ends::date[]) + 1,
    width_bucket(x.bucket + ${measure.windowDays! - 1}, :interval_ends::date[])) as n (place)
  cross join lateral (select (:interval_keys::date[])[n.place] as key) i`,
          ]
        : []),
      ...(joinsPeopleLate ? ['join people p on p.id = x.person_id'] : []),
      ...(usesCohorts
        ? [`left join cohorts k on k.root_id = ${joinsPeopleLate ? 'p' : 'x'}.root_id and k.week = x.week`]
        : []),
      `group by ${groups.filter((key) => key !== null).join(', ')}`,
    ],
  );
}

function totalsOf(
  { distinct }: AnyMeasure,
  members: readonly string[],
  usesCohorts: boolean,
  furtherCount: number,
): string[] {
  if (distinct === undefined) {
    return ['sum(x.value)', ...Array.from({ length: furtherCount }, (_, index) => `sum(x.value_${index + 1})`)];
  }
  // A person has one cohort in a week, but several in a month: only what names the week is counted once as it is.
  const isOfOneWeek = distinct.includes('person') && (distinct.includes('week') || distinct.includes('day'));
  if (!usesCohorts || isOfOneWeek) return ['count(*)'];
  return [`count(distinct (${members.map((name) => `x.${name}`).join(', ')}))`];
}

function assemble(ctes: readonly string[], columns: readonly string[], rest: readonly string[]): string {
  const lines = [
    ...(ctes.length === 0 ? [] : [`with ${ctes.join(',\n')}`]),
    `select ${columns.join(',\n  ')}`,
    ...rest,
  ];
  return lines
    .join('\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

const memberOf = (name: string, day: string): string =>
  name === 'person' ? 'p.root_id' : name === 'day' ? day : name === 'week' ? isoWeek(day) : `f.${name}`;

/** Columns are added up before they are weighed: products of fractions cost more than all else that is done to a row. */
function sumOf(
  { sum }: AnyMeasure,
  { isFilled, mayLackAmounts }: Pick<AnyFact, 'isFilled' | 'mayLackAmounts'>,
): string {
  if (sum === undefined) return 'count(*)';
  const read = (name: string): string => (isFilled === true ? `f.${name}` : `coalesce(f.${name}, 0)`);
  const rows = mayLackAmounts === true ? ` filter (where ${saysSome(sum)})` : '';
  const columns = Object.entries(sum);
  if (columns.some(([, weight]) => !Number.isInteger(weight))) {
    return columns.map(([name, weight]) => `${weight} * sum(${read(name)})${rows}`).join(' + ');
  }
  const terms = columns.map(([name, weight]) =>
    weight === 1 ? `+ ${read(name)}` : weight === -1 ? `- ${read(name)}` : `+ ${weight} * ${read(name)}`,
  );
  return `sum(${terms.join(' ').replace(/^\+ /, '')})${rows}`;
}

const saysSome = (sum: NonNullable<AnyMeasure['sum']>): string =>
  `num_nonnulls(${Object.keys(sum)
    .map((name) => `f.${name}`)
    .join(', ')}) > 0`;
