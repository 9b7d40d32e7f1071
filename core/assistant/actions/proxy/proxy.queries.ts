import { expectOne, type Queryable, row } from '../../../data/sql.ts'
import type { ProxyHosts } from './proxy.model.ts'

export const findHosts = async (sql: Queryable, storeId: string): Promise<ProxyHosts> =>
  (await sql<ProxyHosts[]>`select hosts, updated_at from proxy_hosts where store_id = ${storeId}`)[0] ?? { hosts: [], updatedAt: null }

export const putHosts = async (sql: Queryable, storeId: string, hosts: readonly string[]): Promise<ProxyHosts> =>
  expectOne(
    await sql<ProxyHosts[]>`insert into proxy_hosts ${row(sql, { storeId, hosts })} on conflict (store_id)
      do update set hosts = excluded.hosts, updated_at = now() returning hosts, updated_at`,
  )

export const deleteHostsOf = (sql: Queryable, storeId: string) => sql`delete from proxy_hosts where store_id = ${storeId}`
