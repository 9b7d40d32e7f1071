import { expectOne, type Queryable } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'

/** Validity of the actor who started a job, and of the credential that it had. */
export interface Starter {
  /** True if the API key is neither revoked nor expired. */
  readonly isKeyValid: boolean
  /** True if the user has not disconnected the app, and the app exists. */
  readonly isGrantValid: boolean
  /** True if the user is an administrator of the platform. */
  readonly isAdmin: boolean
  /** True if the administrator who acted as the user still is one. */
  readonly hasAdmin: boolean
}

/** Reads what is still valid of the actor who started a job. `grantId` is that of the app, or null. */
export const readStarter = async (sql: Queryable, { id, adminId }: Actor, grantId: string | null): Promise<Starter> =>
  expectOne(
    await sql<Starter[]>`select
      exists (select 1 from api_keys where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now())) as is_key_valid,
      exists (select 1 from oauth_grants g join apps a on a.id = g.app_id and a.deleted_at is null
        where g.id = ${grantId} and g.revoked_at is null and g.expires_at > now()) as is_grant_valid,
      exists (select 1 from users where id = ${id} and is_admin and deleted_at is null) as is_admin,
      exists (select 1 from users where id = ${adminId} and is_admin and deleted_at is null) as has_admin`,
  )
