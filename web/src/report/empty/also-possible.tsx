// What could be shown if more data were there: one row, by kind of data, instead of a wall of empty charts.
import type { Segment } from '../../api/queries.ts';
import { countOf } from '../../text/numbers.ts';
import { capitalize, sentence } from '../../text/words.ts';
import { pageLink, statisticLink } from '../../url/links.ts';
import { usePage } from '../page-context.ts';
import styles from './also-possible.module.css';
import { explainImports } from './why-empty.ts';

export function AlsoPossible({ segments }: { readonly segments: readonly Segment[] }) {
  const { entity, view, imports } = usePage();
  const kinds = Map.groupBy(
    segments.flatMap((segment) => {
      const missing = segment.missing[0];
      return missing === undefined ? [] : [{ segment, missing }];
    }),
    ({ missing }) => missing.data_kind,
  );
  if (kinds.size === 0) return null;
  const importing = explainImports(imports.repos);
  return (
    <section className={styles.row} aria-label="Also possible" data-also-possible="">
      <h2>Also possible</h2>
      <ul>
        {[...kinds].map(([kind, [first, ...others]]) => {
          const { segment, missing } = first!;
          // An import that failed or runs is why there are no commits; to import is no advice then.
          const stands = kind === 'commits' && importing?.reason !== 'no repo' ? importing : null;
          return (
            <li key={kind}>
              <a
                href={
                  missing.page !== 'imports'
                    ? statisticLink(entity.slug, segment.segment_em, view)
                    : pageLink(entity.slug, 'imports', view)
                }
              >
                {stands === null ? capitalize(missing.title) : stands.title}
              </a>
              <span> · {countOf(others.length + 1, 'statistic')}</span>
              <p>{stands === null ? missing.remedy : `${stands.text} ${sentence(stands.action?.label ?? '')}`}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
