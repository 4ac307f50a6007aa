-- In work.
select 1;
