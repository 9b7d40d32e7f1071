import { isDeepStrictEqual } from 'node:util'
import { checkFields, type Fields } from '../../../plugins/fields.ts'
import type { AnyMountedAdapter } from '../../../plugins/host/registry.ts'
import { canServeOperation } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { ownerProjectIdOf } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { type FieldIssue, notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { chooseConnection, findConnectableAdapter, findConnectionToReplace } from './choose-connection.ts'
import { type Connection, openAnyConnection, unsealCredentials } from './connection.ts'
import { connectionErrors } from './connections.errors.ts'
import type { ConnectionChoice, IntegrationChange, NewIntegration } from './connections.model.ts'
import {
  type ConnectionOwnerId,
  type ConnectionRow,
  findConnection,
  findConnectionByName,
  insertConnection,
  lockAndFindConnection,
  lockConnection,
  markConnectionDeleted,
  updateConnection,
} from './connections.queries.ts'
import { clearAttention } from './health/attention.queries.ts'
import { testNowOrLater } from './health/test-later.ts'
import { clearTokenFailures, deleteTokens, findTokens } from './oauth-client/oauth.queries.ts'
import { signInKeyOf } from './oauth-client/oauth-client.ts'
import { revokeTokens } from './oauth-client/sign-out.ts'
import { requestPlacesSync } from './places/sync-places.ts'
import { enteredCredentialFields } from './present.ts'
import { unregisterWebhooks } from './unregister-webhooks.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** A store's connection was created or changed; `after` is the row as written. A subscriber vetoes the change by throwing. */
    'connection.changed': { mounted: AnyMountedAdapter; before: ConnectionRow | undefined; after: ConnectionRow }
    /** A user signed in for the connection, possibly with another account than before. */
    'connection.signed_in': { projectId: string; connectionId: string }
    /** The connection is about to be deleted. A subscriber that still needs it throws. */
    'connection.removed': { connection: ConnectionRow }
  }
}

/** Beginning of a masked secret in a response. A request that sends it back leaves the secret unchanged. */
const MASK = '••••'

/**
 * Connects a store, or with null the platform, to an adapter. Replaces the credentials and settings of an existing connection, whose id
 * stays. Tests the connection afterwards if it is ready. Throws `invalid_integration_fields` if the values do not match the adapter's
 * fields.
 */
export async function connectAdapter(
  context: Context,
  storeId: ConnectionOwnerId,
  key: string,
  input: NewIntegration,
  choice: ConnectionChoice = {},
): Promise<ConnectionRow> {
  const mounted = findConnectableAdapter(context, storeId, key)
  const current = await findConnectionToReplace(context, storeId, mounted.adapter.slug, input.name, choice)
  const { enabled, settings = {} } = input
  return saveConnection(context, mounted, storeId, current, (before) => ({
    name: input.name ?? before?.name ?? '',
    enabled,
    credentials: restoreMasked(input.credentials, before ? unsealCredentials(context, before) : {}),
    settings,
    keepsCredentials: false,
  }))
}

/** Changes the given parts of a connection and tests it again. Throws like {@link connectAdapter}. */
export async function changeConnection(
  context: Context,
  storeId: ConnectionOwnerId,
  key: string,
  change: IntegrationChange,
  choice: ConnectionChoice = {},
): Promise<ConnectionRow> {
  const current = await chooseConnection(context, storeId, key, choice)
  const { mounted } = openAnyConnection(context, current)
  return saveConnection(context, mounted, storeId, current, (before = current) => {
    const credentials = unsealCredentials(context, before)
    return {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      credentials: { ...credentials, ...restoreMasked(change.credentials ?? {}, credentials) },
      settings: { ...before.settings, ...change.settings },
      keepsCredentials: change.credentials === undefined,
    }
  })
}

/** Values of credential or setting fields, as entered. */
type FieldValues = Readonly<Record<string, unknown>>

