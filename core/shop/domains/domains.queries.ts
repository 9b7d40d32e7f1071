import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { DomainState } from './domain-states.ts'

/** Row of a domain. `looks` counts the checks since it entered its state. */
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

/** Inserts a domain with the state `pending`. */
export const insertDomain = (sql: Queryable, domain: Pick<DomainRow, 'storeId' | 'id' | 'host' | 'proof'>) =>
  sql`insert into store_domains ${rowValues(sql, domain)}`

/** Finds the domain of a store. Returns undefined where it has none. */
export const findDomainOfStore = async (sql: Queryable, storeId: string) =>
  (await sql<DomainRow[]>`select * from store_domains where store_id = ${storeId}`)[0]

/** Finds a domain by its id. Returns undefined where there is none. */
export const findDomain = async (sql: Queryable, id: string) => (await sql<DomainRow[]>`select * from store_domains where id = ${id}`)[0]

/** Locks a domain for update until the transaction ends. Returns undefined where it does not exist. */
export const lockDomain = async (sql: Tx, id: string) =>
  (await sql<DomainRow[]>`select * from store_domains where id = ${id} for update`)[0]

/** Locks the domain by which another store has proven this host. Returns undefined where no store has. */
export const lockProvenDomain = async (sql: Tx, host: string, except: string) =>
  (
    await sql<DomainRow[]>`select * from store_domains
      where host = ${host} and state in ('verified', 'live', 'failing') and id <> ${except} for update`
  )[0]

/** Returns true where a store has proven that it owns the host. */
export const isProvenHost = async (sql: Queryable, host: string) =>
  (await sql`select 1 from store_domains where host = ${host} and state in ('verified', 'live', 'failing')`).length > 0

/** Updates columns of a domain. */
export const updateDomain = (sql: Queryable, id: string, change: Partial<DomainRow> | { readonly stateSince?: Date }) =>
  sql`update store_domains set ${rowValues(sql, change)} where id = ${id}`

/** Deletes the domain of a store and returns it. Returns undefined where it has none. */
export const deleteDomainOfStore = async (sql: Queryable, storeId: string) =>
  (await sql<DomainRow[]>`delete from store_domains where store_id = ${storeId} returning *`)[0]
