// All statistics of one subject: code, work, reviews, delivery, AI. Which belong here is said by the API.
import type { Segment } from '../../api/queries.ts';
import { AlsoPossible } from '../../report/empty/also-possible.tsx';
import { GoneNotice } from '../../report/empty/gone-notice.tsx';
import { OutsideNotice } from '../../report/empty/outside-notice.tsx';
import { usePage } from '../../report/page-context.ts';
import { Tiles } from '../../report/tiles.tsx';
import layout from '../../ui/surfaces/page.module.css';
import type { Page } from '../../url/links.ts';

export interface Subject {
  readonly page: Page & Segment['page'];
  readonly title: string;
  readonly question: string;
}

export function SubjectPage({ page: name, title, question }: Subject) {
  const { segments, entity } = usePage();
  const all = [...segments.values()].filter(({ page }) => page === name);
  const available = all.filter(({ is_available: isAvailable }) => isAvailable);
  const groups = Map.groupBy(available, ({ category_title: category }) => category);
  return (
    <div className={layout.page}>
      <title>{`${title} · ${entity.name} · Strata`}</title>
      <header className={layout.head}>
        <h1>{title}</h1>
        <p>{question}</p>
      </header>
      <GoneNotice segments={available} />
      <OutsideNotice segments={available} />
      {[...groups].map(([category, members]) => (
        <section key={category} className={layout.page} aria-label={category}>
          {groups.size > 1 && <h2>{category}</h2>}
          <Tiles segments={members} />
        </section>
      ))}
      <AlsoPossible segments={all.filter(({ is_available: isAvailable }) => !isAvailable)} />
    </div>
  );
}
