-- Who did something stays in the trail when the user is removed: the address as it was, instead of a look at the users there are.
alter table activities add column user_email text;
comment on column activities.user_email is 'Of the user at that time, who may be removed since.';
update activities set user_email = users.email from users where users.id = activities.user_id;
create index activities_user_email_idx on activities (entity_id, user_email, id);
drop index activities_user_id_idx;
