import { expectOne, type Queryable } from '../../data/sql.ts'

/** Whether a store sends only confirmed orders: as its setting says, else whether it has ever used its confirmation queue. */
export const findSendOnlyConfirmed = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<{ only: boolean }[]>`select coalesce(
      (select (settings ->> 'sendOnlyConfirmed')::boolean from stores where id = ${storeId}),
      exists (select 1 from confirmation_uses where store_id = ${storeId})) as only`,
  ).only
