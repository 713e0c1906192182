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
  readonly companion: Segment;
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
  /** The statistic itself is under way. */
  readonly isWaiting: boolean;
}

const HEIGHT = 160;

export function Companion({ companion, ...shared }: CompanionProps) {
  const { entity, view } = usePage();
  return (
    <Panel
      title={
        <>
          Read together with <a href={statisticLink(entity.slug, companion.segment_em, view)}>{companion.title}</a>
        </>
      }
    >
      <CompanionFigure companion={companion} {...shared} />
    </Panel>
  );
}

function CompanionFigure({ companion, hovered, onHover, isWaiting }: CompanionProps) {
  const figures = useReport(companion, 'none', { change: { view: 'chart', stat: 'mean' }, isWaiting });
  return (
    <>
      {companion.is_available && <Headline figures={figures} />}
      <Figure figures={figures} height={HEIGHT} hovered={hovered} onHover={onHover} target="own page" />
    </>
  );
}
