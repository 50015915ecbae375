-- compatible-from: 10
-- A person has at most one valid link to a company. An invitation deletes the link before it, but two invitations in concurrent
-- transactions do not see each other's link.
--
-- What must never happen: that an invitation which was replaced still lets its holder in.

delete from staff_links as older using staff_links as newer
where older.used_at is null and newer.used_at is null and older.email = newer.email and older.purpose = newer.purpose
  and older.company_id is not distinct from newer.company_id and older.link_id < newer.link_id;
create unique index staff_links_one_is_good on staff_links (email, purpose, company_id) nulls not distinct where used_at is null;
