import { expectOne, type Queryable, rowValues } from '../../../data/sql.ts'
import type { ProxyHosts } from './proxy.model.ts'

/** Finds the allowed hosts of a project; an empty list with a null `updatedAt` when none were set. */
export const findHosts = async (sql: Queryable, projectId: string): Promise<ProxyHosts> =>
  (await sql<ProxyHosts[]>`select hosts, updated_at from proxy_hosts where project_id = ${projectId}`)[0] ?? { hosts: [], updatedAt: null }

/** Replaces the allowed hosts of a project. */
export const upsertHosts = async (sql: Queryable, projectId: string, hosts: readonly string[]): Promise<ProxyHosts> =>
  expectOne(
    await sql<ProxyHosts[]>`insert into proxy_hosts ${rowValues(sql, { projectId, hosts })} on conflict (project_id)
      do update set hosts = excluded.hosts, updated_at = now() returning hosts, updated_at`,
  )

/** Deletes the allowed hosts of a project. */
export const deleteHostsOfProject = (sql: Queryable, projectId: string) => sql`delete from proxy_hosts where project_id = ${projectId}`
