// The statistic that should be read together with this one, on the same axis: a speed never stands without
// its quality.
import type { Segment } from '../../api/queries.ts';
import { Figure } from '../../report/figure.tsx';
import { Headline } from '../../report/headline.tsx';
import { usePage } from '../../report/page-context.ts';
import { useReport } from '../../report/use-report.ts';
import { Panel } from '../../ui/surfaces/panel.tsx';
import { statisticLink } from '../../url/links.ts';

interface CompanionProps {
  readonly segment: Segment;
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
}

const HEIGHT = 160;

export function Companion({ segment, hovered, onHover }: CompanionProps) {
  const { segments, entity, view } = usePage();
  const companion = segments.get(segment.companion_segment_em);
  if (companion === undefined || companion === segment) return null;
  return (
    <Panel
      title={
        <>
          Read together with <a href={statisticLink(entity.slug, companion.segment_em, view)}>{companion.title}</a>
        </>
      }
    >
      <CompanionFigure companion={companion} hovered={hovered} onHover={onHover} />
    </Panel>
  );
}

function CompanionFigure({
  companion,
  hovered,
  onHover,
}: {
  companion: Segment;
  hovered: number | null;
  onHover: (index: number | null) => void;
}) {
  const figures = useReport(companion, 'none', { change: { view: 'chart', stat: 'mean' } });
  return (
    <>
      {companion.is_available && <Headline figures={figures} />}
      <Figure figures={figures} height={HEIGHT} hovered={hovered} onHover={onHover} target="own page" />
    </>
  );
}
