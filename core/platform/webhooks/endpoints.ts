import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { newWebhookSecret } from '../../lib/crypto/crypto.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { addressRefusal } from '../../lib/net/addresses.ts'
import { cancelPending } from './delivery/cancel.ts'
import {
  countAndLock,
  deleteEndpoint,
  type EndpointOwner,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEnabled,
  lockSecrets,
  type StoredSecret,
  updateEndpoint,
  updateSecrets,
} from './endpoints.queries.ts'
import { parseSubscription } from './subscription.ts'
import { webhookErrors } from './webhooks.errors.ts'
import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChange } from './webhooks.model.ts'

/** Maximum valid secrets of an endpoint, which bounds the signatures of a delivery. */
const SECRETS_MAX = 4

const missing = () => notFound('The webhook endpoint')

/**
 * Creates an endpoint and returns it with its secret, which is never shown again. Throws `limit_reached` if the owner has `most` endpoints.
 */
export async function createEndpoint({ vault, config }: Context, tx: Tx, owner: EndpointOwner, input: NewWebhookEndpoint, most: number) {
  const { events, ...settings } = input
  assertCallable(input.url, { allowPrivate: config.allowPrivateWebhooks })
  if ((await countAndLock(tx, owner)) >= most) throw webhookErrors.tooManyWebhooks({ most })
  const id = newId('whe')
  const secret = newWebhookSecret()
  const endpoint = await insertEndpoint(
    tx,
    { ...settings, ...enabledColumns(input.enabled), ...parseSubscription(events, owner.audience), ...owner, id },
    [{ sealed: vault.seal(secret, id), until: null }],
  )
  return { ...endpoint, secret }
}

/** Changes an endpoint. Disabling it cancels pending deliveries. Enabling it clears its failures and starts with later events. */
export async function patchEndpoint(
  { sql, config }: Context,
  owner: EndpointOwner,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint> {
  if (change.url !== undefined) assertCallable(change.url, { allowPrivate: config.allowPrivateWebhooks })
  const { events, ...settings } = change
  const subscription = events && parseSubscription(events, owner.audience)
  return transaction(sql, async (tx) => {
    const was = await lockEnabled(tx, owner, id)
    if (was === undefined) throw missing()
    if (change.enabled === !was) await cancelPending(tx, [{ id, projectId: owner.projectId }])
    return updateEndpoint(tx, owner, id, { ...settings, ...enabledColumns(change.enabled), ...subscription })
  })
}

function enabledColumns(enabled: boolean | undefined) {
  if (enabled === undefined) return {}
  return enabled ? { disabledReason: null, failingSince: null, lastFailedAt: null, toldPercent: 0 } : { disabledReason: 'by_owner' }
}

/** Creates a new secret. The previous ones also sign for `overlapHours`. */
export async function rotateSecret({ vault, sql }: Context, owner: EndpointOwner, id: string, overlapHours: number) {
  const secret = newWebhookSecret()
  const previousSecretsUntil = new Date(Date.now() + overlapHours * HOUR_MS).toISOString()
  return transaction(sql, async (tx) => {
    const secrets = await lockSecrets(tx, owner, id)
    if (!secrets) throw missing()
    const older = secrets.map(({ sealed, until }) => ({
      sealed,
      until: until !== null && until < previousSecretsUntil ? until : previousSecretsUntil,
    }))
    const stillValid = older.filter(({ until }) => Date.parse(until) > Date.now())
    const endpoint = await updateSecrets(
      tx,
      { projectId: owner.projectId, id },
      [{ sealed: vault.seal(secret, id), until: null }, ...stillValid].slice(0, SECRETS_MAX),
    )
    return { ...endpoint, secret, previousSecretsUntil }
  })
}

/** Deletes an endpoint. A job deletes its deliveries. Throws `not_found`. */
export async function deleteEndpointWithDeliveries({ sql }: Context, owner: EndpointOwner, id: string) {
  const { projectId } = owner
  await transaction(sql, async (tx) => {
    if (!(await deleteEndpoint(tx, owner, id))) throw missing()
    await enqueue(tx, 'webhooks.deleteDeliveries', { id, projectId }, { owner: projectId })
  })
}

/** Lists the endpoints of an owner, newest first. */
export const listEndpointsOf = ({ sql }: Context, owner: EndpointOwner, before: string | null, take: number) =>
  listEndpoints(sql, owner, before, take)

/** Finds an endpoint of an owner. Throws `not_found`, also for another owner's endpoint. */
export async function findOwnEndpoint({ sql }: Context, owner: EndpointOwner, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(sql, owner, id)
  if (!endpoint) throw missing()
  return endpoint
}

/** Decrypts the secrets that are valid now, newest first. */
export const decryptSecrets = (vault: Vault, endpointId: string, kept: readonly StoredSecret[]) =>
  kept.filter(({ until }) => until === null || Date.parse(until) > Date.now()).map(({ sealed }) => vault.open(sealed, endpointId))

function assertCallable(url: string, { allowPrivate }: { readonly allowPrivate: boolean }) {
  if (!URL.canParse(url)) throw webhookErrors.urlInvalid({ field: ['url'] })
  const refusal = addressRefusal(url, { allowPrivate })
  if (refusal)
    throw webhookErrors.urlRefused(
      { refusal },
      {
        issues: [{ field: ['url'], message: refusal }],
      },
    )
}
