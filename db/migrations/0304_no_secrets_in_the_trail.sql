-- The command that takes over a webhook's secret had it as an argument, which the trail keeps.
update activities set parameters = parameters - 'secret'
where operation = 'strata webhook add' and parameters ? 'secret';
