import { Type as T } from '@sinclair/typebox'
import type { AdsAdapter } from '../../../plugins/ads/kind.ts'
import { AdAccount } from '../../../plugins/ads/model.ts'
import type { AdsSettings, AdsSettingsChange, PixelRule } from '../../../plugins/ads/settings.model.ts'
import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { Connection } from '../../integrations/connections/connection.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { type FieldPath, notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { drainStore } from '../../orders/changes/drain-changes.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import { adErrors } from './ads.errors.ts'
import { countEvents } from './events/events.queries.ts'
import { deleteOtherAccounts, deleteRules, listAccounts, listRules, lockSettings, upsertAccount, upsertRule } from './settings.queries.ts'

/** Connection to an advertising platform. */
export type AdsConnection = Connection<MountedAdapter<'ads'>>

const CALL_MS = 20_000
const Accounts = T.Array(AdAccount)

/** Lists the ad accounts that the signed-in user can access, from the platform. */
export const fetchAdAccounts = (context: Context, connection: AdsConnection): Promise<AdAccount[]> =>
  callAdapter(context, connection, (adapter, own) => adapter.adAccounts(own), {
    operation: 'adAccounts',
    deadlineMs: CALL_MS,
    schema: Accounts,
  })

/** Reads the linked accounts, the rules and the counts of events of a connection. */
export async function readSettings(sql: Queryable, connection: ConnectionRef): Promise<AdsSettings> {
  const [accounts, rules, events] = await Promise.all([
    listAccounts(sql, connection),
    listRules(sql, connection),
    countEvents(sql, connection),
  ])
  return {
    connectionId: connection.id,
    accounts: accounts.map(({ id, name, currency, timeZone, readAt, problem }) => ({ id, name, currency, timeZone, readAt, problem })),
    rules: rules.map(({ id, status, event, pixelId, withValue, createdAt }) => ({
      id,
      status,
      event,
      pixelId,
      value: withValue,
      since: createdAt,
    })),
    events,
  }
}

/**
 * Replaces the linked accounts and the rules that are given. Unchanged ones continue; orders that changed before a rule existed are not
 * sent.
 */
export async function changeSettings(context: Context, connection: AdsConnection, change: AdsSettingsChange): Promise<AdsSettings> {
  const { id: connectionId, projectId } = connection.row
  const { adapter } = connection.mounted
  for (const [at, rule] of (change.rules ?? []).entries()) assertRule(adapter, rule, ['rules', at])
  const accounts = change.accountIds && (await fetchChosenAccounts(context, connection, change.accountIds))
  // Orders that moved before go by the rules of then.
  if (change.rules) await drainStore(context.sql, storeIdOf(projectId))
  await transaction(context.sql, async (tx) => {
    await lockConnectionSettings(tx, connection.row)
    if (accounts) {
      await deleteOtherAccounts(
        tx,
        connection.row,
        accounts.map(({ id }) => id),
      )
      for (const { id, name, currency, timeZone } of accounts)
        await upsertAccount(tx, { connectionId, projectId, id, name, currency, timeZone })
    }
    if (!change.rules) return
    const wantedRules = new Set(change.rules.map(ruleKeyOf))
    const obsolete = (await listRules(tx, connection.row)).filter((rule) => !wantedRules.has(ruleKeyOf(rule)))
    await deleteRules(
      tx,
      projectId,
      obsolete.map(({ id }) => id),
    )
    for (const { status, event, pixelId, value = true } of change.rules)
      await upsertRule(tx, { id: newId('adr'), projectId, connectionId, status, event, pixelId, withValue: value })
  })
  return readSettings(context.sql, connection.row)
}

/** Locks the settings of a connection. Throws `not_found` if it was deleted while the platform was called. */
export async function lockConnectionSettings(tx: Tx, connection: ConnectionRef): Promise<void> {
  await lockSettings(tx, connection.id)
  if (!(await findConnection(tx, connection))) throw notFound('The connection')
}

const ruleKeyOf = ({ status, event, pixelId }: Pick<PixelRule, 'status' | 'event' | 'pixelId'>) => `${status} ${event} ${pixelId}`

function assertRule(adapter: AdsAdapter, { status, event }: PixelRule, field: FieldPath) {
  if (!orderStatuses.includes(status as OrderStatus))
    throw adErrors.orderStatusUnknown({ status, orderStatuses: orderStatuses.join(', ') }, { field: [...field, 'status'] })
  assertEvent(adapter, event, [...field, 'event'])
}

/** Throws a validation error if the platform has no such event. */
export function assertEvent({ events, customEvents, label }: AdsAdapter, name: string, field: FieldPath) {
  if (!customEvents && !events.includes(name)) throw adErrors.eventUnknown({ label, name, events: events.join(', ') }, { field })
}

/** Returns the accounts with these ids as the platform reports them. Throws if one is missing or has an unknown time zone. */
async function fetchChosenAccounts(context: Context, connection: AdsConnection, ids: readonly string[]): Promise<AdAccount[]> {
  if (ids.length === 0) return []
  const found = await fetchAdAccounts(context, connection)
  return ids.map((id, at) => {
    const account = found.find((one) => one.id === id)
    if (!account) throw adErrors.accountForbidden({ field: ['accountIds', at] })
    if (!isZone(account.timeZone)) throw adErrors.timeZoneUnknown({ timeZone: account.timeZone }, { field: ['accountIds', at] })
    return account
  })
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
