// What can be taken out of a chart: CSV, picture, address, and lines for a terminal.
import { Download, Image, Link2, Share, SquareTerminal } from 'lucide-react';
import type { RefObject } from 'react';
import { drawPng, type PictureLegend } from '../../charts/draw-png.ts';
import { formatInterval } from '../../text/dates.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useCopy } from '../../ui/controls/use-copy.ts';
import { Menu } from '../../ui/popup/menu.tsx';
import { appliedParams, appliedView } from '../filters/applied-filters.ts';
import { describeScope } from '../filters/describe-scope.ts';
import { hereWith, usePage } from '../page-context.ts';
import type { Figures } from '../use-report.ts';
import { csvAddress, curlLine, strataLine } from './commands.ts';
import styles from './export-menu.module.css';
import { saveFile } from './save-file.ts';

interface ExportMenuProps {
  readonly figures: Figures;
  /** Holds the chart. */
  readonly holder: RefObject<HTMLElement | null>;
}

export function ExportMenu({ figures, holder }: ExportMenuProps) {
  const page = usePage();
  const { copied, copy } = useCopy();
  const { segment, drawn, report } = figures;
  const view = appliedView(page.view, report);
  const params = appliedParams(figures.params, report);

  const savePicture = async (): Promise<void> => {
    const chart = holder.current?.querySelector<SVGSVGElement>('svg[data-chart]');
    if (chart === null || chart === undefined || drawn === null) return;
    const blob = await drawPng(chart, shownLegend(holder.current!), {
      title: segment.title,
      subtitle: `${describeScope(view, page)} · ${formatInterval(figures.days.start, figures.days.end, page.today)}`,
      address: location.origin + hereWith(page, view),
    });
    saveFile(blob, `${segment.segment_em}.png`);
  };
  return (
    <>
      <output className={styles.copied} aria-live="polite">
        {copied}
      </output>
      <Menu
        align="end"
        trigger={
          <Button size="small" data-export="">
            <Share aria-hidden="true" /> Export
          </Button>
        }
        entries={[
          {
            key: 'csv',
            text: 'CSV',
            icon: <Download />,
            href: csvAddress(params),
            download: `${segment.segment_em}.csv`,
          },
          { key: 'png', text: 'Picture (PNG)', icon: <Image />, onChoose: () => void savePicture() },
          {
            key: 'link',
            text: 'Copy link',
            icon: <Link2 />,
            separated: true,
            onChoose: () => copy('Link', location.href),
          },
          {
            key: 'curl',
            text: 'Copy as curl',
            icon: <SquareTerminal />,
            onChoose: () => copy('curl line', curlLine(location.origin, params)),
          },
          {
            key: 'strata',
            text: 'Copy as strata report',
            icon: <SquareTerminal />,
            onChoose: () => copy('Command', strataLine(params)),
          },
        ]}
      />
    </>
  );
}

const shownLegend = (holder: HTMLElement): PictureLegend[] =>
  Array.from(holder.querySelectorAll<HTMLElement>('[data-legend]')).flatMap((row) => {
    const swatch = row.querySelector('svg');
    return swatch === null ? [] : [{ title: row.dataset.legend ?? '', swatch }];
  });
