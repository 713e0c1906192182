-- The door of the dashboard: sessions, the one-time keys that begin them, and passwords. Only the service's own processes
-- look at sessions and keys, so they stay on the coordinator and refer to nothing; whoever removes a user removes them.

create table sessions (
  id bigserial not null,
  user_id bigint not null,
  entity_id bigint,
  secret_sha256 bytea not null,
  began_by text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  agent text not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_secret_sha256_key unique (secret_sha256),
  constraint sessions_secret_sha256_check check (octet_length(secret_sha256) = 32),
  constraint sessions_began_by_check check (began_by in ('link', 'invitation', 'password'))
);
comment on column sessions.entity_id is 'Where its user acts when a call names no entity; null for the first that the user has.';
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table sign_in_keys (
  id bigserial not null,
  key_sha256 bytea not null,
  kind text not null,
  user_id bigint,
  entity_id bigint,
  email text,
  full_name text,
  role text,
  created_by bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint sign_in_keys_pkey primary key (id),
  constraint sign_in_keys_key_sha256_key unique (key_sha256),
  constraint sign_in_keys_key_sha256_check check (octet_length(key_sha256) = 32),
  constraint sign_in_keys_kind_check check (kind in ('link', 'invitation')),
  constraint sign_in_keys_role_check check (role in ('member', 'manager', 'admin')),
  constraint sign_in_keys_complete_check check (
    case kind when 'link' then user_id is not null
      else entity_id is not null and email is not null and role is not null end)
);
comment on table sign_in_keys is 'Keys of sign-in links and of invitations; each opens the door once.';
comment on column sign_in_keys.created_by is 'Who made it; null when the operator did on the command line.';
create index sign_in_keys_entity_id_idx on sign_in_keys (entity_id) where kind = 'invitation';

create table passwords (
  user_id bigint not null,
  phc text not null,
  changed_at timestamptz not null default now(),
  constraint passwords_pkey primary key (user_id),
  constraint passwords_user_id_fkey foreign key (user_id) references users (id) on delete cascade
);
comment on column passwords.phc is 'Algorithm, cost, salt and hash in PHC form.';

alter table users add column preferences jsonb not null default '{}';

insert into table_kinds (table_name, kind) values
  ('sessions', 'local'),
  ('sign_in_keys', 'local'),
  ('passwords', 'reference');
