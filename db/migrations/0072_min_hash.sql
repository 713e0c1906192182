-- What copies are found by is called a min-hash everywhere.
alter table commits rename column sketch to min_hash;
