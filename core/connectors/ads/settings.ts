import { Type as T } from '@sinclair/typebox'
import type { AdsAdapter } from '../../../plugins/ads/kind.ts'
import { AdAccount, type AdsSettings, type AdsSettingsChange, type PixelRule } from '../../../plugins/ads/model.ts'
import type { Mounted } from '../../../plugins/host/registry.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { invalidValue, notFound } from '../../http/errors/errors.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import type { Connection } from '../../integrations/connections/connection.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { newId } from '../../lib/ids.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import { countEvents } from './events/events.queries.ts'
import { forgetOtherAccounts, holdSettings, listAccounts, listRules, putAccount, putRule, removeRules } from './settings.queries.ts'

export type AdsConnection = Connection<Mounted<'ads'>>

const CALL_MS = 20_000
const Accounts = T.Array(AdAccount)

/** The accounts that whoever signed in may see. */
export const accountsOf = (context: Context, connection: AdsConnection): Promise<AdAccount[]> =>
  callAdapter(context, connection, (adapter, own) => adapter.adAccounts(own), {
    operation: 'adAccounts',
    deadlineMs: CALL_MS,
    schema: Accounts,
  })

export async function readSettings(sql: Queryable, connectionId: string): Promise<AdsSettings> {
  const [accounts, rules, events] = await Promise.all([
    listAccounts(sql, connectionId),
    listRules(sql, connectionId),
    countEvents(sql, connectionId),
  ])
  return {
    connectionId,
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

/** Says whose spend is read, and which order is which event. What stays the same goes on; orders that moved before a rule are left. */
export async function changeSettings(context: Context, connection: AdsConnection, change: AdsSettingsChange): Promise<AdsSettings> {
  const { id: connectionId, storeId } = connection.row
  const { adapter } = connection.mounted
  for (const [at, rule] of (change.rules ?? []).entries()) assertRule(adapter, rule, `/body/rules/${at}`)
  const accounts = change.accountIds && (await chosen(context, connection, change.accountIds))
  await transaction(context.sql, async (tx) => {
    await holdThere(tx, connectionId)
    if (accounts) {
      await forgetOtherAccounts(
        tx,
        connectionId,
        accounts.map(({ id }) => id),
      )
      for (const { id, name, currency, timeZone } of accounts) await putAccount(tx, { connectionId, storeId, id, name, currency, timeZone })
    }
    if (!change.rules) return
    const wanted = new Set(change.rules.map(nameOf))
    const gone = (await listRules(tx, connectionId)).filter((rule) => !wanted.has(nameOf(rule)))
    await removeRules(
      tx,
      gone.map(({ id }) => id),
    )
    for (const { status, event, pixelId, value = true } of change.rules)
      await putRule(tx, { id: newId('adr'), storeId, connectionId, status, event, pixelId, withValue: value })
  })
  return readSettings(context.sql, connectionId)
}

/** Holds what is said of the connection, which may have gone while its platform was asked. */
export async function holdThere(tx: Tx, connectionId: string): Promise<void> {
  await holdSettings(tx, connectionId)
  if (!(await findConnection(tx, connectionId))) throw notFound('The connection')
}

const nameOf = ({ status, event, pixelId }: Pick<PixelRule, 'status' | 'event' | 'pixelId'>) => `${status} ${event} ${pixelId}`

function assertRule(adapter: AdsAdapter, { status, event }: PixelRule, path: string) {
  if (!orderStatuses.includes(status as OrderStatus))
    throw invalidValue(`${path}/status`, `An order is never "${status}". It is one of ${orderStatuses.join(', ')}.`)
  assertEvent(adapter, event, `${path}/event`)
}

/** Throws where the platform knows no such event. */
export function assertEvent({ events, customEvents, label }: AdsAdapter, name: string, path: string) {
  if (!customEvents && !events.includes(name)) throw invalidValue(path, `${label} knows no event "${name}". It knows ${events.join(', ')}.`)
}

/** The accounts of these ids, as the platform has them now. */
async function chosen(context: Context, connection: AdsConnection, ids: readonly string[]): Promise<AdAccount[]> {
  if (ids.length === 0) return []
  const found = await accountsOf(context, connection)
  return ids.map((id, at) => {
    const account = found.find((one) => one.id === id)
    if (!account)
      throw invalidValue(`/body/accountIds/${at}`, 'Whoever signed in sees no such account. GET …/ad-accounts lists those there are.')
    if (!isZone(account.timeZone)) throw invalidValue(`/body/accountIds/${at}`, `Nobody here knows the time zone ${account.timeZone}.`)
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
