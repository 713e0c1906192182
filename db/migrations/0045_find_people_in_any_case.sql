-- Whatever names a person (user name, id at the code host, address) is compared without regard to case. Each way has
-- an index in lower case, so that a name is looked up and not searched for.

create index committers_lower_user_name_idx on committers (entity_id, lower(committer_user_name));
create index committers_lower_provider_id_idx on committers (entity_id, lower(git_provider_id))
  where git_provider_id is not null;
create index committers_lower_email_idx on committers (entity_id, lower(email));
create index committers_lower_provider_email_idx on committers (entity_id, lower(provider_email))
  where provider_email is not null;
create index signatures_lower_email_idx on signatures (entity_id, lower(email));
