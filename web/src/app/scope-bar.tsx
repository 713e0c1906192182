// Whose figures and which days. Every control writes the address; nothing is kept beside it.
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { countPeople } from '../api/count-people.ts';
import { developersQuery, teamsQuery } from '../api/queries.ts';
import { useAfterFirstChart } from '../report/after-first-chart.ts';
import { daysOf, hereWith, usePage } from '../report/page-context.ts';
import { Button, LinkButton } from '../ui/controls/button.tsx';
import { Menu } from '../ui/popup/menu.tsx';
import { Picker } from '../ui/popup/picker.tsx';
import { shiftRange } from '../url/range.ts';
import type { View } from '../url/view.ts';
import { RangePicker } from './range/range-picker.tsx';
import styles from './scope-bar.module.css';

const COMPARISONS = [
  ['prev', 'previous period'],
  ['year', 'a year before'],
  ['none', 'nothing'],
] as const;

export function ScopeBar() {
  const page = usePage();
  const { view, entity, imports, names, today, go } = page;
  const { data: teams } = useQuery({ ...teamsQuery(entity.slug), enabled: useAfterFirstChart() });
  const [wantsPeople, setWantsPeople] = useState(view.who !== null);
  // All people of a company are many: they are fetched when somebody is about to choose one.
  const { data: people } = useQuery({ ...developersQuery(entity.slug), enabled: wantsPeople });
  const days = daysOf(page);
  const change = (own: Partial<View>): void => go(hereWith(page, { ...own, at: null }));
  const organizations = [...new Set(imports.repos.map(({ repo_path: path }) => path.slice(0, path.lastIndexOf('/'))))];
  const teamOptions = (teams?.teams ?? []).map((team) => ({
    value: team.slug,
    label: team.name,
    hint: String(countPeople(team, today)),
  }));
  const isNarrowed = view.in !== null || view.team !== null || view.who !== null || view.ai !== null;
  return (
    <div className={styles.bar} role="toolbar" aria-label="Scope and range">
      <div className={styles.scope}>
        <Picker
          label="Repos"
          anyLabel="All repos"
          value={view.in}
          onChange={(value) => change({ in: value })}
          options={[
            ...organizations.map((name) => ({ value: name, label: `${name}/`, hint: 'organization' })),
            ...imports.repos.map(({ repo_path: path }) => ({ value: path, label: path })),
          ]}
        />
        {teamOptions.length > 1 && (
          <Picker
            label="Team"
            anyLabel="Any team"
            value={view.team}
            onChange={(value) => change({ team: value })}
            options={teamOptions}
          />
        )}
        <Picker
          label="Person"
          anyLabel="Anyone"
          value={view.who}
          onNear={() => setWantsPeople(true)}
          onChange={(value) => change({ who: value })}
          options={(people?.committers ?? []).map(({ committer_user_name: name, full_name: label }) => ({
            value: name,
            label,
            ...(label === name ? {} : { hint: name }),
          }))}
        />
        <Picker
          label="AI provider"
          anyLabel="Any AI"
          value={view.ai}
          onChange={(value) => change({ ai: value })}
          options={Object.entries<string>(names.ai_provider).map(([value, label]) => ({ value, label }))}
        />
        {isNarrowed && (
          <LinkButton
            look="quiet"
            size="small"
            href={hereWith(page, { in: null, team: null, who: null, ai: null, at: null })}
          >
            <X aria-hidden="true" /> Clear
          </LinkButton>
        )}
      </div>
      <span className={styles.spacer} />
      <div className={styles.when}>
        <LinkButton
          look="quiet"
          size="small"
          isIcon
          aria-label="Earlier"
          href={hereWith(page, { range: shiftRange(days, -1, today), at: null })}
        >
          <ChevronLeft aria-hidden="true" />
        </LinkButton>
        <RangePicker />
        <LinkButton
          look="quiet"
          size="small"
          isIcon
          aria-label="Later"
          aria-disabled={days.end >= today || undefined}
          href={hereWith(page, { range: days.end >= today ? view.range : shiftRange(days, 1, today), at: null })}
        >
          <ChevronRight aria-hidden="true" />
        </LinkButton>
        <Menu
          align="end"
          trigger={
            <Button look="quiet" size="small">
              vs {COMPARISONS.find(([name]) => name === view.vs)?.[1]}
            </Button>
          }
          entries={COMPARISONS.map(([name]) => ({
            key: name,
            text:
              name === 'none'
                ? 'Compare with nothing'
                : `Compare with ${name === 'prev' ? 'the previous period' : 'a year before'}`,
            href: hereWith(page, { vs: name }),
            isChosen: view.vs === name,
          }))}
        />
      </div>
    </div>
  );
}
