import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { checkFields, type Fields, maskSecrets, withDefaults } from '../../../plugins/fields.ts'
import type { Context } from '../../context.ts'
import { happened } from '../../data/follows.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { CarrierFailure } from '../../platform/gateway/failure.ts'
import { callCarrier, openConnection } from './call.ts'
import type { Integration, IntegrationChange, NewIntegration } from './connections.model.ts'
import {
  type ConnectionRow,
  findConnectionByKey,
  insertConnection,
  lockConnection,
  markConnectionDeleted,
  updateConnection,
} from './connections.queries.ts'
import { requestPlaces } from './sync-places.ts'

declare module '../../data/follows.ts' {
  interface Follows {
    /** It is about to be deleted. Who still needs it throws. */
    'connection.leaving': { connection: ConnectionRow }
  }
}

const TEST_MS = 8_000
/** How a read shows a secret; sent back as it was, it means "as it is". */
const MASK = '••••'

/** Connects a store to an adapter, or replaces the connection's credentials and settings; its id stays. */
export async function connect(context: Context, storeId: string, key: string, input: NewIntegration): Promise<Integration> {
  const carrier = adapterOf(context, key)
  const current = await findConnectionByKey(context.sql, storeId, key)
  const credentials = keepMasked(input.credentials, current ? openConnection(context, current).credentials : {})
  return save(context, carrier, storeId, current, { enabled: input.enabled, credentials, settings: input.settings ?? {} })
}

export async function changeConnection(context: Context, storeId: string, key: string, change: IntegrationChange): Promise<Integration> {
  const current = await findConnectionByKey(context.sql, storeId, key)
  if (!current) throw notFound(`A connection to ${key}`)
  const known = openConnection(context, current)
  const credentials = { ...known.credentials, ...keepMasked(change.credentials ?? {}, known.credentials) }
  return save(context, known.mounted.carrier, storeId, current, {
    enabled: change.enabled ?? current.enabled,
    credentials,
    settings: { ...current.settings, ...change.settings },
  })
}

/** What a person typed in. */
type Typed = Readonly<Record<string, unknown>>

async function save(
  context: Context,
  carrier: Carrier,
  storeId: string,
  current: ConnectionRow | undefined,
  wanted: { enabled: boolean; credentials: Typed; settings: Typed },
): Promise<Integration> {
  const { enabled, credentials, settings } = wanted
  const problems = [
    ...checkFields(carrier.credentials, credentials, '/body/credentials'),
    ...checkFields(carrier.settings, settings, '/body/settings'),
  ]
  if (problems.length > 0)
    throw new ApiError('invalid_integration_fields', `These are not the fields of ${carrier.label}; see details, and GET /v1/adapters.`, {
      details: problems,
    })
  const id = current?.id ?? newId('int')
  const sealed = context.vault.seal(JSON.stringify(credentials), id)
  await transaction(context.sql, async (tx) => {
    if (!current) await insertConnection(tx, { id, storeId, key: carrier.slug, kind: carrier.kind, enabled, credentials: sealed, settings })
    // Two who connect at once make one connection; the later values win.
    const row = await findConnectionByKey(tx, storeId, carrier.slug)
    if (!row) throw notFound(`A connection to ${carrier.slug}`)
    await updateConnection(tx, row.id, {
      enabled,
      settings,
      credentials: row.id === id ? sealed : context.vault.seal(JSON.stringify(credentials), row.id),
      status: 'untested',
      statusMessage: null,
    })
  })
  const tested = enabled ? await testConnection(context, storeId, carrier.slug) : undefined
  const saved = await findConnectionByKey(context.sql, storeId, carrier.slug)
  if (!saved) throw notFound(`A connection to ${carrier.slug}`)
  if (tested?.ok && carrier.states && carrier.cities) await requestPlaces(context.sql, saved.id)
  return present(context, saved)
}

export interface Tested {
  readonly ok: boolean
  readonly account?: string
  readonly message?: string
}

/** Asks the carrier whether the credentials work, and notes the answer. */
export async function testConnection(context: Context, storeId: string, key: string): Promise<Tested> {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw notFound(`A connection to ${key}`)
  const tested = await callCarrier(context, openConnection(context, row), (carrier, adapter) => carrier.testConnection(adapter), {
    operation: 'testConnection',
    deadlineMs: TEST_MS,
  })
    .then(({ account }): Tested => ({ ok: true, ...(account && { account }) }))
    .catch((error): Tested => {
      if (error instanceof CarrierFailure) return { ok: false, message: error.message }
      throw error
    })
  await updateConnection(context.sql, row.id, { status: tested.ok ? 'connected' : 'failed', statusMessage: tested.message ?? null })
  return tested
}

export async function enable(context: Context, storeId: string, key: string, enabled: boolean) {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw notFound(`A connection to ${key}`)
  await updateConnection(context.sql, row.id, { enabled })
  return { key, enabled }
}

/** Forgets the credentials. Refused while parcels are on their way, since their callbacks would be lost. */
export async function disconnect(context: Context, storeId: string, key: string) {
  await transaction(context.sql, async (tx) => {
    const row = await findConnectionByKey(tx, storeId, key)
    if (!row) throw notFound(`A connection to ${key}`)
    await lockConnection(tx, row.id)
    await happened(tx, 'connection.leaving', { connection: row })
    await markConnectionDeleted(tx, row.id)
  })
}

/** The connection as its store may see it; an adapter that is gone leaves everything masked. */
export function present(context: Context, row: ConnectionRow): Integration {
  const carrier = context.plugins.find('carrier', row.key)?.carrier
  const credentials = JSON.parse(context.vault.open(row.credentials, row.id)) as Record<string, unknown>
  const { id, key, kind, storeId, enabled, status, statusMessage, createdAt, updatedAt } = row
  return {
    id,
    key,
    kind,
    storeId,
    enabled,
    status,
    statusMessage,
    createdAt,
    updatedAt,
    credentials: maskSecrets(carrier?.credentials ?? {}, credentials),
    settings: carrier ? defined(withDefaults(carrier.settings, row.settings)) : row.settings,
  }
}

const defined = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function keepMasked(given: Typed, known: Typed) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' && value.startsWith(MASK) ? known[name] : value]),
  )
}

function adapterOf({ plugins }: Context, key: string): Carrier {
  const mounted = plugins.find('carrier', key)
  if (!mounted) throw notFound(`An adapter "${key}"`)
  return mounted.carrier
}

export function describeFields(fields: Fields) {
  return Object.entries(fields).map(
    ([name, { label, type = 'text', secret = false, optional = false, default: value, options, help }]) => ({
      name,
      label,
      type,
      secret,
      required: !optional && value === undefined,
      default: value ?? null,
      options: options ? [...options] : null,
      help: help ?? null,
    }),
  )
}
