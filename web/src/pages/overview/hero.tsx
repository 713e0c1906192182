// The big chart: Diff Delta, split in the way that was last chosen.
import { useRef, useState } from 'react';
import type { Segment } from '../../api/queries.ts';
import { ExportMenu } from '../../report/export/export-menu.tsx';
import { Figure } from '../../report/figure.tsx';
import { Headline } from '../../report/headline.tsx';
import { hereWith, usePage } from '../../report/page-context.ts';
import { useEvents } from '../../report/use-events.ts';
import { useReport } from '../../report/use-report.ts';
import { Switcher } from '../../ui/controls/switcher.tsx';
import { Panel } from '../../ui/surfaces/panel.tsx';
import { statisticLink } from '../../url/links.ts';

const SPLITS = [
  ['provenance', 'Age'],
  ['operation', 'Operation'],
  ['code_category', 'Kind'],
  ['repo', 'Repo'],
  ['team', 'Team'],
] as const;

const HEIGHT = 260;

export function Hero() {
  const page = usePage();
  const { segments, view } = page;
  const offered = SPLITS.flatMap(([name, text]) => {
    const segment = segments.get(name);
    return segment?.is_available ? [{ name, text, segment }] : [];
  });
  const chosen = offered.find(({ name }) => name === view.split) ?? offered[0];
  if (chosen === undefined) return null;
  const switcher = (
    <Switcher
      label="Split by"
      options={offered.map(({ name, text }) => ({
        key: name,
        text,
        href: hereWith(page, { split: name }),
        isCurrent: name === chosen.name,
      }))}
    />
  );
  return <HeroChart segment={chosen.segment} switcher={switcher} />;
}

function HeroChart({ segment, switcher }: { readonly segment: Segment; readonly switcher: React.ReactNode }) {
  const { entity, view } = usePage();
  const figures = useReport(segment, 'none', { change: { view: 'chart' }, sending: 'together' });
  const events = useEvents();
  const [hovered, setHovered] = useState<number | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  return (
    <div ref={holder}>
      <Panel
        title={<a href={statisticLink(entity.slug, segment.segment_em, view)}>{segment.title}</a>}
        controls={
          <>
            {switcher}
            <ExportMenu figures={figures} holder={holder} />
          </>
        }
      >
        <Headline figures={figures} />
        <Figure
          figures={figures}
          height={HEIGHT}
          hovered={hovered}
          onHover={setHovered}
          events={events}
          target="own page"
        />
      </Panel>
    </div>
  );
}
