// What lists of releases and audits show alike about a release `r`, as SQL.

const SHORT_SHA = 7;

/** Its own, else its commit, else its time. */
export const releaseName = (r: string): string =>
  `coalesce(${r}.name, left(encode(${r}.release_sha, 'hex'), ${SHORT_SHA}),
    to_char(${r}.released_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`;

/** Defects that the release fixed, and those known by then that its commits worked on. */
export const releaseDefectCount = (r: string): string => `(
  select count(*) from (
    select f.defect_id from defect_fixes f where f.entity_id = ${r}.entity_id and f.release_id = ${r}.id
    union
    select k.defect_id from release_commits c
    join defect_commits k on k.entity_id = c.entity_id and k.commit_id = c.commit_id and k.link_em <> 'release'
    join critical_defects e on e.entity_id = k.entity_id and e.id = k.defect_id and e.detected_at <= ${r}.released_at
    where c.entity_id = ${r}.entity_id and c.release_id = ${r}.id and not ${r}.is_baseline) d)`;

/** Issues that calls say it deployed, and those that its commits name. */
export const releaseIssueCount = (r: string): string => `(
  select count(*) from (
    select lower(i.issue_key) from release_issue_keys i where i.entity_id = ${r}.entity_id and i.release_id = ${r}.id
    union
    select lower(s.key) from release_commits c
    join issue_commits n on n.entity_id = c.entity_id and n.commit_id = c.commit_id
    join issues s on s.entity_id = n.entity_id and s.id = n.issue_id
    where c.entity_id = ${r}.entity_id and c.release_id = ${r}.id and not ${r}.is_baseline) i)`;
