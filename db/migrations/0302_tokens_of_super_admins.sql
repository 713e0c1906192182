-- An admin of an entity could make a token for a super admin, which has all of their rights.
update api_tokens t set revoked_at = now()
from users u
where u.id = t.user_id and u.is_super_admin and t.revoked_at is null and t.created_by <> t.user_id
  and not exists (select from users c where c.id = t.created_by and c.is_super_admin);
