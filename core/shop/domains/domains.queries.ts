import { type Queryable, row, type Tx } from '../../data/sql.ts'
import type { DomainState } from './states.ts'

export interface DomainRow {
  readonly storeId: string
  readonly id: string
  readonly host: string
  readonly proof: string
  readonly state: DomainState
  readonly problem: string | null
  readonly looks: number
  readonly stateSince: string
  readonly checkedAt: string | null
  readonly createdAt: string
}

export const insertDomain = (sql: Queryable, domain: Pick<DomainRow, 'storeId' | 'id' | 'host' | 'proof'>) =>
  sql`insert into store_domains ${row(sql, domain)}`

export const findDomainOfStore = async (sql: Queryable, storeId: string) =>
  (await sql<DomainRow[]>`select * from store_domains where store_id = ${storeId}`)[0]

export const findDomain = async (sql: Queryable, id: string) => (await sql<DomainRow[]>`select * from store_domains where id = ${id}`)[0]

/** Holds it until the transaction ends. */
export const lockDomain = async (sql: Tx, id: string) =>
  (await sql<DomainRow[]>`select * from store_domains where id = ${id} for update`)[0]

/** Whose it is, held; none where nobody has proven it. */
export const lockHolder = async (sql: Tx, host: string, except: string) =>
  (
    await sql<DomainRow[]>`select * from store_domains
      where host = ${host} and state in ('verified', 'live', 'failing') and id <> ${except} for update`
  )[0]

/** Whether a store has proven that it is its own. */
export const isHeld = async (sql: Queryable, host: string) =>
  (await sql`select 1 from store_domains where host = ${host} and state in ('verified', 'live', 'failing')`).length > 0

export const updateDomain = (sql: Queryable, id: string, change: Partial<DomainRow> | { readonly stateSince?: Date }) =>
  sql`update store_domains set ${row(sql, change)} where id = ${id}`

export const deleteDomain = async (sql: Queryable, storeId: string) =>
  (await sql<DomainRow[]>`delete from store_domains where store_id = ${storeId} returning *`)[0]
