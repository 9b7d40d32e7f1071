import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { newWebhookSecret } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { refusalOf } from '../../lib/net/addresses.ts'
import { cancelWaiting } from './delivery/cancel.ts'
import {
  countForMore,
  deleteEndpoint,
  type EndpointOwner,
  findEndpoint,
  insertEndpoint,
  type KeptSecret,
  listEndpoints,
  lockEnabled,
  lockSecrets,
  updateEndpoint,
  updateSecrets,
} from './endpoints.queries.ts'
import type { Family } from './events.ts'
import { readSubscription } from './subscription.ts'
import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChange } from './webhooks.model.ts'

const HOUR_MS = 3_600_000
/** However often it is rotated, a delivery carries few signatures. */
const SECRETS_MAX = 4

const familyOf = (owner: EndpointOwner): Family => (owner.storeId === null ? 'project' : 'store')
const missing = () => notFound('The webhook endpoint')

/** Makes an endpoint; its secret is in this answer and in no other. `most`: how many the owner may have; then `limit_reached`. */
export async function createEndpoint({ vault, config }: Context, tx: Tx, owner: EndpointOwner, input: NewWebhookEndpoint, most: number) {
  const { events, ...settings } = input
  assertCallable(input.url, config.allowPrivateWebhooks)
  if ((await countForMore(tx, owner)) >= most)
    throw new ApiError('limit_reached', `There are ${most} webhooks, which is as many as there may be. Remove one.`)
  const id = newId('whe')
  const secret = newWebhookSecret()
  const endpoint = await insertEndpoint(
    tx,
    { ...settings, ...enabling(input.enabled), ...readSubscription(events, familyOf(owner)), ...owner, id },
    [{ sealed: vault.seal(secret, id), until: null }],
  )
  return { ...endpoint, secret }
}

/** Disabling cancels what waits, for good; enabling forgives what failed before, and begins with what happens from then on. */
export async function changeEndpoint(
  { sql, config }: Context,
  owner: EndpointOwner,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint> {
  if (change.url !== undefined) assertCallable(change.url, config.allowPrivateWebhooks)
  const { events, ...settings } = change
  const subscription = events && readSubscription(events, familyOf(owner))
  return transaction(sql, async (tx) => {
    const was = await lockEnabled(tx, owner, id)
    if (was === undefined) throw missing()
    if (change.enabled === !was) await cancelWaiting(tx, [{ id, projectId: owner.projectId }])
    return updateEndpoint(tx, owner, id, { ...settings, ...enabling(change.enabled), ...subscription })
  })
}

function enabling(enabled: boolean | undefined) {
  if (enabled === undefined) return {}
  return enabled ? { disabledReason: null, failingSince: null, lastFailedAt: null, toldPercent: 0 } : { disabledReason: 'by_owner' }
}

/** A new secret; those before it sign too for `overlapHours`. */
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
    const kept = older.filter(({ until }) => Date.parse(until) > Date.now())
    const endpoint = await updateSecrets(tx, id, [{ sealed: vault.seal(secret, id), until: null }, ...kept].slice(0, SECRETS_MAX))
    return { ...endpoint, secret, previousSecretsUntil }
  })
}

/** It is gone at once; its deliveries follow as a job. */
export async function removeEndpoint({ sql }: Context, owner: EndpointOwner, id: string) {
  const { projectId } = owner
  await transaction(sql, async (tx) => {
    if (!(await deleteEndpoint(tx, owner, id))) throw missing()
    await enqueue(tx, 'webhooks.dropDeliveries', { id, projectId }, { owner: projectId })
  })
}

/** Newest first. */
export const endpointsOf = ({ sql }: Context, owner: EndpointOwner, before: string | null, take: number) =>
  listEndpoints(sql, owner, before, take)

/** The endpoint, where it is this owner's; somebody else's does not exist. */
export async function ownEndpoint({ sql }: Context, owner: EndpointOwner, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(sql, owner, id)
  if (!endpoint) throw missing()
  return endpoint
}

/** Those that sign now, the newest first. */
export const openSecrets = (vault: Vault, endpointId: string, kept: readonly KeptSecret[]) =>
  kept.filter(({ until }) => until === null || Date.parse(until) > Date.now()).map(({ sealed }) => vault.open(sealed, endpointId))

function assertCallable(url: string, allowPrivate: boolean) {
  if (!URL.canParse(url)) throw invalid('/body/url', 'This is no address. Give a whole one: https://…')
  const refusal = refusalOf(url, { allowPrivate })
  if (refusal)
    throw new ApiError('webhook_url_refused', `${refusal} Give an https address on the public internet.`, {
      details: [{ path: '/body/url', message: refusal }],
    })
}
