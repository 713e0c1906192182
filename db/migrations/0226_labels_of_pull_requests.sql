-- A label of a pull request that a tool put there says that AI took part in its commits.
alter type evidence_source add value if not exists 'pr_label' before 'assisted_by';