interface ConnectionDraft {
  readonly name: string
  readonly enabled: boolean
  readonly credentials: FieldValues
  readonly settings: FieldValues
  /** True if the request changes no credentials; what is known about them then stays. */
  readonly keepsCredentials: boolean
}
/** Builds the draft from the locked row, so that concurrent changes do not undo each other. */
type BuildDraft = (before: ConnectionRow | undefined) => ConnectionDraft

async function saveConnection(
  context: Context,
  mounted: AnyMountedAdapter,
  storeId: ConnectionOwnerId,
  current: ConnectionRow | undefined,
  buildDraft: BuildDraft,
): Promise<ConnectionRow> {
  const { adapter } = mounted
  const row = await writeConnection(context, mounted, storeId, current, buildDraft)
  const isReady = row.enabled && (!adapter.oauth || (await findTokens(context.sql, row)) !== undefined)
  const tested = isReady ? await testNowOrLater(context, row) : undefined
  if (tested?.ok && storeId !== null && canServeOperation(adapter, { needs: ['states', 'cities'] }))
    await requestPlacesSync(context.sql, row.id)
  const saved = await findConnection(context.sql, row)
  if (!saved) throw notFound(`A connection to ${adapter.slug}`)
  return saved
}

function assertFields(mounted: AnyMountedAdapter, storeId: ConnectionOwnerId, { name, credentials, settings }: ConnectionDraft): void {
  const { kind, adapter } = mounted
  const isNamed = name !== '' && !kind.multiple
  const problems: FieldIssue[] = [
    ...(isNamed ? [{ field: ['name'], message: `There can be only one connection to ${adapter.label}; leave out the name.` }] : []),
    ...checkFields(enteredCredentialFields(mounted), credentials, ['credentials']),
    ...checkFields(settingsFor(mounted, storeId), settings, ['settings']),
  ]
  if (problems.length > 0)
    throw connectionErrors.fieldsInvalid(
      { label: adapter.label },
      {
        issues: problems,
      },
    )
}

/**
 * Returns the setting fields that an owner fills in. Settings that are part of a sign-in address are optional for the platform, whose
 * client serves accounts at all addresses.
 */
function settingsFor({ adapter: { settings, oauth } }: AnyMountedAdapter, storeId: ConnectionOwnerId): Fields {
  if (storeId !== null || !oauth) return settings
  const hosts = [...`${oauth.authorizeUrl} ${oauth.tokenUrl}`.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [name, hosts.includes(name) ? { ...field, optional: true } : field]),
  )
}

function writeConnection(
  context: Context,
  mounted: AnyMountedAdapter,
  storeId: ConnectionOwnerId,
  found: ConnectionRow | undefined,
  buildDraft: BuildDraft,
): Promise<ConnectionRow> {
  const { slug: key, kind, oauth } = mounted.adapter
  const id = found?.id ?? newId('int')
  return transaction(context.sql, async (tx) => {
    const current = found && (await lockAndFindConnection(tx, found))
    if (found && !current) throw notFound(`A connection to ${key}`)
    const draft = buildDraft(current)
    assertFields(mounted, storeId, draft)
    const { name, enabled, credentials, settings, keepsCredentials } = draft
    const seal = (owner: string) => context.vault.seal(JSON.stringify(credentials), owner)
    const owner = storeId === null ? ('platform' as const) : ('store' as const)
    if (!current)
      await insertConnection(tx, {
        projectId: ownerProjectIdOf(storeId),
        id,
        owner,
        key,
        kind,
        name,
        enabled,
        credentials: seal(id),
        settings,
      })
    // Concurrent requests create one connection; the values of the later one win.
    const named = await findConnectionByName(tx, storeId, key, name)
    if (current && named && named.id !== current.id) throw connectionErrors.nameTaken()
    const row = current ?? named
    if (!row) throw notFound(`A connection to ${key}`)
    const sealed = seal(row.id)
    await updateConnection(tx, row, { name, enabled, settings, credentials: sealed, status: 'untested', statusMessage: null })
    if (!keepsCredentials) await clearAttention(tx, row)
    const written = invariant(await findConnection(tx, row), 'A connection that was written')
    if (storeId !== null) {
      // A concurrent request may have inserted the row; this one then replaces it.
      const before = current ?? (row.id === id ? undefined : named)
      await publish(tx, 'connection.changed', { mounted, before, after: written })
      await recordConnectionAudit(tx, storeId, current, written, { keepsCredentials })
    }
    if (oauth && current)
      await updateSignIn(tx, openAnyConnection(context, current), openAnyConnection(context, written), { keepsCredentials })
    return written
  })
}

