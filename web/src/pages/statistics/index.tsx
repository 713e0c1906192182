// Every statistic by name: what it is, and whether its data is there.
import { useState } from 'react';
import { usePage } from '../../report/page-context.ts';
import { countOf } from '../../text/numbers.ts';
import { inSentence } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Empty } from '../../ui/surfaces/empty.tsx';
import layout from '../../ui/surfaces/page.module.css';
import { statisticLink } from '../../url/links.ts';
import styles from './statistics.module.css';

/** As in the navigation. */
const PAGES = ['code', 'work', 'reviews', 'delivery', 'ai'];

export function StatisticsPage() {
  const { segments, entity, view } = usePage();
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const found = [...segments.values()].filter(({ title, description, segment_em: name }) => {
    const text = `${title} ${description} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const ordered = found.toSorted((a, b) => PAGES.indexOf(a.page) - PAGES.indexOf(b.page));
  const groups = Map.groupBy(ordered, ({ category_title: category }) => category);
  return (
    <div className={layout.page}>
      <title>{`All statistics · ${entity.name} · Strata`}</title>
      <header className={layout.head}>
        <h1>All statistics</h1>
        <p>{countOf(found.length, 'statistic')}</p>
      </header>
      <div className={styles.search}>
        <Field
          label="Find"
          type="search"
          value={wanted}
          placeholder="churn, review, lead time"
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      {found.length === 0 && (
        <Empty title={`No statistic says “${wanted.trim()}”`} text="Titles, names and descriptions were searched.">
          <Button onClick={() => setWanted('')}>Show all statistics</Button>
        </Empty>
      )}
      {[...groups].map(([category, members]) => (
        <section key={category} className={styles.group}>
          <h2>{category}</h2>
          <ul>
            {members.map((segment) => (
              <li key={segment.segment_em}>
                <a href={statisticLink(entity.slug, segment.segment_em, view)}>{segment.title}</a>
                <span>{segment.description}</span>
                {segment.is_available ? null : <em>needs {inSentence(segment.missing[0]?.title ?? 'more data')}</em>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
