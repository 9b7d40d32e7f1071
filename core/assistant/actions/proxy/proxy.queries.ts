import { expectOne, type Queryable, rowValues } from '../../../data/sql.ts'
import type { ProxyHosts } from './proxy.model.ts'

/** Finds the allowed hosts of a store; an empty list with a null `updatedAt` when none were set. */
export const findHosts = async (sql: Queryable, storeId: string): Promise<ProxyHosts> =>
  (await sql<ProxyHosts[]>`select hosts, updated_at from proxy_hosts where store_id = ${storeId}`)[0] ?? { hosts: [], updatedAt: null }

/** Replaces the allowed hosts of a store. */
export const upsertHosts = async (sql: Queryable, storeId: string, hosts: readonly string[]): Promise<ProxyHosts> =>
  expectOne(
    await sql<ProxyHosts[]>`insert into proxy_hosts ${rowValues(sql, { storeId, hosts })} on conflict (store_id)
      do update set hosts = excluded.hosts, updated_at = now() returning hosts, updated_at`,
  )

/** Deletes the allowed hosts of a store. */
export const deleteHostsOfStore = (sql: Queryable, storeId: string) => sql`delete from proxy_hosts where store_id = ${storeId}`
