-- Weeks whose reports of use changed since they were summed up in weekly_people.
create table usage_weeks_due (
  entity_id bigint not null,
  week date not null,
  noted_at timestamptz not null,
  constraint usage_weeks_due_pkey primary key (entity_id, week)
);
insert into table_kinds (table_name, kind) values
  ('usage_weeks_due', 'tenant');

-- Room in each page for the next version of a report: whole days are sent again, and credits follow.
alter table ai_usages set (fillfactor = 70);
