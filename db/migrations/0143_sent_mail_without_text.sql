-- Links in mail let their reader in. What was sent is in the recipient's mailbox, and needs no copy here.
update outgoing_mail set body_text = '' where sent_at is not null;
