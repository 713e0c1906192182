-- Accounts at code hosts and trackers. The id is the key: a login is an attribute that its owner may change.

create table host_accounts (
  entity_id bigint not null,
  id bigserial not null,
  -- the server, however its address is written: hostC:github.com
  host_key text not null,
  external_id text not null,
  kind text not null,
  login text,
  name text,
  -- as the host shows it; further addresses are identities of the committer
  email text,
  -- logins that the account had before
  former_logins text[] not null default '{}',
  -- the person or bot that it is; null for teams
  committer_id bigint,
  seen_at timestamptz not null,
  constraint host_accounts_pkey primary key (entity_id, id),
  constraint host_accounts_external_id_key unique (entity_id, host_key, external_id),
  constraint host_accounts_kind_check check (kind in ('user', 'bot', 'app', 'mannequin', 'team')),
  constraint host_accounts_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index host_accounts_committer_idx on host_accounts (entity_id, committer_id);
create index host_accounts_login_idx on host_accounts (entity_id, lower(login));

-- A connection's server under the one name that all spellings of its address lead to.
alter table provider_connections add column host_key text;
update provider_connections set host_key = git_provider_em || ':' || regexp_replace(lower(
  case
    when endpoint_url is not null then endpoint_url
    when git_provider_em = 'hostC' then 'https://github.com'
    when git_provider_em = 'hostD' then 'https://gitlab.com'
    when git_provider_em = 'hostB' then 'https://bitbucket.org'
    else 'https://dev.azure.com'
  end), '^https?://(api\.|www\.)?(.*?)(/api/v3)?/*$', '\2');
alter table provider_connections alter column host_key set not null;
-- The same server under two spellings of its address: the later connection stays.
delete from provider_connections using provider_connections n
where n.entity_id = provider_connections.entity_id and n.user_id = provider_connections.user_id
  and n.host_key = provider_connections.host_key
  and n.organization_name is not distinct from provider_connections.organization_name
  and n.id > provider_connections.id;
alter table provider_connections drop constraint provider_connections_owner_key;
alter table provider_connections add constraint provider_connections_owner_key
  unique nulls not distinct (entity_id, user_id, host_key, organization_name);

-- Which repo of which server it is, whatever its path has become there.
alter table repos add column host_key text;
alter table repos add column external_id text;
create index repos_external_id_idx on repos (entity_id, host_key, external_id);

insert into table_kinds (table_name, kind) values
  ('host_accounts', 'tenant');
