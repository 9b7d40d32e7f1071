import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { assertGranted, type Person, type Principal } from '../../../http/auth/principal.ts'
import { type Scope, tenantWideScopes } from '../../../http/auth/scopes.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { sharedErrors } from '../../../lib/errors/shared-errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { evictCredentials } from '../../auth/credentials/authenticate.ts'
import { assertBelowTenantLimit, type LimitDefaults, limitsOf } from '../limits.ts'
import type { NewApiKey, Project } from '../projects.model.ts'
import { findProject } from '../projects.queries.ts'
import { tenantErrors } from '../tenants.errors.ts'
import { findTenant } from '../tenants.queries.ts'
import {
  insertApiKey,
  lockAndCountKeys,
  lockManageRight,
  lockSpanningKeys,
  revokeAllSpanningKeys,
  revokeApiKey,
  revokeApiKeys,
  revokeSpanningKeys,
  touchApiKeys,
  tryLockKey,
} from './keys.queries.ts'

/** Minimum time in seconds between two writes of the last use of a key. */
const USED_SECONDS = 60

/**
 * Creates an API key. Only the result holds its text. A key can never do more than its creator: a user is limited by their right in the
 * project, another key by its scopes. Throws `forbidden`, `limit_reached` and `not_found`.
 */
export async function createApiKey(defaults: LimitDefaults, tx: Tx, caller: Principal, project: Project, input: NewApiKey) {
  if (input.expiresAt !== undefined && Date.parse(input.expiresAt) <= Date.now()) throw sharedErrors.timeInPast({ field: ['expiresAt'] })
  for (const scope of input.scopes) assertGranted(caller, scope)
  if (caller.person) await assertRight(tx, caller.person, project, input.scopes)
  else await assertCreatorActive(tx, caller)
  const tenant = await findTenant(tx, project.tenantId, null)
  const limits = limitsOf(defaults, tenant?.limits ?? {})
  assertBelowTenantLimit(limits.maxKeysPerProject, await lockAndCountKeys(tx, project.id), 'API keys that work')
  const key = newToken('sk')
  const row = await insertApiKey(tx, {
    id: newId('key'),
    projectId: project.id,
    name: input.name,
    keyHash: sha256(key),
    last4: key.slice(-4),
    scopes: input.scopes,
    createdBy: caller.personId,
    expiresAt: input.expiresAt ?? null,
  })
  await recordAudit(tx, { projectId: project.id }, { what: 'key.created', thing: row.id, after: { ...row, last4: key.slice(-4) } })
  return { ...row, key }
}

/** Throws `invalid_api_key` when the creating key is revoked. The lock ensures that a key never outlives its revoked creator. */
async function assertCreatorActive(tx: Tx, { credentialId }: Principal) {
  if (!(await tryLockKey(tx, credentialId))) throw tenantErrors.keyRevoked()
}

/** Throws `not_found` when a user may not manage a project, and `forbidden` when a store role asks for scopes that reach beyond it. */
async function assertRight(tx: Tx, person: Person, { id }: Project, scopes: readonly Scope[]) {
  if (person.isAdmin) return
  const right = await lockManageRight(tx, id, person.id)
  if (!right) throw notFound('The project')
  const beyond = scopes.filter((scope) => tenantWideScopes.includes(scope))
  if (beyond.length === 0 || right === 'tenant') return
  throw tenantErrors.scopesBeyondStore({ beyond: beyond.join(', ') })
}

/**
 * Revokes the keys that a user created with scopes beyond one project, when they leave a store or lose permissions. Other keys stay valid.
 * Returns the hashes of the revoked keys.
 */
export async function endSpanningKeys(tx: Tx, projectId: string, userId: string): Promise<string[]> {
  const project = await findProject(tx, projectId)
  return project ? endSpanningKeysOfTenant(tx, project.tenantId, userId) : []
}

/** Revokes spanning keys of all users who may no longer manage a tenant, or of one of them. Returns the hashes of the revoked keys. */
export async function endSpanningKeysOfTenant(tx: Tx, tenantId: number, userId: string | null = null): Promise<string[]> {
  // The lock waits for keys that these keys are creating at this moment.
  await lockSpanningKeys(tx, tenantId, tenantWideScopes)
  return revokeSpanningKeys(tx, tenantId, tenantWideScopes, userId)
}

/** Revokes all spanning keys of a tenant. Returns the hashes of the revoked keys. */
export async function endAllSpanningKeys(tx: Tx, tenantId: number): Promise<string[]> {
  await lockSpanningKeys(tx, tenantId, tenantWideScopes)
  return revokeAllSpanningKeys(tx, tenantId, tenantWideScopes)
}

/** Revokes all keys of a project. Returns their hashes, for {@link evictCredentials} after the commit. */
export const endKeys = (tx: Tx, projectId: string): Promise<string[]> => revokeApiKeys(tx, projectId)

/** Revokes a key of a project and evicts it from the caches. Throws `not_found` when there is no valid key with this id. */
export async function revokeKey({ sql, shared }: Context, projectId: string, keyId: string) {
  const hash = await transaction(sql, async (tx) => {
    const revoked = await revokeApiKey(tx, projectId, keyId)
    if (revoked) await recordAudit(tx, { projectId }, { what: 'key.revoked', thing: keyId })
    return revoked
  })
  if (!hash) throw notFound('The API key')
  await evictCredentials(shared, [hash])
}

/** Subscriber that records the last use of keys. */
export const keyUseSubscribers: Subscribers = {
  async 'keys.used'(tx, { ids, times, isLast }) {
    await touchApiKeys(tx, ids, times, isLast ? 0 : USED_SECONDS)
  },
}
