// All statistics of one subject: code, work, reviews, delivery, AI. Which belong here is said by the API.
import type { Segment } from '../../api/queries.ts';
import { AlsoPossible } from '../../report/empty/also-possible.tsx';
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
  const groups = Map.groupBy(
    all.filter(({ is_available: isAvailable }) => isAvailable),
    ({ category_title: category }) => category,
  );
  return (
    <div className={layout.page}>
      <title>{`${title} · ${entity.name} · Strata`}</title>
      <header className={layout.head}>
        <h1>{title}</h1>
        <p>{question}</p>
      </header>
      <OutsideNotice segments={[...groups.values()].flat()} />
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
