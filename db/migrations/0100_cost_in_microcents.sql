-- Costs are decimals of any fineness: prices of single tokens are far below a hundredth of a cent.
alter table ai_usages rename column cost_centicents to cost_microcents;
-- millionths of a cent
update ai_usages set cost_microcents = cost_microcents * 10000 where cost_microcents is not null;
