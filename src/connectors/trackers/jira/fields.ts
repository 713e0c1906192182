// Which of a site's fields hold sprints, points and epics. Their ids differ from site to site and their names are
// translated, so the kind of a field counts first.
import type { TrackerSettings } from '../../../domain/work/tracker-site.ts';
import type { JiraField } from './answers.ts';

export interface JiraFields {
  readonly sprint: JiraField | null;
  readonly epicLink: JiraField | null;
  /** In the order in which they are looked at. */
  readonly points: readonly JiraField[];
}

const PACKAGE = 'com.pyxis.greenhopper.jira';
const POINTS_NAMES = ['story points', 'story point estimate'];
/** A changelog is filtered by at most ten fields, of which eight are others. */
const MOST_POINTS_FIELDS = 2;

export function findFields(fields: readonly JiraField[], { points_fields }: TrackerSettings): JiraFields {
  const ofKind = (kind: string): JiraField | null =>
    fields.find(({ schema }) => schema?.custom === `${PACKAGE}:${kind}`) ?? null;
  const chosen = points_fields.flatMap((id) => fields.filter((field) => field.id === id));
  const usual = [
    ...fields.filter(({ name, schema }) => schema?.type === 'number' && POINTS_NAMES.includes(name.toLowerCase())),
    ...fields.filter(({ schema }) => schema?.custom === `${PACKAGE}:jsw-story-points`),
  ];
  const points = [...new Map((chosen.length > 0 ? chosen : usual).map((field) => [field.id, field])).values()];
  return { sprint: ofKind('gh-sprint'), epicLink: ofKind('gh-epic-link'), points: points.slice(0, MOST_POINTS_FIELDS) };
}
