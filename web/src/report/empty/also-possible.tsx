// What could be shown if more data were there: one row, by kind of data, instead of a wall of empty charts.
import type { Segment } from '../../api/queries.ts';
import { countOf } from '../../text/numbers.ts';
import { capitalize } from '../../text/words.ts';
import { pageLink, statisticLink } from '../../url/links.ts';
import { usePage } from '../page-context.ts';
import styles from './also-possible.module.css';

export function AlsoPossible({ segments }: { readonly segments: readonly Segment[] }) {
  const { entity, view } = usePage();
  const kinds = Map.groupBy(
    segments.flatMap((segment) => {
      const missing = segment.missing[0];
      return missing === undefined ? [] : [{ segment, missing }];
    }),
    ({ missing }) => missing.data_kind,
  );
  if (kinds.size === 0) return null;
  return (
    <section className={styles.row} aria-label="Also possible" data-also-possible="">
      <h2>Also possible</h2>
      <ul>
        {[...kinds].map(([kind, [first, ...others]]) => {
          const { segment, missing } = first!;
          return (
            <li key={kind}>
              <a
                href={
                  missing.page !== 'imports'
                    ? statisticLink(entity.slug, segment.segment_em, view)
                    : pageLink(entity.slug, 'imports', view)
                }
              >
                {capitalize(missing.title)}
              </a>
              <span> · {countOf(others.length + 1, 'statistic')}</span>
              <p>{missing.remedy}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
