import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { assertGranted, type Person, type Principal } from '../../../http/auth/principal.ts'
import { type Scope, spanning } from '../../../http/auth/scopes.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { forgetCredentials } from '../../auth/credentials/authenticate.ts'
import { assertRoom, limitsOf } from '../limits.ts'
import type { NewApiKey, Project } from '../projects.model.ts'
import { findProject } from '../projects.queries.ts'
import { findTenant } from '../tenants.queries.ts'
import {
  countWorkingKeys,
  holdKey,
  holdRight,
  insertApiKey,
  lockSpanningKeys,
  revokeAllSpanningKeys,
  revokeApiKey,
  revokeApiKeys,
  revokeSpanningKeys,
  touchApiKeys,
} from './keys.queries.ts'

/** A key is written at most so often, however much it is used. */
const USED_SECONDS = 60

/** The key's text is in this answer and nowhere else. It may do no more than its maker: a person by his right here, another key by its scopes. */
export async function createApiKey(tx: Tx, caller: Principal, project: Project, input: NewApiKey) {
  if (input.expiresAt !== undefined && Date.parse(input.expiresAt) <= Date.now()) throw invalid('/body/expiresAt', 'Must be in the future.')
  for (const scope of input.scopes) assertGranted(caller, scope)
  if (caller.person) await assertRight(tx, caller.person, project, input.scopes)
  else await assertWorks(tx, caller)
  const tenant = await findTenant(tx, project.tenantId, null)
  assertRoom(limitsOf(tenant?.limits ?? {}).maxKeysPerProject, await countWorkingKeys(tx, project.id), 'API keys that work')
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

/** What a key makes does not outlive it: of one that ends at this moment either both end, or none is made. */
async function assertWorks(tx: Tx, { credentialId }: Principal) {
  if (!(await holdKey(tx, credentialId))) throw new ApiError('invalid_api_key', 'This API key was revoked at this moment.')
}

/** A role in a store is a right in its project alone; what reaches beyond it is for those who steer the whole tenant. */
async function assertRight(tx: Tx, person: Person, { id }: Project, scopes: readonly Scope[]) {
  if (person.isAdmin) return
  const right = await holdRight(tx, id, person.id)
  if (!right) throw notFound('The project')
  const beyond = scopes.filter((scope) => spanning.includes(scope))
  if (beyond.length === 0 || right === 'tenant') return
  throw new ApiError(
    'forbidden',
    `Keys with ${beyond.join(', ')} reach all projects of the tenant; only its owner and its admins make them.`,
  )
}

/** A person left a store, or may do less: his keys that reach beyond its project end with the transaction, the others are shown as his. */
export async function endSpanningKeys(tx: Tx, projectId: string, userId: string): Promise<string[]> {
  const project = await findProject(tx, projectId)
  return project ? endSpanningKeysOfTenant(tx, project.tenantId, userId) : []
}

/** The same of all who may no longer steer a tenant, or of one of them. */
export async function endSpanningKeysOfTenant(tx: Tx, tenantId: number, userId: string | null = null): Promise<string[]> {
  // What they make others with at this moment is there afterwards.
  await lockSpanningKeys(tx, tenantId, spanning)
  return revokeSpanningKeys(tx, tenantId, spanning, userId)
}

/** The same of everybody's. */
export async function endAllSpanningKeys(tx: Tx, tenantId: number): Promise<string[]> {
  await lockSpanningKeys(tx, tenantId, spanning)
  return revokeAllSpanningKeys(tx, tenantId, spanning)
}

/** All keys of a project end with the transaction. Gives their hashes, for `forgetCredentials` after it. */
export const endKeys = (tx: Tx, projectId: string): Promise<string[]> => revokeApiKeys(tx, projectId)

export async function revokeKey({ sql, shared }: Context, projectId: string, keyId: string) {
  const hash = await transaction(sql, async (tx) => {
    const revoked = await revokeApiKey(tx, projectId, keyId)
    if (revoked) await recordAudit(tx, { projectId }, { what: 'key.revoked', thing: keyId })
    return revoked
  })
  if (!hash) throw notFound('The API key')
  await forgetCredentials(shared, [hash])
}

export const noteUse: Subscribers = {
  async 'keys.used'(tx, { ids, times, isLast }) {
    await touchApiKeys(tx, ids, times, isLast ? 0 : USED_SECONDS)
  },
}
