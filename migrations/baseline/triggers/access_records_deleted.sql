create trigger access_records_deleted after delete on users referencing old table as deleted
  for each statement execute function delete_access_records();
