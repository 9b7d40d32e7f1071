import { isDeepStrictEqual } from 'node:util'
import { checkFields, type FieldProblem, type Fields } from '../../../plugins/fields.ts'
import type { AnyMounted } from '../../../plugins/host/registry.ts'
import { offers } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { chooseConnection, connectable, replaced } from './choose.ts'
import { type Connection, credentialsOf, openAnyConnection } from './connection.ts'
import type { Choice, IntegrationChange, NewIntegration } from './connections.model.ts'
import {
  type ConnectionRow,
  findConnection,
  findConnectionByName,
  heldConnection,
  insertConnection,
  lockConnection,
  markConnectionDeleted,
  type OwnerId,
  updateConnection,
} from './connections.queries.ts'
import { part } from './disconnect-handlers.ts'
import { clearAttention } from './health/attention.queries.ts'
import { testOrLater } from './health/test-later.ts'
import { belongingOf } from './oauth-client/client.ts'
import { deleteTokens, findTokens, forgiveTokens } from './oauth-client/oauth.queries.ts'
import { revoke } from './oauth-client/sign-out.ts'
import { requestPlaces } from './places/sync-places.ts'
import { typedFields } from './present.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** A store's was made or is another now, as it is written by now. Who cannot let that be throws. */
    'connection.changing': { mounted: AnyMounted; before: ConnectionRow | undefined; after: ConnectionRow }
    /** Somebody signed in for it: it may be of another account now. */
    'connection.signed_in': { connectionId: string }
    /** It is about to be deleted. Who still needs it throws. */
    'connection.leaving': { connection: ConnectionRow }
  }
}

/** How a read shows a secret; sent back as it was, it means "as it is". */
const MASK = '••••'

/** Connects a store, or with null the platform, to an adapter, or replaces the connection's credentials and settings; its id stays. */
export async function connect(
  context: Context,
  storeId: OwnerId,
  key: string,
  input: NewIntegration,
  choice: Choice = {},
): Promise<ConnectionRow> {
  const mounted = connectable(context, storeId, key)
  const current = await replaced(context, storeId, mounted.adapter.slug, input.name, choice)
  const { enabled, settings = {} } = input
  return save(context, mounted, storeId, current, (before) => ({
    name: input.name ?? before?.name ?? '',
    enabled,
    credentials: keepMasked(input.credentials, before ? credentialsOf(context, before) : {}),
    settings,
    isProven: false,
  }))
}

export async function changeConnection(
  context: Context,
  storeId: OwnerId,
  key: string,
  change: IntegrationChange,
  choice: Choice = {},
): Promise<ConnectionRow> {
  const current = await chooseConnection(context, storeId, key, choice)
  const { mounted } = openAnyConnection(context, current)
  return save(context, mounted, storeId, current, (before = current) => {
    const credentials = credentialsOf(context, before)
    return {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      credentials: { ...credentials, ...keepMasked(change.credentials ?? {}, credentials) },
      settings: { ...before.settings, ...change.settings },
      isProven: change.credentials === undefined,
    }
  })
}

/** What a person typed in. */
type Typed = Readonly<Record<string, unknown>>

interface Wanted {
  readonly name: string
  readonly enabled: boolean
  readonly credentials: Typed
  readonly settings: Typed
  /** Nothing was said of the credentials: what is known of them stays. */
  readonly isProven: boolean
}
/** Said of the connection as it is when it is written: two who change it at once undo nothing of each other. */
type Want = (before: ConnectionRow | undefined) => Wanted

async function save(
  context: Context,
  mounted: AnyMounted,
  storeId: OwnerId,
  current: ConnectionRow | undefined,
  want: Want,
): Promise<ConnectionRow> {
  const { adapter } = mounted
  const row = await write(context, mounted, storeId, current, want)
  const isReady = row.enabled && (!adapter.oauth || (await findTokens(context.sql, row.id)) !== undefined)
  const tested = isReady ? await testOrLater(context, row) : undefined
  if (tested?.ok && storeId !== null && offers(adapter, { needs: ['states', 'cities'] })) await requestPlaces(context.sql, row.id)
  const saved = await findConnection(context.sql, row.id)
  if (!saved) throw notFound(`A connection to ${adapter.slug}`)
  return saved
}

function assertFields(mounted: AnyMounted, storeId: OwnerId, { name, credentials, settings }: Wanted): void {
  const { kind, adapter } = mounted
  const isNamed = name !== '' && !kind.several
  const problems: FieldProblem[] = [
    ...(isNamed ? [{ path: '/body/name', message: `There is one connection to ${adapter.label}, without a name.` }] : []),
    ...checkFields(typedFields(mounted), credentials, '/body/credentials'),
    ...checkFields(settingsFor(mounted, storeId), settings, '/body/settings'),
  ]
  if (problems.length > 0)
    throw new ApiError('invalid_integration_fields', `These are not the fields of ${adapter.label}; see details, and GET /v1/adapters.`, {
      details: problems,
    })
}

/** Where each account signs in at a host of its own, the platform has none: its client serves all of them. */
function settingsFor({ adapter: { settings, oauth } }: AnyMounted, storeId: OwnerId): Fields {
  if (storeId !== null || !oauth) return settings
  const hosts = [...`${oauth.authorizeUrl} ${oauth.tokenUrl}`.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [name, hosts.includes(name) ? { ...field, optional: true } : field]),
  )
}