/** Records the change in the audit log. Of credentials and settings it records only that they changed. */
async function recordConnectionAudit(
  tx: Tx,
  storeId: string,
  before: ConnectionRow | undefined,
  { id, ...after }: ConnectionRow,
  { keepsCredentials }: { readonly keepsCredentials: boolean },
) {
  const { key, kind, name, enabled } = after
  if (!before) return recordAudit(tx, { storeId }, { what: 'connection.connected', thing: id, after: { key, kind, name, enabled } })
  const changed = {
    name,
    enabled,
    ...(!keepsCredentials && { credentials: 'given anew' }),
    ...(!isDeepStrictEqual(before.settings, after.settings) && { settings: 'changed' }),
  }
  await recordAudit(
    tx,
    { storeId },
    { what: 'connection.changed', thing: id, before: { name: before.name, enabled: before.enabled }, after: changed },
  )
}

/** Keeps the tokens of a sign-in while the client and its address stay the same; deletes them otherwise. */
async function updateSignIn(
  tx: Tx,
  before: Connection,
  after: Connection,
  { keepsCredentials }: { readonly keepsCredentials: boolean },
): Promise<void> {
  if (signInKeyOf(before) !== signInKeyOf(after)) await deleteTokens(tx, after.row)
  else if (!keepsCredentials) await clearTokenFailures(tx, after.row)
}

/** Switches the connection of an adapter on or off. */
export async function setConnectionEnabled(
  context: Context,
  storeId: ConnectionOwnerId,
  key: string,
  { enabled }: { readonly enabled: boolean },
) {
  const chosen = await chooseConnection(context, storeId, key)
  await transaction(context.sql, async (tx) => {
    const row = await lockAndFindConnection(tx, chosen)
    if (!row) throw notFound(`A connection to ${key}`)
    await updateConnection(tx, row, { enabled })
    if (storeId !== null) await recordConnectionAudit(tx, storeId, row, { ...row, enabled }, { keepsCredentials: true })
  })
  return { key, enabled }
}

/**
 * Deletes a connection with its credentials and tokens, after its webhooks are unregistered at the provider. Does nothing if `isNeeded`
 * returns true. A subscriber that still needs the connection throws, as for parcels in transit.
 */
export async function disconnectAdapter(
  context: Context,
  storeId: ConnectionOwnerId,
  key: string,
  choice: ConnectionChoice = {},
  isNeeded?: (tx: Tx) => Promise<boolean>,
) {
  const row = await chooseConnection(context, storeId, key, choice)
  if (storeId !== null) await unregisterWebhooks(context, row)
  await deleteConnection(context, row, isNeeded)
}

/**
 * Deletes a connection with its credentials and tokens, and leaves its webhooks registered. Revokes the tokens at the provider. Does nothing if
 * `isNeeded` returns true.
 */
export async function deleteConnection(context: Context, row: ConnectionRow, isNeeded?: (tx: Tx) => Promise<boolean>): Promise<void> {
  const { id, storeId, owner } = row
  const signIn = await transaction(context.sql, async (tx) => {
    await lockConnection(tx, row)
    if (await isNeeded?.(tx)) return undefined
    await publish(tx, 'connection.removed', { connection: row })
    await markConnectionDeleted(tx, row)
    if (owner === 'store') await recordAudit(tx, { storeId }, { what: 'connection.disconnected', thing: id, before: row })
    return deleteTokens(tx, row)
  })
  if (signIn && context.plugins.named(row.key)) await revokeTokens(context, openAnyConnection(context, row), signIn.sealed)
}

/** Replaces masked values with the stored ones. */
function restoreMasked(given: FieldValues, known: FieldValues) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' && value.startsWith(MASK) ? known[name] : value]),
  )
}
