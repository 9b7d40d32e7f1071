import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'

/** Returns true when the store sends only confirmed orders. Without the setting, this is true once it has used its confirmation queue. */
export const findSendOnlyConfirmedSetting = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<{ only: boolean }[]>`select coalesce(
      (select (settings ->> 'sendOnlyConfirmed')::boolean from stores where id = ${storeId}),
      exists (select 1 from confirmation_uses where project_id = ${projectIdOf(storeId)})) as only`,
  ).only