function write(
  context: Context,
  mounted: AnyMounted,
  storeId: OwnerId,
  found: ConnectionRow | undefined,
  want: Want,
): Promise<ConnectionRow> {
  const { slug: key, kind, oauth } = mounted.adapter
  const id = found?.id ?? newId('int')
  return transaction(context.sql, async (tx) => {
    const current = found && (await heldConnection(tx, found.id))
    if (found && !current) throw notFound(`A connection to ${key}`)
    const wanted = want(current)
    assertFields(mounted, storeId, wanted)
    const { name, enabled, credentials, settings, isProven } = wanted
    const seal = (owner: string) => context.vault.seal(JSON.stringify(credentials), owner)
    const owner = storeId === null ? ('platform' as const) : ('store' as const)
    if (!current) await insertConnection(tx, { id, owner, storeId, key, kind, name, enabled, credentials: seal(id), settings })
    // Two who connect at once make one connection; the later values win.
    const named = await findConnectionByName(tx, storeId, key, name)
    if (current && named && named.id !== current.id) throw new ApiError('conflict', 'Another connection to this adapter has this name.')
    const row = current ?? named
    if (!row) throw notFound(`A connection to ${key}`)
    const sealed = seal(row.id)
    await updateConnection(tx, row.id, { name, enabled, settings, credentials: sealed, status: 'untested', statusMessage: null })
    if (!isProven) await clearAttention(tx, row.id)
    const written = invariant(await findConnection(tx, row.id), 'A connection that was written')
    if (storeId !== null) {
      // Two who connect at once: what the other has written is replaced.
      const before = current ?? (row.id === id ? undefined : named)
      await publish(tx, 'connection.changing', { mounted, before, after: written })
      await noteConnection(tx, storeId, current, written, isProven)
    }
    if (oauth && current) await keepSignIn(tx, openAnyConnection(context, current), openAnyConnection(context, written), isProven)
    return written
  })
}

/** Of credentials and settings it is said that they changed, and nothing of what they are. */
async function noteConnection(
  tx: Tx,
  storeId: string,
  before: ConnectionRow | undefined,
  { id, ...after }: ConnectionRow,
  isProven: boolean,
) {
  const { key, kind, name, enabled } = after
  if (!before) return recordAudit(tx, { storeId }, { what: 'connection.connected', thing: id, after: { key, kind, name, enabled } })
  const changed = {
    name,
    enabled,
    ...(!isProven && { credentials: 'given anew' }),
    ...(!isDeepStrictEqual(before.settings, after.settings) && { settings: 'changed' }),
  }
  await recordAudit(
    tx,
    { storeId },
    { what: 'connection.changed', thing: id, before: { name: before.name, enabled: before.enabled }, after: changed },
  )
}

/** What somebody signed in with stays where it belongs to the same client at the same address. */
async function keepSignIn(tx: Tx, before: Connection, after: Connection, isProven: boolean): Promise<void> {
  if (belongingOf(before) !== belongingOf(after)) await deleteTokens(tx, after.row.id)
  else if (!isProven) await forgiveTokens(tx, after.row.id)
}

export async function enable(context: Context, storeId: OwnerId, key: string, enabled: boolean) {
  const { id } = await chooseConnection(context, storeId, key)
  await transaction(context.sql, async (tx) => {
    const row = await heldConnection(tx, id)
    if (!row) throw notFound(`A connection to ${key}`)
    await updateConnection(tx, id, { enabled })
    if (storeId !== null) await noteConnection(tx, storeId, row, { ...row, enabled }, true)
  })
  return { key, enabled }
}

/**
 * Forgets the credentials, and what somebody signed in with, unless somebody still needs them. Refused while parcels are on their way, since their
 * callbacks would be lost. The other side is told as long as it lets us in.
 */
export async function disconnect(
  context: Context,
  storeId: OwnerId,
  key: string,
  choice: Choice = {},
  isNeeded?: (tx: Tx) => Promise<boolean>,
) {
  const row = await chooseConnection(context, storeId, key, choice)
  if (storeId !== null) await part(context, row)
  await end(context, row, isNeeded)
}

/** The same without a word to the other side but that what somebody signed in with is not needed any more. */
export async function end(context: Context, row: ConnectionRow, isNeeded?: (tx: Tx) => Promise<boolean>): Promise<void> {
  const { id, storeId, owner } = row
  const signIn = await transaction(context.sql, async (tx) => {
    await lockConnection(tx, id)
    if (await isNeeded?.(tx)) return undefined
    await publish(tx, 'connection.leaving', { connection: row })
    await markConnectionDeleted(tx, id)
    if (owner === 'store') await recordAudit(tx, { storeId }, { what: 'connection.disconnected', thing: id, before: row })
    return deleteTokens(tx, id)
  })
  if (signIn && context.plugins.named(row.key)) await revoke(context, openAnyConnection(context, row), signIn.sealed)
}

function keepMasked(given: Typed, known: Typed) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' && value.startsWith(MASK) ? known[name] : value]),
  )
}
