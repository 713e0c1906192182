-- A commit that only branches lead to which the entity leaves out: stored, and not counted.

alter type commit_presence add value 'branch_left_out';
