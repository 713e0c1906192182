-- Jobs wrote their progress here and no reader ever asked; imports keep theirs in their own rows. The task housekeeping
-- did nothing but clear this table and goes with it, with the runs of it that still wait.

drop table job_progress;

delete from table_kinds where table_name = 'job_progress';

do $$
begin
  -- A new database has its queue only after the migrations.
  if to_regclass('strata_queue._private_jobs') is not null then
    delete from strata_queue._private_jobs j using strata_queue._private_tasks t
     where t.id = j.task_id and t.identifier = 'housekeeping' and j.locked_at is null;
    delete from strata_queue._private_known_crontabs where identifier = 'housekeeping';
  end if;
end
$$;
