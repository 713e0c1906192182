// Above tiles that have nothing because a filter names what is gone: tiles are too small to lead on by themselves.
import type { Segment } from '../../api/queries.ts';
import { sentence } from '../../text/words.ts';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { hereWith, usePage } from '../page-context.ts';
import { TILE_OPTIONS } from '../tile.tsx';
import { useReport } from '../use-report.ts';
import { findGoneFilter } from './gone-filter.ts';

/** `segments`: the tiles below. A filter that is gone is so for all of them, so the first one tells. */
export function GoneNotice({ segments: [first] }: { readonly segments: readonly Segment[] }) {
  return first === undefined ? null : <NoticeOf segment={first} />;
}

function NoticeOf({ segment }: { readonly segment: Segment }) {
  const page = usePage();
  const { error } = useReport(segment, 'none', TILE_OPTIONS);
  const gone = error === null ? null : findGoneFilter(error, page);
  if (gone === null) return null;
  return (
    <Notice kind="error">
      {sentence(gone.title)} {gone.why} <a href={hereWith(page, gone.action.change)}>{gone.action.label}</a>
    </Notice>
  );
}
